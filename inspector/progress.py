"""Progress of long work, and how it is stopped."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

from core.cancel import look, watched

__all__ = ["Cancel", "Progress", "StillWanted", "done", "spans", "watched"]

PIECE = 1 << 20  # rows that are worked on between two looks at Stop: tens of milliseconds for most columns

Result = TypeVar("Result")
Progress = Callable[[float, str], object]
"""progress(fraction, sentence); False returned from it cancels the work."""

StillWanted = Callable[[float], bool]
"""still_wanted(fraction); False once the result is no longer wanted."""

Cancel = Callable[[], bool]
"""Asked now and then; True cancels the work, which then raises Cancelled."""


def spans(count: int, size: int = PIECE) -> Iterator[slice]:
    """0..count-1 in slices of at most `size`, with a look at Stop before each."""
    for start in range(0, count, size):
        look()
        yield slice(start, min(start + size, count))


def done(pieces: Generator[Any, None, Result]) -> Result:
    """What work that is done piece by piece returns in the end."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            result: Result = end.value
            return result
