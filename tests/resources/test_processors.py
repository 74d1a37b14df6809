"""The same bytes on any processor: a sample drawn with the instructions of another one, by a process of its own."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import inspector
from core.kernels.jit import JIT_DISABLED

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "tests-and-blending.ddicap"


@pytest.mark.skipif(JIT_DISABLED or platform.machine().lower() not in ("x86_64", "amd64"), reason="levels of x86-64")
def test_without_vector_extensions_the_same_is_drawn(tmp_path: Path) -> None:
    """x86-64: SSE2, vectors in four parts, no instructions for floor, blends or gathers."""
    level = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": "", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    out = tmp_path / "hashes.json"
    command = [sys.executable, "-m", "inspector.cli", "verify", str(SAMPLE), "-o", str(out)]
    done = subprocess.run(command, env=os.environ | level, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    with inspector.open(SAMPLE) as capture:
        here = capture.ask(inspector.Verify("draw"))
    assert json.loads(out.read_text(encoding="utf-8")) == json.loads(here.json())
    assert len(here.steps) > 100
