"""What a side cache keeps: the same answers at once, never wrong ones, and nothing is lost with it."""

from __future__ import annotations

import pickle
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import inspector
from core.cancel import cancellable
from core.errors import Cancelled
from inspector.tape import side
from inspector.tape.packing import compress
from inspector.timeline.budgets import Budgets
from inspector.timeline.kept import Kept
from tests.inspector.conftest import ROOM


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(side, "user_folder", lambda name: tmp_path)
    monkeypatch.setattr("inspector.timeline.timeline.WORTH_KEEPING", 0.0)
    return tmp_path


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "copy.ddicap"
    shutil.copy(ROOM, path)
    return path


def prepare(path: Path, budgets: Budgets | None = None) -> list[int]:
    """Everything is kept; positions of the keyframes."""
    with inspector.open(path, budgets=budgets) as capture:
        while capture.prepare() < 1:
            pass
        return capture.kept.positions


@pytest.mark.parametrize("far", [False, True])
def test_the_second_opening_starts_from_kept_keyframes(
    far: bool, file: Path, room: inspector.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    if far:
        monkeypatch.setattr("inspector.timeline.replay.FAR", 0.0)
        with inspector.open(file) as capture:
            capture.image(room.frames[6].last_event)
            assert room.frames[6].first_event in capture.kept.positions
    else:
        assert prepare(file) == [frame.first_event for frame in room.frames]
    with inspector.open(file) as capture:
        for frame in (6, 2, 7):
            last = room.frames[frame].last_event
            for event in (last, room.frames[frame].first_event + 3):
                here, there = capture.moment(event), room.moment(event)
                assert set(here.surfaces) == set(there.surfaces)
                for handle, surface in there.surfaces.items():
                    for part, twin in zip(surface.parts, here.surfaces[handle].parts, strict=True):
                        assert np.array_equal(there.level(part).linear(), here.level(twin).linear()), (event, part.handle)
            with capture.replay.at(last) as driver:
                assert np.array_equal(driver.rgba(), room.image(last))
        assert capture.replay._keyframes.before(room.frames[6].first_event) == room.frames[6].first_event


def test_a_kept_keyframe_is_gone_to_though_memory_has_no_room_for_it(
    file: Path, room: inspector.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the frames that it was read to save are executed all the same."""
    prepare(file)
    with inspector.open(file, budgets=Budgets(memory=1)) as capture:
        replay, executed, step = capture.replay, list[int](), capture.replay._step_towards
        monkeypatch.setattr(replay._pace, "pays", lambda events: True)
        frame, last = capture.frames[2], capture.frames[-1].last_event
        with replay.at(last):
            pass
        monkeypatch.setattr(replay, "_step_towards", lambda target: (executed.append(replay._position), step(target)))
        with replay.at(frame.last_event - 1) as driver:
            assert np.array_equal(driver.rgba(), room.image(frame.last_event - 1))
        assert min(executed) == frame.first_event and len(replay._keyframes) == 2


def test_keyframes_are_kept_on_disk_though_memory_has_no_room_for_them(file: Path, room: inspector.Capture) -> None:
    assert prepare(file, Budgets(memory=1)) == [frame.first_event for frame in room.frames]
    with inspector.open(file) as capture:
        for frame in room.frames[5:1:-1]:
            with capture.replay.at(frame.last_event) as driver:
                assert np.array_equal(driver.rgba(), room.image(frame.last_event))


def test_the_walk_is_kept(file: Path, room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(file)
    monkeypatch.setattr("inspector.timeline.timeline.walking", lambda *_: pytest.fail("walks again"))
    with inspector.open(file) as capture:
        event = room.frames[4].last_event
        assert [(value.key, value.text, value.writer) for value in capture.state(event).rows()] == [
            (value.key, value.text, value.writer) for value in room.state(event).rows()
        ]
        assert [str(finding) for finding in capture.findings] == [str(finding) for finding in room.findings]


@pytest.mark.parametrize("harm", ["deleted", "cut short", "overwritten"])
def test_losing_it_is_harmless(file: Path, folder: Path, room: inspector.Capture, harm: str) -> None:
    prepare(file)
    for path in folder.glob("*.db"):
        whole = path.read_bytes()
        if harm == "deleted":
            path.unlink()
        else:
            path.write_bytes(whole[: len(whole) // 2] if harm == "cut short" else b"nothing" * 1000)
    with inspector.open(file) as capture:
        last = room.frames[-1].last_event
        assert np.array_equal(capture.image(last), room.image(last))


def test_no_room_on_disk_keeps_no_keyframes(file: Path) -> None:
    assert prepare(file, Budgets(disk=0)) == []


def test_foreign_code_is_not_run(file: Path, folder: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple:
            return Path.touch, (folder / "touched",)

    prepare(file)
    with inspector.open(file) as capture:
        assert capture.side_cache.path is not None
        assert Kept(capture.side_cache, 0).value("walk") is not None
        with sqlite3.connect(capture.side_cache.path) as connection:
            connection.execute("UPDATE kept_value SET data = ? WHERE name = 'walk'", (compress(pickle.dumps(Evil())),))
        assert Kept(capture.side_cache, 0).value("walk") is None
    assert not (folder / "touched").exists()


def test_nothing_is_kept_of_a_file_that_was_damaged_while_it_was_open(file: Path, room: inspector.Capture) -> None:
    """It is named by what was read before: an intact copy of it would show zeros."""
    with inspector.open(file) as capture:
        assert capture.side_cache.path is not None
        with sqlite3.connect(file) as connection:
            connection.execute("UPDATE blob SET data = zeroblob(length(data))")
        connection.close()
        last = room.frames[2].last_event
        assert not np.array_equal(capture.image(last), room.image(last)) and capture.tape.damaged
        while capture.prepare() < 1:
            pass
        capture.ask(inspector.Sql("SELECT count(*) FROM draws"))
    shutil.copy(ROOM, file)
    with inspector.open(file) as capture:
        assert not capture.kept.positions and not capture.side_cache.made()
        assert np.array_equal(capture.image(last), room.image(last))


@pytest.mark.parametrize("value", [7, "all", {"a": 1}, [1, "two", None], [(1, 2)]])
def test_positions_that_are_none_are_left_out(file: Path, value: object) -> None:
    prepare(file)
    with inspector.open(file) as capture:
        capture.kept.keep("keyframes", value)
        assert Kept(capture.side_cache, 0).positions == ([1] if value == [1, "two", None] else [])


def test_a_walk_in_many_attempts_is_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever finishes it may need a moment only: what counts is what all attempts took."""
    clock = iter(range(1000))
    monkeypatch.setattr("inspector.timeline.timeline.WORTH_KEEPING", 1.5)
    monkeypatch.setattr("inspector.timeline.timeline.time", SimpleNamespace(perf_counter=lambda: next(clock)))
    with inspector.open(file) as capture:
        stopped = iter([False, True])
        with pytest.raises(Cancelled), cancellable(lambda: next(stopped, True)):
            _ = capture.walked
        _ = capture.walked
    monkeypatch.setattr("inspector.timeline.timeline.walking", lambda *_: pytest.fail("walks again"))
    with inspector.open(file) as capture:
        _ = capture.walked


def test_a_value_that_would_push_out_the_others_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    large, kept = np.arange(5000), Kept(side.SideCache("digest"), 0)
    monkeypatch.setattr("inspector.timeline.kept.limit", lambda kind: 2 * large.nbytes - 1)
    assert not kept.keep("large", large) and kept.value("large") is None
    monkeypatch.setattr("inspector.timeline.kept.limit", lambda kind: 2 * large.nbytes)
    assert kept.keep("large", large) and np.array_equal(kept.value("large"), large)
