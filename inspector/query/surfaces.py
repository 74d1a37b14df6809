"""Surfaces and buffers that exist at an event."""

from __future__ import annotations

from dataclasses import dataclass

from core.ddi.driver import EmulatedDriver
from core.device.surfaces import Buffer, Surface


@dataclass(frozen=True, slots=True)
class SurfaceInfo:
    """One resource.  `kind`: "2d", "cube", "volume" or "buffer"; `size` in bytes; `created` is an event, -1 if unknown."""

    handle: int
    label: str
    kind: str
    width: int
    height: int
    depth: int
    levels: int
    faces: int
    samples: int
    format: str
    memory: str
    created: int
    size: int


def listed(driver: EmulatedDriver) -> list[SurfaceInfo]:
    """All resources of a device, in order of their handles."""
    memory = driver.device.memory
    infos = [surface_info(surface) for surface in memory.surfaces.values()]
    infos += [buffer_info(buffer) for buffer in memory.buffers.values()]
    return sorted(infos, key=lambda info: info.handle)


def surface_info(surface: Surface) -> SurfaceInfo:
    kind = "cube" if surface.faces == 6 else "volume" if surface.depth > 1 else "2d"
    size = sum(part.size * max(surface.samples, 1) for part in surface.parts)
    return SurfaceInfo(
        surface.handle, surface.label, kind, surface.width, surface.height, surface.depth, surface.levels, surface.faces,
        surface.samples, surface.format.name, surface.memory, getattr(surface, "created", -1), size,
    )  # fmt: skip


def buffer_info(buffer: Buffer) -> SurfaceInfo:
    return SurfaceInfo(
        buffer.handle, f"{buffer.kind} buffer", "buffer", buffer.size, 1, 1, 1, 1, 0, "", str(buffer.facts.get("memory", "")),
        getattr(buffer, "created", -1), buffer.size,
    )  # fmt: skip
