"""Lock, Unlock and GetDC of surfaces; colour keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.directdraw.creation import learn
from core.runtime.directdraw.linking import bind_all, known_surface
from core.runtime.directdraw.making import realise, surface_of
from core.runtime.directdraw.objects import DrawSurface
from core.runtime.methods.locks import lock_picture, unlock_picture
from core.runtime.methods.managed import flat
from core.runtime.objects import Lock
from core.spec.enums import DdLock
from core.spec.formats import FORMATS

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

KEPT = int(DdLock.READONLY | DdLock.NOSYSLOCK | DdLock.NOOVERWRITE | DdLock.DISCARDCONTENTS)
DESTINATION_KEY, SOURCE_KEY = 2, 8  # DDCKEY_DESTBLT, DDCKEY_SRCBLT


def lock(rt: Runtime, this: int, rect: Any, desc: Any, flags: int, event: Any) -> Lock | None:
    """Lock: `desc` came back with the address, the pitch, and with what the surface is."""
    surface = known_surface(rt, this)
    if surface is None:
        return None
    pitch = address = 0
    if desc:
        learn(surface, desc[0])
        pitch, address = int(desc[0].lPitch or 0), int(desc[0].lpSurface or 0)
    realise(rt, surface)
    resource = surface.view.resource
    row = FORMATS.get(resource.format)
    if row is None or row.block[:2] != (1, 1):
        pitch = 0  # of a compressed surface it is the size of the whole level: its rows are dense
    box = flat(rect[0]) if rect else None
    if (surface.face, surface.level) in resource.locks:
        rt.note("not-recorded", "the surface is locked twice: the recorder keeps what was written under the last lock only")
        unlock(rt, this, None)
    held = lock_picture(rt, resource, surface.face, surface.level, (pitch, 0, address), box, flags & KEPT)
    bind_all(rt, surface)
    return held


def unlock(rt: Runtime, this: int, _: Any) -> None:
    """Unlock: hands over what the program left there."""
    surface = known_surface(rt, this)
    if surface is None or surface.body.resource is None:
        rt.reject("the surface is not locked")
        return
    resource = surface.body.resource
    held = resource.locks.get((surface.face, surface.level))
    if held is not None and surface.body.is_foreign:
        held.contents = None
    elif held is not None and held.contents is not None and surface.body.low_depth:
        held.contents = _high_depths(held.contents)
    unlock_picture(rt, resource, surface.face, surface.level)
    bind_all(rt, surface)


def _high_depths(contents: Any) -> bytes:
    """Depths of 24 bits and stencil above them -> depths above stencil, as the device keeps them."""
    dwords = np.frombuffer(contents, "<u4", len(contents) // 4)
    return (dwords << np.uint32(8) | dwords >> np.uint32(24)).tobytes()


def get_dc(rt: Runtime, this: int, out: Any) -> None:
    """GetDC: what GDI draws there is not in the trace."""
    surface = surface_of(rt, this)
    if surface is not None:
        if out:
            surface.body.owner.drawn[int(out[0] or 0)] = surface
        rt.note("not-recorded", "what GDI draws on this surface (GetDC) is not in the trace")


def release_dc(rt: Runtime, this: int, handle: int) -> None:
    """ReleaseDC."""
    surface = known_surface(rt, this)
    if surface is not None:
        surface.body.owner.drawn.pop(int(handle or 0), None)


def set_surface_desc(rt: Runtime, this: int, desc: Any, flags: int) -> None:
    """SetSurfaceDesc: memory of the program's own."""
    if surface_of(rt, this) is not None:
        rt.note(
            "not-recorded", "the surface is the program's own memory (SetSurfaceDesc): what is written there is not recorded"
        )


def set_color_key(rt: Runtime, this: int, flags: int, key: Any) -> None:
    """SetColorKey: NULL ends a key.  Overlays have none here."""
    surface = surface_of(rt, this)
    if surface is None:
        return
    numbers = (int(key[0][0]), int(key[0][1])) if key else None
    if flags & SOURCE_KEY:
        _set_key(rt, surface, SOURCE_KEY, numbers)
        surface.source_key = numbers
        surface.last_key = numbers[0] if numbers else surface.last_key
        bind_all(rt, surface)
    if flags & DESTINATION_KEY:
        _set_key(rt, surface, DESTINATION_KEY, numbers)
        surface.destination_key = numbers
        surface.last_destination = numbers or surface.last_destination


def _set_key(rt: Runtime, surface: DrawSurface, flag: int, key: Any) -> None:
    """One key of a surface: the low end counts alone, ranges are for hardware that names them (DDCKEY_COLORSPACE)."""
    args = {"handle": surface.handle, "flags": flag}
    rt.call("SetColorKey", args if key is None else args | {"low": key[0], "high": key[0]})
