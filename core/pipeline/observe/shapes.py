"""Shapes: the primitives of draws on their way to the screen, kept for later questions (core.pipeline.explain.misses)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

import numpy as np

from core.kernels.jit import array, i8, kernel, outlined, stage
from core.kernels.simd import advance, load_int, pointer, record_at, store_int
from core.matrices import float_bits
from core.pipeline.draw_state.vertex_state import USER_PLANES, VertexKind
from core.pipeline.geometry import Geometry
from core.pipeline.records.primitives import VERTEX_FLOATS, VertexField
from core.pipeline.records.recycle import recycled, recycled_copy
from core.pipeline.vertex.assemble import IndexForm
from core.pipeline.vertex.clip import LISTED
from core.pipeline.vertex.npatch import triangle_corners
from core.pipeline.vertex.vertex_kernel import WORK
from core.spec.enums import PrimitiveType
from core.spec.slots import BASE
from core.spec.states import RENDER_STATE_ID

LINES = (PrimitiveType.LINELIST, PrimitiveType.LINESTRIP)
CULLMODE, CLIPPING, ZENABLE, PLANES_ENABLED = (
    BASE["render_state"] + RENDER_STATE_ID[name] for name in ("CULLMODE", "CLIPPING", "ZENABLE", "CLIPPLANEENABLE")
)
VIEWPORT, DEPTH_STENCIL, CLIP_PLANE = BASE["viewport"], BASE["depth_stencil"], BASE["clip_plane"]
VIEW, PROJECTION = BASE["view"], BASE["projection"]
PLANE_WORDS = 32 + 4 * USER_PLANES


@dataclass(frozen=True, slots=True)
class Shape:
    """The primitives of one draw on their way to the screen, and what cuts them.

    corners: int32[n, 1..3], rows of clip: float32[v, 4]; fates: uint8[n]; numbers: of the generated primitives per primitive
    of the application.  scale: screen x y w = clip x y w times a matrix, as sx, ox, sy, oy (x * sx + w * ox, y * sy + w * oy).
    planes: float64[6, 4] in clip space, zero where none is enabled.  cuts_depth: near and far cut.
    """

    event: int
    kind: int
    corners: np.ndarray
    clip: np.ndarray
    sizes: np.ndarray
    fates: np.ndarray
    per_primitive: int
    viewport: tuple[float, float, float, float]
    scale: tuple[float, float, float, float]
    cull: int
    cuts_depth: bool
    planes: np.ndarray
    clipped: bool


# ---- as they are kept ----------------------------------------------------------------------------------

ENTRY = np.dtype([
    ("words", "i8"),                            # of the whole entry
    ("event", "i8"),
    ("surfaces", "i4"),                         # what was drawn to: a number that the caller gives
    ("type", "i4"), ("count", "i4"), ("per_primitive", "i4"), ("vertex_kind", "i4"),
    ("rows", "i4"),                             # vertices
    ("references", "i4"), ("flagged", "i4"),    # 0 references: the vertices, one after the other; flagged: each fourth is flags
    ("viewport", "u4", 4), ("cull", "u4"), ("clipping", "u4"), ("z_enable", "u4"), ("depth", "u4"), ("planes", "u4"),
    ("unused", "u4"),
])  # fmt: skip
"""Begins a draw's entry in memory of words.  Then: positions (sixteen x, sixteen y, z, w, and so on), references, point sizes,
fates, a word each; view, projection and clip planes if there are any."""
HEAD_WORDS, CHUNK_WORDS = ENTRY.itemsize // 4, 1 << 18
entry_at = record_at(ENTRY)


@stage
def _in_order(draw, references):
    """Whether the references are the vertices, one after the other."""
    last = draw.index_count - 1
    return (draw.index_form == IndexForm.NONE and last >= 0 and references[0] == draw.base
            and references[last] == draw.base + last)  # fmt: skip


@outlined
def keep_shape(job, vector, indices, vertices, positions, fates, chunk, at, room, event, surfaces, per_primitive):
    """Writes what the vertex half has just made of a draw to chunk[at...]; where the next entry goes, or minus what it takes.

    job ... fates: as vertex_half left them; chunk: `room` words.
    """
    draw, rows = job.draw, job.counters[LISTED]
    references = advance(indices, job.references)
    named = 0 if _in_order(draw, references) else np.int64(draw.index_count)
    sized = rows if draw.type == PrimitiveType.POINTLIST else 0
    blocks, planes = (rows + 15) // 16 * 64, vector[PLANES_ENABLED]
    words = HEAD_WORDS + blocks + named + sized + draw.count + (PLANE_WORDS if planes else 0)
    words += words & 1
    if at + words > room:
        return -words
    entry = entry_at(advance(chunk, at), 0)
    entry.words, entry.event, entry.surfaces, entry.per_primitive = words, event, surfaces, per_primitive
    entry.type, entry.count, entry.vertex_kind, entry.rows = draw.type, draw.count, job.state.kind, rows
    entry.references, entry.flagged = named, draw.index_form == IndexForm.FLAGGED
    for n in range(4):
        entry.viewport[n] = vector[VIEWPORT + n]
    entry.cull, entry.clipping, entry.z_enable = vector[CULLMODE], vector[CLIPPING], vector[ZENABLE]
    entry.depth, entry.planes = vector[DEPTH_STENCIL], planes
    out = advance(chunk, at + HEAD_WORDS)
    for n in range(0, blocks, 16):
        store_int(out, n, load_int(positions, n))
    out = advance(out, blocks)
    for n in range(named):
        out[n] = np.uint32(references[n] - draw.base)
    out = advance(out, named)
    for n in range(sized):
        out[n] = float_bits(vertices[n * VERTEX_FLOATS + VertexField.POINT_SIZE])
    out = advance(out, sized)
    for n in range(draw.count):
        out[n] = fates[n]
    if planes:
        _copy_planes(vector, advance(out, draw.count))
    return at + words


@stage
def _copy_planes(vector, out):
    for n in range(16):
        out[n], out[16 + n] = vector[VIEW + n], vector[PROJECTION + n]
    for n in range(4 * USER_PLANES):
        out[32 + n] = vector[CLIP_PLANE + n]


@kernel(i8(array(WORK), array("u4"), array("i4"), array("f4", 2), array("f4"), array("u1"), array("u4"), i8, i8, i8, i8))
def _keep(work, vector, indices, vertices, positions, fates, chunk, at, event, surfaces, per_primitive):
    """keep_shape over arrays."""
    return keep_shape(
        pointer(work, 0)[0], pointer(vector, 0), pointer(indices, 0), pointer(vertices, 0), pointer(positions, 0),
        pointer(fates, 0), pointer(chunk, 0), at, chunk.size, event, surfaces, per_primitive,
    )  # fmt: skip


class Shapes:
    """Draws as the vertex half left them, one after another in `chunk` and those before it; a Shape each when somebody asks.

    A kernel that keeps shapes too (keep_shape) writes from `at` on, and sets it.
    """

    def __init__(self) -> None:
        self._full: list[np.ndarray] = []
        self.chunk, self.at = np.zeros(0, np.uint32), 0

    @property
    def size(self) -> int:
        """Bytes."""
        return 4 * (sum(map(len, self._full)) + self.at)

    def arrays(self) -> list[np.ndarray]:
        """The memory of all."""
        return [*self._full, self.chunk]

    def trim(self) -> None:
        """No more come: gives back what is left of the last chunk."""
        if 2 * self.at <= len(self.chunk):
            self.chunk = recycled_copy(self.chunk[: self.at])

    def make_room(self, words: int) -> None:
        """For this many words in one piece."""
        if self.at:
            self._full.append(self.chunk[: self.at])
        self.chunk, self.at = recycled(max(words, CHUNK_WORDS)), 0

    def add(self, event: int, surfaces: int, vector: np.ndarray, geometry: Geometry) -> None:
        """The last draw of `geometry`, with these registers; none if it had no vertices."""
        if not geometry.listed:
            return
        while (end := _keep(geometry.work, vector, geometry.indices, geometry.vertices, geometry.position_rows, geometry.fates,
                            self.chunk, self.at, event, surfaces, geometry.drawn[2])) < 0:  # fmt: skip
            self.make_room(-end)
        self.at = end

    def of(self, surfaces: Container[int]) -> Iterator[Shape]:
        """Those of draws to any of these, in order."""
        for chunk in (*self._full, self.chunk[: self.at]):
            at = 0
            while at < len(chunk):
                entry = chunk[at : at + HEAD_WORDS].view(ENTRY)[0]
                if int(entry["surfaces"]) in surfaces:
                    yield _shape(entry, chunk[at + HEAD_WORDS : at + int(entry["words"])])
                at += int(entry["words"])


# ---- as they are asked for -------------------------------------------------------------------------------


def _shape(entry: np.void, words: np.ndarray) -> Shape:
    """An entry and what follows it."""
    kind, count, rows, named = (int(entry[name]) for name in ("type", "count", "rows", "references"))
    ends = np.cumsum([(rows + 15) // 16 * 64, named, rows if kind == PrimitiveType.POINTLIST else 0, count]).tolist()
    positions, references, sizes, fates, planes = (
        words[begin:end] for begin, end in zip([0, *ends], [*ends, ends[-1] + PLANE_WORDS], strict=True)
    )
    clip = np.ascontiguousarray(positions.view(np.float32).reshape(-1, 4, 16).transpose(0, 2, 1).reshape(-1, 4)[:rows])
    left, top, width, height = (float(n) for n in entry["viewport"])
    transformed, clipping = entry["vertex_kind"] == VertexKind.TRANSFORMED, bool(entry["clipping"])
    scale = (1.0, 0.0, 1.0, 0.0) if transformed else (width / 2, left + width / 2, -height / 2, top + height / 2)
    used = references.view(np.int32) if named else np.arange(rows, dtype=np.int32)
    if entry["flagged"]:
        used = used.reshape(-1, 4)[:, :3].reshape(-1)
    corners = used[_corners(kind, len(used))][:count]
    cuts_depth = not transformed or bool(entry["z_enable"] and entry["depth"])  # as in bind_viewport
    cutting = np.zeros((USER_PLANES, 4))
    if entry["planes"] and clipping and not transformed:
        cutting = _user_planes(planes.view(np.float32), int(entry["vertex_kind"]), int(entry["planes"]))
    return Shape(
        int(entry["event"]), kind, corners, clip, sizes.view(np.float32), fates[: len(corners)].astype(np.uint8),
        int(entry["per_primitive"]), (left, top, left + width, top + height), scale, int(entry["cull"]), cuts_depth, cutting,
        bool(cutting.any()),
    )  # fmt: skip


def _corners(kind: int, references: int) -> np.ndarray:
    """int64[primitives, 1..3]: which references each primitive takes."""
    if kind == PrimitiveType.POINTLIST:
        return np.arange(references)[:, None]
    if kind in LINES:
        first = np.arange(0, max(references - 1, 0), 2 if kind == PrimitiveType.LINELIST else 1)
        return np.stack([first, first + 1], axis=-1)
    return triangle_corners(kind, references)


def _user_planes(words: np.ndarray, vertex_kind: int, enabled: int) -> np.ndarray:
    """The enabled user planes in clip space, float64[6, 4]; words: float32, view, projection and planes as given."""
    planes = np.zeros((USER_PLANES, 4))
    given = words[32:].reshape(USER_PLANES, 4).astype(np.float64)
    view, projection = (words[first : first + 16].reshape(4, 4).astype(np.float64) for first in (0, 16))
    for k in range(USER_PLANES):
        if enabled >> k & 1:
            planes[k] = given[k]
            if vertex_kind == VertexKind.FIXED:
                planes[k] = np.linalg.lstsq(view @ projection, planes[k], rcond=None)[0]
    return planes
