"""numba's types and code for operators, attributes, items and functions, looked up once per combination of types."""

from __future__ import annotations

import copy
import operator
from collections.abc import Iterable
from functools import cache
from typing import Any

from numba import types

from core.kernels import bounds
from core.kernels.cache import BOUNDS
from core.kernels.compiler.values import Items, Known, Unsupported, Value, result
from core.kernels.numba_inside import CPUCallConv, cpu_target, create_error_model


class _Convention(CPUCallConv):
    """How stages call numba's own functions: stages do not fail, and what they call does not either.

    With bounds, an index of an array may.
    """

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        _fail(builder)

    def return_user_exc(self, builder: Any, *args: Any, **kwargs: Any) -> None:
        _fail(builder)


def _fail(builder: Any) -> None:
    if BOUNDS:
        bounds.fail(builder, *[bounds.I64(0)] * 3)
    else:
        builder.unreachable()


def _target() -> Any:
    """numba's target, without reference counts and exceptions."""
    base = cpu_target.target_context
    cpu_target.typing_context.refresh()
    base.refresh()
    target = copy.copy(base)
    target.__class__ = type("StageContext", (type(base),), {"call_conv": property(_Convention)})
    target.error_model = create_error_model("numpy", target)
    target.enable_nrt, target.enable_boundscheck = False, BOUNDS
    return target


class Operations:
    """Typed and lowered by numba; each answer is kept."""

    def __init__(self) -> None:
        self.typing, self.target = cpu_target.typing_context, _target()
        self._functions: dict[Any, Any] = {}
        self._calls: dict[Any, Any] = {}
        self._attributes: dict[Any, Any] = {}
        self.llvm_type = cache(self.target.get_value_type)

    # ---- values --------------------------------------------------------------------------------

    def value(self, builder: Any, one: Any) -> Value:
        """Anything as a value at run time."""
        if isinstance(one, Known):
            ty = types.unliteral(one.ty)
            return Value(ty, self.target.get_constant_generic(builder, ty, one.value))
        if isinstance(one, Items):
            items = [self.cast(builder, item, ty) for item, ty in zip(one.items, one.ty, strict=True)]
            return Value(one.ty, self.target.make_tuple(builder, one.ty, items))
        return one

    def cast(self, builder: Any, one: Any, ty: Any) -> Any:
        """The LLVM value of anything as a value of a type."""
        value = self.value(builder, one)
        return value.llvm if value.ty == ty else self.target.cast(builder, value.llvm, value.ty, ty)

    def items(self, builder: Any, one: Any) -> list[Any]:
        """The items of a tuple."""
        if isinstance(one, Items):
            return one.items
        if isinstance(one, Known) and isinstance(one.value, tuple):
            return [Known(item) for item in one.value]
        if isinstance(one.ty, types.BaseTuple):
            tys: Any = one.ty
            return [Value(ty, builder.extract_value(one.llvm, i)) for i, ty in enumerate(tys)]
        raise Unsupported(f"{one.ty} is not a tuple")

    def common(self, tys: Iterable[Any]) -> Any:
        """The type that all convert to; None if there is none."""
        different = dict.fromkeys(map(types.unliteral, tys))
        ty = next(iter(different)) if len(different) == 1 else self.typing.unify_types(*different)
        return None if isinstance(ty, types.Optional) else ty

    def range_type(self, tys: Iterable[Any]) -> Any:
        """The type of the numbers of range()."""
        function = self.typing.resolve_value_type(range)
        return self.typing.resolve_function_type(function, tuple(map(types.unliteral, tys)), {}).return_type.dtype

    # ---- functions and operators ---------------------------------------------------------------

    def apply(self, builder: Any, function: Any, *arguments: Any) -> Any:
        """Calls a function or operator that numba knows."""
        ty = self._functions.get(function)
        if ty is None:
            ty = self._functions[function] = self.typing.resolve_value_type(function)
        return self.call(builder, ty, arguments)

    def call(self, builder: Any, function: Any, arguments: Iterable[Any], *receiver: Any) -> Any:
        """Calls something of a function type; receiver: the LLVM value that it is a method of."""
        arguments = list(arguments)
        tys = tuple(argument.ty for argument in arguments)
        if not all(isinstance(ty, types.Literal) for ty in tys):  # numba has operators for two constants
            tys = tuple(map(types.unliteral, tys))
        known = self._calls.get((function, tys))
        if known is None:
            signature = self.typing.resolve_function_type(function, tys, {})
            if signature is None:
                raise Unsupported(f"{function} does not take {tys}")
            known = self._calls[function, tys] = signature, self.target.get_function(function, signature)
        signature, implementation = known
        values = [self.cast(builder, argument, ty) for argument, ty in zip(arguments, signature.args, strict=True)]
        return result(signature.return_type, implementation(builder, [*receiver, *values]))

    def first(self, builder: Any, better: Any, arguments: list[Any]) -> Value:
        """min (better: operator.lt) and max as Python defines them: a later one is taken only if it is better."""
        best = self.value(builder, arguments[0])
        for argument in arguments[1:]:
            ty = self.common([best.ty, argument.ty])
            one, two = (Value(ty, self.cast(builder, value, ty)) for value in (best, argument))
            best = Value(ty, builder.select(self.apply(builder, better, two, one).llvm, two.llvm, one.llvm))
        return best

    def truth(self, builder: Any, one: Any) -> Any:
        """Anything as an LLVM value of one bit."""
        if types.unliteral(one.ty) != types.boolean:
            one = self.apply(builder, bool, one)
        return self.cast(builder, one, types.boolean)

    # ---- attributes and items ------------------------------------------------------------------

    def attribute(self, builder: Any, one: Value, name: str) -> Any:
        known = self._attributes.get((one.ty, name))
        if known is None:
            ty = self.typing.resolve_getattr(one.ty, name)
            if ty is None:
                raise Unsupported(f"{one.ty} has no {name}")
            get = None if isinstance(ty, types.BoundFunction) else self.target.get_getattr(one.ty, name)
            known = self._attributes[one.ty, name] = ty, get
        ty, get = known
        return Value(ty, one.llvm if get is None else get(self.target, builder, one.ty, one.llvm, name))

    def set_attribute(self, builder: Any, one: Value, name: str, value: Any) -> None:
        known = self._attributes.get((one.ty, name, "="))
        if known is None:
            signature = self.typing.resolve_setattr(one.ty, name, value.ty)
            if signature is None:
                raise Unsupported(f"{one.ty} has no {name}")
            known = self._attributes[one.ty, name, "="] = signature.args[1], self.target.get_setattr(name, signature)
        ty, put = known
        put(builder, (one.llvm, self.cast(builder, value, ty)))

    def item(self, builder: Any, one: Any, index: Any) -> Any:
        place = index.value if isinstance(index, Known) else None
        if isinstance(place, int) and isinstance(one.ty, types.BaseTuple):
            return self.items(builder, one)[place]
        if isinstance(place, str):  # a field of one of numba's records
            return self.attribute(builder, self.value(builder, one), place)
        return self.apply(builder, operator.getitem, one, index)

    def set_item(self, builder: Any, one: Any, index: Any, value: Any) -> None:
        if isinstance(index, Known) and isinstance(index.value, str):
            self.set_attribute(builder, self.value(builder, one), index.value, value)
        else:
            self.apply(builder, operator.setitem, one, index, value)


operations = cache(Operations)
