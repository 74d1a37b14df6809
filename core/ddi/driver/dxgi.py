"""The DXGI base functions: present, gamma, display mode, residency, rotation of identities, Blt (dxgiddi.h, semantics
section 19).

A resource keeps the stored value of every channel: codes of UNORM channels as code / largest code, floats as they are.
What the driver would ask of the runtime stands in `out["callbacks"]`.  Memory is modelled: resources stay in video memory
by priority, then by last use, as far as the budget goes; what follows is in shared memory, and beyond that on disk.
What the runtime may not do is executed where it can be, and is a finding; so are restrictions on source and destination.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.arguments import Rejected, blob, number, numbers, text
from core.ddi.driver.dxgi_resources import BITS, PLAIN, Resource, View, convert, hide, read_contents, show
from core.ddi.rules.dxgi_answers import residency_result
from core.pipeline.surface.blit import pieces, stretch
from core.spec.enums import DxgiBltFlag, DxgiFormat, DxgiPresentFlag, DxgiResidency, DxgiRotation, HResult

if TYPE_CHECKING:
    from core.ddi.driver.emulated import EmulatedDriver

BIND_RENDER_TARGET, BIND_PRESENT = 0x20, 0x80  # D3D10_DDI_BIND_*
MOST_ASIDE, MOST_SUBRESOURCES, MOST_ALLOCATIONS = 8192, 64, 64
GAMMA_POINTS = 256
BLTS_A_FRAME = 2


def _refuse(rule: str, sentence: str) -> Rejected:
    return Rejected(HResult.E_INVALIDARG, rule, sentence)


def _resource(driver: EmulatedDriver, call: DdiCall, name: str) -> Resource:
    handle = number(call, name)
    if (resource := driver.dxgi.resources.get(handle)) is None:
        raise Rejected(HResult.E_INVALIDARG, "bad-handle", f"{call.entry}: no resource {handle}")
    return resource


def _subresource(call: DdiCall, resource: Resource, name: str) -> int:
    return number(call, name, 0, 0, len(resource.subresources) - 1)


# ---- resources --------------------------------------------------------------------------------------------------


def create_resource(driver: EmulatedDriver, call: DdiCall) -> None:
    """CreateResource(handle, width, height, format, samples, array_size, bind, memory, primary, rotation, stereo, allocations,
    drawn_with; contents).

    A display format; contents zero without `contents`.  `primary`: pPrimaryDesc is not NULL, and `rotation` its mode's.  Of
    several `allocations` the first `drawn_with` (1) are used for rendering.
    """
    handle, form = number(call, "handle", low=1), number(call, "format")
    if form not in BITS:
        raise Rejected(HResult.DXGI_DDI_ERR_UNSUPPORTED, "dxgi-format", f"DxgiCreateResource: format {form}")
    width, height = number(call, "width", low=1, high=MOST_ASIDE), number(call, "height", low=1, high=MOST_ASIDE)
    samples, count = number(call, "samples", 1, 1, 16), number(call, "array_size", 1, 1, MOST_SUBRESOURCES)
    bind = number(call, "bind", number(call, "flags", 0))
    if width * height * samples * count > 1 << 26:
        raise Rejected(HResult.E_OUTOFMEMORY, "bad-size", f"DxgiCreateResource: {width} x {height} x {samples} x {count}")
    if number(call, "stereo", 0) and (count != 2 or not bind & BIND_PRESENT):
        raise Rejected(HResult.E_INVALIDARG, "dxgi-stereo", f"a stereo back buffer of {count} pictures, bind {bind:#x}")
    refused = driver.dxgi.refuses_rotated or driver.recorded.result == HResult.DXGI_DDI_ERR_UNSUPPORTED
    if _is_rotated_primary(call) and refused:
        driver.dxgi.refused = True
        call.result = int(HResult.DXGI_DDI_ERR_UNSUPPORTED)  # the runtime will rotate with Blt
        return
    if driver.has_failed:
        call.result = driver.recorded.result
        return
    planes = [np.zeros((samples, height, width, 4), np.float32) for _ in range(count)]
    resource = Resource(form, width, height, samples, bind, planes, text(call, "memory", "video"), created_as=handle)
    resource.allocations = number(call, "allocations", 1, 1, MOST_ALLOCATIONS)
    resource.drawn_with = number(call, "drawn_with", 1, 1, resource.allocations)
    if (contents := blob(call, "contents")) is not None:
        read_contents(resource, contents)
    if handle in driver.dxgi.resources:
        hide(driver, handle)
    driver.dxgi.resources[handle] = resource
    driver.dxgi.use(resource)
    show(driver, handle)


def _is_rotated_primary(call: DdiCall) -> bool:
    rotation = number(call, "rotation", int(DxgiRotation.IDENTITY), 0, 4)
    bind = number(call, "bind", number(call, "flags", 0))
    return bool(number(call, "primary", 0) and bind & BIND_PRESENT) and rotation > 1


def remember_refusal(driver: EmulatedDriver, call: DdiCall) -> None:
    """Of a CreateResource that was refused where it was recorded: the runtime rotates with Blt from now on."""
    if call.result == HResult.DXGI_DDI_ERR_UNSUPPORTED and _is_rotated_primary(call):
        driver.dxgi.refused = True


def destroy_resource(driver: EmulatedDriver, call: DdiCall) -> None:
    """DestroyResource(handle)."""
    _resource(driver, call, "handle")
    handle = number(call, "handle")
    hide(driver, handle)
    del driver.dxgi.resources[handle]


def create_view(driver: EmulatedDriver, call: DdiCall) -> None:
    """CreateView(handle, resource, subresource): something that refers to a resource's storage."""
    resource = _resource(driver, call, "resource")
    handle = number(call, "handle", low=1)
    driver.dxgi.views[handle] = View(number(call, "resource"), _subresource(call, resource, "subresource"), resource)


