"""Captures of a file that is still being read: prefixes of the whole, which answer as it does."""

from __future__ import annotations

import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import inspector
from core.cancel import cancellable
from core.errors import Cancelled, TapeError, TraceError
from inspector import Capture, Sql, reading
from inspector.imports import cache
from inspector.imports.stream import TraceStream
from inspector.timeline.walk import Walking
from tests.inspector.growing import in_small_pieces, long_trace
from tests.inspector.tape.calls import plain

FRAMES = 20


@pytest.fixture
def cache_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "captures"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    in_small_pieces(monkeypatch)


def answers(capture: Capture, event: int) -> list[Any]:
    """Of an event that all of the captures have."""
    state = capture.state(event)
    rows = [(row.key, row.text, row.writer) for row in state.rows()]
    return [capture.text(event), capture.event(event).source_text, rows, capture.image(event).tobytes()]


def test_every_part_is_a_prefix(tmp_path: Path, cache_root: Path, small: None) -> None:
    path, parts = long_trace(tmp_path, FRAMES), []
    whole = inspector.open(path, grown=parts.append)
    assert len(parts) >= FRAMES // 2
    assert [len(part.frames) for part in parts] == sorted({len(part.frames) for part in parts})
    assert whole.complete and not any(part.complete for part in parts)
    for part in parts:
        count = len(part.events)
        assert np.array_equal(part.events.rows, whole.events.rows[:count])
        assert np.array_equal(part.events.base, whole.events.base[: len(part.calls)])
        assert part.frames == whole.frames[: len(part.frames)]
        assert [plain(call) for call in part.calls] == [plain(call) for call in list(whole.calls)[: len(part.calls)]]


def test_parts_answer_while_the_file_is_read_and_afterwards(tmp_path: Path, cache_root: Path, small: None) -> None:
    path, parts, early = long_trace(tmp_path, FRAMES), [], []

    def grown(capture: Capture) -> None:
        parts.append(capture)
        early.append(answers(capture, capture.frames[-1].last_event))

    whole = inspector.open(path, grown=grown)
    late = [answers(part, part.frames[-1].last_event) for part in parts]
    assert late == early
    assert [answers(whole, part.frames[-1].last_event) for part in parts] == early


def test_what_read_a_file_ends_with_the_reading(tmp_path: Path, cache_root: Path, small: None) -> None:
    """Its buffers, and the device that walked along the tape, are megabytes; the window collects cycles seldom."""
    gc.collect()
    gc.disable()
    try:
        whole = inspector.open(long_trace(tmp_path, FRAMES), grown=lambda part: None)
        assert not any(type(one) is TraceStream for one in gc.get_objects())  # a proxy's class is asked of what it stands for
        first, second = whole.walked, whole.walked
        assert first is second and not any(type(one) is Walking for one in gc.get_objects())
    finally:
        gc.enable()


def test_what_was_read_in_parts_is_what_is_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = long_trace(tmp_path, FRAMES)
    in_small_pieces(monkeypatch)
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "one"))
    in_parts = inspector.open(path, grown=lambda capture: None)
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "other"))
    at_once = inspector.open(path)
    assert in_parts.tape.digest == at_once.tape.digest
    assert in_parts.frames == at_once.frames
    assert np.array_equal(in_parts.events.rows, at_once.events.rows)
    assert in_parts.findings == at_once.findings


def test_the_second_opening_reads_nothing(tmp_path: Path, cache_root: Path, small: None) -> None:
    path, parts = long_trace(tmp_path, FRAMES), []
    inspector.open(path, grown=parts.append).close()
    first = len(parts)
    with inspector.open(path, grown=parts.append) as again:
        assert len(again.frames) == FRAMES
    assert first and len(parts) == first
    assert [file.suffix for file in cache_root.iterdir()] == [".ddicap"]


