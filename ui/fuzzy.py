"""How well a few letters match a text: the palette's order."""

from __future__ import annotations

RUN, WORD, START = 4, 4, 2
"""Points for a letter right after the one before, at the beginning of a word, and at that of the text."""


def fit(letters: str, text: str) -> float | None:
    """Points for the best way to find the letters in the text in their order; None if they are not in it.

    Blanks in `letters` count for nothing.  Of texts that fit as well, shorter ones have more.
    """
    wanted, given = "".join(letters.split()).casefold(), text.casefold()
    best: list[float | None] = [0.0] * (len(given) + 1)  # of the letters so far, the last of them before this place
    ends: list[float | None] = [None] * len(given)  # the same, the last of them at this place
    for number, letter in enumerate(wanted):
        at: list[float | None] = [None] * len(given)
        for place, here in enumerate(given):
            if here != letter:
                continue
            points = [before + _bonus(given, place) for before in (best[place],) if before is not None]
            if number and place and (before := ends[place - 1]) is not None:
                points.append(before + _bonus(given, place) + RUN)
            at[place] = max(points, default=None)
        ends, best = at, _running_best(at)
    found = best[-1]
    return None if found is None else found - len(given) / 1000


def _bonus(text: str, place: int) -> int:
    if not place:
        return 1 + WORD + START
    return 1 + WORD * (not text[place - 1].isalnum())


def _running_best(points: list[float | None]) -> list[float | None]:
    """At each place, the most before it."""
    found: list[float | None] = [None]
    for value in points:
        known = [one for one in (found[-1], value) if one is not None]
        found.append(max(known, default=None))
    return found
