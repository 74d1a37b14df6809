"""How long work tells how far it is, and how it is told to stop."""

from __future__ import annotations

from collections.abc import Callable

from core.cancel import watched

__all__ = ["Cancel", "Progress", "StillWanted", "watched"]

Progress = Callable[[float, str], object]
"""progress(fraction, sentence); False returned from it cancels the work."""

StillWanted = Callable[[float], bool]
"""still_wanted(fraction); False once nobody wants the result any more."""

Cancel = Callable[[], bool]
"""Asked now and then; True cancels the work, which then raises Cancelled."""
