"""Alignment: the longest common subsequence of two lists of signatures.

Ends that are equal are taken off, symbols that only one side has are left out; then few differences are found by the greedy
method (E. Myers, "An O(ND) difference algorithm", 1986) and many by halving (D. Hirschberg, 1975) over rows of bits
(M. Crochemore et al., 2001), of which only the words with a match are looked at.  The result is a longest one, always.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit import njit

FEW = 1500  # differences that the greedy method looks for; it remembers FEW**2 / 2 numbers


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two lists side by side: rows of positions, -1 where a list has nothing to say.  int64[n] each, both ascending.

    `same`: bool[n], whether both sides are there and equal.
    """

    a: np.ndarray
    b: np.ndarray
    same: np.ndarray

    def __len__(self) -> int:
        return len(self.a)

    @property
    def equal(self) -> bool:
        """Whether the lists do not differ."""
        return bool(self.same.all())

    @property
    def first_difference(self) -> int | None:
        """The first row that differs."""
        rows = np.flatnonzero(~self.same)
        return int(rows[0]) if len(rows) else None


def align(a: np.ndarray, b: np.ndarray, kinds_a: np.ndarray | None = None, kinds_b: np.ndarray | None = None) -> Alignment:
    """The alignment of two uint64 lists.

    Between equal elements, those of one side stand beside those of the other when they are of one kind, in order: changed
    elements rather than removed and added ones.
    """
    pairs = common(a, b)
    edges = np.vstack([pairs, [[len(a), len(b)]]])
    rows_a, rows_b = [], []
    at_a, at_b = 0, 0
    gaps = np.flatnonzero((edges[:, 0] != np.append(0, edges[:-1, 0] + 1)) | (edges[:, 1] != np.append(0, edges[:-1, 1] + 1)))
    for gap in gaps.tolist():
        end_a, end_b = edges[gap].tolist()
        before = int(edges[gap - 1, 0]) + 1 if gap else 0, int(edges[gap - 1, 1]) + 1 if gap else 0
        rows_a.append(np.arange(at_a, before[0]))
        rows_b.append(np.arange(at_b, before[1]))
        between = _beside(np.arange(before[0], end_a), np.arange(before[1], end_b), kinds_a, kinds_b)
        rows_a.append(between[0])
        rows_b.append(between[1])
        at_a, at_b = end_a, end_b
    rows_a.append(np.arange(at_a, len(a)))
    rows_b.append(np.arange(at_b, len(b)))
    left, right = np.concatenate(rows_a).astype(np.int64), np.concatenate(rows_b).astype(np.int64)
    both = (left >= 0) & (right >= 0)
    same = both.copy()
    same[both] = a[left[both]] == b[right[both]]
    return Alignment(left, right, same)


def _beside(a: np.ndarray, b: np.ndarray, kinds_a: np.ndarray | None, kinds_b: np.ndarray | None) -> tuple:
    """Positions that have no equal on the other side, one row each or, of one kind, two to a row."""
    if kinds_a is None or kinds_b is None or not len(a) or not len(b):
        return np.append(a, np.full(len(b), -1)), np.append(np.full(len(a), -1), b)
    pairs = common(kinds_a[a].astype(np.uint64), kinds_b[b].astype(np.uint64))
    left, right, at_a, at_b = [], [], 0, 0
    for i, j in [*pairs.tolist(), [len(a), len(b)]]:
        left += [*a[at_a:i].tolist(), *[-1] * (j - at_b), *a[i : i + 1].tolist()]
        right += [*[-1] * (i - at_a), *b[at_b:j].tolist(), *b[j : j + 1].tolist()]
        at_a, at_b = i + 1, j + 1
    return np.array(left, np.int64), np.array(right, np.int64)


