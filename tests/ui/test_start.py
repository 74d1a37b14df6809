"""The start page: going on, samples with pictures and sentences, recording, pages to read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListWidget

import inspector
from inspector.focus import Focus
from inspector.samples import PLACES, SENTENCES, place_in_sample, sample_captures, sentence_about
from resources.make_sample import SHOWS, Show
from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from ui import start
from ui.settings import Settings
from ui.widgets.reader import Reader
from ui.window import Window

Make = Callable[..., Window]
SHOWN = {name.removeprefix("samples/") for name, show in SHOWS.items() if isinstance(show, Show)}


@pytest.fixture
def page(make_window: Make) -> Window:
    return make_window(lambda path, progress: FakeCapture())


def click(qtbot: Any, cards: QListWidget, row: int) -> None:
    qtbot.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=cards.visualItemRect(cards.item(row)).center())


def test_each_sample_has_a_sentence_and_a_picture(page: Window) -> None:
    paths = [path for _, path in sample_captures()]
    assert {path.stem for path in paths} == set(SENTENCES)
    assert page.welcome.samples.count() == len(paths) > 5
    assert [path.stem for path in paths[:2]] == ["room", "reflections"] and paths[-1].stem == "vertex-buffer-stalls"
    assert page.focusWidget() is page.welcome.samples
    for card, path in zip(start.samples(), paths, strict=True):
        assert card.about == sentence_about(path) != "" and card.about.endswith(".")
        drawn = path.stem in SHOWN
        assert not drawn or (card.picture is not None and not card.picture.isNull()), path


@pytest.mark.parametrize("name", PLACES)
def test_where_to_look_first_in_a_sample_something_is_seen(name: str) -> None:
    """Their first frames are of one colour."""
    path = next(path for _, path in sample_captures() if path.stem == name)
    place = Focus.parse(place_in_sample(path))
    assert place.event and not place_in_sample(path.with_name("room.ddicap"))
    assert not place_in_sample(Path("elsewhere") / path.name)  # some other capture of that name
    with inspector.open(path) as capture:
        if name == "broken-rules":
            assert place.event in [found.seq for found in capture.ask(inspector.Findings())]
        picture = capture.image(place.event, "render_target")
        assert picture is not None and len(np.unique(picture.reshape(-1, picture.shape[-1]), axis=0)) > 1


def test_a_sample_opens_with_a_click_and_with_enter(qtbot: Any, page: Window) -> None:
    opened: list[Path] = []
    page.loading.open = lambda path, frames=None: opened.append(path)  # type: ignore[method-assign]
    cards = page.welcome.samples
    click(qtbot, cards, 0)
    cards.setCurrentRow(1)
    qtbot.keyClick(cards, Qt.Key.Key_Return)
    assert opened == [path for _, path in sample_captures()][:2]


def test_a_recent_capture_goes_on_where_it_was_left(qtbot: Any, page: Window, file: Path, settings: Settings) -> None:
    assert not page.welcome.recent_column.isVisible()
    page.open(file)
    settle(qtbot, page)
    page.desk.focus.go_to(Focus(event=20, pixel=(3, 4)))
    settle(qtbot, page)
    page.actions_by_name["close"].trigger()
    recent = page.welcome.recent
    assert recent.isVisible() and recent.count() == 1
    qtbot.waitUntil(lambda: page.focusWidget() is recent and recent.currentRow() == 0)  # Enter goes on
    assert recent.item(0).text().startswith(f"{file.name}\nframe 1, event 20\n")
    card = start.recent(page, file)
    assert card.picture is not None and not card.picture.isNull()
    click(qtbot, recent, 0)
    settle(qtbot, page)
    assert page.desk.focus.focus == Focus(event=20, pixel=(3, 4))


def test_a_recent_capture_can_be_taken_from_the_list(qtbot: Any, page: Window, file: Path, settings: Settings) -> None:
    gone, sample = file.with_name("gone.trace"), next(path for _, path in sample_captures() if path.stem == "reflections")
    gone.touch()
    for path in (file, gone, sample):
        settings.add_recent(path)
    start.fill(page)
    recent, samples = page.welcome.recent, page.welcome.samples
    assert [recent.item(row).text().split("\n")[0] for row in range(3)] == [sample.name, gone.name, file.name]
    card = start.recent(page, sample)
    assert card.picture is not None and not card.picture.isNull(), "that of the sample: it was never left"
    recent.setCurrentRow(1)
    samples.setCurrentRow(2)
    assert recent.currentRow() == -1 and not recent.selectedItems(), "one card is current"
    gone.unlink()
    click(qtbot, recent, 1)
    assert page.banner.text == f"{gone} no longer exists." and recent.count() == 2
    recent.setFocus()
    recent.setCurrentRow(0)
    assert samples.currentRow() == -1
    for left in ([str(file)], []):
        page.welcome._show_menu(recent.visualItemRect(recent.item(0)).center())
        menu: Any = QApplication.activePopupWidget()
        next(action for action in menu.actions() if action.text() == "Remove from the list").trigger()
        menu.close()
        assert settings.recent == left
    assert not page.welcome.recent_column.isVisible()


def test_a_capture_whose_picture_is_gone_is_still_listed(page: Window, file: Path, settings: Settings) -> None:
    settings.add_recent(file)
    settings.leave(file, {"picture": str(file.with_suffix(".png")), "about": "frame 3"})
    start.fill(page)
    assert page.welcome.recent.count() == 1


def test_pages_are_shown_where_there_are_some(qtbot: Any, page: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    assert page.welcome.links["manual"].isVisible() and page.welcome.links["new"].isVisible()
    qtbot.mouseClick(page.welcome.links["new"], Qt.MouseButton.LeftButton)
    reader = page.findChild(Reader)
    assert reader.isVisible() and reader.view.toPlainText().startswith("Changelog")
    reader.reject()
    monkeypatch.setattr(start, "FILES", {"manual": Path("nowhere.md")})
    start.fill(page)
    assert not page.welcome.links["manual"].isVisible()


def test_recording_is_offered_where_there_is_a_command_for_it(page: Window) -> None:
    assert page.welcome.record_button.isVisible() is ("record" in page.actions_by_name)
