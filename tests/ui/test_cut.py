"""No number is cut, in any list of any panel; what else has no room says the rest in a tooltip."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QTableView, QTreeView

from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from tests.ui.window_kit import grab_all
from ui.widgets import cells
from ui.widgets.numbers import ELLIPSIS, is_number
from ui.widgets.tables import Table
from ui.window import Window

SIZES = (1280, 720), (1920, 1080)
DRAW = 697
"""A draw of the built-in capture, at which the pixel has a history."""
IN_A_NUMBER = re.compile(r"\d[\d.,]*$")
MARGIN = 8


def _compare(window: Window) -> None:
    panel = window.comparison
    panel.a.setText("frame 2")
    panel.b.setText("frame 3")
    panel.compare()


def _query(window: Window) -> None:
    panel: Any = window.docks.panels["query"]
    panel.edit.setPlainText("SELECT *, first_event / 3.7e-9 AS far, first_event / 3.7e9 AS near FROM frames")
    panel.run()


def _step(page: int) -> Callable[[Window], None]:
    def show(window: Window) -> None:
        panel: Any = window.docks.panels["stepping"]
        panel.choose(True)
        panel.pages.show_page(page, "diffuse" if page == 3 else "")

    return show


def _shapes(which: str) -> Callable[[Window], None]:
    def show(window: Window) -> None:
        panel: Any = window.docks.panels["vertices"]
        panel._choose(which)

    return show


def _choose(name: str, box: str, row: int) -> Callable[[Window], None]:
    def show(window: Window) -> None:
        choice = getattr(window.docks.panels[name], box)
        choice.setCurrentIndex(row)
        choice.activated.emit(row)

    return show


def _nothing(window: Window) -> None:
    pass


STOPS: tuple[tuple[str, Callable[[Window], None]], ...] = (
    *((name, _nothing) for name in ("events", "token", "state", "resources", "buffers", "inspector", "calls", "findings")),
    *(("stepping", _step(page)) for page in range(4)),
    *(("vertices", _shapes(which)) for which in ("streams", "indices", "assembled", "transformed", "clipped", "primitives")),
    *(("statistics", _choose("statistics", "unit", row)) for row in range(3)),
    ("history", _choose("history", "range", 2)), ("bookmarks", _nothing), ("notes", _nothing), ("verify", _nothing),
    ("query", _query), ("console", _nothing), ("what-if", _nothing), ("comparison", _compare),
    *(("comparison", lambda window, page=page: window.comparison._set_page(page)) for page in (1, 2, 3, 4)),  # type: ignore[misc]
)  # fmt: skip


def shown_cells(view: QAbstractItemView) -> list[QModelIndex]:
    """What of a view is in sight."""
    model, found = view.model(), []
    inside = view.viewport().rect()

    def look(parent: QModelIndex) -> None:
        for row in range(min(model.rowCount(parent), 200)):
            for column in range(model.columnCount(parent)):
                index = model.index(row, column, parent)
                if view.visualRect(index).intersects(inside):
                    found.append(index)
            if isinstance(view, QTreeView) and view.isExpanded(model.index(row, 0, parent)):
                look(model.index(row, 0, parent))

    look(view.rootIndex())
    return found


def cut_by_qt(view: QAbstractItemView) -> list[str]:
    """Texts with figures in cells that Qt paints, which cuts where it likes."""
    found, metrics = [], view.fontMetrics()
    for index in shown_cells(view):
        text = str(index.data() or "")
        if type(view.itemDelegateForIndex(index)) is QStyledItemDelegate and any(letter.isdigit() for letter in text):
            room = view.visualRect(index).width() - MARGIN
            found += [text] * (max(map(metrics.horizontalAdvance, text.split("\n"))) > room)
    return [] if isinstance(view, QListView) and view.wordWrap() else found


def ends_in_a_number(text: str, shown: str) -> bool:
    """Whether a text was shortened within a number; a name with digits in it is none."""
    kept = shown.removesuffix(ELLIPSIS)
    word = re.split(r"[ |;()]", kept)[-1]
    return shown != text and text[len(kept) : len(kept) + 1].isdigit() and IN_A_NUMBER.match(word) is not None


@pytest.mark.parametrize("width,height", SIZES)
def test_no_number_is_cut_in_any_panel(
    qtbot: Any, real: Window, monkeypatch: pytest.MonkeyPatch, width: int, height: int  # noqa: F811
) -> None:  # fmt: skip
    written = list[tuple[str, str]]()
    fitted = cells.fitted
    monkeypatch.setattr(cells, "fitted", lambda text, *more: written.append((text, fitted(text, *more))) or written[-1][1])
    real.resize(width, height)
    real.arranging.use("inspect")
    real.desk.focus.go(event=DRAW, pixel=(250, 246))
    settle(qtbot, real, 60_000)
    seen = set[type]()
    for name, does in STOPS:
        real.docks.bring(name)
        settle(qtbot, real, 60_000)
        does(real)
        qtbot.waitUntil(lambda: not real.desk.ask.is_aside("comparison"), timeout=60_000)
        settle(qtbot, real, 60_000)
        panel = real.docks.panels[name]
        for view in panel.findChildren(QAbstractItemView):
            if not view.isVisible() or not view.model():
                continue
            written.clear()
            grab_all(view)
            whole = {text for text, shown in written if shown == text}
            seen.add(type(view))
            where = f"{name}: {view.accessibleName()}"
            assert not [text for text, _ in written if is_number(text) and text not in whole], where
            assert not [(text, shown) for text, shown in written if ends_in_a_number(text, shown)], where
            assert not cut_by_qt(view), where
            assert isinstance(view, Table) or not isinstance(view, QTableView), f"{where} is no Table"
    assert Table in seen
