"""Builds the manual as a site: `python -m tests.docs.site FOLDER`.  Nothing is fetched, when it is built or when it is read.

To be served over HTTP (`python -m http.server -d FOLDER`): the theme's plugin for searching local files loads a script from
elsewhere.  Without a server the window shows the same pages.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.docs.test_examples import LINK
from ui.pages import CONTENTS, DOCS, LESSONS, contents

THEME = {
    "name": "material",
    "font": False,  # those of the reader's system: the theme's own come from Google
    "palette": [
        {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "deep orange", "accent": "deep orange"},
        {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "deep orange", "accent": "deep orange"},
    ],
    "features": ["navigation.top", "content.code.copy", "search.highlight"],
}
SETTINGS: dict[str, Any] = {
    "site_name": "DDI Inspector", "theme": THEME, "plugins": ["search"], "use_directory_urls": False,
    "markdown_extensions": ["tables", "fenced_code", "attr_list", {"toc": {"permalink": True}}],
    "extra": {"generator": False}, "copyright": "MIT licence",
    "validation": {"links": {"anchors": "warn", "not_found": "warn", "unrecognized_links": "warn"}},
}  # fmt: skip
CHAPTERS = {"Using it": "manual.md", "Drivers": "driver-authors.md", "Background": "decisions.md"}
"""The chapters of docs/README.md, and the page that begins each."""


def prepare(folder: Path) -> None:
    """Copies the pages; links to what is not among them become their text."""
    shutil.copytree(DOCS, folder, dirs_exist_ok=True)
    for page in folder.rglob("*.md"):
        text = page.read_text(encoding="utf-8")

        def inside(link: re.Match[str], page: Path = page) -> str:
            target = (page.parent / link[1]).resolve() if link[1] else page
            return link[0] if folder.resolve() in target.parents else "]"

        page.write_text(LINK.sub(inside, text), encoding="utf-8")


def navigation() -> list[dict[str, Any]]:
    """The pages by chapters, in the order of docs/README.md; lessons are a chapter of their own."""
    found: list[dict[str, Any]] = [{"Contents": "README.md"}]
    lessons: list[dict[str, str]] = [{"Lessons": "lessons.md"}]
    begins = {page: title for title, page in CHAPTERS.items()}
    for page in contents():
        name = page.path.relative_to(DOCS).as_posix() if DOCS in page.path.parents else ""
        if name in begins:
            found.append({begins[name]: []})
        if not name or page.path in (CONTENTS, LESSONS):
            continue
        chapter = lessons if page.path.parent == DOCS / "lessons" else next(iter(found[-1].values()))
        chapter.append({page.title: name})
    return [*found[:1], {"Lessons": lessons}, *found[1:]]


def build(folder: Path) -> None:
    """Builds the site.  Raises mkdocs' Abort at the first warning."""
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config

    with tempfile.TemporaryDirectory() as place:
        pages, file = Path(place) / "docs", Path(place) / "mkdocs.yml"
        prepare(pages)
        file.write_text("site_name: DDI Inspector\n", encoding="utf-8")
        config = load_config(
            str(file), docs_dir=str(pages), site_dir=str(folder.resolve()), nav=navigation(), strict=True, **SETTINGS
        )
        build_site(config)


def main(arguments: list[str]) -> int:
    build(Path(arguments[0]))
    size = sum(path.stat().st_size for path in Path(arguments[0]).rglob("*") if path.is_file())
    print(f"{arguments[0]}: {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
