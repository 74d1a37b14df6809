"""numba's and llvmlite's internals: every name without a promise of stability, and checks that each is unchanged.

There are two kinds.  Vectors, structures and the cache on disk need the first: if one of these is missing, nothing runs, and
importing fails with a sentence.  Our compiler needs the second: if one of these is missing, numba compiles everything alone, to
the same results in minutes, and a warning names it (DIFFERENT).  docs/design/kernels.md says how to move to another numba.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import llvmlite.ir

TRIED = ("0.66", "0.68")  # the first and the last numba that runs the tests; the bounds of pyproject.toml


def _sentence(missing: object, consequence: str) -> str:
    return (f"numba {version('numba')} with llvmlite {version('llvmlite')} differs from the versions that were tried "
            f"(numba {TRIED[0]} to {TRIED[1]}): {missing}. {consequence}")  # fmt: skip


# ---- what everything is made of --------------------------------------------------------------

try:
    from numba.core import caching, cgutils
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.datamodel import models, register_default
    from numba.core.dispatcher import Dispatcher
    from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
    from numba.core.runtime import rtsys
    from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
    from numba.np.arrayobj import make_array
except (ImportError, AttributeError) as error:
    raise ImportError(_sentence(error, "Install one of those.")) from error

# ---- what the compiler of ours is made of ----------------------------------------------------

DIFFERENT: list[str] = []  # what of that is missing

try:
    from numba.core.callconv import CPUCallConv, create_error_model
    from numba.core.codegen import CPUCodegen, JITCodeLibrary
    from numba.core.compiler import CompilerBase
    from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
    from numba.core.cpu import CPUContext
    from numba.core.lowering import Lower
    from numba.core.registry import cpu_target
    from numba.core.typed_passes import NativeLowering, NoPythonBackend
    from numba.core.typing.context import Context
    from numba.core.untyped_passes import FixupArgs, TranslateByteCode
except (ImportError, AttributeError) as error:
    DIFFERENT.append(str(error))

__all__ = [
    "DIFFERENT", "TRIED", "AbstractTemplate", "AttributeTemplate", "CPUCallConv", "CompilerBase", "FixupArgs", "FunctionPass",
    "JITCodeLibrary", "Lower", "NativeLowering", "NoPythonBackend", "PassManager", "TranslateByteCode", "caching", "cgutils",
    "cpu_target", "create_error_model", "global_compiler_lock", "infer_getattr", "infer_global", "lower_getattr_generic",
    "lower_setattr_generic", "make_array", "models", "register_default", "register_pass", "rtsys", "signature",
]  # fmt: skip

# ---- their attributes ------------------------------------------------------------------------


def different(owner: Any, names: str) -> Iterator[str]:
    """Those of the names that are not what is expected of a class.

    name          an attribute
    name(a, b)    a method whose first parameters are called so
    .name         an attribute of objects, set by __init__
    """
    for name in names.split("; "):
        if not _is_there(owner, name):
            yield f"{owner.__module__}.{owner.__qualname__} has no {name}"


def _is_there(owner: Any, name: str) -> bool:
    if name.startswith("."):
        made = [vars(one)["__init__"] for one in owner.__mro__ if "__init__" in vars(one)]
        return any(name[1:] in one.__code__.co_names for one in made if hasattr(one, "__code__"))
    name, bracket, parameters = name.rstrip(")").partition("(")
    found = getattr(owner, name, None)
    if not bracket or found is None:
        return found is not None
    code = getattr(getattr(found, "__wrapped__", found), "__code__", None)
    expected = tuple(filter(None, parameters.split(", ")))
    return code is not None and code.co_varnames[1 : code.co_argcount][: len(expected)] == expected


_missing = [
    *different(caching.FunctionCache, "load_overload(sig, target_context); _load_overload(sig, target_context); "
                                      "_guard_against_spurious_io_errors()"),
    *different(caching.UserProvidedCacheLocator, "get_suitable_cache_subpath"),
    *different(type(rtsys), "initialize(ctx)"),
    *different(Dispatcher, "_compile_for_args; get_call_template(args, kws); compile(sig); disable_compile(val); "
                           "get_compile_result(sig); ._cache; .overloads"),
    *different(llvmlite.ir.Module, ".metadata; .globals"),
    *different(llvmlite.ir.Function, ".ftype; .return_value; .attributes; .linkage"),
]  # fmt: skip
if _missing:
    raise ImportError(_sentence(", ".join(_missing), "Install one of those."))

if not DIFFERENT:
    DIFFERENT += [
        *different(JITCodeLibrary, "finalize(); _optimize_functions(ll_module); _optimize_final_module(); _ensure_finalized(); "
                                   "_get_compiled_object(); serialize_using_object_code(); enable_object_caching(); "
                                   "add_linking_library(library); ._linking_libraries; ._final_module; "
                                   "._reload_init; ._codegen"),
        *different(CPUCodegen, "_module_pass_manager; _pass_builder; ._data_layout"),
        *different(Lower, "lower_normal_function(fndesc); setup_function(fndesc); extract_function_arguments(); pre_lower(); "
                          "post_lower()"),
        *different(NativeLowering, "run_pass(state); lowering_class"),
        *different(CompilerBase, "define_pipelines()"),
        *different(PassManager, "add_pass(pss, description); finalize()"),
        *different(CPUCallConv, "return_status_propagate(builder, status); return_user_exc(builder, exc); "
                                "return_value(builder, retval)"),
        *different(CPUContext, "refresh(); codegen(); create_module(name); push_code_library; active_code_library; "
                               "get_function(fn, sig); get_getattr(typ, attr); get_setattr(attr, sig); get_value_type(ty); "
                               "get_return_value(builder, ty, val); get_constant_generic(builder, ty, val); "
                               "get_constant_null(ty); get_dummy_value(); make_tuple(builder, typ, values); "
                               "cast(builder, val, fromty, toty)"),
        *different(Context, "refresh(); resolve_value_type(val); resolve_function_type(func, args, kws); "
                            "resolve_getattr(typ, attr); resolve_setattr(target, attr, value); unify_types"),
    ]  # fmt: skip
if DIFFERENT:
    warnings.warn(_sentence(", ".join(DIFFERENT), "It compiles alone: the same results, after minutes."), RuntimeWarning, 2)
