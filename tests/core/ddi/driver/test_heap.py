"""The conceptual AGP heap and renaming (DX8 DDI, "Handling Renaming on Windows 2000")."""

from __future__ import annotations

import pytest

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.driver.heap import AGP_ADDRESS
from core.ddi.rules.renaming import renamed_address
from core.spec.enums import Dp2Flag, DriverReturn, HResult

DISCARD, BUFFER = 0x2000, 40


def test_the_arithmetic_of_the_document() -> None:
    """pvVirtAddr = fpVidMem - (fpHeapOffset - fpStart); new = pvVirtAddr + (new offset - fpStart)."""
    start, base, old, new = 0x1000, 0x7FF00000, 0x1400, 0x9000
    mapped = base + (old - start)
    assert renamed_address(mapped, old, start, new) == base + (new - start)


def made(memory: str, reply: DriverReturn = DriverReturn.HANDLED, start: int = 0x4000) -> tuple[EmulatedDriver, DdiCall]:
    driver = EmulatedDriver()
    driver.lock_reply = reply
    driver.call(DdiCall("GetDriverInfo", {"guid": "UpdateNonLocalHeap", "start": start}))
    return driver, driver.call(DdiCall("CreateD3DBuffer", {"handle": BUFFER, "size": 100, "memory": memory}))


def lock(driver: EmulatedDriver, flags: int) -> DdiCall:
    call = driver.call(DdiCall("LockD3DBuffer", {"handle": BUFFER, "flags": flags}))
    driver.call(DdiCall("UnlockD3DBuffer", {"handle": BUFFER}, {"contents": b"new"}))
    return call


def test_an_agp_buffer_is_renamed_within_its_heap() -> None:
    driver, created = made("agp")
    assert created.out["fp_heap_offset"] == 0x4000 and created.out["fp_vid_mem"] == AGP_ADDRESS
    first, second = lock(driver, DISCARD), lock(driver, DISCARD)
    for call in (first, second):
        offset, start = call.out["fp_heap_offset"], call.out["fp_start"]
        assert start == 0x4000 and call.out["fp_vid_mem"] == call.out["surf_data"] == AGP_ADDRESS + (offset - start)
    assert first.out["fp_vid_mem"] != created.out["fp_vid_mem"]
    assert second.out["fp_vid_mem"] == created.out["fp_vid_mem"]  # the first memory is free again
    assert bytes(driver.device.memory.buffers[BUFFER].contents[:3]) == b"new"


def test_a_lock_without_discard_keeps_the_memory() -> None:
    driver, created = made("agp")
    assert lock(driver, 0).out == {"renamed": 0}
    assert driver.heap.places[BUFFER].vid_mem == created.out["fp_vid_mem"]


def test_local_memory_is_an_offset_until_it_is_mapped() -> None:
    driver, created = made("video")
    call = lock(driver, DISCARD)
    assert call.out["fp_vid_mem"] < 1 << 20 < call.out["surf_data"]
    assert created.out["fp_vid_mem"] != call.out["fp_vid_mem"]


def test_the_other_reply_is_fp_vid_mem_alone() -> None:
    driver, _ = made("agp", DriverReturn.NOTHANDLED)
    call = lock(driver, DISCARD)
    assert call.out["handled"] == 0 and "surf_data" not in call.out and call.out["renamed"] == 1


def test_refusing_video_memory_is_e_fail_and_handled() -> None:
    driver = EmulatedDriver("fixed")
    call = driver.call(DdiCall("CreateD3DBuffer", {"handle": BUFFER, "size": 100, "memory": "video"}))
    assert (call.result, call.out["handled"]) == (HResult.E_FAIL, DriverReturn.HANDLED)
    assert driver.call(DdiCall("CreateD3DBuffer", {"handle": BUFFER, "size": 100, "memory": "system"})).result == 0


def test_no_room_is_e_fail_and_handled() -> None:
    """DX8 DDI, Vertex Buffer Creation Handling: the runtime then takes system memory; NOTHANDLED would be another heap."""
    call = EmulatedDriver().call(DdiCall("CreateD3DBuffer", {"handle": BUFFER, "size": 1 << 31, "memory": "video"}))
    assert (call.result, call.out["handled"]) == (HResult.E_FAIL, DriverReturn.HANDLED)


@pytest.mark.parametrize(
    ("flags", "size"), [(Dp2Flag.SWAPVERTEXBUFFER, 100), (Dp2Flag.SWAPVERTEXBUFFER | Dp2Flag.REQVERTEXBUFSIZE, 500)]
)
def test_draw_primitives_2_swaps_buffers(flags: int, size: int) -> None:
    driver, created = made("agp")
    driver.call(DdiCall("CreateSurface", {"handle": 10, "width": 4, "height": 4, "format": 22}))
    driver.call(DdiCall("ContextCreate", {"context": 1, "render_target": 10}))
    args = {"context": 1, "flags": int(flags), "vertex_buffer": BUFFER, "req_vertex_size": 500}
    call = driver.call(DdiCall("DrawPrimitives2", args, {"commands": b""}))
    assert call.out["swapped_vertex_buffer"] == 1 and call.out["vertex_buffer_vid_mem"] != created.out["fp_vid_mem"]
    assert driver.device.memory.buffers[BUFFER].size == size


def test_buffers_are_swapped_once_however_a_call_is_cut() -> None:
    driver, _ = made("agp")
    driver.call(DdiCall("CreateSurface", {"handle": 10, "width": 4, "height": 4, "format": 22}))
    driver.call(DdiCall("ContextCreate", {"context": 1, "render_target": 10}))
    args = {"context": 1, "flags": int(Dp2Flag.SWAPVERTEXBUFFER), "vertex_buffer": BUFFER}
    state = bytes((8, 0, 1, 0, 7, 0, 0, 0, 1, 0, 0, 0))
    call = DdiCall("DrawPrimitives2", args, {"commands": 2 * state})
    assert "swapped_vertex_buffer" not in driver.run(call, 3, 0, 1).out
    assert driver.run(call, 3, 1, 2).out["swapped_vertex_buffer"] == 1


def test_a_busy_buffer_must_be_waited_for_or_discarded() -> None:
    driver = EmulatedDriver(clock="modelled")
    driver.call(DdiCall("CreateD3DBuffer", {"handle": BUFFER, "size": 100}))
    driver.call(DdiCall("CreateSurface", {"handle": 10, "width": 64, "height": 64, "format": 22}))
    driver.clock.draws(10, 50)
    driver.clock.reads([BUFFER])
    assert lock(driver, 0).result == HResult.DDERR_WASSTILLDRAWING
    assert lock(driver, 0x1000).result == 0  # NOOVERWRITE
    assert lock(driver, DISCARD).result == 0
    assert lock(driver, 0).result == 0  # the new memory is free


def test_a_snapshot_brings_the_memory_back() -> None:
    driver, created = made("agp")
    snapshot = driver.snapshot()
    lock(driver, DISCARD)
    driver.restore(snapshot)
    assert driver.heap.places[BUFFER].vid_mem == created.out["fp_vid_mem"]
