"""Blt, BltFast and Flip: copies and fills between surfaces, and the ends of frames.

A frame ends at Flip.  A program that has not flipped its primary (windowed ones never do) shows its pictures with Blt or
BltFast from a surface: those end a frame, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.runtime.directdraw.linking import bind_all, known_surface
from core.runtime.directdraw.lost import notice
from core.runtime.directdraw.making import cover, surface_of
from core.runtime.directdraw.objects import Clipper, DrawSurface
from core.spec.enums import DdBlt, DdFlip, HResult
from core.spec.formats import FORMATS

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

Rect = tuple[int, int, int, int]
BLACKNESS, WHITENESS, SRCCOPY = 0x42, 0xFF0062, 0xCC0020
MIRROR_X, MIRROR_Y, ROTATE_180 = 2, 4, 0x10  # DDBLTFX_*
TURNED = 0x20 | 0x40  # ROTATE270, ROTATE90
KEYS = DdBlt.KEYSRC | DdBlt.KEYSRCOVERRIDE | DdBlt.KEYDEST | DdBlt.KEYDESTOVERRIDE
FILLS = int(DdBlt.COLORFILL | DdBlt.DEPTHFILL)
(FILLS_OR_ROP, KEPT, SOURCE_KEY, KEYED_TO, MIRRORS, WAIT, ROP, DEPTHFILL, COLORFILL, OWN_SOURCE_KEY, OWN_DESTINATION_KEY,
 ANGLE) = (
    int(flag) for flag in (
        FILLS | DdBlt.ROP, KEYS | DdBlt.WAIT, DdBlt.KEYSRC, DdBlt.KEYDEST, DdBlt.DDFX, DdBlt.WAIT, DdBlt.ROP, DdBlt.DEPTHFILL,
        DdBlt.COLORFILL, DdBlt.KEYSRCOVERRIDE, DdBlt.KEYDESTOVERRIDE, DdBlt.ROTATIONANGLE,
    )
)  # plain numbers: `&` of a flag takes a microsecond  # fmt: skip
FAST_SOURCE_KEY, FAST_DESTINATION_KEY = 1, 2  # DDBLTFAST_*
SHOW_OVERLAY = 0x4000  # DDOVER_SHOW
SHOWN = 2  # `presentation` of a Blt that ends a frame
INTERVALS = {int(DdFlip.INTERVAL2): 2, int(DdFlip.INTERVAL3): 3, int(DdFlip.INTERVAL4): 4}


def blt(rt: Runtime, this: int, to: Any, source: int | None, given: Any, flags: int, effects: Any) -> None:
    """Blt: a fill, or a copy that may stretch, mirror and leave out what colour keys name."""
    _blt(rt, this, to, source, given, flags, effects, False)


def blt_older(rt: Runtime, this: int, to: Any, source: int | None, given: Any, flags: int, effects: Any) -> None:
    """Blt of IDirectDrawSurface, 2 and 3: KEYDEST means the destination key that the source has or had (Wine's
    test_ck_operation)."""
    _blt(rt, this, to, source, given, flags, effects, True)


def _blt(
    rt: Runtime, this: int, to: Any, source: int | None, given: Any, flags: int, effects: Any, is_older: bool
) -> None:  # fmt: skip
    target = surface_of(rt, this)
    if target is None:
        return
    fx = effects[0] if effects else None
    box = _rect(to, target)
    if flags & FILLS_OR_ROP and _fill(rt, target, box, flags, fx):
        return
    origin = surface_of(rt, source)
    if origin is None:
        rt.reject("Blt without a source", HResult.DDERR_INVALIDPARAMS)
        return
    asked: dict[str, Any] = {"flags": flags & KEPT}
    if fx is not None:
        asked |= _keys(flags, fx)
    if flags & KEYED_TO and is_older:
        asked["destination_key"] = origin.last_destination
    elif flags & KEYED_TO and not target.destination_key:
        asked["destination_key"] = target.source_key or origin.destination_key or (0, 0)
    if (mirrored := _mirrors(rt, flags, fx)) is not None:
        _copy(rt, target, box, origin, _rect(given, origin), asked, mirrored)


def blt_fast(rt: Runtime, this: int, x: int, y: int, source: int, given: Any, flags: int) -> None:
    """BltFast: a copy without stretching."""
    target, origin = surface_of(rt, this), surface_of(rt, source)
    if target is None or origin is None:
        return
    area = _rect(given, origin)
    box = (x, y, x + area[2] - area[0], y + area[3] - area[1])
    asked = WAIT | (SOURCE_KEY if flags & FAST_SOURCE_KEY else 0) | (KEYED_TO if flags & FAST_DESTINATION_KEY else 0)
    call: dict[str, Any] = {"flags": asked}
    if flags & FAST_SOURCE_KEY and origin.source_key is None:  # Wine 8.0 takes the last one, at first 0; Windows may refuse
        call["color_key"] = (origin.last_key, origin.last_key)
    _copy(rt, target, box, origin, area, call, 0)


def _rect(rect: Any, surface: DrawSurface) -> Rect:
    """A RECT argument; NULL: the whole surface."""
    if rect:
        left, top, right, bottom = rect[0]
        return left, top, right, bottom
    return (0, 0, *surface.size)


def _fill(rt: Runtime, target: DrawSurface, box: Rect, flags: int, fx: Any) -> bool:
    """COLORFILL, DEPTHFILL, and the raster operations that are fills; False for a copy."""
    if flags & ROP and not flags & FILLS:
        rop = int(fx.dwROP) if fx is not None else SRCCOPY
        if rop == SRCCOPY:
            return False
        if rop not in (BLACKNESS, WHITENESS):
            rt.reject(f"Blt with raster operation {rop:#x}", HResult.DDERR_UNSUPPORTED)
            return True
        value, kind = (0 if rop == BLACKNESS else 0xFFFFFFFF), COLORFILL
    else:
        value = int(fx.dwFillColor) & 0xFFFFFFFF if fx is not None else 0
        kind = DEPTHFILL if flags & DEPTHFILL else COLORFILL
    if kind == DEPTHFILL:
        value = depth_code(target, value)
    cut = _visible(box, target)
    if cut is not None:
        rt.call("Blt", {
            "destination": target.handle, "source": 0, "destination_box": cut, "source_box": cut,
            "flags": kind | WAIT, "color": value, "presentation": 0,
        })  # fmt: skip
    return True


def depth_code(target: DrawSurface, value: int) -> int:
    """dwFillDepth, whose bits are as the surface's, as the number that the driver stores: its depth part."""
    row = FORMATS[target.view.resource.format]
    if target.body.low_depth or (not row.stencil_bits and row.depth_bits in (16, 32)):
        return value & ((1 << row.depth_bits) - 1)
    return value >> (row.bits - row.depth_bits)


