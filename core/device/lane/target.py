"""The target surfaces of a batch of draws."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from core.device.memory.surfaces import Surface, SurfacePart
from core.pipeline.draw import Batch
from core.pipeline.pixel.binned import States
from core.pipeline.records.layout import describe_target, plane_words, tiles
from core.pipeline.surface.blit import copy_tiles

Rect = tuple[int, int, int, int]
Words = tuple[np.ndarray | None, np.ndarray | None]
"""Colour and depth in block order, None without."""


class Target:
    """The pair of surfaces that a batch draws to; `depth` is None when there is none that fits.

    within: (left, top, right, bottom) of the only pixels that are drawn; None: all.
    """

    def __init__(
        self, color: SurfacePart | None, depth: SurfacePart | None, states: States, within: Rect | None = None
    ) -> None:
        shape = color or depth
        assert shape is not None
        self.color, self.depth = color, depth
        self.width, self.height, self.planes = shape.width, shape.height, shape.planes
        self.record = describe_target(
            self.width, self.height, color.format if color else None, depth.format if depth else None, self.planes, within
        )
        self.kind = self.record.tobytes()
        self.batch = Batch(self.width, self.height, self.planes, states)
        self.words = plane_words(self.width, self.height) * self.planes
        self._same_tiles = depth is None or tiles(depth.width) == tiles(self.width)
        self._open: Words | None = None

    def has(self, surface: Surface) -> bool:
        """Whether the surface is one of the two."""
        color, depth = self.color, self.depth
        return (color is not None and color.surface is surface) or (depth is not None and depth.surface is surface)

    def open(self) -> Words:
        """The surfaces to be drawn into, until `close`."""
        if self._open is None:
            self._open = self.color.write_blocks() if self.color else None, self._depth_words()
        return self._open

    def close(self) -> None:
        """The drawing is done."""
        if self._open is not None and self._open[1] is not None and not self._same_tiles:
            self._put_depth(self._open[1])
        self._open = None

    def _depth_words(self) -> np.ndarray | None:
        """The depth surface in the target's tiles."""
        if self.depth is None:
            return None
        if self._same_tiles:
            return self.depth.write_blocks()
        words = np.empty(self.words, np.uint32)
        copy_tiles(self.depth.blocks(), *self._places, words)
        return words

    def _put_depth(self, words: np.ndarray) -> None:
        """Takes back what _depth_words gave out."""
        assert self.depth is not None
        copy_tiles(words, *self._places[::-1], self.depth.write_blocks())

    @cached_property
    def _places(self) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of the target's tiles in a depth surface that is larger, and in the target."""
        assert self.depth is not None
        across, down, planes = tiles(self.width), tiles(self.height), self.planes
        plane, y, x = np.indices((planes, down, across)).reshape(3, -1)
        rows = tiles(self.depth.height)
        return (plane * rows + y) * tiles(self.depth.width) + x, np.arange(planes * down * across)
