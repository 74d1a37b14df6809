"""Writing and reading captures."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.errors import BadInput, TapeError
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, Direct3DCreate8, finish
from core.runtime.paper import PaperDriver
from inspector.tape import MemoryTape, Recorder, Tape, TapeWriter, database, packing, schema
from tests.inspector.tape.calls import CLEAR_STATE, plain, some_calls

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A closed capture of 10,000 calls: several batches."""
    path = tmp_path / "a.ddicap"
    with TapeWriter(path, {"adapters": ["paper"]}) as writer:
        for call in some_calls(10_000):
            writer.append(call)
    return path


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
    odd = written.with_name("100% #1? ü [x].ddicap")
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


# -- recording -------------------------------------------------------------------------------------------------------


class Answers:
    """A driver that answers."""

    def call(self, call: DdiCall) -> DdiCall:
        call.out["pitch"] = 64
        call.result = 5
        return call


def test_the_recorder_writes_down_what_was_answered(tmp_path: Path) -> None:
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        answered = Recorder(Answers(), writer).call(DdiCall("Lock", {"handle": 3}))
    assert answered.out == {"pitch": 64}
    with Tape(tmp_path / "a.ddicap") as tape:
        assert plain(tape.calls[0]) == ("Lock", {"handle": 3}, {}, 5, {"pitch": 64}, -1)


def test_a_script_is_recorded_with_its_api_calls(tmp_path: Path) -> None:
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        recorder = Recorder(PaperDriver(), writer)
        d3d = Direct3DCreate8(recorder, source_sink=writer.append_calls, pointer_sink=writer.add_pointer)
        device = d3d.CreateDevice(0, 1, 0, 0x40, D3DPRESENT_PARAMETERS(64, 48))
        texture = device.CreateTexture(4, 4, 1, 0, 21, 0)
        device.SetRenderState(7, 0)
        texture.LockRect(0).view(np.uint32)[:] = 0xFF00FF00
        texture.UnlockRect(0)
        finish(d3d)
    with Tape(tmp_path / "a.ddicap") as tape:
        sources = [tape.source(n) for n in range(tape.source_count)]
        assert [call.name for call in sources if "RenderState" in call.name] == ["IDirect3DDevice8::SetRenderState"]
        lighting = next(call for call in sources if call.name.endswith("SetRenderState"))
        assert (lighting["State"], lighting["Value"], str(lighting["this"])[:2]) == (7, 0, "0x")
        unlock = next(call for call in tape.calls if call.entry == "Unlock")
        assert bytes(unlock.data["contents"])[:4] == b"\x00\xff\x00\xff"
        assert sources[unlock.source].name == "IDirect3DTexture8::UnlockRect"
        handles = set(tape.pointers["handle"].tolist())
        assert unlock.args["handle"] in handles


KILLED = """
    import os, sys
    from inspector.tape import TapeWriter, writer
    from tests.inspector.tape.calls import some_calls
    writer.BATCH_CALLS = 100
    tape = TapeWriter(sys.argv[1])
    for call in some_calls(1050):
        tape.append(call)
    os._exit(9)
"""


def test_a_killed_recorder_loses_at_most_its_last_batch(tmp_path: Path) -> None:
    path = tmp_path / "a.ddicap"
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), str(path)], cwd=ROOT, check=False)
    assert done.returncode == 9
    with Tape(path) as tape:
        assert 1000 <= len(tape.calls) <= 1050
        assert [plain(c) for c in tape.calls] == [plain(c) for c in some_calls(len(tape.calls))]
        assert "did not end in order" in tape.notices[0]


def test_a_killed_recording_opens_without_its_journal(tmp_path: Path) -> None:
    """Every batch is checkpointed: the main file alone holds all of them."""
    path = tmp_path / "a.ddicap"
    subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), str(path)], cwd=ROOT, check=False)
    moved = tmp_path / "moved" / "b.ddicap"
    moved.parent.mkdir()
    moved.write_bytes(path.read_bytes())
    with Tape(moved) as tape:
        assert len(tape.calls) >= 1000


def test_a_new_file_does_not_read_the_journal_of_a_killed_one(tmp_path: Path) -> None:
    path = tmp_path / "a.ddicap"
    subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED), str(path)], cwd=ROOT, check=False)
    with TapeWriter(path) as writer:
        writer.append(DdiCall("Lock", {"handle": 1}))
    with Tape(path) as tape:
        assert [call.args for call in tape.calls] == [{"handle": 1}]
        assert tape.notices == []


def test_a_full_disk_is_told_and_what_was_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.ddicap"
    writer = TapeWriter(path)
    writer._db.execute("PRAGMA max_page_count = 40")
    with pytest.raises(TapeError, match="disk is full") as caught:
        for i in range(10_000):
            writer.append(DdiCall("Unlock", {"handle": i}, {"contents": os.urandom(2000)}))
            if i % 20 == 19:
                writer.commit()
    assert str(path) in str(caught.value)
    with pytest.raises(TapeError, match="disk is full"):
        writer.append(DdiCall("Lock", {"handle": 1}))
        writer.commit()
    writer.abandon()
    with Tape(path) as tape:
        assert len(tape.calls) >= 60
        assert len(tape.calls[-1].data["contents"]) == 2000


def test_an_unwritable_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(TapeError, match="cannot create it"):
        TapeWriter(tmp_path / "nowhere" / "a.ddicap")


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
    with Tape(written) as tape, pytest.raises(TapeError, match="a batch "):
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
