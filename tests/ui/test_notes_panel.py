"""Notes of a capture: kept with it, shown as a page that loads and opens nothing, with links to places."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage, QTextDocument

import inspector
from inspector.focus import Focus
from inspector.tape.bookmarks import SUFFIX, Bookmarks
from tests.inspector.conftest import ROOM
from tests.ui.conftest import settle
from tests.ui.window_kit import Key, Modifier, panel, press
from ui.panels.notes import NotesPanel
from ui.widgets.notes_view import linked
from ui.widgets.plain import MOST
from ui.window import Window


def notes(window: Window) -> NotesPanel:
    shown = panel(window, "notes")
    assert isinstance(shown, NotesPanel)
    return shown


def write(qtbot: Any, window: Window, text: str) -> NotesPanel:
    shown = notes(window)
    shown.edit.setPlainText(text)
    shown._show()
    shown.keep_notes()
    settle(qtbot, window)
    return shown


def test_a_key_brings_them_and_what_is_typed_is_kept(qtbot: Any, window: Window, file: Path) -> None:
    press(qtbot, window, Key.Key_N, Modifier.ControlModifier | Modifier.ShiftModifier)
    shown = notes(window)
    assert shown.edit.hasFocus()
    qtbot.keyClicks(shown.edit, "# Roof")
    qtbot.waitUntil(lambda: shown.said.text() == "Kept")
    assert shown.view.toPlainText() == "Roof"
    assert Bookmarks(object(), file).page() == "# Roof" and file.with_name(file.name + SUFFIX).is_file()
    assert not window.desk.bookmarks
    window.open(file)
    settle(qtbot, window)
    assert shown.edit.toPlainText() == "# Roof" and shown.view.toPlainText() == "Roof"


def test_the_page_is_there_when_there_is_something_to_read(qtbot: Any, window: Window) -> None:
    shown = notes(window)
    assert not shown.view.isVisible() and shown.edit.height() > 0.7 * shown.height()
    write(qtbot, window, "# Roof")
    assert shown.view.isVisible()
    write(qtbot, window, "  \n")
    assert not shown.view.isVisible()


@pytest.mark.parametrize("ends", ["close_capture", "close"])
def test_what_was_typed_last_is_kept_when_the_capture_goes(window: Window, file: Path, ends: str) -> None:
    notes(window).edit.setPlainText("the last words")
    getattr(window, ends)()
    assert Bookmarks(object(), file).page() == "the last words"


def test_they_are_in_the_capture_itself_when_it_takes_them(
    qtbot: Any, make_window: Callable[..., Window], tmp_path: Path
) -> None:
    path = tmp_path / "room.ddicap"
    path.write_bytes(Path(ROOM).read_bytes())
    window = make_window(lambda path, progress: inspector.open(path, progress))
    window.open(path)
    settle(qtbot, window, 60_000)
    write(qtbot, window, "once")
    write(qtbot, window, "again #5")
    assert [(note.focus, note.text) for note in window.desk.capture.tape.annotations] == [("#notes", "again #5")]
    assert not path.with_name(path.name + SUFFIX).exists()
    write(qtbot, window, "")
    assert window.desk.capture.tape.annotations == []


def test_links_lead_to_places_and_nowhere_else(qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    shown = write(
        qtbot, window, "#7, #event=9&pixel=4,5, [evil](https://example.com) [file](file:///etc/passwd) [far](#event=99)"
    )
    links = [name for name in anchors(shown) if name]
    assert links == ["#event=7", "#event=9&pixel=4,5", "https://example.com", "file:///etc/passwd", "#event=99"]
    for link in links:
        shown.view.anchorClicked.emit(QUrl(link))
        if link == "#event=7":
            assert window.desk.focus.focus.event == 7
    assert (window.desk.focus.focus.event, window.desk.focus.focus.pixel) == (9, (4, 5))
    assert shown.said.text().endswith("is out of range (0 to 32)") and not opened
    shown.view.anchorClicked.emit(QUrl("https://example.com"))
    assert "places only" in shown.said.text()


def anchors(shown: NotesPanel) -> list[str]:
    """The links of the page, in order."""
    found, block = [], shown.view.document().begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            found.append(fragments.fragment().charFormat().anchorHref())
            fragments += 1
        block = block.next()
    return found


def test_the_place_one_looks_at_is_inserted(qtbot: Any, window: Window) -> None:
    window.desk.focus.go(event=7, pixel=(4, 5))
    shown = notes(window)
    shown.insert_place()
    assert shown.edit.toPlainText() == "[DRAWPRIMITIVE #7](#event=7&pixel=4,5)"


def test_a_strangers_notes_load_nothing(qtbot: Any, window: Window, tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    image = QImage(40, 30, QImage.Format.Format_ARGB32)
    image.fill(0xFFFF0000)
    assert image.save(str(secret))
    address = QUrl.fromLocalFile(str(secret))
    url = address.toString()
    evil = f"<img src='{url}'> <b>bold</b>\n\n![picture]({url})\n\n[in]: {url}\n\n![in]"
    shown = write(qtbot, window, evil)
    assert "<b>bold</b>" in shown.view.toPlainText() and "<img src" in shown.view.toPlainText()
    assert "\N{OBJECT REPLACEMENT CHARACTER}" not in shown.view.toPlainText()
    resource = shown.view.document().resource(QTextDocument.ResourceType.ImageResource.value, address)
    assert isinstance(resource, QImage) and resource.width() == 1


def test_places_become_links_outside_code_and_links() -> None:
    assert linked("see #12, `#13` and [#14](#event=14)") == "see [#12](#event=12), `#13` and [#14](#event=14)"
    assert linked("[draw #7](#event=7) ![a](b) ![c] `![d](e)`") == "[draw #7](#event=7) \\![a](b) \\![c] `![d](e)`"
    assert linked("```\n#1\n```\n# 2 #event=3&surface=back_buffer") == (
        "```\n#1\n```\n# 2 [#event=3&surface=back_buffer](#event=3&surface=back_buffer)"
    )


def test_very_long_notes_are_shown_in_part_and_never_written_over(qtbot: Any, window: Window) -> None:
    store = notes(window).store
    assert store is not None
    text = "- a\n" * 60_000
    store.write_page(text)
    shown = notes(window)
    shown.capture_changed()
    settle(qtbot, window)
    assert shown.edit.toPlainText() == text[:MOST] == shown.view.toPlainText() and not shown.edit.isEnabled()
    assert shown.said.text() == "The first 200,000 characters; longer notes cannot be edited here"
    shown.keep_notes()
    shown._leave()
    assert store.page() == text


def test_what_cannot_be_kept_is_reported_and_stays(qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("inspector.tape.bookmarks.write_bytes", refuse)
    shown = write(qtbot, window, "words")
    assert "kept nowhere" in window.banner.text and shown.edit.toPlainText() == "words" and shown.said.text() == "Not kept"
    monkeypatch.undo()
    shown.keep_notes()
    settle(qtbot, window)
    assert shown.said.text() == "Kept"


def test_what_another_window_wrote_is_there_when_one_comes_back(qtbot: Any, window: Window, file: Path) -> None:
    shown, other = notes(window), Bookmarks(object(), file)
    settle(qtbot, window)
    other.write_page("# From the other window")
    other.add(Focus(7), "there")
    QGuiApplication.instance().applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)  # type: ignore[union-attr]
    settle(qtbot, window)
    assert shown.edit.toPlainText() == "# From the other window" and shown.said.text() == ""
    assert [(one.focus.event, one.text) for one in window.desk.bookmarks] == [(7, "there")]
    shown.edit.setPlainText("# Written here")
    other.write_page("# Another page")
    window.desk.returned.emit()
    settle(qtbot, window)
    assert shown.edit.toPlainText() == "# Written here", "what is being written stays"
    other.remove(other.all()[0].number)
    window.desk.returned.emit()
    settle(qtbot, window)
    assert not window.desk.bookmarks
