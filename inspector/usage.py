"""The memory and disk space used by this process and the cache folder, shown where their limits are set."""

from __future__ import annotations

import os
from pathlib import Path

from core.folders import KINDS, root_folder, usage


def process_memory() -> int | None:
    """Bytes of memory that the process holds; None where only the system's tools know."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def cache_usage() -> tuple[Path, dict[str, int]]:
    """The cache folder, and the bytes of each kind in it by what it is."""
    return root_folder(), {words: usage(kind)[1] for kind, words in KINDS.items()}
