"""Every call of Direct3D 6 and 5 that is not silent, and its function (rows: core.runtime.rows.table7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.runtime.directdraw import buffers, device, lights, linking, older, viewports
from core.runtime.methods import copies, locks, state, surfaces

Method = Callable[..., Any]

OBJECT: dict[str, Method] = {"QueryInterface": linking.query_interface, "Release": linking.release}
ANY: dict[str, Method] = {"QueryInterface": linking.query_interface, "Release": device.release_any}
DIRECT3D: dict[str, Method] = OBJECT | {
    "CreateLight": viewports.create_light,
    "CreateMaterial": viewports.create_material,
    "CreateViewport": viewports.create_viewport,
}
DEVICE2: dict[str, Method] = {
    "QueryInterface": linking.query_interface,
    "Release": device.release_device,
    "BeginScene": state.refused,
    "EndScene": state.refused,
    "GetDirect3D": device.get_direct3d,
    "AddViewport": viewports.add_viewport,
    "DeleteViewport": viewports.delete_viewport,
    "NextViewport": viewports.next_viewport,
    "SetCurrentViewport": viewports.set_current_viewport,
    "GetCurrentViewport": viewports.get_current_viewport,
    "SetRenderTarget": device.set_render_target,
    "GetRenderTarget": device.get_render_target,
    "SetRenderState": older.set_render_state,
    "SetLightState": older.set_light_state,
    "SetTransform": older.set_transform,
    "MultiplyTransform": older.multiply,
    "Begin": older.begin,
    "BeginIndexed": older.begin_indexed,
    "Vertex": older.vertex,
    "Index": older.index,
    "End": older.end,
}
DEVICE3: dict[str, Method] = DEVICE2 | {
    "GetTexture": device.get_texture,
    "SetTexture": older.set_stage_texture,
    "SetTextureStageState": device.set_texture_stage_state,
    "ValidateDevice": copies.validate_device,
    "DrawPrimitive": older.draw_primitive,
    "DrawIndexedPrimitive": older.draw_indexed_primitive,
    "DrawPrimitiveStrided": older.draw_primitive_strided,
    "DrawIndexedPrimitiveStrided": older.draw_indexed_primitive_strided,
    "DrawPrimitiveVB": older.draw_primitive_vb,
    "DrawIndexedPrimitiveVB": older.draw_indexed_primitive_vb,
}
VIEWPORT: dict[str, Method] = OBJECT | {
    "SetViewport": viewports.set_viewport,
    "SetBackground": viewports.set_background,
    "SetBackgroundDepth": viewports.set_background_depth,
    "Clear": viewports.clear,
    "AddLight": lights.add_light,
    "DeleteLight": lights.delete_light,
}
VIEWPORT2 = VIEWPORT | {"SetViewport2": viewports.set_viewport2}
MATERIAL = OBJECT | {"SetMaterial": viewports.set_material, "GetHandle": viewports.get_handle}
TEXTURE = OBJECT | {"GetHandle": older.get_texture_handle, "Load": older.load_texture}
INTERFACES6: dict[str, dict[str, Method]] = {
    "IDirect3D": DIRECT3D,
    "IDirect3D2": DIRECT3D | {"CreateDevice": device.create_device2},
    "IDirect3D3": DIRECT3D
    | {
        "CreateDevice": device.create_device3,
        "CreateVertexBuffer": buffers.create_vertex_buffer,
        "EvictManagedTextures": device.evict,
    },
    "IDirect3DDevice2": DEVICE2
    | {
        "SwapTextureHandles": older.swap_texture_handles,
        "DrawPrimitive": older.draw_typed,
        "DrawIndexedPrimitive": older.draw_typed_indexed,
    },
    "IDirect3DDevice3": DEVICE3,
    "IDirect3DViewport": VIEWPORT,
    "IDirect3DViewport2": VIEWPORT2,
    "IDirect3DViewport3": VIEWPORT2 | {"SetBackgroundDepth2": viewports.set_background_depth, "Clear2": viewports.clear2},
    "IDirect3DLight": OBJECT | {"SetLight": lights.set_light},
    **{f"IDirect3DMaterial{version}": MATERIAL for version in ("", 2, 3)},
    **{f"IDirect3DTexture{version}": TEXTURE for version in ("", 2)},
    "IDirect3DDevice": ANY,
    "IDirect3DVertexBuffer": {
        "Release": surfaces.release,
        "Lock": buffers.lock,
        "Unlock": locks.unlock_buffer,
        "ProcessVertices": buffers.process,
        "Optimize": surfaces.nothing,
    },
}
