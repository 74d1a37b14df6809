"""The samples that come with the program: one frame and one note for each scene they are made of."""

from __future__ import annotations

import pytest

import inspector
from inspector.samples import sample_captures
from tests.scenes.make_samples import FOLDER, SAMPLES, chosen


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_has_a_frame_for_each_scene(name: str) -> None:
    """Scenes may be added before the samples are made anew; none may be gone."""
    scenes = {scene.name for scene in chosen(SAMPLES[name][1])}
    with inspector.open(FOLDER / f"{name}.ddicap") as capture:
        notes = [note.text for note in capture.tape.annotations]
        assert len(notes) > 40 and set(notes) <= scenes, "python -m tests.scenes.make_samples makes them anew"
        assert len(capture.frames) == len(notes)
        assert capture.image(capture.frames[-1].last_event, 5000).any()
        assert capture.tape.meta["title"] == SAMPLES[name][0]


def test_the_window_lists_them() -> None:
    listed = dict(sample_captures())
    assert {"Room", "Tokens", "Broken rules", "Textures"} <= set(listed)
    assert all(path.is_file() for path in listed.values())
