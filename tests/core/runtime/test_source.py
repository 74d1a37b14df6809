"""Values of a call as methods get them: large structures are read when somebody asks for a member."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.errors import TraceError
from core.runtime.calls.columns import Calls, Signature
from core.runtime.calls.source import Reader, _members
from core.runtime.calls.values import PADDING
from core.runtime.paper import PaperDriver
from core.runtime.runtime import Runtime
from inspector.imports.decoder import Decoder, header
from tests.inspector.imports.trace_file import Float32, Mask, Pointer, Struct, TraceFile

INNER = Struct("DDCOLORKEY", {"dwColorSpaceLowValue": 300, "dwColorSpaceHighValue": -4})
MEMBERS = {"dwSize": 124, "lpSurface": Pointer(1 << 40), "ddckCKSrcBlt": INNER, "dwFlags": Mask((("DDSD_CAPS", 1),), 0x1007),
           "fZ": Float32(0.5), "dwSize2": 70000}  # fmt: skip


def decoded(name: str) -> Calls:
    """Two calls with the structure, the first of which defines its words."""
    trace = TraceFile()
    for _ in range(2):
        trace.call("IDirectDrawSurface7::Lock", {"this": Pointer(1), "lpDDSurfaceDesc": [Struct(name, MEMBERS)]})
    data = trace.bytes()
    columns = np.frombuffer(data + bytes(PADDING), np.uint8).copy()
    return Decoder().decode(columns, header(data)[2], len(data), True)[0]


def read(calls: Calls, i: int, late: bool) -> Any:
    slot = int(calls.calls["args"][i]) + 1
    reader = Reader(calls)
    return (reader.late_argument if late else reader.argument)(int(calls.tags[slot]), int(calls.values[slot]))


@pytest.mark.parametrize("i", [0, 1])
@pytest.mark.parametrize("order", [MEMBERS, list(reversed(MEMBERS)), ["lpSurface", "dwSize", "lpSurface", "fZ"]])
def test_members_in_any_order(i: int, order: Any) -> None:
    made = decoded("DDSURFACEDESC2")
    (late,), (whole,) = read(made, i, True), read(made, i, False)
    wanted = {"dwSize": 124, "lpSurface": 1 << 40, "ddckCKSrcBlt": (300, -4), "dwFlags": 0x1007, "fZ": 0.5, "dwSize2": 70000}
    for name in order:
        assert getattr(late, name) == wanted[name] == getattr(whole, name)
    with pytest.raises(AttributeError):
        late.dwNone  # noqa: B018


def test_other_structures_are_whole() -> None:
    (found,) = read(decoded("D3DVIEWPORT7"), 1, True)
    assert isinstance(found, tuple) and len(found) == len(MEMBERS)


def test_a_call_of_a_function_that_was_not_declared_is_refused() -> None:
    made = decoded("D3DVIEWPORT7")
    made.calls["signature"][1] = 40000  # which would index past the table that the compiled loop reads
    with pytest.raises(TraceError, match="call 1: function 40000 was not declared"):
        Runtime(PaperDriver()).run(made)


def test_members_may_have_any_names() -> None:
    """Python reads the two letters o as one name, which was a SyntaxError; of names that come again, the first is found."""
    made = _members(Signature("S", ("o", "\u00ba", "class", "o", "1", "")))([1, 2, 3, 4, 5, 6])
    assert tuple(made) == (1, 2, 3, 4, 5, 6) and made.o == 1
