"""Alternatives at a step: the states that its stage reads, and their possible values.

A lever becomes an edit of a what-if: `edit_of(lever, "SELECTARG1", event)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.rules.shader_check import assemble_checked
from core.ddi.stream.shader_assemble import assemble
from core.errors import ShaderError
from core.spec.enums import TextureArg
from core.spec.kinds import BOOL
from core.spec.slots import Key
from inspector.progress import Cancel
from inspector.query.state.at_event import Value
from inspector.query.state.matters import verdict
from inspector.query.state.places import spelled
from inspector.query.state.situation import Situation
from inspector.query.steps.run import Run, Step
from inspector.query.what_if.edits import Force, Shader

if TYPE_CHECKING:
    from inspector.capture import Capture

NUMBERED = re.compile(r"(?:stage|light|coordinates of stage) (\d+)")
MORE = {"output": ("blend",), "setup": ("raster",)}
"""Stages whose states decide what another one's step does."""
SELECTORS = ("DIFFUSE", "CURRENT", "TEXTURE", "TFACTOR", "SPECULAR", "TEMP")
VECTOR = 4
"""Numbers of a state that can be typed: matrices are not."""
MOST = 40
"""Choices that are listed; a state of more values is typed."""


@dataclass(frozen=True, slots=True)
class Lever:
    """A state of the step.  value: as it is; choices: names of the values it can have, none if it is a number."""

    key: Key
    name: str
    value: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Levers:
    """The states that decide what each step of a run does, in the order of the rule book: those that matter for the draw, and
    of texture stages and lights only the step's own."""

    found: Run

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[tuple[Lever, ...], ...]:
        """One row of levers for each step."""
        situation = Situation(capture, capture.check_event(self.found.event))
        values = situation.values
        counts, defaults = np.diff(values.layout.starts).tolist(), values.is_default.tolist()
        rows = zip(range(len(values)), values.places, counts, defaults, strict=True)
        stages = {name for step in self.found.steps for name in _stages_of(step)}
        matter = [
            values[row] for row, place, count, default in rows
            if count <= VECTOR and place.stage in stages and verdict(situation, place.key, default)[0]
        ]  # fmt: skip
        return tuple(tuple(_of_step(matter, step)) for step in self.found.steps)


def _of_step(matter: list[Value], step: Step) -> Iterator[Lever]:
    numbered = NUMBERED.search(step.title)
    number = int(numbered[1]) if numbered else None
    stages = _stages_of(step)
    for value in matter:
        if value.stage in stages and value.kind != "handle" and _is_of(value.key, number):
            yield Lever(value.key, spelled(value.key), value.text, tuple(_choices(value)))


def _stages_of(step: Step) -> set[str]:
    """Those whose states decide what a step does."""
    return {step.stage, *MORE.get(step.stage, ())}


def _is_of(key: Key, number: int | None) -> bool:
    """Whether a key is of the numbered stage or light, or of none."""
    return number is None or not (isinstance(key, tuple) and isinstance(key[1], int)) or key[1] == number


def _choices(value: Value) -> Iterator[str]:
    kind = value.place.kind
    if kind is BOOL:
        yield from ("FALSE", "TRUE")
    elif kind.members is TextureArg:
        yield from SELECTORS
    elif kind.members is not None and len(kind.members) <= MOST:
        yield from (member.name for member in kind.members if member.name)


def shader_edit(handle: int, text: str, before: str = "") -> Shader:
    """Every shader made under the handle has this text.

    ShaderError names the line that cannot be assembled, or that breaks a rule which `before`, the text so far, keeps.
    """
    assemble_checked(text, _code(before))
    return Shader(handle, text)


def _code(text: str) -> np.ndarray | None:
    try:
        return assemble(text)
    except ShaderError:
        return None


def edit_of(lever: Lever, value: str, event: int, last: int | None = None) -> Force:
    """The lever at another value, for one draw, or up to the event `last`."""
    return Force(spelled(lever.key), value, event, event if last is None else last)
