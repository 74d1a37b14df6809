"""N-patches: triangles with normals become curved PN triangles (semantics section 13; Vlachos et al., 2001)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.cancel import look
from core.pipeline.draw_state.vertex_state import NORMAL
from core.pipeline.records.rows import INPUT_REGISTERS
from core.pipeline.vertex.assemble import IndexForm, reference_count
from core.pipeline.vertex.fetch import VertexLayout
from core.pipeline.vertex.input_registers import input_registers
from core.pipeline.vertex.patch import (
    Tessellation,
    edge_parameters,
    tessellation,
    triangle_exponents,
    triangle_indices,
    triangle_parameters,
    triangle_weights,
    unit_length,
)  # fmt: skip
from core.spec.enums import OrderType, PrimitiveType
from core.spec.states import RENDER_STATE_ID

MAX_TRIANGLES = 1 << 18
PIECE = 1 << 14  # generated vertices between two looks at whether to stop
_SEGMENTS = RENDER_STATE_ID["PATCHSEGMENTS"]
_POSITION_ORDER, _NORMAL_ORDER = RENDER_STATE_ID["POSITIONORDER"], RENDER_STATE_ID["NORMALORDER"]


def wants_npatches(vector: np.ndarray, layout: VertexLayout, kind: int) -> bool:
    """Whether triangles are to be curved: PATCHSEGMENTS above 1, positions and normals there, not on the screen already."""
    segments = float(vector[_SEGMENTS : _SEGMENTS + 1].view(np.float32)[0])
    present = int(layout.record["present"][0])
    return segments > 1 and kind >= PrimitiveType.TRIANGLELIST and bool(present & 1 and present >> NORMAL & 1)


@np.errstate(all="ignore")  # any floats may come
def tessellate_npatches(
    vector: np.ndarray, layout: VertexLayout, streams: Sequence[np.ndarray | None], *, kind: int, count: int, start: int = 0,
    stream_offset: int = 0, index_form: int = IndexForm.NONE, index_memory: np.ndarray | None = None, index_offset: int = 0,
) -> Tessellation:  # fmt: skip
    """Curved PN triangles of a draw of triangles; arguments as for Geometry.process.  Raises Cancelled."""
    segments = float(vector[_SEGMENTS : _SEGMENTS + 1].view(np.float32)[0])
    steps = len(edge_parameters(segments, False)) - 1
    drawn = min(count, MAX_TRIANGLES // (steps * steps))
    numbers = _vertex_numbers(kind, drawn, start, index_form, index_memory, index_offset)
    corners = numbers[triangle_corners(kind, len(numbers))]
    weights = triangle_parameters([np.arange(steps + 1) / steps] * 3, steps)
    cubic = int(vector[_POSITION_ORDER]) == OrderType.CUBIC
    quadratic = int(vector[_NORMAL_ORDER]) == OrderType.QUADRATIC
    registers, outside = np.empty((len(corners), len(weights), INPUT_REGISTERS, 4), np.float32), 0
    step = max(PIECE // len(weights), 1)
    for first in range(0, len(corners), step):
        look()
        values, beyond = input_registers(vector, layout, streams, corners[first : first + step].ravel(), stream_offset)
        corner_values = values.reshape(-1, 3, INPUT_REGISTERS, 4).astype(np.float64)
        registers[first : first + step] = curve(corner_values, weights, cubic, quadratic)
        outside += beyond
    base = np.arange(len(corners), dtype=np.uint32)[:, None, None] * len(weights)
    indices = (triangle_indices(steps)[None] + base).reshape(-1, 3)
    made = tessellation(layout, registers.reshape(-1, INPUT_REGISTERS, 4), indices.astype(np.uint32), steps * steps)
    return replace(made, outside=outside, left_out=count - drawn)


def _vertex_numbers(kind: int, count: int, start: int, form: int, memory: np.ndarray | None, offset: int) -> np.ndarray:
    """Vertex number of each reference of a draw; indices outside their memory are 0."""
    wanted = reference_count(kind, count)
    if form == IndexForm.NONE or memory is None:
        return start + np.arange(wanted, dtype=np.int64)
    size = 4 if form == IndexForm.DWORD else 2
    there = memory[max(offset, 0) : max(offset, 0) + wanted * size]
    there = there[: len(there) // size * size].view("<u4" if size == 4 else "<u2")
    return start + np.pad(there.astype(np.int64), (0, wanted - len(there)))


def triangle_corners(kind: int, references: int) -> np.ndarray:
    """int64[triangles, 3]: references of each triangle of a list, strip or fan, in the order in which they are emitted."""
    if kind == PrimitiveType.TRIANGLELIST:
        return np.arange(references // 3 * 3).reshape(-1, 3)
    k = np.arange(max(references - 2, 0))
    if kind == PrimitiveType.TRIANGLEFAN:
        return np.stack([k + 1, k + 2, np.zeros_like(k)], axis=-1)
    return np.stack([k, k + 1 + (k & 1), k + 2 - (k & 1)], axis=-1)


def curve(corners: np.ndarray, weights: np.ndarray, cubic: bool, quadratic: bool) -> np.ndarray:
    """float64[triangles, n, 17, 4] at barycentric weights [n, 3]; corners [triangles, 3, 17, 4].  Vlachos and others, 2001."""
    values = np.einsum("nk,tkrc->tnrc", weights, corners)
    position, normal = corners[:, :, 0, :3], corners[:, :, NORMAL, :3]
    if cubic:
        values[:, :, 0, :3] = np.einsum("np,tpc->tnc", triangle_weights(3, weights), pn_points(position, normal))
    if quadratic:
        values[:, :, NORMAL, :3] = unit_length(
            np.einsum("np,tpc->tnc", _quadratic_terms(weights), pn_normals(position, normal))
        )
    return values


def pn_points(p: np.ndarray, n: np.ndarray) -> np.ndarray:
    """[triangles, 10, 3] control points of PN triangles in the order of triangle_exponents(3)."""
    inner = {}
    for i in range(3):
        for j in range(3):
            if i != j:
                height = np.einsum("tc,tc->t", p[:, j] - p[:, i], n[:, i])[:, None]
                exponents = [0, 0, 0]
                exponents[i], exponents[j] = 2, 1
                inner[tuple(exponents)] = (2 * p[:, i] + p[:, j] - height * n[:, i]) / 3
    edge_mean, centre = sum(inner.values()) / 6, p.mean(axis=1)
    points = {
        (3, 0, 0): p[:, 0],
        (0, 3, 0): p[:, 1],
        (0, 0, 3): p[:, 2],
        (1, 1, 1): edge_mean + (edge_mean - centre) / 2,
        **inner,
    }
    return np.stack([points[exponents] for exponents in triangle_exponents(3)], axis=1)


def pn_normals(p: np.ndarray, n: np.ndarray) -> np.ndarray:
    """[triangles, 6, 3]: normals at the corners, then on the edges 0-1, 1-2, 2-0."""
    middle = []
    for i, j in ((0, 1), (1, 2), (2, 0)):
        edge, both = p[:, j] - p[:, i], n[:, i] + n[:, j]
        length = np.einsum("tc,tc->t", edge, edge)
        bend = 2 * np.einsum("tc,tc->t", edge, both) / np.where(length > 0, length, 1)
        middle.append(unit_length(both - bend[:, None] * edge))
    return np.stack([n[:, 0], n[:, 1], n[:, 2], *middle], axis=1)


def _quadratic_terms(weights: np.ndarray) -> np.ndarray:
    w, u, v = weights.T
    return np.stack([w * w, u * u, v * v, w * u, u * v, v * w], axis=-1)
