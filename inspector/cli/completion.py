"""ddi-inspector completion: a shell's script for completing commands, options and file names."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import shtab

from inspector.cli.arguments import whole_parser

OWN_FILE = True
SHELLS = ("bash", "zsh", "fish", "powershell", "tcsh")
EXAMPLES = ("completion bash", "completion powershell")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=SHELLS)


def run(chosen: argparse.Namespace) -> int:
    parser = whole_parser()
    for action in actions(parser):
        if action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, chosen.shell))
    return 0


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from actions(command)
