"""Driver entries that create, lock, unlock and destroy surfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.ddi.calls import DdiCall
from core.ddi.driver.arguments import Rejected, StillDrawing, blob, number, numbers, text
from core.ddi.rules import surface_limits
from core.ddi.rules.surface_limits import volume_depth
from core.device.memory import transfer
from core.device.memory.handles import Refused
from core.device.memory.surfaces import SurfacePart
from core.spec.enums import DdLock, HResult
from core.spec.formats import FORMATS

if TYPE_CHECKING:
    from core.ddi.driver.emulated import EmulatedDriver

MOST_SAMPLES = 16
_REFUSAL = {"bad-format": HResult.DDERR_INVALIDPIXELFORMAT, "bad-size": HResult.DDERR_OUTOFVIDEOMEMORY}


def can_create_surface(driver: EmulatedDriver, call: DdiCall) -> None:
    """CanCreateSurface(format): whether the device knows the format."""
    if number(call, "format") not in FORMATS:
        raise Rejected(HResult.DDERR_INVALIDPIXELFORMAT, "bad-format", f"unknown format {call.args['format']}")


def create_surface(driver: EmulatedDriver, call: DdiCall) -> None:
    """CreateSurface: a surface with all its levels and faces; out: `pitches` and `slice_pitches` by level.

    `handles`: those of all subresources, face by face, where they do not count on from `handle`.
    """
    memory = driver.memory_for(call)
    handle = number(call, "handle", low=1)
    levels, faces = number(call, "levels", 1, 0, 32), number(call, "faces", 1)
    depth = number(call, "depth", 0) or volume_depth(call.args)
    shape = (
        number(call, "width"),
        number(call, "height"),
        depth,
        levels,
        faces,
        number(call, "format"),
        number(call, "samples", 0) or _sample_count(number(call, "caps3", 0)),
    )
    facts = {name: value for name, value in call.args.items() if name in ("caps", "caps2", "caps3", "caps4", "usage", "pool")}
    label, where = text(call, "label", "image"), text(call, "memory", "video")
    count = (levels or 16) * (faces or 1)
    _check_profile(driver, shape[5], shape[6], where)
    _check_limits(driver, call)
    handles = _handles(call, handle, levels * faces)
    if handles:
        facts["handles"] = handles
    if any(map(memory.names, handles)) if handles else memory.in_use(handle, min(count, 256)):
        driver.find("handle-in-use", f"handle {handle} or one of the {count} from it is already in use")
        driver.forget(handle)
    try:
        surface = memory.create_surface(handle, *shape, label=label, memory=where, volume=depth > 0, **facts)
    except Refused as refusal:
        raise Rejected(_REFUSAL[refusal.reason], refusal.reason, refusal.text) from None
    if driver.has_failed:
        return
    driver.device.note(driver.seq, "surfaces", handle, None)
    parts = surface.parts[: surface.levels]
    call.out["pitches"] = [part.pitch for part in parts]
    call.out["slice_pitches"] = [part.slice_pitch for part in parts]
    if label == "primary":
        driver.device.note(driver.seq, "chain", None, driver.device.chain)
        driver.device.chain = [handle]


def _handles(call: DdiCall, handle: int, count: int) -> list[int]:
    """The listed handles of the subresources; empty if they count on. Raises Rejected."""
    if call.args.get("handles") is None:
        return []
    handles = numbers(call, "handles")
    if not 0 < count == len(handles) or handles[0] != handle or len(set(handles)) != count or min(handles) < 1:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-argument", f"CreateSurface: {len(handles)} handles for {count} levels")
    return handles


def _check_profile(driver: EmulatedDriver, format: int, samples: int, where: str) -> None:
    """The driver has the format, with this many samples; system memory is the runtime's. Raises Rejected."""
    row = FORMATS.get(format)
    if where == "system" or row is None:
        return
    if row not in driver.profile.rows and row.family != "buffer":
        raise Rejected(HResult.DDERR_INVALIDPIXELFORMAT, "bad-format", f"CreateSurface: {row.name} is not reported")
    if 1 < samples <= 16 and not driver.profile.sample_mask(row) >> samples - 1 & 1:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "sample-count", f"CreateSurface: {samples} samples of {row.name}")


def _sample_count(type: int) -> int:
    """Samples of a D3DMULTISAMPLE_TYPE: D3DMULTISAMPLE_NONE is 0, others are the number."""
    return type if 1 < type <= MOST_SAMPLES else 0


