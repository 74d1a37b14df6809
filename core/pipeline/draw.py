"""Drawing: the table of contents of the pixel half.

    setup.py          vertices on the screen -> edges and planes; cull, flat shading, wrap
    binned.py         primitives binned into 64x64 tiles; threads take tiles from one counter; the journal of a batch
    raster.py         the tiles, one after the other
      coverage.py     which pixels of a tile: top-left rule, diamond rule, scissor
      plain.py        one 4x4 block of a draw that needs little of what follows
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

from collections.abc import Sequence

import numpy as np

from core.pipeline.binned import Arenas, Binned, Journal, Seen, ordered
from core.pipeline.census import Census
from core.pipeline.layout import TRIANGLE, plane_words, tiles
from core.pipeline.observe import FRAGMENT, LOG_RECORD
from core.pipeline.raster import fill_bins
from core.pipeline.setup import setup_primitives

MOST_FLOATS = TRIANGLE.itemsize // 4  # of a primitive's planes


class Watch:
    """What to observe while drawing, and what was seen.

    log: keep what is needed to undo blocks -> `records` (LOG_RECORD).  probe: (block, lanes) -> `fragments` (FRAGMENT).
    fates: (first, last event) -> `fate_plane`, `overdraw` (int32 a pixel, block order: 0, or 1 + Fate; counts).
    fragments_lost: how many fragments of the probe found no room (MOST_FRAGMENTS).  census: counts each draw's fragments.

    The log costs a copy of the touched tiles while drawing.  The first look at `records` draws the batch once more, and
    `fragments_of` the tile of one block: the primitives, states and texels of a logged batch are kept with the watch.
    """

    def __init__(self, log: bool = False, probe: tuple[int, int] | None = None, fates: tuple[int, int] | None = None,
                 pixels: int = 0, census: Census | None = None) -> None:  # fmt: skip
        self.log, self.probe, self.fates, self.census = log, probe, fates, census
        self.fate_plane = np.zeros(pixels if fates else 1, np.int32)
        self.overdraw = np.zeros_like(self.fate_plane)
        self.journals: list[Journal] = []  # of the batches, with log
        self.holds: Sequence[object] = ()  # what keeps the texels of the journals where they are
        self.seen: list[np.ndarray] = []
        self.fragments_lost = 0
        self._records: np.ndarray | None = None
        self._written: list[np.ndarray] | None = None

    def draw(self, binned: Binned, color: np.ndarray | None, depth: np.ndarray | None, threads: int) -> None:
        """Draws a batch and observes it."""
        journal = Journal(binned, color, depth) if self.log else None
        if journal is not None:
            self.journals.append(journal)
            self.forget_records()
        seen = Seen(self.probe, self.fates, (self.fate_plane, self.overdraw), journal=journal, census=self.census)
        binned.draw(color, depth, threads, seen)
        self.seen += seen.fragments
        self.fragments_lost += seen.fragments_lost

    @property
    def size(self) -> int:
        """Bytes held by the log, records that were asked for included."""
        written = sum(len(chunk) for chunk in self._written or []) * LOG_RECORD.itemsize
        return sum(journal.size for journal in self.journals) + written + (0 if self._records is None else self._records.nbytes)

    @property
    def recorded(self) -> bool:
        """Whether `written` is there already."""
        return self._written is not None

    def forget_records(self) -> None:
        """They will be made anew when asked for."""
        self._records = self._written = None

    @property
    def written(self) -> list[np.ndarray]:
        """LOG_RECORD[n] each, batch by batch, as they come: only the order within a block is that of drawing."""
        if self._written is None:
            self._written = [chunk for journal in self.journals for chunk in journal.written()]
        return self._written

    @property
    def records(self) -> np.ndarray:
        """LOG_RECORD[n] batch by batch, by event, then block; the order within a block is the order of drawing."""
        if self._records is None:
            found = [ordered(journal.written()) for journal in self.journals]
            self._records = found[0] if len(found) == 1 else np.concatenate([np.zeros(0, LOG_RECORD), *found])
        return self._records

    @property
    def fragments(self) -> np.ndarray:
        """FRAGMENT[n] in the order of drawing."""
        return np.concatenate([np.zeros(0, FRAGMENT), *self.seen])

    def fragments_of(self, block: int, lanes: int) -> np.ndarray:
        """FRAGMENT[n] of pixels of a block in a logged batch, in the order of drawing, failed ones too: a millisecond."""
        found = [journal.fragments_of(block, lanes) for journal in self.journals]
        return np.concatenate([np.zeros(0, FRAGMENT), *found])


class Batch:
    """Primitives to be drawn to one pair of surfaces of width x height pixels, with the states they are drawn with."""

    def __init__(self, width: int, height: int, samples: int = 1) -> None:
        self.width, self.height, self.samples = width, height, max(samples, 1)
        self.columns = tiles(width)
        self.state_count = 0
        self._arenas: Arenas | None = None
        self._counts = np.zeros(self.columns * tiles(height), np.int64)
        self._starts = np.zeros(self._counts.size + 1, np.int64)
        self._ends = np.zeros(2, np.int64)  # primitives, floats of planes: as the kernel leaves them
        self._length, self._floats = 0, 0  # the same

    def __len__(self) -> int:
        return self._length

    @property
    def _memory(self) -> Arenas:
        if self._arenas is None:
            self._arenas = Arenas.take()
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
        return self._memory.planes[: self._floats]

    def clear(self) -> None:
        """Forgets primitives and states."""
        self._length = self._floats = 0
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
        count, floats = self._length, self._floats
        if count + number > memory.edges.size:
            memory.room_for("edges", count + number)
        if floats + (number + 1) * MOST_FLOATS > memory.planes.size:
            memory.room_for("planes", floats + number * int(memory.states["record_floats"][state]) + MOST_FLOATS)
        beyond = setup_primitives(vertices, primitives, number, memory.states, state, seq, memory.edges, count, memory.planes,
                                  floats, self._counts, self.columns, self._ends)  # fmt: skip
        self._length, self._floats = self._ends.tolist()
        return beyond

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
        binned = Binned(held, self._starts, self.columns, self.samples, memory)
        if watch is None:
            binned.draw(color, depth, threads, Seen())
        else:
            watch.draw(binned, color, depth, threads)
        if watch is not None and watch.log:  # the journal has them
            self._arenas, self._starts = None, np.zeros_like(self._starts)
        self.clear()
