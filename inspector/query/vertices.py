"""The vertices of a draw as grids."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver import EmulatedDriver
from inspector.timeline.events import Events


@dataclass(frozen=True, slots=True)
class Grid:
    """Named columns over vertices: `rows` is float64 or object (n, len(columns)); `notes` says what could not be shown."""

    columns: list[str]
    rows: np.ndarray
    notes: list[str] = field(default_factory=list)


def grid(driver: EmulatedDriver, call: DdiCall, events: Events, event: int, which: str) -> Grid:
    """The vertices of the draw at `event`; the device stands just before it."""
    return Grid([], np.zeros((0, 0)), ["this event draws nothing"])
