"""The manual in the window: contents, search, links, and the page on the panel that has the keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextDocument, QTextTable

from tests.ui.fake import FakeCapture
from ui import pages, reading
from ui.docks import PANELS
from ui.keys.commands import BY_NAME
from ui.settings import Settings
from ui.widgets.reader import PageView, Reader
from ui.widgets.text_dialog import TextDialog
from ui.window import Window


@pytest.fixture
def window(qtbot: Any, settings: Settings) -> Iterator[Window]:
    made = Window(lambda path, progress: FakeCapture(), settings)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


@pytest.fixture
def reader(window: Window) -> Reader:
    return reading.show_page(window, pages.LESSONS)


def headings(reader: Reader) -> list[str]:
    """What is at the top of the page that is shown."""
    return reader.view.toPlainText().splitlines()[:1]


def test_every_page_is_in_the_contents_once() -> None:
    listed = [page.path for page in pages.contents()]
    assert len(listed) == len(set(listed))
    there = {path for path in pages.DOCS.rglob("*.md") if path != pages.CONTENTS}
    assert there <= set(listed)


def test_marks_of_markdown_are_not_part_of_a_line() -> None:
    assert pages.plain("| `a[0]` | **b** [c](d.md#e) ![f](g.png) |") == "a[0]  b c f"


def test_pages_of_panels_and_their_headings_exist() -> None:
    assert set(pages.OF_PANELS) <= {panel.name for panel in PANELS}
    for target in pages.OF_PANELS.values():
        path, _, heading = target.partition("#")
        titles = [line.lstrip("# ") for line in pages.text_of(pages.DOCS / path).splitlines() if line.startswith("#")]
        assert titles and (not heading or heading in map(pages.anchor, titles))


def test_help_has_manual_lessons_keys_log_problem_and_about(window: Window) -> None:
    (menu,) = [action.menu() for action in window.menuBar().actions() if action.text() == "&Help"]
    assert [action.objectName() for action in menu.actions() if not action.isSeparator()] == [
        "manual", "lessons", "palette", "keys", "log", "problem", "about",
    ]  # fmt: skip
    assert BY_NAME["manual"].keys == ("Shift+F1",)


def test_the_manual_opens_at_the_page_on_the_panel(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window.docks, "current", lambda: "history")
    window.actions_by_name["manual"].trigger()
    reader = window.findChild(Reader)
    assert reader.isVisible() and reader.here == (pages.DOCS / "pixel-history.md", "")
    monkeypatch.setattr(window.docks, "current", lambda: "")
    window.actions_by_name["manual"].trigger()
    assert reader.here == (pages.MANUAL, "") and window.findChildren(Reader) == [reader]


def test_search_finds_lines_with_all_words_headings_first(reader: Reader) -> None:
    reader.words.setText("specular FOG")
    found = [reader.list.item(row).text() for row in range(reader.list.count())]
    assert any("Transformed vertices bring their fog factor along" in text for text in found)
    assert all("specular" in text.lower() and "fog" in text.lower() for text in found)
    reader.words.setText("no such words at all")
    assert reader.list.count() == 0 and reader.said.text() == "0 places"
    reader.words.clear()
    assert reader.list.count() == len(pages.contents())


def test_a_place_found_is_shown_at_its_heading(reader: Reader) -> None:
    reader.words.setText("How events are numbered")
    (row,) = [row for row in range(reader.list.count()) if reader.list.item(row).text() == "How events are numbered\nManual"]
    reader.list.itemClicked.emit(reader.list.item(row))
    assert reader.here == (pages.MANUAL, "how-events-are-numbered")
    assert reader.view.verticalScrollBar().value() > 1000


def test_a_long_page_is_laid_out_in_turns(qtbot: Any, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last heading is shown at the end; who leaves it before stays on the other page."""
    monkeypatch.setattr("ui.widgets.reader.TURN", 0.0)
    page = pages.DOCS / "glossary.md"
    last = pages.anchor(list(re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M))[-1])
    bar = reader.view.verticalScrollBar()
    for _ in range(2):
        reader.go(page, last)
        assert bar.value() == 0
        reader.go(pages.MANUAL)
    qtbot.wait(50)
    assert bar.value() == 0
    reader.go(page, last)
    qtbot.waitUntil(lambda: bar.value() > 500)


