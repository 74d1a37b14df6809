"""The panels that ask what if and find what is wrong, on the built-in capture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog

from inspector.query.what_if.edits import Disable
from inspector.query.what_if.what_if import WhatIf
from tests.ui.conftest import settle
from tests.ui.test_comparison_panel import settled
from tests.ui.test_real_capture import real  # noqa: F401
from ui.models.pixels import argb_of_rgba
from ui.window import Window

TORUS, LAST = 1340, 1422


def test_edits_show_their_picture_at_once(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel, capture = real.what_if, real.desk.capture
    real.desk.focus.go(event=TORUS)
    real.disable_event()
    settled(qtbot, real)
    assert panel.edits == (Disable(TORUS, TORUS),)
    assert np.array_equal(panel.after._argb, argb_of_rgba(capture.image(TORUS - 1)))
    assert np.array_equal(panel.before._argb, argb_of_rgba(capture.image(TORUS)))
    assert panel.note.text().endswith("within 115, 152 to 313, 287")
    real.desk.focus.go(event=LAST)
    panel.edit.setText("preset wireframe")
    qtbot.keyClick(panel.edit, Qt.Key.Key_Return)
    settled(qtbot, real)
    assert panel.edit.text() == "" and [str(edit) for edit in panel.edits][1] == "force FILLMODE=WIREFRAME @ 1103..1423"
    wanted = WhatIf(panel.edits).open(capture).image(LAST)
    assert np.array_equal(panel.after._argb, argb_of_rgba(wanted))
    panel.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    settled(qtbot, real)
    assert panel.edits == (Disable(TORUS, TORUS),)
    assert panel.add("preset wireframe")
    assert len(panel.edits) == 2 == len(panel.all_edits), "it is switched on again, not there twice"
    panel.list.setFocus()
    qtbot.waitUntil(panel.list.hasFocus)
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    assert len(panel.all_edits) == 1
    panel.undo()
    assert len(panel.all_edits) == 2
    panel.undo()
    panel.undo()
    panel.undo()
    settled(qtbot, real)
    assert panel.all_edits == () and panel.after.picture_size == (0, 0)


def test_the_keyboard_goes_where_an_edit_is_written(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.activateWindow()
    real.docks.bring("what-if")
    assert real.focusWidget() is real.what_if.edit
    real.disable_event()
    assert real.focusWidget() is real.what_if.list, "so that the arrows still walk events"
    real.desk.wanted.emit("begin", "force ZFUNC=")
    assert real.focusWidget() is real.what_if.edit and real.what_if.edit.text() == "force ZFUNC="


def test_what_is_no_edit_is_said(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = real.what_if
    real.docks.bring("what-if")
    panel.edit.setText("force NOSUCH=1")
    panel.add_text()
    settled(qtbot, real)
    assert panel.note.text().startswith("Unknown state 'NOSUCH'") and not panel.note.text().endswith("?.")
    assert panel.all_edits == () and panel.edit.text() == "force NOSUCH=1", "it can be corrected"
    panel.edit.setText("disable 1340")
    panel.add_text()
    settled(qtbot, real)
    assert len(panel.all_edits) == 1 and panel.shown is not None and "differ" in panel.note.text()
    panel.edit.setText("force NOSUCH=1")
    panel.add_text()
    settled(qtbot, real)
    assert len(panel.all_edits) == 1 and panel.shown is not None, "what was there stays"
    assert panel.note.text().startswith("Unknown state 'NOSUCH'") and panel.edit.property("wrong")
    panel.edit.setText("paint it black")
    panel.add_text()
    assert "expected one of" in panel.note.text() and panel.edit.text() == "paint it black"
    qtbot.keyClicks(panel.edit, "er")
    assert panel.note.text() == "No pixel differs", "what is typed on hides a complaint, not what differs"


@pytest.mark.parametrize("typed", ["29 37 56", "#1d2538"])
def test_a_wrong_pixel_leads_to_its_culprit(qtbot: Any, real: Window, typed: str) -> None:  # noqa: F811
    panel = real.what_if
    real.docks.bring("what-if")
    real.desk.focus.go(event=LAST, pixel=(150, 200))
    assert panel.pixel.text() == "Pixel 150, 200"
    panel.right.setText(typed)
    panel.bisect()
    settled(qtbot, real)
    assert panel.verdict.text() == "Event 1340" and "primitive 1369" in panel.note.text()
    panel.verdict.click()
    assert (real.desk.focus.focus.event, real.desk.focus.focus.primitive) == (TORUS, 1369)
    panel.right.setText("red")
    panel.bisect()
    assert "three numbers" in panel.note.text()


def test_the_edited_frame_is_compared(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.desk.focus.go(event=LAST)
    real.docks.bring("what-if")
    real.what_if.add(f"disable {TORUS}")
    settled(qtbot, real)
    real.what_if.compare()
    settled(qtbot, real)
    assert [row.place.handle for row in real.comparison.surfaces_page.model.rows] == [1, 2, 3]
    assert real.comparison.tokens_page.model.index(0, 0).data() == "changed"


def test_a_state_offers_what_if(qtbot: Any, real: Window) -> None:  # noqa: F811
    state: Any = real.docks.panels["state"]
    real.docks.bring("state")
    settled(qtbot, real)
    model = state.model
    index = model.index(0, 0, model.index(0, 0))
    menu = state.menu_of(index)
    menu.actions()[0].trigger()
    assert real.what_if.edit.text().startswith("force ") and real.what_if.edit.text().endswith("=")
    assert state.menu_of(model.index(0, 0)) is None


def test_a_field_and_an_event_offer_what_if(qtbot: Any, real: Window) -> None:  # noqa: F811
    token: Any = real.docks.panels["token"]
    real.desk.focus.go(event=1335)
    settled(qtbot, real)
    assert token.menu_of(0) is None and token.menu_of(99) is None
    row = next(n for n, field in enumerate(token._fields) if field.name == "value")
    token.menu_of(row).actions()[0].trigger()
    assert real.what_if.edit.text() == "set 1335.value="
    real.what_if.edit.setText("set 1335.value=5")
    real.what_if.add_text()
    real.desk.wanted.emit("edit", "disable 1305")
    settled(qtbot, real)
    assert [str(edit) for edit in real.what_if.edits] == ["set 1335.value=5", "disable 1305"]
    real.desk.wanted.emit("side", "b")
    assert real.comparison.b.text() == "event 1335"


def test_edits_are_saved_and_loaded(qtbot: Any, real: Window, tmp_path: Path, monkeypatch: Any) -> None:  # noqa: F811
    panel, path = real.what_if, tmp_path / "mine"
    panel.add_edits((Disable(5, 6),))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (f"{path}.json", ""))
    panel._save()
    panel.undo()
    assert panel.all_edits == ()
    panel._load()
    assert panel.all_edits == (Disable(5, 6),)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "none.json"), ""))
    panel._load()
    assert "cannot read" in panel.note.text().lower()


def test_variants_stand_side_by_side(qtbot: Any, real: Window) -> None:  # noqa: F811
    """Each has the image that its edits make, at whatever event; one can be edited again, or dropped."""
    panel, capture = real.what_if, real.desk.capture
    real.docks.bring("what-if")
    real.desk.focus.go(event=LAST)
    assert panel.add(f"disable {TORUS}")
    [panel.variants.keep(panel.edits) for _ in "ab"]  # kept once
    assert panel.add("preset wireframe")
    panel.variants.keep(panel.edits)
    settle(qtbot, real, 60_000)
    assert [len(edits) for edits in panel.variants.kept] == [1, 2]
    shown = [panel.before, panel.after, *panel.variants.pictures]
    places = lambda part: {getattr(picture.mapTo(panel, QPoint(0, 0)), part)() for picture in shown}  # noqa: E731
    qtbot.waitUntil(lambda: len(places("y")) * len(places("x")) == 4)  # in rows that begin at one height
    for event in (LAST, LAST - 60):
        real.desk.focus.go(event=event)
        settle(qtbot, real, 60_000)
        for picture, edits in zip(panel.variants.pictures, panel.variants.kept, strict=True):
            expected = capture.ask(WhatIf(edits)).image(event)
            assert np.array_equal(picture._argb, argb_of_rgba(expected))
    panel.variants.chosen.emit(panel.variants.kept[0])
    settle(qtbot, real, 60_000)
    assert panel.edits == panel.variants.kept[0]
    panel.variants.drop(panel.variants.kept[0])
    settle(qtbot, real, 60_000)
    assert len(panel.variants.pictures) == 1 and panel.edits
    for first in range(6):
        panel.variants.keep((Disable(first, first),))
    assert [edits[0].first for edits in panel.variants.kept] == [2, 3, 4, 5]
