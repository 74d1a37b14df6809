"""State as the flow of the pipeline, in the window."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QImage
from PySide6.QtWidgets import QStyleOptionViewItem

from inspector.query.state.flow import StateFlow
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui import style
from ui.models.flow import grid_lines, grid_of_text
from ui.models.state import Group, StateModel
from ui.roles import CURVE_ROLE, LINES_ROLE, PICTURE_ROLE, Index
from ui.widgets.flow_cell import FlowCell, _broken
from ui.widgets.pipeline_bar import SHORT
from ui.widgets.trees import SteadyTree
from ui.window import Window


def shown(qtbot: Any, real: Window, draw: int) -> Any:  # noqa: F811
    real.docks.bring("state")
    real.desk.focus.go(event=int(real.desk.capture.draws[draw]))
    settle(qtbot, real, 20_000)
    return real.docks.panels["state"]


def row_named(panel: Any, name: str) -> Any:
    """The cell of the value of a state."""
    for row, group in enumerate(panel.model.groups):
        for place, value in enumerate(group.values):
            if value.name == name:
                return panel.model.index(place, 1, panel.model.index(row, 0))
    raise AssertionError(name)


def test_stages_say_what_they_do_and_list_what_matters(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, 5)
    assert panel.flow.isChecked() and not panel.changed_only.isVisible()
    model = panel.model
    stages = {model.index(n, 0).data(): model.index(n, 1).data() for n in range(model.rowCount())}
    assert stages["Alpha test"] == "off: ALPHATESTENABLE is FALSE" and "Patches" not in stages
    assert row_named(panel, "SRCBLEND").data() == "SRCALPHA"
    grid, words = row_named(panel, "PROJECTION").data(LINES_ROLE)
    assert len(grid) == 4 and any(line.startswith("field of view: ") for line in words)
    assert isinstance(row_named(panel, "Light 1").data(PICTURE_ROLE), QImage)
    assert row_named(panel, "Fog").data(CURVE_ROLE).of == "vertices"
    assert isinstance(row_named(panel, "Render target").data(PICTURE_ROLE), QImage)
    heights = {name: panel.view.visualRect(row_named(panel, name)).height() for name in ("SRCBLEND", "VIEW", "Light 0")}
    assert heights["SRCBLEND"] < heights["VIEW"] and heights["Light 0"] >= 64
    panel.view.grab()


def test_the_chart_shows_what_runs_and_leads_there(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, 5)
    flow = real.desk.capture.ask(StateFlow(real.desk.focus.focus.event))
    assert {mark.name: mark.runs for mark in panel.bar.marks} == {
        one.stage.name: one.runs for one in flow.stages if one.stage.name in SHORT and (one.runs or one.stage.name != "patch")
    }
    places = [panel.bar.place_of(mark.name) for mark in panel.bar.marks]
    assert all(panel.bar.rect().contains(place) for place in places)
    assert not any(one.intersects(other) for n, one in enumerate(places) for other in places[:n])
    qtbot.mouseClick(panel.bar, Qt.MouseButton.LeftButton, pos=panel.bar.place_of("blend").center())
    assert panel.view.currentIndex().data() == "Blending" and panel.view.viewport().rect().contains(
        panel.view.visualRect(panel.view.currentIndex()).center()
    )
    panel.bar.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(2):
        qtbot.keyClick(panel.bar, Qt.Key.Key_Right)
    third, here = panel.bar.marks[2], real.desk.focus.focus
    assert third.title in panel.bar.accessibleDescription()
    qtbot.keyClick(panel.bar, Qt.Key.Key_Space)
    assert panel.view.currentIndex().data() == third.title and real.desk.focus.focus == here, "the arrows do not step"
    panel.show_stage("blend")
    writer = panel.model.groups[panel.view.currentIndex().row()].values[0].writer
    real.desk.focus.go(event=writer)
    settle(qtbot, real, 20_000)
    assert [mark.name for mark in panel.bar.marks if mark.touched] == ["blend"]
    panel.flow.click()
    settle(qtbot, real, 20_000)
    assert not panel.bar.isVisible()


def test_everything_can_be_shown_and_the_table_stays(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, 5)
    few = panel.model.rowCount()
    panel.everything.click()
    total = len(real.desk.capture.state(real.desk.focus.focus.event))
    assert panel.count.text() == f"{total:,} of {total:,} states" and panel.model.rowCount() >= few
    panel.flow.click()
    settle(qtbot, real, 20_000)
    assert panel.changed_only.isVisible() and not panel.pin.isVisible() and panel._all
    assert not panel.kept("flow", True)


def test_a_pinned_event_is_compared(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, 4)
    pinned = real.desk.focus.focus.event
    panel.pin.click()
    panel = shown(qtbot, real, 5)
    assert panel.pinned == pinned and f"differ from event {pinned}" in panel.count.text()
    assert row_named(panel, "Stream 0 stride").data() == f"40   (#{pinned}: 32)"
    panel.differing.click()
    assert all(value.differs for group in panel.model.groups for value in group.values)
    panel.pin.click()
    settle(qtbot, real, 20_000)
    assert panel.pinned is None and not panel.differing.isVisible() and row_named(panel, "Stream 0 stride").data() == "40"


def test_words_narrow_the_flow(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, 5)
    panel.edit.setText("blend")
    qtbot.waitUntil(lambda: panel.model.rowCount() < 5)
    assert {value.name for group in panel.model.groups for value in group.values} >= {"SRCBLEND", "DESTBLEND"}
    panel.edit.setText("nothing is called so")
    qtbot.waitUntil(lambda: panel.model.rowCount() == 0)


def test_columns_of_a_grid_line_up() -> None:
    moved = grid_of_text("2.0 0.0 0.0 0.0 | 0.0 2.0 0.0 0.0 | 0.0 0.0 10.5 0.0 | -50.0 20.0 -60.0 1.0")
    assert moved[3] == "-50  20   -60  1", "10.5 is four wide"
    assert grid_of_text("identity") == ("identity",)
    import numpy as np

    lines = grid_lines(np.array([[1, 0.5, -100, 0]] * 3 + [[-0.0, 1e-7, 3, 1]], np.float32))
    assert len({len(line) for line in lines}) == 1 and lines[3].split()[0] == "0"


def test_words_beside_a_matrix_break_and_keep_their_numbers(qtbot: Any) -> None:
    metrics = QFontMetrics(style.mono_font())
    blocks = (("1  0  0  0.987654321",), ("rotation: 27.52° about 0.9777, 0.2043, -0.04991", "near: 1"))
    width = metrics.horizontalAdvance("rotation: 27.52° about ")
    rows, words = _broken(blocks, metrics, width)
    assert rows == blocks[0] and all(metrics.horizontalAdvance(line) <= width for line in words)
    assert " ".join(words).split() == " ".join(blocks[1]).split() and len(words) == 4
    assert _broken(blocks, metrics, 10 * width) == blocks


def test_a_selected_state_stays_selected_until_its_capture_goes(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, 5)
    panel.view.setCurrentIndex(row_named(panel, "ZFUNC"))
    settle(qtbot, real, 20_000)
    told = panel.story.story.events.tolist()
    panel.everything.click()
    settle(qtbot, real, 20_000)
    assert panel.model.value_at(panel.view.currentIndex()).name == "ZFUNC"
    assert told and panel.story.story.events.tolist() == told
    real.close_capture()
    settle(qtbot, real, 20_000)
    assert panel.story.story.rowCount() == 0 and panel.story.placeholder.startswith("Select a state")


def test_rows_are_measured_again_only_if_their_height_may_be_another(qtbot: Any) -> None:
    measured: list[Index] = []

    class Cell(FlowCell):
        def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
            measured.append(index)
            return super().sizeHint(option, index)

    def matrix(*lines: str) -> list[Group]:
        value = SimpleNamespace(name="VIEW", key="VIEW", kind="matrix", text="", writer=None, is_default=False, lines=(lines,))
        return [Group("transform", "Transform", [value])]

    view, model = SteadyTree(), StateModel()
    view.setModel(model)
    view.setItemDelegate(Cell(view))
    qtbot.addWidget(view)
    view.resize(500, 300)
    with qtbot.waitExposed(view):
        view.show()

    def height(*lines: str) -> int:
        if model.set_groups(matrix(*lines), frozenset()):
            view.expandAll()
        view.grab()
        return view.visualRect(model.index(0, 1, model.index(0, 0))).height()

    low = height("1 0 0 0")
    measured.clear()
    assert height("0 1 0 0") == low and not measured
    assert height("1 0", "0 1", "0 0", "0 1") > low and measured
