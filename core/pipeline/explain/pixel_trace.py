"""Results of each texture stage, or each pixel shader instruction, for one pixel.

The stages keep no record of what happens in between. So the pixel is computed again and again by shorter and shorter
pipelines: the first k stages of the cascade, then one more that shows an argument; the first k instructions of the program,
whose registers are still in the scratch memory. What is seen is what the drawing code computes, it has no twin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from core.kernels.jit import array, i8, kernel, void
from core.kernels.simd import align_stack, pointer, select, store_float, vfloat
from core.pipeline.draw_state.pixel_slots import LOOKUP, SPECULAR, TEMPORARY, TEXTURE, InstructionKind
from core.pipeline.explain.output_trace import Late, Rgba, late_colors, rgba
from core.pipeline.explain.texel_trace import Lookup, computed_texels, own_texels
from core.pipeline.pixel.combine import fetch_texels, run_stages
from core.pipeline.pixel.interpolate import block_offset, interpolate_diffuse, interpolate_w
from core.pipeline.pixel.pixel_arithmetic import put
from core.pipeline.pixel.pshader import killed_lanes, load_constants, run_pixel_shader, written_depth
from core.pipeline.pixel.seam import triangle_at
from core.pipeline.records.layout import PIXEL_STATE, TRIANGLE, Plane
from core.pipeline.records.stage_state import PIXEL_REGISTER_FLOATS, STAGES, Brief
from core.pipeline.records.texture import TextureKind
from core.spec.enums import TextureArg, TextureOp
from core.spec.shaders import Sio

BUMP_OPS = (TextureOp.BUMPENVMAP, TextureOp.BUMPENVMAPLUMINANCE)
THREE_ARGUMENTS = (TextureOp.MULTIPLYADD, TextureOp.LERP)
COMPUTED_LOOKUPS = (Sio.TEXREG2AR, Sio.TEXREG2GB, Sio.TEXREG2RGB, Sio.TEXDP3TEX, Sio.TEXM3x2TEX, Sio.TEXM3x3TEX,
                    Sio.TEXM3x3SPEC, Sio.TEXM3x3VSPEC)  # fmt: skip


@kernel(void(array(PIXEL_STATE), array("f4"), array("u4"), array("f4"), array("f4"), i8, i8))
def color_block(states, planes, memory, registers, out, x, y):
    """The colour that the cascade or the program of states[0] gives the block at (x, y), before specular add and fog.

    planes: the floats of a TRIANGLE; registers: PIXEL_REGISTER_FLOATS; out: float32[96] = r g b a, killed (0 or 1), depth."""
    align_stack()
    state, triangle = pointer(states, 0)[0], triangle_at(pointer(planes, 0), 0)
    heap, result = pointer(memory, 0), pointer(out, 0)
    dx, dy = block_offset(triangle, x, y)
    w = interpolate_w(triangle, dx, dy)
    diffuse = interpolate_diffuse(state, triangle, dx, dy, w)
    killed, depth, scratch = vfloat(0.0) > 1.0, vfloat(-1.0), pointer(registers, 0)
    if state.pixel_shader:
        load_constants(state, scratch)
        color = run_pixel_shader(state, triangle, heap, scratch, dx, dy, w, diffuse, False)
        put(scratch, TEMPORARY, color)
        killed, depth = killed_lanes(state, scratch), written_depth(state, scratch)
    else:
        fetch_texels(state, triangle, heap, scratch, dx, dy, w)
        color = run_stages(state, triangle, scratch, dx, dy, w, diffuse)
    store_float(result, 0, color.r)
    store_float(result, 16, color.g)
    store_float(result, 32, color.b)
    store_float(result, 48, color.a)
    store_float(result, 64, select(killed, vfloat(1.0), vfloat(0.0)))
    store_float(result, 80, depth)


@dataclass(frozen=True, slots=True)
class Step:
    """After a texture stage (its number) or an instruction (its number among those that compute): values by name.

    A stage: texture, color_arg1, ..., alpha_arg0 as they come in, current and temp as they go out. An instruction: r0 to r5,
    and t0 to t5 as far as written. lookup: the texels it read; None: it read no texture."""

    number: int
    values: dict[str, Rgba]
    lookup: Lookup | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """One pixel of one primitive. inputs: diffuse, specular, and the texture coordinates t0.. that exist, not divided by q."""

    shader: bool
    inputs: dict[str, Rgba]
    steps: list[Step]
    result: Rgba
    killed: bool = False
    depth: float | None = None  # that the shader wrote, 0..1
    late: Late | None = None  # specular add, colour key, fog
    key: Lookup | None = None  # what the colour key looked at


@dataclass
class Pixel:
    """One pixel and all it takes to compute it. states: PIXEL_STATE[1]; planes: floats of its TRIANGLE; memory: the heap."""

    states: np.ndarray
    planes: np.ndarray
    memory: np.ndarray
    x: int
    y: int
    registers: np.ndarray = field(default_factory=lambda: np.zeros(PIXEL_REGISTER_FLOATS, np.float32))

    def __post_init__(self) -> None:
        padded = np.zeros(TRIANGLE.itemsize // 4, np.float32)
        padded[: len(self.planes)] = self.planes[: len(padded)]
        self.planes = padded

    @property
    def lane(self) -> int:
        return (self.y & 3) * 4 + (self.x & 3)

    def compute(self, states: np.ndarray) -> np.ndarray:
        """r g b a, killed, depth with another PIXEL_STATE[1]"""
        return self.compute_block(states).reshape(6, 16)[:, self.lane]

    def compute_block(self, states: np.ndarray) -> np.ndarray:
        """the same of all lanes, float32[96]"""
        out = np.zeros(96, np.float32)
        color_block(states, self.planes, self.memory, self.registers, out, self.x & ~3, self.y & ~3)
        return out

    def color(self, states: np.ndarray) -> Rgba:
        return rgba(self.compute(states)[:4])

    def plane(self, number: int, count: int = 4) -> Rgba:
        """the attribute whose first plane has this number"""
        triangle = self.planes.view(TRIANGLE)[0]
        at = np.array([1, self.x - triangle["x"], self.y - triangle["y"]], np.float32)
        with np.errstate(invalid="ignore", over="ignore"):  # planes that the draw has not stay as memory was
            values = triangle["plane"].reshape(-1, 3) @ at
        w = 1.0 if triangle["affine"] else 1.0 / values[Plane.RHW]
        return rgba([*(values[number : number + count] * w), *(0.0, 0.0, 0.0, 1.0)[count:]])

    def vertex_color(self, number: int) -> Rgba:
        """a colour, which stays within 0..1 beyond the vertices"""
        return rgba(np.clip(np.array(self.plane(number)), 0, 1))


def trace(pixel: Pixel) -> Trace:
    """All steps of a pixel."""
    state = pixel.states[0]
    shader = bool(state["pixel_shader"])
    steps = list(shader_steps(pixel) if shader else stage_steps(pixel))
    block = pixel.compute_block(pixel.states)
    final = block.reshape(6, 16)[:, pixel.lane]
    late = late_colors(pixel.states, pixel.planes, pixel.memory, block[:64], pixel.x, pixel.y)
    depth = float(final[5]) if final[5] >= 0 else None
    key = own_lookup(pixel, -1, state["key_stage"]) if state["color_key"] else None
    return Trace(shader, inputs_of(pixel), steps, rgba(final[:4]), bool(final[4]), depth, late, key)


def inputs_of(pixel: Pixel) -> dict[str, Rgba]:
    """What was interpolated for the pixel: "diffuse", "specular", and coordinates as "t0" on, not divided."""
    state = pixel.states[0]
    inputs: dict[str, Rgba] = {}
    if state["use_diffuse"]:
        inputs["diffuse"] = pixel.vertex_color(int(state["diffuse_plane"]))
    if state["specular_plane"] >= 0:
        inputs["specular"] = pixel.vertex_color(int(state["specular_plane"]))
    firsts = [int(first) for first in state["stage"]["coordinate_plane"]]
    for number, first in enumerate(firsts):
        if first >= 0:
            ends = [other for other in (*firsts, int(state["plane_count"])) if other > first]
            inputs[f"t{number}"] = pixel.plane(first, min(min(ends) - first, 4))
    return inputs


# ---- programs --------------------------------------------------------------------------------------


def shader_steps(pixel: Pixel) -> Iterator[Step]:
    """Registers after each instruction; a co-issued pair may be taken apart, its two steps then show it half done."""
    state = pixel.states[0]
    count = int(state["pixel_shader"])
    written = {SPECULAR}
    for length in range(1, count + 1):
        row = state["instruction"][length - 1]
        written.add(int(row["destination"]))
        number = int(row["number"])
        if number < 0 or (length < count and state["instruction"][length]["number"] == number):
            continue
        shorter = pixel.states.copy()
        shorter["pixel_shader"] = length
        pixel.compute(shorter)
        yield Step(number, dict(register_values(pixel, written)), shader_lookup(pixel, row))


def register_values(pixel: Pixel, written: set[int]) -> Iterator[tuple[str, Rgba]]:
    slots = pixel.registers.reshape(-1, 4, 16)[:, :, pixel.lane]
    for letter, first in (("r", TEMPORARY), ("t", TEXTURE)):
        for number in range(6):
            if first + number in written:
                yield f"{letter}{number}", rgba(slots[first + number])


def shader_lookup(pixel: Pixel, row: np.void) -> Lookup | None:
    """the texels that the instruction which has run last read"""
    op, number = int(row["op"]), int(row["stage"])
    kept = pixel.registers[LOOKUP * 64 : LOOKUP * 64 + 48]
    coordinates, stage = pixel.states["stage"][0][row["coordinate"]], pixel.states["stage"][0][number]
    fourth = row["third"] == 3 and stage["texture"]["kind"] != TextureKind.PLANE  # computed: see pshader.own_lookup
    if (op == Sio.TEX and row["coordinate"] >= 0 and not fourth) or op in (Sio.TEXBEM, Sio.TEXBEML):
        projected = int(row["divide"] if op == Sio.TEX and row["sources"] else stage["projected"])
        moved = (0.0, 0.0) if op == Sio.TEX else (float(kept[pixel.lane]), float(kept[16 + pixel.lane]))
        return own_texels(pixel.states, pixel.planes, pixel.memory, pixel.x, pixel.y, number,
                          int(coordinates["coordinate_plane"]), projected, moved)  # fmt: skip
    if op == Sio.TEX or op in COMPUTED_LOOKUPS:
        return computed_texels(pixel.states, pixel.memory, kept, pixel.x, pixel.y, number)
    return None


# ---- the cascade -----------------------------------------------------------------------------------


def stage_steps(pixel: Pixel) -> Iterator[Step]:
    state = pixel.states[0]
    for number in range(int(state["stage_count"])):
        row = state["stage"][number]
        values: dict[str, Rgba] = {}
        if row["textured"] or row["color_op"] in BUMP_OPS:
            values["texture"] = texel(pixel, number)
        if row["color_op"] not in BUMP_OPS:
            for name in argument_names(row):
                values[name] = argument(pixel, number, int(row[name]))
        values |= results(pixel, number)
        yield Step(number, values, own_lookup(pixel, number, row) if "texture" in values else None)


def own_lookup(pixel: Pixel, number: int, row: np.void) -> Lookup | None:
    """the texels that a stage of the cascade (-1: the colour key) reads"""
    return own_texels(pixel.states, pixel.planes, pixel.memory, pixel.x, pixel.y, number, int(row["coordinate_plane"]),
                      int(row["projected"]))  # fmt: skip


def argument_names(row: np.ndarray) -> Iterator[str]:
    """the arguments that the operations of a stage read"""
    for channel in ("color", "alpha"):
        op = row[f"{channel}_op"]
        if op == TextureOp.DISABLE or (channel == "alpha" and row["color_op"] == TextureOp.DOTPRODUCT3):
            continue
        if op != TextureOp.SELECTARG2:
            yield f"{channel}_arg1"
        if op not in (TextureOp.SELECTARG1, TextureOp.PREMODULATE):
            yield f"{channel}_arg2"
        if op in THREE_ARGUMENTS:
            yield f"{channel}_arg0"


def selecting(states: np.ndarray, number: int, word: int) -> np.ndarray:
    """The state whose cascade ends with stage `number` showing one argument."""
    other = states.copy()
    row = other["stage"][0][number]
    row["color_op"], row["color_arg1"], row["alpha_same"], row["result_temp"] = TextureOp.SELECTARG1, word, 1, 0
    row["brief"] = Brief.NOT
    other["stage_count"] = number + 1
    return other


def argument(pixel: Pixel, number: int, word: int) -> Rgba:
    return pixel.color(selecting(pixel.states, number, word))


def texel(pixel: Pixel, number: int) -> Rgba:
    """The stage's texel, unclamped by a program of its own; as the cascade sees it (clamped) where stages before change it."""
    row = pixel.states["stage"][0][number]
    if row["bump_first"] < number or row["premodulated"]:
        return argument(pixel, number, int(TextureArg.TEXTURE))
    other = pixel.states.copy()
    other["pixel_shader"] = 1
    other["instruction"] = np.zeros((), other["instruction"].dtype)  # without a program anything may stand there
    look = other["instruction"][0][0]
    look["kind"], look["op"], look["stage"], look["coordinate"] = InstructionKind.LOOKUP, Sio.TEX, number, number
    look["destination"], look["write_mask"], look["changes"] = TEMPORARY, 15, 0
    return pixel.color(other)


def results(pixel: Pixel, number: int) -> dict[str, Rgba]:
    """CURRENT after a stage, and TEMP if the cascade uses it"""
    other = pixel.states.copy()
    other["stage_count"] = number + 1
    values = {"current": pixel.color(other)}
    if number + 1 < STAGES and pixel.states["stage"]["result_temp"][0][: number + 1].any():
        shown = selecting(pixel.states, number + 1, int(TextureArg.TEMP))
        shown["stage"]["textured"][0][number + 1] = 0
        values["temp"] = pixel.color(shown)
    return values
