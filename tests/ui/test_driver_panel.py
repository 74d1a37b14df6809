"""The driver's panel asks about an event only what is another thing at another event."""

from __future__ import annotations

from typing import Any

import inspector
from tests.ui.conftest import settle
from tests.ui.real import SAMPLES
from tests.ui.test_real_capture import real  # noqa: F401
from ui.panels.driver import VIEWS, _stalls
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


def test_the_page_of_stalls_begins_with_how_many_there_are() -> None:
    with inspector.open(SAMPLES["vertex-buffer-stalls"]) as capture:
        note, rows, _ = _stalls(capture, 0, lambda: False)
        columns = [
            column for column in VIEWS[[view.look for view in VIEWS].index(_stalls)].columns if "DirectX" in column.title
        ]
        older, later = (sum(column.text(row).startswith("stalls") for row in rows) for column in columns)
    assert older > later > 0
    assert note == f"{older} of {len(rows)} DrawPrimitives2 calls stall with DirectX 8.0, {later} with 8.1 and later"
