"""State at an event: what each value is, how it reads, and who wrote it.

Keys are those of the scripting contract: "ALPHAREF"; ("TEXTURESTAGE", 0, "COLOROP"); ("TRANSFORM", "WORLD0");
("LIGHT", 0, "Diffuse"); ("VIEWPORT", "X") ...  (`core.spec.slots` lists them).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from core.spec.kinds import BOOL, F32, Kind
from core.spec.slots import LIGHT_FIELDS, ROWS, Key
from core.spec.stages import STAGE_NAMES
from inspector.timeline.states import NO_WRITER, StateTimeline

MATRIX = 16


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a key's dwords lie, and how they read."""

    key: Key
    name: str
    stage: str
    slot: int
    count: int
    kind: Kind
    default: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """One value of device state after an event.

    `raw` are its dwords.  `writer` is the event that set it last (of several dwords: the latest); None: nothing did.
    """

    place: Place
    raw: tuple[int, ...]
    writer: int | None

    @property
    def key(self) -> Key:
        return self.place.key

    @property
    def name(self) -> str:
        return self.place.name

    @property
    def stage(self) -> str:
        return self.place.stage

    @property
    def value(self) -> Any:
        """An int, float, bool or enumeration member, a tuple of them, or a (4, 4) float32 array."""
        return value_of(self.place.kind, self.raw)

    @property
    def text(self) -> str:
        return text_of(self.place.kind, self.raw)

    @property
    def is_default(self) -> bool:
        """Whether it is what a fresh context has, whoever set it."""
        return self.raw == self.place.default

    @property
    def kind(self) -> str:
        """What the panels need to know to draw it."""
        return kind_name(self.place.kind, self.raw)


FIXED_PLACES = tuple(Place(row.key, row.name, row.stage, row.slot, row.count, row.kind, row.default) for row in ROWS)
FIXED_BY_KEY = {place.key: place for place in FIXED_PLACES}


def light_places(light: int, slot: int) -> Iterator[Place]:
    """The fields of one light whose numbered slots begin at `slot`."""
    for name, field in LIGHT_FIELDS.items():
        key, title = ("LIGHT", light, name), f"Light {light} {name}"
        yield Place(key, title, "light", slot + field.offset, field.count, field.kind, field.default)


class State(Mapping[Key, Value]):
    """The device state after one event: a mapping from key to Value, computed when asked."""

    def __init__(self, timeline: StateTimeline, event: int, lights: Mapping[int, int], initial: np.ndarray) -> None:
        """`lights`: number -> first slot.  `initial` bool[events]: by which the runtime set up or reset the device."""
        self.event = event
        self._timeline, self._initial, self._lights = timeline, initial, lights

    @cached_property
    def places(self) -> dict[Key, Place]:
        """Every key there is at this event."""
        places = dict(FIXED_BY_KEY)
        for light, slot in self._lights.items():
            places |= {place.key: place for place in light_places(light, slot)}
        return places

    def __getitem__(self, key: Key) -> Value:
        return next(self.values_of([self.places[key]]))

    def __iter__(self) -> Iterator[Key]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def rows(self, stage: str | None = None) -> list[Value]:
        """All values, or those of one pipeline stage, in the order of the rule book."""
        return list(self.values_of(p for p in self.places.values() if stage is None or p.stage == stage))

    def by_stage(self) -> dict[str, list[Value]]:
        """All values, grouped by pipeline stage, in pipeline order."""
        groups: dict[str, list[Value]] = {name: [] for name in STAGE_NAMES}
        for value in self.rows():
            groups.setdefault(value.stage, []).append(value)
        return groups

    @cached_property
    def changed(self) -> list[Value]:
        """What this very event wrote."""
        return [value for value in self.rows() if value.writer == self.event]

    def values_of(self, places: Iterable[Place]) -> Iterator[Value]:
        """Values of many places with one search of the index."""
        wanted = tuple(places)
        if not wanted:
            return
        slots, starts = _slots_of(wanted)
        raw, writers = self._timeline.at(self.event, slots)
        latest = np.maximum.reduceat(writers, starts)
        latest[(latest >= 0) & self._initial[latest]] = NO_WRITER
        words = raw.tolist()
        for place, start, writer in zip(wanted, starts.tolist(), latest.tolist(), strict=True):
            yield Value(place, tuple(words[start : start + place.count]), None if writer == NO_WRITER else writer)


@lru_cache(maxsize=64)
def _slots_of(places: tuple[Place, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The slots of places one after the other (uint64), and where each place's slots start."""
    counts = np.array([place.count for place in places])
    starts = np.cumsum(counts) - counts
    slots = np.repeat(np.array([place.slot for place in places]) - starts, counts) + np.arange(counts.sum())
    return slots.astype(np.uint64), starts


def value_of(kind: Kind, raw: tuple[int, ...]) -> Any:
    """One dword by its kind, sixteen as a (4, 4) matrix, others as a tuple."""
    if len(raw) == 1:
        return kind.value(raw[0])
    if len(raw) == MATRIX and kind is F32:
        return np.array(raw, np.uint32).view(np.float32).reshape(4, 4)
    return tuple(kind.value(word) for word in raw)


def text_of(kind: Kind, raw: tuple[int, ...]) -> str:
    """The value in one line; matrices row by row."""
    if len(raw) == MATRIX:
        return " | ".join(" ".join(map(kind.text, raw[row : row + 4])) for row in range(0, MATRIX, 4))
    return " ".join(map(kind.text, raw))


def kind_name(kind: Kind, raw: tuple[int, ...]) -> str:
    """What the panels need to know to draw it: "enum", "flags", "float", "bool", "color", "handle", "matrix", "int"."""
    if len(raw) == MATRIX:
        return "matrix"
    if kind.members is not None:
        return "enum"
    names = {F32.name: "float", BOOL.name: "bool", "COLOR": "color", "HANDLE": "handle"}
    return names.get(kind.name, "int")
