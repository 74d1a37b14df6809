"""Primitives sorted into tiles, with everything drawing them needs: they can be drawn any number of times.

`Tiles` are divided among threads; `Seen` says what they observe.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.cancel import look
from core.kernels.jit import address_of
from core.pipeline.pixel.coverage import QUEUE
from core.pipeline.pixel.observer import COUNTS, FRAGMENT, LOG_RECORD, LOG_WORDS, SETTINGS, Observer
from core.pipeline.pixel.raster import (
    A_PIECE,
    DONE,
    LOG_FULL,
    LOG_ROOM,
    NEXT,
    NO_END,
    READY,
    fill_bins,
    raster_tiles,
    tile_counter,
    wait_until_ready,
)  # fmt: skip
from core.pipeline.pixel.seam import SCRATCH_FLOATS, SHADE
from core.pipeline.pixel.shade import shade_queue
from core.pipeline.records.arenas import Arenas, fresh
from core.pipeline.records.layout import COVERED, PIXEL_STATE, ROW_BLOCKS, TILE_BLOCKS
from core.pipeline.records.recycle import recycled, recycled_copy

if TYPE_CHECKING:
    from core.pipeline.observe.census import Census
    from core.pipeline.observe.journal import Journal

LOG_CHUNK = 8192  # records
SOON = 20000  # looks at a counter: a millisecond
WORTH_A_THREAD = 256  # places of primitives in tiles: starting a thread costs 50 us
MOST_FRAGMENTS = 65536  # of a probe, a batch
A_LOOK = 0.05  # seconds that this thread waits for others before it asks whether to go on
FEW_STATES = 64
SETTINGS_WORDS = -(-SETTINGS.itemsize // 64) * 16  # whole cache lines
NOTHING = np.zeros(16, np.uint32)  # stands for a surface that is not there
NO_TILES = np.zeros(1, np.int64)


@cache
def _pool() -> ThreadPoolExecutor:
    """The threads that help: with the one that asks, one for each processor."""
    return ThreadPoolExecutor(max((os.cpu_count() or 1) - 1, 1), thread_name_prefix="raster")


@cache
def shade_entry() -> int:
    """Where shade_queue stands."""
    return address_of(shade_queue, SHADE)


class Seen:
    """What drawing is to observe, and what was seen.

    probe: (block, lanes) -> `fragments`.  fates: (first, last event) -> `planes`; picked: of one fate, as SETTINGS.fates says.
    log -> `chunks` of LOG_RECORD.  journal: tiles are copied there before anything is drawn in them.  census: counts each
    draw's fragments.
    """

    def __init__(self, probe: tuple[int, int] | None = None, fates: tuple[int, int] | None = None,
                 planes: tuple[np.ndarray, np.ndarray] | None = None, log: bool = False,
                 journal: Journal | None = None, census: Census | None = None, picked: int = 1) -> None:  # fmt: skip
        self.probe, self.fates, self.log, self.census = probe, fates, log, census
        self.picked = picked
        self.planes = planes or (np.zeros(1, np.int32), np.zeros(1, np.int32))
        self.keep = journal.keep if journal else 0
        self.tiles: np.ndarray = journal.tiles if journal else NO_TILES
        self.kept: np.ndarray = journal.kept if journal else NOTHING
        self.latest: np.ndarray = np.zeros(2, np.int32)
        self.chunks: list[np.ndarray] = []  # as they were written, by all threads
        self.fragments: list[np.ndarray] = []
        self.fragments_lost = 0

    @property
    def active(self) -> bool:
        """Whether anything but a journal observes."""
        return self.log or not (self.probe is self.fates is self.census is None)

    def set_up(self, row: np.void) -> None:
        """SETTINGS for one thread."""
        row["keep"], row["log"], row["fates"] = self.keep, self.log, self.picked if self.fates is not None else 0
        row["active"] = self.active
        row["probe_block"], row["probe_lanes"] = self.probe or (-1, 0)
        row["first_seq"], row["last_seq"] = self.census.events if self.census else self.fates or (0, -1)
        row["counts"] = self.census is not None


PLAIN = Seen()


class Worker:
    """One thread's queue, scratch and observers."""

    idle: ClassVar[list[Worker]] = []  # of those that have observed nothing, or for a journal
    seen: Seen

    @classmethod
    def take(cls, seen: Seen, samples: int) -> Worker:
        """One that observes what `seen` asks for; give it back when it has drawn."""
        if not seen.active:
            with suppress(IndexError):
                worker = cls.idle.pop()
                worker.seen = seen
                seen.set_up(worker.settings[0])
                return worker
        return cls(seen, samples)

    def give_back(self) -> None:
        """Puts away what was seen; a worker that has no records or counts is used again."""
        self.finish()
        if not self.seen.active:
            self.seen = PLAIN
            self.idle.append(self)

    def __init__(self, seen: Seen, samples: int, fragments: int | None = None) -> None:
        self.seen = seen
        self.room = LOG_CHUNK + LOG_ROOM * samples
        self.queue = np.zeros(QUEUE + ROW_BLOCKS, COVERED)  # and the blocks of a row that passed the depth test (plain)
        lines = recycled(SCRATCH_FLOATS + SETTINGS_WORDS)  # that no other thread writes to
        self.scratch = lines[:SCRATCH_FLOATS].view(np.float32)  # at a cache line: 8 % of a pixel shader's time
        self.settings = lines[SCRATCH_FLOATS:][: SETTINGS.itemsize // 4].view(SETTINGS)
        self.settings.view(np.uint8)[:] = 0
        seen.set_up(self.settings[0])
        self.resume = np.array([-1, -1, NO_END])
        self.fragments = np.zeros((fragments or MOST_FRAGMENTS) if seen.probe else 1, FRAGMENT)
        self.settings[0]["fragment_room"] = self.fragments.size
        self.log = np.zeros(LOG_WORDS, np.int32)
        self.counts = seen.census.room() if seen.census else np.zeros(COUNTS, np.int64)
        self.next_log()

    def next_log(self) -> None:
        """Puts the records away and makes room for more."""
        if not self.seen.log:
            return
        row = self.settings[0]
        if row["log_count"]:
            self.seen.chunks.append(self.log[: row["log_count"] * LOG_WORDS].view(LOG_RECORD))
        self.log = recycled(self.room * LOG_WORDS).view(np.int32)
        row["log_count"], row["log_room"] = 0, self.room

    def observer(self) -> Observer:
        return Observer(self.settings, self.log, self.fragments, *self.seen.planes, self.counts, self.seen.latest)

    def finish(self) -> None:
        row, seen = self.settings[0], self.seen
        if count := int(row["log_count"]):
            used = self.log[: count * LOG_WORDS]  # the last ones: who keeps them should not keep room for many more
            seen.chunks.append((used if 2 * count > self.room else recycled_copy(used)).view(LOG_RECORD))
        if count := int(row["fragment_count"]):
            seen.fragments.append(self.fragments[: min(count, self.fragments.size)].copy())
            seen.fragments_lost += max(count - self.fragments.size, 0)
        if seen.census:
            seen.census.add(self.counts)


class States:
    """PIXEL_STATE records by number.  None that is in use ever changes: whoever draws, or will draw again, keeps `array`."""

    def __init__(self, room: int = FEW_STATES) -> None:
        self._room = room
        self.array, self.count = self._fresh(), 0

    def _fresh(self) -> np.ndarray:
        """Records that hold anything."""
        return fresh(self._room, PIXEL_STATE)

    def new(self) -> int:
        """The number of a record to be filled; `array` is another one when it has grown."""
        if self.count == len(self.array):
            self.array = np.concatenate([self.array, np.zeros_like(self.array)])
        self.count += 1
        return self.count - 1

    def clear(self) -> None:
        """Starts again."""
        if self.count:
            self.array, self.count = self._fresh(), 0


class Binned:
    """The primitives in `arenas`, drawn with `states` (PIXEL_STATE); those of tile t are order[starts[t]:starts[t + 1]].

    columns: tiles in a row of the target; samples: planes of the target; memory: the texture heap, uint32; waiting: how many
    primitives stand in `arenas` and not yet in order: whoever draws first sorts them.
    """

    def __init__(self, arenas: Arenas, states: np.ndarray, starts: np.ndarray, columns: int, samples: int,
                 memory: np.ndarray, waiting: int = 0) -> None:  # fmt: skip
        self.arenas, self.states, self.starts = arenas, states, starts
        self.columns, self.samples, self.memory = columns, samples, memory
        self._waiting, self._sorting = waiting, threading.Lock()

    @property
    def states_used(self) -> int:
        """How many of the states, from the first on, the primitives need; once all are in order."""
        rows = self.arenas.order[: self.starts[-1]]
        return int(self.arenas.edges["state"][rows].max(initial=-1)) + 1

    def sort(self) -> None:
        """Puts the primitives that wait in order."""
        with self._sorting:
            if self._waiting:
                fill_bins(self.arenas.edges, self._waiting, self.starts.copy(), self.columns, self.arenas.order)
                self._waiting = 0

    def only(self, drawn: np.ndarray) -> Binned:
        """The same with some of the primitives, once all are in order; drawn: bool[primitives]."""
        held, order = copy(self.arenas), self.arenas.order[: self.starts[-1]]
        chosen = drawn[order]
        held.order = order[chosen]
        starts = np.concatenate([[0], np.cumsum(chosen)])[self.starts]
        return Binned(held, self.states, starts, self.columns, self.samples, self.memory)

    def draw(self, color: np.ndarray | None, depth: np.ndarray | None, threads: int, seen: Seen,
             only: int | None = None) -> None:  # fmt: skip
        """Draws all tiles, or only one; color, depth: uint32 in block order, a plane per sample, or None."""
        if seen.census:
            seen.latest = np.full(2 * (len(self.starts) - 1) * TILE_BLOCKS, -1, np.int32)
        tiles = Tiles(self, color, depth, seen, only)
        try:
            tiles.start(threads - 1)
            tiles.finish()
        except BaseException:
            tiles.stop()
            raise


class Tiles:
    """The tiles of a Binned, or only one, as they are drawn: threads take one after the other, any thread may join in.

    after: tiles of the same surfaces that have to be finished before.
    """

    def __init__(self, binned: Binned, color: np.ndarray | None, depth: np.ndarray | None, seen: Seen,
                 only: int | None = None, after: Tiles | None = None) -> None:  # fmt: skip
        self.binned, self._seen, self._after = binned, seen, after
        self._surfaces = NOTHING if color is None else color, NOTHING if depth is None else depth
        self._starts = binned.starts if only is None else binned.starts[: only + 2]
        self._counter = tile_counter(only or 0)
        self._places = int(self._starts[-1] - self._starts[only or 0])
        self._changed = threading.Condition()
        self._drawing = 0  # threads
        self._stopped = False
        self._others: list[Future[None]] = []

    def start(self, threads: int) -> None:
        """This many threads of the pool draw, or as many as it is worth it; this one goes on."""
        for _ in range(min(threads, self._places // WORTH_A_THREAD)):
            self._others.append(_pool().submit(self._join))

    def stop(self) -> None:
        """No thread goes on, tiles may be left half drawn; returns when all have left."""
        self._stopped = True
        for other in self._others:
            if not other.cancel():
                with suppress(Exception, CancelledError):  # whoever stops has one of its own
                    other.result()
        self._after = None

    def _join(self) -> None:
        self.binned.sort()
        if (before := self._after) is not None:
            before.wait()
            if not before.finished:
                return
        self.draw()

    def draw(self, look: Callable[[], None] | None = None) -> None:
        """Draws tiles until none is left; others may still be at theirs.  `look` may raise, and all have to be stopped."""
        with self._changed:
            self._drawing += 1
        try:
            self._raster(look)
        finally:
            with self._changed:
                self._drawing -= 1
                self._changed.notify_all()

    def _raster(self, look: Callable[[], None] | None) -> None:
        binned, held, seen = self.binned, self.binned.arenas, self._seen
        binned.sort()
        worker = Worker.take(seen, binned.samples)
        worker.resume[:] = -1, -1, A_PIECE
        while not self._stopped:
            status = raster_tiles(*self._surfaces, held.edges, held.planes, held.order, self._starts, binned.states,
                                  binned.memory, worker.scratch, worker.queue, *worker.observer(), binned.columns,
                                  self._counter, worker.resume, seen.tiles, seen.kept, shade_entry())  # fmt: skip
            if status == DONE:
                break
            if status == LOG_FULL:
                worker.next_log()
            if look is not None:
                look()
        worker.give_back()

    @property
    def finished(self) -> bool:
        """Whether everything is drawn."""
        return int(self._counter[READY]) >= len(self._starts) - 1

    @property
    def _taken(self) -> bool:
        return int(self._counter[NEXT]) >= len(self._starts) - 1

    @property
    def _over(self) -> bool:
        """Whether nobody draws any more; a thread that failed leaves its tile."""
        return self.finished or ((self._taken or self._stopped) and not self._drawing)

    def wait(self, look: Callable[[], None] = lambda: None) -> None:
        """Until nobody draws any more."""
        if not wait_until_ready(self._counter, len(self._starts) - 1, SOON):
            with self._changed:
                while not self._changed.wait_for(lambda: self._over, A_LOOK):
                    look()
        self._after = None

    def finish(self) -> None:
        """Helps, and waits until everything is drawn and what was seen is there; what comes before must be.

        Raises Cancelled, and what other threads have raised; then somebody has to `stop` the others.
        """
        if not self.finished:
            self.draw(look)
            self.wait(look)
        for other in self._others:
            if not other.cancel():
                other.result()
