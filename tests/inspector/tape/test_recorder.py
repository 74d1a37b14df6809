"""Recording: what was answered is written down, and a killed recorder loses little."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.errors import TapeError
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, Direct3DCreate8, finish
from core.runtime.paper import PaperDriver
from inspector.tape import Recorder, Tape, TapeWriter
from tests.conftest import ROOT
from tests.inspector.tape.calls import plain, some_calls

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
        assert "was not closed properly" in tape.notices[0]


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
