"""What it takes to know a rectangle of a surface: which targets need only be drawn there, and what need not happen at all.

A pixel of a target depends on the same pixel of colour and depth before, and on textures.  So the rectangle comes out right
when only it is drawn, as long as nothing that matters reads more of what was drawn so.  That is followed operation by
operation; where it is in doubt there is no confinement, and everything has to be drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from inspector.timeline.liveness import ALL, Liveness, Operation, OperationKind, Rect


@dataclass(frozen=True, slots=True)
class Confinement:
    """Of the targets with these handles only `rect` is drawn, of `cleared` only that is cleared; `skipped` bool[events]: what
    need not happen."""

    targets: frozenset[int]
    rect: Rect
    skipped: np.ndarray
    cleared: frozenset[int] = frozenset()


def confinement(liveness: Liveness, handle: int, rect: Rect, first: int, stop: int) -> Confinement | None:
    """How to execute events from `first` to before `stop` so that a rectangle of a subresource comes out as it did.

    None: that takes all of the surface.
    """
    every = liveness.between(first, stop)
    different = list({_essence(one): None for one in every})
    if any(one.kind == OperationKind.UNKNOWN or (one.kind == OperationKind.END and handle in one.writes) for one in different):
        return None
    targets = _targets(different, handle)
    for cleared in (_drawn_with(different, targets), targets, set[int]()):
        if _comes_out_right(liveness, every, targets, cleared, handle):
            skipped = _skipped(every, _needed(liveness, different, handle), stop)
            return Confinement(frozenset(targets), rect, skipped, frozenset(cleared))
    return None


def _essence(one: Operation) -> Operation:
    """The same, whenever and wherever it happens: most of a tape's operations are alike."""
    return one._replace(first=0, last=0, rect=ALL)


def _written(one: Operation) -> set[int]:
    """Handles of subresources; stencil counts as its depth surface."""
    return {abs(name) for name in one.writes if name}


def _read(liveness: Liveness, one: Operation) -> set[int]:
    """Handles of subresources; draws name textures by their first."""
    if one.kind != OperationKind.DRAW:
        return {abs(name) for name in one.reads if name}
    return {handle for root in one.reads if root for handle in range(root, root + liveness.parts_of(root))}


def _needed(liveness: Liveness, operations: Sequence[Operation], handle: int) -> set[int]:
    """The subresources from which something comes to this one."""
    needed, before = {handle}, 0
    while len(needed) > before:
        before = len(needed)
        for one in operations:
            if (written := _written(one)) & needed:
                needed |= written | _read(liveness, one)
    return needed


def _targets(operations: Sequence[Operation], handle: int) -> set[int]:
    """The targets that are worth confining: the surface, what it is exchanged with, copied from or the depth of."""
    targets, before = {handle}, 0
    while len(targets) > before:
        before = len(targets)
        for one in operations:
            if one.kind == OperationKind.FLIP and targets.intersection(one.writes):
                targets.update(one.writes)
            elif one.kind == OperationKind.OVERWRITE and targets.intersection(one.writes):
                targets.update(one.reads)
            elif one.kind == OperationKind.DRAW and handle in one.writes:
                targets.add(one.writes[0])
    return targets


def _drawn_with(operations: Sequence[Operation], targets: set[int]) -> set[int]:
    """The targets, and what is their depth surface at some time."""
    return targets.union(*(_written(one) for one in operations if one.kind == OperationKind.DRAW and one.writes[0] in targets))


def _is_clear(one: Operation) -> bool:
    return one.kind in (OperationKind.OVERWRITE, OperationKind.WRITE) and not one.copies and not one.reads


class Right(IntEnum):
    """Where the contents of a subresource are what they were."""

    EVERYWHERE = 0
    WITHIN = 1  # the rectangle
    NOWHERE = 2


