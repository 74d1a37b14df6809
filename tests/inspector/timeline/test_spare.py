"""Memory of the C library: shared by all threads."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

ARENAS = """
import ctypes, threading
from inspector.timeline.spare import share_one_heap
if {shared}:
    assert share_one_heap()
ready = threading.Barrier(5)
def work():
    kept = [bytearray(5000 + n) for n in range(500)]
    ready.wait(); ready.wait()
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
ready.wait()
library = ctypes.CDLL(None)
library.fdopen.restype = ctypes.c_void_p
library.malloc_info.argtypes = ctypes.c_int, ctypes.c_void_p
library.fflush.argtypes = [ctypes.c_void_p]
file = library.fdopen(1, b"w")
library.malloc_info(0, file)
library.fflush(file)
ready.wait()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no arenas")
def test_all_threads_allocate_from_one_heap() -> None:
    def arenas(shared: bool) -> int:
        script = ARENAS.format(shared=shared)
        found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        return found.stdout.count("<heap nr=")

    assert arenas(False) > 1
    assert arenas(True) == 1
