"""Compiles pipeline functions to intermediate code only; the kernel that uses them is optimised and made into machine code.

numba optimises and emits every function together with everything it calls, and again inside each of its callers: a chain
of ten functions around the texture sampler took minutes.  `lightly(dispatcher)` marks a function that only kernels call: its
code is linked into its callers as it is.  `lightly(..., inline=False)` also keeps LLVM from copying it into them.

This reaches into numba (CPUCodeLibrary, Codegen.set_env; 0.61 to 0.68 are alike).  Where the names are not found nothing is
changed: slower to compile, the same results.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from numba.core import codegen

_light = threading.local()


def _is_light() -> bool:
    return getattr(_light, "depth", 0) > 0


def _compile(dispatcher: Any, inline: bool, signature: Any) -> Any:
    """Dispatcher.compile of a function that only compiled code calls."""
    before = getattr(_light, "depth", 0)
    _light.depth = 1
    try:
        entry = type(dispatcher).compile(dispatcher, signature)
    finally:
        _light.depth = before
    if not inline:
        for result in dispatcher.overloads.values():
            _keep_apart(result)
    return entry


def _keep_apart(result: Any) -> None:
    module = result.library._final_module
    module.get_function(result.fndesc.llvm_func_name).add_function_attribute("noinline")


def _optimize(original: Any, library: Any) -> None:
    if not _is_light():
        original(library)


def _finalize(original: Any, library: Any) -> None:
    if not _is_light():
        original(library)
        return
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True


def _set_env(original: Any, self: Any, name: str, env: Any) -> None:
    if not _is_light():  # there is no machine code that could refer to it
        original(self, name, env)


def _replace(cls: Any, name: str, wrapper: Any) -> None:
    original = vars(cls)[name]
    setattr(cls, name, lambda *args: wrapper(original, *args))


def _install() -> bool:
    library = getattr(codegen, "CPUCodeLibrary", None)
    owner = next((cls for cls in vars(codegen).values() if isinstance(cls, type) and "set_env" in vars(cls)), None)
    names = ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals", "_verify_declare_only_symbols")
    if library is None or owner is None or not all(name in dir(library) for name in names):
        return False
    if not all(name in vars(library) for name in names[:2]):
        return False
    _replace(library, "_optimize_final_module", _optimize)
    _replace(library, "_finalize_final_module", _finalize)
    _replace(owner, "set_env", _set_env)
    return True


INSTALLED = _install()


def lightly(dispatcher: Any, inline: bool = True) -> Any:
    """The dispatcher, which from now on makes no machine code of its own."""
    if INSTALLED:
        dispatcher.compile = partial(_compile, dispatcher, inline)
    return dispatcher
