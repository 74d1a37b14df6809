"""Reading a capture: batches are decoded on demand."""

from __future__ import annotations

import json
import sqlite3
import threading
from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import xxhash

from core.ddi.calls import DdiCall
from core.errors import Cancelled, TapeError
from core.runtime.calls.columns import Calls, Names, Signature
from core.runtime.calls.source import Blob
from core.runtime.calls.values import BITMASK, ENUM, FUNCTION, STRUCT
from inspector.progress import Cancel
from inspector.tape import database, identity, recent
from inspector.tape.arguments import checked
from inspector.tape.limits import Allowance, meta_of
from inspector.tape.packing import ALWAYS_INLINE, Head, decompress, row_digest, unpack_arguments, unpack_body, unpacked_size
from inspector.tape.pointers import pointer_rows
from inspector.tape.recent import Recent
from inspector.tape.sequence import CallData, CallSequence, RawCall
from inspector.tape.sources import SourceCall, SourceColumns, SourceReader


class CallIndex(NamedTuple):
    """What every call is, without decoding any: `names[entry[i]]`, DP2 `records[i]`, causing API call `source[i]` (or -1)."""

    names: dict[int, str]
    entry: np.ndarray
    records: np.ndarray
    source: np.ndarray


class Annotation(NamedTuple):
    """A note of the reader's at a place: `focus` is the text form of a Focus, `created` UTC ISO 8601."""

    id: int
    focus: str
    text: str
    created: str


class SourceFinding(NamedTuple):
    """A finding about an API call: `rule` is the id of a rule of core.ddi.rules.check."""

    source: int
    rule: str
    text: str


