"""A text on several lines: where they end, and how high they are."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics

ANYWHERE = 10_000
"""Pixels that no cell is high."""


def line_ends(text: str, metrics: QFontMetrics, width: int) -> int:
    """Flags: lines end between words, or anywhere if a word is wider than `width` pixels."""
    longest = max(map(metrics.horizontalAdvance, text.split()), default=0)
    return int(Qt.TextFlag.TextWordWrap if longest <= width else Qt.TextFlag.TextWrapAnywhere)


def height_of(text: str, metrics: QFontMetrics, width: int) -> int:
    """Pixels of all of its lines."""
    return metrics.boundingRect(QRect(0, 0, width, ANYWHERE), line_ends(text, metrics, width), text).height()
