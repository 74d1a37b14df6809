"""API pointers and the driver's handles behind them, as rows with a beginning and an end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

POINTER = np.dtype([("source", "i8"), ("pointer", "u8"), ("handle", "i8"), ("until", "i8")])
NEVER = np.iinfo(np.int64).max


def pointer_rows(rows: Sequence[tuple[int, int, int]]) -> np.ndarray:
    """POINTER rows of (source, pointer, handle) rows in order: `until` is the pointer's next row; gone objects drop out."""
    table = np.zeros(len(rows), POINTER)
    if not rows:
        return table
    source, pointer, handle = np.array(rows, np.int64).T
    table["source"], table["pointer"], table["handle"] = source, pointer.view(np.uint64), handle
    table["until"] = NEVER
    order = np.argsort(table["pointer"], kind="stable")
    again = table["pointer"][order[1:]] == table["pointer"][order[:-1]]
    table["until"][order[:-1][again]] = source[order[1:][again]]
    return table[table["handle"] != 0]
