"""A longest common subsequence of two lists of symbols, found in bounded steps so that it can be cancelled.

Few differences are found by the greedy method (E. Myers, "An O(ND) difference algorithm", 1986) and many by halving
(D. Hirschberg, 1975) over rows of bits (M. Crochemore et al., 2001), of which only the words with a match are looked at.
"""

from __future__ import annotations

import numpy as np

from core.errors import Cancelled
from inspector.query.comparison.subsequence_kernels import DEPTH, advance, count, greedy, halving, path
from inspector.timeline.replay import Cancel

FEW = 1500  # differences that the greedy method looks for; it remembers FEW**2 / 2 numbers
ROUNDS = 50  # of the greedy method between two looks at `cancel`
CELLS = 1 << 27  # elements of a times elements of b: some 60 ms between two looks at `cancel`


def longest(a: np.ndarray, b: np.ndarray, symbols: int, cancel: Cancel | None = None) -> np.ndarray:
    """int64[n, 2]: positions of equal elements, ascending.  a, b: int64 below `symbols`.  Raises Cancelled."""
    found = _with_few_differences(a, b, cancel)
    return _with_many(a, b, symbols, cancel) if found is None else found


def _look(cancel: Cancel | None) -> None:
    if cancel and cancel():
        raise Cancelled("comparison cancelled")


def _with_few_differences(a: np.ndarray, b: np.ndarray, cancel: Cancel | None) -> np.ndarray | None:
    """None if there are more than FEW differences."""
    most = min(FEW, len(a) + len(b))
    reach = np.zeros(2 * most + 3, np.int64)
    trace = np.empty((most + 1) * (most + 2) // 2, np.int32)
    for first in range(0, most + 1, ROUNDS):
        _look(cancel)
        differences, diagonal = greedy(a, b, reach, trace, first, min(first + ROUNDS, most + 1))
        if differences >= 0:
            pairs = np.empty((min(len(a), len(b)), 2), np.int64)
            return pairs[len(pairs) - path(len(a), len(b), trace, differences, diagonal, pairs) :]
    return None


def _with_many(a: np.ndarray, b: np.ndarray, symbols: int, cancel: Cancel | None) -> np.ndarray:
    """Halves a until a window a[first:stop] x b[low:high] is a piece of work."""
    order = np.argsort(b, kind="stable")
    starts = np.searchsorted(b[order], np.arange(symbols + 1))
    parts, windows = [np.zeros((0, 2), np.int64)], [(0, len(a), 0, len(b))]
    while windows:
        _look(cancel)
        first, stop, low, high = windows.pop()
        if (stop - first) * (high - low) <= CELLS or stop - first < 2:
            parts.append(_in_one_go(a, order, starts, b, first, stop, low, high))
            continue
        half = (first + stop) >> 1
        ahead = _lengths(a, first, half, 1, order, starts, low, high, cancel)
        behind = _lengths(a, stop - 1, half - 1, -1, order, starts, low, high, cancel)
        cut = low + int(np.argmax(ahead + behind[::-1]))
        windows += [(half, stop, cut, high), (first, half, low, cut)]
    return np.vstack(parts)


def _in_one_go(
    a: np.ndarray, order: np.ndarray, starts: np.ndarray, b: np.ndarray, first: int, stop: int, low: int, high: int
) -> np.ndarray:  # fmt: skip
    """The matches of one window: int64[n, 2]."""
    width, pairs = high - low, np.empty((min(stop - first, high - low), 2), np.int64)
    row, lengths = np.empty((width >> 6) + 2, np.uint64), np.empty((2, width + 1), np.int64)
    stack = np.empty((DEPTH, 4), np.int64)
    return pairs[: halving(a, order, starts, b, first, stop, low, high, row, *lengths, stack, pairs)]


def _lengths(
    a: np.ndarray, first: int, stop: int, step: int, order: np.ndarray, starts: np.ndarray, low: int, high: int,
    cancel: Cancel | None,
) -> np.ndarray:  # fmt: skip
    """[j]: of the longest common subsequence of a[first:stop:step] and j elements of b[low:high], from its end if step < 0."""
    row = np.full(((high - low) >> 6) + 2, ~np.uint64(0))
    rows = max(CELLS // (high - low), 1)
    for at in range(first, stop, step * rows):
        _look(cancel)
        end = min(at + rows, stop) if step > 0 else max(at - rows, stop)
        advance(a, at, end, step, order, starts, low, high, row)
    lengths = np.empty(high - low + 1, np.int64)
    count(row, high - low, lengths)
    return lengths
