"""The cache of compiled kernels on disk, looked up without the compiler.

numba's own stamp covers the file of the entry function only (an edit in a callee would be a stale hit), so each module caches
in a folder named by the digest of all project sources it imports, directly or not, and of numba, Python and processor level.
"""

from __future__ import annotations

import os
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

from core.folders import user_folder
from core.sources import digest_of, sources_of

JIT_DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
NUMBA_ALONE = os.environ.get("DDI_INSPECTOR_COMPILER") == "numba"  # compile without core.kernels.compiler
BOUNDS = os.environ.get("DDI_INSPECTOR_BOUNDS", "0") not in ("", "0")  # check every access of compiled code

# ---- the processor level ---------------------------------------------------------------------

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
if os.environ.get("NUMBA_CPU_NAME", "").startswith("x86-64-"):
    os.environ.setdefault("NUMBA_CPU_FEATURES", "")  # those of the level: numba adds the host's otherwise


HAS_AVX512 = os.environ.get("NUMBA_CPU_NAME") == "x86-64-v4"
WIDE_MASKS = os.environ.get("NUMBA_CPU_NAME") == "x86-64-v3"  # AVX2: core.kernels.simd.compiled.masks


def _gathers() -> bool:
    """Whether the processor's own gathers are faster than single loads: Intel's since Sapphire Rapids, the first with
    half-precision vectors; Zen 4 takes longer, older Intel processors guard each gather against leaks."""
    if not HAS_AVX512 or BOUNDS:
        return False
    if (wanted := os.environ.get("DDI_INSPECTOR_GATHERS", "")) in ("0", "1"):
        return wanted == "1"
    from llvmlite import binding

    return bool(binding.get_host_cpu_features().get("avx512fp16")) and not binding.get_host_cpu_name().startswith("znver")


GATHERS = _gathers()


# ---- folders ---------------------------------------------------------------------------------


@cache
def root() -> Path:
    """The folder of all compiled kernels."""
    return user_folder("kernels")


@cache
def _versions() -> list[str]:
    compilers = [version("numba"), *(["alone"] if NUMBA_ALONE else []), *(["bounds"] if BOUNDS else [])]
    compilers += ["gathers"] if GATHERS else []
    return [*compilers, version("numpy"), platform.python_version(), os.environ.get("NUMBA_CPU_NAME", "host")]


@cache
def cache_folder(module: str) -> Path:
    """Where a project module's kernels are cached: the name is the digest of everything that they are made from."""
    folder = root() / digest_of(sources_of(module), module, *_versions())
    if folder.is_dir():
        os.utime(folder)  # in use: warm_up removes what has not been for long
    return folder


def marker(module: str) -> Path:
    """A file beside the kernels of a module that says that they are all there."""
    return cache_folder(module) / f"{module}.compiled"
