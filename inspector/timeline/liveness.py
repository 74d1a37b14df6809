"""Events without a visible result: draws, clears and copies whose results are lost, unread, before a given event.

Backwards from an event at which everything may be looked at: what is overwritten as a whole is dead before that, what a live
thing is made from is live.  Only what certainly happened counts as overwriting; whatever is doubtful keeps things alive.  A
replay that leaves dead events out arrives at the same bytes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.device.device import CommandBuffer, Device
from core.device.memory import transfer
from core.device.memory.surfaces import SurfacePart
from core.device.registers.records import fields
from core.device.tokens.copies import clear_of
from core.spec.calls import touched_by_call
from core.spec.effects import EventKind, Touches
from core.spec.enums import ClearFlag, DdBlt
from core.spec.slots import BASE
from core.spec.states import RENDER_STATE_ID
from core.spec.tokens import Op, ops_that, touches_of_ops
from inspector.timeline.events import DRAW_OPS
from inspector.timeline.states import StateTimeline

STAGES, STAGE_WORDS = 8, 32
DRAWS_A_PIECE = 1 << 16
DEPTH_STATES = [BASE["render_state"] + RENDER_STATE_ID[name] for name in ("ZENABLE", "STENCILENABLE")]
KEYED = DdBlt.KEYSRC | DdBlt.KEYSRCOVERRIDE | DdBlt.KEYDEST | DdBlt.KEYDESTOVERRIDE
FILLS = DdBlt.COLORFILL | DdBlt.DEPTHFILL
SRCCOPY = 0x00CC0020
TEXTURE_COPIES = ops_that(lambda row: row.kind is EventKind.COPY and bool(row.touches & Touches.SURFACES))
_TOUCHES = touches_of_ops()
PLAIN_DRAWS = (DRAW_OPS & (_TOUCHES & Touches.OBJECTS == 0)).tolist()  # lists by token: looked at for every draw of a tape
PATCHES = (DRAW_OPS & (_TOUCHES & Touches.OBJECTS != 0)).tolist()
USE_SURFACES = (_TOUCHES & (Touches.SURFACES | Touches.READS) != 0).tolist()


class OperationKind(IntEnum):
    """What an operation does to subresources.  They are named by their handles; -handle is the stencil part of one."""

    DRAW = 0  # changes some of `writes`, reads them and `reads`
    WRITE = 1  # changes some of `writes`, reads nothing but those
    COPY = 2  # changes some of `writes` from `reads`
    OVERWRITE = 3  # replaces all pixels of the rectangle in `writes` with something made of `reads`
    FLIP = 4  # contents of writes[n + 1] move to writes[n], those of writes[0] to the last
    END = 5  # `writes` exist no more
    UNKNOWN = 6  # may read everything


Rect = tuple[int, int, int, int]
ALL = (0, 0, 1 << 30, 1 << 30)  # every pixel


class Operation(NamedTuple):
    """Events first..last do this, to pixels of `rect`; `can_skip`: a replay may leave them out.

    `reads` are root handles for draws.  Stencil is named only where it fares differently: by draws and clears.
    """

    kind: OperationKind
    first: int
    last: int
    writes: tuple[int, ...]
    reads: tuple[int, ...] = ()
    can_skip: bool = False
    rect: Rect = ALL
    copies: bool = False  # whole pixels, stencil too


@dataclass(slots=True)
class Follower:
    """Writes down what a device does that draws nothing (Executor.follower), token by token and call by call."""

    draws: list[int] = field(default_factory=list)
    others: list[Operation] = field(default_factory=list)
    parts: dict[int, int] = field(default_factory=dict)  # root handle -> most subresources of a surface of this name
    sizes: dict[int, list[tuple[int, Rect]]] = field(default_factory=dict)  # handle -> (event, pixels) of each creation

    def rect_of(self, handle: int, seq: int) -> Rect:
        """The pixels of a subresource."""
        known = [rect for created, rect in self.sizes.get(handle, []) if created <= seq]
        return known[-1] if known else ALL

    def token(self, device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
        """A token that is not a state is about to be executed."""
        op = int(record["op"])
        if PLAIN_DRAWS[op]:
            self.draws.append(seq)
        elif PATCHES[op]:  # may read and keep a patch: never left out
            target, depth = device.targets
            self.others.append(Operation(OperationKind.DRAW, seq, seq, (target, depth, -depth), _textures(device)))
        elif op == Op["CLEAR"]:
            self._clear(device, seq, *clear_of(device, stream, record))
        elif TEXTURE_COPIES[op]:
            blit = fields(stream, record)
            to, given = (device.memory.owner(handle) for handle in (blit.destination, blit.source))
            if to is not None and given is not None:
                writes, reads = (tuple(part.handle for part in surface.parts) for surface in (to[0], given[0]))
                self.others.append(Operation(OperationKind.COPY, seq, seq, writes, reads, True))
        elif USE_SURFACES[op]:
            self.others.append(Operation(OperationKind.UNKNOWN, seq, seq, ()))

    def _clear(self, device: Device, seq: int, flags: int, rects: list[list[int]]) -> None:
        target, depth = (device.memory.part(handle) for handle in device.targets)
        if flags & ClearFlag.TARGET and target is not None:
            self._fill(seq, target, rects)
        if flags & ClearFlag.ZBUFFER and depth is not None:
            self._fill(seq, depth, rects)
        if flags & ClearFlag.STENCIL and depth is not None:
            self._fill(seq, depth, rects, -1)

    def _fill(self, seq: int, part: SurfacePart, rects: list[list[int]], sign: int = 1) -> None:
        rect = next((ALL for one in rects if _covers(part, one)), None)
        if rect is None and len(rects) == 1:
            rect = rects[0][0], rects[0][1], rects[0][2], rects[0][3]
        kind = OperationKind.OVERWRITE if rect is not None and _fills(part) else OperationKind.WRITE
        self.others.append(Operation(kind, seq, seq, (sign * part.handle,), (), True, rect or ALL))

    def call(self, driver: EmulatedDriver, call: DdiCall, seq: int, ends: range) -> None:
        """A call has been executed; ends: handles of what it destroyed."""
        memory = driver.device.memory
        if call.result != 0 or "recorded" in call.args:  # it had no effect
            return
        if ends:
            self.others.append(Operation(OperationKind.END, seq, seq, tuple(ends)))
        if call.entry == "CreateSurface" and (made := memory.surfaces.get(call.args["handle"])) is not None:
            self.parts[made.handle] = max(self.parts.get(made.handle, 1), len(made.parts))
            for part in made.parts:
                self.sizes.setdefault(part.handle, []).append((seq, (0, 0, part.width, part.height)))
        elif call.entry == "Blt":
            self._blt(seq, call, memory.part(call.args["destination"]), memory.part(call.args.get("source") or 0))
        elif call.entry == "Flip":
            chain = call.args.get("surfaces", call.args.get("surface"))
            handles = tuple(chain) if isinstance(chain, Iterable) else (int(chain or 0),)
            self.others.append(Operation(OperationKind.FLIP, seq, seq, handles))
        elif touched_by_call(call.entry) & Touches.READS:
            self.others.append(Operation(OperationKind.UNKNOWN, seq, seq, ()))

    def _blt(self, seq: int, call: DdiCall, to: SurfacePart | None, given: SurfacePart | None) -> None:
        flags = call.args.get("flags", 0)
        if to is None:
            return
        whole = _is_whole(to, call.args.get("destination_box"))
        if flags & FILLS:
            kind = OperationKind.OVERWRITE if whole and _fills(to) and not flags & DdBlt.DEPTHFILL else OperationKind.WRITE
            self.others.append(Operation(kind, seq, seq, (to.handle,), (), True, copies=True))
        elif given is not None:
            plain = not flags & (KEYED | DdBlt.ROP | DdBlt.DDROPS) and call.args.get("rop", SRCCOPY) == SRCCOPY
            plain = plain and not call.args.get("mirror")
            same = (to.format.id, to.width, to.height, to.depth) == (given.format.id, given.width, given.height, given.depth)
            everything = plain and same and whole and _is_whole(given, call.args.get("source_box"))
            kind = OperationKind.OVERWRITE if everything else OperationKind.COPY
            self.others.append(Operation(kind, seq, seq, (to.handle,), (given.handle,), True, copies=True))


def handles_of(driver: EmulatedDriver, call: DdiCall) -> range:
    """The handles that a call is about to end."""
    gone = driver.device.memory.surfaces.get(call.args.get("handle", 0)) if call.entry == "DestroySurface" else None
    return range(gone.handle, gone.handle + len(gone.parts)) if gone is not None else range(0)


def _textures(device: Device) -> tuple[int, ...]:
    first = BASE["texture_stage"]
    return tuple(device.registers.vector[first : first + STAGES * STAGE_WORDS : STAGE_WORDS].tolist())


def _covers(part: SurfacePart, rect: list[int]) -> bool:
    return rect[0] <= 0 and rect[1] <= 0 and rect[2] >= part.width and rect[3] >= part.height


def _fills(part: SurfacePart) -> bool:
    """Whether a fill of this subresource certainly succeeds."""
    return part.format.block[:2] == (1, 1) and part.format.bits in (8, 16, 32) and part.depth == 1


def _is_whole(part: SurfacePart, box: object) -> bool:
    found = transfer.as_box(part, box)
    return found is not None and transfer.is_whole(part, found)


class Liveness:
    """All operations of a tape in order; `dead` tells which events a jump may leave out."""

    def __init__(self, parts: dict[int, int], operations: list[Operation]) -> None:
        """`operations`: in order; `parts`: of a Follower."""
        self._parts, self._operations = parts, operations
        self._firsts = np.array([one.first for one in self._operations], np.int64)

    @classmethod
    def of(cls, follower: Follower, passes: list[Operation]) -> Liveness:
        """Of what was followed, and the draws of it joined."""
        return cls(follower.parts, sorted([*follower.others, *passes], key=lambda one: one.first))

    def dead(self, first: int, stop: int) -> np.ndarray:
        """bool[stop]: events from `first` on that no contents after event stop - 1 depend on."""
        live = Live(self._parts)
        skip, needed = np.zeros(max(stop, 0), bool), np.zeros(max(stop - first, 0), bool)
        low, high = np.searchsorted(self._firsts, [first, stop]).tolist()
        for one in reversed(self._operations[low:high]):
            if one.last < stop:  # else it is a pass that is cut in two
                if live.go_back(one):
                    needed[one.first - first : one.last + 1 - first] = True
                else:
                    skip[one.first : one.last + 1] = True
        skip[first:] &= ~needed  # a CLEAR is several operations
        return skip

    def between(self, first: int, stop: int) -> list[Operation]:
        """The operations of events from `first` to before `stop`, and that of a pass which begins before them."""
        low, high = np.searchsorted(self._firsts, [first, stop]).tolist()
        return [one for one in self._operations[max(low - 1, 0) : high] if one.last >= first]

    def parts_of(self, root: int) -> int:
        """The most subresources that a surface of this name has."""
        return self._parts.get(root, 1)


class Live:
    """Which pixels of which subresources somebody will still read: a rectangle each; everything in the beginning."""

    def __init__(self, parts: dict[int, int]) -> None:
        self._parts = parts
        self._rects: dict[int, Rect | None] = {}

    def go_back(self, one: Operation) -> bool:
        """Goes back over an operation; whether it must be executed."""
        if one.kind == OperationKind.UNKNOWN:
            self._rects.clear()
            return True
        if one.kind in (OperationKind.FLIP, OperationKind.END):
            for sign in (1, -1):
                handles = [sign * handle for handle in one.writes]
                after = [self._rects.get(handle, ALL) for handle in handles]
                moved = [after[-1], *after[:-1]] if one.kind == OperationKind.FLIP else [None] * len(after)
                self._rects.update(zip(handles, moved, strict=True))
            return True
        if one.can_skip and not any(_meet(self._rects.get(handle, ALL), one.rect) for handle in self._named(one)):
            return False
        for handle in self._named(one):
            was = self._rects.get(handle, ALL)
            if one.kind == OperationKind.DRAW:
                self._rects[handle] = _around(was, one.rect)
            elif one.kind == OperationKind.OVERWRITE and was is not None and _around(was, one.rect) == one.rect:
                self._rects[handle] = None
        for root in one.reads:
            count = self._parts.get(root, 1) if one.kind == OperationKind.DRAW else 1
            self._rects.update({sign * handle: ALL for handle in range(root, root + count) for sign in (1, -1)})
        return True

    @staticmethod
    def _named(one: Operation) -> tuple[int, ...]:
        """What it writes; copies and fills by the driver write stencil too."""
        both = one.kind == OperationKind.COPY or one.copies
        return (*one.writes, *(-handle for handle in one.writes)) if both else one.writes


def _meet(live: Rect | None, rect: Rect) -> bool:
    if live is None:
        return False
    return live[0] < rect[2] and rect[0] < live[2] and live[1] < rect[3] and rect[1] < live[3]


def _around(live: Rect | None, rect: Rect) -> Rect:
    """The rectangle around both."""
    if live is None:
        return rect
    return min(live[0], rect[0]), min(live[1], rect[1]), max(live[2], rect[2]), max(live[3], rect[3])


def _values_at(states: StateTimeline, events: np.ndarray, slot: int) -> np.ndarray:
    """uint32[n]: a slot after each of these events."""
    span = states.span(slot)
    places = np.searchsorted(states.seqs[span], events.astype(np.uint32), side="right")
    if span.start == span.stop:
        return np.full(len(events), states.start(slot), np.uint32)
    return np.where(places > 0, states.values[span][places - 1], np.uint32(states.start(slot)))


def joining(follower: Follower, states: StateTimeline) -> Generator[float, None, list[Operation]]:
    """Draws, joined while they go to the same surfaces and nothing else happens in between; yields how far it is."""
    draws, others = np.array(follower.draws, np.int64), np.sort([one.first for one in follower.others])
    made: list[Operation] = []
    last: tuple[list[int], int] = [], -1
    for begin in range(0, len(draws), DRAWS_A_PIECE):
        yield begin / len(draws)
        some = draws[begin : begin + DRAWS_A_PIECE]
        used, read = _targets_and_textures(states, some)
        between = np.searchsorted(others, some)
        new = np.ones(len(some), bool)
        new[1:] = (used[:, 1:] != used[:, :-1]).any(axis=0) | (between[1:] != between[:-1])
        new[0] = last != (used[:, 0].tolist(), int(between[0]))
        last = used[:, -1].tolist(), int(between[-1])
        starts = np.flatnonzero(new)
        if not new[0]:  # the last pass goes on
            stop = int(starts[0]) if len(starts) else len(some)
            reads = sorted({*made[-1].reads, *np.unique(read[:, :stop]).tolist()})
            made[-1] = made[-1]._replace(last=int(some[stop - 1]), reads=tuple(reads))
        number = np.cumsum(new)
        pairs = np.unique(number.astype(np.uint64)[None] << np.uint64(32) | read)
        split = np.split(pairs & np.uint64(0xFFFFFFFF), np.searchsorted(pairs >> np.uint64(32), np.arange(1, len(starts) + 1)))
        for start, stop, handles in zip(starts.tolist(), [*starts[1:].tolist(), len(some)], split[1:], strict=True):
            first, (color, tested, masked) = int(some[start]), used[:, start].tolist()
            writes = tuple(handle for handle in (color, tested, -masked) if handle)
            rect = follower.rect_of(color, first)
            made.append(Operation(OperationKind.DRAW, first, int(some[stop - 1]), writes, tuple(handles.tolist()), True, rect))
    return made


def _targets_and_textures(states: StateTimeline, draws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(int64[3, draws]: target, depth if it is tested, stencil if it is; uint64[STAGES, draws]: textures)."""
    textures = [BASE["texture_stage"] + STAGE_WORDS * n for n in range(STAGES)]
    target, depth, test, stencil, *read = (
        _values_at(states, draws, slot) for slot in (BASE["render_target"], BASE["depth_stencil"], *DEPTH_STATES, *textures)
    )
    used = np.stack([target, np.where(test, depth, 0), np.where(stencil, depth, 0)]).astype(np.int64)
    return used, np.stack(read).astype(np.uint64)
