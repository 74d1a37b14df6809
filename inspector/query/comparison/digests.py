"""Digests of surface contents: equal for equal pixels, in whatever form the device keeps them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import xxhash

from core.device.device import Device
from core.device.memory.surfaces import Surface, SurfacePart
from core.pipeline.records.layout import TILE, plane_words
from core.pipeline.surface import blit
from inspector.query.comparison.contents import PartKey

TILE_WORDS = TILE * TILE


def part_digest(part: SurfacePart) -> int:
    """xxh3-64 of a subresource's stored pixels, all slices and samples."""
    if not (part.format.renderable and part.depth == 1):
        return xxhash.xxh3_64_intdigest(part.linear().data)
    state, words = xxhash.xxh3_64(), plane_words(part.width, part.height)
    blocks = _blocks(part, words)
    for plane in range(part.planes):
        _update(state, blocks[plane * words : (plane + 1) * words], part.width, part.height)
    return state.intdigest()


def _blocks(part: SurfacePart, words: int) -> np.ndarray:
    """The block form, without leaving it with the subresource."""
    if part.drawn:
        return part.blocks()
    blocks = np.empty(part.planes * words, np.uint32)
    blit.enter_blocks(part.linear(), part.pitch, part.format.bits // 8, part.width, part.height, part.planes, blocks)
    return blocks


def _update(state: xxhash.xxh3_64, plane: np.ndarray, width: int, height: int) -> None:
    """Takes in the tiles of a plane, those at the right and lower edge without what lies outside."""
    across, down = blit.tiles_of(width, height)
    whole = across if width % TILE == 0 else across - 1
    for row in range(down):
        tiles = plane[row * across * TILE_WORDS : (row + 1) * across * TILE_WORDS]
        high = min(height - row * TILE, TILE)
        if high == TILE:
            state.update(tiles[: whole * TILE_WORDS].data)
        for column in range(whole if high == TILE else 0, across):
            tile = tiles[column * TILE_WORDS : (column + 1) * TILE_WORDS]
            state.update(_inside(tile, min(width - column * TILE, TILE), high).data)


def _inside(tile: np.ndarray, width: int, height: int) -> np.ndarray:
    """The words of a tile's upper left corner."""
    if width == TILE and height % 4 == 0:
        return tile[: height // 4 * 256]
    return blit.plane_pixels(tile, width, height)


@dataclass(slots=True)
class Ledger:
    """The digests of all subresources of a device, brought up to date by looking only at what has changed.

    `total` is of all of them together: the sum of what each brings in (its place and digest hashed), so it costs what changed.
    """

    total: int = 0
    _seen: dict[int, tuple[Surface, int]] = field(default_factory=dict)
    _parts: dict[PartKey, tuple[int, int, int]] = field(default_factory=dict)  # version, digest, share of the total

    def update(self, device: Device) -> dict[PartKey, int | None]:
        """What changed since the last time: digests by place, None for what is gone."""
        device.flush()
        changed: dict[PartKey, int | None] = {}
        surfaces = device.memory.surfaces
        for handle in [handle for handle, (surface, _) in self._seen.items() if surfaces.get(handle) is not surface]:
            self._forget(handle, changed)
        for handle, surface in surfaces.items():
            seen = self._seen.get(handle)
            if seen is None or seen[1] != surface.version:
                self._look(handle, surface, changed)
                self._seen[handle] = surface, surface.version
        return changed

    def _look(self, handle: int, surface: Surface, changed: dict[PartKey, int | None]) -> None:
        for n, part in enumerate(surface.parts):
            place = PartKey(handle, n % surface.levels, n // surface.levels)
            version, digest, share = self._parts.get(place, (-1, -1, 0))
            if version == part.version:
                continue
            found = part_digest(part)
            fresh = xxhash.xxh3_64_intdigest(b"%d %d %d %d" % (*place, found))
            self._parts[place] = part.version, found, fresh
            self.total = (self.total + fresh - share) & 0xFFFFFFFFFFFFFFFF
            if found != digest:
                changed[place] = found

    def _forget(self, handle: int, changed: dict[PartKey, int | None]) -> None:
        surface = self._seen.pop(handle)[0]
        for n in range(len(surface.parts)):
            place = PartKey(handle, n % surface.levels, n // surface.levels)
            self.total = (self.total - self._parts.pop(place)[2]) & 0xFFFFFFFFFFFFFFFF
            changed[place] = None
