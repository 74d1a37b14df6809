"""Rules that are only watched: what is emitted | what is found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.ddi.rules.facts import DriverFacts
from core.ddi.rules.watch import REPEATS, TokenRules
from core.ddi.stream import dp2
from core.ddi.stream.shader_assemble import assemble
from core.device.findings import RULES
from core.spec.tokens import Op


def of(op: Op, items: Any = None, **fields: Any) -> dict[str, Any]:
    return {"op": op, "items": items, **fields}


def found(*tokens: dict[str, Any], watch: TokenRules | None = None, first_seq: int = 0) -> list[tuple[int, str, str]]:
    """(event, rule, text) of every finding."""
    out = bytearray()
    for token in tokens:
        dp2.emit(out, **token)
    data = np.frombuffer(bytes(out), np.uint8)
    findings = (watch or TokenRules()).findings(data, dp2.scan(data).records, first_seq)
    assert all(finding.rule in RULES and finding.offset >= 4 for finding in findings)
    return [(finding.seq, finding.rule, finding.text) for finding in findings]


BEGIN, END = of(Op.RENDERSTATE, state="SCENECAPTURE", value=1), of(Op.RENDERSTATE, state="SCENECAPTURE", value=0)
DRAW = of(Op.DRAWPRIMITIVE, type="TRIANGLELIST", start=0, count=1)
GOOD_VS = assemble("vs_1_1\nm4x4 oPos, v0, c0")

SINGLE = [
    (of(Op.RENDERSTATE, state="ALPHAFUNC", value=99), None),
    (of(Op.RENDERSTATE, state="WRAPU", value=1), ("legacy-state", "WRAPU was retired")),
    (of(Op.SETSTREAMSOURCE, [{"stream": 0}, {"stream": 1}]), ("one-binding", "a SETSTREAMSOURCE command binds more than one")),
    (of(Op.SETSTREAMSOURCEUM, stream=1, stride=12), ("user-memory-stream", "stream 1")),
    (of(Op.SETINDICES, buffer=3, stride=3), ("index-size", "indices of 3 bytes")),
    (of(Op.SETINDICES, buffer=0, stride=0), None),
    (of(Op.SETVERTEXSHADER, shader=0x142), None),
    (of(Op.SETVERTEXSHADER, shader=0x140), ("vertex-format", "format 0x140: there is no position")),
    (of(Op.SETVERTEXSHADER, shader=0x8002), ("vertex-format", "format 0x8002: reserved bits are set")),
    (of(Op.SETVERTEXSHADER, shader=0x902), ("vertex-format", "format 0x902: 9 sets of coordinates")),
    (of(Op.SETVERTEXSHADER, shader=0x10002), ("vertex-format", "format 0x10002: sizes of coordinates that it does not have")),
    (of(Op.SETVERTEXSHADER, shader=0x1002),
     ("vertex-format", "format 0x1002: the last blending weight holds indices, there is none")),
    (of(Op.SETVERTEXSHADER, shader=3), None),
    (of(Op.CREATEVERTEXSHADER, shader=1, declaration=[0xFFFFFFFF], code=GOOD_VS), None),
    (of(Op.CREATEVERTEXSHADER, shader=2, declaration=[0xFFFFFFFF]), ("shader-handle", "0x2 is even")),
    (of(Op.CREATEPIXELSHADER, shader=5, code=assemble("ps_1_1\ntex t0")),
     ("shader-rules", "pixel shader 0x5, dword 3: r0 is not written")),
    (of(Op.SETPIXELSHADERCONST, register=3), ("no-constants", "0 constants from c3")),
    (of(Op.DRAWPRIMITIVE, type="TRIANGLELIST", count=0), ("empty-draw", "a draw of no primitives")),
    (of(Op.CLEAR, flags=0), ("clear-flags", "CLEAR with flags 0x0")),
    (of(Op.CLEAR, flags=0x11), ("clear-flags", "CLEAR with flags 0x11")),
    (of(Op.CLEAR, flags="TARGET", depth=5.0), None),
    (of(Op.CLEAR, flags="ZBUFFER", depth=-1.0), ("clear-flags", "CLEAR to depth -1.0")),
    (of(Op.CLEAR, flags="ZBUFFER", depth=float("nan")), ("clear-flags", "CLEAR to depth nan")),
    (of(Op.ZRANGE, min=0.5, max=0.25), ("depth-range", "0.5 to 0.25")),
    (of(Op.VIEWPORTINFO, width=0, height=4), ("viewport-size", "0 x 4")),
    (of(Op.SETLIGHT, index=1, light=(3).to_bytes(4, "little") + bytes(100)), None),
    (of(Op.SETLIGHT, index=1, light=bytes(104)), ("light-type", "light 1 has type 0")),
    (of(Op.TEXBLT, flags=1), ("reserved-flags", "flags 0x1")),
    (of(Op.DRAWPRIMITIVE2, type="TRIANGLELIST", count=1), ("transformed-draw", "DRAWPRIMITIVE2 without transformed vertices")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("token", "expected"), SINGLE, ids=[f"{i} {row[1][1] if row[1] else 'fine'}" for i, row in enumerate(SINGLE)]
)
def test_single_tokens(token: dict[str, Any], expected: tuple[str, str] | None) -> None:
    assert found(token) == ([(0, *expected)] if expected else [])


def test_draws_and_scenes() -> None:
    assert found(DRAW) == []
    assert found(BEGIN, DRAW, END) == []
    assert found(BEGIN, DRAW, END, DRAW) == [(3, "scene", "a draw outside a scene")]
    assert found(BEGIN, BEGIN, END, END) == [
        (1, "scene", "BEGIN of a scene within a scene"),
        (3, "scene", "END of a scene without BEGIN"),
    ]


def test_what_is_remembered_between_streams() -> None:
    watch = TokenRules()
    assert found(BEGIN, END, watch=watch) == []
    assert found(DRAW, watch=watch, first_seq=10) == [(10, "scene", "a draw outside a scene")]
    transformed = of(Op.DRAWPRIMITIVE2, type="TRIANGLELIST", count=1)
    assert found(BEGIN, of(Op.SETVERTEXSHADER, shader=0x44), watch=watch) == []
    assert found(transformed, watch=watch) == []
    assert found(of(Op.SETVERTEXSHADER, shader=0x42), transformed, watch=watch) == [
        (1, "transformed-draw", "DRAWPRIMITIVE2 without transformed vertices")
    ]


def test_old_draws_are_fine_without_a_shader() -> None:
    old = of(Op.TRIANGLELIST, start=0, primitives=1)
    assert found(old) == []
    assert found(of(Op.SETVERTEXSHADER, shader=0x44), old) == [(1, "legacy-draw", "TRIANGLELIST under a DirectX 8 shader")]


def test_repetitions_are_told_a_few_times() -> None:
    assert len(found(*[of(Op.CLEAR, flags=0)] * 20)) == REPEATS


def test_findings_point_at_their_record() -> None:
    out = bytearray()
    dp2.emit(out, Op.RENDERSTATE, [{"state": 25, "value": 1}, {"state": 5, "value": 0}])
    data = np.frombuffer(bytes(out), np.uint8)
    (one,) = TokenRules().findings(data, dp2.scan(data).records, 100)
    assert (one.seq, one.offset, one.severity, one.section) == (101, 12, "note", "DDK")


def test_a_driver_without_constants_is_told_so() -> None:
    """Not "beyond c-1"."""
    facts = DriverFacts()
    facts.caps = {"MaxVertexShaderConst": 0}
    constants = of(Op.SETVERTEXSHADERCONST, register=0, values=[(0.0, 0.0, 0.0, 0.0)])
    texts = [text for _, rule, text in found(constants, watch=TokenRules(facts)) if rule == "bad-constant"]
    assert texts == ["constants for a driver without any (MaxVertexShaderConst is 0)"]
