"""Copies between surfaces, patches, and other calls."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from core.runtime.methods.managed import flat, mark_dirty, upload_bound
from core.runtime.methods.state import leaves
from core.runtime.methods.surfaces import view_of
from core.runtime.objects import View
from core.spec.caps import DevCaps
from core.spec.enums import DdBlt, HResult, PatchFlag
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

WAIT = int(DdBlt.WAIT)
DELETE_PATCH = 169  # D3DRENDERSTATE_DELETERTPATCH


def copy_rects(rt: Runtime, this: int, source: int, rects: Any, count: int, destination: int, points: Any) -> None:
    """CopyRects: one Blt a rectangle; NULL: everything."""
    one, other = view_of(rt, source), view_of(rt, destination)
    if one is None or other is None:
        return
    if one.resource.format != other.resource.format:
        rt.reject("CopyRects copies between surfaces of one format")
    width, height, _ = one.size
    areas = [tuple(rect) for rect in rects[:count]] if count and rects else [(0, 0, width, height)]
    places = [tuple(point) for point in points] if points and count else [area[:2] for area in areas]
    for area, (x, y) in zip(areas, places, strict=False):
        box = (x, y, x + area[2] - area[0], y + area[3] - area[1])
        blit(rt, one, area, other, box)


def blit(rt: Runtime, source: View, area: tuple[int, ...], destination: View, box: tuple[int, ...]) -> None:
    """A Blt between two surfaces; what it writes into a managed texture is dirty."""
    rt.call("Blt", {
        "destination": destination.written, "source": source.written, "destination_box": box, "source_box": area,
        "flags": WAIT, "presentation": 0,
    })  # fmt: skip
    mark_dirty(rt, destination.resource, destination.face, destination.level, flat(box))


def get_front_buffer(rt: Runtime, this: int, destination: int) -> None:
    """GetFrontBuffer: what is shown, into a system memory surface."""
    context, view = rt.device(this), view_of(rt, destination)
    if context is None or view is None or context.chain is None:
        return
    front = View(context.chain.front)
    width, height = min(front.size[0], view.size[0]), min(front.size[1], view.size[1])
    blit(rt, front, (0, 0, width, height), view, (0, 0, width, height))


def _patch(rt: Runtime, op: int, handle: int, segments: Any, info: Any, edges: int) -> None:
    """edges: as many segment numbers are sent.  apitrace records only the first: then it counts for all edges."""
    if not rt.facts.has("DevCaps", DevCaps.RTPATCHES):
        rt.reject("the driver draws no patches", HResult.D3DERR_INVALIDCALL)
        return
    if rt.context is not None and rt.context.is_software:
        rt.reject("patches need a device with hardware vertex processing", HResult.D3DERR_INVALIDCALL)
        return
    upload_bound(rt)
    flags = (PatchFlag.HASSEGS if segments else 0) | (PatchFlag.HASINFO if info else 0)
    body = struct.pack("<2I", handle, flags)
    if segments:
        numbers = [float(number) for number in leaves(segments)][:edges]
        if len(numbers) < edges:
            rt.note("runtime-rejected", f"{len(numbers)} of {edges} segment numbers are recorded: all edges get {numbers[0]:g}")
            numbers = numbers[:1] * edges
        body += struct.pack(f"<{edges}f", *numbers)
    if info:
        body += b"".join(struct.pack("<I", int(number)) for number in leaves(info))
    rt.emit_bytes(op, body)


def draw_rect_patch(rt: Runtime, this: int, handle: int, segments: Any, info: Any) -> None:
    """DrawRectPatch: four segment numbers, D3DRECTPATCH_INFO; either may be NULL for a patch that the driver keeps."""
    if rt.device(this) is not None:
        _patch(rt, Op.DRAWRECTPATCH, handle, segments, info, 4)


def draw_tri_patch(rt: Runtime, this: int, handle: int, segments: Any, info: Any) -> None:
    """DrawTriPatch: three segment numbers, D3DTRIPATCH_INFO."""
    if rt.device(this) is not None:
        _patch(rt, Op.DRAWTRIPATCH, handle, segments, info, 3)


def delete_patch(rt: Runtime, this: int, handle: int) -> None:
    """DeletePatch: render state DELETERTPATCH."""
    if rt.device(this) is not None:
        rt.emit(Op.RENDERSTATE, merge=True, state=DELETE_PATCH, value=handle)


def validate_device(rt: Runtime, this: int, *_: Any) -> None:
    """ValidateDevice: the driver is asked whether it can draw with the current texture stages."""
    context = rt.device(this)
    if context is not None:
        rt.call("ValidateTextureStageState", {"context": context.number, "flags": 0})
