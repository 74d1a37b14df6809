"""The 2 x 2 pixels of a fragment's quad: each value in all four, and its differences between them.

The four are computed with the planes of one piece of the primitive, also where that does not cover them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from inspector.progress import Cancel
from inspector.query.pixels.shading import Shading, place, shaded
from inspector.query.pixels.writers import drawing_pass
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.run import Numbers

if TYPE_CHECKING:
    from inspector.capture import Capture

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class QuadValue:
    """A value in the four pixels, in the order of `Quad.places`.  step: the title of what left it; first: of its step."""

    step: str
    name: str
    values: tuple[Numbers, Numbers, Numbers, Numbers]
    first: bool = False

    @property
    def dx(self) -> Numbers:
        """How much it grows to the right, in the upper row."""
        return _difference(self.values[0], self.values[1])

    @property
    def dy(self) -> Numbers:
        """How much it grows downwards, in the left column."""
        return _difference(self.values[0], self.values[2])


@dataclass(frozen=True, slots=True)
class Quad:
    """places: the four pixels, row by row; covered: whether the primitive covers them; at: which one was asked about."""

    event: int
    primitive: int
    places: tuple[Place, Place, Place, Place]
    covered: tuple[bool, bool, bool, bool]
    at: int
    values: tuple[QuadValue, ...]


@dataclass(frozen=True, slots=True)
class QuadAt:
    """The quad of a fragment.  primitive None: of the one that the pixel has its value from, or else the last there."""

    event: int
    x: int
    y: int
    primitive: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Quad:
        """BadInput if the draw has no such fragment at the pixel."""
        run = capture.ask(StepPixel(self.event, self.x, self.y, self.primitive), cancel)
        assert run.primitive is not None
        placed = place(capture, self.event, run.primitive, self.x, self.y, run.piece, cancel)
        if placed is None:
            raise BadInput(f"event {self.event}, primitive {run.primitive} does not cover pixel {self.x}, {self.y}")
        left, top = self.x & ~1, self.y & ~1
        places = ((left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1))
        covered = [self._covers(capture, run.primitive, x, y, cancel) for x, y in places]
        four = [list(_values(shaded(capture, self.event, placed, x, y))) for x, y in places]
        return Quad(self.event, run.primitive, places, tuple(covered), places.index((self.x, self.y)),  # type: ignore[arg-type]
                    tuple(_aligned(four)))  # fmt: skip

    def _covers(self, capture: Capture, primitive: int, x: int, y: int, cancel: Cancel | None) -> bool:
        """Pixels beyond the surface are not covered."""
        surface = drawing_pass(capture, self.event, cancel)[1].parts
        part = surface[0] or surface[1]
        inside = part is not None and x < part.width and y < part.height
        return inside and place(capture, self.event, primitive, x, y, None, cancel) is not None


Named = tuple[str, str, Numbers]


def _values(shading: Shading) -> Iterator[Named]:
    """(step, name, value) in the order of the pipeline."""
    for name, value in shading.inputs.items():
        yield "interpolated", name, value
    for step in shading.steps:
        if step.lookup is not None:
            yield step.title, "coordinates", tuple(step.lookup.coordinates)
            yield step.title, "level of detail", (float(step.lookup.lod),)
        for name, value in step.values.items():
            yield step.title, name, value
    yield "after the stages", "color", list(shading.late.colors.values())[-1] if shading.late.colors else shading.result


def _aligned(four: list[list[Named]]) -> Iterator[QuadValue]:
    """The values that all four pixels have; one may look up no texel where another does."""
    named = [{(step, name): value for step, name, value in one} for one in four]
    before = ""
    for step, name, _ in four[0]:
        if all((step, name) in one for one in named):
            values = tuple(one[step, name] for one in named)
            yield QuadValue(step, name, values, step != before)  # type: ignore[arg-type]
            before = step


def _difference(a: Numbers, b: Numbers) -> Numbers:
    with np.errstate(invalid="ignore", over="ignore"):
        return tuple((np.array(b, np.float64) - np.array(a, np.float64)).tolist())
