"""DXGI resources: contents as stored channel values, location, and conversion for display.

The eight display formats of dxgiddi.h are the only ones.  Every subresource is also a surface of the device (`view_handle`),
so that whatever shows surfaces shows them: the stored values of each channel, samples averaged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.device.memory.half_floats import HALF, encode_gamma, remove_gamma
from core.device.memory.handles import Refused
from core.spec.enums import DxgiFormat, DxgiResidency
from core.spec.formats import FORMAT_BY_NAME, Format

if TYPE_CHECKING:
    from core.ddi.driver.emulated import EmulatedDriver
    from core.device.memory.surfaces import SurfacePart

# Bits of r, g, b, a; 0: no such channel (reads as 1); None: 16-bit floats.
BITS: dict[int, tuple[int, int, int, int] | None] = {
    DxgiFormat.R16G16B16A16_FLOAT: None, DxgiFormat.R10G10B10A2_UNORM: (10, 10, 10, 2), DxgiFormat.R8G8B8A8_UNORM: (8, 8, 8, 8),
    DxgiFormat.R8G8B8A8_UNORM_SRGB: (8, 8, 8, 8), DxgiFormat.B5G6R5_UNORM: (5, 6, 5, 0),
    DxgiFormat.B5G5R5A1_UNORM: (5, 5, 5, 1),
    DxgiFormat.B8G8R8A8_UNORM: (8, 8, 8, 8), DxgiFormat.B8G8R8X8_UNORM: (8, 8, 8, 0),
}  # fmt: skip
PLAIN = {DxgiFormat.R8G8B8A8_UNORM_SRGB: DxgiFormat.R8G8B8A8_UNORM}
BLUE_FIRST = (DxgiFormat.B5G6R5_UNORM, DxgiFormat.B5G5R5A1_UNORM, DxgiFormat.B8G8R8A8_UNORM, DxgiFormat.B8G8R8X8_UNORM)
VIEW_BASE, VIEWS_EACH = 0x40000000, 64
A8R8G8B8 = FORMAT_BY_NAME["A8R8G8B8"]
SHOWN_AS: dict[int, Format] = {
    DxgiFormat.R16G16B16A16_FLOAT: HALF, DxgiFormat.R10G10B10A2_UNORM: FORMAT_BY_NAME["A2B10G10R10"],
    DxgiFormat.B5G6R5_UNORM: FORMAT_BY_NAME["R5G6B5"], DxgiFormat.B5G5R5A1_UNORM: FORMAT_BY_NAME["A1R5G5B5"],
    DxgiFormat.B8G8R8X8_UNORM: FORMAT_BY_NAME["X8R8G8B8"],
}  # fmt: skip
"""The format of the surface that shows a resource; A8R8G8B8 for the others, which have its channels."""


def pixel_bytes(format: int) -> int:
    """Bytes of a pixel in a format of BITS."""
    bits = BITS[format]
    return 8 if bits is None else 2 if sum(bits) <= 16 else 4


@dataclass(slots=True)
class Resource:
    """A texture: `subresources` float32[samples, height, width, 4], r g b a as stored; `bind`: D3D10_DDI_BIND flags;
    `created_as`: the handle that named it first; `allocations`: how many it owns, of which the first `drawn_with` are used for
    rendering, the others for locks; `answered`: where the driver of a tape said it is, when it was asked last."""

    format: int
    width: int
    height: int
    samples: int
    bind: int
    subresources: list[np.ndarray]
    memory: str = "video"
    priority: int = 0x78000000  # D3D10_DDI_RESOURCE_PRIORITY_NORMAL
    last_use: int = 0
    created_as: int = 0
    allocations: int = 1
    drawn_with: int = 1
    answered: DxgiResidency | None = None

    @property
    def size(self) -> int:
        """Bytes."""
        return self.width * self.height * self.samples * pixel_bytes(self.format) * len(self.subresources)


@dataclass(slots=True)
class View:
    """A view holds the storage that its resource's handle named when the view was made or rebuilt."""

    resource: int
    subresource: int
    storage: Resource


@dataclass(slots=True)
class Dxgi:
    """What the DXGI side of a driver remembers. Budgets in bytes: video memory, shared memory.

    `refuses_rotated`: this driver answers DXGI_DDI_ERR_UNSUPPORTED to primaries that are rotated; `refused`: it has done so.
    """

    resources: dict[int, Resource] = field(default_factory=dict)
    views: dict[int, View] = field(default_factory=dict)
    primary: tuple[int, int] = (0, 0)  # handle and subresource that is scanned out
    video_budget: int = 1 << 30
    shared_budget: int = 1 << 31
    uses: int = 0
    blts: int = 0  # since the last Present
    refuses_rotated: bool = False
    refused: bool = False

    def use(self, resource: Resource) -> None:
        """Notes that a resource has been used last."""
        self.uses += 1
        resource.last_use = self.uses

    def residency(self) -> dict[int, DxgiResidency]:
        """Where each resource is.  Those in system memory take nothing of the budgets."""
        by_worth = sorted(self.resources, key=lambda h: (-self.resources[h].priority, -self.resources[h].last_use))
        found, held = {}, 0
        for handle in by_worth:
            if self.resources[handle].memory != "system":
                held += self.resources[handle].size
            found[handle] = (
                DxgiResidency.FULLY_RESIDENT if held <= self.video_budget
                else DxgiResidency.RESIDENT_IN_SHARED_MEMORY if held <= self.video_budget + self.shared_budget
                else DxgiResidency.EVICTED_TO_DISK
            )  # fmt: skip
        return found


