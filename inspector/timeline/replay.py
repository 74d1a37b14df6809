"""The device at any event: executes forward, jumps back to a keyframe; and any moment of a frame, from its log.

Positions count events: position p means that events 0..p-1 have been executed.
"""

from __future__ import annotations

import logging
import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext

import numpy as np

from core.cancel import cancellable, held, look
from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver, Snapshot
from core.ddi.rules.check import Finding
from core.device.past.moment import Moment
from core.device.past.rewind import Rewind
from core.device.past.tap import Tap
from core.errors import Cancelled, TapeError
from inspector.log import timed
from inspector.progress import Cancel
from inspector.timeline.alike import Alike, rest_of
from inspector.timeline.budgets import Budgets, usual_threads
from inspector.timeline.confined import Confinement
from inspector.timeline.events import Events
from inspector.timeline.kept import Kept
from inspector.timeline.keyframes import made_ahead
from inspector.timeline.logged import LoggedFrame
from inspector.timeline.memory import Memory
from inspector.timeline.pace import WORTH, Pace
from inspector.timeline.records import only_draws

log = logging.getLogger(__name__)
A_PART, A_TURN = 1 << 22, 64  # bytes of a log being made after which others may have to go; frames of a rectangle in a turn
A_REST, A_MOMENT = 16, 0.1  # events that draw nothing, logged with the one before; seconds to come back without a keyframe
FAR = 1.0  # seconds of going over frames after which a keyframe is kept for later openings

Dead = Callable[[int, int], np.ndarray]


