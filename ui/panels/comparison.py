"""Two events, draws, frames or captures side by side: state, tokens, surfaces with their difference, resources."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QLineEdit, QStackedWidget, QToolButton, QWidget

import inspector
from core.errors import BadInput
from inspector.exports.report_kinds import comparison_report
from inspector.files import write_bytes
from inspector.query.comparison.compare import Compare
from inspector.query.comparison.difference import Difference, SurfaceDifference
from inspector.query.comparison.views import changed_words
from ui.ask import Progress
from ui.files import CAPTURES, ask_where
from ui.models.table import Column, RowsModel
from ui.panels.pair_view import PairView
from ui.panels.panel import Panel, as_sentence
from ui.roles import LINK_ROLE, MARK_ROLE, TOKEN_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import Choice, halves, label, spoken, strip, tool
from ui.widgets.tables import Table
from ui.widgets.working import Working

PAGES = ("State", "Tokens", "Surfaces", "Resources")
KINDS = {"same": "faint", "changed": "text", "removed": "error", "added": "changed"}
HINT = "event 812, draw 3, frame 2, frame 2 draw 3, all"
ASIDE = "comparison"
Answer = tuple[tuple[str, str, str], Any, Difference]
"""((side a, side b, the file of b), the other capture, what differs)."""


class ComparisonPanel(Panel):
    title, name = "Comparison", "comparison"
    depends: ClassVar[tuple[str, ...]] = ()

    def build(self) -> None:
        self.found: Difference | None = None
        self._others: dict[str, Any] = {}
        self._captures: dict[str, Any] = {}
        self.a, self.b = self._make_side("A"), self._make_side("B")
        self.other = Choice("Capture of side B")
        self.other.setToolTip("The capture that contains B")
        self.other.activated.connect(self._choose_other)
        self._list_others()
        self.comparing = Working("Compare", "Compare (Enter in A or B)")
        self.comparing.asked.connect(self.compare)
        self.comparing.stopped.connect(lambda: self.desk.ask.cancel(ASIDE))
        self.desk.ask.aside_progressed.connect(self._progressed)
        swap = tool("Swap", "Swap A and B", text="⇄")
        swap.clicked.connect(self.swap)
        self.pages = QStackedWidget()
        self.tabs = [self._make_tab(number, text) for number, text in enumerate(PAGES)]
        self.all_tokens = tool("All tokens", "Also show equal tokens", text="All", checkable=True)
        self.all_tokens.toggled.connect(lambda _: self._show_tokens())
        for page in (self._make_state(), self._make_tokens(), self._make_surfaces(), self._make_resources()):
            self.pages.addWidget(page)
        self.about = label(kind="faint")
        self.about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        here = [self._make_here(edit) for edit in (self.a, self.b)]
        self.box.addWidget(strip(label("A"), self.a, here[0], swap, label("B"), self.b, here[1], self.other, self.comparing))
        report = tool("Save report", "Save what differs as an HTML page", text="Report…")
        report.clicked.connect(self.save_report)
        self.box.addWidget(strip(*self.tabs, None, self.all_tokens, report))
        self.box.addWidget(self.pages, 1)
        self.box.addWidget(strip(self.about, None, name="foot"))
        self._set_page(0)

    def _make_side(self, which: str) -> QLineEdit:
        edit = spoken(QLineEdit(), f"Side {which}")
        edit.setPlaceholderText(HINT)
        edit.setToolTip(f"An event, draw or frame: {HINT}")
        edit.returnPressed.connect(self.compare)
        return edit

    def _make_here(self, edit: QLineEdit) -> QToolButton:
        button = tool(f"{edit.accessibleName()}: current event", "Use the current event", sign="target")
        button.clicked.connect(lambda: self.take_here(edit))
        return button

    def _make_tab(self, number: int, text: str) -> QToolButton:
        button = tool(text, text, text=text, checkable=True, checked=number == 0)
        if number == 0:
            self._group = QButtonGroup(self)
        self._group.addButton(button, number)
        button.clicked.connect(lambda: self._set_page(number))
        return button

    def _make_state(self) -> QWidget:
        self.state = RowsModel(
            (
                Column("State", lambda row: row.name),
                Column("A", lambda row: _value(row.a)),
                Column("Set by", lambda row: _writer(row.a), {LINK_ROLE: lambda row: self._link("a", row.a and row.a.writer)}),
                Column("B", lambda row: _value(row.b)),
                Column("Set by", lambda row: _writer(row.b), {LINK_ROLE: lambda row: self._link("b", row.b and row.b.writer)}),
                Column("Stage", lambda row: row.stage.replace("_", " "), {TOKEN_ROLE: lambda _: "faint"}),
            ),
            self,
        )
        table = self._make_table(self.state, "States that differ", (180, 170, 70, 170, 70, 110))
        table.stretch(0, 150)
        return table

    def _make_tokens(self) -> QWidget:
        def kind(row: int) -> str:
            return self.found.tokens.kind(row) if self.found else "same"

        roles = {TOKEN_ROLE: lambda row: KINDS[kind(row)], MARK_ROLE: lambda row: "changed" if kind(row) != "same" else None}
        self.tokens = RowsModel(
            (
                Column("", lambda row: "" if kind(row) == "same" else kind(row), roles),
                self._number_column("a"),
                Column("", lambda row: self._text("a", row), roles),
                self._number_column("b"),
                Column("", lambda row: self._text("b", row), roles),
                Column("What changed", self._what_changed, {TOKEN_ROLE: lambda _: "changed"}),
            ),
            self,
        )
        return self._make_table(self.tokens, "Tokens side by side", (76, 70, 260, 70, 260))

    def _number_column(self, side: str) -> Column:
        roles = {LINK_ROLE: lambda row: self._link(side, self._event(side, row))}
        return Column(side.upper(), lambda row: _number(self._event(side, row)), roles)

    def _make_surfaces(self) -> QWidget:
        self.surfaces = RowsModel(
            (
                Column("Surface", lambda row: row.name.replace("_", " ")),
                Column("Pixels", lambda row: f"{row.count:,} of {row.width * row.height:,}"),
                Column("Bounds", lambda row: "{} {} {} {}".format(*row.box)),
                Column("Largest", lambda row: str(row.largest)),
                Column("Mean", lambda row: f"{row.mean:.3f}"),
                Column("Format", lambda row: row.format, {TOKEN_ROLE: lambda _: "faint"}),
            ),
            self,
        )
        table = self._make_table(self.surfaces, "Surfaces that differ", (190, 150, 140, 60, 70))
        table.chosen_row.connect(lambda _: self._show_picture())
        self.pictures = PairView()
        self.view_of, self.gain, self.picture, self.reading = (
            self.pictures.view_of,
            self.pictures.gain,
            self.pictures.picture,
            self.pictures.reading,
        )
        self.pictures.picked.connect(self._pick)
        self.surface_table = table
        return halves(table, self.pictures, sizes=(150, 420), beside=(340, 460))

    def _make_resources(self) -> QWidget:
        self.resources = RowsModel(
            (
                Column("Resource", lambda row: f"{row.kind} {row.handle}"),
                Column("A", lambda row: row.a or "missing"),
                Column("B", lambda row: row.b or "missing"),
            ),
            self,
        )
        return self._make_table(self.resources, "Resources that differ", (150, 330))

    def _make_table(self, model: RowsModel, name: str, widths: tuple[int, ...]) -> Table:
        table = Table(model, name, widths)
        table.placeholder = "Enter two sides, then press Enter."
        cell = ValueCell(table)
        cell.followed.connect(lambda event: self.go(event=event))
        table.setItemDelegate(cell)
        table.activated_row.connect(lambda row, table=table: self._follow(table, row))
        return table

    # Asking

    def take_here(self, edit: QLineEdit) -> None:
        """The side is the event that is being looked at; with both sides there, they are compared."""
        edit.setText(f"event {self.desk.focus.focus.event}")
        if self.a.text() and self.b.text():
            self.compare()

    def compare(self) -> None:
        """Asks what differs between the two sides."""
        a, b = self.a.text().strip(), self.b.text().strip()
        if a and not b and self.other.currentData():
            self.b.setText(a)
            b = a
        if a and b:
            self._begin(a, b, self.other.currentData() or "")

    def swap(self) -> None:
        """A becomes B and B becomes A, within one capture."""
        a, b = self.a.text(), self.b.text()
        self.a.setText(b)
        self.b.setText(a)
        self.compare()

    def against(self, name: str, other: Any, side: str) -> None:
        """Compares a side of the capture with the same of another, a what-if."""
        self._others[name] = other
        self._list_others(name)
        self.a.setText(side)
        self.b.setText(side)
        self.compare()

    def between(self, path: str, a: str, b: str) -> None:
        """Compares a side of the capture with a side of another file."""
        self.choose_file(path)
        self.a.setText(a)
        self.b.setText(b)
        self.compare()

    def refresh(self) -> None:
        """Nothing is asked until one says so."""

    def _begin(self, a: str, b: str, other: str) -> None:
        """Compares aside: others can ask while tokens are aligned, which takes minutes for a million."""
        capture, there = self.desk.capture, self._others.get(other) if other else None
        if capture is None:
            return

        def work() -> Generator[float, None, Answer]:
            opened = inspector.open(Path(other)) if other and there is None else there
            found = yield from capture.in_pieces(Compare(a, b, opened))
            return (a, b, other), opened, found

        self._say_nothing("Comparing…")
        self.desk.ask.aside(ASIDE, work, self.display, lambda error: self.fail(str(error)))

    def _progressed(self, asker: str, fraction: float) -> None:
        if asker == ASIDE:
            self.comparing.show_progress(fraction)

    def display(self, answer: Answer) -> None:
        asked, other, self.found = answer
        if asked[2]:
            self._others[asked[2]] = other
        self._captures = {"a": self.desk.capture, "b": other or self.desk.capture}
        found = self.found
        self._say_nothing("No differences here.")
        self.state.set_rows(found.state)
        self._show_tokens()
        self.surfaces.set_rows(found.surfaces)
        self.surface_table.show_row(0 if found.surfaces else -1)
        self._show_picture()
        self.resources.set_rows(found.resources)
        counts = (len(found.state), len(found.tokens.differing), len(found.surfaces), len(found.resources))
        for tab, text, count in zip(self.tabs, PAGES, counts, strict=True):
            tab.setText(f"{text}  {count:,}" if count else text)
        self.about.setText(_summary(found))

    def fail(self, sentence: str) -> None:
        self.clear()
        self._say_nothing(as_sentence(sentence))

    def clear(self) -> None:
        self.found = None
        self._captures = {}
        for model in (self.state, self.tokens, self.surfaces, self.resources):
            model.set_rows([])
        for tab, text in zip(self.tabs, PAGES, strict=True):
            tab.setText(text)
        self.about.setText("")
        self.pictures.show_pair(None)
        self._say_nothing("Enter two sides, then press Enter.")

    def capture_changed(self) -> None:
        gone, self._others = [one for one in self._others.values() if one is not None], {}
        if gone:
            self.desk.ask("close compared", lambda _: [one.close() for one in gone], lambda _: None)
        self._list_others()

    def _say_nothing(self, sentence: str) -> None:
        for table in self.findChildren(Table):
            table.placeholder = sentence
            table.viewport().update()

    # Showing

    def _set_page(self, number: int) -> None:
        self.tabs[number].setChecked(True)
        self.pages.setCurrentIndex(number)
        self.all_tokens.setVisible(number == PAGES.index("Tokens"))

    def _show_tokens(self) -> None:
        rows = self.found.tokens if self.found else None
        if rows is not None:
            self.tokens.set_rows(range(len(rows)) if self.all_tokens.isChecked() else rows.differing.tolist())

    def _show_picture(self) -> None:
        row = self._surface()
        self.pictures.show_pair(None if row is None else (row.a, row.b))

    def _surface(self) -> SurfaceDifference | None:
        place = self.surface_table.currentIndex().row()
        return self.surfaces.rows[place] if 0 <= place < len(self.surfaces.rows) else None

    def _pick(self, x: int, y: int) -> None:
        row = self._surface()
        if row is not None:
            self.go(surface=row.place.handle, level=row.place.level, face=row.place.face, slice=row.slice)
            self.go("pixel", pixel=(x, y))

    # Going

    def _event(self, side: str, row: int) -> int | None:
        if self.found is None:
            return None
        event = int((self.found.tokens.a if side == "a" else self.found.tokens.b)[row])
        return event if event >= 0 else None

    def _text(self, side: str, row: int) -> str:
        event = self._event(side, row)
        return "" if event is None else str(self._captures[side].text(event))

    def _what_changed(self, row: int) -> str:
        """The fields that differ, as in "value: 5 to 7"; "" for what stands on one side only."""
        a, b = self._text("a", row), self._text("b", row)
        if not a or not b or a == b:
            return ""
        return ", ".join(f"{name}: {old or 'nothing'} to {new or 'nothing'}" for name, old, new in changed_words(a, b))

    def save_report(self) -> None:
        """Writes what is compared as a page."""
        capture, found = self.desk.capture, self.found
        if capture is None or found is None:
            return
        other, sides = self._captures["b"], (self.a.text().strip(), self.b.text().strip())
        try:
            where = ask_where(self, "Save comparison", f"{capture.title}-comparison.html", "report")
        except BadInput as error:
            self.desk.noted.emit(as_sentence(str(error)))
            return
        if where is None:
            return

        def work(progress: Progress) -> Path:
            page = comparison_report(capture, None if other is capture else other, *sides)
            write_bytes(where[0], page.encode())
            return where[0]

        self.desk.ask("comparison report", work, lambda path: self.desk.noted.emit(f"{path} is written."),
                      lambda error: self.desk.noted.emit(as_sentence(str(error))))  # fmt: skip

    def _link(self, side: str, event: int | None) -> int | None:
        """Events of the capture on the desk, or of a what-if of it, can be gone to."""
        there = self._captures.get(side)
        return event if there is not None and self.desk.capture is not None and there.tape is self.desk.capture.tape else None

    def _follow(self, table: Table, row: int) -> None:
        model = table.model()
        links = (model.index(row, column).data(LINK_ROLE) for column in range(model.columnCount()))
        link = next((link for link in links if link is not None), None)
        if link is not None:
            self.go(event=link)

    def _list_others(self, current: str = "") -> None:
        self.other.clear()
        self.other.addItem("This capture", "")
        for name in self._others:
            self.other.addItem(Path(name).name, name)
        self.other.addItem("Another file…", "?")
        self.other.setCurrentIndex(max(self.other.findData(current), 0))

    def _choose_other(self, row: int) -> None:
        if self.other.itemData(row) != "?":
            return
        path, _ = QFileDialog.getOpenFileName(self, "Compare with", "", CAPTURES)
        self.choose_file(path)

    def choose_file(self, path: str) -> None:
        """B is taken from this file; it is opened when it is compared."""
        if path:
            self._others.setdefault(path, None)
        self._list_others(path)


def _summary(found: Difference) -> str:
    """In one line: whether anything differs, and where the tokens part."""
    if found.empty:
        return "No difference."
    if found.first is None:
        return "The tokens are the same."
    return f"First difference:  {found.first.text_a or 'nothing'}  |  {found.first.text_b or 'nothing'}"


def _value(value: Any) -> str:
    return value.text if value is not None else "missing"


def _writer(value: Any) -> str:
    return f"#{value.writer}" if value is not None and value.writer is not None else ""


def _number(event: int | None) -> str:
    return "" if event is None else str(event)
