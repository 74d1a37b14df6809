"""State sets: the contents of each set that a driver keeps under a handle (STATESET)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.spec.slots import Key
from inspector.progress import Cancel
from inspector.query.state.places import Lights, StatePlace, places_with, spelled, text_of

if TYPE_CHECKING:
    from core.device.registers.vector import Registers
    from inspector.capture import Capture


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a set; `raw`: its dwords. A set may hold some of a value's dwords only: `words` says which."""

    key: Key
    stage: str
    raw: tuple[int, ...]
    words: tuple[int, ...]
    text: str
    differs: bool

    @property
    def name(self) -> str:
        return spelled(self.key)


@dataclass(frozen=True, slots=True)
class StateSet:
    """One set: its values in the order of the rule book; those that differ from the state at the event say so."""

    handle: int
    entries: tuple[Entry, ...]
    kind: str = "state_set"
    created: int = -1

    @property
    def summary(self) -> str:
        return f"{len(self.entries):,} values, {sum(entry.differs for entry in self.entries):,} other than now"

    @property
    def lines(self) -> list[str]:
        """A line a value; * where executing the set would change it."""
        return [f"{'*' if entry.differs else ' '} {entry.stage:14} {entry.name:28} {entry.text}" for entry in self.entries]


@dataclass(frozen=True)
class StateSets:
    """The state sets that exist after an event, in order of their handles; `handle`: only that one."""

    event: int
    handle: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[StateSet, ...]:
        """Raises Cancelled."""
        with capture.replay.at(capture.check_event(self.event), cancel) as driver:
            registers = driver.device.registers
            wanted = [handle for handle in sorted(registers.sets) if self.handle in (None, handle)]
            return tuple(StateSet(handle, tuple(_entries(registers, handle))) for handle in wanted)


def _entries(registers: Registers, handle: int) -> list[Entry]:
    held = registers.sets[handle]
    order = np.argsort(held.slots, kind="stable")
    slots, values = held.slots[order], held.values[order]
    now = registers.vector[slots]
    lights = tuple(sorted(registers.light_slot.items()))
    found = []
    for place in _by_slot(lights):
        first, last = np.searchsorted(slots, (place.slot, place.slot + place.count)).tolist()
        if first < last:
            found.append(_entry(place, slots[first:last] - place.slot, values[first:last], now[first:last]))
    return found


@lru_cache(maxsize=16)
def _by_slot(lights: Lights) -> tuple[StatePlace, ...]:
    return tuple(sorted(places_with(lights).values(), key=lambda place: place.slot))


def _entry(place: StatePlace, words: np.ndarray, values: np.ndarray, now: np.ndarray) -> Entry:
    raw, which = tuple(values.tolist()), tuple(words.tolist())
    text = text_of(place.kind, raw)
    if len(raw) < place.count:
        text += f" (words {', '.join(map(str, which))})"
    return Entry(place.key, place.stage, raw, which, text, not np.array_equal(values, now))
