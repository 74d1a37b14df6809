"""A whole surface: all levels, faces and slices on a sheet; a volume cut in three directions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.device.memory.surfaces import Surface
from core.device.past.reading import find
from core.errors import BadInput, out_of_range
from core.spec.subresource import Subresource
from inspector.progress import Cancel
from inspector.query.looks.tones import Tones
from inspector.query.looks.values import Values

if TYPE_CHECKING:
    from inspector.capture import Capture

FACES = ("+X", "-X", "+Y", "-Y", "+Z", "-Z")
"""In the order of D3DCUBEMAP_FACES."""
GAP = 4
"""Pixels between tiles."""
LARGEST = 512
"""Pixels of a tile's longer side: larger subresources show every nth texel."""
SMALLEST = 16
"""Pixels of a tile's longer side: smaller ones are enlarged by a whole factor."""
MOST_TILES = 1024
MOST_PIXELS = 1 << 24
Render = Callable[[Subresource], np.ndarray]
"""uint8[height, width, 4] of a subresource."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One subresource, or one cut of a volume, on a sheet.  left, top, width, height: pixels of the sheet.

    step: texels for a pixel of the sheet (1/n: n pixels for a texel).  across, down: which texel coordinate goes there;
    origin: the texel (x, y, z) of its first pixel.
    """

    where: Subresource
    title: str
    left: int
    top: int
    width: int
    height: int
    step: float = 1.0
    across: str = "x"
    down: str = "y"
    origin: tuple[int, int, int] = (0, 0, 0)

    @property
    def short(self) -> str:
        """The title for tiles that are small: "12", "+X/2"."""
        return re.sub("level |slice ", "", self.title).replace("  ", "/")

    @property
    def cut(self) -> bool:
        """Whether it goes through several slices."""
        return "z" in (self.across, self.down)

    def texel(self, x: int, y: int) -> tuple[int, int, int] | None:
        """The texel (x, y, slice) at a pixel of the sheet; None outside the tile."""
        if not (0 <= x - self.left < self.width and 0 <= y - self.top < self.height):
            return None
        found = list(self.origin)
        found["xyz".index(self.across)] = int((x - self.left) * self.step)
        found["xyz".index(self.down)] = int((y - self.top) * self.step)
        return found[0], found[1], found[2]


@dataclass(frozen=True)
class SheetOf:
    """rgba: uint8[height, width, 4], transparent between the tiles; resource: the handle of the surface.

    note: what is not shown.
    """

    resource: int
    rgba: np.ndarray
    tiles: tuple[Tile, ...]
    note: str = ""

    @cached_property
    def covered(self) -> np.ndarray:
        """bool[height, width]: where there is a tile."""
        mask = np.zeros(self.rgba.shape[:2], bool)
        for tile in self.tiles:
            mask[tile.top : tile.top + tile.height, tile.left : tile.left + tile.width] = True
        return mask

    def at(self, x: int, y: int) -> tuple[Tile, tuple[int, int, int]] | None:
        """The tile and its texel (x, y, slice) at a pixel of the sheet."""
        found = ((tile, tile.texel(x, y)) for tile in self.tiles)
        return next(((tile, texel) for tile, texel in found if texel is not None), None)


@dataclass(frozen=True, slots=True)
class Sheet:
    """All levels, faces and slices of a surface after an event on one sheet: a row for each face, from the first level to the
    last (without further levels three faces a row); of volumes a block of slices for each level.

    tones: how its numbers become colours; None: as `capture.image` shows them.
    shape: width by height that blocks of slices, and faces without levels, are laid out for.
    """

    event: int
    surface: int | str = "render_target"
    tones: Tones | None = None
    shape: float = 1.0

    def run(self, capture: Capture, cancel: Cancel | None = None) -> SheetOf:
        """BadInput if there is no such surface or event."""
        surface = _surface(capture, self.event, self.surface, cancel)
        rows = list((_volume_rows if surface.depth > 1 else _face_rows)(surface, self.shape))
        return _composed(surface.handle, rows, lambda where: _render(capture, self.event, where, self.tones, cancel))


@dataclass(frozen=True, slots=True)
class Orthoslices:
    """A level of a volume cut at the texel `cross` (x, y, z): its slice z; below it, x across and z down at row y; beside it, z
    across and y down at column x."""

    event: int
    surface: int | str
    level: int = 0
    cross: tuple[int, int, int] = (0, 0, 0)
    tones: Tones | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> SheetOf:
        """BadInput if there is no such volume, level, texel or event."""
        surface = _surface(capture, self.event, self.surface, cancel)
        if surface.depth <= 1:
            raise BadInput(f"surface {surface.handle} is no volume")
        if not 0 <= self.level < surface.levels:
            raise BadInput(f"surface {surface.handle}: {out_of_range('level', self.level, surface.levels)}")
        part = surface.part(self.level, 0)
        x, y, z = self.cross
        if not (0 <= x < part.width and 0 <= y < part.height and 0 <= z < part.depth):
            size = f"{part.width} x {part.height} x {part.depth}"
            raise BadInput(f"texel {x}, {y}, {z} is outside level {self.level} of surface {surface.handle} ({size})")
        places = [Subresource(surface.handle, self.level, slice=n) for n in range(part.depth)]
        volume = np.stack([_render(capture, self.event, place, self.tones, cancel) for place in places])
        return _cuts(surface.handle, places[z], volume, self.cross)