def _keys(flags: int, fx: Any) -> dict[str, Any]:
    """The colour keys that a call brings along."""
    found = {}
    if flags & OWN_SOURCE_KEY:
        low = int(fx.ddckSrcColorkey[0])
        found["color_key"] = (low, low)
    if flags & OWN_DESTINATION_KEY:
        low = int(fx.ddckDestColorkey[0])
        found["destination_key"] = (low, low)
    return found


def _mirrors(rt: Runtime, flags: int, fx: Any) -> int | None:
    """Bits: left and right, top and bottom exchanged; None, with a finding, for a rotation."""
    effects = int(fx.dwDDFX) if flags & MIRRORS and fx is not None else 0
    if effects & TURNED or flags & ANGLE:
        rt.reject("Blt does not rotate", HResult.DDERR_UNSUPPORTED)
        return None
    both = effects & ROTATE_180
    return (1 if effects & MIRROR_X else 0) ^ (2 if effects & MIRROR_Y else 0) ^ (3 if both else 0)


def _within(box: Rect, surface: DrawSurface) -> Rect | None:
    """The part of a rectangle on the surface; None if there is none."""
    width, height = surface.size
    if 0 <= box[0] < box[2] <= width and 0 <= box[1] < box[3] <= height:
        return box
    left, top, right, bottom = max(box[0], 0), max(box[1], 0), min(box[2], width), min(box[3], height)
    return (left, top, right, bottom) if left < right and top < bottom else None


