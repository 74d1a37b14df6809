"""Sixteen-lane vectors, colours, pointers and structures: compiled, or their plain numpy twins.

Stages take structs, pointers, vectors and masks, and return vectors or masks; they read like scalar code:

    color = lerp(fog, color, factor)      x + t*(y-x); vfloat op vfloat, vfloat op number, Color op vfloat ...
    stored = load_int(depth, pixel)       sixteen consecutive words
    passed = mask & (new <= stored)       a vmask: select(mask, a, b), any_lane(mask), mask_bits(mask)
    state.stage[i].color_op               struct fields; nested arrays are pointers

Values     LANES vfloat vint vdouble Color gray with_alpha
Convert    to_int to_int_in_range floor_to_int to_uint to_float float_bits bits_float mask_bits mask_from_bits any_lane
           all_lanes lane first_bit
Arithmetic + - * / & | ^ << >> comparisons, mad lerp minimum maximum saturate floor ceil trunc round_even sqrt absolute
           shift_right below select byte_in_halves multiply_halves shift_right_halves
Memory     Pointer(dtype) pointer(array, start) advance record_at(dtype)(memory, index) memory_at(address)
           calling(signature)(address, (arguments ...)) atomic_add align_stack
           load_float load_int store_float store_int stream_int prefetch gather gather_float gather_quads scatter
           scatter_float transpose words_at(addresses, first, offset) store_quads(memory, at, pitch, color)
Lanes      lane_number lane_x lane_y quad_left quad_right quad_top quad_bottom picking(lanes ...)(vector)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.kernels.jit import JIT_DISABLED

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Two implementations, vectors that numbers widen to: more than the type checker can follow."""

elif JIT_DISABLED:
    from core.kernels.simd.plain.memory import *  # noqa: F403
    from core.kernels.simd.plain.vectors import *  # noqa: F403
else:
    from core.kernels.simd.compiled.halves import *  # noqa: F403
    from core.kernels.simd.compiled.memory import *  # noqa: F403
    from core.kernels.simd.compiled.structures import *  # noqa: F403
    from core.kernels.simd.compiled.vectors import *  # noqa: F403
