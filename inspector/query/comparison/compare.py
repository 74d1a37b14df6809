"""Comparison: two events, draws, frames or captures, side by side.

A side is named by text: "event 812", "draw 3", "frame 2", "frame 2 draw 3", "all".  Its tokens are those of the draw (from
after the draw before it), of the frame, or of the capture; its state and surfaces are those after its last event.
"""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import xxhash

from core.device.memory.surfaces import PADDING
from core.errors import BadInput, out_of_range
from core.spec.kinds import HANDLE as HANDLE_KIND
from core.spec.slots import Key
from inspector.query.comparison.alignment import Alignment, align
from inspector.query.comparison.contents import Held, held
from inspector.query.comparison.data import data_difference
from inspector.query.comparison.difference import (
    Difference,
    Divergence,
    ResourceDifference,
    StateDifference,
    SurfaceDifference,
    TokenRows,
    pictured,
)
from inspector.query.comparison.matching import HANDLE, Match, Pair, Side, matches, pairs
from inspector.query.comparison.signatures import signatures

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.progress import Cancel
    from inspector.query.state.at_event import DeviceState, Value

LOOK = 0.02
"""Seconds between two looks whether tokens are aligned."""
T = TypeVar("T")
PARTS = ("state", "tokens", "surfaces", "resources")
_SIDE = re.compile(r"(?:frame (?P<frame>\d+))?\s*(?:(?P<what>draw|event) (?P<number>\d+))?")


@dataclass(frozen=True)
class Compare:
    """What differs between `a` and `b` of one capture, or `a` of it and `b` of `other`.

    Surfaces of one capture are matched by their handles, those of two by what they are (module `matching`).  A pixel differs
    when a channel of its RGBA does by more than `threshold`, or, with 0, when its stored bytes do.  `parts`: what to look at.
    """

    a: str
    b: str
    other: Capture | None = field(default=None, compare=False)
    threshold: int = 0
    parts: tuple[str, ...] = PARTS

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Difference:
        """Raises BadInput for a side that does not exist."""
        return at_once(self.in_pieces(capture, cancel))

    def in_pieces(self, capture: Capture, cancel: Cancel | None = None) -> Generator[float, None, Difference]:
        """The same bit by bit, for who has other things to do in between: yields how far it is."""
        other = self.other or capture
        yield 0.0
        sides = side(capture, self.a), side(other, self.b)
        last = sides[0].stop - 1, sides[1].stop - 1
        moments = Moments(capture, other, last, cancel)
        state = moments.without_moved(state_differences(*moments.states)) if "state" in self.parts else []
        tokens = TokenRows.none()
        if "tokens" in self.parts:
            tokens = yield from token_rows(capture, sides[0], other, sides[1], cancel)
        yield 0.8
        surfaces = surface_differences(*moments.held, self.threshold, moments.pairs) if "surfaces" in self.parts else []
        resources = resource_differences(*moments.sides, moments.matches) if "resources" in self.parts else []
        return Difference(sides, state, tokens, surfaces, resources, divergence(capture, other, sides, tokens, cancel))


@dataclass(frozen=True, eq=False)
class Moments:
    """The ends of both sides: what is held there, and which surfaces are which, found out when it is needed."""

    a: Capture
    b: Capture
    events: tuple[int, int]
    cancel: Cancel | None

    @property
    def states(self) -> tuple[DeviceState, DeviceState]:
        return self.a.state(self.events[0]), self.b.state(self.events[1])

    @cached_property
    def held(self) -> tuple[Held, Held]:
        return held(self.a, self.events[0], self.cancel), held(self.b, self.events[1], self.cancel)

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        return Side(self.a, self.events[0], self.held[0]), Side(self.b, self.events[1], self.held[1])

    @cached_property
    def matches(self) -> list[Match]:
        return matches(*self.sides)

    @property
    def pairs(self) -> list[Pair]:
        return pairs(*self.sides, self.matches)

    def without_moved(self, found: list[StateDifference]) -> list[StateDifference]:
        """Of two captures, without states that name a surface under two handles."""
        handles = {id(one): (one.a.raw, one.b.raw) for one in found if one.a and one.b and one.a.place.kind is HANDLE_KIND}
        if self.a.tape is self.b.tape or not handles:
            return found
        moved = {((match.a,), (match.b,)) for match in self.matches}
        return [one for one in found if handles.get(id(one)) not in moved]


