"""What each token does that is more than writing state: objects, palettes, copies, clears, state sets.

An operation is called with (device, stream, record, seq).  Records have been bounds-checked by the scan; handles and values have not.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from core.device import states, stateset, transfer
from core.device.device import Device, Stream
from core.device.draws import DRAW_OPERATIONS
from core.device.surfaces import Surface
from core.pipeline import clear as clearing
from core.spec.enums import ClearFlag, LegacyBlend, LightData, PaletteFlag, TextureFilter, TextureOp
from core.spec.states import TEXTURE_STAGE_STATE_ID
from core.spec.tokens import TOKENS, Op

Operation = Callable[[Device, Stream, Any, int], None]
DELETERTPATCH = 169


def words(stream: Stream, record: Any, count: int, skip: int = 0) -> tuple[int, ...]:
    """The record's first dwords, unsigned."""
    return struct.unpack_from(f"<{count}I", stream.buffer, int(record["offset"]) + skip)


def signed(stream: Stream, record: Any, count: int, skip: int = 0) -> tuple[int, ...]:
    """The record's first dwords, signed."""
    return struct.unpack_from(f"<{count}i", stream.buffer, int(record["offset"]) + skip)


def payload(stream: Stream, record: Any, first: int, size: int) -> np.ndarray:
    """Bytes of the record."""
    at = int(record["offset"]) + first
    return stream.commands[at : at + size]


# ---- states that the compiled loop leaves alone -------------------------------------------------------


