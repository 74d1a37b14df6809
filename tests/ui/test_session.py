"""What comes back: the last file, its place and edits; after a crash, as an offer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QImage

from inspector.focus import Focus
from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from ui.session import HIGH, WIDE, Left
from ui.settings import Settings
from ui.window import Window

Make = Callable[..., Window]
PLACE = Focus(event=20, surface=10, pixel=(3, 4))


@pytest.fixture
def begin(
    qtbot: Any, make_window: Make, capture: FakeCapture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Window]:
    """A window as the program starts it, with all that it opens.  Its lock is its own: others run tests beside this one."""
    monkeypatch.setattr("ui.session.cache_folder", lambda name: tmp_path)
    monkeypatch.setattr("inspector.mistakes._folder", lambda: tmp_path)
    monkeypatch.setattr("inspector.mistakes.watch_for_crashes", lambda: None)  # pytest's own stays

    def start(file: Path | None = None, sample: Path | None = None) -> Window:
        window = make_window(lambda path, progress: FakeCapture())
        window.session.start(file, None, sample)
        settle(qtbot, window)
        return window

    return start


def crash(window: Window) -> None:
    """Ends without any of what a window does when it closes."""
    window.session.keep()
    assert window.session._lock is not None
    window.session._lock.unlock()
    window.remember = False
    window.close()


def test_the_last_capture_comes_back_with_place_and_edits(qtbot: Any, begin: Any, file: Path, settings: Settings) -> None:
    first = begin(file)
    first.desk.focus.go_to(PLACE)
    first.what_if.add("disable 12")
    first.what_if.variants.keep(first.what_if.edits)
    first.what_if.add("disable 13")
    first.what_if.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    settle(qtbot, first)
    first.close()
    again = begin(sample=Path("not this one"))
    assert settings.last == str(file.resolve())
    assert again.desk.focus.focus == PLACE
    assert [str(edit) for edit in again.what_if.all_edits] == [str(edit) for edit in first.what_if.all_edits] != []
    assert again.what_if.edits == again.what_if.all_edits[:1], "what was switched off stays so"
    assert again.what_if.variants.kept == [again.what_if.edits]
    assert again.banner.text == ""


def test_the_picture_of_a_capture_is_kept(begin: Any, file: Path, settings: Settings) -> None:
    first = begin(file)
    first.session._later.timeout.emit()
    crash(first)
    assert Left.read(settings.left(file)).picture, "though it never closed"
    crash(begin(file))
    assert Left.read(settings.left(file)).picture, "and was opened again"
    begin(file).close()
    left = Left.read(settings.left(file))
    picture = QImage(left.picture)
    assert picture.width() == WIDE or picture.height() == HIGH
    assert left.about.startswith("frame 0, event ") and left.when > 1.7e9


def test_the_settings_say_how_to_begin(begin: Any, file: Path, tmp_path: Path, settings: Settings) -> None:
    sample = tmp_path / "sample.ddicap"
    sample.touch()
    begin(file).close()
    settings.put("start", "page")
    page = begin(sample=sample)
    assert page.desk.capture is None and page.welcome.isVisible()
    page.close()
    settings.put("start", "sample")
    window = begin(sample=sample)
    assert window.session._running.path == sample


def test_after_a_crash_the_place_is_offered_and_nothing_opens_by_itself(
    qtbot: Any, begin: Any, file: Path, tmp_path: Path
) -> None:  # fmt: skip
    first = begin(file)
    first.desk.focus.go_to(PLACE)
    crash(first)
    again = begin()
    assert again.desk.capture is None and f"{file.name} was open at frame 1, event 20" in again.banner.text
    [report] = tmp_path.glob("mistake-*.txt")
    assert str(report) in again.banner.text
    facts = [
        line.split(":", 1)[1].strip() for line in report.read_text("utf-8").splitlines() if line.startswith(("Cap", "Place"))
    ]
    assert facts == [str(file.resolve()), PLACE.text()]
    qtbot.mouseClick(again.banner._offer, Qt.MouseButton.LeftButton)
    settle(qtbot, again)
    assert again.desk.focus.focus == PLACE
    again.close()
    assert begin().desk.focus.focus == PLACE


def test_the_report_of_a_crash_is_kept_though_a_file_was_asked_for(begin: Any, file: Path, tmp_path: Path) -> None:
    crash(begin(file))
    begin(file).close()
    assert len([*tmp_path.glob("mistake-*.txt")]) == 1


def test_a_second_window_takes_the_first_for_no_crash(begin: Any, file: Path) -> None:
    first = begin(file)
    second = begin()
    assert second.banner.text == "" and second.desk.capture is not None
    second.close()
    crash(first)
    assert "crashed or was ended" in begin().banner.text


@pytest.mark.parametrize("kept", ["{", "[]", '{"x": 3}', '{"FILE": 7}', '{"FILE": {"place": "#event=x", "when": "y"}}'])
def test_broken_settings_mean_no_place(kept: str, settings: Settings, file: Path, tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "broken.ini"), QSettings.Format.IniFormat)
    store.setValue("left", kept.replace("FILE", str(file.resolve())))
    left = Left.read(Settings(store).left(file))
    assert left.focus is None and left.when == 0
