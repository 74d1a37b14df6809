"""State blocks.  The runtime keeps its own: slots of its register vector and their values; applying one sends the tokens again.

A pure device has no shadow state: its blocks are state sets of the driver (STATESET).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.methods.initial import send_slots
from core.runtime.rows import layout as c
from core.runtime.rows.table import BASE_VERTEX, LIGHT, LIGHT_MADE, LIGHT_OFF, LIGHT_WORDS, LIGHTS, PALETTE
from core.spec.enums import StateBlockType, StateSetOperation
from core.spec.slots import BASE, REGISTERS, STAGE_STATES, STREAMS, TEXTURE_STAGES
from core.spec.stateblocks import PIXEL_RENDER_STATES, PIXEL_STAGE_STATES, VERTEX_RENDER_STATES, VERTEX_STAGE_STATES
from core.spec.states import RENDER_STATE_ID, RENDER_STATES, TEXTURE_STAGE_STATE_ID
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.context import Context
    from core.runtime.runtime import Runtime

NO_TYPE = 0
PIXEL_CONSTANTS = 8
"""The runtime's blocks hold no more (DX8 DDI, "Pixel Shaders"), and no retired states, which tokens must not set."""
ORDERS = ("POSITIONORDER", "NORMALORDER")
"""In D3DSBT_ALL of the runtime (Windows), but in no state set of a driver."""


@dataclass(eq=False, slots=True)
class StateBlock:
    """slots: int64[n] of the runtime's vector; values: uint32[n]; handle: of the driver's state set (pure device)."""

    slots: np.ndarray
    values: np.ndarray
    handle: int = 0

    def handles(self) -> set[int]:
        """Handles of surfaces and buffers that the block holds."""
        first, last = BASE["texture_stage"], BASE["texture_stage"] + TEXTURE_STAGES * STAGE_STATES
        textures = (self.slots >= first) & (self.slots < last) & ((self.slots - first) % STAGE_STATES == 0)
        streams = (self.slots >= BASE["stream"]) & (self.slots < BASE["indices"]) & ((self.slots - BASE["stream"]) % 3 == 0)
        held = textures | streams | (self.slots == BASE["indices"])
        return {int(handle) for handle in self.values[held]} - {0}


