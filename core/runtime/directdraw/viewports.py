"""Viewports and materials of Direct3D 6 and 5, which are objects.

A viewport says where on the target a device draws, which part of clip space is seen, and which lights shine; it counts while it
is the current one of its device.  The clip volume is a matrix behind the projection, so that the driver is sent the product.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.context import Context
from core.runtime.directdraw.lights import darken, is_current, shine, tell_aim
from core.runtime.directdraw.linking import known, link
from core.runtime.directdraw.making import LARGEST
from core.runtime.directdraw.objects import Light, Material, Older, Viewport
from core.runtime.methods.state import clear_areas, cut, leaves
from core.runtime.rows import layout as c
from core.runtime.rows import older_slots as own
from core.runtime.rows.products import product
from core.spec.enums import ClearFlag
from core.spec.slots import BASE
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

SPECULAR, POWER = slice(8, 12), 16  # of a material's words
PROJECTION = 3
DEPTH = int(ClearFlag.ZBUFFER | ClearFlag.STENCIL)


def older_of(rt: Runtime, pointer: int) -> tuple[Context, Older] | None:
    """The device that a call goes to, and what it has as one of Direct3D 6 or 5."""
    context = rt.device(pointer)
    if context is None:
        return None
    if context.older is None:
        rt.reject("a device of Direct3D 7 is called as an older one")
        return None
    return context, context.older


def create_viewport(rt: Runtime, this: int, out: Any, outer: Any) -> None:
    """IDirect3D::CreateViewport, 2 and 3."""
    link(rt, Viewport(), out[0] if out else None)


def create_light(rt: Runtime, this: int, out: Any, outer: Any) -> None:
    """IDirect3D::CreateLight, 2 and 3."""
    link(rt, Light(), out[0] if out else None)


def create_material(rt: Runtime, this: int, out: Any, outer: Any) -> None:
    """IDirect3D::CreateMaterial, 2 and 3."""
    link(rt, Material(), out[0] if out else None)


# ---- materials ---------------------------------------------------------------------------------


def set_material(rt: Runtime, this: int, given: Any) -> None:
    """IDirect3DMaterial::SetMaterial: colours and power stand between the size and a texture handle, which has no effect."""
    material = known(rt, this, Material)
    if material is None or not given:
        return
    numbers = list(leaves(given[0]))[1:18]
    if len(numbers) != 17:
        rt.reject("a material of too few numbers")
        return
    with np.errstate(over="ignore"):
        material.words = np.array([float(number) for number in numbers], np.float32).view(np.uint32)
    for context, handle in material.handles:
        _tell_material(rt, context, handle)
    rt.commands.numbers[c.CLEARED] = 0  # it may be a background


def get_handle(rt: Runtime, this: int, device: int, out: Any) -> None:
    """IDirect3DMaterial::GetHandle: a number that SetLightState and SetBackground take."""
    material, context = known(rt, this, Material), rt.objects.get(device)
    if material is not None and isinstance(context, Context) and context.older is not None and out and out[0]:
        number = int(out[0])
        context.older.materials[number] = material
        material.handles.append((context, number))
        _tell_material(rt, context, number)


def _words(material: Material) -> np.ndarray:
    """What the driver is sent of a material."""
    words = material.words
    if not words[POWER]:  # +0.0: "to turn off specular highlights, set this member to 0" (DX6 SDK, D3DMATERIAL)
        words = words.copy()
        words[SPECULAR] = 0
    return words


def _tell_material(rt: Runtime, context: Context, handle: int) -> None:
    """Lets the loop find what a material's handle means now, as long as there is room for it."""
    older = context.older
    if older is None or not 0 < handle < 1 << 32:
        return
    place = older.places.setdefault(handle, len(older.places))
    if place < own.MOST_MATERIALS:
        at = own.MATERIALS + own.MATERIAL_WORDS * place
        context.registers[at : at + own.MATERIAL_WORDS] = _words(older.materials[handle])
        rt.bind_key(handle_key(context, handle, c.MATERIAL_KEY), at)


def handle_key(context: Context, handle: int, space: np.uint64) -> int:
    """By which the loop finds what a device has a handle for."""
    return handle | context.number << 32 | int(space)


def use_material(rt: Runtime, context: Context, older: Older, handle: int) -> None:
    """D3DLIGHTSTATE_MATERIAL: SETMATERIAL; without one nothing is lit."""
    material = older.materials.get(handle)
    context.registers[own.HAS_MATERIAL] = int(material is not None)
    if material is None:
        if handle:
            rt.reject(f"{handle} is no handle of a material")
        return
    words = _words(material)
    context.registers[BASE["material"] : BASE["material"] + 17] = words
    rt.emit_bytes(Op.SETMATERIAL, words.tobytes())


# ---- viewports ---------------------------------------------------------------------------------


