"""Creating surfaces: textures, cubes, volumes, render targets, depth and image surfaces; and the views of their levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.runtime.objects import Resource, View, resource_of
from core.runtime.rows.layout import DIRTY_BIT
from core.spec.enums import HResult, Pool, SurfaceCaps, SurfaceCaps2, Usage
from core.spec.formats import FORMATS

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

PALETTED = (40, 41)  # D3DFMT_A8P8, P8: learn their palette before draws
CAPS = {
    "texture": SurfaceCaps.TEXTURE,
    "cube": SurfaceCaps.TEXTURE,
    "volume": SurfaceCaps.TEXTURE,
    "render_target": SurfaceCaps.OFFSCREENPLAIN | SurfaceCaps.DEVICE_3D,
    "depth": SurfaceCaps.ZBUFFER,
    "image": SurfaceCaps.OFFSCREENPLAIN,
    "primary": SurfaceCaps.PRIMARYSURFACE,
    "back_buffer": SurfaceCaps.BACKBUFFER | SurfaceCaps.DEVICE_3D,
}


def full_chain(width: int, height: int, depth: int = 1) -> int:
    """Mip levels down to 1 x 1 x 1."""
    return max(width, height, depth, 1).bit_length()


def make_surface(
    rt: Runtime, label: str, format: int, width: int, height: int, depth: int = 1, levels: int = 1, faces: int = 1,
    pool: int = Pool.DEFAULT, usage: int = 0, samples: int = 0, pointer: int = 0, caps: tuple[int, int] = (0, 0),
) -> Resource:  # fmt: skip
    """Creates a picture in the driver: in video memory, in system memory, or (managed) in both.  caps: DDSCAPS, if the program
    has said them."""
    levels = levels or full_chain(width, height, depth)
    if format not in FORMATS:
        rt.reject(f"unknown format {format}")
    if levels > full_chain(width, height, depth):
        rt.reject(f"{levels} levels of {width} x {height} x {depth}")
        levels = full_chain(width, height, depth)
    if pool != Pool.DEFAULT and usage & (Usage.RENDERTARGET | Usage.DEPTHSTENCIL):
        rt.reject("render targets and depth surfaces are in the default pool")
    kind = label if label in ("texture", "cube", "volume") else "surface"
    count = faces * levels
    resource = Resource(
        kind, rt.new_handle(count), format, width, height, depth, levels, faces, pool, usage, samples, pointer=pointer
    )  # fmt: skip
    in_system = pool in (Pool.SYSTEMMEM, Pool.SCRATCH)
    if pool == Pool.MANAGED:
        resource.system = rt.new_handle(count)
        _create(rt, resource, resource.system, label, "system", caps)
        rt.watched[resource.handle] = resource
    _create(rt, resource, resource.handle, label, "system" if in_system else "video", caps)
    if format in PALETTED:
        rt.watched[resource.handle] = resource
    resource.dirty = [[resource.whole()] if in_system else [] for _ in range(faces)]
    return resource


def _create(rt: Runtime, resource: Resource, handle: int, label: str, memory: str, said: tuple[int, int]) -> None:
    caps = CAPS[label] | (SurfaceCaps.SYSTEMMEMORY if memory == "system" else SurfaceCaps.VIDEOMEMORY) | said[0]
    caps2 = SurfaceCaps2(said[1])
    if resource.format in PALETTED:  # 8-bit flip chains: nothing draws to them
        caps &= ~SurfaceCaps.DEVICE_3D
    if resource.levels > 1:
        caps |= SurfaceCaps.MIPMAP | SurfaceCaps.COMPLEX
    if resource.usage & Usage.RENDERTARGET:
        caps |= SurfaceCaps.DEVICE_3D
    if resource.kind == "cube":
        caps |= SurfaceCaps.COMPLEX
        caps2 |= SurfaceCaps2.CUBEMAP | SurfaceCaps2.CUBEMAP_ALLFACES
    if resource.kind == "volume":
        caps2 |= SurfaceCaps2.VOLUME
    if resource.system == handle:
        caps2 |= SurfaceCaps2.TEXTUREMANAGE
    answer = rt.call("CreateSurface", {
        "handle": handle, "width": resource.width, "height": resource.height,
        "depth": resource.depth if resource.kind == "volume" else 0,
        "levels": resource.levels, "faces": resource.faces, "format": resource.format, "caps": int(caps), "caps2": int(caps2),
        "caps3": resource.samples, "caps4": resource.depth if resource.kind == "volume" else 0, "memory": memory,
        "samples": resource.samples, "usage": resource.usage, "pool": resource.pool, "label": label,
    })  # fmt: skip
    if answer.result & 0x80000000:
        rt.reject(f"the driver refuses the surface ({answer.result:#010x})", HResult.D3DERR_NOTAVAILABLE)
    rt.call("CreateSurfaceEx", {"handle": handle, "context": rt.context.number if rt.context else 0})


def _named(rt: Runtime, out: Any, label: str, **what: Any) -> None:
    """Creates a picture whose pointer stands in the out argument."""
    if not out:
        return
    resource = make_surface(rt, label, pointer=out[0], **what)
    rt.name(out[0], resource, resource.handle)
    if resource.kind != "surface":
        rt.bind(resource, int(DIRTY_BIT) if resource.format in PALETTED else 0)


def create_texture(
    rt: Runtime, this: int, width: int, height: int, levels: int, usage: int, format: int, pool: int, out: Any
) -> None:  # fmt: skip
    """IDirect3DDevice8::CreateTexture."""
    _named(rt, out, "texture", format=format, width=width, height=height, levels=levels, usage=usage, pool=pool)


def create_volume_texture(
    rt: Runtime, this: int, width: int, height: int, depth: int, levels: int, usage: int, format: int, pool: int, out: Any
) -> None:  # fmt: skip
    """IDirect3DDevice8::CreateVolumeTexture."""
    _named(rt, out, "volume", format=format, width=width, height=height, depth=depth, levels=levels, usage=usage, pool=pool)


def create_cube_texture(rt: Runtime, this: int, edge: int, levels: int, usage: int, format: int, pool: int, out: Any) -> None:
    """IDirect3DDevice8::CreateCubeTexture: six faces."""
    _named(rt, out, "cube", format=format, width=edge, height=edge, levels=levels, faces=6, usage=usage, pool=pool)


def create_render_target(
    rt: Runtime, this: int, width: int, height: int, format: int, samples: int, lockable: int, out: Any
) -> None:  # fmt: skip
    """IDirect3DDevice8::CreateRenderTarget."""
    _named(rt, out, "render_target", format=format, width=width, height=height, usage=Usage.RENDERTARGET, samples=samples)


def create_depth_stencil_surface(rt: Runtime, this: int, width: int, height: int, format: int, samples: int, out: Any) -> None:
    """IDirect3DDevice8::CreateDepthStencilSurface."""
    _named(rt, out, "depth", format=format, width=width, height=height, usage=Usage.DEPTHSTENCIL, samples=samples)


def create_image_surface(rt: Runtime, this: int, width: int, height: int, format: int, out: Any) -> None:
    """IDirect3DDevice8::CreateImageSurface: system memory."""
    _named(rt, out, "image", format=format, width=width, height=height, pool=Pool.SYSTEMMEM)


# ---- views -----------------------------------------------------------------------------------


def show(rt: Runtime, resource: Resource | None, face: int, level: int, out: Any) -> None:
    """Names a subresource by the pointer in the out argument."""
    if resource is None or not out or not out[0]:
        return
    pointer = out[0]
    resource.views[face, level] = pointer
    old = rt.objects.get(pointer)
    if isinstance(old, View) and old.resource is resource and old.face == face and old.level == level:
        return  # as most programs are given it again and again
    view = View(resource, face, level)
    if not isinstance(old, (Resource, View)) or old.handle != view.handle:
        rt.name(pointer, view, view.handle)


def view_of(rt: Runtime, pointer: int | None) -> View | None:
    """The surface or volume that a pointer names; None for NULL, and with a finding when there is none."""
    if not pointer:
        return None
    thing = rt.objects.get(pointer)
    if isinstance(thing, View):
        return thing
    if isinstance(thing, Resource):
        return View(thing)
    rt.reject(f"{pointer:#x} names no surface")
    return None


def get_surface_level(rt: Runtime, this: int, level: int, out: Any) -> None:
    """GetSurfaceLevel, GetVolumeLevel."""
    show(rt, resource_of(rt, this), 0, level, out)


def get_cube_map_surface(rt: Runtime, this: int, face: int, level: int, out: Any) -> None:
    """IDirect3DCubeTexture8::GetCubeMapSurface."""
    show(rt, resource_of(rt, this), face, level, out)


def nothing(rt: Runtime, *_: Any) -> None:
    """A call without a trace in the driver."""


def release(rt: Runtime, this: int) -> None:
    """Release of a resource or of a surface that stands for one: at 0 references it ends, unless a swap chain has it."""
    if rt.result != 0:
        return
    thing = rt.objects.get(this)
    resource = thing.resource if isinstance(thing, View) else thing
    if isinstance(resource, Resource) and not resource.implicit:
        rt.destroy(resource)
