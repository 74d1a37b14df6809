"""Links the addresses of one object: each interface version has its own, and QueryInterface connects them.

An address ends when its Release answers 0 references; an object when none of its addresses is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from core.runtime.context import Context
from core.runtime.directdraw.objects import Body, DirectDraw, DrawSurface, Thing
from core.runtime.objects import Resource
from core.runtime.rows import layout as c
from core.spec.formats import FORMATS

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

T = TypeVar("T")
SURFACE_KEY = int(c.SURFACE_KEY)
EXISTING = 2  # DDENUMSURFACES_DOESEXIST
OLD_DEVICES = frozenset({0x84E63DE0, 0xA4665C60, 0xF2086B20, 0x881949A1, 0x50936643})
"""First dwords of IID_IDirect3DHALDevice, RGBDevice, RampDevice, MMXDevice, RefDevice: IDirect3DDevice, asked of a surface."""


def link(rt: Runtime, thing: Any, pointer: int | None) -> None:
    """From this call on the address names the thing, too."""
    if not pointer:
        return
    old = rt.objects.get(pointer)
    if old is thing:
        return
    if old is not None:
        unlink(rt, pointer)
    thing.addresses.append(pointer)
    rt.name(pointer, thing, thing.handle if isinstance(thing, DrawSurface) else 0)
    if isinstance(thing, DrawSurface) and thing.handle:
        bind(rt, thing, pointer)


def bind(rt: Runtime, surface: DrawSurface, pointer: int) -> None:
    """Lets the loop find a surface by an address, a texture for drawing, too."""
    body, grown = surface.body, False
    if body.resource is None:
        return
    if surface.is_texture:
        grown = rt.pointers.bind(pointer, body.resource.handle, alpha_info(body.resource))
    if pointer < SURFACE_KEY:
        is_single = len(body.surfaces) == body.levels * body.faces  # DuplicateSurface shares locks
        grown |= rt.pointers.bind(pointer | SURFACE_KEY, surface.handle if is_single else 0, _info(surface, body.resource))
    rt.stale |= grown


def alpha_info(resource: Resource) -> int:
    """What the loop knows of a texture."""
    row = FORMATS.get(resource.format)
    return int(c.ALPHA_BIT) if row is not None and row.alpha else 0


def forget_handles(rt: Runtime, body: Body) -> None:
    """The loop does not find a surface by the texture handles that it had."""
    for key in body.keys:
        rt.pointers.bind(key, 0)
    body.keys.clear()


def bind_all(rt: Runtime, surface: DrawSurface) -> None:
    """Tells the loop what has changed of a surface."""
    for pointer in surface.addresses:
        bind(rt, surface, pointer)


def _info(surface: DrawSurface, resource: Resource) -> int:
    """What the loop knows of a surface (see rows.layout)."""
    width, height, _ = resource.size(surface.level)
    row = FORMATS.get(resource.format)
    is_odd = surface.body.low_depth or surface.body.is_foreign or row is None or row.block[:2] != (1, 1)
    bits = c.IS_PRIMARY * surface.is_primary + c.IS_FLIPPED * (surface.flips and len(surface.ring) > 1)
    bits += c.IS_CLIPPED * (surface.clipper is not None and surface.clipper.box is not None)
    bits += c.IS_KEYED * (surface.source_key is not None) + c.IS_LOCKED * ((surface.face, surface.level) in resource.locks)
    return width | height << c.SIZE_BITS | (bits + c.IS_ODD * is_odd) << c.STATE_BITS


def unlink(rt: Runtime, pointer: int) -> Any:
    """The address names nothing any more; returns what it named."""
    thing = rt.objects.get(pointer)
    if isinstance(thing, Thing) and pointer in thing.addresses:
        thing.addresses.remove(pointer)
    if isinstance(thing, DrawSurface) and rt.pointers.get(pointer):
        rt.pointers.bind(pointer, 0)
    rt.forget(pointer)
    return thing


def known_surface(rt: Runtime, pointer: int | None) -> DrawSurface | None:
    """The surface at an address, whether the driver has it or not."""
    if not pointer:
        return None
    thing = rt.objects.get(pointer)
    if isinstance(thing, DrawSurface):
        return thing
    rt.reject(f"{pointer:#x} names no surface; surfaces that an enumeration handed out are not in the trace")
    return None


def known(rt: Runtime, pointer: int | None, kind: type[T]) -> T | None:
    """The object at an address; None, with a finding, if there is none of this kind."""
    thing = rt.objects.get(pointer or 0)
    if isinstance(thing, kind):
        return thing
    rt.reject(f"{pointer or 0:#x} names no {kind.__name__.lower()}")
    return None


def query_interface(rt: Runtime, this: int, iid: Any, out: Any) -> None:
    """QueryInterface of any object: one more address of it."""
    thing = rt.objects.get(this)
    if not out or not out[0] or thing is None:
        return
    if isinstance(thing, DrawSurface) and first_dword(iid) in OLD_DEVICES:
        rt.note("not-recorded", "IDirect3DDevice, execute buffers: what it draws; recorders do not see its calls")
        return
    if isinstance(thing, Context):
        rt.name(out[0], thing, 0)
    elif isinstance(thing, Resource):
        rt.name(out[0], thing, thing.handle)
    else:
        link(rt, thing, out[0])


def first_dword(guid: Any) -> int:
    """Data1 of a GUID; 0 if the trace lacks it."""
    return guid[0] if isinstance(guid, (tuple, list)) and guid and isinstance(guid[0], int) else 0


def get_attached_surface(rt: Runtime, this: int, caps: Any, out: Any) -> None:
    """GetAttachedSurface: the first attached surface that has all these capabilities."""
    surface = known_surface(rt, this)
    if surface is None or not out or not out[0]:
        return
    wanted = (int(caps[0].dwCaps), int(getattr(caps[0], "dwCaps2", 0))) if caps else (0, 0)
    fits = [one for one in surface.attached if not wanted[0] & ~one.caps and not wanted[1] & ~one.caps2]
    known = [one for one in surface.attached if out[0] in one.addresses]
    if not (known or fits):
        rt.reject("no surface with these capabilities is attached")
        return
    link(rt, (known or fits)[0], out[0])


def delete_attached_surface(rt: Runtime, this: int, flags: int, attached: int | None) -> None:
    """DeleteAttachedSurface; NULL: all that AddAttachedSurface has attached."""
    surface = known_surface(rt, this)
    if surface is not None:
        gone = rt.objects.get(attached) if attached else None
        surface.attached = [one for one in surface.attached if one is not gone and (attached or not one.is_root)]


def get_dd_interface(rt: Runtime, this: int, out: Any) -> None:
    """GetDDInterface."""
    surface = known_surface(rt, this)
    if surface is not None and out:
        link(rt, surface.body.owner, out[0])


def get_surface_from_dc(rt: Runtime, this: int, handle: int, out: Any) -> None:
    """GetSurfaceFromDC: one more address of a surface between its GetDC and ReleaseDC."""
    owner = rt.objects.get(this)
    surface = owner.drawn.get(int(handle or 0)) if isinstance(owner, DirectDraw) else None
    if surface is not None and out:
        link(rt, surface, out[0])


def get_gdi_surface(rt: Runtime, this: int, out: Any) -> None:
    """GetGDISurface: an address of the primary, the latest."""
    owner = rt.objects.get(this)
    for thing in reversed(tuple(rt.objects.values())) if out else ():
        if isinstance(thing, DrawSurface) and thing.is_primary and thing.body.owner is owner:
            link(rt, thing, out[0])
            return


def enumerate_attached(rt: Runtime, this: int, *_: Any) -> None:
    """EnumAttachedSurfaces: what its callback does with the surfaces is not in the trace."""
    surface = known_surface(rt, this)
    if surface is not None and surface.attached:
        rt.note("not-recorded", "surfaces that EnumAttachedSurfaces hands out: calls on them are not in the trace")


def enumerate_surfaces(rt: Runtime, this: int, flags: int, *_: Any) -> None:
    """EnumSurfaces: of those that exist, or of what could be made."""
    if flags & EXISTING:
        rt.note("not-recorded", "surfaces that EnumSurfaces hands out: calls on them are not in the trace")


def release(rt: Runtime, this: int) -> None:
    """Release: at 0 references the address ends, and with its last one the object."""
    if rt.result != 0:
        return
    thing = unlink(rt, this)
    if not isinstance(thing, DrawSurface) or not thing.is_root:
        return
    if not any(one.addresses for one in thing.body.surfaces if one.is_root):  # DuplicateSurface makes several
        end(rt, thing)


def end(rt: Runtime, surface: DrawSurface) -> None:
    """A surface with everything that was made with it: levels, faces, the buffers of its flip chain."""
    chain = surface.ring or [surface]
    for body in {id(one.body): one.body for one in chain}.values():
        for one in body.surfaces:
            for pointer in tuple(one.addresses):
                unlink(rt, pointer)
            if one.palette is not None and one in one.palette.surfaces:
                one.palette.surfaces.remove(one)
        forget_handles(rt, body)
        if body.resource is not None:
            rt.destroy(body.resource)
        body.resource = None
