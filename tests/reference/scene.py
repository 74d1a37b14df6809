"""A draw, pixel by pixel: what every pixel of the target must become."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from core.spec.enums import PrimitiveType, ShadeMode, TextureOp, ZBufferType
from tests.reference import blend, fog, program, stages, tests
from tests.reference.coverage import Place, Triangle, linear, perspective
from tests.reference.doubt import Doubt
from tests.reference.formats import DEPTHS, TARGETS, Color, clamp, unpack
from tests.reference.segments import Segment
from tests.reference.texture import KeyMask, Sampler, Texture
from tests.reference.vertex import PROJECTION, Corner, Vertex, World, corner, divisor

Shape = Triangle | Segment
Vector = tuple[float, float, float]
Slopes = tuple[float, float, float]  # a value, and its derivatives to the right and down
SPRITE_CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0))  # of a point: upper left, upper right, lower left ...


SAMPLES = {2: ((-64, 64), (64, -64)), 4: ((-96, 32), (-32, -96), (32, 96), (96, -32))}
"""Where the device has chosen to have them, in 1/256 pixel from the centre: two on a diagonal, four on the rotated grid."""
EVERYWHERE = World((0, 0, 1 << 14, 1 << 14, 0.0, 1.0))


@dataclass(frozen=True)
class Draw:
    """One triangle, line or point and the state it is drawn with: render states and texture stage states by name.

    shader: the text of a pixel shader, "" for the texture stages; constants: its eight.
    """

    states: Mapping[str, int | float]
    stages: tuple[Mapping[str, int | float], ...]
    textures: tuple[Texture | None, ...]
    vertices: tuple[Vertex, ...]
    world: World = EVERYWHERE
    shader: str = ""
    constants: tuple[Color, ...] = ()

    @property
    def kind(self) -> PrimitiveType:
        return (PrimitiveType.POINTLIST, PrimitiveType.LINELIST, PrimitiveType.TRIANGLELIST)[len(self.vertices) - 1]

    @cached_property
    def machine(self) -> program.Program:
        return program.Program(self.shader)

    @property
    def is_keyed(self) -> bool:
        """Whether the first stage's texels are compared with a colour key, be they read or not."""
        first = self.textures[0]
        if first is None or first.key is None or self.shader or self.stages[0]["COLOROP"] == TextureOp.DISABLE:
            return False
        return bool(self.states.get("COLORKEYENABLE"))

    def shapes(self) -> list[tuple[Shape, tuple[Corner, ...]]]:
        """What is to be filled on the screen, and its corners; a point is two triangles."""
        corners = tuple(corner(self, vertex) for vertex in self.vertices)
        if len(corners) == 2:
            return [(Segment([(c.x, c.y) for c in corners], self.states), corners)]
        found = [corners]
        if len(corners) == 1:
            square = [point_corner(self, corners[0], *place) for place in SPRITE_CORNERS]
            found = [(square[0], square[1], square[2]), (square[1], square[3], square[2])]
        return [(Triangle([(c.x, c.y) for c in three]), three) for three in found]


def point_corner(draw: Draw, center: Corner, u: float, v: float) -> Corner:
    """A corner of a point's square: with POINTSPRITEENABLE all coordinate sets run from 0 to 1."""
    moved = center._replace(x=center.x + (u - 0.5) * center.size, y=center.y + (v - 0.5) * center.size)
    if not draw.states["POINTSPRITEENABLE"]:
        return moved
    return moved._replace(coordinates=((u, v, 0.0, 1.0),) * len(center.coordinates))


@dataclass(frozen=True)
class Scene:
    """A target, what it is cleared to, and draws; `depth_format` None: no depth buffer.  samples: 0, or those of SAMPLES."""

    width: int
    height: int
    format: int
    depth_format: int | None
    clear: tuple[int, float, int]  # colour, depth, stencil
    draws: tuple[Draw, ...]
    samples: int = 0


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


SNAPPED = (1 << 24) / 256  # by how many roundings of float32 a corner that clipping made unsettles a value, times its slope
CUT_STEPS = 32  # a pixel so many times nearer to a depth plane than to the next pixel is not compared
TRANSFORM_STEPS = 4  # by how much a matrix in float32 unsettles a depth
KEY = -1  # as the number of a texel: how much of what stage 0 samples its colour key leaves
NO_BUMP = Bump(0.0, 0.0, 1.0)


def w_range(draw: Draw) -> tuple[float, float]:
    """w where the projection matrix makes z 0 and 1."""
    m = draw.world.matrix(PROJECTION)
    return -m[2, 3] * m[3, 2] / m[2, 2], m[2, 3] * m[3, 2] / (m[2, 3] - m[2, 2])


