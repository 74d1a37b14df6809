"""What light does to a material, on a sphere: the fixed function's formula for each pixel of a picture (DX8 SDK: Mathematics of
Lighting).  And fog as a curve over the distance.

The sphere stands where the object's origin is, and is seen from the eye.  Vertex colours are left out: the material's count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from core.spec.enums import FogMode, LightType
from core.spec.kinds import float_of
from inspector.progress import Cancel
from inspector.query.state.situation import Situation

if TYPE_CHECKING:
    from inspector.capture import Capture

SIDE = 64
SAMPLES = 65
"""Points of a fog curve."""


@dataclass(frozen=True, slots=True)
class LightSphere:
    """A sphere of the material under one light, or under all that shine (None), uint8[side, side, 4]; around it alpha is 0."""

    event: int
    light: int | None = None
    side: int = SIDE

    def run(self, capture: Capture, cancel: Cancel | None = None) -> np.ndarray:
        """BadInput if there is no such light."""
        return sphere(Situation(capture, capture.check_event(self.event)), self.light, self.side)


def sphere(found: Situation, light: int | None, side: int = SIDE) -> np.ndarray:
    """The picture of `LightSphere`."""
    if light is not None and ("LIGHT", light, "Type") not in found:
        raise BadInput(f"no light {light} at event {found.event}")
    normals, inside = _normals(side)
    numbers = list(found.lights) if light is None else [light]
    color = lit(found, normals, numbers, ambient=light is None)
    picture = np.zeros((side, side, 4), np.uint8)
    picture[..., :3] = np.round(np.clip(color, 0, 1) * 255)
    picture[..., 3] = 255
    picture[~inside] = 0
    return picture


def _normals(side: int) -> tuple[np.ndarray, np.ndarray]:
    """float64[side, side, 3] in eye space, towards the eye (-z); and which pixels are on the sphere."""
    x, y = np.meshgrid(*(((np.arange(side) + 0.5) * 2 / side - 1) * 1.02,) * 2)
    inside = x * x + y * y <= 1
    z = np.sqrt(np.maximum(1 - x * x - y * y, 0))
    return np.stack([x, -y, -z], -1), inside


def lit(
    found: Situation, normals: np.ndarray, lights: list[int], ambient: bool = True, place: np.ndarray | None = None
) -> np.ndarray:
    """The colour, not clamped, of normals in eye space (..., 3), at a place in eye space (None: the object's origin)."""
    view = found.floats("TRANSFORM", "VIEW").reshape(4, 4)
    if place is None:
        place = (found.floats("TRANSFORM", "WORLD0").reshape(4, 4)[3] @ view)[:3]
    material = {name: found.floats("MATERIAL", name)[:3] for name in ("Diffuse", "Ambient", "Specular", "Emissive")}
    eye = _unit(-place) if found.raw("LOCALVIEWER") else np.array([0.0, 0.0, -1.0])
    total = np.zeros(normals.shape)
    if ambient:
        word = found.raw("AMBIENT")
        total += material["Emissive"] + material["Ambient"] * np.array([word >> 16 & 255, word >> 8 & 255, word & 255]) / 255
    for number in lights:
        towards, strength = _reaching(found, number, place, view)
        color = {name: found.floats("LIGHT", number, name)[:3] for name in ("Diffuse", "Ambient", "Specular")}
        cosine = np.maximum(normals @ towards, 0)[..., None]
        total = total + strength * (material["Ambient"] * color["Ambient"] + material["Diffuse"] * color["Diffuse"] * cosine)
        if found.raw("SPECULARENABLE"):
            power = float(found.floats("MATERIAL", "Power")[0])
            shine = np.maximum(normals @ _unit(towards + eye), 0)[..., None] ** power * (cosine > 0)
            total = total + strength * material["Specular"] * color["Specular"] * shine
    return total


def _reaching(found: Situation, number: int, place: np.ndarray, view: np.ndarray) -> tuple[np.ndarray, float]:
    """The direction to the light in eye space, and how much of it arrives at a place."""

    def number_of(name: str) -> float:
        return float(found.floats("LIGHT", number, name)[0])

    along = _unit(found.floats("LIGHT", number, "Direction") @ view[:3, :3])
    kind = found.raw("LIGHT", number, "Type")
    if kind == LightType.DIRECTIONAL:
        return -along, 1.0
    position = (np.append(found.floats("LIGHT", number, "Position"), 1.0) @ view)[:3]
    distance = float(np.sqrt(((position - place) ** 2).sum()))
    towards = _unit(position - place)
    if distance > number_of("Range"):
        return towards, 0.0
    fading = sum(number_of(f"Attenuation{n}") * distance**n for n in range(3))
    strength = 1 / fading if fading > 0 else 0.0
    return towards, strength * (_spot(number_of, float(-towards @ along)) if kind == LightType.SPOT else 1.0)


def _spot(number_of, rho: float) -> float:  # type: ignore[no-untyped-def]
    """How much of a spotlight goes in a direction whose cosine to its axis is rho."""
    inner, outer = np.cos(number_of("Theta") / 2), np.cos(number_of("Phi") / 2)
    if rho >= inner:
        return 1.0
    return 0.0 if rho <= outer else float(((rho - outer) / (inner - outer)) ** number_of("Falloff"))


def _unit(vector: np.ndarray) -> np.ndarray:
    length = float(np.sqrt((vector * vector).sum()))
    return vector / length if length else vector


# ---- fog ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """factor: float64[n], 1 without fog and 0 with nothing else, at each `distance`; mode: EXP, EXP2 or LINEAR; of: "vertices"
    or "pixels"."""

    distance: np.ndarray
    factor: np.ndarray
    mode: FogMode
    of: str


@dataclass(frozen=True, slots=True)
class FogCurve:
    """How fog grows with the distance; None while there is none, or a shader or specular alpha makes it."""

    event: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Curve | None:
        """BadInput for an event that is none."""
        return curve(Situation(capture, capture.check_event(self.event)))


def curve(found: Situation) -> Curve | None:
    """The answer to `FogCurve`."""
    table = found.raw("FOGTABLEMODE")
    mode = table or found.raw("FOGVERTEXMODE")
    if not found.raw("FOGENABLE") or mode not in set(FogMode) - {FogMode.NONE} or not (table or found.fixed):
        return None
    start, end, density = (float_of(found.raw(f"FOG{name}")) for name in ("START", "END", "DENSITY"))
    far = end + abs(end - start) * 0.25 if mode == FogMode.LINEAR else 4 / density if density > 0 else 1.0
    distance = np.linspace(0, max(far, 1e-6), SAMPLES) if np.isfinite(far) else np.linspace(0, 1, SAMPLES)
    with np.errstate(all="ignore"):
        factor = {
            FogMode.LINEAR: (end - distance) / (end - start) if end != start else (distance < end).astype(float),
            FogMode.EXP: np.exp(-density * distance), FogMode.EXP2: np.exp(-((density * distance) ** 2)),
        }[FogMode(mode)]  # fmt: skip
    return Curve(distance, np.clip(np.nan_to_num(factor), 0, 1), FogMode(mode), "pixels" if table else "vertices")
