"""The driver's panel asks about an event only what is another thing at another event."""

from __future__ import annotations

from typing import Any

from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.panels.driver import VIEWS
from ui.window import Window


def test_what_the_driver_has_answered_is_asked_once_and_its_state_sets_at_each_event(
    qtbot: Any, real: Window  # noqa: F811
) -> None:  # fmt: skip
    real.docks.bring("driver")
    settle(qtbot, real, 20_000)
    panel: Any = real.docks.panels["driver"]
    asked, question = list[str](), panel.question

    def noted(capture: Any, focus: Any) -> Any:
        asked.append(panel.view.title)
        return question(capture, focus)

    panel.question = noted
    for title in ("Requirements", "State sets", "Requirements"):
        panel.choice.setCurrentIndex([view.title for view in VIEWS].index(title))
        panel._choose()
        settle(qtbot, real, 20_000)
        for event in (2945, 40):
            real.desk.focus.go(event=event)
            settle(qtbot, real, 20_000)
    assert asked == ["Requirements", *["State sets"] * 3, "Requirements"]
    assert panel.note.text().startswith("The driver qualifies as a DirectX 8 driver") and panel.model.rows
