"""Vertices: what a program sends, and what the vertex half makes of them (semantics 1, 3, 6 and 8), in double precision."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.spec.enums import FogMode, Fvf, TextureCoordinateSource, TextureTransform, VertexBlend
from tests.reference import lighting
from tests.reference.formats import Color, clamp, from_argb

if TYPE_CHECKING:
    from tests.reference.scene import Draw

Coordinates = tuple[float, float, float, float]
VIEW, PROJECTION, TEXTURE_0, WORLD = 2, 3, 16, 256
POSITIONS = (Fvf.XYZ, Fvf.XYZB1, Fvf.XYZB2, Fvf.XYZB3, Fvf.XYZB4, Fvf.XYZB5)
SIZE_BITS = {2: 0, 3: 1, 4: 2, 1: 3}  # D3DFVF_TEXCOORDSIZEn


@dataclass(frozen=True)
class Vertex:
    """As in a vertex buffer; `position`: x y z, or x y z rhw of a transformed one.  Colours of tessellators are floats."""

    position: tuple[float, ...]
    weights: tuple[float, ...] = ()
    indices: tuple[int, int, int, int] | None = None
    normal: tuple[float, float, float] | None = None
    size: float | None = None
    diffuse: int | Color | None = None
    specular: int | Color | None = None
    coordinates: tuple[tuple[float, ...], ...] = ()

    @property
    def transformed(self) -> bool:
        return len(self.position) == 4

    def format(self) -> int:
        """The D3DFVF."""
        betas = len(self.weights) + (self.indices is not None)
        fvf = int(Fvf.XYZRHW if self.transformed else POSITIONS[betas])
        for bit, member in ((Fvf.LASTBETA_UBYTE4, self.indices), (Fvf.NORMAL, self.normal), (Fvf.PSIZE, self.size),
                            (Fvf.DIFFUSE, self.diffuse), (Fvf.SPECULAR, self.specular)):  # fmt: skip
            fvf |= int(bit) if member is not None else 0
        sizes = sum(SIZE_BITS[len(one)] << 16 + 2 * n for n, one in enumerate(self.coordinates))
        return fvf | len(self.coordinates) << 8 | sizes

    def packed(self) -> bytes:
        floats = [*self.position, *self.weights]
        data = struct.pack(f"<{len(floats)}f", *floats) + bytes(self.indices or ())
        data += struct.pack("<3f", *self.normal) if self.normal is not None else b""
        data += struct.pack("<f", self.size) if self.size is not None else b""
        data += b"".join(struct.pack("<I", color) for color in (self.diffuse, self.specular) if color is not None)
        return data + b"".join(struct.pack(f"<{len(one)}f", *one) for one in self.coordinates)


@dataclass(frozen=True)
class World:
    """What vertices are transformed and lit by; viewport: x, y, width, height, least and greatest z."""

    viewport: tuple[int, int, int, int, float, float]
    matrices: Mapping[int, np.ndarray] = field(default_factory=dict)
    lights: tuple[lighting.Light, ...] = ()
    material: lighting.Material = lighting.WHITE

    def matrix(self, number: int) -> np.ndarray:
        return self.matrices.get(number, np.eye(4)).astype(float)


class Corner(NamedTuple):
    """A vertex on the screen; colours 0..1; coordinates by texture stage, not divided."""

    x: float
    y: float
    z: float
    rhw: float
    diffuse: Color
    specular: Color
    fog: float
    size: float
    coordinates: tuple[Coordinates, ...]


def corner(draw: Draw, vertex: Vertex) -> Corner:
    """What the vertex half makes of a vertex."""
    return transformed(draw, vertex) if vertex.transformed else processed(draw, vertex)


def colors(vertex: Vertex) -> tuple[Color, Color]:
    """Diffuse and specular as they are sent; white and nothing where there are none."""
    white, nothing = (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0)
    return own_color(vertex.diffuse, white), own_color(vertex.specular, nothing)


def saturated(color: Color) -> Color:
    """0..1: "Gouraud colours are clamped per vertex before interpolation"; only a tessellator makes others."""
    red, green, blue, alpha = (clamp(c) for c in color)
    return red, green, blue, alpha


def own_color(color: int | Color | None, otherwise: Color) -> Color:
    return otherwise if color is None else from_argb(color) if isinstance(color, int) else color


def filled(values: Sequence[float]) -> Coordinates:
    """Four coordinates: those missing are 0, 0, 0, 1."""
    x, y, z, w = (*values, *(0.0, 0.0, 0.0, 1.0)[len(values) :])
    return x, y, z, w


def own_coordinates(vertex: Vertex, index: int) -> tuple[float, ...]:
    return vertex.coordinates[index] if index < len(vertex.coordinates) else ()


def transformed(draw: Draw, vertex: Vertex) -> Corner:
    """XYZRHW: nothing is computed; fog is specular alpha.  The depth is float32 as it is sent: ZBIAS enlarges its error."""
    x, y, z, rhw = vertex.position
    z = float(np.float32(z))
    diffuse, specular = colors(vertex)
    chosen = [filled(own_coordinates(vertex, int(stage.get("TEXCOORDINDEX", 0)) & 7)) for stage in draw.stages]
    return Corner(x, y, z, rhw, diffuse, specular, specular[3], point_size(draw, vertex, None), tuple(chosen))


def processed(draw: Draw, vertex: Vertex) -> Corner:
    """Transform, light, fog, texture coordinates."""
    world, states = draw.world, draw.states
    model = blended_matrix(draw, vertex)
    eye = np.array([*vertex.position, 1.0]) @ model @ world.matrix(VIEW)
    clip = eye @ world.matrix(PROJECTION)
    normal = eye_normal(draw, vertex)
    sent = colors(vertex)
    diffuse, specular = sent
    if states["LIGHTING"]:
        diffuse, specular = lighting.lit(states, world, eye[:3], normal, vertex, sent)
    left, top, width, height, near, far = world.viewport
    return Corner(
        left + (1 + clip[0] / clip[3]) * width / 2, top + (1 - clip[1] / clip[3]) * height / 2,
        near + clip[2] / clip[3] * (far - near), 1 / clip[3], saturated(diffuse), saturated(specular),
        vertex_fog(states, eye, sent[1][3]), point_size(draw, vertex, eye),
        tuple(stage_coordinates(draw, number, vertex, eye, normal) for number in range(len(draw.stages))),
    )  # fmt: skip


# ---- matrices ------------------------------------------------------------------------------------


def influences(draw: Draw, vertex: Vertex) -> list[tuple[float, int]]:
    """(weight, number of the world matrix); the last weight is what is missing to 1."""
    mode = int(draw.states.get("VERTEXBLEND", 0))
    indexed = bool(draw.states.get("INDEXEDVERTEXBLENDENABLE", 0))
    if mode == VertexBlend.DISABLE:
        return [(1.0, 0)]
    count = 0 if mode == VertexBlend.WEIGHTS_0 else mode
    weights = [float(np.float32(w)) for w in vertex.weights[:count]]
    numbers = vertex.indices if indexed and vertex.indices is not None else (0, 1, 2, 3)
    return list(zip([*weights, 1 - sum(weights)], numbers, strict=False))


def blended_matrix(draw: Draw, vertex: Vertex) -> np.ndarray:
    return sum((w * draw.world.matrix(WORLD + n) for w, n in influences(draw, vertex)), np.zeros((4, 4)))


def eye_normal(draw: Draw, vertex: Vertex) -> np.ndarray:
    """By the inverse transpose of each world matrix and the view, blended like positions; zero without one."""
    if vertex.normal is None:
        return np.zeros(3)
    view = draw.world.matrix(VIEW)
    total = np.zeros(3)
    for weight, number in influences(draw, vertex):
        total += weight * (np.array(vertex.normal) @ np.linalg.inv(draw.world.matrix(WORLD + number) @ view)[:3, :3].T)
    length = float(np.linalg.norm(total))
    return total / length if draw.states["NORMALIZENORMALS"] and length > 0 else total


# ---- fog, points, coordinates ------------------------------------------------------------------------


def vertex_fog(states: Mapping[str, int | float], eye: np.ndarray, specular_alpha: float) -> float:
    """Computed here and interpolated; what table fog makes of a pixel is not asked here."""
    start, end, density = (float(states[name]) for name in ("FOGSTART", "FOGEND", "FOGDENSITY"))
    distance = float(np.linalg.norm(eye[:3])) if states["RANGEFOGENABLE"] else abs(float(eye[2]))
    match states["FOGVERTEXMODE"]:
        case FogMode.LINEAR:
            return clamp((end - distance) / (end - start)) if start != end else 0.0
        case FogMode.EXP:
            return clamp(math.exp(-density * distance))
        case FogMode.EXP2:
            return clamp(math.exp(-((density * distance) ** 2)))
    return specular_alpha


def point_size(draw: Draw, vertex: Vertex, eye: np.ndarray | None) -> float:
    """On the screen; scaled with the distance only where vertices are transformed here."""
    states = draw.states
    if "POINTSIZE" not in states:
        return 1.0
    size = float(states["POINTSIZE"]) if vertex.size is None else vertex.size
    if states["POINTSCALEENABLE"] and eye is not None:
        a, b, c = (float(states["POINTSCALE_" + name]) for name in "ABC")
        distance = float(np.linalg.norm(eye[:3]))
        size *= draw.world.viewport[3] * math.sqrt(1 / (a + b * distance + c * distance * distance))
    return clamp(size, float(states["POINTSIZE_MIN"]), float(states["POINTSIZE_MAX"]))


def stage_coordinates(draw: Draw, number: int, vertex: Vertex, eye: np.ndarray, normal: np.ndarray) -> Coordinates:
    """Of one texture stage: chosen or generated, then transformed by the stage's matrix if its flags ask for it."""
    stage = draw.stages[number]
    index, flags = int(stage.get("TEXCOORDINDEX", 0)), int(stage.get("TEXTURETRANSFORMFLAGS", 0))
    count = flags & 0xFF
    given = own_coordinates(vertex, index & 7) if index < 0x10000 else generated(index & 0xFFFF0000, eye, normal)
    if count < 2:  # COUNT1 leaves the coordinates alone
        return filled(given)
    # a set that the vertex lacks is 0, 0, 0, 1 (Wine); of others the number after the last is 1
    padded = [*given, 1.0, 0.0, 0.0, 0.0][:4] if 0 < len(given) < 3 else filled(given)
    moved = np.array(padded) @ draw.world.matrix(TEXTURE_0 + number)
    return filled([float(c) for c in moved[:count]])


def generated(source: int, eye: np.ndarray, normal: np.ndarray) -> tuple[float, float, float]:
    """D3DTSS_TCI_*"""
    if source == TextureCoordinateSource.CAMERASPACENORMAL:
        vector = normal
    elif source == TextureCoordinateSource.CAMERASPACEPOSITION:
        vector = eye[:3]
    else:
        incoming = eye[:3] / np.linalg.norm(eye[:3])
        vector = incoming - 2 * float(normal @ incoming) * normal
    x, y, z = (float(c) for c in vector)
    return x, y, z


def divisor(flags: int) -> int | None:
    """Which of the four coordinates divides the others per pixel (D3DTTFF_PROJECTED); None: none does."""
    if not flags & TextureTransform.PROJECTED:
        return None
    count = flags & 0xFF
    return 3 if count == 0 else count - 1 if 2 <= count <= 4 else None
