"""The syntax tree of a function, and the names still needed at each point."""

from __future__ import annotations

import ast
import builtins
import linecache
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from core.kernels.compiler.values import Unsupported


@cache
def _functions(filename: str) -> dict[int, ast.FunctionDef]:
    """The functions of a file by their first lines, decorators included."""
    found = {}
    todo: list[ast.AST] = [ast.parse("".join(linecache.getlines(filename)))]
    while todo:
        node = todo.pop()
        for name in ("body", "orelse", "handlers", "finalbody"):  # statements: most of a tree is expressions
            todo += getattr(node, name, ())
        if isinstance(node, ast.FunctionDef):
            found[min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])] = node
    return found


class Source:
    """A function's text."""

    def __init__(self, function: Callable) -> None:
        code = function.__code__
        self.filename, self.name = code.co_filename, function.__qualname__
        tree = _functions(code.co_filename).get(code.co_firstlineno)
        if tree is None:
            raise Unsupported(f"{self.filename}: the text of {self.name} is not to be found")
        arguments = tree.args
        if arguments.defaults or arguments.kwonlyargs or arguments.vararg or arguments.kwarg or arguments.posonlyargs:
            raise Unsupported(f"{self.filename}:{tree.lineno}: {self.name} takes more than plain arguments")
        self.statements, self.parameters = tree.body, [argument.arg for argument in arguments.args]
        self._locals = frozenset(code.co_varnames)
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        self._outside = [dict(zip(code.co_freevars, cells, strict=True)), function.__globals__, vars(builtins)]
        self._names: dict[ast.AST, tuple[set[str], set[str]]] = {}
        self._last_use: dict[str, tuple[int, int]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
                place = node.lineno, node.col_offset
                self._last_use[node.id] = max(place, self._last_use.get(node.id, place))

    def is_local(self, name: str) -> bool:
        return name in self._locals

    def outside(self, name: str) -> Any:
        """What a name that the function does not assign stands for, when it is compiled."""
        for names in self._outside:
            if name in names:
                return names[name]
        raise Unsupported(f"{name} is not defined")

    def names(self, node: ast.AST) -> tuple[set[str], set[str]]:
        """The names that a statement assigns, and those that it uses."""
        if node not in self._names:
            stored: set[str] = set()
            used: set[str] = set()
            for part in ast.walk(node):
                if isinstance(part, ast.Name):
                    (stored if isinstance(part.ctx, ast.Store) else used).add(part.id)
                elif isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
                    used.add(part.target.id)
            self._names[node] = stored, used
        return self._names[node]

    def is_needed(self, name: str, after: ast.stmt, loops: Iterable[ast.AST]) -> bool:
        """Whether a variable may be used after a statement that stands within some loops."""
        end = after.end_lineno or 0, after.end_col_offset or 0
        return self._last_use.get(name, (0, 0)) >= end or any(name in self.names(loop)[1] for loop in loops)
