"""The allocator of guard.c: built once, preloaded into a process, and told to refuse memory."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).with_name("guard.c")


def build(folder: Path) -> Path:
    """The shared object; needs gcc."""
    path = folder / "guard.so"
    if not path.exists():
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", path, SOURCE], check=True)
    return path


def environment(folder: Path, mode: str) -> dict[str, str]:
    """For a process under the allocator; mode: over, under, or plain (without)."""
    if mode == "plain":
        return dict(os.environ)
    return {**os.environ, "LD_PRELOAD": str(build(folder)), "GUARD_MODE": mode}


def _there() -> ctypes.CDLL | None:
    library = ctypes.CDLL(None)
    return library if hasattr(library, "guard_arm") and library.guard_is_there() else None


@contextmanager
def refusing(seed: int, one_of: int) -> Iterator[None]:
    """Within the block one of so many larger allocations fails; 0: none."""
    library = _there() if one_of else None
    if library is not None:
        library.guard_arm(ctypes.c_uint64(seed), ctypes.c_uint64(one_of))
    try:
        yield
    finally:
        if library is not None:
            library.guard_arm(ctypes.c_uint64(0), ctypes.c_uint64(0))


def refused() -> int:
    """How many allocations have failed."""
    library = _there()
    return 0 if library is None else int(library.guard_refused())


SET_HANDLER = 304  # PyDataMem_SetHandler in NumPy's table of functions


def guard_arrays() -> None:
    """NumPy takes the arrays of this thread from the allocator at once: it keeps small blocks otherwise."""
    if (library := _there()) is None:
        return
    from numpy._core import _multiarray_umath as numpy_core

    python = ctypes.pythonapi
    python.PyCapsule_GetPointer.restype = ctypes.c_void_p
    python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    python.PyCapsule_New.restype = ctypes.py_object
    python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    table = python.PyCapsule_GetPointer(numpy_core._ARRAY_API, None)
    address = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[SET_HANDLER]
    assert address is not None
    set_handler = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(address)
    handler = ctypes.addressof(ctypes.c_char.in_dll(library, "guard_handler"))
    set_handler(python.PyCapsule_New(handler, b"mem_handler", None))


def be_exact() -> None:
    """Memory that is used again hides accesses outside of its part in use: from here on, each array has its own."""
    if _there() is None:
        return
    from core.pipeline.records import arenas, recycle

    def take(words: int) -> np.ndarray:
        memory = np.empty(words + -words % recycle.LINE, np.uint32)  # ends at a page, so it begins at a line
        return memory if memory.ctypes.data % 64 == 0 else np.empty(words + recycle.LINE, np.uint32)

    recycle._take = take
    arenas.MOST_SPARE = 0
