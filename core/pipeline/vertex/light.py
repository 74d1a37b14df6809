"""Light: vertex colours of the fixed function, and the fog factor of a vertex (semantics sections 6 and 8).

Lighting is done in eye space.  Specular alpha is not specified: we pass the alpha of the specular source, as diffuse does.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd import Color, absolute, gray, maximum, minimum, saturate, select, sqrt, vfloat, with_alpha
from core.kernels.simd.math import exp, power
from core.pipeline.draw_state.vertex_state import DIFFUSE, SPECULAR, FogSource
from core.pipeline.records.rows import INPUT, load4
from core.pipeline.vertex.transform import dot3, normalize
from core.spec.enums import LightType

F = np.float32
BRIGHTEST = 1e30  # of a light without attenuation: any colour of it saturates, black stays black


@stage
def numbers4(values, at):
    """Four floats as a colour."""
    return Color(values[at], values[at + 1], values[at + 2], values[at + 3])


@stage
def vertex_diffuse(state, rows, chunk):
    """The diffuse colour of the vertex; white if it has none."""
    if state.present >> DIFFUSE & 1:
        return load4(rows, INPUT + 4 * DIFFUSE, chunk)
    return gray(F(1.0))


@stage
def vertex_specular(state, rows, chunk):
    """The specular colour of the vertex; zero, alpha included, if it has none."""
    if state.present >> SPECULAR & 1:
        return load4(rows, INPUT + 4 * SPECULAR, chunk)
    return gray(F(0.0))


@stage
def material_color(state, source, at, rows, chunk):
    """A material colour, or the vertex colour that stands in for it."""
    if source == 1:
        return load4(rows, INPUT + 4 * DIFFUSE, chunk)
    if source == 2:
        return load4(rows, INPUT + 4 * SPECULAR, chunk)
    return numbers4(state.material, at)


@outlined
def light_vertices(state, lights, rows, eye, normal, chunk):
    """Diffuse and specular colour of lit vertices, not yet clamped."""
    viewer = toward_viewer(state, eye)
    ambient, diffuse, specular = numbers4(state.ambient, 0), gray(F(0.0)), gray(F(0.0))
    for k in range(state.light_count):
        more_ambient, more_diffuse, more_specular = light_terms(state, lights[k], eye, normal, viewer)
        ambient, diffuse, specular = ambient + more_ambient, diffuse + more_diffuse, specular + more_specular
    base = material_color(state, state.diffuse_source, 0, rows, chunk)
    gloss = material_color(state, state.specular_source, 8, rows, chunk)
    color = base * diffuse + material_color(state, state.ambient_source, 4, rows, chunk) * ambient
    color = color + material_color(state, state.emissive_source, 12, rows, chunk)
    return with_alpha(color, base.a), with_alpha(gloss * specular, gloss.a)


@stage
def toward_viewer(state, eye):
    """The direction of the viewer: the eye's place for a local viewer, else infinitely far."""
    if state.local_viewer:
        return normalize(-eye)
    return Color(vfloat(F(0.0)), vfloat(F(0.0)), vfloat(F(-1.0)), vfloat(F(0.0)))


@stage
def light_terms(state, light, eye, normal, viewer):
    """The ambient, diffuse and specular light that one light adds, before the material."""
    direction, strength = illuminate(light, eye)
    cosine = maximum(dot3(normal, direction), vfloat(F(0.0)))
    ambient, diffuse = numbers4(light.ambient, 0) * strength, numbers4(light.diffuse, 0) * (cosine * strength)
    if not state.specular:
        return ambient, diffuse, gray(F(0.0))
    shine = highlight(normal, normalize(viewer + direction), cosine, state.material[16])
    return ambient, diffuse, numbers4(light.specular, 0) * (shine * strength)


@stage
def illuminate(light, eye):
    """(unit direction towards the light, attenuation times spot factor); strength 0 beyond its range."""
    if light.type == LightType.DIRECTIONAL:
        return -numbers4(light.direction, 0), vfloat(F(1.0))
    offset = numbers4(light.position, 0) - eye
    distance = sqrt(dot3(offset, offset))
    direction = select(distance > F(0.0), offset / distance, offset)
    strength = minimum(fading(light, distance) if light.fades else attenuated(light, distance), F(BRIGHTEST))
    if light.type == LightType.SPOT:
        strength = strength * spot_factor(light, direction)
    return direction, select(distance <= light.range, strength, vfloat(F(0.0)))


@stage
def attenuated(light, distance):
    """1 / (a0 + a1 d + a2 d^2) of the distance."""
    attenuation = light.attenuation
    return F(1.0) / (attenuation[0] + attenuation[1] * distance + attenuation[2] * distance * distance)


@stage
def fading(light, distance):
    """a0 + a1 d + a2 d^2 of what is left of the range, 1 at the light and 0 at its end (DX6 SDK: D3DLIGHT2)."""
    attenuation, left = light.attenuation, (vfloat(light.range) - distance) / light.range
    left = select(left > F(0.0), left, vfloat(F(0.0)))
    return attenuation[0] + attenuation[1] * left + attenuation[2] * left * left


@stage
def spot_factor(light, direction):
    """1 in the inner cone, 0 outside the outer one, between them the falloff."""
    rho = -dot3(direction, numbers4(light.direction, 0))
    between = (rho - light.cos_phi) / (vfloat(light.cos_theta) - light.cos_phi)
    factor = power(maximum(between, vfloat(F(0.0))), vfloat(light.falloff))
    factor = select(rho <= light.cos_phi, vfloat(F(0.0)), factor)
    return select(rho > light.cos_theta, vfloat(F(1.0)), factor)


@stage
def highlight(normal, halfway, cosine, exponent):
    """(N.H)**power where light and highlight face the surface."""
    shine = dot3(normal, halfway)
    return select((cosine > F(0.0)) & (shine > F(0.0)), power(maximum(shine, vfloat(F(0.0))), vfloat(exponent)), vfloat(F(0.0)))


# ---- fog -------------------------------------------------------------------------------------


@stage
def fog_factor(state, eye, specular_alpha):
    """1 where there is no fog, 0 where there is nothing else."""
    if state.fog_source == FogSource.ONE or state.fog_source == FogSource.SHADER:
        return vfloat(F(1.0))
    if state.fog_source == FogSource.SPECULAR_ALPHA:
        return saturate(specular_alpha)
    return saturate(fog_of_distance(state, sqrt(dot3(eye, eye)) if state.fog_range else absolute(eye.b)))


@stage
def fog_of_distance(state, distance):
    """The fog equation; with start = end everything is fogged (Wine's fog_special_test)."""
    if state.fog_source == FogSource.LINEAR:
        if state.fog_start == state.fog_end:
            return vfloat(F(0.0))
        return (state.fog_end - distance) / (state.fog_end - state.fog_start)
    amount = distance * state.fog_density
    if state.fog_source == FogSource.EXP2:
        amount = amount * amount
    return exp(-amount)
