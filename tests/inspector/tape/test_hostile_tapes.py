"""Captures made to do harm: schemas that compute, columns that unpack to everything, copies that lie."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import xxhash

import inspector
from core.ddi.calls import DdiCall
from core.errors import BadInput, Cancelled, TapeError
from core.runtime.calls.values import ABSENT, MOST_VALUES, UINT, leb128
from inspector.imports import import_trace, open_tape
from inspector.query.search.parameters import _arguments_pass
from inspector.tape import Tape, TapeWriter, limits, packing, recent
from inspector.tape.sources import SourceColumns, SourceReader
from tests.inspector.conftest import ROOM
from tests.inspector.imports import trace_file as t

Change = Callable[[sqlite3.Connection], object]
FOREVER = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "


def changed(path: Path, change: Change) -> Path:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        change(db)
    return path


def a_view(table: str) -> Change:
    columns = ", ".join(f"i AS {column}" for column in limits.COLUMNS[table])
    return lambda db: db.executescript(f"DROP TABLE {table}; CREATE VIEW {table} AS {FOREVER}{columns} FROM n")


COMPUTING: dict[str, tuple[Change, str]] = {
    **{f"view {table}": (a_view(table), f"the view '{table}'") for table in limits.COLUMNS},
    "view beside": (lambda db: db.execute(f"CREATE VIEW v AS {FOREVER}i FROM n"), "the view 'v'"),
    "trigger": (
        lambda db: db.execute("CREATE TRIGGER g AFTER INSERT ON annotation BEGIN DELETE FROM batch; END"), "the trigger 'g'"
    ),
    "virtual": (lambda db: db.execute("CREATE VIRTUAL TABLE f USING fts5(x)"), "the virtual table 'f'"),
    "virtual entry": (
        lambda db: db.executescript("DROP TABLE entry; CREATE VIRTUAL TABLE entry USING fts5(id, name)"),
        "virtual table 'entry'",
    ),
    "index": (lambda db: db.execute("CREATE INDEX x ON entry(abs(id))"), "the index 'x'"),
    "computed": (
        lambda db: db.executescript(
            "DROP TABLE entry; CREATE TABLE entry(id INTEGER PRIMARY KEY, name AS (printf('%.*c', 9000000, 'x')))"
        ),
        "table entry has other columns",
    ),
    "more columns": (lambda db: db.execute("ALTER TABLE meta ADD COLUMN more"), "table meta has other columns"),
}  # fmt: skip


@pytest.mark.parametrize("what", COMPUTING)
def test_only_plain_tables_are_read(written: Path, what: str) -> None:
    change, sentence = COMPUTING[what]
    with pytest.raises(TapeError, match=sentence) as caught:
        Tape(changed(written, change))
    assert str(caught.value).startswith(str(written))


def test_plain_tables_beside_are_nobody_s_business(written: Path) -> None:
    with Tape(changed(written, lambda db: db.execute("CREATE TABLE mine(x)"))) as tape:
        assert len(tape.calls) == 10_000


def test_every_table_of_the_schema_is_known(written: Path) -> None:
    with closing(sqlite3.connect(written)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
            assert tuple(row[1] for row in db.execute(f"PRAGMA table_info({table})")) == limits.COLUMNS[table]


def test_opening_can_be_cancelled_wherever_it_is(written: Path) -> None:
    looks = 0

    def count() -> bool:
        nonlocal looks
        looks += 1
        return False

    Tape(written, count).close()
    assert looks >= 3
    for last in range(looks):
        left = iter([False] * last)
        with pytest.raises(Cancelled):
            Tape(written, lambda left=left: next(left, True))
    with pytest.raises(Cancelled):
        open_tape(written, lambda fraction, text: False)
    with pytest.raises(Cancelled):
        inspector.open(written, lambda fraction, text: False)


# -- sizes ---------------------------------------------------------------------------------------------------------------------


def put_batch(db: sqlite3.Connection, first: int, count: int, body: bytes) -> None:
    head = packing.Head(np.ones(count, "<u2"), np.zeros(count, "<u4"), np.zeros(count, "<i8")).pack()
    db.execute("INSERT INTO batch VALUES(?, ?, ?, ?, ?)", (first, count, head, body, packing.row_digest(head, body)))


def only(*bodies: tuple[int, bytes]) -> Change:
    """A tape of these batches: calls, compressed body."""

    def change(db: sqlite3.Connection) -> None:
        db.execute("DELETE FROM batch")
        first = 0
        for count, body in bodies:
            put_batch(db, first, count, body)
            first += count

    return change


def test_calls_in_their_millions_from_nothing_are_refused(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """12 rows of 70 million calls unpacked to 12 GB; these are fewer, to be made quickly."""
    few = packing.compress(b"\xdd\x00\x00\x00\x00")
    with pytest.raises(TapeError, match="far more than a capture of its size holds"):
        Tape(changed(written, only((1 << 19, few))))
    small = written.with_name("small.ddicap")
    with TapeWriter(small) as writer:
        writer.append(DdiCall("Lock"))
    monkeypatch.setattr(limits, "CALLS_A_BYTE", 1)
    with pytest.raises(TapeError, match="far more than a capture of its size holds"):
        Tape(changed(small, only(*[(1 << 18, few)] * 12)))


def test_bodies_that_unpack_to_gigabytes_are_refused(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNPACKED", 1 << 20)
    monkeypatch.setattr(limits, "UNPACKED_A_BYTE", 1)
    with pytest.raises(TapeError, match="call 1: it would unpack to far more"):
        Tape(changed(written, only((1, packing.compress(bytes(1 << 19))), (1, packing.compress(bytes(5 << 20))))))


def test_blobs_that_unpack_to_gigabytes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "blobs.ddicap"
    with TapeWriter(path) as writer:
        for number in range(40):
            data = bytes((number,)) * (1 << 20)
            writer.append(DdiCall("UnlockD3DBuffer", {"handle": 1}, {"contents": data}))
            writer.append(DdiCall("UnlockD3DBuffer", {"handle": 1}, {"contents": data}))
    monkeypatch.setattr(limits, "UNPACKED", 20 << 20)
    monkeypatch.setattr(limits, "UNPACKED_A_BYTE", 0)
    with Tape(path) as tape:
        for number in (*range(38), 3, 1):
            assert bytes(tape.calls[number].data["contents"]) == bytes((number // 2,)) * (1 << 20)
        with pytest.raises(TapeError, match="far more"):
            _ = [bytes(call.data["contents"]) for call in tape.calls]


def test_a_blob_that_claims_less_than_it_holds_is_not_unpacked(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = packing.compress(bytes(1 << 24))
    digest = xxhash.xxh3_128_digest(bytes(5))
    changed(written, lambda db: db.execute("INSERT INTO blob VALUES(9999, ?, 5, ?)", (digest, data)))
    with Tape(written) as tape:
        monkeypatch.setattr("inspector.tape.reader.decompress", lambda _: pytest.fail("unpacks"))
        assert tape._blob(9999, 5) == bytes(5) and "blob 9999" in tape.notices[-1]


def body_of(args: Any, data: dict[str, Any] | None = None) -> bytes:
    return packing.compress(b"\xdd\0\0\0\1" + msgspec.msgpack.encode((args, data or {}, 0, {})))


def test_millions_of_numbers_in_one_argument_are_refused(written: Path) -> None:
    """60 million of them took 2.5 KB, and gigabytes as objects."""
    changed(written, only((1, body_of({"rects": [0] * (packing.ARGUMENT_BYTES + 1)}))))
    with Tape(written) as tape, pytest.raises(TapeError, match=r"call 0: the arguments of a call have 1,\d+,\d+ bytes"):
        tape.calls[0]


def test_a_command_buffer_stands_with_its_call(written: Path) -> None:
    """400 calls that share one blob of 64 MB were 25 GB of commands."""
    with Tape(changed(written, only((1, body_of({}, {"commands": [1, 1500], "vertices": [1, 1500]}))))) as tape:
        assert list(tape.calls[0].data) == ["vertices"]


def test_api_calls_that_are_only_claimed_are_refused(written: Path) -> None:
    data = packing.compress(bytes(12))
    changed(written, lambda db: db.execute("INSERT INTO source VALUES(0, ?, ?, ?)", (1 << 40, data, packing.row_digest(data))))
    with pytest.raises(TapeError, match="API call 0: it would unpack"):
        Tape(written)
    changed(written, lambda db: db.execute("UPDATE source SET calls = 7"))
    with Tape(written) as tape:
        assert tape.source(3).name == "(damaged)" and list(tape.source_columns()) == []


def heaps(written: Path, *sizes: int, value: bytes) -> Path:
    """Each row of the sources is a call `Odd(a)`; the heap begins with the argument's value, and has so many zeros after it."""
    changed(written, lambda db: db.execute("INSERT OR IGNORE INTO signature VALUES(0, 7, 'Odd', '[\"a\"]')"))
    for number, size in enumerate(sizes):
        none, heap = np.zeros(1, np.uint8), np.frombuffer(value + bytes(size), np.uint8)
        columns = SourceColumns(none + 7, none, none, none, none, heap[:1], none, none, heap)
        data = packing.compress(columns.pack())
        row = number, data, packing.row_digest(data)
        changed(written, lambda db, row=row: db.execute("INSERT INTO source VALUES(?, 1, ?, ?)", row))  # type: ignore[misc]
    return written


