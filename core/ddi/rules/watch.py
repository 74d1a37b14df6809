"""Rules checked on passing streams: those without an effect on the device, or which it tolerates.

A `TokenRules` reads the records of a stream as the driver gets them, changes nothing, and knows nothing of surfaces.  A rule
that is broken the same way again and again is reported the first REPEATS times.  Values of states are looked at by
`core.ddi.rules.check`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from core.ddi.rules.facts import DriverFacts
from core.ddi.rules.shader_check import validate
from core.ddi.rules.watch_limits import LIMITS
from core.device.findings import Finding, finding
from core.device.registers.records import NOTHING, for_device
from core.spec.caps import DevCaps
from core.spec.enums import ClearFlag, Fvf, LightType
from core.spec.states import RENDER_STATE_ID, RENDER_STATES
from core.spec.tokens import FLAG_DRAWS, LIGHT, TOKENS, Op, dtype_of

REPEATS = 8
MAX_COORDINATE_SETS = 8
SCENE_CAPTURE, CLIP_PLANES = RENDER_STATE_ID["SCENECAPTURE"], RENDER_STATE_ID["CLIPPLANEENABLE"]
RETIRED = np.array([number in RENDER_STATES and RENDER_STATES[number].until > 0 for number in range(256)])
"""By render state number: DirectX 8 has it no more."""


class Broken(NamedTuple):
    """A rule broken by the record of that number."""

    rule: str
    record: int
    text: str


@dataclass(frozen=True)
class Records:
    """The records of one opcode in a stream: their numbers, and their fixed fields as an array."""

    commands: np.ndarray
    records: np.ndarray
    numbers: np.ndarray
    fields: np.ndarray

    @property
    def name(self) -> str:
        return TOKENS[int(self.records["op"][0])].name

    def tail(self, i: int, size: int) -> bytes:
        """`size` bytes after the fixed fields of the batch's record i."""
        begin = int(self.records["offset"][i]) + self.fields.dtype.itemsize
        return self.commands[begin : begin + size].tobytes()

    def where(self, rule: str, broken: np.ndarray, text: Callable[[np.void], str] | str) -> Iterator[Broken]:
        """One finding for each record where `broken`; the text may be made from the record's fields."""
        for i in np.flatnonzero(broken).tolist():
            yield self.broken(rule, i, text if isinstance(text, str) else text(self.fields[i]))

    def broken(self, rule: str, i: int, text: str) -> Broken:
        """A finding at the batch's record i."""
        return Broken(rule, int(self.numbers[i]), text)


def _batch(commands: np.ndarray, records: np.ndarray, numbers: np.ndarray) -> Records:
    chosen = records[numbers]
    dtype = TOKENS[int(chosen["op"][0])].fields_dtype
    if not dtype.itemsize:
        return Records(commands, chosen, numbers, np.zeros(len(chosen), "V1"))
    places = chosen["offset"].astype(np.int64)[:, None] + np.arange(dtype.itemsize)
    return Records(commands, chosen, numbers, commands[places].reshape(-1).view(dtype))


@lru_cache(1 << 12)
def vertex_format_problem(fvf: int) -> str:
    """What is wrong with a vertex format; empty if nothing."""
    sets = fvf >> 8 & 15
    if fvf & (Fvf.RESERVED0 | Fvf.RESERVED2):
        return "reserved bits are set"
    if not fvf & Fvf.POSITION_MASK:
        return "there is no position"
    if sets > MAX_COORDINATE_SETS:
        return f"{sets} sets of coordinates"
    if fvf & 0xFFFF0000 & ~((1 << 16 + 2 * sets) - 1):
        return "sizes of coordinates that it does not have"
    if fvf & Fvf.LASTBETA_UBYTE4 and fvf & Fvf.POSITION_MASK < Fvf.XYZB1:
        return "the last blending weight holds indices, there is none"
    return ""


# ---- one opcode at a time --------------------------------------------------------------------


