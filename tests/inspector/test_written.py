"""Files that are still being written: what is read of them as they grow is what is read of the finished file."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inspector
from inspector import Capture, reading
from inspector.imports import follow
from inspector.imports.follow import Following
from tests.inspector.imports import trace_file
from tests.inspector.imports.test_recording import packed

FRAMES = 12


class Clock:
    """Time that passes only while somebody waits; then a recorder writes its next piece."""

    def __init__(self, path: Path, pieces: list[bytes]) -> None:
        self.path, self.pieces, self.now = path, pieces, 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.pieces:
            with open(self.path, "ab") as file:
                file.write(self.pieces.pop(0))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(follow, "RECENT", 600.0)
    monkeypatch.setattr(reading, "RECENT", 600.0)
    monkeypatch.setattr(reading, "SOONEST", 0.0)
    monkeypatch.setattr(reading, "REST", 0)
    return tmp_path / "cache" / "captures"


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes, list[int], str], Clock]:
    """A file that holds the data up to the first place, and grows to the others whenever a reader waits."""

    def begin(data: bytes, places: list[int], name: str = "game.trace") -> Clock:
        path = tmp_path / name
        path.write_bytes(data[: places[0]])
        clock = Clock(path, [data[a:b] for a, b in zip(places, [*places[1:], len(data)], strict=True)])
        monkeypatch.setattr(reading, "Following", lambda patience: Following(patience, lambda: clock.now, clock.sleep))
        return clock

    return begin


def trace() -> bytes:
    return trace_file.snappy(trace_file.small_program(FRAMES).bytes(), 1 << 9)


def same(capture: Capture, other: Capture) -> None:
    assert np.array_equal(capture.events.rows, other.events.rows)
    assert np.array_equal(capture.events.commands, other.events.commands)
    assert list(capture.frames) == list(other.frames)
    assert capture.tape.source_count == other.tape.source_count


def finished(folder: Path, data: bytes, name: str = "finished.trace") -> Capture:
    path = folder / name
    path.write_bytes(data)
    return inspector.open(path)


@pytest.mark.parametrize("seed", range(6))
def test_a_trace_cut_anywhere_grows_to_the_whole(tmp_path: Path, written: Any, seed: int) -> None:
    data, rng, parts = trace(), random.Random(seed), list[int]()
    places = sorted(rng.sample(range(30, len(data)), 9))
    clock = written(data, places)
    with inspector.open(clock.path, grown=lambda capture: parts.append(len(capture.frames)), follow=5) as capture:
        assert not clock.pieces and capture.complete and not capture.tape.notices
        with finished(tmp_path, data) as whole:
            same(capture, whole)
    assert parts == sorted(set(parts)) and len(parts) > 2


def test_a_part_shows_what_there_is_before_more_comes(written: Any) -> None:
    data = trace()
    clock, seen = written(data, [len(data) // 3, len(data) * 3 // 4, len(data) * 7 // 8]), []

    def grown(capture: Capture) -> None:
        seen.append((len(clock.pieces), capture.image(capture.frames[-1].last_event).any()))

    inspector.open(clock.path, grown=grown, follow=5).close()
    assert [left for left, _ in seen][-1] == 0 and len(seen) >= 2 and all(drawn for _, drawn in seen)


def test_it_says_that_it_waits_and_for_how_long(written: Any) -> None:
    data, told = trace(), []
    clock = written(data, [len(data) // 2])

    def progress(fraction: float, text: str) -> bool:
        told.append(text)
        return True

    inspector.open(clock.path, progress, grown=lambda capture: None, follow=5).close()
    assert any(text.endswith("calls, waiting for more") for text in told)
    assert any(text.endswith("waiting for more, 4 s") for text in told)
    assert clock.now > 5


def test_stop_ends_it_and_keeps_what_there_is(tmp_path: Path, written: Any) -> None:
    data, parts = trace(), []
    clock = written(data, [len(data) // 2, len(data) * 5 // 8, len(data) * 6 // 8, len(data) * 7 // 8])
    with inspector.open(
        clock.path, lambda fraction, text: len(parts) < 2, grown=lambda part: parts.append(part), follow=1e9
    ) as capture:
        assert capture.tape.notices == [reading.STOPPED]
        with finished(tmp_path, data) as whole:
            count = len(capture.events)
            assert 0 < count < len(whole.events)
            assert np.array_equal(capture.events.rows, whole.events.rows[:count])


def test_what_nobody_took_is_offered_again(written: Any) -> None:
    data, offered = trace(), []
    clock = written(data, [len(data) // 2])

    def grown(capture: Capture) -> bool:
        offered.append((len(capture.calls), clock.now))
        return len(offered) > 3

    inspector.open(clock.path, grown=grown, follow=5).close()
    assert len(offered) == 4 and len({calls for calls, _ in offered}) == 1
    assert len({now for _, now in offered}) == 4


def test_what_has_grown_is_not_kept(written: Any, own_cache: Path) -> None:
    data = trace()
    clock = written(data, [len(data) // 2])
    with inspector.open(clock.path, grown=lambda capture: None, follow=5):
        pass
    assert not list(own_cache.glob("*.ddicap")) and not list(own_cache.glob("*.part"))


def test_what_turns_out_to_be_finished_is_kept_as_ever(tmp_path: Path, written: Any, own_cache: Path) -> None:
    clock = written(trace(), [len(trace())])
    with inspector.open(clock.path, grown=lambda capture: None, follow=5) as capture:
        digest = capture.tape.digest
    assert len(list(own_cache.glob("*.ddicap"))) == 1
    with finished(tmp_path, trace()) as whole:
        assert whole.tape.digest == digest
    assert len(list(own_cache.glob("*.ddicap"))) == 1


def test_a_recording_that_turns_out_to_be_finished_knows_its_file(written: Any) -> None:
    data = b"".join(packed())
    clock = written(data, [len(data)], "driver.ddirec")
    with inspector.open(clock.path, grown=lambda capture: None, follow=5) as capture:
        assert capture.tape.meta["source_digest"] == hashlib.sha256(data).hexdigest()[:32]


def test_an_old_file_is_not_waited_for(written: Any) -> None:
    clock = written(trace(), [len(trace()) // 2])
    os.utime(clock.path, (1e9, 1e9))
    with inspector.open(clock.path, grown=lambda capture: None, follow=5):
        pass
    assert clock.pieces and not clock.now


@pytest.mark.parametrize("seed", range(4))
def test_a_recording_of_a_driver_grows_too(tmp_path: Path, written: Any, seed: int) -> None:
    data, rng = b"".join(packed()), random.Random(seed)
    places = sorted(rng.sample(range(len(packed()[0]), len(data)), 5))
    clock = written(data, places, "driver.ddirec")
    with inspector.open(clock.path, grown=lambda capture: None, follow=5) as capture:
        assert not clock.pieces
        with finished(tmp_path, data, "finished.ddirec") as whole:
            same(capture, whole)
            assert capture.tape.notices == whole.tape.notices


WRITER = """
import sys, time
data = sys.stdin.buffer.read()
with open(sys.argv[1], "ab", buffering=0) as file:
    for at in range(0, len(data), 300):
        file.write(data[at : at + 300])
        time.sleep(0.01)
