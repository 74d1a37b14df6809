"""Where primitives would be, were they not culled or clipped: of each pixel of a surface, why some are not drawn there.

The history of a pixel names them one by one (core.pipeline.explain.misses); here they are drawn.  Triangles by the rules of the
rasteriser: corners in 1/256 pixel, pixels on an edge belong to a triangle to their right or below.  Lines and points as the
history has them: within half a pixel of a line, in the square of a point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.cancel import cancellable, look
from core.pipeline.explain.misses import AWAY_CLOCKWISE, AWAY_COUNTERCLOCKWISE
from core.pipeline.observe.shapes import LINES, Shape
from core.pipeline.records.layout import SUBPIXELS
from core.pipeline.records.primitives import PrimitiveFate
from core.spec.enums import PrimitiveType
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.pixels.pixel import handle_of, pieces

if TYPE_CHECKING:
    from inspector.capture import Capture

A_PIECE = 2000
"""Primitives that are prepared between two looks at Stop."""
WORK = 1 << 24
"""Pixels around triangles that are looked at between two."""
CULLED = 1 << PrimitiveFate.CULLED
NEAR = 1 << PrimitiveFate.NEAR | 1 << PrimitiveFate.EYE
FAR = 1 << PrimitiveFate.FAR
PLANES = sum(1 << fate for fate in range(PrimitiveFate.USER_0, PrimitiveFate.USER_5 + 1))
OUTSIDE = sum(1 << fate for fate in (*range(PrimitiveFate.LEFT, PrimitiveFate.BOTTOM + 1),
                                     *range(PrimitiveFate.GUARD_LEFT, PrimitiveFate.GUARD_BOTTOM + 1)))  # fmt: skip
"""Bits of `missed_on`."""


def missed_on(capture: Capture, where: Where, first: int, last: int, cancel: Cancel | None = None) -> np.ndarray:
    """int32[height, width]: bit PrimitiveFate for each reason for which primitives of events first..last are not drawn at a
    pixel that they would cover but for this reason.  BadInput if there is no such surface."""
    handle = handle_of(capture, where, last, cancel)
    bits = np.zeros((0, 0), np.int32)
    for piece in pieces(capture, handle, first, last, cancel):
        if piece.part is None:
            continue
        shape = piece.part.height, piece.part.width
        if bits.shape != shape:  # another surface has the handle now
            bits = np.zeros(shape, np.int32)
        for draw in piece.frame.rewind.shapes_of(piece.part):
            if piece.first <= draw.event <= piece.last and len(draw.corners):
                with cancellable(cancel):
                    mark_missed(draw, bits)
    return bits


def mark_missed(draw: Shape, bits: np.ndarray) -> None:
    """Sets the bits of what the primitives of a draw miss: int32[height, width]."""
    way = _mark_lines if draw.kind in LINES else _mark_points if draw.kind == PrimitiveType.POINTLIST else _mark_triangles
    for at in range(0, len(draw.corners), A_PIECE):
        look()
        way(draw, slice(at, at + A_PIECE), bits)


def _mark_lines(draw: Shape, part: slice, bits: np.ndarray) -> None:
    from inspector.query.pixels.missed_kernels import mark_lines

    clip, fates, _ = _ahead(draw, part)
    ends = _on_screen(draw, clip)
    bounds = _around(ends.min(axis=1) - 0.5, ends.max(axis=1) + 0.5, *bits.shape)
    names, cuts = _heights(draw, clip / clip[:, :, 3:])
    mark_lines(ends, cuts, names, bounds, fates, np.array(draw.viewport), int(PrimitiveFate.LEFT), bits)


def _mark_points(draw: Shape, part: slice, bits: np.ndarray) -> None:
    from inspector.query.pixels.missed_kernels import mark_points

    clip, fates, kept = _ahead(draw, part)
    halves = np.nan_to_num(draw.sizes[draw.corners[part][kept, 0]].astype(np.float64) / 2, nan=-1)  # covers nothing
    centres = _on_screen(draw, clip)[:, 0]
    names, cuts = _heights(draw, clip / clip[:, :, 3:])
    cut = cuts[:, :, 0] < 0
    first = names[cut.argmax(axis=1)] if len(names) else np.zeros(len(fates), np.int64)
    cut_off = np.where(cut.any(axis=1), first, 0)
    bounds = _around(centres - halves[:, None], centres + halves[:, None], *bits.shape)
    for some in _shares(bounds):
        look()
        mark_points(centres[some], halves[some], cut_off[some], bounds[some], fates[some], np.array(draw.viewport),
                    int(PrimitiveFate.LEFT), bits)  # fmt: skip


def _ahead(draw: Shape, part: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of those in front of the eye the corners, float64[n, corners, 4], the fates, int64[n], and which they are."""
    clip = draw.clip[draw.corners[part]].astype(np.float64)
    kept = (clip[:, :, 3] > 0).all(axis=1) & np.isfinite(clip).all(axis=(1, 2))
    return clip[kept], draw.fates[part].astype(np.int64)[kept], kept


