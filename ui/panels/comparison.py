"""Two events, draws, frames or captures side by side: state, tokens, surfaces with their difference, resources."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QStackedWidget, QToolButton

import inspector
from core.errors import BadInput
from inspector import CompareVertices
from inspector.exports.report_kinds import comparison_report
from inspector.files import write_bytes
from inspector.query.comparison.compare import Compare
from inspector.query.comparison.data import data_difference
from inspector.query.comparison.difference import Difference, Divergence
from inspector.query.comparison.vertices import NextDifferentDraws, draw_pairs
from inspector.query.comparison.views import what_changed
from ui.ask import Progress
from ui.files import CAPTURES, ask_where, near
from ui.keys.keymap import KEYS
from ui.panels.comparison_pages import ASK, ResourcesPage, StatePage, SurfacesPage, TokensPage
from ui.panels.comparison_vertices import VerticesPage
from ui.panels.panel import Panel, as_sentence
from ui.widgets.controls import Choice, label, one_of, spoken, strip, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.working import Working
from ui.words import tip

HINT = "event 812, draw 3, frame 2, frame 2 draw 3, all"
ASIDE = "comparison"
NONE = "No differences here."
NONE_ALIKE = "No differences in surfaces that have the same size on both sides.\nThe others are in Resources."
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
        self.pages = QStackedWidget(self)
        self._make_pages()
        self.tabs = [self._make_tab(number, page.title) for number, page in enumerate(self.parts)]
        one_of(self, *self.tabs)
        self.all = tool("All rows", "Also list rows that are equal", text="All", checkable=True)
        self.all.toggled.connect(self._show_all)
        self.about = label(kind="faint")
        self.about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        here = [self._make_here(edit) for edit in (self.a, self.b)]
        sides = label("A"), self.a, here[0], swap, label("B"), self.b, here[1], self.other, self.comparing
        self.box.addWidget(FoldingStrip(sides, (), grows=(self.a, self.b), leaving=(self.other, swap, *here)))
        report = tool("Save report", "Save what differs as an HTML page", text="Report…")
        report.clicked.connect(self.save_report)
        self.box.addWidget(FoldingStrip(self.tabs, (self.all, report), firm=1))
        self.box.addWidget(self.pages, 1)
        self.to_first = tool("Go to the first difference", "Show it among the tokens, and go to its event", text="Go to it")
        self.to_first.clicked.connect(self.go_to_first)
        self.to_first.hide()
        self.box.addWidget(strip(self.about, self.to_first, None, name="foot"))
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
        button.clicked.connect(lambda: self._set_page(number))
        return button

    def _make_pages(self) -> None:
        self.state_page, self.tokens_page = StatePage(self._link, self.pages), TokensPage(self._link, self.pages)
        self.surfaces_page, self.resources_page = SurfacesPage(self._link, self.pages), ResourcesPage(self._link, self.pages)
        self.vertices_page = VerticesPage(self._link, self.pages)
        self.parts = (self.state_page, self.tokens_page, self.surfaces_page, self.resources_page, self.vertices_page)
        for page in self.parts:
            page.followed.connect(lambda event: self.go(event=event))
            self.pages.addWidget(page)
        self.tokens_page.text_of = lambda side, event: str(self._captures[side].text(event))
        self.tokens_page.is_draw = lambda event: bool(self._captures["a"].events.draw[event])
        self.tokens_page.table.chosen_row.connect(self._look_at_tokens)
        self.surfaces_page.pictures.picked.connect(self._pick)
        self.vertices_page.ask = self._ask_vertices
        self.vertices_page.picked.connect(lambda event, vertex: self.go(event=event, vertex=vertex))
        self.vertices_page.counted.connect(self._show_counts)

    # Asking

    def take_here(self, edit: QLineEdit) -> None:
        """The side is the event that is looked at, at the end of a frame the frame, unless it is compared with an event; with
        both there, they are compared."""
        event, index = self.desk.focus.focus.event, self.desk.index
        ends = index and event == index.frame_range(index.frame(event))[1] - 1
        ends = ends and not (self.b if edit is self.a else self.a).text().startswith("event")
        edit.setText(f"frame {index.frame(event)}" if index and ends else f"event {event}")
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
            opened = inspector.open(Path(other), budgets=capture.budgets) if other and there is None else there
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
        self._say_nothing(NONE)
        self.surfaces_page.table.placeholder = NONE_ALIKE
        self.vertices_page.sides = (asked[0], asked[1], other)
        self.vertices_page.pairs = draw_pairs(found.tokens, self._captures["a"], self._captures["b"])
        self.surfaces_page.names = (f"A: {asked[0]}", f"B: {asked[1]}{f' of {Path(asked[2]).name}' if asked[2] else ''}")
        for page in self.parts:
            page.show_found(found)
        self._show_counts()
        self._leave_empty_page(found)
        self.about.setText(_summary(found))
        self.about.setToolTip(tip(_summary(found)))
        self.to_first.setVisible(found.first is not None)
        self._ask_data(self.tokens_page.table.currentIndex().row())

    def _leave_empty_page(self, found: Difference) -> None:
        """Where the page in front has nothing that differs, the first that has."""
        counts = [page.count(found) for page in self.parts]
        if not counts[self.pages.currentIndex()] and any(counts) and self.parts[self.pages.currentIndex()] is self.state_page:
            self._set_page(next(number for number, count in enumerate(counts) if count))

    def fail(self, sentence: str) -> None:
        self.clear()
        self._say_nothing(as_sentence(sentence))

    def clear(self) -> None:
        self.found = None
        self._captures = {}
        for page in self.parts:
            page.show_found(None)
        self._show_counts()
        self.about.setText("")
        self.to_first.hide()
        self._say_nothing(ASK)

    def capture_changed(self) -> None:
        gone, self._others = [one for one in self._others.values() if one is not None], {}
        if gone:
            self.desk.ask("close compared", lambda _: [one.close() for one in gone], lambda _: None)
        self._list_others()
        for edit in (self.a, self.b):  # events of the capture that has gone
            edit.clear()

    def _say_nothing(self, sentence: str) -> None:
        for page in self.parts:
            page.table.placeholder = sentence
            page.table.viewport().update()

    # Showing

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leads to the vertices that differ, whatever page is in front."""
        meant = KEYS.meant(event, "pairs")
        if not meant:
            super().keyPressEvent(event)
            return
        self._set_page(self.parts.index(self.vertices_page))
        self.vertices_page.skip(meant == "previous")

    def _set_page(self, number: int) -> None:
        self.tabs[number].setChecked(True)
        self.pages.setCurrentIndex(number)
        self.all.setVisible(self.parts[number].lists_all)
        self.all.setChecked(self.parts[number].every)

    def _show_all(self, every: bool) -> None:
        page = self.parts[self.pages.currentIndex()]
        if page.every != every:
            page.show_all(every)

    def _show_counts(self) -> None:
        for tab, page in zip(self.tabs, self.parts, strict=True):
            count = page.count(self.found) if self.found is not None else 0
            tab.setText(f"{page.title}  {count:,}" if count else page.title)

    def _ask_vertices(self, query: CompareVertices | NextDifferentDraws, done: Any, failed: Any) -> None:
        capture = self.desk.capture
        if capture is not None:
            self.desk.ask("comparison.vertices", lambda progress: capture.ask(query, progress.stop.is_set), done, failed)

    def _look_at_tokens(self, place: int) -> None:
        page = self.tokens_page
        if 0 <= place < len(page.model.rows):
            self.vertices_page.choose_row(int(page.model.rows[place]))
        self._ask_data(place)

    def _ask_data(self, place: int) -> None:
        """What differs between two tokens that read the same, once their row is looked at."""
        page, pair = self.tokens_page, self.tokens_page.pair_of(place)
        if pair is None or not self._captures:
            return
        (row, a, b), capture, other = pair, self._captures["a"], self._captures["b"]
        self.desk.ask(
            "comparison.data", lambda progress: data_difference(capture, a, other, b, progress.stop.is_set),
            lambda sentence: page.say_data(row, sentence), lambda _: None,
        )  # fmt: skip

    def _pick(self, x: int, y: int) -> None:
        """The pixel of A, at the moment that is compared."""
        row = self.surfaces_page.chosen
        if row is not None and self.found is not None:
            (handle, level, face), event = row.place, self.found.sides[0].stop - 1
            self.go(event=event, surface=handle, level=level, face=face, slice=row.slice)
            self.go("pixel", pixel=(x, y))

    # Going

    def go_to_first(self) -> None:
        """Shows the first difference among the tokens, and goes to its event if that is in this capture."""
        page, first = self.tokens_page, self.found.first if self.found is not None else None
        if first is not None:
            self._set_page(self.parts.index(page))
            place = page.place_of(first.row)
            page.table.show_row(place)
            self._look_at_tokens(place)
            page.follow(place)

    def save_report(self) -> None:
        """Writes what is compared as a page."""
        capture, found = self.desk.capture, self.found
        if capture is None or found is None:
            return
        other, sides = self._captures["b"], (self.a.text().strip(), self.b.text().strip())
        try:
            where = ask_where(self, "Save comparison", f"{Path(capture.title).stem}-comparison.html", "report")
        except BadInput as error:
            self.desk.noted.emit(as_sentence(str(error)))
            return
        if where is None:
            return

        def work(progress: Progress) -> Path:
            page = comparison_report(capture, None if other is capture else other, *sides)
            write_bytes(where[0], page.encode())
            return where[0]

        self.desk.ask("comparison report", work, lambda path: self.desk.saved.emit(path, ""),
                      lambda error: self.desk.noted.emit(as_sentence(str(error))))  # fmt: skip

    def _link(self, side: str, event: int | None) -> int | None:
        """Events of the capture on the desk, or of a what-if of it, can be gone to."""
        there = self._captures.get(side)
        return event if there is not None and self.desk.capture is not None and there.tape is self.desk.capture.tape else None

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
        path, _ = QFileDialog.getOpenFileName(self, "Compare with", near(self), CAPTURES)
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
    return f"First difference: {_first_words(found.first)}"


def _first_words(first: Divergence) -> str:
    """As in "#812 RENDERSTATE, ALPHAREF: 5 to 7"."""
    if first.a is None or first.b is None:
        side, event, text = ("B", first.b, first.text_b) if first.a is None else ("A", first.a, first.text_a)
        return f"only {side} has #{event} {text}"
    fields = what_changed(first.text_a, first.text_b)
    return f"#{first.a} {first.text_a.split(' ')[0]}, {fields or first.data or 'data'}"
