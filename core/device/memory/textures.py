"""The texture heap: surfaces in the sampler's form, converted when a draw first needs new contents."""

from __future__ import annotations

import weakref
import zlib
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from core.device.memory.surfaces import Surface
from core.pipeline.records.texture import TEXTURE, TextureKind
from core.pipeline.surface.formats.texels import decode, describe_texture, texel_words

MOST_WORDS = 1 << 31  # word offsets are int32


class HeapFull(Exception):
    """The textures of the program do not fit into the sampler's heap."""


@dataclass(slots=True, weakref_slot=True, eq=False)
class Words:
    """Words of the heap, free again when nothing refers to them."""

    first: int
    count: int
    lent: bool = False  # a journal reads them, or several surfaces do: new contents go elsewhere

    @property
    def nbytes(self) -> int:
        return self.count * 4


@dataclass(slots=True, eq=False)
class Block:
    """One surface in the heap."""

    words: Words
    starts: np.ndarray  # int32[faces, levels]
    record: np.ndarray  # TEXTURE[1]
    seen: int = 0  # the surface's version when all parts were last looked at
    parts: list[tuple[int, int]] = field(default_factory=list)  # per part: (version, palette version) converted


class TextureHeap:
    """All bound textures: `words` is the sampler's memory, uint32[:], replaced when it grows.

    Textures with the same texels share words: looking back makes them anew (a jump to before they were loaded), while the logs
    of frames still read the old ones.
    """

    def __init__(self, words: int = 1 << 20) -> None:
        self.words = np.zeros(words, np.uint32)
        self._free: list[tuple[int, int]] = [(0, words)]
        self._returned: deque[tuple[int, int]] = deque()  # blocks end at any moment: nothing else may happen then
        self._by_texels: weakref.WeakValueDictionary[tuple[int, int], Words] = weakref.WeakValueDictionary()  # checksum, count
        self.changed = 0  # counts growth

    def bind(self, surface: Surface, palette: np.ndarray | None, palette_version: int) -> np.ndarray:
        """The TEXTURE[1] record of a surface whose texels in the heap are up to date. Raises HeapFull.

        palette_version: 0 without a palette.
        """
        block = surface.heap_block
        if block is None:
            block = self._hold(surface)
        if block.seen != surface.version or block.parts[0][1] != palette_version:
            if block.words.lent:
                block = self._hold(surface)
            fresh = block.parts[0][0] < 0
            self._refresh(surface, block, palette, palette_version)
            block.seen = surface.version
            if fresh:
                self._share(surface, block)
        if surface.lod != block.record["lod"][0]:
            block.record["lod"] = surface.lod
        return block.record

    def stale(self, surface: Surface, palette_version: int) -> bool:
        """Whether binding the surface would overwrite texels in the heap."""
        block = surface.heap_block
        return block is not None and (block.seen != surface.version or block.parts[0][1] != palette_version)

    def forget(self, surface: Surface) -> None:
        """Gives a surface's words back."""
        surface.heap_block = None

    def lend(self, blocks: Iterable[Block]) -> list[Words]:
        """Their texels stay as they are for as long as what is returned lives."""
        lent = [block.words for block in blocks]
        for words in lent:
            words.lent = True
        return lent

    def _hold(self, surface: Surface) -> Block:
        each = texel_words(surface.format)
        sizes = [part.width * part.height * part.depth * each for part in surface.parts]
        words = Words(self._reserve(sum(sizes)), sum(sizes))
        weakref.finalize(words, self._returned.append, (words.first, words.count)).atexit = False
        starts, record = self._describe(surface, words.first, sizes)
        block = surface.heap_block = Block(words, starts, record, parts=[(-1, 0)] * len(sizes))
        return block

    @staticmethod
    def _describe(surface: Surface, first: int, sizes: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Where the parts begin, and the TEXTURE[1] record."""
        starts = (first + np.cumsum([0, *sizes[:-1]])).astype(np.int32).reshape(surface.faces, surface.levels)
        record = np.zeros(1, TEXTURE)
        kind = TextureKind.CUBE if surface.faces == 6 else TextureKind.VOLUME if surface.volume else TextureKind.PLANE
        if surface.format.family == "depth":
            kind = TextureKind.SHADOW
        describe_texture(record[0], kind, surface.format, (surface.width, surface.height, surface.depth), starts, surface.lod)
        return starts, record

    def _share(self, surface: Surface, block: Block) -> None:
        """Has a block that was just filled use the words of another one that holds the same."""
        words = block.words
        texels = self.words[words.first : words.first + words.count]
        key = zlib.crc32(texels.view(np.uint8).data), words.count
        other = self._by_texels.setdefault(key, words)
        if other is words:
            return
        if not np.array_equal(texels, self.words[other.first : other.first + other.count]):  # it was filled again since
            self._by_texels[key] = words
            return
        other.lent = True
        sizes = np.diff([*block.starts.reshape(-1) - words.first, words.count]).tolist()
        block.words = other
        block.starts, block.record = self._describe(surface, other.first, sizes)

    def _refresh(self, surface: Surface, block: Block, palette: np.ndarray | None, palette_version: int) -> None:
        for n, part in enumerate(surface.parts):
            key = part.version, palette_version
            if block.parts[n] == key:
                continue
            texels = decode(
                surface.format, part.linear(), part.width, part.height, part.depth, part.pitch, part.slice_pitch, palette
            )
            start = int(block.starts[n // surface.levels, n % surface.levels])
            flat = texels.reshape(-1).view(np.uint32)
            self.words[start : start + len(flat)] = flat
            block.parts[n] = key

    def _reserve(self, words: int) -> int:
        words = (words + 15) & ~15
        while self._returned:
            self._release(*self._returned.popleft())
        for n, (first, room) in enumerate(self._free):
            if room >= words:
                self._free[n : n + 1] = [(first + words, room - words)] if room > words else []
                return first
        self._grow(words)
        return self._reserve(words)

    def _grow(self, words: int) -> None:
        old = len(self.words)
        new = max(old * 2, old + words)
        if new > MOST_WORDS:
            raise HeapFull(f"textures need more than {MOST_WORDS} words")
        grown = np.zeros(new, np.uint32)
        grown[:old] = self.words
        self.words = grown
        self.changed += 1
        self._release(old, new - old)

    def _release(self, first: int, words: int) -> None:
        """Enters a range into the free list, joined with its neighbours."""
        words = (words + 15) & ~15
        self._free = sorted([*self._free, (first, words)])
        joined: list[tuple[int, int]] = []
        for start, room in self._free:
            if joined and sum(joined[-1]) == start:
                joined[-1] = joined[-1][0], joined[-1][1] + room
            else:
                joined.append((start, room))
        self._free = joined
