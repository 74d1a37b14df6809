"""The DXGI base functions: present, gamma, display mode, residency, rotation of identities, Blt (dxgiddi.h, semantics
section 19).

A resource keeps the stored value of every channel: codes of UNORM channels as code / largest code, floats as they are.
What the driver would ask of the runtime stands in `out["callbacks"]`.  Memory is modelled: resources stay in video memory
by priority, then by last use, as far as the budget goes; what follows is in shared memory, and beyond that on disk.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.arguments import Rejected, number, numbers
from core.ddi.calls import DdiCall
from core.pipeline.blit import stretch
from core.spec.enums import DxgiBltFlag, DxgiFormat, DxgiPresentFlag, DxgiResidency, DxgiRotation, HResult

if TYPE_CHECKING:
    from core.ddi.driver import EmulatedDriver

BIND_RENDER_TARGET, BIND_PRESENT = 0x20, 0x80  # D3D10_DDI_BIND_*
MOST_ASIDE, MOST_SUBRESOURCES = 8192, 64
GAMMA_POINTS = 256
# Bits of r, g, b, a; 0: no such channel (reads as 1); None: 16-bit floats.
BITS: dict[int, tuple[int, int, int, int] | None] = {
    DxgiFormat.R16G16B16A16_FLOAT: None, DxgiFormat.R10G10B10A2_UNORM: (10, 10, 10, 2), DxgiFormat.R8G8B8A8_UNORM: (8, 8, 8, 8),
    DxgiFormat.R8G8B8A8_UNORM_SRGB: (8, 8, 8, 8), DxgiFormat.B5G6R5_UNORM: (5, 6, 5, 0),
    DxgiFormat.B5G5R5A1_UNORM: (5, 5, 5, 1),
    DxgiFormat.B8G8R8A8_UNORM: (8, 8, 8, 8), DxgiFormat.B8G8R8X8_UNORM: (8, 8, 8, 0),
}  # fmt: skip
PLAIN = {DxgiFormat.R8G8B8A8_UNORM_SRGB: DxgiFormat.R8G8B8A8_UNORM}


@dataclass(slots=True)
class Resource:
    """A texture: `subresources` float32[samples, height, width, 4], r g b a as stored."""

    format: int
    width: int
    height: int
    samples: int
    flags: int
    subresources: list[np.ndarray]
    priority: int = 0x78000000  # D3D10_DDI_RESOURCE_PRIORITY_NORMAL
    last_use: int = 0

    @property
    def size(self) -> int:
        """Bytes."""
        bits = BITS[self.format]
        pixel = 8 if bits is None else 2 if sum(bits) <= 16 else 4
        return self.width * self.height * self.samples * pixel * len(self.subresources)


@dataclass(slots=True)
class Dxgi:
    """What the DXGI side of a driver remembers. Budgets in bytes: video memory, shared memory."""

    resources: dict[int, Resource] = field(default_factory=dict)
    primary: tuple[int, int] = (0, 0)  # handle and subresource that is scanned out
    video_budget: int = 1 << 30
    shared_budget: int = 1 << 31
    uses: int = 0

    def use(self, resource: Resource) -> None:
        """Notes that a resource has been used last."""
        self.uses += 1
        resource.last_use = self.uses

    def residency(self) -> dict[int, DxgiResidency]:
        """Where each resource is."""
        by_worth = sorted(self.resources, key=lambda h: (-self.resources[h].priority, -self.resources[h].last_use))
        found, held = {}, 0
        for handle in by_worth:
            held += self.resources[handle].size
            found[handle] = (
                DxgiResidency.FULLY_RESIDENT if held <= self.video_budget
                else DxgiResidency.RESIDENT_IN_SHARED_MEMORY if held <= self.video_budget + self.shared_budget
                else DxgiResidency.EVICTED_TO_DISK
            )  # fmt: skip
        return found


def _refuse(text: str) -> Rejected:
    return Rejected(HResult.E_INVALIDARG, "bad-argument", text)


def _resource(driver: EmulatedDriver, call: DdiCall, name: str) -> Resource:
    handle = number(call, name)
    if (resource := driver.dxgi.resources.get(handle)) is None:
        raise Rejected(HResult.E_INVALIDARG, "bad-handle", f"{call.entry}: no resource {handle}")
    return resource


def _subresource(call: DdiCall, resource: Resource, name: str) -> int:
    return number(call, name, 0, 0, len(resource.subresources) - 1)


# ---- resources --------------------------------------------------------------------------------------------------


def create_resource(driver: EmulatedDriver, call: DdiCall) -> None:
    """CreateResource(handle, width, height, format, samples, array_size, flags): a display format; contents zero."""
    handle, form = number(call, "handle", low=1), number(call, "format")
    if form not in BITS:
        raise Rejected(HResult.DXGI_DDI_ERR_UNSUPPORTED, "bad-format", f"DxgiCreateResource: format {form}")
    width, height = number(call, "width", low=1, high=MOST_ASIDE), number(call, "height", low=1, high=MOST_ASIDE)
    samples, count = number(call, "samples", 1, 1, 16), number(call, "array_size", 1, 1, MOST_SUBRESOURCES)
    if width * height * samples * count > 1 << 26:
        raise Rejected(HResult.E_OUTOFMEMORY, "bad-size", f"DxgiCreateResource: {width} x {height} x {samples} x {count}")
    planes = [np.zeros((samples, height, width, 4), np.float32) for _ in range(count)]
    resource = Resource(form, width, height, samples, number(call, "flags", 0), planes)
    driver.dxgi.resources[handle] = resource
    driver.dxgi.use(resource)


def destroy_resource(driver: EmulatedDriver, call: DdiCall) -> None:
    """DestroyResource(handle)."""
    _resource(driver, call, "handle")
    del driver.dxgi.resources[number(call, "handle")]


def set_resource_priority(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnSetResourcePriority: lower ones leave video memory first, the least recently used first among equals."""
    _resource(driver, call, "resource").priority = number(call, "priority")
    call.out["callbacks"] = ["pfnSetPriorityCb"]


