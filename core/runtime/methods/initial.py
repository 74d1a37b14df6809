"""State from register values: the defaults of a new device, and the contents of a state block."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.stream.state_tokens import setter_of
from core.runtime.context import fresh_registers
from core.runtime.methods.palettes import choose
from core.runtime.methods.state import make_light
from core.runtime.rows.table import (
    BASE_VERTEX,
    LIGHT,
    LIGHT_DATA,
    LIGHT_MADE,
    LIGHT_OFF,
    LIGHT_WORDS,
    LIGHTS,
    PALETTE,
    ROWS,
    SCENE_CAPTURE,
)  # fmt: skip
from core.spec.slots import BASE, SLOTS, STAGE_STATES
from core.spec.states import RENDER_STATES, TEXTURE_STAGE_STATES
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.context import Context
    from core.runtime.runtime import Runtime

DELETE_PATCH = 169
SENT_RENDER_STATES = [
    id for id, state in sorted(RENDER_STATES.items()) if not state.until and id not in (SCENE_CAPTURE, DELETE_PATCH)
]
SENT_STAGE_STATES = [id for id, state in sorted(TEXTURE_STAGE_STATES.items()) if id and not state.until]
Z_ENABLE = 7
MERGED = frozenset(emit.op for row in ROWS for emit in row.emits if emit.merge)
NOT_STATE = frozenset((BASE["render_target"], BASE["depth_stencil"], BASE["scene"], SCENE_CAPTURE))


def send_defaults(rt: Runtime, context: Context, before: np.ndarray | None = None) -> None:
    """All state of a device that was just made or reset, as tokens; `before`: the registers that the driver still has.

    ZENABLE depends on whether there is a depth surface (DX8 SDK: D3DRS_ZENABLE).  Only world matrix 0 is sent: the others are
    the identity in a fresh context.
    """
    registers = context.registers
    registers[Z_ENABLE] = 1 if context.depth else 0
    assert context.chain is not None
    size = (context.chain.parameters.width, context.chain.parameters.height)
    registers[BASE["viewport"] : BASE["viewport"] + 4] = (0, 0, *size)
    for op, heads, places in _default_tokens():
        bodies = np.hstack([heads, registers[places].astype("<u4", copy=False).view(np.uint8)])
        if op in MERGED and places.shape[1] == 1:
            rt.emit_several(op, [body.tobytes() for body in bodies])
        else:
            rt.emit_bytes(op, bodies.tobytes())
    if before is not None:
        done = set(_default_slots())
        slots = np.flatnonzero(before != registers).tolist()
        send_slots(rt, [slot for slot in slots if slot not in NOT_STATE and slot not in done], registers)


def _default_slots() -> list[int]:
    """The slots that a new device sends, in order."""
    slots = [BASE["render_state"] + id for id in SENT_RENDER_STATES]
    slots += [BASE["texture_stage"] + stage * STAGE_STATES + id for stage in range(8) for id in SENT_STAGE_STATES]
    for name, count in (("view", 16), ("projection", 16), ("texture_transform", 128), ("world", 16), ("material", 17),
                        ("viewport", 4), ("zrange", 2)):  # fmt: skip
        slots += range(BASE[name], BASE[name] + count)
    return slots


@cache
def _default_tokens() -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Tokens of these slots: opcode, what is before the words of each record (uint8), the slots of its words."""
    found: list[tuple[int, list[bytes], list[range]]] = []
    done: set[int] = set()
    for slot in _default_slots():
        if slot in done:
            continue
        setter = setter_of(slot, fresh_registers())
        assert setter is not None and setter.ahead is not None
        op, covers = setter.row.op, range(setter.first, setter.first + setter.size)
        if not (found and found[-1][0] == op and op in MERGED and setter.size == 1):
            found.append((op, [], []))
        found[-1][1].append(setter.ahead)
        found[-1][2].append(covers)
        done.update(covers)
    return [(op, np.array([[*head] for head in heads], np.uint8), np.array(places)) for op, heads, places in found]


def send_slots(rt: Runtime, slots: Iterable[int], values: np.ndarray) -> None:
    """Tokens that bring these slots of the runtime's vector to the values that stand there in `values`."""
    done: set[int] = set()
    run: list[bytes] = []
    op = 0  # of the run
    for slot in slots:
        if slot in done:
            continue
        setter = setter_of(slot, values) if slot < SLOTS else None
        if run and (setter is None or setter.row.op != op or setter.size != 1):
            rt.emit_several(op, run)
            run = []
        if setter is None:
            done.update(_send_own(rt, slot, values) or {slot})
        elif setter.size == 1 and setter.row.op in MERGED:
            op = setter.row.op
            run.append(setter.payload(values))
            done.add(slot)
        else:
            rt.emit_bytes(setter.row.op, setter.payload(values))
            done.update(range(setter.first, setter.first + setter.size))
    if run:
        rt.emit_several(op, run)


def _send_own(rt: Runtime, slot: int, values: np.ndarray) -> set[int] | range | None:
    """What only the API knows; None: the token covers this slot alone."""
    if LIGHT <= slot < LIGHT_MADE:
        return _light(rt, values, slot)
    if slot == PALETTE:
        choose(rt, int(values[slot]))
    else:
        assert slot in (BASE_VERTEX, *range(LIGHT_MADE, LIGHT_MADE + LIGHTS)), slot  # the runtime's own
    return None


def _light(rt: Runtime, values: np.ndarray, slot: int) -> set[int] | range:
    number = (slot - LIGHT) // LIGHT_WORDS if slot < LIGHT_OFF else slot - LIGHT_OFF
    make_light(rt, number)
    if slot >= LIGHT_OFF:  # the slot holds what SETLIGHT says: 0 enable, 1 disable
        rt.emit_bytes(Op.SETLIGHT, struct.pack("<2I", number, int(values[slot])))
        return {slot}
    first = LIGHT + LIGHT_WORDS * number
    rt.emit_bytes(Op.SETLIGHT, struct.pack("<2I", number, LIGHT_DATA) + values[first : first + LIGHT_WORDS].tobytes())
    return range(first, first + LIGHT_WORDS)
