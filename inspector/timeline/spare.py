"""Returns the memory of closed captures to the system, instead of keeping it until another capture fits.

Arrays of all sizes come and go between small things that stay; what lies free between those the C library keeps, tens of
megabytes more after each capture until it levels off.  And it keeps it by thread: what one has freed, another does not use.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache

from core.pipeline.records.recycle import forget_spare
from inspector.timeline.mapped import forget_pages

M_ARENA_MAX = -8
"""Of glibc's malloc.h."""


def give_back() -> None:
    """Large arrays that are kept for later draws, pages of keyframes that were read, and what the C library holds free.

    Takes milliseconds; from any thread.
    """
    forget_spare()
    forget_pages()
    _trim()()


def share_one_heap() -> bool:
    """Has all threads allocate from one heap; to be called before there are threads.  False where there is no such choice.

    Drawing allocates little, and large arrays one at a time: waiting for each other costs these threads nothing.
    """
    if sys.platform != "linux":
        return False
    try:
        library = ctypes.CDLL(None)
        assert library.gnu_get_libc_version, "another C library may mean something else by the number"
        return bool(library.mallopt(M_ARENA_MAX, 1))
    except (OSError, AttributeError):
        return False


@cache
def _trim() -> Callable[[], object]:
    """What makes the C library give back free memory: malloc_trim of glibc; others keep little, and have no such thing."""
    if sys.platform == "linux":
        try:
            trim = ctypes.CDLL(None).malloc_trim
        except (OSError, AttributeError):
            return lambda: None
        trim.argtypes = [ctypes.c_size_t]
        return lambda: trim(0)
    return lambda: None
