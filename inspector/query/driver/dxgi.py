"""The DXGI side of a driver at an event: its resources, their location, their handles, and what is scanned out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.ddi.driver.dxgi_resources import Dxgi, resource_of, view_handle
from core.spec.enums import DxgiFormat, DxgiResidency
from inspector.progress import Cancel

if TYPE_CHECKING:
    from inspector.capture import Capture

PRIORITIES = {0x28000000: "minimum", 0x50000000: "low", 0x78000000: "normal", 0xA0000000: "high", 0xC8000000: "maximum"}


@dataclass(frozen=True, slots=True)
class DxgiRow:
    """One resource.  `identity`: the handle under which what it names now was created (another one after rotations);
    `residency`: a DXGI_DDI_RESIDENCY, as the driver answered last or, where it was not asked, by the model; `scanned_out`: the
    subresource that is, -1: none; `surface`: shows its first picture."""

    handle: int
    identity: int
    format: str
    width: int
    height: int
    samples: int
    subresources: int
    size: int
    memory: str
    priority: int
    residency: str
    last_use: int
    scanned_out: int
    views: tuple[int, ...]
    surface: int

    @property
    def number(self) -> int:
        """The handle as surfaces that show the resource have it (`SurfaceInfo.shows`)."""
        shown = resource_of(self.surface)
        return self.handle if shown is None else shown[0]

    @property
    def priority_text(self) -> str:
        """`normal`, or the number."""
        return PRIORITIES.get(self.priority, f"{self.priority:#x}")


@dataclass(frozen=True)
class DxgiResources:
    """The resources of DXGI that exist after an event, in order of their handles."""

    event: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[DxgiRow, ...]:
        """Raises Cancelled."""
        with capture.replay.at(capture.check_event(self.event), cancel) as driver:
            where = driver.dxgi.residency()
            return tuple(_row(driver.dxgi, handle, where[handle]) for handle in sorted(driver.dxgi.resources))


def _row(dxgi: Dxgi, handle: int, residency: DxgiResidency) -> DxgiRow:
    one, (shown, subresource) = dxgi.resources[handle], dxgi.primary
    views = tuple(name for name, view in dxgi.views.items() if view.resource == handle)
    place = "system memory" if one.memory == "system" else (one.answered or residency).name.replace("_", " ").lower()
    return DxgiRow(
        handle, one.created_as or handle, DxgiFormat(one.format).name, one.width, one.height, one.samples,
        len(one.subresources), one.size, one.memory, one.priority, place, one.last_use,
        subresource if shown == handle else -1, views, view_handle(handle),
    )  # fmt: skip