def render_state(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """A render state of earlier DirectX versions, or a number that is none."""
    state, value = words(stream, record, 2)
    if state >= 256:
        device.find("unknown-state", seq, f"render state {state} = {value:#x}", int(record["offset"]))
        return
    device.registers.write(states.RENDER_STATE + state, value, seq)
    if state in LEGACY:
        LEGACY[state](device, value, seq)


def _stage(device: Device, name: str, value: int, seq: int, stage: int = 0) -> None:
    device.registers.write(states.TEXTURE_STAGE + stage * 32 + TEXTURE_STAGE_STATE_ID[name], value, seq)


def _sets(*names: str) -> Callable[[Device, int, int], None]:
    """A legacy state that is these states of stage 0."""

    def apply(device: Device, value: int, seq: int) -> None:
        for name in names:
            _stage(device, name, value, seq)

    return apply


def _legacy_wrap(bit: int) -> Callable[[Device, int, int], None]:
    def apply(device: Device, value: int, seq: int) -> None:
        old = device.registers.render_state(128)
        device.registers.write(states.RENDER_STATE + 128, old | bit if value else old & ~bit, seq)

    return apply


def _legacy_mag(device: Device, value: int, seq: int) -> None:
    _stage(device, "MAGFILTER", TextureFilter.LINEAR if value in (2, 4, 6) else TextureFilter.POINT, seq)


# D3DTEXTUREFILTER of DirectX 5: (min, mip)
_LEGACY_MIN = {1: (1, 0), 2: (2, 0), 3: (1, 1), 4: (2, 1), 5: (1, 2), 6: (2, 2)}


def _legacy_min(device: Device, value: int, seq: int) -> None:
    low, mip = _LEGACY_MIN.get(value, (1, 0))
    _stage(device, "MINFILTER", low, seq)
    _stage(device, "MIPFILTER", mip, seq)


# D3DTEXTUREBLEND: colour and alpha operation of stage 0 with arguments texture and current (DX6 SDK, D3DTSS_COLOROP equivalents).
_LEGACY_BLEND = {
    LegacyBlend.DECAL: (TextureOp.SELECTARG1, TextureOp.SELECTARG1),
    LegacyBlend.COPY: (TextureOp.SELECTARG1, TextureOp.SELECTARG1),
    LegacyBlend.MODULATE: (TextureOp.MODULATE, TextureOp.SELECTARG1),
    LegacyBlend.MODULATEALPHA: (TextureOp.MODULATE, TextureOp.MODULATE),
    LegacyBlend.DECALALPHA: (TextureOp.BLENDTEXTUREALPHA, TextureOp.SELECTARG2),
    LegacyBlend.ADD: (TextureOp.ADD, TextureOp.SELECTARG2),
}


def _legacy_blend(device: Device, value: int, seq: int) -> None:
    if value not in _LEGACY_BLEND:
        device.find("unimplemented-state", seq, f"TEXTUREMAPBLEND {value}")
        return
    color, alpha = _LEGACY_BLEND[LegacyBlend(value)]
    for name, argument in (("COLOROP", color), ("COLORARG1", 2), ("COLORARG2", 1), ("ALPHAOP", alpha), ("ALPHAARG1", 2), ("ALPHAARG2", 1)):
        _stage(device, name, argument, seq)


def _delete_patch(device: Device, value: int, seq: int) -> None:
    if device.context.patches.pop(value, None) is None and device.draws:
        device.find("bad-patch", seq, f"DELETERTPATCH: no patch {value}")


LEGACY: dict[int, Callable[[Device, int, int], None]] = {
    1: _sets("TEXTUREMAP"), 3: _sets("ADDRESSU", "ADDRESSV"), 5: _legacy_wrap(1), 6: _legacy_wrap(2), 17: _legacy_mag,
    18: _legacy_min, 21: _legacy_blend, 43: _sets("BORDERCOLOR"), 44: _sets("ADDRESSU"), 45: _sets("ADDRESSV"),
    46: _sets("MIPMAPLODBIAS"), 49: _sets("MAXANISOTROPY"), DELETERTPATCH: _delete_patch,
}  # fmt: skip
assert set(LEGACY) == set(states.LEGACY_STATES)


def texture_stage_state(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """D3DTSS_ADDRESS, or stage or state numbers that are none."""
    stage, state, value = struct.unpack_from("<HHI", stream.buffer, int(record["offset"]))
    if stage >= 8 or state >= 32:
        device.find("bad-stage", seq, f"texture stage {stage}, state {state} = {value:#x}", int(record["offset"]))
        return
    for name in ("ADDRESSU", "ADDRESSV"):
        _stage(device, name, value, seq, stage)
    device.registers.write(states.TEXTURE_STAGE + stage * 32 + state, value, seq)


def light(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """CREATELIGHT, and SETLIGHT of lights that the compiled loop does not know."""
    number = words(stream, record, 1)[0]
    if record["op"] == Op.CREATELIGHT:
        device.registers.create_light(number, seq)
        return
    if number not in device.registers.light_slot:
        device.find("bad-light", seq, f"light {number} was not created", int(record["offset"]))
    slot, what = device.registers.create_light(number, seq), words(stream, record, 2)[1]
    if what == LightData.DATA:
        data = payload(stream, record, 8, 4 * (states.LIGHT_WORDS - 1)).view("<u4")
        device.registers.write(slot, data, seq)
    elif what in (LightData.ENABLE, LightData.DISABLE):
        device.registers.write(slot + states.LIGHT_WORDS - 1, int(what == LightData.ENABLE), seq)
    else:
        device.find("bad-record", seq, f"SETLIGHT data type {what}", int(record["offset"]))


def out_of_range(rule: str, what: str) -> Operation:
    """A state record whose register does not exist: the compiled loop has refused it."""

    def operation(device: Device, stream: Stream, record: Any, seq: int) -> None:
        device.find(rule, seq, f"no {what} {words(stream, record, 1)[0]}", int(record["offset"]))

    return operation


def constants(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """Shader constants that reach beyond the last register: those that exist are set."""
    first, count = words(stream, record, 2)
    vertex = record["op"] == Op.SETVERTEXSHADERCONST
    base, most = (states.VS_CONST, 256) if vertex else (states.PS_CONST, 32)
    device.find("bad-constant", seq, f"constants {first}..{first + count - 1}, of {most}", int(record["offset"]))
    kept = max(0, min(count, most - first, (int(record["size"]) - 8) // 16))
    if kept:
        device.registers.write(base + 4 * first, payload(stream, record, 8, 16 * kept).view("<u4"), seq)


# ---- shaders -------------------------------------------------------------------------------------------


def create_vertex_shader(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """CREATEVERTEXSHADER {handle, declaration size, code size} declaration, code."""
    handle, declaration_size, code_size = words(stream, record, 3)
    declaration = payload(stream, record, 12, declaration_size)
    code = payload(stream, record, 12 + declaration_size, code_size)
    shader = device.decode_vertex_shader(declaration, code)
    for text in shader.facts.get("errors", ()):
        device.find("bad-shader", seq, f"vertex shader {handle:#x}: {text}", int(record["offset"]))
    device.context.vertex_shaders[handle] = shader


def create_pixel_shader(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """CREATEPIXELSHADER {handle, code size} code."""
    handle, code_size = words(stream, record, 2)
    shader = device.decode_pixel_shader(payload(stream, record, 8, code_size))
    for text in shader.facts.get("errors", ()):
        device.find("bad-shader", seq, f"pixel shader {handle:#x}: {text}", int(record["offset"]))
    device.context.pixel_shaders[handle] = shader


def delete_shader(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """DELETEVERTEXSHADER, DELETEPIXELSHADER."""
    handle = words(stream, record, 1)[0]
    vertex = record["op"] == Op.DELETEVERTEXSHADER
    shaders = device.context.vertex_shaders if vertex else device.context.pixel_shaders
    if shaders.pop(handle, None) is None:
        device.find("bad-handle", seq, f"no shader {handle:#x}", int(record["offset"]))


def set_vertex_shader(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """SETVERTEXSHADER with a handle, whose constants are loaded, or with 0, which also unbinds all streams."""
    handle = words(stream, record, 1)[0]
    registers = device.registers
    registers.write(states.VERTEX_SHADER, handle, seq)
    if handle == 0:
        registers.write(states.STREAM, np.zeros(3 * states.STREAMS, np.uint32), seq)
        return
    shader = device.context.vertex_shaders.get(handle)
    if shader is None:
        device.find("bad-handle", seq, f"no vertex shader {handle:#x}", int(record["offset"]))
        return
    for number, values in shader.constants:
        registers.write(states.VS_CONST + 4 * number, values, seq)


def set_pixel_shader(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """SETPIXELSHADER with a handle, whose constants are loaded."""
    handle = words(stream, record, 1)[0]
    device.registers.write(states.PIXEL_SHADER, handle, seq)
    shader = device.context.pixel_shaders.get(handle)
    if shader is None:
        device.find("bad-handle", seq, f"no pixel shader {handle:#x}", int(record["offset"]))
        return
    for number, values in shader.constants:
        device.registers.write(states.PS_CONST + 4 * number, values, seq)


# ---- surfaces and palettes --------------------------------------------------------------------------------


def set_render_target(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """SETRENDERTARGET {colour handle, depth handle}."""
    target, depth = words(stream, record, 2)
    for handle, what in ((target, "render target"), (depth, "depth buffer")):
        if handle and device.memory.part(handle) is None:
            device.find("bad-handle", seq, f"{what} {handle}: no such surface", int(record["offset"]))
    device.registers.write(states.RENDER_TARGET, [target, depth], seq)


def _surface(device: Device, handle: int, seq: int, record: Any) -> Surface | None:
    if (found := device.memory.owner(handle)) is None:
        if device.draws:
            device.find("bad-handle", seq, f"no surface {handle}", int(record["offset"]))
        return None
    return found[0]


def set_palette(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """SETPALETTE {palette, flags, surface}: binds a palette to a surface; palette 0 detaches."""
    palette, flags, handle = words(stream, record, 3)
    if palette:
        device.registers.palette(palette, seq)
        device.context.palette_alpha[palette] = bool(flags & PaletteFlag.ALPHA)
    if (surface := _surface(device, handle, seq, record)) is not None:
        surface.palette = palette


def update_palette(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """UPDATEPALETTE {palette, first, count} PALETTEENTRYs."""
    handle, start, count = struct.unpack_from("<IHH", stream.buffer, int(record["offset"]))
    if start + count > 256:
        device.find("bad-record", seq, f"palette entries {start}..{start + count - 1}", int(record["offset"]))
        count = max(256 - start, 0)
    slot = device.registers.palette(handle, seq)
    if count:
        device.registers.write(slot + start, payload(stream, record, 8, 4 * count).view("<u4"), seq)


def set_priority(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """SETPRIORITY {surface, priority}."""
    handle, priority = words(stream, record, 2)
    if handle in device.memory.buffers:
        return
    if (surface := _surface(device, handle, seq, record)) is not None:
        surface.priority = priority


def set_texture_lod(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """SETTEXLOD {surface, largest level}."""
    handle, lod = words(stream, record, 2)
    if (surface := _surface(device, handle, seq, record)) is not None:
        surface.lod = min(lod, surface.levels - 1)


def dirty(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """ADDDIRTYRECT, ADDDIRTYBOX: advice for drivers that manage textures themselves; nothing to do."""
    _surface(device, words(stream, record, 1)[0], seq, record)


# ---- copies ------------------------------------------------------------------------------------------------


def texture_blit(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """TEXBLT {destination, source, point, rectangle, flags}: all common levels. Destination 0: preload, nothing to do."""
    destination, source = words(stream, record, 2)
    x, y, left, top, right, bottom = signed(stream, record, 6, 8)
    _copy_texture(device, record, seq, destination, source, (left, top, right, bottom, 0, 1), (x, y, 0))


def volume_blit(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """VOLUMEBLT {destination, source, x, y, z, box, flags}."""
    destination, source, x, y, z, *box = words(stream, record, 11)
    left, top, right, bottom, front, back = box
    _copy_texture(device, record, seq, destination, source, (left, top, right, bottom, front, back), (x, y, z))


def _copy_texture(device: Device, record: Any, seq: int, destination: int, source: int, box: transfer.Box,
                  point: tuple[int, int, int]) -> None:  # fmt: skip
    if destination == 0 or not device.draws:
        return
    to, given = device.memory.owner(destination), device.memory.owner(source)
    if to is None or given is None:
        device.find("bad-handle", seq, f"no surface {destination if to is None else source}", int(record["offset"]))
        return
    problem = _copy_problem(given, to, box, point)
    if problem:
        device.find("bad-blit", seq, problem, int(record["offset"]))
        return
    device.flush()
    if device.tap is not None:
        for part in to[0].parts:
            device.before_write(part, seq)
    transfer.copy_levels(*given, *to, box, point)


def _copy_problem(given: tuple[Surface, int, int], to: tuple[Surface, int, int], box: transfer.Box, point: tuple[int, ...]) -> str:
    """Why this copy cannot be, or an empty string."""
    source, target = given[0], to[0]
    if source.format.id != target.format.id:
        return f"{source.format.name} into {target.format.name}: formats differ"
    if transfer.as_box(source.part(*given[1:]), box) is None:
        return f"box {box} is not within the source"
    if min(point) < 0:
        return f"destination {point}"
    width, height, _ = source.format.block
    if box[0] % width or box[1] % height or point[0] % width or point[1] % height:
        return f"box {box} to {point} does not start at a block of {source.format.name}"
    return ""


def buffer_blit(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """BUFFERBLT {destination, source, offset, {offset, size}, flags}."""
    destination, source, to, start, size = words(stream, record, 5)
    if destination == 0 or not device.draws:
        return
    target, given = device.memory.buffers.get(destination), device.memory.buffers.get(source)
    if target is None or given is None:
        device.find("bad-handle", seq, f"no buffer {destination if target is None else source}", int(record["offset"]))
    elif start + size > given.size or to + size > target.size:
        device.find("bad-blit", seq, f"{size} bytes from {start} to {to}: beyond the end", int(record["offset"]))
    else:
        chunk = given.bytes()[start : start + size].copy()
        target.write()[to : to + size] = chunk


# ---- clear --------------------------------------------------------------------------------------------------


def clear(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """CLEAR {flags, colour, depth, stencil} rectangles (semantics section 5)."""
    if not device.draws:
        return
    flags, color, _, stencil = words(stream, record, 4)
    depth = struct.unpack_from("<f", stream.buffer, int(record["offset"]) + 8)[0]
    count = int(record["count"])
    rects = payload(stream, record, 16, 16 * count).view("<i4").reshape(-1, 4).tolist()
    clear_rectangles(device, seq, flags, color, depth, stencil, rects, int(record["offset"]))


def clear_rectangles(device: Device, seq: int, flags: int, color: int, depth: float, stencil: int,
                     rects: list[list[int]], offset: int = -1) -> None:  # fmt: skip
    """Clears what the flags name, in each rectangle."""
    registers = device.registers
    if flags & ClearFlag.COMPUTERECTS:
        x, y, width, height = (int(n) for n in registers.view["viewport"])
        view = x, y, x + width, y + height
        rects = [_intersection(view, rect) for rect in rects] if rects else [list(view)]
    device.flush()
    if flags & ClearFlag.TARGET:
        target = device.memory.part(registers.render_target)
        if target is None:
            device.find("no-target", seq, "CLEAR of a render target, none is set", offset)
        else:
            _fill_rects(device, seq, target, rects, clearing.color_value(target.format, color), 0xFFFFFFFF, offset)
    if flags & (ClearFlag.ZBUFFER | ClearFlag.STENCIL):
        surface = device.memory.part(registers.depth_stencil)
        if surface is None:
            device.find("bad-clear", seq, "CLEAR of depth or stencil without a depth buffer", offset)
            return
        value, mask = clearing.depth_stencil_value(
            surface.format, depth if flags & ClearFlag.ZBUFFER else None, stencil if flags & ClearFlag.STENCIL else None
        )  # fmt: skip
        full = clearing.depth_stencil_value(surface.format, 0, 0)[1]
        _fill_rects(device, seq, surface, rects, value, 0xFFFFFFFF if mask == full else mask, offset)


def _intersection(first: tuple[int, int, int, int], second: list[int]) -> list[int]:
    return [max(first[0], second[0]), max(first[1], second[1]), min(first[2], second[2]), min(first[3], second[3])]


def _fill_rects(device: Device, seq: int, part: Any, rects: list[list[int]], value: int, mask: int, offset: int) -> None:
    device.before_write(part, seq)
    for left, top, right, bottom in rects:
        box = max(left, 0), max(top, 0), min(right, part.width), min(bottom, part.height), 0, 1
        if box[0] < box[2] and box[1] < box[3] and not transfer.fill(part, box, value, mask):
            device.find("bad-format", seq, f"{part.format.name} cannot be cleared", offset)


# ---- the table --------------------------------------------------------------------------------------------


def later_token(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """A token of DirectX 9."""
    device.find("later-token", seq, f"{TOKENS[int(record['op'])].name} is of DirectX 9", int(record["offset"]))


def unimplemented(device: Device, stream: Stream, record: Any, seq: int) -> None:
    """A token that has no effect here."""
    row = TOKENS.get(int(record["op"]))
    device.find("unimplemented-token", seq, f"{row.name if row else record['op']} has no effect", int(record["offset"]))


def _table() -> list[Operation]:
    table: list[Operation] = [unimplemented] * 256
    for op, row in TOKENS.items():
        if row.since >= 9:
            table[op] = later_token
    table[Op.RENDERSTATE], table[Op.TEXTURESTAGESTATE] = render_state, texture_stage_state
    table[Op.CREATELIGHT] = table[Op.SETLIGHT] = light
    table[Op.SETTRANSFORM] = table[Op.MULTIPLYTRANSFORM] = out_of_range("bad-transform", "transform")
    table[Op.SETSTREAMSOURCE] = table[Op.SETSTREAMSOURCEUM] = out_of_range("bad-stream", "stream")
    table[Op.SETCLIPPLANE] = out_of_range("bad-record", "clip plane")
    table[Op.SETVERTEXSHADERCONST] = table[Op.SETPIXELSHADERCONST] = constants
    table[Op.CREATEVERTEXSHADER], table[Op.CREATEPIXELSHADER] = create_vertex_shader, create_pixel_shader
    table[Op.DELETEVERTEXSHADER] = table[Op.DELETEPIXELSHADER] = delete_shader
    table[Op.SETVERTEXSHADER], table[Op.SETPIXELSHADER] = set_vertex_shader, set_pixel_shader
    table[Op.SETRENDERTARGET] = set_render_target
    table[Op.SETPALETTE], table[Op.UPDATEPALETTE] = set_palette, update_palette
    table[Op.SETPRIORITY], table[Op.SETTEXLOD] = set_priority, set_texture_lod
    table[Op.ADDDIRTYRECT] = table[Op.ADDDIRTYBOX] = dirty
    table[Op.TEXBLT], table[Op.VOLUMEBLT], table[Op.BUFFERBLT] = texture_blit, volume_blit, buffer_blit
    table[Op.CLEAR], table[Op.STATESET] = clear, stateset.state_set
    for op, operation in DRAW_OPERATIONS.items():
        table[op] = operation
    return table


OPERATIONS: list[Operation] = _table()
