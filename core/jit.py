"""The one place that configures numba: decorators, the cache on disk, warm-up.

    @stage      a pipeline function: always inlined, callable from compiled code only (core.compiler)
    @outlined   a long pipeline function with several callers: one copy, called
    @allocating a helper of a kernel that makes arrays
    @kernel(signature)   an entry point with a fixed signature, compiled at its first call or loaded from the cache

Nothing is compiled with fast-math, and LLVM never contracts a multiply and an add on its own: results are strict IEEE
and equal on every machine.  With NUMBA_DISABLE_JIT=1 the decorators return the plain function (JIT_DISABLED).

The cache lives in DDI_INSPECTOR_CACHE, else in the platform's cache folder, else in a temporary one.  numba's own stamp
covers the file of the entry function only (an edit in a callee would be a stale hit), so each module caches in a folder
named by the digest of all project sources it imports, directly or not, and of numba, Python and processor level.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial, wraps
from pathlib import Path
from typing import Any

import numpy as np

V4_FEATURES = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
V3_FEATURES = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")


def _cpu_level() -> str | None:
    """x86-64-v4 or -v3: a cache for any processor of that level; None leaves numba's choice (the host itself)."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return None
    from llvmlite import binding

    features = binding.get_host_cpu_features()
    if all(features.get(name) for name in V4_FEATURES + V3_FEATURES):
        return "x86-64-v4"
    return "x86-64-v3" if all(features.get(name) for name in V3_FEATURES) else None


if "NUMBA_CPU_NAME" not in os.environ and (_level := _cpu_level()) is not None:
    os.environ["NUMBA_CPU_NAME"] = _level
    os.environ["NUMBA_CPU_FEATURES"] = ""

os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")  # or it colours messages that nobody sees

import numba  # noqa: E402  (after the processor level is chosen)
from numba import config, from_dtype, types  # noqa: E402
from numba.core import caching  # noqa: E402
from numba.core.compiler_lock import global_compiler_lock  # noqa: E402
from numba.core.runtime import rtsys  # noqa: E402

try:
    from core.compiler.kernel import KernelCompiler
    from core.compiler.stage import Stage, declare
except (ImportError, AttributeError):  # a numba that is otherwise inside compiles all of it: the same results, after minutes
    Stage, KernelCompiler = None, None  # type: ignore[assignment,misc]

__all__ = [
    "JIT_DISABLED", "address_of", "allocating", "array", "boolean", "f4", "f8", "from_dtype", "function_type", "i4", "i8",
    "kernel", "link", "load_kernels", "named_tuple", "outlined", "stage", "types", "u1", "u4", "u8", "void", "warm_up",
]  # fmt: skip

JIT_DISABLED = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]
PROJECT = Path(__file__).resolve().parent.parent
PARTS = ("core", "inspector")  # packages with kernels

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


def function_type(signature: Any) -> Any:
    """The type of an argument that is a kernel with this signature: a call through a pointer, compiled separately."""
    return types.FunctionType(signature)


class _Link(types.WrapperAddressProtocol):
    """A kernel's machine code as an argument; numba would look the address of a dispatcher up again at every call."""

    def __init__(self, dispatcher: Any, signature: Any) -> None:
        self._dispatcher, self._signature = dispatcher, signature

    def __wrapper_address__(self) -> int:
        return self._address

    @cached_property
    def _address(self) -> int:
        _compile(self._dispatcher, self._signature)
        result = self._dispatcher.get_compile_result(self._signature)
        return result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)

    def signature(self) -> Any:
        return self._signature


def link(kernel: Any, signature: Any) -> Any:
    """What to pass for an argument of function_type(signature): 60 us a call cheaper than the kernel itself."""
    if JIT_DISABLED:
        return kernel
    importlib.import_module("numba.experimental.function_type")  # tells numba what a _Link is; only compiling does it otherwise
    return _Link(kernel, signature)


def address_of(kernel: Any, signature: Any) -> int:
    """What simd.calling(signature) calls, compiled if need be.  A number: as an argument it costs 7 us less than a link."""
    if JIT_DISABLED:
        plain_kernels[id(kernel)] = kernel
        return id(kernel)
    return _Link(kernel, signature).__wrapper_address__()


plain_kernels: dict[int, Callable] = {}  # without the compiler: by address_of


# ---- decorators ------------------------------------------------------------------------------

_INTERNAL: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


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
        dispatcher: Any = numba.njit(nogil=True, error_model="numpy", pipeline_class=KernelCompiler)(function)
        dispatcher._cache = _KernelCache(function)
        _waiting.setdefault(function.__module__, []).append(partial(_compile, dispatcher, signature))
        dispatcher._compile_for_args = partial(_compile, dispatcher, signature)
        return dispatcher

    return decorate


_waiting: dict[str, list[Callable[[], object]]] = {}  # by module: what compiles its kernels


