"""The import cache: imported files are kept as `.ddicap` files in the user's cache folder."""

from __future__ import annotations

import json
import logging
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from core.ddi.calls import DdiCall
from core.errors import TapeError, TraceError, cannot
from core.folders import in_turn, limit, remove_abandoned, remove_oldest, user_folder
from core.sources import digest_of_packages
from inspector.files import write_bytes
from inspector.imports import import_file
from inspector.imports.report import file_digest
from inspector.log import timed
from inspector.progress import Cancel, Progress
from inspector.tape import Tape, TapeWriter, database

log = logging.getLogger(__name__)
NO_ROOM = "The disk of the cache folder is full: the imported capture is held in memory, and will be imported again next time."
LARGE = 1 << 28  # bytes of a file that is read before it is hashed
DIGESTS, DIGESTS_KEPT = "digests.json", 1000  # of large files, by path
_MAKERS = ("core", "inspector.imports", "inspector.tape")
Heard = Callable[[DdiCall], None]


def open_trace(
    path: Path | str, progress: Progress | None = None, cancel: Cancel | None = None, heard: Heard | None = None
) -> Tape:
    """The tape of a trace or recording: from the cache, or imported into it; into memory where the disk has no room for it.

    `heard` is given each call that is imported, also of an import that ends with a full disk.
    Raises TraceError, TapeError, Cancelled.
    """
    trace = Path(path)
    place = look_up(trace, progress, cancel)
    if place.tape is not None:
        return place.tape
    try:
        if place.folder is not None:
            return _import(trace, place, progress, cancel, heard)
    except (OSError, TapeError) as error:
        if not database.is_full(error):
            raise
        log.warning("%s", error)
    return _into_memory(trace, place.digest, progress, cancel)


class Place(NamedTuple):
    """Where a file's import is kept.

    `digest`: of the file; "" of a large one that has not been read before.  `folder`: None where the disk is full.  `tape`:
    None if it has not been imported.  `stamp`: size and time of the file before it was looked at.
    """

    digest: str
    folder: Path | None
    tape: Tape | None
    stamp: list[int]


class Unkept(Tape):
    """A tape that nobody will ask for again: its file goes when it is closed, and nothing derived of it is kept."""

    def __init__(self, part: Path) -> None:
        """`part` gets a name that is not that of an unfinished import: those are removed once they are an hour old."""
        path = part.with_suffix(".ddicap")
        try:
            os.replace(part, path)
        except OSError as error:
            raise TapeError(cannot("write", path, error)) from error
        super().__init__(path)

    @property
    def digest(self) -> str:  # type: ignore[override]
        return ""

    def close(self) -> None:
        super().close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


class CachedTape(Tape):
    """An import in the cache.  Where it turns out to be damaged, it goes when it is closed, with what was derived of it."""

    def __init__(self, kept: Path) -> None:
        super().__init__(kept)
        self.known_as = kept.stem

    def _report_loss(self, what: str) -> None:
        self.damaged = True
        self.notices.append(f"The imported capture in the cache is damaged: {what} Open the file again to import it again.")

    def close(self) -> None:
        super().close()
        if self.damaged:
            for made in (self.path, *user_folder("derived").glob(f"{self.known_as}*")):
                with suppress(OSError):  # another window has it open (Windows)
                    made.unlink()


def look_up(trace: Path, progress: Progress | None = None, cancel: Cancel | None = None) -> Place:
    """Whether a file has been imported already.  Raises TraceError, TapeError, Cancelled."""
    try:
        stamp = stamp_of(trace)
    except OSError as error:
        raise TraceError(cannot("read", trace, error)) from error
    digest = _remembered(trace) if stamp[0] > LARGE else file_digest(trace, progress, cancel)
    try:
        folder = cache_folder()
        return Place(digest, folder, _open_kept(kept_as(folder, digest)) if digest else None, stamp)
    except (OSError, TapeError) as error:
        if not database.is_full(error):
            raise
        log.warning("%s", error)
        return Place(digest, None, None, stamp)


def unread(trace: Path) -> Place:
    """Of a file that is not looked up, because it is still being written.  Raises TraceError."""
    try:
        stamp = stamp_of(trace)
    except OSError as error:
        raise TraceError(cannot("read", trace, error)) from error
    try:
        return Place("", cache_folder(), None, stamp)
    except (OSError, TapeError) as error:
        if not database.is_full(error):
            raise
        log.warning("%s", error)
        return Place("", None, None, stamp)


def kept_as(folder: Path, digest: str) -> Path:
    """The path of the import of a file with this digest."""
    return folder / f"{digest}-{code_digest()}.ddicap"


def _remembered(trace: Path) -> str:
    """The digest of a large file when it was imported last, if it is the same still; else ""."""
    try:
        known = json.loads((cache_folder() / DIGESTS).read_text(encoding="utf-8"))
        found = known[str(trace.resolve())]
        return str(found[2]) if found[:2] == stamp_of(trace) else ""
    except (OSError, ValueError, LookupError, TypeError):
        return ""


def remember(trace: Path, digest: str, stamp: list[int]) -> None:
    """For the next `look_up` of a large file: hashing it would take longer than showing its first frame."""
    if stamp[0] <= LARGE:
        return
    with suppress(OSError, TapeError):
        file = cache_folder() / DIGESTS
        with in_turn(str(file)):
            try:
                known = dict(json.loads(file.read_text(encoding="utf-8")))
            except (OSError, ValueError, TypeError):
                known = {}
            known[str(trace.resolve())] = [*stamp, digest]
            write_bytes(file, json.dumps(dict(list(known.items())[-DIGESTS_KEPT:])).encode())


def stamp_of(trace: Path) -> list[int]:
    """Size in bytes and time of the last change in nanoseconds.  Raises OSError."""
    status = trace.stat()
    return [status.st_size, status.st_mtime_ns]


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
        tape = CachedTape(kept)
    except TapeError:
        return None
    if tape.damaged or not tape.meta.get("closed"):
        tape.close()
        return None
    with suppress(OSError):
        os.utime(kept)  # its age decides what to remove first
    return tape


def part_of(folder: Path, digest: str) -> Path:
    """A new file to import into, beside what it will be."""
    remove_abandoned(folder, "*.part*")
    handle, name = tempfile.mkstemp(".part", digest[:16], folder)
    os.close(handle)
    return Path(name)


def _import(path: Path, place: Place, progress: Progress | None, cancel: Cancel | None, heard: Heard | None = None) -> Tape:
    assert place.folder is not None
    part = part_of(place.folder, place.digest)
    try:
        timing = timed(log, "imported %s", path, level=logging.INFO)
        with timing, TapeWriter(part, {"code_digest": code_digest()}, durable=False, quick=True) as writer:
            writer.heard = heard
            digest = import_file(path, writer, progress, cancel, digest=place.digest).digest
        return keep(path, part, place, digest)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def keep(trace: Path, part: Path, place: Place, digest: str) -> Tape:
    """The tape of a finished import, kept for the next opening; not if the file has changed since it was looked at: the tape
    may be of more than `digest` says.  Raises TapeError.
    """
    assert place.folder is not None
    try:
        same = stamp_of(trace) == place.stamp
    except OSError:  # the file has gone
        same = False
    if not same:
        return Unkept(part)
    remember(trace, digest, place.stamp)
    return put_in_place(part, kept_as(place.folder, digest))


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
    return CachedTape(kept)
