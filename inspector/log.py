"""The program's log: standard logging, to stderr and, for error reports, the last lines in memory.

    error, warning    what a user should know
    info              files: opened, imported
    debug             questions, seeks and signals, with the milliseconds they took

The window also logs to a file, from `info` on: on Windows its program has no console, and sys.stdout and sys.stderr are None.

Modules log to `logging.getLogger(__name__)`; as a library the program sets nothing up.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import BadInput, unknown

LEVELS = ("debug", "info", "warning", "error")
OURS = ("core", "inspector", "ui")
LOG_BYTES = 1 << 20
LAST, LONGEST = 300, 300
"""Lines that are kept, and characters of one that are."""
DETAILED = logging.Formatter("%(asctime)s.%(msecs)03d %(levelname)-7s %(name)s: %(message)s", "%H:%M:%S")
IN_FILE = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
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
OPEN_FILES: list[logging.FileHandler] = []
"""At most one."""


def log_file() -> Path:
    """Where the window logs to.  Raises OSError if there is no folder for it."""
    from core.folders import user_folder

    return user_folder("logs") / "window.log"


def shorten_log_file() -> Path:
    """The log file; what is in it moves to another one once it is long.  Raises OSError."""
    path = log_file()
    with suppress(OSError):  # on Windows: another window has it open
        if path.exists() and path.stat().st_size > LOG_BYTES:
            path.replace(path.with_suffix(".old.log"))
    return path


def to_file() -> list[logging.Handler]:
    """Writes to the log file, at its end; nothing where that is not possible."""
    for old in OPEN_FILES:
        old.close()
    OPEN_FILES.clear()
    with suppress(OSError):
        handler = logging.FileHandler(shorten_log_file(), encoding="utf-8", errors="backslashreplace")
        handler.setLevel(logging.INFO)
        handler.setFormatter(IN_FILE)
        OPEN_FILES.append(handler)
    return [*OPEN_FILES]


def replace_missing_streams() -> None:
    """What is printed goes to the log file where there is no console; so does what Python says when it crashes."""
    if sys.stdout is not None and sys.stderr is not None:
        return
    import faulthandler

    try:
        stream = shorten_log_file().open("a", buffering=1, encoding="utf-8", errors="backslashreplace")
    except OSError:
        return
    sys.stdout, sys.stderr = sys.stdout or stream, sys.stderr or stream
    faulthandler.enable(stream)


def begin(level: str | None = None, remember: bool = False) -> None:
    """Logs to stderr from `level` on (None: DDI_INSPECTOR_LOG's, else warnings).

    `remember`: keeps the last lines, of all levels, and writes the log file.
    Raises BadInput for a level that does not exist.  Called again, it starts over.
    """
    chosen = level or os.environ.get("DDI_INSPECTOR_LOG") or "warning"
    if chosen.lower() not in LEVELS:
        raise BadInput(unknown("log level", chosen, LEVELS))
    number = getattr(logging, chosen.upper())
    stderr = ToStderr(number)
    stderr.setFormatter(DETAILED if number < logging.WARNING else PLAIN)
    kept = [LAST_LINES, *to_file()] if remember else []
    for name in OURS:
        tree = logging.getLogger(name)
        tree.handlers = [stderr, *kept]
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
