"""The user's cache folder, with one folder in it for each kind of file.  All of KINDS can be made again.

    kernels    machine code (core.kernels.cache)
    captures   imported traces (inspector.imports.cache)
    derived    what was worked out about captures (inspector.tape.side)
    tracers    recording DLLs that were built here (inspector.launch.building)
    recordings what was placed beside programs (inspector.launch.placing)
    logs       of the window (inspector.log)
    reports    of our own mistakes (inspector.mistakes)
    pictures   of where captures were left (ui.session)
    bookmarks  of captures beside which nothing can be written (inspector.tape.bookmarks): these cannot be made again
    turns      empty files, locked while something that all windows share is changed (in_turn)

`ddi-inspector cache` shows and clears them and sets limits.  The folder is DDI_INSPECTOR_CACHE, else the platform's.  What lies
there is believed, and run: a folder that belongs to another user, or that others can write to, is refused with a sentence.  If
none is left, a private temporary one serves until the program ends.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

OWNERS = hasattr(os, "getuid")  # not on Windows: profiles are private there
PRIVATE = 0o700
KINDS = {
    "kernels": "compiled kernels",
    "captures": "imported traces and recordings",
    "derived": "what was computed from captures",
    "tracers": "recording DLLs that were built here",
    "logs": "logs of the window",
    "reports": "internal errors",
    "pictures": "pictures of recent captures",
}
DEFAULT_LIMITS = {"captures": 8 << 30, "derived": 4 << 30}
"""Bytes, unless the user says otherwise; unused kernels are removed by age."""
LIMITS = "limits.json"
ABANDONED = 3600.0  # seconds: an import writes several times a second
BOUNDED = frozenset({".ddicap", ".db", ".events"})  # what limits count, and remove
JOURNALS = ("-journal", "-wal", "-shm")
TURNS = 64  # files that are locked: one for many things
PATIENCE = 1.0  # seconds: whoever has the turn needs milliseconds


def user_folder(kind: str) -> Path:
    """The folder of a kind: it exists, can be written to, and nobody else can."""
    for root in _candidates():
        try:
            root.parent.mkdir(parents=True, exist_ok=True)
            _make_private(root)
            return _writable(root / kind)
        except OSError as error:
            _refuse(root, error.strerror or str(error))
    return _writable(_temporary() / kind)


def _candidates() -> Iterator[Path]:
    if chosen := os.environ.get("DDI_INSPECTOR_CACHE"):
        yield Path(chosen).absolute()
    yield _of_the_platform()


def _of_the_platform() -> Path:
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "ddi-inspector" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "ddi-inspector"
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else home / ".cache") / "ddi-inspector"


def _writable(folder: Path) -> Path:
    """Makes the folder if need be; OSError if it cannot be used."""
    status = _make_private(folder)
    if OWNERS and stat.S_IMODE(status.st_mode) != PRIVATE:
        folder.chmod(PRIVATE)  # others could read what was captured
    with tempfile.TemporaryFile(dir=folder):
        return folder


def _make_private(folder: Path) -> os.stat_result:
    """Makes the folder if need be; PermissionError if it is not the user's alone."""
    folder.mkdir(mode=PRIVATE, exist_ok=True)
    status = folder.stat()
    if OWNERS and (reason := _not_private(folder, status)):
        raise PermissionError(1, reason)
    return status


def _not_private(folder: Path, status: os.stat_result) -> str:
    """Why somebody else may have put something into a folder, or can replace it; "" if nobody can."""
    if status.st_uid != os.getuid():
        return f"{folder} belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others can write to {folder} (chmod 700 makes it yours alone)"
    for above in folder.resolve().parents:
        mode = above.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"everybody can write to {above}"
    return ""


@cache
def _refuse(folder: Path, reason: str) -> None:
    """Says so, once."""
    import logging

    logging.getLogger(__name__).warning("%s is not used as the cache folder: %s.", folder, reason)


@cache
def _temporary() -> Path:
    """A folder of this process alone, until it ends."""
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="ddi-inspector-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


