"""The findings: the broken rule, the byte, what the rule says; and everything that only drawing shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

import inspector
from core.spec.findings import RULES
from tests.ui.conftest import settle
from ui.models.rules import COUNT, NAME, SEVERITY
from ui.panels import findings as panel_module
from ui.panels.findings import CHECK, FindingsPanel
from ui.panels.rule_tree import RuleTree
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


def test_another_capture_is_listed_while_the_panel_is_in_front(qtbot: Any, broken: Window) -> None:
    count = len(findings(broken).model.rows)
    broken.open(ROOM)
    settle(qtbot, broken, 60_000)
    broken.open(BROKEN)
    settle(qtbot, broken, 60_000)
    assert count > 10 and len(findings(broken).model.rows) == count


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


# ---- by rule


@pytest.fixture
def grouped(broken: Window) -> FindingsPanel:
    panel = findings(broken)
    panel.by_rule.setChecked(True)
    return panel


def test_rules_stand_with_their_counts_the_worst_first(grouped: FindingsPanel) -> None:
    model, found = grouped.tree.rules, list(grouped.model.rows)
    assert grouped.tree.isVisible() and not grouped.table.isVisible()
    heads = [model.index(row, 0) for row in range(model.rowCount())]
    assert {head.data(): int(head.siblingAtColumn(1).data()) for head in heads} == Counter(one.rule for one in found)
    severities = [head.siblingAtColumn(2).data() for head in heads]
    assert severities == sorted(severities, key=["error", "warning", "note", "info"].index) and len(set(severities)) > 1
    assert heads[0].siblingAtColumn(3).data() == RULES[heads[0].data()].sentence
    for head in heads:
        inside = [model.finding_at(model.index(row, 0, head)) for row in range(model.rowCount(head))]
        assert inside == [one for one in found if one.rule == head.data()]


def test_names_of_rules_are_whole_in_a_narrow_tree(qtbot: Any, grouped: FindingsPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the usual width is too small for them, as with large fonts."""
    monkeypatch.setattr("ui.panels.rule_tree.WIDTHS", 2 * ({NAME: 60, COUNT: 50, SEVERITY: 66},))
    tree = RuleTree()
    qtbot.addWidget(tree)
    tree.resize(500, 300)
    tree.show_found(list(grouped.model.rows))
    bold = tree.font()
    bold.setBold(True)
    names = [str(tree.rules.index(row, 0).data()) for row in range(tree.rules.rowCount())]
    assert tree.columnWidth(NAME) > tree.indentation() + max(map(QFontMetrics(bold).horizontalAdvance, names))


def test_enter_opens_a_rule_and_goes_to_a_finding(qtbot: Any, broken: Window, grouped: FindingsPanel) -> None:
    tree = grouped.tree
    head = tree.rules.index(0, 0)
    tree.collapseAll()
    tree.setCurrentIndex(head)
    tree.activated.emit(head)
    assert tree.isExpanded(head)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    found = tree.current
    assert found is tree.rules.groups[0].found[0]
    tree.activated.emit(tree.currentIndex())
    settle(qtbot, broken)
    assert broken.desk.focus.focus.event == found.seq and tree.current is found
    grouped.by_rule.setChecked(False)
    assert grouped.table.isVisible() and grouped.current is found


def test_keys_and_links_go_from_one_to_the_next_of_the_same_rule(qtbot: Any, broken: Window, grouped: FindingsPanel) -> None:
    group = max(grouped.tree.rules.groups, key=lambda group: len({one.seq for one in group.found}))
    events = [one.seq for one in group.found]
    assert len(set(events)) > 1
    grouped._choose(group.found[0])
    for event in events[1:]:
        qtbot.keyClick(grouped.tree, Qt.Key.Key_F4)
        assert broken.desk.focus.focus.event == event
    qtbot.keyClick(grouped.tree, Qt.Key.Key_F4)
    assert grouped.current is group.found[-1]
    qtbot.keyClick(grouped.tree, Qt.Key.Key_F4, Qt.KeyboardModifier.ShiftModifier)
    assert grouped.current is group.found[-2] and broken.desk.focus.focus.event == events[-2]
    grouped._choose(group.found[0])
    (links,) = [section for section in grouped.about.sections if section.title.startswith("Same rule")]
    others = sorted(set(events) - {events[0]})
    assert {fact.name: fact.event for fact in links.facts} == {"Next": others[0]} | ({"Last": others[-1]} if others[1:] else {})


def test_without_a_selection_the_keys_begin_where_one_looks(broken: Window, grouped: FindingsPanel) -> None:
    places = sorted(one.seq for one in grouped.model.rows if one.seq > 0)
    broken.desk.focus.go(event=0)
    grouped._choose(None)
    broken.findings.step_rule(+1)
    assert broken.desk.focus.focus.event == places[0]


def test_filters_apply_to_the_tree_and_the_choice_is_kept(broken: Window, grouped: FindingsPanel) -> None:
    grouped.search.setText("warning")
    assert {group.worst.severity for group in grouped.tree.rules.groups} == {"warning"}
    grouped.search.setText("no such words")
    assert grouped.table.isVisible() and grouped.table.placeholder == "No finding matches."
    grouped.search.clear()
    assert grouped.tree.isVisible()
    assert broken.settings.kept("findings/by_rule", False) is True


def test_a_narrow_tree_leaves_the_room_to_the_sentence(qtbot: Any) -> None:
    tree = RuleTree()
    qtbot.addWidget(tree)
    widths = {}
    for width in (1000, 500, 1000):
        tree.resize(width, 300)
        tree.show()
        qtbot.waitUntil(lambda width=width: tree.width() == width)
        found = [tree.columnWidth(column) for column in (NAME, COUNT, SEVERITY)]
        assert widths.setdefault(width, found) == found
    assert sum(widths[500]) < sum(widths[1000]) and min(widths[500]) >= 50
