"""Looking at surfaces: stamps tell when a picture is another one, a picture and its bytes come together, roles have handles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import inspector
from core.errors import BadInput
from tests.inspector.streams import DEPTH, KINDS, TARGET, TEXTURE, capture_of, stream
from tests.scenes import all_scenes, opened

STEPS = st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 99)), min_size=3, max_size=9)


@given(steps=STEPS)
@settings(max_examples=15, deadline=None)
def test_where_stamps_are_the_same_so_are_pictures(tmp_path_factory: pytest.TempPathFactory, steps: list) -> None:
    with capture_of(stream([*steps, ("draws", 5)]), tmp_path_factory.mktemp("stamps")) as capture:
        events = range(8, len(capture.events))
        seen: dict[tuple[int, object], np.ndarray] = {}
        for event in [*events, *reversed(events)]:
            for surface in (TARGET, DEPTH, TEXTURE):
                stored = capture.raw(event, surface)
                assert np.array_equal(seen.setdefault((surface, capture.stamp(event, surface)), stored), stored)


def test_what_nobody_writes_keeps_its_stamp(room: inspector.Capture) -> None:
    """State between two draws changes no picture; a texture stays what it is through the frames."""
    first, second = 1827, 1868  # draws to the back buffer, one after the other
    assert {first, second} <= set(room.draws.tolist()) and room.render_target(first) == room.render_target(second)
    for surface in ("render_target", "depth"):
        handle = room.resolve(first, surface)[1]  # type: ignore[index]
        stamps = {room.stamp(event, handle) for event in range(first, second)}
        assert len(stamps) == 1 and room.stamp(second, handle) not in stamps
    with inspector.open(room.path) as fresh:
        stamps = {fresh.stamp(frame.last_event, 5) for frame in fresh.frames[2:]}
        assert len(stamps) == 1 and fresh.surfaces(first)[4].label == "texture"


def test_a_palette_is_part_of_the_stamp(tmp_path: Path) -> None:
    scene = next(scene for scene in all_scenes() if scene.name == "tokens/UPDATEPALETTE")
    with opened(scene, tmp_path) as capture:
        last = len(capture.events) - 1
        handle = next(info.handle for info in capture.surfaces(last) if info.format in ("P8", "A8P8"))
        born = next(info.created for info in capture.surfaces(last) if info.handle == handle)
        looks = [(capture.stamp(event, handle), capture.image(event, handle).tobytes()) for event in range(born, last + 1)]
        assert len({stamp for stamp, _ in looks}) >= len({picture for _, picture in looks}) > 1
        assert len(set(looks)) == len({stamp for stamp, _ in looks})


def test_a_look_is_the_image_and_what_is_stored(room: inspector.Capture) -> None:
    event = int(room.draws[60])
    for surface in ("back_buffer", "depth"):
        rgba, rows, form = room.look(event, surface)
        assert np.array_equal(rgba, room.image(event, surface))
        assert np.array_equal(rows, room.raw(event, surface)) and form is room.stored(event, surface)[1]


def test_handles_and_roles_are_resolved(room: inspector.Capture) -> None:
    event = int(room.draws[60])
    target = room.render_target(event)
    assert room.resolve(event, "render_target") == room.resolve(event, target or 0) == (target, target)
    assert room.resolve(event, 12345) is None
    deep = next(info.handle for info in room.surfaces(event) if info.levels > 1)
    assert room.resolve(event, deep + 1) == (deep, deep + 1)
    with pytest.raises(BadInput):
        room.stamp(event, 12345)