class Fragment:
    """The vertices' values at one place of a triangle or line, and the texels there.

    `nudges` (stage, channel) -> what to add to a texel: to ask how much depends on its last bits.
    """

    def __init__(self, draw: Draw, place: Place, shape: Shape, corners: tuple[Corner, ...]) -> None:
        self.draw, self.place, self.shape, self.corners = draw, place, shape, corners
        self.rhw = [c.rhw for c in corners]
        self.w = 1 / linear(place.weights, self.rhw)
        depths = [c.z for c in corners]
        self.z, self.steepness = linear(place.weights, depths), shape.steepness(depths)
        self.doubt, self.snap = Doubt(), 0.0
        self.sampled: dict[int, Color] = {}
        self.slack: dict[tuple[int, int], float] = {}
        self.nudges: dict[tuple[int, int], float] = {}

    def color(self, name: str) -> Color:
        """diffuse or specular, 0..1; flat: that of the first vertex."""
        found = [getattr(c, name) for c in self.corners]
        if self.draw.states["SHADEMODE"] == ShadeMode.FLAT:
            return found[0]
        red, green, blue, alpha = (clamp(perspective(self.place.weights, self.rhw, [c[i] for c in found])) for i in range(4))
        return red, green, blue, alpha

    def fog_factor(self) -> float:
        """Interpolated in flat shading too."""
        return perspective(self.place.weights, self.rhw, [c.fog for c in self.corners])

    def is_cut_away(self, depth_tested: bool) -> bool:
        """Beyond the near or far plane, which cut transformed vertices while depth is tested, others always; doubtful there.

        CLIPPING has no say (docs/decisions.md, Depth clipping).  New corners are snapped, which moves what lies between them.
        """
        near, far = self.draw.world.viewport[4:] if not self.draw.vertices[0].transformed else (0.0, 1.0)
        if self.draw.vertices[0].transformed and not depth_tested:
            return False
        depth, *depths = ((z - near) / (far - near) for z in (self.z, *(c.z for c in self.corners)))
        if min(depths) >= 0 and max(depths) <= 1:
            return False
        self.snap = SNAPPED
        margin = self.slope([c.z for c in self.corners]) / abs(far - near) / CUT_STEPS + 1e-5
        if min(abs(depth), abs(1 - depth)) < margin:
            self.doubt.reasons.add("on a depth plane")
            return False
        return not 0 <= depth <= 1

    def slope(self, values: list[float]) -> float:
        """The steeper of the changes to the right and down of a value that is affine on the screen."""
        origin, right, down = (linear(self.shape.weights(*at), values) for at in ((0, 0), (1, 0), (0, 1)))
        return max(abs(right - origin), abs(down - origin))

    @property
    def bias_steps(self) -> int:
        """Lists of points are not biased."""
        return int(self.draw.states["ZBIAS"]) if self.draw.kind == PrimitiveType.TRIANGLELIST else 0

    def bias(self) -> float:
        """What ZBIAS takes off for the slope."""
        if self.draw.states["ZENABLE"] != ZBufferType.USEW:
            return self.bias_steps * self.slope([c.z for c in self.corners])
        near, far = w_range(self.draw)
        return self.bias_steps * self.w**2 * self.slope(self.rhw) / (far - near)

    def bias_unsteadiness(self) -> float:
        """How much the bias moves if the depth of a corner does by 1, as that of a transformed one does in float32."""
        if self.draw.vertices[0].transformed:
            return 0.0
        count = len(self.corners)
        return self.bias_steps * sum(self.slope([float(k == n) for k in range(count)]) for n in range(count))

    def depth(self, step: float) -> float:
        """What a depth buffer is to hold, 0..1; step: its smallest difference, which ZBIAS takes off, too."""
        bias = self.bias() + self.bias_steps * step
        if self.draw.states["ZENABLE"] != ZBufferType.USEW:
            return self.z - bias
        near, far = w_range(self.draw)
        return (self.w - near) / (far - near) - bias

    @property
    def unsteadiness(self) -> float:
        """How much larger than the depth itself the terms are that it is computed from."""
        if self.draw.states["ZENABLE"] != ZBufferType.USEW:
            steps = 0 if self.draw.vertices[0].transformed else TRANSFORM_STEPS
            snap = self.snap * self.slope([c.z for c in self.corners])
            return self.bias() + self.steepness + snap + steps * (1 + self.bias_unsteadiness())
        near, far = w_range(self.draw)
        moved = (
            max(self.rhw) * (1 + self.bias_unsteadiness()) + self.shape.steepness(self.rhw) + self.snap * self.slope(self.rhw)
        )
        return self.bias() + 8 * self.w**2 * moved / (far - near)

    def coordinate(self, number: int, axis: int) -> list[float]:
        """A coordinate of a stage at the three corners, the shorter way round where WRAPn asks for it."""
        values = [c.coordinates[number][axis] for c in self.corners]
        index = int(self.draw.stages[number].get("TEXCOORDINDEX", 0)) & 7
        if not int(self.draw.states.get(f"WRAP{index}", 0)) >> axis & 1:
            return values
        first = values[0]
        if any(abs(abs(v - first) - 0.5) < 1e-5 for v in values):
            self.doubt.reasons.add("wrap")
        return [v - 1 if v - first > 0.5 else v + 1 if v - first < -0.5 else v for v in values]

    def coordinates_of(self, number: int) -> list[float]:
        """All four of a stage, divided by nothing."""
        return [perspective(self.place.weights, self.rhw, self.coordinate(number, axis)) for axis in range(4)]

    def divided(self, number: int) -> list[Slopes]:
        """u, v, w of a stage, divided by w or by the coordinate that D3DTTFF_PROJECTED names."""
        by = divisor(int(self.draw.stages[number].get("TEXTURETRANSFORMFLAGS", 0))) if not self.draw.shader else None
        below = [1.0] * len(self.corners) if by is None else self.coordinate(number, by)
        return [self.quotient(self.coordinate(number, axis), below) for axis in range(3)]

    def quotient(self, above: list[float], below: list[float]) -> Slopes:
        """A quotient of two values that are affine in space, and its derivatives on the screen."""
        x, y, weights, _ = self.place
        divisor = linear([w * r for w, r in zip(weights, self.rhw, strict=True)], below)
        here = linear([w * r for w, r in zip(weights, self.rhw, strict=True)], above) / divisor
        slopes = []
        for there in (self.shape.weights(x + 1, y), self.shape.weights(x, y + 1)):
            change = [(n - w) * r for n, w, r in zip(there, weights, self.rhw, strict=True)]
            slopes.append((linear(change, above) - here * linear(change, below)) / divisor)
        return here, slopes[0], slopes[1]

    def texel(self, number: int) -> Color:
        """What the texture of a stage gives here."""
        if number not in self.sampled:
            self.sampled[number] = self.sample(number)
        color = self.sampled[number]
        red, green, blue, alpha = (c + self.nudges.get((number, i), 0.0) for i, c in enumerate(color))
        return red, green, blue, alpha

    def sample(self, number: int) -> Color:
        stage = 0 if number == KEY else number
        u, v, w = self.divided(stage)
        bump = self.bump(stage - 1) if not self.draw.shader else NO_BUMP
        place = u[0] + bump.du, v[0] + bump.dv, w[0]
        color = self.look_up(number, place, (u[1], v[1], w[1]), (u[2], v[2], w[2]))
        red, green, blue, alpha = (c * bump.light for c in color)
        return red, green, blue, alpha

    def look_up(self, number: int, place: Vector, dx: Vector, dy: Vector) -> Color:
        """The texel of a stage's texture at (u, v, w)."""
        stage = 0 if number == KEY else number
        texture, states = self.draw.textures[stage], self.draw.stages[stage]
        if texture is None:
            return 0.0, 0.0, 0.0, 1.0
        if number == KEY:
            texture, states = KeyMask(**vars(texture)), {**states, "BORDERCOLOR": 0xFFFFFFFF}
        sampler = Sampler(texture, states, self.doubt)
        color = sampler.sample(place, dx, dy)
        self.slack |= {(number, i): slack for i, slack in enumerate(sampler.slack) if slack}
        return color

    def bump(self, number: int) -> Bump:
        """What a stage does to the next one."""
        stage = self.draw.stages[number] if number >= 0 else {"COLOROP": TextureOp.DISABLE}
        if stage["COLOROP"] not in stages.BUMPS:
            return NO_BUMP
        u, v, luminance, _ = self.texel(number)
        m00, m01, m10, m11 = (float(stage["BUMPENVMAT" + place]) for place in ("00", "01", "10", "11"))
        light = 1.0
        if stage["COLOROP"] == TextureOp.BUMPENVMAPLUMINANCE:
            light = clamp(luminance * float(stage["BUMPENVLSCALE"]) + float(stage["BUMPENVLOFFSET"]))
        return Bump(m00 * u + m10 * v, m01 * u + m11 * v, light)


