"""The data of the vertex grid: the assembled inputs and the fate of each vertex."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.pipeline.draw_state.vertex_state import VertexKind
from core.pipeline.geometry import Geometry
from core.pipeline.records.primitives import VertexField
from core.pipeline.vertex.fetch import COMPONENTS, VertexLayout
from core.pipeline.vertex.input_registers import input_registers

NAMES = (
    "position", "blend weights", "blend indices", "normal", "point size", "diffuse", "specular",
    *(f"texture {i}" for i in range(8)), "position 2", "normal 2",
)  # fmt: skip
"""What the registers mean to the fixed function (D3DVSDE)."""

OUTPUTS = {
    "screen": (VertexField.X, 3), "rhw": (VertexField.RHW, 1), "diffuse": (VertexField.DIFFUSE, 4),
    "specular": (VertexField.SPECULAR, 4), "fog": (VertexField.FOG, 1), "point size": (VertexField.POINT_SIZE, 1),
    **{f"texture {i}": (VertexField.TEXCOORD + 4 * i, 4) for i in range(8)},
}  # fmt: skip


@dataclass(frozen=True)
class VertexGrid:
    """The vertices that a draw fetched, one row each."""

    numbers: np.ndarray  # vertex number in the streams
    references: np.ndarray  # row of each index of the draw, in drawing order
    inputs: dict[str, np.ndarray]  # by usage (by register for a shader): float32[n, components]
    outputs: dict[str, np.ndarray]  # "clip" is the position in clip space
    codes: np.ndarray  # bit f - 1: outside by primitives.PrimitiveFate f
    fates: np.ndarray  # primitives.PrimitiveFate of each primitive
    elements_outside: int


def inspect_vertices(
    vector: np.ndarray,
    layout: VertexLayout,
    *,
    streams: Sequence[np.ndarray | None],
    count: int,
    stream_offset: int = 0,
    **draw: Any,
) -> VertexGrid:
    """Inputs and outputs of the vertices of a draw; arguments as for Geometry.process."""
    geometry = Geometry()
    geometry.process(vector, layout, streams=streams, count=count, stream_offset=stream_offset, **draw)
    numbers = geometry.numbers.copy()
    values, outside = input_registers(vector, layout, streams, numbers, stream_offset)
    rows = len(numbers)
    outputs = {"clip": geometry.positions[:rows].copy()}
    outputs |= {name: geometry.vertices[:rows, at : at + size].copy() for name, (at, size) in OUTPUTS.items()}
    return VertexGrid(
        numbers, geometry.references.copy(), named_inputs(layout, values), outputs, geometry.codes[:rows].copy(),
        geometry.fates[:count].copy(), outside,
    )  # fmt: skip


def named_inputs(layout: VertexLayout, values: np.ndarray) -> dict[str, np.ndarray]:
    """`input_registers` by usage (by register for a shader): what the layout fills, as many components as the vertex has."""
    found = {}
    for element in layout.elements:
        register = int(element["register"])
        name = f"v{register}" if layout.kind == VertexKind.SHADER else NAMES[register]
        found[name] = values[:, register, : COMPONENTS[int(element["type"])]]
    return found
