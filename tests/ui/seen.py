"""The program in a real window, which answers what it shows: `python -m tests.ui.seen [FILE]`.

Each line of standard input is a Python expression over Sight, `window` and `capture`; its value is written to standard output
as JSON.  Tests of the real window (tests/ui/real.py) look this way, and act with keys and clicks through the X server only.
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import shiboken6
from PySide6.QtCore import QModelIndex, QPoint, QRect, QSocketNotifier, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QMenu, QScrollArea, QTabBar, QTreeView, QWidget

from inspector.focus import Focus
from ui import app, style
from ui.widgets.picture_view import PictureView
from ui.window import Window

READY, PART = b"\n", 65_536
Place = list[int]
"""x, y on the screen."""


class Sight:
    """What can be seen of the window, and where it is."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.been: list[int] = []
        """The events that one has been at; a test that begins clears them."""
        window.desk.focus.changed.connect(lambda new, _: self.been.append(new.event))

    # The program

    def ready(self) -> bool:
        """Whether a capture is open and nothing is asked."""
        desk = self.window.desk
        busy = desk.ask.busy or self.window.loading.path is not None or self.window.docks.panels.under_way
        return desk.capture is not None and not busy

    def focus(self) -> str:
        return self.window.desk.focus.focus.text()

    def keyboard(self) -> str:
        """What has the keyboard."""
        here = QApplication.focusWidget()
        return (
            here.accessibleName() or str(getattr(here, "text", str)()).replace("&", "") or type(here).__name__ if here else ""
        )

    def theme(self) -> str:
        return style.theme().name

    def said(self) -> str:
        return self.window.banner.text if self.window.banner.isVisible() else ""

    def title(self) -> str:
        """Of the window in front."""
        top = QApplication.activeModalWidget() or QApplication.activeWindow()
        return top.windowTitle() if top else ""

    def clipboard(self) -> str:
        return QApplication.clipboard().text()

    # Where a test begins

    def begin(self, path: str, focus: str, layout: str) -> None:
        """Opens a capture at a place in a window as it is at first."""
        self.window.arranging.use(layout)
        self.window.surface.set_overlay("")
        self.window.surface.views.choose("image")
        self.window.open(Path(path), Focus.parse(focus))

    # Pictures

    def crc(self, picture: np.ndarray) -> int:
        """Of red, green and blue, uint8[height, width, 3]."""
        return crc32(np.ascontiguousarray(picture[..., :3]))

    def tiles(self) -> list[int]:
        """`crc` of each tile of the sheet that is shown."""
        surface = self.window.surface
        picture = surface.picture
        assert picture is not None and picture.sheet is not None, "no sheet is shown"
        tiles = ((one.top, one.left, one.top + one.height, one.left + one.width) for one in picture.sheet.tiles)
        return [self.crc(surface.rgba()[top:bottom, left:right]) for top, left, bottom, right in tiles]

    def is_told_apart(self, event: int) -> bool:
        """Whether the overlay has no colour in common where an event changed the picture and where it did not."""
        [(_, overlay)] = self.window.surface.layering.layers
        capture = self.window.desk.capture
        assert capture is not None
        before, after = (capture.image(one, "back_buffer") for one in (event - 1, event))
        changed, colors = (after != before).any(-1), overlay.rgba.copy().view(np.uint32)[..., 0]
        return changed.any() and not set(colors[changed]) & set(colors[~changed])

    # Places

    def at(self, widget: QWidget) -> Place:
        """The middle of a widget."""
        assert widget.isVisible(), f"{widget.accessibleName()} cannot be seen"
        return self._on_screen(widget, widget.rect())

    def place(self, widget: QWidget) -> list[int]:
        """x, y, width, height."""
        corner = widget.mapToGlobal(QPoint(0, 0))
        return [corner.x(), corner.y(), widget.width(), widget.height()]

    def control(self, name: str) -> Place:
        """A control by the name that it shows or speaks; in a dialog, if one is open."""
        return self.at(self.named(name))

    def link(self, name: str) -> Place:
        """The beginning of a label that is a link."""
        words, parent = self.named(name), None
        while (parent := (parent or words).parentWidget()) is not None:
            if isinstance(parent, QScrollArea):
                parent.ensureWidgetVisible(words)  # what a wheel would do
        return self._on_screen(words, QRect(0, 0, 16, words.height()))

    def named(self, name: str) -> Any:
        """A visible widget by that name; AssertionError if there is none."""
        top = self._in_front()
        found = [one for one in _within(top, QWidget) if name in _names_of(one) and self._is_seen(one)]
        assert found, f"nothing that can be seen is called {name}"
        return found[0]

    def pixel(self, x: int, y: int) -> Place:
        """A pixel of the surface."""
        view: PictureView = self.window.surface.view
        return [*view.mapToGlobal(view.place_of(x, y)).toTuple()]

    def beginning_of(self, words: str) -> Place:
        """The left end of a button whose text begins so."""
        top = self._in_front()
        found = [one for one in _within(top, QAbstractButton) if one.text().startswith(words) and self._is_seen(one)]
        assert found, f"no button that can be seen begins with {words}"
        return self._on_screen(found[0], QRect(0, 0, 20, found[0].height()))

    def spot_of_vertex(self, vertex: int) -> Place:
        """Where a vertex is in the shape."""
        view = self.window.docks.panels["vertices"].mesh
        spot = view._spot(vertex)
        return [*view.mapToGlobal(spot.toPoint()).toTuple()]

    def cell(self, name: str, row: int, column: int = 0) -> Place:
        """A cell of the list with that name, which has to be in sight."""
        table = self.table(name)
        return self._in_list(table, table.model().index(row, column, table.rootIndex()))

    def row_of(self, name: str, words: str, column: int = 0) -> Place:
        """The row of a list or tree in which a cell has the words."""
        table = self.table(name)
        for index in _indexes(table.model(), table.rootIndex()):
            texts = [str(index.siblingAtColumn(n).data() or "") for n in range(table.model().columnCount(index.parent()))]
            if any(words in text for text in texts):
                return self._in_list(table, index.siblingAtColumn(column))
        raise AssertionError(f"no row of {name} has {words}")

    def table(self, name: str) -> QAbstractItemView:
        top = self._in_front()
        found = [one for one in _within(top, QAbstractItemView) if one.accessibleName() == name and self._is_seen(one)]
        assert found, f"no list that can be seen is called {name}"
        return found[0]

    def rows(self, name: str) -> list[list[str]]:
        """The texts of a list's shown columns."""
        table = self.table(name)
        model, hidden = table.model(), getattr(table, "isColumnHidden", lambda _: False)
        shown = [column for column in range(model.columnCount()) if not hidden(column)]
        return [[str(model.index(row, column).data() or "") for column in shown] for row in range(model.rowCount())]

    def current(self, name: str) -> int:
        """The row of a list that is chosen."""
        return self.table(name).currentIndex().row()

    def menu(self, text: str) -> Place:
        """An entry of the menu that is open, or of the menu bar."""
        popup = QApplication.activePopupWidget()
        bar = popup if isinstance(popup, QMenu) else self.window.menuBar()
        for action in bar.actions():
            if action.text().replace("&", "").split("\t")[0] == text:
                assert action.isEnabled(), f"{text} is disabled"
                return self._on_screen(bar, bar.actionGeometry(action))
        raise AssertionError(f"no entry {text} among {[action.text() for action in bar.actions()]}")

    def entry(self, text: str) -> Place:
        """An entry of the list that a box has opened."""
        popup = QApplication.activePopupWidget()
        assert popup is not None, "no list is open"
        [view, *_] = [*popup.findChildren(QAbstractItemView), *([popup] if isinstance(popup, QAbstractItemView) else [])]
        for index in _indexes(view.model(), view.rootIndex()):
            if text in str(index.data()):
                return self._in_list(view, index)
        raise AssertionError(f"no entry {text}")

    def menu_is_open(self) -> bool:
        return isinstance(QApplication.activePopupWidget(), QMenu)

    def marked(self) -> str:
        """The entry of the open menu that keys have come to."""
        popup = QApplication.activePopupWidget()
        action = popup.activeAction() if isinstance(popup, QMenu) else None
        return action.text() if action is not None else ""

    def number_of(self, name: str, words: str) -> int:
        """The row of a list, as Down counts, in which a cell has the words."""
        table = self.table(name)
        for number, index in enumerate(_indexes(table.model(), table.rootIndex())):
            columns = range(table.model().columnCount(index.parent()))
            if any(words in str(index.siblingAtColumn(column).data() or "") for column in columns):
                return number
        raise AssertionError(f"no row of {name} has {words}")

    def tab(self, text: str) -> Place:
        """The tab with these words at its beginning."""
        for bar in self.window.findChildren(QTabBar):
            for number in range(bar.count()) if bar.isVisible() else ():
                if bar.tabText(number).startswith(text):
                    return self._on_screen(bar, bar.tabRect(number))
        raise AssertionError(f"no tab {text}")

    def _in_list(self, table: QAbstractItemView, index: QModelIndex) -> Place:
        table.scrollTo(index)  # what a wheel would do
        return self._on_screen(table.viewport(), table.visualRect(index).intersected(table.viewport().rect()))

    def _on_screen(self, widget: QWidget, place: QRect) -> Place:
        assert not place.isEmpty(), "it is not in sight"
        return [*widget.mapToGlobal(place.center()).toTuple()]

    def _in_front(self) -> QWidget:
        """A menu or list that is open, a dialog, or the window; kept: with the wrapper of one of Qt's own its children's go."""
        self._top = QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window
        return self._top

    def _is_seen(self, widget: QWidget) -> bool:
        panels = self.window.docks.panels.values()
        return widget.isVisible() and not any(panel.isAncestorOf(widget) and not panel.raised for panel in panels)


