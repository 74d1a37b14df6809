"""Memory that is used again, but never while somebody looks at it."""

from __future__ import annotations

import numpy as np

from core.pipeline.records import recycle
from core.pipeline.records.recycle import LEAST_WORDS, MOST_SPARE_WORDS, keep_spare, recycled, recycled_bytes, recycled_copy

WORDS = 10 * LEAST_WORDS + 12345
LARGE = MOST_SPARE_WORDS * 3 // 4  # as much as is kept, and longer than what else is: that goes first; never touched


def test_arrays_begin_at_a_cache_line():
    assert all(recycled(WORDS + n).ctypes.data % 64 == 0 for n in range(3))


def test_memory_that_nothing_refers_to_is_used_again():
    first = recycled(LARGE)
    place = first.ctypes.data
    del first
    assert recycled(LARGE).ctypes.data == place


def test_more_is_kept_while_what_goes_makes_room_for_its_like():
    """Two arrays of more than is kept otherwise; what is beyond that goes at the end."""
    arrays = [recycled(LARGE), recycled(LARGE)]
    places = {array.ctypes.data for array in arrays}
    keep_spare(4 * LARGE)
    try:
        arrays.clear()
        arrays += [recycled(LARGE), recycled(LARGE)]
        assert {array.ctypes.data for array in arrays} == places
        arrays.clear()
    finally:
        keep_spare()
    assert 0 < recycle._spare_words <= MOST_SPARE_WORDS


def test_a_view_keeps_its_memory():
    array = recycled(WORDS)
    array[:] = 7
    view = array[100:200].view(np.uint8).reshape(-1, 4)[::2]
    del array
    others = [recycled(WORDS) for _ in range(3)]
    for other in others:
        other[:] = 9
    assert (view.view(np.uint32) == 7).all()


def test_copies_and_bytes():
    source = np.arange(WORDS, dtype=np.uint32)
    copy = recycled_copy(source)
    source[:] = 0
    assert copy.dtype == np.uint32 and np.array_equal(copy, np.arange(WORDS))
    assert recycled_bytes(WORDS).nbytes == WORDS and recycled(3).nbytes == 12
