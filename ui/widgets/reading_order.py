"""The order of Tab: rows from top to bottom, what stands in a row from left to right; where the keyboard goes first."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar, QWidget


def in_reading_order(widget: QWidget) -> Iterator[QWidget]:
    """The widget and all that are in it and not hidden.  Qt keeps children in the order in which they cover each other."""
    yield widget
    inside = [one for one in widget.children() if isinstance(one, QWidget) and not one.isHidden() and not one.isWindow()]
    for row in _rows(inside):
        for one in row:
            yield from in_reading_order(one)


def _rows(widgets: list[QWidget]) -> list[list[QWidget]]:
    """Those that begin above the middle of the first of a row stand in this row."""
    rows: list[list[QWidget]] = []
    for one in sorted(widgets, key=QWidget.y):
        if rows and one.y() < rows[-1][0].geometry().center().y():
            rows[-1].append(one)
        else:
            rows.append([one])
    return [sorted(row, key=QWidget.x) for row in rows]


def first_list(panel: QWidget) -> QWidget:
    """The uppermost list or picture that takes the keyboard; the panel itself if it has none."""
    lists = [child for child in panel.findChildren(QWidget) if _takes_keys(child)]
    return min(lists, key=lambda child: _corner(child, panel), default=panel)


def _corner(widget: QWidget, panel: QWidget) -> tuple[int, int]:
    """Line by line; Qt keeps children in the order in which they cover each other."""
    corner = widget.mapTo(panel, widget.rect().topLeft())
    return corner.y(), corner.x()


def _takes_keys(widget: QWidget) -> bool:
    wants = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return (wants and widget.isVisible() and not isinstance(widget, QTabBar) and widget.inherits("QAbstractScrollArea")) or (
        wants and widget.isVisible() and widget.metaObject().className() in ("PictureView", "TimelineStrip")
    )


def is_bare(widget: QWidget) -> bool:
    """Whether it is a row of tabs without any, as of panels that are hidden."""
    return isinstance(widget, QTabBar) and not widget.count()