def _on_screen(draw: Shape, clip: np.ndarray) -> np.ndarray:
    """float64[n, corners, 2]: places in pixels."""
    sx, ox, sy, oy = draw.scale
    w = clip[:, :, 3]
    return np.stack([clip[:, :, 0] * sx / w + ox, clip[:, :, 1] * sy / w + oy], axis=-1)


def _around(low: np.ndarray, high: np.ndarray, height: int, width: int) -> np.ndarray:
    """int64[n, 4]: the pixels of the surface from one corner to the other: left, top, right, bottom, the last two excluded."""
    most = np.array([width, height])
    first, end = np.clip(np.ceil(low), 0, most), np.clip(np.floor(high) + 1, 0, most)
    return np.concatenate([first, end], axis=1).astype(np.int64)


def _shares(bounds: np.ndarray) -> list[np.ndarray]:
    """Which primitives are looked at between two looks at Stop: together not much more than WORK pixels."""
    work = np.cumsum((bounds[:, 2:] - bounds[:, :2]).clip(0).prod(axis=1)) // WORK
    return np.split(np.arange(len(bounds)), np.flatnonzero(np.diff(work)) + 1)


def _mark_triangles(draw: Shape, part: slice, bits: np.ndarray) -> None:
    from inspector.query.pixels.missed_kernels import mark  # compiled when somebody looks

    clip = draw.clip[draw.corners[part]].astype(np.float64)  # [n, 3, x y z w]
    with np.errstate(all="ignore"):
        places = _places(draw, clip)
        edges = np.cross(np.roll(places, -1, axis=1), np.roll(places, -2, axis=1))
        area = (places[:, 0] * edges[:, 0]).sum(axis=-1)
        edges /= area[:, None, None]  # the weights of the corners: they add up to the place, with a w of 1
        bounds = _bounds(places, *bits.shape)
    fates = draw.fates[part].astype(np.int64)
    away = {AWAY_CLOCKWISE: area > 0, AWAY_COUNTERCLOCKWISE: area < 0}.get(draw.cull, np.zeros(len(area), bool))
    fates[(fates == 0) & away] = PrimitiveFate.CULLED
    names, heights = _heights(draw, clip)
    cuts = np.einsum("nkc,ncp->nkp", heights, edges)
    used = np.isfinite(edges).all(axis=(1, 2)) & (fates != PrimitiveFate.NOT_FINITE)
    rows = (np.ascontiguousarray(one[used]) for one in (edges, cuts, bounds, fates))
    edges, cuts, bounds, fates = rows
    left_out, culled = int(PrimitiveFate.LEFT), int(PrimitiveFate.CULLED)
    viewport = np.array(draw.viewport)
    for some in _shares(bounds):
        look()
        mark(edges[some], cuts[some], names, bounds[some], fates[some], viewport, left_out, culled, 1.0, bits)


def _heights(draw: Shape, clip: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(int64[k] fates, float64[n, k, corners]): planes that cut, and how far each corner is in front of them."""
    names, heights = list[int](), list[np.ndarray]()
    if draw.cuts_depth:
        names += [PrimitiveFate.NEAR, PrimitiveFate.FAR]
        heights += [clip[:, :, 2], clip[:, :, 3] - clip[:, :, 2]]
    if draw.clipped:
        names += range(PrimitiveFate.USER_0, PrimitiveFate.USER_0 + len(draw.planes))
        heights += [clip @ plane for plane in draw.planes]
    return np.array(names, np.int64), np.stack(heights, 1) if heights else np.zeros((len(clip), 0, clip.shape[1]))


def _places(draw: Shape, clip: np.ndarray) -> np.ndarray:
    """float64[n, 3, 3]: homogeneous places on the screen; in front of the eye, snapped as the rasteriser does."""
    sx, ox, sy, oy = draw.scale
    w = clip[:, :, 3]
    places = np.stack([clip[:, :, 0] * sx + w * ox, clip[:, :, 1] * sy + w * oy, w], axis=-1)
    before = (w > 0).all(axis=1)
    there = places[before]
    there[:, :, :2] = np.rint(there[:, :, :2] / there[:, :, 2:] * SUBPIXELS) / SUBPIXELS * there[:, :, 2:]
    places[before] = there
    return places


def _bounds(places: np.ndarray, height: int, width: int) -> np.ndarray:
    """int64[n, 4]: left, top, right, bottom, the last two excluded; all of the surface for what reaches behind the eye, nothing
    for what is behind it."""
    most = np.array([width, height])
    ahead = places[:, :, 2] > 0
    points = np.nan_to_num(places[:, :, :2] / places[:, :, 2:])
    low = np.clip(np.floor(points.min(axis=1)), 0, most)
    high = np.clip(np.ceil(points.max(axis=1)) + 1, 0, most)
    crossing, seen = ~np.all(ahead, axis=1, keepdims=True), np.any(ahead, axis=1, keepdims=True)
    low, high = np.where(crossing, 0, low), np.where(crossing, most, high)
    high = np.where(seen, high, 0)
    return np.concatenate([low, high], axis=1).astype(np.int64)
