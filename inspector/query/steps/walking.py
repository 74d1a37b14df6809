"""Walking through a run like a debugger: breakpoints, whole stages, the next write of a register; forwards and backwards.

A run is there from its first to its last step, so going back costs as little as going on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from hashlib import blake2b

from inspector.query.steps.run import Numbers, Run, Step

FIXED_VERTICES, TEXTURE_STAGES = "fixed-function vertices", "texture stages"
"""The programs of what runs no shader."""
SAYING = ("light", "fetch")
"""Stages whose titles hold a colon and no result."""


def program_of(run: Run) -> str:
    """What breakpoints and watches are kept for: one word for each shader, the same in every draw and capture."""
    if run.listing:
        return f"shader {blake2b(chr(10).join(run.listing).encode(), digest_size=8).hexdigest()}"
    return FIXED_VERTICES if run.steps and run.steps[0].stage == "fetch" else TEXTURE_STAGES


def mark_of(step: Step) -> str:
    """The name of a step that stays the same from pixel to pixel: a line of the program, or what a stage does.

    "line 3", "depth_test: depth test", "combine: stage 0" (whatever its operation, or how the test ended).
    """
    if step.line >= 0:
        return f"line {step.line}"
    title = step.title if step.stage in SAYING else step.title.partition(":")[0]
    return f"{step.stage}: {title}"


def marked(run: Run, marks: Collection[str]) -> list[int]:
    """The steps that have a breakpoint."""
    return [number for number, step in enumerate(run.steps) if mark_of(step) in marks] if marks else []


def stop(run: Run, at: int, marks: Collection[str], direction: int = 1) -> int:
    """Where running on (-1: back) from a step stops: at the next breakpoint, else at the last (first) step."""
    return _next(marked(run, marks), at, direction, _end(run, direction))


def over(run: Run, at: int, direction: int = 1) -> int:
    """The next (-1: previous) stage, or instruction of a program; back, the first step of it."""
    return _next(list(_beginnings(run)), at, direction, _end(run, direction))


def into(run: Run, at: int, direction: int = 1) -> int:
    """The next (-1: previous) step."""
    return min(max(at + direction, 0), max(len(run.steps) - 1, 0))


def changes(run: Run, name: str) -> list[tuple[int, Numbers]]:
    """(step, value) wherever a register gets another value; steps that only read it are none."""
    found: list[tuple[int, Numbers]] = []
    for number, step in enumerate(run.steps):
        for value in step.writes:
            if value.name == name and (not found or found[-1][1] != value.value):
                found.append((number, value.value))
    return found


def write_of(run: Run, name: str, at: int, direction: int = 1) -> int | None:
    """The next (-1: the last before) step that writes a register, whatever to; None: there is none."""
    writes = [number for number, step in enumerate(run.steps) if any(value.name == name for value in step.writes)]
    found = _next(writes, at, direction, -1)
    return None if found < 0 else found


def value_at(run: Run, name: str, at: int) -> Numbers | None:
    """What a register holds once a step is done; None: nothing has been written to it, nor read from it."""
    value = run.registers(at + 1).get(name)
    return value if value is not None else next((one.value for one in run.steps[at].reads if one.name == name), None)


def _beginnings(run: Run) -> Iterator[int]:
    """The first step of each stage, and every instruction."""
    for number, step in enumerate(run.steps):
        before = run.steps[number - 1] if number else None
        if before is None or step.stage != before.stage or step.line != before.line:
            yield number


def _end(run: Run, direction: int) -> int:
    return max(len(run.steps) - 1, 0) if direction > 0 else 0


def _next(places: list[int], at: int, direction: int, otherwise: int) -> int:
    """The nearest of ascending places beyond `at`."""
    beyond = [place for place in places if (place > at if direction > 0 else place < at)]
    return otherwise if not beyond else beyond[0] if direction > 0 else beyond[-1]
