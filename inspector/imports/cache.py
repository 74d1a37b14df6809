"""Imported files are kept as `.ddicap` files in the user's cache folder: the second opening costs nothing."""

from __future__ import annotations

import logging
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from core.errors import TapeError, cannot
from core.folders import limit, remove_abandoned, remove_oldest, user_folder
from core.sources import digest_of_packages
from inspector.imports import import_file
from inspector.imports.report import file_digest
from inspector.log import timed
from inspector.progress import Cancel, Progress
from inspector.tape import Tape, TapeWriter, database

log = logging.getLogger(__name__)
NO_ROOM = "The disk of the cache folder is full: the imported capture is held in memory, and will be imported again next time."
_MAKERS = ("core", "inspector.imports", "inspector.tape")


def open_trace(path: Path | str, progress: Progress | None = None, cancel: Cancel | None = None) -> Tape:
    """The tape of a trace or recording: from the cache, or imported into it; into memory where the disk has no room for it.

    Raises TraceError, TapeError, Cancelled.
    """
    trace = Path(path)
    place = look_up(trace, progress, cancel)
    if place.tape is not None:
        return place.tape
    try:
        if place.kept is not None:
            return _import(trace, place.kept, place.digest, progress, cancel)
    except (OSError, TapeError) as error:
        if not database.is_full(error):
            raise
        log.warning("%s", error)
    return _into_memory(trace, place.digest, progress, cancel)


class Place(NamedTuple):
    """Where a file's import is kept: the digest of the file, the path (None: the disk is full), and the tape if it is there."""

    digest: str
    kept: Path | None
    tape: Tape | None


def look_up(trace: Path, progress: Progress | None = None, cancel: Cancel | None = None) -> Place:
    """Whether a file has been imported already.  Raises TraceError, TapeError, Cancelled."""
    digest = file_digest(trace, progress, cancel)
    try:
        kept = cache_folder() / f"{digest}-{code_digest()}.ddicap"
        return Place(digest, kept, _open_kept(kept))
    except (OSError, TapeError) as error:
        if not database.is_full(error):
            raise
        log.warning("%s", error)
        return Place(digest, None, None)


def _into_memory(path: Path, digest: str, progress: Progress | None, cancel: Cancel | None) -> Tape:
    address = database.address_in_memory()
    keeper = database.open_address(address)
    try:
        with TapeWriter(path, {"code_digest": code_digest()}, durable=False, address=address) as writer:
            import_file(path, writer, progress, cancel, digest=digest)
        tape = Tape(path, address=address)
    finally:
        keeper.close()
    tape.notices.append(NO_ROOM)
    return tape


def cache_folder() -> Path:
    """The folder of imported traces, next to that of the compiled kernels."""
    return user_folder("captures")


def code_digest() -> str:
    """Digest of the program text that makes DDI calls of traces: another text, another import."""
    return digest_of_packages(*_MAKERS)


def _open_kept(kept: Path) -> Tape | None:
    """The kept tape if it exists and is whole."""
    if not kept.exists():
        return None
    try:
        tape = Tape(kept)
    except TapeError:
        return None
    if tape.damaged or not tape.meta.get("closed"):
        tape.close()
        return None
    with suppress(OSError):
        os.utime(kept)  # its age decides what to remove first
    return tape


def part_of(kept: Path) -> Path:
    """A new file to import into, beside what it will be."""
    remove_abandoned(kept.parent, "*.part*")
    handle, name = tempfile.mkstemp(".part", kept.stem[:16], kept.parent)
    os.close(handle)
    return Path(name)


def _import(path: Path, kept: Path, digest: str, progress: Progress | None, cancel: Cancel | None) -> Tape:
    part = part_of(kept)
    try:
        timing = timed(log, "imported %s", path, level=logging.INFO)
        with timing, TapeWriter(part, {"code_digest": code_digest()}, durable=False) as writer:
            import_file(path, writer, progress, cancel, digest=digest)
        return put_in_place(part, kept)
    finally:
        part.unlink(missing_ok=True)


def put_in_place(part: Path, kept: Path) -> Tape:
    """The tape of a finished import, under its name; where another window has made and opened the same file meanwhile
    (Windows), that one serves.
    """
    try:
        os.replace(part, kept)
    except OSError as error:
        there = _open_kept(kept)
        if there is None:
            raise TapeError(cannot("write", kept, error)) from error
        part.unlink(missing_ok=True)
        return there
    remove_oldest(kept, limit("captures"))
    return Tape(kept)
