"""Some cases of each harness, whenever the tests run; by hand for hours (see the package)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzz import guard, harness

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="preloads an allocator")
SECONDS = float(os.environ.get("DDI_FUZZ_SECONDS", "0"))
CASES = {"dp2": 11, "shaders": 30, "traces": 100, "recordings": 11}
"""Those of about three seconds: the same ones on every machine, however fast it is."""


@pytest.mark.parametrize("target", CASES)
@pytest.mark.parametrize(("mode", "fail"), [("over", 0), ("under", 40)])
def test_no_case_is_a_defect(target: str, mode: str, fail: int, tool: Callable[[str], str]) -> None:
    """The seeds are always the same: what fails once fails again."""
    tool("gcc")
    found = harness.run(target, 600.0, count=CASES[target], mode=mode, fail=fail)
    assert not found.defects, str(found)
    assert found.executions == CASES[target] and (found.refused > 0 or not fail)
    if SECONDS:
        found = harness.run(target, SECONDS, CASES[target], mode=mode, fail=fail)
        assert not found.defects, str(found)


WRITES = {
    "after": "ctypes.memset(array.ctypes.data + 1001, 1, 1); del array",
    "before": "ctypes.memset(array.ctypes.data - 1, 1, 1)",
    "freed": "place = array.ctypes.data; del array; ctypes.memset(place, 1, 1)",
    "nothing": "ctypes.memset(array.ctypes.data, 1, 1001); del array",
}


@pytest.mark.parametrize("fault", WRITES)
def test_the_allocator_sees_one_byte(fault: str, tmp_path: Path, tool: Callable[[str], str]) -> None:
    tool("gcc")
    code = "import ctypes, numpy as np\nfrom tests.fuzz import guard\nguard.guard_arrays()\narray = np.zeros(1001, np.uint8)\n"
    environment = guard.environment(tmp_path, "under" if fault == "before" else "over")
    done = subprocess.run(
        [sys.executable, "-c", code + WRITES[fault]], env=environment, cwd=harness.TOP, capture_output=True, check=False
    )
    assert (done.returncode < 0) == (fault != "nothing"), done.stderr


def test_the_allocator_refuses_by_the_seed(tmp_path: Path, tool: Callable[[str], str]) -> None:
    tool("gcc")
    code = """
import numpy as np
from tests.fuzz import guard
guard.guard_arrays()
for seed in (1, 1, 2):
    told = ""
    with guard.refusing(seed, 3):
        for _ in range(60):
            try:
                np.zeros(100)
                told += "."
            except MemoryError:
                told += "x"
    print(told)
print(guard.refused())
"""
    done = subprocess.run([sys.executable, "-c", code], env=guard.environment(tmp_path, "over"), cwd=harness.TOP,
                          capture_output=True, text=True, check=True)  # fmt: skip
    first, again, other, refused = done.stdout.split()
    assert first == again != other
    assert int(refused) == (first + again + other).count("x") > 20


CRASHED = """Fatal Python error: Segmentation fault

Thread 0x01 (most recent call first):
  File "/x/inspector/ask.py", line 3 in work

Current thread 0x02 (most recent call first):
  File "/x/site-packages/PySide6/thing.py", line 9 in put
  File "/x/ui/style.py", line 275 in apply
  File "/x/ui/window.py", line 282 in changed
"""


def test_a_crash_is_placed_where_our_code_was() -> None:
    """On the thread that crashed, not on another one."""
    assert harness._place_of_crash(CRASHED) == 'File "/x/ui/style.py", line 275 in apply'
    assert harness._place_of_crash("no traceback") == ""
