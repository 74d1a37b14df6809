"""Overlays over sheets: what an event did to each level, face and slice, with one legend for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from core.spec.subresource import Subresource
from inspector.progress import Cancel
from inspector.query.looks.sheet import SheetOf, Tile
from inspector.query.pixels.layers import Layer, Meaning, of_writers
from inspector.query.pixels.overlay import Overlay

if TYPE_CHECKING:
    from inspector.capture import Capture

SLOW = ("age",)
"""Overlays that look at many frames for each part."""
PartLayers = Mapping[Subresource, Layer]


@dataclass(frozen=True, slots=True)
class SheetOverlay:
    """What an event did to the parts of a sheet (the answer of Sheet or Orthoslices after it), in colours.

    kind: one of Overlay's, but "age".  Pixels are counted as the parts have them, however large the sheet shows these; of cuts
    through a volume, those of all its slices.
    """

    kind: str
    event: int
    sheet: SheetOf = field(repr=False)

    def run(self, capture: Capture, cancel: Cancel | None = None) -> SheetLayer:
        """BadInput as of Overlay; for "age", too."""
        if self.kind in SLOW:
            raise BadInput(f"{self.kind} is known of one level, face or slice alone")
        parts = dict.fromkeys(where for tile in self.sheet.tiles for where in parts_of(tile, self.sheet))
        layers = {where: capture.ask(Overlay(self.kind, self.event, where), cancel) for where in parts}
        meanings = merged((layer.meanings for layer in layers.values()), about_writers(layers))
        note = of_writers(meanings) if about_writers(layers) else _note(layers, meanings)
        listed = next((layer.listed for layer in layers.values()), None)
        return SheetLayer(composed(self.sheet, layers), meanings, note, None, listed, self.sheet, layers)


@dataclass(frozen=True)
class SheetLayer(Layer):
    """Over a sheet; `parts`: the layer of each of its parts, in its own size."""

    sheet: SheetOf | None = None
    parts: PartLayers = field(default_factory=dict)

    def writer_at(self, x: int, y: int) -> tuple[int, int] | None:
        """Of a pixel of the sheet."""
        hit = self.sheet.at(x, y) if self.sheet is not None else None
        if hit is None:
            return None
        tile, (column, row, slice) = hit
        layer = self.parts.get(replace(tile.where, slice=slice))
        return layer.writer_at(column, row) if layer is not None else None


def parts_of(tile: Tile, sheet: SheetOf) -> Iterable[Subresource]:
    """The subresources that a tile shows pixels of: a cut across the slices of a volume, of all of them."""
    if not tile.cut:
        return (tile.where,)
    depth = tile.width if tile.across == "z" else tile.height
    return (replace(tile.where, slice=n) for n in range(depth))


def about_writers(layers: PartLayers) -> bool:
    return any(layer.listed is not None for layer in layers.values())


def merged(every: Iterable[tuple[Meaning, ...]], by_pixels: bool) -> tuple[Meaning, ...]:
    """Meanings of the same title and colour as one, in the order that each of the parts has them; or the most pixels first."""
    rows: list[Meaning] = []
    for part in every:
        place = 0
        for one in part:
            known = next((n for n, row in enumerate(rows) if row[:2] == one[:2]), None)
            if known is None:
                rows.insert(place, one)
                known = place
            else:
                rows[known] = one._replace(pixels=rows[known].pixels + one.pixels)
            place = max(place, known + 1)
    return tuple(sorted(rows, key=lambda row: -row.pixels) if by_pixels else rows)


def _note(layers: PartLayers, meanings: tuple[Meaning, ...]) -> str:
    """What is said of every part; nothing where it is about numbers of one of them."""
    said = {layer.note for layer in layers.values()} if not meanings else set()
    return said.pop() if len(said) == 1 else ""


def composed(sheet: SheetOf, layers: PartLayers) -> np.ndarray:
    """uint8[height, width, 4]: the layers where the sheet has their parts."""
    rgba = np.zeros_like(sheet.rgba)
    for tile in sheet.tiles:
        x, y, z = _texels(tile)
        part = rgba[tile.top : tile.top + tile.height, tile.left : tile.left + tile.width]
        for where in parts_of(tile, sheet):
            layer = layers[where].rgba
            here = (z == where.slice) & (y < layer.shape[0]) & (x < layer.shape[1])
            part[here] = layer[y[here], x[here]]
    return rgba


def _texels(tile: Tile) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """int[height, width] each: x, y and slice of the texel that each pixel of a tile shows."""
    found = [np.full((tile.height, tile.width), start) for start in tile.origin]
    found["xyz".index(tile.across)][:] = (np.arange(tile.width) * tile.step).astype(int)
    found["xyz".index(tile.down)][:] = (np.arange(tile.height) * tile.step).astype(int)[:, None]
    return found[0], found[1], found[2]