def _within(top: QWidget, kind: type[Any]) -> list[Any]:
    """Widgets of a kind; without those whose wrappers Qt's own dialogs have left invalid."""
    return [one for one in top.findChildren(kind) if shiboken6.isValid(one)]


def _names_of(widget: QWidget) -> set[str]:
    text = getattr(widget, "text", None)
    shown = str(text()) if callable(text) and not isinstance(widget, QMenu) else ""
    return {widget.accessibleName(), widget.objectName(), re.sub("<[^>]*>", "", shown).replace("&", "")} - {""}


def _indexes(model: Any, parent: QModelIndex) -> Iterable[QModelIndex]:
    """All rows below a row, in their order."""
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        yield index
        yield from _indexes(model, index)


class Answers:
    """Reads expressions from standard input as they come, and writes what they are."""

    def __init__(self, window: Window) -> None:
        self._sight, self._window, self._begun = Sight(window), window, b""
        self._notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, window)
        self._notifier.activated.connect(lambda *_: self._read())

    def _read(self) -> None:
        found = os.read(sys.stdin.fileno(), PART)
        if not found:
            self._notifier.setEnabled(False)
            return
        faulthandler.enable()  # a crash is shown by the test, instead of being kept for the program's next start
        *lines, self._begun = (self._begun + found).split(READY)
        for line in lines:
            print(json.dumps(self._answer(line.decode())), flush=True)

    def _answer(self, words: str) -> dict[str, Any]:
        sight = self._sight
        names = {name: getattr(sight, name) for name in dir(sight) if not name.startswith("_")}
        names |= {"capture": self._window.desk.capture, "panels": self._window.docks.panels, "Qt": Qt, "QTreeView": QTreeView}
        try:
            return {"is": eval(words, names)}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}


def main(*arguments: str) -> int:
    kept: list[Answers] = []

    class Seen(Window):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            kept.append(Answers(self))

    app.Window = Seen  # type: ignore[assignment, misc]
    return app.main(list(arguments))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
