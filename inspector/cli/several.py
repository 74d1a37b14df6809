"""Commands that take several files, or a file from standard input."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from glob import glob, has_magic
from pathlib import Path

from core.errors import BadInput, in_a_sentence
from inspector.cli.opening import print_json

STDIN = Path("-")
NAME = "standard-input"
BAD_INPUT = 2
Run = Callable[[argparse.Namespace], int]


def matching(files: Sequence[Path]) -> list[Path]:
    """The files, in place of a pattern what it matches: shells of Windows leave that to programs.  BadInput without a match."""
    found: list[Path] = []
    for file in files:
        names = sorted(glob(str(file), recursive=True)) if has_magic(str(file)) and not file.exists() else [str(file)]
        if not names:
            raise BadInput(f"{file}: no file matches")
        found += map(Path, names)
    return found


def run_each(run: Run, chosen: argparse.Namespace) -> int:
    """Runs a command for every file of `chosen.files`; the highest exit code.  One that fails does not stop the others.

    As JSON: one array, an object for each file.
    """
    files = matching(chosen.files)
    if len(files) < 2:
        return run_file(run, argparse.Namespace(**{**vars(chosen), "file": files[0] if files else None}))
    if getattr(chosen, "output", None) is not None:
        raise BadInput("-o takes one file; use batch for several")
    codes, answers = [], []
    for file in files:
        if not chosen.json:
            print(f"== {file}")
        code, said = _run_one(run, argparse.Namespace(**{**vars(chosen), "file": file}))
        codes.append(code)
        answers.append({"file": str(file), "exit_code": code, "answer": json.loads(said) if said else None})
    if chosen.json:
        print_json(answers)
    return max(codes)


def _run_one(run: Run, chosen: argparse.Namespace) -> tuple[int, str]:
    """(exit code, the JSON that it printed)."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said) if chosen.json else contextlib.nullcontext():
            return run_file(run, chosen), said.getvalue()
    except BadInput as error:
        print(f"ddi-inspector: {error}", file=sys.stderr)
        return BAD_INPUT, ""


def run_file(run: Run, chosen: argparse.Namespace) -> int:
    """Runs a command for its one file, which may be standard input."""
    with from_stdin(chosen):
        return run(chosen)


@contextlib.contextmanager
def from_stdin(chosen: argparse.Namespace) -> Iterator[None]:
    """Meanwhile a FILE `-` is a file with what comes on standard input.  BadInput from a terminal."""
    if getattr(chosen, "file", None) != STDIN:
        yield
        return
    if chosen.command == "open":
        raise BadInput("the window cannot open standard input; save it as a file")
    if sys.stdin is None or sys.stdin.isatty():
        raise BadInput("-: expected a capture on standard input")
    with tempfile.TemporaryDirectory(prefix="ddi-inspector-") as folder:
        chosen.file = Path(folder) / NAME
        with in_a_sentence("standard input"), chosen.file.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield
