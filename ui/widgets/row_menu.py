"""What can be done with a row: a menu by the right mouse button, the menu key or Shift+F10."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QMenu


def give_row_menu(view: QAbstractItemView, menu_of: Callable[[QModelIndex], QMenu | None]) -> None:
    """menu_of: what there is to choose for a row; None: nothing."""

    def show(place: QPoint) -> None:
        index, place = _asked_about(view, place)
        menu = menu_of(index) if index.isValid() else None
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(view.viewport().mapToGlobal(place))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(show)


def _asked_about(view: QAbstractItemView, place: QPoint) -> tuple[QModelIndex, QPoint]:
    """The row, and a place on it.  Clicks count from the rows' corner, keys from the corner of the view with its header."""
    current = view.currentIndex()
    middle = view.visualRect(current).center()
    if current.isValid() and view.viewport().mapTo(view, middle) == place:
        return current, middle
    return view.indexAt(place), place