# ---- values --------------------------------------------------------------------------------------------------------


def convert(values: np.ndarray, source: int, target: int) -> np.ndarray:
    """Stored values of one format as stored values of another: gamma is encoded into integers and removed from them."""
    given, wanted = BITS[source], BITS[target]
    result = np.array(values, np.float64)
    if given is not None and given[3] == 0:
        result[..., 3] = 1.0
    if given is None and wanted is not None:
        result[..., :3] = encode_gamma(np.clip(np.nan_to_num(result[..., :3]), 0, 1))
    elif given is not None and wanted is None:
        result[..., :3] = remove_gamma(result[..., :3])
    if wanted is None:
        return result.astype(np.float16).astype(np.float32)
    largest = np.array([(1 << bits) - 1 if bits else 1 for bits in wanted])
    return (np.floor(np.clip(result, 0, 1) * largest + 0.5) / largest).astype(np.float32)


def read_contents(resource: Resource, data: np.ndarray) -> None:
    """Fills the subresources from uint8 pixels in the resource's format, tightly packed; every sample gets its pixel's value.

    Bytes that are missing leave their subresource as it is.
    """
    each = resource.width * resource.height * pixel_bytes(resource.format)
    for n, planes in enumerate(resource.subresources):
        piece = data[n * each : (n + 1) * each]
        if len(piece) == each:
            planes[...] = unpack(resource.format, piece).reshape(resource.height, resource.width, 4)


def unpack(form: int, data: np.ndarray) -> np.ndarray:
    """Pixels as stored values, float32[n, 4]."""
    bits = BITS[form]
    if bits is None:
        return data.view("<f2").astype(np.float32).reshape(-1, 4)
    codes = data.view("<u2" if sum(bits) <= 16 else "<u4").astype(np.uint32)
    values = np.ones((len(codes), 4), np.float32)
    shift = 0
    for channel in (2, 1, 0, 3) if form in BLUE_FIRST else (0, 1, 2, 3):
        if bits[channel]:
            largest = (1 << bits[channel]) - 1
            values[:, channel] = (codes >> np.uint32(shift) & np.uint32(largest)) / np.float32(largest)
        shift += bits[channel]
    return values


# ---- as surfaces of the device -------------------------------------------------------------------------------------------


def view_handle(handle: int, subresource: int = 0) -> int:
    """The surface that shows a subresource."""
    return VIEW_BASE + VIEWS_EACH * (handle % (VIEW_BASE // VIEWS_EACH)) + subresource


def resource_of(view: int) -> tuple[int, int] | None:
    """The resource and subresource that a surface shows; None for other surfaces.  Handles count modulo 2**24."""
    return divmod(view - VIEW_BASE, VIEWS_EACH) if view >= VIEW_BASE else None


def show(driver: EmulatedDriver, handle: int) -> None:
    """Brings the surfaces that show a resource up to date."""
    resource = driver.dxgi.resources[handle]
    for n, planes in enumerate(resource.subresources):
        place = view_handle(handle, n)
        part = driver.device.memory.part(place)
        if part is None or (part.width, part.height) != (resource.width, resource.height):
            if part is not None:
                driver.forget(place)
            part = _surface(driver, place, resource)
        if part is not None and driver.device.draws:
            driver.device.before_write(part, driver.seq)
            part.write_linear(whole=True)[:] = _codes(part.format, planes)


def hide(driver: EmulatedDriver, handle: int) -> None:
    """Ends the surfaces that show a resource."""
    for n in range(len(driver.dxgi.resources[handle].subresources)):
        if driver.device.memory.part(view_handle(handle, n)) is not None:
            driver.forget(view_handle(handle, n))


def _surface(driver: EmulatedDriver, place: int, resource: Resource) -> SurfacePart | None:
    shape = resource.width, resource.height, 0, 1, 1, SHOWN_AS.get(resource.format, A8R8G8B8), 0
    name = DxgiFormat(resource.format).name
    try:
        surface = driver.device.memory.create_surface(place, *shape, label=f"dxgi {name}", memory=resource.memory)
    except Refused:
        return None  # too many: the resource is there, it is not shown
    driver.device.note(driver.seq, "surfaces", place, None)
    return surface.part()


def _codes(shown: Format, planes: np.ndarray) -> np.ndarray:
    """The bytes of the surface that shows these values: uint8[height * width * bytes of a pixel]."""
    values = planes.mean(0, dtype=np.float64)
    if shown is HALF:
        return values.astype("<f2").reshape(-1).view(np.uint8)
    codes = np.zeros(values.shape[:2], np.uint32)
    for name, shift, bits, _ in shown.channels:
        largest = (1 << bits) - 1
        value = np.clip(np.nan_to_num(values[..., "rgba".index(name)]), 0, 1)
        codes |= np.floor(value * largest + 0.5).astype(np.uint32) << np.uint32(shift)
    return codes.astype(f"<u{shown.bytes}").reshape(-1).view(np.uint8)
