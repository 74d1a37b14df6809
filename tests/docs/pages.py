"""Examples in Markdown pages, and whether they tell the truth.

```python                         runs; the blocks of a page share their names
capture.name(812)  # -> 'CLEAR'   repr of the expression; ... stands for anything
```
```console
$ ddi-inspector info room.ddicap  runs in a folder that holds room.ddicap
frames           8                what it prints; a line of ... stands for any lines
```
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.cli import main

_BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```[ \t]*$", re.M | re.S)
_PROMISE = re.compile(r"#\s*->\s?(.*)$")
PROGRAM = "ddi-inspector"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line of the page on which the text begins."""

    language: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page."""
    return [Block(found[1], found[2], page.count("\n", 0, found.start(2)) + 1) for found in _BLOCK.finditer(page)]


def as_pattern(text: str) -> str:
    """A regular expression for the text, in which ... stands for anything."""
    return ".*".join(map(re.escape, text.split("...")))


def run_python(block: Block, names: dict[str, Any], page: str) -> None:
    """Runs a block; every `expression  # -> text` must read so."""
    tree, lines = ast.parse(block.text), block.text.splitlines()
    for statement in tree.body:
        where = f"{page}, line {block.line + statement.lineno - 1}"
        told = _PROMISE.search(lines[(statement.end_lineno or statement.lineno) - 1])
        if not told or not isinstance(statement, ast.Expr):
            assert not told, f"{where}: only an expression can promise a value"
            exec(compile(ast.Module([statement], []), where, "exec"), names)
            continue
        found = repr(eval(compile(ast.Expression(statement.value), where, "eval"), names))
        assert re.fullmatch(as_pattern(told[1].strip()), found, re.S), f"{where}: it is {found}"


def commands(block: Block) -> Iterator[tuple[str, list[str], int]]:
    """(command, expected lines, line of the page) of a console block."""
    lines = block.text.splitlines()
    starts = [n for n, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start][2:], lines[start + 1 : end], block.line + start


def run_console(block: Block, folder: Path, page: str) -> None:
    """Runs the commands of a block in a folder; what they print must match."""
    for command, expected, line in commands(block):
        words = shlex.split(command)
        assert words and words[0] == PROGRAM, f"{page}, line {line}: only {PROGRAM} is run here"
        code, printed = _printed(words[1:], folder)
        complains = any(text.startswith(f"{PROGRAM}: ") for text in expected)
        assert (code == 2) == complains, f"{page}, line {line}: exit code {code}\n{printed}"
        pattern = "\n".join(as_pattern(text.rstrip()) for text in expected)
        actual = "\n".join(text.rstrip() for text in printed.strip("\n").splitlines())
        assert re.fullmatch(pattern, actual, re.S), f"{page}, line {line}: it prints\n{printed}"


def _printed(arguments: list[str], folder: Path) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = main(arguments)
    return code, out.getvalue()
