"""A timeline: the calls of a tape as events and frames, and the results of following and executing them.

The walk over the tape and the replay are made when first asked for.  An edited tape is another timeline, over the same tape
(inspector.timeline.edited).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from core.cancel import held, look
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.rules.check import Finding
from core.errors import Cancelled
from inspector.progress import Progress
from inspector.tape.identity import name_in_caches
from inspector.tape.sequence import CallSequence
from inspector.tape.side import SideCache
from inspector.timeline import frames as frame_list
from inspector.timeline import kept_listing
from inspector.timeline.budgets import Budgets
from inspector.timeline.events import Events
from inspector.timeline.frames import Frame
from inspector.timeline.held import in_memory
from inspector.timeline.kept import Kept
from inspector.timeline.listing import Listing, listed
from inspector.timeline.replay import Replay
from inspector.timeline.walk import WALKING, Walk, walking

if TYPE_CHECKING:
    from inspector.tape import MemoryTape, Tape

WORTH_KEEPING = 0.3  # seconds of work


class Timeline:
    """Everything that happens on a tape, in order.  Safe to use from any thread.

    `frames`: those that are listed, of `all_frames`; `starts`: the first events of all of them; `draws`: the events that draw,
    ascending; `skipped` bool[events]: what does not happen.
    """

    def __init__(
        self, calls: CallSequence, events: Events, all_frames: Sequence[Frame], frames: Sequence[Frame], budgets: Budgets,
        digest: Callable[[], str],
    ) -> None:  # fmt: skip
        """`digest`: of the tape, asked for late; "" for one that leaves nothing on disk, or nothing any more."""
        self.calls, self.events, self.budgets, self._digest = calls, events, budgets, digest
        self.all_frames, self.frames = all_frames, frames
        self.starts = np.array([frame.first_event for frame in all_frames], np.int64)
        self.draws = np.flatnonzero(events.rows["draw"])
        self.skipped = np.zeros(len(events), bool)
        self._walked: Walk | None = None
        self._walking: Generator[float, None, Walk] | None = None
        self._worth_keeping = False
        self._spent = 0.0  # seconds of walking, by everybody who asked
        self._replay: Replay | None = None
        self._walk_lock, self._replay_lock = threading.RLock(), threading.RLock()  # a replay that needs no walk waits for none

    @classmethod
    def of_tape(
        cls, tape: Tape | MemoryTape, frames: tuple[int, int] | None, budgets: Budgets, progress: Progress | None = None,
        heard: Listing | None = None,
    ) -> Timeline:  # fmt: skip
        """Lists the events of a tape; frames (a, b): only frames a..b-1 are listed.

        heard: the listing of what was recorded just now; if that was this tape, nothing is read.
        """
        calls = tape.calls
        name = kept_listing.name_of(tape)
        fresh = heard is not None and heard.calls == len(calls)
        listing = heard if fresh else kept_listing.kept(name, len(calls))
        if listing is None:
            listing, fresh = listed(calls.streams(), progress, len(calls)), True
        if fresh:
            kept_listing.keep(name, listing)
        events = listing.events()
        every = frame_list.with_rest(listing.frames(len(calls)), calls, events)
        shown = every[slice(*frames)] if frames else every
        digest = partial(name_in_caches, tape)  # asked for late: it reads the whole tape
        return cls(calls, events, every, shown, budgets, digest)

    @cached_property
    def side_cache(self) -> SideCache:
        """Where tables derived from the tape are kept; deleting them is harmless."""
        return SideCache(self._digest(), lambda: bool(self._digest()))

    @cached_property
    def kept(self) -> Kept:
        """What earlier openings left in the side cache: the walk, keyframes."""
        return Kept(self.side_cache, self.budgets.disk)

    @property
    def walked(self) -> Walk:
        """The state index and what the walk over the tape found.  Raises Cancelled; whoever asks next goes on from there."""
        with held(self._walk_lock):
            if self._walked is None:
                self._walked = self._make_walk()
                with suppress(Cancelled):
                    self.keep_walk()
                look(1.0, WALKING)
            return self._walked

    def keep_walk(self) -> None:
        """Keeps a walk that took long for the next opening.  Raises Cancelled: then it can be done at another time."""
        with held(self._walk_lock):
            if self._walked is not None and self._worth_keeping:
                self.kept.keep("walk", self._walked)
                self._worth_keeping = False

    @property
    def replay(self) -> Replay:
        """The device that is moved along the tape."""
        with held(self._replay_lock):
            if self._replay is None:
                self._replay = self._make_replay()
            return self._replay

    def close(self) -> None:
        """Lets go of the device and its keyframes, here and now: who collects garbage later would take long for them."""
        with held(self._replay_lock):
            if self._replay is not None:
                self._replay.memory.close()
                self._replay = None
        if "kept" in self.__dict__:
            self.kept.mapped.close()

    @property
    def shortages(self) -> tuple[Finding, ...]:
        """Events that the replay could not execute so far for lack of memory."""
        return self._replay.shortages if self._replay is not None else ()

    @property
    def held(self) -> tuple[int, int]:
        """Bytes of keyframes, and of logs of frames, in memory."""
        return self.budgets.sharers.held

    @property
    def indexed(self) -> tuple[int, int]:
        """Bytes of the columns of events and of what the walk has found so far: in memory, and in mapped files."""
        events, walk = self.events, self._walked
        columns = [events.rows, events.first_of_call, events.commands, events.base, self.draws, self.skipped]
        if walk is not None:
            columns += [walk.initial, walk.uses.draws, walk.uses.clears, walk.uses.multiplies]
            columns += [walk.states.first, walk.states.seqs, walk.states.values]
        return in_memory(columns)

    def driver(self, threads: int = 1, draws: bool = True, check: bool = False) -> EmulatedDriver:
        """A fresh driver, before the first call."""
        return EmulatedDriver(threads=threads, draws=draws, check=check, follows=True)

    def _make_walk(self) -> Walk:
        """As kept by an earlier opening, or made now."""
        found = self.kept.value("walk") if self._walking is None else None
        if not isinstance(found, Walk):
            began = time.perf_counter()
            try:
                found = self._walk_on()
            finally:
                self._spent += time.perf_counter() - began
            self._worth_keeping = self._spent > WORTH_KEEPING
        return found

    def _walk_on(self) -> Walk:
        """Begins the walk, or goes on where an asker who was cancelled left it."""
        found: Walk
        self._walking = self._walking or walking(self.calls, self.events, self._walker())
        while True:
            try:
                done = next(self._walking)
            except StopIteration as end:
                self._walking, found = None, end.value
                return found
            except BaseException:
                self._walking = None
                raise
            look(done, WALKING)

    def _walker(self) -> EmulatedDriver | None:
        """The driver that walks; None: a plain one."""
        return None

    def _make_replay(self) -> Replay:
        """One that waits for the walk only when it jumps over frames: a picture of the first one does not."""

        def dead(first: int, stop: int) -> np.ndarray:
            return self.walked.liveness.dead(first, stop)

        return Replay(self.calls, self.events, self.starts.tolist(), self.budgets, dead=dead, kept=self.kept)
