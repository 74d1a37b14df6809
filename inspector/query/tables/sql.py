"""SQL over a capture: the tape's own tables, and derived ones in a side cache, made when a query first needs them.

Functions, besides SQLite's: state(event, key), state_text(event, key), writer(event, key), text(event), source_text(source).
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import MOST_LISTED, BadInput, Cancelled
from core.spec.kinds import F32
from inspector.progress import Cancel, StillWanted
from inspector.query.state.places import StatePlace, places_like, text_of
from inspector.query.tables.derived import TABLES, VIEWS, Table, schema
from inspector.query.tables.functions import limited
from inspector.tape import database
from inspector.tape.side import fill

if TYPE_CHECKING:
    from inspector.capture import Capture

STEPS = 100  # of SQLite's machine between two looks at the clock: each may make a value
LONGEST_STEP = 1.0  # seconds from one look to the next that count: the computer may have slept
LONGEST_VALUE = 1 << 26  # bytes: one step makes a value, and is not looked into
LONGEST_PATTERN = 1000  # bytes of what LIKE and GLOB look for
LONGEST_QUERY = 1 << 17  # bytes
ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE})
FORBIDDEN = frozenset({"load_extension", "writefile", "readfile", "edit", "fts3_tokenizer"})


@dataclass(frozen=True)
class Rows:
    """Column names, and rows of plain values.  `more`: there are more rows than were wanted."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    more: bool = False

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Sql:
    """The rows of one SELECT, `most` of them.  BadInput for SQL that is wrong, or that takes longer than `seconds`.

    Calls progress(fraction) while the tables that it names are built; False from it cancels.
    """

    text: str
    seconds: float | None = None
    most: int | None = None
    progress: StillWanted | None = field(default=None, compare=False)

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Rows:
        """Reads only; raises Cancelled when `cancel` says so."""
        prepare(capture, self.text, lambda fraction: self._still_wanted(fraction, cancel))
        said: list[str] = []
        with closing(sqlite3.connect(":memory:")) as plain:
            _limit(plain)
            connection = _connection(capture, plain, said)
            try:
                return self._asked(connection, cancel, said)
            finally:
                _close(capture, connection)

    def _still_wanted(self, fraction: float, cancel: Cancel | None) -> bool:
        return not (cancel and cancel()) and not (self.progress and self.progress(fraction) is False)

    def _asked(self, connection: sqlite3.Connection, cancel: Cancel | None, said: list[str]) -> Rows:
        """`said`: what our own functions have against their arguments."""
        last, spent, why = time.monotonic(), 0.0, ""

        def stop() -> int:
            nonlocal last, spent, why
            last, before = time.monotonic(), last
            spent += min(last - before, LONGEST_STEP)
            if cancel and cancel():
                why = "cancelled"
            elif self.seconds is not None and spent > self.seconds:
                why = "late"
            return int(bool(why))

        before = _limit(connection)
        connection.set_progress_handler(stop, STEPS)
        connection.set_authorizer(_only_reading)
        try:
            cursor = connection.execute(self.text)
            rows = cursor.fetchall() if self.most is None else cursor.fetchmany(self.most + 1)
            more = self.most is not None and len(rows) > self.most
        except (sqlite3.Error, sqlite3.Warning) as error:
            if why == "cancelled":
                raise Cancelled("query cancelled") from None
            if why == "late":
                raise BadInput(f"the query took longer than {self.seconds:g} s") from None
            raise BadInput(f"SQL: {_sentence(said[-1] if said else str(error), self.text)}") from None
        except UnicodeEncodeError:
            raise BadInput("SQL: half of a character stands alone in it") from None
        finally:
            connection.set_authorizer(None)
            connection.set_progress_handler(None, 0)
            for limit, value in before:
                connection.setlimit(limit, value)
        return Rows(tuple(column[0] for column in cursor.description or ()), rows[: self.most], more)


