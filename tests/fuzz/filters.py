"""The filter language: filters of its own words put together, and changed anywhere; searched, completed."""

from __future__ import annotations

import random
from pathlib import Path

import inspector
from inspector.query.search.completion import COLUMNS, CONDITIONS, FUNCTIONS, complete, lights_of
from inspector.query.search.search import NAMED_FILTERS
from tests.fuzz.inputs import Harness, main
from tests.fuzz.opened import capture, within
from tests.fuzz.words import NUMBERS, decoded, encoded, mutated
from tests.soak.questions import FILTERS

WORDS = (
    *FILTERS, *NAMED_FILTERS.values(), *(f"${name}(" for name in FUNCTIONS), *(f"{name}(" for name in CONDITIONS), *COLUMNS,
    " and ", " or ", " not ", "-", "+", "FOG*", "LIGHT[0].", "c[95]", "COLOROP[0]", "texture[0]", "VIEWPORT.X", "TRANSFORM",
    "$regex(/(a*)*b/)", "$regex(/((A+)+)+$/)", "3..5", "bad-*", "|", "~ draw", "& 3", "== default",
)  # fmt: skip


def make(chooser: random.Random) -> bytes:
    text = chooser.choice([" ", " and ", " or ", ""]).join(
        chooser.choice(WORDS) if chooser.random() < 0.8 else
        f"{chooser.choice(list(COLUMNS))} {chooser.choice(['==', '<', '~', '&'])} "
        f"{chooser.choice(NUMBERS)}" for _ in range(chooser.randrange(1, 5))
    )  # fmt: skip
    return encoded(mutated(text, chooser, WORDS))


def run(data: bytes, folder: Path) -> None:
    text, asked = decoded(data), capture("tokens")
    assert all(0 <= found.begin <= len(text) for found in complete(text, lights_of(asked)))
    asked.ask(inspector.Search(text), within(2.0))


HARNESS = Harness("filters", make, run, 80)

if __name__ == "__main__":
    main(HARNESS)
