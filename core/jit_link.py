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

from numba.core import codegen, sigutils
from numba.core.compiler_lock import global_compiler_lock

_light = threading.local()


def _is_light() -> bool:
    return getattr(_light, "depth", 0) > 0


def _compile(dispatcher: Any, inline: bool, signature: Any) -> Any:
    """Dispatcher.compile of a function that only compiled code calls; without its cache and its timers."""
    arguments, result = sigutils.normalize_signature(signature)
    if (known := dispatcher.overloads.get(tuple(arguments))) is not None:
        return known.entry_point
    before = getattr(_light, "depth", 0)
    _light.depth = 1
    try:
        with global_compiler_lock, dispatcher._compiling_counter:
            compiled = dispatcher._compiler.compile(arguments, result)
            dispatcher.add_overload(compiled)
    finally:
        _light.depth = before
    if not inline:
        _keep_apart(compiled)
    return compiled.entry_point


def _keep_apart(result: Any) -> None:
    module = result.library._final_module
    module.get_function(result.fndesc.llvm_func_name).add_function_attribute("noinline")


def _finalize(original: Any, library: Any) -> None:
    """CodeLibrary.finalize: one of ours is left as it is; a kernel links everything that it calls, directly or not, once."""
    if not _is_light():
        library._linking_libraries = _all_linked(library)
        original(library)
        return
    for function in library._final_module.functions:
        if not function.is_declaration:
            function.linkage = "linkonce_odr"
    library._shared_module = library._final_module
    library._finalize_dynamic_globals()
    library._finalized = True


def _all_linked(library: Any) -> list[Any]:
    """The libraries that a library calls; what one of ours calls comes along."""
    found: dict[Any, None] = {}
    todo = list(library._linking_libraries)
    while todo:
        one = todo.pop(0)
        if one not in found:
            found[one] = None
            todo += one._linking_libraries
    return list(found)


def _set_env(original: Any, self: Any, name: str, env: Any) -> None:
    if not _is_light():  # there is no machine code that could refer to it
        original(self, name, env)


def _replace(cls: Any, name: str, wrapper: Any) -> None:
    original = vars(cls)[name]
    setattr(cls, name, lambda *args: wrapper(original, *args))


def _optimize(original: Any, library: Any) -> None:
    """CodeLibrary._optimize_final_module: nothing outside a kernel calls what it has linked, so LLVM may look through calls."""
    if not _is_light():
        for function in library._final_module.functions:
            if not function.is_declaration and function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
    original(library)


def _install() -> bool:
    library = getattr(codegen, "CPUCodeLibrary", None)
    owner = next((cls for cls in vars(codegen).values() if isinstance(cls, type) and "set_env" in vars(cls)), None)
    if library is None or owner is None or "finalize" not in vars(library) or not hasattr(library, "_finalize_dynamic_globals"):
        return False
    _replace(library, "finalize", _finalize)
    _replace(library, "_optimize_final_module", _optimize)
    _replace(owner, "set_env", _set_env)
    return True


INSTALLED = _install()


def lightly(dispatcher: Any, inline: bool = True) -> Any:
    """The dispatcher, which from now on makes no machine code of its own."""
    if INSTALLED:
        dispatcher.compile = partial(_compile, dispatcher, inline)
    return dispatcher