"""


@pytest.fixture
def recorder() -> Iterator[Callable[[Path, bytes], None]]:
    """Has another process write the bytes."""
    running: list[subprocess.Popen[bytes]] = []

    def start(path: Path, data: bytes) -> None:
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.close()
        running.append(process)

    yield start
    for process in running:
        process.wait()


def followed(path: Path, begin: Callable[[], object]) -> Capture:
    """The file, read until it has all frames; `begin` has the rest of it written, once its end was reached."""
    parts: list[int] = []
    begun = threading.Event()

    def progress(fraction: float, text: str) -> bool:
        if "waiting for more" in text and not begun.is_set():
            begun.set()
            begin()
        return not parts or parts[-1] < FRAMES

    return inspector.open(path, progress, grown=lambda capture: parts.append(len(capture.frames)), follow=1e9)


def test_another_process_writes(tmp_path: Path, recorder: Callable[[Path, bytes], None]) -> None:
    data, path = trace(), tmp_path / "live.trace"
    path.write_bytes(data[:700])
    with followed(path, lambda: recorder(path, data[700:])) as capture:
        assert len(capture.frames) == FRAMES
        assert capture.image(capture.frames[-1].last_event).any()


def test_a_thread_writes_while_another_reads(tmp_path: Path) -> None:
    data, path = trace(), tmp_path / "live.trace"
    path.write_bytes(data[:700])

    def write() -> None:
        with open(path, "ab", buffering=0) as file:
            for at in range(700, len(data), 97):
                time.sleep(0.001)
                file.write(data[at : at + 97])

    thread = threading.Thread(target=write)
    with followed(path, thread.start) as capture:
        assert len(capture.frames) == FRAMES
    thread.join()


def restarted(folder: Path, written: Any, first: bytes, then: bytes, name: str) -> tuple[int, list[str]]:
    """Of a file that is followed, and written over at the first look: calls and notices."""
    clock = written(first, [len(first) // 2], name)
    append = clock.sleep

    def sleep(seconds: float) -> None:
        clock.path.write_bytes(then)
        clock.pieces.clear()
        append(seconds)

    clock.sleep = sleep  # type: ignore[method-assign]
    with inspector.open(clock.path, grown=lambda capture: None, follow=5) as capture:
        assert capture.complete and capture.state(len(capture.events) - 1) is not None
        return len(capture.calls), capture.tape.notices


@pytest.mark.parametrize("name", ["game.trace", "driver.ddirec"])
@pytest.mark.parametrize("share", [0, 0.3, 1], ids=["cut to nothing", "shorter", "longer"])
def test_a_program_that_is_started_again_ends_what_was_read_of_its_first_run(
    tmp_path: Path, written: Any, own_cache: Path, name: str, share: float
) -> None:
    """It writes over the file: what follows the place that was reached is of another run."""
    first = trace() if name == "game.trace" else b"".join(packed())
    other = bytes(value ^ 0x55 for value in first)
    count, notices = restarted(tmp_path, written, first, other[: int(len(other) * share)], name)
    assert 0 < count < 60
    assert len(notices) == 1 and ("overwritten" in notices[0] or "record" in notices[0])
    assert "was overwritten while it was being read, after" in notices[0] or (share == 1 and name == "driver.ddirec")
    assert not list(own_cache.glob("*.part")) and not list(own_cache.glob("*.ddicap"))


def test_following_waits_longer_and_longer(tmp_path: Path) -> None:
    now, slept = [0.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    with open(tmp_path / "file", "wb") as file:
        one = Following(3.0, lambda: now[0], sleep)
        assert one.wait(file.fileno()) and not one.has_grown and not slept
        one.more()
        assert one.has_grown and not one.is_waiting
        slept.clear()
        while one.wait(file.fileno()):
            one.pause()
    assert slept[:3] == [follow.SHORTEST, 2 * follow.SHORTEST, 4 * follow.SHORTEST] and max(slept) == follow.LONGEST
    assert 3.0 < sum(slept) < 3.0 + 2 * follow.LONGEST


def test_a_file_that_does_not_grow_ends_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "RECENT", 2.0)
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    path = tmp_path / "file"
    path.write_bytes(b"x")
    os.utime(path, (time.time() + 100, time.time() + 100))  # a clock that is ahead
    with open(path, "rb") as file:
        one = Following(1e9, lambda: now[0], sleep)
        while one.wait(file.fileno()):
            one.pause()
    assert 2.0 < now[0] < 3.0
