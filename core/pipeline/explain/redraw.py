"""Redraws any pixel of a batch that was drawn with a journal, alone and observed.

The same kernels draw as did the first time, from the same primitives, states and texels, with bounds narrowed to the pixel, so
a pixel costs a fraction of a millisecond; given what stood there before, the same comes out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.pipeline.observe.journal import Journal
from core.pipeline.pixel.binned import NOTHING, Seen, Worker, shade_entry
from core.pipeline.pixel.raster import raster_tiles, tile_counter
from core.pipeline.records.layout import MAX_SAMPLES, TILE_BLOCKS, from_blocks
from core.pipeline.records.recycle import recycled

BOUNDS = ("left", "top", "right", "bottom")
OUTPUTS = ("color_write", "z_write", "stencil_enable")
TESTS = (*OUTPUTS, "depth_used", "z_enable", "alpha_test_enable", "needs_color", "has_color", "has_depth", "shader_needs")


@dataclass(frozen=True, slots=True)
class Redrawn:
    """What became of one pixel in a batch.

    fragments: FRAGMENT[n] in the order of drawing, `primitive` is a row of DrawnBatch.edges; masked: bool[n], of samples that
    MULTISAMPLEMASK leaves out; color, depth: uint32[samples] afterwards, empty without a surface.
    """

    fragments: np.ndarray
    masked: np.ndarray
    color: np.ndarray
    depth: np.ndarray


class DrawnBatch:
    """What a journal keeps of a batch: `edges` (EDGES), `planes` and `states` (PIXEL_STATE) as in a Batch."""

    def __init__(self, journal: Journal) -> None:
        self.journal, binned = journal, journal.binned
        self.samples, self.columns, self.memory = binned.samples, binned.columns, binned.memory
        self.starts, self.order = binned.starts, binned.arenas.order
        self.planes, self.states = binned.arenas.planes, binned.states
        self.edges = binned.arenas.edges[: int(self.order[: self.starts[-1]].max(initial=-1)) + 1]

    # ---- which primitives
    def rows_at(self, x: int, y: int, first: int = 0, last: int | None = None) -> np.ndarray:
        """Rows of `edges` of events first..last whose bounds hold the pixel, in the order of drawing."""
        tile = self.block_of(x, y) // TILE_BLOCKS
        rows = self.order[self.starts[tile] : self.starts[tile + 1]]
        left, top, right, bottom, seq = (self.edges[name][rows] for name in (*BOUNDS, "seq"))
        here = (left <= x) & (x <= right) & (top <= y) & (y <= bottom) & (seq >= first)
        if last is not None:
            here &= seq <= last
        return rows[here].astype(np.int64)

    def rows_of(self, seq: int, number: int | None = None) -> np.ndarray:
        """Rows of `edges` of an event, or of one primitive of it."""
        low, high = np.searchsorted(self.edges["seq"], [seq, seq + 1])
        rows = np.arange(low, high)
        return rows if number is None else rows[self.edges["number"][rows] == number]

    def covering(self, x: int, y: int, rows: np.ndarray) -> np.ndarray:
        """Those of the rows that cover the pixel, or one of its samples, in order; a row for each sample."""
        edges, states = self._narrowed(x, y, rows)
        used, edges["state"] = np.unique(edges["state"], return_inverse=True)
        return self._draw(x, y, edges, plain(states[used], TESTS), (None, None)).fragments["primitive"]

    def coverage(self, rows: np.ndarray, width: int, height: int) -> np.ndarray:
        """int32[height, width]: how many fragments, a sample each, these rows make of each pixel."""
        words = 256 * 16 * (len(self.starts) - 1)
        planes = np.zeros(words * self.samples, np.int32), np.zeros(words * self.samples, np.int32)
        seen = Seen(fates=(0, (1 << 31) - 1), planes=planes)
        drawn = np.isin(self.order[: self.starts[-1]], rows)
        starts = np.concatenate([[0], np.cumsum(drawn)])[self.starts]
        worker = Worker(seen, self.samples)
        states = plain(self.states[: int(self.edges["state"].max(initial=0)) + 1], TESTS)
        raster_tiles(NOTHING, NOTHING, self.edges, self.planes, self.order[: self.starts[-1]][drawn], starts, states,
                     self.memory, worker.scratch, worker.queue, *worker.observer(), self.columns, tile_counter(),
                     worker.resume, seen.tiles, seen.kept, shade_entry())  # fmt: skip
        return from_blocks(planes[1].reshape(self.samples, words).sum(axis=0, dtype=np.int32), width, height)

    # ---- one pixel
    def block_of(self, x: int, y: int) -> int:
        """The number of the pixel's block, as undo records count."""
        tile = (y >> 6) * self.columns + (x >> 6)
        return tile * TILE_BLOCKS + ((y >> 2) & 15) * 16 + ((x >> 2) & 15)

    def redraw(self, x: int, y: int) -> Redrawn:
        """What the batch made of the pixel."""
        edges, states = self._narrowed(x, y, self.rows_at(x, y))
        return self._draw(x, y, edges, states, self.journal.pixel_before(x, y))

    def _draw(self, x: int, y: int, edges: np.ndarray, states: np.ndarray, before: tuple) -> Redrawn:
        """Draws narrowed primitives; before: colour and depth, uint32[samples] or None."""
        block, lane = self.block_of(x, y), (y & 3) * 4 + (x & 3)
        plane = 4096 * (len(self.starts) - 1)
        at = np.arange(self.samples) * plane + block * 16 + lane
        surfaces = [_surface(plane * self.samples, at, words) for words in before]
        seen = Seen(probe=(block, 1 << lane))
        worker = Worker(seen, self.samples, max(len(edges) * self.samples, 1))
        tile = block // TILE_BLOCKS
        starts = np.zeros(tile + 2, np.int64)
        starts[-1] = len(edges)
        raster_tiles(*surfaces, edges, self.planes, np.arange(len(edges), dtype=np.int32), starts, states, self.memory,
                     worker.scratch, worker.queue, *worker.observer(), self.columns, tile_counter(tile), worker.resume,
                     seen.tiles, seen.kept, shade_entry())  # fmt: skip
        fragments = worker.fragments[: int(worker.settings[0]["fragment_count"])]
        masked = (fragments["primitive"] & 1).astype(bool)
        fragments["primitive"] >>= 1
        after = [at[:0] if words is None else surface[at] for surface, words in zip(surfaces, before, strict=True)]
        return Redrawn(fragments, masked, after[0], after[1])

    def _narrowed(self, x: int, y: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows as primitives of one pixel, and their states.

        `number` becomes 2 * row. A primitive whose state masks samples stands there twice: the second time, with an odd
        number, for the masked samples, and changing nothing.
        """
        edges, whole = self.edges[rows], (1 << self.samples) - 1
        edges["number"] = 2 * rows
        states = self.states
        masks = ~states["sample_mask"][edges["state"]] & whole != 0 if self.samples > 1 else np.zeros(len(rows), bool)
        if masks.any():
            used, place = np.unique(edges["state"], return_inverse=True)
            others = plain(states[used], OUTPUTS)
            others["sample_mask"] = ~others["sample_mask"] & ((1 << MAX_SAMPLES) - 1)
            states = np.concatenate([self.states[used], others])
            edges["state"] = place
            edges = np.repeat(edges, 1 + masks)
            second = np.flatnonzero(np.diff(edges["number"]) == 0) + 1
            edges["number"][second] += 1
            edges["state"][second] += len(used)
        edges["left"] = edges["right"] = x
        edges["top"] = edges["bottom"] = y
        edges["scissored"] = 1
        return edges, states


def _surface(size: int, at: np.ndarray, words: np.ndarray | None) -> np.ndarray:
    """A surface of which only this pixel counts."""
    if words is None:
        return NOTHING
    surface = recycled(size)
    surface[at] = words
    return surface


def plain(states: np.ndarray, without: tuple[str, ...]) -> np.ndarray:
    """Copies of PIXEL_STATEs with these parts off."""
    copies = states.copy()
    for name in without:
        copies[name] = 0
    return copies
