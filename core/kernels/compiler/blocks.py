"""Basic blocks, and the values at their joins.

An edge is a block that is still open, with what it brings along: it is closed by a jump to where it meets others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llvmlite import ir

from core.kernels.compiler.operations import Operations
from core.kernels.compiler.values import Items, Known, Meeting, Unsupported, Value

Edge = tuple[ir.Block, Any]


class Blocks:
    """The code of a function as it grows."""

    def __init__(self, operations: Operations, function: ir.Function) -> None:
        self.operations, self.function = operations, function
        self.builder = ir.IRBuilder(function.append_basic_block())

    @property
    def here(self) -> ir.Block:
        return self.builder.block

    def new(self) -> ir.Block:
        return self.function.append_basic_block()

    def go_on_in(self, block: ir.Block) -> None:
        self.builder.position_at_end(block)

    def meet(self, edges: list[Edge]) -> Any:
        """Goes on where blocks meet, with the value of the one that it came from."""
        if len(edges) == 1:
            self.go_on_in(edges[0][0])
            return edges[0][1]
        value = self.common(edges)
        if value is None:
            raise Unsupported(f"{', '.join(str(one.ty) for _, one in edges)} have no common type")
        self.close(block for block, _ in edges)
        return self.place(value)

    def meet_variables(self, edges: list[tuple[ir.Block, dict[str, Any]]], names: Iterable[str]) -> dict[str, Any]:
        """The same for the named variables; without those that have no common type: they may not be used any more."""
        if len(edges) == 1:
            self.go_on_in(edges[0][0])
            return edges[0][1]
        values = {name: self.common([(block, variables.get(name)) for block, variables in edges]) for name in names}
        self.close(block for block, _ in edges)
        return {name: self.place(value) for name, value in values.items() if value is not None}

    def close(self, blocks: Iterable[ir.Block]) -> None:
        """Ends blocks with a jump to a new one, and goes on there."""
        target = self.new()
        for block in blocks:
            self.go_on_in(block)
            self.builder.branch(target)
        self.go_on_in(target)

    def common(self, edges: list[Edge]) -> Any:
        """What becomes of values where their blocks meet: one that is everywhere the same, or something to place there.

        None stands for a variable without a value, which counts as zero; as a result, for values without a common type.
        """
        values = [value for _, value in edges]
        first = values[0]
        if all(value is first for value in values) or (isinstance(first, Known) and all(map(first.is_same, values))):
            return first
        if isinstance(first, Items) and all(isinstance(one, Items) and len(one.items) == len(first.items) for one in values):
            parts = [self.common([(block, value.items[i]) for block, value in edges]) for i in range(len(first.items))]
            return None if None in parts else Items(parts)
        ty = self.operations.common(value.ty for value in values if value is not None)
        return None if ty is None else Meeting(ty, [self._converted(block, value, ty) for block, value in edges])

    def _converted(self, block: ir.Block, value: Any, ty: Any) -> tuple[Any, ir.Block]:
        self.go_on_in(block)
        return self.zero(ty) if value is None else self.operations.cast(self.builder, value, ty), self.here

    def zero(self, ty: Any) -> Any:
        """The LLVM value of a variable without a value: as numba has it."""
        return self.operations.target.get_constant_null(ty)

    def place(self, value: Any) -> Any:
        """A value that several blocks bring along, at the beginning of the block where they meet."""
        if isinstance(value, Items):
            return Items([self.place(item) for item in value.items])
        if not isinstance(value, Meeting):
            return value
        phi = self.phi(value.ty)
        for llvm, block in value.incoming:
            phi.llvm.add_incoming(llvm, block)
        return phi

    def phi(self, ty: Any) -> Value:
        """A value that depends on where the block was entered from."""
        return Value(ty, self.builder.phi(self.operations.llvm_type(ty)))
