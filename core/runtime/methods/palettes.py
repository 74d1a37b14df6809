"""Texture palettes: UPDATEPALETTE when entries change, SETPALETTE for the paletted textures that are bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.runtime.methods.surfaces import PALETTED
from core.runtime.objects import Resource
from core.runtime.rows import layout as c
from core.runtime.rows.commands import payload
from core.runtime.rows.table import PALETTE
from core.spec.enums import PaletteFlag
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

ENTRIES = 256
ALPHA_PALETTE = 0x80  # D3DPTEXTURECAPS_ALPHAPALETTE
TEXTURE_CAPS = 15  # the member of D3DCAPS8


def get_device_caps(rt: Runtime, this: int, *args: Any) -> None:
    """GetDeviceCaps: what it reported about palettes (peFlags is alpha, or unused) applies to them."""
    caps = args[-1]
    if caps and len(caps[0]) > TEXTURE_CAPS:
        rt.has_alpha_palettes = bool(caps[0][TEXTURE_CAPS] & ALPHA_PALETTE)


def set_palette_entries(rt: Runtime, this: int, number: int, entries: Any) -> None:
    """SetPaletteEntries: 256 entries of red, green, blue, flags."""
    context = rt.device(this)
    if context is None or not entries:
        return
    context.palettes[number] = bytes(byte & 0xFF for entry in entries[:ENTRIES] for byte in entry)
    if number in context.sent_palettes or number == context.registers[PALETTE]:
        _update(rt, number)


def set_current_texture_palette(rt: Runtime, this: int, number: int) -> None:
    """SetCurrentTexturePalette: all paletted textures use this palette from now on."""
    context = rt.device(this)
    if context is None:
        return
    if rt.is_recording:
        context.recorded[PALETTE], context.touched[PALETTE] = number, 1
        return
    choose(rt, number)


def choose(rt: Runtime, number: int) -> None:
    """Makes a palette the current one."""
    context = rt.context
    assert context is not None
    context.registers[PALETTE] = number
    if number not in context.sent_palettes and number in context.palettes:
        _update(rt, number)
    rt.commands.state[c.DIRTY] = 1  # bound paletted textures learn it before the next draw
    for resource in rt.watched.values():
        if resource.format in PALETTED and resource.is_bound:
            rt.bind(resource, int(c.DIRTY_BIT))


def _update(rt: Runtime, number: int) -> None:
    context = rt.context
    assert context is not None
    handle = context.sent_palettes.get(number)
    if handle is None:
        handle = context.sent_palettes[number] = rt.new_number()
    entries = context.palettes[number]
    rt.emit_bytes(Op.UPDATEPALETTE, payload(Op.UPDATEPALETTE, palette=handle, start=0, count=len(entries) // 4) + entries)


def use_palette(rt: Runtime, resource: Resource) -> None:
    """SETPALETTE of a bound paletted texture, if the current palette is not the one last sent to the driver."""
    context = rt.context
    assert context is not None
    number = int(context.registers[PALETTE])
    if resource.format not in PALETTED or resource.palette == number or number not in context.sent_palettes:
        return
    resource.palette = number
    flags = int(PaletteFlag.ALPHA) if rt.has_alpha_palettes else 0
    rt.emit(Op.SETPALETTE, palette=context.sent_palettes[number], flags=flags, surface=resource.handle)
