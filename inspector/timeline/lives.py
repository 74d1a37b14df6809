"""The objects of a tape (surfaces, buffers, shaders, palettes, lights, resources of DXGI), from creation to destruction.

Made by reading calls and tokens, without drawing.  A handle may name several objects one after the other: each is a Life.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from core.cancel import stoppable
from core.ddi.calls import DdiCall
from core.ddi.driver import shaders
from core.spec.calls import CALLS, Call
from core.spec.effects import EventKind, Touches
from core.spec.enums import ClearFlag, DdBlt
from core.spec.slots import BASE, LIGHT_SLOTS, PALETTE_SLOTS
from core.spec.tokens import TOKEN_BY_NAME, TOKENS, Token
from inspector.timeline.events import Events
from inspector.timeline.records import events_of, fields_of, payload_of
from inspector.timeline.states import NEVER
from inspector.timeline.walk import Walk


class Role(IntEnum):
    """What an event does with an object.  `detail` of an entry: stage, stream, part, or the other object's handle."""

    CREATED = 0
    DESTROYED = 1
    LOCKED = 2
    UNLOCKED = 3
    UPLOADED = 4  # unlocked with new contents; detail: the part (face * levels + level), or the offset in a buffer
    CLEARED = 5
    FILLED = 6
    BLT_DESTINATION = 7  # detail: the source
    BLT_SOURCE = 8  # detail: the destination
    PRESENTED = 9
    FLIPPED = 10
    PALETTE_BOUND = 11  # detail: the palette; of a palette: the surface
    WRITTEN = 12  # a palette, a light
    SETTING = 13  # colour key, priority, level of detail, dirty area, cursor
    BOUND_TEXTURE = 14  # detail: the stage
    BOUND_STREAM = 15
    BOUND_INDICES = 16
    BOUND_TARGET = 17
    BOUND_DEPTH = 18
    BOUND_SHADER = 19
    TEXTURE = 20  # a draw samples it; detail: the stage
    STREAM = 21
    INDICES = 22
    TARGET = 23
    DEPTH = 24
    SHADER = 25
    PALETTE = 26
    LIGHT = 27
    UNREAD_TEXTURE = 28  # bound at a draw that does not sample this stage
    DEPTH_TEST = 29  # a draw may read depth or stencil, but writes neither


WRITING = frozenset({
    Role.CREATED, Role.UPLOADED, Role.CLEARED, Role.FILLED, Role.BLT_DESTINATION, Role.FLIPPED, Role.WRITTEN, Role.TARGET,
    Role.DEPTH,
})  # fmt: skip
DRAWN = frozenset(role for role in Role if role >= Role.TEXTURE)
NAMES = {role: role.name.lower().replace("_", " ") for role in Role}

TARGET_SLOTS = np.array([BASE["render_target"], BASE["depth_stencil"]])
MEMORY, VERTEX_SHADER, PIXEL_SHADER, PALETTE, LIGHT = "memory", "vertex_shader", "pixel_shader", "palette", "light"
DXGI = "dxgi_resource"
"""Resources of DXGI have handles of their own: resource 10 is not surface 10."""


@dataclass(slots=True)
class Life:
    """One object: `kind` "surface", "buffer", "vertex_shader", "pixel_shader", "palette", "light" or DXGI; it is named by
    handles handle .. handle + parts - 1 from event `first` to event `last` (NEVER: to the end).

    `reads`: of a vertex shader bits of the streams that its declaration names, of a pixel shader bits of the stages it samples.
    """

    kind: str
    handle: int
    first: int
    last: int = NEVER
    parts: int = 1
    label: str = ""
    reads: int = 0

    @property
    def title(self) -> str:
        """`surface 5 texture`, `light 0`, `DXGI resource 10`."""
        if self.kind == DXGI:
            return f"DXGI resource {self.handle}"
        return f"{self.kind.replace('_', ' ')} {self.handle} {self.label}".rstrip()

    @property
    def space(self) -> str:
        """Where its handle is a name."""
        return space_of(self.kind)


def space_of(kind: str) -> str:
    """Where handles of a kind of object are names."""
    return MEMORY if kind in ("surface", "buffer") else kind


class LifeEvent(NamedTuple):
    """Event, index of the life, role, detail."""

    event: int
    life: int
    role: int
    detail: int


