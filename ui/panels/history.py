"""The history of the picked pixel: each fragment with its fate and the reason, misses, and one fragment in full."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QModelIndex, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton

from core.errors import BadInput
from inspector.focus import Focus
from inspector.query.comparison.bisect import Bisect, Verdict
from inspector.query.comparison.right import Color, typed_color
from inspector.query.events.spans import span
from inspector.query.pixels.explain import Explain, Explanation
from inspector.query.pixels.explain_facts import explained
from inspector.query.pixels.fates import FATE_TITLES
from inspector.query.pixels.history import History, PixelHistory
from inspector.query.pixels.pixel import pinned
from inspector.view import CaptureView
from ui.models.history import Row, rows_of
from ui.models.table import Column, RowsModel
from ui.panels.expected import add_expected
from ui.panels.panel import Panel, Question, as_sentence
from ui.roles import FILL_ROLE, LINK_ROLE, MARK_ROLE, TOKEN_ROLE, VALUE_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import Choice, halves, label, search_box, single_shot, strip, tool
from ui.widgets.facts import Fact, Facts, Section
from ui.widgets.folding import FoldingStrip
from ui.widgets.row_menu import give_row_menu
from ui.widgets.tables import Table
from ui.words import counting

WAITING = "Reading the history…"
NOTHING_CHOSEN = "Pick a pixel: click in the Surface panel, or press Shift+arrow keys there."
NOTHING_MATCHES = "No fragment matches the filter."
TIP_ROLE = int(Qt.ItemDataRole.ToolTipRole)
FRAME, UNTIL, DRAW, CAPTURE = range(4)
RANGES = (("frame", "Frame"), ("until", "Frame up to here"), ("event", "This event"), ("capture", "Whole capture"))
WIDTHS = (58, 50, 60, 58, 66, 58, 82, 166, 60, 260, 150)
LIST = QSize(410, 162)
"""Pixels that the list keeps: its columns without depths, and its titles with six rows."""
LOW = 226
"""Pixels of height of the panel below which six rows have no room above the counts."""
FRAME_NUMBER, DEPTHS, WHY, TOKEN = 1, (6, 7, 8), 9, 10
"""Columns; WHY takes the room there is."""
ASKED = {"diffuse", "specular", "shaded", "fog factor", *(f"t{n}" for n in range(8))}
"""Facts of a fragment whose origins can be listed."""


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
        self.depths = tool("Depth", "Depth and stencil: of the fragment, stored before and after", text="Depth", checkable=True)
        self.depths.setChecked(self.kept("depths", False))
        self.where = label(kind="muted")
        self.where.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)  # the count gives way
        self.count = label(kind="faint")
        self.model = RowsModel(COLUMNS, self)
        self.table = self._make_table()
        self.facts = Facts("The fragment in full")
        self.details = tool("Details", "The fragment in full, instead of the list: there is no room for both", text="Details",
                            checkable=True)  # fmt: skip
        self.facts.followed.connect(lambda event: self.go(event=event))
        self.facts.origin_asked.connect(self.ask_origin)
        shown = self.details, self.failed, self.missed, self.depths
        self.box.addWidget(FoldingStrip((self.edit, self.range), shown, kept=1, grows=self.edit))
        self.split = halves(self.table, self.facts, sizes=(240, 200), beside=(660, 275))
        self.split.keep(self.table, LIST, self.facts)
        self.split.crowded.connect(self.details.setVisible)
        self.details.toggled.connect(self.split.swap)
        self.details.hide()
        self.box.addWidget(self.split, 1)
        self.foot = strip(self.count, None, self.where, name="foot")
        self.box.addWidget(self.foot)
        typing = single_shot(self, 80, self._show)
        self.edit.textChanged.connect(lambda _: typing.start())
        self.failed.toggled.connect(lambda _: self._show())
        self.missed.toggled.connect(lambda _: self._show())
        self.depths.toggled.connect(self._show_depths)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low panel the rows have the room of the counts."""
        super().resizeEvent(event)
        self.foot.setVisible(self.height() >= LOW)

    def _make_table(self) -> Table:
        table = Table(self.model, "History of the pixel", WIDTHS)
        table.stretch((WHY, 90))  # on one line: what happened is read down the list; the facts say all of it
        table.hideColumn(TOKEN)  # the facts next to it name it
        for column in (FRAME_NUMBER, *(() if self.depths.isChecked() else DEPTHS)):
            table.hideColumn(column)
        give_row_menu(table, self.menu_of)
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
        self.table.setColumnHidden(FRAME_NUMBER, self.range.currentIndex() != CAPTURE)
        where = f"{self.history.x}, {self.history.y} of {self.history.place}"
        self.where.setText(where if self.history.sample is None else f"{where}, sample {self.history.sample}")
        self._show()
        self.desk.history_of = self.desk.frame_pixel(self.desk.focus.focus)
        self.desk.show_marks("history", np.unique([row.event for row in self._rows if row.entry is not None]).astype(np.int64))

    def clear(self) -> None:
        self.history, self._rows = None, []
        self.where.setText("")
        self.table.placeholder = NOTHING_CHOSEN
        self._show()
        self.desk.history_of = None
        self.desk.show_marks("history", np.zeros(0, np.int64))

    def waiting(self) -> None:
        if self.table.placeholder == NOTHING_CHOSEN:
            self.table.placeholder = WAITING
            self.table.viewport().update()

    def fail(self, sentence: str) -> None:
        self.clear()
        self.table.placeholder = sentence

    # Showing

    def _show(self) -> None:
        words = self.edit.text().casefold().split()
        rows = [row for row in self._rows if self._wanted(row) and row.mentions(words)]
        self.model.set_rows(rows)
        self.split.set_empty(self.facts, not rows)
        history = self.history
        if history is not None:
            self.table.placeholder = NOTHING_MATCHES if self._rows else "Nothing touched this pixel in this range."
        self.retitled.emit(f"Pixel history {len(history.entries):,}" if history is not None else self.title)
        whole = self.desk.so_far if self.range.currentIndex() == CAPTURE else ""
        self.count.setText(_counted(history, len(rows)) + whole if history is not None else "")
        place = self._first_choice(rows)
        self.table.show_row(place)
        self._explain(place)

    def _show_depths(self, shown: bool) -> None:
        self.keep("depths", shown)
        for column in DEPTHS:
            self.table.setColumnHidden(column, not shown)

    def _wanted(self, row: Row) -> bool:
        if row.entry is None:
            return self.missed.isChecked()
        return row.entry.passed or self.failed.isChecked()

    def _first_choice(self, rows: list[Row]) -> int:
        """The fragment that the focus names, or what the pixel has its value from by then; else the last that was no miss."""
        focus = self.desk.focus.focus
        frame = self.desk.index.frame(focus.event) if self.desk.index else 0
        here = [n for n, row in enumerate(rows) if row.event == focus.event and row.primitive == focus.primitive is not None]
        known = [n for n, row in enumerate(rows) if row.entry is not None]
        entries = [n for n in known if rows[n].frame <= frame] or known
        decided = [n for n in entries if rows[n].entry.decided]  # type: ignore[union-attr]
        by_then = [n for n in decided if rows[n].event <= focus.event]  # what the picture shows
        return (here or by_then or decided or entries or [len(rows) - 1])[-1]

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
        self.facts.show_sections([Section(title, tuple(map(_fact, rows))) for title, rows in titled])

    def _follow(self, number: int) -> None:
        """Enter or a double click goes to the event and primitive."""
        self._go_to(self.model.rows[number])

    def _go_to(self, row: Row) -> None:
        self.go(event=row.event, primitive=row.primitive)

    # Menu

    def menu_of(self, index: QModelIndex) -> QMenu | None:
        """What can be done with an entry."""
        if not index.isValid():
            return None
        row, menu = self.model.rows[index.row()], QMenu(self)
        menu.addAction(f"Go to event {row.event}", partial(self._go_to, row))
        if row.entry is not None and row.entry.kind == "fragment":
            menu.addAction("Step through the fragment", partial(self.ask_origin, "", row))
            menu.addAction("Where does its colour come from?", partial(self.ask_origin, "shaded", row))
        if row.entry is not None:
            add_expected(menu, self, row)
        if row.primitive is not None:
            menu.addAction(
                f"What if event {row.event} were disabled", lambda: self.desk.wanted.emit("edit", f"disable {row.event}")
            )
        return menu

    def ask_origin(self, name: str, row: Row | None = None) -> None:
        """Lists in Steps what a value of the selected fragment comes from; without a name, its steps."""
        place = self.table.currentIndex().row()
        row = row or (self.model.rows[place] if 0 <= place < len(self.model.rows) else None)
        if row is not None:
            self._go_to(row)
            self.desk.wanted.emit("origin", {"shaded": "color"}.get(name, name))

    # What is wrong

    def find_wrong(self, text: str) -> None:
        """Asks which event gave the pixel a colour that it should not have, from the one that it should end with."""
        capture, history = self.desk.capture, self.history
        if capture is None or history is None:
            return
        try:
            color = typed_color(text)
        except BadInput as error:
            self.count.setText(as_sentence(str(error)))
            return
        x, y = history.x, history.y
        asked = Bisect(Color(color), history.surface, (x, y, x + 1, y + 1), last=history.last)
        self.count.setText("Finding the first wrong event…")
        self.desk.ask("first wrong", lambda progress: capture.ask(asked, progress.stop.is_set), self._show_wrong,
                      lambda error: self.count.setText(as_sentence(str(error))))  # fmt: skip

    def _show_wrong(self, found: Verdict) -> None:
        self.count.setText(as_sentence(found.sentence))
        self.desk.done.emit(as_sentence(found.sentence))  # what is counted follows the event that one goes to
        if found.first_wrong is not None:
            self.go(event=found.first_wrong, primitive=found.primitive)

    def focus_filter(self) -> None:
        self.edit.setFocus()
        self.edit.selectAll()


