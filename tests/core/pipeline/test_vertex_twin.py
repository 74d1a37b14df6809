"""The compiled vertex half and its plain Python twin give the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.pipeline.geometry import Geometry
from tests.core.pipeline import vertex_kit
from tests.core.pipeline.twin_vertices import results

ROOT = Path(__file__).resolve().parents[3]


def test_compiled_and_plain_python_agree_bit_for_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vertex_kit, "GEOMETRY", Geometry())  # vertices between two cuts hold what tests before left there
    file = tmp_path / "plain.npz"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.core.pipeline.twin_vertices", str(file)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    plain, compiled = np.load(file), results()
    assert set(plain) == set(compiled)
    for name, array in compiled.items():
        assert same(plain[name], array), name


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bits; any NaN equals any other."""
    if a.shape != b.shape:
        return False
    if a.dtype != np.float32:
        return bool((a == b).all())
    return bool(((a.view(np.uint32) == b.view(np.uint32)) | (np.isnan(a) & np.isnan(b))).all())
