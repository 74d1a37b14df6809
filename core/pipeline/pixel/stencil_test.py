"""Stencil test and stencil operations (semantics section 4)."""

from __future__ import annotations

from core.kernels.jit import stage
from core.kernels.simd import maximum, minimum, select, shift_right, vint
from core.pipeline.pixel.depth_test import compare
from core.spec.enums import StencilOp


@stage
def stencil_test(state, stored, mask):
    """The lanes of mask that pass; the reference stands on the left of the comparison."""
    if state.stencil_enable:
        value = shift_right(stored, state.stencil_shift) & (state.stencil_mask & state.stencil_max)
        reference = vint(state.stencil_ref & state.stencil_mask & state.stencil_max)
        return mask & compare(state.stencil_func, reference, value)
    return mask


@stage
def stencil_operation(op, value, reference, largest):
    """The new stencil values before the write mask."""
    if op == StencilOp.ZERO:
        return vint(0)
    elif op == StencilOp.REPLACE:
        return vint(reference & largest)
    elif op == StencilOp.INCRSAT:
        return minimum(value + 1, largest)
    elif op == StencilOp.DECRSAT:
        return maximum(value - 1, 0)
    elif op == StencilOp.INVERT:
        return ~value & largest
    elif op == StencilOp.INCR:
        return (value + 1) & largest
    elif op == StencilOp.DECR:
        return (value - 1) & largest
    return value


@stage
def write_stencil(state, stored, words, covered, stencil_ok, depth_ok):
    """The words with new stencil values; stored: the words before, the masks say how far each lane came."""
    if not state.stencil_enable:
        return words
    largest, reference = state.stencil_max, state.stencil_ref
    old = shift_right(stored, state.stencil_shift) & largest
    new = select(depth_ok, stencil_operation(state.stencil_pass, old, reference, largest),
                 select(stencil_ok, stencil_operation(state.stencil_zfail, old, reference, largest),
                        stencil_operation(state.stencil_fail, old, reference, largest)))  # fmt: skip
    write = state.stencil_write_mask & largest
    new = (new & write) | (old & (write ^ largest))
    return select(covered, (words & state.stencil_keep) | (new << state.stencil_shift), words)
