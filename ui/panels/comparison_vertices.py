"""The vertices of two draws side by side, as a page of the comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent

from inspector import CompareVertices
from inspector.query.comparison.difference import Difference
from inspector.query.comparison.vertices import WHICH, NextDifferentDraws, VertexDifference
from ui.models.table import Column
from ui.panels.comparison_pages import KINDS, Page
from ui.panels.panel import as_sentence
from ui.roles import MARK_ROLE, TOKEN_ROLE
from ui.widgets.controls import Choice, label, strip, tool
from ui.widgets.key_tips import name_keys
from ui.words import counting, figure

PLACE, VALUE = 56, 92
"""Pixels of a column, which grows for its numbers."""
PAIR = "{} pair whose vertices differ"
Ask = Callable[[CompareVertices | NextDifferentDraws, Callable[[Any], None], Callable[[Exception], None]], None]


class VerticesPage(Page):
    """`picked(event, vertex)`: a vertex, in drawing order, is to be looked at.  ask: has a question answered."""

    title = "Vertices"
    lists_all = True
    picked = Signal(int, int)
    counted = Signal()
    ask: Ask
    sides: tuple[str, str, Any] = ("", "", None)
    """Side a, side b, the capture of b."""
    pairs = np.zeros((0, 3), np.int64)
    """Rows of the tokens in which both sides draw, with the draws (draw_pairs)."""

    def build(self) -> None:
        self.vertices: VertexDifference | None = None
        self._number, self._stale = 0, False
        self.back = tool("Previous pair of draws", "Previous pair of draws", sign="previous-draw")
        self.on = tool("Next pair of draws", "Next pair of draws", sign="next-draw")
        self.back.clicked.connect(lambda: self.choose(self._number - 1))
        self.on.clicked.connect(lambda: self.choose(self._number + 1))
        self.to_previous = tool(PAIR.format("Previous"), "", sign="previous-difference")
        self.to_next = tool(PAIR.format("Next"), "", sign="next-difference")
        for button, way, back in ((self.to_previous, "previous", True), (self.to_next, "next", False)):
            name_keys(button, button.accessibleName(), f"pairs.{way}")
            button.clicked.connect(partial(self.skip, back))
        self.which = Choice("Vertices compared")
        for name in WHICH:
            self.which.addItem(name.capitalize(), name)
        self.which.activated.connect(lambda _: self._ask())
        self.about = label(kind="faint")
        self.make_table((), "Vertices that differ", (PLACE, PLACE))
        self.table.keeps_lists = True
        self.box.addWidget(strip(self.which, self.back, self.on, self.to_previous, self.to_next, self.about, None))
        self.box.addWidget(self.table, 1)

    def show_found(self, found: Difference | None) -> None:
        """Asks for the vertices of the first draws from the first difference on; without draws beside each other, of the last
        of each side."""
        self.found = found
        if found is None:
            self.pairs = self.pairs[:0]
        self._number = found.tokens.next_to(found.tokens.first_difference or 0, self.pairs[:, 0]) if found is not None else -1
        self._ask()

    def choose_row(self, row: int) -> None:
        """The draws of a row of the tokens, or the next ones, are compared as soon as somebody looks."""
        if self.found is not None:
            self.choose(self.found.tokens.next_to(row, self.pairs[:, 0]))

    def choose(self, number: int) -> None:
        """Compares the pair of draws with this number."""
        if 0 <= number < len(self.pairs) and number != self._number:
            self._number, self._stale = number, True
            self._ask_if_seen()

    def skip(self, back: bool, _: bool = False) -> None:
        """Compares the next pair of draws whose vertices differ, or the one before."""
        if (found := self.found) is not None and len(self.pairs):
            pairs = tuple((a, b) for _, a, b in self.pairs.tolist())
            query = NextDifferentDraws(pairs, self._number, back, self.sides[2], self.which.currentData())
            self.about.setText("Comparing vertices…")
            self.ask(query, partial(self._skipped, found, back), self._refused)

    def _skipped(self, found: Difference, back: bool, answer: tuple[int, VertexDifference] | None) -> None:
        if self.found is not found:
            return
        if answer is None:
            self._describe(f"no pair {'before' if back else 'after'} it differs; ")
        else:
            self._number, vertices = answer
            self._stale = False
            self._show_buttons()
            self._show(vertices)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask_if_seen()

    def _ask_if_seen(self) -> None:
        if self._stale and self.isVisible():
            self._ask()

    def _ask(self) -> None:
        self._stale = False
        self._show(None)
        self._show_buttons()
        if (found := self.found) is not None:
            a, b, other = self.sides
            if 0 <= self._number < len(self.pairs):
                a, b = (f"event {event}" for event in self.pairs[self._number, 1:].tolist())
            self.ask(CompareVertices(a, b, other, self.which.currentData()), partial(self._answered, found), self._refused)

    def _show_buttons(self) -> None:
        for before in (self.back, self.to_previous):
            before.setEnabled(self._number > 0)
        for after in (self.on, self.to_next):
            after.setEnabled(self._number + 1 < len(self.pairs))

    def count(self, found: Difference) -> int:
        return len(self.vertices.rows.differing) if self.vertices is not None else 0

    def show_all(self, every: bool) -> None:
        self.every = every
        self._show(self.vertices)

    def _answered(self, found: Difference, vertices: VertexDifference) -> None:
        if self.found is found:  # nothing else was compared since
            self._show(vertices)

    def _refused(self, error: Exception) -> None:
        self.table.placeholder = as_sentence(str(error))
        self.table.viewport().update()

    def _show(self, vertices: VertexDifference | None) -> None:
        self.vertices = vertices
        self.model.set_columns(self._columns(vertices) if vertices is not None else ())
        if vertices is not None:
            for column in range(self.model.columnCount()):
                least = VALUE if column > 1 else PLACE
                self.table.setColumnWidth(column, max(least, self.table.horizontalHeader().sectionSizeHint(column)))
            rows = range(len(vertices.rows)) if self.every else vertices.rows.differing.tolist()
            self.model.set_rows(rows)
            self.table.show_row(0 if len(rows) else -1)
        self._describe()
        self.counted.emit()

    def _describe(self, first: str = "") -> None:
        place = f" ({self._number + 1} of {len(self.pairs)})" if len(self.pairs) > 1 else ""
        self.about.setText(f"{first}{_about(self.vertices, place)}" if self.vertices is not None else "")

    def _columns(self, vertices: VertexDifference) -> Sequence[Column]:
        """A, B and B - A of what differs anywhere; with all rows listed, of everything."""

        def kind(row: int) -> str:
            return vertices.rows.kind(row)

        roles = {TOKEN_ROLE: lambda row: KINDS[kind(row)], MARK_ROLE: lambda row: "changed" if kind(row) != "same" else None}
        columns = [
            Column("A", partial(_place, vertices.rows.a), roles),
            Column("B", partial(_place, vertices.rows.b), roles),
        ]  # fmt: skip
        for name in vertices.columns if self.every else vertices.differing:
            place = vertices.columns.index(name)

            def token(row: int, place: int = place) -> str:
                return "changed" if vertices.differs[row, place] else "text" if kind(row) != "same" else "faint"

            columns += [
                Column(f"{name}  A", partial(_value, vertices.a[name], vertices.rows.a), {TOKEN_ROLE: token}),
                Column("B", partial(_value, vertices.b[name], vertices.rows.b), {TOKEN_ROLE: token}),
                Column(
                    "B - A",
                    partial(_difference, vertices.by(name), vertices.differs[:, place]),
                    {TOKEN_ROLE: lambda _: "muted"},
                ),
            ]
        return columns

    def follow(self, row: int) -> None:
        """Goes to the vertex in the draw of A, or else of B, if that is in this capture."""
        vertices = self.vertices
        if vertices is None:
            return
        number = self.model.rows[row]
        for side, event, places in (("a", vertices.events[0], vertices.rows.a), ("b", vertices.events[1], vertices.rows.b)):
            if places[number] >= 0 and self.link(side, event) is not None:
                self.picked.emit(event, int(places[number]))
                return


def _place(places: Any, row: int) -> str:
    return str(places[row]) if places[row] >= 0 else ""


def _value(values: Any, places: Any, row: int) -> str:
    if places[row] < 0:
        return ""
    value = values[places[row]]
    return figure(float(value)) if values.dtype.kind == "f" else str(value)


def _difference(by: Any, differs: Any, row: int) -> str:
    """Nothing where nothing differs, and where a side has nothing; ≠ where words differ, or what is no number does."""
    if not differs[row]:
        return ""
    return figure(float(by[row])) if by[row] and by[row] == by[row] else "≠"


def _about(vertices: VertexDifference, place: str) -> str:
    """Which draws, which of the pairs they are, how many vertices differ, and what one side alone has."""
    differ, count = len(vertices.rows.differing), counting(len(vertices.rows), "vertex")
    words = f"draws #{vertices.events[0]} and #{vertices.events[1]}{place}: {differ:,} of {count} differ"
    alone = [f"only {side} has {', '.join(names)}" for side, names in zip("AB", vertices.missing, strict=True) if names]
    return "; ".join([words, *alone])
