"""Objects (surfaces, buffers, shaders, palettes, lights) and their users: histories, the resources of an event, users."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, unknown
from inspector.progress import Cancel
from inspector.timeline.lives import (
    DRAWN,
    DXGI,
    LIGHT,
    MEMORY,
    NAMES,
    PALETTE,
    PIXEL_SHADER,
    VERTEX_SHADER,
    WRITING,
    Life,
    Role,
)
from inspector.timeline.resources import Resources

if TYPE_CHECKING:
    from inspector.capture import Capture

SPACES = {
    "surface": (MEMORY,), "buffer": (MEMORY,), "shader": (VERTEX_SHADER, PIXEL_SHADER), "vertex_shader": (VERTEX_SHADER,),
    "pixel_shader": (PIXEL_SHADER,), "palette": (PALETTE,), "light": (LIGHT,), "dxgi": (DXGI,),
}  # fmt: skip

Thing = int | tuple[str, int]
"""A handle of a surface or buffer (or, if none has it, of a resource of DXGI), or ("dxgi", 10), ("light", 0), ("palette", 3),
("shader", 5) (or "vertex_shader", "pixel_shader")."""

_DETAILS = {
    Role.TEXTURE: "stage", Role.UNREAD_TEXTURE: "stage", Role.BOUND_TEXTURE: "stage", Role.PALETTE: "stage",
    Role.STREAM: "stream", Role.BOUND_STREAM: "stream", Role.BLT_SOURCE: "to #", Role.BLT_DESTINATION: "from #",
    Role.PRESENTED: "to #", Role.PALETTE_BOUND: "#",
}  # fmt: skip


def role_text(role: int, detail: int, space: str = MEMORY) -> str:
    """`texture, stage 0`, `blt source, to #2`, `uploaded`; space: of the object's handle, in which those of others are, too."""
    name, what = NAMES[Role(role)], _DETAILS.get(Role(role))
    if what is None or (role == Role.PRESENTED and not detail):  # what DXGI presents goes to the screen
        return name
    what = what.replace("#", "DXGI ") if space == DXGI else what
    return f"{name}, {what}{'' if what.endswith(('#', ' ')) else ' '}{detail}"


@dataclass(frozen=True, eq=False)
class ObjectLog:
    """Everything that happened to what a handle named, in order, as columns with one row per happening.

    event int64; life: index into `lives`, for handles that named several objects one after the other; role: a Role; detail:
    its stage, stream, part or other handle; version: how often the contents have been written until then, this event included.
    """

    lives: tuple[Life, ...]
    event: np.ndarray
    life: np.ndarray
    role: np.ndarray
    detail: np.ndarray

    def __len__(self) -> int:
        return len(self.event)

    @cached_property
    def version(self) -> np.ndarray:
        """int64, counted separately for each life."""
        writes = np.isin(self.role, list(WRITING))
        found = np.zeros(len(self), np.int64)
        for life in range(len(self.lives)):
            mine = self.life == life
            found[mine] = np.cumsum(writes[mine])
        return found

    @property
    def draws(self) -> np.ndarray:
        """The draws among the events, each once, int64."""
        return np.unique(self.event[np.isin(self.role, list(DRAWN))])

    def text(self, row: int) -> str:
        """What happened, in words."""
        return role_text(int(self.role[row]), int(self.detail[row]), self.lives[self.life[row]].space)


@dataclass(frozen=True)
class ObjectHistory:
    """Everything that happened to an object.  `event`: only of what has the handle at this event (its creation included)."""

    thing: Thing
    event: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> ObjectLog:
        """BadInput if nothing ever had the handle."""
        return log_of(capture.resources, self.thing, self.event)


def log_of(resources: Resources, thing: Thing, event: int | None = None) -> ObjectLog:
    """The log of everything that had a handle."""
    numbers = numbers_of(resources, thing, event)
    rows = resources.happened(numbers)
    order = np.zeros(max(numbers) + 1, np.int64)
    order[numbers] = np.arange(len(numbers))
    lives = tuple(resources.life(number) for number in numbers)
    return ObjectLog(lives, rows["event"], order[rows["life"]], rows["role"], rows["detail"])


def numbers_of(resources: Resources, thing: Thing, event: int | None = None) -> list[int]:
    """The lives that had a handle, at one event or ever; BadInput for none."""
    kind, handle = ("surface", thing) if isinstance(thing, int) else thing
    if kind not in SPACES:
        raise BadInput(unknown("kind of object", kind, SPACES))
    found = [number for space in SPACES[kind] for number in resources.lives.named(space, handle)]
    if not found and isinstance(thing, int):
        found = resources.lives.named(DXGI, handle)
    if event is not None:
        found = [number for number in found if resources.life(number).first <= event <= resources.life(number).last]
    if not found:
        when = "" if event is None else f" at event {event}"
        raise BadInput(f"no {'surface or buffer' if kind in ('surface', 'buffer') else kind} {handle}{when}")
    return sorted(set(found))


@dataclass(frozen=True, slots=True)
class Use:
    """One object that an event works with: its role there, and how often its contents had been written before."""

    role: Role
    detail: int
    life: Life
    version: int

    @property
    def text(self) -> str:
        return role_text(self.role, self.detail, self.life.space)


@dataclass(frozen=True)
class ResourcesOf:
    """All surfaces, buffers, shaders, palettes and lights that an event works with, by role."""

    event: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> list[Use]:
        """In order of roles; BadInput for an event that is none."""
        return list(_uses(capture.resources, capture.check_event(self.event)))


def _uses(resources: Resources, event: int) -> Iterator[Use]:
    for row in resources.at(event):
        written = resources.happened([int(row["life"])])
        version = int(np.isin(written["role"][written["event"] < event], list(WRITING)).sum())
        yield Use(Role(int(row["role"])), int(row["detail"]), resources.life(int(row["life"])), version)


@dataclass(frozen=True)
class UsersOf:
    """The draws that use an object: sample it, fetch from it, draw into it, or run it."""

    thing: Thing
    event: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> ObjectLog:
        """The log of an object with nothing but its draws; textures that are bound but not sampled are left out."""
        log = log_of(capture.resources, self.thing, self.event)
        kept = np.isin(log.role, list(DRAWN - {Role.UNREAD_TEXTURE}))
        return ObjectLog(log.lives, *(column[kept] for column in (log.event, log.life, log.role, log.detail)))
