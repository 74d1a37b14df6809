"""ddi-inspector completion: what a shell reads to complete commands, options and file names."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import shtab

from core.errors import BadInput, unknown
from inspector.cli.arguments import whole_parser

SHELLS = ("bash", "zsh", "fish", "powershell", "tcsh")
EXAMPLES = ("completion bash", "completion powershell")


def declare(command: argparse.ArgumentParser) -> None:
    pass


def run(chosen: argparse.Namespace) -> int:
    shell = str(chosen.file)
    if shell not in SHELLS:
        raise BadInput(f"completion: {unknown('shell', shell, SHELLS)}")
    parser = whole_parser()
    for action in actions(parser):
        if action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, shell))
    return 0


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from actions(command)