class SampleFragment(Fragment):
    """A sample of a pixel: tested with its own depth, coloured as the pixel's centre is."""

    def __init__(self, draw: Draw, sample: Fragment, triangle: Triangle) -> None:
        x, y = sample.place[:2]
        weights = triangle.weights(x, y)
        super().__init__(draw, Place(x, y, weights), triangle, sample.corners)
        self.sample_alone = sample
        if linear(weights, self.rhw) < 0.1 * max(self.rhw) or min(weights) < -1:
            self.doubt.reasons.add("a centre far outside")

    def is_cut_away(self, depth_tested: bool) -> bool:
        cut = self.sample_alone.is_cut_away(depth_tested)
        self.doubt.reasons |= self.sample_alone.doubt.reasons
        return cut

    def depth(self, step: float) -> float:
        return self.sample_alone.depth(step)

    @property
    def unsteadiness(self) -> float:
        return self.sample_alone.unsteadiness


def shade(fragment: Fragment) -> Color | None:
    """Pixel shader, or cascade and specular add; fog; colour key; a line's coverage.  None: texkill, keyed."""
    draw, states = fragment.draw, fragment.draw.states
    specular = fragment.color("specular")
    if draw.shader:
        ran = draw.machine.run(fragment)
        if ran is None:
            return None
        color = ran
    else:
        bound = [t is not None for t in draw.textures]
        factor = int(states["TEXTUREFACTOR"])
        color = stages.Cascade(fragment.color("diffuse"), specular, factor, draw.stages, bound, fragment.texel).run()
        if states["SPECULARENABLE"]:
            color = stages.add_specular(color, specular)
    if states["FOGENABLE"]:
        far = fragment.w if fog.by_w(draw.world.matrix(PROJECTION)) else fragment.z
        color = fog.apply_fog(color, int(states["FOGCOLOR"]), fog.factor(states, far, fragment.fog_factor(), fragment.doubt))
    visible = fragment.texel(KEY)[3] if draw.is_keyed else 1.0
    if visible <= 0 or (visible < 0.5 and not states["COLORKEYBLENDENABLE"]):
        return None
    fading = visible if draw.is_keyed and states["COLORKEYBLENDENABLE"] else 1.0
    return (*color[:3], color[3] * fading * fragment.place.share)


