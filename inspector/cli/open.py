"""ddi-inspector open: the window.  The only path from here to Qt, and not an import."""

from __future__ import annotations

import argparse
import difflib
import importlib
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.kernels.warm_up import begin
from inspector.cli.arguments import COMMANDS, number
from inspector.focus import Focus
from inspector.imports import check_readable

WINDOW_OPTIONS = {
    "focus": "initial view, such as #event=812&surface=3&pixel=40,52",
    "theme": "system, dark or light",
    "screenshot": "save a screenshot of the window to this file and quit",
    "panel": "panel to bring to the front for the screenshot, such as state",
}
"""Options that the window reads itself."""

EXAMPLES = ("open game.trace", "open game.trace --event 812")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--event", type=number, help="initial event")
    for option, text in WINDOW_OPTIONS.items():
        command.add_argument(f"--{option}", help=text)


def check_file(path: Path) -> None:
    """Raises BadInput for a file that cannot be read; it may be a mistyped command."""
    if not path.exists() and (close := difflib.get_close_matches(str(path), COMMANDS, 1)):
        raise BadInput(f"{path}: no such file or command; did you mean {close[0]}?")
    if not path.exists() and path.name == str(path) and not path.suffix:
        raise BadInput(f"{path}: no such file or command; --help lists the commands")
    check_readable(path)


def load_window() -> Any:
    """The module of the window; BadInput if it cannot be shown here."""
    try:
        importlib.import_module("ui.display").require_display()
        return importlib.import_module("ui.app")
    except ImportError as error:
        raise BadInput(f"cannot open the window: {error}") from error


def run(chosen: argparse.Namespace) -> int:
    if chosen.file is not None:
        check_file(chosen.file)
    begin()  # while the window is read, a second
    app = load_window()
    words = [str(chosen.file)] if chosen.file is not None else []
    if chosen.event is not None:
        words += ["--focus", Focus(event=chosen.event).text()]
    for option in WINDOW_OPTIONS:
        if (value := getattr(chosen, option)) is not None:
            words += [f"--{option}", value]
    if chosen.log:
        words += ["--log", chosen.log]
    return int(app.main(words) or 0)
