"""Alpha test: compare alpha, rounded to 8 bits, with ALPHAREF (semantics section 4)."""

from __future__ import annotations

from core.kernels.jit import stage
from core.kernels.simd import to_int_in_range, vint
from core.pipeline.pixel.depth_test import compare


@stage
def alpha_test(state, alpha, mask):
    """The lanes of mask that pass; alpha in 0..1."""
    if state.alpha_test_enable:
        return mask & compare(state.alpha_func, to_int_in_range(alpha * 255.0 + 0.5), vint(state.alpha_ref))
    return mask
