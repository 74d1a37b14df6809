"""The pages as a site: it builds without a warning, has every page, and loads nothing from elsewhere."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

from tests.conftest import unavailable
from tests.docs import site
from ui.pages import DOCS

LOADED = re.compile(r"<(?:link|script|img|source|iframe)\b[^>]*?\b(?:src|href)=\"?(?:https?:)?//[^>]*>")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("material") is None:
        unavailable("mkdocs-material")
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("socket.socket.connect", _refuse)
        site.build(folder)
    return folder


def _refuse(*_: object) -> None:
    raise AssertionError("the site is built without a network")


@pytest.mark.filterwarnings("default")  # of other people's packages
def test_every_page_is_there(built: Path) -> None:
    there = {path.relative_to(built).with_suffix(".md").as_posix() for path in built.rglob("*.html")}
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} - {"README.md"}
    assert pages <= there and "index.md" in there
    assert (built / "lessons" / "fog-window.webp").exists()


@pytest.mark.filterwarnings("default")
def test_nothing_is_loaded_from_elsewhere(built: Path) -> None:
    for page in built.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        foreign = [tag for tag in LOADED.findall(text) if 'rel="canonical"' not in tag]
        assert foreign == [], page.name
        assert "fonts.googleapis" not in text and "fonts.gstatic" not in text


@pytest.mark.filterwarnings("default")
def test_the_site_can_be_searched(built: Path) -> None:
    index = json.loads((built / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert any("fog factor" in entry["text"] and entry["location"].startswith("lessons/fog") for entry in index["docs"])


def test_links_out_of_the_pages_become_their_text(tmp_path: Path) -> None:
    site.prepare(tmp_path)
    text = (tmp_path / "lessons" / "fog.md").read_text(encoding="utf-8")
    assert "[Open the capture]\n" in text and "](fog.webp)" in text


def test_a_foreign_script_is_noticed() -> None:
    assert LOADED.findall('<script src="https://a.b/c.js"></script>') and LOADED.findall("<img src=//a.b/c.png>")
    assert not LOADED.findall('<a href="https://a.b">a</a> <img src="../c.png">')
