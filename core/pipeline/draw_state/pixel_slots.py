"""Definitions shared by the pixel program, its ranges and its interpreter: scratch memory slots, instruction kinds."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from core.pipeline.records.stage_state import SLOT
from core.spec.shaders import Sio, Spr

# Slots. Those that programs write lie within 4 KB, the constants half of that away: a load whose address has the low 12 bits of
# a store that is still on its way waits for it.
TEMPORARY, SPARE, ROWS, TEXTURE, DIFFUSE, SPECULAR, LOOKUP, FATE, ADJUSTED, CONSTANT = 0, 6, 7, 8, 14, 15, 16, 17, 18, 24
# first slot and number of the registers of a file
FILES: dict[int, tuple[int, int]] = {
    Spr.TEMP: (TEMPORARY, 6), Spr.INPUT: (DIFFUSE, 2), Spr.CONST: (CONSTANT, 8), Spr.TEXTURE: (TEXTURE, 6),
}  # fmt: skip
LANES = 16
CLEAR = 128  # an added operation: zeros; all others are Sio
REGISTER_RANGE = 8.0
ADJUSTED_R0 = 8  # PIXEL_INSTRUCTION.adjusted: r0 is among those sources

FIRST_TEXTURE_OP, LAST_TEXTURE_OP = Sio.TEXCOORD, Sio.TEXDEPTH
ARITHMETIC_IN_BETWEEN = (Sio.CND,)  # its number lies among those of the texture instructions
NO_RESULT = (Sio.TEXKILL, Sio.TEXM3x2PAD, Sio.TEXM3x3PAD, Sio.TEXDEPTH)
# texture instructions that look a texture up, at the stage of their destination
LOOKUPS = (Sio.TEX, Sio.TEXBEM, Sio.TEXBEML, Sio.TEXREG2AR, Sio.TEXREG2GB, Sio.TEXREG2RGB, Sio.TEXM3x2TEX, Sio.TEXM3x3TEX,
           Sio.TEXM3x3SPEC, Sio.TEXM3x3VSPEC, Sio.TEXDP3TEX)  # fmt: skip


class InstructionKind(IntEnum):
    """Which part of the interpreter runs an instruction: arithmetic, the first ones, by operation and number of operands.

    LOOKUP: the texel at interpolated coordinates. With the textures of a draw (pixel_lookups) it may become NEAR, which needs
    neither level of detail nor divide, or PAIR: so is the next one, and both are done at once."""

    MOV = 0
    ADD, SUB, MUL, DP3, DP4, BEM = range(1, 7)
    MAD, LRP, CND, CMP = range(7, 11)
    LOOKUP, NEAR, PAIR, OTHER = range(11, 15)


def is_texture_op(op: int) -> bool:
    return FIRST_TEXTURE_OP <= op <= LAST_TEXTURE_OP and op not in ARITHMETIC_IN_BETWEEN


def slot(kind: int, index: int) -> int:
    """the slot of a register, always inside the scratch array"""
    first, count = FILES.get(kind, (TEMPORARY, 1))
    return first + min(index, count - 1)


def reading(place: int, swizzle: int) -> list[int]:
    """PIXEL_INSTRUCTION.read of a source: a slot, swizzled"""
    return [place * SLOT + (swizzle >> 2 * c & 3) * LANES for c in range(4)]


def register_at(first: int) -> tuple[int, int]:
    """(slot, component) of an item of PIXEL_INSTRUCTION.read"""
    return int(first) // SLOT, int(first) % SLOT // LANES


def written_components(row: np.ndarray) -> set[tuple[int, int]]:
    """(slot, component) pairs that an instruction writes"""
    return {(int(row["destination"]), c) for c in range(4) if int(row["write_mask"]) >> c & 1}
