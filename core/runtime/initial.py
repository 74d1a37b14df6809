"""State from register values: the defaults of a new device, and whatever a state block holds."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from core.runtime.palettes import choose
from core.runtime.rows import (
    BASE_VERTEX,
    LIGHT,
    LIGHT_DATA,
    LIGHT_MADE,
    LIGHT_OFF,
    LIGHT_WORDS,
    LIGHTS,
    PALETTE,
    SCENE_CAPTURE,
    TRANSFORM_SLOTS,
)  # fmt: skip
from core.runtime.state import make_light
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
MATRIX_AT = {slot: state for state, slot in enumerate(TRANSFORM_SLOTS) if slot >= 0}
Z_ENABLE = 7
FIRSTS, FIELDS = zip(*sorted((first, name) for name, first in BASE.items()), strict=True)
WHOLE = {"material": (Op.SETMATERIAL, 17), "viewport": (Op.VIEWPORTINFO, 4), "zrange": (Op.ZRANGE, 2), "winfo": (Op.WINFO, 2),
         "indices": (Op.SETINDICES, 2)}  # fmt: skip
"""Fields that one token sets, and its dwords."""
NUMBERED = {"clip_plane": (Op.SETCLIPPLANE, 4, 4), "stream": (Op.SETSTREAMSOURCE, 3, 2),
            "vs_const": (Op.SETVERTEXSHADERCONST, 4, 4), "ps_const": (Op.SETPIXELSHADERCONST, 4, 4)}  # fmt: skip
"""Fields that one token for each element sets: slots of an element, dwords of its token."""
CONSTANTS = ("vs_const", "ps_const")  # their tokens have a count, too
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
    slots = [BASE["render_state"] + id for id in SENT_RENDER_STATES]
    slots += [BASE["texture_stage"] + stage * STAGE_STATES + id for stage in range(8) for id in SENT_STAGE_STATES]
    for name, count in (("view", 16), ("projection", 16), ("texture_transform", 128), ("world", 16), ("material", 17),
                        ("viewport", 4), ("zrange", 2)):  # fmt: skip
        slots += range(BASE[name], BASE[name] + count)
    if before is not None:
        slots += [slot for slot in np.flatnonzero(before != registers).tolist() if slot not in NOT_STATE]
    send_slots(rt, slots, registers)


def send_slots(rt: Runtime, slots: Iterable[int], values: np.ndarray) -> None:
    """Tokens that bring these slots of the runtime's vector to the values that stand there in `values`."""
    done: set[int] = set()
    for slot in slots:
        if slot not in done:
            done.update(_send(rt, slot, values))


def _send(rt: Runtime, slot: int, values: np.ndarray) -> set[int] | range:
    """One token; returns the slots it covers."""
    name = FIELDS[bisect_right(FIRSTS, slot) - 1] if slot < SLOTS else ""
    if name in WHOLE:
        return _emit(rt, *WHOLE[name], b"", values, BASE[name])
    if name in NUMBERED:
        op, each, dwords = NUMBERED[name]
        number = (slot - BASE[name]) // each
        head = struct.pack("<2I", number, 1) if name in CONSTANTS else struct.pack("<I", number)
        return _emit(rt, op, dwords, head, values, BASE[name] + each * number, each)
    return _send_one(rt, name, slot, values) or {slot}


def _send_one(rt: Runtime, name: str, slot: int, values: np.ndarray) -> set[int] | range | None:
    """What is neither a whole field nor an element of one; None: the token covers this slot alone."""
    value = int(values[slot])
    match name:
        case "render_state":
            rt.emit_bytes(Op.RENDERSTATE, struct.pack("<2I", slot, value), merge=True)
        case "texture_stage":
            stage, state = divmod(slot - BASE[name], STAGE_STATES)
            rt.emit_bytes(Op.TEXTURESTAGESTATE, struct.pack("<2HI", stage, state, value), merge=True)
        case "view" | "projection" | "texture_transform" | "world":
            first = slot - (slot - BASE["view"]) % 16
            return _emit(rt, Op.SETTRANSFORM, 16, struct.pack("<I", MATRIX_AT[first]), values, first)
        case "vertex_shader":
            rt.emit(Op.SETVERTEXSHADER, shader=value)
        case "pixel_shader":
            rt.emit(Op.SETPIXELSHADER, shader=value)
        case _ if LIGHT <= slot < LIGHT_MADE:
            return _light(rt, values, slot)
        case _ if slot == PALETTE:
            choose(rt, value)
        case _:
            assert slot in (BASE_VERTEX, *range(LIGHT_MADE, LIGHT_MADE + LIGHTS)), slot  # the runtime's own
    return None


def _emit(rt: Runtime, op: int, dwords: int, head: bytes, values: np.ndarray, first: int, covered: int = 0) -> range:
    """One token: `head`, then as many values from slot `first` on; how many slots it covers, if others than these."""
    rt.emit_bytes(op, head + values[first : first + dwords].tobytes())
    return range(first, first + (covered or dwords))


def _light(rt: Runtime, values: np.ndarray, slot: int) -> set[int] | range:
    number = (slot - LIGHT) // LIGHT_WORDS if slot < LIGHT_OFF else slot - LIGHT_OFF
    make_light(rt, number)
    if slot >= LIGHT_OFF:  # the slot holds what SETLIGHT says: 0 enable, 1 disable
        rt.emit_bytes(Op.SETLIGHT, struct.pack("<2I", number, int(values[slot])))
        return {slot}
    return _emit(rt, Op.SETLIGHT, LIGHT_WORDS, struct.pack("<2I", number, LIGHT_DATA), values, LIGHT + LIGHT_WORDS * number)
