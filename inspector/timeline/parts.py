"""Execution of a call event by event, for callers that look in between."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from core.cancel import look


def in_parts(driver: Any, call: Any, span: range, stops: Collection[int]) -> Iterator[int]:
    """Executes a call in parts; yields its last event, and those to stop after, each when it has been executed.  Cancelled."""
    at = 0
    for n, event in enumerate(span):
        if event in stops or n + 1 == len(span):
            look()
            whole = call.entry != "DrawPrimitives2" or len(span) == 1
            driver.run(call, span.start, at, None if whole else n + 1)
            at = n + 1
            yield event
