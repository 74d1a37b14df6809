"""State in the order of the pipeline: the effect of each stage in a few words, and the values that matter for the draw.

Matrices come with what they do, lights and the material as spheres, fog as a curve; if asked, values come with what they are
at another event.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.cancel import stoppable
from core.spec.slots import Key
from core.spec.stages import STAGES, Stage
from inspector.progress import Cancel
from inspector.query.state.at_event import DeviceState, Value
from inspector.query.state.flow_words import summary_of
from inspector.query.state.matters import is_neutral, verdict
from inspector.query.state.readings import Reading, reading
from inspector.query.state.situation import Situation
from inspector.query.state.spheres import Curve, curve, sphere

if TYPE_CHECKING:
    from inspector.capture import Capture

MOST_SPHERES = 16
"""Lights that are shown on spheres."""


@dataclass(frozen=True, slots=True)
class FlowRow:
    """One value.  matters: the draw can depend on it; neutral: it does, but does nothing as it is; why: the reason for either.

    reading: of a matrix, what it does.  against: what it is at the other event, None if the same there.
    """

    value: Value
    matters: bool
    neutral: bool
    why: str
    reading: Reading = ()
    against: str | None = None

    @property
    def wanted(self) -> bool:
        """Whether it is shown where only what matters is."""
        return (self.matters and not self.neutral) or self.against is not None


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """A picture of values: of a light, the material or fog.  name: what of; text: what it shows, in words."""

    name: str
    text: str
    picture: np.ndarray | None = None
    curve: Curve | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FlowStage:
    """A stage of the pipeline.  runs: whether it does anything for the draw; summary: what, or why not."""

    stage: Stage
    runs: bool
    summary: str
    rows: tuple[FlowRow, ...]
    sketches: tuple[Sketch, ...] = ()

    @property
    def wanted(self) -> tuple[FlowRow, ...]:
        """The rows that matter."""
        return tuple(row for row in self.rows if row.wanted)


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """stages: from the input assembly to the target."""

    event: int
    against: int | None
    stages: tuple[FlowStage, ...]

    @property
    def differences(self) -> int:
        """How many values are others at the other event."""
        return sum(row.against is not None for stage in self.stages for row in stage.rows)


@dataclass(frozen=True, slots=True)
class StateFlow:
    """What state matters for a draw, and why.  against: an event to compare with."""

    event: int
    against: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Flow:
        """BadInput for events that are none."""
        found = Situation(capture, capture.check_event(self.event))
        other = None if self.against is None else capture.state(capture.check_event(self.against))
        rows: dict[str, list[FlowRow]] = {}
        for stage, row in stoppable(_rows(found, other)):
            rows.setdefault(stage, []).append(row)
        stages = [_stage(found, stage, rows.get(stage.name, [])) for stage in STAGES]
        return Flow(self.event, self.against, tuple(stage for stage in stages if stage.rows))


def _rows(found: Situation, other: DeviceState | None) -> Iterator[tuple[str, FlowRow]]:
    """(its stage, each value)."""
    others = {} if other is None else {value.key: value for value in other.values_of()}
    for place, value, default in zip(found.values.places, found.values, found.values.is_default.tolist(), strict=True):
        key = place.key
        matters, why = verdict(found, key, default)
        words = reading(str(key[1]), value.value) if matters and value.kind == "matrix" and key[0] == "TRANSFORM" else ()
        against = _against(key, value, others) if other else None
        yield place.stage, FlowRow(value, matters, is_neutral(key, default), why, words, against)


def _against(key: Key, value: Value, others: dict[Any, Value]) -> str | None:
    there = others.get(key)
    if there is None:
        return "not there"
    return None if there.raw == value.raw else there.text


def _stage(found: Situation, stage: Stage, rows: list[FlowRow]) -> FlowStage:
    runs, summary = summary_of(found, stage.name)
    sketches = tuple(_sketches(found, stage.name)) if runs else ()
    return FlowStage(stage, runs, summary, tuple(rows), sketches)


def _sketches(found: Situation, stage: str) -> Iterator[Sketch]:
    if stage == "light" and found.lit:
        yield Sketch("Material, all lights", "the material under all lights, where the object's origin is", sphere(found, None))
        for number, kind in list(found.lights.items())[:MOST_SPHERES]:
            yield Sketch(f"Light {number}", f"{kind.name.lower()} light alone", sphere(found, number))
    elif stage == "fog" and (fog := curve(found)) is not None:
        far = f"{fog.distance[-1]:.4g}"
        yield Sketch("Fog", f"{fog.mode.name}, of {fog.of}, 0 to {far}: how much is left of the colour", curve=fog)
