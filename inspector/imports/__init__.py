"""Imports of foreign files as DDI calls: API traces (apitrace) through core.runtime, recordings of drivers unchanged.

    open_tape(path)                 a `.ddicap` as it is, anything else through the cache: a Tape
    import_file(path, writer)       a trace or a recording into a TapeWriter

A trace arrives in pieces (`containers`), becomes columns of whole calls (`stream`, `decoder`, `events`), which the runtime
turns into DDI calls and `condense` into what the tape keeps of them; `cut` notices what was cut out of it.  `follow` waits
for more of a file that is still being written.  `recording` takes
what a driver wrote down with resources/ddi_record.h, `bundles` the capture in a bug bundle.  Nothing here knows what a Direct3D
call does.  `presents` lists the frames of a trace without importing it.
"""

from __future__ import annotations

import importlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import TapeError, TraceError, cannot, in_a_sentence

if TYPE_CHECKING:
    from inspector.imports.apitrace import import_trace
    from inspector.imports.cache import Heard, open_trace
    from inspector.imports.follow import Following
    from inspector.imports.recording import import_recording
    from inspector.imports.report import Import
    from inspector.progress import Cancel, Progress
    from inspector.tape import Tape, TapeWriter

__all__ = [
    "Import", "check_readable", "import_file", "import_recording", "import_trace", "is_capture", "is_trace", "open_tape",
    "open_trace",
]  # fmt: skip

_HOMES = {"Import": "report", "import_trace": "apitrace", "import_recording": "recording", "open_trace": "cache"}
RECORDING = b"DDIREC"
BUNDLE = b"PK\x03\x04"
"""How a zip begins: inspector.exports.bundle."""


def __getattr__(name: str) -> Any:
    """What brings the compiled kernels with it comes when it is asked for: the window opens without."""
    if name not in _HOMES:
        raise AttributeError(f"module 'inspector.imports' has no attribute {name!r}")
    return getattr(importlib.import_module(f"inspector.imports.{_HOMES[name]}"), name)


def open_tape(
    path: Path | str, progress: Progress | None = None, cancel: Cancel | None = None, heard: Heard | None = None
) -> Tape:
    """The tape in a file of any kind we read; `heard` is given each call that is imported.

    Raises TraceError or TapeError (both BadInput), Cancelled.
    """
    from inspector.imports.cache import open_trace
    from inspector.tape import Tape

    path = Path(path)
    if check_readable(path).startswith(BUNDLE):
        return _open_bundle(path, progress, cancel)
    if not is_capture(path):
        return open_trace(path, progress, cancel, heard)
    return Tape(path, _stopping(progress, cancel))


def _open_bundle(path: Path, progress: Progress | None, cancel: Cancel | None) -> Tape:
    """The capture in a bug bundle.  One that does not open is not kept: the next opening unpacks it again."""
    from inspector.imports.bundles import unpacked
    from inspector.tape import Tape

    kept = unpacked(path, progress, cancel)
    try:
        return Tape(kept, _stopping(progress, cancel))
    except TapeError as error:
        with suppress(OSError):
            kept.unlink(missing_ok=True)
        raise TapeError(str(error).replace(str(kept), f"{path}: {kept.name}")) from error


def _stopping(progress: Progress | None, cancel: Cancel | None) -> Cancel | None:
    def stop() -> bool:
        return bool(cancel and cancel()) or bool(progress and progress(0.0, "reading the capture") is False)

    return stop if cancel or progress else None


def import_file(
    path: Path, writer: TapeWriter, progress: Progress | None = None, cancel: Cancel | None = None, profile: str = "",
    digest: str = "", following: Following | None = None,
) -> Import:  # fmt: skip
    """Reads a trace or a recording into `writer`; `profile`: of the driver that a trace's program finds; `digest`: of the
    file, where it is known already; `following`: of a file that is still being written.

    Raises TraceError, TapeError, Cancelled.
    """
    with in_a_sentence(path):
        if check_readable(path).startswith(RECORDING) or path.suffix.lower() == ".ddirec":
            from inspector.imports.recording import import_recording

            return import_recording(path, writer, progress, cancel, digest, following)
        from inspector.imports.apitrace import import_trace

        return import_trace(path, writer, progress, cancel, profile, digest, following)


def is_capture(path: Path) -> bool:
    """Whether a file is (or claims to be) a `.ddicap`, or a zip with one; else it is to be imported.  Raises TraceError if it
    cannot be read."""
    begins = check_readable(path)
    return begins == b"SQLite format 3\0" or begins.startswith(BUNDLE) or path.suffix.lower() == ".ddicap"


def is_trace(path: Path) -> bool:
    """Whether a file is to be read as an API trace.  Raises TraceError if it cannot be read."""
    return not is_capture(path) and not check_readable(path).startswith(RECORDING) and path.suffix.lower() != ".ddirec"


def check_readable(path: Path) -> bytes:
    """The first 16 bytes of a file.  Raises TraceError if it cannot be read."""
    if not path.exists():
        raise TraceError(f"{path}: no such file")
    if not path.is_file():
        raise TraceError(f"{path}: not a file")
    try:
        with open(path, "rb") as file:
            return file.read(16)
    except OSError as error:
        raise TraceError(cannot("open", path, error)) from error