def test_links_lead_to_pages_and_back(reader: Reader) -> None:
    reader.follow(QUrl("lessons/fog.md"))
    assert headings(reader) == ["8. The compass in the fog"]
    reader.back.click()
    assert headings(reader) == ["Lessons"] and reader.forward.isEnabled()
    reader.forward.click()
    assert headings(reader) == ["8. The compass in the fog"]
    reader.follow(QUrl("../../core/spec/tokens.py"))
    assert headings(reader) == ["8. The compass in the fog"] and reader.said.text() == "tokens.py is in the source code only."


def test_a_lesson_opens_its_capture(qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(window, "open", opened.append)
    reader = reading.show_page(window, pages.DOCS / "lessons" / "fog.md")
    reader.follow(QUrl("../../resources/lessons/fog.ddicap"))
    assert [path.name for path in opened] == ["fog.ddicap"] and opened[0].exists()
    qtbot.waitUntil(window.isActiveWindow)  # the next step of the lesson is a key in it
    room = reader.screen().availableGeometry()
    assert reader.x() > room.width() // 2 and reader.width() < room.width() // 2  # the capture is seen beside it
    pictures = reader.view.viewport().width()
    qtbot.waitUntil(lambda: reader.view.horizontalScrollBar().maximum() == 0 or reader.view._fitted == pictures)


def test_addresses_are_left_to_the_browser(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url.toString()))
    reader.follow(QUrl("https://apitrace.github.io"))
    assert asked == ["https://apitrace.github.io"] and headings(reader) == ["Lessons"]


def test_pictures_of_pages_fit_the_page(window: Window) -> None:
    reader = reading.show_page(window, pages.DOCS / "lessons" / "fog.md")
    image = reader.view.loadResource(2, QUrl("fog-window.webp"))
    assert 200 <= image.width() <= reader.view.viewport().width()


def test_a_page_is_not_changed_once_it_is_shown(qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each change of what is shown lays out the page anew: 29 tables took two seconds."""
    view, shown = PageView(), []
    qtbot.addWidget(view)
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\n## Part\n", "utf-8")
    for _ in range(2):
        monkeypatch.setattr(view, "setDocument", lambda page: (shown.append(page.revision()), PageView.setDocument(view, page)))
        view.show_page(page)
        assert view.document().revision() == shown[-1] and view.toPlainText().startswith("Page")
    assert len(view.findChildren(QTextDocument)) <= 2 and len(shown) == 2
    tables = [frame for frame in view.document().rootFrame().childFrames() if isinstance(frame, QTextTable)]
    assert len(tables) == 1 and tables[0].format().toTableFormat().cellPadding() == 5


def test_a_page_that_is_missing_is_said_so(reader: Reader) -> None:
    reader.go(pages.DOCS / "nowhere.md")
    assert reader.said.text() == "nowhere.md is not part of this installation."


def test_a_report_of_a_problem_can_be_completed_and_copied(window: Window) -> None:
    window.actions_by_name["problem"].trigger()
    dialog = window.findChild(TextDialog)
    text = dialog.edit.toPlainText()
    assert text.startswith("What happened:") and "numba" in text and "Qt " in text
    dialog.edit.setPlainText("It is green.\n" + text)
    dialog.copy.click()
    assert QGuiApplication.clipboard().text().startswith("It is green.\nWhat happened:")


def test_a_table_below_an_example_begins_with_its_titles(qtbot: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```\nx\n```\n\n| | lesson |\n|---|---|\n| 1 | x |\n\n```\ny\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    view = PageView()
    qtbot.addWidget(view)
    view.show_page(page)
    tables = [frame for frame in view.document().rootFrame().childFrames() if isinstance(frame, QTextTable)]
    for table, titles in zip(tables, (["", "lesson"], ["a", "b"]), strict=True):
        cells = [table.cellAt(0, column) for column in range(2)]
        assert [cell.firstCursorPosition().block().text() for cell in cells] == titles
        assert all(cell.firstCursorPosition().block() == cell.lastCursorPosition().block() for cell in cells), "one line each"
