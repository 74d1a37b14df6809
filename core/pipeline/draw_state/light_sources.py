"""The lights of a draw: from D3DLIGHT8 dwords in the register vector to records in eye space."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd.math import cos_number
from core.matrices import as_float
from core.spec.enums import LightType
from core.spec.slots import LIGHT_FIELDS

F = np.float32
MAX_LIGHTS = 64  # MaxActiveLights of the device (core.spec.caps): the first that are enabled

LIGHT = np.dtype([
    ("type", "i4"), ("diffuse", "f4", 4), ("specular", "f4", 4), ("ambient", "f4", 4),
    ("position", "f4", 4), ("direction", "f4", 4),      # in eye space; direction of unit length
    ("range", "f4"), ("falloff", "f4"), ("attenuation", "f4", 3),
    ("cos_theta", "f4"), ("cos_phi", "f4"),             # of the half angles
    ("fades", "i4"),                                    # of Direct3D 5 and 6: over its range
])  # fmt: skip

TYPE, COLORS = LIGHT_FIELDS["Type"].offset, LIGHT_FIELDS["Diffuse"].offset
POSITION, DIRECTION = LIGHT_FIELDS["Position"].offset, LIGHT_FIELDS["Direction"].offset
RANGE, FALLOFF = LIGHT_FIELDS["Range"].offset, LIGHT_FIELDS["Falloff"].offset
ATTENUATION, THETA, PHI = LIGHT_FIELDS["Attenuation0"].offset, LIGHT_FIELDS["Theta"].offset, LIGHT_FIELDS["Phi"].offset
ENABLED = LIGHT_FIELDS["Enabled"].offset


@outlined
def bind_lights(registers, vector, lights, light_slots, light_slot_count):
    """The enabled lights, in eye space; returns how many."""
    count = 0
    for i in range(light_slot_count):
        slot = light_slots[i]
        if vector[slot + ENABLED] != 0 and count < MAX_LIGHTS:
            bind_light(lights[count], registers.view_matrix, vector, slot)
            lights[count].fades = registers.before_7 != 0
            count += 1
    return count


@stage
def three(vector, at):
    """Three consecutive floats."""
    return as_float(vector[at]), as_float(vector[at + 1]), as_float(vector[at + 2])


@stage
def bind_light(light, view, vector, slot):
    """One light: colours as they are, place and direction in eye space, cosines of the half cone angles."""
    light.type = vector[slot + TYPE]
    for k in range(4):
        light.diffuse[k] = as_float(vector[slot + COLORS + k])
        light.specular[k] = as_float(vector[slot + COLORS + 4 + k])
        light.ambient[k] = as_float(vector[slot + COLORS + 8 + k])
    x, y, z = three(vector, slot + POSITION)
    for k in range(3):
        light.position[k] = x * view[k] + y * view[4 + k] + z * view[8 + k] + view[12 + k]
    bind_direction(light.direction, view, vector, slot)
    light.range, light.falloff = as_float(vector[slot + RANGE]), as_float(vector[slot + FALLOFF])
    for k in range(3):
        light.attenuation[k] = as_float(vector[slot + ATTENUATION + k])
    if light.type == LightType.SPOT:
        light.cos_theta = cos_number(as_float(vector[slot + THETA]) * F(0.5))
        light.cos_phi = cos_number(as_float(vector[slot + PHI]) * F(0.5))


@stage
def bind_direction(direction, view, vector, slot):
    """The direction at length 1; one of length 0 stays."""
    x, y, z = three(vector, slot + DIRECTION)
    for k in range(3):
        direction[k] = x * view[k] + y * view[4 + k] + z * view[8 + k]
    a, b, c = direction[0], direction[1], direction[2]
    length = F(np.sqrt(a * a + b * b + c * c))
    if length > F(0.0):
        direction[0], direction[1], direction[2] = a / length, b / length, c / length
