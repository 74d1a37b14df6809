"""What a draw reads as tables: a stream with its declared types, an index buffer with what it selects.  Texts are made for what
is seen: a buffer may hold a million vertices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from inspector.query.draws.streams import IndexBytes, StreamBytes
from ui.roles import DISPLAY_ROLE, RIGHT, ROOT, ROW_FLAGS, SWATCH_ROLE, TOKEN_ROLE, Index
from ui.words import figure, integer

ANSWERED = DISPLAY_ROLE, TOKEN_ROLE, SWATCH_ROLE
NUMBER = "#"
"""The title of the column with the number of a row."""
NOTHING: Callable[[int], None] = lambda _: None  # noqa: E731


@dataclass(frozen=True)
class Cells:
    """A column: what its cells say, by row; the token of their colour, one for all or by row; a colour before the text
    (A8R8G8B8)."""

    title: str
    text: Callable[[int], str]
    token: str | Callable[[int], str] = "text"
    swatch: Callable[[int], int | None] = NOTHING
    tip: str = ""


class MemoryModel(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[Cells, ...] = ()
        self._count = 0

    def show_cells(self, columns: tuple[Cells, ...], count: int) -> None:
        """Other columns and so many rows."""
        self.beginResetModel()
        self.columns, self._count = columns, count
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return ROW_FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return self.columns[section].tip or None
        if role == Qt.ItemDataRole.TextAlignmentRole and self.columns[section].title == NUMBER:
            return RIGHT  # as its cells are
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in ANSWERED or not index.isValid():
            return None
        column = self.columns[index.column()]
        if role == DISPLAY_ROLE:
            return column.text(index.row())
        if role == TOKEN_ROLE:
            return column.token(index.row()) if callable(column.token) else column.token
        return column.swatch(index.row())


def stream_cells(stream: StreamBytes, with_bytes: bool = True) -> tuple[Cells, ...]:
    """A vertex a row: its number and offset, then each element's value and the bytes that it is read from."""
    columns = [
        Cells(NUMBER, str, "faint"),
        Cells("offset", lambda row: f"{stream.offset + row * stream.stride:#x}", "faint"),
    ]
    for one in stream.elements:
        values = stream.rows[one.name]
        color = one.type == "D3DCOLOR"
        about = f"{one.name}: D3DVSDT_{one.type} at byte {one.offset} of a vertex, {one.size} bytes"
        swatch = _number(values) if color else NOTHING
        columns.append(Cells(one.name, _value(values, color), swatch=swatch, tip=about))
        if with_bytes:
            columns.append(Cells(f"{one.type} +{one.offset}", _bytes(stream, one.offset, one.size), "muted", tip=about))
    return tuple(columns)


def index_cells(indices: IndexBytes) -> tuple[Cells, ...]:
    """An index a row: its offset and bytes, its value, and the vertex that it selects."""
    digits, chosen = indices.width * 2, indices.vertices
    mask = (1 << indices.width * 8) - 1
    swapped = lambda row: (int(indices.indices[row]) & mask).to_bytes(indices.width, "little").hex(" ")  # noqa: E731
    based = f"the index plus the base, {indices.base}" if indices.base else "the index"
    return (
        Cells(NUMBER, str, "faint"),
        Cells("offset", lambda row: f"{indices.offset + row * indices.width:#x}", "faint"),
        Cells("bytes", swapped, "muted", tip=f"{digits} digits, as they are in the buffer"),
        Cells("index", lambda row: str(int(indices.indices[row]))),
        Cells("vertex", lambda row: str(int(chosen[row])), tip=f"What it selects in the streams: {based}"),
    )


def _value(values: np.ndarray, color: bool) -> Callable[[int], str]:
    if color:
        return lambda row: f"{int(values[row]):08x}"
    if values.ndim == 1:
        return lambda row: _text(values[row])
    return lambda row: "  ".join(_text(part) for part in values[row])


def _number(values: np.ndarray) -> Callable[[int], int]:
    return lambda row: int(values[row])


def _text(value: Any) -> str:
    return figure(float(value)) if isinstance(value, np.floating) else integer(str(value))


def _bytes(stream: StreamBytes, offset: int, size: int) -> Callable[[int], str]:
    def text(row: int) -> str:
        first = stream.offset + row * stream.stride + offset
        return stream.data[first : first + size].tobytes().hex(" ", -4)

    return text
