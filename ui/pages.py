"""The pages of the manual: paths, titles, and the page for each panel.  Without Qt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import inspector

TOP = Path(inspector.__file__).resolve().parents[1]
DOCS = TOP / "docs"
CONTENTS, MANUAL, LESSONS, NEWS = DOCS / "README.md", DOCS / "manual.md", DOCS / "lessons.md", TOP / "CHANGELOG.md"
"""The folders of a checkout; a wheel has them inside the package."""

OF_PANELS = {
    "events": "search.md", "surface": "surfaces.md", "state": "state.md",
    "resources": "state.md#objects-surfaces-buffers-shaders-palettes-lights", "vertices": "vertices.md",
    "buffers": "buffers.md", "bookmarks": "automation.md#notes", "notes": "automation.md#notes",
    "console": "automation.md#console",
    "history": "pixel-history.md", "stepping": "stepping.md", "findings": "driver-authors.md", "driver": "driver-authors.md",
    "statistics": "statistics.md", "query": "sql.md", "comparison": "comparison.md", "what-if": "what-if.md",
    "verify": "verify.md",
}  # fmt: skip
"""The page on a panel, by its name; of the others the manual's table."""

_LINK = re.compile(r"\]\(([\w./-]+\.md)\)")
_HEADING = re.compile(r"^#+ +(.*)$", re.M)


@dataclass(frozen=True)
class Page:
    """A page and its title."""

    title: str
    path: Path


@dataclass(frozen=True)
class Found:
    """A place where words were found: the heading above it (empty: none), and the line."""

    page: Page
    heading: str
    line: str

    @property
    def link(self) -> str:
        """The page, and its heading as an anchor."""
        return f"{self.page.path}#{anchor(self.heading)}" if self.heading else str(self.page.path)


def anchor(heading: str) -> str:
    """A heading as links name it: lower case, words joined by hyphens."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def plain(line: str) -> str:
    """A line of Markdown without its marks."""
    return re.sub(r"[`*|\\]", "", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", line)).strip()


@cache
def text_of(path: Path) -> str:
    """What a page says; empty if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


@cache
def contents() -> list[Page]:
    """The pages in the order of docs/README.md, with what the list of lessons names after it, then all others; empty without
    pages."""
    paths: dict[Path, None] = {}
    for path in _linked(CONTENTS):
        paths[path] = None
        if path == LESSONS:
            paths.update(dict.fromkeys(_linked(path)))
    paths.update(dict.fromkeys(path for path in sorted(DOCS.rglob("*.md")) if path != CONTENTS))
    return [Page(_title(path), path) for path in paths]


def _title(path: Path) -> str:
    """The heading that a page begins with."""
    found = _HEADING.match(text_of(path))
    return plain(found[1]) if found else path.stem


def _linked(page: Path) -> Iterator[Path]:
    """The pages that a page leads to, each once."""
    paths = ((page.parent / target).resolve() for target in _LINK.findall(text_of(page)))
    return (path for path in dict.fromkeys(paths) if path.exists())


def search(words: str, most: int = 200) -> list[Found]:
    """Lines that have all the words, wherever in the line and in whatever case; headings first on each page."""
    wanted = words.lower().split()
    if not wanted:
        return []
    found: list[Found] = []
    for page in contents():
        on_page = [one for one in _lines(page) if all(word in one.line.lower() for word in wanted)]
        found += sorted(on_page, key=lambda one: one.line != one.heading)
        if len(found) >= most:
            break
    return found[:most]


@cache
def _lines(page: Page) -> list[Found]:
    """What can be found on a page, ready for every letter that is typed."""
    found, heading = [], ""
    for line in text_of(page.path).splitlines():
        if title := _HEADING.match(line):
            heading = plain(title[1])
        if text := plain(line.lstrip("# ")):
            found.append(Found(page, heading, text))
    return found
