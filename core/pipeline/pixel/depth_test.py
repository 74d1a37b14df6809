"""Depth test: compare the fragment's depth with the stored one (semantics section 4)."""

from __future__ import annotations

from collections import namedtuple

from core.kernels.jit import stage
from core.kernels.simd import select, shift_right
from core.spec.enums import CmpFunc

SIGN = -0x80000000

# fields of a PIXEL_STATE
DepthTest = namedtuple("DepthTest", "z_enable z_func z_write depth_bits depth_shift depth_mask depth_keep depth_max")


@stage
def hold_depth(state):
    """What the depth test asks a state for: stores to the surfaces would have it read again."""
    return DepthTest(state.z_enable, state.z_func, state.z_write, state.depth_bits, state.depth_shift, state.depth_mask,
                     state.depth_keep, state.depth_max)  # fmt: skip


@stage
def compare(func, a, b):
    """Lanes where a func b; works on floats and integers."""
    if func == CmpFunc.LESSEQUAL:
        return a <= b
    elif func == CmpFunc.LESS:
        return a < b
    elif func == CmpFunc.EQUAL:
        return a == b
    elif func == CmpFunc.GREATER:
        return a > b
    elif func == CmpFunc.NOTEQUAL:
        return a != b
    elif func == CmpFunc.GREATEREQUAL:
        return a >= b
    elif func == CmpFunc.ALWAYS:
        return a == a
    return a != a


@stage
def depth_test(state, depth, stored, mask):
    """The lanes of mask that pass; stored: depth-stencil words."""
    if not state.z_enable:
        return mask
    if state.depth_bits == 32:  # unsigned: flip the sign bits
        return mask & compare(state.z_func, depth ^ SIGN, stored ^ SIGN)
    return mask & compare(state.z_func, depth, shift_right(stored, state.depth_shift) & state.depth_mask)


@stage
def write_depth(state, stored, depth, mask):
    """The depth-stencil words with the new depth in the lanes of mask."""
    if state.z_write:
        return select(mask, depth << state.depth_shift | (stored & state.depth_keep), stored)
    return stored