def _visible(box: Rect, surface: DrawSurface) -> Rect | None:
    """The part of a rectangle that its clipper leaves, too."""
    inner = _within(box, surface)
    if inner is None or surface.clipper is None or surface.clipper.box is None:
        return inner
    (left, top, right, bottom), least = inner, surface.clipper.box
    left, top, right, bottom = max(left, least[0]), max(top, least[1]), min(right, least[2]), min(bottom, least[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def _copy(
    rt: Runtime, target: DrawSurface, box: Rect, origin: DrawSurface, area: Rect, asked: dict[str, Any], mirrors: int
) -> None:
    """A copy between rectangles, whose parts beyond the surfaces are left out."""
    if target.is_primary:
        cover(rt, target, box[2], box[3])
    cut = _cut(box, target, area, origin, mirrors)
    if cut is None:
        return
    shows = target.is_primary and not target.flips and not origin.is_primary
    call = {
        "destination": target.handle, "source": origin.handle, "destination_box": cut[0], "source_box": cut[1], **asked,
    }  # fmt: skip
    if mirrors:
        call["mirror"] = mirrors
    call["presentation"] = SHOWN if shows else 0
    rt.call("Blt", call)


def _cut(box: Rect, target: DrawSurface, area: Rect, origin: DrawSurface, mirrors: int) -> tuple[Rect, Rect] | None:
    """Both rectangles without what lies beside the destination; a source beside its surface is none."""
    if _within(area, origin) != area:
        return None
    inner = _visible(box, target)
    if inner is None or inner == box:
        return None if inner is None else (box, area)
    across = _shortened(area[0], area[2], box[0], box[2], inner[0], inner[2], bool(mirrors & 1))
    down = _shortened(area[1], area[3], box[1], box[3], inner[1], inner[3], bool(mirrors & 2))
    return (inner, (across[0], down[0], across[1], down[1])) if across[0] < across[1] and down[0] < down[1] else None


def _shortened(first: int, last: int, begin: int, end: int, low: int, high: int, mirrored: bool) -> tuple[int, int]:
    """first..last of the source, as much shorter as low..high is than begin..end."""
    before, after = low - begin, end - high
    if mirrored:
        before, after = after, before
    size, wanted = last - first, end - begin
    return first + before * size // wanted, last - after * size // wanted


def flip(rt: Runtime, this: int, override: int | None, flags: int) -> None:
    """Flip: contents move up by one, those of the front to the last; with an override the two exchange theirs."""
    front = surface_of(rt, this)
    other = surface_of(rt, override) if override else None
    if front is None:
        return
    chain = [front, other] if other is not None else front.ring
    if len(chain) < 2:
        rt.reject("the surface has no back buffer", HResult.DDERR_NOTFLIPPABLE)
        return
    _flips(rt, front)
    rt.call("Flip", flip_arguments(chain, flags))


def _flips(rt: Runtime, front: DrawSurface) -> None:
    """The program has flipped this chain."""
    if not front.flips:
        front.flips = True
        bind_all(rt, front)


def flip_arguments(chain: list[DrawSurface], flags: int) -> dict[str, Any]:
    """What the driver is told of a flip of these surfaces."""
    interval = INTERVALS.get(flags & 0x7000000, 1)
    args: dict[str, Any] = {"surface": [one.handle for one in chain], "flags": flags & 0xFF}
    if interval > 1:
        args["interval"] = interval
    return args


def set_clipper(rt: Runtime, this: int, clipper: int | None) -> None:
    """SetClipper."""
    surface, found = known_surface(rt, this), rt.objects.get(clipper or 0)
    if surface is not None:
        surface.clipper = found if isinstance(found, Clipper) else None
        bind_all(rt, surface)


def update_overlay(rt: Runtime, this: int, area: Any, target: int | None, to: Any, flags: int, *_: Any) -> None:
    """UpdateOverlay: hardware shows the overlay in place of what lies under it; no memory changes."""
    if flags & SHOW_OVERLAY:
        rt.note("runtime-unimplemented", "UpdateOverlay: pictures of the screen are without the overlay")


def flip_to_gdi(rt: Runtime, this: int) -> None:
    """FlipToGDISurface: the screen shows the memory that GDI draws on, which is the front's as long as nothing flipped."""
    owner = rt.objects.get(this)
    if any(isinstance(thing, DrawSurface) and thing.flips and thing.body.owner is owner for thing in rt.objects.values()):
        rt.note("runtime-unimplemented", "FlipToGDISurface: the primary keeps what the last Flip showed")


# ---- what failed -------------------------------------------------------------------------------


def failed_blt(rt: Runtime, this: int, to: Any, source: int | None, *_: Any) -> None:
    """A Blt that failed; of a window that is partly beside the screen, say."""
    _failed(rt, this, source)


def failed_blt_fast(rt: Runtime, this: int, x: int, y: int, source: int | None, *_: Any) -> None:
    """A BltFast that failed."""
    _failed(rt, this, source)


def failed_flip(rt: Runtime, this: int, *_: Any) -> None:
    """A Flip that failed: the program is minimised, say."""
    front = known_surface(rt, this)
    if front is not None and len(front.ring) > 1:
        front.flips = False
        _failed(rt, this, front.ring[1].addresses[0] if front.ring[1].addresses else None)
        _flips(rt, front)


def _failed(rt: Runtime, this: int, source: int | None) -> None:
    """The frame that was to be shown ends, although nothing changed."""
    target, origin = rt.objects.get(this), rt.objects.get(source or 0)
    notice(rt, target, origin)
    if rt.result & 0xFFFFFFFF == HResult.DDERR_WASSTILLDRAWING or not isinstance(target, DrawSurface):
        return  # the program tries again
    if isinstance(origin, DrawSurface) and target.is_primary and not target.flips and not origin.is_primary:
        surface_of(rt, this), surface_of(rt, source)
        rt.call("Blt", {
            "destination": target.handle, "source": origin.handle, "flags": 0, "presentation": SHOWN, "ends_frame": 1,
            "recorded": rt.result & 0xFFFFFFFF,
        })  # fmt: skip
