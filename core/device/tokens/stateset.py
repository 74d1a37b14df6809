"""State sets: STATESET begin, end, execute, capture, delete, create (semantics section 15).

Between BEGIN and END state tokens are recorded and have no effect.  CREATE makes the sets of a pure device: the states that the
DX8 DDI lists for D3DSBT_ALL, PIXELSTATE and VERTEXSTATE, with their present values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.device.device import CommandBuffer, Device
from core.device.registers.records import fields
from core.device.registers.vector import StateSet
from core.spec import slots
from core.spec.enums import StateBlockType, StateSetOperation
from core.spec.stateblocks import (
    ALL_RENDER_STATES,
    ALL_STAGE_STATES,
    PIXEL_RENDER_STATES,
    PIXEL_STAGE_STATES,
    VERTEX_RENDER_STATES,
    VERTEX_STAGE_STATES,
)
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID


def _render(names: tuple[str, ...]) -> list[int]:
    return [slots.RENDER_STATE + RENDER_STATE_ID[name] for name in names]


def _stage(names: tuple[str, ...]) -> list[int]:
    return [slots.TEXTURE_STAGE + 32 * i + TEXTURE_STAGE_STATE_ID[name] for i in range(8) for name in names]


def _span(first: int, count: int) -> list[int]:
    return list(range(first, first + count))


_SHADING_VERTEX = [slots.VERTEX_SHADER, *_span(slots.VS_CONST, 4 * 256)]
_SHADING_PIXEL = [slots.PIXEL_SHADER, *_span(slots.PS_CONST, 4 * 32)]
_GEOMETRY = [
    *_span(slots.VIEWPORT, 4), *_span(slots.ZRANGE, 2), *_span(slots.VIEW, 16), *_span(slots.PROJECTION, 16),
    *_span(slots.TEXTURE_TRANSFORM, 8 * 16), *_span(slots.WORLD, 256 * 16), *_span(slots.CLIP_PLANE, 4 * 32),
    *_span(slots.MATERIAL, 17),
]  # fmt: skip
# Fixed slots by type; lights that exist are added to ALL and VERTEXSTATE when the set is created.
SLOTS_OF: dict[int, np.ndarray] = {
    StateBlockType.PIXELSTATE: np.array([*_render(PIXEL_RENDER_STATES), *_stage(PIXEL_STAGE_STATES), *_SHADING_PIXEL]),
    StateBlockType.VERTEXSTATE: np.array([*_render(VERTEX_RENDER_STATES), *_stage(VERTEX_STAGE_STATES), *_SHADING_VERTEX]),
    StateBlockType.ALL: np.array(
        [*_render(ALL_RENDER_STATES), *_stage(ALL_STAGE_STATES), *_GEOMETRY,
         *_SHADING_VERTEX, *_SHADING_PIXEL]
    ),
}  # fmt: skip


def state_set(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """STATESET {operation, handle, type}."""
    operation, handle, kind = fields(stream, record)
    registers, offset = device.registers, int(record["offset"])
    if operation == StateSetOperation.BEGIN:
        if registers.recording:
            device.find("bad-state-set", seq, "BEGIN within a set that is being recorded", offset)
            registers.end_set()
        registers.begin_set(handle)
    elif operation == StateSetOperation.END:
        if registers.recording:
            registers.end_set()
        else:
            device.find("bad-state-set", seq, "END without BEGIN", offset)
    elif operation == StateSetOperation.CREATE:
        _create(device, handle, kind, seq, offset)
    elif operation not in (StateSetOperation.EXECUTE, StateSetOperation.CAPTURE, StateSetOperation.DELETE):
        device.find("bad-state-set", seq, f"operation {operation}", offset)
    elif handle not in registers.sets:
        device.find("bad-state-set", seq, f"no set {handle}", offset)
    else:
        _use(device, operation, handle, seq)


def _use(device: Device, operation: int, handle: int, seq: int) -> None:
    registers = device.registers
    if operation == StateSetOperation.EXECUTE:
        registers.apply_set(handle, seq)
        load_definitions(device, registers.sets[handle], seq)
    elif operation == StateSetOperation.CAPTURE:
        registers.capture_set(handle)
    else:
        del registers.sets[handle]


def load_definitions(device: Device, applied: StateSet, seq: int) -> None:
    """A set that made other shaders current sets the constants that these define, but for those that it holds itself.

    DX8 DDI, D3DDP2OP_SETVERTEXSHADER: "any constant register that has a value specified in the definition of that shader should
    be set to that value".
    """
    registers, context = device.registers, device.context
    for current, constants, shaders in (
        (slots.VERTEX_SHADER, slots.VS_CONST, context.vertex_shaders),
        (slots.PIXEL_SHADER, slots.PS_CONST, context.pixel_shaders),
    ):
        shader = shaders.get(int(registers.vector[current])) if current in applied.slots else None
        for number, values in shader.constants if shader is not None else ():
            given = constants + 4 * number + np.arange(len(values))
            for n in np.flatnonzero(~np.isin(given, applied.slots)).tolist():
                registers.write(int(given[n]), values[n : n + 1], seq)


def _create(device: Device, handle: int, kind: int, seq: int, offset: int) -> None:
    if kind not in SLOTS_OF:
        device.find("bad-state-set", seq, f"CREATE of type {kind}", offset)
        return
    registers, held = device.registers, SLOTS_OF[kind]
    if kind != StateBlockType.PIXELSTATE:
        lights = [np.arange(slot, slot + slots.LIGHT_SLOTS) for slot in registers.light_slot.values()]
        held = np.concatenate([held, *lights])
    registers.sets[handle] = StateSet(held, registers.vector[held].copy())
