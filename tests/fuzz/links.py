"""Links: the text form of a Focus, changed anywhere; followed to every picture and table that they can mean."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

import inspector
from core.errors import BadInput
from inspector.focus import Focus
from tests.fuzz.inputs import Harness, main
from tests.fuzz.opened import NAMES, capture, within
from tests.fuzz.words import NUMBERS, TEXTS, decoded, encoded, mutated

FIELDS = [field.name for field in fields(Focus)]
VALUES = ("0", "1", "2", "3", "10", "20", "52", "812", "40,52", "0,0", "-1,-1", "render_target", "back_buffer", "depth",
          "textures", "a_",
          *NUMBERS)  # fmt: skip


def make(chooser: random.Random) -> bytes:
    parts = [f"event={chooser.randrange(1600)}"]
    parts += [f"{chooser.choice(FIELDS)}={chooser.choice(VALUES)}" for _ in range(chooser.randrange(5))]
    return encoded(chooser.choice(NAMES) + "#" + mutated("&".join(parts), chooser, ("&", "=", ",", *FIELDS, *TEXTS)))


def run(data: bytes, folder: Path) -> None:
    name, _, text = decoded(data).partition("#")
    focus = Focus.parse(text)
    assert Focus.parse(focus.text()) == focus
    follow(capture(name if name in NAMES else "tokens"), focus)


def follow(asked: inspector.Capture, focus: Focus) -> None:
    """What the panels ask at a place."""
    x, y = focus.pixel or (0, 0)
    step = {"cancel": within(3.0)}
    for ask in (
        lambda: asked.image(focus.event, focus.where, primitive=focus.primitive, **step),
        lambda: asked.raw(focus.event, focus.where, **step),
        lambda: asked.ask(inspector.PixelHistory(focus.where, x, y, last=focus.event), within(3.0)),
        lambda: asked.ask(inspector.StepVertex(focus.event, focus.vertex or 0), within(3.0)),
        lambda: asked.ask(inspector.StepPixel(focus.event, x, y), within(3.0)),
        lambda: asked.vertices(focus.event, "transformed", **step),
        lambda: asked.state(focus.event).rows(),
        lambda: asked.surfaces(focus.event),
    ):
        with suppress(BadInput):
            ask()


HARNESS = Harness("links", make, run, 15)

if __name__ == "__main__":
    main(HARNESS)
