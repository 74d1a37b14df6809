"""The side cache: a database of data derived from a tape, next to the user's other caches.

Deleting it costs time and nothing else.  It is named by the digest of the tape and that of the program text, so that neither
another recording nor another version ever reads it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import Cancelled, TapeError, cannot
from core.folders import limit, remove_oldest, user_folder
from core.sources import digest_of_packages
from inspector.progress import StillWanted
from inspector.tape import database, pages

log = logging.getLogger(__name__)
MADE = "CREATE TABLE IF NOT EXISTS made(name TEXT PRIMARY KEY)"
PATIENCE = 60.0  # seconds that another process may write
CHUNK = 1 << 12  # rows inserted at a time
STAGED = 1 << 15  # of pages, where SQLite makes others of them
PAGES = "pages"  # a database in memory, from which SQLite copies rows
_MAKERS = ("core", "inspector.tape", "inspector.timeline", "inspector.query")


class SideCache:
    """Tables derived from one tape.  `path` None: in memory, for a tape that is not a file or where nothing can be written."""

    def __init__(self, digest: str, sound: Callable[[], bool] = lambda: True) -> None:
        """sound(): whether all of the tape could be read so far; else nothing is kept any more that is derived from it."""
        self.path: Path | None = None
        self._sound = sound
        self._memory: sqlite3.Connection | None = None
        if digest:
            try:
                self.path = user_folder("derived") / f"{digest}-{digest_of_packages(*_MAKERS)}.db"
            except OSError as error:
                self._leave_the_disk(error)

    @property
    def lasts(self) -> bool:
        """Whether what is written now is there for later openings."""
        return self.path is not None and self._sound()

    def write(self, work: Callable[[sqlite3.Connection], object], still_wanted: StillWanted = lambda fraction: True) -> None:
        """Has `work` done in one transaction.  A cache that is damaged is rebuilt.

        Waits while another process writes.  Raises Cancelled when the result is no longer wanted.
        """
        if not self.lasts:
            self.path = None
        connection = self._open()
        try:
            if not _room_for_pages(connection):
                connection.execute(f"ATTACH ':memory:' AS {PAGES}")  # not possible later
            _begin(connection, still_wanted)
            work(connection)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
        finally:
            if connection is not self._memory:
                connection.close()
        if self.path is not None:
            remove_oldest(self.path, limit("derived"))

    def write_somewhere(
        self, work: Callable[[sqlite3.Connection], object], still_wanted: StillWanted = lambda fraction: True
    ) -> None:
        """`write`; in memory from now on if the disk has no room for it: then nothing is there that was made before."""
        try:
            self.write(work, still_wanted)
        except (OSError, TapeError, sqlite3.Error) as error:
            if self.path is None or not database.is_full(error):
                raise
            self._leave_the_disk(error)
            self.write(work, still_wanted)

    def _open_somewhere(self) -> sqlite3.Connection:
        """A connection; to memory from now on if the disk has no room."""
        try:
            return self._open()
        except (OSError, TapeError) as error:
            if not database.is_full(error):
                raise
            self._leave_the_disk(error)
            return self._open()

    def _leave_the_disk(self, error: Exception) -> None:
        log.warning("The disk of the cache folder is full: what is derived from the capture is held in memory. (%s)", error)
        self.path = None

    def _open(self) -> sqlite3.Connection:
        if self.path is None:
            if self._memory is None:
                self._memory = _connect("file::memory:")
                self._memory.execute(MADE)
            return self._memory
        for attempt in range(2):
            try:
                connection = _connect(self.path.as_uri())
                connection.execute(MADE)
                os.utime(self.path)
                return connection
            except sqlite3.DatabaseError as error:
                if attempt or ("malformed" not in str(error) and "not a database" not in str(error)):
                    raise TapeError(cannot("use", self.path, error)) from error
                database.remove(self.path)
        raise AssertionError("the loop returns or raises")

    def made(self) -> set[str]:
        """The names of the tables there are."""
        if self.path is not None and not self.path.exists():
            return set()
        connection = self._open_somewhere()
        try:
            return {name for (name,) in connection.execute("SELECT name FROM made")}
        finally:
            if connection is not self._memory:
                connection.close()

    def reader(self) -> sqlite3.Connection:
        """A connection that can only read it."""
        if self.path is None:
            connection = self._open()
            connection.execute("PRAGMA query_only = ON")
            return connection
        if not self.path.exists():
            connection = self._open_somewhere()
            if self.path is None:
                return self.reader()
            connection.close()
        return _connect(self.path.as_uri() + "?mode=ro")


def _connect(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=PATIENCE)
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def _begin(connection: sqlite3.Connection, still_wanted: StillWanted) -> None:
    """Begins to write, when another process has ended; TapeError if it does not for PATIENCE seconds."""
    connection.execute("PRAGMA busy_timeout = 50")
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            if time.monotonic() > end:
                raise TapeError(f"the cache of derived tables: another process has been writing for {PATIENCE:g} s") from error
        if not still_wanted(0.0):
            raise Cancelled("reading into tables cancelled")


@dataclass(frozen=True)
class Staged:
    """Rows that are no plain numbers, made by SQLite of rows that are: `names` of columns, and what of them is inserted.

    The first column numbers the rows.
    """

    names: tuple[str, ...]
    select: str

    @property
    def create(self) -> str:
        return f"CREATE TABLE staged({self.names[0]} INTEGER PRIMARY KEY, {', '.join(self.names[1:])})"


def fill(
    connection: sqlite3.Connection, create: str, columns: Sequence[Any], still_wanted: StillWanted, staged: Staged | None = None
) -> bool:  # fmt: skip
    """Inserts columns of one length into the table that `create` makes; False if they are no longer wanted.

    staged: what makes the table's rows of these columns.
    """
    table, count = create.split("(")[0].split()[-1], len(columns[0]) if columns else 0
    stage = create if staged is None else staged.create
    quick = count > 0 and pages.can_hold(stage, columns) and _room_for_pages(connection)
    size = CHUNK if not quick else pages.ROWS if staged is None else STAGED
    by_row, by_page = _inserts(table, len(columns), staged)
    for start in range(0, count, size):
        if not still_wanted(start / count):
            return False
        some = [column[start : start + size] for column in columns]
        if quick and len(some[0]) >= pages.LEAST and pages.ascends(some[0]):
            connection.deserialize(pages.database(stage, some), name=PAGES)  # type: ignore[attr-defined]
            connection.execute(by_page)
        else:
            connection.executemany(by_row, zip(*map(_values, some), strict=True))
    return True


def _inserts(table: str, count: int, staged: Staged | None) -> tuple[str, str]:
    """SQL that inserts one row of so many parameters, and all that pages hold."""
    if staged is None:
        row = ", ".join("?" * count)
        return f"INSERT INTO {table} VALUES({row})", f"INSERT INTO main.{table} SELECT * FROM {PAGES}.{table}"
    row = ", ".join(f"? AS {name}" for name in staged.names)
    insert = f"INSERT INTO main.{table} SELECT {staged.select} FROM"
    return f"{insert} (SELECT {row})", f"{insert} {PAGES}.staged"


def _values(column: Any) -> list[Any]:
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _room_for_pages(connection: sqlite3.Connection) -> bool:
    """Whether pages can be handed over; Python may have been built without that."""
    attached = {name for _, name, _ in connection.execute("PRAGMA database_list")}
    return PAGES in attached and hasattr(connection, "deserialize")
