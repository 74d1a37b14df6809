"""Statistics: requests of each frame or draw, unused ones, and how often textures and shaders are used."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget

from inspector.focus import Focus
from inspector.query.tables.statistics import Figures, Statistics
from inspector.view import CaptureView
from ui.models.grid import GridModel
from ui.models.table import Column, RowsModel
from ui.panels.contents import show_contents
from ui.panels.panel import Panel, Question, as_sentence
from ui.roles import TOKEN_ROLE
from ui.widgets.cells import NumberCell, ValueCell
from ui.widgets.controls import Choice, halves, label, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.plot import Plot, Steps
from ui.widgets.plot_of_columns import SHARE, scaled
from ui.widgets.several import Several
from ui.widgets.tables import Table
from ui.words import counting

UNITS = (("Frames", "frame"), ("Draws of this frame", "draw"), ("Whole capture", "capture"))
USE, WORDS_OF_USE = 2, 400
"""The column with counts in words, and the pixels that it may take to show them."""
Use = tuple[str, str, str, tuple[str, int] | None]
"""Kind, name, use; what can be shown of it (kind, handle)."""


class StatisticsPanel(Panel):
    title, name = "Statistics", "statistics"

    def build(self) -> None:
        self.figures: Figures | None = None
        self._sorted: tuple[str, bool] = "", True
        """Column that rows are sorted by, and whether the largest is first; "": they are in the order of the capture."""
        self._order = np.zeros(0, np.int64)  # the figure of each row
        self.unit = Choice("Group figures by")
        self.unit.addItems([title for title, _ in UNITS])
        self.unit.activated.connect(lambda _: self.refresh())
        tip = "Count primitive and fragment fates and overdraw (redraws the capture)"
        self.pixels = tool("With fragments", tip, text="Fragments", checkable=True)
        self.pixels.toggled.connect(lambda _: self.refresh())
        self.note = label(kind="faint")
        self.model = GridModel(self, counts=True)
        self.table = Table(self.model, "Figures", (44,))
        self.table.setItemDelegate(ValueCell(self.table))
        self.table.setItemDelegateForColumn(0, NumberCell(self.table))
        self.table.activated_row.connect(lambda row: self._follow(int(self._order[row])))
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self.sort_by)
        self.uses = RowsModel(
            (
                Column("Kind", lambda use: use[0], {TOKEN_ROLE: lambda _: "muted"}),
                Column("Name", lambda use: use[1]),
                Column("Use", lambda use: use[2]),
            ),
            self,
        )
        self.most = Table(self.uses, "State, textures and shaders", (58, 96))
        self.most.worded = {USE: WORDS_OF_USE}
        self.most.setItemDelegate(ValueCell(self.most))
        self.most.activated_row.connect(self._show)
        self._make_plot()
        self.box.addWidget(FoldingStrip((self.unit, self.pixels, self.plotted, self.column), (self.note,), kept=1, firm=1))
        self.box.addWidget(halves(self.table, self.beside, sizes=(300, 240), beside=(400, 392)))
        self._plot(self.plotted.isChecked())

    def _make_plot(self) -> None:
        """The figures of one column, in place of what is used most."""
        tip = "Show columns as a plot: lines over frames, bars for draws. Click it to go there"
        self.plotted = tool("Plot columns", tip, text="Plot", checkable=True, checked=bool(self.kept("plot", False)))
        self.plotted.toggled.connect(self._plot)
        self.column = Several("Columns of the plot", "The columns that are plotted")
        self.column.changed.connect(self._draw)
        self.plot = Plot("Figures as a plot", "")
        self.plot.clicked.connect(self._go_to_number)
        self.beside = QStackedWidget()
        self.beside.addWidget(self.most)
        self.beside.addWidget(self.plot)

    def _plot(self, shown: bool) -> None:
        self.keep("plot", shown)
        self.column.setVisible(shown)
        self.beside.setCurrentWidget(self.plot if shown else self.most)
        self._draw()

    def _fill_columns(self) -> None:
        """The columns there are; the one that is plotted stays."""
        names = self.figures.columns if self.figures is not None else ()
        self.column.offer([name.replace("_", " ") for name in names], "primitives")

    def _draw(self) -> None:
        figures, names = self.figures, self.column.chosen
        if not self.plotted.isChecked():
            return
        if figures is None or not names:
            self.plot.show_steps(())
            return
        edges = np.arange(len(figures) + 1) - 0.5
        lines = [(name, figures.columns[name.replace(" ", "_")].astype(np.float64)) for name in names]
        left = f"{names[0] if len(names) == 1 else 'number'} per {figures.unit}"
        if self.column.scaled and len(lines) > 1:
            lines, left = scaled(lines), SHARE
        steps = [Steps(name, edges, values) for name, values in lines]
        self.plot.bottom = "frame" if figures.unit == "frame" else f"{figures.unit}, in order"
        self.plot.show_steps(steps, left, bars=figures.unit != "frame" and len(steps) == 1)
        self._show_place(self.desk.focus.focus.event)

    def _go_to_number(self, x: float) -> None:
        """To the end of the row that was clicked."""
        if self.figures is not None and len(self.figures):
            self._follow(min(max(round(x), 0), len(self.figures) - 1))

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        by, pixels = UNITS[self.unit.currentIndex()][1], self.pixels.isChecked()
        frame = capture.frame_of(focus.event) if by == "draw" else None
        query = Statistics(by, frame, pixels=pixels)
        return lambda progress: capture.ask(query, progress.stop.is_set)

    def display(self, answer: Figures) -> None:
        self.figures = answer
        self._show_figures()
        self.uses.set_rows(uses_of(answer))
        self._fill_columns()
        self._draw()
        draws = int(answer.total("draws"))
        primitives = counting(int(answer.total("primitives")), "primitive")
        self.note.setText(f"{counting(draws, 'draw')}, {primitives}{self.desk.so_far}")
        self._show_place(self.desk.focus.focus.event)

    def _show_figures(self) -> None:
        """The rows in their order."""
        if self.figures is None:
            return
        columns, rows = grid_of(self.figures)
        self._order = _order_of(self.figures, *self._sorted)
        self.model.set_grid([titled(name) for name in columns], rows[self._order])
        self.table.hideColumn(0)  # the unit's number is a column of its own; Qt shows all columns of other rows
        header = self.table.horizontalHeader()
        by = columns.index(self._sorted[0]) + 1 if self._sorted[0] in columns else 0
        header.setSortIndicatorShown(False)
        for column in range(1, len(columns) + 1):
            self.table.setColumnWidth(column, max(64, header.sectionSizeHint(column)))
        if by:
            header.setSortIndicatorShown(True)
            header.setSortIndicator(by, Qt.SortOrder.DescendingOrder if self._sorted[1] else Qt.SortOrder.AscendingOrder)
            self.table.setColumnWidth(by, max(64, header.sectionSizeHint(by)))

    def sort_by(self, column: int) -> None:
        """By a column, the largest first; again: the smallest; a third time: in the order of the capture."""
        if self.figures is not None:
            name = grid_of(self.figures)[0][column - 1]
            before, down = self._sorted
            self._sorted = (name, True) if name != before else (name, False) if down else ("", True)
            self._show_figures()
            self._show_place(self.desk.focus.focus.event)

    def clear(self) -> None:
        self.figures = None
        self.model.set_grid([], np.zeros((0, 0)))
        self.uses.set_rows([])
        self.note.setText("")
        self._draw()

    def fail(self, sentence: str) -> None:
        self.clear()
        self.table.placeholder = as_sentence(sentence)

    def moved(self, new: Focus, old: Focus) -> None:
        self._show_place(new.event)

    def _show_place(self, event: int) -> None:
        """The row that holds the event."""
        if self.figures is not None and len(self.figures):
            row = int(np.searchsorted(self.figures.stop, event))
            row = row if row < len(self.figures) and self.figures.start[row] <= event else -1
            self.table.show_row(int(np.flatnonzero(self._order == row)[0]) if row >= 0 else -1)
            self.plot.show_place(row if row >= 0 else None)

    def _show(self, row: int) -> None:
        """Enter on a shader shows its code."""
        thing = self.uses.rows[row][3]
        if thing is not None:
            show_contents(self.desk, self, *thing)

    def _follow(self, row: int) -> None:
        """To the end of a figure, as the capture counts them."""
        if self.figures is not None:
            self.go(event=int(self.figures.stop[row]))


def grid_of(figures: Figures) -> tuple[list[str], np.ndarray]:
    """The columns, the unit's number first."""
    numbers = np.char.add("#" if figures.unit == "draw" else "", figures.number.astype(str))  # names, not counts
    columns = {figures.unit: numbers, **{name.replace("_", " "): values for name, values in figures.columns.items()}}
    rows = np.zeros(len(figures), [(name, values.dtype) for name, values in columns.items()])
    for name, values in columns.items():
        rows[name] = values
    return list(columns), rows


