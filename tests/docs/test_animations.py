"""The animations of the README: small, moving, and of the frame that they name."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import ddi_inspector as ddi
from tests.docs.animations import DOCS, FRAME, PIXEL, ROOM, WIDTH

MOST = 3_000_000


@pytest.mark.parametrize("name", ["drawn", "click"])
def test_it_is_small_and_moves(name: str) -> None:
    path = DOCS / f"{name}.webp"
    with Image.open(path) as film:
        assert film.n_frames >= 12
    assert path.stat().st_size < MOST / 2
    assert f"docs/{name}.webp" in (DOCS.parent / "README.md").read_text(encoding="utf-8")


def test_the_last_image_is_the_frame() -> None:
    with Image.open(DOCS / "drawn.webp") as film:
        film.seek(film.n_frames - 1)
        last = np.asarray(film.convert("RGB"), float)
        film.seek(0)
        first = np.asarray(film.convert("RGB"), float)
    with ddi.open(ROOM) as capture:
        image = capture.image(capture.frames[FRAME].last_event, "back_buffer")[..., :3]
        assert capture.ask(ddi.PixelHistory("back_buffer", *PIXEL, first=capture.frames[FRAME].first_event)).fragments
    whole = Image.fromarray(image).resize((WIDTH, WIDTH * 3 // 4), Image.Resampling.LANCZOS)
    assert np.abs(last - np.asarray(whole, float)).mean() < 3 < np.abs(first - np.asarray(whole, float)).mean()
