"""Lights of Direct3D 6 and 5, which are objects: they shine while their viewport is the current one of its device."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.context import Context
from core.runtime.directdraw.linking import known
from core.runtime.directdraw.objects import DARK, Light, Older, Viewport
from core.runtime.methods.state import leaves, make_light
from core.runtime.rows.older_slots import IS_AIMED
from core.runtime.rows.table import LIGHT, LIGHT_DATA, LIGHT_OFF, LIGHT_WORDS
from core.spec.slots import BASE
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

MOST_LIGHTS = 32  # of a viewport that shine
POINT, SPOT, DIRECTIONAL, PARALLEL_POINT = 1, 2, 3, 4  # D3DLIGHT_*
POSITION, DIRECTION = slice(13, 16), slice(16, 19)  # of a light's words
LIGHT2_SIZE = 80  # of D3DLIGHT2
ACTIVE, NO_SPECULAR = 1, 2  # D3DLIGHT_*


def is_current(viewport: Viewport) -> bool:
    context = viewport.device
    return context is not None and context.older is not None and context.older.viewport is viewport


def set_light(rt: Runtime, this: int, given: Any) -> None:
    """IDirect3DLight::SetLight.  D3DLIGHT has no dwFlags, and recorders leave out those of D3DLIGHT2: such a light is on, with
    highlights."""
    light = known(rt, this, Light)
    if light is None or not given:
        return
    numbers = list(leaves(given[0]))
    kind, color, rest = int(numbers[1]), [float(n) for n in numbers[2:6]], [float(n) for n in numbers[6:19]]
    is_second = numbers[0] == LIGHT2_SIZE
    flags = int(numbers[19]) if is_second and len(numbers) > 19 else ACTIVE
    if kind not in (POINT, SPOT, DIRECTIONAL, PARALLEL_POINT) or len(rest) != 13:
        rt.reject(f"there is no light of type {kind}")
        return
    highlights = [0.0] * 4 if flags & NO_SPECULAR else color
    with np.errstate(over="ignore"):
        words = np.array([0.0, *color, *highlights, *[0.0] * 4, *rest], np.float32).view(np.uint32)
    words[0] = kind
    if is_second and len(numbers) <= 19:
        again = light.words is not None and bool((light.words == words).all())
        more = "; nothing else changes here, so this call may have switched it" if again else ""
        rt.note("not-recorded", f"dwFlags of D3DLIGHT2: the light is taken to be on, with highlights{more}")
    light.words, light.is_active = words, bool(flags & ACTIVE)
    shine(rt, light)


def add_light(rt: Runtime, this: int, pointer: int) -> None:
    """IDirect3DViewport::AddLight."""
    viewport, light = known(rt, this, Viewport), known(rt, pointer, Light)
    if viewport is None or light is None or light.viewport is not None:
        return
    light.viewport = viewport
    viewport.lights.append(light)
    shine(rt, light)


def delete_light(rt: Runtime, this: int, pointer: int) -> None:
    """IDirect3DViewport::DeleteLight."""
    viewport, light = known(rt, this, Viewport), known(rt, pointer, Light)
    if viewport is not None and light in viewport.lights:
        _put_out(rt, light)
        viewport.lights.remove(light)
        light.viewport = None


def shine(rt: Runtime, light: Light) -> None:
    """The driver knows a light whose viewport is the current one: CREATELIGHT once, SETLIGHT."""
    viewport = light.viewport
    if viewport is None or light.words is None or not is_current(viewport):
        return
    context = viewport.device
    assert context is not None
    if not light.is_active:
        _put_out(rt, light)
        return
    rt.select(context)
    _number(rt, viewport, light)
    make_light(rt, light.index)
    _send_light(rt, context, light)
    _switch(rt, context, light, True)
    tell_aim(context)


def tell_aim(context: Context) -> None:
    """Whether the loop has to leave lit draws to Python, which aims lights first."""
    older = context.older
    context.registers[IS_AIMED] = int(older is not None and any(_is_aimed(light) for light in _lights_of(older)))


def _lights_of(older: Older) -> list[Light]:
    return older.viewport.lights if older.viewport is not None else []


def _is_aimed(light: Light) -> bool:
    """Whether a light shines that follows the world matrix."""
    return light.index != DARK and light.words is not None and light.words[0] == PARALLEL_POINT


def _number(rt: Runtime, viewport: Viewport, light: Light) -> None:
    """An index for a light that begins to shine; of too many, the one that has shone longest goes out (as Wine 8.0)."""
    shining = [other for other in viewport.lights if other.index != DARK]
    if light in shining:
        return
    if len(shining) == MOST_LIGHTS:
        _put_out(rt, shining.pop(0))
        viewport.lights.remove(light)
        viewport.lights.append(light)
    light.index = min(set(range(MOST_LIGHTS)) - {other.index for other in shining})


def _send_light(rt: Runtime, context: Context, light: Light) -> None:
    """A parallel point light shines from its place on the origin of the world, the same on all vertices."""
    assert light.words is not None
    words = light.words.copy()
    if words[0] == PARALLEL_POINT:
        world = context.registers[BASE["world"] + 12 : BASE["world"] + 15].view(np.float32)
        words[0] = DIRECTIONAL
        with np.errstate(over="ignore", invalid="ignore"):
            words[DIRECTION] = (world - words[POSITION].view(np.float32)).view(np.uint32)
    first = LIGHT + LIGHT_WORDS * light.index
    context.registers[first : first + LIGHT_WORDS] = words
    rt.emit_bytes(Op.SETLIGHT, struct.pack("<2I", light.index, LIGHT_DATA) + words.tobytes())


def aim_lights(rt: Runtime, context: Context, older: Older) -> None:
    """Before a lit draw: parallel point lights follow the world matrix."""
    for light in _lights_of(older):
        if _is_aimed(light):
            _send_light(rt, context, light)


def _put_out(rt: Runtime, light: Light) -> None:
    """A light shines no more, and its index is free."""
    context = light.viewport.device if light.viewport is not None else None
    if light.index != DARK and context is not None:
        rt.select(context)
        _switch(rt, context, light, False)
    light.index = DARK
    if context is not None:
        tell_aim(context)


def _switch(rt: Runtime, context: Context, light: Light, on: bool) -> None:
    """SETLIGHT that enables or disables."""
    context.registers[LIGHT_OFF + light.index] = int(not on)
    rt.emit(Op.SETLIGHT, index=light.index, data=int(not on))


def darken(rt: Runtime, viewport: Viewport) -> None:
    for light in viewport.lights:
        _put_out(rt, light)
