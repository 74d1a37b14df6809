"""run.py: what is asked before system packages are installed, and when nobody can be asked; tests that failed beside others."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import run


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, ...]]]:
    """As root on Debian, where one package is missing; what apt-get is told."""
    told: list[tuple[str, ...]] = []
    monkeypatch.setattr(run.sys, "platform", "linux")
    monkeypatch.setattr(run.os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(run.shutil, "which", lambda tool: f"/usr/bin/{tool}")
    monkeypatch.setattr(run, "missing_packages", lambda *_: [] if told else ["libegl1"])
    monkeypatch.setattr(run, "apt", lambda *words: told.append(words))
    yield told


@pytest.mark.parametrize(
    ("answer", "installs"),
    [("\n", True), ("y\n", True), (" YES \n", True), ("n\n", False), ("no\n", False), ("what?\n", False), ("", False)],
)
def test_on_a_terminal_it_asks_first(
    answer: str, installs: bool, installed: list, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run.sys, "stdin", Terminal(answer))
    monkeypatch.setattr(run.sys.stdout, "isatty", lambda: True, raising=False)
    run.offer_system_packages(testing=False, window=True)
    out = capsys.readouterr().out
    assert "libegl1 [Y/n]" in out
    assert bool(installed) == installs
    assert ("missing on this system" in out) != installs


@pytest.mark.parametrize("stdin", [io.StringIO(""), None])
def test_without_a_terminal_it_installs_and_says_so(
    stdin: io.StringIO | None, installed: list, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run.sys, "stdin", stdin)
    run.offer_system_packages(testing=False, window=True)
    assert [words[0] for words in installed] == ["update", "install"]
    assert "installing system packages: libegl1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("version", "bits", "says"),
    [
        ((3, 10, 2), 64, "Python 3.11 to 3.14 is needed"),
        ((3, 15, 0), 64, "Python 3.11 to 3.14 is needed"),
        ((3, 12, 0), 32, "a 64-bit Python is needed; this one is 32-bit."),
    ],
)
def test_a_python_that_does_not_fit_is_named(
    version: tuple[int, ...], bits: int, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run.sys, "version_info", version)
    monkeypatch.setattr(run.sys, "maxsize", (1 << (bits - 1)) - 1)
    assert run.main(["info"]) == 2
    assert says in capsys.readouterr().err


def test_the_pythons_are_those_of_the_wheel() -> None:
    project = tomllib.loads((run.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest, newest = run.OLDEST_PYTHON, run.NEWEST_PYTHON
    assert project["requires-python"] == f">={oldest[0]}.{oldest[1]},<{newest[0]}.{newest[1] + 1}"


def test_what_qt_lacks_is_asked_before_there_is_a_qt() -> None:
    code = "import sys; sys.modules['PySide6'] = None; import run; print(type(run.missing_packages(True, True)).__name__)"
    done = subprocess.run([sys.executable, "-c", code], cwd=run.ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "list"


FAILING = """
import pathlib, pytest
@pytest.mark.parametrize("number", range({count}))
def test_one(number):
    seen = pathlib.Path(f"seen-{{number}}")
    known, _ = seen.exists(), seen.touch()
    assert known and {steady}, f"number {{number}}"
def test_other(): pass
"""


@pytest.mark.parametrize(
    ("count", "steady", "code", "runs"), [(0, True, 0, 1), (2, True, 0, 2), (2, False, 1, 2), (run.FEW_FAILED + 1, True, 1, 1)]
)
def test_a_few_tests_that_failed_run_once_more_alone(
    count: int, steady: bool, code: int, runs: int, tmp_path: Path, monkeypatch: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    """Those that pass then are named."""
    (tmp_path / "test_some.py").write_text(FAILING.format(count=count, steady=steady))
    (tmp_path / "pytest.ini").write_text("[pytest]")
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "MOST_TEST_PROCESSES", 1)
    monkeypatch.setattr(run, "WARM_UP", "")
    monkeypatch.setattr(run, "has_bytecode", lambda settings: True)
    assert run.run_tests(Path(sys.executable), []) == code
    said = capfd.readouterr().out
    assert said.count("test session starts") == runs
    assert ["unsteady" in said, "ddi-inspector: test_some.py::test_one[1]" in said] == [bool(count) and code == 0] * 2


@pytest.mark.parametrize("elsewhere", [False, True])
def test_tests_are_compiled_once_for_all_processes(elsewhere: bool, tmp_path: Path, monkeypatch: Any) -> None:
    """They are collected, beside the kernels, where no bytecode of them is."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_some.py").write_text("def test_one(): pass")
    (tmp_path / "pytest.ini").write_text("[pytest]")
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    settings.pop("PYTHONPYCACHEPREFIX", None)
    if elsewhere:
        settings["PYTHONPYCACHEPREFIX"] = str(tmp_path / "bytecode")
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "WARM_UP", "open('compiled', 'x')")
    assert not run.has_bytecode(settings)
    given = Path(sys.executable), [sys.executable, "-m", "pytest"], settings
    run.compile_once(*given)
    found = [path for path in tmp_path.rglob("test_some*.pyc") if ("bytecode" in path.parts) == elsewhere]
    assert found and run.has_bytecode(settings) and (tmp_path / "compiled").exists()
    found[0].unlink()
    run.compile_once(*given)
    assert not found[0].exists()
