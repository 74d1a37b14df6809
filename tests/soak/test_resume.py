"""Sleep and resume: processes that stand still for a while, clocks that jump ahead by days while something is under way."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Queue

import numpy as np
import pytest
import xxhash

import inspector
from inspector.tape import Tape, TapeWriter
from tests.conftest import ROOT
from tests.driver_calls import call
from tests.inspector.growing import in_small_pieces, long_trace
from tests.soak.trials import ROOM

DAYS, JUMPS = 3 * 86_400.0, 20
PATIENCE = 120.0
"""Seconds after which a line that does not come is a failure."""
asleep = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="Windows has no signal that suspends a process")


class Writer:
    """One of tests.soak.writers; its lines come when they are asked for."""

    def __init__(self, work: str, folder: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.writers", work, str(folder)],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=environment,
            text=True,
        )
        self._lines: Queue[str] = Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        assert self.line() == "begun"

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put("ended")

    def line(self) -> str:
        return self._lines.get(timeout=PATIENCE)

    def told(self) -> list[str]:
        """The lines that are there already."""
        return [self._lines.get() for _ in range(self._lines.qsize())]

    @contextmanager
    def asleep(self) -> Iterator[None]:
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """Killed, which loses nothing that was acknowledged."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()


@asleep
def test_a_recorder_sleeps_beside_a_reader(tmp_path: Path) -> None:
    """At whatever moment it was stopped, what it has acknowledged can be read, and it goes on where it was."""
    with closing(Writer("record", tmp_path)) as recorder:
        for _ in range(8):
            last = int(recorder.line())
            with recorder.asleep():
                last = max([last, *map(int, recorder.told())])
                with Tape(tmp_path / "a.ddicap") as reader:
                    there = len(reader.calls)
                    assert there >= last and reader.calls[there - 1].args["handle"] == there - 1
                    assert not reader.damaged
            recorder.told()
        assert int(recorder.line()) > last


@asleep
def test_a_window_goes_on_after_sleep(tmp_path: Path) -> None:
    """It held the capture open all the while; what it shows is what is there."""
    shutil.copy(ROOM, tmp_path / "a.ddicap")
    shown = []
    with closing(Writer("window", tmp_path)) as window:
        for _ in range(3):
            shown.append(window.line())
            with window.asleep():
                time.sleep(0.3)
            shown += window.told()
        shown.append(window.line())
    with inspector.open(ROOM) as capture:
        for line in shown:
            event, digest = line.split()
            rows, _ = capture.stored(int(event))
            assert xxhash.xxh3_64_hexdigest(np.ascontiguousarray(rows).tobytes()) == digest


# ---- clocks that jump, everywhere


class Jumping:
    """A clock that jumps days ahead at every so many looks, for a while."""

    def __init__(self, clock: Callable[[], float], every: int) -> None:
        self.clock, self.every, self.looks = clock, every, 0

    def __call__(self) -> float:
        self.looks += 1
        return self.clock() + min(self.looks // self.every, JUMPS) * DAYS


@pytest.fixture
def jumping(monkeypatch: pytest.MonkeyPatch) -> dict[str, Jumping]:
    clocks = {name: Jumping(getattr(time, name), 3) for name in ("monotonic", "perf_counter", "time")}
    for name, clock in clocks.items():
        monkeypatch.setattr(time, name, clock)
    return clocks


def test_a_trace_is_read_while_clocks_jump(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jumping: dict[str, Jumping]
) -> None:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    in_small_pieces(monkeypatch)
    trace, handed = long_trace(tmp_path, 40), []
    with inspector.open(trace, grown=lambda capture: handed.append(len(capture.events))) as capture:
        assert capture.complete and handed == sorted(handed) and len(handed) > 3
        grown = [(call.entry, dict(call.args)) for call in capture.calls]
    assert jumping["monotonic"].looks > 3
    monkeypatch.undo()
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "another"))
    with inspector.open(trace) as capture:
        assert [(call.entry, dict(call.args)) for call in capture.calls] == grown


def test_a_recorder_and_its_reader_while_clocks_jump(tmp_path: Path, jumping: dict[str, Jumping]) -> None:
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        for number in range(200):
            writer.append(call("Lock", handle=number))
            if number % 50 == 49:
                writer.commit()
                with Tape(tmp_path / "a.ddicap") as reader:
                    assert [one.args["handle"] for one in reader.calls][-1] == number
    assert jumping["monotonic"].looks > 3


def test_an_open_capture_answers_while_clocks_jump(tmp_path: Path, jumping: dict[str, Jumping]) -> None:
    path = Path(shutil.copy(ROOM, tmp_path / "a.ddicap"))
    with inspector.open(ROOM) as room, inspector.open(path) as capture:
        draw = int(room.draws[-1])
        assert (capture.image(draw) == room.image(draw)).all()
        note = capture.tape.annotate("event 1", "after the jump")
        assert note.id in [one.id for one in capture.tape.annotations]
        found = capture.ask(inspector.Sql("SELECT count(*) FROM events, events AS other LIMIT 1", seconds=60.0))
        assert found.rows[0][0] == len(capture.events) ** 2
