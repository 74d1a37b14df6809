"""Effects of tokens that do more than write state: objects, palettes, copies, clears, state sets.

An operation is called with (device, stream, record, seq).  The scan has bounds-checked the records; handles and values are
checked here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.device.device import CommandBuffer, Device
from core.device.memory.surfaces import Surface, next_version
from core.device.registers.records import fields, header, payload
from core.device.registers.states import LEGACY_STATES
from core.device.tokens import stateset
from core.device.tokens.copies import buffer_blit, clear, texture_blit, volume_blit
from core.device.tokens.shader_tokens import (
    create_pixel_shader,
    create_vertex_shader,
    delete_shader,
    set_pixel_shader,
    set_vertex_shader,
)
from core.spec import slots
from core.spec.enums import LightData, PaletteFlag, TextureFilter
from core.spec.states import LEGACY_BLENDS, RENDER_STATES, TEXTURE_STAGE_STATE_ID, TEXTURE_STAGE_STATES
from core.spec.tokens import TOKENS, Op

Operation = Callable[[Device, CommandBuffer, Any, int], None]


# ---- states that the compiled loop leaves alone -------------------------------------------------------


def render_state(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """A render state of earlier DirectX versions, or a number that is none."""
    state, value = fields(stream, record)
    if state >= 256:
        device.find("unknown-state", seq, f"render state {state} = {value:#x}", int(record["offset"]))
        return
    device.registers.write(slots.RENDER_STATE + state, value, seq)
    if state in LEGACY:
        LEGACY[state](device, value, seq)


def _stage(device: Device, name: str, value: int, seq: int, stage: int = 0) -> None:
    device.registers.write(slots.TEXTURE_STAGE + stage * 32 + TEXTURE_STAGE_STATE_ID[name], value, seq)


def _sets(*names: str) -> Callable[[Device, int, int], None]:
    """A legacy state that is these states of stage 0."""

    def apply(device: Device, value: int, seq: int) -> None:
        for name in names:
            _stage(device, name, value, seq)

    return apply


def _legacy_wrap(bit: int) -> Callable[[Device, int, int], None]:
    def apply(device: Device, value: int, seq: int) -> None:
        old = device.registers.render_state(128)
        device.registers.write(slots.RENDER_STATE + 128, old | bit if value else old & ~bit, seq)

    return apply


def _legacy_mag(device: Device, value: int, seq: int) -> None:
    _stage(device, "MAGFILTER", TextureFilter.LINEAR if value in (2, 4, 6) else TextureFilter.POINT, seq)


# D3DTEXTUREFILTER of DirectX 5: (min, mip)
_LEGACY_MIN = {1: (1, 0), 2: (2, 0), 3: (1, 1), 4: (2, 1), 5: (1, 2), 6: (2, 2)}


def _legacy_min(device: Device, value: int, seq: int) -> None:
    low, mip = _LEGACY_MIN.get(value, (1, 0))
    _stage(device, "MINFILTER", low, seq)
    _stage(device, "MIPFILTER", mip, seq)


def _legacy_blend(device: Device, value: int, seq: int) -> None:
    if value not in LEGACY_BLENDS:
        device.find("unimplemented-state", seq, f"TEXTUREMAPBLEND {value}")
        return
    color, alpha = LEGACY_BLENDS[value]
    for name, argument in (
        ("COLOROP", color),
        ("COLORARG1", 2),
        ("COLORARG2", 1),
        ("ALPHAOP", alpha),
        ("ALPHAARG1", 2),
        ("ALPHAARG2", 1),
    ):
        _stage(device, name, argument, seq)


def _delete_patch(device: Device, value: int, seq: int) -> None:
    if device.context.patches.pop(value, None) is None and device.draws:
        device.find("bad-patch", seq, f"DELETERTPATCH: no patch {value}")


OF_ITS_OWN: dict[str, Callable[[Device, int, int], None]] = {
    "WRAPU": _legacy_wrap(1), "WRAPV": _legacy_wrap(2), "TEXTUREMAG": _legacy_mag, "TEXTUREMIN": _legacy_min,
    "TEXTUREMAPBLEND": _legacy_blend, "DELETERTPATCH": _delete_patch,
}  # fmt: skip
LEGACY = {row.id: OF_ITS_OWN.get(row.name) or _sets(*row.also) for row in map(RENDER_STATES.__getitem__, LEGACY_STATES)}
"""By render state: what it sets besides its own register."""


def texture_stage_state(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """D3DTSS_ADDRESS, or stage or state numbers that are none."""
    stage, state, value = fields(stream, record)
    if stage >= 8 or state >= 32:
        device.find("bad-stage", seq, f"texture stage {stage}, state {state} = {value:#x}", int(record["offset"]))
        return
    for name in TEXTURE_STAGE_STATES[state].also if state in TEXTURE_STAGE_STATES else ():
        _stage(device, name, value, seq, stage)
    device.registers.write(slots.TEXTURE_STAGE + stage * 32 + state, value, seq)


def light(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """CREATELIGHT, and SETLIGHT of lights that the compiled loop does not know."""
    given = fields(stream, record)
    number = given.index
    if record["op"] == Op["CREATELIGHT"]:
        device.registers.create_light(number, seq)
        return
    if number not in device.registers.light_slot:
        device.find("bad-light", seq, f"light {number} was not created", int(record["offset"]))
    slot, what = device.registers.create_light(number, seq), given.data
    if what == LightData.DATA:
        data = payload(stream, record, 4 * (slots.LIGHT_SLOTS - 1)).view("<u4")
        device.registers.write(slot, data, seq)
    elif what in (LightData.ENABLE, LightData.DISABLE):
        device.registers.write(slot + slots.LIGHT_SLOTS - 1, int(what == LightData.ENABLE), seq)
    else:
        device.find("bad-record", seq, f"SETLIGHT data type {what}", int(record["offset"]))


def out_of_range(rule: str, what: str) -> Operation:
    """A state record whose register does not exist: the compiled loop has refused it."""

    def operation(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
        device.find(rule, seq, f"no {what} {fields(stream, record)[0]}", int(record["offset"]))

    return operation


def constants(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """Shader constants that reach beyond the last register: those that exist are set."""
    first, count = fields(stream, record)
    vertex = record["op"] == Op["SETVERTEXSHADERCONST"]
    base, most = (slots.VS_CONST, 256) if vertex else (slots.PS_CONST, 32)
    device.find("bad-constant", seq, f"constants {first}..{first + count - 1}, of {most}", int(record["offset"]))
    kept = max(0, min(count, most - first, (int(record["size"]) - header(record)) // 16))
    if kept:
        device.registers.write(base + 4 * first, payload(stream, record, 16 * kept).view("<u4"), seq)


# ---- surfaces and palettes --------------------------------------------------------------------------------


def set_render_target(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """SETRENDERTARGET {colour handle, depth handle}."""
    target, depth = fields(stream, record)
    for handle, what in ((target, "render target"), (depth, "depth buffer")):
        if handle and device.memory.part(handle) is None:
            device.find("bad-handle", seq, f"{what} {handle}: no such surface", int(record["offset"]))
    device.note(seq, "targets", device.context, device.registers.targets)
    device.registers.write(slots.RENDER_TARGET, [target, depth], seq)


def _surface(device: Device, handle: int, seq: int, record: Any) -> Surface | None:
    if (found := device.memory.owner(handle)) is None:
        if device.draws:
            device.find("bad-handle", seq, f"no surface {handle}", int(record["offset"]))
        return None
    return found[0]


def set_palette(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """SETPALETTE {palette, flags, surface}: binds a palette to a surface; palette 0 detaches."""
    palette, flags, handle = fields(stream, record)
    if palette:
        device.note(seq, "palettes", (device.context, palette), device.palette(device.context, palette))
        device.registers.palette(palette, seq)
        device.context.palette_alpha[palette] = bool(flags & PaletteFlag.ALPHA)
    if (surface := _surface(device, handle, seq, record)) is not None:
        device.note(seq, "settings", surface, surface.settings())
        surface.palette = palette


def update_palette(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """UPDATEPALETTE {palette, first, count} PALETTEENTRYs."""
    handle, start, count = fields(stream, record)
    if start + count > 256:
        device.find("bad-record", seq, f"palette entries {start}..{start + count - 1}", int(record["offset"]))
        count = max(256 - start, 0)
    device.note(seq, "palettes", (device.context, handle), device.palette(device.context, handle))
    slot = device.registers.palette(handle, seq)
    if count:
        device.registers.write(slot + start, payload(stream, record, 4 * count).view("<u4"), seq)


def set_priority(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """SETPRIORITY {surface, priority}."""
    handle, priority = fields(stream, record)
    if handle in device.memory.buffers:
        return
    if (surface := _surface(device, handle, seq, record)) is not None:
        device.note(seq, "settings", surface, surface.settings())
        surface.priority = priority


def set_texture_lod(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """SETTEXLOD {surface, largest level}."""
    handle, lod = fields(stream, record)
    if (surface := _surface(device, handle, seq, record)) is not None:
        device.note(seq, "settings", surface, surface.settings())
        surface.lod = min(lod, surface.levels - 1)
        surface.version = next_version()  # draws that follow must bind it again


def dirty(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """ADDDIRTYRECT, ADDDIRTYBOX: advice for drivers that manage textures themselves; nothing to do."""
    _surface(device, fields(stream, record).surface, seq, record)


# ---- the table --------------------------------------------------------------------------------------------


def later_token(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """A token of DirectX 9."""
    device.find("later-token", seq, f"{TOKENS[int(record['op'])].name} is of DirectX 9", int(record["offset"]))


def unimplemented(device: Device, stream: CommandBuffer, record: Any, seq: int) -> None:
    """A token that has no effect here."""
    row = TOKENS.get(int(record["op"]))
    device.find("unimplemented-token", seq, f"{row.name if row else record['op']} has no effect", int(record["offset"]))


def _table() -> list[Operation]:
    table: list[Operation] = [unimplemented] * 256
    for op, row in TOKENS.items():
        if row.since >= 9:
            table[op] = later_token
    table[Op["RENDERSTATE"]], table[Op["TEXTURESTAGESTATE"]] = render_state, texture_stage_state
    table[Op["CREATELIGHT"]] = table[Op["SETLIGHT"]] = light
    table[Op["SETTRANSFORM"]] = table[Op["MULTIPLYTRANSFORM"]] = out_of_range("bad-transform", "transform")
    table[Op["SETSTREAMSOURCE"]] = table[Op["SETSTREAMSOURCEUM"]] = out_of_range("bad-stream", "stream")
    table[Op["SETCLIPPLANE"]] = out_of_range("bad-record", "clip plane")
    table[Op["SETVERTEXSHADERCONST"]] = table[Op["SETPIXELSHADERCONST"]] = constants
    table[Op["CREATEVERTEXSHADER"]], table[Op["CREATEPIXELSHADER"]] = create_vertex_shader, create_pixel_shader
    table[Op["DELETEVERTEXSHADER"]] = table[Op["DELETEPIXELSHADER"]] = delete_shader
    table[Op["SETVERTEXSHADER"]], table[Op["SETPIXELSHADER"]] = set_vertex_shader, set_pixel_shader
    table[Op["SETRENDERTARGET"]] = set_render_target
    table[Op["SETPALETTE"]], table[Op["UPDATEPALETTE"]] = set_palette, update_palette
    table[Op["SETPRIORITY"]], table[Op["SETTEXLOD"]] = set_priority, set_texture_lod
    table[Op["ADDDIRTYRECT"]] = table[Op["ADDDIRTYBOX"]] = dirty
    table[Op["TEXBLT"]], table[Op["VOLUMEBLT"]], table[Op["BUFFERBLT"]] = texture_blit, volume_blit, buffer_blit
    table[Op["CLEAR"]], table[Op["STATESET"]] = clear, stateset.state_set
    return table


OPERATIONS: list[Operation] = _table()
"""By token; those that draw are in core.device.tokens.draw_tokens."""
