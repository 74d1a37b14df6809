"""State at an event: each value, its text, the event that wrote it, the value before, and whether it was used.

The answer is columns (`Values`); texts are made when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from core.spec.slots import Key
from core.spec.stages import STAGE_NAMES
from inspector.progress import Cancel
from inspector.query.state.places import (
    Layout,
    Lights,
    StatePlace,
    kind_name,
    layout,
    layout_of_stage,
    place_of,
    places_with,
    rows_of,
    text_of,
    value_of,
)
from inspector.timeline.states import NEVER, NO_WRITER, Found
from inspector.timeline.walk import Walk

if TYPE_CHECKING:
    from inspector.capture import Capture


FEW = 3
"""Values of a state that are looked up one at a time."""


class Values:
    """Values of device state after an event, as columns with one row per value.

    `layout.places[n]` says what value n is; its dwords are words[starts[n]:starts[n + 1]], those before its last write
    `before` alike.  `writer` int64: the event that set it (of several dwords: the latest); -1: nothing did, or only the
    creation or reset of the device, which `created` has then.  `following`: the next event that sets it; NEVER without.
    """

    def __init__(self, walked: Walk, event: int, wanted: Layout) -> None:
        found: Found = walked.states.find(event, wanted.slots, wanted.starts)
        self._walked, self.event, self.layout, self.places = walked, event, wanted, wanted.places
        self.words, self.before, self._wrote, self.following = found
        by_runtime = walked.initial[np.maximum(found.writer, 0)] & (found.writer >= 0) if len(walked.initial) else False
        self.writer = np.where(by_runtime, NO_WRITER, found.writer)
        self.created = np.where(by_runtime, found.writer, NO_WRITER)

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, row: int) -> Value:
        return Value(self, row)

    def __iter__(self) -> Iterator[Value]:
        return (Value(self, row) for row in range(len(self.places)))

    def _every(self, fits: np.ndarray) -> np.ndarray:
        """Of one bool a dword: whether all of a value's are true."""
        return np.logical_and.reduceat(fits, self.layout.starts[:-1]) if len(self.places) else np.zeros(0, bool)

    @cached_property
    def is_default(self) -> np.ndarray:
        """bool: it is what a fresh context has, whoever set it."""
        return self._every(self.words == self.layout.defaults)

    @cached_property
    def redundant(self) -> np.ndarray:
        """bool: its writer set it to what it was."""
        return self._every(self.words == self.before) & (self.writer >= 0)

    @cached_property
    def draws(self) -> np.ndarray:
        """int64: how many draws it is in force for, from its writer to the next one.

        For the render target, the depth surface and the viewport clears count too.
        """
        return self._walked.uses.between(self._wrote, self.following, self.layout.cleared)

    @cached_property
    def unused(self) -> np.ndarray:
        """bool: it was set and is overwritten before any draw uses it."""
        return (self.writer >= 0) & (self.following < NEVER) & (self.draws == 0)

    def raw(self, row: int, before: bool = False) -> tuple[int, ...]:
        """The dwords of one value."""
        starts = self.layout.starts
        return tuple((self.before if before else self.words)[starts[row] : starts[row + 1]].tolist())


class Value:
    """One value of device state after an event: a row of `Values`."""

    __slots__ = ("_row", "_values")

    def __init__(self, values: Values, row: int) -> None:
        self._values, self._row = values, row

    def __repr__(self) -> str:
        return f"Value({self.name} = {self.text})"

    @property
    def place(self) -> StatePlace:
        return self._values.places[self._row]

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
    def raw(self) -> tuple[int, ...]:
        """Its dwords."""
        return self._values.raw(self._row)

    @property
    def value(self) -> Any:
        """An int, float, bool or enumeration member, a tuple of them, or a (4, 4) float32 array."""
        return value_of(self.place.kind, self.raw)

    @property
    def text(self) -> str:
        return text_of(self.place.kind, self.raw)

    @property
    def writer(self) -> int | None:
        """The event that set it last; None: nothing did."""
        writer = int(self._values.writer[self._row])
        return None if writer == NO_WRITER else writer

    @property
    def created(self) -> int | None:
        """The creation or reset of the device that set it last; None: something else did, or nothing."""
        created = int(self._values.created[self._row])
        return None if created == NO_WRITER else created

    @property
    def before(self) -> Any:
        """What it was before its writer, as `value`."""
        return value_of(self.place.kind, self._values.raw(self._row, before=True))

    @property
    def before_text(self) -> str:
        return text_of(self.place.kind, self._values.raw(self._row, before=True))

    @property
    def following(self) -> int | None:
        """The next event that sets it; None: none does."""
        following = int(self._values.following[self._row])
        return None if following == NEVER else following

    @property
    def draws(self) -> int:
        """How many draws it is in force for, from its writer to the next one."""
        return int(self._values.draws[self._row])

    @property
    def is_default(self) -> bool:
        """Whether it is what a fresh context has, whoever set it."""
        return bool(self._values.is_default[self._row])

    @property
    def redundant(self) -> bool:
        """Whether its writer set it to what it was."""
        return bool(self._values.redundant[self._row])

    @property
    def unused(self) -> bool:
        """Whether it is overwritten before any draw uses it."""
        return bool(self._values.unused[self._row])

    @property
    def kind(self) -> str:
        """What the panels need to know to draw it."""
        return kind_name(self.place.kind, self.raw)


