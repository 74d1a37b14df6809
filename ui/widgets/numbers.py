"""Numbers in cells: which texts are numbers, and shortening a text without cutting one."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

ELLIPSIS = "…"
LONGEST = 48
"""Characters that a column grows for; a longer text (a matrix) is shortened between its numbers."""
NAME = 12
"""Characters of a word from which it is a name although it has digits: hexadecimal numbers are shorter."""
_ONE = r"[-+]?(?:0x[0-9a-f]+|inf|nan|\d[\d,.:_]*(?:e[-+]?\d+)?)"
_NUMBER = re.compile(rf"(?:#|event |frame |draw |call )?{_ONE}(?:\s?[x×/]\s?{_ONE})*(?: ?(?:%|[a-zµ]{{1,6}}))?", re.IGNORECASE)
_NUMBERS = re.compile(rf"{_ONE}(?: +{_ONE})*", re.IGNORECASE)
_HALF, _OTHER_HALF = re.compile(rf"(?<!\S){_ONE}((?: [x×/])?)$"), re.compile(r" [x×/] \d")
"""The first half of a size at the end of what has room, and what follows then."""
_BREAKS = " |;()"


def is_number(text: str) -> bool:
    """Whether a column has to have room for all of it: one number, with a sign before it or a unit after it."""
    return len(text) <= LONGEST and _NUMBER.fullmatch(text.strip()) is not None


def are_numbers(text: str) -> bool:
    """Whether a text is a short list of numbers, as of a register."""
    return len(text) <= LONGEST and _NUMBERS.fullmatch(text.strip()) is not None


def shortened(text: str, metrics: QFontMetrics, width: int) -> str:
    """The text as far as there is room in `width` pixels; a number at the end of that is left out as a whole, a long name that
    has digits in it (D3DHAL_DRAWPRIMITIVES2DATA) is not."""
    shown = _shortened(text, metrics, width)
    kept = shown.removesuffix(ELLIPSIS).rstrip()
    half = None if shown == text else _HALF.search(kept)
    return text[: half.start()] + ELLIPSIS if half and _OTHER_HALF.match(half[1] + text[len(kept) :]) else shown


def _shortened(text: str, metrics: QFontMetrics, width: int) -> str:
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
    if shown == text or not shown.endswith(ELLIPSIS):
        return shown
    kept = len(shown) - len(ELLIPSIS)
    start = max(text.rfind(sign, 0, kept) for sign in _BREAKS) + 1
    end = min((place for sign in _BREAKS if (place := text.find(sign, kept)) >= 0), default=len(text))
    word = text[start:end]
    if len(word) > NAME and word[0].isalpha():
        return shown
    if not any(letter.isdigit() for letter in word):
        return shown
    whole = f"{text[:end]} {ELLIPSIS}"  # "1…" could be a part of 1.5
    return whole if end == kept and metrics.horizontalAdvance(whole) <= width else text[:start] + ELLIPSIS
