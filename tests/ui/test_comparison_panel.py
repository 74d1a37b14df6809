"""The panel that compares, on the built-in capture."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage

from core.errors import Cancelled
from inspector.query.comparison import compare
from inspector.query.comparison.contents import PartKey
from inspector.query.comparison.vertices import compared
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui import app
from ui.models.pixels import argb_of_rgba
from ui.panels.comparison import ASIDE
from ui.window import Window

TORUS = 1340


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
    panel.to_first.click()
    assert panel.tabs[1].isChecked() and real.desk.focus.focus.event == 1142
    first, last = [1145, 1466], [int(capture.draws[capture.draws <= end][-1]) for end in ends]
    assert panel.vertices_page.pairs[[0, -1], 1:].tolist() == [first, last] and len(panel.vertices_page.pairs) == 10
    assert panel.vertices_page.about.text().startswith("draws #1145 and #1466 (1 of 10): ")
    panel.tokens_page.table.selectRow(11)  # the last draw's
    panel.tabs[4].click()
    settled(qtbot, real)
    a, b = (capture.vertices(event, "assembled").rows for event in last)
    names = [name for name in a.dtype.names if name != "vertex"]
    assert panel.tabs[4].text() == f"Vertices  {np.any([a[name] != b[name] for name in names], 0).sum()}"
    assert not panel.vertices_page.on.isEnabled()
    panel.vertices_page.back.click()
    settled(qtbot, real)
    assert " (9 of 10): " in panel.vertices_page.about.text()
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
    here = real.desk.focus.focus
    assert (here.event, here.surface, here.pixel) == (ends[0], 1, (40, 200))
    assert panel.surfaces_page.pictures.reading.text().startswith("40, 200   A ")
    panel.tokens_page.follow(0)
    assert real.desk.focus.focus.event == 1142
    real.desk.focus.go(event=ends[0])
    panel.take_here(panel.a)
    real.desk.focus.go(event=ends[1] - 1)
    panel.take_here(panel.b)
    assert (panel.a.text(), panel.b.text()) == ("frame 2", f"event {ends[1] - 1}")
    panel.take_here(panel.a)
    real.desk.focus.go(event=ends[1])
    panel.take_here(panel.b)
    assert panel.b.text() == f"event {ends[1]}", "an event is compared with an event"
    panel.a.setText("frame 2")
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
    mask = look("Mask")
    assert np.array_equal((mask & 0xFFFFFF) > 0, (row.a != row.b).any(-1))
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


def test_surfaces_say_by_what_they_were_matched(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel, page = real.comparison, real.comparison.surfaces_page
    real.docks.bring("comparison")
    panel.between("", "frame 2", "frame 3")
    settled(qtbot, real)
    assert page.table.isColumnHidden(1), "all are matched by their handles"
    elsewhere = replace(panel.found.surfaces[0], matched="contents", other=PartKey(9, 0, 0))
    page.show_found(replace(panel.found, surfaces=[elsewhere]))
    assert not page.table.isColumnHidden(1)
    assert [page.model.index(0, column).data() for column in (0, 1)] == ["primary 1 | primary 9", "contents"]
    page.pictures.view_of.setCurrentText("Side by side")
    page.pictures.view_of.activated.emit(0)
    assert [titles for _, titles, _ in page.pictures.picture._titles] == [
        ("A: frame 2, primary 1", "A: primary 1", "A"), ("B: frame 3, primary 9", "B: primary 9", "B"),
    ]  # fmt: skip


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


def test_what_differs_and_is_no_number_is_marked_without_colour(qtbot: Any, real: Window) -> None:  # noqa: F811
    page = real.comparison.vertices_page
    layout = [("vertex", "i8"), ("x", "f4"), ("outside", "U8")]
    a, b = (np.array(rows, layout) for rows in ([(0, 1, ""), (1, 2, "left")], [(0, np.nan, ""), (1, 2.5, "")]))
    page._show(compared((0, 1), "transformed", a, b))
    assert [[page.model.index(row, column).data() for column in (4, 7)] for row in (0, 1)] == [["≠", ""], ["0.5", "≠"]]


def test_keys_lead_from_one_pair_that_differs_to_the_next(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel, page = real.comparison, real.comparison.vertices_page
    real.docks.bring("comparison")
    panel.between("", "frame 2", "frame 3")
    settled(qtbot, real)
    panel.tabs[4].click()
    page.which.setCurrentIndex(1)
    settled(qtbot, real)
    seen = []
    page.choose(0)
    settled(qtbot, real)
    panel.tabs[0].click()
    while not page.about.text().startswith("no pair after it differs; draws #"):
        qtbot.keyClick(panel.b, Qt.Key.Key_F7)
        settled(qtbot, real)
        seen.append(page._number)
        assert page.vertices.rows.differing.size and page.vertices.events == tuple(page.pairs[page._number, 1:])
        assert panel.tabs[4].isChecked()
    assert seen[:-1] == sorted(set(seen)), "the last one stays"
    assert not set(range(1, len(page.pairs))) <= set(seen), "equal pairs are passed over"
    qtbot.keyClick(page.table, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    settled(qtbot, real)
    assert page._number == seen[-3] and page.to_next.isEnabled()


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
