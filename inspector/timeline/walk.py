"""One walk over the whole tape that follows state without drawing: last writers of slots, creation of lights."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.cancel import unbroken
from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.rules.answers import AnswerCheck
from core.ddi.rules.check import Finding
from core.ddi.rules.facts import DriverFacts
from core.device.registers.vector import WriteLog
from core.spec.calls import CALLS
from core.spec.effects import EventKind
from core.spec.slots import DEFAULTS
from inspector.progress import Progress
from inspector.tape.columns import Long, zeros
from inspector.timeline.events import Events
from inspector.timeline.liveness import Follower, Liveness, handles_of, joining
from inspector.timeline.quiet import Quiet
from inspector.timeline.states import StateTimeline, Writes, sorting
from inspector.timeline.uses import Uses, counting

CALLS_A_PIECE = 16
WHOLE = 0.5
"""Seconds that a piece by a driver of its own, which is slow, is not cancelled: a call may have any number of tokens."""
WALKING = "following state"
MANY = 1 << 24  # writes
LAST = 0.05  # of the time: sorting what was written down


@dataclass(frozen=True, slots=True)
class Walk:
    """The state index; findings a walk without drawing shows.

    `lights`, `palettes`: number -> (first slot, event that created it).  `initial` bool[events]: events by which the runtime
    set the state of a fresh or reset device.  `uses`: draws and clears so far.
    `refused`: DDI calls that the driver answers with an error; of DrawPrimitives2 what precedes the error was executed.
    """

    states: StateTimeline
    lights: dict[int, tuple[int, int]]
    palettes: dict[int, tuple[int, int]]
    initial: np.ndarray
    uses: Uses
    refused: frozenset[int]
    liveness: Liveness
    findings: tuple[Finding, ...]

    def lights_at(self, event: int) -> tuple[tuple[int, int], ...]:
        """(number, first slot) of the lights that exist after an event."""
        return tuple((light, slot) for light, (slot, born) in self.lights.items() if born <= event)


class LongLog(WriteLog):
    """Of all writes of a tape, in mapped files where they are many."""

    def __init__(self) -> None:
        super().__init__()
        self._long = Long(len(self._keys), np.uint64), Long(len(self._values), np.uint32)
        self._keys, self._values = (column.rows for column in self._long)

    def grow(self) -> None:
        """Twice the room, or a quarter more of a file, in which nothing is copied."""
        count = len(self._keys)
        self._keys, self._values = self._longer(2 * count if count < MANY else count + count // 4)

    def _longer(self, room: int) -> tuple[np.ndarray, np.ndarray]:
        for column in self._long:
            column.grow(room)
        return self._long[0].rows, self._long[1].rows


class Walker:
    """Follows the current context's registers through one log."""

    def __init__(self, driver: EmulatedDriver | None) -> None:
        self.driver = driver or EmulatedDriver(draws=False, check=True, follows=True)
        self.driver.facts = DriverFacts()  # only what the tape says
        self.answers = AnswerCheck(self.driver.facts)
        self.log = LongLog()
        self.registers = self.driver.device.registers
        self.registers.log = self.log
        self.follower = Follower()
        self.driver.executor.follower = self.follower.token

    def go(self, call: DdiCall, seq: int) -> None:
        """Carries out one call whose first event is `seq`."""
        device = self.driver.device
        context = device.contexts.get(call.args.get("context", -1))
        if call.entry == "DrawPrimitives2" and context is not None:
            device.select(context)
            self._follow(seq)
        self.driver.findings.extend(self.answers.findings(call, seq))
        ends = handles_of(self.driver, call)
        self.driver.run(call, seq)
        self.follower.call(self.driver, call, seq, ends)
        self._follow(seq)

    def _follow(self, seq: int) -> None:
        """After a change of context: the other context's values count as written by this event."""
        registers = self.driver.device.registers
        if registers is self.registers:
            return
        before, self.registers.log = self.registers.vector, None
        self.registers = registers
        registers.log = self.log
        shared = min(len(before), len(registers.vector))
        for slot in np.flatnonzero(before[:shared] != registers.vector[:shared]).tolist():
            self.log.append(slot, seq, registers.vector[slot : slot + 1])


def _caused_by(events: Events, source: int) -> range:
    """The events of one API call."""
    low, high = np.searchsorted(events.rows["source"], [source, source + 1])
    return range(int(low), int(high))


def _mask(spans: list[range], count: int) -> np.ndarray:
    mask = zeros(count, bool)
    for span in spans:
        mask[span.start : span.stop] = True
    return mask


