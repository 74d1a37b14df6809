"""Every panel on a capture looks as it did when somebody looked at it and accepted it (tests/ui/tour.py)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.ui import tour_of_programs
from tests.ui.tour import GOLDENS, LOOKS, PAGES, PICTURES, PUBLISHED, STOPS, draw
from ui.docks import PANELS

BLOCK = 8
"""Pixels of a side of what is compared: how a rasteriser smooths a letter does not matter, whether it is there does."""
NEAR, FEW = 24, 0.004
"""How far the mean of a block may be off, of 255; which share of the blocks may be further."""


def blocks(path: Path) -> np.ndarray:
    """Means of blocks, float32[h, w, 3]."""
    image = np.asarray(Image.open(path).convert("RGB"), np.float32)
    height, width = image.shape[0] // BLOCK * BLOCK, image.shape[1] // BLOCK * BLOCK
    return image[:height, :width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, 3).mean((1, 3))


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """The share of blocks that differ; 1 for other sizes."""
    return 1.0 if one.shape != other.shape else float((np.abs(one - other).max(-1) > NEAR).mean())


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if n else name for n, name in enumerate(LOOKS)])
def test_every_panel_looks_as_it_was_accepted(tmp_path: Path, name: str) -> None:
    draw(tmp_path, name)
    differ = {
        stop: f"{share:.2%}"
        for stop in STOPS
        if (share := apart(blocks(GOLDENS / name / f"{stop}.webp"), blocks(tmp_path / name / f"{stop}.webp"))) > FEW
    }
    assert not differ, f"look at {tmp_path / name}; if it is right: python -m tests.ui.tour tests/ui/goldens {name}"


@pytest.mark.parametrize("stop", PAGES)
def test_the_manual_shows_the_panels_as_they_were_accepted(stop: str) -> None:
    shown = PICTURES / f"{stop}.webp"
    assert shown.read_bytes() == (GOLDENS / PUBLISHED / shown.name).read_bytes(), "python -m tests.ui.tour tests/ui/goldens"
    assert f"](panels/{shown.name})" in (PICTURES.parent / PAGES[stop]).read_text(encoding="utf-8")


def test_the_manual_has_a_picture_of_every_panel_on_a_program() -> None:
    page = (PICTURES.parent / "panels.md").read_text(encoding="utf-8")
    assert {stop.panel for stop in tour_of_programs.STOPS.values()} == {panel.name for panel in PANELS}
    for panel in PANELS:
        assert f"## {panel.title}\n\n![{panel.title}: " in page and f"](panels/programs/{panel.name}.webp)" in page
        assert (tour_of_programs.FOLDER / f"{panel.name}.webp").stat().st_size > 1000


def test_a_missing_column_a_colour_and_a_moved_row_are_noticed() -> None:
    golden = GOLDENS / "small-dark" / "history.webp"
    before = blocks(golden)
    image = np.asarray(Image.open(golden).convert("RGB"), np.float32)
    for change in ("column", "colour", "row"):
        other = image.copy()
        if change == "column":
            other[40:200, 120:180] = other[4, 4]
        elif change == "colour":
            other[..., 0] += 40
        else:
            other[60:250] = np.roll(other[60:250], 11, 0)
        height, width = before.shape[:2]
        cut = other[: height * BLOCK, : width * BLOCK]
        after = cut.reshape(height, BLOCK, width, BLOCK, 3).mean((1, 3))
        assert apart(before, after) > FEW, change
