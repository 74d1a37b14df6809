"""PySide reads no sources: see ui.imports."""

from __future__ import annotations

import subprocess
import sys


def test_importing_the_window_keeps_no_sources() -> None:
    script = "import linecache, ui.app; print(len(linecache.cache))"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(found.stdout) < 50  # of more than 900 modules
