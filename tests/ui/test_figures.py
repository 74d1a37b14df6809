"""The statistics and driver panels on the built-in capture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFileDialog

from inspector.query.driver.caps import DriverCaps
from inspector.query.tables.statistics import Statistics
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.panels.driver import VIEWS
from ui.panels.statistics import USE
from ui.window import Window


def chosen(qtbot: Any, window: Window, name: str) -> Any:
    window.docks.bring(name)
    settle(qtbot, window, 30_000)
    return window.docks.panels[name]


def test_counts_of_use_are_whole_however_narrow_their_list(qtbot: Any, real: Window) -> None:  # noqa: F811
    most = chosen(qtbot, real, "statistics").most
    most.setMaximumWidth(240)
    settle(qtbot, real)
    most.grab()
    uses = [most.model().index(row, USE) for row in range(3)]
    assert not any(map(most.is_cut, uses)) and most.columnWidth(USE) > 82


def test_vertices_are_exported_as_they_are_shown(
    qtbot: Any,
    real: Window,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    panel = chosen(qtbot, real, "vertices")
    real.desk.focus.go(event=2945)
    settle(qtbot, real, 30_000)
    for name, kind, first in (
        ("torus", "", b"vertex,"),
        ("torus.obj", "", b"# room.ddicap, event 2945"),
    ):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, name=name, kind=kind: (str(tmp_path / name), kind))
        panel.export.click()
        settle(qtbot, real, 30_000)
        path = tmp_path / (name if "." in name else f"{name}.csv")
        assert path.read_bytes().startswith(first)
        assert str(path.name) in panel.note.toolTip() + panel.note.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "streams.obj"), ""))
    panel._choose("streams")
    settle(qtbot, real, 30_000)
    panel.export.click()
    settle(qtbot, real, 30_000)
    assert "no triangles" in real.banner._sentence and not (tmp_path / "streams.obj").exists()


def test_figures_by_frame_and_by_draw(qtbot: Any, real: Window) -> None:  # noqa: F811
    capture, panel = real.desk.capture, chosen(qtbot, real, "statistics")
    assert panel.model.rowCount() == len(capture.frames)
    assert panel.model._columns[:2] == ["Frame", "Events"]
    event = int(capture.draws[12])
    real.desk.focus.go(event=event)
    settle(qtbot, real, 30_000)
    assert panel.table.currentIndex().row() == capture.frame_of(event)
    for name, order in (("Primitives", -1), ("Primitives", 1), ("Frame", -1), ("Frame", 1), ("Frame", 0)):
        panel.sort_by(panel.model._columns.index(name) + 1)
        numbers = panel.figures.number if name == "Frame" else panel.figures.columns["primitives"]
        wanted = np.argsort(numbers * order, kind="stable")
        texts = [panel.model.index(row, 1).data() for row in range(len(wanted))]
        assert texts == panel.figures.number[wanted].astype(str).tolist()
        assert panel.model.index(panel.table.currentIndex().row(), 1).data() == str(capture.frame_of(event)), "the place stays"
        panel.table.activated_row.emit(0)
        assert real.desk.focus.focus.event == panel.figures.stop[wanted[0]]
        real.desk.focus.go(event=event)
        settle(qtbot, real, 30_000)
    panel.unit.setCurrentIndex(1)
    panel.refresh()
    settle(qtbot, real, 30_000)
    frame = capture.frames[capture.frame_of(event)]
    assert panel.model.rowCount() == frame.draws
    assert panel.figures.number[panel.table.currentIndex().row()] == event
    panel.pixels.setChecked(True)
    settle(qtbot, real, 60_000)
    assert "Fragments" in panel.model._columns
    told = capture.ask(Statistics("draw", frame.index, pixels=True))
    assert panel.figures.total("written") == told.total("written") > 0
    panel.table.activated_row.emit(0)
    assert real.desk.focus.focus.event == int(told.stop[0])


@pytest.mark.parametrize("number", range(len(VIEWS)), ids=[view.title for view in VIEWS])
def test_what_the_driver_answered(qtbot: Any, real: Window, number: int) -> None:  # noqa: F811
    capture, panel = real.desk.capture, chosen(qtbot, real, "driver")
    panel.choice.setCurrentIndex(number)
    panel._choose()
    settle(qtbot, real, 30_000)
    view, report = VIEWS[number], capture.ask(DriverCaps())
    rows = {"Requirements": len(report.clauses), "Capabilities": len(report.caps), "Presentation": len(capture.frames)}
    if view.title in rows:
        assert panel.model.rowCount() == rows[view.title] > 0
    for row in range(panel.model.rowCount()):
        assert all(panel.model.index(row, column).data() is not None for column in range(len(view.columns)))
    assert panel.plot.isVisible() == (view.title == "Presentation")


class Paints(QObject):
    """Counts how often a widget is painted."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_what_the_driver_has_no_data_on(qtbot: Any, real: Window) -> None:  # noqa: F811
    """Of one empty view after another, the sentence on the screen is that of the present one; titles are whole."""
    panel, paints = chosen(qtbot, real, "driver"), Paints()
    for title in ("Patches", "State sets", "DXGI resources"):
        panel.choice.setCurrentText(title)
        panel.choice.activated.emit(panel.choice.currentIndex())
        settle(qtbot, real, 20_000)
        header = panel.table.horizontalHeader()
        assert all(header.sectionSize(column) >= header.sectionSizeHint(column) for column in range(header.count() - 1))
    assert panel.table.placeholder == "No DXGI resources at this event."
    qtbot.wait(50)
    panel.table.viewport().installEventFilter(paints)
    panel.table.placeholder = "Another one."
    panel.model.set_rows([])
    qtbot.waitUntil(lambda: paints.count > 0)
