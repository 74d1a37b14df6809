"""Drawing: the table of contents of the pixel half.

    setup.py          vertices on the screen -> edges and planes; cull, flat shading, wrap
    raster.py         primitives binned into 64x64 tiles; threads take tiles from one counter
      coverage.py     which pixels of a tile: top-left rule, diamond rule, scissor
      shade.py        one 4x4 block through the stages, in this order:
        interpolate.py  depth_test.py  stencil_test.py            tests are pure; all writes come last
        sample.py  address.py  bump.py  combine.py | pshader.py   the colour
        fog.py  alpha_test.py
        blend.py  pixels.py  output.py                            into the target
        observe.py                                                undo log, fragments of a pixel, fates
    resolve.py        multisampled -> one sample

A Batch collects the primitives of any number of draws to one pair of surfaces, each with its state, and draws them all at
once.  Order is kept within each tile, so the result does not depend on the number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ClassVar

import numpy as np

from core.jit import link
from core.pipeline.coverage import QUEUE
from core.pipeline.layout import COVERED, EDGES, PIXEL_STATE, TRIANGLE, plane_words, tiles
from core.pipeline.observe import FRAGMENT, LOG_RECORD, LOG_WORDS, SETTINGS, Observer
from core.pipeline.raster import DONE, LOG_ROOM, fill_bins, raster_tiles
from core.pipeline.seam import SCRATCH_FLOATS, SHADE
from core.pipeline.setup import setup_primitives
from core.pipeline.shade import shade_queue

LOG_CHUNK = 8192  # records
WORTH_A_THREAD = 256  # places of primitives in tiles: starting a thread costs 50 us
MOST_FRAGMENTS = 65536  # of a probe, a batch
MOST_SPARE = 4  # arenas kept for the next batches
SHADE_QUEUE = link(shade_queue, SHADE)
NOTHING = np.zeros(16, np.uint32)  # stands for a surface that is not there


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(os.cpu_count() or 1, 1), thread_name_prefix="raster")


class Watch:
    """What to observe while drawing, and what was seen.

    log: record undo blocks -> `records` (LOG_RECORD).  probe: (block, lanes) -> `fragments` (FRAGMENT).
    fates: (first, last event) -> `fate_plane`, `overdraw` (int32 a pixel, block order: 0, or 1 + Fate; counts).
    fragments_lost: how many fragments of the probe found no room (MOST_FRAGMENTS).
    """

    def __init__(self, log: bool = False, probe: tuple[int, int] | None = None, fates: tuple[int, int] | None = None,
                 pixels: int = 0) -> None:  # fmt: skip
        self.log, self.probe, self.fates = log, probe, fates
        self.fate_plane = np.zeros(pixels if fates else 1, np.int32)
        self.overdraw = np.zeros_like(self.fate_plane)
        self.chunks: list[np.ndarray] = []  # as they were written, or one array in order
        self._sorted = False
        self.seen: list[np.ndarray] = []
        self.fragments_lost = 0

    def keep(self, records: np.ndarray) -> None:
        """More LOG_RECORDs; called from all threads."""
        self.chunks.append(records)
        self._sorted = False

    @property
    def records(self) -> np.ndarray:
        """LOG_RECORD[n] by event, then block; the order within a block is the order of drawing."""
        if len(self.chunks) != 1 or not self._sorted:
            joined = np.concatenate([np.zeros(0, LOG_RECORD), *self.chunks])
            key = joined["seq"].astype(np.int64) << 32 | joined["block"]
            self.chunks, self._sorted = [joined[np.argsort(key, kind="stable")]], True
        return self.chunks[0]

    @property
    def fragments(self) -> np.ndarray:
        """FRAGMENT[n] in the order of drawing."""
        return np.concatenate([np.zeros(0, FRAGMENT), *self.seen])


class _Worker:
    """One thread's queue, scratch and observers."""

    def __init__(self, watch: Watch | None, samples: int) -> None:
        self.watch = watch
        self.room = LOG_CHUNK + LOG_ROOM * samples
        self.queue = np.zeros(QUEUE, COVERED)
        self.scratch = np.zeros(SCRATCH_FLOATS, np.float32)
        self.resume = np.full(2, -1, np.int64)
        self.settings = np.zeros(1, SETTINGS)
        row = self.settings[0]
        row["probe_block"] = -1
        planes = (np.zeros(1, np.int32),) * 2
        if watch is not None:
            row["active"], row["log"], row["fates"] = 1, watch.log, watch.fates is not None
            row["probe_block"], row["probe_lanes"] = watch.probe or (-1, 0)
            row["first_seq"], row["last_seq"] = watch.fates or (0, -1)
            planes = watch.fate_plane, watch.overdraw
        self.fragments = np.zeros(MOST_FRAGMENTS if watch is not None and watch.probe else 1, FRAGMENT)
        row["fragment_room"] = self.fragments.size
        self.log = np.zeros(LOG_WORDS, np.int32)
        self.planes = planes
        self.next_log()

    def next_log(self) -> None:
        """Puts the records away and makes room for more."""
        if self.watch is None or not self.watch.log:
            return
        row = self.settings[0]
        if row["log_count"]:
            self.watch.keep(self.log[: row["log_count"] * LOG_WORDS].view(LOG_RECORD))
        self.log = np.empty(self.room * LOG_WORDS, np.int32)
        row["log_count"], row["log_room"] = 0, self.room

    def observer(self) -> Observer:
        return Observer(self.settings, self.log, self.fragments, *self.planes)

    def finish(self) -> None:
        if self.watch is not None and self.watch.log and (count := int(self.settings[0]["log_count"])):
            self.watch.keep(self.log[: count * LOG_WORDS].view(LOG_RECORD).copy())
        if self.watch is not None and (count := int(self.settings[0]["fragment_count"])):
            self.watch.seen.append(self.fragments[: min(count, self.fragments.size)].copy())
            self.watch.fragments_lost += max(count - self.fragments.size, 0)


