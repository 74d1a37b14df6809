"""Records read by the pixel half: the draw's state, triangles, covered blocks, the layout of the target.

Colour and depth are one uint32 a pixel in the target's own format, block-major: tile (64x64) -> 256 blocks of 4x4 -> 16
pixels, all row by row; sample s of a multisampled target lies s * `sample_stride` words further.

`bind_pixel_state` (core.pipeline.draw_state.bind) fills a PIXEL_STATE from the register vector.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from core.pipeline.records.stage_state import MAX_INSTRUCTIONS, PIXEL_INSTRUCTION, STAGES, TEXTURE_STAGE

if TYPE_CHECKING:
    from core.spec.formats import Format

TILE, BLOCK = 64, 4  # pixels a side
TILE_PIXELS, TILE_BLOCKS, ROW_BLOCKS = TILE * TILE, 256, 16
MAX_SAMPLES = 16
SUBPIXELS = 256  # fixed point 28.8
GUARD_BAND = 32768  # pixels from the origin; geometry clips what reaches further


class Plane(IntEnum):
    """The attribute planes that every triangle has; the others are numbered per draw (PIXEL_STATE.*_plane)."""

    DEPTH, RHW = 0, 1


MAX_PLANES = 2 + 4 + 4 + 1 + 4 * STAGES
PLANES_START = 10  # floats in a TRIANGLE before its planes


class FogSource(IntEnum):
    """Where the fog factor comes from."""

    NONE, VERTEX, LINEAR, EXP, EXP2 = range(5)


class ColorKey(IntEnum):
    """What becomes of keyed texels (COLORKEYENABLE, COLORKEYBLENDENABLE)."""

    NONE, DISCARD, BLEND = range(3)


class Fate(IntEnum):
    """How far a fragment came: the stage that stopped it, in their order, or WRITTEN.  KILLED: by texkill or a colour key."""

    KILLED, ALPHA_TEST, STENCIL_TEST, DEPTH_TEST, WRITTEN = range(5)


# What is drawn to: pixels of a rectangle (right and bottom excluded). Channels in the order r g b a; bits 0: no such channel.
TARGET = np.dtype([
    ("left", "i4"), ("top", "i4"), ("right", "i4"), ("bottom", "i4"), ("samples", "i4"), ("sample_stride", "i4"),
    ("has_color", "i4"), ("color_shift", "i4", 4), ("color_bits", "i4", 4),
    ("has_depth", "i4"), ("depth_shift", "i4"), ("depth_bits", "i4"), ("stencil_shift", "i4"), ("stencil_bits", "i4"),
], align=True)  # fmt: skip

# Everything that the pixel half of one draw needs.
PIXEL_STATE = np.dtype([
    # target and scissor (inclusive: the viewport's pixels on the target)
    ("left", "i4"), ("top", "i4"), ("right", "i4"), ("bottom", "i4"),
    ("samples", "i4"), ("sample_stride", "i4"), ("sample_mask", "i4"), ("antialias", "i4"),
    ("sample_x", "i4", MAX_SAMPLES), ("sample_y", "i4", MAX_SAMPLES),   # from the pixel's centre, 1/256 pixel
    # setup: which vertex float makes plane p; 1: constant (flat); bit: wraps around
    ("cull", "i4"), ("plane_count", "i4"), ("record_floats", "i4"), ("line_pattern", "i4"), ("line_repeat", "i4"),
    ("plane_source", "i4", MAX_PLANES), ("plane_flat", "i4", MAX_PLANES), ("plane_wrap", "i4", MAX_PLANES),
    ("has_color", "i4"), ("has_depth", "i4"),   # the surfaces are there
    # depth and stencil
    ("depth_used", "i4"),                       # derived: the depth-stencil word is read or written
    ("early_depth", "i4"),                      # derived: no later test, and the depth test decides
    ("z_enable", "i4"), ("z_write", "i4"), ("z_func", "i4"), ("w_buffer", "i4"), ("depth_bits", "i4"),
    ("depth_shift", "i4"), ("depth_mask", "i4"), ("depth_keep", "i4"),  # keep: the bits of the word that are not depth
    ("depth_scale", "f8"), ("depth_max", "f4"), ("depth_bias", "f4"), ("w_near", "f4"), ("w_scale", "f4"),
    ("stencil_enable", "i4"), ("stencil_func", "i4"), ("stencil_fail", "i4"), ("stencil_zfail", "i4"),
    ("stencil_pass", "i4"), ("stencil_ref", "i4"), ("stencil_mask", "i4"), ("stencil_write_mask", "i4"),
    ("stencil_shift", "i4"), ("stencil_max", "i4"), ("stencil_keep", "i4"),
    ("alpha_test_enable", "i4"), ("alpha_func", "i4"), ("alpha_ref", "i4"),
    # colours on the way
    ("use_diffuse", "i4"), ("diffuse_plane", "i4"), ("specular_plane", "i4"),
    ("specular_enable", "i4"), ("texture_factor", "f4", 4),
    ("fog_source", "i4"), ("fog_plane", "i4"), ("fog_uses_w", "i4"), ("fog_color", "f4", 4),
    ("fog_start", "f4"), ("fog_end", "f4"), ("fog_scale", "f4"), ("fog_density", "f4"),
    ("stage_count", "i4"), ("stage", TEXTURE_STAGE, STAGES),
    ("pair", "i4"),                             # derived: the texels of stages 0 and 1 are looked up at once
    ("brief", "i4"),                            # derived: every stage of the cascade is
    ("pixel_shader", "i4"),                     # number of instructions; 0: the texture stage cascade
    ("shader_needs", "i4"),                     # bits: PixelProgram.needs
    ("instruction", PIXEL_INSTRUCTION, MAX_INSTRUCTIONS), ("constant", "f4", 32),
    # output
    ("blend_enable", "i4"), ("blend_op", "i4"), ("blend_source", "i4"), ("blend_dest", "i4"), ("dither", "i4"),
    ("color_write", "i4"),                      # mask over the bits of the target's pixel; 0: no colour is written
    ("needs_color", "i4"),                      # derived: colours are computed at all
    ("color_plain", "i4"),                      # derived: A8R8G8B8 or X8R8G8B8
    ("has_alpha", "i4"), ("color_shift", "i4", 4), ("color_bits", "i4", 4), ("color_max", "f4", 4),
    # what few draws ask for
    ("plain", "i4"), ("plain_pixel", "i4"),     # derived: core.pipeline.pixel.plain
    ("rare_color", "i4"),                       # derived: one of these two
    ("edge_antialias", "i4"),                   # lines have two pixels a column, their coverage multiplies alpha
    ("color_key", "i4"),                        # ColorKey of stage 0's texture, whose texels `key_stage` samples: 1, keyed 0
    ("key_stage", TEXTURE_STAGE),
], align=True)  # fmt: skip

# A triangle's (or line's) attributes: value = plane[3p] + dx * plane[3p+1] + dy * plane[3p+2], dx and dy from (x, y).
# All but depth are divided by w unless `affine` (1/w is the same at all vertices: they hold the attribute itself, w = 1).
# Records are as long as the draw's planes need; depth is z times the largest depth, again in doubles for D32.
TRIANGLE = np.dtype([
    ("x", "f4"), ("y", "f4"), ("affine", "i4"), ("bias", "f4"), ("depth", "f8", 3), ("plane", "f4", 3 * MAX_PLANES),
], align=True)  # fmt: skip
assert TRIANGLE.fields is not None and TRIANGLE.fields["plane"][1] == 4 * PLANES_START

# What the raster reads. Triangle: edges a*x + b*y + c >= 0 inside, x and y in pixels, c in 1/256 of it; bounds inclusive.
# Line: edge = x0, y0, dx, dy (1/256 pixel), 1 if y-major, first and last pixel along the major axis, pattern phase.
EDGES = np.dtype([
    ("edge", "i8", 9), ("left", "i4"), ("top", "i4"), ("right", "i4"), ("bottom", "i4"),
    ("planes", "i8"),                           # first float of the TRIANGLE
    ("state", "i4"), ("seq", "i4"), ("number", "i4"),   # draw state, event, primitive number within the draw
    ("kind", "i4"),                             # PrimitiveKind
    ("scissored", "i4"),                        # the scissor cuts off part of the bounds
    ("unused", "i4"),
], align=True)  # fmt: skip

# A covered block: its number in the tile, the lanes (of any sample, and of each sample of a multisampled target), and how many
# blocks more to its right have the same lanes.
COVERED = np.dtype([
    ("triangle", "i4"), ("block", "i4"), ("lanes", "i4"), ("more", "i4"), ("sample_lanes", "i4", MAX_SAMPLES),
], align=True)  # fmt: skip


def tiles(length: int) -> int:
    """Tiles along an axis of this many pixels."""
    return -(-length // TILE)


def plane_words(width: int, height: int) -> int:
    """Words of one sample plane of a target: whole tiles."""
    return tiles(width) * tiles(height) * TILE_PIXELS


def describe_target(width: int, height: int, color: Format | None, depth: Format | None, samples: int = 1,
                    within: tuple[int, int, int, int] | None = None) -> np.ndarray:  # fmt: skip
    """TARGET[1] of a pair of surfaces; samples: 1..16; within: only these pixels of it are drawn (None: all)."""
    left, top, right, bottom = within or (0, 0, width, height)
    target = np.zeros(1, TARGET)
    row = target[0]
    row["left"], row["top"], row["right"], row["bottom"] = left, top, min(right, width), min(bottom, height)
    row["samples"] = max(samples, 1)
    row["sample_stride"] = plane_words(width, height)
    if color is not None:
        row["has_color"] = 1
        _place(row["color_shift"], row["color_bits"], color, "RGBA")
    if depth is not None:
        row["has_depth"] = 1
        by_kind = {kind: (shift, bits) for _, shift, bits, kind in depth.channels}
        row["depth_shift"], row["depth_bits"] = by_kind["depth"]
        row["stencil_shift"], row["stencil_bits"] = by_kind.get("stencil", (0, 0))
    return target


def _place(shifts: np.ndarray, bits: np.ndarray, format: Format, names: str) -> None:
    """Shift and width of the format's channels of these names; luminance is drawn as red."""
    places = {"R" if name == "l" else name.upper(): (shift, width) for name, shift, width, _ in format.channels}
    for i, name in enumerate(names):
        shifts[i], bits[i] = places.get(name, (0, 0))


def to_blocks(image: np.ndarray) -> np.ndarray:
    """uint32[height, width] -> block-major words of whole tiles, zero outside."""
    height, width = image.shape
    whole = np.zeros((tiles(height) * TILE, tiles(width) * TILE), np.uint32)
    whole[:height, :width] = image
    split = whole.reshape(tiles(height), 16, 4, tiles(width), 16, 4)
    return np.ascontiguousarray(split.transpose(0, 3, 1, 4, 2, 5)).reshape(-1)


def from_blocks(words: np.ndarray, width: int, height: int) -> np.ndarray:
    """Block-major words of one sample plane -> uint32[height, width]."""
    split = words[: plane_words(width, height)].reshape(tiles(height), tiles(width), 16, 16, 4, 4)
    whole = split.transpose(0, 2, 4, 1, 3, 5).reshape(tiles(height) * TILE, tiles(width) * TILE)
    return np.ascontiguousarray(whole[:height, :width])
