"""Which surface of one capture is which of another: their handles alone do not say so.

Two recordings number their surfaces as they create them: one more texture moves every later handle, and the back buffer of one
program is a texture of the next.  Pairs are formed in this order, and each surface is in one pair at most:

    1. surfaces that were given the same name (bookmarks);
    2. the render targets, and the depth buffers, of the two moments, if they are of one shape or label;
    3. the same handle, shape and contents;
    4. the same shape and contents, where no other surface of either side has them;
    5. the same handle and shape, unless 4 found more pairs than 3: then handles have moved;
    6. the same shape, in the order of creation between those that are paired already;
    7. what is there once, as the back buffer or depth buffer, and then the same handle, whatever the shape.

Within one capture, or with a what-if of it, a handle names the same surface on both sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xxhash

from core.cancel import look
from core.device.memory.surfaces import Surface
from core.errors import BadInput
from inspector.query.comparison.alignment import common
from inspector.query.comparison.contents import Held, PartKey, all_bytes
from inspector.tape.bookmarks import Bookmarks, resource_names

if TYPE_CHECKING:
    from inspector.capture import Capture

HANDLE, NAME, TARGET, DEPTH = "handle", "name", "render target", "depth buffer"
CONTENTS, ORDER, ROLE = "contents", "size, format and order", "role"
ROLES = ("RENDERTARGET", TARGET), ("DEPTHSTENCIL", DEPTH)
SINGLE = ("primary", "back_buffer", "depth")
"""Labels of surfaces that a device has once, as a rule."""


class Match(NamedTuple):
    """A surface of a, one of b, and by what they were matched: HANDLE if both have the same one."""

    a: int
    b: int
    by: str


class Pair(NamedTuple):
    """Two subresources that are compared, and by what they were matched."""

    a: PartKey
    b: PartKey
    by: str


@dataclass(frozen=True, eq=False)
class Side:
    """A moment of a capture, and what it holds."""

    capture: Capture
    event: int
    held: Held

    @cached_property
    def surfaces(self) -> dict[int, Surface]:
        """By handle, in order of creation."""
        found = {place.handle: picture.part.surface for place, picture in self.held.pictures.items()}
        return {handle: found[handle] for handle in sorted(found, key=lambda handle: (self._born[handle], handle))}

    @cached_property
    def places(self) -> dict[int, list[PartKey]]:
        """The subresources of each surface, in order."""
        found: dict[int, list[PartKey]] = {}
        for place in sorted(self.held.pictures):
            found.setdefault(place.handle, []).append(place)
        return found

    @cached_property
    def _born(self) -> dict[int, int]:
        born = {info.handle: info.created for info in self.capture.surfaces(self.event)}
        return {place.handle: born.get(place.handle, -1) for place in self.held.pictures}

    @cached_property
    def names(self) -> dict[int, str]:
        """The names that surfaces were given."""
        given = resource_names(Bookmarks(self.capture.tape, self.capture.path).all())
        found = {handle: given.get((max(born, 0), handle), "") for handle, born in self._born.items()}
        return {handle: name for handle, name in found.items() if name}

    def bound(self, state: str) -> PartKey | None:
        """The subresource that RENDERTARGET or DEPTHSTENCIL names; None for none."""
        try:
            handle = int(self.capture.state(self.event)[state].raw[0])
        except (BadInput, KeyError):  # before any context
            return None
        return next((place for place, picture in self.held.pictures.items() if picture.part.handle == handle), None)

    def digest(self, handle: int) -> Hashable:
        """Equal for equal contents; None where all bytes are the same, which many surfaces are."""
        state, seen = xxhash.xxh3_128(), set[int]()
        for place in self.places[handle]:
            look()
            data = all_bytes(self.held.pictures[place].level())
            state.update(data.tobytes())
            seen |= {int(data.min()), int(data.max())} if len(data) else set()
        return state.digest() if len(seen) > 1 else None


def shape(surface: Surface) -> tuple[Hashable, ...]:
    """What a surface is, but for its handle and contents."""
    return (surface.label, surface.memory, surface.format.id, surface.width, surface.height, surface.depth, surface.volume,
            surface.levels, surface.faces, surface.samples)  # fmt: skip


def pairs(a: Side, b: Side, matched: Iterable[Match]) -> list[Pair]:
    """The subresources that are compared, in order of the handles of a; those of one capture by handle, and the targets of
    two draws of it as well."""
    found = [
        Pair(place, PartKey(match.b, place.level, place.face), match.by) for match in matched for place in a.places[match.a]
    ]
    found = [pair for pair in found if pair.b in b.held.pictures]
    return [*(pair for pair in _drawn_to(a, b) if pair not in found), *found]


def _drawn_to(a: Side, b: Side) -> list[Pair]:
    """The target and depth buffer of two draws of one capture, where they are not the same."""
    if not one_tape(a, b) or not all(side.capture.events.rows["draw"][side.event] for side in (a, b)):
        return []
    bound = [(a.bound(state), b.bound(state), words) for state, words in ROLES]
    return [Pair(left, right, words) for left, right, words in bound if left and right and left != right]


def one_tape(a: Side, b: Side) -> bool:
    """Whether both are of one capture, or of what-ifs of it."""
    return a.capture.tape is b.capture.tape


def matches(a: Side, b: Side) -> list[Match]:
    """The pairs of surfaces, in order of the handles of a."""
    if one_tape(a, b):
        return [Match(handle, handle, HANDLE) for handle in sorted(a.surfaces.keys() & b.surfaces.keys())]
    return sorted(_Matching(a, b).run())


class _Matching:
    def __init__(self, a: Side, b: Side) -> None:
        self.a, self.b = a, b
        self.found: dict[int, Match] = {}
        self._taken: set[int] = set()

    def run(self) -> Iterable[Match]:
        """All seven steps."""
        self._once(NAME, self.a.names.get, self.b.names.get)
        self._bound()
        by_handle = self._same_handle(lambda handle: self._alike(handle) and self._equal(handle))
        moved = self._once(CONTENTS, *(self._contents(side) for side in (self.a, self.b)))
        if moved <= by_handle:
            self._same_handle(self._alike)
        self._in_order()
        self._once(ROLE, *(self._single(side) for side in (self.a, self.b)))
        self._same_handle(lambda _: True)
        return self.found.values()

    def _free(self) -> tuple[list[int], list[int]]:
        """Surfaces without a partner, in order of creation."""
        return ([one for one in self.a.surfaces if one not in self.found],
                [one for one in self.b.surfaces if one not in self._taken])  # fmt: skip

    def _pair(self, a: int, b: int, by: str) -> None:
        self.found[a] = Match(a, b, HANDLE if a == b else by)
        self._taken.add(b)

    def _alike(self, handle: int) -> bool:
        return shape(self.a.surfaces[handle]) == shape(self.b.surfaces[handle])

    def _equal(self, handle: int) -> bool:
        return all(self.a.held.pictures[place].equals(self.b.held.pictures[place]) for place in self.a.places[handle])

    def _bound(self) -> None:
        for state, words in ROLES:
            left, right = self.a.bound(state), self.b.bound(state)
            if left is None or right is None or left.handle in self.found or right.handle in self._taken:
                continue
            one, other = self.a.surfaces[left.handle], self.b.surfaces[right.handle]
            if one.label == other.label or (one.width, one.height, one.format) == (other.width, other.height, other.format):
                self._pair(left.handle, right.handle, words)

    def _same_handle(self, wanted: Callable[[int], bool]) -> int:
        """How many pairs were formed."""
        left, right = self._free()
        there = set(right)
        formed = [handle for handle in left if handle in there and wanted(handle)]
        for handle in formed:
            self._pair(handle, handle, HANDLE)
        return len(formed)

    def _once(self, by: str, key_a: Callable[[int], Hashable], key_b: Callable[[int], Hashable]) -> int:
        """Pairs what has the same key, where no other of either side has it; returns how many had other handles."""
        keys = [{handle: key(handle) for handle in free} for key, free in zip((key_a, key_b), self._free(), strict=True)]
        counts = [Counter(side.values()) for side in keys]
        of_b = {key: handle for handle, key in keys[1].items()}
        formed = [(handle, of_b[key]) for handle, key in keys[0].items() if key and counts[0][key] == counts[1][key] == 1]
        for left, right in formed:
            self._pair(left, right, by)
        return sum(left != right for left, right in formed)

    def _contents(self, side: Side) -> Callable[[int], Hashable]:
        """Shape and contents, of shapes that both sides have left."""
        left, right = self._free()
        common_ = {shape(self.a.surfaces[one]) for one in left} & {shape(self.b.surfaces[one]) for one in right}

        def key(handle: int) -> Hashable:
            what = shape(side.surfaces[handle])
            digest = side.digest(handle) if what in common_ else None
            return digest and (what, digest)

        return key

    @staticmethod
    def _single(side: Side) -> Callable[[int], Hashable]:
        return lambda handle: side.surfaces[handle].label if side.surfaces[handle].label in SINGLE else None

    def _in_order(self) -> None:
        """Pairs what is of one shape, between what is paired already, along a longest common subsequence."""
        back = {match.b: match.a for match in self.found.values()}
        keys_a = [("pair", one) if one in self.found else shape(side) for one, side in self.a.surfaces.items()]
        keys_b = [("pair", back[one]) if one in back else shape(side) for one, side in self.b.surfaces.items()]
        numbers = {key: n for n, key in enumerate(dict.fromkeys([*keys_a, *keys_b]))}
        left_list, right_list = (np.array([numbers[key] for key in keys], np.uint64) for keys in (keys_a, keys_b))
        handles = list(self.a.surfaces), list(self.b.surfaces)
        for left, right in common(left_list, right_list).tolist():
            if handles[0][left] not in self.found:
                self._pair(handles[0][left], handles[1][right], ORDER)
