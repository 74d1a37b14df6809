"""What tables write: plural forms, numbers, and the colours of swatches."""

from __future__ import annotations

import re
from html import escape
from typing import Any


def counting(number: int, noun: str) -> str:
    """As in "1 frame", "1,200 frames", "2 vertices"."""
    return f"{number:,} {noun if number == 1 else several(noun)}"


def several(noun: str) -> str:
    """As in "frames", "vertices"."""
    return {"vertex": "vertices", "match": "matches", "index": "indices", "query": "queries"}.get(noun, f"{noun}s")


def tip(text: str) -> str:
    """A tooltip.  Qt finds out by itself whether one is HTML: text that may be taken for it is written as HTML."""
    return f'<qt><span style="white-space:pre-wrap">{escape(text)}</span></qt>' if "<" in text or "&" in text else text


_shown: dict[str, Any] = {"digits": 6, "integers": "decimal"}
_WHOLE = re.compile(r"-?\d{1,40}")


def show_digits(count: int) -> None:
    """From now on floats in tables have so many significant digits."""
    _shown["digits"] = count


def show_integers(how: str) -> None:
    """From now on whole numbers of tokens, states and buffers are "decimal", "hex" or "both"."""
    _shown["integers"] = how


def integer(text: str) -> str:
    """A value as it is to be read: a whole number in decimal, hexadecimal or both, anything else as it is."""
    how = _shown["integers"]
    if how == "decimal" or not _WHOLE.fullmatch(text):
        return text
    return f"{int(text):#x}" if how == "hex" else f"{text}  {int(text):#x}"


def figure(value: float) -> str:
    """A float in a table, as short as it can be said with the digits that are shown."""
    return f"{value:.{_shown['digits']}g}"


def argb_of(color: Any) -> int:
    """0xFFRRGGBB of a sequence that begins with red, green and blue, from 0 to 1; NaN is 0."""
    red, green, blue = (round(min(max(float(part), 0.0), 1.0) * 255) if part == part else 0 for part in color[:3])
    return 0xFF000000 | red << 16 | green << 8 | blue
