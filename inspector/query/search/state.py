"""Conditions on device state as masks over all events, from the sorted last-writer index.

`ALPHAREF > 128` holds at an event if the value in force after it does; of several values (FOG*) if any does, and of a value of
several numbers (WORLD0) if any number does: WORLD0[3][0], MATERIAL.Diffuse.r, VSCONST[4].x name one.  What does not exist at
an event, a light before its creation, fulfils nothing.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from core.spec.kinds import F32, HANDLE, I32, SHADER, Kind
from core.spec.slots import LIGHT_FIELDS
from inspector.query.search.syntax import Compare, FilterError
from inspector.query.state.history import changes_of
from inspector.query.state.places import Lights, StatePlace, meant, places_like
from inspector.timeline.uses import FOR_CLEARS
from inspector.timeline.walk import Walk

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
DEFAULT = "default"
_LIGHT = re.compile(rf"light\[(\d+|\*)\](\.({'|'.join(LIGHT_FIELDS)}|\*)(\.[xyzwrgba])?)?", re.I)
_COMPONENT = re.compile(r"(.+?)(?:\.([xyzwrgba])|\._([1-4])([1-4])|\[(\d+)\](?:\[(\d+)\])?)$", re.I)


class StateMasks:
    """Masks over the events of a tape."""

    def __init__(self, walked: Walk, count: int) -> None:
        self.walked, self.count = walked, count
        self.lights: Lights = walked.lights_at(count)
        self._unused: np.ndarray | None = None  # writes to all slots, once they were asked for

    def nothing(self) -> np.ndarray:
        return np.zeros(self.count, bool)

    # ---- names
    def places(self, name: str) -> list[tuple[StatePlace, int | None]]:
        """The places that a name means, and which of its numbers (None: any)."""
        found = places_like(name, self.lights)
        if found:
            return [(place, None) for place in found]
        parts = _COMPONENT.fullmatch(name)
        if not parts:
            return []
        whole, letter, row, column, first, second = parts.groups()
        component = "xyzwrgba".index(letter.lower()) % 4 if letter else int(first or 0)
        if row:
            component = 4 * (int(row) - 1) + int(column) - 1
        elif second:
            component = 4 * component + int(second)
        return [(place, component) for place in places_like(whole, self.lights) if component < place.count > 1]

    def known(self, name: str) -> bool:
        """Whether it is the name of state; lights that the tape does not have count too."""
        return bool(self.places(name) or _LIGHT.fullmatch(name))

    def required(self, name: str, column: int) -> list[StatePlace]:
        """The places of a name that names some; FilterError else."""
        found = [place for place, _ in self.places(name)]
        if not found and not self.known(name):
            hint = meant(name, self.lights) or "; examples: ALPHAREF, COLOROP[0], FOG*"
            raise FilterError(column, f"unknown state {name!r}{hint}", len(name))
        return found

    # ---- values in force
    def compare(self, wanted: Compare) -> np.ndarray:
        """The events after which the condition holds."""
        masks, problems = [], []
        for place, component in self.places(wanted.name):
            try:
                masks.append(self._of_place(place, component, wanted))
            except ValueError as error:
                problems.append(f"{place.name}: {error}")
        if problems and not masks:
            raise FilterError(wanted.value_column, problems[0], len(wanted.value))
        return np.logical_or.reduce(masks) if masks else self.nothing()

    def _of_place(self, place: StatePlace, component: int | None, wanted: Compare) -> np.ndarray:
        if wanted.op == "!=":
            mask = ~self._of_place(place, component, Compare(wanted.name, "==", wanted.value, 0, 0, wanted.quoted))
        elif wanted.value.casefold() == DEFAULT and wanted.op == "==" and not wanted.quoted:
            tests = [lambda raw, word=word: raw == word for word in place.default]
            words = range(place.count) if component is None else [component]
            mask = np.logical_and.reduce([self._in_force(place.slot + word, tests[word]) for word in words])
        else:
            test = condition(place.kind, wanted.op, wanted.value)
            words = range(place.count) if component is None else [component]
            mask = np.logical_or.reduce([self._in_force(place.slot + word, test) for word in words])
        if (born := self._lives_from(place)) > 0:
            mask[:born] = False
        return mask

    def _lives_from(self, place: StatePlace) -> int:
        """The event from which a place exists."""
        return int(self.walked.lights[int(place.key[1])][1]) if place.key[0] == "LIGHT" else 0

    def _in_force(self, slot: int, test: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Where the value of one slot passes a test: bool[events]."""
        states = self.walked.states
        seqs, values = states.history(slot)
        raw = np.concatenate([[np.uint32(states.start(slot))], values]).astype(np.uint32)
        return self.expand(seqs, np.asarray(test(raw), bool))

    def expand(self, seqs: np.ndarray, truths: np.ndarray) -> np.ndarray:
        """truths[0] until the first of `seqs`, truths[k + 1] from seqs[k] on."""
        return np.repeat(truths, np.diff(np.concatenate([[0], seqs, [self.count]])))

    # ---- writes
    def written(self, places: Iterable[StatePlace], changed: bool = False) -> np.ndarray:
        """The events that set one of the places; with `changed` only those that leave another value than they found."""
        states, mask = self.walked.states, self.nothing()
        for place in places:
            span = states.span_of(place.slot, place.count)
            if span is None:
                continue
            seqs = states.seqs[span]
            mask[seqs[states.changes[span]] if changed else seqs] = True
        return mask

    def all_written(self, changed: bool = False) -> np.ndarray:
        """The events that set any state."""
        states, mask = self.walked.states, self.nothing()
        mask[states.seqs[states.changes] if changed else states.seqs] = True
        return mask

    def unused(self, places: Iterable[StatePlace]) -> np.ndarray:
        """The events that set a value which is overwritten before any draw uses it."""
        mask, single = self.nothing(), np.zeros(len(self.walked.states.first), bool)
        for place in places:
            if place.count == 1:
                single[place.slot : place.slot + 1] = True  # slots that nothing writes lie beyond
                continue
            if not self.walked.states.span_of(place.slot, place.count):
                continue
            changes = changes_of(self.walked, place)
            mask[changes.event[changes.unused & ~changes.by_runtime]] = True
        vain = self.walked.states.seqs[self.unused_writes(single)]
        mask[vain[~self.walked.initial[vain]]] = True
        return mask

    def unused_writes(self, wanted: np.ndarray) -> np.ndarray:
        """bool a write: it is to one of the slots (`wanted` bool[slots]), and overwritten before any draw uses it."""
        if self._unused is not None:
            return self._unused & wanted[self.walked.states.slots]
        found = self._find_unused(wanted)
        if wanted.all():
            self._unused = found
        return found

    def _find_unused(self, wanted: np.ndarray) -> np.ndarray:
        states = self.walked.states
        final = states.final[wanted[states.slots[states.final]]]
        seqs, slots = states.seqs[final].astype(np.int64), states.slots[final]
        here, after = np.flatnonzero(slots[1:] == slots[:-1]), seqs[1:]
        cleared = FOR_CLEARS[np.minimum(slots, len(FOR_CLEARS) - 1)] & (slots < len(FOR_CLEARS))
        uses = self.walked.uses.between(seqs[here], after[here], cleared[here])
        found = np.zeros(len(states), bool)
        found[final[here[uses == 0]]] = True
        return found

    def writers(self, place: StatePlace) -> np.ndarray:
        """The event that set the value in force after each event; -1: nothing did."""
        states = self.walked.states
        latest = np.full(self.count, -1, np.int64)
        for slot in range(place.slot, place.slot + place.count):
            seqs, _ = states.history(slot)
            latest = np.maximum(latest, self.expand(seqs, np.concatenate([[-1], seqs])))
        return np.where((latest >= 0) & self.walked.initial[latest], -1, latest)

    def set_by(self, event: int) -> np.ndarray:
        """The events after which something that `event` set is still in force."""
        states, mask = self.walked.states, self.nothing()
        if not 0 <= event < self.count:
            return mask
        mine = np.flatnonzero(states.seqs == event)
        slots = np.searchsorted(states.first, mine, side="right") - 1
        for slot in np.unique(slots).tolist():
            seqs = states.seqs[states.span(slot)]
            after = np.searchsorted(seqs, event, side="right")
            mask[event : int(seqs[after]) if after < len(seqs) else self.count] = True
        return mask


