"""The recorder: a driver that records its calls and their results."""

from __future__ import annotations

from typing import Protocol

from core.ddi.calls import DdiCall, Driver


class Writer(Protocol):
    """Where calls are written down: a TapeWriter, a MemoryTape."""

    def append(self, call: DdiCall) -> None: ...


class Recorder:
    """Stands in front of a driver.  Killing the process loses at most the writer's last batch.

    with TapeWriter("mine.ddicap") as writer:
        driver = Recorder(EmulatedDriver(), writer)
        d3d = Direct3DCreate8(driver, source_sink=writer.append_calls, pointer_sink=writer.add_pointer)
        ...
        finish(d3d)
    """

    def __init__(self, driver: Driver, writer: Writer) -> None:
        self._execute, self._append = driver.call, writer.append

    def call(self, call: DdiCall) -> DdiCall:
        """Has the driver execute the call and writes it down with its result."""
        answered = self._execute(call)
        self._append(answered)
        return answered
