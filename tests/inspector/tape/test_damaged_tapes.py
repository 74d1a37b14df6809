"""Files that are newer, foreign, cut or damaged: they open as far as they can, or say why not."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.errors import BadInput, TapeError
from inspector.tape import Tape, TapeWriter, database, packing, schema
from tests.inspector.tape.calls import plain, some_calls

# -- files that are not as they should be ----------------------------------------------------------------------------


def test_a_newer_schema_is_refused(written: Path) -> None:
    with sqlite3.connect(written) as db:
        db.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    db.close()
    with pytest.raises(TapeError, match="newer version of this program"):
        Tape(written)


def test_other_databases_and_files_are_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "x.ddicap") as db:
        db.execute("CREATE TABLE t(a)")
    db.close()
    (tmp_path / "y.ddicap").write_bytes(b"no database at all")
    (tmp_path / "z.ddicap").write_bytes(b"")
    for name, sentence in (("x", "another program"), ("y", "not an SQLite database"), ("z", "is empty"), ("w", "no such file")):
        with pytest.raises(TapeError, match=sentence) as caught:
            Tape(tmp_path / f"{name}.ddicap")
        assert f"{name}.ddicap" in str(caught.value)


def test_a_damaged_batch_ends_the_tape_with_a_notice(written: Path) -> None:
    with sqlite3.connect(written) as db:
        first, body = db.execute("SELECT first, body FROM batch ORDER BY first LIMIT 1 OFFSET 1").fetchone()
        damaged = body[:100] + bytes((body[100] ^ 1,)) + body[101:]
        db.execute("UPDATE batch SET body = ? WHERE first = ?", (damaged, first))
    db.close()
    with Tape(written) as tape:
        assert len(tape.calls) == first
        assert tape.damaged
        assert f"damaged after call {first}" in tape.notices[0]
        assert [plain(c) for c in tape.calls] == [plain(c) for c in some_calls(first)]


def test_a_damaged_blob_stands_as_zeros(written: Path) -> None:
    with sqlite3.connect(written) as db:
        db.execute("UPDATE blob SET data = zeroblob(length(data)) WHERE id = 1")
    db.close()
    with Tape(written) as tape:
        assert tape.calls[1].data["contents"] == bytes(1501)
        assert "1501 bytes of data" in tape.notices[0]
        assert plain(tape.calls[5]) == plain(list(some_calls(6))[5])


def test_what_is_locked_or_closed_is_no_damage(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeros that stand for it would be kept as if they were what the file holds."""
    monkeypatch.setattr(database, "PATIENCE", 0.0)
    with Tape(written) as tape, sqlite3.connect(written) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(TapeError, match="another program"):
            tape.calls[1].data["contents"]
        other.rollback()
        assert any(tape.calls[1].data["contents"])
    other.close()
    with Tape(written) as tape:
        call = tape.calls[1]
    for look in (lambda: call.data["contents"], lambda: tape.digest, lambda: tape.findings):
        with pytest.raises(TapeError, match="it was closed"):
            look()
    assert not tape.damaged and not tape.notices


@pytest.mark.parametrize(
    "body",
    [
        [1, 2],
        [[{}, {}, 0, {}]] * 2,
        [[{}, {}, "0", {}]],
        [[{1: 2}, {}, 0, {}]],
        [[{}, {"contents": [1, 1 << 60]}, 0, {}]],
        [[{}, {"contents": [1]}, 0, {}]],
        [[{}, {"contents": "text"}, 0, {}]],
        {"a": 1},
    ],
)
def test_a_batch_that_holds_something_else_is_told(body: object, written: Path) -> None:
    """The digest fits: somebody made this file."""
    packed = packing.compress(msgspec.msgpack.encode(body))
    head = packing.Head(np.ones(1, "<u2"), np.zeros(1, "<u4"), np.zeros(1, "<i8")).pack()
    with sqlite3.connect(written) as db:
        db.execute("DELETE FROM batch")
        db.execute("INSERT INTO batch VALUES(0, 1, ?, ?, ?)", (head, packed, packing.row_digest(head, packed)))
    db.close()
    with Tape(written) as tape, pytest.raises(TapeError, match=r"a (batch|call) "):
        tape.calls[0]


def read_everything(path: Path) -> int:
    with Tape(path) as tape:
        calls = sum(1 for _ in tape.calls)
        for number in range(0, tape.source_count, 50):
            str(tape.source(number))
        len(tape.pointers), tape.annotations, tape.thumbnail, tape.findings
        return calls


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("small") / "a.ddicap"
    with TapeWriter(path) as writer:
        for i, call in enumerate(some_calls(400)):
            writer.append(call)
            writer.append_source("f", {"i": i, "s": [{"a": 1}]})
            if i % 100 == 99:
                writer.commit()
        writer.add_pointers([(1, 2, 3)])
    return path.read_bytes()


def test_a_truncated_file_opens_or_says_why_not(small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cut.ddicap"
    for size in range(0, len(small), 1777):
        path.write_bytes(small[:size])
        try:
            assert read_everything(path) <= 400
        except BadInput as error:
            assert str(path) in str(error)


def test_flipped_bits_open_or_are_told(small: bytes, tmp_path: Path) -> None:
    random = np.random.default_rng(8)
    path = tmp_path / "flipped.ddicap"
    opened = 0
    for _ in range(150):
        damaged = bytearray(small)
        for at in random.integers(0, len(small), random.integers(1, 4)):
            damaged[at] ^= 1 << int(random.integers(8))
        path.write_bytes(damaged)
        try:
            opened += read_everything(path) > 0
        except BadInput as error:
            assert str(path) in str(error)
    assert opened > 50