def test_api_calls_that_unpack_to_gigabytes_are_refused(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine rows of 600 kB were 5.9 GB, as eight of them are kept."""
    monkeypatch.setattr(limits, "UNPACKED", 20 << 20)
    monkeypatch.setattr(limits, "UNPACKED_A_BYTE", 0)
    monkeypatch.setattr(recent, "BATCH_BYTES", 5 << 20)
    with Tape(heaps(written, *[1 << 20] * 30, value=b"\x07\x02ab")) as tape:
        for _ in range(2):
            told = [str(tape.source(number)) for number in range(30)]
            assert told == ["Odd(a = ab)"] * 19 + ["(damaged)()"] * 11
            assert tape._source_batches.bytes < 5 << 20


@pytest.mark.parametrize("value", [b"\x0b", b"\x0b\x02\x0b\x01\x00\x0b", b"\x0f"])
def test_arguments_of_millions_of_values_are_not_read(written: Path, value: bytes) -> None:
    """Half a gigabyte of them in one event took 11 GB as objects: a list in a list, or characters."""
    with Tape(heaps(written, MOST_VALUES, value=value + leb128(MOST_VALUES - 4))) as tape:
        assert len(str(tape.source(0))) > MOST_VALUES - 4
    changed(written, lambda db: db.execute("DELETE FROM source"))
    with Tape(heaps(written, 2 * MOST_VALUES, value=value + leb128(MOST_VALUES + 1))) as tape:
        assert tape.source(0).name == "(damaged)"


def test_a_damaged_or_absent_argument_has_no_value(written: Path) -> None:
    """Neither ends the search; where an argument was absent, the next one was taken for it."""
    changed(written, lambda db: db.execute("INSERT INTO signature VALUES(0, 8, 'Even', '[\"a\", \"b\"]')"))
    with Tape(heaps(written, 0, value=b"\x0b\x05")) as tape:
        none = np.zeros(1, np.uint8)
        tags, values = np.array([ABSENT, UINT], np.uint8), np.array([0, 2], np.uint64)
        even = SourceReader(SourceColumns(none + 8, none, none, none, none, tags, values, values, none), tape._names, 0)
        (odd,) = tape.source_columns()
        for calls, found in (odd, [False]), (even.calls, [False, True]):
            passed = [_arguments_pass(calls, np.array([0]), place, lambda _, value: value == 2) for place in range(len(found))]
            assert np.concatenate(passed).tolist() == found


@pytest.mark.parametrize("number", ["x'ff00'", "'seven'", "-1", "65536", "1.5"])
def test_signatures_have_numbers_that_columns_can_hold(written: Path, number: str) -> None:
    changed(written, lambda db: db.execute(f"INSERT INTO signature VALUES(0, {number}, 'Odd', '[]')"))
    with Tape(written) as tape:
        assert "Odd" not in {signature.name for signature in tape._names.functions.values()}


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize("key", [*limits.META, "more"])
@pytest.mark.parametrize("value", ["[]", "{}", "5", "null", '"text"', "[[1]]", '{"process.name": [1]}', "true", "1e999", DEEP])
def test_meta_of_any_type_is_typed_or_left_out(written: Path, key: str, value: str) -> None:
    changed(written, lambda db: db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (key, value)))
    with Tape(written) as tape:
        assert isinstance(tape.meta.get(key, limits.META.get(key, object)()), limits.META.get(key, object))
        assert all(isinstance(notice, str) for notice in tape.notices)


# -- what a tape is known by --------------------------------------------------------------------------------------------------


LIES: dict[str, Change] = {
    "entry": lambda db: db.execute("UPDATE entry SET name = 'Blt' WHERE name = 'DrawPrimitives2'"),
    "signature": lambda db: db.execute("UPDATE signature SET name = 'IDirect3DDevice8::Lie' WHERE kind = 0"),
    "pointer": lambda db: db.execute("UPDATE pointer SET handle = handle + 1"),
    "finding": lambda db: db.execute("INSERT INTO finding VALUES(1, 'bad-argument', 'a lie')"),
    "meta": lambda db: db.execute("INSERT OR REPLACE INTO meta VALUES('profile', '\"plain\"')"),
    "batch": lambda db: db.execute("UPDATE batch SET body = ? WHERE first = 0", (body_of({}),)),
    "source": lambda db: db.execute("UPDATE source SET data = ? WHERE first = 0", (packing.compress(bytes(12)),)),
    "blob": lambda db: db.execute("UPDATE blob SET data = ?", (packing.compress(b"lies"),)),
    "blob size": lambda db: db.execute("UPDATE blob SET size = size + 1"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_copy_that_lies_is_known_as_another(tmp_path: Path, lie: str) -> None:
    """The digests that stand in the file are those of the genuine one."""
    copy = Path(shutil.copy(ROOM, tmp_path / "copy.ddicap"))
    with Tape(ROOM) as genuine, Tape(copy) as same:
        assert genuine.digest == same.digest
        with Tape(changed(copy, LIES[lie])) as liar:
            assert liar.digest != genuine.digest


def test_notes_and_names_of_files_change_nothing(tmp_path: Path) -> None:
    copy = Path(shutil.copy(ROOM, tmp_path / "other.ddicap"))
    with Tape(copy) as tape:
        tape.annotate("event=5", "a note")
    changed(copy, lambda db: db.execute("UPDATE meta SET value = '\"2001-01-01\"' WHERE key = 'created'"))
    with Tape(ROOM) as genuine, Tape(copy) as tape:
        assert tape.digest == genuine.digest


def test_a_lying_copy_spoils_nothing_of_the_genuine_one(tmp_path: Path) -> None:
    question = inspector.Sql("SELECT name, count(*) FROM events GROUP BY name ORDER BY name")
    genuine = Path(shutil.copy(ROOM, tmp_path / "room.ddicap"))
    changed(genuine, lambda db: db.execute("INSERT OR REPLACE INTO meta VALUES('profile', '\"of this test\"')"))
    liar = changed(Path(shutil.copy(genuine, tmp_path / "liar.ddicap")), LIES["entry"])
    with inspector.open(liar) as capture:
        lies = capture.ask(question).rows
    with inspector.open(genuine) as capture, inspector.open(ROOM) as room:
        assert capture.ask(question).rows == room.ask(question).rows != lies


def test_one_trace_is_imported_to_one_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads compress the blobs: where a batch ends may not depend on when they are done."""
    monkeypatch.setattr("inspector.tape.blobs.BUNDLE", 1 << 10)
    monkeypatch.setattr("inspector.tape.writer.BATCH_BYTES", 1 << 14)
    trace = t.TraceFile()
    t.begin(trace)
    noise = np.random.default_rng(5)
    for _ in range(120):
        trace.call("memcpy", {"dest": t.Pointer(0x5000), "src": noise.bytes(3000)}, None, flags=1)
        t.triangle(trace)
    path = tmp_path / "a.trace"
    path.write_bytes(t.snappy(trace.bytes()))
    digests = set()
    for number in range(6):
        kept = tmp_path / f"{number}.ddicap"
        with TapeWriter(kept, durable=False) as writer:
            slow = [False, True, True, False, True, False][number]
            pool = writer._blobs._pool
            submit = pool.submit

            def late(work: Any, *args: Any, slow: bool = slow, submit: Any = submit) -> Any:
                future = submit(work, *args)
                if slow:
                    future.result()
                return future

            monkeypatch.setattr(pool, "submit", late)
            import_trace(path, writer)
        with Tape(kept) as tape:
            assert tape.source_count == trace.count
            digests.add(tape.digest)
    assert len(digests) == 1


def test_a_tape_says_bad_input_and_nothing_else(written: Path) -> None:
    whole = written.read_bytes()
    random = np.random.default_rng(7)
    for _ in range(60):
        spoilt = bytearray(whole)
        for at in random.integers(0, min(len(spoilt), 1 << 15), 6):
            spoilt[at] = random.integers(256)
        written.write_bytes(bytes(spoilt))
        try:
            with Tape(written) as tape:
                _ = tape.digest, tape.findings, tape.annotations, tape.pointers, tape.thumbnail
                for number in range(0, len(tape.calls), 97):
                    _ = tape.calls[number]
        except BadInput as error:
            assert str(written) in str(error)
