"""Tables of memory as it lies: what their columns say of themselves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, Qt

from ui.models.memory import Cells, MemoryModel, index_cells


def test_columns_say_what_they_are(qtbot: Any) -> None:
    model = MemoryModel()
    assert (model.rowCount(), model.columnCount()) == (0, 0)
    model.show_cells((Cells("a", str, tip="what it is"), Cells("b", str)), 3)
    assert (model.rowCount(), model.columnCount()) == (3, 2)
    across, tip = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    assert [model.headerData(n, across, tip) for n in range(2)] == ["what it is", None]
    assert model.headerData(0, across) == "a" and model.headerData(0, Qt.Orientation.Vertical, tip) is None
    assert model.data(model.index(2, 1)) == "2" and model.data(QModelIndex()) is None


def test_indices_are_shown_with_their_bytes() -> None:
    indices: Any = SimpleNamespace(width=2, vertices=np.array([7, 9]), indices=np.array([5, 0x102]), offset=4, base=2)
    cells = {one.title: one for one in index_cells(indices)}
    assert [cells[title].text(1) for title in ("#", "offset", "bytes", "index", "vertex")] == ["1", "0x6", "02 01", "258", "9"]
    assert cells["bytes"].tip.startswith("4 digits") and "the base, 2" in cells["vertex"].tip