@dataclass(slots=True)
class Lives:
    """All lives of a tape, and which object has a name when."""

    all: list[Life] = field(default_factory=list)
    _named: dict[tuple[str, int], tuple[list[int], list[int]]] = field(default_factory=dict)

    def begin(self, life: Life) -> int:
        """Enters a life; an object that had one of its names ends."""
        number = len(self.all)
        self.all.append(life)
        for handle in range(life.handle, life.handle + life.parts):
            self.end(life.space, handle, life.first)
            births, numbers = self._named.setdefault((life.space, handle), ([], []))
            births.append(life.first)
            numbers.append(number)
        return number

    def end(self, space: str, handle: int, event: int) -> int:
        """Ends whatever has the name; its number, -1 for none."""
        number = self.find(space, handle, event)
        if number >= 0:
            self.all[number].last = event
        return number

    def find(self, space: str, handle: int, event: int) -> int:
        """The object that has the name at an event (the event of its end included); -1 if none."""
        births, numbers = self._named.get((space, handle), ((), ()))
        place = bisect_right(births, event) - 1
        return numbers[place] if place >= 0 and self.all[numbers[place]].last >= event else -1

    def named(self, space: str, handle: int) -> list[int]:
        """All objects that ever had the name, in order."""
        return list(self._named.get((space, handle), ((), ()))[1])

    def find_all(self, space: str, handles: np.ndarray, events: np.ndarray) -> np.ndarray:
        """`find` for columns: int64, -1 where no object has the name."""
        found = np.full(len(handles), -1, np.int64)
        ends = np.array([life.last for life in self.all] or [0], np.int64)
        order = np.argsort(handles, kind="stable")
        ordered = handles[order].astype(np.int64)
        starts = np.append(0, np.flatnonzero(np.diff(ordered)) + 1)[: len(order)]
        for handle, here in stoppable(zip(ordered[starts].tolist(), np.split(order, starts[1:]), strict=len(order) > 0)):
            births, numbers = self._named.get((space, handle), ((), ()))
            if not births:
                continue
            places = np.searchsorted(births, events[here], side="right") - 1
            given = np.where(places >= 0, np.array(numbers)[places], -1)
            found[here] = np.where((given >= 0) & (ends[given] >= events[here]), given, -1)
        return found


class Reader:
    """Reads a tape's calls and tokens in order; fills `lives` and `touches`."""

    def __init__(self, walked: Walk) -> None:
        self.lives = Lives()
        self.touches: list[LifeEvent] = []
        self.walked = walked
        self._numbered(LIGHT, walked.lights, LIGHT_SLOTS)
        self._numbered(PALETTE, walked.palettes, PALETTE_SLOTS)

    def _numbered(self, kind: str, born: Mapping[int, tuple[int, int]], count: int) -> None:
        """Objects that are nothing but state: they live from their first write on."""
        for number, (slot, first) in born.items():
            self.begin(Life(kind, number, first))
            written = np.concatenate([self.walked.states.history(slot + word)[0] for word in range(count)])
            for event in stoppable(np.unique(written).tolist()):
                self.touch(event, Role.WRITTEN, number, space=kind)

    def touch(self, event: int, role: Role, handle: Any, detail: int = 0, space: str = MEMORY) -> None:
        """Notes what an event does with whatever has the name."""
        if isinstance(handle, int) and (life := self.lives.find(space, handle, event)) >= 0:
            self.touches.append(LifeEvent(event, life, role, detail))

    def begin(self, life: Life) -> None:
        self.touches.append(LifeEvent(life.first, self.lives.begin(life), Role.CREATED, 0))

    def end(self, event: int, space: str, handle: Any) -> None:
        if isinstance(handle, int) and (number := self.lives.end(space, handle, event)) >= 0:
            self.touches.append(LifeEvent(event, number, Role.DESTROYED, 0))

    def part(self, handle: Any, event: int) -> int:
        """Which part of its surface a handle names."""
        number = self.lives.find(MEMORY, handle, event) if isinstance(handle, int) else -1
        return handle - self.lives.all[number].handle if number >= 0 else 0

    # ---- driver calls
    def call(self, event: int, call: DdiCall) -> None:
        """One call that carries no stream."""
        act = CALL_ACTS.get(call.entry)
        if act is not None:
            act(self, event, call.args, call)

    def clear(self, event: int, flags: int) -> None:
        target, depth = self.walked.states.at(event, TARGET_SLOTS)[0].tolist()
        if flags & ClearFlag.TARGET:
            self.touch(event, Role.CLEARED, target, self.part(target, event))
        if flags & (ClearFlag.ZBUFFER | ClearFlag.STENCIL):
            self.touch(event, Role.CLEARED, depth, self.part(depth, event))

    # ---- tokens
    def token(self, events: Events, event: int, name: str, fields: np.void) -> None:
        """One record."""
        TOKEN_ACTS[name](self, events, event, fields)


