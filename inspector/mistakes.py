"""Reports of internal errors and of crashes: one text file each.

A crash ends the process before anything can be written, but for what Python's faulthandler writes to CRASH: the threads and
what they were executing.  The next start makes the report of it.
"""

from __future__ import annotations

import faulthandler
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from inspector.log import LAST_LINES, log_file
from inspector.versions import versions

MOST = 20
"""Reports that are kept."""
CRASH, LOG_LINES = "crash.trace", 40
ENDED = "None: the system or the user ended the process."
_WATCHED: list[TextIO] = []


def report(error: BaseException, place: Mapping[str, str]) -> str:
    """The text: what went wrong, where the user was, versions, and the last lines of the log."""
    now = time.strftime("%Y-%m-%d %H:%M:%S")
    return _written("Internal error in DDI Inspector", {"When": now, **place}, _trace(error), LAST_LINES.lines)


def crash_report(place: Mapping[str, str]) -> str:
    """The same of the run before this one, which did not end as it should.  Raises OSError."""
    trace = (_folder() / CRASH).read_text("utf-8", errors="replace").strip() if (_folder() / CRASH).exists() else ""
    lines = log_file().read_text("utf-8", errors="replace").splitlines() if log_file().exists() else []
    return _written("DDI Inspector crashed", place, trace or ENDED, lines[-LOG_LINES:])


def watch_for_crashes() -> None:
    """From now on what Python knows of a crash of this process is written down.  Raises OSError."""
    stream = (_folder() / CRASH).open("w", encoding="utf-8")
    faulthandler.enable(stream)
    for before in _WATCHED:
        before.close()
    _WATCHED[:] = [stream]  # open as long as the process lives


def _written(title: str, place: Mapping[str, str], trace: str, log: Sequence[str]) -> str:
    facts = {**place, **versions()}
    lines = [f"{name + ':':14} {value}" for name, value in facts.items() if value]
    return "\n".join([title, "", *lines, "", trace, "", "Log", *(log or ["nothing"]), ""])


def _folder() -> Path:
    from core.folders import user_folder

    return user_folder("reports")


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)).rstrip()


def keep(text: str) -> Path:
    """Writes a report next to the caches and removes the oldest.  Raises OSError."""
    folder = _folder()
    name = time.strftime("mistake-%Y%m%d-%H%M%S")
    path = next(path for n in range(1000) if not (path := folder / f"{name}{f'-{n}' * bool(n)}.txt").exists())
    path.write_text(text, "utf-8", errors="backslashreplace")
    for old in sorted(folder.glob("mistake-*.txt"))[:-MOST]:
        with suppress(OSError):
            old.unlink()
    return path
