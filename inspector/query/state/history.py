"""The history of one value of device state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.spec.slots import Key
from inspector.progress import Cancel
from inspector.query.state.places import StatePlace, layout, place_of, text_of, value_of
from inspector.timeline.states import NEVER
from inspector.timeline.walk import Walk

if TYPE_CHECKING:
    from inspector.capture import Capture


@dataclass(frozen=True, eq=False)
class Changes:
    """The writes of one value in order, as columns with one row per event.

    event int64; words, before uint32[rows, dwords]: its dwords after and before the event; redundant bool: they are the same;
    draws int64: how many draws used it before the next write (for the render target, the depth surface and the viewport also
    clears); by_runtime bool: the creation or reset of the device.  `start`: its dwords before event 0.
    """

    place: StatePlace
    start: np.ndarray
    event: np.ndarray
    words: np.ndarray
    before: np.ndarray
    redundant: np.ndarray
    draws: np.ndarray
    by_runtime: np.ndarray

    def __len__(self) -> int:
        return len(self.event)

    def text(self, row: int) -> str:
        """How the value reads after a write."""
        return text_of(self.place.kind, self.words[row].tolist())

    def value(self, row: int) -> Any:
        """The value after a write, as `Value.value`."""
        return value_of(self.place.kind, self.words[row].tolist())

    @property
    def unused(self) -> np.ndarray:
        """bool: overwritten before any draw used it."""
        return (self.draws == 0) & (np.arange(len(self)) < len(self) - 1)


@dataclass(frozen=True)
class SlotHistory:
    """Everything that happened to the value of a key: SlotHistory("ALPHAREF"), SlotHistory(("TRANSFORM", "WORLD0"))."""

    key: Key

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Changes:
        """All its writes; BadInput for a key that is none."""
        walked = capture.walked
        return changes_of(walked, place_of(self.key, walked.lights_at(len(capture.events))))


def changes_of(walked: Walk, place: StatePlace) -> Changes:
    """The writes of one place."""
    states, slots = walked.states, range(place.slot, place.slot + place.count)
    histories = [states.history(slot) for slot in slots]
    events = np.unique(np.concatenate([events for events, _ in histories]))
    start = np.array([states.start(slot) for slot in slots], np.uint32)
    words = np.empty((len(events) + 1, place.count), np.uint32)
    words[0] = start
    for column, (written, values) in enumerate(histories):
        latest = np.searchsorted(written, events, side="right") - 1
        known = np.concatenate([values, start[column : column + 1]])  # place -1: what it started as
        words[1:, column] = known[latest]
    following = np.append(events[1:], NEVER)[: len(events)]
    draws = walked.uses.between(events, following, np.full(len(events), layout([place]).cleared[0]))
    return Changes(place, start, events, words[1:], words[:-1], (words[1:] == words[:-1]).all(1), draws, walked.initial[events])