def _field(name: str) -> range:
    return range(BASE[name], BASE[name] + REGISTERS[name].itemsize // 4)


def _states(render: tuple[str, ...], stage: tuple[str, ...]) -> list[int]:
    numbers = [RENDER_STATE_ID[name] for name in render]
    slots = [BASE["render_state"] + number for number in numbers if not RENDER_STATES[number].until]
    return slots + [
        BASE["texture_stage"] + STAGE_STATES * i + TEXTURE_STAGE_STATE_ID[name] for i in range(TEXTURE_STAGES) for name in stage
    ]


def _lights(context: Context) -> list[int]:
    """All lights used so far."""
    made = np.flatnonzero(context.registers[LIGHT_MADE : LIGHT_MADE + LIGHTS])
    return [
        slot
        for i in made
        for slot in (*range(LIGHT + LIGHT_WORDS * int(i), LIGHT + LIGHT_WORDS * int(i + 1)), LIGHT_OFF + int(i))
    ]


def slots_of_type(context: Context, type: int) -> np.ndarray:
    """The slots that a block of a type covers.  D3DSBT_ALL covers textures, streams and indices too, but on a pure device."""
    slots: list[int] = []
    if type in (StateBlockType.ALL, StateBlockType.PIXELSTATE):
        slots += _states(PIXEL_RENDER_STATES, PIXEL_STAGE_STATES)
        slots += [BASE["pixel_shader"], *_field("ps_const")[: 4 * PIXEL_CONSTANTS]]
    if type in (StateBlockType.ALL, StateBlockType.VERTEXSTATE):
        slots += _states(VERTEX_RENDER_STATES, VERTEX_STAGE_STATES)
        slots += [BASE["vertex_shader"], *_field("vs_const"), *_lights(context)]
    if type == StateBlockType.ALL:
        for name in ("view", "projection", "texture_transform", "world", "material", "viewport", "zrange", "clip_plane"):
            slots += _field(name)
        if not context.is_pure:
            slots += _states(ORDERS, ())
            slots += [BASE["texture_stage"] + STAGE_STATES * i for i in range(TEXTURE_STAGES)]
            slots += [BASE["stream"] + 3 * i + j for i in range(STREAMS) for j in range(2)]
            slots += [*_field("indices"), BASE_VERTEX, PALETTE]
    return np.array(sorted(set(slots)), np.int64)


def begin_state_block(rt: Runtime, this: int) -> None:
    """BeginStateBlock: state calls are recorded, not done."""
    context = rt.device(this)
    if context is None:
        return
    if rt.is_recording:
        rt.reject("a state block is being recorded already")
    context.touched[:] = 0
    context.recording = rt.new_number()
    context.mode = rt.commands.state[c.RECORDING] = c.RECORD_AND_EMIT if context.is_pure else c.RECORD_ONLY
    if context.is_pure:
        rt.emit(Op.STATESET, operation=StateSetOperation.BEGIN, handle=context.recording, type=NO_TYPE)


def end_state_block(rt: Runtime, this: int, out: Any) -> None:
    """EndStateBlock: the block gets its token."""
    context = rt.device(this)
    if context is None or not rt.is_recording:
        rt.reject("no state block is being recorded")
        return
    context.mode = rt.commands.state[c.RECORDING] = 0
    handle = context.recording if context.is_pure else 0
    if handle:
        rt.emit(Op.STATESET, operation=StateSetOperation.END, handle=handle, type=NO_TYPE)
    slots = np.flatnonzero(context.touched)
    if out:
        context.blocks[out[0]] = StateBlock(slots, context.recorded[slots].copy(), handle)


def create_state_block(rt: Runtime, this: int, type: int, out: Any) -> None:
    """CreateStateBlock: what a type covers, with the values of now."""
    context = rt.device(this)
    if context is None or not out:
        return
    if type not in list(StateBlockType) or rt.is_recording:
        rt.reject("a state block is being recorded" if rt.is_recording else f"{type} is not a type of state block")
        return
    slots = slots_of_type(context, type)
    block = context.blocks[out[0]] = StateBlock(slots, context.registers[slots].copy())
    if context.is_pure:
        block.handle = rt.new_number()
        rt.emit(Op.STATESET, operation=StateSetOperation.CREATE, handle=block.handle, type=type)


def _block(rt: Runtime, this: int, token: int) -> tuple[Context | None, StateBlock | None]:
    context = rt.device(this)
    block = context.blocks.get(token) if context else None
    if block is None:
        rt.reject(f"{token:#x} is not a state block")
    elif rt.is_recording:
        rt.reject("a state block is being recorded")
        block = None
    return context, block


def apply_state_block(rt: Runtime, this: int, token: int) -> None:
    """ApplyStateBlock."""
    context, block = _block(rt, this, token)
    if context is None or block is None:
        return
    context.registers[block.slots] = block.values
    if block.handle:
        rt.emit(Op.STATESET, operation=StateSetOperation.EXECUTE, handle=block.handle, type=NO_TYPE)
    else:
        send_slots(rt, block.slots.tolist(), context.registers)
    rt.commands.state[c.DIRTY] = 1  # it may have bound managed textures


def capture_state_block(rt: Runtime, this: int, token: int) -> None:
    """CaptureStateBlock: the block's slots get the values of now."""
    context, block = _block(rt, this, token)
    if context is None or block is None:
        return
    block.values = context.registers[block.slots].copy()
    if block.handle:
        rt.emit(Op.STATESET, operation=StateSetOperation.CAPTURE, handle=block.handle, type=NO_TYPE)


def delete_state_block(rt: Runtime, this: int, token: int) -> None:
    """DeleteStateBlock."""
    context, block = _block(rt, this, token)
    if context is not None and block is not None:
        del context.blocks[token]
        if block.handle:
            rt.emit(Op.STATESET, operation=StateSetOperation.DELETE, handle=block.handle, type=NO_TYPE)
