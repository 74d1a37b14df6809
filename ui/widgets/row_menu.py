"""What can be done with a row: a menu by the right mouse button, the menu key or Shift+F10.

At its end stands what every list can do: copy the selected rows, in any form, and save them (ui.widgets.copying).
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView

from ui.widgets.copying import CopyKeys, add_copying

MenuOf = Callable[[QModelIndex], QMenu | None]


def give_row_menu(view: QAbstractItemView, menu_of: MenuOf = lambda _: None) -> None:
    """menu_of: what there is to choose for a row, before what all lists have; None: nothing.  Given again: the last counts."""
    menus: list[MenuOf] = view.__dict__.setdefault("menus", [])
    menus[:] = [menu_of]
    if view.contextMenuPolicy() == Qt.ContextMenuPolicy.CustomContextMenu:
        return

    def show(place: QPoint) -> None:
        index, place = _asked_about(view, place)
        if index.isValid():
            menu = menus[0](index) or QMenu(view)
            add_copying(menu, view)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(view.viewport().mapToGlobal(place))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(show)
    if not isinstance(view, QTableView):
        CopyKeys(view)


def _asked_about(view: QAbstractItemView, place: QPoint) -> tuple[QModelIndex, QPoint]:
    """The row, and a place on it.  Clicks count from the rows' corner, keys from the corner of the view with its header."""
    current = view.currentIndex()
    middle = view.visualRect(current).center()
    if current.isValid() and view.viewport().mapTo(view, middle) == place:
        return current, middle
    return view.indexAt(place), place
