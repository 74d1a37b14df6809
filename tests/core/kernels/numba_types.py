"""What numba would infer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numba import types
from numba.core import bytecode, compiler
from numba.core.compiler_machinery import PassManager
from numba.core.registry import cpu_target
from numba.core.typed_passes import NopythonTypeInference
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode

PASSES = (TranslateByteCode, FixupArgs, IRProcessing, GenericRewrites, ReconstructSSA, NopythonTypeInference)


class _Inference(compiler.CompilerBase):
    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("inference")
        for one in PASSES:
            manager.add_pass(one, one.__name__)
        manager.finalize()
        return [manager]


def inferred(function: Callable, arguments: Sequence[Any]) -> Any:
    """The type of a function's result."""
    flags = compiler.Flags()
    flags.error_model, flags.nrt = "numpy", False
    inference = _Inference(cpu_target.typing_context, cpu_target.target_context, None, tuple(arguments), None, flags, {})
    state = inference.state
    state.func_id = bytecode.FunctionIdentity.from_function(function)
    state.bc, state.nargs = bytecode.ByteCode(state.func_id), len(arguments)
    state.lifted, state.lifted_from = (), None
    inference.define_pipelines()[0].run(state)
    return types.unliteral(state.return_type)
