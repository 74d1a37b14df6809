"""The history of pixels and its inverse, on whole captures, against their pictures and their events."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from inspector.query.fates import FATES
from inspector.query.pixel_history import History, PixelHistory
from inspector.query.writers import PixelsOf, PrimitiveAt, Touched, Writers


def histories(capture: inspector.Capture, surface: str, frame: int, count: int) -> Iterator[History]:
    """Of pixels here and there, in one frame."""
    where = capture.frames[frame]
    height, width = capture.image(where.last_event, surface).shape[:2]
    rng = np.random.default_rng(count)
    for x, y in zip(rng.integers(0, width, count).tolist(), rng.integers(0, height, count).tolist(), strict=True):
        yield capture.ask(PixelHistory(surface, x, y, first=where.first_event, last=where.last_event))


def check(capture: inspector.Capture, history: History) -> None:
    """Values chain, the last one is the surface's, and every fate is one."""
    rows, format = capture.stored(history.last, history.surface)
    size = format.block[2]
    stored = int.from_bytes(rows[history.y, history.x * size : (history.x + 1) * size].tobytes(), "little")
    assert [value.raw for value in history.end] == [stored]
    values = [history.start[0].raw]
    for entry in history.entries:
        assert entry.before.raw == values[-1]
        assert entry.fate in FATES and entry.reason
        values.append(entry.after.raw)
    assert values[-1] == stored
    assert [entry.event for entry in history.entries] == sorted(entry.event for entry in history.entries)


@pytest.mark.parametrize("surface", ["back_buffer", "depth"])
def test_the_last_value_of_a_history_is_the_surface(room: inspector.Capture, surface: str) -> None:
    fates: dict[str, int] = {}
    for history in histories(room, surface, -1, 60):
        check(room, history)
        for fate, count in history.fates.items():
            fates[fate] = fates.get(fate, 0) + count
    assert len(fates) > 1


def test_bad_places_are_refused(room: inspector.Capture) -> None:
    for query in (
        PixelHistory("back_buffer", 640, 0), PixelHistory("back_buffer", 0, 0, sample=1), PixelHistory(12345, 0, 0),
        PixelHistory("back_buffer", 0, 0, first=9, last=8), Writers("back_buffer", 0, 480), PixelsOf(0), PrimitiveAt(0, 1, 1),
        Touched("back_buffer", (0, 0, 641, 480)),
    ):  # fmt: skip
        with pytest.raises(BadInput):
            room.ask(query)
