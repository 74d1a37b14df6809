"""Recycled memory of large arrays: touching new memory costs 2 ms per megabyte, as much as filling it by drawing."""

from __future__ import annotations

import threading
import weakref
from bisect import bisect_left
from collections import deque

import numpy as np

LEAST_WORDS = 1 << 12  # smaller arrays are numpy's
MOST_SPARE_WORDS = 1 << 23  # kept for later; 32 MB
LINE = 16  # words of a cache line

_returned: deque[np.ndarray] = deque()  # finalizers run at any moment: they may only append
_spare: list[np.ndarray] = []  # the shortest first
_spare_words = 0  # of all of them
_most_spare = MOST_SPARE_WORDS
_lock = threading.Lock()


def recycled(words: int) -> np.ndarray:
    """uint32[words], contents unknown, at a cache line; its memory is used again when nothing refers to it any more."""
    if words < LEAST_WORDS:
        return np.empty(words, np.uint32)
    with _lock:
        memory = _take(words)
    start = -memory.__array_interface__["data"][0] // 4 % LINE
    array = np.frombuffer(memory.data, np.uint32)[start : start + words]
    base = array.base  # all views keep this array alive, and none the memory behind it
    assert base is not None
    weakref.finalize(base, _returned.append, memory).atexit = False
    return array


def recycled_bytes(count: int) -> np.ndarray:
    """uint8[count], like recycled."""
    return recycled(-(-count // 4)).view(np.uint8)[:count]


def recycled_copy(array: np.ndarray) -> np.ndarray:
    """A copy of a flat array, like recycled."""
    copy = recycled_bytes(array.nbytes)
    copy[:] = array.view(np.uint8)  # numpy copies records field by field
    return copy.view(array.dtype)


def forget_spare() -> None:
    """Gives the system back what is kept for later."""
    global _spare_words
    with _lock:
        _returned.clear()
        _spare.clear()
        _spare_words = 0


def keep_spare(words: int = 0) -> None:
    """From now on so much may be kept for later: more than usual while what goes makes room for its like."""
    global _most_spare
    with _lock:
        _most_spare = max(words, MOST_SPARE_WORDS)
        _settle()


def _size(memory: np.ndarray) -> int:
    return memory.size


def _take(words: int) -> np.ndarray:
    """Memory for this many words, spare or new."""
    global _spare_words
    _settle()
    needed = words + LINE
    place = bisect_left(_spare, needed, key=_size)
    if place < len(_spare) and _spare[place].size <= 2 * needed:
        _spare_words -= _spare[place].size
        return _spare.pop(place)
    return np.empty(needed + needed // 8, np.uint32)


def _settle() -> None:
    """What came back is spare, the shortest of it goes where that is too much."""
    global _spare_words
    while _returned:
        returned = _returned.popleft()
        _spare.insert(bisect_left(_spare, returned.size, key=_size), returned)
        _spare_words += returned.size
    while _spare_words > _most_spare:
        _spare_words -= _spare.pop(0).size
