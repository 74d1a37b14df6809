"""Several at once, clocks that go back, files that are none, shares that stall."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import inspector
from core.errors import BadInput, Cancelled
from core.folders import remove_abandoned
from inspector import imports
from inspector.imports import cache, containers, report
from inspector.tape import Tape
from tests.conftest import ROOT
from tests.inspector.imports import trace_file as t
from tests.soak.trials import ROOM


def test_what_another_window_opened_stays_among_the_recent_files(tmp_path: Path, qtbot: Any) -> None:
    """The store of this process knows nothing of it until it is read again."""
    from PySide6.QtCore import QSettings

    from ui.settings import Settings

    kept = Settings(QSettings(str(tmp_path / "a.ini"), QSettings.Format.IniFormat))
    for number in range(3):
        (tmp_path / f"own {number}").touch()
    kept.add_recent(tmp_path / "own 0")
    command = [sys.executable, "-m", "tests.soak.writers", "recent", str(tmp_path), "1"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    kept.add_recent(tmp_path / "own 1")
    assert [Path(path).name for path in kept.recent] == ["own 1", "other 0", "own 0"]


def test_two_windows_take_notes_on_one_capture(tmp_path: Path) -> None:
    path = Path(shutil.copy(ROOM, tmp_path))
    with Tape(path) as one, Tape(path) as other:
        before = len(one.annotations)
        first = one.annotate("event 1", "of one")
        second = other.annotate("event 1", "of the other")
        for tape in (one, other):
            assert [note.text for note in tape.annotations[before:]] == ["of one", "of the other"]
        other.remove_annotation(first.id)
        one.remove_annotation(first.id)  # it is gone already
        assert [note.id for note in one.annotations[before:]] == [second.id]


def test_a_clock_that_goes_back_harms_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of caches are from tomorrow: they serve, and what is being written is not taken for abandoned."""
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    trace = tmp_path / "a.trace"
    trace.write_bytes(t.snappy(t.small_program(3).bytes()))
    cache.open_trace(trace).close()
    (kept,) = (tmp_path / "cache").rglob("*.ddicap")
    part = kept.with_name("b.part")
    part.touch()
    tomorrow = time.time() + 86_400
    for path in (kept, part, trace):
        os.utime(path, (tomorrow, tomorrow))
    remove_abandoned(part.parent, "*.part*")
    before = kept.read_bytes()
    with cache.open_trace(trace) as tape:
        assert tape.source_count == 2 + 7 * 3
    assert part.exists() and kept.read_bytes() == before
    with Tape(Path(shutil.copy(ROOM, tmp_path))) as tape:
        times = iter(["2026-11-22T12:00:00+00:00", "2025-01-01T00:00:00+00:00"])
        for created in times:
            tape._write("INSERT INTO annotation(focus, text, created) VALUES('event 1', ?, ?)", (created, created))
        assert [note.created[:4] for note in tape.annotations[-2:]] == ["2026", "2025"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize("name", ["a.trace", "a.ddicap", "a.ddirec"])
def test_a_pipe_that_nobody_writes_to_is_refused(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(BadInput, match="not a file"):
        inspector.open(tmp_path / name)


class Stalling(io.BufferedReader):
    """A file on a share that stalls: somebody may lose patience during each read."""

    reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        Stalling.reads += 1
        return super().read(size)


@pytest.mark.parametrize("module", [report, containers], ids=["hashing", "reading"])
def test_who_waits_for_a_share_can_give_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: Any) -> None:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(report, "BLOCK", 512)
    trace = tmp_path / "a.trace"
    monkeypatch.setattr(containers, "PIECE", 1024)
    trace.write_bytes(t.zstd(t.small_program(2000).bytes()))
    monkeypatch.setattr(module, "open", lambda path, mode: Stalling(io.FileIO(path, mode)), raising=False)
    Stalling.reads = 0
    with pytest.raises(Cancelled):
        imports.open_tape(trace, None, lambda: Stalling.reads >= 3)
    given_up, Stalling.reads = Stalling.reads, 0
    imports.open_tape(trace).close()
    assert 3 <= given_up < Stalling.reads - 10