class Tape:
    """A `.ddicap` file, read-only but for its annotations.  Usable from several threads.

    A damaged file opens as far as it can be read: `damaged`, and `notices` say what is missing.  TapeError if nothing can be
    read.  `known_as`: names an import that the user's cache holds as `digest` does, without reading it; "" for other files.
    """

    known_as = ""

    def __init__(self, path: Path | str, cancel: Cancel | None = None, address: str = "") -> None:
        """`cancel` ends the opening, in Cancelled.  `address`: of a database in memory that is read instead of a file."""
        self.path = Path(path)
        self._lock = threading.RLock()
        self._keep_nothing()
        self._met: set[tuple[str, int]] = set()
        self._memory = address
        self._db = database.open_address(address) if address else database.open_to_read(self.path)
        try:
            with database.stoppable(self._db, cancel), database.at_one_moment(self.path, self._db):
                database.check_version(self.path, self._db)
                self._load(cancel or (lambda: False))
        except BaseException:
            self._db.close()
            raise

    def _keep_nothing(self) -> None:
        self._batches: Recent[list[Any]] = Recent(recent.BATCHES, recent.BATCH_BYTES)
        self._blobs: Recent[bytes] = Recent(recent.BLOBS, recent.BLOB_BYTES)
        self._source_batches: Recent[SourceReader] = Recent(recent.BATCHES, recent.BATCH_BYTES)

    def _load(self, cancel: Cancel) -> None:
        with database.errors_named(self.path, "read it"):
            pages, size = (self._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
            self._allowance = Allowance(pages * size if self._memory else self.path.stat().st_size)
            rows = self._db.execute("SELECT id, name FROM entry WHERE typeof(name) = 'text'")
            self._entries: dict[int, str] = dict(rows)
            self.meta = meta_of(self._db.execute("SELECT key, value FROM meta"))
        self.notices: list[str] = list(self.meta.get("notices", []))
        self.damaged = False
        self._firsts: list[int] = []
        self._index = self._read_index(cancel)
        self.calls = CallSequence(len(self._index.entry), self._call, self._raw)
        self._source_rows = self._read_source_rows()
        self.source_count = sum(self._source_rows[-1]) if self._source_rows else 0
        self._names = self._read_names()
        if not self.meta.get("closed"):
            self.notices.append(f"The recording was not closed properly; it holds the first {len(self.calls)} calls.")
        elif len(self.calls) != self.meta.get("calls") and not self.damaged:
            self._report_damage(len(self.calls))

    def __enter__(self) -> Tape:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    @cached_property
    def digest(self) -> str:
        """Names what is recorded, by its contents, whatever the file is called."""
        with self._lock:
            return identity.digest(self._rows)

    @property
    def connection(self) -> sqlite3.Connection:
        """Its own, for reading; until `close`."""
        return self._db

    @property
    def address(self) -> str:
        """What another database connection attaches to read it."""
        return self._memory or database.address_to_read(self.path)

    # -- DDI calls ----------------------------------------------------------------------------------------------------

    def call_index(self) -> CallIndex:
        """Arrays over all calls; see CallIndex."""
        return self._index

    def _read_index(self, cancel: Cancel) -> CallIndex:
        heads = []
        total = 0
        for row in self._rows("SELECT first, calls, head, body, digest FROM batch ORDER BY first"):
            if cancel():
                raise Cancelled("opening cancelled")
            head = self._head(total, *row)
            if head is None:
                self._report_damage(total)
                break
            heads.append(head)
            self._firsts.append(total)
            total += len(head.entry)
        columns = [np.concatenate(column) for column in zip(*heads, strict=True)] if heads else _EMPTY
        return CallIndex(self._entries, *columns)

    def _rows(self, query: str) -> Iterator[tuple]:
        """Rows of a query until damage; then a notice.  TapeError if it is closed, or locked by another program."""
        try:
            yield from self._db.execute(query)
        except database.ERRORS as error:
            database.raise_if_passing(self.path, error)
            self.damaged = True
            table = query.split(" FROM ")[1].split()[0]
            self.notices.append(f"The file is damaged: not all rows of its table {table} can be read.")

    def rows(self, table: str) -> Iterator[tuple]:
        """The rows of a table as they are, as far as they can be read."""
        order = "first" if table in ("batch", "source") else "1" if table == "signature" else "rowid"
        with self._lock:
            yield from self._rows(f"SELECT * FROM {table} ORDER BY {order}")

    def _head(self, total: int, first: Any, calls: Any, packed: Any, body: Any, digest: Any) -> Head | None:
        """The unpacked head of an intact batch that follows call `total`, else None."""
        if first != total or not isinstance(packed, bytes) or not isinstance(body, bytes):
            return None
        if row_digest(packed, body) != digest or not isinstance(calls, int) or calls < 1:
            return None
        try:
            self._allowance.take(calls=calls, unpacked=unpacked_size(body))
        except TapeError as error:
            raise TapeError(f"{self.path}: call {first}: {error}") from None
        try:
            head = Head.unpack(packed, calls)
        except TapeError:
            return None
        return head if self._entries.keys() >= set(head.entry.tolist()) else None

    def _report_damage(self, first: int) -> None:
        self.damaged = True
        self.notices.append(f"The file is damaged after call {first}: it opens up to there.")

    def _call(self, number: int) -> DdiCall:
        batch = bisect_right(self._firsts, number) - 1
        args, data, result, out = self._batch(batch)[number - self._firsts[batch]]
        name = self._entries[int(self._index.entry[number])]
        inline = {part: stored for part, stored in data.items() if isinstance(stored, bytes) or part not in ALWAYS_INLINE}
        blobs: Any = CallData(inline, self._blob)
        source = int(self._index.source[number])
        try:
            arguments, results = unpack_arguments(args), unpack_arguments(out)
        except TapeError as error:
            raise TapeError(f"{self.path}: call {number}: {error}") from error
        return DdiCall(name, checked(name, arguments), blobs, result & 0xFFFFFFFF, checked(name, results), source)

    def _raw(self, number: int) -> RawCall:
        batch = bisect_right(self._firsts, number) - 1
        args, data, result, out = self._batch(batch)[number - self._firsts[batch]]
        return RawCall(self._entries[int(self._index.entry[number])], bytes(args), data, result, bytes(out))

    def _batch(self, batch: int) -> list[Any]:
        with self._lock:
            rows = self._batches.get(batch)
            if rows is None:
                body, calls = self._row("SELECT body, calls FROM batch WHERE first = ?", self._firsts[batch])
                try:
                    rows = self._batches.put(batch, unpack_body(body, calls), unpacked_size(body))
                except TapeError as error:
                    raise TapeError(f"{self.path}: call {self._firsts[batch]}: {error}") from error
            return rows

    def _row(self, query: str, key: int) -> tuple:
        """The one row of a query."""
        with database.errors_named(self.path, "read it"):
            row = self._db.execute(query, (key,)).fetchone()
        if row is None or not isinstance(row[0], bytes):
            raise TapeError(f"{self.path}: a row is missing")
        return row

    def _blob(self, number: int, size: int) -> bytes:
        """The bytes of a blob; zeros and a notice if they are damaged.  TapeError as of `_rows`."""
        with self._lock:
            found = self._blobs.get(number)
            if found is not None:
                return found
            self._take_once("blob", number, size)
            return self._blobs.put(number, self._read_blob(number, size), size)

    def _take_once(self, table: str, number: int, size: int) -> None:
        """Of the allowance, however often a row is read; TapeError when that is used up."""
        if (table, number) not in self._met:
            self._allowance.take(unpacked=size)
            self._met.add((table, number))

    def _read_blob(self, number: int, size: int) -> bytes:
        try:
            row = self._db.execute("SELECT digest, data FROM blob WHERE id = ?", (number,)).fetchone()
            is_stored = row and isinstance(row[1], bytes) and unpacked_size(row[1]) == size
            data = decompress(row[1]) if is_stored else b""
            if row and len(data) == size and xxhash.xxh3_128_digest(data) == row[0]:
                return data
        except (*database.ERRORS, TapeError) as error:
            database.raise_if_passing(self.path, error)  # others are told below, like a digest that does not fit
        self._report_loss(f"{size} bytes of data (blob {number}) are lost and stand as zeros.")
        return bytes(size)

    def _report_loss(self, what: str) -> None:
        self.damaged = True
        self.notices.append(f"The file is damaged: {what}")

    # -- source calls -------------------------------------------------------------------------------------------------

    def source(self, number: int) -> SourceCall:
        """API call `number`; IndexError if the tape does not hold it."""
        if not 0 <= number < self.source_count:
            raise IndexError(f"source call {number} of {self.source_count}")
        batch = bisect_right(self._source_rows, (number, 1 << 62)) - 1
        try:
            return self._source_batch(batch).call(number - self._source_rows[batch][0])
        except TapeError:
            return SourceCall(number, "(damaged)", [], 0)

    def verdict(self, number: int) -> int:
        """What became of API call `number` (`core.runtime.runtime.EMITTED`, REDUNDANT, ...); 255 if that is not known."""
        batch = bisect_right(self._source_rows, (number, 1 << 62)) - 1
        try:
            return int(self._source_batch(batch).verdicts[number - self._source_rows[batch][0]])
        except (TapeError, IndexError):
            return 255

    def source_columns(self) -> Iterator[Calls]:
        """All API calls as columns, thousands at a time, up to the first damage."""
        for batch in range(len(self._source_rows)):
            try:
                yield self._source_batch(batch).calls
            except TapeError:
                return

    @property
    def findings(self) -> list[SourceFinding]:
        """What making the DDI calls found about API calls."""
        with self._lock:
            query = "SELECT source, rule, text FROM finding WHERE typeof(source) = 'integer' ORDER BY source, rowid"
            return [SourceFinding(source, str(rule), str(text)) for source, rule, text in self._rows(query)]

    def source_blob(self, blob: Blob) -> bytes:
        """The bytes of an argument of a source call; empty if they were not kept (user memory of draws: see the DDI call)."""
        if blob.contents is not None:
            return blob.contents
        number = int.from_bytes(bytes.fromhex(blob.digest), "little")
        return self._blob(number, blob.size) if number else b""

    def _read_source_rows(self) -> list[tuple[int, int]]:
        rows: list[tuple[int, int]] = []
        for first, calls in self._rows("SELECT first, calls FROM source ORDER BY first"):
            if not isinstance(calls, int) or first != (sum(rows[-1]) if rows else 0) or calls < 1:
                break
            try:
                self._allowance.take(sources=calls)
            except TapeError as error:
                raise TapeError(f"{self.path}: API call {first}: {error}") from None
            rows.append((first, calls))
        return rows

    def _read_names(self) -> Names:
        names = Names()
        known = "typeof(id) = 'integer' AND id BETWEEN 0 AND 65535"  # columns name them with 16 bits
        for kind, number, name, members in self._rows(f"SELECT kind, id, name, members FROM signature WHERE {known}"):
            try:
                words = json.loads(members)
                if kind in (FUNCTION, STRUCT):
                    table = names.functions if kind == FUNCTION else names.structs
                    table[number] = Signature(str(name), tuple(str(word) for word in words))
                elif kind == ENUM:
                    names.enums[number] = {int(value): str(word) for word, value in reversed(words)}
                elif kind == BITMASK:
                    names.masks[number] = [(str(word), int(value)) for word, value in words]
            except (TypeError, ValueError, OverflowError, RecursionError):
                continue  # a damaged row: calls that need it show as damaged
        return names

    def _source_batch(self, batch: int) -> SourceReader:
        with self._lock:
            reader = self._source_batches.get(batch)
            if reader is None:
                first = self._source_rows[batch][0]
                data, digest = self._row("SELECT data, digest FROM source WHERE first = ?", first)
                self._take_once("source", batch, unpacked_size(data))
                if row_digest(data) != digest:
                    raise TapeError(f"{self.path}: the source calls from {first} on are damaged")
                columns = SourceColumns.unpack(decompress(data))
                if len(columns.signature) != self._source_rows[batch][1]:
                    raise TapeError(f"{self.path}: the source calls from {first} on are not as many as it says")
                reader = self._source_batches.put(batch, SourceReader(columns, self._names, first), unpacked_size(data))
            return reader

    # -- pointers, notes, picture -------------------------------------------------------------------------------------

    @property
    def pointers(self) -> np.ndarray:
        """POINTER rows in order of source: the object at `pointer` is `handle` from API call `source` until before `until`."""
        with self._lock:
            whole = " AND ".join(f"typeof({name}) = 'integer'" for name in ("source", "pointer", "handle"))
            rows = list(self._rows(f"SELECT source, pointer, handle FROM pointer WHERE {whole} ORDER BY rowid"))
        return pointer_rows(rows)

    @property
    def annotations(self) -> list[Annotation]:
        with self._lock:
            rows = self._rows("SELECT id, focus, text, created FROM annotation ORDER BY id")
            return [Annotation(number, *map(str, texts)) for number, *texts in rows]

    def annotate(self, focus: str, text: str) -> Annotation:
        """Adds a note; TapeError if the file cannot be written to."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        number = self._write("INSERT INTO annotation(focus, text, created) VALUES(?, ?, ?)", (focus, text, created))
        return Annotation(number, focus, text, created)

    def change_annotation(self, number: int, text: str) -> None:
        """Another text for a note."""
        self._write("UPDATE annotation SET text = ? WHERE id = ?", (text, number))

    def remove_annotation(self, number: int) -> None:
        self._write("DELETE FROM annotation WHERE id = ?", (number,))

    def _write(self, statement: str, values: tuple) -> int:
        with database.errors_named(self.path, "write to it"):
            connection = database.open_to_write(self._memory or self.path)
            try:
                return connection.execute(statement, values).lastrowid or 0
            finally:
                connection.close()

    @property
    def thumbnail(self) -> bytes | None:
        """A PNG, or None."""
        with self._lock:
            row = next(self._rows("SELECT png FROM thumbnail"), None)
        return row[0] if row and isinstance(row[0], bytes) else None

    def keep_thumbnail(self, png: bytes) -> None:
        """Stores the picture the file carries of itself; TapeError if it cannot be written to."""
        self._write("INSERT OR REPLACE INTO thumbnail VALUES(1, ?)", (png,))


_EMPTY = [np.zeros(0, "<u2"), np.zeros(0, "<u4"), np.zeros(0, "<i8")]
