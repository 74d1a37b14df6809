"""File > Open frames of a trace: the list, the numbers in step with it, and what opens."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

import inspector
from core.errors import Cancelled
from inspector import reading
from inspector.imports.presents import FRAME
from inspector.query.pixels.life import Life
from tests.conftest import ROOT
from tests.inspector.growing import in_small_pieces, long_trace
from tests.ui.conftest import settle
from ui import frames
from ui.frames import FramesDialog, show_frames
from ui.widgets.gallery import SIZE
from ui.window import Window

FRAMES = 20
ROOM = ROOT / "resources/room.ddicap"
Make = Callable[..., Window]


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(reading, "WORTH_STOPPING", 0)
    in_small_pieces(monkeypatch)
    return long_trace(tmp_path, FRAMES)


@pytest.fixture
def real(make_window: Make) -> Window:
    return make_window(lambda path, progress, frames=None: inspector.open(path, progress, frames))


def listed(qtbot: Any, window: Window, path: Path) -> FramesDialog:
    dialog = show_frames(window, path)
    qtbot.waitUntil(lambda: not dialog.listing, timeout=60_000)
    return dialog


def rows(dialog: FramesDialog) -> list[int]:
    return sorted(index.row() for index in dialog.table.selectionModel().selectedRows())


def drawn(qtbot: Any, dialog: FramesDialog) -> list[str]:
    """The pictures' names, once all are there."""
    qtbot.waitUntil(lambda: not dialog.listing and not dialog.reading.isVisibleTo(dialog), timeout=60_000)
    return [dialog.gallery.item(row).text() for row in range(dialog.gallery.count())]


def test_the_menu_asks_for_a_file_and_lists_its_frames(
    qtbot: Any, real: Window, trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(trace), ""))
    real.actions_by_name["open-frames"].trigger()
    dialog = real.findChild(FramesDialog)
    qtbot.waitUntil(lambda: dialog.model.rowCount() == FRAMES, timeout=60_000)
    assert dialog.isVisible() and dialog.status.text() == f"long.trace has {FRAMES} frames."
    with inspector.open(trace) as whole:
        shown = [[dialog.model.index(row, column).data() for column in (0, 3)] for row in range(FRAMES)]
        assert shown == [[str(frame.index), str(frame.draws)] for frame in whole.frames]
    assert show_frames(real, trace) is dialog
    dialog.reject()


def test_rows_and_numbers_are_in_step(qtbot: Any, real: Window, trace: Path) -> None:
    dialog = listed(qtbot, real, trace)
    assert (dialog.first.maximum(), rows(dialog)) == (FRAMES - 1, [0])
    dialog.table.selectRow(4)
    assert (dialog.first.value(), dialog.last.value()) == (4, 4)
    dialog.table.setFocus()
    for _ in range(3):
        qtbot.keyClick(dialog.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert (dialog.first.value(), dialog.last.value()) == (4, 7)
    dialog.last.setValue(9)
    assert rows(dialog) == [4, 5, 6, 7, 8, 9]
    dialog.first.setValue(12)
    assert (dialog.last.value(), rows(dialog)) == (12, [12])
    dialog.last.setValue(3)
    assert (dialog.first.value(), rows(dialog)) == (3, [3])
    dialog.reject()


def test_open_opens_the_range_and_reads_no_further(
    qtbot: Any, real: Window, trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "AT_ONCE", 0)
    dialog = listed(qtbot, real, trace)
    dialog.first.setFocus()
    dialog.first.selectAll()
    qtbot.keyClicks(dialog.first, "5")
    qtbot.keyClick(dialog.first, Qt.Key.Key_Tab)
    dialog.last.selectAll()
    qtbot.keyClicks(dialog.last, "7")
    qtbot.keyClick(dialog.last, Qt.Key.Key_Return)
    settle(qtbot, real, 300_000)
    assert not dialog.isVisible()
    capture, index = real.desk.capture, real.desk.index
    assert capture is not None and index is not None
    assert [frame.index for frame in capture.frames] == [5, 6, 7]
    assert len(index.frame_first) == len(capture.all_frames) < FRAMES
    event = real.desk.focus.focus.event
    assert index.frame(event) == capture.frame_of(event) == 5
    assert "frame 5 " in real.status.place.text()


def test_a_pixels_life_is_where_its_frames_are(qtbot: Any, real: Window, trace: Path) -> None:
    real.open(trace, frames=(5, 8))
    settle(qtbot, real, 300_000)
    panel: Any = real.docks.panels["timeline"]
    panel._show_life(Life(np.ones((3, 4), np.float32), np.zeros(0, np.int64)))
    colors = panel.strip._life[0]
    assert np.flatnonzero(np.isfinite(colors[:, 0])).tolist() == [5, 6, 7]
    assert len(colors) == len(real.desk.index.frame_first)  # type: ignore[union-attr]
    real.grab()


def test_frames_that_are_not_there_are_named(qtbot: Any, real: Window) -> None:
    real.open(ROOM, frames=(900, 903))
    settle(qtbot, real, 300_000)
    assert "room.ddicap has no frames 900 to 902: it has " in real.banner.text and real.desk.capture is None


def test_a_file_without_such_a_list_takes_numbers(qtbot: Any, real: Window) -> None:
    dialog = listed(qtbot, real, ROOM)
    assert dialog.status.text() == frames.UNKNOWN and not dialog.model.rowCount()
    dialog.last.setValue(3)
    dialog.first.setValue(2)
    dialog.accept()
    settle(qtbot, real, 300_000)
    assert [frame.index for frame in real.desk.capture.frames] == [2, 3]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("content", "says"), [(b"", "odd.trace: "), (b"no trace at all", "not an apitrace trace"), (None, "no such file")]
)
def test_odd_files_get_a_sentence(content: bytes | None, says: str, qtbot: Any, real: Window, tmp_path: Path) -> None:
    path = tmp_path / "odd.trace"
    if content is not None:
        path.write_bytes(content)
    dialog = listed(qtbot, real, path)
    assert says in dialog.status.text() and not dialog.model.rowCount()
    dialog.reject()


