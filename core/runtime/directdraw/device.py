"""IDirect3DDevice7: its driver context, render targets, Clear, and state calls without a row."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.context import Context
from core.runtime.directdraw.linking import first_dword, link, release
from core.runtime.directdraw.making import surface_of
from core.runtime.directdraw.objects import DrawSurface, Older
from core.runtime.directdraw.palettes import tell_device
from core.runtime.methods import surfaces, swapchain
from core.runtime.methods.driver_info import ask_caps, ask_formats
from core.runtime.methods.initial import SENT_RENDER_STATES, Z_ENABLE, send_slots
from core.runtime.methods.state import leaves
from core.runtime.methods.stateblocks import StateBlock, slots_of_type
from core.runtime.methods.swapchain import end_context
from core.runtime.objects import Resource, View
from core.runtime.rows import older_slots as own
from core.runtime.rows.older_calls import BLENDING, OPERATION
from core.runtime.rows.products import product
from core.runtime.rows.table import BASE_VERTEX, LIGHT
from core.runtime.rows.verdicts import RETRY, Retry
from core.runtime.software.sieve import LAST_STAGE_STATE, LAST_STATE
from core.spec.caps import DevCaps
from core.spec.enums import LegacyBlend, SurfaceCaps2
from core.spec.slots import BASE, OLD_TRANSFORM_SLOTS, STAGE_STATES, TEXTURE_STAGES
from core.spec.states import RENDER_STATE_ID, RENDER_STATES, TEXTURE_STAGE_STATE_ID, TEXTURE_STAGE_STATES
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

OWN_STATES = [id for id, state in sorted(RENDER_STATES.items()) if state.until == 7 and not state.also and id != 50]
STATES = [id for id in SENT_RENDER_STATES if id <= LAST_STATE] + OWN_STATES
STAGE_STATES_SENT = [id for id, state in sorted(TEXTURE_STAGE_STATES.items()) if 0 < id <= LAST_STAGE_STATE and not state.until]
ADDRESS_U, ADDRESS_V, ADDRESS = (TEXTURE_STAGE_STATE_ID[name] for name in ("ADDRESSU", "ADDRESSV", "ADDRESS"))
RASTERISERS = frozenset({0xA4665C60, 0xF2086B20, 0x881949A1})
"""First dwords of IID_IDirect3DRGBDevice, RampDevice, MMXDevice."""
FIRST_FACE = int(SurfaceCaps2.CUBEMAP_POSITIVEX)

MODULATE = int(LegacyBlend.MODULATE)
SPECULAR_ENABLE, NORMALIZE_NORMALS, TEXTURE_MAP_BLEND, EVICT = (
    RENDER_STATE_ID[name] for name in ("SPECULARENABLE", "NORMALIZENORMALS", "TEXTUREMAPBLEND", "EVICTMANAGEDTEXTURES")
)


def create_device(rt: Runtime, this: int, kind: Any, target: int, out: Any, *more: Any) -> None:
    """IDirect3D7::CreateDevice."""
    _make(rt, kind, target, out, 7)


def create_device3(rt: Runtime, this: int, kind: Any, target: int, out: Any, *more: Any) -> None:
    """IDirect3D3::CreateDevice: of Direct3D 6."""
    _make(rt, kind, target, out, 6)


def create_device2(rt: Runtime, this: int, kind: Any, target: int, out: Any, *more: Any) -> None:
    """IDirect3D2::CreateDevice: of Direct3D 5."""
    _make(rt, kind, target, out, 5)


def _make(rt: Runtime, kind: Any, target: int, out: Any, version: int) -> None:
    """A DDI context that draws on a surface, and its depth buffer; all state at its defaults.

    `interface` is what dwhContext says when a context is made: 2, 3, 4 of Direct3D 5, 6, 7.
    """
    surface = surface_of(rt, target)
    if surface is None or not out or not out[0]:
        return
    rt.flush()
    context = Context(rt.new_number(), out[0], 0, is_legacy=True, version=version)
    context.is_rasteriser = version < 7 and first_dword(kind) in RASTERISERS
    caps, is_old = ask_caps(rt)
    if is_old:
        ask_formats(rt)
    rt.facts.caps = caps or None
    context.is_software = not rt.facts.has("DevCaps", DevCaps.HWTRANSFORMANDLIGHT)
    rt.select(context)
    depth = _depth_of(rt, surface)
    color, z = surface.handle, depth.handle if depth else 0
    width, height = surface.view.size[:2]
    rt.call("ContextCreate", {
        "context": context.number, "render_target": color, "depth_stencil": z, "width": width, "height": height, "windowed": 1,
        "interface": version - 3,
    })  # fmt: skip
    rt.name(out[0], context, 0)
    context.surface = surface
    context.target, context.stencil = surface.view, depth.view if depth else None
    rt.tell_target()
    registers = context.registers
    registers[BASE["render_target"]], registers[BASE["depth_stencil"]] = color, z
    registers[Z_ENABLE] = int(bool(z))
    registers[BASE["viewport"] : BASE["viewport"] + 4] = (0, 0, width, height)
    if version < 7:
        context.older = Older()
        registers[own.PROJECTION : own.PROJECTION + 16] = np.identity(4, np.float32).reshape(16).view(np.uint32)
        registers[own.BLEND], registers[own.CONTEXT] = MODULATE, context.number
        registers[NORMALIZE_NORMALS], registers[SPECULAR_ENABLE] = 1, int(version == 5)
        registers[TEXTURE_MAP_BLEND] = MODULATE
        registers[BASE["before_7"]] = 1
        keep_blended(context)
    _send_defaults(rt, context)
    for thing in {id(thing): thing for thing in rt.objects.values() if isinstance(thing, DrawSurface)}.values():
        tell_device(rt, thing)


def operations(context: Context) -> np.ndarray:
    """What stage 0 does: the states that TEXTUREMAPBLEND sets."""
    first = BASE["texture_stage"] + OPERATION
    return context.registers[first : first + BLENDING]


def keep_blended(context: Context) -> None:
    """Stage 0 is as TEXTUREMAPBLEND leaves it."""
    context.registers[own.BLENDED : own.BLENDED + BLENDING] = operations(context)


def _depth_of(rt: Runtime, surface: DrawSurface) -> DrawSurface | None:
    """The attached depth buffer, which the driver has then; None if there is none, or none any more."""
    depth = surface.depth
    return surface_of(rt, depth.addresses[0]) if depth is not None and depth.addresses else None


def _send_defaults(rt: Runtime, context: Context) -> None:
    """All state of a device that was just made, as tokens."""
    slots = [BASE["render_state"] + id for id in STATES]
    slots += [BASE["texture_stage"] + stage * STAGE_STATES + id for stage in range(TEXTURE_STAGES) for id in STAGE_STATES_SENT]
    for name, count in (("view", 16), ("projection", 16), ("texture_transform", 128), ("world", 16), ("material", 17),
                        ("viewport", 4), ("zrange", 2)):  # fmt: skip
        slots += range(BASE[name], BASE[name] + count)
    send_slots(rt, slots, context.registers)


def release_device(rt: Runtime, this: int) -> None:
    """Release: at 0 references the context ends."""
    context = rt.objects.get(this)
    if rt.result != 0 or not isinstance(context, Context):
        return
    gone = end_context(rt, context)
    for viewport in context.older.viewports if context.older else ():
        viewport.device = None
    for pointer in [pointer for pointer, thing in rt.objects.items() if thing is context]:
        rt.forget(pointer)
    rt.select(next((thing for thing in rt.objects.values() if isinstance(thing, Context)), None))
    for resource in gone:
        rt.destroy(resource)


def release_any(rt: Runtime, this: int) -> None:
    """Release of an address whose interface does not say what it names: IUnknown, and IDirect3DDevice of a later device."""
    thing = rt.objects.get(this)
    if isinstance(thing, Context):
        (release_device if thing.is_legacy else swapchain.release_device)(rt, this)
    elif isinstance(thing, Resource | View):
        surfaces.release(rt, this)
    else:
        release(rt, this)


def get_direct3d(rt: Runtime, this: int, out: Any) -> None:
    """GetDirect3D: one more address of the DirectDraw object that the target belongs to."""
    context = rt.objects.get(this)
    if isinstance(context, Context) and context.surface is not None and out:
        link(rt, context.surface.body.owner, out[0])


# ---- targets -----------------------------------------------------------------------------------


def set_render_target(rt: Runtime, this: int, target: int, flags: int) -> None:
    """SetRenderTarget: the surface and the depth buffer attached to it; the viewport stays."""
    context, surface = rt.device(this), surface_of(rt, target)
    if context is None or surface is None:
        return
    depth = _depth_of(rt, surface)
    context.surface, context.target, context.stencil = surface, surface.view, depth.view if depth else None
    handles: dict[str, Any] = {"render_target": surface.handle, "depth_stencil": depth.handle if depth else 0}
    rt.tell_target()
    rt.emit(Op.SETRENDERTARGET, **handles)
    for name, handle in handles.items():
        context.registers[BASE[name]] = handle


def get_render_target(rt: Runtime, this: int, out: Any) -> None:
    """GetRenderTarget: one more address of the target."""
    context = rt.device(this)
    if context is not None and context.surface is not None and out:
        link(rt, context.surface, out[0])


# ---- state -------------------------------------------------------------------------------------


def set_texture_stage_state(rt: Runtime, this: int, stage: int, state: int, value: int) -> None:
    """SetTextureStageState: ADDRESS is ADDRESSU and ADDRESSV; all else here is out of range."""
    context = rt.device(this)
    if context is None:
        return
    if state != ADDRESS or not 0 <= stage < TEXTURE_STAGES:
        rt.reject(f"there is no state {state} of texture stage {stage}")
        return
    for part in (ADDRESS_U, ADDRESS_V):
        slot = BASE["texture_stage"] + stage * STAGE_STATES + part
        hold(rt, context, slot, np.array([value & 0xFFFFFFFF], np.uint32))
        if not rt.is_recording:
            rt.emit_bytes(Op.TEXTURESTAGESTATE, struct.pack("<2HI", stage, part, value & 0xFFFFFFFF), merge=True)


def hold(rt: Runtime, context: Context, slot: int, words: np.ndarray) -> None:
    """Writes register slots, or those of the state block being recorded."""
    vector = context.recorded if rt.is_recording else context.registers
    vector[slot : slot + len(words)] = words
    if rt.is_recording:
        context.touched[slot : slot + len(words)] = 1


def multiply_transform(rt: Runtime, this: int, state: int, matrix: Any) -> None:
    """MultiplyTransform: the state becomes matrix x state; the driver gets the product (SETTRANSFORM).

    It is done at once, also while a block is recorded, and in no block, as that of Direct3D 8 (Wine's test_multiply_transform).
    """
    context = rt.device(this)
    slot = OLD_TRANSFORM_SLOTS[state] if 0 <= state < len(OLD_TRANSFORM_SLOTS) else -1
    if context is None or slot < 0 or not matrix:
        rt.reject(f"there is no transform {state}")
        return
    words = np.zeros(16, np.uint32)
    product(matrix_words(matrix), context.registers, slot, words, 0)
    context.registers[slot : slot + 16] = words
    rt.emit_bytes(Op.SETTRANSFORM, struct.pack("<I", state) + words.tobytes(), merge=True)


def matrix_words(matrix: Any) -> np.ndarray:
    """The numbers of a D3DMATRIX as dwords."""
    with np.errstate(over="ignore"):
        words = np.array([float(number) for number in leaves(matrix)], np.float32).view(np.uint32)
    return words.reshape(16)


def set_texture(rt: Runtime, this: int, stage: int, pointer: int | None) -> Retry | None:
    """SetTexture with a texture that the driver has not been asked for, or that is none: a surface without DDSCAPS_TEXTURE
    counts as NULL (Wine's test_texture_wrong_caps)."""
    context, surface = rt.device(this), surface_of(rt, pointer)
    if context is None:
        return None
    if surface is not None and stage < TEXTURE_STAGES and pointer and rt.pointers.get(pointer):
        return RETRY
    if stage >= TEXTURE_STAGES:
        rt.reject(f"there is no texture stage {stage}")
        return None
    root = surface.view.resource.handle if surface is not None and surface.is_texture else 0
    hold(rt, context, BASE["texture_stage"] + STAGE_STATES * stage, np.array([root], np.uint32))
    if not rt.is_recording:
        rt.emit_bytes(Op.TEXTURESTAGESTATE, struct.pack("<2HI", stage, 0, root), merge=True)
    return None


def get_texture(rt: Runtime, this: int, stage: int, out: Any) -> None:
    """GetTexture: one more address of the texture, which has been bound by one already."""
    context = rt.device(this)
    if context is None or not out or not out[0] or not 0 <= stage < TEXTURE_STAGES:
        return
    handle = int(context.registers[BASE["texture_stage"] + STAGE_STATES * stage])
    body = rt.bodies.get(handle)
    if body is not None and body.resource is not None:
        link(rt, body.surfaces[0], out[0])


# ---- state blocks ------------------------------------------------------------------------------


def create_state_block(rt: Runtime, this: int, kind: int, out: Any) -> None:
    """CreateStateBlock: what a type covers of the state that Direct3D 7 has."""
    context = rt.device(this)
    if context is None or not out:
        return
    if kind not in (1, 2, 3) or rt.is_recording:
        rt.reject("a state block is being recorded" if rt.is_recording else f"{kind} is not a type of state block")
        return
    slots = slots_of_type(context, kind)
    slots = slots[exists(slots)]
    context.blocks[out[0]] = StateBlock(slots, context.registers[slots].copy())


def exists(slots: np.ndarray) -> np.ndarray:
    """bool[n]: which slots of the runtime's vector are state of Direct3D 7."""
    found = (slots >= LIGHT) & (slots < BASE_VERTEX)
    render, stages = BASE["render_state"], BASE["texture_stage"]
    found |= (slots >= render) & (slots <= render + LAST_STATE)
    numbers = (slots - stages) % STAGE_STATES
    found |= (slots >= stages) & (slots < stages + TEXTURE_STAGES * STAGE_STATES) & (numbers <= LAST_STAGE_STATE)
    for name, count in (("view", 16), ("projection", 16), ("texture_transform", 128), ("world", 64), ("material", 17),
                        ("viewport", 4), ("zrange", 2), ("clip_plane", 24)):  # fmt: skip
        found |= (slots >= BASE[name]) & (slots < BASE[name] + count)
    return found


# ---- textures ----------------------------------------------------------------------------------


def load(rt: Runtime, this: int, to: int, point: Any, source: int, rect: Any, flags: int) -> None:
    """Load: all levels that both textures have; TEXBLT of each face that `flags` name (DDSCAPS2_CUBEMAP_*).

    The point and the rectangle are those of the source's first level; the token's point, of the destination's.
    """
    context, target, given = rt.device(this), surface_of(rt, to), surface_of(rt, source)
    if context is None or target is None or given is None:
        return
    one, other = given.view.resource, target.view.resource
    if one.format != other.format or min(one.faces, other.faces) != max(one.faces, other.faces):
        rt.reject("Load copies between textures of one format and type")
        return
    x, y = (int(number) for number in point[0]) if point else (0, 0)
    area = tuple(int(edge) for edge in rect[0]) if rect else (0, 0, one.width, one.height)
    if not (0 <= area[0] < area[2] <= one.width and 0 <= area[1] < area[3] <= one.height) or min(x, y) < 0:
        rt.reject(f"Load of {area} to {x}, {y}")
        return
    skipped = next((level for level in range(one.levels) if one.size(level) == other.size(0)), 0)
    for face in range(one.faces):
        if one.faces > 1 and not flags & FIRST_FACE << face:
            continue
        ends: dict[str, Any] = {"destination": other.handle + face * other.levels, "source": one.handle + face * one.levels}
        rt.emit(Op.TEXBLT, False, point=(x >> skipped, y >> skipped), rect=area, flags=0, **ends)


def preload(rt: Runtime, this: int, texture: int) -> None:
    """PreLoad: TEXBLT without a destination says so to the driver."""
    context, surface = rt.device(this), surface_of(rt, texture)
    if context is not None and surface is not None:
        rt.emit(Op.TEXBLT, destination=0, source=surface.view.resource.handle, point=(0, 0), rect=(0, 0, 0, 0), flags=0)


def set_lod(rt: Runtime, this: int, lod: int) -> None:
    """SetLOD of a texture that the driver manages: SETTEXLOD."""
    surface = surface_of(rt, this)
    if surface is not None and rt.context is not None and lod >= 0:
        resource = surface.view.resource
        rt.emit(Op.SETTEXLOD, surface=resource.handle, lod=min(lod, resource.levels - 1))


def evict(rt: Runtime, this: int) -> None:
    """EvictManagedTextures: render state 61 says so to the driver, which manages the textures here."""
    for context in {id(thing): thing for thing in rt.objects.values() if isinstance(thing, Context)}.values():
        if context.surface is not None and context.surface.body.owner is rt.objects.get(this):
            rt.select(context)
            rt.emit_bytes(Op.RENDERSTATE, struct.pack("<2I", EVICT, 1), merge=True)


def set_priority(rt: Runtime, this: int, priority: int) -> None:
    """SetPriority of a texture that the driver manages: SETPRIORITY."""
    surface = surface_of(rt, this)
    if surface is not None and rt.context is not None:
        rt.emit(Op.SETPRIORITY, surface=surface.view.resource.handle, priority=priority & 0xFFFFFFFF)
