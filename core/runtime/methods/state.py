"""State calls without a row: lights, multiplied matrices, clears, and calls with an argument out of range."""

from __future__ import annotations

import struct
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.rows.table import LIGHT_DATA, LIGHT_MADE, LIGHT_WORDS, LIGHTS
from core.runtime.rows.verdicts import RETRY, Retry
from core.spec.enums import ClearFlag
from core.spec.slots import BASE, LIGHT_DEFAULTS, TRANSFORM_SLOTS
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.context import Context
    from core.runtime.runtime import Runtime


DEPTH_STENCIL, COMPUTE_RECTS = int(ClearFlag.ZBUFFER | ClearFlag.STENCIL), int(ClearFlag.COMPUTERECTS)


def make_light(rt: Runtime, index: int) -> bool:
    """CREATELIGHT, once a light; True if it is new.  A fresh light is white and directional (DX8 SDK: LightEnable)."""
    context = rt.context
    assert context is not None
    if index < LIGHTS:
        if context.registers[LIGHT_MADE + index]:
            return False
        context.registers[LIGHT_MADE + index] = 1
    elif index in context.lights:
        return False
    else:
        context.lights[index] = np.array(LIGHT_DEFAULTS, np.uint32)
    rt.emit(Op.CREATELIGHT, index=index)
    rt.emit_bytes(
        Op.SETLIGHT, struct.pack("<2I", index, LIGHT_DATA) + np.array(LIGHT_DEFAULTS[:LIGHT_WORDS], np.uint32).tobytes()
    )
    return True


def light_words(light: Any) -> bytes:
    """A D3DLIGHT8 of nested tuples as its 26 dwords; OverflowError: a number is beyond float32."""
    numbers = list(leaves(light))
    return struct.pack("<I25f", int(numbers[0]), *map(float, numbers[1:26]))


def leaves(value: Any) -> Any:
    """The numbers of nested sequences in order."""
    if isinstance(value, (list, tuple)):
        for member in value:
            yield from leaves(member)
    else:
        yield value


def set_light(rt: Runtime, this: int, index: int, light: Any) -> Retry | None:
    """SetLight of a light that has to be made first, or whose index is beyond the registers."""
    context = rt.device(this)
    if context is None or not light:
        return None
    words = light_words(light)
    if index < LIGHTS:
        return RETRY if make_light(rt, index) else None
    make_light(rt, index)
    context.lights[index][:LIGHT_WORDS] = np.frombuffer(words, np.uint32)
    rt.emit_bytes(Op.SETLIGHT, struct.pack("<2I", index, LIGHT_DATA) + words)
    return None


def light_enable(rt: Runtime, this: int, index: int, enable: int) -> Retry | None:
    """LightEnable of a light that has to be made first, or whose index is beyond the registers."""
    context = rt.device(this)
    if context is None:
        return None
    if index < LIGHTS:
        return RETRY if make_light(rt, index) else None
    make_light(rt, index)
    context.lights[index][LIGHT_WORDS] = int(bool(enable))
    rt.emit(Op.SETLIGHT, index=index, data=int(not enable))
    return None


def multiply_transform(rt: Runtime, this: int, state: int, matrix: Any) -> None:
    """MultiplyTransform: the state becomes matrix x state (DX8 SDK); MULTIPLYTRANSFORM.

    It is done at once, also while a block is recorded, and in no block (Wine's test_multiply_transform, which runs on Windows).
    Blocks of a pure device are the driver's: it gets the token among those that it records.
    """
    context = rt.device(this)
    slot = TRANSFORM_SLOTS[state] if 0 <= state < len(TRANSFORM_SLOTS) else -1
    if context is None or slot < 0 or not matrix:
        rt.reject(f"there is no transform {state}")
        return
    words = struct.pack("<16f", *map(float, leaves(matrix)))
    of_block = rt.is_recording and context.is_pure
    vector = context.recorded if of_block and context.touched[slot] else context.registers
    with np.errstate(over="ignore", invalid="ignore"):
        product = np.matmul(
            np.frombuffer(words, np.float32).reshape(4, 4), vector[slot : slot + 16].view(np.float32).reshape(4, 4)
        )
    if of_block:
        context.recorded[slot : slot + 16] = product.reshape(16).view(np.uint32)
        context.touched[slot : slot + 16] = 1
    else:
        context.registers[slot : slot + 16] = product.reshape(16).view(np.uint32)
    rt.emit_bytes(Op.MULTIPLYTRANSFORM, struct.pack("<I", state) + words)


def clear(rt: Runtime, this: int, count: int, rects: Any, flags: int, color: int, z: float, stencil: int) -> None:
    """Clear: rectangles, NULL: the viewport, cut to viewport and target; a pure device leaves the cutting to the driver.

    No rectangles at a pointer that is not NULL clear nothing; NULL clears everything whatever the count (Wine's clear_test,
    which runs on Windows).
    """
    context = rt.device(this)
    if context is None:
        return
    if flags & DEPTH_STENCIL and not context.registers[BASE["depth_stencil"]]:
        rt.reject("there is no depth surface to clear")
    visible = _visible(context)
    areas: list[tuple[int, ...]] = [visible] if visible else []
    if rects is not None:
        given = [tuple(rect) for rect in rects[:count]]
        areas = given if context.is_pure else [area for rect in given if visible and (area := cut(rect, visible))]
    if context.is_pure:
        flags |= COMPUTE_RECTS
    clear_areas(rt, areas, flags, color, z, stencil)


def clear_areas(rt: Runtime, areas: list[tuple[int, ...]], flags: int, color: int, z: float, stencil: int) -> None:
    """CLEAR of these rectangles, if there are any."""
    if not areas:
        return
    edges = chain.from_iterable(areas)
    body = struct.pack(f"<2IfI{4 * len(areas)}i", int(flags), color & 0xFFFFFFFF, float(z), stencil & 0xFFFFFFFF, *edges)
    rt.emit_counted(Op.CLEAR, len(areas), body)


def _visible(context: Context) -> tuple[int, ...] | None:
    """The viewport's part of the target; None if it lies beside it or is empty."""
    x, y, width, height = context.registers[BASE["viewport"] : BASE["viewport"] + 4].tolist()
    size = context.target.size if context.target is not None else (width, height)
    return cut((x, y, x + width, y + height), (0, 0, size[0], size[1]))


def cut(rect: Any, bounds: tuple[int, ...]) -> tuple[int, ...] | None:
    """The part of a rectangle (left, top, right, bottom) within bounds; None if nothing is left."""
    left, top = max(rect[0], bounds[0]), max(rect[1], bounds[1])
    right, bottom = min(rect[2], bounds[2]), min(rect[3], bounds[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def refused(rt: Runtime, this: int, *args: Any) -> None:
    """A state call with an argument that its row does not take: out of range, or an object that is not known."""
    if rt.device(this) is not None:
        rt.reject(f"an argument is out of range or names no object: {', '.join(map(_short, args))}")


def _short(value: Any) -> str:
    if isinstance(value, memoryview):
        return f"blob({len(value)})"
    return hex(value) if isinstance(value, int) and value > 0xFFFF else str(value)


def set_texture(rt: Runtime, this: int, stage: int, texture: int | None) -> None:
    """SetTexture with a texture or stage that is not known: the stage gets none."""
    context = rt.device(this)
    if context is None:
        return
    rt.reject(f"stage {stage} or texture {texture or 0:#x} is not known")
    if stage < 8:
        context.registers[BASE["texture_stage"] + 32 * stage] = 0
        rt.emit_bytes(Op.TEXTURESTAGESTATE, struct.pack("<2HI", stage, 0, 0), merge=True)
