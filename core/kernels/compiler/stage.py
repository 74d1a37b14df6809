"""Stages as numba's kernels see them: functions that are typed and called like numba's own."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NoReturn

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin

from core.kernels.compiler.expressions import Expressions
from core.kernels.compiler.library import StageLibrary, new_module, notes
from core.kernels.compiler.operations import operations
from core.kernels.compiler.source import Source
from core.kernels.compiler.statements import Widened, compile_body
from core.kernels.compiler.values import Unsupported, result
from core.kernels.numba_inside import AbstractTemplate, global_compiler_lock, infer_global, signature

UNNAMED = "stage"


class Compiled:
    """A stage for some argument types.

    Values go and come back in registers, and there is no status to look at: stages do not fail.
    """

    def __init__(self, stage: Stage, arguments: tuple[Any, ...]) -> None:
        self.library = StageLibrary()
        wider: dict[tuple[ast.AST, str], Any] = {}
        while (function := self._compile(stage, arguments, wider)) is None:
            pass
        function.linkage = "linkonce_odr"
        function.attributes.add("alwaysinline" if stage.inline else "noinline")
        self.type = function.ftype
        texts = {name: str(one) for name, one in function.module.globals.items()}
        # equal names are equal code: of several kernels in one process, compiled by different ones, each brings its own along
        digest = hashlib.sha256("".join([*texts.values(), *map(str, notes)]).encode())
        self.name = self.library.name = f"{stage.name}.{digest.hexdigest()[:20]}"
        self.library.text = texts.pop(UNNAMED).replace(f'@"{UNNAMED}"', f'@"{self.name}"')
        self.library.declared = texts

    def _compile(self, stage: Stage, arguments: tuple[Any, ...], wider: dict[tuple[ast.AST, str], Any]) -> ir.Function | None:
        """The LLVM function in a module of its own; None to try again with wider types."""
        op = operations()
        inputs = [op.llvm_type(ty) for ty in arguments]
        function = ir.Function(new_module(stage.name), ir.FunctionType(ir.VoidType(), inputs), UNNAMED)
        expressions = Expressions(stage.source, op, function, call_stage)
        expressions.variables = {name: result(ty, llvm) for name, ty, llvm in
                                 zip(stage.source.parameters, arguments, function.args, strict=True)}  # fmt: skip
        self.library.called.clear()
        try:
            with op.target.push_code_library(self.library):
                returned = compile_body(stage.source, expressions, wider)
        except Widened:
            return None
        self.signature = signature(returned, *arguments)
        output = ir.VoidType() if returned is types.none else op.llvm_type(returned)
        function.ftype, function.return_value.type = ir.FunctionType(output, inputs), output  # known only now
        return function

    def call(self, builder: Any, arguments: list[Any]) -> Any:
        """Inserts a call into another stage; its LLVM value."""
        function = builder.module.globals.get(self.name) or ir.Function(builder.module, self.type, self.name)
        return builder.call(function, arguments)

    def call_from(self, context: Any, builder: Any, arguments: list[Any]) -> Any:
        """Inserts a call into a function of numba's; its LLVM value."""
        for library in self.library.everything():
            context.active_code_library.add_linking_library(library)
        value = self.call(builder, arguments)
        return context.get_dummy_value() if self.signature.return_type is types.none else value


class Stage:
    """A pipeline function; kernels and other stages call it."""

    def __init__(self, function: Callable, inline: bool) -> None:
        self.py_func, self.inline = function, inline
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__
        self.name = f"{function.__module__}.{function.__qualname__}"
        self._compiled: dict[tuple[Any, ...], Compiled] = {}
        self._under_way: set[tuple[Any, ...]] = set()

    def __call__(self, *arguments: Any) -> NoReturn:
        raise TypeError(f"{self.name} is called from compiled code only")

    @cached_property
    def source(self) -> Source:
        return Source(self.py_func)

    def compiled_for(self, tys: Iterable[Any]) -> Compiled:
        """For arguments of these types; a constant counts as any value of its type."""
        arguments = tuple(map(types.unliteral, tys))
        with global_compiler_lock:
            if arguments not in self._compiled:
                if arguments in self._under_way:
                    raise Unsupported(f"{self.name} calls itself")
                self._under_way.add(arguments)
                try:
                    self._compiled[arguments] = Compiled(self, arguments)
                finally:
                    self._under_way.discard(arguments)
            return self._compiled[arguments]


def call_stage(expressions: Expressions, stage: Stage, arguments: list[Any]) -> Any:
    """A call of one stage by another."""
    op = expressions.operations
    values = [op.value(expressions.builder, argument) for argument in arguments]
    compiled = stage.compiled_for(value.ty for value in values)
    op.target.active_code_library.add_linking_library(compiled.library)
    return result(compiled.signature.return_type, compiled.call(expressions.builder, [value.llvm for value in values]))


def declare(stage: Stage) -> Stage:
    """Tells numba how a stage is typed and called."""

    class StageTemplate(AbstractTemplate):
        key = stage

        def generic(self, args: Any, kws: Any) -> Any:
            return stage.compiled_for(args).signature

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return stage.compiled_for(sig.args).call_from(context, builder, list(arguments))

    infer_global(stage, types.Function(StageTemplate))
    lower_builtin(stage, types.VarArg(types.Any))(lower)
    return stage
