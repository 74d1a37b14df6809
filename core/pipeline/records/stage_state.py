"""Inputs of the texture half of the pixel pipeline: stages, samplers, pixel program."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from core.pipeline.records.texture import IMAGE, TEXTURE

STAGES = 8


class Brief(IntEnum):
    """Whether a stage multiplies CURRENT by its texel, both within 0..1; its alpha is the product's, or that of one of them."""

    NOT, PRODUCT, TEXEL, CURRENT = range(4)


MAX_INSTRUCTIONS = 64

# One texture stage, decoded for the kernels. Embed ("stage", TEXTURE_STAGE, 8) in PIXEL_STATE.
TEXTURE_STAGE = np.dtype([
    ("color_op", "i4"), ("color_arg1", "i4"), ("color_arg2", "i4"), ("color_arg0", "i4"),
    ("alpha_op", "i4"), ("alpha_arg1", "i4"), ("alpha_arg2", "i4"), ("alpha_arg0", "i4"),
    ("alpha_same", "i4"),                   # derived: alpha uses the colour op and arguments
    ("brief", "i4"),                        # derived: Brief
    ("result_temp", "i4"),                  # RESULTARG is TEMP
    ("textured", "i4"),                     # derived: the stage reads its texel
    ("bump_first", "i4"),                   # derived: first of the bump stages right before this one (own number: none)
    ("bump_luminance", "i4"),               # derived: the stage before is BUMPENVMAPLUMINANCE
    ("premodulated", "i4"),                 # derived: the stage before is PREMODULATE: 1 its result is CURRENT, 2 TEMP
    ("coordinate_plane", "i4"),             # plane number (in TRIANGLE.plane) of u; v, w, q follow. -1: no such coordinates
    ("projected", "i4"),                    # 0, or the component (1..3) that divides the ones before it (D3DTTFF_PROJECTED)
    ("address_u", "i4"), ("address_v", "i4"), ("address_w", "i4"),
    ("mag_filter", "i4"), ("min_filter", "i4"), ("mip_filter", "i4"),
    ("image", IMAGE),                       # derived: first_level of a plane
    ("first_level", "i4"),                  # derived: max(MAXMIPLEVEL, texture.lod); texture.lod without mip filter
    ("last_level", "i4"),                   # derived: first_level without mip filter, else levels - 1
    ("mip_bias", "f4"), ("max_anisotropy", "i4"),
    ("needs_level", "i4"),                  # derived: the filter depends on the level of detail
    ("anisotropic", "i4"),                  # derived: MINFILTER is ANISOTROPIC, on a plane or cube
    ("short", "i4"),                        # derived: plain, and needs no level
    ("plain", "i4"),                        # derived: a plane of TEXEL_RGBA8, mag and min filter alike
    ("bordered", "i4"),                     # derived: address_u or address_v is BORDER
    ("border_color", "u4"),                 # A8R8G8B8
    ("border", "f4", 4),                    # derived: r g b a
    ("bump_matrix", "f4", 4),               # 00 01 10 11
    ("bump_scale", "f4"), ("bump_offset", "f4"),
    ("texture", TEXTURE),
], align=True)  # fmt: skip

# A pixel shader instruction as core.pipeline.draw_state.pixel_program makes it. Registers are slots of the scratch memory.
PIXEL_INSTRUCTION = np.dtype([
    ("kind", "i4"),                         # pixel_slots.InstructionKind: which part of the interpreter runs it
    ("op", "i4"),                           # core.spec.shaders.Sio, or pixel_slots.CLEAR
    ("number", "i4"),                       # of the instruction in the decoded program; -1: added
    ("destination", "i4"), ("write_mask", "i4"), ("stage", "i4"),
    ("coordinate", "i4"),                   # texture coordinate set read instead of a register, -1: none
    ("third", "i4"),                        # component that is the third coordinate: 2 or 3
    ("divide", "i4"),                       # component that divides the first two (_dz, _dw), 0: none
    ("row", "i4"),                          # of a texm3x2 or texm3x3 matrix
    ("sources", "i4"),
    ("read", "i4", 12),                     # first floats of the four components of each source
    ("place", "i4", 3),                     # arithmetic: first floats of the registers where the operation finds its sources
    ("adjusted", "i4"),                     # bits: sources that are swizzled or modified on their way there, ADJUSTED_R0
    ("held", "i4"),                         # r0 is among the others
    ("changes", "i4"),                      # bits: sources with a modifier (1, 2, 4), SCALED, CLAMPED, SATURATED
    ("factor", "f4", 3), ("offset", "f4", 3),                   # of a modifier: source * factor + offset
    ("scale", "f4"),                        # result * scale, clamped to the range of registers, to 0..1: as `changes` says
], align=True)  # fmt: skip
SCALED, CLAMPED, SATURATED = 8, 16, 32  # PIXEL_INSTRUCTION.changes

# Bits of PIXEL_STATE.shader_needs above those of the coordinate sets: what the program reads and writes; c0 to c7: bit 12 on.
SHADER_DIFFUSE, SHADER_SPECULAR, SHADER_DEPTH, SHADER_KILLS, SHADER_CONSTANTS = 0x100, 0x200, 0x400, 0x800, 12

SLOT = 64  # floats of a register in scratch memory: four channels of 16 lanes
PIXEL_REGISTER_FLOATS = 32 * SLOT  # float32 items of scratch memory that run_pixel_shader needs
