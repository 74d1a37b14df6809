"""Imported files are kept as `.ddicap` files in the user's cache folder: the second opening costs nothing."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs
import xxhash

from core.errors import TapeError
from inspector.imports import import_file
from inspector.imports.report import Cancel, Progress, file_digest
from inspector.tape import Tape, TapeWriter

BYTES_KEPT = 8 << 30
_ROOT = Path(__file__).resolve().parents[2]
_MAKERS = ("core", "inspector/imports", "inspector/tape")


def open_trace(path: Path | str, progress: Progress | None = None, cancel: Cancel | None = None) -> Tape:
    """The tape of a trace or recording: from the cache, or imported into it.  Raises TraceError, TapeError, Cancelled."""
    kept = cache_folder() / f"{file_digest(Path(path))}-{code_digest()}.ddicap"
    return _open_kept(kept) or _import(Path(path), kept, progress, cancel)


def cache_folder() -> Path:
    """The folder of imported traces, writable: beside the compiled kernels, or temporary."""
    for folder in _candidates():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="ddi-inspector-"))


def _candidates() -> Iterable[Path]:
    if chosen := os.environ.get("DDI_INSPECTOR_CACHE"):
        yield Path(chosen + "-captures")
    yield Path(platformdirs.user_cache_dir("ddi-inspector", appauthor=False)) / "captures"
    yield Path(tempfile.gettempdir()) / "ddi-inspector-captures"


@cache
def code_digest() -> str:
    """Digest of the program text that makes DDI calls of traces: another text, another import."""
    state = xxhash.xxh3_64()
    for folder in _MAKERS:
        for source in sorted((_ROOT / folder).rglob("*.py")):
            state.update(source.relative_to(_ROOT).as_posix().encode() + source.read_bytes())
    return state.hexdigest()


def _open_kept(kept: Path) -> Tape | None:
    """The kept tape if it is there and whole."""
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
        os.utime(kept)  # its age tells what to remove first
    return tape


def _import(path: Path, kept: Path, progress: Progress | None, cancel: Cancel | None) -> Tape:
    handle, name = tempfile.mkstemp(".part", kept.stem[:16], kept.parent)
    os.close(handle)
    part = Path(name)
    try:
        with TapeWriter(part, {"code_digest": code_digest()}, durable=False) as writer:
            import_file(path, writer, progress, cancel)
        _put_in_place(part, kept)
    finally:
        part.unlink(missing_ok=True)
    _remove_oldest(kept)
    return Tape(kept)


def _put_in_place(part: Path, kept: Path) -> None:
    """Renames; where another window has made and opened the same file meanwhile (Windows), that one serves."""
    try:
        os.replace(part, kept)
    except OSError as error:
        there = _open_kept(kept)
        if there is None:
            raise TapeError(f"{kept}: cannot be written: {error.strerror or error}") from error
        there.close()


def _remove_oldest(newest: Path) -> None:
    """Keeps the folder below BYTES_KEPT; what another window has open stays where the system says so."""
    total = 0
    for path, size in _by_age(newest.parent):
        total += size
        if total > BYTES_KEPT and path != newest:
            try:
                path.unlink()
            except OSError:
                continue


def _by_age(folder: Path) -> Iterator[tuple[Path, int]]:
    """Kept files and their sizes, newest first."""
    found = []
    for path in folder.glob("*.ddicap"):
        try:
            status = path.stat()
        except OSError:
            continue
        found.append((status.st_mtime, path, status.st_size))
    for _, path, size in sorted(found, reverse=True):
        yield path, size