def _order_of(figures: Figures, name: str, down: bool) -> np.ndarray:
    """int64[rows]: the figures sorted by a column; equal ones, and all without such a column, as the capture has them."""
    values = {name.replace("_", " "): values for name, values in figures.columns.items()}.get(name)
    if name == figures.unit:
        values = figures.number
    if values is None:
        return np.arange(len(figures))
    keys = values.astype(np.float64)
    return np.argsort(-keys if down else keys, kind="stable")


def titled(column: str) -> str:
    """As the other tables write it: "API calls"."""
    return column.replace("api", "API", 1) if column.startswith("api") else column[:1].upper() + column[1:]


def uses_of(figures: Figures) -> list[Use]:
    """State by pipeline stage, textures, shaders: in words."""
    rows: list[Use] = [
        (
            "state",
            group.stage.replace("_", " "),
            f"{group.set:,} set, {group.changed:,} changed, {group.unused:,} unused",
            None,
        )
        for group in figures.groups
    ]
    rows += [
        ("texture", f"#{use.life.handle}  {use.width} × {use.height}  {use.format}",
         f"{counting(use.draws, 'draw')}, {counting(use.bytes, 'byte')}, {counting(use.writes, 'write')}", None)
        for use in figures.textures
    ]  # fmt: skip
    rows += [
        (use.kind.replace("_", " "), f"#{use.life.handle}" if use.life else "fixed function", counting(use.draws, "draw"),
         (use.life.kind, use.life.handle) if use.life else None)
        for use in figures.shaders
    ]  # fmt: skip
    return rows
