"""The roads of docs/architecture.md: the functions that a piece of work enters, in order."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_HEADING = re.compile(r"^## (.*)$", re.M)
_ROW = re.compile(r"^\| `([\w/]+\.py)` \| `([\w.]+)` \|", re.M)
Step = tuple[str, str]


def roads(page: str) -> dict[str, list[Step]]:
    """Heading -> the (file, function) of the table below it."""
    parts = _HEADING.split(page)
    return {title: _ROW.findall(text) for title, text in zip(parts[1::2], parts[2::2], strict=True)}


def entered(work: Callable[[], Any]) -> list[Step]:
    """The project's functions that the work calls in this thread, each once, in the order of first calls."""
    found: dict[Step, None] = {}
    prefix = f"{ROOT}/"

    def look(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(prefix):
            found.setdefault((code.co_filename[len(prefix) :], code.co_qualname))

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return list(found)


def out_of_order(road: list[Step], steps: list[Step]) -> list[Step]:
    """What of a road the steps lack, or have before what should come before it."""
    wrong, last = [], -1
    for step in road:
        place = steps.index(step) if step in steps else -1
        if place < last or place < 0:
            wrong.append(step)
        last = max(last, place)
    return wrong
