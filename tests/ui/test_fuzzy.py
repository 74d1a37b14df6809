"""The order of the palette."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.fuzzy import RUN, START, WORD, fit

TEXTS = st.text("ab c", max_size=7)


def by_trying(letters: str, text: str) -> float | None:
    """The same, over every way to find the letters."""
    wanted, best = "".join(letters.split()), None
    for places in itertools.combinations(range(len(text)), len(wanted)):
        if "".join(text[place] for place in places) != wanted:
            continue
        points = 0.0
        for number, place in enumerate(places):
            begins = place == 0 or not text[place - 1].isalnum()
            points += 1 + WORD * begins + START * (place == 0) + RUN * (number > 0 and places[number - 1] == place - 1)
        best = points if best is None else max(best, points)
    return None if best is None else best - len(text) / 1000


@given(st.text("abc ", max_size=4), TEXTS)
def test_it_is_the_best_of_all_ways(letters: str, text: str) -> None:
    found, known = fit(letters, text), by_trying(letters, text)
    assert (found is None) == (known is None)
    assert known is None or found == pytest.approx(known)


@pytest.mark.parametrize(
    ("letters", "better", "worse"),
    [
        ("nfr", "Next frame", "Next surface overlay"),
        ("nxfr", "Next frame", "Next finding of the selected rule"),
        ("nd", "Next draw", "Find"),
        ("state", "State", "Statistics"),
        ("go", "Go to event", "Save surface as PNG or go"),
        ("NEXT", "next draw", "an extra text"),
    ],
)
def test_beginnings_and_runs_come_first(letters: str, better: str, worse: str) -> None:
    good, bad = fit(letters, better), fit(letters, worse)
    assert good is not None and (bad is None or good > bad)


def test_what_does_not_fit() -> None:
    assert fit("xyz", "Next frame") is None
    assert fit("emarf", "frame") is None
    assert fit("", "frame") is not None
