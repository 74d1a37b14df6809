"""Surfaces and buffers that exist at an event."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from core.ddi.calls import DdiCall
from core.ddi.driver.dxgi import MOST_SUBRESOURCES
from core.ddi.driver.dxgi_resources import resource_of, view_handle
from core.device.memory.surfaces import Buffer, Surface
from core.device.past.moment import Moment
from inspector.timeline.events import Events

CREATORS = ("CreateSurface", "CreateD3DBuffer")


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

    @property
    def shows(self) -> tuple[int, int] | None:
        """The resource of DXGI (modulo 2**24) and its part that this shows; None for other surfaces."""
        return resource_of(self.handle)

    @property
    def title(self) -> str:
        """As in "Texture 23"; of a surface that shows a resource of DXGI, that."""
        shown = self.shows
        if shown is not None:
            return f"DXGI resource {shown[0]}" + (f", picture {shown[1]}" if shown[1] else "")
        return f"{self.label.replace('_', ' ').capitalize()} {self.handle}"


def listed(moment: Moment, born: Births, event: int) -> list[SurfaceInfo]:
    """All resources just after `event`, in order of their handles."""
    infos = [surface_info(surface, born.of(handle, event)) for handle, surface in moment.surfaces.items()]
    infos += [buffer_info(buffer, born.of(handle, event)) for handle, buffer in moment.buffers.items()]
    return sorted(infos, key=lambda info: info.handle)


class Births:
    """The events that created resources, by handle."""

    def __init__(self, calls: Iterable[DdiCall], events: Events) -> None:
        self._events: dict[int, list[int]] = {}
        for number, call in enumerate(calls):
            for handle in _created(call):
                self._events.setdefault(handle, []).append(events.of_call(number).start)

    def of(self, handle: int, event: int) -> int:
        """The event that created what has this handle at `event`; -1 if unknown."""
        born = self._events.get(handle, [])
        place = bisect_right(born, event)
        return born[place - 1] if place else -1


def _created(call: DdiCall) -> list[int]:
    """The handles of the surfaces and buffers that a call creates."""
    handle = call.args.get("handle")
    if not isinstance(handle, int):
        return []
    if call.entry == "DxgiCreateResource":
        count = call.args.get("array_size", 1)
        return [view_handle(handle, n) for n in range(min(count, MOST_SUBRESOURCES) if isinstance(count, int) else 1)]
    return [handle] if call.entry in CREATORS else []


def surface_info(surface: Surface, created: int) -> SurfaceInfo:
    kind = "cube" if surface.faces == 6 else "volume" if surface.depth > 1 else "2d"
    size = sum(part.size * max(surface.samples, 1) for part in surface.parts)
    return SurfaceInfo(
        surface.handle, surface.label, kind, surface.width, surface.height, surface.depth, surface.levels, surface.faces,
        surface.samples, surface.format.name, surface.memory, created, size,
    )  # fmt: skip


def buffer_info(buffer: Buffer, created: int) -> SurfaceInfo:
    return SurfaceInfo(
        buffer.handle, f"{buffer.kind} buffer", "buffer", buffer.size, 1, 1, 1, 1, 0, "", str(buffer.facts.get("memory", "")),
        created, buffer.size,
    )  # fmt: skip
