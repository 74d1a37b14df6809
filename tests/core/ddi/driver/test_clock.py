"""The modelled clock: queues fill, flips stay in progress, locks find surfaces busy. Nothing of this with the instant clock."""

from __future__ import annotations

from typing import Any

import pytest

from core.ddi.calls import DdiCall
from core.ddi.driver.clock import DRAW_COST, REFRESH
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.spec.enums import DdBlt, DdLock, HResult

BACK, FRONT, CONTEXT, SIZE = 1, 2, 9, 1000
PRESENT, LAST = int(DdBlt.PRESENTATION), int(DdBlt.PRESENTATION | DdBlt.LAST_PRESENTATION)
BUSY = HResult.DDERR_WASSTILLDRAWING


class Machine:
    def __init__(self, clock: str = "modelled", profile: str = "full") -> None:
        self.driver = EmulatedDriver(profile, clock=clock)
        for handle in (BACK, FRONT):
            self("CreateSurface", handle=handle, width=SIZE, height=SIZE, format=22)
        self("ContextCreate", context=CONTEXT, render_target=BACK, depth_stencil=0, width=SIZE, height=SIZE)

    def __call__(self, entry: str, expect: int = 0, data: dict[str, Any] | None = None, **args: Any) -> DdiCall:
        call = self.driver.call(DdiCall(entry, args, data or {}))
        assert call.result == expect, hex(call.result)
        return call

    def present(self, flags: int, expect: int = 0) -> None:
        self("Blt", expect, destination=FRONT, source=BACK, flags=flags)

    def draw(self, count: int = 1, expect: int = 0) -> None:
        stream = bytearray()
        dp2.emit(stream, "DRAWPRIMITIVE", [{"type": 4, "start": 0, "count": 0}] * count)
        self("DrawPrimitives2", expect, {"commands": bytes(stream)}, context=CONTEXT, command_length=len(stream))


def test_three_frames_may_wait_per_source() -> None:
    machine = Machine()
    for _ in range(3):
        machine.present(PRESENT)  # parts of a frame do not count
        machine.present(LAST)
    machine.present(PRESENT, BUSY)
    machine.present(LAST, BUSY)
    machine("Blt", destination=BACK, source=FRONT, flags=LAST)  # another source has a queue of its own
    machine.driver.clock.advance(2 * SIZE * SIZE // 1000)
    machine.present(LAST)
    assert not machine.driver.findings  # nobody did anything wrong


def test_a_driver_that_cannot_tell_waits_before_the_last_blt_of_a_frame() -> None:
    """DX8 DDI, Presentation: DDBLT_LAST_PRESENTATION waits "until the accelerator is completely finished"; parts do not."""
    machine = Machine(profile="minimum")
    machine.present(PRESENT)
    machine.present(PRESENT)
    machine.present(LAST, BUSY)
    machine.driver.clock.wait_idle()
    machine.present(LAST)
    machine.present(LAST, BUSY)


def test_a_flip_lasts_until_the_vertical_blank() -> None:
    machine = Machine()
    machine("Flip", surface=[FRONT, BACK], flags=0)
    machine("GetFlipStatus", BUSY, handle=FRONT, flags=0)
    machine("Flip", BUSY, surface=[FRONT, BACK], flags=0)
    machine.draw(expect=BUSY)
    machine("WaitForVerticalBlank", flags=0)
    assert machine.driver.clock.now >= REFRESH
    machine("GetFlipStatus", handle=FRONT, flags=0)
    machine.draw()


@pytest.mark.parametrize(("interval", "blanks"), [(1, 1), (2, 2), (4, 4)])
def test_flips_wait_for_their_interval(interval: int, blanks: int) -> None:
    machine = Machine()
    machine("Flip", surface=[FRONT, BACK], flags=0, interval=interval)
    for _ in range(blanks - 1):
        machine("WaitForVerticalBlank")
        machine("GetFlipStatus", BUSY, handle=FRONT)
    machine("WaitForVerticalBlank")
    machine("GetFlipStatus", handle=FRONT)


def test_locks_find_surfaces_busy() -> None:
    machine = Machine()
    machine.draw(100)
    machine("GetBltStatus", BUSY, handle=BACK)
    machine("Lock", BUSY, handle=BACK, flags=0)
    machine("Lock", handle=BACK, flags=int(DdLock.NOOVERWRITE))
    machine("Lock", handle=FRONT, flags=0)
    machine.driver.clock.advance(100 * DRAW_COST)
    machine("Lock", handle=BACK, flags=0)


def test_events_go_on_while_a_call_is_refused() -> None:
    machine = Machine()
    machine("Flip", surface=[FRONT, BACK], flags=0)
    seq = machine.driver.seq
    machine.draw(3, expect=BUSY)
    assert machine.driver.seq == seq + 3


def test_the_instant_clock_never_waits() -> None:
    machine = Machine("instant")
    for _ in range(9):
        machine.present(LAST)
        machine("Flip", surface=[FRONT, BACK], flags=0)
        machine.draw(100)
        machine("Lock", handle=BACK, flags=0)


def test_time_is_part_of_a_snapshot() -> None:
    machine = Machine()
    machine("Flip", surface=[FRONT, BACK], flags=0)
    snapshot = machine.driver.snapshot()
    machine.driver.clock.advance(REFRESH)
    machine("GetFlipStatus", handle=FRONT)
    machine.driver.restore(snapshot)
    machine("GetFlipStatus", BUSY, handle=FRONT)
