"""Writing a capture, batch by batch."""

from __future__ import annotations

import json
import sqlite3
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.ddi.calls import DdiCall, Outcome
from core.ddi.stream import dp2
from core.errors import TapeError
from core.runtime.calls.columns import Calls
from core.runtime.calls.source import describe
from inspector.tape import database
from inspector.tape.blobs import BlobStore
from inspector.tape.blobs import Row as BlobRow
from inspector.tape.packing import (
    ALWAYS_INLINE,
    BODY_BEGINS,
    BlobRef,
    Head,
    compress,
    compress_quickly,
    end_body,
    pack_call,
    row_digest,
    shrunk,
)
from inspector.tape.sources import FUNCTION, Room, SourceRows
from inspector.version import VERSION

if TYPE_CHECKING:
    from inspector.tape.reader import Tape

PRODUCER = f"DDI Inspector {VERSION}"
BATCH_CALLS = 4096
BATCH_BYTES = 1 << 21
BATCH_SECONDS = 1.0
INLINE = 1024
DRAWS = "DrawPrimitives2"  # the entry whose calls carry records

SignatureRow = tuple[int, int, str, Sequence[Any]]
"""Kind, number, name and members of a signature."""


class TapeWriter:
    """Appends DDI calls and source calls to a new `.ddicap`.

    A batch is committed when it is full (BATCH_CALLS calls or BATCH_BYTES bytes) or, in a durable file, BATCH_SECONDS
    old. `durable=False` is for files that are worthless when unfinished: faster, but a killed process may leave no
    readable file. Every failure to write is a TapeError; batches committed before stay readable.
    """

    def __init__(
        self, path: Path | str, meta: dict[str, Any] | None = None, durable: bool = True, address: str = "", quick: bool = False
    ) -> None:  # fmt: skip
        """`address`: of a database in memory that is written instead of a file; `path` is what it is called.  `quick`: only
        data that shrinks to a quarter is compressed, columns quickly, pages are large: for files that are easily made again."""
        self.path = Path(path)
        self.call_count = 0
        self.committed = 0
        """Calls that are in the file for certain."""
        self.heard: Callable[[DdiCall], None] | None = None
        """Is given each call as it is recorded."""
        self.source_count = 0
        self._durable = durable
        self._packed = compress_quickly if quick else compress
        self._entries: dict[str, int] = {}
        self._blobs = BlobStore(self._insert_blobs, quick)
        self._rows, self._room = SourceRows(), Room()
        self._own_signatures = 0
        self._notices: list[str] = []
        self._writing = _Writing(self.path)
        self._open_batch()
        with database.errors_named(self.path, "create it"):
            if not address:
                database.remove(self.path)
            self._db = database.create(self.path, durable, address, quick)
        self.set_meta(producer=PRODUCER, created=datetime.now(UTC).isoformat(timespec="seconds"), closed=False)
        self.set_meta(**(meta or {}))

    def __enter__(self) -> TapeWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()

    # -- the recorded stream ------------------------------------------------------------------------------------------

    def append(self, call: DdiCall) -> None:
        """Records a call as it is now: nothing it refers to is kept."""
        data, name, records = call.data or {}, call.entry, 0
        if data:
            if name == DRAWS:
                records = record_count(call)
            if type(data) is not dict:
                data = self._stored(data)
            else:
                for key, value in data.items():
                    if type(value) is not bytes or (len(value) >= INLINE and key not in ALWAYS_INLINE):
                        data = self._stored(data)
                        break
        body, entry = self._body, self._entry
        pack_call(call, data, body)
        entry.append(self._entries.get(name) or self._new_entry(name))
        self._records.append(records)
        self._source.append(call.source)
        self.call_count += 1
        if self.heard is not None:
            self.heard(call)
        if self._bytes + len(body) >= BATCH_BYTES or len(entry) >= BATCH_CALLS or (self._durable and self._is_old()):
            self.commit()

    def append_sources(self, calls: int, packed: np.ndarray) -> None:
        """Records source calls in bulk, as SourceColumns.pack has them; their number goes on where the last call ended."""
        self._flush_source_rows()
        self._put_sources(calls, packed)

    def append_source(self, name: str, args: dict[str, Any], result: Any = 0) -> int:
        """Records one source call and returns its number."""
        if len(self._rows) >= BATCH_CALLS:
            self._flush_source_rows()
        self._rows.append(name, args, result, self.keep_blob, self.add_signature)
        self.source_count += 1
        self._bytes += 64
        return self.source_count - 1

    def judge(self, verdicts: np.ndarray) -> None:
        """What became of the scripted call that was recorded last: the `verdict_sink` of such a runtime."""
        if len(verdicts) == 1:
            self._rows.judge(int(verdicts[0]))

    def append_calls(self, calls: Calls) -> None:
        """Records scripted source calls: the `source_sink` of a runtime that draws through a Recorder."""
        for i in range(len(calls)):
            call = describe(calls, i)
            self.append_source(call.name, dict(call.args), call.result)

    def add_signature(self, kind: int, name: str, members: Sequence[Any], number: int | None = None) -> int:
        """Declares what source calls refer to; without `number` it gets one of its own, from 32768 on."""
        if number is None:
            number = 32768 + self._own_signatures
            self._own_signatures += 1
        self.add_signatures([(kind, number, name, members)])
        return number

    def add_signatures(self, rows: Iterable[SignatureRow]) -> None:
        """Declares what source calls refer to."""
        packed = [(kind, number, name, json.dumps(list(members))) for kind, number, name, members in rows]
        if any(kind == FUNCTION and number > 65535 for kind, number, _, _ in packed):
            raise TapeError(f"{self.path}: too many different source calls")
        self._begin()
        with self._writing:
            self._db.executemany("INSERT OR REPLACE INTO signature VALUES(?, ?, ?, ?)", packed)

    def add_pointers(self, rows: Iterable[tuple[int, int, int]]) -> None:
        """Rows (source call, API pointer, driver handle); handle 0 says that the object is gone."""
        signed = [(int(s), int(np.uint64(p).astype(np.int64)), int(h)) for s, p, h in rows]
        self._begin()
        with self._writing:
            self._db.executemany("INSERT INTO pointer VALUES(?, ?, ?)", signed)

    def add_pointer(self, source: int, pointer: int, handle: int) -> None:
        """One row of add_pointers: the `pointer_sink` of such a runtime."""
        self.add_pointers([(source, pointer, handle)])

    def add_finding(self, source: int, rule: str, text: str) -> None:
        """What making the DDI calls found about an API call."""
        self._run("INSERT INTO finding VALUES(?, ?, ?)", (source, rule, text))

    def keep_blob(self, data: Any) -> BlobRef:
        """Stores bytes once and returns the reference to them."""
        last = self._blobs.last
        reference = self._blobs.keep(data)
        if self._blobs.last != last:  # counted now: when threads have compressed it is another time each time
            self._bytes += reference.size >> 2
        return reference

    def _insert_blobs(self, rows: list[BlobRow]) -> None:
        self._begin()
        with self._writing:
            self._db.executemany("INSERT INTO blob VALUES(?, ?, ?, ?)", rows)

    def take_over(self, tape: Tape) -> None:
        """The source calls of another tape, the data, names and findings that belong to them, and its annotations.

        Before anything is recorded.  Numbers of source calls stay what they are.
        """
        self._begin()
        with self._writing:
            for table in ("blob", "signature", "source", "finding", "pointer", "annotation"):
                for row in tape.rows(table):
                    if table == "blob":
                        self._blobs.know(BlobRef(row[0], row[2]), row[1])
                        row = (*row[:3], shrunk(row[3]))
                    self._db.execute(f"INSERT INTO {table} VALUES({', '.join('?' * len(row))})", row)
        self.source_count = tape.source_count

    # -- about the recording ------------------------------------------------------------------------------------------

    def set_meta(self, **values: Any) -> None:
        self._begin()
        with self._writing:
            rows = [(key, json.dumps(value)) for key, value in values.items()]
            self._db.executemany("INSERT OR REPLACE INTO meta VALUES(?, ?)", rows)

    def add_notice(self, sentence: str) -> None:
        """A sentence that whoever opens the capture should see."""
        self._notices.append(sentence)
        self.set_meta(notices=self._notices)

    def set_thumbnail(self, png: bytes) -> None:
        self._run("INSERT OR REPLACE INTO thumbnail VALUES(1, ?)", (png,))

    def add_annotation(self, focus: str, text: str, created: str) -> None:
        self._run("INSERT INTO annotation(focus, text, created) VALUES(?, ?, ?)", (focus, text, created))

    # -- batches ------------------------------------------------------------------------------------------------------

    def commit(self) -> None:
        """Writes what is pending: from here on a killed process loses nothing of it."""
        self._flush_source_rows()
        if self._durable:
            self._blobs.drain()
        if calls := len(self._entry):
            columns = (self._entry, self._records, self._source)
            head = Head(*(np.array(column, kind) for column, kind in zip(columns, _HEAD, strict=True)))
            end_body(self._body, calls)
            packed, body = head.pack(self._packed), self._packed(self._body)
            row = (self.call_count - calls, calls, packed, body, row_digest(packed, body))
            self._run("INSERT INTO batch VALUES(?, ?, ?, ?, ?)", row)
        self._open_batch()
        with self._writing:
            if self._db.in_transaction:
                self._db.execute("COMMIT")
            if self._durable:
                self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        self.committed = self.call_count

    @property
    def connection(self) -> sqlite3.Connection:
        """For reading what is committed, from this process, until `close`; after `settle` the data of it, too."""
        return self._db

    def settle(self) -> None:
        """Has all data written that is still being compressed."""
        self._blobs.drain()

    def close(self) -> None:
        """Ends the recording in order: one file without a journal."""
        self._blobs.drain()
        self._blobs.close()
        self.set_meta(closed=True, calls=self.call_count, sources=self.source_count)
        self.commit()
        with self._writing:
            self._db.execute("PRAGMA journal_mode = DELETE").fetchone()
            self._db.close()

    def abandon(self) -> None:
        """Closes the file as it is: committed batches stay, what is pending is dropped."""
        self._blobs.close()
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._db.execute("PRAGMA journal_mode = DELETE").fetchone()
        except sqlite3.Error:
            pass  # a full or vanished disk: the journal next to the file stays and is read with it
        self._db.close()

    def _open_batch(self) -> None:
        self._body = bytearray(BODY_BEGINS)
        self._entry, self._records, self._source = array("H"), array("I"), array("q")  # see Head
        self._bytes = -len(BODY_BEGINS)  # of what waits, but for the body
        self._began = time.monotonic()

    def _is_old(self) -> bool:
        """Whether the batch of a durable file waits long enough; looked at after every sixteenth call."""
        return not len(self._entry) & 15 and time.monotonic() - self._began > BATCH_SECONDS

    def _stored(self, data: dict[str, Any]) -> dict[str, Any]:
        """The data of a call, or references to it, as it stands in a batch."""
        return {name: self._store(name, value) for name, value in data.items() if value is not None}

    def _store(self, name: str, value: Any) -> bytes | BlobRef:
        if type(value) is bytes and (len(value) < INLINE or name in ALWAYS_INLINE):
            return value
        if type(value) is memoryview and value.nbytes >= INLINE and name not in ALWAYS_INLINE:
            return self.keep_blob(value)
        if name in ALWAYS_INLINE or memoryview(value).nbytes < INLINE:
            return value.tobytes() if isinstance(value, np.ndarray) else bytes(value)
        return self.keep_blob(value if not isinstance(value, np.ndarray) else np.ascontiguousarray(value))

    def _new_entry(self, name: str) -> int:
        number = self._entries[name] = len(self._entries) + 1
        self._run("INSERT INTO entry VALUES(?, ?)", (number, name))
        return number

    def _flush_source_rows(self) -> None:
        if len(self._rows):
            self.source_count -= len(self._rows)
            columns = self._rows.take()
            self._put_sources(len(columns.signature), self._room.packed(columns))

    def _put_sources(self, count: int, packed: np.ndarray) -> None:
        data = self._packed(packed)
        self._run("INSERT INTO source VALUES(?, ?, ?, ?)", (self.source_count, count, data, row_digest(data)))
        self.source_count += count
        self._bytes += len(data)

    def _begin(self) -> None:
        if not self._db.in_transaction:
            with self._writing:
                self._db.execute("BEGIN IMMEDIATE")

    def _run(self, statement: str, values: tuple[Any, ...]) -> None:
        self._begin()
        with self._writing:
            self._db.execute(statement, values)


class _Writing:
    """Around everything that touches the file: errors as sentences; after a failure nothing more is written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failure = ""

    def __enter__(self) -> None:
        if self._failure:
            raise TapeError(self._failure)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *_: object) -> None:
        if isinstance(error, (sqlite3.Error, OSError)):
            self._failure = database.failure(self._path, "write to it", error)
            raise TapeError(self._failure) from error


_HEAD = ("<u2", "<u4", "<i8")


def record_count(call: DdiCall) -> int:
    """How many DP2 records a call carries; 0 for calls without a stream."""
    if call.entry != DRAWS or (commands := call.data.get("commands")) is None:
        return 0
    sources = call.data.get("sources")
    if sources is not None:
        return (len(sources) if type(sources) is bytes else memoryview(sources).nbytes) // 4
    view = np.frombuffer(commands, np.uint8)
    start, length = call.args.get("command_offset", 0), call.args.get("command_length", len(view))
    if not isinstance(start, int) or not isinstance(length, int):
        return 0  # as the events of such a call: none
    return len(dp2.scan(view, start, length, resume=Outcome.of(call).resumed.get).records)
