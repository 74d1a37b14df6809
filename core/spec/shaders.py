"""Shader instructions: the rows that drive decoding, disassembly, assembly, validation and the shader debugger.

Source: d3d8types.h (numbers), Microsoft's win32 direct3dhlsl assembler reference and the windows-driver-docs shader codes
(operands, versions, limits).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

SOURCES = 4

INSTRUCTION = np.dtype([
    ("op", "i4"),                           # Sio
    ("dest_type", "i4"),                    # Spr; -1: no destination
    ("dest_index", "i4"),
    ("write_mask", "i4"),                   # bits x=1 y=2 z=4 w=8
    ("dest_shift", "i4"),                   # the result times 2**dest_shift (-3..3)
    ("saturate", "i4"),                     # the result clamped to 0..1 afterwards
    ("source_count", "i4"),
    ("source", [
        ("type", "i4"),                     # Spr
        ("index", "i4"),
        ("swizzle", "i4"),                  # 4 x 2 bits, x lowest; 0xE4 = xyzw
        ("modifier", "i4"),                 # Spsm
        ("relative", "i4"),                 # 1: index + a0.x
    ], SOURCES),
    ("coissue", "i4"),                      # 1: runs together with the instruction before
    ("phase", "i4"),                        # ps_1_4: 1 or 2; without a phase marker the code is phase 2.  Otherwise 0
    ("dword", "i4"),                        # dwords from the version token to the instruction token
])
"""One instruction, decoded: what the shader kernels run.  Comments, NOP, DEF, PHASE and END are not in a program."""


class Sio(IntEnum):
    """D3DSHADER_INSTRUCTION_OPCODE_TYPE."""

    NOP = 0
    MOV = 1
    ADD = 2
    SUB = 3
    MAD = 4
    MUL = 5
    RCP = 6
    RSQ = 7
    DP3 = 8
    DP4 = 9
    MIN = 10
    MAX = 11
    SLT = 12
    SGE = 13
    EXP = 14
    LOG = 15
    LIT = 16
    DST = 17
    LRP = 18
    FRC = 19
    M4x4 = 20
    M4x3 = 21
    M3x4 = 22
    M3x3 = 23
    M3x2 = 24
    TEXCOORD = 64
    TEXKILL = 65
    TEX = 66
    TEXBEM = 67
    TEXBEML = 68
    TEXREG2AR = 69
    TEXREG2GB = 70
    TEXM3x2PAD = 71
    TEXM3x2TEX = 72
    TEXM3x3PAD = 73
    TEXM3x3TEX = 74
    TEXM3x3DIFF = 75
    TEXM3x3SPEC = 76
    TEXM3x3VSPEC = 77
    EXPP = 78
    LOGP = 79
    CND = 80
    DEF = 81
    TEXREG2RGB = 82
    TEXDP3TEX = 83
    TEXM3x2DEPTH = 84
    TEXDP3 = 85
    TEXM3x3 = 86
    TEXDEPTH = 87
    CMP = 88
    BEM = 89
    PHASE = 0xFFFD
    COMMENT = 0xFFFE
    END = 0xFFFF


class Spr(IntEnum):
    """D3DSHADER_PARAM_REGISTER_TYPE, shifted down; ADDR in vertex shaders is TEXTURE in pixel shaders."""

    TEMP = 0
    INPUT = 1
    CONST = 2
    ADDR = 3
    TEXTURE = 3
    RASTOUT = 4
    ATTROUT = 5
    TEXCRDOUT = 6


class RastOut(IntEnum):
    """D3DVS_RASTOUT_OFFSETS: the registers of type RASTOUT."""

    POSITION = 0
    FOG = 1
    POINT_SIZE = 2


class Spsm(IntEnum):
    """D3DSHADER_PARAM_SRCMOD_TYPE, shifted down (the token holds it in bits 27:24).  The swizzle comes first, then this."""

    NONE = 0
    NEG = 1
    BIAS = 2
    BIASNEG = 3
    SIGN = 4
    SIGNNEG = 5
    COMP = 6
    X2 = 7
    X2NEG = 8
    DZ = 9
    DW = 10
