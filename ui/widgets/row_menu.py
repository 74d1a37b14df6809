"""The context menu of a row: opened by the right mouse button, the menu key or Shift+F10.

At its end is what every list can do: copy the selected rows, in any form, and save them (ui.widgets.copying), choose columns.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QTableView

from ui.keys.keymap import KEYS
from ui.widgets.copying import CopyKeys, add_copying
from ui.widgets.own_keys import STEPS

MenuOf = Callable[[QModelIndex], QMenu | None]


def give_row_menu(view: QAbstractItemView, menu_of: MenuOf = lambda _: None) -> None:
    """menu_of: what there is to choose for a row, before what all lists have; None: nothing.  Given again: the last counts."""
    menus: list[MenuOf] = view.__dict__.setdefault("menus", [])
    menus[:] = [menu_of]
    if view.contextMenuPolicy() == Qt.ContextMenuPolicy.CustomContextMenu:
        return

    def show(place: QPoint) -> None:
        index, place = _asked_about(view, place)
        if index.isValid() and QApplication.activePopupWidget() is None:  # the system may know the key, too
            menu = menus[0](index) or QMenu(view)
            add_copying(menu, view)
            _add_columns(menu, view)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(view.viewport().mapToGlobal(place))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(show)
    MenuKey(view)
    if not isinstance(view, QTableView):
        CopyKeys(view)


def _add_columns(menu: QMenu, view: QAbstractItemView) -> None:
    """What a right click on the titles opens, for those who do not know it or have no mouse."""
    if (column_menu := getattr(view, "column_menu", None)) is not None and view.model().columnCount() > 1:
        columns: QMenu = column_menu()
        columns.setTitle("Columns")
        columns.setParent(menu, columns.windowFlags())
        menu.addMenu(columns)


class MenuKey(QObject):
    """Shift+F10 opens the menu of a row, as the menu key does: on X11 Qt knows the latter alone."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not (isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress):
            return False
        if KEYS.meant(event, "list") != "menu" or self._view.property(STEPS):
            return False
        view, current = self._view, self._view.currentIndex()
        if current.isValid():
            view.scrollTo(current)
            view.customContextMenuRequested.emit(view.viewport().mapTo(view, view.visualRect(current).center()))
        return True


def _asked_about(view: QAbstractItemView, place: QPoint) -> tuple[QModelIndex, QPoint]:
    """The row, and a place on it.  Clicks count from the rows' corner, keys from the corner of the view with its header."""
    current = view.currentIndex()
    middle = view.visualRect(current).center()
    if current.isValid() and view.viewport().mapTo(view, middle) == place:
        return current, middle
    return view.indexAt(place), place
