"""What the program notes while it works: standard logging, to stderr and, for reports of mistakes, the last lines in memory.

    error, warning    what a user should know
    info              files: opened, imported
    debug             questions, seeks and signals, with the milliseconds they took

Modules log to `logging.getLogger(__name__)`; as a library the program sets nothing up.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import BadInput, unknown

LEVELS = ("debug", "info", "warning", "error")
OURS = ("core", "inspector", "ui")
LAST, LONGEST = 300, 300
"""Lines that are kept, and characters of one that are."""
DETAILED = logging.Formatter("%(asctime)s.%(msecs)03d %(levelname)-7s %(name)s: %(message)s", "%H:%M:%S")
PLAIN = logging.Formatter("ddi-inspector: %(message)s")


class ToStderr(logging.Handler):
    """To what sys.stderr is at the time: None in a window without a console."""

    def emit(self, record: logging.LogRecord) -> None:
        if sys.stderr is not None:
            print(self.format(record), file=sys.stderr, flush=True)


class LastLines(logging.Handler):
    """Keeps the last lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=LAST)
        self.setFormatter(DETAILED)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record)[:LONGEST])


LAST_LINES = LastLines()


def begin(level: str | None = None, remember: bool = False) -> None:
    """Logs to stderr from `level` on (None: DDI_INSPECTOR_LOG's, else warnings).

    `remember`: keeps the last lines, of all levels.
    Raises BadInput for a level that does not exist.  Called again, it starts over.
    """
    chosen = level or os.environ.get("DDI_INSPECTOR_LOG") or "warning"
    if chosen.lower() not in LEVELS:
        raise BadInput(unknown("log level", chosen, LEVELS))
    number = getattr(logging, chosen.upper())
    stderr = ToStderr(number)
    stderr.setFormatter(DETAILED if number < logging.WARNING else PLAIN)
    for name in OURS:
        tree = logging.getLogger(name)
        tree.handlers = [stderr, LAST_LINES] if remember else [stderr]
        tree.setLevel(logging.DEBUG if remember else number)


@contextmanager
def timed(log: logging.Logger, text: str, *values: object, level: int = logging.DEBUG) -> Iterator[None]:
    """Logs the text with the milliseconds that what is inside took; also if that raised."""
    if not log.isEnabledFor(level):
        yield
        return
    began, failed = time.perf_counter(), True
    try:
        yield
        failed = False
    finally:
        took = (time.perf_counter() - began) * 1000
        log.log(level, text + (": failed after %.1f ms" if failed else ": %.1f ms"), *values, took)
