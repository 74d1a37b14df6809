"""A text on several lines: where they end, and how high they are."""

from __future__ import annotations

import re

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics

ANYWHERE = 10_000
"""Pixels that no cell is high."""
BREAK = "\u200b"
"""Where a line may end."""
WRAPPED = int(Qt.TextFlag.TextWordWrap)
PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[_|,=;/])(?=.)")
"""Between the parts of a name: PrimitiveMiscCaps, D3DHAL_DP2OPERATION."""


def broken(text: str, metrics: QFontMetrics, width: int) -> str:
    """The text; in words wider than `width` pixels lines may end between the parts of a name, or else anywhere."""
    return " ".join(_word(word, metrics, width) for word in text.split(" "))


def _word(word: str, metrics: QFontMetrics, width: int) -> str:
    if metrics.horizontalAdvance(word) <= width:
        return word
    parts = PARTS.split(word)
    return BREAK.join(part if metrics.horizontalAdvance(part) <= width else BREAK.join(part) for part in parts)


def height_of(text: str, metrics: QFontMetrics, width: int) -> int:
    """Pixels of all of its lines."""
    return metrics.boundingRect(QRect(0, 0, width, ANYWHERE), WRAPPED, broken(text, metrics, width)).height()