def test_stopping_keeps_what_was_read(tmp_path: Path, cache_root: Path, small: None) -> None:
    parts: list[Capture] = []
    path = long_trace(tmp_path, FRAMES)
    with inspector.open(path, lambda fraction, text: len(parts) < 3, grown=parts.append) as capture:
        assert 3 <= len(capture.frames) < FRAMES
        assert reading.STOPPED in capture.tape.notices
        event = parts[0].frames[-1].last_event
        assert capture.image(event).tobytes() == parts[0].image(event).tobytes()
    assert not list(cache_root.iterdir())  # the next opening reads all of it
    with inspector.open(path) as capture:
        assert len(capture.frames) == FRAMES


def test_stopping_before_the_first_part_is_no_capture(tmp_path: Path, cache_root: Path, small: None) -> None:
    path = long_trace(tmp_path, FRAMES)
    with pytest.raises(Cancelled):
        inspector.open(path, lambda fraction, text: False, grown=lambda capture: None)
    assert not cache_root.exists() or not list(cache_root.iterdir())


def test_a_damaged_rest_ends_the_capture_with_a_sentence(tmp_path: Path, cache_root: Path, small: None) -> None:
    path, parts = long_trace(tmp_path, FRAMES, b"\x07" * 64), []
    with pytest.raises(TraceError) as refused:
        inspector.open(path)
    with inspector.open(path, grown=parts.append) as capture:
        assert parts and FRAMES - 1 <= len(capture.frames) <= FRAMES
        assert str(refused.value) in capture.tape.notices


def test_a_full_disk_is_no_obstacle(tmp_path: Path, cache_root: Path, small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "part_of", full)
    with inspector.open(long_trace(tmp_path, FRAMES), grown=lambda capture: None) as capture:
        assert len(capture.frames) == FRAMES
        assert cache.NO_ROOM in capture.tape.notices


def test_what_needs_the_whole_file_says_so(tmp_path: Path, cache_root: Path, small: None) -> None:
    refused: list[str] = []

    def grown(capture: Capture) -> None:
        for wanted in (lambda: capture.ask(Sql("SELECT count(*) FROM events")), lambda: capture.tape.annotate("#event=1", "a")):
            with pytest.raises(TapeError) as error:
                wanted()
            refused.append(str(error.value))

    inspector.open(long_trace(tmp_path, FRAMES), grown=grown).close()
    assert set(refused) == {"long.trace: the file is still being read; that needs all of it"}


def test_a_program_that_never_presents_is_shown_after_a_while(
    tmp_path: Path, cache_root: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PATIENCE", 0.0)
    parts: list[Capture] = []
    inspector.open(long_trace(tmp_path, 1), grown=parts.append).close()
    assert parts[0].frames[0].last_event < len(parts[-1].events) - 1 or len(parts) == 1
    assert len(parts[0].frames) == 1


def test_a_picture_does_not_wait_for_the_walk(tmp_path: Path, cache_root: Path, small: None) -> None:
    """Nor do those of longer parts for one that is under way."""
    parts: list[Capture] = []
    whole = inspector.open(long_trace(tmp_path, FRAMES), grown=parts.append)
    walking, go_on = threading.Event(), threading.Event()

    def stand_still() -> bool:
        walking.set()
        go_on.wait(120)
        return False

    def walk() -> None:
        with cancellable(stand_still):
            _ = whole.walked

    walker = threading.Thread(target=walk)
    walker.start()
    try:
        assert walking.wait(60)
        event = parts[0].frames[-1].last_event
        asked = ThreadPoolExecutor(1).submit(lambda: (whole.image(event), parts[0].image(event)))
        first, second = asked.result(60)
        assert np.array_equal(first, second)
    finally:
        go_on.set()
        walker.join()


def test_a_walk_that_parts_have_paid_for_is_kept(
    tmp_path: Path, cache_root: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, clock = long_trace(tmp_path, FRAMES), iter(range(10_000))
    monkeypatch.setattr("inspector.timeline.growing.time", SimpleNamespace(perf_counter=lambda: next(clock)))
    monkeypatch.setattr("inspector.timeline.timeline.WORTH_KEEPING", 2.5)
    with inspector.open(path, grown=lambda part: part.walked) as whole:
        _ = whole.walked
    monkeypatch.setattr("inspector.timeline.timeline.walking", lambda *_: pytest.fail("walks again"))
    with inspector.open(path) as again:
        _ = again.walked
