"""Keyframes: device snapshots along the tape, as many as the budget allows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from core.ddi.driver.emulated import Snapshot
from inspector.timeline.budgets import Budgets, Room
from inspector.timeline.held import Held, Piece

PREPARED = 256
"""Keyframes made in advance."""


def made_ahead(frames: Sequence[int]) -> list[int]:
    """Of the positions at which frames begin, those that get a keyframe in advance: evenly along the tape, the first ones far
    apart."""
    places = frames[:: max(-(-len(frames) // PREPARED), 1)]
    return [places[n] for n in sorted(range(len(places)), key=lambda n: f"{n:08b}"[::-1])]


class Keyframes:
    """Snapshots by position.  `size` is what all of them hold together: arrays that several share count once.

    The latest is where one looks: it is the last to go.
    """

    def __init__(self, first: int, state: Snapshot, room: Budgets | Room, everything: Held | None = None) -> None:
        """The one at `first` is never dropped.  `everything`: what keyframes and others hold together."""
        self._first, self._room = first, room
        self._states: dict[int, Snapshot] = {}
        self._small: set[int] = set()
        self._latest = first
        self._held, self._everything = Held(), everything or Held()
        self.keep(first, state)

    @property
    def size(self) -> int:
        """Bytes."""
        return self._held.size

    def __contains__(self, position: int) -> bool:
        return position in self._states

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, position: int) -> Snapshot:
        return self._states[position]

    def before(self, target: int) -> int:
        """The last position that is not after `target`."""
        places = sorted(self._states)
        return places[bisect_right(places, target) - 1]

    def is_small(self, position: int) -> bool:
        """Whether there is a small one."""
        return position in self._small

    def keep(self, position: int, state: Snapshot, rest: Sequence[Piece] = ()) -> None:
        """One more, or instead of the one there; others go if together they hold more than the budget.

        rest: what it holds but arrays; of a small one, whose arrays lie in a file (inspector.timeline.alike).
        """
        if position in self._states:
            self._drop(position)
        self._states[position], self._latest = state, position
        pieces = [*state.arrays(), *rest]
        self._held.hold(position, pieces)
        self._everything.hold(position, pieces)
        if rest:
            self._small.add(position)
        self.fit()

    def fit(self) -> None:
        """Drops some if together they hold more than the budget, which changes with those who share it."""
        budget = self._room.keyframes
        self.thin(lambda: self.size <= budget)

    def thin(self, fits: Callable[[], bool]) -> None:
        """Drops some until it fits, or two are left."""
        while len(self._states) > 2 and not fits():
            position = self._most_crowded()
            if position in self._small and self._latest not in self._small:
                break  # the latest alone is too large: others hardly matter
            self._drop(position)

    def clear(self) -> None:
        """Drops all but the first."""
        for position in [position for position in self._states if position != self._first]:
            self._drop(position)

    def _most_crowded(self) -> int:
        """The one whose neighbours are closest to each other: keyframes thin out evenly.  The end counts as a neighbour.

        Small ones, which leave little room, only where no others are left.
        """
        places = sorted(self._states)
        after = [*places[1:], 2 * places[-1] - places[-2]]
        gaps = {b: c - a for a, b, c in zip(places, places[1:], after[1:], strict=False) if b != self._latest}
        return min(gaps, key=lambda position: (position in self._small, gaps[position]))

    def _drop(self, position: int) -> None:
        del self._states[position]
        self._small.discard(position)
        self._held.drop(position)
        self._everything.drop(position)
