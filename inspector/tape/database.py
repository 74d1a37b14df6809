"""SQLite connections of `.ddicap` files, and SQLite's errors as sentences."""

from __future__ import annotations

import errno
import itertools
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from core.errors import Cancelled, TapeError
from inspector.progress import Cancel
from inspector.tape import schema
from inspector.tape.limits import LARGEST_VALUE, check_tables

STEPS = 10_000  # of SQLite's machine between two looks at whether one is still wanted
ERRORS = (sqlite3.Error, OSError, UnicodeDecodeError)  # the last: SQLite quotes a damaged schema in what it says
PATIENCE = 0.8  # seconds to wait for who has locked a file; what is written in between takes milliseconds
LONGEST_PATH = 500  # bytes: 512 with the journal's ending
_FULL = ("database or disk is full", "disk I/O error")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def errors_named(path: Path, doing: str) -> Iterator[None]:
    """Turns SQLite's errors into a TapeError that says what could not be done to which file."""
    try:
        yield
    except ERRORS as error:
        raise TapeError(failure(path, doing, error)) from error


def raise_if_passing(path: Path, error: Exception) -> None:
    """TapeError for an error that says nothing about what is in the file: it was closed here, or another program locks it."""
    if isinstance(error, sqlite3.ProgrammingError):
        raise TapeError(f"{path}: cannot read it: it was closed") from error
    if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
        raise TapeError(failure(path, "read it", error)) from error


def failure(path: Path, doing: str, error: Exception) -> str:
    """The sentence that says it."""
    if isinstance(error, OSError):
        return f"{path}: cannot {doing}: {error.strerror or error}"
    return _sentence(path, doing, "malformed" if isinstance(error, UnicodeDecodeError) else str(error))


def _sentence(path: Path, doing: str, reason: str) -> str:
    if reason.startswith(_FULL):
        return f"{path}: cannot {doing}: the disk is full; what was written before stays readable"
    if "locked" in reason:
        return f"{path}: cannot {doing}: another program is writing to it and keeps it locked"
    if "unable to open" in reason and len(os.fsencode(path.absolute())) > LONGEST_PATH:
        return f"{path}: cannot {doing}: its path is longer than {LONGEST_PATH} bytes, the longest that SQLite opens"
    if "readonly" in reason:
        return f"{path}: cannot {doing}: the file is read-only"
    if "not a database" in reason:
        return f"{path}: not a capture: it is not an SQLite database"
    if "malformed" in reason:
        return f"{path}: cannot {doing}: the file is damaged"
    return f"{path}: cannot {doing}: {reason}"


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or what caused it, is that a disk has no room left."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            return True
        if isinstance(error, sqlite3.Error) and str(error).startswith(_FULL):
            return True
        error = error.__cause__
    return False


_numbers = itertools.count()


def address_in_memory() -> str:
    """Of a new database in memory, which exists as long as a connection to it does."""
    return f"file:ddi-inspector-{os.getpid()}-{next(_numbers)}?mode=memory&cache=shared"


def create(path: Path, durable: bool, address: str = "", quick: bool = False) -> sqlite3.Connection:
    """A new file with the schema in it.  Durable: WAL, so that a killed process loses at most what it had not committed.

    `address`: of a database in memory instead.  `quick`: pages of a size that takes the least time for much data.
    """
    connection = sqlite3.connect(address or path, uri=bool(address), isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA page_size = {1 << 15 if quick else 1 << 13}")
    if quick:
        connection.execute("PRAGMA cache_size = -512")  # KB: pages that were just written are in the processor's cache
    connection.execute(f"PRAGMA journal_mode = {'WAL' if durable else 'MEMORY'}")
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if durable else 'OFF'}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.executescript(f"BEGIN;{schema.CREATE}COMMIT;")
    return connection


def remove(path: Path) -> None:
    """Removes a file and what a killed recording left next to it: a stale journal must not be read into a new file."""
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def open_to_read(path: Path) -> sqlite3.Connection:
    """The file for reading: as an ordinary reader where it can be written to, else immutable (no locks, no journal)."""
    if not path.is_file():
        raise TapeError(f"{path}: there is no such file" if not path.exists() else f"{path}: not a file")
    with errors_named(path, "open it"):
        if path.stat().st_size == 0:
            raise TapeError(f"{path}: the file is empty")
        with open(path, "rb") as file:
            if file.read(16) != b"SQLite format 3\0":
                raise TapeError(f"{path}: not a capture: it is not an SQLite database")
        if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            try:
                return _connect(path, "mode=ro")
            except sqlite3.OperationalError as error:
                if "locked" in str(error):
                    raise
                # a medium that only seems writable
        return _connect(path, "immutable=1")


def open_to_write(place: Path | str) -> sqlite3.Connection:
    """A file, or what is at an address, for changing it; a file that has gone is not made, which SQLite would do."""
    if isinstance(place, Path):
        if not place.exists():
            raise FileNotFoundError(errno.ENOENT, "the file no longer exists", str(place))
        place = f"file:{_location(place)}?mode=rw"
    connection = sqlite3.connect(place, uri=True, isolation_level=None, timeout=PATIENCE)
    distrust(connection)
    return connection


def address_to_read(path: Path) -> str:
    """The file for reading as an address: for ATTACH."""
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return f"file:{_location(path)}?{'mode=ro' if writable else 'immutable=1'}"


def _connect(path: Path, how: str) -> sqlite3.Connection:
    return open_address(f"file:{_location(path)}?{how}")


def open_address(address: str) -> sqlite3.Connection:
    """What is at an address, for reading."""
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=PATIENCE)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        distrust(connection)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        connection.close()
        raise
    return connection


def distrust(connection: sqlite3.Connection) -> None:
    """Prepares for a stranger's file: its schema runs no functions, its pages are checked, no value is too long."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)


@contextmanager
def stoppable(connection: sqlite3.Connection, cancel: Cancel | None) -> Iterator[None]:
    """What the connection does meanwhile ends when `cancel` says so, in Cancelled."""
    stopped = False

    def stop() -> bool:
        nonlocal stopped
        stopped = stopped or bool(cancel and cancel())
        return stopped

    connection.set_progress_handler(stop if cancel else None, STEPS)
    try:
        yield
    except (*ERRORS, TapeError):
        if stopped:
            raise Cancelled("opening cancelled") from None
        raise
    finally:
        connection.set_progress_handler(None, 0)
    if stopped:
        raise Cancelled("opening cancelled")


@contextmanager
def at_one_moment(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """Everything read meanwhile is of one moment, whatever a recorder commits.

    After an exception the connection is to be closed.
    """
    with errors_named(path, "read it"):
        connection.execute("BEGIN")
    yield
    with errors_named(path, "read it"):
        connection.execute("COMMIT")


def _location(path: Path) -> str:
    """The path of a file: address: /home/a, /C:/a, and ////server/share/a for a network path."""
    location = quote(path.resolve().as_posix())
    if location.startswith("//"):
        return "//" + location
    return location if location.startswith("/") else "/" + location


def check_version(path: Path, connection: sqlite3.Connection) -> None:
    """Raises TapeError for a database of another kind, or of a newer schema than this program knows."""
    with errors_named(path, "read it"):
        kind = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if kind == schema.APPLICATION_ID:
            check_tables(path, connection)
    if kind != schema.APPLICATION_ID:
        raise TapeError(f"{path}: not a capture: an SQLite database of another program")
    if version > schema.VERSION:
        raise TapeError(
            f"{path}: made by a newer version of this program (schema {version}; this one reads up to {schema.VERSION})"
        )