# ---- turns -----------------------------------------------------------------------------------


@contextmanager
def in_turn(what: str) -> Iterator[bool]:
    """Within the block no other window reads, changes and writes `what`; not to be nested.

    The system lets go of the lock of a process that ends, however it ends.  False where the turn does not come within PATIENCE
    seconds, or nothing can be locked: what is written then may replace what another window writes at that moment.
    """
    try:
        number = int.from_bytes(blake2b(what.encode(errors="replace"), digest_size=2).digest(), "little") % TURNS
        file = (user_folder("turns") / f"{number}.lock").open("ab")
    except OSError:
        yield False
        return
    with file:  # closing it ends the turn
        end = time.monotonic() + PATIENCE
        while not (mine := _locked(file.fileno())) and time.monotonic() < end:
            time.sleep(0.002)
        yield mine


def _locked(descriptor: int) -> bool:
    """Whether the file is now ours; its first byte, on Windows."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, 0, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


# ---- bounds ----------------------------------------------------------------------------------


def root_folder() -> Path:
    """The folder of all kinds."""
    return user_folder("logs").parent


def limit(kind: str) -> int:
    """The most bytes of a kind; the default if what is kept in the cache folder cannot be read."""
    return _limits().get(kind, DEFAULT_LIMITS[kind])


def set_limit(kind: str, size: int) -> None:
    """Keeps a limit, and removes what is over it."""
    with in_turn(LIMITS):
        text = json.dumps(_limits() | {kind: size})
        part = root_folder() / f"{LIMITS}.{os.getpid()}.part"
        part.write_text(text, encoding="utf-8")
        part.replace(root_folder() / LIMITS)
    _remove_over(user_folder(kind), size)


def _limits() -> dict[str, int]:
    try:
        kept = json.loads((root_folder() / LIMITS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    known = kept.items() if isinstance(kept, dict) else ()
    return {kind: size for kind, size in known if kind in DEFAULT_LIMITS and type(size) is int and size >= 0}


def usage(kind: str) -> tuple[int, int]:
    """Files and bytes of a kind."""
    sizes = []
    for path in user_folder(kind).rglob("*"):
        with suppress(OSError):
            status = path.lstat()
            sizes += [status.st_size] if stat.S_ISREG(status.st_mode) else []
    return len(sizes), sum(sizes)


def clear(kind: str) -> None:
    """Deletes everything of a kind that is not in use elsewhere (Windows)."""
    for path in user_folder(kind).iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()


def remove_oldest(newest: Path, most: int) -> None:
    """Keeps the files of a kind below `most` bytes, but for `newest`; what another window has open stays where it must."""
    _remove_over(newest.parent, most, newest)


def _remove_over(folder: Path, most: int, spared: Path | None = None) -> None:
    total = 0
    for path, size in _by_age(folder):
        total += size
        if total > most and path != spared:
            try:
                path.unlink()
            except OSError:
                continue
            for ending in JOURNALS:
                with suppress(OSError):
                    path.with_name(path.name + ending).unlink(missing_ok=True)


def remove_abandoned(folder: Path, pattern: str) -> None:
    """Removes the user's own unfinished files that nobody has written to for long: who was writing them was killed."""
    for path in folder.glob(pattern):
        with suppress(OSError):  # on Windows: somebody has it open after all
            status = path.lstat()
            mine = not OWNERS or status.st_uid == os.getuid()
            if mine and stat.S_ISREG(status.st_mode) and time.time() - status.st_mtime > ABANDONED:
                path.unlink()


def _by_age(folder: Path) -> Iterator[tuple[Path, int]]:
    """Files that are bounded and their sizes, newest first."""
    found = []
    for path in folder.iterdir():
        if path.suffix not in BOUNDED:
            continue
        try:
            status = path.stat()
        except OSError:
            continue
        found.append((status.st_mtime, path, status.st_size))
    for _, path, size in sorted(found, reverse=True):
        yield path, size
