"""Files that pages name are where the pages say."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
HOLDS = ("core", "ddi_inspector", "inspector", "ui", "tests", "resources", "docs", "examples", ".github")
MADE = {"docs/coverage.md"}  # lists tests by node
MODULE = re.compile(
    r"`((?:[\w.-]+/)*[\w-]+\.(?:py|md|h|qss|yml|tsv|ddicap)|(?:core|ddi_inspector|inspector|ui|tests|resources|docs|examples|\.github)(?:/[\w.-]+)+/?)`"
)
INVENTED = re.compile(r"NAME|^(stdio|a|page|example|room|shader|half|game|mine|new|check|bug|capture)\.")


@cache
def files() -> tuple[str, ...]:
    """Every file and folder of the project, from its top."""
    found = [path for folder in HOLDS for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    return tuple(
        f"/{path.relative_to(ROOT).as_posix()}" for path in [*found, *ROOT.glob("*.*"), *(ROOT / folder for folder in HOLDS)]
    )


def missing(page: str) -> list[str]:
    """The names of files in backquotes that no file has; a name may leave out folders in front."""
    named = {found[1].rstrip("/") for found in MODULE.finditer(page)}
    return sorted(
        name for name in named if not INVENTED.search(name) and not any(file.endswith(f"/{name}") for file in files())
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    if page.relative_to(ROOT).as_posix() not in MADE:
        assert missing(page.read_text(encoding="utf-8")) == []


def test_a_file_that_is_gone_is_found() -> None:
    assert missing("`core/pipeline/pixel/fog.py`, `fog.py`, `pixel/fog.py`, `core/pipeline`") == []
    assert missing("`core/pipeline/fog.py`, `mist.py`, `core/fog`") == ["core/fog", "core/pipeline/fog.py", "mist.py"]
