"""ddi-inspector python: runs a Python program with the packages of this installation, even if others share their names."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from core.errors import BadInput

OWN_FILE = True
EXAMPLES = ("python overdraw.py game.trace",)


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("script", type=Path, metavar="SCRIPT")
    command.add_argument("words", nargs=argparse.REMAINDER, metavar="...", help="arguments of the program")


def run(chosen: argparse.Namespace) -> int:
    """The program's own exit code."""
    script: Path = chosen.script
    if not script.is_file():
        raise BadInput(f"{script}: there is no such program")
    before = sys.argv, sys.path[:]
    sys.argv = [str(script), *chosen.words]
    sys.path.append(str(script.parent.resolve()))
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1 if stop.code else 0
    finally:
        sys.argv, sys.path[:] = before
    return 0