def outcome(scene: Scene, fragment: Fragment, stored: int, stored_depth: int) -> Outcome:
    """What becomes of a covered pixel, of which the packed words are stored."""
    states, doubt = fragment.draw.states, fragment.doubt
    target = TARGETS[scene.format]
    buffer = DEPTHS[scene.depth_format] if scene.depth_format is not None else None
    held = tests.Stored(0, 0)
    if buffer is not None:
        held = tests.Stored(buffer.depth.of(stored_depth), buffer.stencil.of(stored_depth) if buffer.stencil else 0)
    color = shade(fragment)
    if color is None or not tests.alpha_test(states, color[3], doubt):
        return Outcome([None] * 4, *held)
    done = tests.Tested(True, *held)
    if buffer is not None:
        done = tests.stencil_and_depth(states, buffer, fragment.depth(1 / buffer.depth.top), fragment.unsteadiness, held, doubt)
    if not done.visible:
        return Outcome([None] * 4, done.depth, done.stencil)
    color = blend.blended(states, color, unpack(target, stored, 1.0))
    dither = blend.dithering(*fragment.place[:2]) if states["DITHERENABLE"] else 0.0
    return Outcome(blend.written(target, color, int(states["COLORWRITEENABLE"]), dither), done.depth, done.stencil)


def fragments(scene: Scene, draw: Draw, sample: int = 0) -> dict[tuple[int, int], Fragment]:
    """Of every covered pixel (x, y); with several samples, of those where this one is covered and MULTISAMPLEMASK allows it."""
    found: dict[tuple[int, int], Fragment] = {}
    left, top, width, height, _, _ = draw.world.viewport
    cull = int(draw.states["CULLMODE"]) if draw.kind == PrimitiveType.TRIANGLELIST else 1
    if scene.samples and not int(draw.states["MULTISAMPLEMASK"]) >> sample & 1:
        return found
    moved = (0, 0)
    if scene.samples and draw.states["MULTISAMPLEANTIALIAS"]:
        moved = SAMPLES[scene.samples][sample]
    for shape, corners in draw.shapes():
        seen = shape.seen_from(*moved) if isinstance(shape, Triangle) else shape
        for place in seen.places(min(scene.width, left + width), min(scene.height, top + height), cull):
            if place.x < left or place.y < top:
                continue
            fragment = Fragment(draw, place, seen, corners)
            if isinstance(shape, Triangle) and moved != (0, 0):
                fragment = SampleFragment(draw, fragment, shape)
            if fragment.is_cut_away(scene.depth_format is not None and bool(draw.states["ZENABLE"])):
                continue
            if (place.x, place.y) in found:
                fragment.doubt.reasons.add("covered twice")
            found[place.x, place.y] = fragment
    return found