def common(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A longest common subsequence of two lists: int64[n, 2] of positions, ascending."""
    head = _prefix(a, b)
    tail = _prefix(a[head:][::-1], b[head:][::-1])
    start = np.repeat(np.arange(head)[:, None], 2, 1)
    end = np.stack([np.arange(len(a) - tail, len(a)), np.arange(len(b) - tail, len(b))], 1)
    return np.vstack([start, head + _middle(a[head : len(a) - tail], b[head : len(b) - tail]), end]).astype(np.int64)


def _prefix(a: np.ndarray, b: np.ndarray) -> int:
    """How many elements are equal at the beginning."""
    short = min(len(a), len(b))
    differing = np.flatnonzero(a[:short] != b[:short])
    return int(differing[0]) if len(differing) else short


def _middle(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """`common` without equal ends: of the elements that both sides have."""
    symbols, numbers = np.unique(np.concatenate([a, b]), return_inverse=True)
    numbers = numbers.astype(np.int64)
    left, right = numbers[: len(a)], numbers[len(a) :]
    in_a, in_b = (np.bincount(side, minlength=len(symbols)) > 0 for side in (left, right))
    keep_a, keep_b = np.flatnonzero(in_b[left]), np.flatnonzero(in_a[right])
    if not len(keep_a) or not len(keep_b):
        return np.zeros((0, 2), np.int64)
    left, right = left[keep_a], right[keep_b]
    found = _greedy(left, right, min(FEW, len(left) + len(right)))
    if found[0, 0] < 0:
        order = np.argsort(right, kind="stable")
        starts = np.searchsorted(right[order], np.arange(len(symbols) + 1))
        found = _halving(left, right, order, starts)
    return np.stack([keep_a[found[1:, 0]], keep_b[found[1:, 1]]], 1)


@njit
def _greedy(a, b, most):  # type: ignore[no-untyped-def]
    """Rows 1..: the matches, if there are at most `most` differences; row 0 is (-1, -1) if there are more."""
    n, m = len(a), len(b)
    reach = np.zeros(2 * most + 3, np.int64)  # by diagonal: how far a has come
    trace = np.empty((most + 1) * (most + 2) // 2, np.int32)
    middle, last, found = most + 1, -1, False
    for d in range(most + 1):
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
                last, found = k, True
                break
        if found:
            break
    out = np.full((min(n, m) + 1, 2), -1, np.int64)
    if not found:
        return out[:1]
    out[0, 0] = 0
    count, x, y, k = 0, n, m, last
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
    kept = np.empty((count + 1, 2), np.int64)
    kept[0] = 0
    kept[1:] = out[len(out) - count :]
    return kept


@njit
def _lengths(a, first, stop, step, order, starts, low, high, backwards, row, lengths):  # type: ignore[no-untyped-def]
    """lengths[j]: of the longest common subsequence of a[first:stop:step] and j elements of b[low:high] (from its end if
    `backwards`).  `row`: uint64 words, zero bits are steps of the lengths."""
    width = high - low
    words = (width + 63) >> 6
    row[:words] = np.uint64(0xFFFFFFFFFFFFFFFF)
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
    lengths[0] = 0
    for j in range(width):
        lengths[j + 1] = lengths[j] + np.int64((row[j >> 6] >> np.uint64(j & 63)) & np.uint64(1) == 0)


@njit
def _halving(a, b, order, starts):  # type: ignore[no-untyped-def]
    """Rows 1..: the matches.  `order`: positions of b by symbol, `starts`: where each symbol's begin."""
    n, m = len(a), len(b)
    out = np.empty((min(n, m) + 1, 2), np.int64)
    out[0] = 0
    count = 1
    row = np.empty((m >> 6) + 2, np.uint64)
    ahead, behind = np.empty(m + 1, np.int64), np.empty(m + 1, np.int64)
    stack = np.empty((256, 4), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, n, 0, m
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
        _lengths(a, first, half, 1, order, starts, low, high, False, row, ahead)
        _lengths(a, stop - 1, half - 1, -1, order, starts, low, high, True, row, behind)
        width, best, cut = high - low, -1, 0
        for j in range(width + 1):
            if ahead[j] + behind[width - j] > best:
                best, cut = ahead[j] + behind[width - j], j
        stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = half, stop, low + cut, high
        stack[depth + 1, 0], stack[depth + 1, 1] = first, half
        stack[depth + 1, 2], stack[depth + 1, 3] = low, low + cut
        depth += 2
    return out[:count]
