"""Vectors in memory and across the lanes of a block, for compiled code: loads, stores, gathers, shuffles.

Indices count elements and are not checked, but in a build for that (core.kernels.bounds).
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from core.kernels import bounds
from core.kernels.bounds import BYTES
from core.kernels.cache import GATHERS
from core.kernels.numba_inside import cgutils
from core.kernels.simd.compiled.masks import F32, I32, I64, LANES, bits_of
from core.kernels.simd.compiled.structures import item_place, load_item
from core.kernels.simd.compiled.vectors import color_t, split, vfloat_t, vint_t, vmask_t

F64 = ir.DoubleType()
QUAD = ir.VectorType(I32, 4)


def item_bytes(context, builder, ty, base, index_ty, index):
    """The address of a whole vector from an item on."""
    return bounds.address(builder, item_place(context, builder, ty, base, index_ty, index), 4 * LANES)


def make_load(vector):
    @intrinsic
    def load(tyctx, memory, index):
        def codegen(context, builder, sig, args):
            p = item_bytes(context, builder, sig.args[0], args[0], sig.args[1], args[1])
            return builder.load(builder.bitcast(p, vector.ir.as_pointer()), align=4)

        return vector(memory, index), codegen

    return load


def make_store(vector, past_caches=False):
    """past_caches: whole cache lines (addresses are multiples of 64) that nobody reads soon."""

    @intrinsic
    def store(tyctx, memory, index, value):
        if value is not vector:
            return None

        def codegen(context, builder, sig, args):
            p = item_bytes(context, builder, sig.args[0], args[0], sig.args[1], args[1])
            done = builder.store(args[2], builder.bitcast(p, vector.ir.as_pointer()), align=64 if past_caches else 4)
            if past_caches:
                done.set_metadata("nontemporal", builder.module.add_metadata([ir.Constant(I32, 1)]))
            return context.get_dummy_value()

        return types.void(memory, index, vector), codegen

    return store


load_float, load_int = make_load(vfloat_t), make_load(vint_t)
store_float, store_int, stream_int = make_store(vfloat_t), make_store(vint_t), make_store(vint_t, past_caches=True)


@intrinsic
def prefetch(tyctx, memory, index):
    """Asks for the cache line of an item, to be read and perhaps written soon; nobody waits for it."""

    def codegen(context, builder, sig, args):
        p = bounds.unchecked(builder, item_place(context, builder, sig.args[0], args[0], sig.args[1], args[1]))
        function = ir.FunctionType(ir.VoidType(), [BYTES, I32, I32, I32])
        ask = cgutils.get_or_insert_function(builder.module, function, "llvm.prefetch.p0")
        builder.call(ask, [builder.bitcast(p, BYTES), *(ir.Constant(I32, n) for n in (0, 3, 1))])  # to read, keep, data
        return context.get_dummy_value()

    return types.void(memory, index), codegen


def place(builder, index, number):
    """Element `number` of a vint as an unsigned 64-bit integer: they leave the vector registers two at a time."""
    couples = builder.bitcast(index, ir.VectorType(I64, LANES // 2))
    couple = builder.extract_element(couples, ir.Constant(I32, number // 2))
    return builder.lshr(couple, ir.Constant(I64, 32)) if number & 1 else builder.and_(couple, ir.Constant(I64, 0xFFFFFFFF))


def gathered(builder, element, data, index):
    """What the processor gathers: data[index], counted in dwords, for sixteen dwords or eight doubles."""
    count = index.type.count
    vector, mask = ir.VectorType(element, count), ir.VectorType(ir.IntType(1), count)
    kind = ir.FunctionType(vector, [vector, BYTES, index.type, mask, I32])
    name = {F64: "dpd", F32: "dps", I32: "dpi"}[element]
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.x86.avx512.mask.gather.{name}.512")
    return builder.call(function, [ir.Constant(vector, None), builder.bitcast(data, BYTES), index,
                                   ir.Constant(mask, [1] * count), I32(4)])  # fmt: skip


def make_gather(vector):
    @intrinsic
    def gather(tyctx, memory, index):
        """memory[index] per lane, below 2**31; without GATHERS sixteen scalar loads."""
        if index is not vint_t:
            return None

        def codegen(context, builder, sig, args):
            if GATHERS:
                return gathered(builder, vector.element, args[0], args[1])
            result = ir.Constant(vector.ir, ir.Undefined)
            for number in range(LANES):
                address = bounds.word_address(builder, args[0], place(builder, args[1], number))
                value = builder.load(builder.bitcast(address, vector.element.as_pointer()), align=4)
                result = builder.insert_element(result, value, ir.Constant(I32, number))
            return result

        return vector(memory, index), codegen

    return gather


def make_scatter(vector):
    @intrinsic
    def scatter(tyctx, memory, index, value, mask):
        """memory[index] = value in the lanes of mask, in lane order."""
        if index is not vint_t or value is not vector or mask is not vmask_t:
            return None

        def codegen(context, builder, sig, args):
            bits = bits_of(builder, args[3])
            for number in range(LANES):
                k = ir.Constant(I32, number)
                with builder.if_then(builder.extract_element(bits, k)):
                    i = builder.zext(builder.extract_element(args[1], k), I64)
                    address = builder.bitcast(bounds.word_address(builder, args[0], i), vector.element.as_pointer())
                    builder.store(builder.extract_element(args[2], k), address, align=4)
            return context.get_dummy_value()

        return types.void(memory, index, value, mask), codegen

    return scatter


gather, gather_float = make_gather(vint_t), make_gather(vfloat_t)
scatter, scatter_float = make_scatter(vint_t), make_scatter(vfloat_t)


# Lanes of the first and the second vector of pairs: halves if they are gathered; else so that first words, and second ones,
# come together within each quarter, which takes one instruction, and no lane crosses the register.
PARTS = ([n for n in range(LANES) if n < 8], [n for n in range(LANES) if n >= 8])
if not GATHERS:
    PARTS = ([n for n in range(LANES) if n % 4 < 2], [n for n in range(LANES) if n % 4 >= 2])


@intrinsic
def gather_quads(tyctx, memory, index, pitch):
    """memory[index], [index + 1], [index + pitch], [index + pitch + 1] per lane, below 2**31: one index for two loads of two.

    Both loads of a lane stand side by side: an index lives shortly, there are not registers for sixteen.  The pairs are loaded
    as doubles: one instruction loads a double into the upper half of a register, none an integer.
    """
    if index is not vint_t:
        return None

    def codegen(context, builder, sig, args):
        lower = bounds.moved_words(builder, args[0], context.cast(builder, args[2], sig.args[2], types.int64))
        parts = []
        for data in (args[0], lower):
            for lanes in PARTS:
                if GATHERS:
                    pattern = ir.Constant(ir.VectorType(I32, LANES // 2), lanes)
                    parts.append(gathered(builder, F64, data, builder.shuffle_vector(args[1], args[1], pattern)))
                else:
                    parts.append(ir.Constant(ir.VectorType(F64, LANES // 2), ir.Undefined))
        for number in range(LANES if not GATHERS else 0):
            part = next(k for k, lanes in enumerate(PARTS) if number in lanes)
            i = place(builder, args[1], number)
            for row, data in enumerate((args[0], lower)):
                pair = builder.load(builder.bitcast(bounds.word_address(builder, data, i, 8), F64.as_pointer()), align=4)
                k = ir.Constant(I32, PARTS[part].index(number))
                parts[2 * row + part] = builder.insert_element(parts[2 * row + part], pair, k)
        words = [builder.bitcast(part, vint_t.ir) for part in parts]
        places = [PARTS[0].index(n) if n in PARTS[0] else LANES // 2 + PARTS[1].index(n) for n in range(LANES)]
        columns = [ir.Constant(vint_t.ir, [2 * place + column for place in places]) for column in (0, 1)]
        texels = [builder.shuffle_vector(words[k], words[k + 1], column) for k in (0, 2) for column in columns]
        return context.make_tuple(builder, sig.return_type, texels)

    return types.UniTuple(vint_t, 4)(memory, index, pitch), codegen


@intrinsic
def words_at(tyctx, addresses, first, offset):
    """Four words of each of sixteen absolute addresses, `offset` bytes further: all first words, all second, third, fourth.

    Four loads, of any alignment, make a vector, whose quarters then change places with those of three others: no word is loaded
    alone.
    """

    def codegen(context, builder, sig, args):
        first, offset = (context.cast(builder, args[k], sig.args[k], types.int64) for k in (1, 2))
        quads = []
        for number in range(LANES):
            place = item_place(context, builder, sig.args[0], args[0], types.int64, builder.add(first, I64(number)))
            address = builder.add(load_item(context, builder, types.int64, place), offset)
            quads.append(builder.load(builder.inttoptr(address, QUAD.as_pointer()), align=1))
        a, b, c, d = (_joined(builder, _joined(builder, quads[k], quads[k + 4]), _joined(builder, quads[k + 8], quads[k + 12]))
                      for k in range(4))  # fmt: skip
        rows = []
        for half in ((0, 16, 1, 17), (2, 18, 3, 19)):
            couples = _mixed(builder, a, b, half), _mixed(builder, c, d, half)
            rows += [_mixed(builder, *couples, lanes) for lanes in ((0, 1, 16, 17), (2, 3, 18, 19))]
        return context.make_tuple(builder, sig.return_type, rows)

    return types.UniTuple(vint_t, 4)(addresses, first, offset), codegen


@intrinsic
def store_quads(tyctx, target, at, pitch, color):
    """target[at + i * pitch ...] = the four channels of lane i, for all sixteen."""
    if color is not color_t:
        return None

    def codegen(context, builder, sig, args):
        at, pitch = (context.cast(builder, args[k], sig.args[k], types.int64) for k in (1, 2))
        r, g, b, a = (builder.bitcast(channel, vint_t.ir) for channel in split(builder, args[3]))
        for half, pattern in enumerate(((0, 16, 1, 17), (2, 18, 3, 19))):
            couples = _mixed(builder, r, g, pattern), _mixed(builder, b, a, pattern)
            for odd, lanes in enumerate(((0, 1, 16, 17), (2, 3, 18, 19))):
                quads = _mixed(builder, *couples, lanes)
                for quarter in range(4):
                    number = 4 * quarter + 2 * half + odd
                    index = builder.add(at, builder.mul(pitch, I64(number)))
                    place = item_place(context, builder, sig.args[0], args[0], types.int64, index)
                    p = bounds.address(builder, place, 16)
                    pattern_of = ir.Constant(QUAD, [4 * quarter + k for k in range(4)])
                    quad = builder.shuffle_vector(quads, quads, pattern_of)
                    builder.store(quad, builder.bitcast(p, QUAD.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(target, at, pitch, color), codegen


def _joined(builder, a, b):
    """Two vectors as one that is twice as long."""
    lanes = ir.VectorType(I32, 2 * a.type.count)
    return builder.shuffle_vector(a, b, ir.Constant(lanes, list(range(lanes.count))))


def _mixed(builder, a, b, lanes):
    """Of every quarter of two vectors the same four lanes; those of b count from 16."""
    pattern = [4 * quarter + k for quarter in range(4) for k in lanes]
    return builder.shuffle_vector(a, b, ir.Constant(vint_t.ir, pattern))


@intrinsic
def transpose(tyctx, source, at, stride, target, to, pitch):
    """target[to + i * pitch + j] = source[at + j * stride + i] for 16 x 16 floats."""

    def codegen(context, builder, sig, args):
        def address(memory, start, step, number):
            wide = [context.cast(builder, args[k], sig.args[k], types.int64) for k in (start, step)]
            index = builder.add(wide[0], builder.mul(wide[1], ir.Constant(I64, number)))
            p = item_bytes(context, builder, sig.args[memory], args[memory], types.int64, index)
            return builder.bitcast(p, vfloat_t.ir.as_pointer())

        rows = [builder.load(address(0, 1, 2, number), align=4) for number in range(LANES)]
        for step in (1, 2, 4, 8):  # swaps the off-diagonal blocks of size `step`
            upper = [n if not n & step else LANES + n - step for n in range(LANES)]
            lower = [n + step if not n & step else LANES + n for n in range(LANES)]
            for n in range(LANES):
                if not n & step:
                    a, b = rows[n], rows[n + step]
                    rows[n] = builder.shuffle_vector(a, b, ir.Constant(vint_t.ir, upper))
                    rows[n + step] = builder.shuffle_vector(a, b, ir.Constant(vint_t.ir, lower))
        for number, row in enumerate(rows):
            builder.store(row, address(3, 4, 5, number), align=4)
        return context.get_dummy_value()

    return types.void(source, at, stride, target, to, pitch), codegen


# ---- lanes, also as the pixels of a 4x4 block --------------------------------------------------


def picking(*lanes):
    """A function (vector) -> the vector of these sixteen lanes of it."""
    pattern = ir.Constant(vint_t.ir, lanes)

    @intrinsic
    def pick(tyctx, v):
        return v(v), lambda context, builder, sig, args: builder.shuffle_vector(args[0], args[0], pattern)

    return pick


def make_constant(value_of_lane):
    value = ir.Constant(vint_t.ir, [value_of_lane(number) for number in range(LANES)])

    @intrinsic
    def constant(tyctx):
        return vint_t(), lambda context, builder, sig, args: value

    return constant


lane_number = make_constant(lambda number: number)
lane_x, lane_y = make_constant(lambda number: number & 3), make_constant(lambda number: number >> 2)
quad_left, quad_right = picking(*(n & ~1 for n in range(LANES))), picking(*(n | 1 for n in range(LANES)))
quad_top, quad_bottom = picking(*(n & ~4 for n in range(LANES))), picking(*(n | 4 for n in range(LANES)))
