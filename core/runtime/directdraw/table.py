"""Every call of DirectDraw and Direct3D 7 that is not silent, and its function (the silent ones: core.runtime.rows.table7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.runtime.directdraw import blits, buffers, creation, device, draws, linking, lost, making, memory, palettes
from core.runtime.directdraw.older_table import ANY, INTERFACES6
from core.runtime.methods import copies, locks, surfaces
from core.runtime.methods.table import STATE

Method = Callable[..., Any]

DIRECTDRAW: dict[str, Method] = {
    "QueryInterface": linking.query_interface,
    "Release": linking.release,
    "CreateClipper": creation.create_clipper,
    "CreatePalette": palettes.create_palette,
    "CreateSurface": creation.create_surface,
    "DuplicateSurface": creation.duplicate_surface,
    "GetDisplayMode": creation.get_display_mode,
    "SetDisplayMode": creation.set_display_mode,
    "RestoreDisplayMode": creation.restore_display_mode,
    "RestoreAllSurfaces": lost.restore_all,
    "EnumSurfaces": linking.enumerate_surfaces,
    "FlipToGDISurface": blits.flip_to_gdi,
    "GetGDISurface": linking.get_gdi_surface,
    "GetSurfaceFromDC": linking.get_surface_from_dc,
}
SURFACE: dict[str, Method] = {
    "QueryInterface": linking.query_interface,
    "Release": linking.release,
    "AddAttachedSurface": making.add_attached_surface,
    "Blt": blits.blt,
    "BltFast": blits.blt_fast,
    "DeleteAttachedSurface": linking.delete_attached_surface,
    "EnumAttachedSurfaces": linking.enumerate_attached,
    "Flip": blits.flip,
    "GetAttachedSurface": linking.get_attached_surface,
    "GetDC": memory.get_dc,
    "ReleaseDC": memory.release_dc,
    "GetPalette": palettes.get_palette,
    "GetPixelFormat": creation.get_pixel_format,
    "GetSurfaceDesc": creation.get_surface_desc,
    "Lock": memory.lock,
    "Unlock": memory.unlock,
    "Restore": lost.restore,
    "SetClipper": blits.set_clipper,
    "SetColorKey": memory.set_color_key,
    "SetPalette": palettes.set_palette,
    "GetDDInterface": linking.get_dd_interface,
    "SetSurfaceDesc": memory.set_surface_desc,
    "SetPriority": device.set_priority,
    "SetLOD": device.set_lod,
    "UpdateOverlay": blits.update_overlay,
}
DEVICE7: dict[str, Method] = {
    "QueryInterface": linking.query_interface,
    "Release": device.release_device,
    **STATE,
    "GetDirect3D": device.get_direct3d,
    "SetRenderTarget": device.set_render_target,
    "GetRenderTarget": device.get_render_target,
    "MultiplyTransform": device.multiply_transform,
    "CreateStateBlock": device.create_state_block,
    "PreLoad": device.preload,
    "Load": device.load,
    "DrawPrimitive": draws.draw_primitive,
    "DrawIndexedPrimitive": draws.draw_indexed_primitive,
    "DrawPrimitiveStrided": draws.draw_primitive_strided,
    "DrawIndexedPrimitiveStrided": draws.draw_indexed_primitive_strided,
    "DrawPrimitiveVB": draws.draw_primitive_vb,
    "DrawIndexedPrimitiveVB": draws.draw_indexed_primitive_vb,
    "GetTexture": device.get_texture,
    "SetTexture": device.set_texture,
    "SetTextureStageState": device.set_texture_stage_state,
    "ValidateDevice": copies.validate_device,
}
BUFFER7: dict[str, Method] = {
    "Release": surfaces.release,
    "Lock": buffers.lock,
    "Unlock": locks.unlock_buffer,
    "ProcessVertices": buffers.process,
    "ProcessVerticesStrided": buffers.process_strided,
    "Optimize": surfaces.nothing,
}
INTERFACES7: dict[str, dict[str, Method]] = {
    **{f"IDirectDraw{version}": DIRECTDRAW for version in ("", 2, 4, 7)},
    **{f"IDirectDrawSurface{version}": SURFACE | {"Blt": blits.blt_older} for version in ("", 2, 3)},
    **{f"IDirectDrawSurface{version}": SURFACE for version in (4, 7)},
    "IDirectDrawPalette": {"Release": linking.release, "SetEntries": palettes.set_entries},
    "IDirectDrawClipper": {
        "Release": linking.release, "SetClipList": creation.set_clip_list, "SetHWnd": creation.set_window,
    },
    **{f"IDirectDraw{name}Control": {"Release": linking.release} for name in ("Gamma", "Color")},
    "IDirect3D7": {
        "QueryInterface": linking.query_interface, "Release": linking.release, "CreateDevice": device.create_device,
        "CreateVertexBuffer": buffers.create_vertex_buffer, "EvictManagedTextures": device.evict,
    },
    "IUnknown": ANY,
    "IDirect3DDevice7": DEVICE7,
    "IDirect3DVertexBuffer7": BUFFER7,
    **INTERFACES6,
}  # fmt: skip
METHODS7: dict[str, Method] = {
    "DirectDrawCreate": creation.direct_draw_create,
    "DirectDrawCreateEx": creation.direct_draw_create,
    "DirectDrawCreateClipper": creation.create_clipper,
    **dict.fromkeys(
        ("DirectDrawEnumerateA", "DirectDrawEnumerateW", "DirectDrawEnumerateExA", "DirectDrawEnumerateExW"), surfaces.nothing
    ),
    **{f"{interface}::{name}": method for interface, methods in INTERFACES7.items() for name, method in methods.items()},
}
"""By the name that traces spell."""

FAILED7: dict[str, Method] = {
    f"IDirectDrawSurface{version}::{name}": method
    for version in ("", 2, 3, 4, 7)
    for name, method in (
        ("Blt", blits.failed_blt), ("BltFast", blits.failed_blt_fast), ("Flip", blits.failed_flip),
        ("IsLost", lost.failed), ("Lock", lost.failed), ("GetDC", lost.failed),
    )
}  # fmt: skip
"""What is done when a call failed: it was to show a picture, and a frame ends; a surface is lost."""
