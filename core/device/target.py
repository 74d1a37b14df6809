"""The surfaces that a batch of draws goes to."""

from __future__ import annotations

import numpy as np

from core.device.surfaces import Level, Surface
from core.pipeline.binned import States
from core.pipeline.draw import Batch
from core.pipeline.memory.layout import describe_target, from_blocks, plane_words, to_blocks

Words = tuple[np.ndarray | None, np.ndarray | None]
"""Colour and depth in block order, None without."""


class Target:
    """The pair of surfaces that a batch draws to; `depth` is None when there is none that fits."""

    def __init__(self, color: Level | None, depth: Level | None, states: States) -> None:
        shape = color or depth
        assert shape is not None
        self.color, self.depth = color, depth
        self.width, self.height, self.planes = shape.width, shape.height, shape.planes
        self.record = describe_target(
            self.width, self.height, color.format if color else None, depth.format if depth else None, self.planes
        )
        self.kind = self.record.tobytes()
        self.batch = Batch(self.width, self.height, self.planes, states)
        self.words = plane_words(self.width, self.height) * self.planes
        self._same_tiles = depth is None or (depth.width + 63) // 64 == (self.width + 63) // 64
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
        planes = self.depth.blocks().reshape(self.planes, -1)
        cut = [
            to_blocks(from_blocks(plane, self.depth.width, self.depth.height)[: self.height, : self.width]) for plane in planes
        ]
        return np.concatenate(cut)

    def _put_depth(self, words: np.ndarray) -> None:
        """Takes back what _depth_words gave out."""
        assert self.depth is not None
        whole = self.depth.write_blocks().reshape(self.planes, -1)
        for plane, drawn in zip(whole, words.reshape(self.planes, -1), strict=True):
            picture = from_blocks(plane, self.depth.width, self.depth.height)
            picture[: self.height, : self.width] = from_blocks(drawn, self.width, self.height)
            plane[:] = to_blocks(picture)