class DeviceState(Mapping[Key, Value]):
    """The device state after one event: a mapping from key to Value, computed when asked."""

    def __init__(self, walked: Walk, event: int) -> None:
        self.event, self.walked = event, walked
        self._lights: Lights = walked.lights_at(event)
        self._alone = 0  # values that were looked up one at a time

    @property
    def places(self) -> Mapping[Key, StatePlace]:
        """Every key there is at this event."""
        return places_with(self._lights)

    def __repr__(self) -> str:
        return f"<DeviceState after event {self.event}: {len(self)} values, {len(self.off_default)} not at their default>"

    def _repr_html_(self) -> str:
        """A notebook shows what is not at its default."""
        cells = ((value.stage, value.name, value.text, value.writer) for value in self.off_default)
        rows = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in cells)
        return f"<table><tr><th>stage<th>state<th>value<th>set by event</tr>{rows}</table>"

    def __getitem__(self, key: Key) -> Value:
        """One value: the first few are looked up alone, then all of them at once."""
        place = self.places[key]
        if self._alone < FEW:
            self._alone += 1
            return self._values(layout([place]))[0]
        return self._all[rows_of(self._all.layout)[key]]

    @cached_property
    def _all(self) -> Values:
        return self._values(layout_of_stage(None, self._lights))

    def __iter__(self) -> Iterator[Key]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def _values(self, wanted: Layout) -> Values:
        return Values(self.walked, self.event, wanted)

    def values_of(self, stage: str | None = None) -> Values:
        """All values, or those of one pipeline stage, as columns."""
        return self._all if stage is None else self._values(layout_of_stage(stage, self._lights))

    def rows(self, stage: str | None = None) -> list[Value]:
        """All values, or those of one pipeline stage, in the order of the rule book."""
        return list(self.values_of(stage))

    def by_stage(self) -> dict[str, list[Value]]:
        """All values, grouped by pipeline stage, in pipeline order."""
        groups: dict[str, list[Value]] = {name: [] for name in STAGE_NAMES}
        for value in self.rows():
            groups.setdefault(value.stage, []).append(value)
        return groups

    @cached_property
    def off_default(self) -> list[Value]:
        """What is not at its default."""
        return [value for value in self.values_of() if not value.is_default]

    @cached_property
    def changed(self) -> list[Value]:
        """What this very event wrote."""
        values = self.values_of()
        return [values[row] for row in np.flatnonzero(values.writer == self.event).tolist()]


@dataclass(frozen=True)
class StateAt:
    """The device state after an event: all of it, that of one pipeline stage, or of these keys."""

    event: int
    stage: str | None = None
    keys: tuple[Key, ...] | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Values:
        """The values as columns; BadInput for a key that is none."""
        state = capture.state(self.event)
        if self.keys is None:
            return state.values_of(self.stage)
        lights = capture.walked.lights_at(self.event)
        return Values(capture.walked, self.event, layout([place_of(key, lights) for key in self.keys]))


KEPT = 4
"""States that are kept: of the event, and of draws that a pixel is explained by."""


class States:
    """Those that were asked for last: several questions are about the same event.  Any thread."""

    def __init__(self) -> None:
        self._kept: tuple[DeviceState, ...] = ()

    def at(self, walked: Walk, event: int) -> DeviceState:
        """The state after an event."""
        kept = self._kept
        found = next((one for one in kept if one.event == event and one.walked is walked), None)
        if found is None:
            found = DeviceState(walked, event)
            self._kept = (found, *(one for one in kept[: KEPT - 1] if one.walked is walked))
        return found
