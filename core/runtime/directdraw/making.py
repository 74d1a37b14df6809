"""When the driver is asked to create a surface.

The display mode of a program in a window may never be in the trace.  So a surface whose size or format follows from it is made
when it is first used: until then questions may have said more.  A windowed primary is as large as the rectangles need that the
program shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.runtime.directdraw.linking import bind, known_surface
from core.runtime.directdraw.objects import Body, DirectDraw, DrawSurface
from core.runtime.methods.surfaces import PALETTED, make_surface
from core.spec.enums import Pool, SurfaceCaps, Usage
from core.spec.formats import FORMAT_BY_NAME

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

USUAL_FORMAT = FORMAT_BY_NAME["X8R8G8B8"].id
USUAL_SIZE = (640, 480)
LARGEST = 16384
PICTURE_KIND = SurfaceCaps.PRIMARYSURFACE | SurfaceCaps.BACKBUFFER | SurfaceCaps.FLIP


def surface_of(rt: Runtime, pointer: int | None) -> DrawSurface | None:
    """The surface at an address, whose memory the driver has; None for NULL, and with a finding when there is none."""
    thing = known_surface(rt, pointer)
    if thing is not None:
        realise(rt, thing)
    return thing


def realise(rt: Runtime, surface: DrawSurface) -> None:
    """The driver has the surface, and the buffers that it flips with."""
    for one in surface.ring or [surface]:
        body = one.body
        if body.resource is None and body.surfaces:
            _assume(rt, body, surface.ring[0].body if surface.ring else None)
            _create(rt, body)


def _assume(rt: Runtime, body: Body, front: Body | None) -> None:
    """Size and format from the flip chain or the display mode; where the trace says neither, usual ones, and a finding."""
    source = front or body
    owner = body.owner
    if not owner.width:  # there is one display, whichever DirectDraw object set its mode
        for other in rt.objects.values():
            if isinstance(other, DirectDraw) and other.width:
                owner.width, owner.height, owner.format = other.width, other.height, other.format
                break
    body.width = body.width or source.width or owner.width
    body.height = body.height or source.height or owner.height
    body.format = body.format or source.format or owner.format
    if not (body.width and body.height):
        body.width, body.height = USUAL_SIZE
        rt.note("not-recorded", f"the display mode is not recorded: the screen begins as {body.width} x {body.height} pixels")
    if not body.format:
        body.format = USUAL_FORMAT
        if not body.is_foreign:
            rt.note("not-recorded", "the display mode is not recorded: 32 bits a pixel are assumed")


def _create(rt: Runtime, body: Body) -> None:
    usage, caps = 0, body.caps
    if body.format in PALETTED:  # no device draws to one, DDSCAPS_3DDEVICE or not
        caps &= ~int(SurfaceCaps.DEVICE_3D)
        body.label = "image" if body.label == "render_target" else body.label
    elif body.caps & (SurfaceCaps.DEVICE_3D | PICTURE_KIND) and not body.caps & SurfaceCaps.ZBUFFER:
        usage = int(Usage.RENDERTARGET)
    elif body.caps & SurfaceCaps.ZBUFFER:
        usage = int(Usage.DEPTHSTENCIL)
    in_system = body.caps & SurfaceCaps.SYSTEMMEMORY
    if in_system:
        usage = 0
    body.resource = make_surface(
        rt, body.label, body.format, body.width, body.height, levels=body.levels, faces=body.faces,
        pool=Pool.SYSTEMMEM if in_system else Pool.DEFAULT, usage=usage, caps=(caps, body.caps2),
    )  # fmt: skip
    body.resource.dirty = []
    rt.bodies[body.resource.handle] = body
    for one in body.surfaces:
        for pointer in one.addresses:
            rt.renamed(pointer, one.handle)
            bind(rt, one, pointer)
    if body.key:
        low = body.key[0]
        rt.call("SetColorKey", {"handle": body.resource.handle, "flags": 8, "low": low, "high": low})


def cover(rt: Runtime, surface: DrawSurface, right: int, bottom: int) -> None:
    """Makes a windowed primary whose size the trace does not say as large as what is shown on it."""
    body = surface.body
    old = body.resource
    if old is None or surface.ring or body.owner.width or (right <= body.width and bottom <= body.height):
        return
    body.width, body.height = min(max(body.width, right), LARGEST), min(max(body.height, bottom), LARGEST)
    _create(rt, body)
    assert body.resource is not None
    box = (0, 0, old.width, old.height)
    rt.call("Blt", {
        "destination": body.resource.handle, "source": old.handle, "destination_box": box, "source_box": box, "flags": 0,
        "presentation": 0,
    })  # fmt: skip
    rt.destroy(old)


def add_attached_surface(rt: Runtime, this: int, attached: int) -> None:
    """AddAttachedSurface: a depth buffer for a render target, mostly."""
    surface, other = surface_of(rt, this), surface_of(rt, attached)
    if surface is not None and other is not None and other not in surface.attached:
        surface.attached.append(other)
        rt.call("AddAttachedSurface", {"handle": surface.handle, "attached": other.handle})
