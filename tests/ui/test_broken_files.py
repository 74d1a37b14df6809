"""Files that are cut, damaged or something else: a sentence, or as much of them as is left; never an exception."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import inspector
from inspector.tape import TapeWriter
from tests.ui.conftest import settle
from ui.window import Window

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "broken-rules.ddicap"


@pytest.fixture
def opened(qtbot: Any, make_window: Callable[..., Window]) -> Callable[[Path], Window]:
    """`opened(path)`: a window that has tried to open a file and shown every panel of it."""
    window = make_window(lambda path, progress: inspector.open(path, progress))

    def show(path: Path) -> Window:
        window.open(path)
        settle(qtbot, window, 60_000)
        if window.desk.capture is not None:
            window.desk.focus.go(event=len(window.desk.index or ()) // 2)
            window.desk.focus.go(pixel=(3, 3))
            for name in ("state", "resources", "vertices", "statistics", "driver", "history", "stepping"):
                window.docks.bring(name)
                settle(qtbot, window, 20_000)
        return window

    return show


def damaged() -> Iterator[tuple[str, bytes]]:
    """The sample, damaged in several ways, always the same."""
    whole, dice = SAMPLE.read_bytes(), random.Random(3)
    yield "empty", b""
    yield "something else", bytes(dice.randrange(256) for _ in range(3000))
    for share in (0.02, 0.5, 0.97):
        yield f"cut at {share}", whole[: int(len(whole) * share)]
    for number in range(3):
        flipped = bytearray(whole)
        for _ in range(1 if number else 40):
            flipped[dice.randrange(4096, len(whole))] ^= 1 << dice.randrange(8)
        yield f"flipped {number}", bytes(flipped)
    yield "a hole", whole[:20_000] + bytes(8192) + whole[28_192:]


def test_damaged_files_are_told_or_shown_as_far_as_they_go(opened: Callable[[Path], Window], tmp_path: Path) -> None:
    for number, (what, data) in enumerate(damaged()):
        path = tmp_path / f"{number}.ddicap"
        path.write_bytes(data)
        window = opened(path)
        told = window.banner._text.text() if window.banner.isVisible() else ""
        assert window.desk.capture is not None or path.name in told, what
        assert "mistake" not in told
        window.close_capture()


def test_a_capture_without_a_single_call_opens(qtbot: Any, opened: Callable[[Path], Window], tmp_path: Path) -> None:
    with TapeWriter(tmp_path / "nothing.ddicap"):
        pass
    window = opened(tmp_path / "nothing.ddicap")
    assert window.desk.capture is not None
    qtbot.waitUntil(lambda: window.ahead.done, timeout=5000)
    window.docks.bring("verify")
    window.docks.bring("query")


def test_a_file_that_goes_away_while_it_is_open_is_a_sentence(
    qtbot: Any, opened: Callable[[Path], Window], tmp_path: Path
) -> None:
    path = tmp_path / "gone.ddicap"
    path.write_bytes(SAMPLE.read_bytes())
    window = opened(path)
    path.write_bytes(b"")
    for event in (5, 300, 700):
        window.desk.focus.go(event=event)
        settle(qtbot, window, 20_000)
    window.docks.bring("query")
    window.docks.panels["query"].edit.setPlainText("SELECT * FROM batch")  # type: ignore[attr-defined]
    window.docks.panels["query"].run()  # type: ignore[attr-defined]
    settle(qtbot, window, 20_000)
    assert "mistake" not in window.banner._text.text()
