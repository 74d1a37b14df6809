"""Wheels of this tree, and environments to install them into."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.conftest import ROOT, unavailable

SCRIPTS, SUFFIX = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
FOLDERS = ("core", "ddi_inspector", "inspector", "ui", "resources", "docs", "examples")
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "CHANGELOG.md", "MANIFEST.in")


@dataclass(frozen=True)
class Installed:
    """The programs of one installation, and a folder to run them in."""

    programs: Path
    folder: Path

    def run(self, *words: str, program: str = "ddi-inspector", **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs one of its programs, without what the tests' own environment knows about the checkout."""
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "QT_QPA_PLATFORM")}
        command = [str(self.programs / f"{program}{SUFFIX}"), *words]
        return subprocess.run(
            command, cwd=self.folder, env={**kept, **environment}, capture_output=True, encoding="utf-8", check=False
        )


def build_wheel(folder: Path) -> Path:
    """The wheel of this tree.  Builds in a copy: building leaves files beside the sources."""
    copy = folder / "tree"
    for name in FOLDERS:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, copy)
    python = environment(folder / "builder", with_pip=True)
    pip(python, "wheel", "--no-deps", "--wheel-dir", str(folder), str(copy))
    return next(folder.glob("*.whl"))


def environment(folder: Path, with_pip: bool = False) -> Path:
    """A new environment; its interpreter."""
    try:
        venv.create(folder, with_pip=with_pip)
    except subprocess.CalledProcessError:
        unavailable("python3-venv")
    return folder / SCRIPTS / f"python{SUFFIX}"


def pip(python: Path, *words: str) -> None:
    """Runs pip; the test is skipped if it reaches no registry."""
    quiet = ("--quiet", "--disable-pip-version-check")
    done = subprocess.run([str(python), "-m", "pip", *words, *quiet], capture_output=True, text=True, check=False)
    if "Temporary failure in name resolution" in done.stderr or "NewConnectionError" in done.stderr:
        unavailable("a connection to PyPI")
    assert done.returncode == 0, done.stderr


def install(wheel: Path, folder: Path) -> Path:
    """Installs the wheel alone into a new environment, which finds its requirements where the tests have theirs.

    Returns the folder of its programs.
    """
    python = environment(folder, with_pip=True)
    pip(python, "install", "--no-deps", str(wheel))
    place = subprocess.check_output([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True)
    others = Path(np.__file__).resolve().parents[1]
    assert not [name for name in FOLDERS if (others / name).exists()], "the tests' environment has the program installed"
    Path(place.strip(), "requirements.pth").write_text(f"{others}\n", encoding="utf-8")
    return python.parent
