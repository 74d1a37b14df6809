"""The short way of plain draws: the depth test is the only one, the colour is the diffuse one or the same for all pixels.

`shade_block` comes to the same words; a third of its time goes into asking for what such a draw has not.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import stage
from core.kernels.simd import any_lane, load_int, mask_from_bits, store_int, vint
from core.pipeline.draw_state.bind_plain import Plain
from core.pipeline.pixel.depth_test import depth_test, write_depth
from core.pipeline.pixel.interpolate import block_offset, interpolate_diffuse, interpolate_step, interpolate_w
from core.pipeline.pixel.output import write_color, write_pixel


@stage
def shade_plain(state, triangle, color_buffer, depth_buffer, x, y, block, lanes):
    """Draws the covered lanes of one block; arguments as those of shade_block."""
    place = np.intp(block) * 16
    dx, dy = block_offset(triangle, x, y)
    depth, stored_depth = interpolate_step(state, triangle, dx, dy), load_int(depth_buffer, place)
    passed = depth_test(state, depth, stored_depth, mask_from_bits(lanes))
    if not any_lane(passed):
        return
    store_int(depth_buffer, place, write_depth(state, stored_depth, depth, passed))
    if state.color_write:
        stored_color = load_int(color_buffer, place)
        if state.plain == Plain.CONSTANT:
            store_int(color_buffer, place, write_pixel(state, vint(state.plain_pixel), stored_color, passed))
        else:
            color = interpolate_diffuse(state, triangle, dx, dy, interpolate_w(triangle, dx, dy))
            store_int(color_buffer, place, write_color(state, color, stored_color, passed))
