"""Our own exp2, log2, power, sin and cos against numpy's double precision."""

from __future__ import annotations

import numpy as np
import pytest

from core.kernels.jit import array, i8, kernel, void
from core.kernels.simd import align_stack, load_float, pointer, store_float
from core.kernels.simd.math import cos, exp, exp2, log, log2, power, sin

FUNCTIONS = ["exp2", "log2", "exp", "log", "sin", "cos", "power"]


@kernel(void(i8, array("f4"), array("f4"), array("f4")))
def evaluate(which, x, y, out):
    align_stack()
    a, b, result = pointer(x, 0), pointer(y, 0), pointer(out, 0)
    for i in range(0, x.size, 16):
        v = load_float(a, i)
        r = v
        if which == 0:
            r = exp2(v)
        elif which == 1:
            r = log2(v)
        elif which == 2:
            r = exp(v)
        elif which == 3:
            r = log(v)
        elif which == 4:
            r = sin(v)
        elif which == 5:
            r = cos(v)
        else:
            r = power(v, load_float(b, i))
        store_float(result, i, r)


def run(name: str, x: object, y: object = 0.0) -> np.ndarray:
    x, y = np.broadcast_arrays(np.asarray(x, np.float32), np.asarray(y, np.float32))
    padded = np.zeros((2, -(-x.size // 16) * 16), np.float32)
    padded[0, : x.size], padded[1, : x.size] = x.ravel(), y.ravel()
    out = np.zeros(padded.shape[1], np.float32)
    evaluate(FUNCTIONS.index(name), padded[0].copy(), padded[1].copy(), out)
    return out[: x.size].astype(np.float64)


def test_exp2_is_close_and_exact_at_integers():
    x = np.linspace(-125, 127, 4001, dtype=np.float32)
    true = np.exp2(x.astype(np.float64))
    assert np.abs(run("exp2", x) / true - 1).max() < 2.5e-7
    whole = np.arange(-126, 128)
    assert (run("exp2", whole) == 2.0**whole).all()


def test_log2_is_close_and_exact_at_powers_of_two():
    x = np.concatenate([np.geomspace(1e-37, 1e37, 4000), np.linspace(0.5, 2, 4000)]).astype(np.float32)
    true = np.log2(x.astype(np.float64))
    assert (np.abs(run("log2", x) - true) <= 2e-7 * np.maximum(np.abs(true), 1)).all()
    whole = np.arange(-126, 128)
    assert (run("log2", 2.0**whole) == whole).all()


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_sine_and_cosine(name):
    x = np.linspace(-1000, 1000, 20001, dtype=np.float32)
    assert np.abs(run(name, x) - getattr(np, name)(x.astype(np.float64))).max() < 1e-6


def test_exp_and_log():
    x = np.linspace(0.01, 80, 1000, dtype=np.float32)
    wide = x.astype(np.float64)
    assert np.abs(run("exp", -x) / np.exp(-wide) - 1).max() < 1e-5
    assert np.abs(run("log", x) - np.log(wide)).max() < 1e-6


def test_power():
    x, y = np.meshgrid(np.linspace(0.01, 1, 60), [0.5, 1, 2.2, 8, 50])
    wide = x.astype(np.float32).astype(np.float64) ** y.astype(np.float32).astype(np.float64)
    assert np.abs(run("power", x, y) - wide.ravel()).max() < 2e-6


def test_corners():
    nan, inf = np.nan, np.inf
    assert run("exp2", [128, -200, inf, -inf]).tolist() == [inf, 0, inf, 0]
    assert np.isnan(run("exp2", [nan])).all() and np.isnan(run("log2", [-1, nan, -inf])).all()
    assert run("log2", [0, inf]).tolist() == [-inf, inf]
    assert run("power", [0, 0, 1, 5, 2], [0, 3, 1e9, 0, 10]).tolist() == [1, 0, 1, 1, 1024]
