"""A journal: a drawn batch, kept with the previous contents of the tiles it touched.

The undo records of a batch, what a surface was after any of its primitives, and the fragments of one of its pixels are computed
from that when somebody asks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from core.pipeline.pixel.binned import Binned, Seen
from core.pipeline.pixel.observer import FRAGMENT, LOG_RECORD, LOG_WORDS
from core.pipeline.records.layout import TILE_BLOCKS, TILE_PIXELS
from core.pipeline.records.recycle import recycled
from core.pipeline.surface.blit import copy_tiles


class Journal:
    """A batch that is drawn, and its tiles as they were before: what it takes to draw it again.

    Tile t is copied to place tiles[t] of `kept` (-1: nothing is drawn in it); texels in the heap must stay.
    """

    def __init__(self, binned: Binned, color: np.ndarray | None, depth: np.ndarray | None) -> None:
        self._binned = binned
        self._words = [0 if surface is None else surface.size for surface in (color, depth)]
        self._touched = np.flatnonzero(np.diff(binned.starts))
        self.tiles = np.full(len(binned.starts) - 1, -1, np.int64)
        self.tiles[self._touched] = np.arange(len(self._touched))
        self.keep = (color is not None) + 2 * (depth is not None)  # SETTINGS
        surfaces = self.keep.bit_count()
        self.kept = recycled(len(self._touched) * surfaces * binned.samples * TILE_PIXELS)

    @property
    def size(self) -> int:
        """Bytes that the journal holds alone: without the states, which others share."""
        return self.kept.nbytes + self._binned.arenas.nbytes

    def arrays(self) -> Iterator[np.ndarray]:
        """All memory that the journal holds; others share the states."""
        arenas = self._binned.arenas
        yield from (self.kept, arenas.edges, arenas.planes, arenas.order, self._binned.states)

    @property
    def binned(self) -> Binned:
        """The batch's primitives."""
        return self._binned

    def pixel_before(self, x: int, y: int) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Colour and depth of a pixel in a touched tile as they were before, uint32[samples]; None without a surface."""
        kept = self.kept.reshape(len(self._touched), self.keep.bit_count(), self._binned.samples, TILE_PIXELS)
        place = int(self.tiles[(y >> 6) * self._binned.columns + (x >> 6)])
        assert place >= 0
        inner = (((y >> 2) & 15) * 16 + ((x >> 2) & 15)) * 16 + (y & 3) * 4 + (x & 3)
        color = kept[place, 0, :, inner] if self.keep & 1 else None
        return color, kept[place, self.keep & 1, :, inner] if self.keep & 2 else None

    def before(self, only: int | None = None) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Colour and depth with the touched tiles (or only one) as they were before; the other tiles hold anything."""
        samples, surfaces = self._binned.samples, [recycled(words) if words else None for words in self._words]
        there = [surface for surface in surfaces if surface is not None]
        kept = self.kept.reshape(len(self._touched), len(there), samples, TILE_PIXELS)
        for number, surface in enumerate(there):
            tiles = surface.reshape(samples, -1, TILE_PIXELS)
            if only is None:
                tiles[:, self._touched] = kept[:, number].transpose(1, 0, 2)
            else:
                tiles[:, only] = kept[self.tiles[only], number]
        return surfaces[0], surfaces[1]

    @property
    def most_records(self) -> int:
        """More undo records than the batch can make: blocks within the bounds of its primitives."""
        edges = self._edges
        across, down = ((edges[high] >> 2) - (edges[low] >> 2) + 1 for low, high in (("left", "right"), ("top", "bottom")))
        return int(across.astype(np.int64) @ down.astype(np.int64)) * self._binned.samples

    @property
    def _edges(self) -> np.ndarray:
        order = self._binned.arenas.order[: self._binned.starts[-1]]
        return self._binned.arenas.edges[: int(order.max(initial=-1)) + 1]

    def begins_after(self, seq: int, primitive: int | None) -> bool:
        """Whether all of the batch comes after event `seq`, or after that primitive of it."""
        edges = self._edges[:1]
        later = edges["seq"] > seq
        return bool((later if primitive is None else later | (edges["seq"] == seq) & (edges["number"] > primitive)).all())

    def put_back(self, words: np.ndarray, depth: bool, own_columns: int, done: np.ndarray, inside: np.ndarray | None) -> None:
        """The touched tiles as they were before, into the words of a surface with `own_columns` tiles in a row.

        Tiles (of the surface) that are `done` already stay, whole ones that are put back are done.  inside: bool[tiles of the
        batch, TILE_PIXELS], what the batch's own surface covers, when that is less than whole tiles of the other.
        """
        own = self._own_tiles(own_columns)
        new = np.flatnonzero(~done[own])
        number = int(depth and self.keep == 3)
        samples = self._binned.samples
        first = (new * self.keep.bit_count() + number) * samples
        covered = None if inside is None else inside[self._touched[new]]
        self._put(words, own[new], self.kept, [first + sample for sample in range(samples)], covered)
        done[own] |= inside is None

    def put_partly(self, words: np.ndarray, depth: bool, own_columns: int, seq: int, primitive: int | None,
                   inside: np.ndarray | None) -> None:  # fmt: skip
        """The touched tiles as they were after the batch's primitives up to event `seq` (and primitive of it), by drawing."""
        surface = self._redrawn(seq, primitive)[depth]
        assert surface is not None
        planes = range(0, surface.size // TILE_PIXELS, surface.size // TILE_PIXELS // self._binned.samples)
        covered = None if inside is None else inside[self._touched]
        self._put(words, self._own_tiles(own_columns), surface, [first + self._touched for first in planes], covered)

    def _put(self, words: np.ndarray, places: np.ndarray, given: np.ndarray, numbers: list[np.ndarray],
             inside: np.ndarray | None) -> None:  # fmt: skip
        """Tiles of `given`, by sample, to their places in each plane of `words`."""
        each = words.size // TILE_PIXELS // self._binned.samples
        for sample, chosen in enumerate(numbers):
            if inside is None:
                copy_tiles(given, chosen, places + sample * each, words)
            else:
                tiles, old = given.reshape(-1, TILE_PIXELS), words.reshape(-1, TILE_PIXELS)
                old[places + sample * each] = np.where(inside, tiles[chosen], old[places + sample * each])

    def _own_tiles(self, own_columns: int) -> np.ndarray:
        columns = self._binned.columns
        return self._touched // columns * own_columns + self._touched % columns

    def _redrawn(self, seq: int, primitive: int | None) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Colour and depth after the primitives up to there; only the touched tiles hold anything."""
        edges, (color, depth) = self._edges, self.before()
        drawn = edges["seq"] < seq if primitive is not None else edges["seq"] <= seq
        if primitive is not None:
            drawn |= (edges["seq"] == seq) & (edges["number"] <= primitive)
        self._binned.only(drawn).draw(color, depth, os.cpu_count() or 1, Seen())
        return color, depth

    def written(self) -> list[np.ndarray]:
        """LOG_RECORD[n] each, as they come: only the order within a block is that of drawing."""
        seen = Seen(log=True)
        self._binned.draw(*self.before(), os.cpu_count() or 1, seen)
        return seen.chunks

    def fragments_of(self, block: int, lanes: int) -> np.ndarray:
        """FRAGMENT[n] of pixels of a block, in the order of drawing."""
        seen, tile = Seen(probe=(block, lanes)), block // TILE_BLOCKS
        if self.tiles[tile] >= 0:
            self._binned.draw(*self.before(tile), 1, seen, tile)
        return np.concatenate([np.zeros(0, FRAGMENT), *seen.fragments])


def ordered(chunks: list[np.ndarray]) -> np.ndarray:
    """Undo records by event, then block."""
    joined = recycled(sum(map(len, chunks)) * LOG_WORDS).view(LOG_RECORD)
    if chunks:
        np.concatenate(chunks, out=joined)
    key = joined["seq"].astype(np.int64) << 32 | joined["block"]
    found = recycled(len(joined) * LOG_WORDS).view(LOG_RECORD)
    return np.take(joined, np.argsort(key, kind="stable"), out=found, mode="clip")
