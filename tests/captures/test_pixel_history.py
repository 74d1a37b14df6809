"""The history of pixels of every real capture, of every scene of the zoo, and of random ones: values chain, the last one is
the surface's, and explanations give it too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import inspector
from core.device.memory.surfaces import SurfacePart
from core.spec.subresource import Subresource
from inspector.query.pixels.explain import Explain
from inspector.query.pixels.history import Entry, History, PixelHistory
from inspector.tape import Recorder, TapeWriter
from tests.conftest import CAPTURES
from tests.reference.play import Player
from tests.reference.scene import Scene as Drawn
from tests.reference.scene import fragments
from tests.reference.scenes import scenes
from tests.scenes import all_scenes, opened
from tests.scenes.kit import Scene

FILES = sorted(path.relative_to(CAPTURES) for path in CAPTURES.glob("*/*.trace"))
PIXELS, MOST_SURFACES = 4, 10


def parts_of(capture: inspector.Capture, event: int) -> Iterator[SurfacePart]:
    """What the frame of an event changed, as far as it is still there."""
    log = capture.replay.logged(event)
    drawn = {part.handle for one in log.tap.passes for part in one.parts if part is not None}
    for handle in sorted(drawn | {one.handle for one in log.tap.overwrites})[:MOST_SURFACES]:
        owner = log.moment(event).owner(handle)
        if owner is not None:
            yield owner[0].part(*owner[1:])


def check(capture: inspector.Capture, history: History) -> None:
    """Chained from the start to what is stored in the end."""
    values = list(history.start)
    for entry in history.entries:
        which = slice(None) if entry.sample is None else slice(entry.sample, entry.sample + 1)
        assert {value.raw for value in values[which]} == {entry.before.raw}
        values[which] = [entry.after] * len(values[which])
    assert [value.raw for value in values] == [value.raw for value in history.end]
    for sample, value in enumerate(history.end):
        where = Subresource(history.surface, slice=history.slice, sample=sample if len(values) > 1 else None)
        rows, format = capture.stored(history.last, where)
        width, height, size = format.block
        at = history.x // width * size
        assert int.from_bytes(rows[history.y // height, at : at + size].tobytes(), "little") == value.raw


def check_explained(capture: inspector.Capture, entry: Entry, format: str) -> None:
    """The explanation of a fragment ends in what it shaded and wrote."""
    found = capture.ask(Explain(entry))
    end = list(found.shading.late.colors.values())[-1]
    assert entry.shaded is None or np.allclose(end, entry.shaded, atol=1e-6)
    if entry.passed and found.blend is not None and not format.startswith("D"):
        assert found.blend.word == entry.after.raw


def check_surfaces(capture: inspector.Capture, first: int, last: int, pixels: int, explained: int) -> None:
    """Pixels here and there of everything that the frame of the last event changed."""
    rng = np.random.default_rng(pixels)
    for part in parts_of(capture, last):
        for _ in range(pixels):
            x, y, z = (int(rng.integers(extent)) for extent in (part.width, part.height, part.depth))
            history = capture.ask(PixelHistory(Subresource(part.handle, slice=z), x, y, first, last))
            check(capture, history)
            for entry in history.fragments[:explained]:
                check_explained(capture, entry, history.format)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_histories_end_in_the_surface(captures: Path, file: Path) -> None:
    with inspector.open(captures / file) as capture:
        frame = capture.frames[len(capture.frames) // 2]
        check_surfaces(capture, frame.first_event, frame.last_event, PIXELS, 3)


@pytest.mark.parametrize("scene", all_scenes(), ids=lambda scene: scene.name)
def test_histories_of_the_zoo(scene: Scene, tmp_path: Path) -> None:
    with opened(scene, tmp_path) as capture:
        for frame in capture.frames:
            check_surfaces(capture, frame.first_event, frame.last_event, PIXELS, 1)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scenes())
def test_every_pixel_of_random_scenes(tmp_path: Path, drawn: Drawn) -> None:
    """All formats, tests and blends; as many fragments as the scalar reference covers."""
    path = tmp_path / "scene.ddicap"
    with TapeWriter(path, durable=False) as writer:
        player = Player(drawn, before=lambda driver: Recorder(driver, writer))
        for one in drawn.draws:
            player.draw(one)
    covered = [set(fragments(drawn, one)) for one in drawn.draws]
    with inspector.open(path) as capture:
        last = capture.frames[-1].last_event
        for y in range(drawn.height):
            for x in range(drawn.width):
                history = capture.ask(PixelHistory(x=x, y=y, last=last))
                check(capture, history)
                assert len(history.fragments) == sum((x, y) in pixels for pixels in covered)
                if drawn.depth_format is not None and (x + y) % 3 == 0:
                    check(capture, capture.ask(PixelHistory("depth", x, y, last=last)))
