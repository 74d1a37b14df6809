"""Without the compiler of ours numba compiles everything: slower, and to the same results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.kernels import jit
from core.sources import PROJECT
from tests.core.kernels import compiler_programs as programs

if jit.JIT_DISABLED:
    pytest.skip("stages are plain functions", allow_module_level=True)

CAPTURES = sorted((PROJECT / "resources").rglob("*.ddicap"))


def run(arguments: list[str], **own: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", **own}
    return subprocess.run([sys.executable, *arguments], env=environment, cwd=PROJECT, capture_output=True, text=True,
                          timeout=3600, check=False)  # fmt: skip


STAGE = """
import numba
from tests.core.kernels import compiler_programs as programs
looped = programs.looped
print([numba.njit(lambda a, b: looped(a, b))(n, 7) for n in (-3, 0, 5)], type(looped).__name__)
"""


def test_a_stage_is_compiled_by_numba_when_one_asks_for_it() -> None:
    done = run(["-c", STAGE], DDI_INSPECTOR_COMPILER="numba")
    expected = [programs.looped.py_func(n, 7) for n in (-3, 0, 5)]
    assert done.stdout.splitlines()[-1:] == [f"{expected} CPUDispatcher"], done.stderr


EVERY_KERNEL = """
import sys
from core.kernels import jit
from core.kernels.warm_up import kernel_modules, warm_up
warm_up()
found = [(module, name, one) for module in kernel_modules() for name, one in vars(sys.modules[module]).items()
         if isinstance(getattr(one, "_cache", None), jit._KernelCache)]
cold = [f"{module}.{name}" for module, name, one in found if not one.signatures]
print(jit.Stage, len({module for module, _, _ in found}) == len(kernel_modules()), cold)
"""


def hashes(capture: Path, result: Path, **own: str) -> str:
    done = run(["-m", "inspector.cli", "verify", str(capture), "--per", "draw", "-o", str(result)], **own)
    assert result.exists(), done.stdout + done.stderr
    return result.read_text(encoding="utf-8")


@pytest.mark.slow
def test_numba_alone_compiles_every_kernel_and_draws_the_same(tmp_path: Path) -> None:
    """About four minutes of processor time."""
    alone = {"DDI_INSPECTOR_COMPILER": "numba", "DDI_INSPECTOR_CACHE": str(tmp_path / "cache")}
    done = run(["-c", EVERY_KERNEL], **alone)
    assert (done.stdout.strip(), done.stderr) == ("None True []", "")
    assert len(CAPTURES) > 1
    for capture in CAPTURES:
        ours = hashes(capture, tmp_path / "ours.json", DDI_INSPECTOR_COMPILER="")
        assert hashes(capture, tmp_path / "alone.json", **alone) == ours, capture.name
