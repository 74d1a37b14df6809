"""Driver entries of D3D buffers: CreateD3DBuffer, Lock-, Unlock- and DestroyD3DBuffer (LockExecuteBuffer ...).

Renaming: a lock with DISCARD gives the buffer other memory (`fp_vid_mem`, `fp_heap_offset`), so that what was drawn may still
be read from the old.  Both replies are known: HANDLED with `surf_data`, NOTHANDLED with fpVidMem alone (`lock_reply`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.ddi.calls import DdiCall
from core.ddi.driver.arguments import Rejected, StillDrawing, blob, number, text
from core.ddi.driver.heap import user_address
from core.device.memory.handles import Refused
from core.device.memory.surfaces import Buffer
from core.spec.caps import DevCaps
from core.spec.enums import DdLock, Dp2Flag, DriverReturn, HResult, SurfaceCaps2

if TYPE_CHECKING:
    from core.ddi.driver.emulated import EmulatedDriver

_HARDWARE = {"vertex": DevCaps.HWVERTEXBUFFER, "index": DevCaps.HWINDEXBUFFER}
KEPT = ("usage", "fvf", "format", "memory", "pool", "caps", "caps2")


def create_buffer(driver: EmulatedDriver, call: DdiCall) -> None:
    """CreateD3DBuffer(handle, size, usage, fvf, kind, format, memory, pool, caps, caps2)."""
    memory, handle = driver.memory_for(call), number(call, "handle", low=1)
    kind, where = text(call, "kind", "vertex"), text(call, "memory", "video")
    call.out["handled"] = int(DriverReturn.HANDLED)
    if bool(number(call, "caps2", 0) & SurfaceCaps2.INDEXBUFFER) != (kind == "index") and "caps2" in call.args:
        driver.find("index-buffer-caps", f"a {kind} buffer with caps2 {call.args['caps2']:#x}")
    if where != "system" and kind in _HARDWARE and not driver.profile.has(_HARDWARE[kind]):
        raise Rejected(HResult.E_FAIL, "buffer-memory", f"a {kind} buffer in {where} memory, which the driver does not have")
    if memory.in_use(handle):
        driver.find("handle-in-use", f"handle {handle} is already in use")
        driver.forget(handle)
    facts = {name: value for name, value in call.args.items() if name in KEPT}
    try:
        buffer = memory.create_buffer(handle, number(call, "size"), kind=kind, **facts)
    except Refused as refusal:
        raise Rejected(HResult.E_FAIL, refusal.reason, refusal.text) from None  # the runtime is to take system memory
    if driver.has_failed:
        return
    driver.device.note(driver.seq, "buffers", handle, None)
    place = driver.heap.place(handle, where, buffer.size)
    call.out.update(fp_vid_mem=place.vid_mem, fp_heap_offset=place.heap_offset)


def destroy_buffer(driver: EmulatedDriver, call: DdiCall) -> None:
    """DestroyD3DBuffer(handle)."""
    buffer_of(driver, call)
    driver.forget(number(call, "handle"))


def buffer_of(driver: EmulatedDriver, call: DdiCall) -> Buffer:
    """The buffer that the handle names. Raises Rejected."""
    handle = number(call, "handle")
    buffer = driver.device.memory.buffers.get(handle)
    if buffer is None:
        raise Rejected(HResult.DDERR_INVALIDOBJECT, "bad-handle", f"{call.entry}: no buffer {handle}")
    return buffer


def lock_buffer(driver: EmulatedDriver, call: DdiCall) -> None:
    """LockD3DBuffer(handle, offset, size, flags); size 0: to the end. DISCARD keeps the old contents: nothing may need them."""
    buffer, offset, size = buffer_of(driver, call), number(call, "offset", 0), number(call, "size", 0)
    if offset + size > buffer.size:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-lock", f"{size} bytes from {offset} of a buffer of {buffer.size}")
    flags = number(call, "flags", 0)
    renames = bool(flags & DdLock.DISCARDCONTENTS)
    if driver.clock.busy(buffer.handle) and not renames and not flags & DdLock.NOOVERWRITE:
        raise StillDrawing
    driver.locks[buffer.handle] = driver.locks.get(buffer.handle, 0) + 1
    call.out["renamed"] = int(renames)
    if renames:
        _rename(driver, call, buffer.handle)


def _rename(driver: EmulatedDriver, call: DdiCall, handle: int) -> None:
    """Other memory for the buffer, and the reply about it."""
    place = driver.heap.rename(handle)
    if place is None:
        return
    driver.clock.renamed(handle)
    call.out.update(
        fp_vid_mem=place.vid_mem, fp_heap_offset=place.heap_offset, fp_start=driver.heap.start, handled=int(driver.lock_reply)
    )  # fmt: skip
    if driver.lock_reply == DriverReturn.HANDLED:
        call.out["surf_data"] = user_address(place)


def unlock_buffer(driver: EmulatedDriver, call: DdiCall) -> None:
    """UnlockD3DBuffer(handle, offset; contents)."""
    buffer, offset = buffer_of(driver, call), number(call, "offset", 0)
    if not driver.locks.get(buffer.handle):
        raise Rejected(HResult.DDERR_NOTLOCKED, "bad-lock", f"UnlockD3DBuffer: buffer {buffer.handle} is not locked")
    driver.locks[buffer.handle] -= 1
    contents = blob(call, "contents")
    if contents is None:
        return
    if offset + len(contents) > buffer.size:
        raise Rejected(
            HResult.DDERR_INVALIDPARAMS, "bad-data", f"{len(contents)} bytes at {offset} of a buffer of {buffer.size}"
        )
    if driver.device.draws:
        buffer.write()[offset : offset + len(contents)] = contents


SWAPS = (
    ("vertex_buffer", Dp2Flag.SWAPVERTEXBUFFER, Dp2Flag.REQVERTEXBUFSIZE, "req_vertex_size"),
    ("command_buffer", Dp2Flag.SWAPCOMMANDBUFFER, Dp2Flag.REQCOMMANDBUFSIZE, "req_command_size"),
)


def swap_buffers(driver: EmulatedDriver, call: DdiCall, flags: int) -> None:
    """SWAPVERTEXBUFFER and SWAPCOMMANDBUFFER: the buffer gets other memory, as large as dwReq...BufSize asks for."""
    for name, swap, asks, size in SWAPS:
        buffer = driver.device.memory.buffers.get(number(call, name, 0))
        if buffer is None or not flags & swap:
            continue
        wanted = number(call, size, 0, 0, 1 << 24) if flags & asks else 0
        if wanted > buffer.size:
            driver.device.note(driver.seq, "buffers", buffer.handle, buffer)
            driver.device.memory.resize(buffer, wanted)
            driver.heap.place(buffer.handle, driver.heap.places[buffer.handle].memory, wanted)
        driver.clock.renamed(buffer.handle)
        place = driver.heap.rename(buffer.handle)
        call.out[f"swapped_{name}"] = 1
        if place is not None:
            call.out[f"{name}_vid_mem"] = place.vid_mem
