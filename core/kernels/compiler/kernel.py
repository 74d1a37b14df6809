"""Kernels: stages in numba's calling convention, so that Python and other kernels can call them."""

from __future__ import annotations

from typing import Any

from llvmlite import binding

from core.kernels.compiler.library import StageLibrary, module_of
from core.kernels.compiler.stage import Compiled, Stage
from core.kernels.numba_inside import (
    CompilerBase,
    FixupArgs,
    FunctionPass,
    JITCodeLibrary,
    Lower,
    NativeLowering,
    NoPythonBackend,
    PassManager,
    TranslateByteCode,
    register_pass,
)

LEVEL = 2  # of LLVM's optimisation; with 3 it takes a tenth longer, and nothing runs faster


class KernelLibrary(JITCodeLibrary):
    """numba's library of a kernel: optimised when everything is linked, not function by function before.

    LLVM may look through calls, because nobody else can call what is linked into it.  It changes functions to suit their only
    callers: their names must not be seen in the object, or the loader takes them for those of the same name elsewhere.
    """

    def finalize(self) -> None:
        stages = [one for one in self._linking_libraries if isinstance(one, StageLibrary)]
        self._linking_libraries = [one for one in self._linking_libraries if not isinstance(one, StageLibrary)]
        self._reload_init.update(*(stage._reload_init for stage in stages))
        self._final_module.link_in(module_of(stages))
        super().finalize()

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "linkonce_odr":
                function.linkage = "private"
        # everything into one function, loops and jumps in order: without this first, textured fills are 4 % slower
        for options in ({"opt": 0, "cost": "cheap", "loop_vectorize": False, "slp_vectorize": False}, {"opt": LEVEL}):
            passes, builder = self._codegen._module_pass_manager(**options)
            passes.run(self._final_module, builder)

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """For the cache: machine code, and in place of the intermediate code, which nobody links, the names in it.

        A kernel loads in half the time.
        """
        self._ensure_finalized()
        functions = [one.name for one in self._final_module.functions if not one.is_declaration]
        variables = [one.name for one in self._final_module.global_variables if not one.is_declaration]
        names = [f'define void @"{name}"() {{ unreachable }}' for name in functions]
        names += [f'@"{name}" = global i8 0' for name in variables]
        return self.name, "object", (self._get_compiled_object(), binding.parse_assembly("\n".join(names)).as_bitcode())


class KernelLower(Lower):
    """Makes a function in numba's convention that calls the stage."""

    compiled: Compiled

    def lower_normal_function(self, fndesc: Any) -> None:
        self.setup_function(fndesc)
        arguments = self.extract_function_arguments()
        self.pre_lower()
        value = self.compiled.call_from(self.context, self.builder, list(arguments))
        value = self.context.cast(self.builder, value, self.compiled.signature.return_type, fndesc.restype)
        self.call_conv.return_value(self.builder, self.context.get_return_value(self.builder, fndesc.restype, value))
        self.post_lower()


@register_pass(mutates_CFG=False, analysis_only=False)
class KernelTyping(FunctionPass):
    """Compiles the stage: its types are those of the kernel."""

    _name = "kernel_typing"

    def __init__(self) -> None:
        super().__init__()  # abstract otherwise

    def run_pass(self, state: Any) -> bool:
        state.kernel = Stage(state.func_id.func, inline=True).compiled_for(state.args)
        state.typemap = {f"arg.{name}": ty for name, ty in zip(state.func_ir.arg_names, state.args, strict=True)}
        state.calltypes = {}
        state.return_type = state.return_type or state.kernel.signature.return_type
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class KernelLowering(NativeLowering):
    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        self._compiled = state.kernel
        return super().run_pass(state)

    @property
    def lowering_class(self) -> type:
        return type("KernelLower", (KernelLower,), {"compiled": self._compiled})


class KernelCompiler(CompilerBase):
    """numba's `pipeline_class` for kernels."""

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("kernel")
        for one in (TranslateByteCode, FixupArgs, KernelTyping, KernelLowering, NoPythonBackend):
            manager.add_pass(one, one.__name__)
        manager.finalize()
        return [manager]
