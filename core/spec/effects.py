"""Effects of events in the terms of rows: the kind of a token or call, and what it touches besides registers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Any


class EventKind(IntEnum):
    """What an event is for: the colour of the timeline, the words of filters, statistics."""

    OTHER = 0
    DRAW = 1
    CLEAR = 2
    COPY = 3
    PRESENT = 4
    STATE = 5
    TRANSFORM = 6
    SHADER = 7
    RESOURCE = 8

    @property
    def word(self) -> str:
        """`draw`: as filters and tables spell it."""
        return self.name.lower()

    @property
    def title(self) -> str:
        return "Transform, light" if self is EventKind.TRANSFORM else self.name.title()


ACTIONS = (EventKind.DRAW, EventKind.CLEAR, EventKind.COPY, EventKind.PRESENT)
"""The kinds that change or show pixels."""


class Touches(IntFlag):
    """What an event touches besides the registers that it writes."""

    NOTHING = 0
    SURFACES = 1  # changes pixels of surfaces
    READS = 2  # depends on pixels of surfaces, or moves them from one to another
    BUFFERS = 4  # changes bytes of vertex or index buffers
    OBJECTS = 8  # makes or ends something that has a handle or a number, or changes what the name means
    SETTINGS = 16  # a setting of an object that is no register: priority, level of detail, colour key, dirty area


@dataclass(frozen=True)
class Slots:
    """The registers that a record writes: `words`, one after the other, from an element of a field of the register vector on.

    `field`: of core.spec.slots.REGISTERS; "transform": the matrix that D3DTRANSFORMSTATETYPE names; "light", "palette": of the
    object with a number.  `keys`: which element: a field of the token, and how many slots further its next number is (0: the
    number of a matrix or an object).  `words`: fields and parts of the token, or a number that it always writes.
    `updates`: what is written is made from these and from what was there.  `also`: fields of which it may write some as well.
    """

    field: str
    words: tuple[str | int, ...]
    keys: tuple[tuple[str, int], ...] = ()
    updates: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class When:
    """The kind of a call whose argument has one of the bits of `mask`."""

    argument: str
    kind: EventKind
    mask: int = -1

    def holds(self, args: Mapping[str, Any]) -> bool:
        value = args.get(self.argument)
        return isinstance(value, int) and bool(value & self.mask)
