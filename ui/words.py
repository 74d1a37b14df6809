"""How the window says things that have a number."""

from __future__ import annotations

from html import escape


def counting(number: int, noun: str) -> str:
    """As in "1 frame", "1,200 frames", "2 vertices"."""
    many = {"vertex": "vertices", "match": "matches"}.get(noun, f"{noun}s")
    return f"{number:,} {noun if number == 1 else many}"


def tip(text: str) -> str:
    """A tooltip.  Qt finds out by itself whether one is HTML: text that may be taken for it is written as HTML."""
    return f'<qt><span style="white-space:pre-wrap">{escape(text)}</span></qt>' if "<" in text or "&" in text else text