def _limit(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    """Sets limits to a stranger's query; (limit, value before) of each: the connection may be kept."""
    limits = {sqlite3.SQLITE_LIMIT_LENGTH: LONGEST_VALUE, sqlite3.SQLITE_LIMIT_SQL_LENGTH: LONGEST_QUERY,
              sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: LONGEST_PATTERN}  # fmt: skip
    return [(limit, connection.setlimit(limit, value)) for limit, value in limits.items()]


def _sentence(text: str, query: str) -> str:
    """What is wrong, and what to do instead where that is known."""
    if "too big" in text:
        return f"a value would have more than {LONGEST_VALUE >> 20} MiB"
    if "query string is too large" in text:
        return f"a query has at most {LONGEST_QUERY >> 10} KiB"
    if "not authorized" in text or "prohibited" in text or "cannot modify" in text:
        return "only SELECT is allowed here"
    return text + _nearest(text, query)


def _nearest(text: str, query: str) -> str:
    """`; did you mean name?` of a table or column that does not exist, else the columns of the table that the query names."""
    missing = re.fullmatch(r"no such (table|column): (?:\w+\.)?(\w+)", text)
    if missing is None:
        return ""
    tables, (kind, name) = schema(), missing.groups()
    named = [table for table in tables if re.search(rf"\b{table}\b", query, re.I)]
    known = list(tables) if kind == "table" else list(dict.fromkeys(column for table in named for column in tables[table]))
    if close := get_close_matches(name.lower(), known, 2):
        return f"; did you mean {' or '.join(close)}?"
    return f"; {named[0]} has {', '.join(known)}" if kind == "column" and len(named) == 1 and len(known) <= MOST_LISTED else ""


def _only_reading(action: int, first: str | None, second: str | None, *_: Any) -> int:
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in FORBIDDEN:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in ALLOWED else sqlite3.SQLITE_DENY


# ---- the tables


def wanted(text: str) -> list[Table]:
    """The derived tables that a query names, those they need first."""
    names = set(re.findall(r"\w+", text.lower()))
    named = {VIEWS.get(name, name) for name in names} & TABLES.keys()
    needed = {need for name in named for need in TABLES[name].needs}
    return [table for name, table in TABLES.items() if name in named | needed]


def prepare(capture: Capture, text: str, still_wanted: StillWanted) -> None:
    """Makes the derived tables that a query names, if they are missing.  Raises Cancelled."""
    cache = capture.side_cache
    tables = wanted(text)
    while missing := [number for number, table in enumerate(tables) if not cache.made().issuperset(table.marks(capture))]:
        wanted_still = partial(_part_wanted, still_wanted, missing[0], len(tables))
        cache.write_somewhere(partial(_make, capture, tables[missing[0]], wanted_still), wanted_still)


def _part_wanted(still_wanted: StillWanted, number: int, count: int, fraction: float) -> bool:
    """Progress within one of `count` tables."""
    return still_wanted((number + fraction) / count)


def _make(capture: Capture, table: Table, still_wanted: StillWanted, connection: sqlite3.Connection) -> None:
    made = {name for (name,) in connection.execute("SELECT name FROM made")}
    marks = [mark for mark in table.marks(capture) if mark not in made]
    if not marks:
        return  # another window was faster
    if table.name in made:
        connection.execute(f"DROP TABLE {table.name}")
    for statement in table.create.split(";"):
        connection.execute(statement)
    create, wanted_still = table.create.split(";")[0], still_wanted(0.0)
    if not wanted_still or not fill(connection, create, table.columns(capture, still_wanted), still_wanted, table.staged):
        raise Cancelled("query cancelled")
    connection.executemany("INSERT INTO made VALUES(?)", [(mark,) for mark in marks])


def _connection(capture: Capture, plain: sqlite3.Connection, said: list[str]) -> sqlite3.Connection:
    """Reads the side cache, with the tape attached.  Our functions speak into `said`; SQLite's own are asked of `plain`."""
    connection = capture.side_cache.reader()
    if capture.tape.path is not None:
        with database.errors_named(capture.tape.path, "read it"):
            connection.execute("ATTACH ? AS tape", (capture.tape.address,))
    for name, count, function in (*_functions(capture), *limited(plain)):
        connection.create_function(name, count, _heard(function, said))
    return connection


def _heard(function: Callable[..., Any], said: list[str]) -> Callable[..., Any]:
    """The same, with the error that it raises: SQLite only keeps that there was one."""

    def call(*args: Any) -> Any:
        try:
            return function(*args)
        except BadInput as error:
            said.append(str(error))
            raise

    return call


def _close(capture: Capture, connection: sqlite3.Connection) -> None:
    if capture.side_cache.path is not None:
        connection.close()
    else:
        connection.execute("PRAGMA query_only = OFF")
        if capture.tape.path is not None:
            connection.execute("DETACH tape")


def _functions(capture: Capture) -> list[tuple[str, int, Callable[..., Any]]]:
    """Name, arguments, function.  An unknown event or key gives NULL."""
    values = InForce(capture)
    return [
        ("state", 2, values.number),
        ("state_text", 2, values.text),
        ("writer", 2, values.writer),
        ("text", 1, lambda event: capture.text(event) if values.known(event) else None),
        ("source_text", 1, lambda source: capture.source_text(source) or None if isinstance(source, int) else None),
    ]


class InForce:
    """Values in force at an event, by key: what SQL's functions answer."""

    def __init__(self, capture: Capture) -> None:
        self._capture, self._count = capture, len(capture.events)
        self._place = cache(self._find)

    def known(self, event: Any) -> bool:
        return isinstance(event, int) and 0 <= event < self._count

    def _find(self, key: Any) -> tuple[StatePlace, np.ndarray, np.ndarray] | None:
        """A key's place, and of a value of one dword its writes: events, and values with the initial one at the end."""
        walked = self._capture.walked
        places = places_like(str(key), walked.lights_at(self._count))
        if not places:
            return None
        seqs, values = walked.states.history(places[0].slot)
        return places[0], seqs, np.append(values, np.uint32(walked.states.start(places[0].slot)))

    def _raw(self, event: Any, key: Any) -> tuple[StatePlace, tuple[int, ...]] | None:
        found = self._place(key) if self.known(event) else None
        if found is None:
            return None
        place, seqs, values = found
        if place.count == 1 and place.key[0] != "LIGHT":
            return place, (int(values[np.searchsorted(seqs, event, side="right") - 1]),)
        value = self._capture.state(event).get(place.key)
        return None if value is None else (place, value.raw)

    def number(self, event: Any, key: Any) -> float | int | str | None:
        found = self._raw(event, key)
        if found is None:
            return None
        place, raw = found
        if len(raw) > 1:
            return text_of(place.kind, raw)
        return float(place.kind.value(raw[0])) if place.kind is F32 else int(place.kind.value(raw[0]))

    def text(self, event: Any, key: Any) -> str | None:
        found = self._raw(event, key)
        return None if found is None else text_of(found[0].kind, found[1])

    def writer(self, event: Any, key: Any) -> int | None:
        found = self._place(key) if self.known(event) else None
        value = self._capture.state(event).get(found[0].key) if found else None
        return None if value is None else value.writer