def walk(
    calls: Sequence[DdiCall], events: Events, progress: Progress | None = None, driver: EmulatedDriver | None = None
) -> Walk:
    """The state index of a tape; `driver`: one that draws nothing, instead of a plain one."""
    pieces = walking(calls, events, driver)
    while True:
        try:
            fraction = next(pieces)
        except StopIteration as end:
            found: Walk = end.value
            return found
        if progress:
            progress(fraction, WALKING)


def walking(calls: Sequence[DdiCall], events: Events, driver: EmulatedDriver | None = None) -> Generator[float, None, Walk]:
    """`walk` bit by bit: yields how far it is.  Nothing cancels it within a piece, so that anybody can go on with it.

    With a driver of its own, a piece that takes long raises Cancelled; nobody can go on with that walk.
    """
    return Walking(driver).over(calls, events)


class Walking:
    """A walk over a tape that may grow: it goes on where it was."""

    def __init__(self, driver: EmulatedDriver | None = None) -> None:
        """`driver`: one that draws nothing, instead of a plain one."""
        self._walker = Walker(driver)
        self._plain = driver is None
        self._quiet: Quiet | None = None
        self._seen = _Seen([], set(), [])
        self._done = 0  # calls

    def over(self, calls: Sequence[DdiCall], events: Events) -> Generator[float, None, Walk]:
        """The walk up to the end of `calls`, which are those of before and perhaps more; yields how far it is.

        Whoever gives up between two pieces leaves it where the next one goes on.
        """
        walker, quiet, total = self._walker, self._for(calls, events), len(calls)
        size, whole = (CALLS_A_PIECE, math.inf) if self._plain else (1, WHOLE)
        while self._done < total:
            yield (1 - LAST) * self._done / total
            with unbroken(whole):
                for number in range(self._done, min(self._done + size, total)):
                    if quiet is None:
                        _go(walker, self._seen, number, calls[number], events)
                    elif not quiet.take(number):
                        call = calls[number]
                        quiet.watch(number, call, partial(_go, walker, self._seen, number, call, events))
                    self._done = number + 1
        with unbroken():
            if quiet is not None:
                quiet.flush()
        pieces = _indexed(walker, self._seen, events)
        while True:
            yield 1 - LAST
            try:
                with unbroken():
                    next(pieces)
            except StopIteration as end:
                found: Walk = end.value
                return found

    def _for(self, calls: Sequence[DdiCall], events: Events) -> Quiet | None:
        """What takes many calls at a time, for a tape of this length."""
        if self._plain:
            self._quiet = self._quiet or Quiet(self._walker)
            self._quiet.look_at(calls, events)
        return self._quiet


@dataclass(frozen=True, slots=True)
class _Seen:
    """Of the calls so far: events by which the runtime set states; numbers of refused ones and of clears."""

    initial: list[range]
    refused: set[int]
    clears: list[int]


def _go(walker: Walker, seen: _Seen, number: int, call: DdiCall, events: Events) -> None:
    span = events.of_call(number)
    walker.go(call, span.start)
    if call.result:
        seen.refused.add(number)
    if call.entry in CALLS and CALLS[call.entry].kind == EventKind.CLEAR:
        seen.clears.append(number)
    if call.entry == "ContextCreate" or call.args.get("label") == "primary":
        seen.initial.append(_caused_by(events, call.source) if call.source >= 0 else span)


def _indexed(walker: Walker, seen: _Seen, events: Events) -> Generator[float, None, Walk]:
    """What was written down, as an index.  Nothing looks at Stop within a piece."""
    writes = Writes(walker.log.keys, walker.log.values)
    states = yield from sorting(writes, DEFAULTS.astype(np.uint32))
    lights, palettes = (_births(slots, states) for slots in (walker.registers.light_slot, walker.registers.palette_slot))
    uses, findings = (yield from counting(events, seen.clears)), tuple(walker.driver.findings)
    passes = yield from joining(walker.follower, states)
    liveness = Liveness.of(walker.follower, passes)
    yield 0.0
    initial = _mask(seen.initial, len(events))
    return Walk(states, lights, palettes, initial, uses, frozenset(seen.refused), liveness, findings)


def _births(slots: Mapping[int, int], states: StateTimeline) -> dict[int, tuple[int, int]]:
    """Number -> (first slot, event of its first write) of objects that have numbered slots."""
    first = {number: states.history(slot)[0][:1].tolist() for number, slot in slots.items()}
    return {number: (slot, *(first[number] or [0])) for number, slot in slots.items()}
