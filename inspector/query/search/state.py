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

from core.cancel import look, stoppable
from core.spec.kinds import BOOL, F32, HANDLE, I32, SHADER, Kind
from core.spec.slots import LIGHT_FIELDS
from inspector.query.search.syntax import Compare, FilterError
from inspector.query.state.places import Lights, StatePlace, meant, places_like
from inspector.timeline.fates import CHANGED, FINAL, UNUSED, Fates
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
        self.fates = Fates(walked)

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
        look()
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
        mask = self.nothing()
        for place in stoppable(places, 1):
            span = self.walked.states.span_of(place.slot, place.count)
            if span is not None:
                self.fates.spread(CHANGED if changed else FINAL, mask, span)
        return mask

    def all_written(self, changed: bool = False) -> np.ndarray:
        """The events that set any state."""
        mask = self.nothing()
        self.fates.spread(CHANGED if changed else FINAL, mask)
        return mask

    def unused(self, places: Iterable[StatePlace]) -> np.ndarray:
        """The events that set a value which is overwritten before any draw uses it."""
        states, mask = self.walked.states, self.nothing()
        for place in stoppable(places, 1):
            span = states.span_of(place.slot, place.count)
            if span is not None and place.count == 1:
                self.fates.spread(UNUSED, mask, span)
            elif span is not None:
                self.fates.spread_unused(place.slot, place.count, mask)
        return mask & ~self.walked.initial

    def writers(self, place: StatePlace) -> np.ndarray:
        """The event that set the value in force after each event; -1: nothing did."""
        states = self.walked.states
        latest = np.full(self.count, -1, np.int64)
        for slot in range(place.slot, place.slot + place.count):
            look()
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
    if kind is BOOL:
        return "; expected TRUE, FALSE or a number"
    if kind.members is None:
        return "; expected a number"
    names = [member.name or "" for member in kind.members]
    return f"; expected {', '.join(names[:12])}{' ...' if len(names) > 12 else ''}"


def _texts_with(kind: Kind, raw: np.ndarray, words: str) -> np.ndarray:
    """Where the text has these words in it."""
    values, places = np.unique(raw, return_inverse=True)
    return np.array([words.casefold() in kind.text(int(value)).casefold() for value in values], bool)[places]
