"""Vertex and index buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.runtime.objects import Resource
from core.runtime.software.process_vertices import keep_contents
from core.spec.caps import DevCaps
from core.spec.enums import Pool, SurfaceCaps, SurfaceCaps2

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

INDEX16 = 101
EXPLICIT, SYSTEM, VIDEO = SurfaceCaps.EXECUTEBUFFER, SurfaceCaps.SYSTEMMEMORY, SurfaceCaps.VIDEOMEMORY
KIND = {"vertex": SurfaceCaps2.VERTEXBUFFER, "index": SurfaceCaps2.INDEXBUFFER}


def create_buffer(
    rt: Runtime, handle: int, size: int, kind: str, usage: int = 0, fvf: int = 0, format: int = 0, pool: int = Pool.DEFAULT
) -> None:  # fmt: skip
    """CreateD3DBuffer.  A managed buffer is one buffer: locks write into it, no second copy is kept."""
    memory = _memory(rt, kind, pool)
    rt.call("CreateD3DBuffer", {
        "handle": handle, "size": size, "usage": usage, "fvf": fvf, "kind": kind, "format": format, "memory": memory,
        "pool": pool, "caps": int(EXPLICIT | (SYSTEM if memory == "system" else VIDEO)), "caps2": int(KIND[kind]),
    })  # fmt: skip
    rt.call("CreateSurfaceEx", {"handle": handle, "context": rt.context.number if rt.context else 0})


def _memory(rt: Runtime, kind: str, pool: int) -> str:
    """Video memory is for drivers that say they have tested it (DX8 DDI, "Reporting Support for Video Memory ... Buffers")."""
    bit = DevCaps.HWINDEXBUFFER if kind == "index" else DevCaps.HWVERTEXBUFFER
    return "video" if pool not in (Pool.SYSTEMMEM, Pool.SCRATCH) and rt.facts.has("DevCaps", bit) else "system"


def create_vertex_buffer(rt: Runtime, this: int, size: int, usage: int, fvf: int, pool: int, out: Any) -> None:
    """CreateVertexBuffer."""
    context = rt.device(this)
    if out and context:
        resource = Resource("vertex", rt.new_handle(), 0, size, pool=pool, usage=usage, pointer=out[0], fvf=fvf)
        keep_contents(context, resource)
        _make(rt, resource)


def create_index_buffer(rt: Runtime, this: int, size: int, usage: int, format: int, pool: int, out: Any) -> None:
    """CreateIndexBuffer of 16- or 32-bit indices."""
    context = rt.device(this)
    if out and context:
        resource = Resource("index", rt.new_handle(), format, size, pool=pool, usage=usage, pointer=out[0])
        if context.is_software:
            keep_contents(context, resource)
        _make(rt, resource, 2 if format == INDEX16 else 4)


def _make(rt: Runtime, resource: Resource, element_size: int = 0) -> None:
    create_buffer(
        rt, resource.handle, resource.width, resource.kind, resource.usage, resource.fvf, resource.format, resource.pool
    )  # fmt: skip
    rt.buffers[resource.handle] = resource
    rt.name(resource.pointer, resource, resource.handle)
    rt.bind(resource, element_size)