def _render_state(batch: Records) -> Iterator[Broken]:
    retired = RETIRED[np.minimum(batch.fields["state"], 255)] & (batch.fields["state"] < 256)
    yield from batch.where("legacy-state", retired, lambda row: f"{RENDER_STATES[int(row['state'])].name} was retired")


def _one_binding(batch: Records) -> Iterator[Broken]:
    several = (batch.records["count"] != 1) & (batch.records["index"] == 0)
    yield from batch.where("one-binding", several, f"a {batch.name} command binds more than one")


def _empty_commands(commands: np.ndarray, records: np.ndarray) -> Iterator[Broken]:
    """Commands of count 0."""
    for number in np.flatnonzero(records["op"] == NOTHING).tolist():
        op = int(commands[records["token"][number]])
        if op in ONE_BINDING:
            yield Broken("one-binding", number, f"a {TOKENS[op].name} command binds nothing: wStateCount is 0")
        elif TOKENS[op].draws:
            yield Broken("empty-draw", number, f"a {TOKENS[op].name} command draws nothing: wPrimitiveCount is 0")


def _stream_source_um(batch: Records) -> Iterator[Broken]:
    yield from _one_binding(batch)
    yield from batch.where("user-memory-stream", batch.fields["stream"] != 0, lambda row: f"stream {row['stream']}")


def _indices(batch: Records) -> Iterator[Broken]:
    yield from _one_binding(batch)
    wrong = (batch.fields["buffer"] != 0) & ~np.isin(batch.fields["stride"], (2, 4))
    yield from batch.where("index-size", wrong, lambda row: f"indices of {row['stride']} bytes")


def _set_vertex_shader(batch: Records) -> Iterator[Broken]:
    for i, shader in enumerate(batch.fields["shader"].tolist()):
        problem = vertex_format_problem(shader) if shader and not shader & 1 else ""
        if problem:
            yield Broken("vertex-format", int(batch.numbers[i]), f"format {shader:#x}: {problem}")


def _create_vertex_shader(batch: Records) -> Iterator[Broken]:
    yield from batch.where("shader-handle", batch.fields["shader"] & 1 == 0, lambda row: f"{row['shader']:#x} is even")
    for i, row in enumerate(batch.fields):
        declared, size = int(row["declaration_size"]), int(row["code_size"])
        yield from _code(batch, i, batch.tail(i, declared + size)[declared:], f"vertex shader {row['shader']:#x}")


def _create_pixel_shader(batch: Records) -> Iterator[Broken]:
    yield from batch.where("shader-handle", batch.fields["shader"] == 0, "a pixel shader has the handle 0")
    for i, row in enumerate(batch.fields):
        yield from _code(batch, i, batch.tail(i, int(row["code_size"])), f"pixel shader {row['shader']:#x}")


def _code(batch: Records, i: int, code: bytes, name: str) -> Iterator[Broken]:
    for problem in validate(code) if code else ():
        yield Broken("shader-rules", int(batch.numbers[i]), f"{name}, dword {problem.dword}: {problem.sentence}")


def _constants(batch: Records) -> Iterator[Broken]:
    yield from batch.where("no-constants", batch.fields["count"] == 0, lambda row: f"0 constants from c{row['register']}")


def _draw(batch: Records) -> Iterator[Broken]:
    yield from batch.where("empty-draw", batch.fields["count"] == 0, "a draw of no primitives")


def _clear(batch: Records) -> Iterator[Broken]:
    known = int(ClearFlag.TARGET | ClearFlag.ZBUFFER | ClearFlag.STENCIL)
    flags, depth = batch.fields["flags"], batch.fields["depth"]
    unknown = flags & ~np.uint32(known | ClearFlag.COMPUTERECTS) != 0
    yield from batch.where("clear-flags", unknown | (flags & known == 0), lambda row: f"CLEAR with flags {row['flags']:#x}")
    outside = (flags & ClearFlag.ZBUFFER != 0) & ~((depth >= 0) & (depth <= 1))
    yield from batch.where("clear-flags", outside, lambda row: f"CLEAR to depth {row['depth']}")