def _create_surface(reader: Reader, event: int, args: Mapping[str, Any], call: DdiCall) -> None:
    sizes = [int(args.get(name) or 0) for name in ("width", "height", "depth")]
    levels = int(args.get("levels", 1) or max(sizes).bit_length())
    parts = max(levels, 1) * max(int(args.get("faces", 1) or 1), 1)
    reader.begin(Life("surface", int(args["handle"]), event, parts=parts, label=str(args.get("label", "image"))))


def _create_buffer(reader: Reader, event: int, args: Mapping[str, Any], call: DdiCall) -> None:
    reader.begin(Life("buffer", int(args["handle"]), event, label=str(args.get("kind", "vertex"))))


def _create_resource(reader: Reader, event: int, args: Mapping[str, Any], call: DdiCall) -> None:
    reader.begin(Life(DXGI, int(args["handle"]), event, label="image"))


def _unlock(reader: Reader, event: int, args: Mapping[str, Any], call: DdiCall) -> None:
    handle, written = args.get("handle"), call.data.get("contents") is not None if "contents" in call.data else False
    detail = int(args.get("offset") or 0) if "offset" in args else reader.part(handle, event)
    reader.touch(event, Role.UPLOADED if written else Role.UNLOCKED, handle, detail)


def _blt(reader: Reader, event: int, args: Mapping[str, Any], call: DdiCall) -> None:
    target, source, flags = args.get("destination", 0), args.get("source", 0), int(args.get("flags", 0) or 0)
    if flags & (DdBlt.COLORFILL | DdBlt.DEPTHFILL):
        reader.touch(event, Role.FILLED, target, reader.part(target, event))
        return
    reader.touch(event, Role.PRESENTED if args.get("presentation") else Role.BLT_SOURCE, source, int(target or 0))
    reader.touch(event, Role.BLT_DESTINATION, target, int(source or 0))


def _blt_of_dxgi(reader: Reader, event: int, args: Mapping[str, Any], call: DdiCall) -> None:
    target, source = args.get("destination"), args.get("source")
    reader.touch(event, Role.BLT_SOURCE, source, int(target or 0), DXGI)
    reader.touch(event, Role.BLT_DESTINATION, target, int(source or 0), DXGI)


def _in_roles(row: Call) -> Act:
    """The roles that a row names, whatever the arguments are."""
    roles = tuple((name, Role[role.upper()]) for name, role in row.roles)
    space = DXGI if row.family == "dxgi" else MEMORY

    def act(reader: Reader, event: int, args: Mapping[str, Any], call: DdiCall) -> None:
        for name, role in roles:
            handles = args.get(name + "s", args.get(name, ()))  # a chain, or one
            for handle in handles if isinstance(handles, Sequence) else [handles]:
                reader.touch(event, role, handle, space=space)

    return act


def _end(row: Call) -> Act:
    space = space_of(row.ends)
    return lambda reader, event, args, call: reader.end(event, space, args.get("handle"))


def _clear(reader: Reader, event: int, args: Mapping[str, Any], call: DdiCall) -> None:
    reader.clear(event, int(args.get("flags", 0)))


Act = Callable[[Reader, int, Mapping[str, Any], DdiCall], None]
MADE: dict[str, Act] = {"surface": _create_surface, "buffer": _create_buffer, DXGI: _create_resource}
BY_KIND: dict[EventKind, Act] = {EventKind.CLEAR: _clear, EventKind.COPY: _blt}


def _act_of_call(row: Call) -> Act | None:
    """What is noted of a call: by what it makes or ends, by its kind, by the roles of its arguments."""
    if row.makes:
        return MADE[row.makes]
    if row.ends:
        return _end(row)
    if ("handle", "unlocked") in row.roles:
        return _unlock
    if row.family == "dxgi" and row.kind == EventKind.COPY:
        return _blt_of_dxgi
    return BY_KIND.get(row.kind) or (_in_roles(row) if row.roles else None)


