"""Surfaces: images with mip levels, faces, slices and samples, and D3D buffers.

The truth of a subresource is its bytes: linear rows in the surface's format, or, after drawing, the block form of render
targets (core.pipeline.surface.blit).  Either form is made from the other when it is asked for.  Arrays that a snapshot has
seen are never written again: the next write works on a copy, so that snapshots cost nothing until something changes.
"""

from __future__ import annotations

import itertools
import weakref
import zlib
from typing import Any

import numpy as np

from core.pipeline.records.recycle import recycled, recycled_bytes, recycled_copy
from core.pipeline.surface import blit
from core.pipeline.surface.resolve import resolve
from core.spec.formats import Format

SHARED = 4096  # bytes from which on equal contents share memory
PADDING = 64  # bytes behind a buffer that kernels may read
_versions = itertools.count(1)
Contents = tuple[np.ndarray | None, np.ndarray | None, int]


def next_version() -> int:
    """A number that no content had before."""
    return next(_versions)


def skip_versions(last: int) -> None:
    """No version up to `last` will be given out: contents that come from another run have them."""
    global _versions
    _versions = itertools.count(max(next(_versions), last + 1))


LINEAR, BLOCKS = 1, 2
_equals: weakref.WeakValueDictionary[tuple[int, int], np.ndarray] = weakref.WeakValueDictionary()  # by checksum and size


def shared(rows: np.ndarray) -> np.ndarray:
    """Rows that will not be written any more; or others that hold the same, which a snapshot has seen before.

    Textures are loaded anew whenever looking back begins before they were: every log and keyframe would hold its own.
    """
    if rows.nbytes < SHARED:
        return rows
    key = zlib.crc32(rows.data), rows.nbytes
    other = _equals.setdefault(key, rows)
    return other if other is rows or np.array_equal(other, rows) else rows


