"""Locks of surfaces and buffers, and the tracer's `memcpy` with the data that the program wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.methods.managed import flat, mark_dirty
from core.runtime.methods.surfaces import view_of
from core.runtime.objects import Box, Lock, Resource, resource_of
from core.runtime.rows.layout import LOCKED
from core.spec.enums import DdLock, LockFlag
from core.spec.formats import FORMATS

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime


READ_ONLY, NO_DIRTY_UPDATE = int(LockFlag.READONLY), int(LockFlag.NO_DIRTY_UPDATE)
KEPT = int(LockFlag.READONLY | LockFlag.NOSYSLOCK | LockFlag.NOOVERWRITE | LockFlag.DISCARD)
WAIT, NO_DIRTY_UPDATE_THERE = int(DdLock.WAIT), int(DdLock.NODIRTYUPDATE)


def driver_flags(flags: int) -> int:
    """D3DLOCK -> DDLOCK."""
    return WAIT | (flags & KEPT) | (NO_DIRTY_UPDATE_THERE if flags & NO_DIRTY_UPDATE else 0)


def pitches(resource: Resource, level: int) -> tuple[int, int]:
    """Our own pitch and slice pitch of a level."""
    width, height, _ = resource.size(level)
    if resource.format not in FORMATS:
        return 4 * width, 4 * width * height
    format = FORMATS[resource.format]
    return format.pitch(width), format.pitch(width) * format.row_count(height)


def lock_picture(
    rt: Runtime, resource: Resource, face: int, level: int, locked: tuple[int, int, int], box: Box | None, flags: int
) -> Lock:  # fmt: skip
    """Locks a subresource; `locked`: pitch, slice pitch and address that the program was given (0: ours)."""
    if (face, level) in resource.locks:
        rt.reject("the surface is locked already")
        unlock_picture(rt, resource, face, level)
    handle = resource.written + resource.subresource(face, level)
    edges = None if box is None else box if resource.kind == "volume" else box[:4]
    call = rt.call("Lock", {"handle": handle, "box": edges, "flags": driver_flags(flags)})
    pitch, slice_pitch, address = locked
    ours = pitches(resource, level)
    lock = Lock(
        handle, edges, address, pitch or call.out.get("pitch") or ours[0],
        slice_pitch or call.out.get("slice_pitch") or ours[1],
        bool(flags & READ_ONLY), _dirties(resource, flags), face, level,
    )  # fmt: skip
    resource.locks[face, level] = lock
    if address and not lock.read_only:
        rt.locks[address] = lock
    return lock


def _dirties(resource: Resource, flags: int) -> bool:
    """Whether what is written under a lock counts as changed; NO_DIRTY_UPDATE keeps nothing from the first upload."""
    never_seen = resource.is_managed and not resource.uploaded
    return not flags & READ_ONLY and (not flags & NO_DIRTY_UPDATE or never_seen)


def unlock_picture(rt: Runtime, resource: Resource | None, face: int, level: int) -> None:
    """Unlocks a subresource; hands over what the program left there, rows at the lock's pitch."""
    lock = resource.locks.pop((face, level), None) if resource else None
    if resource is None or lock is None:
        rt.reject("the surface is not locked")
        return
    data = {} if lock.contents is None else {"contents": lock.contents}
    where = {"handle": lock.handle, "box": lock.box, "pitch": lock.pitch, "slice_pitch": lock.slice_pitch}
    rt.call("Unlock", where, data)
    _forget(rt, lock)
    if lock.dirties:
        box: Any = lock.box
        mark_dirty(rt, resource, face, level, flat(box) if box and len(box) == 4 else box)


def _forget(rt: Runtime, lock: Lock) -> None:
    if rt.locks.get(lock.address) is lock:
        del rt.locks[lock.address]


def _locked(out: Any) -> tuple[int, int, int]:
    """pitch, slice pitch, address of a D3DLOCKED_RECT or D3DLOCKED_BOX that came back."""
    if not out:
        return 0, 0, 0
    *pitches, address = out[0]
    return pitches[0], pitches[1] if len(pitches) > 1 else 0, address or 0