CALL_ACTS = {row.name: act for row in CALLS.values() if (act := _act_of_call(row)) is not None}


def _copy(reader: Reader, events: Events, event: int, fields: np.void) -> None:
    target, source = int(fields["destination"]), int(fields["source"])
    reader.touch(event, Role.BLT_SOURCE, source, target)
    reader.touch(event, Role.BLT_DESTINATION, target, source)


def _set_palette(reader: Reader, events: Events, event: int, fields: np.void) -> None:
    palette, surface = int(fields["palette"]), int(fields["surface"])
    reader.touch(event, Role.PALETTE_BOUND, palette, surface, PALETTE)
    reader.touch(event, Role.PALETTE_BOUND, surface, palette)


def _vertex_shader(reader: Reader, events: Events, event: int, fields: np.void) -> None:
    declaration, code, begin = int(fields["declaration_size"]), int(fields["code_size"]), fields.dtype.itemsize
    made = shaders.vertex_shader(
        payload_of(events, event, begin, declaration), payload_of(events, event, begin + declaration, code)
    )
    streams = made.declaration.streams if made.declaration is not None else ()
    reads, label = sum(1 << stream for stream in set(streams)), "program" if code else "declaration"
    reader.begin(Life(VERTEX_SHADER, int(fields["shader"]), event, label=label, reads=reads))


def _pixel_shader(reader: Reader, events: Events, event: int, fields: np.void) -> None:
    made = shaders.pixel_shader(payload_of(events, event, fields.dtype.itemsize, int(fields["code_size"])))
    stages = made.program.textures if made.program is not None else ()
    reader.begin(Life(PIXEL_SHADER, int(fields["shader"]), event, reads=sum(1 << stage for stage in set(stages))))


def _setting(reader: Reader, events: Events, event: int, fields: np.void) -> None:
    reader.touch(event, Role.SETTING, int(fields["surface"]))


def _cleared(reader: Reader, events: Events, event: int, fields: np.void) -> None:
    names = fields.dtype.names or ()
    reader.clear(event, int(fields["flags"]) if "flags" in names else int(ClearFlag.TARGET))


def _end_of(kind: str) -> TokenAct:
    return lambda reader, events, event, fields: reader.end(event, space_of(kind), int(fields["shader"]))


TokenAct = Callable[[Reader, Events, int, np.void], None]
MADE_BY_TOKENS: dict[str, TokenAct] = {VERTEX_SHADER: _vertex_shader, PIXEL_SHADER: _pixel_shader}
OF_KIND: dict[EventKind, TokenAct] = {EventKind.CLEAR: _cleared, EventKind.COPY: _copy}


def _act_of_token(row: Token) -> TokenAct | None:
    """What is noted of a record, by the same."""
    if row.makes:
        return MADE_BY_TOKENS[row.makes]
    if row.ends:
        return _end_of(row.ends)
    if row.name == "SETPALETTE":
        return _set_palette
    return OF_KIND.get(row.kind) or (_setting if row.touches & Touches.SETTINGS else None)


EXECUTED = (row for row in TOKENS.values() if row.since < 9)
TOKEN_ACTS = {row.name: noted for row in EXECUTED if (noted := _act_of_token(row)) is not None}


def read(calls: Sequence[DdiCall], streamless: np.ndarray, events: Events, walked: Walk) -> Reader:
    """Reads a tape; `streamless`: numbers of the calls that are not DrawPrimitives2."""
    reader = Reader(walked)
    tokens = sorted(_tokens(events), key=lambda row: row[0])
    place = 0
    for number in stoppable(streamless.tolist(), 16):
        event = int(events.first_of_call[number])
        while place < len(tokens) and tokens[place][0] < event:
            reader.token(events, *tokens[place])
            place += 1
        if number not in walked.refused:
            reader.call(event, calls[number])
    for row in stoppable(tokens[place:]):
        reader.token(events, *row)
    return reader


def _tokens(events: Events) -> Iterator[tuple[int, str, np.void]]:
    every = events_of(events, *TOKEN_ACTS)
    ops = events.rows["op"][every]
    for name in stoppable(TOKEN_ACTS, 1):
        chosen = every[ops == TOKEN_BY_NAME[name].op]
        yield from (
            (event, name, fields) for event, fields in zip(chosen.tolist(), fields_of(events, chosen, name), strict=True)
        )
