"""ddi-inspector integrate: associates capture files with the window."""

from __future__ import annotations

import argparse

from inspector import desktop

OWN_FILE = True
EXAMPLES = ("integrate", "integrate --remove")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--remove", action="store_true", help="remove what it registered")


def run(chosen: argparse.Namespace) -> int:
    for line in desktop.remove() if chosen.remove else desktop.integrate():
        print(line)
    return 0