class Replay:
    """One emulated device that is moved along the tape.  Safe to use from several threads, one at a time.

    `at` and `before` move the device, for what only a device can answer.  `moment` answers from the log of the frame: the frame
    is executed once, and the device need not move for any other event or primitive of it.
    """

    def __init__(
        self,
        calls: Sequence[DdiCall],
        events: Events,
        starts: Sequence[int],
        budgets: Budgets | None = None,
        driver: EmulatedDriver | None = None,
        start: int = 0,
        dead: Dead | None = None,
        kept: Kept | None = None,
    ) -> None:
        """`starts`: events at which frames begin, in order; a keyframe is kept at each as long as the budget allows.
        `driver`: one that is at event `start` (a frame's first); nothing before it is ever asked for.
        dead(first, stop) -> bool[stop]: what a jump from event `first` to just before `stop` may leave out.
        kept: keyframes of earlier openings.
        """
        self._calls, self._events, self._dead = calls, events, dead
        self._kept, self._alike = kept, Alike(kept)
        self._starts = sorted(set(starts))
        self._pace = Pace(kept.value("pace") if kept is not None else None)
        self._passing = False  # frames' starts are passed without a keyframe
        self._bounds = sorted({start, *(place for place in starts if place > start), len(events)})
        self._driver = driver or EmulatedDriver(threads=usual_threads(), follows=True)
        self._position = start
        self._tried: set[int] = set()  # positions of keyframes made in advance, perhaps dropped since
        self._lock = threading.RLock()
        self.memory = Memory(budgets or Budgets(), self._lock, start, self._driver.snapshot())
        self._keyframes, self._logs, self._room = self.memory.keyframes, self.memory.logs, self.memory.room

    def extend(self, calls: Sequence[DdiCall], events: Events, starts: Sequence[int], kept: Kept | None) -> None:
        """The same tape, of which more is known now: positions, keyframes and logs stay what they are."""
        with held(self._lock):
            first = self._bounds[0]
            self._calls, self._events, self._kept, self._alike.kept = calls, events, kept, kept
            self._starts = sorted(set(starts))
            self._bounds = sorted({first, *(place for place in starts if place > first), len(events)})

    def leave_out(self, dead: Dead) -> None:
        """What jumps may leave out is known now."""
        self._dead = dead

    @property
    def shortages(self) -> tuple[Finding, ...]:
        """Events that could not be executed for lack of memory."""
        return tuple(self._driver.shortages.values())

    @contextmanager
    def at(self, event: int, cancel: Cancel | None = None) -> Iterator[EmulatedDriver]:
        """The device just after `event`, for as long as the block runs; raises Cancelled between events."""
        with self._moving(cancel):
            self._seek(event + 1, cancel)
            yield self._driver

    @contextmanager
    def before(self, event: int, cancel: Cancel | None = None, drawn: bool = False) -> Iterator[EmulatedDriver]:
        """The device just before `event`; `drawn`: or just after it, if that has changed nothing but pixels."""
        with self._moving(cancel):
            if not (drawn and self._position == event + 1 and only_draws(self._calls, self._events, event)):
                self._seek(event, cancel)
            yield self._driver

    @contextmanager
    def _moving(self, cancel: Cancel | None) -> Iterator[None]:
        """The device for one thread.  Whoever gives up within a call leaves it where the tape is not: it goes back."""
        with cancellable(cancel), held(self._lock):
            self.memory.used = time.monotonic()
            try:
                yield
            except (Cancelled, MemoryError, KeyboardInterrupt, TapeError):
                self._driver.device.give_up()
                self._go_back_to(self._keyframes.before(self._position))
                raise

    # ---- any moment of a frame
    def moment(self, event: int, primitive: int | None = None, cancel: Cancel | None = None) -> Moment:
        """Everything just after `event`; `primitive`: before any later primitive of that event."""
        logged = self.logged(event, cancel, whole=False)
        if primitive is not None and not logged.complete:
            return self._stopped(event, primitive, cancel)
        return logged.moment(event, primitive)

    def logged(self, event: int, cancel: Cancel | None = None, keep: bool = True, whole: bool = True) -> LoggedFrame:
        """The log of the frame that `event` is in, or of a part of it around the event (LoggedFrame says which).

        Executes the frame if its log is not kept any more; not whole: only up to the event, if nothing of it is kept.  The
        answer stays valid, whatever the device does later.  keep False for a one-off request: cached logs are not evicted.
        """
        with self._moving(cancel):
            found = self._logs.of(event)
            if found is None:
                return self._log(event, cancel, keep, whole)
            if self._logs.changed:
                self.memory.fit()
            return found

    @property
    def held(self) -> tuple[int, int]:
        """Bytes of keyframes, and of logs of frames without what keyframes hold too, in memory."""
        return self.memory.held

    def _log(self, event: int, cancel: Cancel | None, keep: bool, whole: bool) -> LoggedFrame:
        """Logs the frame of an event, in pieces if need be: pieces already passed bound the one in question."""
        place = bisect_right(self._bounds, event) - 1
        first, last, quick = self._bounds[place], self._bounds[place + 1] - 1, False
        if (begun := self._logs.of(first)) is not None:
            first, quick = begun.last + 1, begun.seconds < A_MOMENT
        elif not whole and (last - event > A_REST or self._events.draw[event + 1 : last + 1].any()):
            last = event
        with self._logs.room() if keep else nullcontext():
            while True:
                piece = self._log_piece(first, last, cancel, not quick)
                if keep:
                    self._logs.keep(piece)
                    self.memory.fit()
                if event in piece:
                    return piece
                first, quick = piece.last + 1, False

    def _log_piece(self, first: int, last: int, cancel: Cancel | None, keyframe: bool = True) -> LoggedFrame:
        """Logs events from `first` on, until the budget is used up or `last` is done; keyframe: one is kept at the first."""
        while True:
            self._seek(first, cancel)
            if keyframe:
                self._keep_keyframe()
            tap, began = Tap(log=True, room=self._room.log), time.perf_counter()
            stop = self._run_tapped(tap, last, cancel)
            device, took = self._driver.device, time.perf_counter() - began
            if not tap.lost:
                tap.trim()
                return LoggedFrame(first, stop, tap, Rewind(device, tap, self._logs.records_room), device, seconds=took)
            if stop == first:
                return LoggedFrame(first, first, tap, Rewind(device, Tap(log=True)), device, False)
            last = (first + stop - 1) // 2

    def _run_tapped(self, tap: Tap, last: int, cancel: Cancel | None) -> int:
        """Executes under a tap up to event `last`, or until the log has no room for two more calls like the largest so far.

        Returns the last event that was executed.
        """
        device, size, most, told = self._driver.device, 0, 0, 0
        device.tap = tap
        try:
            while self._position <= last and not tap.lost and size + 2 * most <= self._room.log:
                self._check(cancel)
                self._step_towards(last + 1)
                before, size = size, tap.held
                most = max(most, size - before)
                if size > told + A_PART:
                    self.memory.give_way(told := size)
            device.flush()
        finally:
            device.tap = None
        return self._position - 1

    # ---- only a rectangle of a surface
    def confined(self, to: Confinement, first: int, last: int, cancel: Cancel | None = None,
                 turn: int = 0) -> Iterator[LoggedFrame]:  # fmt: skip
        """Logs of events first..last, one after the other, that know no more than the confinement says.

        They reach over `turn` frames at most (0: A_TURN), if the budget goes that far.  The device is others' in between.
        """
        inside: Snapshot | None = None
        position = first
        while position <= last:
            with self._moving(cancel):
                if inside is None:
                    self._seek(first, cancel)
                outside, here = self._driver.snapshot(), self._position
                if inside is not None:
                    self._driver.restore(inside)
                self._position = position
                try:
                    log = self._log_confined(to, min(last, self._bounds_after(position, turn or A_TURN) - 1), cancel)
                    inside, position = self._driver.snapshot(), self._position
                except BaseException:
                    self._driver.device.give_up()
                    raise
                finally:
                    self._driver.restore(outside)
                    self._position = here
            yield log

    def _bounds_after(self, position: int, frames: int) -> int:
        """Where so many frames end, that of a position included."""
        return self._bounds[min(bisect_right(self._bounds, position) - 1 + frames, len(self._bounds) - 1)]

    def _log_confined(self, to: Confinement, last: int, cancel: Cancel | None) -> LoggedFrame:
        """Logs events from here on.  Raises MemoryError for one whose log is more than the budget."""
        device, first, tap = self._driver.device, self._position, Tap(log=True, room=self._room.log)
        device.flush()
        device.skipped, self._passing, device.cleared = to.skipped, True, (to.cleared, to.rect)
        try:
            with self._driver.executor.lane.within((to.targets, to.rect)):
                stop = self._run_tapped(tap, last, cancel)
        finally:
            device.skipped, self._passing, device.cleared = None, False, None
        if tap.lost:
            raise MemoryError(f"the log of event {stop} does not fit")
        return LoggedFrame(first, stop, tap, Rewind(device, tap), device)

    def counted(self, first: int, last: int, cancel: Cancel | None = None) -> np.ndarray:
        """DRAW_COUNTS (core.pipeline.observe.census) of each draw among events first..last that was executed."""
        from core.pipeline.observe.census import Census

        with self._moving(cancel):
            self._seek(first, cancel)
            census = Census(first, last)
            self._run_tapped(Tap(census=census), last, cancel)
            return census.rows

    def _stopped(self, event: int, primitive: int, cancel: Cancel | None) -> Moment:
        """A moment within an event, by executing the event up to there."""
        with self._moving(cancel):
            self._seek(event, cancel)
            self._keep_keyframe()
            try:
                with self._driver.executor.lane.confined(stop_after=(event, primitive)):
                    self._seek(event + 1, None)
                    return Moment(Rewind(self._driver.device, Tap(log=True)), event)
            finally:
                self._go_back_to(self._keyframes.before(event))  # what the device holds now is not a position of the tape

    # ---- in advance
    def prepare(self, cancel: Cancel | None = None) -> float:
        """Makes one more of the keyframes that later jumps will want; how much of that is done, 1.0: all.

        For a thread that has nothing better to do.  Raises Cancelled.
        """
        wanted = made_ahead(self._bounds[:-1])
        with self._moving(cancel):
            missing = [position for position in wanted if position not in self._tried]
            if missing:
                self._prepare(missing[0], cancel)
        return 1 - max(len(missing) - 1, 0) / max(len(wanted), 1)

    def _prepare(self, position: int, cancel: Cancel | None) -> None:
        if self._kept is None or position not in self._kept.positions:
            if position not in self._keyframes:
                self._seek(position, cancel)
                self._keep_keyframe()
            self._keep_on_disk(position)
        self._alike.make_small(self._keyframes, position)
        self.memory.fit()
        self._tried.add(position)

    def _keep_on_disk(self, position: int) -> None:
        """A keyframe, for later openings; if memory has no room for it, the device is there.  The pace, too."""
        if self._kept is not None and not self._driver.device.shortages:
            there = position in self._keyframes
            self._kept.keep_keyframe(position, self._keyframes[position] if there else self._driver.snapshot())
            self._kept.keep("pace", self._pace.measured)

    # ---- moving the device
    def _seek(self, target: int, cancel: Cancel | None) -> None:
        with timed(log, "seek from %d to %d", self._position, target):
            self._go(target, cancel)

    def _go(self, target: int, cancel: Cancel | None) -> None:
        start = self._keyframes.before(target)
        here = max(start, self._position if self._position <= target else 0)
        kept = self._kept.before(target) if self._kept is not None else -1
        if self._kept is not None and kept > here and self._pace.pays(kept - here):
            began = time.perf_counter()
            state = self._alike.read(kept)
            self._pace.read(time.perf_counter() - began)
            if state is not None:
                self._driver.restore(state)  # at once: where memory is short, it may not stay
                self._position = kept
                self._keyframes.keep(kept, state, rest_of(state))
                self.memory.fit()
                start = self._keyframes.before(target)
        if target < self._position or start > self._position:
            self._go_back_to(start)
        between = bisect_right(self._bounds, target) - bisect_right(self._bounds, self._position)
        if self._dead is not None and between > 1:  # else going there is not slower than reading a keyframe
            self._leap(self._bounds[bisect_right(self._bounds, target) - 1], self._dead, cancel)
        while self._position < target:
            self._check(cancel)
            self._step_towards(target)

    def _leap(self, target: int, dead: Dead, cancel: Cancel | None) -> None:
        """Goes over whole frames to the start of one.  Where they must be drawn, it leaves keyframes for the next leap."""
        whole, kept, pause = range(self._position, target), time.perf_counter(), FAR
        while self._position < target:
            first, began = self._position, time.perf_counter()
            near, far = self._bounds_after(first, 1), bisect_right(self._bounds, first + self._pace.events_in_a_leg) - 1
            self._jump(min(max(self._bounds[far], near), target), whole, dead, cancel)
            self._pace.passed(self._position - first, time.perf_counter() - began)
            began = time.perf_counter()
            if self._position < target:
                self._keep_keyframe()
                self._pace.made(time.perf_counter() - began)
            if began - kept > pause:
                self._keep_on_disk(self._position)
                kept, pause = time.perf_counter(), max(FAR, WORTH * (time.perf_counter() - began))

    def _jump(self, stop: int, whole: range, dead: Dead, cancel: Cancel | None) -> None:
        """Goes over whole frames to `stop`, leaving out events without a visible result; `whole`: all of the leap.

        On the way there the device's surfaces are not what they should be: a jump that does not arrive starts again.
        """
        device = self._driver.device
        device.skipped = dead(self._position, stop)
        self._passing = True
        try:
            while self._position < stop:
                self._check(cancel)
                look((self._position - whole.start) / len(whole), "seeking")
                self._step_towards(stop)
            if stop == whole.stop:
                look(1.0, "seeking")
        finally:
            device.skipped, self._passing = None, False
            if self._position < stop:
                self._go_back_to(self._keyframes.before(self._position))

    def _go_back_to(self, position: int) -> None:
        """To a keyframe."""
        self._driver.restore(self._alike.gone_to(self._keyframes[position]))
        self._position = position

    @staticmethod
    def _check(cancel: Cancel | None) -> None:
        if cancel and cancel():
            raise Cancelled("seek cancelled")

    def _step_towards(self, target: int) -> None:
        """Executes the rest of one call, or of it what lies before `target`."""
        place = bisect_left(self._starts, self._position)
        if not self._passing and place < len(self._starts) and self._starts[place] == self._position:
            self._keep_keyframe()
            place += 1
        number = int(self._events.rows["call"][self._position])
        call, span = self._calls[number], self._events.of_call(number)
        stop = min(span.stop, target)
        if not self._passing and place < len(self._starts):
            stop = min(stop, self._starts[place])
        if call.entry == "DrawPrimitives2" and self._events.rows["op"][span.start]:
            self._driver.run(call, span.start, self._position - span.start, stop - span.start)
        else:
            self._driver.call(call)
        self._position = stop

    def _keep_keyframe(self) -> None:
        """Where the device stands, if there is none."""
        if self._position not in self._keyframes:
            self._keyframes.keep(self._position, self._driver.snapshot())
            self.memory.fit()
