"""A block of the pixel pipeline for tests: texture stages or a pixel shader over 4x4 pixels, inputs and result as plain arrays.

Compiled, or under NUMBA_DISABLE_JIT=1 the plain Python twin."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from core.kernels.jit import array, kernel, void
from core.kernels.simd import align_stack, load_float, pointer, store_float
from core.pipeline.draw_state.bind_stages import IN_ORDER, bind_stages
from core.pipeline.draw_state.pixel_lookups import bind_lookups
from core.pipeline.draw_state.pixel_program import compile_pixel_program
from core.pipeline.explain.pixel_trace import color_block
from core.pipeline.pixel.sample import sample_at
from core.pipeline.records.layout import PIXEL_STATE, TRIANGLE
from core.pipeline.records.stage_state import PIXEL_REGISTER_FLOATS
from core.pipeline.records.texture import MAX_LEVELS, TEXEL_RGBA8, TEXEL_RGBA32F, TEXTURE, TextureKind
from core.spec.enums import TextureAddress, TextureFilter, TextureOp
from core.spec.states import TEXTURE_STAGE_STATES

RHW, DIFFUSE, SPECULAR, COORDINATES = 1, 2, 6, 10  # planes
TSS = {state.name: number for number, state in TEXTURE_STAGE_STATES.items()}


@kernel(void(array(PIXEL_STATE), array("u4"), array("f4"), array("f4")))
def lookup_block(states, memory, coordinates, out):
    """The texels of stage 0 at coordinates = u v w, float32[48]; out: r g b a, float32[64]"""
    align_stack()
    uvw, result = pointer(coordinates, 0), pointer(out, 0)
    u, v, w = load_float(uvw, 0), load_float(uvw, 16), load_float(uvw, 32)
    color = sample_at(pointer(states, 0)[0].stage[0], pointer(memory, 0), u, v, w)
    store_float(result, 0, color.r)
    store_float(result, 16, color.g)
    store_float(result, 32, color.b)
    store_float(result, 48, color.a)


@kernel(void(array(PIXEL_STATE)))
def shorten_lookups(states):
    """What binding a draw does to the lookups of a program."""
    bind_lookups(pointer(states, 0)[0])


def default_states() -> np.ndarray:
    """uint32[8, 32]: everything disabled, point sampling, WRAP"""
    states = np.zeros((8, 32), np.uint32)
    states[:, TSS["COLOROP"]] = states[:, TSS["ALPHAOP"]] = TextureOp.DISABLE
    for name, value in {"COLORARG1": 2, "ALPHAARG1": 2, "COLORARG2": 1, "ALPHAARG2": 1, "COLORARG0": 1, "ALPHAARG0": 1,
                        "RESULTARG": 1, "MAXANISOTROPY": 1, "ADDRESSU": TextureAddress.WRAP, "ADDRESSV": TextureAddress.WRAP,
                        "ADDRESSW": TextureAddress.WRAP, "MAGFILTER": TextureFilter.POINT,
                        "MINFILTER": TextureFilter.POINT}.items():  # fmt: skip
        states[:, TSS[name]] = value
    return states


@dataclass
class Block:
    """What goes into one block. Colours: r g b a; coordinates: u v w q of a stage, each (at the first pixel, per x, per y)."""

    diffuse: tuple = (1.0, 1.0, 1.0, 1.0)
    specular: tuple = (0.0, 0.0, 0.0, 0.0)
    factor: tuple = (1.0, 1.0, 1.0, 1.0)
    states: np.ndarray = field(default_factory=default_states)
    rhw: tuple | None = None  # (value, per x, per y); then coordinates and colours are divided by w
    program: np.ndarray | None = None
    version: int = 0x0101
    constants: np.ndarray = field(default_factory=lambda: np.zeros((8, 4), np.float32))
    heap: list = field(default_factory=lambda: [np.zeros(16, np.uint32)])
    textures: np.ndarray = field(default_factory=lambda: np.zeros(8, TEXTURE))
    planes: dict = field(default_factory=dict)

    def stage(self, number: int, **values: float) -> Block:
        """Sets texture stage states by name; floats keep their bits."""
        for name, value in values.items():
            is_float = isinstance(value, float | np.floating)
            self.states[number, TSS[name]] = np.float32(value).view(np.uint32) if is_float else np.uint32(int(value))
        return self

    def coordinates(self, number: int, *components: tuple) -> Block:
        for n, component in enumerate(components):
            value = component if isinstance(component, tuple) else (component, 0.0, 0.0)
            self.planes[COORDINATES + 4 * number + n] = value
        return self

    def texture(self, number: int, levels: list, kind: TextureKind = TextureKind.PLANE, lod: int = 0) -> Block:
        """levels: faces x levels of arrays (h, w) uint32 A8R8G8B8 or (h, w, 4) float32; volumes have a depth axis in front"""
        faces = levels if kind == TextureKind.CUBE else [levels]
        record, first = self.textures[number], faces[0][0]
        wide = first.dtype == np.float32
        size = first.shape[:-1] if wide else first.shape
        record["kind"], record["form"], record["levels"] = kind, TEXEL_RGBA32F if wide else TEXEL_RGBA8, len(faces[0])
        record["width"], record["height"], record["depth"] = size[-1], size[-2], size[0] if kind == TextureKind.VOLUME else 1
        record["power_of_two"] = all(n & (n - 1) == 0 for n in (record["width"], record["height"], record["depth"]))
        record["lod"] = lod
        for f, face in enumerate(faces):
            for n, level in enumerate(face):
                record["start"][f * MAX_LEVELS + n] = sum(map(len, self.heap))
                self.heap.append(np.ascontiguousarray(level).reshape(-1).view(np.uint32))
        return self

    def state(self) -> np.ndarray:
        states = np.zeros(1, PIXEL_STATE)
        row = states[0]
        words = np.ascontiguousarray(self.states).reshape(-1)
        row["stage_count"] = bind_stages(words, words.view(np.float32), self.textures, IN_ORDER, states["stage"][0])
        row["brief"] = row["stage"]["brief"][: row["stage_count"]].all()
        row["texture_factor"] = self.factor
        row["use_diffuse"], row["diffuse_plane"], row["specular_plane"] = 1, DIFFUSE, SPECULAR
        row["plane_count"] = COORDINATES + 32
        for n in range(8):
            row["stage"][n]["coordinate_plane"] = COORDINATES + 4 * n
        row["constant"] = np.asarray(self.constants, np.float32).reshape(-1)
        if self.program is not None:
            program = compile_pixel_program(self.program, self.version)
            row["pixel_shader"], row["shader_needs"] = len(program.records), program.needs
            row["instruction"][: len(program.records)] = program.records
            shorten_lookups(states)
        return states

    def triangle(self) -> np.ndarray:
        triangle = np.zeros(1, TRIANGLE)
        planes = triangle["plane"][0].reshape(-1, 3)
        planes[RHW] = (1, 0, 0) if self.rhw is None else self.rhw
        triangle["affine"] = self.rhw is None
        for first, color in ((DIFFUSE, self.diffuse), (SPECULAR, self.specular)):
            for n, value in enumerate(color):
                planes[first + n] = value * planes[RHW]
        for number, value in self.planes.items():
            planes[number] = value
        return triangle

    def run(self) -> np.ndarray:
        """float32[16, 6]: per pixel (row by row) r g b a, killed, depth"""
        out, registers = np.zeros(96, np.float32), np.full(PIXEL_REGISTER_FLOATS, np.nan, np.float32)
        color_block(self.state(), self.triangle().view(np.float32), self.memory(), registers, out, 0, 0)
        return out.reshape(6, 16).T.copy()

    def lookup(self, uvw: np.ndarray) -> np.ndarray:
        """The texels of stage 0 at uvw[16, 3]; level of detail from differences within 2x2 pixels"""
        out = np.zeros(64, np.float32)
        lookup_block(self.state(), self.memory(), np.ascontiguousarray(np.asarray(uvw, np.float32).T).reshape(-1), out)
        return out.reshape(4, 16).T.copy()

    def memory(self) -> np.ndarray:
        return np.concatenate(self.heap)

    def pixel(self) -> np.ndarray:
        """r g b a of the first pixel"""
        return self.run()[0, :4]


def argb(value: int) -> tuple:
    return tuple((value >> shift & 255) / 255 for shift in (16, 8, 0, 24))


def solid(value: int, size: int = 2) -> list:
    return [np.full((size, size), value, np.uint32)]
