"""State from register values: the defaults of a new device, and whatever a state block holds."""

from __future__ import annotations

import struct
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
from core.spec.slots import BASE, STAGE_STATES
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
    value = int(values[slot])
    if slot < 256:
        rt.emit_bytes(Op.RENDERSTATE, struct.pack("<2I", slot, value), merge=True)
    elif slot < BASE["view"]:
        stage, state = divmod(slot - BASE["texture_stage"], STAGE_STATES)
        rt.emit_bytes(Op.TEXTURESTAGESTATE, struct.pack("<2HI", stage, state, value), merge=True)
    elif slot < BASE["material"]:
        first = BASE["view"] + (slot - BASE["view"]) // 16 * 16
        rt.emit_bytes(Op.SETTRANSFORM, struct.pack("<I", MATRIX_AT[first]) + _bytes(values, first, 16), merge=True)
        return range(first, first + 16)
    elif slot < BASE["viewport"]:
        return _block(rt, Op.SETMATERIAL, values, "material", 17)
    elif slot < BASE["zrange"]:
        return _block(rt, Op.VIEWPORTINFO, values, "viewport", 4)
    elif slot < BASE["winfo"]:
        return _block(rt, Op.ZRANGE, values, "zrange", 2)
    elif slot < BASE["clip_plane"]:
        return _block(rt, Op.WINFO, values, "winfo", 2)
    elif slot < BASE["stream"]:
        number = (slot - BASE["clip_plane"]) // 4
        first = BASE["clip_plane"] + 4 * number
        rt.emit_bytes(Op.SETCLIPPLANE, struct.pack("<I", number) + _bytes(values, first, 4))
        return range(first, first + 4)
    elif slot < BASE["indices"]:
        number = (slot - BASE["stream"]) // 3
        first = BASE["stream"] + 3 * number
        rt.emit_bytes(Op.SETSTREAMSOURCE, struct.pack("<I", number) + _bytes(values, first, 2))
        return range(first, first + 3)
    elif slot < BASE["vertex_shader"]:
        return _block(rt, Op.SETINDICES, values, "indices", 2)
    elif slot == BASE["vertex_shader"]:
        rt.emit(Op.SETVERTEXSHADER, shader=value)
    elif slot == BASE["pixel_shader"]:
        rt.emit(Op.SETPIXELSHADER, shader=value)
    elif BASE["vs_const"] <= slot < BASE["ps_const"]:
        return _constant(rt, Op.SETVERTEXSHADERCONST, values, "vs_const", slot)
    elif BASE["ps_const"] <= slot < BASE["reserved"]:
        return _constant(rt, Op.SETPIXELSHADERCONST, values, "ps_const", slot)
    elif LIGHT <= slot < LIGHT_MADE:
        return _light(rt, values, slot)
    elif slot == PALETTE:
        choose(rt, value)
    else:
        assert slot in (BASE_VERTEX, *range(LIGHT_MADE, LIGHT_MADE + LIGHTS)), slot  # the runtime's own
    return {slot}


def _bytes(values: np.ndarray, first: int, count: int) -> bytes:
    return values[first : first + count].tobytes()


def _block(rt: Runtime, op: int, values: np.ndarray, name: str, count: int) -> range:
    rt.emit_bytes(op, _bytes(values, BASE[name], count))
    return range(BASE[name], BASE[name] + count)


def _constant(rt: Runtime, op: int, values: np.ndarray, name: str, slot: int) -> range:
    number = (slot - BASE[name]) // 4
    first = BASE[name] + 4 * number
    rt.emit_bytes(op, struct.pack("<2I", number, 1) + _bytes(values, first, 4))
    return range(first, first + 4)


def _light(rt: Runtime, values: np.ndarray, slot: int) -> set[int] | range:
    number = (slot - LIGHT) // LIGHT_WORDS if slot < LIGHT_OFF else slot - LIGHT_OFF
    make_light(rt, number)
    if slot >= LIGHT_OFF:  # the slot holds what SETLIGHT says: 0 enable, 1 disable
        rt.emit_bytes(Op.SETLIGHT, struct.pack("<2I", number, int(values[slot])))
        return {slot}
    first = LIGHT + LIGHT_WORDS * number
    rt.emit_bytes(Op.SETLIGHT, struct.pack("<2I", number, LIGHT_DATA) + _bytes(values, first, LIGHT_WORDS))
    return range(first, first + LIGHT_WORDS)
