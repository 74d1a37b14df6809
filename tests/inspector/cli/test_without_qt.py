"""Commands never import Qt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

IMPORT_ALL = """
import importlib, pkgutil, sys
sys.modules["PySide6"] = sys.modules["pyqtgraph"] = None  # importing them raises ImportError
import core, inspector
for package in (core, inspector):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith((".__main__", ".compiler.process")):
            importlib.import_module(module.name)
print(len(sys.modules))
"""
COMMAND = """
import sys
sys.modules["PySide6"] = sys.modules["pyqtgraph"] = None
from inspector.cli import main
sys.exit(main(sys.argv[1:]))
"""
NO_DISPLAY = {
    name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
}


def python(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    environment = NO_DISPLAY | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-c", program, *words], env=environment, capture_output=True, text=True, check=False)


def test_no_module_of_core_or_inspector_imports_qt() -> None:
    done = python(IMPORT_ALL)
    assert done.returncode == 0 and int(done.stdout) > 400, done.stderr


def test_commands_run_where_qt_is_not_installed(tmp_path: Path) -> None:
    room = str(ROOT / "resources" / "room.ddicap")
    for words in (
        ["info", room],
        ["image", room, "-o", str(tmp_path / "a.png")],
        ["report", room, "-o", str(tmp_path / "a.html")],
    ):
        done = python(COMMAND, *words)
        assert done.returncode == 0, done.stderr
    done = python(COMMAND, room)
    assert done.returncode == 2 and done.stderr.startswith("ddi-inspector: cannot open the window: ")
