"""A tape with edits applied: changed calls, and a driver that suppresses, forces and replaces during execution.

Together they are another timeline of the tape (EditedTimeline), under the event numbers of the original.

The tape itself is not touched, and event numbers stay what they are: an event that does not happen keeps its number.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.device.memory.surfaces import SurfacePart
from core.spec import slots
from inspector.progress import Cancel
from inspector.tape.sequence import CallSequence
from inspector.timeline.events import Events
from inspector.timeline.logged import LoggedFrame
from inspector.timeline.replay import Replay, usual_threads
from inspector.timeline.timeline import Timeline
from inspector.timeline.walk import Walk


@dataclass(frozen=True, slots=True)
class Forced:
    """Consecutive slots that have these values in events first..last, and `after` (what they would have had) from then on."""

    slot: int
    values: np.ndarray
    first: int
    last: int
    after: np.ndarray


class Replaced(Protocol):
    """Contents that a surface has from event `first` on."""

    handle: int
    first: int

    def rows(self, part: SurfacePart) -> np.ndarray | None:
        """The bytes of a subresource, uint8[size]; None: it keeps its own."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """What a driver does otherwise.

    `skipped` bool[events]; `primitives` event -> (first, last) that are drawn; `breaks`: positions, ascending, before which the
    driver has to look at what is forced or replaced.  `first`: the first event that may differ.
    """

    skipped: np.ndarray
    forced: tuple[Forced, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    primitives: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    breaks: tuple[int, ...] = ()
    first: int = 0

    def stops(self, start: int, end: int) -> Iterator[int]:
        """The breaks in start+1..end-1, and `end`."""
        yield from self.breaks[bisect_right(self.breaks, start) : bisect_left(self.breaks, end)]
        yield end


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, and the tape it is for: `edited` calls by number, `events` with their bytes; `same_state`: no state differs."""

    plan: Plan
    edited: Mapping[int, DdiCall]
    events: Events
    same_state: bool


class EditedDriver(EmulatedDriver):
    """Executes the calls of an edited tape after a plan."""

    def __init__(self, plan: Plan, events: Events, **options: Any) -> None:
        super().__init__(follows=True, **options)
        self.plan, self._events = plan, events
        self._ours: set[int] = set()  # versions of contents that are replaced ones

    def call(self, call: DdiCall) -> DdiCall:
        """Carries a call out, unless it is left out."""
        if call.entry == "DrawPrimitives2":
            return self.run(call, self.seq)
        if self.plan.skipped[self.seq]:
            return self._leave_out(call, self.seq + 1)
        self._arrange(self.seq)
        self._carry_out(call)
        self._keep(self.seq - 1)
        return call

    def _carry_out(self, call: DdiCall) -> None:
        """A call without records."""
        if call.entry == "DrawPrimitives2":
            super().run(call, self.seq)
        else:
            super().call(call)

    def run(self, call: DdiCall, first_seq: int, start: int = 0, stop: int | None = None) -> DdiCall:
        """Carries out records start..stop-1 of a call, but for those that are left out."""
        self.seq = first_seq + start
        if call.entry != "DrawPrimitives2":
            return self.call(call)
        count = self._count_of(first_seq)
        if not count:
            if self.plan.skipped[first_seq]:
                return self._leave_out(call, first_seq + 1)
            self._carry_out(call)
            return call
        self._select(call)
        at, end = self.seq, first_seq + (count if stop is None else stop)
        for until in self.plan.stops(at, end) if at < end else ():
            self._arrange(at)
            if self.plan.skipped[at]:
                self._leave_out(call, until)
            else:
                self._run_part(call, first_seq, at, until)
            at = until
            self._keep(at - 1)
        return call

    def _count_of(self, first_seq: int) -> int:
        """How many records the call of an event has."""
        span = self._events.of_call(int(self._events.rows["call"][first_seq]))
        return len(span) if self._events.rows["op"][span.start] else 0

    def _run_part(self, call: DdiCall, first_seq: int, at: int, until: int) -> None:
        kept = self.plan.primitives.get(at)
        if kept is None or not self.device.draws:
            super().run(call, first_seq, at - first_seq, until - first_seq)
            return
        with self.executor.lane.confined(only=kept):
            super().run(call, first_seq, at - first_seq, until - first_seq)

    def _leave_out(self, call: DdiCall, until: int) -> DdiCall:
        call.result, call.out, self.seq = 0, {}, until
        return call

    def _select(self, call: DdiCall) -> None:
        """The call's context, now: what is forced is forced there."""
        context = self.device.contexts.get(call.args.get("context", 0))
        if self.plan.forced and context is not None:
            self.select(context)

    # ---- what is forced or replaced ------------------------------------------------------------------------------------
    def _arrange(self, seq: int) -> None:
        """State and contents as event `seq` is to find them."""
        for one in self.plan.forced:
            if seq == one.last + 1:
                self._force(one.slot, one.after, seq)
        self._keep(seq)

    def _keep(self, seq: int) -> None:
        """What is forced or replaced at event `seq`, again, in its name."""
        for one in self.plan.forced:
            if one.first <= seq <= one.last:
                self._force(one.slot, one.values, seq)
        if self.device.draws:
            for replaced in self.plan.replaced:
                if replaced.first <= seq:
                    self._replace(replaced, seq)

    @contextmanager
    def ready_for(self, seq: int) -> Iterator[None]:
        """State that event `seq` is to find, while the driver is before it."""
        registers = self.device.registers
        held = [(one.slot, registers.vector[one.slot : one.slot + len(one.values)].copy()) for one in self.plan.forced]
        self._arrange(seq)
        yield
        if self.seq == seq and registers is self.device.registers:
            for slot, values in held:
                self._force(slot, values, seq)

    def _force(self, slot: int, values: np.ndarray, seq: int) -> None:
        registers = self.device.registers
        held = registers.vector[slot : slot + len(values)]
        if registers.recording or len(held) < len(values) or np.array_equal(held, values):
            return
        if slot in (slots.RENDER_TARGET, slots.DEPTH_STENCIL):
            self.device.note(seq, "targets", self.device.context, registers.targets)
        self._write(slot, values, seq)

    def _write(self, slot: int, values: np.ndarray, seq: int) -> None:
        self.device.registers.write(slot, values, seq)

    def _replace(self, replaced: Replaced, seq: int) -> None:
        surface = self.device.memory.surfaces.get(replaced.handle)
        if surface is None:
            return
        self.device.flush()  # what was drawn into it is drawn before it is replaced
        for part in surface.parts:
            if part.version in self._ours:
                continue
            rows = replaced.rows(part)
            if rows is not None:
                self._put(part, rows, seq)
                self._ours.add(part.version)

    def _put(self, part: SurfacePart, rows: np.ndarray, seq: int) -> None:
        self.device.before_write(part, seq)
        part.write_linear(whole=True)[:] = rows


