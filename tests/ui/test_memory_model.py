"""Tables of memory as it lies: what their columns say of themselves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, Qt

from ui.models.memory import Cells, MemoryModel, index_cells, stream_cells
from ui.roles import RIGHT, SWATCH_ROLE, TOKEN_ROLE


def test_columns_say_what_they_are(qtbot: Any) -> None:
    model = MemoryModel()
    assert (model.rowCount(), model.columnCount()) == (0, 0)
    model.show_cells((Cells("a", str, tip="what it is"), Cells("b", str)), 3)
    assert (model.rowCount(), model.columnCount()) == (3, 2)
    across, tip = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    assert [model.headerData(n, across, tip) for n in range(2)] == ["what it is", None]
    assert model.headerData(0, across) == "a" and model.headerData(0, Qt.Orientation.Vertical, tip) is None
    model.show_cells((Cells("#", str), Cells("a", str)), 3)
    side = Qt.ItemDataRole.TextAlignmentRole
    assert [model.headerData(n, across, side) for n in range(2)] == [RIGHT, None], "a title stands above its numbers"
    assert model.data(model.index(2, 1)) == "2" and model.data(QModelIndex()) is None


def test_cells_have_colours_by_row() -> None:
    model = MemoryModel()
    changed = lambda row: "changed" if row == 1 else "muted"  # noqa: E731
    model.show_cells((Cells("a", str, "faint"), Cells("b", str, changed, swatch=lambda row: 0xFF00FF00 + row)), 2)
    assert [[model.index(row, column).data(TOKEN_ROLE) for column in range(2)] for row in range(2)] == [
        ["faint", "muted"],
        ["faint", "changed"],
    ]
    assert [model.index(row, 1).data(SWATCH_ROLE) for row in range(2)] == [0xFF00FF00, 0xFF00FF01]
    assert model.index(0, 0).data(SWATCH_ROLE) is None


def test_values_are_shown_as_their_types_say() -> None:
    elements = [SimpleNamespace(name=name, type=kind, offset=at, size=size)
                for name, kind, at, size in (("place", "FLOAT2", 0, 8), ("color", "D3DCOLOR", 8, 4))]  # fmt: skip
    rows = {"place": np.array([[1.5, -2], [0, 3]], np.float32), "color": np.array([0xFF, 0x80123456], np.uint32)}
    memory = np.arange(24, dtype=np.uint8)
    stream: Any = SimpleNamespace(elements=elements, rows=rows, offset=16, stride=12, data=memory)
    place, color = stream_cells(stream, with_bytes=False)[2:]
    assert place.text(0) == "1.5  -2" and place.swatch(0) is None
    assert (color.text(1), color.swatch(1)) == ("80123456", 0x80123456)
    assert color.tip == "color: D3DVSDT_D3DCOLOR at byte 8 of a vertex, 4 bytes"
    assert [stream_cells(stream)[1].text(row) for row in range(2)] == ["0x10", "0x1c"]


def test_indices_are_shown_with_their_bytes() -> None:
    indices: Any = SimpleNamespace(width=2, vertices=np.array([7, 9]), indices=np.array([5, 0x102]), offset=4, base=2)
    cells = {one.title: one for one in index_cells(indices)}
    assert [cells[title].text(1) for title in ("#", "offset", "bytes", "index", "vertex")] == ["1", "0x6", "02 01", "258", "9"]
    assert cells["bytes"].tip.startswith("4 digits") and "the base, 2" in cells["vertex"].tip
