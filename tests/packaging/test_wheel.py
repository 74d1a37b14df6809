"""What `pip install` gives: one package, which works where other packages have the names of its parts."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import ddi_inspector as ddi
import setup
from core.kernels import warm_up
from inspector.launch.program import bits_of
from inspector.launch.tracer import is_ours
from resources.tracer import build
from tests.conftest import ROOT, unavailable
from tests.packaging.installed import Installed, build_wheel, install

NAMES = ("core", "inspector", "ui", "resources")
STRANGER = "raise SystemExit('a stranger was imported')\n"
SCRIPT = """
import hashlib
import ddi_inspector as ddi
from ddi_inspector.core.spec.subresource import Subresource
import core.spec.subresource
import ddi_inspector.inspector.query

assert Subresource is ddi.Subresource is core.spec.subresource.Subresource
assert core.spec.subresource.__spec__.name == "core.spec.subresource"
assert {"Search", "BadInput", "open"} <= set(dir(ddi)) and not {"HOME", "PathFinder", "Loader", "sys"} & set(dir(ddi))
with ddi.open("room.ddicap") as capture:
    print(hashlib.sha256(capture.image(capture.frames[-1].last_event).tobytes()).hexdigest(), len(capture.draws))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has packages of the same names, the built-in capture and a script."""
    folder = tmp_path_factory.mktemp("folder")
    for name in NAMES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(STRANGER)
    shutil.copy(ROOT / "resources" / "room.ddicap", folder)
    (folder / "script.py").write_text(SCRIPT)
    return folder


@pytest.fixture(scope="module")
def installed(wheel: Path, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in a clean environment."""
    return Installed(install(wheel, tmp_path_factory.mktemp("environment")), folder)


def test_the_wheel_holds_one_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"ddi_inspector"}
    for name in (
        "core/spec/tokens.py",
        "inspector/cli/main.py",
        "ui/style.qss",
        "resources/room.ddicap",
        "resources/ddi_record.h",
        "docs/manual.md",
        "docs/click.webp",
        "docs/lessons/fog.webp",
        "resources/lessons/fog.ddicap",
        "CHANGELOG.md",
        "examples/overdraw.py",
        "examples/notebook.ipynb",
    ):
        assert f"ddi_inspector/{name}" in names
    assert len([name for name in names if name.startswith("ddi_inspector/resources/samples/")]) > 3
    assert not [name for name in names if "/tests/" in name or "__pycache__" in name]


def test_every_source_file_is_in_the_wheel(wheel: Path) -> None:
    there = {name.removeprefix("ddi_inspector/") for name in zipfile.ZipFile(wheel).namelist()}
    ours = {path.relative_to(ROOT).as_posix() for name in NAMES for path in (ROOT / name).rglob("*.py")}
    assert ours - there == set()


def test_every_page_is_in_the_wheel_with_its_pictures(wheel: Path) -> None:
    """The manual behind Shift+F1: Markdown, not the site of the same pages (docs/releasing.md)."""
    there = {name.removeprefix("ddi_inspector/") for name in zipfile.ZipFile(wheel).namelist()}
    pages = {path.relative_to(ROOT).as_posix() for kind in ("md", "webp", "png") for path in (ROOT / "docs").rglob(f"*.{kind}")}
    assert pages and pages - there == set()
    assert [name for name in there if name.startswith("docs/") and name.endswith(".html")] == []


@pytest.mark.parametrize("bits", [32, 64])
def test_the_wheel_has_the_recording_dll(bits: int, wheel: Path, installed: Installed, tool: Any, tmp_path: Path) -> None:
    """Built with the wheel: of these bits, and what `record` takes."""
    tool(build.COMPILERS[bits])
    name = f"resources/tracer/win{bits}/d3d8.dll"
    (tmp_path / "d3d8.dll").write_bytes(zipfile.ZipFile(wheel).read(f"ddi_inspector/{name}"))
    assert bits_of(tmp_path / "d3d8.dll") == bits and is_ours(tmp_path / "d3d8.dll")
    game = tmp_path / "game.exe"
    subprocess.run(
        [build.COMPILERS[bits], "-x", "c", "-", "-o", game], input="int main(void) { return 0; }", text=True, check=True
    )
    told = installed.run("record", "--with", "ours", "--print", str(game), PATH="").stdout
    assert f"1. Copy {installed.programs.parent}" in told.replace("\\", "/") and name in told.replace("\\", "/")


@pytest.mark.parametrize("python_path", [False, True], ids=["plain", "on PYTHONPATH"])
def test_commands_and_scripts_work_among_strangers(installed: Installed, python_path: bool) -> None:
    """In a folder that has its own `core`, also if that is first on Python's path; the picture is that of the checkout."""
    environment = {"PYTHONPATH": str(installed.folder)} if python_path else {}
    info = installed.run("info", "room.ddicap", **environment)
    assert (info.returncode, info.stderr) == (0, "") and "draws            80" in info.stdout
    script = installed.run("script.py", program="python", **environment)
    with ddi.open(installed.folder / "room.ddicap") as capture:
        digest = hashlib.sha256(capture.image(capture.frames[-1].last_event).tobytes()).hexdigest()
    assert (script.stdout.split(), script.stderr) == ([digest, "80"], "")


def test_processes_that_compile_work_among_strangers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    children, told = warm_up._start([], 1)
    os.close(told)
    assert [child.wait(60) for child in children] == [0]


