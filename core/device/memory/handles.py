"""Memory: every object a handle can name, and the device's limits."""

from __future__ import annotations

from typing import Any

from core.device.memory.surfaces import Buffer, Surface, SurfacePart
from core.spec.formats import FORMATS, Format

MOST_TEXELS_ASIDE = 8192
MOST_SLICES = 2048
MOST_BYTES = 1 << 30  # of one object
MOST_TOTAL = 1 << 32  # of all objects, samples counted
MOST_HANDLES = 1 << 20  # objects alive


class Refused(Exception):
    """An object that cannot be had: `reason` is a rule id of core.device.findings, the text one sentence."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason, self.text = reason, text


class Memory:
    """Surfaces and buffers by handle.  A surface's subresources have handles of their own: root + face * levels + level, or
    those that its creator lists."""

    def __init__(self) -> None:
        self.surfaces: dict[int, Surface] = {}
        self.buffers: dict[int, Buffer] = {}
        self._owner: dict[int, tuple[Surface, int]] = {}
        self.total = 0

    # ---- looking up
    def part(self, handle: int) -> SurfacePart | None:
        """The subresource a handle names."""
        found = self._owner.get(handle)
        return found[0].parts[found[1]] if found else None

    def owner(self, handle: int) -> tuple[Surface, int, int] | None:
        """(surface, level, face) of a handle."""
        if (found := self._owner.get(handle)) is None:
            return None
        face, level = divmod(found[1], found[0].levels)
        return found[0], level, face

    def in_use(self, handle: int, count: int = 1) -> bool:
        """Whether one of the handles names something."""
        return any(self.names(h) for h in range(handle, handle + count))

    def names(self, handle: int) -> bool:
        """Whether a handle names something."""
        return handle in self._owner or handle in self.buffers

    # ---- creating
    def create_surface(self, handle: int, width: int, height: int, depth: int, levels: int, faces: int,
                       format: int | Format, samples: int, **facts: Any) -> Surface:  # fmt: skip
        """A surface whose contents are zero. Raises Refused."""
        row = format if isinstance(format, Format) else FORMATS.get(format)
        if row is None or not row.bits:
            raise Refused("bad-format", f"unknown format {format}")
        if not (0 < width <= MOST_TEXELS_ASIDE and 0 < height <= MOST_TEXELS_ASIDE and 0 <= depth <= MOST_SLICES):
            raise Refused("bad-size", f"{width} x {height} x {depth} exceeds what the device can hold")
        levels = levels or max(width, height, depth).bit_length()
        if not 0 < levels <= max(width, height, depth).bit_length() or faces not in (1, 6) or not 0 <= samples <= 16:
            raise Refused("bad-size", f"{levels} levels, {faces} faces, {samples} samples of {width} x {height}")
        if samples > 1 and (levels > 1 or faces > 1 or depth > 1 or row.bits not in (8, 16, 24, 32)):
            raise Refused("bad-size", "only plain surfaces can be multisampled")
        if faces == 6 and (width != height or depth > 1):
            raise Refused("bad-size", "cube maps are square")
        bound = 2 * row.size(width, height, max(depth, 1)) * faces * max(samples, 1)
        if bound > MOST_BYTES or self.total + bound > MOST_TOTAL or len(self._owner) + faces * levels > MOST_HANDLES:
            raise Refused("bad-size", f"{width} x {height} x {depth} x {samples} samples does not fit into memory")
        surface = Surface(handle, row, width, height, max(depth, 1), levels, faces, samples if samples > 1 else 0, **facts)
        self._enter(surface)
        return surface

    def create_buffer(self, handle: int, size: int, **facts: Any) -> Buffer:
        """A D3D buffer whose contents are zero. Raises Refused."""
        if not 0 < size <= MOST_BYTES or self.total + size > MOST_TOTAL or len(self.buffers) >= MOST_HANDLES:
            raise Refused("bad-size", f"a buffer of {size} bytes does not fit into memory")
        buffer = self.buffers[handle] = Buffer(handle, size, **facts)
        self.total += size
        return buffer

    def resize(self, buffer: Buffer, size: int) -> None:
        """Another buffer of that size with the same handle and contents zero."""
        self.total += size - buffer.size
        self.buffers[buffer.handle] = Buffer(buffer.handle, size, buffer.kind, **buffer.facts)

    def destroy(self, handle: int) -> Surface | Buffer | None:
        """Forgets a surface (by its root handle) or a buffer."""
        if (buffer := self.buffers.pop(handle, None)) is not None:
            self.total -= buffer.size
            return buffer
        if (surface := self.surfaces.pop(handle, None)) is not None:
            self.total -= surface.size
            for part in surface.parts:
                self._owner.pop(part.handle, None)
        return surface

    def _enter(self, surface: Surface) -> None:
        self.surfaces[surface.handle] = surface
        self.total += surface.size
        for n, part in enumerate(surface.parts):
            self._owner[part.handle] = surface, n

    # ---- snapshots
    @property
    def unshared(self) -> int:
        """Bytes that the next snapshot will hold and no earlier one does."""
        surfaces = sum(surface.unshared for surface in self.surfaces.values())
        return surfaces + sum(buffer.unshared for buffer in self.buffers.values())

    def snapshot(self) -> tuple:
        """All contents as a value: arrays are shared until somebody writes."""
        return (
            [(surface, surface.snapshot()) for surface in self.surfaces.values()],
            [(buffer, buffer.snapshot()) for buffer in self.buffers.values()],
        )

    def restore(self, state: tuple) -> list[Surface]:
        """Takes what `snapshot()` returned; returns the surfaces that are gone now."""
        kept = {surface for surface, _ in state[0]}
        gone = [surface for surface in self.surfaces.values() if surface not in kept]
        self.surfaces, self.buffers, self._owner, self.total = {}, {}, {}, 0
        for surface, contents in state[0]:
            surface.restore(contents)
            self._enter(surface)
        for buffer, contents in state[1]:
            buffer.restore(contents)
            self.buffers[buffer.handle] = buffer
            self.total += buffer.size
        return gone
