"""How the window says things that have a number."""

from __future__ import annotations


def counting(number: int, noun: str) -> str:
    """As in "1 frame", "1,200 frames", "2 vertices"."""
    many = "vertices" if noun == "vertex" else f"{noun}s"
    return f"{number:,} {noun if number == 1 else many}"
