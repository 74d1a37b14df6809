"""The order of Tab: rows from top to bottom, what stands in a row from left to right."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget


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
