"""Direct3D 7 programs: every picture looks like the one that Wine and llvmpipe drew (shared/captures/d3d7/apps)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import inspector
from tests.conftest import CAPTURES

FOLDER = CAPTURES / "d3d7" / "apps"
MEAN, FAR_OFF, FAR = 1.0, 0.01, 16
APPS = [path.stem for path in sorted(FOLDER.glob("*.json")) if path.stem != "own_d3d6"]
EXPLAINED = {
    # Trilinear filtering of noise: llvmpipe's level of detail has a coarse logarithm; differences are of -11 to 12.
    "own_cube_mips": (1.2, 0.01),
    "own_cube_mips_64": (1.2, 0.01),
    # A copy within one surface whose rectangles overlap: llvmpipe copies in pieces and reads what it has written.
    "own_blits": (1.8, 0.025),
}
"""Mean and share of pixels far off that are allowed where the reference is not the law."""


def pictures(app: dict[str, Any]) -> list[tuple[int, str, int]]:
    """(the call it shows the effect of, the file, the surface's address)."""
    shots = [(shot["present_call"] - 1, shot["png"], int(shot["surface"], 16)) for shot in app["screenshots"]]
    images = app.get("mid_frame", {}).get("images", [])
    return shots + [(image["after_call"], image["png"], int(image["surface"], 16)) for image in images]


@pytest.mark.parametrize("name", APPS)
def test_pictures_look_like_the_reference(captures: Path, name: str) -> None:
    app = json.loads((FOLDER / f"{name}.json").read_text())
    capture = inspector.open(FOLDER / f"{name}.trace")
    mean, far_off = EXPLAINED.get(name, (MEAN, FAR_OFF))
    wrong = []
    for call, file, pointer in pictures(app):
        theirs = np.asarray(Image.open(FOLDER / file).convert("RGB")).astype(np.int32)
        event = capture.event_of_source_call(call)
        ours = capture.image(event, capture.surface_of_source(pointer, event))[..., :3].astype(np.int32)
        assert ours.shape == theirs.shape
        apart = np.abs(ours - theirs)
        if apart.mean() > mean or (apart.max(2) > FAR).mean() > far_off:
            wrong.append(f"{file}: mean {apart.mean():.3f}, far off {(apart.max(2) > FAR).mean():.2%}")
    assert not wrong


@pytest.mark.parametrize("name", APPS)
def test_frames_end_where_pictures_are_shown(captures: Path, name: str) -> None:
    app = json.loads((FOLDER / f"{name}.json").read_text())
    capture = inspector.open(FOLDER / f"{name}.trace")
    ends = [int(capture.events.rows["source"][frame.last_event]) for frame in capture.frames]
    assert ends == app["present_calls"]
    assert len(capture.draws) == app["draws"]
    assert [frame.draws for frame in capture.frames] == app["draws_per_frame"]