def _surface(capture: Capture, event: int, where: int | str, cancel: Cancel | None) -> Surface:
    part = find(capture.moment(event, None, cancel), where)
    if part is None:
        raise BadInput(f"{capture.title}: no {Subresource.of(where)} after event {event}")
    return part.surface


def _render(capture: Capture, event: int, where: Subresource, tones: Tones | None, cancel: Cancel | None) -> np.ndarray:
    if tones is None:
        return capture.image(event, where, cancel=cancel)
    return tones.picture(capture.ask(Values(event, where), cancel))


# ---- laying out ---------------------------------------------------------------------------------------------------------

Row = list[tuple[Subresource, str, int, int]]
"""Subresources side by side: where, title, width, height."""


def _face_rows(surface: Surface, shape: float) -> Iterator[Row]:
    """A row for each face; faces without further levels three to a row, in a high place two, in a wide one all."""
    rows = list(_rows_of_levels(surface))
    if surface.levels == 1:
        columns = 2 if shape < 1 else 3 if shape < 3 else 6
        rows = [[tile for row in rows[n : n + columns] for tile in row] for n in range(0, len(rows), columns)]
    yield from rows


def _rows_of_levels(surface: Surface) -> Iterator[Row]:
    for face in range(surface.faces):
        row: Row = []
        for level in range(surface.levels):
            part = surface.part(level, face)
            words = [FACES[face]] * (surface.faces == 6) + [f"level {level}"] * (surface.levels > 1)
            row.append((Subresource(surface.handle, level, face), "  ".join(words), part.width, part.height))
        yield row


def _volume_rows(surface: Surface, shape: float) -> Iterator[Row]:
    """Of each level its slices, `shape` times as wide as high or nearly so."""
    for level in range(surface.levels):
        part = surface.part(level, 0)
        columns = min(max(round((shape * part.depth * part.height / max(part.width, 1)) ** 0.5), 1), part.depth)
        level_words = f"level {level}  " if surface.levels > 1 else ""
        titles = [f"{level_words}slice {n}" for n in range(part.depth)]
        places = [Subresource(surface.handle, level, slice=n) for n in range(part.depth)]
        tiles = [(place, title, part.width, part.height) for place, title in zip(places, titles, strict=True)]
        yield from (tiles[n : n + columns] for n in range(0, part.depth, columns))


def _step(width: int, height: int) -> float:
    """Texels per pixel of the sheet, so that tiles are neither huge nor tiny."""
    longer = max(width, height)
    return -(-longer // LARGEST) if longer > LARGEST else 1 / max(SMALLEST // longer, 1)


def _composed(resource: int, rows: Sequence[Row], render: Render) -> SheetOf:
    """All tiles, a row below the other."""
    tiles: list[Tile] = []
    top, widest, left_out = GAP, 0, 0
    for row in rows:
        left, tallest = GAP, 0
        for where, title, width, height in row:
            step = _step(width, height)
            across, down = (max(int(side / step), 1) for side in (width, height))
            if len(tiles) >= MOST_TILES or (top + down) * max(widest, left + across) > MOST_PIXELS:
                left_out += 1
                continue
            tiles.append(Tile(where, title, left, top, across, down, step, origin=(0, 0, where.slice)))
            left, tallest = left + across + GAP, max(tallest, down)
        widest, top = max(widest, left), top + (tallest + GAP) * bool(tallest)
    rgba = np.zeros((top, max(widest, 2 * GAP), 4), np.uint8)
    for tile in tiles:
        _paste(rgba, tile, render(tile.where))
    return SheetOf(resource, rgba, tuple(tiles), f"{left_out:,} more do not fit" if left_out else "")


def _paste(rgba: np.ndarray, tile: Tile, picture: np.ndarray) -> None:
    rows = np.minimum((np.arange(tile.height) * tile.step).astype(int), picture.shape[0] - 1)
    columns = np.minimum((np.arange(tile.width) * tile.step).astype(int), picture.shape[1] - 1)
    rgba[tile.top : tile.top + tile.height, tile.left : tile.left + tile.width] = picture[rows[:, None], columns]


def _cuts(resource: int, where: Subresource, volume: np.ndarray, cross: tuple[int, int, int]) -> SheetOf:
    """Of uint8[depth, height, width, 4]: three tiles around a corner."""
    depth, height, width = volume.shape[:3]
    x, y, z = cross
    right, below = 2 * GAP + width, 2 * GAP + height
    tiles = (
        Tile(where, f"z = {z}", GAP, GAP, width, height, origin=(0, 0, z)),
        Tile(where, f"x = {x}", right, GAP, depth, height, across="z", origin=(x, 0, 0)),
        Tile(where, f"y = {y}", GAP, below, width, depth, down="z", origin=(0, y, 0)),
    )
    rgba = np.zeros((below + depth + GAP, right + depth + GAP, 4), np.uint8)
    pictures = (volume[z], volume[:, :, x].swapaxes(0, 1), volume[:, y])
    for tile, picture in zip(tiles, pictures, strict=True):
        _paste(rgba, tile, picture)
    return SheetOf(resource, rgba, tiles)
