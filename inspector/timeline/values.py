"""Serialisation of this program's values.  The bytes are data: they name no code and run none.

A value is a graph of nodes, MessagePack of [root, nodes].  Numbers, texts, bytes and None stand where they are used; everything
else is a node, [kind, ...], and [index] where it is used: what is shared is shared again, and circles close.

    list, tuple, frozenset      items
    set, dict                   items; keys and values
    array, number               dtype, shape, bytes or the digest of a large array; a numpy scalar's array
    object                      number in OBJECTS, names of attributes, values; made without __init__
    tuple of a class            number in ROWS, fields
    rows                        number in ROWS, MessagePack of a list of nothing but such tuples
    enumeration                 name in ENUMERATIONS, value
    integer                     of more than 64 bits, as text

Only the classes listed here are written or read: a value of another raises TypeError, and is not kept.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any

import msgspec
import numpy as np
import xxhash

from core.ddi.driver import clock, dxgi_resources, heap
from core.ddi.driver.emulated import Snapshot
from core.ddi.rules import stalls
from core.device import device, findings
from core.device.memory import surfaces
from core.device.registers import vector as registers
from core.pipeline.draw_state import pixel_program
from core.pipeline.vertex import fetch, patch
from core.spec import enums, formats
from inspector.timeline import liveness, states, uses, walk

LARGE = 1 << 12  # bytes of an array from which on it is stored by itself
OBJECTS: tuple[type, ...] = (
    Snapshot, clock.Clock, clock.ModelledClock, dxgi_resources.Dxgi, dxgi_resources.Resource, dxgi_resources.View,
    heap.Heap, heap.Heaps, heap.Allocation, stalls.StallRules, device.Context, device.PixelShader, device.VertexShader,
    device.Palette, findings.Finding, registers.Registers, registers.StateSet, registers.WriteLog, surfaces.Buffer,
    surfaces.SurfacePart, surfaces.Surface, pixel_program.PixelProgram, fetch.VertexLayout, fetch.TessellatorOutput,
    formats.Format, patch.ReadRectPatch, patch.ReadTriPatch, patch.RectPatch, patch.TriPatch,
    liveness.Liveness, states.StateTimeline, uses.Uses, walk.Walk,
)  # fmt: skip
ROWS: tuple[type, ...] = (liveness.Operation,)
ENUMERATIONS: dict[str, type[Enum]] = {
    cls.__name__: cls for module in (enums, liveness) for _, cls in inspect.getmembers(module, inspect.isclass)
    if issubclass(cls, Enum)
}  # fmt: skip
PLAIN = frozenset({type(None), bool, float, str, bytes})
(LIST, TUPLE, FROZENSET, SET, DICT, ARRAY, NUMBER, OBJECT, ROW, ROW_LIST, ENUMERATION, INTEGER, DTYPE) = range(13)
_number_of = {cls: number for number, cls in enumerate((*OBJECTS, *ROWS))}
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(tuple[Any, list[list[Any]]])
_rows = [msgspec.msgpack.Decoder(list[cls]) for cls in ROWS]  # type: ignore[valid-type]
Arrays = Callable[[bytes, np.dtype, tuple[int, ...]], np.ndarray]
"""The large array of a digest, dtype and shape."""


def packed(value: Any) -> tuple[bytes, dict[bytes, np.ndarray]]:
    """(the bytes of a value, its large arrays by digest).  Raises TypeError for what is of no class listed here."""
    writer = _Writer()
    return _encoder.encode((writer.word(value), writer.nodes)), writer.arrays


def unpacked(data: bytes, arrays: Arrays) -> Any:
    """The inverse.  Raises ValueError, TypeError, LookupError, AttributeError or RecursionError for other bytes."""
    root, nodes = _decoder.decode(data)
    return _Reader(nodes, arrays).all(root)


class _Writer:
    """Gathers nodes; `arrays`: large ones by digest."""

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self.arrays: dict[bytes, np.ndarray] = {}
        self._known: dict[int, int] = {}
        self._alive: list[Any] = []  # as long as their ids serve as names

    def word(self, value: Any) -> Any:
        """A plain value as it is, any other as [index]."""
        kind = type(value)
        if kind in PLAIN or (kind is int and -(1 << 63) <= value < 1 << 64):
            return value
        number = self._known.get(id(value))
        if number is None:
            number = self._known[id(value)] = len(self.nodes)
            self._alive.append(value)
            node: list[Any] = []
            self.nodes.append(node)
            node += self._node(value, kind)
        return [number]

    def _words(self, values: Any) -> list[Any]:
        return [self.word(value) for value in values]

    def _node(self, value: Any, kind: type) -> list[Any]:
        if kind is list:
            return self._list(value)
        if kind in (tuple, frozenset, set):
            return [{tuple: TUPLE, frozenset: FROZENSET, set: SET}[kind], self._words(value)]
        if kind is dict:
            return [DICT, self._words(value), self._words(value.values())]
        if kind is np.ndarray:
            return [ARRAY, *self._array(value)]
        if kind is int:
            return [INTEGER, str(value)]
        if isinstance(value, np.generic):
            return [NUMBER, *self._array(np.asarray(value))]
        if isinstance(value, np.dtype):
            return [DTYPE, _described(value)]
        if isinstance(value, Enum) and ENUMERATIONS.get(kind.__name__) is kind:
            return [ENUMERATION, kind.__name__, self.word(value.value)]
        if kind in ROWS:
            return [ROW, ROWS.index(kind), self._words(value)]
        if kind in _number_of:
            attributes = _attributes(value)
            return [OBJECT, _number_of[kind], list(attributes), self._words(attributes.values())]
        raise TypeError(f"{kind.__module__}.{kind.__qualname__} is not kept")

    def _list(self, value: list[Any]) -> list[Any]:
        cls = type(value[0]) if value else None
        if cls is liveness.Operation and all(type(item) is cls for item in value):
            return [ROW_LIST, ROWS.index(cls), _encoder.encode(value)]
        return [LIST, self._words(value)]

    def _array(self, array: np.ndarray) -> list[Any]:
        if array.dtype.hasobject:
            raise TypeError("an array of objects is not kept")
        flat = np.ascontiguousarray(array)
        data = flat.reshape(-1).view(np.uint8)
        if data.nbytes < LARGE:
            return [_described(array.dtype), list(array.shape), data.tobytes(), False]
        digest = xxhash.xxh3_128_digest(data.data)
        self.arrays[digest] = flat
        return [_described(array.dtype), list(array.shape), digest, True]


class _Reader:
    """Makes the values of nodes: what can change at first, empty, so that circles close."""

    def __init__(self, nodes: list[list[Any]], arrays: Arrays) -> None:
        self._nodes, self._arrays = nodes, arrays
        self._made: dict[int, Any] = {}
        self._open: set[int] = set()

    def all(self, root: Any) -> Any:
        """The value of the root, filled."""
        later = (SET, DICT)  # whose keys must be whole before they are hashed
        for number, node in enumerate(self._nodes):
            if node[0] in (LIST, SET, DICT, OBJECT):
                self._made[number] = self._empty(node)
        for kinds in ((LIST, OBJECT), later):
            for number, node in enumerate(self._nodes):
                if node[0] in kinds:
                    self._fill(self._made[number], node)
        return self._value(root)

    def _value(self, word: Any) -> Any:
        if type(word) is not list:
            return word
        (number,) = word
        if number not in self._made:
            if number in self._open:
                raise ValueError("a value holds itself")
            self._open.add(number)
            self._made[number] = self._whole(self._nodes[number])
        return self._made[number]

    def _values(self, words: list[Any]) -> list[Any]:
        return [self._value(word) for word in words]

    def _empty(self, node: list[Any]) -> Any:
        if node[0] == OBJECT:
            return object.__new__(OBJECTS[node[1]])
        return {LIST: list, SET: set, DICT: dict}[node[0]]()

    def _fill(self, made: Any, node: list[Any]) -> None:
        if node[0] == LIST:
            made += self._values(node[1])
        elif node[0] == SET:
            made.update(self._values(node[1]))
        elif node[0] == DICT:
            made.update(zip(self._values(node[1]), self._values(node[2]), strict=True))
        else:
            for name, value in zip(node[2], self._values(node[3]), strict=True):
                object.__setattr__(made, name, value)

    def _whole(self, node: list[Any]) -> Any:
        kind, *rest = node
        if kind in (TUPLE, FROZENSET):
            return (tuple if kind == TUPLE else frozenset)(self._values(rest[0]))
        if kind in (ARRAY, NUMBER):
            array = self._array(*rest)
            return array if kind == ARRAY else array[()]
        if kind == ROW:
            cls: Any = ROWS[rest[0]]
            return cls._make(self._values(rest[1]))
        if kind == ROW_LIST:
            return _rows[rest[0]].decode(rest[1])
        if kind == ENUMERATION:
            return ENUMERATIONS[rest[0]](self._value(rest[1]))
        if kind == INTEGER:
            return int(rest[0])
        if kind == DTYPE:
            return _dtype(rest[0])
        raise ValueError(f"{kind} is no kind of node")

    def _array(self, described: Any, shape: list[int], data: bytes, is_large: bool) -> np.ndarray:
        if is_large:
            return self._arrays(data, _dtype(described), tuple(shape))
        return np.frombuffer(bytearray(data), _dtype(described)).reshape(shape)


def _attributes(value: Any) -> dict[str, Any]:
    """What an object has of its own: by slots, by name, or as its __getstate__ says."""
    cls = type(value)
    own = getattr(cls, "__getstate__", None)
    if not hasattr(cls, "__dataclass_fields__") and own is not getattr(object, "__getstate__", None):
        state = value.__getstate__()
        return dict(state[1]) if isinstance(state, tuple) else dict(state)
    slots = [name for base in cls.__mro__ for name in _slots(base)]
    return {name: getattr(value, name) for name in slots if hasattr(value, name)} | getattr(value, "__dict__", {})


def _slots(cls: type) -> list[str]:
    slots = cls.__dict__.get("__slots__", ())
    return [name for name in ((slots,) if isinstance(slots, str) else slots) if name not in ("__dict__", "__weakref__")]


def _described(dtype: np.dtype) -> Any:
    """A dtype as text, or [base, shape], or [names, dtypes, offsets, bytes, whether it is aligned]."""
    if dtype.subdtype is not None:
        return [_described(dtype.subdtype[0]), list(dtype.shape)]
    if dtype.names is None:
        return dtype.str
    fields = [dtype.fields[name] for name in dtype.names]  # type: ignore[index]
    return [
        list(dtype.names),
        [_described(f[0]) for f in fields],
        [f[1] for f in fields],
        dtype.itemsize,
        dtype.isalignedstruct,
    ]


def _dtype(described: Any) -> np.dtype:
    if isinstance(described, str):
        dtype = np.dtype(described)
        if dtype.hasobject:
            raise ValueError("objects are not kept")
        return dtype
    if len(described) == 2:
        return np.dtype((_dtype(described[0]), tuple(described[1])))
    names, kinds, offsets, size, aligned = described
    layout: Any = {"names": names, "formats": [_dtype(kind) for kind in kinds], "offsets": offsets, "itemsize": size}
    return np.dtype(layout, align=aligned)
