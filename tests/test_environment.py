"""Every environment variable that the program or its tests read stands on one page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "environment.md"
FOLDERS = ("core", "ddi_inspector", "inspector", "ui", "tests")
FILES = [ROOT / "run.py", *(path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")))]
ASKS = ("get", "setdefault", "pop")
OURS, VARIABLE = re.compile(r"DDI_[A-Z_]+"), re.compile(r"[A-Z][A-Z0-9_]*[A-Z0-9]")


def variables(tree: ast.AST) -> Iterator[str]:
    """Names of ours anywhere; of others, those that something called environ is asked for, also by a loop around it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and OURS.fullmatch(node.value):
            yield node.value
        if isinstance(node, (ast.Subscript, ast.Compare, ast.Call, ast.comprehension, ast.GeneratorExp)) and _asks(node):
            yield from (name for name in _texts(node) if VARIABLE.fullmatch(name))


def _asks(node: ast.AST) -> bool:
    """os.environ[...], "..." in os.environ, os.environ.get(...), os.getenv(...), or one of these for each of some names."""
    if isinstance(node, ast.Subscript):
        return _is_environment(node.value)
    if isinstance(node, ast.Compare):
        return any(map(_is_environment, node.comparators))
    if isinstance(node, ast.Call):
        called = node.func
        return isinstance(called, ast.Attribute) and (
            (_is_environment(called.value) and called.attr in ASKS) or called.attr == "getenv"
        )
    return any(_asks(inner) for inner in ast.walk(node) if inner is not node and isinstance(inner, ast.Call))


def _is_environment(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "environ"


def _texts(node: ast.AST) -> list[str]:
    return [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def listed() -> set[str]:
    return set(re.findall(r"^\| `([A-Z0-9_]+)`", PAGE.read_text(encoding="utf-8"), re.M))


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("os.environ['A_B']", {"A_B"}),
        ("'A_B' in os.environ", {"A_B"}),
        ("os.environ.get('A_B', 'usual')", {"A_B"}),
        ("os.getenv('A_B')", {"A_B"}),
        ("any(os.environ.get(name) for name in ('A_B', 'CD'))", {"A_B", "CD"}),
        ("NAMES = 'DDI_X', 'DDI_Y'", {"DDI_X", "DDI_Y"}),
        ("print('A_B')", set()),
    ],
)
def test_a_use_is_found(code: str, names: set[str]) -> None:
    assert set(variables(ast.parse(code))) == names


def test_the_page_lists_every_variable_that_is_read() -> None:
    used = {
        name: path.relative_to(ROOT).as_posix()
        for path in FILES
        if path != Path(__file__).resolve()
        for name in variables(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert {name: place for name, place in used.items() if name not in listed()} == {}


def test_the_page_lists_no_variable_that_nothing_reads() -> None:
    texts = "\n".join(path.read_text(encoding="utf-8") for path in FILES if path != Path(__file__).resolve())
    assert [name for name in sorted(listed()) if not re.search(rf"\b{name}\b", texts)] == []