def _compile(dispatcher: Any, signature: Any, *_: Any) -> Any:
    """Compiles a kernel, or loads it, for its signature: at the first call, which calls what this returns.

    Another kernel that calls it may have compiled it for the types it has at hand.
    """
    arguments = tuple(signature.args)
    with global_compiler_lock:
        if arguments not in dispatcher.overloads:
            dispatcher.compile(signature)
            dispatcher.disable_compile()
            vars(dispatcher).pop("_compile_for_args", None)
    return dispatcher.overloads[arguments].entry_point


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

# they begin with a word, not with the start of a line: six times faster, and one too many does no harm
_FROM = re.compile(rf"from[ \t]+((?:{'|'.join(PARTS)}|\.)[.\w]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)")
_IMPORT = re.compile(rf"import[ \t]+((?:{'|'.join(PARTS)})\b[.\w]*)")
_NAME = re.compile(r"(\w+)(?:[ \t]+as[ \t]+\w+)?[ \t\n]*(?:,|\)|$)")


def cache_root() -> Path:
    """The folder of all compiled kernels, writable."""
    for folder in _cache_candidates():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="ddi-inspector-"))


def _cache_candidates() -> Iterable[Path]:
    if chosen := os.environ.get("DDI_INSPECTOR_CACHE"):
        yield Path(chosen)
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        yield Path(local) / "ddi-inspector" / "kernels"
    elif sys.platform == "darwin":
        yield Path.home() / "Library" / "Caches" / "ddi-inspector" / "kernels"
    else:
        base = os.environ.get("XDG_CACHE_HOME")
        yield (Path(base) if base else Path.home() / ".cache") / "ddi-inspector" / "kernels"
    yield Path(tempfile.gettempdir()) / "ddi-inspector-kernels"


_root = cache(cache_root)


@cache
def source_files() -> dict[str, Path]:
    """The files of all project modules that may have kernels, or be part of them."""
    found = {}
    for part in PARTS:
        for folder, _, files in os.walk(PROJECT / part):
            package = ".".join(Path(folder).relative_to(PROJECT).parts)
            for name in files:
                if name.endswith(".py"):
                    module = package if name == "__init__.py" else f"{package}.{name[:-3]}"
                    found[module] = Path(folder, name)
    return found


@cache
def source(module: str) -> bytes:
    """The text of a project module."""
    return source_files()[module].read_bytes()


@cache
def _imports(module: str) -> tuple[str, ...]:
    """The project modules that a project module imports, by reading its text."""
    package = module.split(".") if source_files()[module].name == "__init__.py" else module.split(".")[:-1]
    text = source(module).decode("utf-8")
    found = _IMPORT.findall(text)
    for base, names in _FROM.findall(text):
        if dots := len(base) - len(base.lstrip(".")):
            base = ".".join([*package[: len(package) - dots + 1], *filter(None, [base.lstrip(".")])])
        found.append(base)
        found += [f"{base}.{name}" for name in _NAME.findall(names.strip("("))]
    return tuple(dict.fromkeys(name for name in found if name in source_files()))


def sources_of(module: str) -> list[str]:
    """A project module and all project modules that it imports, directly or not; sorted."""
    seen, todo = {module}, [module]
    while todo:
        fresh = [name for name in _imports(todo.pop()) if name not in seen]
        seen.update(fresh)
        todo += fresh
    return sorted(seen)


@cache
def cache_folder(module: str) -> Path:
    """Where a project module's kernels are cached: the name is the digest of everything that they are made from."""
    versions = [numba.__version__, np.__version__, platform.python_version(), os.environ.get("NUMBA_CPU_NAME", "host")]
    digest = hashlib.sha256(repr([module, versions]).encode())
    for name in sources_of(module):
        digest.update(name.encode() + source(name))
    folder = _root() / digest.hexdigest()[:20]
    if folder.is_dir():
        os.utime(folder)  # in use: warm_up removes what has not been for long
    return folder


def _use_cache_of(module: str) -> None:
    """Points numba at the module's folder: it reads the setting when a function is decorated."""
    folder = cache_folder(module) if module in source_files() else _root() / "other"
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
            return self._load_overload(sig, target_context)


for _name in ("UserProvidedCacheLocator", "_UserProvidedCacheLocator"):  # numba 0.68, before
    if (_locator := getattr(caching, _name, None)) is not None:
        _locator.get_suitable_cache_subpath = staticmethod(_folder_by_name)


def warm_up(report: Callable[[float, str], object] | None = None, processes: int | None = None) -> None:
    """Compiles what the cache lacks in child processes, then loads it here; core.warm_up says how.

    report(fraction, sentence) is called from this thread.  A child that fails is no error: its kernel is compiled here.
    """
    from core.warm_up import compile_and_load

    compile_and_load(report or (lambda fraction, text: None), processes)
