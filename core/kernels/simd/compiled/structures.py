"""Pointers and structures for compiled code, laid out by numpy dtypes and free of reference counts.

`pointer(array, 0)[i]` is a number, or a Struct when the dtype has fields; `struct.field` reads and assigns, a nested
array is again a Pointer.  Arrays and numba's own records cost reference counts at every stage (195 against 486
Mpixel/s).  Nothing is bounds-checked, but in a build for that (core.kernels.bounds).
"""

from __future__ import annotations

import hashlib
import operator
import sys
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import intrinsic, lower_builtin

from core.kernels import bounds
from core.kernels.bounds import BYTES, I64, POINTER
from core.kernels.cache import WIDE_MASKS
from core.kernels.numba_inside import (
    AbstractTemplate,
    AttributeTemplate,
    cgutils,
    infer_getattr,
    infer_global,
    lower_getattr_generic,
    lower_setattr_generic,
    make_array,
    models,
    register_default,
    signature,
)

FRAME = 4096 if WIDE_MASKS and sys.platform != "win32" else 64
"""Bytes.  With AVX2 much is spilled, and in one process of five the stack begins where a store has a load after it wait that is
a multiple of 4 KB away: ps_1_1 takes a quarter longer.  Windows wants the pages of large frames probed."""


def short_name(dtype: np.dtype) -> str:
    """A name that tells dtypes apart: it becomes part of every symbol, so records go by a digest."""
    return f"Record{hashlib.sha256(repr(dtype.descr).encode()).hexdigest()[:12]}" if dtype.names else str(dtype)