# ---- the tape ----------------------------------------------------------------------------------------------------------


def edited_calls(calls: Sequence[DdiCall], edited: Mapping[int, DdiCall]) -> CallSequence:
    """The calls of a tape, some of which read differently."""

    def fetch(number: int) -> DdiCall:
        found = edited.get(number)
        if found is None:
            return calls[number]
        return DdiCall(found.entry, dict(found.args), dict(found.data), found.result, dict(found.out), found.source)

    return CallSequence(len(calls), fetch)


class EditedReplay(Replay):
    """The replay of an edited tape: what lies before the first edit is the original's to answer."""

    def __init__(self, original: Replay, timeline: EditedTimeline, position: int) -> None:
        """`position`: a frame's first event, up to which nothing is edited; the driver starts as the original's is there."""
        driver = timeline.driver(threads=usual_threads())
        with original.before(position) as there:
            driver.adopt(there.snapshot())
        starts, budgets = timeline.starts.tolist(), timeline.budgets
        super().__init__(timeline.calls, timeline.events, starts, budgets, driver=driver, start=position)
        self._original, self._edited, self._first = original, driver, position

    @contextmanager
    def at(self, event: int, cancel: Cancel | None = None) -> Iterator[EmulatedDriver]:
        with self._original.at(event, cancel) if event + 1 < self._first else super().at(event, cancel) as driver:
            yield driver

    @contextmanager
    def before(self, event: int, cancel: Cancel | None = None, drawn: bool = False) -> Iterator[EmulatedDriver]:
        if event < self._first:
            with self._original.before(event, cancel, drawn) as driver:
                yield driver
            return
        with super().before(event, cancel) as driver, self._edited.ready_for(event):
            yield driver

    def logged(self, event: int, cancel: Cancel | None = None, keep: bool = True, whole: bool = True) -> LoggedFrame:
        logged = self._original.logged if event < self._first else super().logged
        return logged(event, cancel, keep, whole)


class EditedTimeline(Timeline):
    """The timeline of a tape as it would be with edits; shares with the original what lies before the first one.

    Nothing of it is kept on disk: the side cache there is of the tape as it is.
    """

    def __init__(self, original: Timeline, planned: Planned) -> None:
        calls = edited_calls(original.calls, planned.edited)
        super().__init__(calls, planned.events, original.all_frames, original.frames, original.budgets, lambda: "")
        self.plan, self.skipped = planned.plan, planned.plan.skipped
        self._original, self._same_state = original, planned.same_state

    def driver(self, threads: int = 1, draws: bool = True, check: bool = False) -> EditedDriver:
        """A fresh driver that executes the calls, edits and all."""
        return EditedDriver(self.plan, self.events, threads=threads, draws=draws, check=check)

    def _make_walk(self) -> Walk:
        """Of edits that leave state alone, the original's."""
        if self._same_state:
            return self._original.walked
        return self._walk_on()

    def _walker(self) -> EditedDriver:
        return self.driver(draws=False, check=True)

    def _make_replay(self) -> Replay:
        """A device of its own, which starts from the original's keyframe before the first edit."""
        before = self.starts[self.starts <= self.plan.first]
        return EditedReplay(self._original.replay, self, int(before[-1]) if len(before) else 0)
