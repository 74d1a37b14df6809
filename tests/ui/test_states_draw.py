"""Panels show the draw that a state is for; and other things that misled."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, Qt

from inspector.focus import RENDER_TARGET, Focus
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.index import CLEAR
from ui.panels.what_if import surface_of
from ui.widgets.bindings import Binding, Bindings
from ui.window import Window

STATE, DRAW = 921, 929
"""Room: SETVERTEXSHADER, and the draw after it."""


def test_states_show_the_draw_they_are_for(qtbot: Any, real: Window) -> None:  # noqa: F811
    panels: Any = real.docks.panels
    real.desk.focus.go(event=STATE)
    real.docks.bring("vertices")
    real.docks.bring("stepping")
    settle(qtbot, real, 20_000)
    assert panels["vertices"].note.text().startswith(f"#{DRAW}:")
    assert panels["stepping"].note.text().startswith(f"#{DRAW}: ")
    real.docks.bring("surface")
    panels["surface"].set_overlay("draw")
    settle(qtbot, real, 20_000)
    said = " ".join(panels["surface"].key.texts)
    assert said and "draws nothing" not in said
    index = real.desk.index
    assert index is not None
    last = index.frame_range(1)[1] - 1
    assert index.draw_for(DRAW) == DRAW and index.draw_for(last) is None
    real.desk.focus.go(event=last)
    settle(qtbot, real, 20_000)
    assert "draws nothing" in " ".join(panels["surface"].key.texts)
    assert "640 × 480" in panels["surface"].about.said, "the row above says of what the image is"


def test_other_events_say_what_they_are_and_offer_the_nearest_draw(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel, index = real.docks.panels["vertices"], real.desk.index
    assert index is not None
    cleared = int(np.flatnonzero(index.kind == CLEAR)[-1])
    real.docks.bring("vertices")
    real.desk.focus.go(event=cleared)
    settle(qtbot, real, 20_000)
    assert panel.table.placeholder.startswith(f"{index.name(cleared)} clears surfaces: it has no vertices.")
    after, before = index.next_draw(cleared), index.previous_draw(cleared)
    assert after is not None and before is not None
    nearest = after if after - cleared <= cleared - before else before
    assert panel.nearest.isVisible() and panel.nearest.text() == f"Go to draw #{nearest}"
    panel.nearest.click()
    settle(qtbot, real, 20_000)
    assert real.desk.focus.focus.event == nearest and not panel.nearest.isVisible()


def test_nothing_tessellated_shows_assembled_vertices(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel: Any = real.docks.panels["vertices"]
    real.docks.bring("vertices")
    real.desk.focus.go(event=DRAW)
    panel._choose("tessellated")
    settle(qtbot, real, 20_000)
    shown = next(button.text() for button in panel.buttons.buttons() if button.isChecked())
    assert shown == "Assembled" and panel.model.rowCount() == 3456


def test_the_second_side_starts_the_comparison(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.desk.focus.go(event=DRAW)
    real.take_side("a")
    settle(qtbot, real, 20_000)
    assert not real.comparison.surfaces_page.model.rows
    real.desk.focus.go(event=real.desk.capture.frames[2].last_event)  # type: ignore[union-attr]
    real.take_side("b")
    qtbot.waitUntil(lambda: bool(real.comparison.surfaces_page.model.rows), timeout=20_000)


def test_what_if_compares_what_is_drawn_to() -> None:
    assert surface_of(Focus(surface=39)) == RENDER_TARGET
    assert surface_of(Focus(surface="depth")) == "depth"


def test_only_the_left_button_chooses_a_thumbnail(qtbot: Any) -> None:
    row = Bindings()
    qtbot.addWidget(row)
    row.resize(500, row.height())
    row.show_bindings([Binding("Target", 2), Binding("Depth", 3)], {}, 2)
    chosen: list[int] = []
    row.chosen.connect(chosen.append)
    place: QPoint = row.visualItemRect(row.item(1)).center()
    qtbot.mouseClick(row.viewport(), Qt.MouseButton.RightButton, pos=place)
    assert row.currentRow() == 0 and chosen == []
    qtbot.mouseClick(row.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert row.currentRow() == 1 and chosen == [3]
