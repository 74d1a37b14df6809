"""Draw tokens for DirectX 7 drivers: vertices are those of the DrawPrimitives2, indices are in the token."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

from core.runtime.rows.table7 import LEGACY
from core.spec.enums import PrimitiveType
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime


def draw_in_order(rt: Runtime, kind: int, count: int, first: int) -> None:
    """POINTS, LINELIST, ... TRIANGLEFAN: a first vertex; the command counts the primitives."""
    if kind == PrimitiveType.POINTLIST:
        rt.emit_own(Op.POINTS, struct.pack("<2H", count, first))
    else:
        rt.emit_own(LEGACY[PrimitiveType(kind)][0], struct.pack("<H", first), count)


def draw_indexed(rt: Runtime, kind: int, count: int, first: int, indices: np.ndarray) -> None:
    """INDEXED...2: a first vertex and the indices."""
    rt.emit_own(LEGACY[PrimitiveType(kind)][1], struct.pack("<H", first) + indices.tobytes(), count)