class _Followed:
    """What is right while only the rectangle is drawn of some targets, and cleared of some subresources."""

    def __init__(self, targets: set[int], cut: set[int]) -> None:
        self._targets, self._cut = targets, cut
        self._right: dict[int, Right] = {}
        self._cleared: dict[int, Rect] = {}  # of what is not right everywhere: the pixels that are, since a clear

    def of(self, name: int, rect: Rect = ALL) -> Right:
        """Where these pixels of a subresource, or of its stencil (-handle), are right."""
        right = self._right.get(name, Right.EVERYWHERE)
        return Right.EVERYWHERE if right and _covers(self._cleared.get(name), rect) else right

    def _is_now(self, name: int, right: Right) -> None:
        self._right[name] = right
        self._cleared.pop(name, None)

    def go_on(self, one: Operation, read: Right) -> None:
        """An operation whose sources are right so far."""
        names = (*one.writes, *(-name for name in one.writes)) if one.copies else one.writes
        if one.kind == OperationKind.FLIP:
            for sign in (1, -1):
                after = [self.of(sign * name) for name in one.writes]
                for name, right in zip(one.writes, [*after[1:], *after[:1]], strict=True):
                    self._is_now(sign * name, right)
        elif one.kind == OperationKind.DRAW:
            self._draw(one, read)
        elif _is_clear(one) and abs(one.writes[0]) in self._cut:
            for name in names:
                whole = one.kind == OperationKind.OVERWRITE and one.rect == ALL
                self._is_now(name, Right.WITHIN if whole else max(self.of(name), Right.WITHIN))
        elif one.kind == OperationKind.OVERWRITE:
            for name in names:
                self._overwrite(name, one.rect, read)
        elif one.kind == OperationKind.END:
            for name in one.writes:
                self._is_now(name, Right.EVERYWHERE)
                self._is_now(-name, Right.EVERYWHERE)
        elif read:
            for name in names:
                self._is_now(name, Right.NOWHERE)

    def _draw(self, one: Operation, read: Right) -> None:
        partly = bool(self._targets.intersection(one.writes))
        worst = max(self.of(name, ALL if partly else one.rect) for name in one.writes)
        after = max(Right.NOWHERE if read else Right.EVERYWHERE, Right.WITHIN if partly else Right.EVERYWHERE, worst)
        if after:
            for name in one.writes:
                self._is_now(name, max(after, self.of(name)))

    def _overwrite(self, name: int, rect: Rect, read: Right) -> None:
        if rect == ALL:
            self._is_now(name, read)
        elif not read and self.of(name) and _covers(rect, self._cleared.get(name, rect)):
            self._cleared[name] = rect
        elif read:
            self._is_now(name, max(read, self.of(name)))


def _covers(outer: Rect | None, inner: Rect) -> bool:
    return outer is not None and (
        outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]
    )


def _comes_out_right(
    liveness: Liveness, operations: Sequence[Operation], targets: set[int], cut: set[int], handle: int
) -> bool:
    """Whether the surface is right within the rectangle after each of these operations, with only that drawn of the targets,
    and only that of `cut` cleared."""
    followed, reads = _Followed(targets, cut), dict[tuple[bool, tuple[int, ...]], list[int]]()
    for one in operations:
        key = one.kind == OperationKind.DRAW, one.reads
        if (read := reads.get(key)) is None:
            read = reads[key] = [name for handle in _read(liveness, one) for name in (handle, -handle)]
        followed.go_on(one, max(map(followed.of, read), default=Right.EVERYWHERE))
        if Right.NOWHERE in (followed.of(handle), followed.of(-handle)):
            return False
    return True


def _skipped(operations: Sequence[Operation], needed: set[int], stop: int) -> np.ndarray:
    """bool[stop]: the events of operations that do not write what is needed.  A CLEAR is several operations."""
    skip, keep = np.zeros((2, stop), bool)
    for one in operations:
        useless = one.can_skip and one.last < stop and not _written(one) & needed
        (skip if useless else keep)[one.first : one.last + 1] = True
    return skip & ~keep
