"""What a measurement was made on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path


def machine() -> str:
    """Processor, system, Python and the libraries that matter, in one line."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "zstandard", "brotli", "msgspec"))
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    return f"{_processor()} x{os.cpu_count()}, {system}, {libraries}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
