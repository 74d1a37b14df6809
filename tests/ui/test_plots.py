"""Plots of Statistics and Query, and queries saved by name."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QInputDialog

import inspector
from tests.inspector.conftest import ROOM
from tests.ui.conftest import settle
from tests.ui.window_kit import panel
from ui.widgets.plot import Plot, Steps, ticks
from ui.widgets.plot_of_columns import PlotOfColumns
from ui.window import Window


@pytest.fixture
def real(qtbot: Any, make_window: Callable[..., Window]) -> Window:
    window = make_window(lambda path, progress: inspector.open(path, progress))
    window.open(ROOM)
    settle(qtbot, window, 60_000)
    return window


def curves(plot: Plot) -> list[Any]:
    return plot._plot.getPlotItem().listDataItems()


def test_statistics_plot_the_chosen_column(qtbot: Any, real: Window) -> None:
    shown = panel(real, "statistics")
    settle(qtbot, real, 60_000)
    assert not shown.plot.isVisible() and shown.most.isVisible()
    assert shown.table.isColumnHidden(0) and shown.model.headerData(1, Qt.Orientation.Horizontal) == "Frame"
    shown.plotted.click()
    assert shown.plot.isVisible() and shown.column.text() == "primitives"
    capture: Any = real.desk.capture
    wanted = [sum(capture.primitives(int(e)) for e in capture.draws if capture.frame_of(int(e)) == n) for n in range(8)]
    (line,) = curves(shown.plot)
    assert line.getData()[1].tolist() == wanted and line.opts["fillLevel"] is None
    assert shown.plot._plot.viewRange()[1][0] == 0
    shown.column.choose("draws")
    (line,) = curves(shown.plot)
    assert line.getData()[1].tolist() == [frame.draws for frame in capture.frames]
    shown.plot.clicked.emit(3.4)
    assert real.desk.focus.focus.event == capture.frames[3].last_event
    assert shown.plot._place.isVisible() and shown.plot._place.value() == 3
    shown.table.setFixedHeight(90)
    real.desk.focus.go(event=capture.frames[0].last_event)
    real.desk.focus.go(event=capture.frames[7].last_event)
    assert shown.table.rowAt(shown.table.viewport().height() - 8) == 7, "it is in sight though the first column is hidden"
    shown.plot.clicked.emit(-20.0)
    assert real.desk.focus.focus.event == capture.frames[0].last_event


def test_draws_are_bars_and_the_column_stays(qtbot: Any, real: Window) -> None:
    shown = panel(real, "statistics")
    shown.plotted.click()
    real.desk.focus.go(event=real.desk.capture.frames[2].last_event)
    shown.unit.setCurrentIndex(1)
    shown.unit.activated.emit(1)
    settle(qtbot, real, 60_000)
    (bars,) = curves(shown.plot)
    capture: Any = real.desk.capture
    draws = [int(event) for event in capture.draws if capture.frame_of(int(event)) == 2]
    assert bars.opts["fillLevel"] == 0 and bars.getData()[1].tolist() == [capture.primitives(event) for event in draws]
    shown.plot.clicked.emit(1.2)
    assert real.desk.focus.focus.event == draws[1]
    real.close_capture()
    assert curves(shown.plot) == []


def test_two_columns_of_a_query_are_plotted_and_lead_to_rows(qtbot: Any, real: Window) -> None:
    shown = panel(real, "query")
    shown.edit.setPlainText("SELECT event, primitives, 'x' AS word, NULLIF(frame, 0) AS frame FROM draws ORDER BY event")
    shown.run()
    settle(qtbot, real, 60_000)
    shown.plotted.click()
    two: PlotOfColumns = shown.two
    assert two.isVisible() and not shown.table.isVisible() and "click a point to go" in shown.count.text()
    assert two.up.names == ("event", "primitives", "frame")
    assert two.across.currentText() == "event", "its numbers ascend, those of the frames do not"
    two.up.choose("primitives")
    capture: Any = real.desk.capture
    (points,) = curves(two.plot)
    assert points.getData()[0].tolist() == capture.draws.tolist()
    assert points.getData()[1].tolist() == [capture.primitives(int(event)) for event in capture.draws]
    two.plot.clicked.emit(float(capture.draws[5]) + 0.3)
    assert real.desk.focus.focus.event == capture.draws[5]
    assert two.plot._place.isVisible() and two.plot._place.value() == capture.draws[5]
    real.desk.focus.go(event=int(capture.draws[9]) - 1)
    assert two.plot._place.value() == capture.draws[8], "the last row before the event"
    two.across.setCurrentText("row")
    two.across.activated.emit(0)
    shown.run()
    settle(qtbot, real, 60_000)
    assert two.across.currentText() == "row", "what was chosen stays"
    assert two.plot._place.isVisible() and two.plot._place.value() == 8
    two.up.choose("frame")
    assert two.note.text() == f"{capture.frames[0].draws} rows without a number omitted"
    shown.edit.setPlainText("SELECT 'x' AS word")
    shown.run()
    settle(qtbot, real, 60_000)
    assert two.note.text() == "No numeric column" and curves(two.plot) == []
    shown.edit.setPlainText("SELECT nonsense")
    shown.run()
    settle(qtbot, real, 60_000)
    assert shown.table.isVisible() and "nonsense" in shown.table.placeholder


def test_several_columns_stand_in_one_plot(qtbot: Any, real: Window) -> None:
    shown = panel(real, "statistics")
    settle(qtbot, real, 60_000)
    shown.plotted.click()
    shown.column.switch("draws")
    assert shown.column.text() == "draws +1", "in the order of the table"
    draws, primitives = (line.getData()[1] for line in curves(shown.plot))
    assert draws.tolist() == shown.figures.columns["draws"].tolist()
    assert primitives.tolist() == shown.figures.columns["primitives"].tolist()
    assert shown.plot.names.names == ("draws", "primitives") and shown.plot.names.isVisible()
    shown.column.set_scaled(True)
    draws, primitives = (line.getData()[1] for line in curves(shown.plot))
    assert draws.max() == primitives.max() == 1
    assert shown.plot.names.names[1].endswith(f"(1: {shown.figures.columns['primitives'].max():,})")
    shown.column.switch("draws")
    assert len(curves(shown.plot)) == 1 and not shown.plot.names.isVisible()
    shown.column.switch("primitives")
    assert shown.column.chosen == ["primitives"], "one stays"
    menu: Any = shown.column.menu()
    menu.popup(shown.mapToGlobal(QPoint(0, 0)))
    for name, chosen in (("draws", ["draws", "primitives"]), ("primitives", ["draws"]), ("draws", ["draws"])):
        (action,) = [one for one in menu.actions() if one.text() == name]
        qtbot.mouseMove(menu, menu.actionGeometry(action).center())
        menu.setActiveAction(action)
        qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
        assert menu.isVisible() and shown.column.chosen == chosen and action.isChecked() == (name in chosen)
    menu.close()


def test_columns_of_one_name_and_numbers_beside_words(qtbot: Any, real: Window) -> None:
    shown = panel(real, "query")
    shown.edit.setPlainText("SELECT 'x' AS a, 3 AS a, 4 AS b, 5 AS b")
    shown.run()
    settle(qtbot, real, 60_000)
    shown.plotted.click()
    shown.two.up.choose("a", "b")
    assert [line.getData()[1].tolist() for line in curves(shown.two.plot)] == [[3], [4]]


def test_a_click_in_the_plot_is_a_number_of_its_axis(qtbot: Any) -> None:
    plot = Plot("Test", "")
    qtbot.addWidget(plot)
    plot.resize(400, 200)
    plot.show()
    plot.show_points(np.arange(10.0), [("y", np.array([1.0, np.nan, np.inf, *range(7)]))], "<b>x</b>", "y")
    assert len(curves(plot)[0].getData()[0]) == 8
    assert "&lt;b&gt;" in plot._plot.getAxis("bottom").labelString()
    box = plot._plot.getPlotItem().vb
    told: list[float] = []
    plot.clicked.connect(told.append)
    qtbot.wait(1)
    place = box.mapViewToScene(box.viewRect().center())
    plot._click(SimpleNamespace(scenePos=lambda: place))
    assert told == [pytest.approx(box.viewRect().center().x())]


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ([0, 500_000, 2_500_000], ["0", "0.5 M", "2.5 M"]),
        ([0, 5e3, 2.5e4], ["0", "5 k", "25 k"]),
        ([0, 500, 2000], ["0", "500", "2000"]),
        ([-0.5, 0, 0.25], ["-0.5", "0", "0.25"]),
        ([-1e300, 0], ["-1e+300", "0"]),
    ],
)
def test_ticks_are_short(values: list[float], written: list[str]) -> None:
    assert ticks(values) == written


def test_events_are_whole_along_an_axis(qtbot: Any) -> None:
    plot = Plot("Test", "")
    qtbot.addWidget(plot)
    plot.show()
    shown = lambda spacing: plot._plot.getAxis("bottom").tickStrings([0, 0.5, 1], 1000, spacing)  # noqa: E731
    plot.show_points(np.arange(3.0), [("y", np.arange(3.0))], "event", "y")
    assert shown(0.5) == ["", "", ""] and shown(1) == ["0", "0", "1"]
    plot.show_points(np.arange(3.0) / 4, [("y", np.arange(3.0))], "ms", "y")
    assert shown(0.5) == ["0", "0.5", "1"]


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_zooming_ends_where_numbers_do(scale: float, qtbot: Any) -> None:
    plot = Plot("Test", "")
    qtbot.addWidget(plot)
    plot.show()
    plot.show_points(np.arange(10.0), [("y", np.arange(10.0))], "x", "y")
    box = plot._plot.getPlotItem().vb
    for _ in range(3):
        box.scaleBy((scale, 1.0))
        plot.grab()
    (low, high), _ = box.viewRange()
    assert 1e-6 < high - low <= 27 and -9 <= low < high <= 18


def test_queries_are_saved_by_name(qtbot: Any, real: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = panel(real, "query")
    shown.edit.setPlainText("SELECT event\nFROM draws")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("All & draws", True))
    shown.saved.fill()
    assert "No saved queries" in [action.text() for action in shown.saved.menu.actions()]
    next(action for action in shown.saved.menu.actions() if action.text() == "Save query…").trigger()
    assert real.settings.kept("query/queries", {}) == {"All & draws": "SELECT event\nFROM draws"}
    shown.edit.clear()
    shown.saved.fill()
    (saved,) = [action for action in shown.saved.menu.actions() if action.text().startswith("All && draws")]
    assert saved.text() == "All && draws\tSELECT event FROM draws"
    saved.trigger()
    assert shown.edit.toPlainText() == "SELECT event\nFROM draws"
    settle(qtbot, real, 60_000)
    assert len(shown.model.rows) == len(real.desk.capture.draws), "it has run, as examples do"
    shown.saved.put("Frames", "SELECT frame FROM frames")
    for title, says, left in (("Rename", "Every draw", ["Every draw", "Frames"]), ("Remove", "", ["Frames"])):
        monkeypatch.setattr(QInputDialog, "getText", lambda *_, says=says, **__: (says, True))
        shown.saved.fill()
        (menu,) = [action.menu() for action in shown.saved.menu.actions() if action.text() == title]
        menu.actions()[0].trigger()  # type: ignore[union-attr]
        assert list(real.settings.kept("query/queries", {})) == left


NAN, INF, MOST = float("nan"), float("inf"), 1.7976931348623157e308
ODD: dict[str, list[Any]] = {
    "infinite": [INF, -INF, 1.0], "none": [None] * 3, "no numbers": [NAN] * 3, "the same": [1e308] * 3, "usual": [1, 2, 3],
    "largest": [MOST, -MOST, 0.0], "smallest": [5e-324] * 3, "whole": [2**63 - 1, -(2**63), 0], "beyond": [10**400, 1, 2],
    "near": [1e299, -1e299, 0],
}  # fmt: skip


@pytest.mark.parametrize("across", ODD)
def test_columns_of_odd_numbers_are_plotted_as_far_as_they_can_be(across: str, qtbot: Any) -> None:
    """What is raised while it is painted fails the test (pytest-qt)."""
    for up in ODD:
        rows = list(zip(ODD[across], ODD[up], strict=True))
        two = PlotOfColumns(lambda rows=rows: rows)  # type: ignore[misc]
        qtbot.addWidget(two)
        two.show_columns(["a", "b"])
        two.across.setCurrentText("a")
        two.up.choose("b")
        two.show()
        two.grab()
        drawn = [points for one in curves(two.plot) if (points := one.getData())[0] is not None]
        assert all(np.isfinite(values).all() for points in drawn for values in points)
        for x in (0.0, MOST, INF, NAN):
            two.plot.clicked.emit(x)


@pytest.mark.parametrize("values", [[], [INF], [NAN, 1.0], [MOST, -MOST], [1e308] * 3], ids=str)
def test_steps_of_odd_numbers(values: list[float], qtbot: Any) -> None:
    plot = Plot("Steps", "x")
    qtbot.addWidget(plot)
    plot.show_steps([Steps("a", np.arange(len(values) + 1.0), np.array(values, np.float64))], "count", bars=True)
    plot.show()
    for x in (INF, NAN, MOST, 0.5, None):
        plot.show_place(x)
        plot.grab()
