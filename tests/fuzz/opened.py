"""Captures of the resources, opened once for many questions."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

import inspector
from tests.conftest import ROOT

CAPTURES = {path.stem: path for path in (
    ROOT / "resources" / "room.ddicap", *sorted((ROOT / "resources" / "samples").glob("*.ddicap")))}  # fmt: skip
NAMES = tuple(CAPTURES)


@cache
def capture(name: str) -> inspector.Capture:
    return inspector.open(CAPTURES[name])


def within(seconds: float) -> Callable[[], bool]:
    """Cancels after so long: what it stops is stopped as a user would, and one that does not stop is a defect."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end
