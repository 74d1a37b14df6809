"""Broken rules of the program or the driver, with byte offsets and the text of the rule; by rule, or in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QStackedWidget

from core.spec.findings import RULES
from inspector.focus import Focus
from inspector.query.events.findings import are_drawn
from inspector.view import CaptureView
from ui.models.findings import byte_text, link, token
from ui.models.table import Column, RowsModel
from ui.panels.checking import CHECK
from ui.panels.contents import facts_of, show_contents, things_in
from ui.panels.panel import Panel
from ui.panels.rule_tree import RuleTree
from ui.roles import LINK_ROLE, MARK_ROLE, TOKEN_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import halves, label, search_box, strip, tool
from ui.widgets.facts import Fact, Facts, Section
from ui.widgets.folding import FoldingStrip
from ui.widgets.tables import Table
from ui.widgets.working import Working
from ui.words import counting

TIP = """Redraws the capture to check the rules that need drawing (vertices outside their streams,
missing textures, surfaces read and drawn to at once). You can keep working."""
NOTHING = "No findings in calls and tokens.\nSome rules need drawing: click Check everything."
NOT_YET = "Findings are listed when the whole file has been read."
NONE_CHOSEN = (Section("", (Fact("", "Select a finding for its rule and its place."),)),)
NOTHING_AT_ALL = "No findings in calls, tokens or drawing."


class FindingsPanel(Panel):
    title, name = "Findings", "findings"
    depends = ()

    def build(self) -> None:
        self.model = RowsModel(
            (
                Column("Event", lambda f: f"#{f.seq}" if f.seq >= 0 else "", {LINK_ROLE: link, MARK_ROLE: token}),
                Column("Severity", lambda f: str(f.severity), {TOKEN_ROLE: token}),
                Column("Byte", byte_text, {TOKEN_ROLE: lambda _: "muted"}),
                Column("Finding", lambda f: f.text),
                Column("Rule", lambda f: str(f.rule), {TOKEN_ROLE: lambda _: "faint"}),
            ),
            self,
        )
        self.table = Table(self.model, "Findings", (66, 68, 56, 300, 124))
        self.table.stretch((3, 190))
        cell = ValueCell(self.table)
        cell.followed.connect(lambda event: self.go(event=event))
        self.table.setItemDelegate(cell)
        self.tree = RuleTree()
        self.tree.followed.connect(lambda event: self.go(event=event))
        self.tree.chosen.connect(self._show_details)
        self.lists = QStackedWidget(self)
        self.lists.addWidget(self.table)
        self.lists.addWidget(self.tree)
        self.about = Facts("Rule and position")
        self.about.followed.connect(lambda event: self.go(event=event))
        self.about.asked.connect(self._show_thing)
        self.search = search_box("Filter findings", "Filter", "Words of the finding, its rule, severity or section")
        self.search.textChanged.connect(lambda _: self._show())
        by_rule = bool(self.kept("by_rule", True))
        tip = "Rules with their counts, and the findings of each below; off: all findings in the order of the capture"
        self.by_rule = tool("Group by rule", tip, text="By rule", checkable=True, checked=by_rule)
        self.by_rule.toggled.connect(self._group)
        self.everything = Working("Check everything", TIP)
        self.everything.asked.connect(self.desk.checking.check_everything)
        self.everything.stopped.connect(self.desk.checking.stop)
        self.count = label(kind="faint")
        self.box.addWidget(FoldingStrip((self.search,), (self.by_rule, self.everything), grows=self.search))
        self.split = halves(self.lists, self.about, sizes=(260, 150), beside=(520, 230))
        self.split.keep_still(self.table)
        self.split.keep_still(self.tree)
        self.box.addWidget(self.split)
        self.box.addWidget(strip(self.count, None, name="foot"))
        self.table.activated_row.connect(self._follow)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._show_details(self._in_table(now.row())))
        self.desk.ask.aside_progressed.connect(self._progressed)
        self.desk.found_changed.connect(self._show)
        self._group(by_rule)

    def _group(self, by_rule: bool) -> None:
        """Shows the tree or the list, at the same finding."""
        found = self.current
        self.keep("by_rule", by_rule)
        self.lists.setCurrentWidget(self.tree if by_rule else self.table)
        self._choose(found)

    @property
    def current(self) -> Any:
        """The finding that is selected; of a rule its first; None without one."""
        shown = self.lists.currentWidget()
        return self.tree.current if shown is self.tree else self._in_table(self.table.currentIndex().row())

    def _in_table(self, row: int) -> Any:
        return self.model.rows[row] if 0 <= row < len(self.model.rows) else None

    def _choose(self, found: Any) -> None:
        """Makes a finding current in both lists; None: none is."""
        self.table.show_row(next((row for row, one in enumerate(self.model.rows) if one is found), -1))
        self.tree.show_finding(found)
        self._show_details(found)

    def step_rule(self, by: int) -> None:
        """Goes to the next finding of the selected one's rule (-1: the previous); without one, of any rule."""
        now, rows, here = self.current, self.model.rows, self.desk.focus.focus.event
        if now is None:
            later = [one for one in rows if (one.seq - here) * by > 0 and one.seq >= 0]
            found = min(later, key=lambda one: abs(one.seq - here), default=None)
        else:
            found = _beside(now, rows, by)
        if found is not None:
            self._choose(found)
            if found.seq >= 0:
                self.go(event=int(found.seq))

    def catch_up(self) -> None:
        self._show()

    def moved(self, new: Focus, old: Focus) -> None:
        """The finding of the event, if it has one, becomes current."""
        now = self.current
        if now is None or now.seq != new.event:
            self._choose(self._here(now))

    def _here(self, now: Any = None) -> Any:
        """A finding of the event one looks at, if possible of the same rule as another; None: it has none."""
        there = [one for one in self.model.rows if one.seq == self.desk.focus.focus.event]
        return next((one for one in there if now is not None and one.rule == now.rule), there[0] if there else None)

    def _progressed(self, asker: str, fraction: float) -> None:
        if asker == CHECK:
            self.everything.show_progress(fraction)

    def _show(self) -> None:
        found, capture = self.desk.found, self.desk.capture
        words = self.search.text().casefold().split()
        shown = [one for one in found if all(word in _searched(one) for word in words)]
        self.model.set_rows(shown)
        self.tree.show_found(shown)
        if not shown or not self.by_rule.isChecked():
            self.lists.setCurrentWidget(self.table)  # which says why it is empty
        else:
            self.lists.setCurrentWidget(self.tree)
        self._choose(self._here())
        drawn = capture is not None and are_drawn(capture)
        self.everything.setVisible(capture is not None and not drawn)
        self.table.placeholder = "" if capture is None else NOTHING_AT_ALL if drawn else NOTHING
        if self.desk.so_far:
            self.table.placeholder = NOT_YET
        if found:
            self.table.placeholder = "No finding matches."
        self.count.setText(_counted(len(shown), len(found), drawn) if found else "")
        self.table.viewport().update()

    def _follow(self, row: int) -> None:
        if (seq := self.model.rows[row].seq) >= 0:
            self.go(event=int(seq))

    def _show_thing(self, kind: str, handle: int) -> None:
        """What a finding names, as it was at its event."""
        found = self.current
        show_contents(self.desk, self, kind, handle, link(found) if found is not None else None)

    def _show_details(self, found: Any) -> None:
        capture = self.desk.capture
        if capture is None or found is None:
            self.about.show_sections(NONE_CHOSEN if self.model.rows else ())
        else:
            self.about.show_sections(sections(capture, found, self.desk.found))
        self.split.set_empty(self.about, found is None, hint=bool(self.model.rows))