MOMENTS = {
    "Before": "What the pixel held before",
    "Fragment": "The fragment's colour, before blending",
    "After": "What the pixel holds afterwards",
}


def _swatch_column(moment: int, title: str) -> Column:
    """A colour that fills its cell; copied, it is numbers."""
    tip = lambda row: f"{MOMENTS[title]}: {row.value(moment)}" if row.value(moment) else ""  # noqa: E731
    roles = {FILL_ROLE: lambda row: row.swatch(moment), VALUE_ROLE: lambda row: row.value(moment), TIP_ROLE: tip}
    return Column(title, lambda _: "", roles)


COLUMNS = (
    Column("Event", lambda row: f"#{row.event}", {LINK_ROLE: lambda row: row, MARK_ROLE: lambda row: row.mark}),
    Column("Frame", lambda row: str(row.frame), {TOKEN_ROLE: lambda _: "faint"}),
    Column("Primitive", lambda row: row.which, {TOKEN_ROLE: lambda row: row.color}),
    *(_swatch_column(moment, title) for moment, title in enumerate(MOMENTS)),
    Column("Depth", lambda row: row.depth, {TOKEN_ROLE: lambda row: row.color}),
    Column("Stored depth", lambda row: row.kept("depth"), {TOKEN_ROLE: lambda row: row.color}),
    Column("Stencil", lambda row: row.kept("stencil"), {TOKEN_ROLE: lambda row: row.color}),
    Column("Why", lambda row: row.sentence, {TOKEN_ROLE: lambda row: row.color}),
    Column("Token", lambda row: row.token, {TOKEN_ROLE: lambda row: row.color}),
)


