"""A draw, pixel by pixel: what every pixel of the target must become."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.spec.enums import ShadeMode, TextureOp
from tests.reference import blend, fog, stages, tests
from tests.reference.coverage import Place, Triangle, linear, perspective
from tests.reference.doubt import Doubt
from tests.reference.formats import DEPTHS, TARGETS, Color, clamp, from_argb, unpack
from tests.reference.texture import Sampler, Texture


class Vertex(NamedTuple):
    """XYZRHW | DIFFUSE | SPECULAR | TEX2."""

    x: float
    y: float
    z: float
    rhw: float
    diffuse: int
    specular: int
    coordinates: tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class Draw:
    """One triangle and the state it is drawn with: render states and texture stage states by name."""

    states: Mapping[str, int | float]
    stages: tuple[Mapping[str, int | float], ...]
    textures: tuple[Texture | None, ...]
    vertices: tuple[Vertex, Vertex, Vertex]


@dataclass(frozen=True)
class Scene:
    """A target, what it is cleared to, and draws; `depth_format` None: no depth buffer."""

    width: int
    height: int
    format: int
    depth_format: int | None
    clear: tuple[int, float, int]  # colour, depth, stencil
    draws: tuple[Draw, ...]


@dataclass
class Outcome:
    """What a covered pixel becomes, in steps, what is new not yet rounded.  `color`: per channel r g b a; None: not written."""

    color: list[float | None]
    depth: float
    stencil: int


class Bump(NamedTuple):
    """What a bump stage adds to the coordinates of the next, and the factor of its texel (of alpha too, as in Wine)."""

    du: float
    dv: float
    light: float


class Fragment:
    """The vertices' values at one place of a triangle, and the texels there.

    `nudges` (stage, channel) -> what to add to a texel: to ask how much depends on its last bits.
    """

    def __init__(self, draw: Draw, place: Place, triangle: Triangle) -> None:
        self.draw, self.place, self.triangle = draw, place, triangle
        self.rhw = [v.rhw for v in draw.vertices]
        depths = [v.z for v in draw.vertices]
        self.z, self.steepness = linear(place.weights, depths), triangle.steepness(depths)
        self.doubt = Doubt()
        self.sampled: dict[int, Color] = {}
        self.slack: dict[tuple[int, int], float] = {}
        self.nudges: dict[tuple[int, int], float] = {}

    def color(self, name: str) -> Color:
        """diffuse or specular; flat: that of the first vertex."""
        corners = [from_argb(getattr(v, name)) for v in self.draw.vertices]
        if self.draw.states["SHADEMODE"] == ShadeMode.FLAT:
            return corners[0]
        return self.smooth(corners)

    def smooth(self, corners: list[Color]) -> Color:
        red, green, blue, alpha = (perspective(self.place.weights, self.rhw, [c[i] for c in corners]) for i in range(4))
        return red, green, blue, alpha

    def fog_factor(self) -> float:
        """Interpolated in flat shading too."""
        return self.smooth([from_argb(v.specular) for v in self.draw.vertices])[3]

    def coordinates(self, index: int, axis: int) -> tuple[float, float, float]:
        """A texture coordinate, and its derivatives to the right and down."""
        x, y, weights = self.place
        values = [v.coordinates[index][axis] for v in self.draw.vertices]
        here = perspective(weights, self.rhw, values)
        slopes = []
        for next in (self.triangle.weights(x + 1, y), self.triangle.weights(x, y + 1)):
            change = [(n - w) * r for n, w, r in zip(next, weights, self.rhw, strict=True)]
            slopes.append((linear(change, values) - here * sum(change)) / linear(weights, self.rhw))
        return here, slopes[0], slopes[1]

    def texel(self, number: int) -> Color:
        """What the texture of a stage gives here."""
        if number not in self.sampled:
            self.sampled[number] = self.sample(number)
        color = self.sampled[number]
        red, green, blue, alpha = (c + self.nudges.get((number, i), 0.0) for i, c in enumerate(color))
        return red, green, blue, alpha

    def sample(self, number: int) -> Color:
        texture, states = self.draw.textures[number], self.draw.stages[number]
        assert texture is not None
        (u, ux, uy), (v, vx, vy) = (self.coordinates(int(states["TEXCOORDINDEX"]), axis) for axis in (0, 1))
        sampler = Sampler(texture, states, self.doubt)
        bump = self.bump(number - 1)
        color = sampler.sample(u + bump.du, v + bump.dv, (ux, vx), (uy, vy))
        self.slack |= {(number, i): slack for i, slack in enumerate(sampler.slack) if slack}
        red, green, blue, alpha = (c * bump.light for c in color)
        return red, green, blue, alpha


    def bump(self, number: int) -> Bump:
        """What a stage does to the next one."""
        stage = self.draw.stages[number] if number >= 0 else {"COLOROP": TextureOp.DISABLE}
        if stage["COLOROP"] not in stages.BUMPS:
            return Bump(0.0, 0.0, 1.0)
        u, v, luminance, _ = self.texel(number)
        m00, m01, m10, m11 = (float(stage["BUMPENVMAT" + place]) for place in ("00", "01", "10", "11"))
        light = 1.0
        if stage["COLOROP"] == TextureOp.BUMPENVMAPLUMINANCE:
            light = clamp(luminance * float(stage["BUMPENVLSCALE"]) + float(stage["BUMPENVLOFFSET"]))
        return Bump(m00 * u + m10 * v, m01 * u + m11 * v, light)


def shade(fragment: Fragment) -> Color:
    """Cascade, specular add, fog."""
    draw, states = fragment.draw, fragment.draw.states
    specular = fragment.color("specular")
    bound = [t is not None for t in draw.textures]
    factor = int(states["TEXTUREFACTOR"])
    color = stages.Cascade(fragment.color("diffuse"), specular, factor, draw.stages, bound, fragment.texel).run()
    if states["SPECULARENABLE"]:
        color = stages.add_specular(color, specular)
    if states["FOGENABLE"]:
        f = fog.factor(states, fragment.z, fragment.fog_factor(), fragment.doubt)
        color = fog.apply_fog(color, int(states["FOGCOLOR"]), f)
    return color


def outcome(scene: Scene, fragment: Fragment, stored: int, stored_depth: int) -> Outcome:
    """What becomes of a covered pixel, of which the packed words are stored."""
    states, doubt = fragment.draw.states, fragment.doubt
    target = TARGETS[scene.format]
    buffer = DEPTHS[scene.depth_format] if scene.depth_format is not None else None
    held = tests.Stored(0, 0)
    if buffer is not None:
        held = tests.Stored(buffer.depth.of(stored_depth), buffer.stencil.of(stored_depth) if buffer.stencil else 0)
    color = shade(fragment)
    if not tests.alpha_test(states, color[3], doubt):
        return Outcome([None] * 4, *held)
    done = tests.Tested(True, *held)
    if buffer is not None:
        done = tests.stencil_and_depth(states, buffer, fragment.z, fragment.steepness, held, doubt)
    if not done.visible:
        return Outcome([None] * 4, done.depth, done.stencil)
    color = blend.blended(states, color, unpack(target, stored))
    return Outcome(blend.written(target, color, int(states["COLORWRITEENABLE"])), done.depth, done.stencil)


def fragments(scene: Scene, draw: Draw) -> dict[tuple[int, int], Fragment]:
    """Of every covered pixel (x, y)."""
    triangle = Triangle([(v.x, v.y) for v in draw.vertices])
    places = triangle.places(scene.width, scene.height, int(draw.states["CULLMODE"]))
    return {(place.x, place.y): Fragment(draw, place, triangle) for place in places}
