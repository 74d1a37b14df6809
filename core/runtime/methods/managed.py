"""Managed textures and their dirty boxes: locks affect the system copy; changed boxes are uploaded before the next draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.runtime.methods.palettes import use_palette
from core.runtime.objects import Box, Resource, resource_of, union
from core.runtime.rows import layout as c
from core.runtime.rows.verdicts import RETRY, Retry
from core.spec.enums import Pool
from core.spec.formats import FORMATS
from core.spec.slots import BASE, STAGE_STATES, TEXTURE_STAGES
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime


def mark_dirty(rt: Runtime, resource: Resource, face: int, level: int, box: Box | None) -> None:
    """The system copy changed in a box of a level (None: everywhere).

    Direct3D records dirty regions for level 0 only, so UpdateTexture ignores changes of lower levels; of managed textures, they
    count as a change of the box of level 0 above.
    """
    if not resource.dirty or (level and not resource.is_managed):
        return
    was_clean = not any(resource.dirty)
    resource.add_dirty(face, level, box)
    if resource.is_managed:
        if was_clean and resource.is_bound:
            rt.bind(resource, int(c.DIRTY_BIT))
        rt.commands.state[c.DIRTY] = 1


def blit_boxes(rt: Runtime, source: Resource, source_handle: int, destination: Resource) -> None:
    """TEXBLT or VOLUMEBLT of the dirty boxes of all faces; they are clean then.

    A source with more levels begins at the one that is as large as the destination: points are those of that level.
    """
    skipped = next((level for level in range(source.levels) if source.size(level) == destination.size(0)), 0)
    for face, boxes in enumerate(source.dirty):
        if not boxes:
            continue
        ends: dict[str, Any] = {"destination": destination.handle + face * destination.levels, "flags": 0}
        ends["source"] = source_handle + face * source.levels
        for box in _merged(source, boxes):
            left, top, right, bottom, front, _ = box
            x, y, z = left >> skipped, top >> skipped, front >> skipped
            if source.kind == "volume":
                rt.emit(Op.VOLUMEBLT, x=x, y=y, z=z, box=box, **ends)
            else:
                rt.emit(Op.TEXBLT, point=(x, y), rect=(left, top, right, bottom), **ends)
        boxes.clear()


def _merged(resource: Resource, boxes: list[Box]) -> list[Box]:
    """Boxes widened to the format's blocks; one box when they cover each other."""
    block = FORMATS[resource.format].block if resource.format in FORMATS else (1, 1, 1)
    wide, high = block[0], block[1]
    aligned = [
        (left // wide * wide, top // high * high, min(-(-right // wide) * wide, resource.width),
         min(-(-bottom // high) * high, resource.height), front, back)
        for left, top, right, bottom, front, back in boxes
    ]  # fmt: skip
    around = union(aligned)
    return [around] if around in aligned else list(dict.fromkeys(aligned))


def upload(rt: Runtime, resource: Resource) -> None:
    """Brings the video copy of a managed texture up to date."""
    if any(resource.dirty) and resource.is_managed:
        blit_boxes(rt, resource, resource.system, resource)
        resource.uploaded = True
    if resource.is_bound:
        rt.bind(resource)


def upload_bound(rt: Runtime) -> None:
    """Brings all bound managed textures up to date."""
    context = rt.context
    if context is not None:
        first = BASE["texture_stage"]
        for handle in context.registers[first : first + TEXTURE_STAGES * STAGE_STATES : STAGE_STATES].tolist():
            resource = rt.watched.get(handle)
            if resource is not None:
                upload(rt, resource)
                use_palette(rt, resource)
    rt.commands.state[c.DIRTY] = 0


def discard(rt: Runtime, this: int, size: int) -> None:
    """ResourceManagerDiscardBytes: managed textures leave video memory and come again (Wine's add_dirty_rect_test)."""
    if rt.device(this) is not None:
        for resource in rt.watched.values():
            for face in range(resource.faces if resource.is_managed else 0):
                mark_dirty(rt, resource, face, 0, None)


def draw(rt: Runtime, this: int, *args: Any) -> Retry | None:
    """A draw that the loop left: it waited for managed textures, or its vertices or indices are missing."""
    if rt.device(this) is None:
        return None
    if rt.commands.state[c.DIRTY]:
        upload_bound(rt)
        return RETRY
    rt.reject("the vertices or indices of the draw are missing")
    return None


def draw_indexed(rt: Runtime, this: int, *args: Any) -> Retry | None:
    """DrawIndexedPrimitive that the loop left; without an index buffer it succeeds and draws nothing."""
    context = rt.device(this)
    if context is not None and not context.registers[BASE["indices"]]:
        return None
    return draw(rt, this)


def preload(rt: Runtime, this: int) -> None:
    """PreLoad: uploads a managed texture now."""
    resource = resource_of(rt, this)
    if resource is not None and resource.is_managed:
        upload(rt, resource)


def add_dirty_rect(rt: Runtime, this: int, rect: Any) -> None:
    """IDirect3DTexture8::AddDirtyRect: NULL is everything."""
    _add(rt, this, 0, flat(rect[0]) if rect else None)


def add_dirty_rect_of_face(rt: Runtime, this: int, face: int, rect: Any) -> None:
    """IDirect3DCubeTexture8::AddDirtyRect."""
    _add(rt, this, face, flat(rect[0]) if rect else None)


def add_dirty_box(rt: Runtime, this: int, box: Any) -> None:
    """IDirect3DVolumeTexture8::AddDirtyBox."""
    _add(rt, this, 0, tuple(box[0]) if box else None)


def flat(rect: Any) -> Box:
    """A RECT as a box of one slice."""
    left, top, right, bottom = rect
    return (left, top, right, bottom, 0, 1)


def _add(rt: Runtime, this: int, face: int, box: Any) -> None:
    resource = resource_of(rt, this)
    if resource is not None:
        mark_dirty(rt, resource, face, 0, box)


def update_texture(rt: Runtime, this: int, source: int, destination: int) -> None:
    """IDirect3DDevice8::UpdateTexture: dirty boxes from a SYSTEMMEM texture to a DEFAULT one, all levels that both have."""
    one, other = resource_of(rt, source), resource_of(rt, destination)
    if one is None or other is None:
        return
    if one.pool != Pool.SYSTEMMEM or other.pool != Pool.DEFAULT or one.kind != other.kind or one.format != other.format:
        rt.reject("UpdateTexture copies from a SYSTEMMEM texture to a DEFAULT texture of the same type and format")
    if one.dirty:
        blit_boxes(rt, one, one.handle, other)


def set_lod(rt: Runtime, this: int, lod: int) -> None:
    """SetLOD of a managed texture: SETTEXLOD."""
    resource = resource_of(rt, this)
    if resource is not None and resource.is_managed and rt.context is not None:
        resource.lod = min(lod, resource.levels - 1)
        rt.emit(Op.SETTEXLOD, surface=resource.handle, lod=resource.lod)


def set_priority(rt: Runtime, this: int, priority: int) -> None:
    """SetPriority of a managed resource: SETPRIORITY."""
    resource = resource_of(rt, this)
    if resource is not None and resource.pool == Pool.MANAGED and rt.context is not None:
        resource.priority = priority
        rt.emit(Op.SETPRIORITY, surface=resource.handle, priority=priority)
