"""Fog: the factor per vertex (interpolated) or per pixel (table), and the blend with the fog colour (semantics section 6).

The colour is factor * colour + (1 - factor) * fog colour; alpha stays.
"""

from __future__ import annotations

from core.kernels.jit import stage
from core.kernels.simd import Color, lerp, saturate, select, vfloat
from core.kernels.simd.math import exp
from core.pipeline.pixel.interpolate import interpolate
from core.pipeline.records.layout import FogSource, Plane


@stage
def fog_distance(state, triangle, dx, dy):
    """Device z without ZBIAS, or w if the projection makes a perspective."""
    if state.fog_uses_w:
        return 1.0 / interpolate(triangle, Plane.RHW, dx, dy)
    return (interpolate(triangle, Plane.DEPTH, dx, dy) + triangle.bias) / state.depth_max


@stage
def table_fog(state, distance):
    """The factor of a distance; start = end makes a step."""
    if state.fog_source == FogSource.LINEAR:
        if state.fog_start == state.fog_end:
            return select(distance > state.fog_end, vfloat(0.0), vfloat(1.0))
        return (state.fog_end - distance) * state.fog_scale
    distance = distance * state.fog_density
    if state.fog_source == FogSource.EXP2:
        distance = distance * distance
    return exp(-distance)


@stage
def fog_factor(state, triangle, dx, dy, w):
    """1: no fog."""
    if state.fog_source == FogSource.VERTEX:
        return saturate(interpolate(triangle, state.fog_plane, dx, dy) * w)
    return saturate(table_fog(state, fog_distance(state, triangle, dx, dy)))


@stage
def apply_fog(state, triangle, color, dx, dy, w):
    """The fogged colour."""
    factor = fog_factor(state, triangle, dx, dy, w)
    fog = state.fog_color
    return Color(lerp(fog[0], color.r, factor), lerp(fog[1], color.g, factor), lerp(fog[2], color.b, factor), color.a)
