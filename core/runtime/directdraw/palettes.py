"""Palettes attached to 8-bit surfaces; the palette of the primary also applies to its back buffers.

Textures learn theirs from the tokens SETPALETTE and UPDATEPALETTE of a device, all others from DdSetPalette and DdSetEntries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.runtime.directdraw.linking import link
from core.runtime.directdraw.making import surface_of
from core.runtime.directdraw.objects import DrawSurface, Palette
from core.runtime.rows.commands import payload
from core.spec.enums import PaletteFlag
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

ENTRIES = 256
HAS_ALPHA = 0x400  # DDPCAPS_ALPHA


def create_palette(rt: Runtime, this: int, caps: int, colors: Any, out: Any, outer: Any) -> None:
    """CreatePalette: the recorder keeps only the first of its entries."""
    if not out or not out[0]:
        return
    palette = Palette(rt.new_number(), caps, bytearray(4 * ENTRIES))
    link(rt, palette, out[0])
    rt.call("CreatePalette", {"handle": palette.number, "flags": caps})
    given = _bytes(colors)
    if len(given) < 4 * ENTRIES:
        there = len(given) // 4
        rt.note("not-recorded", f"CreatePalette: the trace has the first {there} of its entries; what follows is black")
    _enter(rt, palette, 0, given)


def _bytes(colors: Any) -> bytes:
    """Entries as bytes: red, green, blue, flags."""
    return bytes(int(part) & 0xFF for entry in (colors or [])[:ENTRIES] for part in entry)


def _enter(rt: Runtime, palette: Palette, first: int, given: bytes) -> None:
    given = given[: 4 * max(ENTRIES - first, 0)]
    if given:
        palette.entries[4 * first : 4 * first + len(given)] = given
        rt.call("SetEntries", {"handle": palette.number, "start": first, "count": len(given) // 4}, {"entries": given})
        if rt.context is not None and any(surface.is_texture for surface in palette.surfaces):
            _update(rt, palette, first, given)


def _update(rt: Runtime, palette: Palette, first: int, given: bytes) -> None:
    """UPDATEPALETTE."""
    head = payload(Op.UPDATEPALETTE, palette=palette.number, start=first, count=len(given) // 4)
    rt.emit_bytes(Op.UPDATEPALETTE, head + given)


def tell_device(rt: Runtime, surface: DrawSurface) -> None:
    """A device learns which palette a texture has."""
    if surface.palette is None or not surface.is_texture or rt.context is None:
        return
    _update(rt, surface.palette, 0, bytes(surface.palette.entries))
    flags = int(PaletteFlag.ALPHA) if surface.palette.caps & HAS_ALPHA else 0
    rt.emit(Op.SETPALETTE, palette=surface.palette.number, flags=flags, surface=surface.view.resource.handle)


def set_entries(rt: Runtime, this: int, flags: int, first: int, count: int, colors: Any) -> None:
    """SetEntries."""
    palette = rt.objects.get(this)
    if isinstance(palette, Palette) and 0 <= first < ENTRIES:
        _enter(rt, palette, first, _bytes((colors or [])[: max(count, 0)]))


def set_palette(rt: Runtime, this: int, pointer: int | None) -> None:
    """SetPalette: NULL takes it away."""
    surface, palette = surface_of(rt, this), rt.objects.get(pointer) if pointer else None
    if surface is None:
        return
    if pointer and not isinstance(palette, Palette):
        rt.reject(f"{pointer:#x} names no palette")
        return
    for one in surface.ring if surface.is_primary and surface.ring else [surface]:
        _attach(rt, one, palette if isinstance(palette, Palette) else None)


def _attach(rt: Runtime, surface: DrawSurface, palette: Palette | None) -> None:
    if surface.palette is not None and surface in surface.palette.surfaces:
        surface.palette.surfaces.remove(surface)
    surface.palette = palette
    if palette is not None:
        palette.surfaces.append(surface)
    if surface.is_texture:
        if palette is not None:
            tell_device(rt, surface)
        elif rt.context is not None:
            rt.emit(Op.SETPALETTE, palette=0, flags=0, surface=surface.view.resource.handle)
        return
    where = {"handle": palette.number if palette else 0, "surface": surface.handle}
    rt.call("SetPalette", where, {"entries": bytes(palette.entries)} if palette else {})


def get_palette(rt: Runtime, this: int, out: Any) -> None:
    """GetPalette."""
    surface = surface_of(rt, this)
    if surface is not None and surface.palette is not None and out:
        link(rt, surface.palette, out[0])