class _Arenas:
    """The memory of one batch: touching it for the first time costs 2 ms/MB, so batches hand it on."""

    spare: ClassVar[list[_Arenas]] = []

    def __init__(self) -> None:
        self.states = np.zeros(64, PIXEL_STATE)
        self.edges = np.zeros(4096, EDGES)
        self.planes = np.zeros(1 << 17, np.float32)
        self.order = np.zeros(8192, np.int32)

    @classmethod
    def take(cls) -> _Arenas:
        try:
            return cls.spare.pop()
        except IndexError:
            return cls()

    def give_back(self) -> None:
        if len(self.spare) < MOST_SPARE:
            self.spare.append(self)

    def room_for(self, name: str, size: int) -> None:
        """Makes an array at least so long."""
        array = getattr(self, name)
        if size > array.size:
            bigger = np.zeros(2 * int(size), array.dtype)
            bigger[: array.size] = array
            setattr(self, name, bigger)


class Batch:
    """Primitives to be drawn to one pair of surfaces of width x height pixels, with the states they are drawn with."""

    def __init__(self, width: int, height: int, samples: int = 1) -> None:
        self.width, self.height, self.samples = width, height, max(samples, 1)
        self.columns = tiles(width)
        self.state_count = 0
        self._arenas: _Arenas | None = None
        self._counts = np.zeros(self.columns * tiles(height), np.int64)
        self._starts = np.zeros(self._counts.size + 1, np.int64)
        self._length = np.zeros(2, np.int64)  # primitives, floats of planes

    def __len__(self) -> int:
        return int(self._length[0])

    @property
    def _memory(self) -> _Arenas:
        if self._arenas is None:
            self._arenas = _Arenas.take()
        return self._arenas

    @property
    def states(self) -> np.ndarray:
        """PIXEL_STATE[...]; the first `state_count` are in use.  Another array whenever new_state makes it grow."""
        return self._memory.states

    @property
    def edges(self) -> np.ndarray:
        """EDGES of the waiting primitives, in the order of drawing; their `planes` and `state` point into what follows."""
        return self._memory.edges[: len(self)]

    @property
    def planes(self) -> np.ndarray:
        """float32: the TRIANGLE records, one after another."""
        return self._memory.planes[: int(self._length[1])]

    def clear(self) -> None:
        """Forgets primitives and states."""
        self._length[:] = 0
        self._counts[:] = 0
        self.state_count = 0
        if self._arenas is not None:
            self._arenas.give_back()
            self._arenas = None

    def new_state(self) -> int:
        """The number of a fresh record in `states`, to be filled by bind.bind_pixel_state(..., batch.states, number)."""
        self.state_count += 1
        self._memory.room_for("states", self.state_count)
        return self.state_count - 1

    def add(self, vertices: np.ndarray, primitives: np.ndarray, state: int, seq: int) -> int:
        """Sets up the primitives of one draw; their count beyond the guard band, which are left out.

        vertices: float32[n, 48]; primitives: PRIMITIVE[m]; state: from new_state; seq: the event.
        """
        memory, number = self._memory, len(primitives)
        count, floats = self._length.tolist()
        memory.room_for("edges", count + number)
        memory.room_for("planes", floats + number * int(memory.states["record_floats"][state]) + TRIANGLE.itemsize // 4)
        return setup_primitives(vertices, primitives, number, memory.states, state, seq, memory.edges, count, memory.planes,
                                floats, self._counts, self.columns, self._length)  # fmt: skip

    def run(self, color: np.ndarray | None, depth: np.ndarray | None, memory: np.ndarray, threads: int = 1,
            watch: Watch | None = None) -> None:  # fmt: skip
        """Draws everything and forgets it.

        color, depth: uint32 in block order, a plane per sample, or None; memory: the texture heap, uint32.
        """
        words = plane_words(self.width, self.height) * self.samples
        assert all(surface is None or surface.size >= words for surface in (color, depth))
        held = self._memory
        held.room_for("order", int(self._counts.sum()))
        fill_bins(held.edges, len(self), self._counts, self.columns, self._starts, held.order)
        busy = min(max(threads, 1), 1 + int(self._starts[-1]) // WORTH_A_THREAD)
        workers = [_Worker(watch, self.samples) for _ in range(busy)]
        counter = np.zeros(1, np.int64)

        def work(worker: _Worker) -> None:
            while self._raster(worker, color, depth, memory, counter) != DONE:
                worker.next_log()
            worker.finish()

        _together(work, workers)
        self.clear()

    def _raster(self, worker: _Worker, color: np.ndarray | None, depth: np.ndarray | None, memory: np.ndarray,
                counter: np.ndarray) -> int:  # fmt: skip
        held = self._memory
        return raster_tiles(
            NOTHING if color is None else color, NOTHING if depth is None else depth, held.edges, held.planes, held.order,
            self._starts, held.states, memory, worker.scratch, worker.queue, worker.observer(), self.columns, counter,
            worker.resume, SHADE_QUEUE,
        )  # fmt: skip


def _together(work: Callable[[_Worker], None], workers: list[_Worker]) -> None:
    """Each worker in a thread of its own; this thread is the first."""
    others = [_pool().submit(work, worker) for worker in workers[1:]]
    work(workers[0])
    for other in others:
        other.result()
