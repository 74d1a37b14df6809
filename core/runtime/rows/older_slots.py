"""Where the runtime's vector holds what devices of Direct3D 6 and 5 have besides registers, for `older_calls`.  Data only."""

from __future__ import annotations

from core.runtime.rows.table import MATRIX, OLDER, OLDER_SLOTS

PROJECTION = OLDER  # as the program set it: 4 x 4 floats
HAS_CLIP = PROJECTION + MATRIX  # whether a matrix follows the projection; then that matrix
CLIP = HAS_CLIP + 1
BLEND = CLIP + MATRIX  # TEXTUREMAPBLEND, and how it left stage 0 (BLENDING): MODULATE follows the texture while it is so
BLENDED = BLEND + 1
HAS_ALPHA = BLENDED + 6  # whether the format of the texture of stage 0 has alpha
HAS_MATERIAL = HAS_ALPHA + 1  # whether SetLightState has chosen a material
IS_AIMED = HAS_MATERIAL + 1  # whether a parallel point light shines
CONTEXT = IS_AIMED + 1  # the context's number, 0 in devices of Direct3D 7 and 8
BACKGROUND = CONTEXT + 1  # the colour of Clear of the viewport at state[CLEARED]
MATERIALS = BACKGROUND + 1  # 17 words each
MATERIAL_WORDS = 17
MOST_MATERIALS = (OLDER + OLDER_SLOTS - MATERIALS) // MATERIAL_WORDS
