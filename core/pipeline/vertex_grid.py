"""What the vertex grid shows: the assembled inputs of each vertex and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.jit import array, i8, kernel
from core.pipeline.fetch import COMPONENTS, NOTHING, STREAM, VERTEX_LAYOUT, VertexLayout, default_inputs, fetch
from core.pipeline.geometry import Geometry
from core.pipeline.primitives import Field
from core.pipeline.rows import BATCH, INPUT_REGISTERS, ROWS
from core.pipeline.vertex_state import VertexKind
from core.simd import align_stack, pointer
from core.spec.slots import BASE

ALL_REGISTERS = (1 << INPUT_REGISTERS) - 1
NAMES = (
    "position", "blend weights", "blend indices", "normal", "point size", "diffuse", "specular",
    *(f"texture {i}" for i in range(8)), "position 2", "normal 2",
)  # fmt: skip
"""What the registers mean to the fixed function (D3DVSDE)."""


@kernel(i8(array(VERTEX_LAYOUT), array(STREAM), array("i8"), i8, array("f4"), array("i8"), array("f4", 3)))
def fetch_registers(layout, streams, numbers, count, rows, addresses, values):
    """Input registers of vertices into values[vertex, register, component]; returns the elements outside of their streams."""
    align_stack()
    shape, table, list_, scratch = pointer(layout, 0)[0], pointer(streams, 0), pointer(numbers, 0), pointer(rows, 0)
    default_inputs(shape, scratch)
    outside = 0
    for first in range(0, count, BATCH):
        lanes = min(BATCH, count - first)
        outside += fetch(shape, ALL_REGISTERS, table, list_, first, lanes, scratch, pointer(addresses, 0))
        for lane in range(lanes):
            for k in range(4 * INPUT_REGISTERS):
                values[first + lane, k >> 2, k & 3] = rows[k * BATCH + lane]
    return outside


def stream_table(
    vector: np.ndarray, layout: VertexLayout, streams: Sequence[np.ndarray | None], offset: int = 0
) -> tuple[np.ndarray, list[Any]]:
    """STREAM rows for bound streams, and what must stay alive while they are used."""
    own_stride = int(layout.record["stride"][0])
    table, nothing = np.zeros(NOTHING + 1, STREAM), np.zeros(16, np.uint8)
    table["address"][NOTHING] = nothing.ctypes.data
    for i, stream in enumerate(streams):
        table["stride"][i] = own_stride or vector[BASE["stream"] + 3 * i + 1]
        if stream is not None:
            table["address"][i], table["size"][i] = stream.ctypes.data, stream.size
    table["start"][0] = offset
    return table, [nothing, *streams]


def input_registers(
    vector: np.ndarray, layout: VertexLayout, streams: Sequence[np.ndarray | None], numbers: np.ndarray, stream_offset: int = 0
) -> tuple[np.ndarray, int]:
    """float32[vertices, 17, 4] for vertex numbers (int), and how many elements lie outside of their streams (read as zeros)."""
    table, alive = stream_table(vector, layout, streams, stream_offset)
    padded = np.concatenate([np.asarray(numbers, np.int64), np.zeros(BATCH, np.int64)])
    values = np.zeros((len(numbers), INPUT_REGISTERS, 4), np.float32)
    outside = fetch_registers(
        layout.record, table, padded, len(numbers), np.zeros(ROWS * BATCH, np.float32), np.zeros(BATCH, np.int64), values
    )
    del alive
    return values, int(outside)


# ---- the grid ----------------------------------------------------------------------------------

OUTPUTS = {
    "screen": (Field.X, 3), "rhw": (Field.RHW, 1), "diffuse": (Field.DIFFUSE, 4), "specular": (Field.SPECULAR, 4),
    "fog": (Field.FOG, 1), "point size": (Field.POINT_SIZE, 1),
    **{f"texture {i}": (Field.TEXCOORD + 4 * i, 4) for i in range(8)},
}  # fmt: skip


@dataclass(frozen=True)
class VertexGrid:
    """The vertices that a draw fetched, one row each."""

    numbers: np.ndarray  # vertex number in the streams
    references: np.ndarray  # row of each index of the draw, in drawing order
    inputs: dict[str, np.ndarray]  # by usage (by register for a shader): float32[n, components]
    outputs: dict[str, np.ndarray]  # "clip" is the position in clip space
    codes: np.ndarray  # bit f - 1: outside by primitives.Fate f
    fates: np.ndarray  # primitives.Fate of each primitive
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
