"""The steps of a run and the registers at one of them, as rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from inspector.query.steps.run import Numbers, Run, Step
from inspector.query.steps.walking import mark_of, value_at
from ui.models.table import Column
from ui.roles import BEGIN_ROLE, MARK_ROLE, SWATCH_ROLE, TOKEN_ROLE
from ui.words import argb_of, figure

COLORS = ("diffuse", "specular", "ambient", "emissive", "current", "temp", "texture", "texel", "arg", "color", "source",
          "destination", "result")  # fmt: skip
ROLES = {"in": "muted", "out": "changed", "watch": "link", "": "text"}
BREAKPOINT = "●"
OF_EVENT = re.compile(r"^(.*?) of event (\d+)")


def event_first(title: str, earlier: bool = False) -> str:
    """A run's title as a narrow panel shows it, its numbers in front: "#812: pixel 40, 52, primitive 5: written".
    earlier: of a draw before the event that one is at."""
    return OF_EVENT.sub(r"before, by #\2: \1" if earlier else r"#\2: \1", title)


@dataclass(frozen=True)
class StepRow:
    """A row of the list of steps.  begins: a stage begins with it; stops: it has a breakpoint."""

    number: int
    step: Step
    begins: bool
    stops: bool


@dataclass(frozen=True)
class Register:
    """A row of the other list.  role: "in" of the step, "out" of it, "watch", "" for what was there before."""

    role: str
    name: str
    value: Numbers
    first: bool = False


def step_rows(run: Run, marks: frozenset[str]) -> list[StepRow]:
    """All steps; marks: those that have a breakpoint (inspector.query.steps.walking)."""
    return [StepRow(n, step, _begins(run.steps, n), mark_of(step) in marks) for n, step in enumerate(run.steps)]


def _begins(steps: tuple[Step, ...], number: int) -> bool:
    """Whether a stage begins with this step."""
    return number > 0 and steps[number].stage != steps[number - 1].stage


def registers_at(run: Run, number: int, watched: Sequence[str] = ()) -> list[Register]:
    """What is watched, what the step read, what it left, and everything else that was there."""
    step = run.steps[number]
    rows = [Register("watch", name, value_at(run, name, number) or ()) for name in watched]
    rows += [Register("in", value.name, value.value, not n) for n, value in enumerate(step.reads)]
    rows += [Register("out", value.name, value.value, n == 0) for n, value in enumerate(step.writes)]
    left = {value.name for value in step.writes}
    read = {(value.name, value.value) for value in step.reads}
    others = [(name, value) for name, value in run.registers(number).items() if name not in left and (name, value) not in read]
    return rows + [Register("", name, value, n == 0) for n, (name, value) in enumerate(others)]


STEP_COLUMNS = (
    Column("", lambda row: f"{BREAKPOINT if row.stops else ''} {row.number}".strip(),
           {TOKEN_ROLE: lambda row: "error" if row.stops else "faint", BEGIN_ROLE: lambda row: row.begins,
            MARK_ROLE: lambda row: "error" if row.stops else None}),
    Column("Step", lambda row: row.step.title),
    Column("Result", lambda row: "   ".join(value.text for value in row.step.writes)),
)  # fmt: skip


def _component(n: int) -> Column:
    """The column of one component."""
    return Column("xyzw"[n], lambda row: figure(row.value[n]) if n < len(row.value) else "", {TOKEN_ROLE: _token})


def _token(row: Register) -> str:
    return ROLES[row.role]


def _mark(row: Register) -> str | None:
    return {"out": "changed", "watch": "link"}.get(row.role)


def _swatch(row: Register) -> int | None:
    return color_of(row.name, row.value)


def color_of(name: str, value: Numbers) -> int | None:
    """The colour of a register that holds one."""
    if len(value) < 3 or not any(word in name for word in COLORS) or "coordinates" in name:
        return None
    return argb_of(value)


REGISTER_COLUMNS = (
    Column("", lambda row: row.role, {TOKEN_ROLE: lambda _: "faint", MARK_ROLE: _mark, BEGIN_ROLE: lambda row: row.first}),
    Column("Register", lambda row: row.name, {TOKEN_ROLE: _token, SWATCH_ROLE: _swatch}),
    *(_component(n) for n in range(4)),
)
