"""Reports of internal errors: one text file each."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from inspector.log import LAST_LINES
from inspector.versions import versions

MOST = 20
"""Reports that are kept."""


def report(error: BaseException, place: Mapping[str, str]) -> str:
    """The text: what went wrong, where the user was, versions, and the last lines of the log."""
    facts = {"When": time.strftime("%Y-%m-%d %H:%M:%S"), **place, **versions()}
    lines = [f"{name + ':':14} {value}" for name, value in facts.items() if value]
    log = LAST_LINES.lines or ["nothing"]
    return "\n".join(["DDI Inspector made a mistake", "", *lines, "", _trace(error), "", "Log", *log, ""])


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)).rstrip()


def keep(text: str) -> Path:
    """Writes a report next to the caches and removes the oldest.  Raises OSError."""
    from core.folders import user_folder

    folder = user_folder("reports")
    name = time.strftime("mistake-%Y%m%d-%H%M%S")
    path = next(path for n in range(1000) if not (path := folder / f"{name}{f'-{n}' * bool(n)}.txt").exists())
    path.write_text(text, "utf-8", errors="backslashreplace")
    for old in sorted(folder.glob("mistake-*.txt"))[:-MOST]:
        with suppress(OSError):
            old.unlink()
    return path
