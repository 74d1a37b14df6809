"""Another theme, a step at a time."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QApplication

from ui import style
from ui.restyle import change
from ui.window import Window


def test_a_change_takes_several_turns_and_nothing_is_painted_in_between(qtbot: Any, window: Window, qapp: QApplication) -> None:
    """Each step goes through all widgets: together they would stop the window for a fifth of a second."""
    window.set_theme("light")
    assert style.theme().name == "light" and qapp.styleSheet() == "" and not window.updatesEnabled()
    qtbot.waitUntil(lambda: not change().under_way)
    assert qapp.styleSheet() == style.style_sheet(style.LIGHT) and window.updatesEnabled()
    assert qapp.palette().window().color().name() == style.LIGHT.window


def test_the_last_of_several_changes_holds(qtbot: Any, window: Window, qapp: QApplication) -> None:
    for name in ("light", "contrast", "dark"):
        window.set_theme(name)
    qtbot.waitUntil(lambda: not change().under_way)
    assert qapp.styleSheet() == style.style_sheet(style.DARK) and window.updatesEnabled()


def test_a_window_that_closes_meanwhile_is_left_alone(qtbot: Any, window: Window, qapp: QApplication) -> None:
    window.set_theme("light")
    window.close()
    style.apply(qapp, "dark")
    qtbot.waitUntil(lambda: not change().under_way)
    assert style.theme() is style.DARK and qapp.styleSheet() == style.style_sheet(style.DARK)