def _fact(row: tuple[str, str]) -> Fact:
    """Of (name, value); the names of some ask where the value comes from."""
    name, value = row
    return Fact(name, value, mono=bool(name), origin=name if name in ASKED else "")


def _toggle(text: str, tip: str) -> QToolButton:
    return tool(tip, tip, text=text, checkable=True, checked=True)


def _history(capture: CaptureView, focus: Focus, stretch: str, cancel: Any) -> tuple[History, list[Row]]:
    """The answer, off the GUI thread."""
    assert focus.pixel is not None
    where = pinned(capture, focus.where, focus.event, cancel)
    found = capture.ask(PixelHistory(where, *focus.pixel, *span(capture, focus.event, stretch)), cancel)
    return found, rows_of(capture, found)


def fates_in_short(fates: Mapping[str, int]) -> str:
    """As in "3 written, 3 killed (depth test 2, stencil test 1), 3 masked (colour write mask)"."""
    groups: dict[str, dict[str, int]] = {}
    for fate, count in fates.items():
        verb, _, by = FATE_TITLES[fate].partition(" by ")
        groups.setdefault(verb, {})[by.removeprefix("the ")] = count
    said = []
    for verb, reasons in groups.items():
        names = ", ".join(f"{by} {count:,}" for by, count in reasons.items()) if len(reasons) > 1 else next(iter(reasons))
        said.append(f"{sum(reasons.values()):,} {verb}{f' ({names})' if names else ''}")
    return ", ".join(said)


def _counted(history: History, shown: int) -> str:
    fates = fates_in_short(history.fates)
    total = len(history.entries) + len(history.misses)
    less = f"{shown:,} of {total:,} shown; " if shown < total else ""
    others = len(history.entries) - len(history.fragments)
    found = [f"{counting(len(history.fragments), 'fragment')}{': ' if fates else ''}{fates}"]
    found += [counting(others, "other write")] if others else []
    return f"{less}{'; '.join(found)}; {len(history.misses):,} missed"


def _plainly(row: Row) -> list[Section]:
    """What there is to say of a clear, a copy, a miss."""
    facts = [Fact("", row.sentence)]
    if row.entry is not None:
        values = (("before", row.entry.before), ("after", row.entry.after))
        facts += [Fact(name, f"{value.stored}   {value.text}", mono=True) for name, value in values]
    return [Section(f"{row.token}  #{row.event}", tuple(facts))]
