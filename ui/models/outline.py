"""Events as a tree - frame, driver call, token, record - that is a sorted array of numbers, so that a million rows are cheap.

A row is its first event times four plus its level: the order of the numbers is the order of the tree.  The records of a token
and calls without a stream are events, the leaves; a token is a group if it has several records, a call if it carries a stream.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from inspector.timeline.events import Events

FRAME, CALL, TOKEN, EVENT = range(4)
LEVELS = 4


@dataclass(frozen=True)
class Fold:
    """Which groups are open: by level, but for those (by row number) that are the other way."""

    open: tuple[bool, bool, bool] = (False, True, True)
    others: frozenset[int] = frozenset()

    def is_open(self, key: int) -> bool:
        return self.open[key % LEVELS] != (key in self.others)

    def flipped(self, *keys: int) -> Fold:
        return replace(self, others=self.others ^ frozenset(keys))


UNFOLDED = Fold((True, True, True))
FOLDED = Fold((False, False, False))


@dataclass(frozen=True)
class Groups:
    """Groups of one level: their first events, and the first event after each; int64, ascending."""

    level: int
    first: np.ndarray
    end: np.ndarray

    @property
    def keys(self) -> np.ndarray:
        return self.first * LEVELS + self.level

    def where(self, mask: np.ndarray) -> Groups:
        return Groups(self.level, self.first[mask], self.end[mask])


@dataclass(frozen=True)
class Outline:
    """The tree of a capture's events; `frames`: the first event of each."""

    events: Events
    frames: np.ndarray
    _starts: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        starts = np.array(self.frames, np.int64)
        starts[:1] = 0  # what comes before the first frame belongs to it
        object.__setattr__(self, "_starts", starts)

    def rows(self, fold: Fold, matches: np.ndarray | None = None) -> np.ndarray:
        """int64: all rows that show, of the events `matches` (ascending; None: all) and the groups that hold them."""
        if fold.open[FRAME] or not len(self.events):
            return self._shown(0, len(self.events), fold, matches)
        frames = self._holding(self._frames(0, len(self.events)), matches)
        inside = [self.under(key, fold, matches) for key in sorted(fold.others) if key % LEVELS == FRAME]
        return np.sort(np.concatenate([frames.keys, *inside]), kind="stable")

    def under(self, key: int, fold: Fold, matches: np.ndarray | None = None) -> np.ndarray:
        """The rows that show beneath an open group."""
        rows = self._shown(key // LEVELS, self.end(key), fold, matches)
        return rows[np.searchsorted(rows, key, "right") :]

    def end(self, key: int) -> int:
        """The first event after a row."""
        event, level = divmod(key, LEVELS)
        if level == EVENT:
            return event + 1
        place = int(np.searchsorted(self._starts, event, "right"))
        after = int(self._starts[place]) if place < len(self._starts) else len(self.events)
        if level == FRAME:
            return after
        call = self.events.of_call(int(self.events.rows["call"][event]))
        if level == TOKEN:
            tokens = self.events.rows["token"][event : call.stop]
            return min(event + int(np.searchsorted(tokens, tokens[0], "right")), after)
        return min(call.stop, after)

    def ancestors(self, event: int) -> list[int]:
        """The groups that an event is in, the frame first."""
        frame = int(self._starts[max(int(np.searchsorted(self._starts, event, "right")) - 1, 0)]) if len(self._starts) else 0
        groups, row = [frame * LEVELS + FRAME], self.events.rows[event]
        if row["op"]:
            call = self.events.of_call(int(row["call"]))
            groups.append(call.start * LEVELS + CALL)
            tokens = self.events.rows["token"][call.start : call.stop]
            first, end = (call.start + int(np.searchsorted(tokens, row["token"], side)) for side in ("left", "right"))
            groups += [first * LEVELS + TOKEN] if end - first > 1 else []
        return groups

    def depth(self, key: int) -> int:
        """How far a row is indented."""
        event, level = divmod(key, LEVELS)
        return len(self.ancestors(event)) if level == EVENT else level

    def _shown(self, first: int, end: int, fold: Fold, matches: np.ndarray | None) -> np.ndarray:
        """The rows of the events [first, end) that no closed group hides."""
        if first >= end:
            return np.zeros(0, np.int64)
        levels = (self._frames(first, end), self._calls(first, end), self._tokens(first, end))
        groups = [self._holding(level, matches) for level in levels]
        leaves = np.arange(first, end) if matches is None else _between(matches, first, end)
        keys = np.sort(np.concatenate([*(level.keys for level in groups), leaves * LEVELS + EVENT]), kind="stable")
        depth = np.zeros(len(keys) + 1, np.int32)
        for level in groups:
            closed = level.where(_closed(level, fold))
            np.add.at(depth, np.searchsorted(keys, closed.keys, "right"), 1)
            np.add.at(depth, np.searchsorted(keys, closed.end * LEVELS), -1)
        return keys[np.cumsum(depth[:-1]) == 0]

    def _holding(self, groups: Groups, matches: np.ndarray | None) -> Groups:
        """Those with a match in them."""
        if matches is None:
            return groups
        return groups.where(np.searchsorted(matches, groups.end) > np.searchsorted(matches, groups.first))

    def _frames(self, first: int, end: int) -> Groups:
        ends = np.append(self._starts[1:], len(self.events))
        return Groups(FRAME, self._starts, ends).where((self._starts >= first) & (self._starts < end))

    def _calls(self, first: int, end: int) -> Groups:
        """Calls with a stream."""
        rows, bounds = self.events.rows, self.events.first_of_call
        calls = np.arange(int(rows["call"][first]), int(rows["call"][end - 1]) + 1)
        starts = np.asarray(bounds[calls], np.int64)
        return Groups(CALL, starts, np.asarray(bounds[calls + 1], np.int64)).where((starts >= first) & (rows["op"][starts] > 0))

    def _tokens(self, first: int, end: int) -> Groups:
        """Tokens of several records."""
        rows = self.events.rows[first:end]
        token, call = rows["token"], rows["call"]
        starts = np.flatnonzero(np.append(True, (token[1:] != token[:-1]) | (call[1:] != call[:-1])))
        ends = np.append(starts[1:], end - first)
        return Groups(TOKEN, starts + first, ends + first).where((ends - starts > 1) & (rows["op"][starts] > 0))


def _closed(groups: Groups, fold: Fold) -> np.ndarray:
    """bool per group."""
    others = np.array(sorted(fold.others), np.int64)
    turned = np.isin(groups.keys, others) if len(others) else np.zeros(len(groups.first), bool)
    return turned if fold.open[groups.level] else ~turned


def _between(matches: np.ndarray, first: int, end: int) -> np.ndarray:
    return matches[np.searchsorted(matches, first) : np.searchsorted(matches, end)]
