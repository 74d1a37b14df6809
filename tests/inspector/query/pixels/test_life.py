"""A pixel's life against pictures of each frame, and against its history over the whole capture."""

from __future__ import annotations

import numpy as np
import pytest

import inspector
from inspector.query.pixels.life import Life, PixelLife


def test_the_colours_are_those_of_the_pictures_at_the_ends_of_frames(room: inspector.Capture) -> None:
    target = room.resolve(room.frames[-1].last_event, "back_buffer")
    assert target is not None
    for x, y in ((320, 240), (5, 5), (500, 300)):
        life: Life = room.ask(PixelLife(target[0], x, y))
        shown = [room.image(frame.last_event, target[0])[y, x, :3] for frame in room.frames]
        assert (np.abs(life.colors[:, :3] * 255 - np.array(shown)) <= 0.51).all()


def test_the_writers_are_the_passing_entries_of_the_history(room: inspector.Capture) -> None:
    target = room.resolve(room.frames[-1].last_event, "back_buffer")
    assert target is not None
    life: Life = room.ask(PixelLife(target[0], 320, 240))
    whole = room.ask(inspector.PixelHistory(target[0], 320, 240))
    assert life.writers.tolist() == sorted({entry.event for entry in whole.entries if entry.passed})
    assert len(life.writers) > len(room.frames)


def test_all_of_a_frame_is_drawn_for_the_first_only(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Later ones have nothing but the pixel: what the others answer shows that it comes out right."""
    asked, logged = list[int](), room.replay.logged
    watch = lambda event, *how, **named: (asked.append(event), logged(event, *how, **named))[1]  # noqa: E731
    monkeypatch.setattr(room.replay, "logged", watch)
    assert len(room.ask(PixelLife("back_buffer", 320, 240)).writers)
    assert len(room.frames) > 2 and set(asked) <= {room.frames[0].last_event}


def test_before_it_exists_a_pixel_has_no_colour(room: inspector.Capture) -> None:
    """And beyond a surface's edge it never has."""
    life: Life = room.ask(PixelLife("back_buffer", 100_000, 5))
    assert np.isnan(life.colors).all() and not len(life.writers)


def test_it_is_answered_a_frame_at_a_time(room: inspector.Capture) -> None:
    fractions = list(PixelLife("back_buffer", 5, 5).in_pieces(room))
    assert fractions == [number / len(room.frames) for number in range(len(room.frames))]
