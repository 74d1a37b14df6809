"""Texture lookups of a pixel program with the textures and coordinates of a draw, by the short ways where they suffice."""

from __future__ import annotations

from core.kernels.jit import outlined, stage
from core.pipeline.draw_state.pixel_slots import InstructionKind
from core.spec.enums import TextureFilter


@stage
def is_near(state, i):
    """A plane of TEXEL_RGBA8 without level of detail, at coordinates that nothing divides."""
    s = state.stage[i.stage]
    divided = i.divide if i.sources else s.projected
    return s.short and state.stage[i.coordinate].coordinate_plane >= 0 and not divided


@stage
def can_pair(state, i):
    """Filtered linearly, and all that the instruction does is to write the texel."""
    return state.stage[i.stage].mag_filter >= TextureFilter.LINEAR and i.write_mask == 15 and i.changes == 0


@outlined
def bind_lookups(state):
    """Makes InstructionKind.LOOKUP InstructionKind.NEAR or InstructionKind.PAIR, after all else is bound."""
    single = -2  # the last lookup that may be the first of a pair
    for number in range(state.pixel_shader):
        i = state.instruction[number]
        if i.kind == InstructionKind.LOOKUP and is_near(state, i):
            i.kind = InstructionKind.NEAR
            if can_pair(state, i):
                if single == number - 1:
                    state.instruction[single].kind = InstructionKind.PAIR
                    single = -2
                else:
                    single = number
