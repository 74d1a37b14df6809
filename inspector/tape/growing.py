"""The written part of a growing file as a tape: read over the writer's own connection while writing continues.

SQLite is built serialised, so one connection may be used from several threads; a reader of its own would need a write-ahead
log, which costs an import a tenth to a half of its time.
"""

from __future__ import annotations

import copy
import sqlite3
import threading
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import TapeError
from inspector.tape.columns import Column
from inspector.tape.limits import Allowance
from inspector.tape.packing import Head
from inspector.tape.reader import CallIndex, Tape
from inspector.tape.sequence import CallSequence
from inspector.tape.writer import TapeWriter

WAIT = "the file is still being read; that needs all of it"


class Shared:
    """The connection over which all tapes of one writer read: the writer's, and in the end that of the finished file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.lock = threading.RLock()


class TapeSoFar(Tape):
    """The first calls that a writer has committed.  `grown` makes a longer one; this one stays as it is."""

    def __init__(self, path: Path, writer: TapeWriter) -> None:
        """path: of the file that is read."""
        self.path = path
        self.shared = Shared(writer.connection)
        self._lock = self.shared.lock
        self._keep_nothing()
        self._met: set[tuple[str, int]] = set()
        self._allowance = Allowance(1 << 60)  # what we write ourselves is bounded by what imports take
        self._firsts: list[int] = []
        self._source_rows: list[tuple[int, int]] = []
        self._heads = [Column(kind) for kind in ("<u2", "<u4", "<i8")]
        self._memory = ""
        self.damaged = False
        self.notices: list[str] = []
        self.meta: dict[str, Any] = {}
        self._load_more()

    @property
    def _db(self) -> sqlite3.Connection:  # type: ignore[override]
        return self.shared.connection

    def grown(self, calls: int | None = None) -> TapeSoFar:
        """The first `calls` calls of what is committed by now; None: all of it."""
        other = copy.copy(self)
        other._keep_nothing()
        other._load_more()
        if calls is not None:
            other._index = CallIndex(other._entries, *(column[:calls] for column in other._index[1:]))
            other.calls = CallSequence(calls, other._call, other._raw)
        return other

    def _load_more(self) -> None:
        """Rows that were written since.  The lists are shared by all tapes of the writer: they only get longer."""
        with self._lock:
            self._entries = dict(self._db.execute("SELECT id, name FROM entry"))
            known = len(self._heads[0])
            query = "SELECT first, calls, head FROM batch WHERE first >= ? ORDER BY first"
            for first, calls, packed in self._db.execute(query, (known,)).fetchall():
                self._firsts.append(first)
                for column, part in zip(self._heads, Head.unpack(packed, calls), strict=True):
                    column.append(part)
            self._index = CallIndex(self._entries, *(column.view() for column in self._heads))
            self.calls = CallSequence(len(self._index.entry), self._call, self._raw)
            known = sum(self._source_rows[-1]) if self._source_rows else 0
            query = "SELECT first, calls FROM source WHERE first >= ? ORDER BY first"
            self._source_rows += self._db.execute(query, (known,)).fetchall()
            self.source_count = sum(self._source_rows[-1]) if self._source_rows else 0
            self._names = self._read_names()

    @property
    def digest(self) -> str:  # type: ignore[override]
        """None yet: nothing that is derived of a part is kept."""
        return ""

    @property
    def address(self) -> str:
        raise TapeError(f"{self.path.name}: {WAIT}")

    @property
    def pointers(self) -> np.ndarray:
        rows = super().pointers
        return rows[rows["source"] < self.source_count]

    def _write(self, statement: str, values: tuple) -> int:
        raise TapeError(f"{self.path.name}: {WAIT}")

    def close(self) -> None:
        """Nothing: the connection is the writer's."""
