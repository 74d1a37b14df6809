"""Where triangles would be, were they not culled or clipped: of each pixel of a surface, why some are not drawn there.

The history of a pixel names such triangles one by one (core.pipeline.explain.misses); here they are drawn, by the rules of the
rasteriser: corners in 1/256 pixel, pixels on an edge belong to a triangle to their right or below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.cancel import cancellable, look
from core.pipeline.explain.misses import AWAY_CLOCKWISE, AWAY_COUNTERCLOCKWISE, FEWER
from core.pipeline.observe.shapes import Shape
from core.pipeline.records.layout import SUBPIXELS
from core.pipeline.records.primitives import PrimitiveFate
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.pixels.pixel import handle_of, pieces

if TYPE_CHECKING:
    from inspector.capture import Capture

A_PIECE = 2000
"""Triangles that are prepared between two looks at Stop."""
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
    """int32[height, width]: bit PrimitiveFate for each reason for which triangles of events first..last are not drawn at a
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
            if piece.first <= draw.event <= piece.last and draw.kind not in FEWER and len(draw.corners):
                with cancellable(cancel):
                    mark_missed(draw, bits)
    return bits


def mark_missed(draw: Shape, bits: np.ndarray) -> None:
    """Sets the bits of what the triangles of a draw miss: int32[height, width]."""
    for at in range(0, len(draw.corners), A_PIECE):
        look()
        _mark(draw, slice(at, at + A_PIECE), bits)


def _mark(draw: Shape, part: slice, bits: np.ndarray) -> None:
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
    names, cuts = _cuts(draw, clip, edges)
    used = np.isfinite(edges).all(axis=(1, 2)) & (fates != PrimitiveFate.NOT_FINITE)
    rows = (np.ascontiguousarray(one[used]) for one in (edges, cuts, bounds, fates))
    edges, cuts, bounds, fates = rows
    left_out, culled = int(PrimitiveFate.LEFT), int(PrimitiveFate.CULLED)
    viewport = np.array(draw.viewport)
    work = np.cumsum((bounds[:, 2:] - bounds[:, :2]).clip(0).prod(axis=1)) // WORK
    for some in np.split(np.arange(len(fates)), np.flatnonzero(np.diff(work)) + 1):
        look()
        mark(edges[some], cuts[some], names, bounds[some], fates[some], viewport, left_out, culled, 1.0, bits)


def _cuts(draw: Shape, clip: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(int64[k] fates, float64[n, k, 3]): planes that cut, over the screen: negative beyond them."""
    names, heights = list[int](), list[np.ndarray]()
    if draw.cuts_depth:
        names += [PrimitiveFate.NEAR, PrimitiveFate.FAR]
        heights += [clip[:, :, 2], clip[:, :, 3] - clip[:, :, 2]]
    if draw.clipped:
        names += range(PrimitiveFate.USER_0, PrimitiveFate.USER_0 + len(draw.planes))
        heights += [clip @ plane for plane in draw.planes]
    cuts = np.stack([np.einsum("nc,ncp->np", height, edges) for height in heights], 1) if heights else edges[:, :0]
    return np.array(names, np.int64), cuts


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
