"""The file: what is written comes back, wherever it lies and whoever reads it."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

import numpy as np
import pytest
import zstandard

from core.ddi.calls import DdiCall
from core.errors import TapeError
from inspector.tape import MemoryTape, Tape, TapeWriter, copy_tape, database
from tests.inspector.tape.calls import CLEAR_STATE, plain, some_calls


def test_calls_come_back_equal(written: Path) -> None:
    with Tape(written) as tape:
        assert len(tape.calls) == 10_000
        assert [plain(call) for call in tape.calls] == [plain(call) for call in some_calls(10_000)]
        assert plain(tape.calls[-1]) == plain(tape.calls[9_999])
        assert [plain(c) for c in tape.calls[4090:4100:3]] == [plain(c) for c in some_calls(4100)][4090::3]
        with pytest.raises(IndexError):
            tape.calls[10_000]
        assert tape.notices == []
        assert tape.meta["adapters"] == ["paper"]


def test_every_access_makes_a_new_call(written: Path) -> None:
    with Tape(written) as tape:
        tape.calls[0].args["handle"] = 99
        tape.calls[0].out["pitch"] = 99
        assert tape.calls[0].args["handle"] == 0
        assert tape.calls[0].out["pitch"] == 16


def test_a_recorded_call_keeps_nothing_of_the_callers(tmp_path: Path) -> None:
    call = DdiCall("Unlock", {"handle": 1}, {"contents": np.zeros(5000, np.uint8)})
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        writer.append(call)
        call.args["handle"] = 2
        call.data["contents"][:] = 7
    with Tape(tmp_path / "a.ddicap") as tape:
        assert tape.calls[0].args == {"handle": 1}
        assert tape.calls[0].data["contents"] == bytes(5000)


def test_calls_of_a_tape_are_recorded_again(tmp_path: Path) -> None:
    calls = [DdiCall("CreateSurface", {"handle": 1}), DdiCall("Unlock", {"handle": 1}, {"contents": b"abc"})]
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        for call in calls:
            writer.append(call)
    with Tape(tmp_path / "a.ddicap") as tape, TapeWriter(tmp_path / "b.ddicap") as writer:
        for call in tape.calls:
            writer.append(call)
    with Tape(tmp_path / "b.ddicap") as again:
        assert [plain(call) for call in again.calls] == [plain(call) for call in calls]


def test_the_call_index_tells_entries_records_and_sources(written: Path) -> None:
    with Tape(written) as tape:
        index = tape.call_index()
    names = [index.names[entry] for entry in index.entry]
    assert names == [call.entry for call in some_calls(10_000)]
    assert index.records.tolist() == [2 if name == "DrawPrimitives2" else 0 for name in names]
    assert index.source.tolist() == [call.source for call in some_calls(10_000)]


def test_records_are_counted_in_the_stream_when_nothing_else_tells(tmp_path: Path) -> None:
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        writer.append(DdiCall("DrawPrimitives2", {"command_length": 36}, {"commands": CLEAR_STATE * 3}))
        writer.append(DdiCall("DrawPrimitives2", {"command_length": 0}, {"commands": b""}))
    with Tape(tmp_path / "a.ddicap") as tape:
        assert tape.call_index().records.tolist() == [3, 0]


def test_bulk_bytes_are_read_when_they_are_looked_at(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Tape(written) as tape:
        read: list[int] = []
        monkeypatch.setattr(tape, "_read_blob", lambda number, size: read.append(number) or bytes(size))
        unlock, draw = list(tape.calls)[1:3]
        assert bytes(draw.data["commands"]) == CLEAR_STATE * 2
        assert (list(unlock.data), "contents" in unlock.data, read) == (["contents"], True, [])
        assert unlock.data["contents"] == bytes(1501)
        assert (dict(unlock.data), len(read)) == ({"contents": bytes(1501)}, 1)
        unlock.data["more"] = b"x"
        assert unlock.data == {"contents": bytes(1501), "more": b"x"}
        assert "more" not in tape.calls[1].data


def test_equal_bytes_are_stored_once(tmp_path: Path) -> None:
    path = tmp_path / "a.ddicap"
    with TapeWriter(path) as writer:
        for handle in range(50):
            writer.append(DdiCall("Unlock", {"handle": handle}, {"contents": os.urandom(1) * 0 + bytes(range(256)) * 16}))
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*), max(size) FROM blob").fetchone() == (1, 4096)
    db.close()


@pytest.mark.parametrize("size", [1024, (1 << 17) - 1, 1 << 17, (1 << 17) + 1, 300_001])
def test_data_of_a_quick_file_come_back_and_a_copy_is_compressed(tmp_path: Path, size: int) -> None:
    """What shrinks to a quarter is compressed, the rest only copied, into frames that zstd reads; a copy compresses that."""
    words = np.random.default_rng(5).integers(0, 300, size // 4 + 1).astype(np.uint32).tobytes()[:size]
    with TapeWriter(tmp_path / "quick.ddicap", quick=True) as writer:
        writer.append(DdiCall("Unlock", {"handle": 1}, {"contents": words}))
        writer.append(DdiCall("Unlock", {"handle": 2}, {"contents": bytes(size)}))
    with Tape(tmp_path / "quick.ddicap") as tape:
        copy_tape(tape, tmp_path / "copy.ddicap")
    frames = {}
    for name in ("quick", "copy"):
        with Tape(tmp_path / f"{name}.ddicap") as tape:
            assert [call.data["contents"] for call in tape.calls] == [words, bytes(size)] and not tape.damaged
            frames[name] = [row[3] for row in tape.rows("blob")]
            assert [zstandard.ZstdDecompressor().decompress(frame) for frame in frames[name]] == [words, bytes(size)]
            assert [zstandard.frame_content_size(frame) for frame in frames[name]] == [size, size]
    assert words[:1000] in frames["quick"][0] and len(frames["copy"][0]) < size
    assert max(len(frames[name][1]) for name in frames) < size / 20
    assert all(zstandard.get_frame_parameters(frame).has_checksum for frame in frames["copy"])


def test_a_closed_file_is_one_file_and_needs_no_journal(written: Path) -> None:
    assert sorted(p.name for p in written.parent.iterdir()) == ["a.ddicap"]
    with Tape(written):
        assert sorted(p.name for p in written.parent.iterdir()) == ["a.ddicap"]


def test_a_read_only_medium_opens(written: Path) -> None:
    written.chmod(0o444)
    written.parent.chmod(0o555)
    try:
        with Tape(written) as tape:
            assert len(tape.calls) == 10_000
    finally:
        written.parent.chmod(0o755)


def test_where_nothing_can_be_written_the_file_is_opened_immutable(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    opened: list[str] = []
    connect = database._connect
    monkeypatch.setattr(database, "_connect", lambda path, how: opened.append(how) or connect(path, how))
    with Tape(written) as tape:
        assert plain(tape.calls[7]) == plain(list(some_calls(8))[7])
    assert opened == ["immutable=1"]


def test_paths_with_odd_letters_open(written: Path) -> None:
    odd = written.with_name("100% #1 ü [x].ddicap" if os.name == "nt" else "100% #1? ü [x].ddicap")
    written.rename(odd)
    with Tape(odd) as tape:
        assert len(tape.calls) == 10_000


def test_annotations_live_apart_from_the_stream(written: Path) -> None:
    with Tape(written) as tape:
        first = tape.annotate("#event=3", "why is this red?")
        second = tape.annotate("#event=4&pixel=1,2", "here")
        assert [note.text for note in tape.annotations] == ["why is this red?", "here"]
        tape.remove_annotation(first.id)
    with Tape(written) as tape:
        assert tape.annotations == [second]
        assert len(tape.calls) == 10_000


def test_thumbnail(tmp_path: Path) -> None:
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        writer.set_thumbnail(b"\x89PNG...")
    with Tape(tmp_path / "a.ddicap") as tape:
        assert tape.thumbnail == b"\x89PNG..."


def test_source_calls_come_back(tmp_path: Path) -> None:
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        for i in range(5000):
            number = writer.append_source(
                "IDirect3DDevice8::SetTransform",
                {"State": i, "pMatrix": [{"m": [1.5, -2, True]}], "name": "x", "none": None,
                 "code": b"ab" * 400 if i == 4999 else b"c"},
                -2005530516,
            )  # fmt: skip
            assert number == i
    with Tape(tmp_path / "a.ddicap") as tape:
        assert tape.source_count == 5000
        call = tape.source(4999)
        assert (call.number, call.name, call.result) == (4999, "IDirect3DDevice8::SetTransform", -2005530516)
        assert call["State"] == 4999
        assert call["pMatrix"] == [{"m": [1.5, -2, True]}]
        assert (call["name"], call["none"]) == ("x", None)
        assert tape.source_blob(call["code"]) == b"ab" * 400
        assert tape.source_blob(tape.source(0)["code"]) == b"c"
        with pytest.raises(IndexError):
            tape.source(5000)


def test_pointers_are_reused(tmp_path: Path) -> None:
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        writer.add_pointers([(3, 0xFFFF_FFFF_0000_1000, 1), (5, 0x2000, 2), (9, 0xFFFF_FFFF_0000_1000, 0)])
        writer.add_pointers([(12, 0xFFFF_FFFF_0000_1000, 7)])
    with Tape(tmp_path / "a.ddicap") as tape:
        rows = tape.pointers
    assert rows["pointer"].tolist() == [0xFFFF_FFFF_0000_1000, 0x2000, 0xFFFF_FFFF_0000_1000]
    assert rows["handle"].tolist() == [1, 2, 7]
    assert rows["until"][0] == 9
    assert (rows["until"][1:] > 1 << 60).all()


def test_findings_about_source_calls(tmp_path: Path) -> None:
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        writer.add_finding(7, "runtime-rejected", "no such thing")
    with Tape(tmp_path / "a.ddicap") as tape:
        assert tape.findings == [(7, "runtime-rejected", "no such thing")]


def test_a_tape_in_memory_reads_the_same(written: Path) -> None:
    memory = MemoryTape()
    for call in some_calls(100):
        memory.append(call)
    with Tape(written) as tape:
        assert [plain(c) for c in memory.calls] == [plain(c) for c in tape.calls[:100]]
        assert memory.call_index().records.tolist() == tape.call_index().records[:100].tolist()


def test_several_threads_read_one_tape(written: Path) -> None:
    wanted = [plain(call) for call in some_calls(10_000)]
    wrong: list[int] = []

    def read(tape: Tape, start: int) -> None:
        wrong.extend(i for i in range(start, 10_000, 97) if plain(tape.calls[i]) != wanted[i])

    with Tape(written) as tape:
        threads = [threading.Thread(target=read, args=(tape, start)) for start in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_what_cannot_be_recorded_is_told(tmp_path: Path) -> None:
    with TapeWriter(tmp_path / "a.ddicap") as writer, pytest.raises(TapeError, match="Lock call cannot be recorded"):
        writer.append(DdiCall("Lock", {"handle": object()}))
