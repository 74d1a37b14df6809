"""Keyframes whose arrays lie in a file: all of a capture are in memory, and show what is in the capture."""

from __future__ import annotations

import gc
import shutil
import weakref
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.ddi.driver.emulated import EmulatedDriver, Snapshot
from core.device.memory.surfaces import Surface
from inspector.tape import side
from inspector.timeline.alike import Alike
from inspector.timeline.budgets import Budgets
from tests.inspector.conftest import ROOM

SMALL = Budgets(memory=3 << 20)
"""Room for one of the keyframes, if their arrays were in memory."""


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(side, "user_folder", lambda name: tmp_path)
    return Path(shutil.copy(ROOM, tmp_path / "copy.ddicap"))


def test_all_keyframes_are_in_memory_and_share_what_they_hold_alike(file: Path, room: inspector.Capture) -> None:
    """First those that this opening makes, then those that it reads."""
    starts = [frame.first_event for frame in room.frames]
    for _ in range(2):
        with inspector.open(file, budgets=SMALL) as capture:
            while capture.prepare() < 1:
                pass
            keyframes = capture.replay._keyframes
            assert all(keyframes.is_small(start) for start in starts)
            assert keyframes.size <= SMALL.keyframes
            late = [keyframes[start].state[0][0] for start in starts[-2:]]
            assert {id(surface) for surface, _ in late[0]} & {id(surface) for surface, _ in late[1]}
            for event in (room.frames[1].last_event, *(starts[frame] + 3 for frame in (6, 1, 7, 3, 6))):
                here, there = capture.moment(event), room.moment(event)
                for handle, surface in there.surfaces.items():
                    for part, twin in zip(surface.parts, here.surfaces[handle].parts, strict=True):
                        assert np.array_equal(there.level(part).linear(), here.level(twin).linear()), (event, part.handle)


def test_contents_of_two_runs_with_one_version_stay_two(file: Path) -> None:
    """Each run counts versions from the start: one number means other contents in another run."""
    with inspector.open(file) as capture:
        while capture.prepare() < 1:
            pass
        kept = capture.kept
        first, second = (found for _ in range(2) if (found := kept.keyframe(kept.positions[-1])) is not None)
        changed = _largest(second)
        twin = Alike(kept)
        _fill(second, changed, 99)
        driver = EmulatedDriver()
        for state, wanted in ((twin.of(first, True), None), (twin.of(second, True), 99), (twin.of(first, True), None)):
            driver.restore(state)
            linear = driver.device.memory.surfaces[changed.handle].part().linear()
            assert (linear == 99).all() == (wanted == 99)


def test_a_shader_that_cannot_be_packed_stays_what_it_is() -> None:
    shader, twin = object(), Alike(None)
    assert all(twin._shader("key", shader) is shader for _ in range(2))


def _largest(found: Snapshot) -> Surface:
    return max((surface for surface, _ in found.state[0][0]), key=lambda surface: surface.size)


def _fill(found: Snapshot, surface: Surface, value: int) -> None:
    """Other contents, with the same version."""
    contents = next(state for one, state in found.state[0][0] if one is surface)[-1]
    contents[0] = np.full(surface.part().size, value, np.uint8), None, contents[0][2]


def test_a_closed_capture_lets_go_of_them_before_garbage_is_collected(file: Path) -> None:
    """The window collects on the thread that paints: hundreds of keyframes, and a large file, would stop it."""
    with inspector.open(file) as capture:
        while capture.prepare() < 1:
            pass
        capture.image(len(capture.events) - 1)
        keyframes, arrays = capture.replay._keyframes, capture.kept.mapped
        assert len(keyframes) > 5 and arrays._chunks
        gc.disable()
        ends = weakref.ref(capture.replay)
    try:
        assert len(keyframes) == 1 and not arrays._chunks
        assert ends() is None
    finally:
        gc.enable()
