"""The input registers of vertices as an array, for tessellation and for inspecting single vertices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.kernels.jit import array, i8, kernel
from core.kernels.simd import align_stack, pointer
from core.pipeline.records.rows import BATCH, INPUT_REGISTERS, MOST_NUMBER, ROWS
from core.pipeline.vertex.fetch import NOTHING, NOTHING_BYTES, STREAM, VERTEX_LAYOUT, VertexLayout, default_inputs, fetch
from core.spec.slots import BASE

ALL_REGISTERS = (1 << INPUT_REGISTERS) - 1


@kernel(i8(array(VERTEX_LAYOUT), array(STREAM), array("i4"), i8, array("f4"), array("i8"), array("f4", 3)))
def fetch_registers(layout, streams, numbers, count, rows, addresses, values):
    """Input registers of vertices into values[vertex, register, component]; returns the elements outside their streams."""
    align_stack()
    shape, table, list_, scratch = pointer(layout, 0)[0], pointer(streams, 0), pointer(numbers, 0), pointer(rows, 0)
    default_inputs(shape, scratch, BATCH)
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
    table, nothing = np.zeros(NOTHING + 1, STREAM), np.zeros(NOTHING_BYTES, np.uint8)
    table["address"][NOTHING] = nothing.ctypes.data
    for i, stream in enumerate(streams):
        table["stride"][i] = own_stride or vector[BASE["stream"] + 3 * i + 1]
        if stream is not None:
            table["address"][i], table["size"][i] = stream.ctypes.data, stream.size
    table["start"][0] = offset
    return table, [nothing, *streams]


def confined(numbers: np.ndarray, table: np.ndarray, layout: VertexLayout) -> np.ndarray:
    """Vertices that no stream has become the one after the last, as in draws: a number times a stride is a number, too."""
    used = table[list(layout.streams)]
    used = used[used["stride"] > 0]
    limit = min(int((-(-(used["size"] - used["start"]) // used["stride"])).max(initial=0)), MOST_NUMBER)
    return np.where((numbers < 0) | (numbers > limit), limit, numbers).astype(np.int32)


def input_registers(
    vector: np.ndarray, layout: VertexLayout, streams: Sequence[np.ndarray | None], numbers: np.ndarray, stream_offset: int = 0
) -> tuple[np.ndarray, int]:
    """float32[vertices, 17, 4] for vertex numbers (int), and how many elements lie outside their streams (read as zeros)."""
    table, alive = stream_table(vector, layout, streams, stream_offset)
    padded = np.concatenate([confined(np.asarray(numbers, np.int64), table, layout), np.zeros(BATCH, np.int32)])
    values = np.zeros((len(numbers), INPUT_REGISTERS, 4), np.float32)
    outside = fetch_registers(
        layout.record, table, padded, len(numbers), np.zeros(ROWS * BATCH, np.float32), np.zeros(BATCH, np.int64), values
    )
    del alive
    return values, int(outside)
