"""Values as bytes and back: the same graph, of listed classes only, and nothing that runs."""

from __future__ import annotations

import copyreg
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import inspector
from core.device.memory.surfaces import Surface
from core.spec.enums import CmpFunc
from core.spec.formats import FORMATS
from inspector.timeline import values
from inspector.timeline.liveness import Operation, OperationKind
from tests.inspector.conftest import ROOM

SAMPLES = [ROOM, *sorted((Path(__file__).resolve().parents[3] / "resources" / "samples").glob("*.ddicap"))]


def again(value: Any) -> Any:
    data, arrays = values.packed(value)
    return values.unpacked(data, lambda digest, dtype, shape: arrays[digest].view(dtype).reshape(shape).copy())


def parts(value: Any, seen: dict[int, tuple[int, Any]]) -> Iterator[Any]:
    """A flat account of a graph: what can change and is met again is its number."""
    if id(value) in seen:
        yield "again", seen[id(value)][0]
        return
    if not isinstance(value, (int, float, str, bytes, type(None), np.generic, tuple, frozenset)):
        seen[id(value)] = len(seen), value
    yield type(value)
    if isinstance(value, np.ndarray):
        yield value.dtype, value.dtype.isalignedstruct, value.shape, value.tobytes(), value.flags.writeable or value.nbytes
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from parts(key, seen)
            yield from parts(item, seen)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from parts(item, seen)
    elif isinstance(value, (set, frozenset)):
        yield sorted(value)
    elif type(value).__module__ in ("builtins", "numpy") or not hasattr(value, "__reduce_ex__"):
        yield repr(value)
    elif isinstance(value, int):
        yield int(value)
    else:
        state = value.__getstate__() if hasattr(value, "__getstate__") else copyreg.__reduce_ex__(value, 2)[2]
        yield from parts(list(state) if isinstance(state, (list, tuple)) else state, seen)


def account(value: Any) -> list[Any]:
    seen: dict[int, tuple[int, Any]] = {}
    return [str(part) for part in parts(value, seen)]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_what_a_tape_keeps_comes_back_the_same(path: Path) -> None:
    with inspector.open(path) as capture:
        walked = again(capture.walked)
        assert account(walked) == account(capture.walked)
        last = len(capture.events) - 1
        for event in range(0, last + 1, max(1, last // 5)):
            with capture.replay.at(event) as driver:
                snapshot = driver.snapshot()
                assert account(again(snapshot)) == account(snapshot)


def test_what_is_shared_is_shared_again_and_circles_close() -> None:
    array, shared = np.arange(5), [1]
    circle: dict[str, Any] = {"array": array, "same": array, "a": shared, "b": (shared, shared)}
    circle["itself"] = [circle]
    back = again(circle)
    assert back["array"] is back["same"] and back["a"] is back["b"][0] is back["b"][1]
    assert back["itself"][0] is back


ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(st.characters(exclude_categories=["Cs"])),
    st.binary(), st.sampled_from([CmpFunc.LESS, OperationKind.END, np.uint8(3), np.float32(0.5), np.dtype("<u4")]),
)  # fmt: skip


@given(
    st.recursive(
        ATOMS,
        lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=3), inner)
        | st.frozensets(st.integers()) | st.sets(st.binary()),
        max_leaves=20,
    )
)  # fmt: skip
def test_any_value_comes_back(value: Any) -> None:
    assert again(value) == value and account(again(value)) == account(value)


RECORD = np.dtype([("a", "u1"), ("b", "<f8", (2,)), ("c", [("d", "<u2")])], align=True)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(3, RECORD), np.zeros((2, 0, 3), np.float32), np.array(5), np.arange(12).reshape(3, 4).T[::2],
        np.arange(9000, dtype="<u2").reshape(90, 100), np.zeros(4000, RECORD), np.array([b"ab", b"c"]), np.array(["xy"]),
    ],
)  # fmt: skip
def test_arrays_come_back_in_kind_and_shape(array: np.ndarray) -> None:
    back = again(array)
    assert back.dtype == array.dtype and back.dtype.isalignedstruct == array.dtype.isalignedstruct
    assert np.array_equal(back, array) and back.flags.writeable and back.flags.c_contiguous


class Stranger:
    """Of no class that is listed."""


class Pretender(Operation):
    """Calls itself one of ours."""


Pretender.__name__ = "Operation"


@pytest.mark.parametrize("value", [Stranger(), print, Path, Pretender, np.array([print], object), object()])
def test_other_classes_are_not_written(value: object) -> None:
    with pytest.raises(TypeError, match="not kept"):
        values.packed([value])


def test_a_list_of_operations_is_checked() -> None:
    operations = [
        Operation(OperationKind.DRAW, 1, 2, (3,)),
        Operation(OperationKind.COPY, 4, 5, (6,), (7,), True, (0, 0, 1, 1)),
    ]
    assert again(operations) == operations and type(again(operations)[0].kind) is OperationKind
    data, _ = values.packed(operations)
    broken = data.replace(msgspec.msgpack.encode(operations[1]), msgspec.msgpack.encode(("x", *operations[1][1:])))
    with pytest.raises(UNREADABLE):
        values.unpacked(broken, none)


UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


def none(*_: Any) -> np.ndarray:
    raise LookupError("no array")


WORDS = st.recursive(
    st.one_of(st.none(), st.integers(-3, 40), st.text(max_size=3), st.sampled_from(["__class__", "__dict__", "CmpFunc", "|O"])),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)


@given(WORDS, st.lists(st.lists(WORDS, min_size=1, max_size=5), max_size=6))
def test_other_bytes_are_data_or_refused(root: Any, nodes: list[Any]) -> None:
    try:
        made = values.unpacked(msgspec.msgpack.encode((root, nodes)), none)
    except UNREADABLE:
        return
    assert type(made).__module__.split(".")[0] in ("builtins", "numpy", "core", "inspector")


def test_a_node_within_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="holds itself"):
        values.unpacked(msgspec.msgpack.encode(([0], [[values.TUPLE, [[0]]]])), none)


def test_making_an_object_runs_nothing_of_its_class(monkeypatch: pytest.MonkeyPatch) -> None:
    surface = Surface(5, FORMATS[21], 4, 4)
    data, arrays = values.packed(surface)
    monkeypatch.setattr(Surface, "__init__", lambda *_, **__: pytest.fail("runs"))
    assert values.unpacked(data, lambda digest, dtype, shape: arrays[digest].reshape(shape)).handle == 5
