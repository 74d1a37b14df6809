"""An image file compared with the surface, as a screenshot of another renderer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from tests.ui.test_surface_views import DRAW, at, shown
from ui.models.pixels import rgba_of_argb
from ui.window import Window


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_an_image_file_can_be_compared_with(mode: str, qtbot: Any, real: Window, tmp_path: Path) -> None:  # noqa: F811
    surface, capture = at(qtbot, real, event=DRAW), real.desk.capture
    drawn, path = capture.image(DRAW), tmp_path / "elsewhere.png"
    image = drawn.copy()
    image[100:110, 200:220, 0] ^= 0x10
    Image.fromarray(image).convert(mode).save(path)
    surface.views.against_image(path)
    settle(qtbot, real, 20_000)
    assert surface.about.words.text().startswith("200 pixels differ from elsewhere.png, by at most 16 of 255")
    there = np.argwhere(shown(real).any(-1))
    assert there.min(0).tolist() == [100, 200] and there.max(0).tolist() == [109, 219]
    surface.views.pairs._choose_how("side")
    settle(qtbot, real, 20_000)
    assert (rgba_of_argb(surface.beside._argb)[..., :3] == image[..., :3]).all()
    path.write_bytes(b"no image")
    surface.views.against_image(path)
    settle(qtbot, real, 20_000)
    assert "cannot be read as an image" in real.banner.text
