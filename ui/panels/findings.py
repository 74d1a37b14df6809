"""The rules that the program or the driver broke, and where."""

from __future__ import annotations

from typing import Any

from inspector.focus import Focus
from ui.models.table import Column, RowsModel
from ui.panels.panel import Panel
from ui.roles import LINK_ROLE, MARK_ROLE, TOKEN_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import label, strip
from ui.widgets.tables import Table

TOKENS = {"error": "error", "warning": "warning"}


class FindingsPanel(Panel):
    title, name = "Findings", "findings"
    depends = ()

    def build(self) -> None:
        self.model = RowsModel(
            (
                Column("Event", lambda f: f"#{f.seq}" if f.seq >= 0 else "", {LINK_ROLE: _link, MARK_ROLE: _token}),
                Column("Severity", lambda f: str(f.severity), {TOKEN_ROLE: _token}),
                Column("Finding", lambda f: f.text),
                Column("Rule", lambda f: str(f.rule), {TOKEN_ROLE: lambda _: "faint"}),
                Column("Section", lambda f: str(f.section or ""), {TOKEN_ROLE: lambda _: "faint"}),
            ),
            self,
        )
        self.table = Table(self.model, "Findings", (72, 74, 460, 150))
        cell = ValueCell(self.table)
        cell.followed.connect(lambda event: self.go(event=event))
        self.table.setItemDelegate(cell)
        self.count = label(kind="faint")
        self.box.addWidget(self.table)
        self.box.addWidget(strip(self.count, None, name="foot"))
        self.table.activated_row.connect(self._follow)

    def capture_changed(self) -> None:
        capture = self.desk.capture
        findings: list[Any] = list(capture.findings) if capture is not None else []
        self.model.set_rows(findings)
        self.table.placeholder = "No broken rule was found." if capture is not None else ""
        self.retitled.emit(f"Findings {len(findings):,}" if findings else self.title)
        self.count.setText(f"{len(findings):,} findings" if findings else "")

    def moved(self, new: Focus, old: Focus) -> None:
        """The finding of the event, if it has one, becomes current."""
        rows = self.model.rows
        self.table.show_row(next((row for row, finding in enumerate(rows) if finding.seq == new.event), -1))

    def _follow(self, row: int) -> None:
        if (seq := self.model.rows[row].seq) >= 0:
            self.go(event=int(seq))


def _link(finding: Any) -> int | None:
    return int(finding.seq) if finding.seq >= 0 else None


def _token(finding: Any) -> str:
    return TOKENS.get(str(finding.severity), "link")
