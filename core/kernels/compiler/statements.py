"""Statements and loops of stages."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types

from core.kernels import bounds
from core.kernels.compiler.expressions import Expressions
from core.kernels.compiler.source import Source
from core.kernels.compiler.values import NOTHING, Known, Meeting, Unsupported, Value


class Widened(Exception):
    """A loop gives a variable another type than it has before: compile again, `wider` knows it now."""


class Loop:
    """A loop that is being compiled."""

    def __init__(self, node: ast.stmt, entry: ir.Block, header: ir.Block) -> None:
        self.node, self.entry, self.header = node, entry, header
        self.phis: dict[str, Value] = {}  # of the variables that it changes
        self.again: list[tuple[ir.Block, dict[str, Any]]] = []
        self.out: list[tuple[ir.Block, dict[str, Any]]] = []


class Statements:
    """The body of a function.

    wider: the types of variables in loops that are not those that they have before, by (loop, name).
    """

    def __init__(self, expressions: Expressions, wider: dict[tuple[ast.AST, str], Any]) -> None:
        self.expressions, self.wider = expressions, wider
        self.source, self.operations = expressions.source, expressions.operations
        self.blocks, self.builder = expressions.blocks, expressions.builder
        self.loops: list[Loop] = []
        self.returns: list[tuple[ir.Block, Any]] = []
        self.line = 0
        self._execute: dict[type, Callable[[Any], None]] = {
            ast.Assign: self._assign_all,
            ast.AugAssign: self._assign_in_place,
            ast.Expr: self._expression,
            ast.If: self._if,
            ast.While: self._while,
            ast.For: self._for,
            ast.Return: self._return,
            ast.Break: lambda node: self._jump(self._loop().out),
            ast.Continue: lambda node: self._jump(self._loop().again),
            ast.Pass: lambda node: None,
        }

    @property
    def variables(self) -> Any:
        return self.expressions.variables

    @variables.setter
    def variables(self, value: Any) -> None:
        self.expressions.variables = value

    def function(self) -> Any:
        """Compiles the whole function; returns the type of its result."""
        self.run(self.source.statements)
        if self.variables is not None:
            self.returns.append((self.blocks.here, NOTHING))
        result = self.blocks.meet(self.returns)
        if isinstance(result, Known) and result.value is None:
            self.builder.ret_void()
            return types.none
        value = self.operations.value(self.builder, result)
        self.builder.ret(value.llvm)
        return value.ty

    def run(self, statements: list[ast.stmt]) -> None:
        for node in statements:
            if self.variables is None:
                return  # nobody gets here
            self.line = node.lineno
            bounds.place[-1] = self.source.filename, node.lineno, self.source.name
            execute = self._execute.get(type(node))
            if execute is None:
                raise Unsupported(f"{type(node).__name__} is not in the language of stages")
            execute(node)

    # ---- assignments ---------------------------------------------------------------------------

    def _expression(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.expressions.evaluate(node.value)

    def _assign_all(self, node: ast.Assign) -> None:
        value = self.expressions.evaluate(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self.variables[target.id] = value
        elif isinstance(target, ast.Tuple):
            items = self.operations.items(self.builder, value)
            if len(items) != len(target.elts):
                raise Unsupported(f"{len(items)} values for {len(target.elts)} names")
            for one, item in zip(target.elts, items, strict=True):
                self._assign(one, item)
        elif isinstance(target, ast.Attribute):
            self.operations.set_attribute(self.builder, self.expressions.value(target.value), target.attr, value)
        elif isinstance(target, ast.Subscript):
            base, index = self.expressions.evaluate(target.value), self.expressions.evaluate(target.slice)
            self.operations.set_item(self.builder, base, index, value)
        else:
            raise Unsupported(f"nothing can be assigned to {ast.unparse(target)}")

    def _assign_in_place(self, node: ast.AugAssign) -> None:
        """Values are immutable: x += y is x = x + y, with the place of x found once."""
        target = node.target
        if isinstance(target, ast.Name):
            old = self.expressions.evaluate(ast.copy_location(ast.Name(target.id, ast.Load()), target))
            self.variables[target.id] = self._sum(node, old)
            return
        base = self.expressions.value(target.value)
        if isinstance(target, ast.Attribute):
            old = self.operations.attribute(self.builder, base, target.attr)
            self.operations.set_attribute(self.builder, base, target.attr, self._sum(node, old))
            return
        index = self.expressions.evaluate(target.slice)
        old = self.operations.item(self.builder, base, index)
        self.operations.set_item(self.builder, base, index, self._sum(node, old))

    def _sum(self, node: ast.AugAssign, old: Any) -> Any:
        return self.expressions.apply(node.op, old, self.expressions.evaluate(node.value))

    # ---- branches ------------------------------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        yes, no = self.blocks.new(), self.blocks.new()
        self.expressions.branch(node.test, yes, no)
        before, edges = self.variables, []
        for block, statements in ((yes, node.body), (no, node.orelse)):
            self.blocks.go_on_in(block)
            self.variables = dict(before)
            self.run(statements)
            if self.variables is not None:
                edges.append((self.blocks.here, self.variables))
        self._meet(edges, node)

    def _meet(self, edges: list[tuple[ir.Block, dict[str, Any]]], node: ast.stmt) -> None:
        """Goes on behind a statement, with the variables that are still needed."""
        names = dict.fromkeys(name for _, variables in edges for name in variables)
        needed = [name for name in names if self._is_needed(name, node)]
        self.variables = self.blocks.meet_variables(edges, needed) if edges else None

    def _is_needed(self, name: str, after: ast.stmt) -> bool:
        return self.source.is_needed(name, after, [loop.node for loop in self.loops])

    def _return(self, node: ast.Return) -> None:
        value = NOTHING if node.value is None else self.expressions.evaluate(node.value)
        self.returns.append((self.blocks.here, value))
        self.variables = None

    def _jump(self, edges: list[tuple[ir.Block, dict[str, Any]]]) -> None:
        edges.append((self.blocks.here, self.variables))
        self.variables = None

    # ---- loops ---------------------------------------------------------------------------------

    def _loop(self) -> Loop:
        """The innermost loop."""
        if isinstance(self.loops[-1].node, ast.For) and isinstance(self.loops[-1].node.iter, ast.Tuple):
            raise Unsupported("a loop over a written tuple cannot be left early")
        return self.loops[-1]

    def _while(self, node: ast.While) -> None:
        loop = self._begin(node)
        body, done = self.blocks.new(), self.blocks.new()
        self.expressions.branch(node.test, body, done)
        if isinstance(node.test, ast.Constant) and node.test.value:  # only break leaves it
            self.blocks.go_on_in(done)
            self.builder.unreachable()
            self._end(loop, body, None, lambda: None)
        else:
            self._end(loop, body, done, lambda: None)

    def _for(self, node: ast.For) -> None:
        if isinstance(node.iter, ast.Tuple):
            self._for_each(node, node.iter)
            return
        start, stop, step, ty = self._range(node.iter)
        loop = self._begin(node)
        number = self.blocks.phi(ty)
        number.llvm.add_incoming(start, loop.entry)
        compare = self.builder.icmp_signed if ty.signed else self.builder.icmp_unsigned
        body, done = self.blocks.new(), self.blocks.new()
        self.builder.cbranch(compare("<" if step > 0 else ">", number.llvm, stop), body, done)

        def advance() -> None:
            following = self.builder.add(number.llvm, ir.Constant(start.type, step), flags=("nsw",) if ty.signed else ())
            number.llvm.add_incoming(following, self.blocks.here)

        self._end(loop, body, done, advance, lambda: self._assign(node.target, number))

    def _for_each(self, node: ast.For, items: ast.Tuple) -> None:
        """A loop over a tuple that is written out: its body as often."""
        self.loops.append(Loop(node, self.blocks.here, self.blocks.here))
        for item in items.elts:
            self._assign(node.target, self.expressions.evaluate(item))
            self.run(node.body)
        self.loops.pop()

    def _range(self, node: ast.expr) -> tuple[Any, Any, int, Any]:
        """Start, stop and step of range(), and the type of its numbers."""
        if not (isinstance(node, ast.Call) and self.expressions.evaluate(node.func).value is range):
            raise Unsupported("loops go over range() or over a tuple that is written out")
        arguments = [self.expressions.evaluate(argument) for argument in node.args]
        ty = self.operations.range_type([argument.ty for argument in arguments])
        step = arguments[2] if len(arguments) == 3 else Known(1)
        if not (isinstance(step, Known) and step.value):
            raise Unsupported("the step of range() has to be a constant")
        bounds = [self.operations.cast(self.builder, argument, ty) for argument in arguments[:2]]
        return (bounds[0] if len(bounds) == 2 else self.blocks.zero(ty)), bounds[-1], step.value, ty

    def _begin(self, node: ast.For | ast.While) -> Loop:
        """Goes on at the head of a loop, which the end of its body jumps back to."""
        if node.orelse:
            raise Unsupported("a loop has no else")
        loop = Loop(node, self.blocks.here, self.blocks.new())
        stored, used = self.source.names(node)
        before = {}
        for name, value in self.variables.items():
            if name in stored and (name in used or self._is_needed(name, node)):
                ty = self.wider.get((node, name)) or types.unliteral(value.ty)
                before[name] = Value(ty, self.operations.cast(self.builder, value, ty))
        self.builder.branch(loop.header)
        self.blocks.go_on_in(loop.header)
        for name, value in before.items():
            loop.phis[name] = self.blocks.phi(value.ty)
            loop.phis[name].llvm.add_incoming(value.llvm, loop.entry)
        self.variables = {**self.variables, **loop.phis}
        self.loops.append(loop)
        return loop

    def _end(self, loop: Loop, body: ir.Block, done: ir.Block | None, advance: Callable[[], None],
             enter: Callable[[], None] = lambda: None) -> None:  # fmt: skip
        """The body of a loop; goes on behind it, where `done` (without it: only break) leads to."""
        before = self.variables
        self.blocks.go_on_in(body)
        self.variables = dict(before)
        enter()
        self.run(loop.node.body)  # type: ignore[attr-defined]
        if self.variables is not None:
            loop.again.append((self.blocks.here, self.variables))
        self._meet(loop.again, loop.node)
        self.loops.pop()
        late = {}
        if self.variables is not None:
            self._close_phis(loop)
            advance()
            late = self._set_late(loop, before)
            self.builder.branch(loop.header)
            self.builder.position_at_start(loop.header)
        after = {**before, **{name: self.blocks.place(value) for name, value in late.items()}}
        self._meet([*([(done, after)] if done is not None else []), *loop.out], loop.node)

    def _close_phis(self, loop: Loop) -> None:
        """Reports to the head of a loop what its variables are at the end of its body."""
        widened = False
        for name, phi in loop.phis.items():
            value = self.variables.get(name)
            ty = None if value is None else self.operations.common([phi.ty, value.ty])
            if ty is None:
                raise Unsupported(f"{name} has no common type before and at the end of the loop")
            if ty != phi.ty:
                self.wider[loop.node, name], widened = ty, True
            else:
                phi.llvm.add_incoming(self.operations.cast(self.builder, value, ty), self.blocks.here)
        if widened:
            raise Widened

    def _set_late(self, loop: Loop, before: dict[str, Any]) -> dict[str, Meeting]:
        """Variables that only the body sets and that are used behind the loop."""
        values = {name: self.operations.value(self.builder, value) for name, value in self.variables.items()
                  if name not in before and self._is_needed(name, loop.node)}  # fmt: skip
        return {name: Meeting(value.ty, [(self.blocks.zero(value.ty), loop.entry), (value.llvm, self.blocks.here)])
                for name, value in values.items()}  # fmt: skip


def compile_body(source: Source, expressions: Expressions, wider: dict[tuple[ast.AST, str], Any]) -> Any:
    """Compiles a function into the LLVM function that `expressions` writes to; returns the type of its result."""
    statements = Statements(expressions, wider)
    try:
        with bounds.within(source.filename, source.name):
            return statements.function()
    except (Widened, Unsupported) as error:
        if isinstance(error, Widened):
            raise
        text = str(error)
    except Exception as error:  # numba's, about types
        text = f"{type(error).__name__}: {error}"
    raise Unsupported(f"{source.filename}:{statements.line}: in {source.name}: {text}")