def set_resource_priority(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnSetResourcePriority: lower ones leave video memory first, the least recently used first among equals."""
    _resource(driver, call, "resource").priority = number(call, "priority")
    call.out["callbacks"] = ["pfnSetPriorityCb"]


def query_resource_residency(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnQueryResourceResidency: one DXGI_DDI_RESIDENCY each, and the worst of them as the result.

    `out["asked"]`: resource, allocation, resource, ... of what pfnQueryResidencyCb was asked about: the allocations that are
    drawn with, not those that handle locks.
    """
    where, handles = driver.dxgi.residency(), numbers(call, "resources")
    if missing := [handle for handle in handles if handle not in where]:
        raise Rejected(HResult.E_INVALIDARG, "bad-handle", f"{call.entry}: no resource {missing[0]}")
    if system := [handle for handle in handles if driver.dxgi.resources[handle].memory == "system"]:
        raise Rejected(HResult.E_INVALIDARG, "dxgi-system", f"{call.entry}: resource {system[0]} is in system memory")
    status = [int(where[handle]) for handle in handles]
    resources = [driver.dxgi.resources[handle] for handle in handles]
    for resource, answer in zip(resources, driver.recorded.status, strict=False):
        resource.answered = DxgiResidency(answer) if answer in DxgiResidency.__members__.values() else None
    asked = [place for h, one in zip(handles, resources, strict=True) for n in range(one.drawn_with) for place in (h, n)]
    call.out.update(status=status, asked=asked, callbacks=["pfnQueryResidencyCb"])
    call.result = int(residency_result(status))


def rotate_resource_identities(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnRotateResourceIdentities: of X, Y, Z the handles then name Y, Z, X; the handles themselves stay.

    Views of these resources are rebuilt: `out["views"]`.
    """
    dxgi, handles = driver.dxgi, numbers(call, "resources")
    table = dxgi.resources
    if len(set(handles)) != len(handles) or not all(handle in table for handle in handles):
        raise Rejected(HResult.E_INVALIDARG, "bad-handle", f"{call.entry}: resources {handles}")
    if plain := [handle for handle in handles if not table[handle].bind & BIND_PRESENT]:
        driver.find("dxgi-rotate", f"{call.entry}: resource {plain[0]} was created without D3D10_DDI_BIND_PRESENT")
    named = [table[handle] for handle in handles]
    for handle, resource in zip(handles, [*named[1:], *named[:1]], strict=True):
        table[handle] = resource
    for handle in handles:
        show(driver, handle)
    call.out["views"] = [name for name, view in dxgi.views.items() if view.resource in handles]
    for name in call.out["views"]:
        dxgi.views[name].storage = table[dxgi.views[name].resource]


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
            raise _refuse("dxgi-change", "DxgiPresent: source and destination differ")
        target.subresources[_subresource(call, target, "destination_subresource")][...] = source.subresources[subresource]
        show(driver, number(call, "destination"))
    driver.dxgi.blts = 0
    call.out.update(callbacks=["pfnRenderCb", "pfnPresentCbDXGI"], context=call.args.get("context", 0))


def _shape(resource: Resource) -> tuple[int, ...]:
    return PLAIN.get(DxgiFormat(resource.format), resource.format), resource.width, resource.height, resource.samples


# ---- Blt ------------------------------------------------------------------------------------------------------------


def blt(driver: EmulatedDriver, call: DdiCall) -> None:
    """pfnBlt: the whole source subresource into a box: resolve, rotate counter-clockwise, stretch bilinearly, convert."""
    source, target = _resource(driver, call, "source"), _resource(driver, call, "destination")
    flags = number(call, "flags", 0)
    rotation = number(call, "rotation", int(DxgiRotation.IDENTITY), 1, 4)
    box = numbers(call, "box") if call.args.get("box") is not None else [0, 0, target.width, target.height]
    _check_blt(source, target, flags, rotation, box)
    _watch_blt(driver, source, target, rotation)
    planes = source.subresources[_subresource(call, source, "source_subresource")]
    left, top, right, bottom = box
    if source.samples > 1 and not flags & DxgiBltFlag.RESOLVE:
        pictures = list(planes)
    else:
        parts = [planes[:, rows].mean(0, dtype=np.float64) for rows in pieces(source.height, source.width * len(planes))]
        pictures = [np.concatenate(parts)]
    pictures = [stretch(np.rot90(picture, rotation - 1), (right - left, bottom - top), linear=True) for picture in pictures]
    room = target.subresources[_subresource(call, target, "destination_subresource")][:, top:bottom, left:right]
    room[...] = [_converted(picture, source.format, target.format) for picture in pictures]
    driver.dxgi.use(source)
    driver.dxgi.use(target)
    show(driver, number(call, "destination"))


def _converted(picture: np.ndarray, source: int, target: int) -> np.ndarray:
    """dxgi_resources.convert of a picture [height, width, 4], in parts.  Raises Cancelled."""
    return np.concatenate([convert(picture[rows], source, target) for rows in pieces(*picture.shape[:2])])


def _watch_blt(driver: EmulatedDriver, source: Resource, target: Resource, rotation: int) -> None:
    """Rules whose breaking has no effect here."""
    driver.dxgi.blts += 1
    if driver.dxgi.blts == BLTS_A_FRAME + 1:
        driver.find("dxgi-often", f"DxgiBlt: more than {BLTS_A_FRAME} per frame")
    if not source.bind & BIND_PRESENT:
        driver.find("dxgi-source", "DxgiBlt: the source was created without D3D10_DDI_BIND_PRESENT")
    if not target.bind & BIND_RENDER_TARGET:
        driver.find("dxgi-destination", "DxgiBlt: the destination was created without D3D10_DDI_BIND_RENDER_TARGET")
    if rotation > DxgiRotation.IDENTITY and not driver.dxgi.refused:
        driver.find("dxgi-rotation", f"DxgiBlt: {DxgiRotation(rotation).name}, but no primary was ever refused")


def _check_blt(source: Resource, target: Resource, flags: int, rotation: int, box: list[int]) -> None:
    if len(box) != 4 or not (0 <= box[0] < box[2] <= target.width and 0 <= box[1] < box[3] <= target.height):
        raise Rejected(HResult.E_INVALIDARG, "bad-rectangle", f"DxgiBlt: box {box}")
    both = source.samples > 1 and source.samples == target.samples
    if not flags and rotation == DxgiRotation.IDENTITY and not both:
        raise _refuse("dxgi-straight", "DxgiBlt: without flags or rotation, use ResourceCopy")
    if (source.samples > 1) != bool(flags & DxgiBltFlag.RESOLVE) and not both:
        raise _refuse("dxgi-resolve", "DxgiBlt: RESOLVE needs a multisampled source")
    if target.samples > 1 and not both:
        raise _refuse("dxgi-resolve", "DxgiBlt: a multisampled destination")
    size = (
        (source.height, source.width)
        if rotation in (DxgiRotation.ROTATE90, DxgiRotation.ROTATE270)
        else (source.width, source.height)
    )
    if size != (box[2] - box[0], box[3] - box[1]) and not flags & DxgiBltFlag.STRETCH:
        raise _refuse("dxgi-change", "DxgiBlt: the sizes differ without STRETCH")
    if _shape(source)[0] != _shape(target)[0] and not flags & DxgiBltFlag.CONVERT:
        raise _refuse("dxgi-change", "DxgiBlt: the formats differ without CONVERT")


ENTRIES = {
    "DxgiPresent": present, "DxgiGetGammaCaps": get_gamma_caps, "DxgiSetDisplayMode": set_display_mode,
    "DxgiSetResourcePriority": set_resource_priority, "DxgiQueryResourceResidency": query_resource_residency,
    "DxgiRotateResourceIdentities": rotate_resource_identities, "DxgiBlt": blt, "DxgiCreateResource": create_resource,
    "DxgiDestroyResource": destroy_resource, "DxgiCreateView": create_view,
}  # fmt: skip
