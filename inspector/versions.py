"""The software and hardware in use, for reports: versions, system, processor, folders."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

from inspector.version import VERSION

PACKAGES = ("numba", "llvmlite", "numpy", "Pillow", "pyqtgraph")


def versions() -> dict[str, str]:
    """By name, as text; what is not installed is said to be missing."""
    from core.folders import user_folder
    from core.kernels import cache  # chooses the processor level

    level = os.environ.get("NUMBA_CPU_NAME", "as it is")
    gathers = " with its gathers" if cache.GATHERS else ""
    return {
        "DDI Inspector": VERSION,
        "Python": f"{platform.python_version()}, {platform.architecture()[0]}",
        **{name: _version(name) for name in PACKAGES},
        "System": platform.platform(),
        "Processor": f"{platform.machine()}, {os.cpu_count()} threads, compiled for {level}{gathers}",
        "Kernels": "not compiled (NUMBA_DISABLE_JIT)" if cache.JIT_DISABLED else "compiled",
        "Cache folder": str(user_folder("kernels").parent),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"
