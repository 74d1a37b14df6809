"""The DLL beside the program: never over another, and gone afterwards whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import BadInput
from inspector.launch import placing
from inspector.launch.placing import Placed
from tests.conftest import ROOT

PLACE = """
import sys, pathlib
from inspector.launch.placing import Placed
placed = Placed(*map(pathlib.Path, sys.argv[1:]))
print("placed", flush=True)
input()
"""


@pytest.fixture
def dll(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    (tmp_path / "game").mkdir()
    path = tmp_path / "d3d8.dll"
    path.write_bytes(b"the tracer")
    return path


def gone(path: Path) -> bool:
    """Waits for another process to remove it."""
    for _ in range(1200):
        if not path.exists():
            return True
        time.sleep(0.05)
    return False


def test_it_is_there_until_it_is_closed(dll: Path, tmp_path: Path) -> None:
    placed = Placed(dll, tmp_path / "game")
    assert placed.path.read_bytes() == b"the tracer"
    placed.close()
    assert not placed.path.exists() and placing._noted() == {}


def test_another_dll_is_never_replaced(dll: Path, tmp_path: Path) -> None:
    other = tmp_path / "game" / "d3d8.dll"
    other.write_bytes(b"a wrapper")
    with pytest.raises(BadInput, match="is there already and is not replaced"):
        Placed(dll, tmp_path / "game")
    assert other.read_bytes() == b"a wrapper" and placing._noted() == {}


def test_a_dll_that_was_changed_meanwhile_stays(dll: Path, tmp_path: Path) -> None:
    placed = Placed(dll, tmp_path / "game")
    placed.path.write_bytes(b"a newer one")
    placed.close()
    assert placed.path.read_bytes() == b"a newer one"


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_crash_removes_it(dll: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PLACE, str(dll), str(tmp_path / "game")]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "placed\n"
        assert (tmp_path / "game" / "d3d8.dll").exists()
        process.send_signal(signal.SIGKILL)
    assert gone(tmp_path / "game" / "d3d8.dll")


def test_what_a_power_failure_left_is_removed_at_the_next_start(
    dll: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / "game" / "d3d8.dll"
    left.write_bytes(b"the tracer")
    placing.note(left, placing.hashlib.sha256(b"the tracer").hexdigest())
    assert placing.remove_left_over() == []  # placed since the start: its guardian is alive
    monkeypatch.setattr(placing, "boot_time", lambda: time.time() + 1)  # a clock that was set: it is the same start
    assert not placing.boot_name() or placing.remove_left_over() == []
    monkeypatch.setattr(placing, "boot_name", lambda: "the next start")
    assert placing.remove_left_over() == [left]
    assert not left.exists() and placing._noted() == {}


def test_where_starts_have_no_names_the_clock_decides(dll: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placing, "BOOT", tmp_path / "none")
    left = tmp_path / "game" / "d3d8.dll"
    left.write_bytes(b"the tracer")
    placing.note(left, placing.hashlib.sha256(b"the tracer").hexdigest())
    assert placing.remove_left_over() == []
    monkeypatch.setattr(placing, "boot_time", lambda: time.time() + 1)
    assert placing.remove_left_over() == [left]


def test_the_computer_started_before_now() -> None:
    assert 0 < time.time() - placing.boot_time() < 20 * 365 * 24 * 3600


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"a": 3}', '{"a": ["x", "y"]}'])
def test_a_journal_that_makes_no_sense_is_empty(text: str, dll: Path, tmp_path: Path) -> None:
    (placing.user_folder("recordings") / placing.JOURNAL).write_text(text)
    assert placing._noted() == {}
