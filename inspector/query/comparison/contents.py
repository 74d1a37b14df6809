"""The contents of every surface and buffer after an event, as a value: copies nothing, so that moments can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.device.memory.surfaces import Contents, Surface, SurfacePart
from core.device.past import reading

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.progress import Cancel


class PartKey(NamedTuple):
    """A subresource: the handle of its surface, its mip level and its face."""

    handle: int
    level: int
    face: int


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A subresource at a moment; `part` is its shape, `contents` what it held, `palette` its colours then."""

    part: SurfacePart
    contents: Contents
    palette: np.ndarray | None

    @property
    def version(self) -> int:
        """Equal for equal contents of one history; contents that were never written have 0."""
        return self.contents[2]

    def level(self) -> SurfacePart:
        """A subresource of its own that holds it."""
        part, surface = self.part, self.part.surface
        depth = part.depth if surface.volume else 1
        copy = Surface(0, part.format, part.width, part.height, depth, samples=part.samples, volume=surface.volume).part()
        copy.set_contents(self.contents)
        return copy

    def stored(self, slice: int = 0) -> np.ndarray:
        """uint8[rows of blocks, pitch]; multisampled ones resolved."""
        return reading.packed(self.level(), slice)

    def rgba(self, slice: int = 0) -> np.ndarray:
        """uint8[height, width, 4], as `capture.image`."""
        return reading.rgba(self.part.format, self.stored(slice), self.part.width, self.part.height, self.palette)

    def alike(self, other: Picture) -> bool:
        """Whether both are of one size and format."""
        shapes = [(p.format.id, p.width, p.height, p.depth, p.samples) for p in (self.part, other.part)]
        return shapes[0] == shapes[1]

    def equals(self, other: Picture) -> bool:
        """Whether both hold the same bytes in every slice and sample."""
        if self.version == other.version:
            return True
        return np.array_equal(all_bytes(self.level()), all_bytes(other.level()))


def all_bytes(level: SurfacePart) -> np.ndarray:
    """Every byte of a subresource as stored, sample after sample: uint8."""
    return np.concatenate([level.plane(n) for n in range(level.samples)]) if level.samples else level.linear()


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """All pictures and the bytes of all buffers after an event, by handle; shader code by ("vertex" | "pixel", handle)."""

    pictures: dict[PartKey, Picture]
    buffers: dict[int, tuple[np.ndarray, int]]
    shaders: dict[tuple[str, int], bytes]


def held(capture: Capture, event: int, cancel: Cancel | None = None) -> Held:
    """What there is after an event."""
    with capture.replay.at(event, cancel) as driver:
        device = driver.device
        device.flush()
        pictures = {}
        for handle, surface in device.memory.surfaces.items():
            palette = device.palette_of(surface)
            colors = palette.colors if palette else None
            for n, part in enumerate(surface.parts):
                pictures[PartKey(handle, n % surface.levels, n // surface.levels)] = Picture(part, part.contents(), colors)
        buffers = {handle: buffer.snapshot() for handle, buffer in device.memory.buffers.items()}
        shaders = {("vertex", number): _code(one.facts) for number, one in device.context.vertex_shaders.items()}
        shaders |= {("pixel", number): _code(one.facts) for number, one in device.context.pixel_shaders.items()}
    return Held(pictures, buffers, shaders)


def _code(facts: dict) -> bytes:
    return facts.get("declaration", b"") + facts.get("code", b"")
