"""Foreign tapes (apitrace) -> DDI calls, through core.runtime.

    open_tape(path)                 a `.ddicap` as it is, a trace by way of the cache: a Tape
    import_trace(path, writer)      a trace into a TapeWriter

A trace arrives in pieces (`containers`), becomes columns of whole calls (`stream`), which the runtime turns into DDI calls and
`condense` into what the tape keeps of them.  Nothing here knows what a Direct3D call does.
"""

from __future__ import annotations

from pathlib import Path

from core.errors import TraceError
from inspector.imports.apitrace import Import, import_trace
from inspector.imports.cache import open_trace
from inspector.imports.stream import Cancel, Progress
from inspector.tape import Tape

__all__ = ["Import", "import_trace", "open_tape", "open_trace"]


def open_tape(path: Path | str, progress: Progress | None = None, cancel: Cancel | None = None) -> Tape:
    """The tape in a file of any kind we read.  Raises TraceError or TapeError (both BadInput), Cancelled."""
    path = Path(path)
    if not path.exists():
        raise TraceError(f"{path}: there is no such file")
    if not path.is_file():
        raise TraceError(f"{path}: not a file")
    try:
        with open(path, "rb") as file:
            magic = file.read(16)
    except OSError as error:
        raise TraceError(f"{path}: cannot be opened: {error.strerror or error}") from error
    is_capture = magic == b"SQLite format 3\0" or (path.suffix.lower() == ".ddicap")
    return Tape(path) if is_capture else open_trace(path, progress, cancel)