def set_viewport2(rt: Runtime, this: int, given: Any) -> None:
    """SetViewport2: dwX dwY dwWidth dwHeight, and the clip volume dvClipX dvClipY dvClipWidth dvClipHeight dvMinZ dvMaxZ."""
    if given:
        numbers = list(leaves(given[0]))
        x, y, width, height, low, high = (float(number) for number in numbers[5:11])
        if 0 in (width, height, high - low):
            rt.reject(f"a clip volume of {width:g} x {height:g}, depth {low:g} to {high:g}")
            return
        scales = (2 / width, 2 / height, 1 / (high - low))
        _set(rt, this, numbers[1:5], scales, (-1 - x * scales[0], 1 - y * scales[1], -low * scales[2]))


def set_viewport(rt: Runtime, this: int, given: Any) -> None:
    """SetViewport: dwX dwY dwWidth dwHeight, and how many pixels a unit of the clip volume has, dvScaleX dvScaleY."""
    if given:
        numbers = list(leaves(given[0]))
        width, height = max(int(numbers[3]), 1), max(int(numbers[4]), 1)  # an empty viewport is rejected below
        _set(rt, this, numbers[1:5], (2 * float(numbers[5]) / width, 2 * float(numbers[6]) / height, 1.0))


def _set(rt: Runtime, this: int, area: Any, scales: tuple[float, ...], offsets: tuple[float, ...] = (0.0, 0.0, 0.0)) -> None:
    viewport = known(rt, this, Viewport)
    if viewport is None:
        return
    x, y, width, height = (int(number) for number in area)
    if min(x, y) < 0 or min(width, height) <= 0 or max(x + width, y + height) > LARGEST:
        rt.reject(f"a viewport of {width} x {height} pixels at {x}, {y}")
        return
    viewport.area = x, y, width, height
    with np.errstate(over="ignore"):
        clip = np.diag(np.array([*scales, 1.0], np.float32))
        clip[3, :3] = offsets
    viewport.clip = clip
    if is_current(viewport):
        activate(rt, viewport)


def activate(rt: Runtime, viewport: Viewport) -> None:
    """VIEWPORTINFO, ZRANGE and the projection of the current viewport."""
    context = viewport.device
    if context is None or viewport.area is None:
        return
    rt.select(context)
    context.registers[BASE["viewport"] : BASE["viewport"] + 4] = viewport.area
    context.registers[BASE["zrange"] : BASE["zrange"] + 2] = np.array([0, 1], np.float32).view(np.uint32)
    rt.emit_bytes(Op.VIEWPORTINFO, struct.pack("<4I", *viewport.area))
    rt.emit_bytes(Op.ZRANGE, struct.pack("<2f", 0, 1))
    tell_clip(context, viewport.clip)
    project(rt, context)


def tell_clip(context: Context, clip: np.ndarray | None) -> None:
    """What follows the projection: 4 x 4 float32."""
    context.registers[own.HAS_CLIP] = int(clip is not None)
    if clip is not None:
        context.registers[own.CLIP : own.CLIP + 16] = np.ascontiguousarray(clip, np.float32).reshape(16).view(np.uint32)


def project(rt: Runtime, context: Context) -> None:
    """SETTRANSFORM of the program's projection times the clip volume, if that is another matrix than before."""
    registers, slot = context.registers, BASE["projection"]
    words = registers[own.PROJECTION : own.PROJECTION + 16].copy()
    if registers[own.HAS_CLIP]:
        product(words.copy(), registers, own.CLIP, words, 0)
    if (registers[slot : slot + 16] != words).any():
        registers[slot : slot + 16] = words
        rt.emit_bytes(Op.SETTRANSFORM, struct.pack("<I", PROJECTION) + words.tobytes(), merge=True)


def add_viewport(rt: Runtime, this: int, pointer: int) -> None:
    """AddViewport: the viewport belongs to the device."""
    found, viewport = older_of(rt, this), known(rt, pointer, Viewport)
    if found is not None and viewport is not None and viewport not in found[1].viewports:
        viewport.device = found[0]
        found[1].viewports.append(viewport)


def delete_viewport(rt: Runtime, this: int, pointer: int) -> None:
    """DeleteViewport; the current one is none any more, and its lights go out."""
    found, viewport = older_of(rt, this), known(rt, pointer, Viewport)
    if found is None or viewport is None or viewport not in found[1].viewports:
        return
    darken(rt, viewport)
    found[1].viewports.remove(viewport)
    if found[1].viewport is viewport:
        found[1].viewport = None
        viewport_changed(rt, found[0])
    viewport.device = None


def set_current_viewport(rt: Runtime, this: int, pointer: int) -> None:
    """SetCurrentViewport: its place, its clip volume, its lights."""
    found, viewport = older_of(rt, this), known(rt, pointer, Viewport)
    if found is None or viewport is None or found[1].viewport is viewport:
        return
    if found[1].viewport is not None:
        darken(rt, found[1].viewport)
    viewport.device, found[1].viewport = found[0], viewport
    viewport_changed(rt, found[0])
    activate(rt, viewport)
    for light in tuple(viewport.lights):
        shine(rt, light)


