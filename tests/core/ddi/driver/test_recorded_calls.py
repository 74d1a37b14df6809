"""DrawPrimitives2 of a tape: what its driver did, and nothing more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.ddi.calls import DdiCall, Outcome
from core.ddi.stream import dp2
from core.spec.enums import HResult
from core.spec.slots import slot
from core.spec.tokens import Op
from tests.core.ddi.machine import CONTEXT, TARGET, Machine
from tests.driver_calls import stream

UNPARSED = int(HResult.D3DERR_COMMAND_UNPARSED)
CULL = slot("CULLMODE")
STATES = stream(
    ("RENDERSTATE", {"items": [{"state": 22, "value": 2}]}), ("RENDERSTATE", {"items": [{"state": 22, "value": 1}]})
)
CLEAR = stream(("CLEAR", {"items": [(0, 0, 100, 80)], "flags": 1, "color": 0xFFFF0000}))


def replayed(commands: bytes, result: int = 0, **out: Any) -> tuple[Machine, DdiCall]:
    """A driver that follows a tape with this call and its answer."""
    machine = Machine()
    machine.driver.follows = machine.driver.check = True
    call = DdiCall("DrawPrimitives2", {"context": CONTEXT}, {"commands": commands}, result, dict(out))
    return machine, machine.driver.call(call)


def test_a_failed_call_has_the_effect_of_what_comes_before_its_error_offset() -> None:
    machine, call = replayed(STATES + CLEAR, UNPARSED, error_offset=12)
    assert machine.driver.device.registers.vector[CULL] == 2
    assert not machine.pixels(TARGET).any()
    assert (call.result, call.out["error_offset"]) == (UNPARSED, 12)
    found = machine.driver.findings
    assert [(one.rule, one.seq - machine.driver.seq + 3, one.offset) for one in found] == [("failed-call", 1, 12)]
    assert found[0].text == "DrawPrimitives2 returned D3DERR_COMMAND_UNPARSED: 1 of 3 records were executed"


@pytest.mark.parametrize(("offset", "cull", "clears"), [(0, 3, False), (24, 1, False), (24 + len(CLEAR), 1, True)])
def test_wherever_it_failed(offset: int, cull: int, clears: bool) -> None:
    machine, _ = replayed(STATES + CLEAR, UNPARSED, error_offset=offset)
    assert machine.driver.device.registers.vector[CULL] == cull
    assert machine.pixels(TARGET).any() == clears
    assert [one.rule for one in machine.driver.findings] == ["failed-call"]


def test_parts_of_a_failed_call_are_as_the_whole() -> None:
    machine = Machine()
    machine.driver.follows = True
    first = machine.driver.seq
    for start in range(3):
        call = DdiCall("DrawPrimitives2", {"context": CONTEXT}, {"commands": STATES + CLEAR}, UNPARSED, {"error_offset": 12})
        machine.driver.run(call, first, start, start + 1)
    assert machine.driver.device.registers.vector[CULL] == 2
    assert not machine.pixels(TARGET).any()
    assert [one.seq - first for one in machine.driver.findings if one.rule == "failed-call"] == [1]


def test_a_failure_that_is_understood_is_not_reported_twice() -> None:
    machine, call = replayed(STATES + bytes((200, 0, 0, 0)), UNPARSED, error_offset=24)
    assert [one.rule for one in machine.driver.findings] == ["unknown-token"]
    assert machine.driver.device.registers.vector[CULL] == 1
    assert call.out["error_offset"] == 24


def test_a_success_and_a_call_without_an_offset_are_carried_out_whole() -> None:
    for result, out in ((0, {"error_offset": 12}), (UNPARSED, {}), (UNPARSED, {"error_offset": "12"})):
        machine, _ = replayed(STATES, result, **out)
        assert machine.driver.device.registers.vector[CULL] == 1


def test_a_command_that_fails_in_the_middle_is_not_begun() -> None:
    """dwErrorOffset names the first unhandled command: nothing of that command has an effect."""
    machine = Machine()
    stream = bytearray()
    dp2.emit(stream, "CREATEPIXELSHADER", None, shader=3, code=[0xFFFF0104, 0x0000FFFF])
    body = bytes(stream[4:])
    bad = body[:8] + b"\1\0\0\0" + body[12:]
    twice = stream[:2] + b"\2\0" + body + bad
    call = DdiCall("DrawPrimitives2", {"context": CONTEXT}, {"commands": STATES + bytes(twice)})
    machine.driver.call(call)
    assert (call.result >> 31, call.out["error_offset"]) == (1, len(STATES))
    assert 3 not in machine.driver.device.context.pixel_shaders


def test_where_parsing_resumed_is_answered_and_followed() -> None:
    """[CULLMODE 2] [token 200, 8 bytes] [CULLMODE 1] [CLEAR]."""
    commands = STATES[:12] + bytes((200, 0, 0, 0, 1, 2, 3, 4)) + STATES[12:] + CLEAR
    live = Machine()
    live.driver.parse_unknown_command = lambda commands, offset: offset + 8
    call = live("DrawPrimitives2", {"commands": commands}, context=CONTEXT)
    assert call.out == {"error_offset": 0, "resumed": (12, 20)}
    machine, again = replayed(commands, 0, resumed=call.out["resumed"])
    assert (again.result, machine.driver.findings) == (0, [])
    assert machine.driver.device.registers.vector[CULL] == 1
    np.testing.assert_array_equal(machine.pixels(TARGET), live.pixels(TARGET))
    assert machine.driver.seq == live.driver.seq


def test_resuming_nowhere_sensible_is_not_believed() -> None:
    commands = STATES[:12] + bytes((200, 0, 0, 0, 1, 2, 3, 4)) + STATES[12:]
    for resumed in ((12, 12), (12, 4), (12, 1000), (12,), "12", (12, "20"), (0, 20), 5):
        machine, call = replayed(commands, 0, resumed=resumed)
        assert machine.driver.device.registers.vector[CULL] == 2
        assert call.result == UNPARSED


def test_an_outcome_keeps_what_makes_sense() -> None:
    call = DdiCall("DrawPrimitives2", {}, {}, UNPARSED, {"error_offset": 8, "resumed": (4, 8, 12, 20)})
    assert Outcome.of(call) == (UNPARSED, 8, {4: 8, 12: 20}, ())
    call.result = int(HResult.DDERR_WASSTILLDRAWING)
    assert Outcome.of(call).error_offset is None


def test_commands_of_count_0_do_nothing_and_are_counted() -> None:
    machine = Machine()
    machine.driver.check = True
    empties = b"".join(bytes((op, 0, 0, 0)) for op in (Op.RENDERSTATE, Op.DRAWPRIMITIVE, Op.SETSTREAMSOURCE, Op.SETINDICES))
    first = machine.driver.seq
    call = DdiCall("DrawPrimitives2", {"context": CONTEXT}, {"commands": STATES[:12] + empties + STATES[12:]})
    machine.driver.call(call)
    assert machine.driver.seq - first == 6
    assert [(one.rule, one.seq - first, one.offset) for one in machine.driver.findings] == [
        ("empty-draw", 2, 20), ("one-binding", 3, 24), ("one-binding", 4, 28),
    ]  # fmt: skip
    assert machine.driver.device.registers.vector[CULL] == 1
