"""Progress of long work, and how it is stopped."""

from __future__ import annotations

from collections.abc import Callable

from core.cancel import watched

__all__ = ["Cancel", "Progress", "StillWanted", "watched"]

Progress = Callable[[float, str], object]
"""progress(fraction, sentence); False returned from it cancels the work."""

StillWanted = Callable[[float], bool]
"""still_wanted(fraction); False once the result is no longer wanted."""

Cancel = Callable[[], bool]
"""Asked now and then; True cancels the work, which then raises Cancelled."""
