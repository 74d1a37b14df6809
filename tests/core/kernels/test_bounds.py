"""A build of the kernels in which every access is checked: one beyond its array ends the process and names the place."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from core.kernels import bounds, jit
from core.sources import PROJECT
from tests.core.kernels import bounds_program as program

if jit.JIT_DISABLED:
    pytest.skip("stages are plain functions", allow_module_level=True)

SOURCE = Path(program.__file__)


def run(*arguments: str, checked: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DDI_INSPECTOR_BOUNDS": str(int(checked))}
    return subprocess.run([sys.executable, "-X", "faulthandler", *arguments], env=environment, cwd=PROJECT, capture_output=True,
                          text=True, timeout=600, check=False)  # fmt: skip


@cache
def lines_of(function: str) -> range:
    """The lines of a function of the program."""
    for node in ast.parse(SOURCE.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    raise KeyError(function)


def test_the_last_item_is_inside() -> None:
    code = "import sys\nfrom tests.core.kernels import bounds_program as program\n"
    code += "for name in program.KINDS: sys.argv = ['', name, '31']; program.main()"
    done = run("-c", code)
    assert (done.returncode, done.stdout) == (0, "31\n" * len(program.KINDS)), done.stderr


@pytest.mark.parametrize(("name", "number"), [*((name, 32) for name in program.KINDS), ("in_a_stage", -1), ("gathered", -1000),
                                              ("array_item", -33)])  # fmt: skip
def test_an_item_beyond_is_reported_with_its_place(name: str, number: int) -> None:
    done = run("-m", "tests.core.kernels.bounds_program", name, str(number))
    assert done.returncode != 0 and done.stdout == ""
    place = re.search(r"^out of bounds: tests/core/kernels/bounds_program\.py:(\d+) in (\w+): ",
                      done.stderr.replace("\\", "/"), re.M)  # fmt: skip
    assert place is not None, done.stderr
    function = "_item" if name == "in_a_stage" else name
    assert place[2] == function and int(place[1]) in lines_of(function)


def test_usually_a_pointer_is_an_address_and_nothing_is_checked() -> None:
    ask = (
        "from core.kernels import bounds, cache; print(bounds.POINTER, cache.cache_folder('core.pipeline.surface.clear').name)"
    )
    address, folder = run("-c", ask, checked=False).stdout.split()
    checked = run("-c", ask).stdout
    assert address == "i8*"
    assert checked.startswith("{i8*, i64, i64} ")
    assert checked.split()[-1] != folder, "both builds in one folder"


def test_the_place_is_that_of_the_function_being_compiled() -> None:
    assert not bounds.place
    with bounds.within("a.py", "one"), bounds.within("b.py", "two"):
        assert bounds.place[-1] == ("b.py", 0, "two")
    assert not bounds.place
