"""What is used of numba's inside: in one file, checked at import; another numba compiles alone, or is refused."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest

from core.kernels import jit
from core.kernels.numba_inside import DIFFERENT, TRIED, different
from core.sources import PROJECT
from tests.core.kernels import compiler_programs as programs


def test_one_file_knows_the_inside_of_numba() -> None:
    files = [path for part in ("core", "inspector", "ui") for path in (PROJECT / part).rglob("*.py")]
    inside = re.compile(r"(?:from|import) (?:numba\.(?!extending\b)|llvmlite\.)|\bnumba\.(?!extending\b|njit\b)\w+[.(]")
    assert [path.name for path in files if inside.search(path.read_text(encoding="utf-8"))] == ["numba_inside.py"]


def test_the_bounds_of_the_package_are_the_versions_that_were_tried() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    major, minor = TRIED[1].split(".")
    assert f"numba>={TRIED[0]},<{major}.{int(minor) + 1}" in project["dependencies"]
    assert DIFFERENT == []


class Base:
    def __init__(self) -> None:
        self.kept = 0

    def old(self, first: int, second: int) -> None: ...

    attribute = 1


class Derived(Base):
    def __init__(self) -> None:
        super().__init__()
        self.own = 0


@pytest.mark.parametrize("name", ["attribute", "old", "old(first)", "old(first, second)", ".kept", ".own"])
def test_what_is_there(name: str) -> None:
    assert list(different(Derived, name)) == []


@pytest.mark.parametrize("name", ["gone", "old(second)", "old(first, second, third)", ".gone", "gone(first)", "attribute()"])
def test_what_is_not_there(name: str) -> None:
    assert list(different(Derived, f"{name}; .kept")) == [f"{__name__}.Derived has no {name}"]


# ---- another numba -----------------------------------------------------------------------------

STAGE = """
import core.kernels.jit, numba
from tests.core.kernels import compiler_programs as programs
looped = programs.looped
print([numba.njit(lambda a, b: looped(a, b))(n, 7) for n in (-3, 0, 5)], type(looped).__name__)
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code + STAGE], cwd=PROJECT, capture_output=True, text=True, check=False)


@pytest.mark.skipif(jit.JIT_DISABLED, reason="stages are plain functions")
@pytest.mark.parametrize("change, missing", [
    ("import numba.core.codegen as inside; del inside.CPUCodeLibrary.serialize_using_object_code", "has no serialize_using"),
    ("import numba.core.typed_passes as inside; del inside.NoPythonBackend", "cannot import name 'NoPythonBackend'"),
])  # fmt: skip
def test_without_something_of_its_compiler_numba_compiles_alone(change: str, missing: str) -> None:
    done = run(change)
    expected = [programs.looped.py_func(n, 7) for n in (-3, 0, 5)]
    assert done.stdout.splitlines()[-1:] == [f"{expected} CPUDispatcher"], done.stderr
    assert (
        re.search(
            r"RuntimeWarning: numba 0\.\d+\.\w+ with llvmlite 0\.\d+\.\w+ differs from the versions that were tried",
            done.stderr,
        )
        and missing in done.stderr
    )


@pytest.mark.parametrize("change, missing", [
    ("import numba.core.caching as inside; del inside.Cache._load_overload", "FunctionCache has no _load_overload("),
    ("import numba.np.arrayobj as inside; del inside.make_array", "cannot import name 'make_array'"),
])  # fmt: skip
def test_without_something_that_all_needs_a_sentence_says_what_to_install(change: str, missing: str) -> None:
    done = run(change)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: numba 0.") and missing in last and last.endswith("Install one of those.")
