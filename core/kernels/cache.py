"""Where compiled kernels lie on disk, found without the compiler.

The cache lives in DDI_INSPECTOR_CACHE, else in the platform's cache folder, else in a temporary one.  numba's own stamp
covers the file of the entry function only (an edit in a callee would be a stale hit), so each module caches in a folder
named by the digest of all project sources it imports, directly or not, and of numba, Python and processor level.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PARTS = ("core", "inspector")  # packages with kernels
JIT_DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
NUMBA_ALONE = os.environ.get("DDI_INSPECTOR_COMPILER") == "numba"  # compile without core.kernels.compiler

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
    os.environ["NUMBA_CPU_FEATURES"] = ""


# ---- folders ---------------------------------------------------------------------------------

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


root = cache(cache_root)


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
def _digest(module: str) -> bytes:
    return hashlib.sha256(source(module)).digest()


@cache
def _versions() -> list[str]:
    compilers = [version("numba"), *(["alone"] if NUMBA_ALONE else [])]
    return [*compilers, version("numpy"), platform.python_version(), os.environ.get("NUMBA_CPU_NAME", "host")]


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
    digest = hashlib.sha256(repr([module, _versions()]).encode())
    for name in sources_of(module):
        digest.update(name.encode() + _digest(name))
    folder = root() / digest.hexdigest()[:20]
    if folder.is_dir():
        os.utime(folder)  # in use: warm_up removes what has not been for long
    return folder


def marker(module: str) -> Path:
    """A file beside the kernels of a module that says that they are all there."""
    return cache_folder(module) / f"{module}.compiled"
