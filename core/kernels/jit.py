"""The one place that configures numba: decorators, and the cache on disk.

    @stage      a pipeline function: always inlined, callable from compiled code only (core.kernels.compiler)
    @outlined   a long pipeline function with several callers: one copy, called
    @allocating a helper of a kernel that makes arrays
    @kernel(signature)   an entry point with a fixed signature, compiled at its first call or loaded from the cache

Nothing is compiled with fast-math, and LLVM never contracts a multiply and an add on its own: results are strict IEEE
and equal on every machine.  With NUMBA_DISABLE_JIT=1 the decorators return the plain function (JIT_DISABLED).
`core.kernels.cache` says where kernels lie on disk, `core.kernels.warm_up` compiles all of them.
"""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Callable, Iterable
from functools import partial, wraps
from pathlib import Path
from typing import Any, NoReturn

# first: numba reads the processor level
from core.kernels.cache import BOUNDS, JIT_DISABLED, NUMBA_ALONE, cache_folder, root

os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # or it colours messages that nobody sees

import numba
import numpy as np
from numba import config, from_dtype, types

from core.kernels.numba_inside import DIFFERENT, caching, global_compiler_lock, rtsys
from core.sources import PROJECT, source_files

if NUMBA_ALONE or DIFFERENT:  # numba compiles all of it: the same results, after minutes
    Stage: Any = None
    KernelCompiler: Any = None
else:
    from core.kernels.compiler.kernel import KernelCompiler
    from core.kernels.compiler.operations import operations
    from core.kernels.compiler.stage import Stage, declare

__all__ = [
    "JIT_DISABLED", "address_of", "allocating", "array", "boolean", "f4", "f8", "from_dtype", "i4", "i8",
    "kernel", "load_kernels", "named_tuple", "outlined", "prepare_to_compile", "stage", "types", "u1", "u4", "u8",
    "void",
]  # fmt: skip

void, boolean = types.void, types.boolean
i4, i8, u1, u4, u8 = types.int32, types.int64, types.uint8, types.uint32, types.uint64
f4, f8 = types.float32, types.float64


# ---- signatures ------------------------------------------------------------------------------


def array(dtype: Any, dimensions: int = 1, readonly: bool = False) -> Any:
    """The type of a C-contiguous array argument; records are passed as arrays and indexed inside (60 times cheaper).

    readonly: one that cannot be written to is welcome too.
    """
    return types.Array(from_dtype(np.dtype(dtype)), dimensions, "C", readonly=readonly)


def named_tuple(members: Iterable[Any], cls: type) -> Any:
    """The type of a namedtuple argument."""
    return types.NamedTuple(list(members), cls)


def address_of(kernel: Any, signature: Any) -> int:
    """What simd.calling(signature) calls, compiled if need be."""
    if JIT_DISABLED:
        plain_kernels[id(kernel)] = kernel
        return id(kernel)
    if (known := _addresses.get(kernel)) is None:
        _compile(kernel, signature)
        result = kernel.get_compile_result(signature)
        known = _addresses[kernel] = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
    return known


_addresses: dict[Any, int] = {}  # by kernel, which has one signature
plain_kernels: dict[int, Callable] = {}  # without the compiler: by address_of


# ---- decorators ------------------------------------------------------------------------------

FROM_PYTHON = (types.Array, types.Number, types.Boolean, types.BaseTuple)
_INTERNAL: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
                             "boundscheck": BOUNDS}  # fmt: skip


def stage(function: Callable) -> Any:
    """A pipeline function; inlined, because LLVM's own threshold leaves vectors in memory at every call."""
    return _stage(function, inline=True)


def outlined(function: Callable) -> Any:
    """A long pipeline function with several callers: compiled once, called."""
    return _stage(function, inline=False)


def _stage(function: Callable, inline: bool) -> Any:
    if JIT_DISABLED:
        return function
    return declare(Stage(function, inline)) if Stage is not None else numba.njit(forceinline=inline, **_INTERNAL)(function)