def lock_rect_of_level(rt: Runtime, this: int, level: int, out: Any, rect: Any, flags: int) -> Lock | None:
    """IDirect3DTexture8::LockRect."""
    return lock_rect_of_face(rt, this, 0, level, out, rect, flags)


def lock_rect_of_face(rt: Runtime, this: int, face: int, level: int, out: Any, rect: Any, flags: int) -> Lock | None:
    """IDirect3DCubeTexture8::LockRect."""
    resource = resource_of(rt, this)
    box = flat(rect[0]) if rect else None
    return lock_picture(rt, resource, face, level, _locked(out), box, flags) if resource else None


def lock_rect(rt: Runtime, this: int, out: Any, rect: Any, flags: int) -> Lock | None:
    """IDirect3DSurface8::LockRect."""
    view = view_of(rt, this)
    box = flat(rect[0]) if rect else None
    return lock_picture(rt, view.resource, view.face, view.level, _locked(out), box, flags) if view else None


def lock_box_of_level(rt: Runtime, this: int, level: int, out: Any, box: Any, flags: int) -> Lock | None:
    """IDirect3DVolumeTexture8::LockBox."""
    resource = resource_of(rt, this)
    edges: Any = tuple(box[0]) if box else None
    return lock_picture(rt, resource, 0, level, _locked(out), edges, flags) if resource else None


def lock_box(rt: Runtime, this: int, out: Any, box: Any, flags: int) -> Lock | None:
    """IDirect3DVolume8::LockBox."""
    view = view_of(rt, this)
    edges: Any = tuple(box[0]) if box else None
    return lock_picture(rt, view.resource, view.face, view.level, _locked(out), edges, flags) if view else None


def unlock_level(rt: Runtime, this: int, level: int) -> None:
    """UnlockRect, UnlockBox of a texture's level."""
    unlock_picture(rt, resource_of(rt, this), 0, level)


def unlock_face(rt: Runtime, this: int, face: int, level: int) -> None:
    """IDirect3DCubeTexture8::UnlockRect."""
    unlock_picture(rt, resource_of(rt, this), face, level)


def unlock_view(rt: Runtime, this: int) -> None:
    """UnlockRect, UnlockBox of a surface or volume."""
    view = view_of(rt, this)
    if view is not None:
        unlock_picture(rt, view.resource, view.face, view.level)


# ---- buffers ---------------------------------------------------------------------------------


def lock_buffer(rt: Runtime, this: int, offset: int, size: int, out: Any, flags: int) -> Lock | None:
    """Lock of a vertex or index buffer; size 0: to the end."""
    resource = resource_of(rt, this)
    if resource is None:
        return None
    if resource.locks:
        rt.reject("the buffer is locked already")
        unlock_buffer(rt, this)
    offset = min(offset, resource.width)
    rest = resource.width - offset
    where = {"handle": resource.handle, "offset": offset, "size": min(size or rest, rest), "flags": driver_flags(flags)}
    rt.call("LockD3DBuffer", where)
    address = out[0] if out else 0
    lock = Lock(resource.handle, None, address or 0, 0, 0, bool(flags & READ_ONLY), False, offset=offset)
    resource.locks[0, 0] = lock
    if address and not lock.read_only:
        rt.locks[address] = lock
    return lock


def unlock_buffer(rt: Runtime, this: int) -> None:
    """Unlock of a vertex or index buffer."""
    rt.commands.numbers[LOCKED] = 0
    resource = resource_of(rt, this)
    lock = resource.locks.pop((0, 0), None) if resource else None
    if resource is None or lock is None:
        rt.reject("the buffer is not locked")
        return
    data = {} if lock.contents is None else {"contents": lock.contents[: resource.width - lock.offset]}
    if resource.contents is not None and data:
        resource.contents[lock.offset : lock.offset + len(data["contents"])] = np.frombuffer(data["contents"], np.uint8)
    rt.call("UnlockD3DBuffer", {"handle": resource.handle, "offset": lock.offset}, data)
    _forget(rt, lock)


def memcpy(rt: Runtime, destination: int, source: Any, size: int) -> None:
    """What the tracer found in locked memory just before the Unlock."""
    lock = rt.locks.get(destination)
    if lock is None:
        rt.note("runtime-rejected", f"memory at {destination:#x} is written but not locked")
    else:
        lock.contents = source
