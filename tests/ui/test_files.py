"""Opening, dropping and closing files, and what the window remembers."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMenu

from core.errors import BadInput, Cancelled
from inspector.focus import Focus
from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from tests.ui.window_kit import Key, Make, Modifier, panel, press
from ui.files import in_short
from ui.window import Window


def test_dropping_a_file_opens_it(qtbot: Any, make_window: Make, capture: FakeCapture, file: Path) -> None:
    opened: list[Path] = []
    window = make_window(lambda path, progress: (opened.append(path), capture)[1])
    assert window.welcome.isVisible()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file.with_suffix(".txt"))), QUrl.fromLocalFile(str(file))])
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Modifier.NoModifier))
    settle(qtbot, window)
    assert opened == [file]
    assert window.settings.recent == [str(file.resolve())]
    assert window.desk.capture is capture


def test_a_dropped_file_is_copied_whatever_the_file_manager_proposes(
    qtbot: Any, make_window: Make, capture: FakeCapture, file: Path
) -> None:
    """It would remove what was moved."""
    window = make_window(lambda path, progress: capture)
    data, either = QMimeData(), Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    data.setUrls([QUrl.fromLocalFile(str(file))])
    entering = QDragEnterEvent(QPoint(9, 9), either, data, Qt.MouseButton.LeftButton, Modifier.NoModifier)
    dropped = QDropEvent(QPointF(9, 9), either, data, Qt.MouseButton.LeftButton, Modifier.NoModifier)
    for event, told in ((entering, window.dragEnterEvent), (dropped, window.dropEvent)):
        event.setDropAction(Qt.DropAction.MoveAction)
        told(event)
        assert event.isAccepted()
        assert event.dropAction() == Qt.DropAction.CopyAction
    settle(qtbot, window)


def test_a_file_that_cannot_be_read_is_told_in_a_banner_and_the_old_capture_stays(
    qtbot: Any, make_window: Make, capture: FakeCapture, file: Path
) -> None:
    def opener(path: Path, progress: Any) -> Any:
        if path == file:
            return capture
        raise BadInput(f"{path.name}: not a capture (starts with 00 00)")

    window = make_window(opener)
    window.open(file)
    settle(qtbot, window)
    bad = file.with_name("bad.trace")
    bad.touch()
    window.open(bad)
    settle(qtbot, window)
    assert window.banner.isVisible()
    assert window.banner.text == "bad.trace: not a capture (starts with 00 00)"
    assert window.desk.capture is capture
    qtbot.keyClick(window, Key.Key_Escape)
    assert not window.banner.isVisible()
    window.open(file.with_name("gone.trace"))
    assert "no longer exists" in window.banner.text


def test_opening_shows_progress_and_can_be_cancelled(qtbot: Any, make_window: Make, file: Path) -> None:
    stopped = threading.Event()

    def opener(path: Path, progress: Any) -> Any:
        while progress(0.25, "importing"):
            time.sleep(0.005)
        stopped.set()
        raise Cancelled("cancelled")

    window = make_window(opener)
    window.open(file)
    qtbot.waitUntil(lambda: window.status.work.text() == "importing")
    assert window.status.bar.value() == 250
    window.status.stop.click()
    assert stopped.wait(60)
    settle(qtbot, window)
    assert window.welcome.isVisible()
    assert not window.banner.isVisible()
    assert not window.status.stop.isVisible()


def test_a_slow_question_shows_how_far_it_is_and_can_be_stopped(qtbot: Any, window: Window) -> None:
    stopped, answers = threading.Event(), []

    def slow(progress: Any) -> None:
        while progress(0.25, "making tables"):
            time.sleep(0.005)
        stopped.set()
        progress.check()

    window.desk.ask("slow", slow, answers.append)
    qtbot.waitUntil(lambda: window.status.work.text() == "making tables")
    assert window.status.bar.value() == 250
    window.status.stop.click()
    assert stopped.wait(60)
    settle(qtbot, window)
    assert not window.status.stop.isVisible()
    assert not window.status.bar.isVisible()
    assert not window.banner.isVisible()
    assert not answers


def test_closing_while_a_capture_is_opened_stops_it(qtbot: Any, make_window: Make, file: Path) -> None:
    begun, stopped = threading.Event(), threading.Event()

    def opener(path: Path, progress: Any) -> Any:
        begun.set()
        while progress(0.5, "importing"):
            time.sleep(0.005)
        stopped.set()
        raise Cancelled("cancelled")

    window = make_window(opener)
    window.open(file)
    assert begun.wait(60)
    window.close()
    assert stopped.is_set()


def test_closing_the_capture_shows_the_welcome_again(qtbot: Any, window: Window) -> None:
    window.actions_by_name["close"].trigger()
    assert window.welcome.isVisible()
    assert window.welcome.recent.count() == 1
    assert not any(dock.isVisible() for dock in window.docks.docks.values())
    assert not window.actions_by_name["next-event"].isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)  # no empty panel beside the welcome
    assert not any(dock.isVisible() for dock in window.docks.docks.values())


def test_the_layout_is_remembered(qtbot: Any, window: Window, make_window: Make, capture: FakeCapture, file: Path) -> None:
    window.docks.docks["calls"].hide()
    qtbot.wait(20)
    heights = [window.docks.docks[name].height() for name in ("timeline", "events", "token")]
    window.say("something is written")  # a message of the day is not kept, nor the room it takes
    qtbot.wait(20)
    window.close()
    again = make_window(lambda path, progress: capture)
    again.resize(window.size())  # the offscreen screen is smaller than the window
    again.open(file)
    settle(qtbot, again)
    assert not again.docks.docks["calls"].isVisible()
    qtbot.wait(20)
    restored = [again.docks.docks[name].height() for name in ("timeline", "events", "token")]
    assert all(abs(a - b) <= 8 for a, b in zip(heights, restored, strict=True)), (heights, restored)
    again.arranging.use("")
    assert again.docks.docks["calls"].isVisible()


def test_the_size_is_remembered_though_no_capture_was_opened(make_window: Make, capture: FakeCapture) -> None:
    window = make_window(lambda path, progress: capture)
    window.resize(700, 610)
    window.close()
    assert make_window(lambda path, progress: capture).size() == window.size()


def test_closing_without_a_capture_keeps_the_layout_of_the_day_before(
    qtbot: Any, window: Window, make_window: Make, capture: FakeCapture, file: Path
) -> None:
    window.docks.docks["calls"].hide()
    window.docks.docks["query"].setObjectName("dock-of-yesterday")  # a panel of later versions is not known, and shown
    window.close()
    make_window(lambda path, progress: capture).close()
    again = make_window(lambda path, progress: capture)
    again.open(file)
    settle(qtbot, again)
    assert not again.docks.docks["calls"].isVisible()
    assert not again.docks.docks["query"].isHidden() and not again.docks.docks["events"].isHidden()


def test_recent_files_are_listed_with_their_folders(window: Window, file: Path) -> None:
    menu = next(menu for menu in window.findChildren(QMenu) if menu.title() == "Open &recent")
    menu.aboutToShow.emit()
    assert menu.actions()[0].text() == f"{file.name}\t{in_short(file.parent)}"
    home = Path.home()
    assert in_short(home / "captures") == str(Path("~") / "captures")
    assert in_short(home) == "~"
    long = in_short(Path("/data") / ("a" * 90) / "games")
    assert len(long) == 60
    assert "…" in long
    assert long.endswith("games")


def test_a_link_leads_to_its_place(qtbot: Any, make_window: Make, capture: FakeCapture, file: Path) -> None:
    window = make_window(lambda path, progress: capture)
    window.open(file, Focus.parse("#event=20&surface=10&level=1&pixel=3,4"))
    settle(qtbot, window)
    assert window.desk.focus.focus == Focus(event=20, surface=10, level=1, pixel=(3, 4))
    window.copy_link()
    assert QApplication.clipboard().text() == "#event=20&surface=10&level=1&pixel=3,4"


def test_a_link_on_the_clipboard_is_followed_or_refused(qtbot: Any, window: Window) -> None:
    QApplication.clipboard().setText(" #event=20&pixel=3,4 ")
    window.paste_link()
    assert window.desk.focus.focus == Focus(event=20, pixel=(3, 4))
    QApplication.clipboard().setText("something else")
    window.paste_link()
    assert "no valid link" in window.banner.text
    assert window.desk.focus.focus.event == 20


def test_an_empty_capture_is_no_trouble(qtbot: Any, make_window: Make, file: Path) -> None:
    window = make_window(lambda path, progress: FakeCapture(0))
    window.open(file)
    settle(qtbot, window)
    for name in window.docks.panels:
        panel(window, name)
    settle(qtbot, window)
    assert press(qtbot, window, Key.Key_Right) == 0
    assert window.events.model.rowCount() == 0
    window.grab()


@pytest.mark.parametrize("sentence", ["x" * 3000, "many words " * 3000, "C:\\" + "folder\\" * 60])
def test_a_long_message_does_not_make_the_window_grow(window: Window, sentence: str) -> None:
    size = window.size()
    window.say(sentence)
    QApplication.processEvents()
    assert window.minimumSizeHint().width() < 1280 and window.size() == size
    assert window.banner.text == sentence and window.banner.height() < 300
