"""The compiled half of `subsequence`."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import array, i8, kernel, outlined, stage, types, void

DEPTH = 256  # windows that wait at most while halving goes on


@kernel(types.UniTuple(i8, 2)(array("i8"), array("i8"), array("i8"), array("i4"), i8, i8))
def greedy(a, b, reach, trace, first, stop):
    """Rounds first..stop-1, one difference more each: (differences, last diagonal) once the ends are met, else (-1, 0).

    reach: by diagonal, how far a has come; trace: that of every round.
    """
    n, m, middle = len(a), len(b), len(reach) // 2
    for d in range(first, stop):
        for k in range(-d, d + 1, 2):
            x = _further(reach, middle, d, k)
            y = x - k
            while x < n and y < m and x >= 0 and y >= 0 and a[x] == b[y]:
                x += 1
                y += 1
            reach[middle + k] = x
            trace[d * (d + 1) // 2 + (k + d) // 2] = x
            if x >= n and y >= m:
                return d, k
    return -1, 0


@stage
def _further(reach, middle, d, k):
    """How far a comes on diagonal k by one difference more, the d-th."""
    if d == 0:
        return np.int64(0)
    if k == -d or (k != d and reach[middle + k - 1] < reach[middle + k + 1]):
        return reach[middle + k + 1]
    return reach[middle + k - 1] + 1


@kernel(i8(i8, i8, array("i4"), i8, i8, array("i8", 2)))
def path(n, m, trace, d, k, pairs):
    """Puts the matches on the way that `greedy` found, back from its end, at the end of `pairs`; returns how many."""
    count, x, y = 0, n, m
    for step in range(d, -1, -1):
        k, came, begin = _came_from(trace, step, k)
        while x > begin:
            x -= 1
            y -= 1
            count += 1
            pairs[len(pairs) - count, 0], pairs[len(pairs) - count, 1] = x, y
        x, y = came, came - k
    return count


@stage
def _came_from(trace, step, k):
    """The round before: (its diagonal, how far a had come there, where it was on diagonal k after the difference)."""
    if step == 0:
        return np.int64(0), np.int64(0), np.int64(0)
    row = (step - 1) * step // 2
    down = k == -step or (k != step and trace[row + (k + step - 2) // 2] < trace[row + (k + step) // 2])
    before = k + 1 if down else k - 1
    came = np.int64(trace[row + (before + step - 1) // 2])
    return before, came, came if down else came + 1


@stage
def _place(order, begin, end, value):
    """The first place among order[begin:end], ascending, that holds no less than the value."""
    while begin < end:
        middle = (begin + end) >> 1
        if order[middle] < value:
            begin = middle + 1
        else:
            end = middle
    return begin


@stage
def _carry_on(row, carry, word, end):
    """Adds a carry to the words from there on, as far as it goes, but not to `end`: (the carry, the word it goes to)."""
    while carry != np.uint64(0) and word < end:  # words without a match
        total = row[word] + np.uint64(1)
        row[word] |= total
        carry = np.uint64(1) if total == np.uint64(0) else np.uint64(0)
        word += 1
    return carry, word


@stage
def _matches(order, at, last, step, low, width):
    """The bits of one word in which places at..last (by `step`) match: (the word's number, the bits, the place after them)."""
    word, bits = np.int64(-1), np.uint64(0)
    while at != last:
        place = order[at] - low if step > 0 else width - 1 - (order[at] - low)
        if word >= 0 and place >> 6 != word:
            break
        word = place >> 6
        bits |= np.uint64(1) << np.uint64(place & 63)
        at += step
    return word, bits, at


@outlined
def _advance(a, first, stop, step, order, starts, low, high, row):
    """As `advance`."""
    width = high - low
    words = (width + 63) >> 6
    i = first
    while i != stop:
        begin, end = starts[a[i]], starts[a[i] + 1]
        at, last = _place(order, begin, end, low), _place(order, begin, end, high)
        if step < 0:
            at, last = last - 1, at - 1
        carry, carried = np.uint64(0), np.int64(0)
        while at != last:
            word, matches, at = _matches(order, at, last, step, low, width)
            carry, carried = _carry_on(row, carry, carried, word)
            value = row[word]
            total = value + (value & matches)
            over = total < value
            total += carry
            over = over or total < carry
            row[word] = total | (value & ~matches)
            carry, carried = np.uint64(1) if over else np.uint64(0), word + 1
        _carry_on(row, carry, carried, words)
        i += step


@kernel(void(array("i8"), i8, i8, i8, array("i8"), array("i8"), i8, i8, array("u8")))
def advance(a, first, stop, step, order, starts, low, high, row):
    """Takes a[first:stop:step] (1 or -1) into a row of bits, zero where the length of the subsequence steps up.

    order: positions of b by symbol, starts: where each symbol's begin.  Only b[low:high] counts, from its end if step < 0.
    """
    _advance(a, first, stop, step, order, starts, low, high, row)


@outlined
def _count(row, width, lengths):
    """As `count`."""
    lengths[0] = 0
    for j in range(width):
        up = (row[j >> 6] >> np.uint64(j & 63)) & np.uint64(1) == np.uint64(0)
        lengths[j + 1] = lengths[j] + (np.int64(1) if up else np.int64(0))


@kernel(void(array("u8"), i8, array("i8")))
def count(row, width, lengths):
    """lengths[j]: how many steps up there are before position j."""
    _count(row, width, lengths)


@stage
def _lengths(a, first, stop, step, order, starts, low, high, row, lengths):
    """lengths[j]: of the longest common subsequence of a[first:stop:step] and j elements of b[low:high]."""
    for word in range((high - low + 63) >> 6):
        row[word] = np.uint64(0xFFFFFFFFFFFFFFFF)
    _advance(a, first, stop, step, order, starts, low, high, row)
    _count(row, high - low, lengths)


@stage
def _best(ahead, behind, width):
    """Where to cut b, so that both halves together have the longest subsequences."""
    best, cut = np.int64(-1), np.int64(0)
    for j in range(width + 1):
        if ahead[j] + behind[width - j] > best:
            best, cut = ahead[j] + behind[width - j], np.int64(j)
    return cut


_ROOM = (array("u8"), array("i8"), array("i8"), array("i8", 2), array("i8", 2))


@kernel(i8(array("i8"), array("i8"), array("i8"), array("i8"), i8, i8, i8, i8, *_ROOM))
def halving(a, order, starts, b, first, stop, low, high, row, ahead, behind, stack, pairs):
    """Puts the matches of one window into `pairs`, in one go; returns how many.  row..stack[DEPTH, 4]: room to work."""
    found, depth = 0, 1
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = first, stop, low, high
    while depth:
        depth -= 1
        first, stop, low, high = stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3]
        while first < stop and low < high and a[first] == b[low]:
            pairs[found, 0], pairs[found, 1] = first, low
            found += 1
            first += 1
            low += 1
        if first >= stop or low >= high:
            continue
        if stop - first == 1:
            end = starts[a[first] + 1]
            at = _place(order, starts[a[first]], end, low)
            if at < end and order[at] < high:
                pairs[found, 0], pairs[found, 1] = first, order[at]
                found += 1
            continue
        half = (first + stop) >> 1
        _lengths(a, first, half, 1, order, starts, low, high, row, ahead)
        _lengths(a, stop - 1, half - 1, -1, order, starts, low, high, row, behind)
        cut = _best(ahead, behind, high - low)
        stack[depth, 0], stack[depth, 1], stack[depth, 2], stack[depth, 3] = half, stop, low + cut, high
        stack[depth + 1, 0], stack[depth + 1, 1] = first, half
        stack[depth + 1, 2], stack[depth + 1, 3] = low, low + cut
        depth += 2
    return found
