"""Pictures of frames while a file is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import Cancelled
from inspector import glance as module
from inspector.glance import Glance, glance
from tests.inspector.growing import in_small_pieces, long_trace

FRAMES = 20


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    in_small_pieces(monkeypatch)
    return long_trace(tmp_path, FRAMES)


def test_pictures_come_while_the_file_is_read_and_are_those_of_the_frames(trace, monkeypatch):
    monkeypatch.setattr(module, "SHARE", 1e9)
    shown: list[tuple[int, np.ndarray]] = []
    early: list[int] = []
    looked = Glance.look

    def look(self: Glance, capture: inspector.Capture) -> bool:
        done = looked(self, capture)
        if not capture.complete:
            early.append(len(shown))
        return done

    monkeypatch.setattr(Glance, "look", look)
    with glance(trace, lambda frame, picture: shown.append((frame, picture)), most=5, pixels=4000) as capture:
        assert capture.complete and len(capture.frames) == FRAMES
        assert early[0] == 1 < early[-1]
        step = 4  # the power of two with which 20 frames make five pictures
        numbers = [number for number, _ in shown]
        assert len(numbers) == len(set(numbers)) and set(range(0, FRAMES, step)) <= set(numbers)
        for number, picture in shown:
            assert np.array_equal(picture, capture.image(capture.picture_event(capture.frames[number]), "back_buffer"))


def test_pictures_take_no_more_than_their_share_of_the_time(trace, monkeypatch):
    monkeypatch.setattr(module, "SHARE", -1.0)
    shown: list[int] = []
    reading: list[int] = []

    class Watched(Glance):
        def look(self, capture: inspector.Capture) -> bool:
            done = super().look(capture)
            if not capture.complete:
                reading.append(len(shown))
                assert not done
            return done

    monkeypatch.setattr(module, "Glance", Watched)
    glance(trace, lambda frame, picture: shown.append(frame), most=5).close()
    assert reading and not any(reading) and len(shown) == 5


@pytest.mark.parametrize("read", [False, True], ids=["while it is read", "when it is read already"])
def test_cancel_ends_the_reading_and_the_drawing(read, trace, monkeypatch):
    if read:
        inspector.open(trace).close()
    monkeypatch.setattr(module, "SHARE", 1e9)
    shown: list[int] = []
    with pytest.raises(Cancelled):
        glance(trace, lambda frame, picture: shown.append(frame), cancel=lambda: len(shown) > 2)
    assert len(shown) == 3


def test_what_was_read_when_it_is_stopped_can_be_looked_at(trace):
    shown: list[int] = []
    with glance(trace, lambda frame, picture: shown.append(frame), progress=lambda fraction, text: not shown) as capture:
        assert shown[0] == 0 and len(capture.frames) < FRAMES