def test_the_package_runs_as_a_module(installed: Installed) -> None:
    assert installed.run("-m", "ddi_inspector", "--version", program="python").stdout.startswith("DDI Inspector ")


def test_another_core_that_is_imported_already_is_named(installed: Installed) -> None:
    (installed.folder / "core" / "__init__.py").write_text("")
    done = installed.run("-c", "import core; import ddi_inspector", program="python")
    (installed.folder / "core" / "__init__.py").write_text(STRANGER)
    assert done.stderr.splitlines()[-1].startswith(
        "ImportError: DDI Inspector cannot be imported after another package called 'core'"
    )


def test_a_32_bit_python_is_refused_in_one_sentence() -> None:
    program = "import sys; sys.maxsize = (1 << 31) - 1; import ddi_inspector"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "ImportError: DDI Inspector needs a 64-bit Python; this one is 32-bit"


def test_the_page_of_the_package_has_no_relative_links(wheel: Path) -> None:
    page = zipfile.ZipFile(wheel).read(next(n for n in zipfile.ZipFile(wheel).namelist() if n.endswith("METADATA"))).decode()
    assert "Classifier: Topic :: Software Development :: Debuggers" in page and "Requires-Python: <3.15,>=3.11" in page
    assert [link[0] for link in setup.LINK.finditer(page)] == []


def test_links_lead_to_the_pages_of_the_version() -> None:
    page = "![P](docs/p.png) [a](docs/a.md#b), [c](https://d), [e](#f)"
    assert (
        setup.absolute(page, "https://x/y")
        == "![P](https://x/y/docs/p.png) [a](https://x/y/docs/a.md#b), [c](https://d), [e](#f)"
    )
    assert setup.absolute(page, "") == " a, [c](https://d), [e](#f)"


PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")


def interpreter(name: str) -> str | None:
    """A Python that runs: of PATH, or one that pyenv has installed and has not switched on."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    installed = versions.glob(f"{name.removeprefix('python')}.*/bin/{name}")
    for python in (shutil.which(name), *sorted(map(str, installed))):
        if python and subprocess.call([python, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            return python
    return None


@pytest.mark.slow
@pytest.mark.parametrize("name", PYTHONS)
def test_pip_installs_it_with_its_requirements(name: str, wheel: Path, folder: Path, tmp_path: Path) -> None:
    """For each Python that is there; minutes, and 600 MB each."""
    if not (python := interpreter(name)):
        pytest.skip(f"needs {name}")
    subprocess.run([python, "-m", "venv", str(tmp_path / "new")], check=True)
    programs = tmp_path / "new" / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([str(programs / "python"), "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    check(Installed(programs, folder))


@pytest.mark.slow
@pytest.mark.parametrize("words", ["uv tool install --python-preference only-system", "pipx install"])
def test_installers_of_programs_install_it(
    words: str, wheel: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """uv and pipx: into a home of their own."""
    command, *options = words.split()
    if not (program := shutil.which(command)):
        unavailable(command)
    for name in ("UV_TOOL_DIR", "UV_TOOL_BIN_DIR", "PIPX_HOME", "PIPX_BIN_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    subprocess.run([program, *options, str(wheel)], check=True)
    check(Installed(tmp_path / ("uv_tool_bin_dir" if command == "uv" else "pipx_bin_dir"), folder))


def check(installed: Installed) -> None:
    """Asks for a picture."""
    picture = installed.run("image", "room.ddicap", "-o", "picture.png")
    assert picture.returncode == 0 and (installed.folder / "picture.png").exists(), picture.stderr
    assert installed.run("--version").stdout.startswith("DDI Inspector ")


def test_type_checkers_know_every_answer_of_the_installed_package(installed: Installed, tmp_path: Path) -> None:
    """mypy, for the installed package, in a folder without the sources: no answer is Any, and a misspelled name is an error."""
    arguments = ", ".join(f"q{number}: ddi.{name}" for number, name in enumerate(ddi.QUESTIONS))
    reveals = "\n".join(f"    reveal_type(capture.ask(q{number}))" for number in range(len(ddi.QUESTIONS)))
    program = f"import ddi_inspector as ddi\n\ndef f(capture: ddi.Capture, {arguments}) -> None:\n{reveals}\n"
    (tmp_path / "program.py").write_text(program + "    reveal_type(capture.state(3))\n    ddi.PixelHistroy\n", "utf-8")
    python = installed.programs / ("python.exe" if os.name == "nt" else "python")
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    command = [sys.executable, "-m", "mypy", "--python-executable", str(python), "program.py"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment).stdout
    revealed = [line.split('"')[1] for line in told.splitlines() if "Revealed type" in line]
    assert len(revealed) == len(ddi.QUESTIONS) + 1, told
    untyped = [name for name, kind in zip(ddi.QUESTIONS, revealed, strict=False) if kind == "Any"]
    assert untyped == [] and revealed[-1].endswith(".DeviceState")
    assert 'no attribute "PixelHistroy"' in told
    assert [line for line in told.splitlines() if "error:" in line and "PixelHistroy" not in line] == []


SOURCE = """from core.a import b
import re

class C:

    def __init__(self) -> None:
        self.d = 1

    def e(self) -> int:
        return 2
"""


def test_a_stub_has_the_names_of_the_wheel_and_no_bodies() -> None:
    expected = SOURCE.replace("from core.a import b", "from ddi_inspector.core.a import b as b").replace("return 2", "...")
    assert setup.stub(SOURCE) == expected