class SurfacePart:
    """One subresource: a mip level of a face (or a volume level with all its slices)."""

    __slots__ = (
        "_blocks", "_fresh", "_frozen", "_linear", "depth", "format", "handle", "height", "pitch", "rows", "samples", "size",
        "slice_pitch", "surface", "version", "width",
    )  # fmt: skip

    def __init__(self, surface: Surface, handle: int, width: int, height: int, depth: int) -> None:
        self.surface, self.handle, self.format, self.samples = surface, handle, surface.format, surface.samples
        self.width, self.height, self.depth = width, height, depth
        self.pitch = surface.format.pitch(width)
        self.rows = surface.format.row_count(height)
        self.slice_pitch = self.pitch * self.rows
        self.size = self.slice_pitch * depth
        self._linear: np.ndarray | None = None
        self._blocks: np.ndarray | None = None
        self._fresh = 0  # which forms hold the contents; none: all zero
        self._frozen = 0  # which forms a snapshot has seen
        self.version = 0

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """Without contents: those are a snapshot's."""
        empty = {"_linear": None, "_blocks": None, "_fresh": 0, "_frozen": 0, "version": 0}
        return None, {name: getattr(self, name) for name in self.__slots__} | empty

    # ---- linear form: uint8[size]
    def linear(self) -> np.ndarray:
        """The rows, to be read only. Multisampled: resolved."""
        if not self._fresh & LINEAR:
            rows = self._spare_linear()
            if self._fresh & BLOCKS:
                self._leave_blocks(rows)
            else:
                rows[:] = 0
            self._linear, self._fresh = rows, self._fresh | LINEAR
        assert self._linear is not None
        return self._linear

    def write_linear(self, whole: bool = False) -> np.ndarray:
        """The rows, to be written now; `whole` when every byte will be written."""
        rows = self._spare_linear() if whole else self.linear()
        if self._frozen & LINEAR and not whole:
            rows = recycled_copy(rows)
        self._linear = rows
        self._wrote(LINEAR)
        return rows

    def _spare_linear(self) -> np.ndarray:
        """An array for the rows, contents unknown."""
        if self._linear is not None and not self._frozen & LINEAR:
            return self._linear
        rows = recycled_bytes(self.size)
        self._frozen &= ~LINEAR
        return rows

    # ---- block form: uint32[samples * plane words]
    def blocks(self) -> np.ndarray:
        """The block form, to be read only."""
        if not self._fresh & BLOCKS:
            blocks = self._spare_blocks()
            if self._fresh & LINEAR:
                self._enter_blocks(blocks)
            else:
                blocks[:] = 0
            self._blocks, self._fresh = blocks, self._fresh | BLOCKS
        assert self._blocks is not None
        return self._blocks

    def write_blocks(self, whole: bool = False) -> np.ndarray:
        """The block form, to be drawn into now; `whole` when every word will be written."""
        blocks = self._spare_blocks() if whole else self.blocks()
        if self._frozen & BLOCKS and not whole:
            blocks = recycled_copy(blocks)
        self._blocks = blocks
        self._wrote(BLOCKS)
        return blocks

    def _spare_blocks(self) -> np.ndarray:
        """An array for the block form, contents unknown."""
        if self._blocks is not None and not self._frozen & BLOCKS:
            return self._blocks
        blocks = recycled(self.planes * blit.plane_words(self.width, self.height))
        self._frozen &= ~BLOCKS
        return blocks

    def _wrote(self, form: int) -> None:
        self._fresh = form
        self._frozen &= ~form
        self.version = self.surface.version = next_version()

    # ---- from one form to the other
    @property
    def planes(self) -> int:
        """Sample planes of the block form."""
        return max(self.samples, 1)

    @property
    def drawn(self) -> bool:
        """Whether the block form holds the contents."""
        return bool(self._fresh & BLOCKS)

    def _enter_blocks(self, blocks: np.ndarray) -> None:
        assert self._linear is not None
        blit.enter_blocks(self._linear, self.pitch, self.format.bits // 8, self.width, self.height, self.planes, blocks)

    def _leave_blocks(self, rows: np.ndarray) -> None:
        blocks = self._blocks
        assert blocks is not None
        if self.samples:
            blocks = resolve(blocks, self.samples, self.format)
        blit.leave_blocks(blocks, self.format.bits // 8, self.width, self.height, rows, self.pitch)

    def plane(self, sample: int) -> np.ndarray:
        """The rows of one sample, uint8[size]."""
        words = blit.plane_words(self.width, self.height)
        rows = np.zeros(self.size, np.uint8)
        blocks = self.blocks()[sample * words : (sample + 1) * words]
        blit.leave_blocks(blocks, self.format.bits // 8, self.width, self.height, rows, self.pitch)
        return rows

    def take(self, source: SurfacePart) -> None:
        """Takes the contents of a level of the same format, size and samples: they share memory until one is written."""
        form = BLOCKS if source.drawn else LINEAR
        if form == BLOCKS:
            self._blocks = source.blocks()
        else:
            self._linear = source.linear()
        source._frozen |= form
        self._wrote(form)
        self._frozen |= form

    def swap(self, other: SurfacePart) -> None:
        """Exchanges the contents of two levels of the same format, size and samples."""
        for name in ("_linear", "_blocks", "_fresh", "_frozen", "version"):
            mine = getattr(self, name)
            setattr(self, name, getattr(other, name))
            setattr(other, name, mine)
        self.surface.version, other.surface.version = next_version(), next_version()

    # ---- contents as a value
    @property
    def unshared(self) -> int:
        """Bytes that the next snapshot will hold and no earlier one does."""
        held = 0
        for form, words in ((LINEAR, self._linear), (BLOCKS, self._blocks)):
            if words is not None and self._fresh & form and not self._frozen & form:
                held += words.nbytes
        return held

    def contents(self) -> Contents:
        """The present contents; the arrays will not change any more."""
        if self._linear is not None and self._fresh & LINEAR and not self._frozen & LINEAR:
            self._linear = shared(self._linear)
        self._frozen |= self._fresh
        linear = self._linear if self._fresh & LINEAR else None
        return linear, self._blocks if self._fresh & BLOCKS else None, self.version

    def set_contents(self, contents: Contents) -> None:
        """Takes what `contents()` of this or an equal level returned."""
        linear, blocks, version = contents
        if version == self.version and self._fresh:
            return
        self._linear, self._blocks, self.version = linear, blocks, version
        self._fresh = self._frozen = (linear is not None) * LINEAR | (blocks is not None) * BLOCKS
        self.surface.version = next_version()


class Surface:
    """A texture, cube, volume, render target, depth buffer, or plain picture: `faces` x `levels` subresources.

    Handles are `handle + face * levels + level`, unless `handles` lists them.  `palette` is the handle of the bound palette, 0
    without; of a palette of DirectDraw, its handle and its entries.
    """

    def __init__(self, handle: int, format: Format, width: int, height: int, depth: int = 1, levels: int = 1, faces: int = 1,
                 samples: int = 0, **facts: Any) -> None:  # fmt: skip
        self.handle, self.format, self.samples = handle, format, samples
        self.width, self.height, self.depth, self.levels, self.faces = width, height, depth, levels, faces
        self.label: str = facts.get("label", "image")
        self.memory: str = facts.get("memory", "video")
        self.volume: bool = facts.get("volume", depth > 1)
        self.facts = facts
        self.version = next_version()
        self.palette: int | tuple[int, bytes] = 0
        self.lod = 0
        self.priority = 0
        self.color_key: tuple[int, int] | None = None
        self.destination_key: tuple[int, int] | None = None
        self.heap_block: Any = None  # where core.device.memory.textures keeps the sampler form
        handles = facts.get("handles") or range(handle, handle + faces * levels)
        self.parts = [
            SurfacePart(self, handles[face * levels + n], max(width >> n, 1), max(height >> n, 1), max(depth >> n, 1))
            for face in range(faces)
            for n in range(levels)
        ]

    def __getstate__(self) -> dict[str, Any]:
        """Without contents, and not in any heap."""
        return self.__dict__ | {"heap_block": None}

    @property
    def size(self) -> int:
        """Bytes of all subresources, samples counted."""
        return sum(part.size for part in self.parts) * max(self.samples, 1)

    def part(self, level: int = 0, face: int = 0) -> SurfacePart:
        """A subresource; level and face must exist."""
        return self.parts[face * self.levels + level]

    @property
    def unshared(self) -> int:
        """Bytes that the next snapshot will hold and no earlier one does."""
        return sum(part.unshared for part in self.parts)

    def settings(self) -> tuple:
        """What can change but the contents: palette, lod, priority, colour keys, label."""
        return self.palette, self.lod, self.priority, (self.color_key, self.destination_key), self.label

    def snapshot(self) -> tuple:
        """Everything that can change, as a value."""
        return (*self.settings(), [part.contents() for part in self.parts])

    def restore(self, state: tuple) -> None:
        """Takes what `snapshot()` returned."""
        self.palette, self.lod, self.priority, keys, self.label, parts = state
        self.color_key, self.destination_key = keys
        for part, contents in zip(self.parts, parts, strict=True):
            part.set_contents(contents)


class Buffer:
    """A vertex, index or command buffer: `size` bytes and some padding."""

    __slots__ = ("_bytes", "_frozen", "contents", "facts", "handle", "kind", "size", "version")

    def __init__(self, handle: int, size: int, kind: str = "vertex", **facts: Any) -> None:
        self.handle, self.size, self.kind, self.facts = handle, size, kind, facts
        self._bytes = np.zeros(size + PADDING, np.uint8)
        self.contents = self._bytes[:size]  # to be read only; one array as long as the memory is the same
        self._frozen = False
        self.version = next_version()

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """Without contents: those are a snapshot's."""
        return None, {name: getattr(self, name) for name in self.__slots__} | {"_bytes": None, "contents": None}

    def bytes(self) -> np.ndarray:
        """The contents and PADDING bytes, to be read only."""
        return self._bytes

    def write(self) -> np.ndarray:
        """The contents, to be written now."""
        if self._frozen:
            self._bytes, self._frozen = self._bytes.copy(), False
            self.contents = self._bytes[: self.size]
        self.version = next_version()
        return self._bytes

    @property
    def unshared(self) -> int:
        """Bytes that the next snapshot will hold and no earlier one does."""
        return 0 if self._frozen else self._bytes.nbytes

    def snapshot(self) -> tuple[np.ndarray, int]:
        """The contents as a value."""
        self._frozen = True
        return self._bytes, self.version

    def restore(self, state: tuple[np.ndarray, int]) -> None:
        """Takes what `snapshot()` returned."""
        self._bytes, self.version = state
        self.contents, self._frozen = self._bytes[: self.size], True
