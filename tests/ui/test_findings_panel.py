"""The findings: the broken rule, the byte, what the rule says; and everything that only drawing shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

import inspector
from tests.ui.conftest import settle
from ui.panels import findings as panel_module
from ui.panels.findings import CHECK, FindingsPanel
from ui.roles import MARK_ROLE
from ui.window import Window

BROKEN = Path(__file__).parents[2] / "resources" / "samples" / "broken-rules.ddicap"
ROOM = BROKEN.parents[1] / "room.ddicap"


@pytest.fixture
def broken(qtbot: Any, make_window: Callable[..., Window]) -> Window:
    window = make_window(lambda path, progress: inspector.open(path, progress))
    window.open(BROKEN)
    settle(qtbot, window, 60_000)
    return window


def findings(window: Window) -> FindingsPanel:
    window.docks.bring("findings")
    panel = window.docks.panels["findings"]
    assert isinstance(panel, FindingsPanel)
    return panel


def details(panel: FindingsPanel) -> dict[str, str]:
    return {fact.name: fact.value for section in panel.about.sections for fact in section.facts}


def test_a_finding_says_its_rule_and_leads_to_its_bytes(qtbot: Any, broken: Window) -> None:
    panel = findings(broken)
    row = next(row for row, found in enumerate(panel.model.rows) if found.rule == "bad-state-value")
    found = panel.model.rows[row]
    panel.table.selectRow(row)
    told = details(panel)
    assert told["Byte"] == f"{found.offset:#x} of the command buffer"
    assert told["Requirement"].endswith(".")
    assert told["Section"] == found.section
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    settle(qtbot, broken)
    assert broken.desk.focus.focus.event == found.seq
    assert panel.model.rows[panel.table.currentIndex().row()] is found
    token: Any = broken.docks.panels["token"]
    lit = token.hex.lit
    assert lit[0] <= found.offset - token._detail.base_offset < lit[1]
    sections = [section.title for section in broken.inspector.facts.sections]
    assert f"Finding: {found.severity}" in sections


def test_everything_is_checked_aside_and_listed(qtbot: Any, broken: Window) -> None:
    panel = findings(broken)
    before = list(panel.model.rows)
    assert "rules that need drawing are unchecked" in panel.count.text()
    panel.everything.begin.click()
    assert panel.everything.stop.isVisible()
    qtbot.waitUntil(lambda: not broken.desk.ask.is_aside(CHECK), timeout=60_000)
    qtbot.waitUntil(lambda: len(panel.model.rows) > len(before))
    assert {found.rule for found in panel.model.rows} > {found.rule for found in before}
    assert list(panel.model.rows) == list(broken.desk.capture.ask(inspector.Findings()))
    assert not panel.everything.isVisible()
    assert panel.count.text() == f"{len(panel.model.rows)} findings"
    marks = {row: broken.events.model.index(row, 0).data(MARK_ROLE) for row in range(broken.events.model.rowCount())}
    worst = {found.seq for found in panel.model.rows if found.severity == "error" and found.seq >= 0}
    assert {row for row, mark in marks.items() if mark == "error"} == worst


def test_checking_can_be_stopped_and_begun_again(qtbot: Any, broken: Window) -> None:
    panel = findings(broken)
    before = list(panel.model.rows)
    panel.everything.begin.click()
    panel.everything.stop.click()
    assert panel.everything.begin.isVisible()
    settle(qtbot, broken)
    assert list(panel.model.rows) == before
    panel.everything.begin.click()
    qtbot.waitUntil(lambda: len(panel.model.rows) > len(before), timeout=60_000)


def test_another_capture_ends_the_check_of_the_one_before(qtbot: Any, broken: Window) -> None:
    panel = findings(broken)
    panel.everything.begin.click()
    broken.open(ROOM)
    settle(qtbot, broken, 60_000)
    assert not broken.desk.ask.is_aside(CHECK)
    assert panel.everything.begin.isVisible()
    assert panel.model.rows == []
    assert panel.table.placeholder == panel_module.NOTHING
    assert broken.docks.docks["findings"].windowTitle() == "Findings"


def test_findings_are_filtered_by_words(qtbot: Any, broken: Window) -> None:
    panel = findings(broken)
    total = len(panel.model.rows)
    panel.search.setText("warning state")
    assert 0 < len(panel.model.rows) < total
    assert all(found.severity == "warning" for found in panel.model.rows)
    assert panel.count.text().startswith(f"{len(panel.model.rows)} of {total} findings")
    panel.search.setText("no such words")
    assert panel.table.placeholder == "No finding matches."


def test_another_capture_leaves_nothing_of_the_one_before(qtbot: Any, broken: Window) -> None:
    """Not a finding in full, nor a question about an event that the other, shorter one does not have."""

    def open_there(path: Path, front: str, event: int = 0) -> None:
        broken.docks.bring(front)
        broken.open(path)
        qtbot.waitUntil(lambda: broken.loading.path is None, timeout=60_000)
        broken.desk.focus.go(event=event)
        settle(qtbot, broken, 60_000)

    panel = findings(broken)
    panel.table.selectRow(0)
    assert panel.about.sections
    open_there(ROOM, "stepping", 2800)
    assert not panel.model.rows and not panel.about.sections
    open_there(BROKEN, "stepping")
    assert broken.banner.text == "" and 0 < len(broken.desk.index or ()) < 2800


def test_a_shortage_of_memory_is_among_the_findings(qtbot: Any, broken: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the list was there already: a picture that was asked for later could not be drawn."""
    panel = findings(broken)
    before = len(panel.model.rows)

    def no_memory(*_: object) -> None:
        raise MemoryError

    capture: Any = broken.desk.capture
    assert capture.shortages == () and before
    event = int(capture.draws[-1])
    driver = capture.replay._driver
    monkeypatch.setattr(driver.executor, "execute", no_memory)
    broken.desk.ask("test", lambda _: capture.replay.logged(event), lambda _: None)
    settle(qtbot, broken)
    told = [found for found in panel.model.rows if "out of memory" in found.text]
    assert {found.seq for found in told} == {found.seq for found in capture.shortages} and told
    assert len(panel.model.rows) > before and all(found.severity == "error" for found in told)
