"""Timelines of a growing tape: each is immutable, and they share the listing, the walk and the replay."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.cancel import held, look
from inspector.tape.sequence import CallSequence
from inspector.timeline import frames as frame_list
from inspector.timeline.budgets import Budgets
from inspector.timeline.events import Events
from inspector.timeline.frames import Frame
from inspector.timeline.listing import Listing
from inspector.timeline.replay import Replay
from inspector.timeline.timeline import Timeline
from inspector.timeline.walk import WALKING, Walk, Walking


class Growth:
    """`listing` takes each call as it is recorded (one thread); `timeline` is what is known of the first ones so far."""

    def __init__(self, budgets: Budgets) -> None:
        self.listing = Listing()
        self._budgets = budgets
        self._walking: Walking | None = Walking()
        self._whole = -1  # events of the whole tape, once it is known
        self._walk: Walk | None = None
        self._walked = 0  # events
        self.spent = 0.0
        """Seconds of walking, for timelines of every length."""
        self._replay: Replay | None = None
        self._replayed = -1  # events that the replay knows
        self._walk_lock, self._replay_lock = threading.RLock(), threading.RLock()

    def timeline(self, calls: CallSequence, digest: Callable[[], str] | None = None) -> Timeline:
        """Of `calls`, which were all listed.  Events after the last presentation are a frame for now.

        `digest`: of the tape, when this is all of it.
        """
        events = self.listing.events(len(calls))
        self._whole = self._whole if digest is None else len(events)
        frames = frame_list.with_rest(self.listing.frames(len(calls)), calls, events)
        return _SoFar(self, calls, events, frames, self._budgets, digest or (lambda: ""))

    def walk(self, calls: CallSequence, events: Events) -> Walk:
        """The walk over at least these events.  Raises Cancelled; whoever asks next goes on from there."""
        with held(self._walk_lock):
            if self._walk is None or self._walked < len(events):
                began = time.perf_counter()
                try:
                    self._walk, self._walked = self._walk_on(calls, events), len(events)
                finally:
                    self.spent += time.perf_counter() - began
            walk = self._walk
            return walk if self._walked == len(events) else replace(walk, initial=walk.initial[: len(events)])

    def forget_walking(self, walk: Walk, events: Events) -> None:
        """The walk over all of the tape is there: what made it, a device among that, is not needed any more."""
        with held(self._walk_lock):
            if len(events) == self._whole:
                self._walk, self._walked, self._walking = walk, len(events), None

    def _walk_on(self, calls: CallSequence, events: Events) -> Walk:
        assert self._walking is not None, "nothing is longer than the whole tape"
        pieces = self._walking.over(calls, events)
        while True:
            try:
                look(next(pieces), WALKING)
            except StopIteration as end:
                found: Walk = end.value
                return found

    def replay(self, timeline: Timeline) -> Replay:
        """The one device for all of them; it knows the tape as far as the longest timeline that asked."""
        with held(self._replay_lock):
            starts = timeline.starts.tolist()
            if self._replay is None:
                self._replay = Replay(timeline.calls, timeline.events, starts, self._budgets, kept=timeline.kept)
            elif len(timeline.events) >= self._replayed:
                self._replay.extend(timeline.calls, timeline.events, starts, timeline.kept)
            self._replayed = max(self._replayed, len(timeline.events))
            if self._walk is not None:
                self._replay.leave_out(self._walk.liveness.dead)
            return self._replay

    def leave_out(self, walk: Walk) -> None:
        """Jumps leave out from now on what a walk has shown to have no visible result."""
        with held(self._replay_lock):
            if self._replay is not None:
                self._replay.leave_out(walk.liveness.dead)


class _SoFar(Timeline):
    """The first events of a tape that grows, or in the end all of them."""

    def __init__(
        self, growth: Growth, calls: CallSequence, events: Events, frames: Sequence[Frame], budgets: Budgets,
        digest: Callable[[], str],
    ) -> None:  # fmt: skip
        super().__init__(calls, events, frames, frames, budgets, digest)
        self._growth = growth

    def _make_walk(self) -> Walk:
        found = super()._make_walk()
        self._growth.leave_out(found)
        self._growth.forget_walking(found, self.events)
        return found

    def _walk_on(self) -> Walk:
        self._spent = self._growth.spent  # by all; what this attempt takes is added by whoever made it
        return self._growth.walk(self.calls, self.events)

    def _make_replay(self) -> Replay:
        """Before the walk is done: what is far off is drawn with everything on the way."""
        return self._growth.replay(self)
