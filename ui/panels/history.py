"""Everything that happened to the chosen pixel: each fragment with its fate and why, what missed, and one fragment in full."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from inspector.focus import Focus
from inspector.query.events.spans import span
from inspector.query.pixels.explain import Explain, Explanation
from inspector.query.pixels.explain_facts import explained
from inspector.query.pixels.fates import FATE_TITLES
from inspector.query.pixels.history import History, PixelHistory
from inspector.query.pixels.pixel import pinned
from inspector.view import CaptureView
from ui.models.history import Row, rows_of
from ui.models.table import Column, RowsModel
from ui.panels.panel import Panel, Question
from ui.roles import LINK_ROLE, MARK_ROLE, SWATCH_ROLE, TOKEN_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import Choice, halves, label, search_box, single_shot, strip, tool
from ui.widgets.facts import Fact, Facts, Section
from ui.widgets.tables import Table

NOTHING_CHOSEN = "Pick a pixel: click in the Surface panel, or press Shift+arrow keys there."
SWATCHES = "Colour before, shaded, after"
TIP_ROLE = int(Qt.ItemDataRole.ToolTipRole)
FRAME, UNTIL, DRAW, CAPTURE = range(4)
RANGES = (("frame", "Frame"), ("until", "Frame up to here"), ("event", "This event"), ("capture", "Whole capture"))
WIDTHS = (58, 60, 66, 260, 150)
WHY, TOKEN = 3, 4
"""The column that takes the room there is."""


class HistoryPanel(Panel):
    title, name = "Pixel history", "history"
    depends: ClassVar[tuple[str, ...]] = ("event", "surface", "level", "face", "slice", "sample", "pixel")

    def build(self) -> None:
        self.history: History | None = None
        self._rows: list[Row] = []
        self.edit = search_box("Filter the history", "Filter")
        self.range = Choice("Range of events")
        self.range.addItems([title for _, title in RANGES])
        self.range.activated.connect(lambda _: self.refresh())
        self.failed = _toggle("Failed", "Fragments that were not written")
        self.missed = _toggle("Missed", "Primitives that would cover the pixel but were culled, clipped or degenerate")
        self.where = label(kind="muted")
        self.count = label(kind="faint")
        self.model = RowsModel(COLUMNS, self)
        self.table = self._make_table()
        self.facts = Facts("The fragment in full")
        self.facts.followed.connect(lambda event: self.go(event=event))
        self.box.addWidget(strip(self.edit, self.range, self.failed, self.missed, None, self.where))
        self.box.addWidget(halves(self.table, self.facts, sizes=(260, 240), beside=(420, 260)), 1)
        self.box.addWidget(strip(self.count, None, name="foot"))
        typing = single_shot(self, 80, self._show)
        self.edit.textChanged.connect(lambda _: typing.start())
        self.failed.toggled.connect(lambda _: self._show())
        self.missed.toggled.connect(lambda _: self._show())

    def _make_table(self) -> Table:
        table = Table(self.model, "History of the pixel", WIDTHS)
        table.stretch(WHY, 180)
        table.hideColumn(TOKEN)  # the facts next to it name it
        cell = ValueCell(table)
        cell.followed.connect(self._go_to)
        table.setItemDelegate(cell)
        table.placeholder = NOTHING_CHOSEN
        table.chosen_row.connect(self._explain)
        table.activated_row.connect(self._follow)
        return table

    # Asking

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        stretch = RANGES[self.range.currentIndex()][0]
        return None if focus.pixel is None else lambda progress: _history(capture, focus, stretch, progress.stop.is_set)

    def display(self, answer: tuple[History, list[Row]]) -> None:
        self.history, self._rows = answer
        where = f"pixel {self.history.x}, {self.history.y} of surface {self.history.surface}"
        self.where.setText(where if self.history.sample is None else f"{where}, sample {self.history.sample}")
        self.table.placeholder = "Nothing touched this pixel in this range."
        self._show()
        self.desk.show_marks("history", np.unique([row.event for row in self._rows if row.entry is not None]).astype(np.int64))

    def clear(self) -> None:
        self.history, self._rows = None, []
        self.where.setText("")
        self.table.placeholder = NOTHING_CHOSEN
        self._show()
        self.desk.show_marks("history", np.zeros(0, np.int64))

    def fail(self, sentence: str) -> None:
        self.clear()
        self.table.placeholder = sentence

    # Showing

    def _show(self) -> None:
        words = self.edit.text().casefold().split()
        rows = [row for row in self._rows if self._wanted(row) and row.mentions(words)]
        self.model.set_rows(rows)
        history = self.history
        self.retitled.emit(f"Pixel history {len(history.entries):,}" if history is not None else self.title)
        self.count.setText(_counted(history, len(rows)) if history is not None else "")
        place = self._first_choice(rows)
        self.table.show_row(place)
        self._explain(place)

    def _wanted(self, row: Row) -> bool:
        if row.entry is None:
            return self.missed.isChecked()
        return row.entry.passed or self.failed.isChecked()

    def _first_choice(self, rows: list[Row]) -> int:
        """The fragment that the focus names, or what the pixel has its value from; else the last that was no miss."""
        focus = self.desk.focus.focus
        here = [n for n, row in enumerate(rows) if row.event == focus.event and row.primitive == focus.primitive is not None]
        entries = [n for n, row in enumerate(rows) if row.entry is not None]
        decided = [n for n in entries if rows[n].entry.decided]  # type: ignore[union-attr]
        return (here or decided or entries or [len(rows) - 1])[-1]

    def _explain(self, row: int) -> None:
        """Asks for the row's fragment in full."""
        entry = self.model.rows[row].entry if 0 <= row < len(self.model.rows) else None
        capture = self.desk.capture
        if entry is None or entry.kind != "fragment" or capture is None:
            self.desk.ask.cancel("explain fragment")
            self.facts.show_sections(_plainly(self.model.rows[row]) if 0 <= row < len(self.model.rows) else ())
            return
        question = lambda _: capture.ask(Explain(entry))  # noqa: E731
        self.desk.ask("explain fragment", question, self._explained, lambda error: self.fail(str(error)))

    def _explained(self, found: Explanation) -> None:
        titled = list(explained(found))
        if self.desk.index is not None:  # what the result is of
            titled[0] = (f"{self.desk.index.name(found.entry.event)}  #{found.entry.event}", titled[0][1])
        facts = [(title, [Fact(name, value, mono=bool(name)) for name, value in rows]) for title, rows in titled]
        self.facts.show_sections([Section(title, tuple(rows)) for title, rows in facts])

    def _follow(self, number: int) -> None:
        """Enter or a double click goes to the event and primitive."""
        self._go_to(self.model.rows[number])

    def _go_to(self, row: Row) -> None:
        self.go(event=row.event, primitive=row.primitive)

    def focus_filter(self) -> None:
        self.edit.setFocus()
        self.edit.selectAll()


