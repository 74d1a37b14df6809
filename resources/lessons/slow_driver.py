"""A driver that never says DDERR_WASSTILLDRAWING: it accepts any number of frames before the first of them is shown."""

from __future__ import annotations

from core.ddi.driver.clock import ModelledClock
from core.ddi.driver.emulated import EmulatedDriver


class EndlessQueue(ModelledClock):
    """Work takes time, and the queue is never full."""

    def queue_full(self, source: int) -> bool:
        return False


def driver(broken: bool) -> EmulatedDriver:
    """A driver whose work takes time; broken: with a queue that has no end."""
    made = EmulatedDriver(clock="modelled")
    if broken:
        made.clock = EndlessQueue()
    return made
