"""IDirect3DDevice3 and IDirect3DDevice2, Direct3D 6 and 5: states that are objects, light states, texture handles, draws.

What is not here is done by the methods of Direct3D 7.  Vertices are lit where a material is chosen, they have normals and the
draw does not forbid it (D3DDP_DONOTLIGHT); there is no state for it.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.calls.naming7 import LIGHT_STATES
from core.runtime.context import Context
from core.runtime.directdraw import draws
from core.runtime.directdraw.device import keep_blended, matrix_words, multiply_transform, operations
from core.runtime.directdraw.lights import aim_lights
from core.runtime.directdraw.linking import alpha_info
from core.runtime.directdraw.making import realise, surface_of
from core.runtime.directdraw.objects import Begun, DrawSurface
from core.runtime.directdraw.viewports import handle_key, older_of, project, use_material
from core.runtime.methods.state import refused
from core.runtime.objects import resource_of
from core.runtime.rows import layout as c
from core.runtime.rows import older_slots as own
from core.runtime.rows.old_draws import LIT_VERTEX, TRANSFORMED_VERTEX, VERTEX
from core.runtime.rows.older_calls import BLENDING
from core.runtime.rows.products import product
from core.runtime.rows.table7 import LATER_STATES
from core.spec.enums import Fvf, LegacyBlend, TextureOp
from core.spec.slots import BASE, STAGE_STATES, TEXTURE_STAGES
from core.spec.states import LEGACY_BLENDS, RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

TEXTURE_HANDLE, TEXTURE_MAP_BLEND = RENDER_STATE_ID["TEXTUREHANDLE"], RENDER_STATE_ID["TEXTUREMAPBLEND"]
LIGHTING = RENDER_STATE_ID["LIGHTING"]
PROJECTION = 3
MATERIAL, COLOR_MODEL = 1, 3  # D3DLIGHTSTATE_*
D3DVT = {1: VERTEX, 2: LIT_VERTEX, 3: TRANSFORMED_VERTEX}
"""Vertex formats of D3DVT_VERTEX, LVERTEX and TLVERTEX, 32 bytes each."""
NO_LIGHT = 0x10  # D3DDP_DONOTLIGHT
TEXTURE, CURRENT = 2, 1  # D3DTA_*
OPERATION, ALPHA_OPERATION = TEXTURE_STAGE_STATE_ID["COLOROP"], TEXTURE_STAGE_STATE_ID["ALPHAOP"]
ARGUMENTS = {"COLORARG1": TEXTURE, "COLORARG2": CURRENT, "ALPHAARG1": TEXTURE, "ALPHAARG2": CURRENT}


# ---- states ------------------------------------------------------------------------------------


def set_render_state(rt: Runtime, this: int, state: int, value: int) -> None:
    """SetRenderState of TEXTUREHANDLE, TEXTUREMAPBLEND and what does nothing; all else here is out of range."""
    found = older_of(rt, this)
    if found is None:
        return
    context, older = found
    if state == TEXTURE_HANDLE:
        texture = older.textures.get(value)
        if value and texture is None:
            rt.reject(f"{value} is no handle of a texture")
        _bind(rt, context, texture)
        _tell_handle(rt, context, value, texture)
    elif state == TEXTURE_MAP_BLEND:
        before = context.registers[BASE["render_state"] + TEXTURE_MAP_BLEND]
        if before != value & 0xFFFFFFFF:  # set again, it leaves stages as they are
            _blend(rt, context, value)
    elif state not in LATER_STATES:
        refused(rt, this, state, value)


def _render_state(rt: Runtime, context: Context, state: int, value: int) -> None:
    """RENDERSTATE, unless the state has this value."""
    slot = BASE["render_state"] + state
    if context.registers[slot] != value & 0xFFFFFFFF:
        context.registers[slot] = value & 0xFFFFFFFF
        rt.emit_bytes(Op.RENDERSTATE, struct.pack("<2I", state, value & 0xFFFFFFFF), merge=True)


def _stage(rt: Runtime, context: Context, state: int, value: int, stage: int = 0) -> None:
    """TEXTURESTAGESTATE."""
    context.registers[BASE["texture_stage"] + stage * STAGE_STATES + state] = value
    rt.emit_bytes(Op.TEXTURESTAGESTATE, struct.pack("<2HI", stage, state, value), merge=True)


def _blend(rt: Runtime, context: Context, value: int) -> None:
    """TEXTUREMAPBLEND: operations of stage 0."""
    if value not in LEGACY_BLENDS:
        rt.note("runtime-unimplemented", f"TEXTUREMAPBLEND {value} is not done: masks of textures")
        return
    context.registers[own.BLEND] = value
    context.registers[BASE["render_state"] + TEXTURE_MAP_BLEND] = value
    rt.emit_bytes(Op.RENDERSTATE, struct.pack("<2I", TEXTURE_MAP_BLEND, value), merge=True)
    color, alpha = LEGACY_BLENDS[value]
    for state, operation in ((OPERATION, color), (ALPHA_OPERATION, alpha)):
        _stage(rt, context, state, int(operation))
    for name, argument in ARGUMENTS.items():
        _stage(rt, context, TEXTURE_STAGE_STATE_ID[name], argument)
    keep_blended(context)
    _choose_alpha(rt, context)


def _choose_alpha(rt: Runtime, context: Context) -> None:
    """MODULATE takes alpha of the texture if that has any, else of the vertices, until a program changes the stage itself
    (Wine's test_texturemapblend)."""
    registers, before = context.registers, context.registers[own.BLENDED : own.BLENDED + BLENDING]
    if registers[own.BLEND] != LegacyBlend.MODULATE or (operations(context) != before).any():
        return
    wanted = int(TextureOp.SELECTARG1 if registers[own.HAS_ALPHA] else TextureOp.SELECTARG2)
    if wanted != registers[BASE["texture_stage"] + ALPHA_OPERATION]:
        _stage(rt, context, ALPHA_OPERATION, wanted)
        keep_blended(context)


def _bind(rt: Runtime, context: Context, texture: DrawSurface | None, stage: int = 0) -> None:
    """The texture of a stage; a surface without DDSCAPS_TEXTURE counts as NULL but for software devices (Wine's
    test_texture_wrong_caps)."""
    if texture is not None and not texture.is_texture and not context.is_rasteriser:
        texture = None
    if texture is not None:
        realise(rt, texture)
    resource = texture.body.resource if texture is not None else None
    _stage(rt, context, 0, resource.handle if resource is not None else 0, stage)
    if stage == 0:
        context.registers[own.HAS_ALPHA] = int(resource is not None and alpha_info(resource) != 0)
        _choose_alpha(rt, context)


def _tell_handle(rt: Runtime, context: Context, number: int, texture: DrawSurface | None) -> None:
    """Lets the loop find a texture by its handle, which has just been bound."""
    if texture is None or not 0 < number < 1 << 32 or not (texture.is_texture or context.is_rasteriser):
        return
    key, resource = handle_key(context, number, c.TEXTURE_HANDLE_KEY), texture.view.resource
    texture.body.keys.append(key)
    rt.stale |= rt.pointers.bind(key, resource.handle, alpha_info(resource))


def _forget_handle(rt: Runtime, context: Context, number: int) -> None:
    """A handle means something else from now on."""
    rt.pointers.bind(handle_key(context, number & 0xFFFFFFFF, c.TEXTURE_HANDLE_KEY), 0)


def set_stage_texture(rt: Runtime, this: int, stage: int, pointer: int | None) -> None:
    """IDirect3DDevice3::SetTexture."""
    found, surface = older_of(rt, this), surface_of(rt, pointer) if pointer else None
    if found is None:
        return
    if 0 <= stage < TEXTURE_STAGES:
        _bind(rt, found[0], surface, stage)
    else:
        rt.reject(f"there is no texture stage {stage}")


def get_texture_handle(rt: Runtime, this: int, device: int, out: Any) -> None:
    """IDirect3DTexture2::GetHandle: a number that TEXTUREHANDLE takes."""
    texture, context = surface_of(rt, this), rt.objects.get(device)
    if texture is not None and isinstance(context, Context) and context.older is not None and out and out[0]:
        context.older.textures[int(out[0])] = texture
        _forget_handle(rt, context, int(out[0]))


def swap_texture_handles(rt: Runtime, this: int, first: int, second: int) -> None:
    """SwapTextureHandles: the numbers of two textures."""
    found, pair = older_of(rt, this), (surface_of(rt, first), surface_of(rt, second))
    if found is not None and None not in pair:
        other = {id(pair[0]): pair[1], id(pair[1]): pair[0]}
        held = found[1].textures
        swapped = {handle: other[id(one)] for handle, one in held.items() if id(one) in other}
        held.update(swapped)  # type: ignore[arg-type]
        for handle in swapped:
            _forget_handle(rt, found[0], handle)


def set_light_state(rt: Runtime, this: int, state: int, value: int) -> None:
    """SetLightState: a material's handle, or what is a render state in Direct3D 7."""
    found = older_of(rt, this)
    if found is None:
        return
    if state == MATERIAL:
        use_material(rt, *found, value)
    elif state in LIGHT_STATES:
        _render_state(rt, found[0], LIGHT_STATES[state], value)
    elif state != COLOR_MODEL:
        rt.reject(f"there is no light state {state}")


def set_transform(rt: Runtime, this: int, state: int, matrix: Any) -> None:
    """SetTransform of the projection, which the viewport's clip volume follows."""
    found = older_of(rt, this)
    if found is None:
        return
    if state != PROJECTION or not matrix:
        refused(rt, this, state, matrix)
        return
    found[0].registers[own.PROJECTION : own.PROJECTION + 16] = matrix_words(matrix)
    project(rt, found[0])


def multiply(rt: Runtime, this: int, state: int, matrix: Any) -> None:
    """MultiplyTransform."""
    found = older_of(rt, this)
    if found is None or state != PROJECTION or not matrix:
        multiply_transform(rt, this, state, matrix)
        return
    registers = found[0].registers
    product(matrix_words(matrix), registers.copy(), own.PROJECTION, registers, own.PROJECTION)
    project(rt, found[0])


def load_texture(rt: Runtime, this: int, source: int) -> None:
    """IDirect3DTexture2::Load: all levels that both textures have; Blt."""
    target, given = surface_of(rt, this), surface_of(rt, source)
    if target is None or given is None or target is given:
        return
    one, other = target.view.resource, given.view.resource
    if (one.format, one.width, one.height) != (other.format, other.width, other.height):
        rt.reject("Load copies between textures of one format and size")
        return
    for level in range(min(one.levels, other.levels)):
        box = (0, 0, *one.size(level)[:2])
        ends = {"destination": one.handle + level, "source": other.handle + level}
        rt.call("Blt", {**ends, "destination_box": box, "source_box": box, "flags": 0, "presentation": 0})


# ---- draws -------------------------------------------------------------------------------------


def _light(rt: Runtime, this: int, format: int, flags: int) -> bool:
    """Says to the driver whether the draw is lit; False if there is no such device."""
    found = older_of(rt, this)
    if found is None:
        return False
    is_lit = bool(found[0].registers[own.HAS_MATERIAL]) and bool(format & Fvf.NORMAL) and not flags & NO_LIGHT
    _render_state(rt, found[0], LIGHTING, int(is_lit))
    if is_lit:
        aim_lights(rt, *found)
    return True


def draw_primitive(rt: Runtime, this: int, kind: int, format: int, vertices: Any, count: int, flags: int) -> None:
    """IDirect3DDevice3::DrawPrimitive."""
    if _light(rt, this, format, flags):
        draws.draw_primitive(rt, this, kind, format, vertices, count, flags)


def draw_indexed_primitive(
    rt: Runtime, this: int, kind: int, format: int, vertices: Any, count: int, indices: Any, index_count: int, flags: int
) -> None:  # fmt: skip
    """IDirect3DDevice3::DrawIndexedPrimitive."""
    if _light(rt, this, format, flags):
        draws.draw_indexed_primitive(rt, this, kind, format, vertices, count, indices, index_count, flags)


def draw_primitive_strided(rt: Runtime, this: int, kind: int, format: int, data: Any, count: int, flags: int) -> None:
    """IDirect3DDevice3::DrawPrimitiveStrided."""
    if _light(rt, this, format, flags):
        draws.draw_primitive_strided(rt, this, kind, format, data, count, flags)


def draw_indexed_primitive_strided(
    rt: Runtime, this: int, kind: int, format: int, data: Any, count: int, indices: Any, index_count: int, flags: int
) -> None:  # fmt: skip
    """IDirect3DDevice3::DrawIndexedPrimitiveStrided, of which recorders keep one index."""
    if _light(rt, this, format, flags):
        draws.draw_indexed_primitive_strided(rt, this, kind, format, data, count, indices, index_count, flags)


def draw_primitive_vb(rt: Runtime, this: int, kind: int, buffer: int, start: int, count: int, flags: int) -> None:
    """IDirect3DDevice3::DrawPrimitiveVB."""
    held = draws.buffer_of(rt, buffer)
    if held is not None and _light(rt, this, held.fvf, flags):
        draws.draw_primitive_vb(rt, this, kind, buffer, start, count, flags)


def draw_indexed_primitive_vb(
    rt: Runtime, this: int, kind: int, buffer: int, indices: Any, index_count: int, flags: int
) -> None:  # fmt: skip
    """IDirect3DDevice3::DrawIndexedPrimitiveVB: indices count from the buffer's first vertex."""
    held = resource_of(rt, buffer)
    stride = draws.stride_of(held.fvf) if held is not None else 0
    if held is not None and stride and _light(rt, this, held.fvf, flags):
        count = min(held.width // stride, draws.MOST)
        draws.draw_indexed_primitive_vb(rt, this, kind, buffer, 0, count, indices, index_count, flags)


def draw_typed(rt: Runtime, this: int, kind: int, vertex: int, vertices: Any, count: int, flags: int) -> None:
    """IDirect3DDevice2::DrawPrimitive: vertices of a D3DVERTEXTYPE."""
    format = _typed(rt, vertex, vertices, count)
    if format:
        draw_primitive(rt, this, kind, format, vertices, count, flags)


def draw_typed_indexed(
    rt: Runtime, this: int, kind: int, vertex: int, vertices: Any, count: int, indices: Any, index_count: int, flags: int
) -> None:  # fmt: skip
    """IDirect3DDevice2::DrawIndexedPrimitive."""
    format = _typed(rt, vertex, vertices, count)
    if format:
        draw_indexed_primitive(rt, this, kind, format, vertices, count, indices, index_count, flags)


def _typed(rt: Runtime, vertex: int, vertices: Any, count: int) -> int:
    """The vertex format of a D3DVERTEXTYPE; 0, with a finding, where the trace lacks the vertices."""
    format = D3DVT.get(vertex, 0)
    if not format:
        rt.reject(f"there is no vertex type {vertex}")
    elif not isinstance(vertices, (bytes, memoryview)) or len(vertices) < 32 * count:
        rt.note("not-recorded", "vertices of IDirect3DDevice2: the recorder cuts them short; the draw is left out")
        return 0
    return format


# ---- Begin, Vertex, Index, End -------------------------------------------------------------------


def begin(rt: Runtime, this: int, kind: int, vertex: int, flags: int) -> None:
    """Begin: Vertex calls follow, of which recorders keep addresses only; scripts give the vertices."""
    found = older_of(rt, this)
    if found is not None:
        found[1].begun, found[1].indices = Begun(kind, vertex, bytearray(), 0, flags), None


def begin_indexed(rt: Runtime, this: int, kind: int, vertex: int, vertices: Any, count: int, flags: int) -> None:
    """BeginIndexed: Index calls follow."""
    found = older_of(rt, this)
    if found is not None:
        held = bytearray(vertices) if isinstance(vertices, (bytes, memoryview)) else bytearray()
        found[1].begun, found[1].indices = Begun(kind, vertex, held, count, flags), []


def vertex(rt: Runtime, this: int, memory: Any) -> None:
    """Vertex: one more of the draw that End makes."""
    found = older_of(rt, this)
    if found is None or found[1].begun is None or found[1].indices is not None:
        return
    begun = found[1].begun
    if begun.count < draws.MOST:
        begun.count += 1
        if isinstance(memory, (bytes, memoryview)):
            begun.vertices += memory[: draws.stride_of(_begun_format(found[0], begun))]


def index(rt: Runtime, this: int, number: int) -> None:
    """Index: one more of the draw that End makes."""
    found = older_of(rt, this)
    if found is not None and found[1].begun is not None and found[1].indices is not None:
        found[1].indices.append(int(number) & 0xFFFF)


def _begun_format(context: Context, begun: Begun) -> int:
    return D3DVT.get(begun.format, 0) if context.version == 5 else begun.format


def end(rt: Runtime, this: int, flags: int) -> None:
    """End: the draw."""
    found = older_of(rt, this)
    if found is None or found[1].begun is None:
        return
    context, older = found
    begun, older.begun = found[1].begun, None
    format, count, vertices = _begun_format(context, begun), begun.count, bytes(begun.vertices)
    if len(vertices) < count * draws.stride_of(format) or not vertices:
        rt.note("not-recorded", "vertices between Begin and End: recorders keep their addresses only")
    elif older.indices is None:
        draw_primitive(rt, this, begun.kind, format, vertices, count, begun.flags)
    else:
        indices = np.array(older.indices, "<u2").tobytes()
        draw_indexed_primitive(rt, this, begun.kind, format, vertices, count, indices, len(older.indices), begun.flags)
