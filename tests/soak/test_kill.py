"""Writers that are killed, files that are torn, disks that fill up: short forms of `python -m tests.soak.kill`."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import pytest

import inspector
from core.errors import BadInput
from inspector.tape import Tape, TapeWriter
from inspector.tape.database import LONGEST_PATH
from tests.soak import trials
from tests.soak.kill import KINDS, Tally, run

NEED_POSIX = ("full", "no space")
TRIALS = {"torn": 30}


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_acknowledged_is_lost(kind: str) -> None:
    if kind in NEED_POSIX and sys.platform == "win32":
        pytest.skip("limits of a process are POSIX's")
    tally = run(kind, TRIALS.get(kind, 1))
    assert tally.losses == [], tally.messages


def test_a_loss_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a child that says that it has committed more than it has."""
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        writer.add_notice("nothing was recorded")
    monkeypatch.setattr(trials, "_killed", lambda *given: ["40"])
    tally = Tally()
    tally.add(trials.record(tmp_path, random.Random(0)))
    assert tally.losses == ["0 of 40 calls, wrong: [], nothing was recorded"]


def test_a_folder_that_vanishes_takes_nothing_that_was_open(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    path = Path(shutil.copy(trials.ROOM, folder))
    with inspector.open(path) as capture:
        if sys.platform == "win32":
            with pytest.raises(OSError):
                path.unlink()
            return
        folder.rename(tmp_path / "elsewhere")
        assert capture.image(capture.frames[0].last_event).any()
        assert capture.ask(inspector.Search("$draw()")).size
        with pytest.raises(BadInput, match=r"room\.ddicap: cannot write to it: "):
            capture.tape.annotate("event 1", "nowhere")
    with pytest.raises(BadInput, match="no such file"):
        inspector.open(path)


NAMES = ("größe", "日本語", "с пробелом", "emoji 🎮", "percent %41", "hash#1", "question?1", "quote'\"", "a" * 100)


@pytest.mark.parametrize("name", [name for name in NAMES if sys.platform != "win32" or not set(name) & set('?"')])
def test_any_name_opens_and_takes_notes(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name / name
    folder.mkdir(parents=True)
    path = Path(shutil.copy(trials.ROOM, folder / f"{name}.ddicap"))
    with Tape(path) as tape:
        tape.annotate("event 1", name)
        assert tape.annotations[-1].text == name and len(tape.calls) > 100
    with inspector.open(path) as capture:
        assert capture.ask(inspector.Sql("SELECT count(*) FROM tape.annotation")).rows[0][0] >= 1


@pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX")
def test_the_longest_path_that_opens(tmp_path: Path) -> None:
    folder = tmp_path
    while len(bytes(folder)) < LONGEST_PATH - 120:
        folder /= "x" * 60
    longest = folder / ("x" * (LONGEST_PATH - len(bytes(folder)) - 1))
    assert len(bytes(longest)) == LONGEST_PATH
    folder.mkdir(parents=True)
    shutil.copy(trials.ROOM, longest)
    with Tape(longest) as tape:
        tape.annotate("event 1", "note")
        assert tape.annotations[-1].text == "note"
    further = folder.with_name(folder.name + "y" * 60) / longest.name
    further.parent.mkdir()
    shutil.copy(trials.ROOM, further)
    with pytest.raises(BadInput, match=f"its path is longer than {LONGEST_PATH} bytes"):
        Tape(further)


@pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX")
def test_a_path_that_is_too_long_is_one_sentence() -> None:
    with pytest.raises(BadInput, match=r"too long|no such file"):
        inspector.open("/".join(["", *["x" * 250] * 130, "a.ddicap"]))


def test_read_only_media_open_and_refuse_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a file on a medium that cannot be written to: no lock, no journal beside it."""
    path = Path(shutil.copy(trials.ROOM, tmp_path))
    path.chmod(0o444)
    monkeypatch.setattr("inspector.tape.database.os.access", lambda *given: False)
    with Tape(path) as tape:
        assert len(tape.calls) > 100
        assert [other.name for other in tmp_path.iterdir()] == [path.name]