def test_cancel_stops_the_listing_and_a_new_one_counts(
    qtbot: Any, real: Window, trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, stopped = threading.Event(), threading.Event()

    def endless(path: Path, progress: Callable[[float, str], bool]) -> Any:
        while progress(0.5, "calls"):
            asked.set()
        stopped.set()
        raise Cancelled("import cancelled")

    monkeypatch.setattr(frames, "frames_of", endless)
    dialog = show_frames(real, trace)
    qtbot.waitUntil(lambda: asked.is_set() and dialog.bar.value() == 500)
    assert dialog.bar.isVisible()
    dialog.buttons.rejected.emit()
    assert stopped.wait(10) and not dialog.isVisible() and real.loading.path is None
    monkeypatch.setattr(frames, "frames_of", lambda path, progress: np.zeros(7, FRAME))
    assert listed(qtbot, real, trace).model.rowCount() == 7
    dialog.reject()


def test_pictures_of_frames_choose_them_and_show_what_is_chosen(qtbot: Any, real: Window, trace: Path) -> None:
    dialog = listed(qtbot, real, trace)
    assert drawn(qtbot, dialog) == [f"Frame {number}" for number in range(FRAMES)]
    with inspector.open(trace) as whole:
        for row in (0, 13):
            image = whole.image(whole.picture_event(whole.frames[row]), "back_buffer")
            icon = dialog.gallery.item(row).icon().pixmap(SIZE).toImage()
            middle = icon.pixelColor(icon.width() // 2, icon.height() // 2)
            expected = image[image.shape[0] // 2, image.shape[1] // 2, :3]
            assert abs(np.array([middle.red(), middle.green(), middle.blue()]) - expected).max() <= 2

    def click(row: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        item = dialog.gallery.item(row)
        dialog.gallery.scrollToItem(item)
        place = dialog.gallery.visualItemRect(item).center()
        qtbot.mouseClick(dialog.gallery.viewport(), Qt.MouseButton.LeftButton, keys, place)

    click(3)
    assert (dialog.first.value(), dialog.last.value(), rows(dialog)) == (3, 3, [3])
    click(6, Qt.KeyboardModifier.ShiftModifier)
    assert (dialog.first.value(), dialog.last.value(), rows(dialog)) == (3, 6, [3, 4, 5, 6])
    dialog.first.setValue(9)
    assert (dialog.first.value(), dialog.last.value(), rows(dialog)) == (9, 9, [9])
    assert [index.row() for index in dialog.gallery.selectedIndexes()] == [9]
    dialog.reject()


def test_pictures_that_come_change_no_selection(qtbot: Any, real: Window, trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "AT_ONCE", 0)
    dialog = listed(qtbot, real, trace)
    dialog.table.selectRow(4)
    dialog.table.setFocus()
    qtbot.keyClick(dialog.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    dialog.draw.click()
    drawn(qtbot, dialog)
    assert [index.row() for index in dialog.gallery.selectedIndexes()] == [4, 5]
    qtbot.keyClick(dialog.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert (dialog.first.value(), dialog.last.value(), rows(dialog)) == (4, 6, [4, 5, 6])
    dialog.reject()


def test_a_file_that_cannot_be_listed_is_once_its_pictures_are_there(qtbot: Any, real: Window) -> None:
    dialog = listed(qtbot, real, ROOM)
    drawn(qtbot, dialog)
    with inspector.open(ROOM) as room:
        assert dialog.model.rowCount() == len(room.frames) == dialog.last.maximum() + 1
        assert dialog.model.index(1, 3).data() == str(room.frames[1].draws)
    assert dialog.status.text() == f"room.ddicap has {dialog.model.rowCount()} frames."
    dialog.reject()


def test_a_large_file_is_not_read_for_pictures_before_that_is_asked_for(
    qtbot: Any, real: Window, trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "AT_ONCE", 100)
    dialog = listed(qtbot, real, trace)
    assert dialog.draw.isVisible() and dialog._pool.waitForDone(10_000) and not dialog.gallery.count()
    dialog.draw.click()
    assert not dialog.draw.isVisible() and len(drawn(qtbot, dialog)) == FRAMES
    dialog.reject()


def test_cancel_stops_the_reading_for_pictures(qtbot: Any, real: Window, trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    def endless(path: Path, shown: Any, progress: Any, cancel: Callable[[], bool], **rest: Any) -> Any:
        begun.set()
        while not cancel():
            progress(0.4, "calls")
        raise Cancelled("import cancelled")

    monkeypatch.setattr(frames, "glance", endless)
    dialog = listed(qtbot, real, trace)
    assert begun.wait(10)
    qtbot.waitUntil(lambda: "40%" in dialog.reading.text())
    dialog.reject()
    assert dialog._pool.waitForDone(10_000)
