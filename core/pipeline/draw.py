"""Drawing: the table of contents of the pixel half.

    setup.py          vertices on the screen -> edges and planes; cull, flat shading, wrap
    parts.py          what is drawn at once of a batch that has very many pixels
    binned.py         primitives binned into 64x64 tiles; threads take tiles from one counter
    raster.py         the tiles, one after the other
      coverage.py     which pixels of a tile: top-left rule, diamond rule, scissor
      seam.py         the call of what follows, once per queue of covered blocks
      plain.py        one 4x4 block of a draw that needs little of what follows
      shade.py        one 4x4 block through the stages, in this order:
        interpolate.py  depth_test.py  stencil_test.py            tests are pure; all writes come last
        sample.py  address.py  bump.py  combine.py | first_lookups.py  pshader.py   the colour
        fog.py  alpha_test.py
        blend.py  formats/pixels.py  output.py                    into the target
        observe/observer.py                                       undo log, fragments of a pixel, fates
    observe/journal.py  what it takes to draw a batch again, for those who look back
    resolve.py        multisampled -> one sample

A Batch collects the primitives of any number of draws to one pair of surfaces, each with its state, and draws them all at
once.  Order is kept within each tile, so the result does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from core.kernels.jit import address_of
from core.pipeline.observe.census import Census
from core.pipeline.observe.journal import Journal, ordered
from core.pipeline.pixel import parts
from core.pipeline.pixel.binned import Binned, Seen, States, Tiles
from core.pipeline.pixel.observer import FRAGMENT, LOG_RECORD
from core.pipeline.pixel.setup import SET_UP, set_up, setup_primitives
from core.pipeline.records.arenas import Arenas
from core.pipeline.records.layout import TRIANGLE, plane_words, tiles

MOST_FLOATS = TRIANGLE.itemsize // 4  # of a primitive's planes
UNLIMITED = 1 << 62
MOST_BEGUN = 16  # parts of a batch that others draw: their arenas are megabytes


class Watch:
    """What to observe while drawing, and what was seen.

    log: keep what is needed to undo blocks -> `records` (LOG_RECORD).  probe: (block, lanes) -> `fragments` (FRAGMENT).
    fates: (first, last event) -> `fate_plane`, `overdraw` (int32 a pixel, block order: 0, or 1 + Fate; counts).
    fragments_lost: how many fragments of the probe found no room (MOST_FRAGMENTS).  census: counts each draw's fragments.
    room: bytes that the log may hold; with more it is lost, and `log` is False.

    The log costs a copy of the touched tiles while drawing.  The first look at `records` redraws the batch, and
    `fragments_of` the tile of one block: the primitives, states and texels of a logged batch are kept with the watch.
    """

    def __init__(self, log: bool = False, probe: tuple[int, int] | None = None, fates: tuple[int, int] | None = None,
                 pixels: int = 0, census: Census | None = None, room: int = UNLIMITED) -> None:  # fmt: skip
        self.log, self.probe, self.fates, self.census = log, probe, fates, census
        self.room = room
        self.fate_plane = np.zeros(pixels if fates else 1, np.int32)
        self.overdraw = np.zeros_like(self.fate_plane)
        self.journals: list[Journal] = []  # of the batches, with log
        self.holds: Sequence[Any] = ()  # what keeps the texels of the journals where they are
        self.seen: list[np.ndarray] = []
        self.fragments_lost = 0
        self._records: np.ndarray | None = None
        self._written: list[np.ndarray] | None = None

    def draw(self, binned: Binned, color: np.ndarray | None, depth: np.ndarray | None, threads: int) -> None:
        """Draws a batch and observes it."""
        if self.log and self.size > self.room:
            self.log, self.journals = False, []
        journal = Journal(binned, color, depth) if self.log else None
        if journal is not None:
            self.journals.append(journal)
            self.forget_records()
        seen = Seen(self.probe, self.fates, (self.fate_plane, self.overdraw), journal=journal, census=self.census)
        binned.draw(color, depth, threads, seen)
        self.seen += seen.fragments
        self.fragments_lost += seen.fragments_lost

    def add(self, later: Watch) -> None:
        """Adds what a watch of the next batch has seen."""
        self.log = self.log and later.log
        self.journals += later.journals
        self.holds = [*self.holds, *later.holds]
        self.seen += later.seen
        self.fragments_lost += later.fragments_lost
        self.forget_records()

    @property
    def size(self) -> int:
        """Bytes held by the log, records that were asked for included."""
        return sum(journal.size for journal in self.journals) + self.records_size

    @property
    def records_size(self) -> int:
        """Bytes of the records that were asked for."""
        written = sum(len(chunk) for chunk in self._written or []) * LOG_RECORD.itemsize
        return written + (0 if self._records is None else self._records.nbytes)

    @property
    def recorded(self) -> bool:
        """Whether `written` is there already."""
        return self._written is not None

    def forget_records(self) -> None:
        """They are rebuilt when next requested."""
        self._records = self._written = None

    @property
    def written(self) -> list[np.ndarray]:
        """LOG_RECORD[n] each, batch by batch, as they come: only the order within a block is that of drawing."""
        found = self._written  # another thread may forget them
        if found is None:
            found = self._written = [chunk for journal in self.journals for chunk in journal.written()]
        return found

    @property
    def records(self) -> np.ndarray:
        """LOG_RECORD[n] batch by batch, by event, then block; the order within a block is the order of drawing."""
        records = self._records
        if records is None:
            found = [ordered(journal.written()) for journal in self.journals]
            records = self._records = found[0] if len(found) == 1 else np.concatenate([np.zeros(0, LOG_RECORD), *found])
        return records

    @property
    def fragments(self) -> np.ndarray:
        """FRAGMENT[n] in the order of drawing."""
        return np.concatenate([np.zeros(0, FRAGMENT), *self.seen])

    def fragments_of(self, block: int, lanes: int) -> np.ndarray:
        """FRAGMENT[n] of pixels of a block in a logged batch, in the order of drawing, failed ones too: a millisecond."""
        found = [journal.fragments_of(block, lanes) for journal in self.journals]
        return np.concatenate([np.zeros(0, FRAGMENT), *found])


class Batch:
    """Primitives to be drawn to one pair of surfaces of width x height pixels, with the states they are drawn with.

    `run` draws them all, and its own states are no more then; those that were given stay.  With several threads, others can
    `begin` with what has been added while more is.
    """

    def __init__(self, width: int, height: int, samples: int = 1, states: States | None = None) -> None:
        self.width, self.height, self.samples = width, height, max(samples, 1)
        self.columns = tiles(width)
        self._states, self._own_states = states or States(), states is None
        self._arenas: Arenas | None = None
        self.counts: np.ndarray = np.zeros(self.columns * tiles(height), np.int64)  # primitives that wait, by tile
        self._ends = np.zeros(2, np.int64)  # primitives, floats of planes: as the kernel leaves them
        self._length, self._floats = 0, 0  # the same
        self._begun: list[Tiles] = []  # in the order of drawing
        self._logged = 0, 0  # room that logged batches wanted for primitives and floats, since others have drawn
        self._entry = address_of(set_up, SET_UP)

    def __len__(self) -> int:
        """Primitives that wait; with what others have begun with, it is not 0 until `run`."""
        return self._length or len(self._begun)

    @property
    def waiting(self) -> int:
        """Primitives that nobody has begun with."""
        return self._length

    @property
    def floats(self) -> int:
        """Floats of the waiting primitives' planes."""
        return self._floats

    @property
    def arenas(self) -> Arenas:
        """Where the waiting primitives are; kernels that set primitives up behind them then let the batch `take` them."""
        if self._arenas is None:
            self._arenas = Arenas.take(*self._logged)
        return self._arenas

    @property
    def states(self) -> np.ndarray:
        """PIXEL_STATE[...].  Another array whenever new_state makes it grow."""
        return self._states.array

    @property
    def edges(self) -> np.ndarray:
        """EDGES of the waiting primitives, in the order of drawing; their `planes` and `state` point into what follows."""
        return self.arenas.edges[: self._length]

    @property
    def planes(self) -> np.ndarray:
        """float32: the TRIANGLE records, one after another."""
        return self.arenas.planes[: self._floats]

    def clear(self) -> None:
        """Forgets primitives and own states; what others have begun with is drawn."""
        self._finish()
        self._length = self._floats = 0
        self.counts[:] = 0
        if self._own_states:
            self._states.clear()
        if self._arenas is not None:
            self._arenas.give_back()
            self._arenas = None

    def drop(self) -> None:
        """Forgets everything, drawn or not: after an exception, whose memory nobody uses again."""
        begun, self._begun, self._arenas = self._begun, [], None
        self._length = self._floats = 0
        self.counts[:] = 0
        for part in begun:
            part.stop()

    def new_state(self) -> int:
        """The number of a fresh record in `states`, to be filled by bind.bind_pixel_state(..., batch.states, number)."""
        return self._states.new()

    def add(self, vertices: np.ndarray, primitives: np.ndarray, state: int, seq: int) -> int:
        """Sets up the primitives of one draw; their count beyond the guard band, which are left out.

        vertices: float32[n, 48]; primitives: PRIMITIVE[m]; state: from new_state; seq: the event.
        """
        memory, number = self.arenas, len(primitives)
        count, floats = self._length, self._floats
        if count + number > memory.edges.size or floats + (number + 1) * MOST_FLOATS > memory.planes.size:
            self.make_room(number)
        beyond = setup_primitives(self._entry, vertices, primitives, number, self.states, state, seq, memory.edges, count,
                                  memory.planes, floats, self.counts, self.columns, self._ends)  # fmt: skip
        self._length, self._floats = self._ends.tolist()
        return beyond

    def take(self, primitives: int, floats: int) -> None:
        """This many , with this many floats of planes, in `arenas` and `counts`."""
        self._length, self._floats = primitives, floats

    def make_room(self, primitives: int) -> None:
        """Arenas for this many more primitives."""
        edges, floats = self._length + primitives, self._floats + (primitives + 1) * MOST_FLOATS
        self.arenas.room_for("edges", edges)
        self.arenas.room_for("planes", floats)
        if self._logged[0]:
            self._logged = max(self._logged[0], edges), max(self._logged[1], floats)

    @property
    def idle(self) -> bool:
        """Whether all that others have begun with is drawn."""
        return not self._begun or self._begun[-1].finished

    def begin(self, color: np.ndarray | None, depth: np.ndarray | None, memory: np.ndarray, threads: int) -> None:
        """Draws what waits: other threads do, meanwhile more can be added; or at once, with one thread.  The states stay.

        `run` with the same surfaces must follow; memory may be replaced.
        """
        try:
            for binned in self._parts(memory):
                part = Tiles(binned, color, depth, Seen(), after=self._begun[-1] if self._begun else None)
                self._begun.append(part)
                part.start(threads - 1)
                if threads < 2 or len(self._begun) > MOST_BEGUN:
                    self._finish()
        except BaseException:
            self.drop()
            raise
        self.counts[:] = 0
        self._arenas, self._length, self._floats, self._logged = None, 0, 0, (0, 0)

    def _finish(self) -> None:
        for part in self._begun:  # while others still draw
            part.binned.sort()
        for part in self._begun:
            part.finish()
        begun, self._begun = self._begun, []
        for part in begun:
            part.binned.arenas.give_back()

    def _parts(self, memory: np.ndarray) -> Iterator[Binned]:
        """The primitives that wait; as one part, unless they have too many places."""
        held, starts = self.arenas, parts.starts_of(self.counts)
        binned = Binned(held, self.states, starts, self.columns, self.samples, memory, self._length)
        if starts[-1] > parts.MOST_PLACES:
            self._arenas = None
            yield from parts.split(binned, self._length, self._floats)
            held.give_back()
        else:
            held.room_for("order", int(starts[-1]))
            yield binned

    def run(self, color: np.ndarray | None, depth: np.ndarray | None, memory: np.ndarray, threads: int = 1,
            watch: Watch | None = None) -> None:  # fmt: skip
        """Draws everything and forgets it.

        color, depth: uint32 in block order, a plane per sample, or None; memory: the texture heap, uint32.
        """
        words = plane_words(self.width, self.height) * self.samples
        assert all(surface is None or surface.size >= words for surface in (color, depth))
        try:
            if watch is None:
                self.begin(color, depth, memory, threads)
            self._finish()
            if watch is not None:
                self._draw_watched(color, depth, memory, threads, watch)
        except BaseException:
            self.drop()
            raise
        self.clear()

    def _draw_watched(self, color: np.ndarray | None, depth: np.ndarray | None, memory: np.ndarray, threads: int,
                      watch: Watch) -> None:  # fmt: skip
        for binned in self._parts(memory):
            watch.draw(binned, color, depth, threads)
            if watch.log and binned.arenas is self._arenas:  # the journal has them
                self._logged = max(self._logged[0], self._length), max(self._logged[1], self._floats)
                binned.arenas, self._arenas = binned.arenas.lean(self._length, self._floats, int(binned.starts[-1])), None
            elif binned.arenas is not self._arenas and not watch.log:
                binned.arenas.give_back()
