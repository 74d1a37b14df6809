"""A longest common subsequence of two lists of symbols, found in bounded pieces of work so that it can be cancelled.

Few differences are found by the greedy method (E. Myers, "An O(ND) difference algorithm", 1986) and many by halving
(D. Hirschberg, 1975) over rows of bits (M. Crochemore et al., 2001), of which only the words with a match are looked at.
"""

from __future__ import annotations

import numpy as np

from core.errors import Cancelled
from core.jit import njit
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
        raise Cancelled("comparing was cancelled")


def _with_few_differences(a: np.ndarray, b: np.ndarray, cancel: Cancel | None) -> np.ndarray | None:
    """None if there are more than FEW differences."""
    most = min(FEW, len(a) + len(b))
    reach = np.zeros(2 * most + 3, np.int64)
    trace = np.empty((most + 1) * (most + 2) // 2, np.int32)
    for first in range(0, most + 1, ROUNDS):
        _look(cancel)
        differences, diagonal = _greedy(a, b, reach, trace, first, min(first + ROUNDS, most + 1))
        if differences >= 0:
            return _path(len(a), len(b), trace, differences, diagonal)
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
            parts.append(_halving(a, order, starts, b, first, stop, low, high))
            continue
        half = (first + stop) >> 1
        ahead = _lengths(a, first, half, 1, order, starts, low, high, cancel)
        behind = _lengths(a, stop - 1, half - 1, -1, order, starts, low, high, cancel)
        cut = low + int(np.argmax(ahead + behind[::-1]))
        windows += [(half, stop, cut, high), (first, half, low, cut)]
    return np.vstack(parts)


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
        _advance(a, at, end, step, order, starts, low, high, row)
    lengths = np.empty(high - low + 1, np.int64)
    _count(row, high - low, lengths)
    return lengths


@njit
def _greedy(a, b, reach, trace, first, stop):  # type: ignore[no-untyped-def]
    """Rounds first..stop-1, one difference more each: (differences, last diagonal) once the ends are met, else (-1, 0).

    reach: by diagonal, how far a has come; trace: that of every round.
    """
    n, m, middle = len(a), len(b), len(reach) // 2
    for d in range(first, stop):
        for k in range(-d, d + 1, 2):
            if k == -d or (k != d and reach[middle + k - 1] < reach[middle + k + 1]):
                x = reach[middle + k + 1]
            else:
                x = reach[middle + k - 1] + 1
            if d == 0:
                x = 0
            y = x - k
            while x < n and y < m and x >= 0 and y >= 0 and a[x] == b[y]:
                x += 1
                y += 1
            reach[middle + k] = x
            trace[d * (d + 1) // 2 + (k + d) // 2] = x
            if x >= n and y >= m:
                return d, k
    return -1, 0


@njit
def _path(n, m, trace, d, k):  # type: ignore[no-untyped-def]
    """The matches on the way that `_greedy` found, back from its end."""
    out = np.empty((min(n, m), 2), np.int64)
    count, x, y = 0, n, m
    for step in range(d, -1, -1):
        if step == 0:
            from_x, k_before = 0, 0
        else:
            row = (step - 1) * step // 2
            down = k == -step or (
                k != step and trace[row + (k - 1 + step - 1) // 2] < trace[row + (k + 1 + step - 1) // 2]
            )
            k_before = k + 1 if down else k - 1
            came = trace[row + (k_before + step - 1) // 2]
            from_x = came if down else came + 1
        while x > from_x:
            x -= 1
            y -= 1
            count += 1
            out[len(out) - count, 0], out[len(out) - count, 1] = x, y
        if step:
            x = trace[(step - 1) * step // 2 + (k_before + step - 1) // 2]
            y = x - k_before
            k = k_before
    return out[len(out) - count :].copy()


@njit
def _advance(a, first, stop, step, order, starts, low, high, row):  # type: ignore[no-untyped-def]
    """Takes a[first:stop:step] into a row of bits, zero where the length of the subsequence steps up.

    order: positions of b by symbol, starts: where each symbol's begin.  Only b[low:high] counts, from its end if step < 0.
    """
    width, backwards = high - low, step < 0
    words = (width + 63) >> 6
    i = first
    while i != stop:
        symbol = a[i]
        begin, end = starts[symbol], starts[symbol + 1]
        at, last = begin + np.searchsorted(order[begin:end], low), begin + np.searchsorted(order[begin:end], high)
        way = 1
        if backwards:
            at, last, way = last - 1, at - 1, -1
        carry, carried = np.uint64(0), np.int64(-1)
        while at != last:
            place = order[at] - low
            if backwards:
                place = width - 1 - place
            word = place >> 6
            while carry and carried < word:  # a carry runs through words without a match
                total = row[carried] + np.uint64(1)
                row[carried] |= total
                carry = np.uint64(total == 0)
                carried += 1
            matches = np.uint64(0)
            while at != last:
                place = order[at] - low
                if backwards:
                    place = width - 1 - place
                if place >> 6 != word:
                    break
                matches |= np.uint64(1) << np.uint64(place & 63)
                at += way
            value = row[word]
            shared = value & matches
            total = value + shared
            over = np.uint64(total < value)
            total += carry
            over |= np.uint64(total < carry)
            row[word] = total | (value & ~matches)
            carry, carried = over, word + 1
        while carry and carried < words:
            total = row[carried] + np.uint64(1)
            row[carried] |= total
            carry = np.uint64(total == 0)
            carried += 1
        i += step


@njit
def _count(row, width, lengths):  # type: ignore[no-untyped-def]
    """How many steps up there are before each position."""
    lengths[0] = 0
    for j in range(width):
        lengths[j + 1] = lengths[j] + np.int64((row[j >> 6] >> np.uint64(j & 63)) & np.uint64(1) == 0)


@njit
def _halving(a, order, starts, b, first, stop, low, high):  # type: ignore[no-untyped-def]
    """The matches of one window, in one go."""
    out = np.empty((min(stop - first, high - low), 2), np.int64)
    count = 0
    row = np.empty(((high - low) >> 6) + 2, np.uint64)
    ahead, behind = np.empty(high - low + 1, np.int64), np.empty(high - low + 1, np.int64)
    stack = np.empty((256, 4), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = first, stop, low, high
    depth = 1
    while depth:
        depth -= 1
        first, stop, low, high = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
        while first < stop and low < high and a[first] == b[low]:
            out[count, 0], out[count, 1] = first, low
            count += 1
            first += 1
            low += 1
        if first >= stop or low >= high:
            continue
        if stop - first == 1:
            begin, end = starts[a[first]], starts[a[first] + 1]
            at = begin + np.searchsorted(order[begin:end], low)
            if at < end and order[at] < high:
                out[count, 0], out[count, 1] = first, order[at]
                count += 1
            continue
        half = (first + stop) >> 1
        width, best, cut = high - low, -1, 0
        row[: (width + 63) >> 6] = np.uint64(0xFFFFFFFFFFFFFFFF)
        _advance(a, first, half, 1, order, starts, low, high, row)
        _count(row, width, ahead)
        row[: (width + 63) >> 6] = np.uint64(0xFFFFFFFFFFFFFFFF)
        _advance(a, stop - 1, half - 1, -1, order, starts, low, high, row)
        _count(row, width, behind)
        for j in range(width + 1):
            if ahead[j] + behind[width - j] > best:
                best, cut = ahead[j] + behind[width - j], j
        stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = half, stop, low + cut, high
        stack[depth + 1, 0], stack[depth + 1, 1] = first, half
        stack[depth + 1, 2], stack[depth + 1, 3] = low, low + cut
        depth += 2
    return out[:count].copy()