def titled(found: Sequence[Any]) -> str:
    """What the tab says."""
    return f"{FindingsPanel.title} {len(found):,}" if found else FindingsPanel.title


def sections(capture: CaptureView, found: Any, among: Sequence[Any] = ()) -> list[Section]:
    """A finding in full: the sentence, the place, the rule, and where else that is broken."""
    place = [Fact("", "Whole capture")]
    if (event := link(found)) is not None and event < len(capture.events):
        place = [Fact("Event", f"#{event}  {capture.name(event)}", event, mono=True)]
        place.append(Fact("Driver call", str(int(capture.events.call[event])), mono=True))
    if byte := byte_text(found):
        place.append(Fact("Byte", f"{byte} of the command buffer", mono=True))
    place += facts_of(things_in(found.text))
    rule = RULES.get(found.rule)
    facts = [Fact("Requirement", rule.sentence), Fact("Applies to", rule.where)] if rule else []
    facts += [Fact("Section", str(found.section)), Fact("Rule id", str(found.rule), mono=True)]
    return [
        Section(f"{found.severity}".capitalize(), (Fact("", found.text),)),
        Section("Position", tuple(place)),
        Section("Rule", tuple(fact for fact in facts if fact.value)),
        *_elsewhere(found, among),
    ]


def _elsewhere(found: Any, among: Sequence[Any]) -> list[Section]:
    """The first, previous and next finding of the same rule at another event, as links."""
    alike = [one for one in among if one.rule == found.rule]
    events = sorted({int(one.seq) for one in alike if one.seq >= 0} - {int(found.seq)})
    before = [event for event in events if event < found.seq]
    after = [event for event in events if event > found.seq]
    links = {"First": before[:-1][:1], "Previous": before[-1:], "Next": after[:1], "Last": after[1:][-1:]}
    facts = tuple(Fact(name, f"#{event[0]}", event[0], mono=True) for name, event in links.items() if event)
    return [Section(f"Same rule: {counting(len(alike), 'finding')}", facts)] if facts else []


def _beside(found: Any, among: Sequence[Any], by: int) -> Any:
    """The finding of the same rule after (-1: before) one; None: it was the last."""
    alike = [one for one in among if one.rule == found.rule]
    place = next((place for place, one in enumerate(alike) if one is found), None)
    if place is None or not 0 <= place + by < len(alike):
        return None
    return alike[place + by]


def _counted(shown: int, total: int, drawn: bool) -> str:
    counted = counting(total, "finding") if shown == total else f"{shown:,} of {counting(total, 'finding')}"
    return counted if drawn else f"{counted} in calls and tokens; rules that need drawing are unchecked"


def _searched(found: Any) -> str:
    return f"{found.text} {found.rule} {found.severity} {found.section}".casefold()
