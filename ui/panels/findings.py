"""What the program or the driver did against the rules, where to the byte, and what the rule says."""

from __future__ import annotations

from typing import Any

from core.spec.findings import RULES
from inspector import Findings
from inspector.focus import Focus
from inspector.query.events.findings import are_drawn, known
from inspector.view import CaptureView
from ui.models.findings import byte_text, link, token
from ui.models.table import Column, RowsModel
from ui.panels.contents import facts_of, show_contents, things_in
from ui.panels.panel import Panel
from ui.roles import LINK_ROLE, MARK_ROLE, TOKEN_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import halves, label, search_box, strip
from ui.widgets.facts import Fact, Facts, Section
from ui.widgets.tables import Table
from ui.widgets.working import Working
from ui.words import counting

CHECK = "findings.everything"
TIP = """Redraws the capture to check the rules that need drawing (vertices outside their streams,
missing textures, surfaces read and drawn to at once). You can keep working."""
NOTHING = "No findings in calls and tokens.\nSome rules need drawing: click Check everything."
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
        self.table.stretch(3, 190)
        cell = ValueCell(self.table)
        cell.followed.connect(lambda event: self.go(event=event))
        self.table.setItemDelegate(cell)
        self.about = Facts("Rule and position")
        self.about.followed.connect(lambda event: self.go(event=event))
        self.about.asked.connect(self._show_thing)
        self.search = search_box("Filter findings", "Filter", "Words of the finding, its rule, severity or section")
        self.search.textChanged.connect(lambda _: self._show())
        self.everything = Working("Check everything", TIP)
        self.everything.asked.connect(self.check_everything)
        self.everything.stopped.connect(lambda: self.desk.ask.cancel(CHECK))
        self.count = label(kind="faint")
        self.box.addWidget(strip(self.search, None, self.everything))
        self.box.addWidget(halves(self.table, self.about, sizes=(260, 150), beside=(430, 230)))
        self.box.addWidget(strip(self.count, None, name="foot"))
        self.table.activated_row.connect(self._follow)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._show_details(now.row()))
        self.desk.ask.aside_progressed.connect(self._progressed)
        self.desk.found_changed.connect(self._show)
        self.desk.ask.busy_changed.connect(self._look_again)
        self._short = 0

    def capture_changed(self) -> None:
        """The tab counts findings even while the list is hidden."""
        capture = self.desk.capture
        if capture is not None and capture.complete:
            self._short = len(capture.shortages)
            self.desk.ask("findings", lambda _: known(capture), self.desk.find)

    def grown(self) -> None:
        self.capture_changed()

    def _look_again(self, busy: bool) -> None:
        """After answers: the computer may have run out of memory while it drew for them."""
        capture = self.desk.capture
        if not busy and capture is not None and len(capture.shortages) != self._short:
            self.capture_changed()

    def check_everything(self) -> None:
        """Also looks for what only drawing shows."""
        capture = self.desk.capture
        if capture is not None and not self.desk.ask.is_aside(CHECK):
            self.desk.ask.aside(CHECK, lambda: capture.in_pieces(Findings()), self.desk.find, lambda e: self.fail(str(e)))

    def moved(self, new: Focus, old: Focus) -> None:
        """The finding of the event, if it has one, becomes current."""
        row = self.table.currentIndex().row()
        if not (0 <= row < len(self.model.rows) and self.model.rows[row].seq == new.event):
            self.table.show_row(next((row for row, found in enumerate(self.model.rows) if found.seq == new.event), -1))

    def _progressed(self, asker: str, fraction: float) -> None:
        if asker == CHECK:
            self.everything.show_progress(fraction)

    def _show(self) -> None:
        found, capture = self.desk.found, self.desk.capture
        words = self.search.text().casefold().split()
        shown = [one for one in found if all(word in _searched(one) for word in words)]
        self.model.set_rows(shown)
        self.table.show_row(next((row for row, one in enumerate(shown) if one.seq == self.desk.focus.focus.event), -1))
        self._show_details(self.table.currentIndex().row())
        drawn = capture is not None and are_drawn(capture)
        self.everything.setVisible(capture is not None and not drawn)
        self.retitled.emit(f"Findings {len(found):,}" if found else self.title)
        self.table.placeholder = "" if capture is None else NOTHING_AT_ALL if drawn else NOTHING
        if found:
            self.table.placeholder = "No finding matches."
        self.count.setText(_counted(len(shown), len(found), drawn) if found else "")
        self.table.viewport().update()

    def _follow(self, row: int) -> None:
        if (seq := self.model.rows[row].seq) >= 0:
            self.go(event=int(seq))

    def _show_thing(self, kind: str, handle: int) -> None:
        """What a finding names, as it was at its event."""
        row = self.table.currentIndex().row()
        show_contents(self.desk, self, kind, handle, link(self.model.rows[row]) if row >= 0 else None)

    def _show_details(self, row: int) -> None:
        capture, rows = self.desk.capture, self.model.rows
        there = capture is not None and 0 <= row < len(rows)
        self.about.show_sections(sections(capture, rows[row]) if capture is not None and there else ())


def sections(capture: CaptureView, found: Any) -> list[Section]:
    """A finding in full: the sentence, the place, the rule."""
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
    ]


def _counted(shown: int, total: int, drawn: bool) -> str:
    counted = counting(total, "finding") if shown == total else f"{shown:,} of {counting(total, 'finding')}"
    return counted if drawn else f"{counted} in calls and tokens; rules that need drawing are unchecked"


def _searched(found: Any) -> str:
    return f"{found.text} {found.rule} {found.severity} {found.section}".casefold()
