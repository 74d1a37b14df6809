"""Every vector operation on awkward values; prints the results. Run with and without NUMBA_DISABLE_JIT=1."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.kernels.jit import array, kernel, outlined, stage, void
from core.kernels.simd import (
    Color,
    absolute,
    advance,
    align_stack,
    all_lanes,
    any_lane,
    atomic_add,
    below,
    bits_float,
    byte_in_halves,
    ceil,
    first_bit,
    float_bits,
    floor,
    floor_to_int,
    gather,
    gather_float,
    gather_quads,
    gray,
    lane,
    lane_number,
    lane_x,
    lane_y,
    lerp,
    load_float,
    load_int,
    mad,
    mask_bits,
    mask_from_bits,
    maximum,
    minimum,
    multiply_halves,
    picking,
    pointer,
    quad_bottom,
    quad_left,
    quad_right,
    quad_top,
    record_at,
    round_even,
    saturate,
    scatter,
    scatter_float,
    select,
    shift_right,
    shift_right_halves,
    sqrt,
    store_float,
    store_int,
    store_quads,
    stream_int,
    to_float,
    to_int,
    to_int_in_range,
    to_uint,
    trunc,
    vdouble,
    vfloat,
    vint,
    with_alpha,
    words_at,
)
from core.kernels.simd.math import cos, exp2, log2, power, sin
from core.pipeline.records.recycle import LEAST_WORDS, recycled

upside_down = picking(*range(15, -1, -1))
INNER = np.dtype([("a", "i4"), ("b", "f4", 3)], align=True)
THING = np.dtype([("small", "i2"), ("count", "i8"), ("inner", INNER, 2), ("scale", "f4")], align=True)
thing_at = record_at(THING)


@stage
def put_float(out, row, v):
    store_float(out, row * 16, v)


@stage
def put_int(out, row, v):
    store_float(out, row * 16, bits_float(v))


@outlined
def apart(a, b):
    return a * b + 1.0, a < b


@kernel(void(array("f4"), array("i4"), array("f4"), array(THING), array("i8")))
def floats(x, n, results, things, counts):
    align_stack()
    out, source = pointer(results, 0), pointer(x, 0)
    a, b = load_float(source, 0), load_float(advance(source, 16), 0)
    put_float(out, 0, a + b * 2.0 - 0.5)
    put_float(out, 1, 1.0 / a)
    put_float(out, 2, mad(a, b, 3.0))
    put_float(out, 3, lerp(a, b, vfloat(0.25)))
    put_float(out, 4, minimum(a, b))
    put_float(out, 5, maximum(a, b))
    put_float(out, 6, saturate(a))
    put_float(out, 7, floor(a) + ceil(b) * trunc(a))
    put_float(out, 8, sqrt(absolute(a)))
    put_float(out, 9, round_even(b))
    put_int(out, 10, to_int(a))
    put_int(out, 11, to_uint(vdouble(a) * 3.0 - vdouble(b)))
    put_int(out, 12, float_bits(-a))
    product, less = apart(a, b)
    put_float(out, 13, select(less, product, -1.0))
    color = Color(a, b, 0.5, 1.0) * gray(0.5) + 0.25
    color = lerp(with_alpha(color, a), 1.0 - color, b)
    put_float(out, 14, color.r + color.g)
    put_float(out, 15, color.b * color.a)
    equal = (a == b) | (a != a) & ~(b >= 1.0)
    put_int(out, 16, select(equal ^ (a <= b), vint(7), vint(9)))
    put_float(out, 17, exp2(b) + log2(absolute(b)))
    put_float(out, 18, power(absolute(b), a) + sin(b) - cos(b))
    put_int(out, 36, floor_to_int(select(b == b, b, vfloat(-0.5)) * 3.3))
    item = pointer(things, 0)[1]
    item.small, item.count = -3, item.count + atomic_add(pointer(counts, 0), 0, 5)
    item.inner[1].b[2] = item.scale * lane(b, 3)
    bits = mask_bits(less)
    thing_at(pointer(things, 0), 0).inner[0].a = bits + (1000 if any_lane(less) else 0) + all_lanes(a == a)
    thing_at(pointer(things, 0), 0).inner[1].a = first_bit(bits << 3 | 1 << 40)


@kernel(void(array("i4"), array("i4"), array("f4")))
def integers(n, memory, results):
    out, source, heap = pointer(results, 0), pointer(n, 0), pointer(memory, 0)
    a, b = load_int(source, 0), load_int(source, 16)
    put_int(out, 20, a + b * 3 - 7)
    put_int(out, 21, (a & 0xFF) | (b ^ 5) | ~a)
    put_int(out, 22, (a << 3) + (a >> 2) + shift_right(a, 4))
    put_int(out, 23, select(below(a, b), minimum(a, b), maximum(a, b)))
    put_float(out, 24, to_float(a) + to_float(to_int_in_range(vfloat(3.75))))
    put_int(out, 25, gather(heap, lane_number() * 3 & 15) + lane_x() * 10 + lane_y())
    put_float(out, 26, gather_float(heap, lane_number() ^ 1))
    upper, beside, lower, across = gather_quads(heap, lane_number() * 2 & 15, lane(b, 3) + 20)
    put_int(out, 28, upper + beside * 3 + lower * 5 + across * 7)
    put_int(out, 27, quad_left(a) - quad_right(a) + quad_top(b) - quad_bottom(b))
    put_int(out, 37, multiply_halves(a * 259 + b, b ^ 0x30005) + shift_right_halves(a, 0x80003))
    put_int(out, 38, byte_in_halves(a) - multiply_halves(b, 0x10003))
    some = mask_from_bits(0b1010_0110_0000_1111)
    scatter(heap, lane_number() * 2, a, some)
    scatter_float(heap, lane_number() * 2 + 1, to_float(b), ~some)
    store_int(heap, 40, -a)
    stream_int(heap, 64, a + b)
    put_int(out, 29, upside_down(a))
    put_int(out, 39, masks_told(some, a < b))


@stage
def masks_told(some, less):
    """Everything that tells of a mask; what stands above its 16 bits says nothing."""
    told = vint(mask_bits(some) + (mask_bits(select(less, some, ~some)) << 16))
    told = told ^ select(some == less, vint(1 << 8), vint(0)) ^ select(some != (vint(1) < vint(2)), vint(1 << 9), vint(0))
    for n in range(16):
        one, others = mask_from_bits(1 << n | 5 << 16), mask_from_bits(0xFFFF ^ 1 << n)
        count = 1 if lane(one, n) else 0
        count += (2 if any_lane(one) else 0) + (4 if all_lanes(~one) else 0)
        count += (8 if any_lane(one & others) else 0) + (16 if all_lanes(one | others) else 0)
        told = select(one, told * 31 + count, told)
    return told


@stage
def bits_float_of(r, g, b, a):
    return Color(bits_float(r), bits_float(g), bits_float(b), bits_float(a))


@kernel(void(array("i8"), array("f4")))
def quads(addresses, results):
    first, second, third, fourth = words_at(pointer(addresses, 0), 1, 3)
    out = pointer(results, 0)
    put_int(out, 30, first + second * 3 + third * 5 + fourth * 7)
    store_quads(out, 31 * 16, 5, bits_float_of(first, second, third, fourth))


def main() -> None:
    x = np.array([0.5, -0.0, 1.5, 2.5, np.nan, np.inf, -np.inf, 3e9, -3e9, 1e-40, 7.25, -7.75, 0.99, 1, 100.5, -1,
                  1.5, 0.0, 1.5, -2.5, 1.0, 2.0, np.nan, 1.0, 0.3, 2.0, -7.5, 0.1, 1.01, 1, -100, 5], np.float32)  # fmt: skip
    n = np.array([*range(-8, 8), 2**31 - 1, -(2**31), 0, 1, -1, 65536, 12345, -54321, *range(100, 108)], np.int32)
    memory, results = recycled(LEAST_WORDS)[:80].view(np.int32), np.zeros(40 * 16, np.float32)
    things, counts = np.zeros(2, THING), np.array([11], np.int64)
    memory[:] = np.arange(1000, 1080)
    things["scale"], things["count"] = 2.5, 1 << 40
    floats(x, n, results, things, counts)
    integers(n, memory, results)
    quads(memory.ctypes.data + np.arange(40, 23, -1) * 5, results)
    words = results.view(np.uint32).copy()
    words[np.isnan(results)] = 0x7FC00000
    for row in words.reshape(-1, 16):
        print(" ".join(f"{word:08x}" for word in row))
    print(memory.tolist(), things.tobytes().hex(), counts.tolist())


if __name__ == "__main__":
    main()
