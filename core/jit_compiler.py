"""The compiler of pipeline functions: numba's, with what they do not need left out.

Starting from nothing is mostly numba's Python code.  Its own interfaces let a function choose its passes (StageCompiler).
Operators are looked up among dozens of candidates, each time anew, with an error message composed for every one that does not
fit: `_remember` keeps the answers.  Where numba's names are not found nothing is changed: slower to compile, the same results.
"""

from __future__ import annotations

import operator
from contextlib import suppress
from typing import Any

from llvmlite import binding
from numba import types
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import NoPythonBackend, NopythonTypeInference, PreLowerStripPhis
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode

from core.jit_call import DirectLowering

PASSES = (TranslateByteCode, FixupArgs, IRProcessing, GenericRewrites, ReconstructSSA, NopythonTypeInference, PreLowerStripPhis,
          DirectLowering, NoPythonBackend)  # fmt: skip


class Passes(PassManager):
    """Passes without events, timers, checks and renewed analysis around each."""

    def run(self, state: Any) -> None:
        for one, _ in self.passes:
            instance = one()
            instance.analysis = self._analysis
            instance.run_initialization(state)
            instance.run_pass(state)
            instance.run_finalizer(state)


class _Settled:
    """A context that has all its declarations: looking for new ones takes a twentieth of the time."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def refresh(self) -> None:
        """Nothing: the kernel that calls the function has just done it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)


class StageCompiler(CompilerBase):
    """For functions without closures, context managers, exceptions, literal loops, array expressions and parallel loops.

    Nor do they make arrays (jit.allocating does): no variable has to be deleted.
    """

    def __init__(self, typing_context: Any, target_context: Any, *more: Any) -> None:
        super().__init__(_Settled(typing_context), _Settled(target_context), *more)
        self.state.typingctx = typing_context

    def define_pipelines(self) -> list[PassManager]:
        manager = Passes("stage")
        for one in PASSES:
            manager.add_pass(one, one.__name__)
        manager.finalize()
        return [manager]


# ---- operators, remembered -------------------------------------------------------------------

_answers: dict[tuple[Any, ...], Any] = {}
_simple: tuple[type, ...] = (types.Number, types.Boolean, types.IntEnumMember)
_OPERATORS = frozenset(
    getattr(operator, name) for name in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "and_", "or_", "xor", "lshift", "rshift", "lt", "le", "gt", "ge",
        "eq", "ne", "neg", "invert", "not_", "getitem", "setitem", "iadd", "isub", "imul", "itruediv", "iand", "ior", "ixor",
        "ilshift", "irshift", "ifloordiv", "pos",
    )
)  # fmt: skip


def remember_for(*kinds: type) -> None:
    """Operators on values of these types, too, mean the same each time."""
    global _simple
    _simple += kinds


def _remember(original: Any, self: Any, context: Any, args: Any, kws: Any) -> Any:
    """BaseFunction.get_call_type: the signature of an operator for argument types."""
    if kws or self.typing_key not in _OPERATORS or not all(isinstance(arg, _simple) for arg in args):
        return original(self, context, args, kws)
    key = (self.typing_key, len(self.templates), *args)  # literals have implementations of their own
    if (known := _answers.get(key)) is None:
        signature = original(self, context, args, kws)
        known = _answers[key] = signature, self._impl_keys[signature.args]
    signature, implementation = known
    self._impl_keys[signature.args] = implementation
    return signature


def _install() -> None:
    owner = next(cls for cls in types.Function.__mro__ if "get_call_type" in vars(cls))
    original = vars(owner)["get_call_type"]
    owner.get_call_type = lambda self, context, args, kws: _remember(original, self, context, args, kws)  # type: ignore[attr-defined]


with suppress(AttributeError, StopIteration):
    _install()
with suppress(AttributeError):  # numba notes the time of each call into LLVM, for timers that nobody reads here
    binding.ffi.lib._lock._cblist.clear()
