"""Texgen: the coordinates of each texture stage: selected, generated, transformed (semantics section 8).

What comes out is indexed by texture stage and not divided: projected coordinates are divided per pixel, in `sample`.  With a
vertex shader stage n gets oTn, whatever its TEXCOORDINDEX says (so does Wine; the documents call other indices undefined).
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd import Color, with_alpha
from core.pipeline.draw_state.vertex_state import TEXCOORD
from core.pipeline.records.primitives import VertexField
from core.pipeline.records.rows import INPUT, OUTPUT, load4, store4
from core.pipeline.vertex.transform import dot3, normalize, transform
from core.spec.enums import TextureCoordinateSource

F = np.float32


@outlined
def texture_coordinates(state, rows, eye, normal, chunk):
    """The coordinates of all used stages into the output rows."""
    for i in range(state.stage_count):
        texgen = state.stage[i]
        if texgen.generate == TextureCoordinateSource.PASSTHRU:
            coordinates = load4(rows, INPUT + 4 * (TEXCOORD + texgen.set), chunk)
            if texgen.count:
                coordinates = padded(coordinates, texgen.size)
        else:
            coordinates = generated(texgen.generate, eye, normal)
        if texgen.count:
            coordinates = trimmed(transform(texgen.matrix, coordinates), texgen.count)
        store4(rows, OUTPUT + VertexField.TEXCOORD + 4 * i, chunk, coordinates)


@stage
def padded(v, size):
    """Input of the texture matrix: the component after the last is 1, those beyond are 0."""
    if size == 1:
        return Color(v.r, F(1.0), F(0.0), F(0.0))
    if size == 2:
        return Color(v.r, v.g, F(1.0), F(0.0))
    return v


@stage
def trimmed(v, count):
    """The first `count` components; the others 0, 0, 0, 1."""
    if count == 2:
        return Color(v.r, v.g, F(0.0), F(1.0))
    if count == 3:
        return with_alpha(v, F(1.0))
    return v


@stage
def generated(source, eye, normal):
    """Coordinates from eye space, w = 1."""
    if source == TextureCoordinateSource.CAMERASPACENORMAL:
        return with_alpha(normal, F(1.0))
    if source == TextureCoordinateSource.CAMERASPACEPOSITION:
        return with_alpha(eye, F(1.0))
    incoming = normalize(eye)
    return with_alpha(incoming - normal * (F(2.0) * dot3(normal, incoming)), F(1.0))