def at_once(pieces: Generator[float, None, T]) -> T:
    """The answer of what is done in pieces."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            found: T = end.value
            return found


def side(capture: Capture, text: str) -> range:
    """The events that a side's text names; BadInput says what is wrong with it."""
    if text.strip() == "all":
        return range(len(capture.events))
    found = _SIDE.fullmatch(text.strip())
    if not found or not any(found.groups()):
        raise BadInput(f"{text!r} is not a side of a comparison; expected event 812, draw 3, frame 2, frame 2 draw 3, or all")
    events = frame_events(capture, int(found["frame"])) if found["frame"] else range(len(capture.events))
    if found["what"] is None:
        return events
    number = int(found["number"])
    if found["what"] == "event":
        if number not in events:
            raise BadInput(f"{capture.title}: event {number} is not in this frame")
        return range(number, number + 1)
    draws = capture.draws[(capture.draws >= events.start) & (capture.draws < events.stop)]
    if number >= len(draws):
        raise BadInput(f"{capture.title}: {out_of_range('draw', number, len(draws))}")
    return range(int(draws[number - 1]) + 1 if number else events.start, int(draws[number]) + 1)


def frame_events(capture: Capture, number: int) -> range:
    """The events of a frame."""
    frame = capture.frame(number)
    return range(frame.first_event, frame.last_event + 1)


# ---- state -----------------------------------------------------------------------------------------------------------


def state_differences(a: DeviceState, b: DeviceState) -> list[StateDifference]:
    """Keys whose values differ, in the order of the rule book; what only one side has (a light) counts too."""
    left, right = ({value.key: value for value in state.rows()} for state in (a, b))
    keys: list[Key] = [*left, *(key for key in right if key not in left)]
    return [StateDifference(key, left.get(key), right.get(key)) for key in keys if _raw(left.get(key)) != _raw(right.get(key))]


def _raw(value: Value | None) -> tuple[int, ...] | None:
    return value.raw if value is not None else None


# ---- tokens ----------------------------------------------------------------------------------------------------------


def token_rows(
    a: Capture, events_a: range, b: Capture, events_b: range, cancel: Cancel | None = None
) -> Generator[float, None, TokenRows]:
    """The tokens of both sides, aligned; yields how far it is."""
    lists = []
    for capture, events in ((a, events_a), (b, events_b)):
        lists.append((signatures(capture, events, cancel), _kinds(capture, events)))
        yield 0.1 * len(lists)
    rows = yield from _aligned(lists[0], lists[1], cancel)
    left, right = (np.where(side >= 0, side + events.start, -1) for side, events in ((rows.a, events_a), (rows.b, events_b)))
    return TokenRows(left, right, rows.same)


def _aligned(
    a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray], cancel: Cancel | None
) -> Generator[float, None, Alignment]:
    """Aligns (signatures, kinds) on a thread of its own: it needs no capture, which others may ask meanwhile."""
    stop, pool = threading.Event(), ThreadPoolExecutor(1)
    try:
        going = pool.submit(align, a[0], b[0], a[1], b[1], lambda: stop.is_set() or bool(cancel and cancel()))
        while not wait([going], LOOK).done:
            yield 0.3
        return going.result()
    finally:
        stop.set()
        pool.shutdown(wait=False)


def _kinds(capture: Capture, events: range) -> np.ndarray:
    """What may be paired with what: tokens of one opcode (and, of states, of one state), calls of one entry."""
    rows = capture.events.rows[events.start : events.stop]
    base = np.maximum(capture.events.base, 0)[rows["call"]] + rows["offset"]
    first = np.zeros(len(rows), np.uint64)
    for byte in range(4):
        told = np.flatnonzero((rows["op"] > 0) & (rows["size"] == 8))  # states: the first dword names them
        first[told] |= capture.events.commands[base[told] + byte].astype(np.uint64) << np.uint64(8 * byte)
    kinds = rows["op"].astype(np.uint64) << np.uint64(32) | first
    for n in np.flatnonzero(rows["op"] == 0).tolist():
        kinds[n] = zlib.crc32(capture.calls[int(rows["call"][n])].entry.encode()) | 1 << 40
    return kinds