def query_resource_residency(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnQueryResourceResidency: one DXGI_DDI_RESIDENCY each, and the worst of them as the result."""
    where, handles = driver.dxgi.residency(), numbers(call, "resources")
    if missing := [handle for handle in handles if handle not in where]:
        raise Rejected(HResult.E_INVALIDARG, "bad-handle", f"{call.entry}: no resource {missing[0]}")
    status = [int(where[handle]) for handle in handles]
    call.out.update(status=status, callbacks=["pfnQueryResidencyCb"])
    if DxgiResidency.EVICTED_TO_DISK in status:
        call.result = int(HResult.S_NOT_RESIDENT)
    elif DxgiResidency.RESIDENT_IN_SHARED_MEMORY in status:
        call.result = int(HResult.S_RESIDENT_IN_SHARED_MEMORY)


def rotate_resource_identities(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnRotateResourceIdentities: of X, Y, Z the handles then name Y, Z, X; the handles themselves stay."""
    table, handles = driver.dxgi.resources, numbers(call, "resources")
    if len(set(handles)) != len(handles) or not all(handle in table for handle in handles):
        raise Rejected(HResult.E_INVALIDARG, "bad-handle", f"{call.entry}: resources {handles}")
    named = [table[handle] for handle in handles]
    for handle, resource in zip(handles, [*named[1:], *named[:1]], strict=True):
        table[handle] = resource


# ---- the screen -----------------------------------------------------------------------------------------------------


def get_gamma_caps(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnGetGammaCaps: a ramp of 256 points over 0..1."""
    points = [n / (GAMMA_POINTS - 1) for n in range(GAMMA_POINTS)]
    call.out.update(scale_and_offset=0, max_value=1.0, min_value=0.0, points=points)


def set_display_mode(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnSetDisplayMode: what is scanned out from now on."""
    resource = _resource(driver, call, "resource")
    driver.dxgi.primary = number(call, "resource"), _subresource(call, resource, "subresource")


def present(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnPresent: pending work first; then a copy, bits unchanged, or a flip. `context` comes back unchanged."""
    source = _resource(driver, call, "surface")
    subresource, flags = _subresource(call, source, "subresource"), number(call, "flags", 0)
    number(call, "interval", 0, 0, 4)
    driver.device.flush()
    driver.dxgi.use(source)
    if flags & DxgiPresentFlag.FLIP:
        driver.dxgi.primary = number(call, "surface"), subresource
    elif flags & DxgiPresentFlag.BLT and call.args.get("destination"):
        target = _resource(driver, call, "destination")
        if _shape(source) != _shape(target):
            raise _refuse("DxgiPresent: source and destination differ")
        target.subresources[_subresource(call, target, "destination_subresource")][...] = source.subresources[subresource]
    call.out.update(callbacks=["pfnRenderCb", "pfnPresentCb"], context=call.args.get("context", 0))


def _shape(resource: Resource) -> tuple[int, ...]:
    return PLAIN.get(DxgiFormat(resource.format), resource.format), resource.width, resource.height, resource.samples


# ---- Blt ------------------------------------------------------------------------------------------------------------


def blt(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnBlt: the whole source subresource into a box: resolve, rotate counter-clockwise, stretch bilinearly, convert."""
    source, target = _resource(driver, call, "source"), _resource(driver, call, "destination")
    flags = number(call, "flags", 0)
    rotation = number(call, "rotation", int(DxgiRotation.IDENTITY), 1, 4)
    box = numbers(call, "box") if call.args.get("box") is not None else [0, 0, target.width, target.height]
    _check_blt(call, source, target, flags, rotation, box)
    planes = source.subresources[_subresource(call, source, "source_subresource")]
    left, top, right, bottom = box
    if source.samples > 1 and not flags & DxgiBltFlag.RESOLVE:
        pictures = list(planes)
    else:
        pictures = [planes.mean(0, dtype=np.float64)]
    pictures = [stretch(np.rot90(picture, rotation - 1), (right - left, bottom - top), linear=True) for picture in pictures]
    room = target.subresources[_subresource(call, target, "destination_subresource")][:, top:bottom, left:right]
    room[...] = [convert(picture, source.format, target.format) for picture in pictures]
    driver.dxgi.use(source)
    driver.dxgi.use(target)


def _check_blt(call: DdiCall, source: Resource, target: Resource, flags: int, rotation: int, box: list[int]) -> None:
    if len(box) != 4 or not (0 <= box[0] < box[2] <= target.width and 0 <= box[1] < box[3] <= target.height):
        raise Rejected(HResult.E_INVALIDARG, "bad-rectangle", f"DxgiBlt: box {box}")
    both = source.samples > 1 and source.samples == target.samples
    if not flags & ~DxgiBltFlag.PRESENT and rotation == DxgiRotation.IDENTITY and not both and flags == 0:
        raise _refuse("DxgiBlt: without flags and rotation it would be a ResourceCopy")
    if (source.samples > 1) != bool(flags & DxgiBltFlag.RESOLVE) and not both:
        raise _refuse("DxgiBlt: RESOLVE goes with a multisampled source")
    if target.samples > 1 and not both:
        raise _refuse("DxgiBlt: a multisampled destination")
    size = (
        (source.height, source.width)
        if rotation in (DxgiRotation.ROTATE90, DxgiRotation.ROTATE270)
        else (source.width, source.height)
    )
    if size != (box[2] - box[0], box[3] - box[1]) and not flags & DxgiBltFlag.STRETCH:
        raise _refuse("DxgiBlt: the sizes differ without STRETCH")
    if _shape(source)[0] != _shape(target)[0] and not flags & DxgiBltFlag.CONVERT:
        raise _refuse("DxgiBlt: the formats differ without CONVERT")


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


def encode_gamma(linear: np.ndarray) -> np.ndarray:
    """The sRGB curve."""
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.power(linear, 1 / 2.4) - 0.055)


def remove_gamma(encoded: np.ndarray) -> np.ndarray:
    """The inverse of the sRGB curve."""
    return np.where(encoded <= 0.04045, encoded / 12.92, np.power((encoded + 0.055) / 1.055, 2.4))


ENTRIES = {
    "DxgiPresent": present, "DxgiGetGammaCaps": get_gamma_caps, "DxgiSetDisplayMode": set_display_mode,
    "DxgiSetResourcePriority": set_resource_priority, "DxgiQueryResourceResidency": query_resource_residency,
    "DxgiRotateResourceIdentities": rotate_resource_identities, "DxgiBlt": blt, "DxgiCreateResource": create_resource,
    "DxgiDestroyResource": destroy_resource,
}  # fmt: skip
