"""One pixel's colour after the stages or the program: specular add, colour key, fog, blending, the stored word.

Seen by computing the pixel with parts of its state switched off, and by asking the blending stages for their factors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.kernels.jit import array, i8, kernel, stage, void
from core.kernels.simd import (
    Color,
    align_stack,
    gray,
    load_float,
    mask_from_bits,
    pointer,
    select,
    store_float,
    store_int,
    vfloat,
    vint,
)
from core.pipeline.pixel.blend import blend, blend_factor
from core.pipeline.pixel.fog import fog_distance, fog_factor
from core.pipeline.pixel.interpolate import block_offset, interpolate, interpolate_specular, interpolate_w
from core.pipeline.pixel.output import write_color
from core.pipeline.pixel.seam import triangle_at
from core.pipeline.pixel.shade import apply_color_key, finish_color
from core.pipeline.records.layout import PIXEL_STATE, FogSource, Plane
from core.pipeline.surface.formats.pixels import unpack

Rgba = tuple[float, float, float, float]


@stage
def put_color(memory, at, color):
    """Four channels of 16 lanes."""
    store_float(memory, at, color.r)
    store_float(memory, at + 16, color.g)
    store_float(memory, at + 32, color.b)
    store_float(memory, at + 48, color.a)


@kernel(void(array(PIXEL_STATE), array("f4"), array("u4"), array("f4"), array("f4"), i8, i8))
def finished_block(states, planes, memory, color, out, x, y):
    """Color float32[64] = r g b a of the block at (x, y) after the stages -> out float32[80] = r g b a, killed (0 or 1)."""
    align_stack()
    state, triangle, result = pointer(states, 0)[0], triangle_at(pointer(planes, 0), 0), pointer(out, 0)
    dx, dy = block_offset(triangle, x, y)
    given, w = pointer(color, 0), interpolate_w(triangle, dx, dy)
    staged = Color(load_float(given, 0), load_float(given, 16), load_float(given, 32), load_float(given, 48))
    finished, killed = finish_color(state, triangle, pointer(memory, 0), dx, dy, w, staged, mask_from_bits(0))
    if state.color_key:
        finished, killed = apply_color_key(state, triangle, pointer(memory, 0), dx, dy, finished, killed)
    put_color(result, 0, finished)
    store_float(result, 64, select(killed, vfloat(1.0), vfloat(0.0)))


@kernel(void(array(PIXEL_STATE), array("f4"), array("f4"), i8, i8))
def attributes_block(states, planes, out, x, y):
    """Out float32[112] = specular r g b a, fog factor, fog distance, w; 0 (the factor: 1) for what is not there.

    w is that of the pixel even where the vertices share it and the planes are therefore not divided by it."""
    align_stack()
    state, triangle, result = pointer(states, 0)[0], triangle_at(pointer(planes, 0), 0), pointer(out, 0)
    dx, dy = block_offset(triangle, x, y)
    w = interpolate_w(triangle, dx, dy)
    put_color(result, 0, interpolate_specular(state, triangle, dx, dy, w))
    factor, distance = vfloat(1.0), vfloat(0.0)
    if state.fog_source:
        factor = fog_factor(state, triangle, dx, dy, w)
        if state.fog_source != FogSource.VERTEX:
            distance = fog_distance(state, triangle, dx, dy)
    store_float(result, 64, factor)
    store_float(result, 80, distance)
    store_float(result, 96, 1.0 / interpolate(triangle, Plane.RHW, dx, dy))


@kernel(void(array(PIXEL_STATE), array("f4"), i8, array("f4"), array("i4")))
def blended_block(states, source, stored, out, words):
    """Blends float32[4] with a stored word: out float32[256] = destination, source factor, destination factor, result, each
    r g b a of 16 lanes; words int32[16]: what is written, by lane."""
    align_stack()
    state, result, given = pointer(states, 0)[0], pointer(out, 0), pointer(source, 0)
    color = gray(0.0) + Color(given[0], given[1], given[2], given[3])
    there = vint(0) + stored
    dest = unpack(state, there)
    put_color(result, 0, dest)
    if state.blend_enable:
        put_color(result, 64, blend_factor(state.blend_source, color, dest))
        put_color(result, 128, blend_factor(state.blend_dest, color, dest))
        put_color(result, 192, blend(state, color, dest))
    else:
        put_color(result, 64, gray(1.0))
        put_color(result, 128, gray(0.0))
        put_color(result, 192, color)
    store_int(pointer(words, 0), 0, write_color(state, color, there, mask_from_bits(0xFFFF)))


# ---- one pixel ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Late:
    """From the last stage or instruction to the tests: the colour after each thing that is on, by name, in order.

    names: "stages" (clamped to 0..1), "specular", "color_key", "fog".  fog_factor: 1 without fog; distance: of table fog.
    """

    colors: dict[str, Rgba]
    specular: Rgba
    fog_factor: float
    fog_distance: float
    fog_color: Rgba
    fog_source: FogSource
    killed: bool
    w: float


@dataclass(frozen=True, slots=True)
class Blended:
    """source * source_factor (op) destination * destination_factor = result, clamped; `word` is what the target then holds.

    enabled False: the source goes into the target.  The terms do not count with the operations MIN and MAX.
    """

    enabled: bool
    op: int
    source: Rgba
    source_factor: Rgba
    destination: Rgba
    destination_factor: Rgba
    result: Rgba
    word: int

    @property
    def source_term(self) -> Rgba:
        """source * source_factor"""
        return rgba(np.array(self.source) * self.source_factor)

    @property
    def destination_term(self) -> Rgba:
        """destination * destination_factor"""
        return rgba(np.array(self.destination) * self.destination_factor)


def rgba(values: np.ndarray | list[float]) -> Rgba:
    """Four numbers as a tuple."""
    r, g, b, a = map(float, values)
    return r, g, b, a


def late_colors(states: np.ndarray, planes: np.ndarray, memory: np.ndarray, staged: np.ndarray, x: int, y: int) -> Late:
    """What follows the stages at a pixel; staged: float32[64], the block's colour after them; others as in trace.Pixel."""
    state, lane = states[0], (y & 3) * 4 + (x & 3)
    colors: dict[str, Rgba] = {}
    shorter = states.copy()
    parts = {"stages": "", "specular": "specular_enable", "color_key": "color_key", "fog": "fog_source"}
    for switch in filter(None, parts.values()):
        shorter[switch] = 0
    values = np.zeros(80, np.float32)
    for name, switch in parts.items():
        if switch and not state[switch]:
            continue
        if switch:
            shorter[switch] = state[switch]
        finished_block(shorter, planes, memory, staged, values, x & ~3, y & ~3)
        colors[name] = rgba(values.reshape(5, 16)[:4, lane])
    attributes = np.zeros(112, np.float32)
    attributes_block(states, planes, attributes, x & ~3, y & ~3)
    seen = attributes.reshape(7, 16)[:, lane]
    return Late(colors, rgba(seen[:4]), float(seen[4]), float(seen[5]), rgba(state["fog_color"]),
                FogSource(int(state["fog_source"])), bool(values.reshape(5, 16)[4, lane]), float(seen[6]))  # fmt: skip


def blended(states: np.ndarray, source: Rgba, stored: int, lane: int) -> Blended:
    """What blending makes of a colour and the target's word, in the state states[0]."""
    out, words = np.zeros(256, np.float32), np.zeros(16, np.int32)
    blended_block(states, np.array(source, np.float32), (stored & 0x7FFFFFFF) - (stored & 0x80000000), out, words)
    dest, first, second, result = (rgba(part) for part in out.reshape(4, 4, 16)[:, :, lane])
    state = states[0]
    return Blended(bool(state["blend_enable"]), int(state["blend_op"]), source, first, dest, second, result,
                   int(words[lane]) & 0xFFFFFFFF)  # fmt: skip