def viewport_changed(rt: Runtime, context: Context) -> None:
    """Another viewport is the current one, or none."""
    rt.commands.numbers[c.CLEARED] = 0
    viewport = context.older.viewport if context.older else None
    tell_clip(context, viewport.clip if viewport is not None else None)
    tell_aim(context)


def get_current_viewport(rt: Runtime, this: int, out: Any) -> None:
    """GetCurrentViewport: one more address of it."""
    found = older_of(rt, this)
    if found is not None and found[1].viewport is not None and out:
        link(rt, found[1].viewport, out[0])


def next_viewport(rt: Runtime, this: int, pointer: int | None, out: Any, flags: int) -> None:
    """NextViewport: D3DNEXT_NEXT 1 after one, D3DNEXT_HEAD 2, D3DNEXT_TAIL 4."""
    found = older_of(rt, this)
    if found is None or not out or not out[0] or not found[1].viewports:
        return
    listed, here = found[1].viewports, rt.objects.get(pointer or 0)
    places = [i for i, viewport in enumerate(listed[:-1]) if viewport is here]
    place = 0 if flags & 2 else len(listed) - 1 if flags & 4 else places[0] + 1 if places else None
    if place is None:
        rt.reject("no viewport of the device follows")
        return
    link(rt, listed[place], out[0])


# ---- clearing ----------------------------------------------------------------------------------


def set_background(rt: Runtime, this: int, handle: int) -> None:
    """SetBackground: the material whose diffuse colour Clear takes."""
    viewport = known(rt, this, Viewport)
    if viewport is None or viewport.device is None or viewport.device.older is None:
        return
    viewport.background = viewport.device.older.materials.get(handle)
    rt.commands.numbers[c.CLEARED] = 0
    if viewport.background is None:
        rt.reject(f"{handle} is no handle of a material")


def set_background_depth(rt: Runtime, this: int, surface: int | None) -> None:
    """SetBackgroundDepth: a surface that Clear would copy into the depth buffer."""
    if surface:
        rt.note("runtime-unimplemented", "SetBackgroundDepth: Clear sets the farthest depth, not that of the surface")


def clear(rt: Runtime, this: int, count: int, rects: Any, flags: int) -> None:
    """Clear: the background material's colour (black without one), the farthest depth."""
    viewport = known(rt, this, Viewport)
    if viewport is None:
        return
    color = _background(viewport)
    _clear(rt, viewport, count, rects, flags, color, 1.0, 0)
    _tell_cleared(rt, viewport, this, color)


def _background(viewport: Viewport) -> int:
    """The colour of Clear."""
    if viewport.background is None:
        return 0
    red, green, blue, alpha = np.clip(np.nan_to_num(viewport.background.words[:4].view(np.float32)), 0, 1) * 255
    return int(alpha) << 24 | int(red) << 16 | int(green) << 8 | int(blue)


def _tell_cleared(rt: Runtime, viewport: Viewport, pointer: int, color: int) -> None:
    """The loop may clear the viewport at this address, if it is the current one of the current device."""
    context = viewport.device
    if context is not None and context is rt.context and is_current(viewport) and viewport.area and pointer < 1 << 63:
        context.registers[own.BACKGROUND] = color
        rt.commands.numbers[c.CLEARED] = pointer


def clear2(
    rt: Runtime, this: int, count: int, rects: Any, flags: int, color: int, z: float, stencil: int
) -> None:  # fmt: skip
    """Clear2: as Clear of Direct3D 7, with rectangles."""
    viewport = known(rt, this, Viewport)
    if viewport is not None:
        _clear(rt, viewport, count, rects, flags, color, z, stencil)
        _tell_cleared(rt, viewport, this, _background(viewport))


def _clear(
    rt: Runtime, viewport: Viewport, count: int, rects: Any, flags: int, color: int, z: float, stencil: int
) -> None:  # fmt: skip
    """Rectangles of the target, cut to the viewport; none clear nothing (Wine's test_clear_rect_count)."""
    context = viewport.device
    if context is None or viewport.area is None or context.target is None or not rects or count <= 0:
        return
    rt.select(context)
    if len(rects) < count:
        rt.note("not-recorded", f"{count - len(rects)} of {count} rectangles of Clear are not in the trace")
    if flags & DEPTH and not context.registers[BASE["depth_stencil"]]:
        rt.reject("there is no depth surface to clear")
    x, y, width, height = viewport.area
    visible = cut((x, y, x + width, y + height), (0, 0, *context.target.size[:2]))
    given = [tuple(int(edge) for edge in rect) for rect in rects[:count]]
    areas = [area for rect in given if visible and (area := cut(rect, visible))]
    clear_areas(rt, areas, flags, color, z, stencil)
