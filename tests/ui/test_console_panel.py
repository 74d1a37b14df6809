"""The console in the window: it runs aside, says what came of it, stops, recalls, completes, and moves the focus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from tests.ui.window_kit import Key, Modifier, panel, press
from ui import style
from ui.panels import console as module
from ui.panels.console import ConsolePanel
from ui.window import Window

Control, Shift = Modifier.ControlModifier, Modifier.ShiftModifier


def console(window: Window) -> ConsolePanel:
    shown = panel(window, "console")
    assert isinstance(shown, ConsolePanel)
    return shown


def type_in(qtbot: Any, window: Window, text: str) -> str:
    """Types lines, and gives what the console has written since."""
    shown = console(window)
    shown.output.clear()
    for line in text.split("\n"):
        qtbot.keyClicks(shown.edit, line)
        qtbot.keyClick(shown.edit, Key.Key_Return)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: shown._stop is None)
    return shown.output.toPlainText()


def test_what_is_typed_runs_with_the_capture_in_scope(qtbot: Any, window: Window) -> None:
    press(qtbot, window, Key.Key_K, Control | Shift)
    assert console(window).edit.hasFocus()
    assert type_in(qtbot, window, "len(capture.draws)") == ">>> len(capture.draws)\n6\n"
    assert type_in(qtbot, window, "int(np.array([1, 2]).sum()) + 2, ddi.Findings.__name__").endswith("(5, 'Findings')\n")
    told = type_in(qtbot, window, "for i in (1, 2):\nprint('<b>', i)\n")
    assert told == ">>> for i in (1, 2):\n...     print('<b>', i)\n<b> 1\n<b> 2\n"


def test_errors_have_a_colour_of_their_own(qtbot: Any, window: Window) -> None:
    type_in(qtbot, window, "print(1, end=''); 1 / 0")
    document, colours = console(window).output.document(), dict[str, set[str]]()
    for block in (document.findBlockByNumber(number) for number in range(document.blockCount())):
        colours[block.text()] = {part.format.foreground().color().name() for part in block.layout().formats()}
    error = style.theme().color("error").name()
    assert colours["ZeroDivisionError: division by zero"] == colours["Traceback (most recent call last):"] == {error}
    assert colours["1"] == set() and error not in colours[">>> print(1, end=''); 1 / 0"]


def test_it_moves_the_focus_and_refuses_places_that_are_none(qtbot: Any, window: Window) -> None:
    type_in(qtbot, window, "go(7)")
    assert window.desk.focus.focus.event == 7
    type_in(qtbot, window, "go(9, pixel=(4, 5))")
    assert (window.desk.focus.focus.event, window.desk.focus.focus.pixel) == (9, (4, 5))
    assert "event=9" in type_in(qtbot, window, "here().text()")
    type_in(qtbot, window, "go('#event=3')")
    assert window.desk.focus.focus.event == 3
    for wrong, sentence in [
        ("go(33)", "Event 33 is out of range (0 to 32)."),
        ("go(-1)", "Event -1 is out of range"),
        ("go(3, pixels=4)", "A place has no 'pixels'"),
        ("go(3, pixel='there')", "invalid value"),
    ]:
        assert sentence in type_in(qtbot, window, wrong)
        assert window.desk.focus.focus.event == 3


def test_the_window_goes_on_while_it_runs_and_stop_ends_it(qtbot: Any, window: Window) -> None:
    shown = console(window)
    qtbot.keyClicks(shown.edit, "while True: print('again')")
    qtbot.keyClick(shown.edit, Key.Key_Return)
    qtbot.keyClick(shown.edit, Key.Key_Return)
    qtbot.waitUntil(lambda: "again" in shown.output.toPlainText())
    assert shown.stopping.isEnabled() and shown.state.text() == "Running"
    window.desk.focus.go(event=5)
    assert window.desk.focus.focus.event == 5
    qtbot.keyClick(shown.edit, Key.Key_C, Control)
    qtbot.waitUntil(lambda: shown._stop is None)
    assert shown.output.toPlainText().endswith("Stopped.\n") and not shown.stopping.isEnabled()
    settle(qtbot, window)
    assert shown.output.document().blockCount() <= 10_001


def test_long_lines_are_cut_where_they_would_stop_the_window(qtbot: Any, window: Window) -> None:
    for count, shown in ((5_000, 4_000), (5_000_000, 4_000 - module.NOTE)):
        told = type_in(qtbot, window, f"print('y' * {count}); print('z')")
        assert told.endswith(f"\n{'y' * shown}… ({count - shown:,} more characters)\nz\n")
    output = console(window).output
    output.clear()
    for text in ("a" * 3_000, "b" * 3_000, "c\n", "d"):  # a line in parts, as programs write them
        output.say(text)
    assert output.toPlainText() == f"{'a' * 3_000}{'b' * 1_000}… (2,000 more characters)\nd"


@pytest.mark.parametrize("ends", ["close_capture", "close"])
def test_another_capture_and_the_end_of_the_window_stop_it(qtbot: Any, window: Window, ends: str) -> None:
    shown = console(window)
    shown.run("while True: pass")
    qtbot.waitUntil(lambda: window.desk.ask._running is not None)
    getattr(window, ends)()
    if ends == "close_capture":
        qtbot.waitUntil(lambda: shown._stop is None)
        assert shown.console.names["capture"] is None


def test_what_was_dropped_before_it_began_does_not_run_for_ever(qtbot: Any, window: Window) -> None:
    shown = console(window)
    shown.run("while True: pass")
    window.desk.ask.cancel_all()
    qtbot.waitUntil(lambda: shown._stop is None)
    assert type_in(qtbot, window, "1 + 1").endswith("2\n")


def test_a_line_has_no_bars_and_many_lines_have_one(window: Window) -> None:
    edit = panel(window, "console").edit
    edit.setPlainText("x" * 3000)
    assert not edit.verticalScrollBar().isVisible() and not edit.horizontalScrollBar().isVisible()
    edit.setFont(QFont(edit.font().family(), 33))  # a height that was made for another font
    edit.setPlainText("x")
    assert edit.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    edit.setPlainText("x\n" * 30)
    assert edit.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded


def test_inputs_are_recalled_and_kept(qtbot: Any, window: Window, make_window: Callable[..., Window]) -> None:
    for text in ("first = 1", "second = 2", "first = 1"):
        type_in(qtbot, window, text)
    edit = console(window).edit
    assert edit.past == ["second = 2", "first = 1"]
    qtbot.keyClicks(edit, "thi")
    for key, text in [(Key.Key_Up, "first = 1"), (Key.Key_Up, "second = 2"), (Key.Key_Up, "second = 2"),
                      (Key.Key_Down, "first = 1"), (Key.Key_Down, "thi")]:  # fmt: skip
        qtbot.keyClick(edit, key)
        assert edit.toPlainText() == text
    other = make_window(lambda path, progress: FakeCapture())
    assert console(other).edit.past == ["second = 2", "first = 1"]


def test_tab_completes_offers_indents_or_goes_on(qtbot: Any, window: Window) -> None:
    shown = console(window)
    edit, output = shown.edit, shown.output
    qtbot.keyClicks(edit, "capture.dra")
    qtbot.keyClick(edit, Key.Key_Tab)
    assert edit.toPlainText() == "capture.draws"
    edit.setPlainText("")
    qtbot.keyClicks(edit, "capture.p")
    qtbot.keyClick(edit, Key.Key_Tab)
    assert edit.toPlainText() == "capture.p"
    assert "path" in output.toPlainText() and "primitives" in output.toPlainText()
    edit.setPlainText("for i in x:\n")
    edit.moveCursor(edit.textCursor().MoveOperation.End)
    qtbot.keyClick(edit, Key.Key_Tab)
    assert edit.toPlainText() == "for i in x:\n    "
    qtbot.keyClick(edit, Key.Key_Backtab, Shift)
    assert output.hasFocus()
    edit.clear()
    edit.setFocus()
    qtbot.keyClick(edit, Key.Key_Tab)
    assert not edit.hasFocus() and not output.hasFocus()


def test_letters_that_walk_elsewhere_are_typed(qtbot: Any, window: Window) -> None:
    window.desk.focus.go(event=5)
    assert "'JK'" in type_in(qtbot, window, "'JK'") and window.desk.focus.focus.event == 5


def test_nothing_a_file_says_is_rich(qtbot: Any, window: Window) -> None:
    told = type_in(qtbot, window, "print('<img src=\"file:///etc/passwd\">')")
    assert "<img" in told.splitlines()[1]
    assert len(module.HELLO) < 130
