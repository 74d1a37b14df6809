"""Every example in README.md and docs runs and tells the truth; how they are written: tests.docs.pages."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import ddi_inspector as ddi
from inspector.cli.arguments import COMMANDS
from tests.docs.pages import Block, blocks, run_console, run_python

ROOT = Path(__file__).resolve().parents[2]
ROOM = ROOT / "resources" / "room.ddicap"
LESSONS = ROOT / "resources" / "lessons"
ALL = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in ALL if "```" in page.read_text(encoding="utf-8")]
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds room.ddicap, resources/room.ddicap as a checkout does, and what the lessons use."""
    place = tmp_path_factory.mktemp("docs")
    (place / "resources").mkdir()
    for folder in (place, place / "resources"):
        shutil.copy(ROOM, folder)
    for path in [*LESSONS.glob("*.ddicap"), ROOM.parent / "samples" / "presentation-queue.ddicap"]:
        shutil.copy(path, place)
    return place


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_of(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with ddi.open(folder / ROOM.name) as capture:
        names = {"ddi": ddi, "capture": capture, "path": folder / ROOM.name}
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.language == "python":
                run_python(block, names, page.name)
            elif block.language == "console":
                run_console(block, folder, page.name)


@pytest.mark.parametrize("page", [*ALL, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_of(page: Path) -> None:
    """Every link within the project leads to a file, and to a heading of it."""
    for target, heading in LINK.findall(page.read_text(encoding="utf-8")):
        file = page.parent / target if target else page
        assert file.exists(), f"{page.name}: there is no {target}"
        if heading:
            titles = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M)
            assert heading[1:] in [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_names_every_command(command: str) -> None:
    assert f"`{command}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("question", ddi.QUESTIONS)
def test_the_manual_names_every_question(question: str) -> None:
    assert f"`{question}(" in (ROOT / "docs" / "manual.md").read_text(encoding="utf-8").replace("`WhatIf.of(", "`WhatIf(")


def test_a_block_knows_its_line() -> None:
    page = "text\n\n```python\n1 + 1  # -> 2\n```\nmore\n```\nplain\n```\n"
    assert blocks(page) == [Block("python", "1 + 1  # -> 2\n", 4), Block("", "plain\n", 8)]


def test_a_false_promise_is_told_with_its_line() -> None:
    with pytest.raises(AssertionError, match=r"page\.md, line 8: it is 3"):
        run_python(Block("python", "a = 1\n(a +\n 2)  # -> 4\n", 7), {}, "page.md")


def test_dots_stand_for_anything() -> None:
    run_python(Block("python", "list(range(100))  # -> [0, 1, ..., 99]\n", 1), {}, "page.md")


def test_a_command_that_prints_something_else_is_told(folder: Path) -> None:
    run_console(Block("console", "$ ddi-inspector info nothing.ddicap\nddi-inspector: ...no such file\n", 1), folder, "page")
    with pytest.raises(AssertionError, match="it prints"):
        run_console(Block("console", "$ ddi-inspector info room.ddicap\nframes 9\n", 1), folder, "page")