def condition(kind: Kind, op: str, text: str) -> Callable[[np.ndarray], np.ndarray]:
    """A test of raw dwords (uint32).  ValueError for a value that such a state cannot have."""
    if op == "~":
        return lambda raw: _texts_with(kind, raw, text)
    if op == "&":
        number = number_of(kind, text)
        if not number.is_integer():
            raise ValueError(f"& looks for bits: {text!r} is not a whole number")
        bits = int(number)
        return lambda raw: (raw & np.uint32(bits & 0xFFFFFFFF)) != 0
    if ".." in text and op == "==":
        low, high = (number_of(kind, part) for part in text.split("..", 1))
        return lambda raw: (numbers(kind, raw) >= low) & (numbers(kind, raw) <= high)
    given = number_of(kind, text)
    return lambda raw: COMPARISONS[op](numbers(kind, raw), given)


def numbers(kind: Kind, raw: np.ndarray) -> np.ndarray:
    """Dwords as what they mean, float64."""
    raw = np.ascontiguousarray(raw, np.uint32)
    view = raw.view(np.float32) if kind is F32 else raw.view(np.int32) if kind is I32 else raw
    return view.astype(np.float64)


def number_of(kind: Kind, text: str) -> float:
    """A value as it is typed: 8, 0x80, 1.5, LESSEQUAL, true, #12, none.  ValueError for others."""
    if kind in (HANDLE, SHADER):
        text = "0" if text.casefold() == "none" else text.removeprefix("#")
    plain = kind is F32 or kind is I32
    for attempt in (text, text.upper()):
        try:
            return float(attempt) if plain else float(kind.raw(attempt))
        except (ValueError, KeyError):
            pass
    try:
        return float(int(text, 0)) if text.casefold().startswith("0x") else float(text)
    except ValueError:
        raise ValueError(f"unknown value {text!r}{_examples(kind)}") from None


def _examples(kind: Kind) -> str:
    if kind.members is None:
        return "; expected a number"
    names = [member.name or "" for member in kind.members]
    return f"; expected {', '.join(names[:12])}{' ...' if len(names) > 12 else ''}"


def _texts_with(kind: Kind, raw: np.ndarray, words: str) -> np.ndarray:
    """Where the text has these words in it."""
    values, places = np.unique(raw, return_inverse=True)
    return np.array([words.casefold() in kind.text(int(value)).casefold() for value in values], bool)[places]