def divergence(
    a: Capture, b: Capture, sides: tuple[range, range], tokens: TokenRows, cancel: Cancel | None = None
) -> Divergence | None:
    """The first row that differs, and the state that differs just before it."""
    row = tokens.first_difference
    if row is None:
        return None
    events = int(tokens.a[row]), int(tokens.b[row])
    before_a, before_b = (max(int(tokens.a[:row].max(initial=sides[0].start - 1)), 0),
                          max(int(tokens.b[:row].max(initial=sides[1].start - 1)), 0))  # fmt: skip
    texts = [capture.text(event) if event >= 0 else "" for capture, event in zip((a, b), events, strict=True)]
    state = state_differences(a.state(before_a), b.state(before_b))
    there = [event if event >= 0 else None for event in events]
    alike = there[0] is not None and there[1] is not None and texts[0] == texts[1]
    data = data_difference(a, events[0], b, events[1], cancel) if alike else ""
    return Divergence(there[0], there[1], texts[0], texts[1], row, tuple(state), data)


# ---- surfaces and resources ------------------------------------------------------------------------------------------


def surface_differences(a: Held, b: Held, threshold: int = 0, matched: Sequence[Pair] | None = None) -> list[SurfaceDifference]:
    """Subresources of equal shape whose pixels differ, in the order of the pairs; without these, by handle."""
    if matched is None:
        matched = [Pair(place, place, HANDLE) for place in sorted(a.pictures.keys() & b.pictures.keys())]
    found = []
    for pair in matched:
        left, right = a.pictures[pair.a], b.pictures[pair.b]
        if left.alike(right) and not left.equals(right):
            found += [one for slice in range(left.part.depth) if (one := pictured(pair, slice, left, right, threshold))]
    return found


def resource_differences(a: Side, b: Side, matched: Sequence[Match]) -> list[ResourceDifference]:
    """What exists on one side only, has another shape, or (buffers, shaders) other contents."""
    found = _surface_shapes(a, b, matched)
    sides = a.held, b.held
    found += [ResourceDifference("buffer", handle, *both) for handle, *both in _unequal(*_buffers(*sides))]
    for kind in ("vertex", "pixel"):
        codes = ({handle: _code(code) for (which, handle), code in side.shaders.items() if which == kind} for side in sides)
        found += [ResourceDifference(f"{kind} shader", handle, *both) for handle, *both in _unequal(*codes)]
    return found


def _surface_shapes(a: Side, b: Side, matched: Sequence[Match]) -> list[ResourceDifference]:
    """Surfaces that have no partner, or one of another shape."""
    found, shapes = [], (_shapes(a.held), _shapes(b.held))
    paired = {match.a: match for match in matched}
    for handle, text in shapes[0].items():
        match = paired.get(handle)
        other = shapes[1][match.b] if match else None
        if text != other:
            found.append(ResourceDifference("surface", handle, text, other, match.b if match and match.b != handle else None))
    alone = shapes[1].keys() - {match.b for match in paired.values()}
    found += [ResourceDifference("surface", handle, None, shapes[1][handle]) for handle in alone]
    return sorted(found, key=lambda one: (one.handle, one.a is None))


def _code(code: bytes) -> str:
    return f"{len(code)} bytes, code {xxhash.xxh3_64_hexdigest(code)}"


def _unequal(a: dict, b: dict) -> list[tuple]:
    """(key, value of a, value of b) where they differ; None for a missing one."""
    return [(key, a.get(key), b.get(key)) for key in sorted(a.keys() | b.keys()) if a.get(key) != b.get(key)]


def _shapes(side: Held) -> dict[int, str]:
    shapes = {}
    for place, picture in sorted(side.pictures.items()):
        surface = picture.part.surface
        size = f"{surface.width} x {surface.height}" + (f" x {surface.depth}" if surface.volume else "")
        more = f", {surface.samples} samples" if surface.samples else ""
        shapes[place.handle] = f"{surface.label} {size} {surface.format.name}, {surface.levels} levels{more}"
    return shapes


def _buffers(a: Held, b: Held) -> tuple[dict[int, str], dict[int, str]]:
    """Size and digest of the buffers that are not known to be equal."""
    unequal = [handle for handle, _, _ in _unequal(*({h: one[1] for h, one in side.buffers.items()} for side in (a, b)))]
    left, right = (
        {handle: _digest(side.buffers[handle][0]) for handle in unequal if handle in side.buffers} for side in (a, b)
    )
    return left, right


def _digest(data: np.ndarray) -> str:
    contents = data[: len(data) - PADDING]
    return f"{len(contents)} bytes, contents {xxhash.xxh3_64_hexdigest(contents.tobytes())}"
