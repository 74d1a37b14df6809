"""Values of expressions during compilation."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from numba import types

from core.kernels.numba_inside import cpu_target


class Unsupported(TypeError):
    """A stage says something that is not in the language, or that has no meaning for its types; names file and line."""


class Value:
    """A value at run time: its numba type and its LLVM value."""

    __slots__ = ("llvm", "ty")

    def __init__(self, ty: Any, llvm: Any) -> None:
        self.ty, self.llvm = ty, llvm


class Known:
    """A Python object: a constant, or what a global name stands for."""

    def __init__(self, value: Any) -> None:
        self.value = value

    @cached_property
    def ty(self) -> Any:
        return types.maybe_literal(self.value) or cpu_target.typing_context.resolve_value_type(self.value)

    def is_same(self, other: Any) -> bool:
        """Whether another is the same constant; 0.0 and -0.0 are two."""
        if not isinstance(other, Known):
            return False
        one, two = self.value, other.value
        return one is two or (type(one) is type(two) and isinstance(one, (int, float)) and repr(one) == repr(two))


class Items:
    """A tuple whose items are still apart."""

    __slots__ = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    @property
    def ty(self) -> Any:
        return types.BaseTuple.from_types([types.unliteral(item.ty) for item in self.items])


class Meeting:
    """A value that comes from several blocks, before there is a place for it."""

    __slots__ = ("incoming", "ty")

    def __init__(self, ty: Any, incoming: list[tuple[Any, Any]]) -> None:
        self.ty, self.incoming = ty, incoming  # (LLVM value, block it comes from)


NOTHING = Known(None)
NO_TYPES = (types.none, types.void)


def result(ty: Any, llvm: Any) -> Any:
    """What a call gives."""
    return NOTHING if ty in NO_TYPES else Value(ty, llvm)
