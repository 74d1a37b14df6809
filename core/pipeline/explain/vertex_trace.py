"""One vertex through a vertex shader, instruction by instruction, for the shader debugger.

The same functions run as in a draw, one instruction at a time, so the values are the draw's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.kernels.jit import array, kernel, void
from core.kernels.simd import advance, align_stack, lane, pointer, record_at
from core.pipeline.draw_state.vertex_state import VERTEX_REGISTERS, VERTEX_STATE
from core.pipeline.records.rows import ADDRESS, BATCH, INPUT_REGISTERS, MOST_NUMBER, OUTPUT, SCRATCH_FLOATS
from core.pipeline.vertex.fetch import STREAM, VERTEX_LAYOUT, VertexLayout, default_inputs, fetch
from core.pipeline.vertex.input_registers import ALL_REGISTERS, stream_table
from core.pipeline.vertex.vertex_kernel import default_outputs
from core.pipeline.vertex.vshader import VERTEX_INSTRUCTION, clear_registers, load_constants, read, run_program
from core.spec.slots import BASE
from core.spec.states import RENDER_STATE_ID

STEP = np.dtype([
    ("source", "f4", (3, 4)),   # values read: swizzled and negated
    ("before", "f4", 4),        # the destination register
    ("after", "f4", 4),
    ("address", "f4"),          # a0.x that the instruction saw
])  # fmt: skip

_registers = record_at(VERTEX_REGISTERS)
_POINT_SIZE = BASE["render_state"] + RENDER_STATE_ID["POINTSIZE"]


@kernel(void(
    array(VERTEX_LAYOUT), array(STREAM), array("i4"), array(VERTEX_INSTRUCTION), array("u4"), array(VERTEX_STATE), array("f4"),
    array("i8"), array(STEP), array("f4"),
))  # fmt: skip
def trace_program(layout, streams, numbers, program, vector, state, rows, addresses, steps, outputs):
    """Fills a step per instruction, and the 48 output rows (position in clip space), for vertex numbers[0]."""
    align_stack()
    shape, scratch, code = pointer(layout, 0)[0], pointer(rows, 0), pointer(program, 0)
    constants = _registers(pointer(vector, 0), 0).vs_const
    default_inputs(shape, scratch, 1)
    default_outputs(pointer(state, 0)[0], scratch, 1)
    clear_registers(scratch)
    load_constants(code, program.size, constants, scratch)
    fetch(shape, ALL_REGISTERS, pointer(streams, 0), pointer(numbers, 0), 0, 1, scratch, pointer(addresses, 0))
    for pc in range(program.size):
        step, instruction = pointer(steps, pc)[0], code[pc]
        step.address = scratch[ADDRESS * BATCH]
        for k in range(instruction.source_count):
            value = read(scratch, constants, instruction.source[k], 0)
            step.source[4 * k], step.source[4 * k + 1] = lane(value.r, 0), lane(value.g, 0)
            step.source[4 * k + 2], step.source[4 * k + 3] = lane(value.b, 0), lane(value.a, 0)
        for k in range(4):
            step.before[k] = scratch[instruction.destination + k * BATCH]
        run_program(advance(code, pc), 1, constants, scratch, 1)
        for k in range(4):
            step.after[k] = scratch[instruction.destination + k * BATCH]
    for k in range(48):
        outputs[k] = scratch[(OUTPUT + k) * BATCH]


@dataclass(frozen=True)
class VertexTrace:
    """What a vertex shader did to one vertex."""

    inputs: np.ndarray  # float32[17, 4]: v0 .. v16
    steps: np.ndarray  # STEP rows, one per instruction of the program
    outputs: np.ndarray  # float32[48] by primitives.VertexField, before clamps; the position is in clip space


def trace_vertex(
    vector: np.ndarray, layout: VertexLayout, program: np.ndarray, streams: Sequence[np.ndarray | None], number: int,
    stream_offset: int = 0,
) -> VertexTrace:  # fmt: skip
    """Runs a compiled program for vertex `number` of the streams, with the constants of the register vector."""
    table, alive = stream_table(vector, layout, streams, stream_offset)
    state = np.zeros(1, VERTEX_STATE)
    state["point_size"] = vector[_POINT_SIZE : _POINT_SIZE + 1].view(np.float32)
    rows, steps, outputs = np.zeros(SCRATCH_FLOATS, np.float32), np.zeros(len(program), STEP), np.zeros(48, np.float32)
    numbers, addresses = np.full(BATCH, min(max(number, -1), MOST_NUMBER), np.int32), np.zeros(BATCH, np.int64)
    trace_program(layout.record, table, numbers, program, vector, state, rows, addresses, steps, outputs)
    del alive
    inputs = rows[: 4 * INPUT_REGISTERS * BATCH : BATCH].reshape(INPUT_REGISTERS, 4)
    return VertexTrace(inputs.copy(), steps, outputs)
