"""The compiled stages and their plain Python twin give the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.core.pipeline.twin_scenes import results

ROOT = Path(__file__).resolve().parents[3]


def test_compiled_and_plain_python_agree_bit_for_bit(tmp_path: Path) -> None:
    file = tmp_path / "plain.npy"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-m", "tests.core.pipeline.twin_scenes", str(file)], cwd=ROOT, env=environment, check=True)
    plain, compiled = np.load(file), results()
    differing = [n for n in range(len(plain)) if not same(plain[n], compiled[n])]
    assert not differing, (differing, plain[differing[0]], compiled[differing[0]])


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """equal bits; any NaN equals any other"""
    return bool(((a.view(np.uint32) == b.view(np.uint32)) | (np.isnan(a) & np.isnan(b))).all())