def _depth_range(batch: Records) -> Iterator[Broken]:
    low, high = batch.fields["min"], batch.fields["max"]
    yield from batch.where(
        "depth-range", ~((low >= 0) & (low <= high) & (high <= 1)), lambda row: f"{row['min']} to {row['max']}"
    )


def _viewport(batch: Records) -> Iterator[Broken]:
    empty = (batch.fields["width"] == 0) | (batch.fields["height"] == 0)
    yield from batch.where("viewport-size", empty, lambda row: f"{row['width']} x {row['height']}")


def _light(batch: Records) -> Iterator[Broken]:
    size = dtype_of(LIGHT).itemsize
    for i in np.flatnonzero(batch.records["size"] >= batch.fields.dtype.itemsize + size).tolist():
        kind = int.from_bytes(batch.tail(i, 4), "little")
        if kind not in LightType.__members__.values():
            yield Broken("light-type", int(batch.numbers[i]), f"light {batch.fields['index'][i]} has type {kind}")


def _copy(batch: Records) -> Iterator[Broken]:
    yield from batch.where("reserved-flags", batch.fields["flags"] != 0, lambda row: f"flags {row['flags']:#x}")


BY_OP: dict[int, Callable[[Records], Iterator[Broken]]] = {
    Op["RENDERSTATE"]: _render_state,
    Op["SETSTREAMSOURCE"]: _one_binding,
    Op["SETSTREAMSOURCEUM"]: _stream_source_um,
    Op["SETINDICES"]: _indices,
    Op["SETVERTEXSHADER"]: _set_vertex_shader,
    Op["CREATEVERTEXSHADER"]: _create_vertex_shader,
    Op["CREATEPIXELSHADER"]: _create_pixel_shader,
    Op["SETVERTEXSHADERCONST"]: _constants,
    Op["SETPIXELSHADERCONST"]: _constants,
    Op["DRAWPRIMITIVE"]: _draw,
    Op["DRAWINDEXEDPRIMITIVE"]: _draw,
    Op["DRAWPRIMITIVE2"]: _draw,
    Op["DRAWINDEXEDPRIMITIVE2"]: _draw,
    Op["CLIPPEDTRIANGLEFAN"]: _draw,
    Op["CLEAR"]: _clear,
    Op["ZRANGE"]: _depth_range,
    Op["VIEWPORTINFO"]: _viewport,
    Op["SETLIGHT"]: _light,
    Op["TEXBLT"]: _copy,
    Op["VOLUMEBLT"]: _copy,
    Op["BUFFERBLT"]: _copy,
}
ONE_BINDING = (Op["SETSTREAMSOURCE"], Op["SETSTREAMSOURCEUM"], Op["SETINDICES"])
TRACKED = (
    Op["SETVERTEXSHADER"], Op["SETPIXELSHADER"], Op["DELETEVERTEXSHADER"], Op["DELETEPIXELSHADER"], Op["SETSTREAMSOURCE"],
)  # fmt: skip
BINDS = {Op["SETSTREAMSOURCE"]: "vertex", Op["SETINDICES"]: "index"}
NAMED = {"vertex": "a vertex buffer", "index": "an index buffer", "surface": "a surface"}
TRANSFORMED = (Op["DRAWPRIMITIVE2"], Op["DRAWINDEXEDPRIMITIVE2"], Op["CLIPPEDTRIANGLEFAN"])


class Track:
    """One value that tokens set, through streams: what it is at a record."""

    def __init__(self) -> None:
        self._numbers, self._values = np.zeros(0, np.int64), np.zeros(1, np.uint32)

    def follow(self, batch: Records | None, field: str, which: np.ndarray | None = None) -> None:
        """Goes on to the next stream, whose records `which` of a batch set the value."""
        last = self._values[-1:]
        chosen = slice(None) if which is None else which
        self._numbers = batch.numbers[chosen] if batch is not None else np.zeros(0, np.int64)
        self._values = np.concatenate([last, batch.fields[field][chosen].astype(np.uint32)]) if batch is not None else last

    def copy(self) -> Track:
        """Another one that goes on by itself; it only knows the last value."""
        twin = Track()
        twin._values = self._values[-1:]
        return twin

    def at(self, numbers: np.ndarray) -> np.ndarray:
        """The value that these records find, uint32."""
        return self._values[np.searchsorted(self._numbers, numbers)]


