"""Lighting of the fixed function (semantics 8): in eye space, in double precision, light by light."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.spec.enums import LightType, MaterialColorSource
from tests.reference.formats import Color, clamp, from_argb

if TYPE_CHECKING:
    from tests.reference.vertex import Vertex, World

Vector = tuple[float, float, float]
BLACK = (0.0, 0.0, 0.0, 0.0)


class Light(NamedTuple):
    """D3DLIGHT8."""

    type: int
    diffuse: Color
    specular: Color
    ambient: Color
    position: Vector
    direction: Vector
    range: float
    falloff: float
    attenuation: Vector
    theta: float
    phi: float


class Material(NamedTuple):
    """D3DMATERIAL8."""

    diffuse: Color = (1.0, 1.0, 1.0, 1.0)
    ambient: Color = BLACK
    specular: Color = BLACK
    emissive: Color = BLACK
    power: float = 0.0


WHITE = Material()


def unit(v: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(v)
    return v / length if length > 0 else v


def spot(light: Light, rho: float) -> float:
    """1 in the inner cone, 0 outside of the outer one."""
    inner, outer = math.cos(light.theta / 2), math.cos(light.phi / 2)
    if rho > inner:
        return 1.0
    return ((rho - outer) / (inner - outer)) ** light.falloff if rho > outer else 0.0


def reach(light: Light, view: np.ndarray, eye: np.ndarray) -> tuple[np.ndarray, float]:
    """(unit vector towards the light, attenuation and spot factor)"""
    direction = unit(np.array(light.direction) @ view[:3, :3])
    if light.type == LightType.DIRECTIONAL:
        return -direction, 1.0
    offset = np.array([*light.position, 1.0]) @ view[:, :3] - eye
    distance = float(np.linalg.norm(offset))
    if distance > light.range:
        return offset, 0.0
    a0, a1, a2 = light.attenuation
    strength = 1 / (a0 + a1 * distance + a2 * distance * distance)
    if light.type == LightType.SPOT:
        strength *= spot(light, float(-unit(offset) @ direction))
    return unit(offset), strength


def source(states: Mapping[str, int | float], name: str, vertex: Vertex, sent: tuple[Color, Color], material: Color) -> Color:
    """A material colour, or the vertex colour that stands in for it."""
    wanted = states[name + "MATERIALSOURCE"] if states["COLORVERTEX"] else MaterialColorSource.MATERIAL
    if wanted == MaterialColorSource.COLOR1 and vertex.diffuse is not None:
        return sent[0]
    if wanted == MaterialColorSource.COLOR2 and vertex.specular is not None:
        return sent[1]
    return material


def lit(states: Mapping[str, int | float], world: World, eye: np.ndarray, normal: np.ndarray, vertex: Vertex,
        sent: tuple[Color, Color]) -> tuple[Color, Color]:  # fmt: skip
    """Diffuse and specular colour, clamped once."""
    view, material = world.matrix(2), world.material
    ambient, diffuse, specular = np.array(from_argb(int(states["AMBIENT"]))[:3]), np.zeros(3), np.zeros(3)
    viewer = unit(-eye) if states["LOCALVIEWER"] else np.array([0.0, 0.0, -1.0])
    for light in world.lights:
        toward, strength = reach(light, view, eye)
        facing, shine = max(float(normal @ toward), 0.0), float(normal @ unit(viewer + toward))
        ambient = ambient + strength * np.array(light.ambient[:3])
        diffuse = diffuse + strength * facing * np.array(light.diffuse[:3])
        if facing > 0 and shine > 0 and strength > 0:
            specular = specular + strength * shine**material.power * np.array(light.specular[:3])
    names = ("DIFFUSE", "AMBIENT", "SPECULAR", "EMISSIVE")
    md, ma, ms, me = (source(states, name, vertex, sent, value) for name, value in zip(names, material[:4], strict=True))
    color = np.array(ma[:3]) * ambient + np.array(md[:3]) * diffuse + np.array(me[:3])
    gloss = np.array(ms[:3]) * specular if states["SPECULARENABLE"] else np.zeros(3)
    return clamped(color, md[3]), clamped(gloss, ms[3])


def clamped(rgb: np.ndarray, alpha: float) -> Color:
    red, green, blue = (clamp(float(c)) for c in rgb)
    return red, green, blue, clamp(alpha)
