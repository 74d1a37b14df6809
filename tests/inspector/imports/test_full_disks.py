"""Caches without room: memory serves, with a sentence; what a killed import left behind is removed."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import inspector
from core import folders
from core.errors import TapeError
from inspector import files, imports
from inspector.imports import cache
from inspector.tape import Tape, TapeWriter, database, side
from tests.conftest import ROOT
from tests.inspector.imports import trace_file as t
from tests.inspector.tape.calls import plain

CONNECT = sqlite3.connect


@pytest.fixture
def cache_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "captures"


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "a.trace"
    path.write_bytes(t.snappy(t.small_program(40).bytes()))
    return path


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A disk on which databases have no room but for a few pages; a limit on the size of files does it on any system."""

    def small(place: Any, *given: Any, **named: Any) -> sqlite3.Connection:
        connection = CONNECT(place, *given, **named)
        if "mode=memory" not in str(place) and place != "file::memory:":
            connection.execute("PRAGMA max_page_count = 2")
        return connection

    monkeypatch.setattr(sqlite3, "connect", small)
    yield


def test_an_import_without_room_is_held_in_memory(
    trace: Path, cache_root: Path, monkeypatch: pytest.MonkeyPatch, full: None
) -> None:
    written = trace.with_suffix(".ddicap")
    with monkeypatch.context() as roomy:
        roomy.setattr(sqlite3, "connect", CONNECT)
        with TapeWriter(written, {"code_digest": cache.code_digest()}, durable=False) as writer:
            imports.import_file(trace, writer)
    with imports.open_tape(trace) as tape:
        assert tape.notices == [cache.NO_ROOM]
        assert tape.path == trace and not list(cache_root.iterdir())
        with Tape(written) as on_disk:
            assert [plain(call) for call in tape.calls] == [plain(call) for call in on_disk.calls]
            assert tape.digest == on_disk.digest


def test_a_capture_in_memory_answers_and_takes_notes(trace: Path, cache_root: Path, full: None) -> None:
    with inspector.open(trace) as capture:
        assert cache.NO_ROOM in capture.tape.notices
        assert capture.image(capture.frames[3].last_event, "back_buffer").any()
        for _ in range(2):
            rows = capture.ask(inspector.Sql("SELECT count(*) FROM events, tape.meta WHERE tape.meta.key = 'closed'")).rows
            assert rows == [(len(capture.events),)]
        capture.tape.annotate("event 3", "a note")
        assert [note.text for note in capture.tape.annotations] == ["a note"]
        assert capture.side_cache.path is None


def test_other_errors_of_an_import_stay_errors(trace: Path, cache_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any, **named: Any) -> None:
        raise TapeError("something else")

    monkeypatch.setattr(cache, "import_file", broken)
    with pytest.raises(TapeError, match="something else"):
        imports.open_tape(trace)


def test_tables_without_room_are_made_again_in_memory(cache_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with inspector.open(ROOT / "resources" / "room.ddicap") as capture:
        query = inspector.Sql("SELECT count(*) FROM frames")
        assert capture.ask(query).rows == [(len(capture.frames),)]
        assert capture.side_cache.path is not None
        fill, failed = side.fill, []

        def once_full(*given: Any) -> bool:
            if not failed:
                failed.append(True)
                raise sqlite3.OperationalError("database or disk is full")
            return fill(*given)

        monkeypatch.setattr("inspector.query.tables.sql.fill", once_full)
        both = inspector.Sql("SELECT (SELECT count(*) FROM frames), (SELECT count(*) FROM calls)")
        assert capture.ask(both).rows == [(len(capture.frames), len(capture.calls))]
        assert failed and capture.side_cache.path is None
        assert capture.ask(query).rows == [(len(capture.frames),)]


# ---- what was left behind


def age(path: Path, seconds: float) -> Path:
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


def test_what_a_killed_import_left_is_removed_by_the_next(trace: Path, cache_root: Path) -> None:
    imports.open_tape(trace).close()
    old, new, other = (cache_root / name for name in ("0123abcd.part", "4567abcd.part", "kept.ddicap"))
    for path in (old, new, other):
        path.write_bytes(b"x")
    for path in (old, other):
        age(path, folders.ABANDONED + 60)
    again = trace.with_name("b.trace")
    again.write_bytes(t.snappy(t.small_program(2).bytes()))
    imports.open_tape(again).close()
    assert not old.exists() and new.exists() and other.exists()


def test_what_a_killed_save_left_is_removed_by_the_next(tmp_path: Path) -> None:
    target = tmp_path / "a[1].png"
    old, new, other = (tmp_path / name for name in ("a[1].png.77.part", "a[1].png.78.part", "a1.png.77.part"))
    for path in (old, new, other):
        path.write_bytes(b"x")
    for path in (old, other):
        age(path, folders.ABANDONED + 60)
    files.write_bytes(target, b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a1.png.77.part", "a[1].png", "a[1].png.78.part"]


@pytest.mark.skipif(not folders.OWNERS, reason="files have no owners there")
def test_what_belongs_to_others_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "a.part"
    old.write_bytes(b"x")
    age(old, folders.ABANDONED + 60)
    monkeypatch.setattr(folders.os, "getuid", lambda: 12345)
    folders.remove_abandoned(tmp_path, "*.part")
    assert old.exists()
    monkeypatch.undo()
    folders.remove_abandoned(tmp_path, "*.part")
    assert not old.exists()


def test_a_file_that_is_removed_takes_its_journals_with_it(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    for name in ("old.db", "old.db-journal", "old.db-wal", "new.db", "new.db-journal"):
        (tmp_path / name).write_bytes(b"x")
    age(old, 60)
    folders.remove_oldest(new, 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.db", "new.db-journal"]


# ---- locked files


def test_a_locked_file_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is not read without locks: what another program is in the middle of writing would be seen."""
    path = tmp_path / "a.ddicap"
    with TapeWriter(path) as writer:
        writer.add_notice("a sentence")
    monkeypatch.setattr(database, "PATIENCE", 0.01)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(TapeError, match=r"a\.ddicap: cannot open it: another program .* locked"):
            Tape(path)
    finally:
        holder.close()
    with Tape(path) as tape:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(TapeError, match=r"a\.ddicap: cannot write to it: another program .* locked"):
            tape.annotate("event 1", "never")
        holder.close()
        tape.annotate("event 1", "kept")
        assert [note.text for note in tape.annotations] == ["kept"]


def test_nobody_waits_long_for_a_lock() -> None:
    assert database.PATIENCE < 1
