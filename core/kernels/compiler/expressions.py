"""Expressions and conditions of stages."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

from llvmlite import ir
from numba import types

from core.kernels.compiler.blocks import Blocks
from core.kernels.compiler.operations import Operations
from core.kernels.compiler.source import Source
from core.kernels.compiler.values import NO_TYPES, Items, Known, Unsupported, Value, result

OPERATORS: dict[type, Callable] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Not: operator.not_, ast.USub: operator.neg, ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}  # fmt: skip
EXTREMES = {min: operator.lt, max: operator.gt}


class Expressions:
    """Evaluates at the end of the current block.

    variables: what the local names stand for there; None behind a return, break or continue.
    call_stage(expressions, stage, arguments): calls one of ours.
    """

    def __init__(self, source: Source, operations: Operations, function: ir.Function, call_stage: Callable) -> None:
        self.source, self.operations, self.call_stage = source, operations, call_stage
        self.blocks = Blocks(operations, function)
        self.builder = self.blocks.builder
        self.variables: Any = {}
        self._evaluate: dict[type, Callable[[Any], Any]] = {
            ast.Constant: lambda node: Known(node.value),
            ast.Name: self._name,
            ast.Tuple: lambda node: Items([self.evaluate(item) for item in node.elts]),
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.Compare: self._comparison,
            ast.BoolOp: self._and_or,
            ast.IfExp: lambda node: self._choice(node.test, node.body, node.orelse),
            ast.Call: self._call,
            ast.Slice: self._slice,
        }

    def evaluate(self, node: ast.expr) -> Any:
        handler = self._evaluate.get(type(node))
        if handler is None:
            raise Unsupported(f"{type(node).__name__} is not in the language of stages")
        return handler(node)

    def value(self, node: ast.expr) -> Value:
        """An expression as a value at run time."""
        return self.operations.value(self.builder, self.evaluate(node))

    def apply(self, op: ast.AST, *arguments: Any) -> Any:
        """Applies an operator."""
        return self.operations.apply(self.builder, OPERATORS[type(op)], *arguments)

    # ---- names, attributes, items --------------------------------------------------------------

    def _name(self, node: ast.Name) -> Any:
        if not self.source.is_local(node.id):
            return Known(self.source.outside(node.id))
        if node.id not in self.variables:
            raise Unsupported(f"{node.id} may have no value here, or values without a common type")
        return self.variables[node.id]

    def _attribute(self, node: ast.Attribute) -> Any:
        base = self.evaluate(node.value)
        if isinstance(base, Known) and isinstance(base.value, (ModuleType, type)):
            return Known(getattr(base.value, node.attr))
        return self.operations.attribute(self.builder, self.operations.value(self.builder, base), node.attr)

    def _subscript(self, node: ast.Subscript) -> Any:
        base = self.evaluate(node.value)
        return self.operations.item(self.builder, base, self.evaluate(node.slice))

    def _slice(self, node: ast.Slice) -> Any:
        bounds = [Known(None) if bound is None else self.evaluate(bound) for bound in (node.lower, node.upper, node.step)]
        return self.operations.apply(self.builder, slice, *bounds)

    # ---- operators -----------------------------------------------------------------------------

    def _binary(self, node: ast.BinOp) -> Any:
        left = self.evaluate(node.left)
        return self.apply(node.op, left, self.evaluate(node.right))

    def _unary(self, node: ast.UnaryOp) -> Any:
        operand = self.evaluate(node.operand)
        if isinstance(operand, Known) and type(operand.value) in (int, float) and not isinstance(node.op, ast.Not):
            return Known(OPERATORS[type(node.op)](operand.value))
        return self.apply(node.op, operand)

    def _compare(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        if not isinstance(op, (ast.In, ast.NotIn)):
            return self.apply(op, left, right)
        found: Any = ir.Constant(ir.IntType(1), 0)
        for item in self.operations.items(self.builder, right):
            same = self.operations.truth(self.builder, self.apply(ast.Eq(), left, item))
            found = self.builder.or_(found, same)
        return Value(types.boolean, self.builder.not_(found) if isinstance(op, ast.NotIn) else found)

    def _comparison(self, node: ast.Compare) -> Any:
        if len(node.ops) > 1:
            return self._choice(node, ast.Constant(True), ast.Constant(False))
        left = self.evaluate(node.left)
        return self._compare(node.ops[0], left, self.evaluate(node.comparators[0]))

    def _and_or(self, node: ast.BoolOp) -> Any:
        """The first operand that decides, else the last."""
        edges = []
        for operand in node.values[:-1]:
            value, leave, more = self.evaluate(operand), self.blocks.new(), self.blocks.new()
            truth = self.operations.truth(self.builder, value)
            self.builder.cbranch(truth, *((more, leave) if isinstance(node.op, ast.And) else (leave, more)))
            edges.append((leave, value))
            self.blocks.go_on_in(more)
        last = self.evaluate(node.values[-1])
        return self.blocks.meet([*edges, (self.blocks.here, last)])

    def _choice(self, test: ast.expr, first: ast.expr, second: ast.expr) -> Any:
        yes, no = self.blocks.new(), self.blocks.new()
        self.branch(test, yes, no)
        edges = []
        for block, node in ((yes, first), (no, second)):
            self.blocks.go_on_in(block)
            value = self.evaluate(node)
            edges.append((self.blocks.here, value))
        return self.blocks.meet(edges)

    # ---- conditions ----------------------------------------------------------------------------

    def branch(self, test: ast.expr, yes: ir.Block, no: ir.Block) -> None:
        """Ends the block with a jump to one of two."""
        if isinstance(test, ast.BoolOp):
            for operand in test.values[:-1]:
                more = self.blocks.new()
                self.branch(operand, *((more, no) if isinstance(test.op, ast.And) else (yes, more)))
                self.blocks.go_on_in(more)
            self.branch(test.values[-1], yes, no)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.branch(test.operand, no, yes)
        elif isinstance(test, ast.Compare) and len(test.ops) > 1:
            self._branch_chain(test, yes, no)
        else:
            self._branch(self.evaluate(test), yes, no)

    def _branch(self, value: Any, yes: ir.Block, no: ir.Block) -> None:
        if isinstance(value, Known):
            self.builder.branch(yes if value.value else no)
        else:
            self.builder.cbranch(self.operations.truth(self.builder, value), yes, no)

    def _branch_chain(self, test: ast.Compare, yes: ir.Block, no: ir.Block) -> None:
        """a < b < c: b is evaluated once, c only if a < b."""
        left = self.evaluate(test.left)
        for op, node in zip(test.ops, test.comparators, strict=True):
            right, more = self.evaluate(node), self.blocks.new()
            self._branch(self._compare(op, left, right), more, no)
            self.blocks.go_on_in(more)
            left = right
        self.builder.branch(yes)

    # ---- calls ---------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Any:
        if node.keywords:
            raise Unsupported("stages are called without keyword arguments")
        function = self.evaluate(node.func)
        arguments = self._arguments(node.args)
        if isinstance(function, Known):
            return self._call_known(function.value, arguments)
        if isinstance(function.ty, types.FunctionType):
            return self._call_address(function, arguments)
        return self.operations.call(self.builder, function.ty, arguments, function.llvm)

    def _arguments(self, nodes: list[ast.expr]) -> list[Any]:
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += self.operations.items(self.builder, self.evaluate(node.value))
            else:
                found.append(self.evaluate(node))
        return found

    def _call_known(self, function: Any, arguments: list[Any]) -> Any:
        if hasattr(function, "compiled_for"):
            return self.call_stage(self, function, arguments)
        if function in EXTREMES and len(arguments) > 1 and all(isinstance(one.ty, types.Number) for one in arguments):
            return self.operations.first(self.builder, EXTREMES[function], arguments)
        return self.operations.apply(self.builder, function, *arguments)

    def _call_address(self, function: Value, arguments: list[Any]) -> Any:
        """Calls a kernel by its address, the first of what numba keeps of it."""
        signature = function.ty.signature
        values = [self.operations.cast(self.builder, one, ty) for one, ty in zip(arguments, signature.args, strict=True)]
        output = self.operations.llvm_type(types.none if signature.return_type in NO_TYPES else signature.return_type)
        kind = ir.FunctionType(output, [value.type for value in values])
        address = self.builder.bitcast(self.builder.extract_value(function.llvm, 0), kind.as_pointer())
        return result(signature.return_type, self.builder.call(address, values))
