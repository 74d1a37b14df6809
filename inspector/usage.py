"""The memory and disk space used by this process and the cache folder, shown where their limits are set."""

from __future__ import annotations

import os
from pathlib import Path

from core.folders import KINDS, clear, root_folder, usage

EMPTIED = ("captures", "derived", "tracers")
"""Kinds of the cache folder that are made again when a capture is opened or a program is recorded."""
RESIDENT, OF_FILES = 1, 2  # columns of /proc/self/statm, in pages


def process_memory() -> int | None:
    """Bytes of memory that the process holds; None where only the system's tools know."""
    return _pages(RESIDENT)


def droppable_memory() -> int | None:
    """Bytes of these that are pages of mapped files: programs, and long columns; None likewise."""
    return _pages(OF_FILES)


def _pages(column: int) -> int | None:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[column])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def cache_usage() -> tuple[Path, dict[str, int]]:
    """The cache folder, and the bytes of each kind in it by what it is."""
    return root_folder(), {words: usage(kind)[1] for kind, words in KINDS.items()}


def empty_cache() -> tuple[Path, dict[str, int]]:
    """Deletes what is made again when it is needed, but not the kernels, which take minutes; then as `cache_usage`."""
    for kind in EMPTIED:
        clear(kind)
    return cache_usage()