COLUMNS = (
    Column("Event", lambda row: f"#{row.event}", {LINK_ROLE: lambda row: row, MARK_ROLE: lambda row: row.mark}),
    Column("Primitive", lambda row: row.which, {TOKEN_ROLE: lambda row: row.color}),
    Column("Colours", lambda _: "", {SWATCH_ROLE: lambda row: row.swatches, TIP_ROLE: lambda _: SWATCHES}),
    Column("Why", lambda row: row.sentence, {TOKEN_ROLE: lambda row: row.color}),
    Column("Token", lambda row: row.token, {TOKEN_ROLE: lambda row: row.color}),
)


def _toggle(text: str, tip: str) -> QToolButton:
    return tool(tip, tip, text=text, checkable=True, checked=True)


def _history(capture: CaptureView, focus: Focus, stretch: str, cancel: Any) -> tuple[History, list[Row]]:
    """The answer, off the GUI thread."""
    assert focus.pixel is not None
    where = pinned(capture, focus.where, focus.event, cancel)
    found = capture.ask(PixelHistory(where, *focus.pixel, *span(capture, focus.event, stretch)), cancel)
    return found, rows_of(capture, found)


def _counted(history: History, shown: int) -> str:
    fates = ", ".join(f"{count:,} {FATE_TITLES[fate]}" for fate, count in history.fates.items())
    total = len(history.entries) + len(history.misses)
    less = f"{shown:,} of {total:,} shown; " if shown < total else ""
    return f"{less}{len(history.fragments):,} fragments{': ' if fates else ''}{fates}; {len(history.misses):,} missed"


def _plainly(row: Row) -> list[Section]:
    """What there is to say of a clear, a copy, a miss."""
    facts = [Fact("", row.sentence)]
    if row.entry is not None:
        values = (("before", row.entry.before), ("after", row.entry.after))
        facts += [Fact(name, f"{value.stored}   {value.text}", mono=True) for name, value in values]
    return [Section(f"{row.token}  #{row.event}", tuple(facts))]
