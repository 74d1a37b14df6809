"""Returns the memory of closed captures to the system, instead of keeping it until another capture fits.

Arrays of all sizes come and go between small things that stay; what lies free between those the C library keeps, tens of
megabytes more after each capture until it levels off.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache

from core.pipeline.records.recycle import forget_spare


def give_back() -> None:
    """Large arrays that are kept for later draws, and what the C library holds free.  Takes milliseconds; from any thread."""
    forget_spare()
    _trim()()


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
