"""A capture followed event by event with a device of its own: what answers about state are measured against."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.device.registers.vector import WriteLog


def steps(capture: inspector.Capture, driver: EmulatedDriver) -> Iterator[int]:
    """Every event, just after the driver has carried it out."""
    for number, call in enumerate(capture.calls):
        span = capture.events.of_call(number)
        if capture.events.op[span.start]:
            for event in span:
                driver.run(call, span.start, event - span.start, event - span.start + 1)
                yield event
        else:
            driver.call(call)
            yield span.start


def followed(capture: inspector.Capture) -> tuple[list[np.ndarray], list[set[int]]]:
    """(register vector after each event, slots that each event wrote); captures of one context."""
    driver = EmulatedDriver(draws=False)
    vectors, written = [], []
    log = WriteLog()
    for _ in steps(capture, driver):
        registers = driver.device.registers
        vectors.append(registers.vector.copy())
        written.append(set((log.keys >> np.uint64(32)).tolist()) if registers.log is log else set(range(len(registers.vector))))
        log.clear()
        registers.log = log
    return vectors, written
