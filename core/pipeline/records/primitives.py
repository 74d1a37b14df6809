"""Output of the geometry half, read by the pixel half: screen vertices and their primitives."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

VERTEX_FLOATS = 48


class VertexField(IntEnum):
    """Where things stand in the 48 floats of a vertex."""

    X = 0  # screen coordinates in pixels, pixel centres at integers
    Y = 1
    Z = 2  # depth, already mapped to MinZ..MaxZ
    RHW = 3
    DIFFUSE = 4  # r g b a, clamped to 0..1
    SPECULAR = 8
    FOG = 12  # 1: no fog
    POINT_SIZE = 13
    FOG_DISTANCE = 14  # w of the clip space position: 1 / RHW
    TEXCOORD = 16  # four floats per texture stage (oT register of a vertex shader), not divided


class PrimitiveKind(IntEnum):
    """What coverage makes of the vertices."""

    TRIANGLE = 0
    LINE = 1
    POINT = 2  # half of a point's quad: a triangle of constant colour


class PrimitiveFlag(IntEnum):
    """Bits of `flags`; the bits from PROVOKING_SHIFT on hold the number of the vertex whose colour flat shading takes."""

    EDGE_0 = 1  # the edge vertex[0] - vertex[1] is one of the application's edges
    EDGE_1 = 2
    EDGE_2 = 4
    EDGES = 7
    NO_CULL = 0x10
    LAST_PIXEL = 0x20  # a line whose last pixel is drawn too
    POLYGON = 0x40  # a line or point that stands for an edge or corner of a triangle: ZBIAS holds


PROVOKING_SHIFT = 8  # 23 bits are left: more than a draw has vertices (geometry.MAX_REFERENCES)

PRIMITIVE = np.dtype([
    ("vertex", "i4", 3),        # a line uses two
    ("kind", "i4"),             # PrimitiveKind
    ("flags", "i4"),            # PrimitiveFlag
    ("number", "i4"),           # primitive number within the draw, as the application counts
    ("pattern_phase", "i4"),    # pixels of the line strip before this line
    ("slope", "f4"),            # of a POLYGON's edge or corner: steepest change of z from pixel to pixel
])  # fmt: skip


class PrimitiveFate(IntEnum):
    """Why a primitive of a draw made nothing (one byte each): the first plane that left nothing of it, or else."""

    DRAWN = 0
    LEFT = 1
    RIGHT = 2
    TOP = 3
    BOTTOM = 4
    NEAR = 5
    FAR = 6
    USER_0 = 7
    USER_1 = 8
    USER_2 = 9
    USER_3 = 10
    USER_4 = 11
    USER_5 = 12
    GUARD_LEFT = 13
    GUARD_RIGHT = 14
    GUARD_TOP = 15
    GUARD_BOTTOM = 16
    EYE = 17  # behind the eye: w <= 0
    NOT_FINITE = 18  # NaN or infinity in a position
    CULLED = 19  # wireframe and point fill only: solid triangles are culled in setup
    NO_SIZE = 20  # a point of size 0, or a size that is not a number
    DEGENERATE = 21  # no area: told by `misses` only


# the same as plain integers, for compiled code to return
FATE_DRAWN, FATE_LEFT, FATE_RIGHT, FATE_TOP, FATE_BOTTOM, FATE_NOT_FINITE, FATE_CULLED, FATE_NO_SIZE = (
    int(fate)
    for fate in (
        PrimitiveFate.DRAWN,
        PrimitiveFate.LEFT,
        PrimitiveFate.RIGHT,
        PrimitiveFate.TOP,
        PrimitiveFate.BOTTOM,
        PrimitiveFate.NOT_FINITE,
        PrimitiveFate.CULLED,
        PrimitiveFate.NO_SIZE,
    )
)