class TokenRules:
    """Watches the streams of one context in order.

    `facts`: what the driver has said it can do; `format_of(handle)`: the vertex format that a buffer was created with;
    `kind_of(handle)`: what a handle names, "vertex", "index", "surface" or "" for nothing; `is_old`: the runtime is of
    DirectX 7 or before, which has states that later ones have not.
    What it remembers from stream to stream: whether a scene has begun, the current shaders, and the clip planes that are on.
    """

    def __init__(
        self, facts: DriverFacts | None = None, format_of: Callable[[int], int] | None = None,
        kind_of: Callable[[int], str] | None = None, is_old: bool = False,
    ) -> None:  # fmt: skip
        self._is_old = is_old
        self._facts, self._format_of, self._kind_of = facts, format_of, kind_of
        self._in_scene: bool | None = None  # None: no scene was begun or ended yet, nothing is said
        self._vertex_shader, self._pixel_shader, self._clip_planes = Track(), Track(), Track()
        self._reported: Counter[tuple[str, str]] = Counter()

    def copy(self) -> TokenRules:
        """Another one that goes on by itself."""
        twin = TokenRules(self._facts, self._format_of, self._kind_of, self._is_old)
        twin._in_scene, twin._reported = self._in_scene, self._reported.copy()
        twin._vertex_shader, twin._pixel_shader = self._vertex_shader.copy(), self._pixel_shader.copy()
        twin._clip_planes = self._clip_planes.copy()
        return twin

    def findings(self, commands: np.ndarray, records: np.ndarray, first_seq: int) -> list[Finding]:
        """Rules that the records of a stream break (`records`: of dp2.scan, record i is event first_seq + i)."""
        records = for_device(records)
        present = np.flatnonzero(np.bincount(records["op"], minlength=256)).tolist()
        batches = {op: _batch(commands, records, np.flatnonzero(records["op"] == op)) for op in present if self._matters(op)}
        broken = [one for op, batch in batches.items() if op in BY_OP for one in BY_OP[op](batch)]
        broken += _empty_commands(commands, records)
        if self._facts is not None:
            broken += [one for op, batch in batches.items() if op in LIMITS for one in LIMITS[op](batch, self._facts)]
        broken += self._scene(batches, records)
        broken += self._shaders(batches)
        broken += self._buffers(batches)
        if self._is_old:
            broken = [one for one in broken if one.rule != "legacy-state"]
        return [self._finding(one, records, first_seq) for one in sorted(broken, key=lambda one: one.record) if self._news(one)]

    def _matters(self, op: int) -> bool:
        return op in BY_OP or op in LIMITS or op in TRACKED or (op in TOKENS and TOKENS[op].draws)

    def _news(self, one: Broken) -> bool:
        """Whether it was reported fewer than REPEATS times."""
        self._reported[one.rule, one.text] += 1
        return self._reported[one.rule, one.text] <= REPEATS

    def _finding(self, one: Broken, records: np.ndarray, first_seq: int) -> Finding:
        return finding(one.rule, first_seq + one.record, one.text, int(records["offset"][one.record]))

    def _scene(self, batches: dict[int, Records], records: np.ndarray) -> Iterator[Broken]:
        """Draws outside a scene; scenes within scenes."""
        states = batches.get(Op["RENDERSTATE"])
        at, begins = np.zeros(0, np.int64), np.zeros(0, bool)
        if states is not None:
            changes = states.fields["state"] == SCENE_CAPTURE
            at, begins = states.numbers[changes], states.fields["value"][changes] != 0
        before = [self._in_scene, *begins.tolist()]
        for number, was, begin in zip(at.tolist(), before, begins.tolist(), strict=False):
            if was is not None and was == begin:
                yield Broken("scene", number, "BEGIN of a scene within a scene" if begin else "END of a scene without BEGIN")
        if False in before:
            draws = np.flatnonzero(records["flags"] & FLAG_DRAWS)
            outside = np.array([state is False for state in before])[np.searchsorted(at, draws)]
            yield from (Broken("scene", number, "a draw outside a scene") for number in draws[outside].tolist())
        self._in_scene = before[-1]

    def _shaders(self, batches: dict[int, Records]) -> Iterator[Broken]:
        """Draws under a vertex shader or format that does not go with them, and shaders deleted while they are set."""
        self._vertex_shader.follow(batches.get(Op["SETVERTEXSHADER"]), "shader")
        self._pixel_shader.follow(batches.get(Op["SETPIXELSHADER"]), "shader")
        states = batches.get(Op["RENDERSTATE"])
        self._clip_planes.follow(states, "value", states.fields["state"] == CLIP_PLANES if states is not None else None)
        for op, batch in batches.items():
            if op == Op["DELETEVERTEXSHADER"] or op == Op["DELETEPIXELSHADER"]:
                track = self._vertex_shader if op == Op["DELETEVERTEXSHADER"] else self._pixel_shader
                used = (track.at(batch.numbers) == batch.fields["shader"]) & (batch.fields["shader"] != 0)
                yield from batch.where("shader-in-use", used, lambda row: f"shader {row['shader']:#x} is the current one")
            elif TOKENS[op].draws:
                yield from self._draws(op, batch)

    def _draws(self, op: int, batch: Records) -> Iterator[Broken]:
        shaders = self._vertex_shader.at(batch.numbers)
        transformed = (shaders & 1 == 0) & (shaders & Fvf.POSITION_MASK == Fvf.XYZRHW)
        if op in TRANSFORMED:
            yield from batch.where("transformed-draw", ~transformed, f"{batch.name} without transformed vertices")
        elif TOKENS[op].since < 8:
            yield from batch.where("legacy-draw", shaders != 0, f"{batch.name} under a DirectX 8 shader")
        elif self._facts is not None and not self._facts.has("DevCaps", DevCaps.HWTRANSFORMANDLIGHT):
            wrong = ~transformed & (shaders != 0)
            yield from batch.where("untransformed-draw", wrong, f"{batch.name} of vertices that are not transformed")
        if TOKENS[op].since >= 8:
            planes = transformed & (self._clip_planes.at(batch.numbers) != 0)
            yield from batch.where("clip-planes", planes, "clip planes are on for transformed vertices")

    def _buffers(self, batches: dict[int, Records]) -> Iterator[Broken]:
        """What is bound: handles that name no buffer of the kind; vertex buffers with a format at another stream than zero."""
        for op, kind in BINDS.items():
            if op in batches and self._kind_of is not None:
                yield from self._bound(batches[op], kind, self._kind_of)
        batch = batches.get(Op["SETSTREAMSOURCE"])
        if batch is None or self._format_of is None:
            return
        for i in np.flatnonzero((batch.fields["stream"] > 0) & (batch.fields["buffer"] != 0)).tolist():
            row = batch.fields[i]
            if self._format_of(int(row["buffer"])):
                text = f"buffer {row['buffer']} has a vertex format, and is bound to stream {row['stream']}"
                yield batch.broken("stream-format", i, text)

    def _bound(self, batch: Records, wanted: str, kind_of: Callable[[int], str]) -> Iterator[Broken]:
        for i in np.flatnonzero(batch.fields["buffer"]).tolist():
            handle = int(batch.fields["buffer"][i])
            kind = kind_of(handle)
            if kind != wanted:
                what = f"is {NAMED[kind]}" if kind in NAMED else "names nothing"
                yield batch.broken("bad-handle", i, f"{batch.name} of handle {handle}, which {what}")
