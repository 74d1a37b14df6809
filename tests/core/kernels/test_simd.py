"""The vector types: compiled code and its plain Python twin agree bit by bit; the rules for corners."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from core.kernels.jit import array, kernel, void
from core.kernels.simd import load_float, maximum, minimum, pointer, saturate, store_float, store_int, to_int, to_uint, vdouble

PROGRAM = str(Path(__file__).with_name("simd_program.py"))


def output(disabled: str) -> str:
    done = subprocess.run([sys.executable, PROGRAM], env={**os.environ, "NUMBA_DISABLE_JIT": disabled}, capture_output=True,
                          text=True, timeout=300, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_compiled_code_and_the_twin_agree():
    compiled, plain = output("0").splitlines(), output("1").splitlines()
    assert len(compiled) == 41
    for row, (a, b) in enumerate(zip(compiled, plain, strict=True)):
        assert a == b, f"row {row}"


@kernel(void(array("f4"), array("f4"), array("i4")))
def corners(x, results, words):
    v, out, bits = load_float(pointer(x, 0), 0), pointer(results, 0), pointer(words, 0)
    store_float(out, 0, minimum(v, 1.0))
    store_float(out, 16, maximum(v, 0.0))
    store_float(out, 32, saturate(v))
    store_int(bits, 0, to_int(v))
    store_int(bits, 16, to_uint(vdouble(v)))


def test_rules_for_nan_and_what_does_not_fit():
    x = np.zeros(16, np.float32)
    x[:6] = np.nan, 3e9, -3e9, np.inf, -np.inf, -1.75
    x.view(np.uint32)[6:8] = 0x7F800001, 0xFF800001  # signalling NaN
    results, words = np.zeros(48, np.float32), np.zeros(32, np.int32)
    corners(x, results, words)
    assert results[:2].tolist() == [1.0, 1.0] and results[16] == 0.0
    assert results[32:38].tolist() == [0, 1, 0, 1, 0, 0]
    assert results[[6, 7, 22, 23, 38, 39]].tolist() == [1, 1, 0, 0, 0, 0]
    assert words[:6].tolist() == [0, 2**31 - 1, -(2**31), 2**31 - 1, -(2**31), -1]
    assert words[16:22].view(np.uint32).tolist() == [0, 3_000_000_000, 0, 2**32 - 1, 0, 0]