def _check_limits(driver: EmulatedDriver, call: DdiCall) -> None:
    """The surface is one that the driver reports to have.  Recorded success counts more.  Raises Rejected."""
    if driver.follows and not driver.has_failed:
        return
    for rule, sentence in surface_limits.problems(driver.facts, call.args):
        result = HResult.DDERR_INVALIDPIXELFORMAT if rule == "format-use" else HResult.DDERR_INVALIDPARAMS
        raise Rejected(result, rule, f"CreateSurface: {sentence}")


def create_surface_ex(driver: EmulatedDriver, call: DdiCall) -> None:
    """CreateSurfaceEx(handle, context): announces handles, which CreateSurface has entered already."""
    handle = number(call, "handle")
    if driver.device.memory.part(handle) is None and handle not in driver.device.memory.buffers:
        raise Rejected(HResult.DDERR_INVALIDOBJECT, "bad-handle", f"CreateSurfaceEx: no surface {handle}")


def destroy_surface(driver: EmulatedDriver, call: DdiCall) -> None:
    """DestroySurface(handle): the whole surface; handles of single levels are refused."""
    handle = number(call, "handle")
    if handle not in driver.device.memory.surfaces:
        raise Rejected(HResult.DDERR_INVALIDOBJECT, "bad-handle", f"DestroySurface: no surface {handle}")
    driver.forget(handle)


def part_of(driver: EmulatedDriver, call: DdiCall, name: str = "handle") -> SurfacePart:
    """The subresource that an argument names. Raises Rejected."""
    handle = number(call, name)
    part = driver.device.memory.part(handle)
    if part is None:
        raise Rejected(HResult.DDERR_INVALIDOBJECT, "bad-handle", f"{call.entry}: no surface {handle}")
    return part


def box_of(call: DdiCall, part: SurfacePart, name: str = "box") -> transfer.Box:
    """A box argument within the subresource. Raises Rejected."""
    box = transfer.as_box(part, call.args.get(name))
    if box is None:
        where = f"{part.width} x {part.height} x {part.depth}"
        raise Rejected(HResult.DDERR_INVALIDRECT, "bad-rectangle", f"{call.entry}: {name} {call.args[name]!r} in {where}")
    return box


def lock(driver: EmulatedDriver, call: DdiCall) -> None:
    """Lock(handle, box, flags): out `pitch`, `slice_pitch` of the driver's memory."""
    part = part_of(driver, call)
    box_of(call, part)
    handle = number(call, "handle")
    if driver.clock.busy(handle) and not number(call, "flags", 0) & (DdLock.DISCARDCONTENTS | DdLock.NOOVERWRITE):
        raise StillDrawing
    driver.device.flush()
    driver.locks[handle] = driver.locks.get(handle, 0) + 1
    call.out["pitch"], call.out["slice_pitch"] = part.pitch, part.slice_pitch
    if part.samples and part.surface.label == "primary":
        call.out["samples"] = 1  # what the lock shows is resolved; Unlock spreads each pixel over its samples


def unlock(driver: EmulatedDriver, call: DdiCall) -> None:
    """Unlock(handle, box, pitch, slice_pitch; contents): takes what the application left there."""
    part, handle = part_of(driver, call), number(call, "handle")
    if not driver.locks.get(handle):
        raise Rejected(HResult.DDERR_NOTLOCKED, "bad-lock", f"Unlock: surface {handle} is not locked")
    driver.locks[handle] -= 1
    contents = blob(call, "contents")
    if contents is None:
        return
    box = box_of(call, part)
    _, row_bytes, rows, _ = transfer.extent(part, box)
    pitch = number(call, "pitch", row_bytes)
    slice_pitch = number(call, "slice_pitch", 0) or pitch * rows
    needed = transfer.upload_size(part, box, pitch, slice_pitch)
    if not 0 <= needed <= len(contents):
        raise Rejected(
            HResult.DDERR_INVALIDPARAMS, "bad-data", f"Unlock: {len(contents)} bytes at pitch {pitch}, {needed} needed"
        )
    if driver.device.draws:
        driver.device.before_write(part, driver.seq, box)
        with transfer.one_sample_at_a_time(part, box):
            transfer.upload(part, box, contents, pitch, slice_pitch)
