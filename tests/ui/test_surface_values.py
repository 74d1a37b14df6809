"""Values of a surface in the window: found, and those of a palette."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt

from inspector.query.looks.texel import PaletteOf
from tests.ui.conftest import settle
from tests.ui.real import SAMPLES
from tests.ui.test_real_capture import real  # noqa: F401
from tests.ui.test_surface_views import LAST, at
from ui.window import Window


def test_a_palette_says_its_entries_and_has_no_pixels_to_pick(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.open(SAMPLES["palettes-and-state-sets"])
    settle(qtbot, real, 30_000)
    surface = at(qtbot, real, surface=5, pixel=(3, 3))
    surface.views.choose("palette")
    settle(qtbot, real, 20_000)
    event, capture = real.desk.focus.focus.event, real.desk.capture
    assert surface.about.said == f"Palette of Texture 5   256 entries   event {event}"
    entries = capture.ask(PaletteOf(event, 5, 1)).reshape(-1, 4)
    place = surface.view.place_of(16 * 7 + 8, 16 * 8 + 8)
    surface.view.hovered.emit(16 * 7 + 8, 16 * 8 + 8)
    assert surface.readout.said == "entry 135   R {}  G {}  B {}  A {}".format(*entries[135])
    qtbot.mouseClick(surface.view, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, real, 20_000)
    assert real.desk.focus.focus.pixel == (3, 3), "an entry is no texel"
    titles = [section.title for section in real.inspector.facts.sections]
    assert "Texture" in titles and not any(title.startswith("Pixel") for title in titles)
    assert not real.inspector.loupe.isVisible()


def test_a_value_is_found_forwards_and_backwards(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = at(qtbot, real, event=LAST)
    picture = real.desk.capture.image(LAST)
    places = [(int(x), int(y)) for y, x in np.argwhere(picture[..., 0] > 0.9 * 255)]
    surface.view.setFocus()
    real.focus_filter()
    assert surface.views.finder.isVisible()
    qtbot.keyClicks(surface.views.finder.edit, "r > 0.9")
    for key, modifier, wanted in (
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, 0), (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, 1),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier, 0), (Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier, -1),
    ):  # fmt: skip
        qtbot.keyClick(surface.views.finder.edit, key, modifier)
        settle(qtbot, real, 20_000)
        assert real.desk.focus.focus.pixel == places[wanted]
    assert surface.views.finder.words.text() == f"{len(places):,} of {len(places):,}"
    surface.views.find("3000")
    qtbot.waitUntil(lambda: surface.views.finder.words.text().startswith("none: "), timeout=60_000)
    words, low = surface.views.finder.words.text(), picture[..., 0].min()
    assert f"r {low} to {picture[..., 0].max()}, g " in words and words.endswith(" as stored")
    qtbot.keyClick(surface.views.finder.edit, Qt.Key.Key_Escape)
    assert not surface.views.finder.isVisible()