class Pointer(types.Type):
    """The items of an array from some index on."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)
        self.item = Struct(self.dtype) if self.dtype.names else from_dtype(self.dtype)
        super().__init__(f"Pointer({short_name(self.dtype)})")


class Struct(types.Type):
    """One record in memory."""

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = dtype
        super().__init__(short_name(dtype))

    def field(self, name: str) -> tuple[Any, int]:
        """Type and byte offset of a field."""
        dtype, offset = self.dtype.fields[name][:2]  # type: ignore[index]
        if dtype.subdtype:
            return Pointer(dtype.base), offset
        return (Struct(dtype) if dtype.names else from_dtype(dtype)), offset


@register_default(Pointer)
@register_default(Struct)
class PointerModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, POINTER)


def load_item(context, builder, ty, place):
    if isinstance(ty, (Struct, Pointer)):
        return place
    value = context.get_value_type(ty)
    address = bounds.address(builder, place, ty.bitwidth // 8)
    return builder.load(builder.bitcast(address, value.as_pointer()), align=min(4, ty.bitwidth // 8))


def store_item(context, builder, ty, place, value_ty, value):
    value = context.cast(builder, value, value_ty, ty)
    address = bounds.address(builder, place, ty.bitwidth // 8)
    builder.store(value, builder.bitcast(address, value.type.as_pointer()), align=min(4, ty.bitwidth // 8))


def item_place(context, builder, ty, base, index_ty, index):
    """A pointer to an item."""
    index = context.cast(builder, index, index_ty, types.int64)
    return bounds.moved(builder, base, builder.mul(index, ir.Constant(I64, ty.dtype.itemsize)))


@infer_global(operator.getitem)
class GetItem(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], Pointer) and isinstance(args[1], types.Integer):
            return signature(args[0].item, *args)


@infer_global(operator.setitem)
class SetItem(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], Pointer) and isinstance(args[1], types.Integer):
            return signature(types.none, args[0], args[1], args[0].item)


@lower_builtin(operator.getitem, Pointer, types.Integer)
def lower_getitem(context, builder, sig, args):
    return load_item(context, builder, sig.return_type,
                     item_place(context, builder, sig.args[0], args[0], sig.args[1], args[1]))  # fmt: skip


@lower_builtin(operator.setitem, Pointer, types.Integer, types.Any)
def lower_setitem(context, builder, sig, args):
    place = item_place(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    store_item(context, builder, sig.args[0].item, place, sig.args[2], args[2])
    return context.get_dummy_value()


@infer_getattr
class StructAttributes(AttributeTemplate):
    key = Struct

    def generic_resolve(self, ty, attr):  # type: ignore[override]
        return ty.field(attr)[0] if attr in ty.dtype.fields else None


@lower_getattr_generic(Struct)
def lower_field(context, builder, ty, value, attr):
    field, offset = ty.field(attr)
    if isinstance(field, Pointer):
        return bounds.part(builder, value, I64(offset), ty.dtype.fields[attr][0].itemsize)
    return load_item(context, builder, field, bounds.moved(builder, value, I64(offset)))


@lower_setattr_generic(Struct)
def lower_set_field(context, builder, sig, args, attr):
    field, offset = sig.args[0].field(attr)
    store_item(context, builder, field, bounds.moved(builder, args[0], I64(offset)), sig.args[1], args[1])
    return context.get_dummy_value()


@intrinsic
def pointer(tyctx, array, start):
    """The items of a C-contiguous array from index start; the caller keeps the array alive."""
    dtype = np.dtype(array.dtype.dtype) if isinstance(array.dtype, types.Record) else np.dtype(str(array.dtype))
    ty = Pointer(dtype)

    def codegen(context, builder, sig, args):
        array = make_array(sig.args[0])(context, builder, args[0])
        size = builder.mul(array.nitems, array.itemsize) if bounds.BOUNDS else None
        whole = bounds.pointer_to(builder, builder.bitcast(array.data, BYTES), size)
        return item_place(context, builder, ty, whole, sig.args[1], args[1])

    return ty(array, start), codegen


@intrinsic
def advance(tyctx, memory, start):
    """The same pointer, start items further."""

    def codegen(context, builder, sig, args):
        return item_place(context, builder, sig.args[0], args[0], sig.args[1], args[1])

    return memory(memory, start), codegen


@intrinsic
def memory_at(tyctx, address):
    """The bytes from an absolute address on; the caller keeps what owns them alive."""
    ty = Pointer(np.uint8)

    def codegen(context, builder, sig, args):
        return bounds.pointer_anywhere(builder, context.cast(builder, args[0], sig.args[0], types.int64))

    return ty(address), codegen


def record_at(dtype: Any):
    """A function (memory, index) -> Struct: the bytes from item `index` on, read as one record of dtype."""
    struct = Struct(np.dtype(dtype))

    @intrinsic
    def view_record(tyctx, memory, index):
        def codegen(context, builder, sig, args):
            return item_place(context, builder, sig.args[0], args[0], sig.args[1], args[1])

        return struct(memory, index), codegen

    return view_record


def calling(callee: Any):
    """A function (address, (arguments ...)) -> result: calls the kernel of signature `callee` that stands at jit.address_of.

    Any pointer does for any other.
    """

    @intrinsic
    def call(tyctx, address, arguments):
        def codegen(context, builder, sig, args):
            given = zip(cgutils.unpack_tuple(builder, args[1]), arguments, callee.args, strict=True)
            values = [value if isinstance(ty, Pointer) else context.cast(builder, value, own, ty) for value, own, ty in given]
            function = ir.FunctionType(context.get_value_type(callee.return_type), [value.type for value in values])
            return builder.call(builder.inttoptr(args[0], function.as_pointer()), values)

        return callee.return_type(address, arguments), codegen

    return call


@intrinsic
def atomic_add(tyctx, memory, index, amount):
    """Adds to an item that other threads use too; returns the value before.

    What a thread wrote before is seen by whoever reads the sum afterwards, by adding 0.
    """

    def codegen(context, builder, sig, args):
        item = sig.args[0].item
        place = item_place(context, builder, sig.args[0], args[0], sig.args[1], args[1])
        address = bounds.address(builder, place, item.bitwidth // 8)
        value = context.cast(builder, args[2], sig.args[2], item)
        return builder.atomic_rmw("add", builder.bitcast(address, value.type.as_pointer()), value, "acq_rel")

    return memory.item(memory, index, amount), codegen


@intrinsic
def align_stack(tyctx):
    """Aligns the caller's frame to FRAME: a spilled vector that straddles a cache line is very slow to reload."""

    def codegen(context, builder, sig, args):
        slot = cgutils.alloca_once(builder, ir.IntType(32))
        slot.align = FRAME
        builder.asm(ir.FunctionType(ir.VoidType(), [slot.type]), "", "r", [slot], side_effect=True)
        return context.get_dummy_value()

    return types.void(), codegen