def allocating(function: Callable) -> Any:
    """A helper of a kernel that makes arrays: numba's, for its reference counts."""
    return function if JIT_DISABLED else numba.njit(**_INTERNAL)(function)


def kernel(signature: Any) -> Callable[[Callable], Any]:
    """An entry point with one fixed signature: compiled (or loaded from the cache) at its first call, releases the GIL.

    At the first call, so that importing a module that can do something costs nothing; load_kernels does it at once.
    """

    def decorate(function: Callable) -> Any:
        if JIT_DISABLED:
            return _quiet(function)
        _use_cache_of(function.__module__)
        # one of numba's two ways in: Python has no pointers to give, and kernels that call others give them no arrays
        for_python = all(isinstance(ty, FROM_PYTHON) for ty in signature.args)
        unused = "no_cfunc_wrapper" if for_python else "no_cpython_wrapper"
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "pipeline_class": KernelCompiler, unused: True}
        dispatcher: Any = numba.njit(**options)(function)
        dispatcher._cache = _KernelCache(function)
        _waiting.setdefault(function.__module__, []).append(partial(_compile, dispatcher, signature))
        dispatcher.get_call_template = _not_linked
        dispatcher._compile_for_args = partial(_compile, dispatcher, signature)
        return dispatcher

    return decorate


_waiting: dict[str, list[Callable[[], object]]] = {}  # by module: what compiles its kernels


def _compile(dispatcher: Any, signature: Any, *_: Any) -> Any:
    """Compiles a kernel, or loads it, for its signature: at the first call, which calls what this returns."""
    arguments = tuple(signature.args)
    with global_compiler_lock:
        if arguments not in dispatcher.overloads:
            dispatcher.compile(signature)
            dispatcher.disable_compile()
            vars(dispatcher).pop("_compile_for_args", None)
    return dispatcher.overloads[arguments].entry_point


def prepare_to_compile() -> None:
    """Reads what only compiling needs."""
    if Stage is not None:
        operations()


def _not_linked(arguments: Any, keywords: Any) -> NoReturn:
    """For numba's question how compiled code calls a kernel: not directly, because the cache has its machine code only."""
    raise TypeError("compiled code calls stages, and kernels by their addresses")


def load_kernels(module: str) -> None:
    """Imports a module and makes its kernels ready to run."""
    importlib.import_module(module)
    for compiled in _waiting.pop(module, []):
        compiled()


def _quiet(function: Callable) -> Callable:
    """Without the compiler: floating point exceptions are as silent as in compiled code."""

    @wraps(function)
    def run(*args: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*map(_with_fields, args))

    return run


def _with_fields(argument: Any) -> Any:
    """Arrays of records whose fields are attributes, as they are in compiled code."""
    return argument.view(np.recarray) if isinstance(argument, np.ndarray) and argument.dtype.names else argument


# ---- the cache on disk -----------------------------------------------------------------------


def _use_cache_of(module: str) -> None:
    """Points numba at the module's folder: it reads the setting when a function is decorated."""
    folder = cache_folder(module) if module in source_files() else root() / "other"
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]


def _folder_by_name(py_file: str) -> str:
    """numba's folder for a source file: by its name, not its place, so that copies of the project share their kernels."""
    path = Path(py_file).resolve()
    return path.stem if path.is_relative_to(PROJECT) else hashlib.sha256(str(path).encode()).hexdigest()[:20]


class _KernelCache(caching.FunctionCache):
    """Loads a kernel without numba's library of what compiled code can call: only compiling needs that (0.15 s)."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # what all machine code calls
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)
        if found is None:  # it is compiled next, and numba looks up what an operator means only once
            importlib.import_module("core.kernels.simd")
        return found


caching.UserProvidedCacheLocator.get_suitable_cache_subpath = staticmethod(_folder_by_name)  # type: ignore[method-assign]
