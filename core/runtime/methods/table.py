"""The functions of all API calls that are not silent.  Calls with a row (rows.py) come here when the row refuses them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.runtime.methods import buffers, copies, locks, managed, palettes, shaders, state, stateblocks, surfaces, swapchain
from core.runtime.software import process_vertices

Method = Callable[..., Any]

STATE: dict[str, Method] = {
    "BeginScene": state.refused,
    "EndScene": state.refused,
    "Clear": state.clear,
    "SetTransform": state.refused,
    "SetViewport": state.refused,
    "SetMaterial": state.refused,
    "SetLight": state.set_light,
    "LightEnable": state.light_enable,
    "SetClipPlane": state.refused,
    "SetRenderState": state.refused,
    "BeginStateBlock": stateblocks.begin_state_block,
    "EndStateBlock": stateblocks.end_state_block,
    "ApplyStateBlock": stateblocks.apply_state_block,
    "CaptureStateBlock": stateblocks.capture_state_block,
    "DeleteStateBlock": stateblocks.delete_state_block,
}
"""What IDirect3DDevice7 shares: calls that set state, and state blocks."""
DEVICE: dict[str, Method] = {
    "Release": swapchain.release_device,
    "GetDeviceCaps": palettes.get_device_caps,
    "ValidateDevice": copies.validate_device,
    "CreateAdditionalSwapChain": swapchain.create_additional_swap_chain,
    "Reset": swapchain.reset,
    "Present": swapchain.present,
    "GetBackBuffer": swapchain.get_back_buffer,
    "CreateTexture": surfaces.create_texture,
    "CreateVolumeTexture": surfaces.create_volume_texture,
    "CreateCubeTexture": surfaces.create_cube_texture,
    "CreateVertexBuffer": buffers.create_vertex_buffer,
    "CreateIndexBuffer": buffers.create_index_buffer,
    "CreateRenderTarget": surfaces.create_render_target,
    "CreateDepthStencilSurface": surfaces.create_depth_stencil_surface,
    "CreateImageSurface": surfaces.create_image_surface,
    "CopyRects": copies.copy_rects,
    "UpdateTexture": managed.update_texture,
    "ResourceManagerDiscardBytes": managed.discard,
    "GetFrontBuffer": copies.get_front_buffer,
    "SetRenderTarget": swapchain.set_render_target,
    "GetRenderTarget": swapchain.get_render_target,
    "GetDepthStencilSurface": swapchain.get_depth_stencil_surface,
    **STATE,
    "MultiplyTransform": state.multiply_transform,
    "CreateStateBlock": stateblocks.create_state_block,
    "SetTexture": state.set_texture,
    "SetTextureStageState": state.refused,
    "SetPaletteEntries": palettes.set_palette_entries,
    "SetCurrentTexturePalette": palettes.set_current_texture_palette,
    "DrawPrimitive": managed.draw,
    "DrawIndexedPrimitive": managed.draw_indexed,
    "DrawPrimitiveUP": managed.draw,
    "DrawIndexedPrimitiveUP": managed.draw,
    "ProcessVertices": process_vertices.process_vertices,
    "CreateVertexShader": shaders.create_vertex_shader,
    "SetVertexShader": state.refused,
    "DeleteVertexShader": shaders.delete_vertex_shader,
    "SetVertexShaderConstant": shaders.set_vertex_shader_constant,
    "SetStreamSource": state.refused,
    "SetIndices": state.refused,
    "CreatePixelShader": shaders.create_pixel_shader,
    "SetPixelShader": state.refused,
    "DeletePixelShader": shaders.delete_pixel_shader,
    "SetPixelShaderConstant": shaders.set_pixel_shader_constant,
    "DrawRectPatch": copies.draw_rect_patch,
    "DrawTriPatch": copies.draw_tri_patch,
    "DeletePatch": copies.delete_patch,
}

TEXTURE: dict[str, Method] = {
    "Release": surfaces.release,
    "SetPriority": managed.set_priority,
    "PreLoad": managed.preload,
    "SetLOD": managed.set_lod,
}
BUFFER: dict[str, Method] = {
    "Release": surfaces.release,
    "SetPriority": managed.set_priority,
    "PreLoad": managed.preload,
    "Lock": locks.lock_buffer,
    "Unlock": locks.unlock_buffer,
}

INTERFACES: dict[str, dict[str, Method]] = {
    "IDirect3D8": {
        "Release": surfaces.nothing,
        "GetDeviceCaps": palettes.get_device_caps,
        "CreateDevice": swapchain.create_device,
    },
    "IDirect3DDevice8": DEVICE,
    "IDirect3DSwapChain8": {
        "Release": swapchain.release_swap_chain,
        "Present": swapchain.present,
        "GetBackBuffer": swapchain.get_back_buffer,
    },
    "IDirect3DTexture8": TEXTURE
    | {
        "GetSurfaceLevel": surfaces.get_surface_level,
        "LockRect": locks.lock_rect_of_level,
        "UnlockRect": locks.unlock_level,
        "AddDirtyRect": managed.add_dirty_rect,
    },
    "IDirect3DCubeTexture8": TEXTURE
    | {
        "GetCubeMapSurface": surfaces.get_cube_map_surface,
        "LockRect": locks.lock_rect_of_face,
        "UnlockRect": locks.unlock_face,
        "AddDirtyRect": managed.add_dirty_rect_of_face,
    },
    "IDirect3DVolumeTexture8": TEXTURE
    | {
        "GetVolumeLevel": surfaces.get_surface_level,
        "LockBox": locks.lock_box_of_level,
        "UnlockBox": locks.unlock_level,
        "AddDirtyBox": managed.add_dirty_box,
    },
    "IDirect3DSurface8": {"Release": surfaces.release, "LockRect": locks.lock_rect, "UnlockRect": locks.unlock_view},
    "IDirect3DVolume8": {"Release": surfaces.release, "LockBox": locks.lock_box, "UnlockBox": locks.unlock_view},
    "IDirect3DVertexBuffer8": BUFFER,
    "IDirect3DIndexBuffer8": BUFFER,
}

METHODS: dict[str, Method] = {
    "Direct3DCreate8": surfaces.nothing,
    "memcpy": locks.memcpy,
    **{f"{interface}::{name}": method for interface, methods in INTERFACES.items() for name, method in methods.items()},
}
"""By the name that traces spell."""
