"""Steps of one vertex or pixel, as a list to walk forward and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

Numbers = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A register, an interpolant, a factor: its name and one to four numbers."""

    name: str
    value: Numbers

    @property
    def text(self) -> str:
        """As in "r0 = 0.5, 0.25, 0, 1"."""
        return f"{self.name} = {', '.join(f'{number:.6g}' for number in self.value)}"


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction, or one thing a stage does.

    stage: a name of core.spec.stages.  reads: what came in (a source as swizzled and negated).  writes: what it left, the
    whole register even if a mask spared parts.  note: the formula, or what decided.  line: of the listing; -1: none.
    """

    stage: str
    title: str
    reads: tuple[Value, ...] = ()
    writes: tuple[Value, ...] = ()
    note: str = ""
    line: int = -1


@dataclass(frozen=True, slots=True)
class Run:
    """All steps of a vertex or a pixel.  listing: the lines of its shader; empty for the fixed function.

    event: the draw; primitive, piece: of a pixel, the fragment's (inspector.query.pixels.history.Entry).
    """

    title: str
    steps: tuple[Step, ...]
    listing: tuple[str, ...] = field(default=())
    event: int = -1
    primitive: int | None = None
    piece: int | None = None

    def registers(self, count: int) -> dict[str, Numbers]:
        """The registers after the first `count` steps, in the order in which they were first written."""
        found: dict[str, Numbers] = {}
        for step in self.steps[:count]:
            found.update((value.name, value.value) for value in step.writes)
        return found

    def changed(self, number: int) -> set[str]:
        """What step `number` changed: names whose value was another one before, or none."""
        before = self.registers(number)
        return {value.name for value in self.steps[number].writes if before.get(value.name) != value.value}


def values(named: Iterable[tuple[str, Iterable[float]]]) -> tuple[Value, ...]:
    """Pairs of a name and its numbers."""
    return tuple(Value(name, tuple(float(number) for number in numbers)) for name, numbers in named)
