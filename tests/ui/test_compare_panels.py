"""The panels that compare and ask what if, on the built-in capture."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from core.errors import Cancelled
from inspector.query.comparison import compare
from inspector.query.what_if.edits import Disable
from inspector.query.what_if.what_if import WhatIf
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui import app
from ui.models.pixels import argb_of_rgba
from ui.panels.comparison import ASIDE
from ui.window import Window

TORUS, LAST = 1340, 1422


def settled(qtbot: Any, window: Window) -> None:
    settle(qtbot, window, 60_000)
    qtbot.waitUntil(lambda: not window.desk.ask.is_aside(ASIDE), timeout=60_000)
    settle(qtbot, window, 60_000)


def test_two_frames_side_by_side(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel, capture = real.comparison, real.desk.capture
    real.docks.bring("comparison")
    panel.a.setText("frame 2")
    panel.b.setText("frame 3")
    qtbot.keyClick(panel.b, Qt.Key.Key_Return)
    settled(qtbot, real)
    assert [tab.text() for tab in panel.tabs[:4]] == ["State  10", "Tokens  12", "Surfaces  4", "Resources"]
    ends = [frame.last_event for frame in capture.frames if frame.index in (2, 3)]
    a, b = (capture.vertices(int(capture.draws[capture.draws <= end][-1]), "assembled").rows for end in ends)
    names = [name for name in a.dtype.names if name != "vertex"]
    assert panel.tabs[4].text() == f"Vertices  {np.any([a[name] != b[name] for name in names], 0).sum()}"
    assert len(panel.state_page.model.rows) == 10 and len(panel.tokens_page.model.rows) == 12
    panel.tabs[1].click()
    panel.all.setChecked(True)
    assert panel.tokens_page.model.rowCount() == 321
    panel.all.setChecked(False)
    index = panel.tokens_page.model.index(0, 1)
    assert (index.data(), panel.tokens_page.model.index(0, 2).data()) == ("1142", capture.text(1142))
    panel.surfaces_page.pictures.view_of.setCurrentText("A")
    panel.surfaces_page.pictures.view_of.activated.emit(1)
    assert np.array_equal(panel.surfaces_page.pictures.picture._argb, argb_of_rgba(capture.image(1423, 1)))
    panel.surfaces_page.pictures.picture.picked.emit(40, 200)
    assert (real.desk.focus.focus.surface, real.desk.focus.focus.pixel) == (1, (40, 200))
    assert panel.surfaces_page.pictures.reading.text().startswith("40, 200   A ")
    panel.tokens_page.follow(0)
    assert real.desk.focus.focus.event == 1142
    real.desk.focus.go(event=ends[0])
    panel.take_here(panel.a)
    real.desk.focus.go(event=ends[1] - 1)
    panel.take_here(panel.b)
    assert (panel.a.text(), panel.b.text()) == ("frame 2", f"event {ends[1] - 1}")
    panel.b.setText("frame 3")
    panel.swap()
    settled(qtbot, real)
    assert panel.a.text() == "frame 3" and panel.tokens_page.model.index(0, 1).data() == "1463"


def test_two_pictures_are_looked_at_together(
    qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:  # fmt: skip
    panel = real.comparison
    real.docks.bring("comparison")
    panel.a.setText("frame 2")
    panel.b.setText("frame 3")
    panel.compare()
    settled(qtbot, real)
    panel.tabs[2].click()
    row, pair = panel.surfaces_page.model.rows[0], panel.surfaces_page.pictures

    def look(view: str) -> np.ndarray:
        pair.view_of.setCurrentText(view)
        pair.view_of.activated.emit(0)
        return np.array(panel.surfaces_page.pictures.picture._argb)

    height, width = row.a.shape[:2]
    both = look("Side by side")
    assert [title[0] for _, title, _ in pair.picture._titles] == ["A: frame 2", "B: frame 3"]
    assert both.shape == (height, 2 * width + 4) and np.array_equal(both[:, -width:], argb_of_rgba(row.b))
    pair.picture.hovered.emit(width + 4 + 40, 200)
    assert pair.reading.text().startswith("40, 200   A ")
    assert np.array_equal(look("Wipe"), argb_of_rgba(row.a)) and not pair.picture._titles
    middle = QRect(*(pair.picture.place_of(width * n // 4, height * n // 4) for n in (1, 3)))  # without line and names

    def grabbed(view: str, split: float) -> bytes:
        look(view)
        pair.picture.set_split(split)
        image = pair.picture.grab(middle).toImage().convertToFormat(QImage.Format.Format_RGB32)
        return bytes(image.constBits())

    assert grabbed("Wipe", 0.0) == grabbed("B", 0.0) != grabbed("A", 0.0) == grabbed("Wipe", 1.0)
    qtbot.keyClick(pair.picture, ",")
    assert pair.picture.split == 0.95, "the wipe goes by keys, too"
    look("Flip")
    assert pair.picture._caption in ("A: frame 2", "B: frame 3")
    seen = set()
    for _ in range(2):
        pair._turn()
        seen.add(np.array(panel.surfaces_page.pictures.picture._argb).tobytes())
    assert seen == {argb_of_rgba(row.a).tobytes(), argb_of_rgba(row.b).tobytes()} and pair._turns.isActive()
    loud = look("Difference")
    assert not pair._turns.isActive()
    pair.gain.setCurrentText("×1")
    pair.gain.activated.emit(0)
    plain = np.array(panel.surfaces_page.pictures.picture._argb)
    assert (loud & 0xFF).sum() > (plain & 0xFF).sum()
    changed = [panel.tokens_page.model.index(number, 5).data() for number in range(panel.tokens_page.model.rowCount())]
    assert any(text.startswith("matrix[") and " to " in text for text in changed)
    path = tmp_path / "both.html"
    monkeypatch.setattr("ui.panels.comparison.ask_where", lambda *_: (path, None))
    panel.save_report()
    settled(qtbot, real)
    assert "frame 3" in path.read_text(encoding="utf-8") and real.banner.text == f"Saved {path}."


def test_a_long_alignment_lets_others_ask_and_can_be_stopped(
    qtbot: Any, real: Window, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:  # fmt: skip
    panel, told = real.comparison, threading.Event()

    def endless(*lists: Any) -> Any:
        cancel = lists[-1]
        while not cancel():
            told.wait(0.01)
        told.set()
        raise Cancelled("told to stop")

    monkeypatch.setattr(compare, "align", endless)
    real.docks.bring("comparison")
    panel.a.setText("frame 2")
    panel.b.setText("frame 3")
    panel.compare()
    qtbot.waitUntil(lambda: panel.comparing.bar.value() > 0, timeout=20_000)
    real.desk.focus.go(event=TORUS)
    settle(qtbot, real)
    assert real.inspector._detail.seq == TORUS
    assert real.desk.ask.is_aside(ASIDE)
    panel.comparing.stop.click()
    assert not real.desk.ask.is_aside(ASIDE)
    assert panel.comparing.begin.isVisible()
    qtbot.waitUntil(told.is_set)
    assert panel.found is None


def test_another_file_is_opened_when_it_is_compared(qtbot: Any, real: Window, tmp_path: Path) -> None:  # noqa: F811
    panel = real.comparison
    real.docks.bring("comparison")
    other = shutil.copy(str(app.built_in_capture()), tmp_path / "other.ddicap")
    panel.choose_file(str(other))
    panel.a.setText("frame 1")
    panel.compare()
    settled(qtbot, real)
    assert panel.about.text() == "No difference." and panel.b.text() == "frame 1"
    panel.choose_file(str(tmp_path / "none.ddicap"))
    panel.compare()
    settled(qtbot, real)
    assert "none.ddicap" in panel.surfaces_page.table.placeholder and not panel.tokens_page.model.rows
    real.close_capture()
    settled(qtbot, real)
    assert panel.other.count() == 2 and panel.about.text() == ""


def test_a_side_that_is_not_there_is_a_sentence(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = real.comparison
    real.docks.bring("comparison")
    real.desk.focus.go(event=77)
    real.take_side("a")
    assert panel.a.text() == "event 77"
    panel.b.setText("scene 3")
    panel.compare()
    settled(qtbot, real)
    assert "is not a side" in panel.surfaces_page.table.placeholder
    real.close_capture()
    assert (panel.a.text(), panel.b.text()) == ("", "")  # they are events of the capture that has gone


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


def test_vertices_of_both_sides_stand_side_by_side(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel, capture = real.comparison, real.desk.capture
    real.docks.bring("comparison")
    panel.a.setText("frame 2 draw 2")
    panel.b.setText("frame 3 draw 2")
    panel.compare()
    settled(qtbot, real)
    page = panel.vertices_page
    panel.tabs[4].click()
    assert panel.tabs[4].text() == "Vertices" and page.about.text() == "draws #1226 and #1547: 0 of 864 vertices differ"
    assert not page.model.rows and panel.all.isVisible()
    page.which.setCurrentIndex(1)
    page.which.activated.emit(1)
    settled(qtbot, real)
    assert panel.tabs[4].text() == "Vertices  864"
    a, b = (capture.vertices(event, "transformed").rows["screen.x"] for event in (1226, 1547))
    columns = [page.model.headerData(n, Qt.Orientation.Horizontal) for n in range(5)]
    assert columns == ["A", "B", "screen.x  A", "B", "B - A"]
    row = [page.model.index(7, column).data() for column in range(5)]
    assert row == ["7", "7", f"{a[7]:.6g}", f"{b[7]:.6g}", f"{float(b[7]) - float(a[7]):.6g}"]
    page.follow(7)
    assert (real.desk.focus.focus.event, real.desk.focus.focus.vertex) == (1226, 7)
    wide = page.model.columnCount()
    panel.all.setChecked(True)
    assert page.model.columnCount() > wide and not panel.tokens_page.every
    panel.tabs[1].click()
    assert not panel.all.isChecked()


def test_a_side_without_a_draw_has_no_vertices(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = real.comparison
    real.docks.bring("comparison")
    panel.a.setText("event 0")
    panel.b.setText("draw 2")
    panel.compare()
    settled(qtbot, real)
    assert panel.vertices_page.table.placeholder.endswith("event 0 draws nothing.")
    assert panel.tokens_page.model.rowCount(), "the rest is compared all the same"
    panel.clear()
    assert not panel.vertices_page.model.rowCount()
