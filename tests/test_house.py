"""The house keeps its own rules: style, types, and who may import whom."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PARTS = ["core", "inspector", "ui", "tests", "resources", "run.py"]


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_finds_nothing() -> None:
    run("-m", "ruff", "check", *[part for part in PARTS if (ROOT / part).exists()])


def test_mypy_finds_nothing() -> None:
    run("-m", "mypy")


def test_packages_import_only_what_they_may() -> None:
    run("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")


LISTED = (
    *("core/kernels", "core/kernels/compiler", "core/kernels/simd/*", "core/ddi", "core/device", "core/pipeline/*"),
    *("core/runtime", "core/spec"),
    *("inspector/query", "inspector/query/*", "inspector/timeline"),
)


@pytest.mark.parametrize("pattern", LISTED)
def test_packages_list_their_modules(pattern: str) -> None:
    for contents in ROOT.glob(f"{pattern}/__init__.py"):
        listed = re.findall(r"^ *(\w+) {2,}\S", contents.read_text(encoding="utf-8"), re.M)
        package = contents.parent
        there = {path.stem for path in package.glob("*.py")} | {path.parent.name for path in package.glob("*/*.py")}
        assert set(listed) == there - {"__init__"}, contents


def test_the_pipeline_names_its_files_in_the_order_of_a_draw() -> None:
    contents = ROOT / "core" / "pipeline" / "__init__.py"
    named = re.findall(r"\b(\w+(?:\.py|/))(?=\s)", contents.read_text(encoding="utf-8"))
    there = {path.name for path in contents.parent.glob("*.py")} | {
        f"{path.parent.name}/" for path in contents.parent.glob("*/*.py")
    }
    assert set(named) == there - {"__init__.py"}


def test_no_left_over_markers() -> None:
    """What is not done is a Finding or a line in the issue's note, not a comment."""
    words = ("TO" + "DO", "FIX" + "ME", "raise NotImplemented" + "Error")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for part in ("core", "inspector", "ui")
        for path in (ROOT / part).rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if any(word in line for word in words)
    ]
    assert not found
