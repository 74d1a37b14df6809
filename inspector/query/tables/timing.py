"""The duration of our own replay, draw by draw: slow to look at, and a hint at slow to draw."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import Cancelled
from inspector.progress import Cancel
from inspector.timeline.budgets import usual_threads
from inspector.timeline.parts import in_parts
from inspector.timeline.primitives import primitive_counts

if TYPE_CHECKING:
    from inspector.capture import Capture

TIMING = np.dtype([("event", "i8"), ("frame", "i8"), ("primitives", "i8"), ("seconds", "f8")])


@dataclass(frozen=True)
class Timing:
    """Carries the whole capture out and measures each draw, wall-clock: TIMING rows in order.

    A draw counts with the tokens and calls between the draw before it and itself.  `threads` None: as usual.  The figures are
    this machine's and differ from run to run; those of Statistics (`cost_us`) are a model and do not.
    """

    threads: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> np.ndarray:
        """Raises Cancelled."""
        driver = capture.driver(self.threads or usual_threads())
        rows = np.zeros(len(capture.draws), TIMING)
        rows["event"] = capture.draws
        rows["frame"] = np.searchsorted(capture.timeline.starts, capture.draws, side="right") - 1
        rows["primitives"] = primitive_counts(capture.events, capture.draws)
        stops = {event: n for n, event in enumerate(capture.draws.tolist())}
        began = time.perf_counter()
        for number, call in enumerate(capture.calls):
            if cancel and cancel():
                raise Cancelled("timing cancelled")
            for event in in_parts(driver, call, capture.events.of_call(number), stops.keys()):
                if event in stops:
                    driver.device.flush()
                    now = time.perf_counter()
                    rows["seconds"][stops[event]], began = now - began, now
        return rows
