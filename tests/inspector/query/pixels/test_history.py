"""The history of pixels and its inverse, on whole captures, against their pictures and their events."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput, Cancelled
from core.spec.subresource import Subresource
from inspector.query.pixels.explain import Explain
from inspector.query.pixels.fates import FATES
from inspector.query.pixels.history import History, PixelHistory
from inspector.query.pixels.writers import PixelsOf, PrimitiveAt, Touched, Writers
from inspector.tape import TapeWriter
from tests.scenes.kit import BLACK, RED, SIZE, TARGET, Stage, states, t


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
        PixelHistory("back_buffer", 640, 0), PixelHistory(Subresource("back_buffer", sample=1)), PixelHistory(12345, 0, 0),
        PixelHistory("back_buffer", 0, 0, first=9, last=8), Writers("back_buffer", 0, 480), PixelsOf(0), PrimitiveAt(0, 1, 1),
        Touched("back_buffer", (0, 0, 641, 480)), PixelHistory(Subresource("back_buffer", level=1)),
    ):  # fmt: skip
        with pytest.raises(BadInput):
            room.ask(query)


def test_the_whole_capture_chains_frame_by_frame(room: inspector.Capture) -> None:
    whole = room.ask(PixelHistory("back_buffer", 320, 240))
    check(room, whole)
    parts = [
        room.ask(PixelHistory("back_buffer", 320, 240, first=frame.first_event, last=frame.last_event)) for frame in room.frames
    ]
    assert [entry for part in parts for entry in part.entries] == list(whole.entries)
    for one, other in itertools.pairwise(parts):
        assert one.end == other.start
    draws = [room.ask(PixelHistory("back_buffer", 320, 240, first=e, last=e)).entries for e in range(2700, 2978)]
    assert [entry for entries in draws for entry in entries] == list(parts[-1].entries)


def last_setting(capture: inspector.Capture, name: str, event: int) -> int:
    """By reading the tokens backwards."""
    while f"{name}=" not in capture.text(event).replace(" = ", "=") and f"{name} " not in capture.text(event) + " ":
        event -= 1
    return event


def test_the_named_event_set_the_state(room: inspector.Capture) -> None:
    seen = set()
    for surface in ("back_buffer", "depth"):
        for history in histories(room, surface, -1, 40):
            for entry in (*history.entries, *history.misses):
                if entry.writer is not None:
                    name = entry.reason.rpartition("; ")[2].split()[0]
                    assert last_setting(room, name, entry.event) == entry.writer
                    assert f"event {entry.writer} " in entry.reason
                    seen.add(name)
    assert len(seen) > 1


def test_writers_are_the_entries_that_changed_the_value(room: inspector.Capture) -> None:
    for history in histories(room, "back_buffer", -1, 25):
        rows = room.ask(Writers(history.surface, history.x, history.y, first=history.first, last=history.last))
        wanted = [entry for entry in history.entries if entry.changed or entry.kind != "fragment"]
        assert [row[0] for row in rows.tolist()] == [entry.event for entry in wanted]
        assert [row[4] for row in rows.tolist()] == [entry.after.raw for entry in wanted]


def test_the_last_writer_is_what_the_value_is_due_to(tmp_path: Path) -> None:
    """Black is cleared, drawn black once more, blended with nothing, not written, culled: the opaque draw decided."""
    path, seen = tmp_path / "black.ddicap", {}
    with TapeWriter(path, durable=False) as writer:
        scene = Stage(writer)
        scene.quad((0, 0, SIZE, SIZE), RED)
        scene.tokens(t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=BLACK, depth=1.0))
        seen["clear"] = scene.event
        scene.quad((0, 0, SIZE, 48), BLACK)
        seen["opaque"] = scene.event
        scene.quad((0, 0, SIZE, SIZE), BLACK, 0.5, states(ALPHABLENDENABLE=1, SRCBLEND=2, DESTBLEND=2))
        scene.quad((0, 0, SIZE, 16), RED)
        seen["blended"] = scene.event
        scene.quad((0, 16, SIZE, SIZE), BLACK, 0.5, states(ALPHABLENDENABLE=0, COLORWRITEENABLE=7))
        scene.quad((0, 0, SIZE, SIZE), RED, 0.5, states(COLORWRITEENABLE=0))
        scene.quad((0, 0, SIZE, SIZE), RED, 0.5, states(COLORWRITEENABLE=15, CULLMODE=2))
    with inspector.open(path) as capture:
        for x, y, what in ((9, 60, "clear"), (9, 40, "opaque"), (9, 9, "blended")):
            found = capture.ask(PixelHistory(TARGET, x, y))
            assert found.last_writer is not None and found.last_writer.event == seen[what], what
            later = capture.ask(PixelHistory(TARGET, x, y, first=seen["blended"] + 1))
            assert later.last_writer is None and later.entries and later.misses


def test_the_primitive_at_a_pixel_is_the_last_that_made_a_fragment(room: inspector.Capture) -> None:
    for history in histories(room, "back_buffer", -1, 25):
        for event, entries in itertools.groupby(history.fragments, lambda entry: entry.event):
            assert room.ask(PrimitiveAt(event, history.x, history.y)) == list(entries)[-1].primitive
        missing = next(iter(set(room.draws[-5:].tolist()) - {entry.event for entry in history.fragments}), None)
        if missing is not None:
            assert room.ask(PrimitiveAt(missing, history.x, history.y)) is None


def test_pixels_of_a_draw_are_those_whose_picture_changed(room: inspector.Capture) -> None:
    event = int(room.draws[-3])
    found = room.ask(PixelsOf(event))
    before, after = room.image(event - 1), room.image(event)
    assert np.array_equal(found.changed | (before != after).any(axis=2), found.changed)
    assert not (found.changed & ~found.covered).any()
    total = sum(room.ask(PixelsOf(event, number)).fragments for number in range(0, 60))
    drawn = np.asarray(total) > 0
    assert not (drawn & ~found.covered).any() and drawn.any()


def test_touched_adds_up_to_the_writers(room: inspector.Capture) -> None:
    frame = room.frames[-1]
    rect = 316, 236, 322, 240
    found = room.ask(Touched("back_buffer", rect, first=frame.first_event, last=frame.last_event))
    counts: dict[int, int] = {}
    for y in range(rect[1], rect[3]):
        for x in range(rect[0], rect[2]):
            rows = room.ask(Writers("back_buffer", x, y, first=frame.first_event, last=frame.last_event))
            for key in {(row[0], row[1]) for row in rows.tolist()}:
                counts[key[0]] = counts.get(key[0], 0) + 1
    assert {event: pixels for event, _, _, pixels in found.events} == counts


def test_explanations_end_in_the_entry(room: inspector.Capture) -> None:
    seen = 0
    for history in histories(room, "back_buffer", -1, 25):
        for entry in history.fragments:
            found = room.ask(Explain(entry))
            last = list(found.shading.late.colors.values())[-1]
            assert entry.shaded is None or last == pytest.approx(entry.shaded, abs=1e-6)
            for step in found.shading.steps:
                if step.lookup is not None and step.title.startswith("stage"):
                    assert step.lookup.total == pytest.approx(step.values["texture"], abs=1e-4)
                    seen += 1
            if found.blend is not None and entry.passed:
                assert found.blend.word == entry.after.raw
            assert [test.name for test in found.tests if test.passed is False] == [entry.fate] * entry.fate.endswith("_test")
    assert seen > 10


def test_only_fragments_can_be_explained(room: inspector.Capture) -> None:
    frame = room.frames[-1]
    history = room.ask(PixelHistory("back_buffer", 320, 240, first=frame.first_event, last=frame.last_event))
    for entry in (history.entries[0], dataclasses.replace(history.fragments[0], piece=99999)):
        with pytest.raises(BadInput):
            room.ask(Explain(entry))


def test_long_ranges_leave_the_logs_that_are_kept_alone(room: inspector.Capture) -> None:
    replay = room.replay
    kept = replay.logged(room.frames[3].last_event)
    room.ask(PixelHistory("back_buffer", 5, 5))
    assert replay.logged(room.frames[3].last_event) is kept


def test_a_long_question_can_be_cancelled(room: inspector.Capture) -> None:
    asked = itertools.count()
    with pytest.raises(Cancelled):
        room.ask(PixelHistory("back_buffer", 5, 5), lambda: next(asked) > 3)
