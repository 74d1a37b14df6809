"""Surfaces whose memory the display took: calls on them answer DDERR_SURFACELOST until Restore gives them memory again.

Restore brings no contents back (DirectX 7 SDK, Losing and Restoring Surfaces): these are undefined.  Here they stay as they
were, with a finding at the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.runtime.directdraw.linking import known_surface
from core.runtime.directdraw.objects import DirectDraw, DrawSurface
from core.spec.enums import HResult

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime


def failed(rt: Runtime, this: int, *_: Any) -> None:
    """A call on a surface that failed: it may be lost."""
    notice(rt, rt.objects.get(this))


def notice(rt: Runtime, *surfaces: Any) -> None:
    """A call failed that these surfaces have part in: one of them is lost if it says so."""
    if rt.result & 0xFFFFFFFF == HResult.DDERR_SURFACELOST:
        for surface in surfaces:
            if isinstance(surface, DrawSurface):
                surface.is_lost = True


def restore(rt: Runtime, this: int) -> None:
    """Restore of a surface, with the buffers and levels that were made with it."""
    surface = known_surface(rt, this)
    if surface is not None:
        _restored(rt, [surface, *surface.ring, *surface.body.surfaces], "the surface")


def restore_all(rt: Runtime, this: int) -> None:
    """RestoreAllSurfaces of a DirectDraw object."""
    owner = rt.objects.get(this)
    if isinstance(owner, DirectDraw):
        mine = [one for one in rt.objects.values() if isinstance(one, DrawSurface) and one.body.owner is owner]
        _restored(rt, mine, "lost surfaces")


def _restored(rt: Runtime, surfaces: list[DrawSurface], what: str) -> None:
    """Says so where one of them was lost."""
    if any(one.is_lost for one in surfaces):
        rt.note("not-recorded", f"Restore: what {what} held is undefined until it is written again; here it stays")
    for one in surfaces:
        one.is_lost = False
