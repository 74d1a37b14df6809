"""SQL over all tables of the capture, with examples; rows that name an event link to it."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QTreeWidget, QTreeWidgetItem, QWidget

from core.errors import BadInput
from inspector import Sql
from inspector.exports.formats import Format
from inspector.files import write_bytes
from inspector.focus import Focus
from inspector.query.tables.derived import schema
from inspector.query.tables.sql import Rows
from inspector.view import CaptureView
from ui import style
from ui.ask import Progress
from ui.files import ask_where
from ui.models.answers import AnswersModel, text_of
from ui.panels.own_filters import OwnFilters
from ui.panels.panel import Panel, Question
from ui.widgets.cells import ValueCell
from ui.widgets.controls import Choice, halves, label, spoken, strip, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.key_tips import name_keys
from ui.widgets.plot_of_columns import PlotOfColumns
from ui.widgets.sql_edit import SqlEdit
from ui.widgets.tables import Table
from ui.widgets.trees import Arrows
from ui.words import counting

MOST = 100_000
"""Rows that are listed; exporting writes all."""
LOOKED_AT = 60
"""Rows whose texts decide how wide a column is."""
WIDEST = 380
RUNS = "Running the query"
INTERNAL = "event_"
"""How the names of tables begin that are only there for the others."""
EXAMPLES = {
    "Events by name": "SELECT name, count(*) AS n FROM events GROUP BY name ORDER BY n DESC",
    "Largest draws": """SELECT event, frame, primitives, texture0, vertex_shader, pixel_shader
FROM draws ORDER BY primitives DESC""",
    "Frames": "SELECT frame, last_event, draws, last_event - first_event + 1 AS events FROM frames",
    "Draws that blend, and how": """SELECT event, state_text(event, 'SRCBLEND') AS source,
       state_text(event, 'DESTBLEND') AS destination
FROM draws WHERE state(event, 'ALPHABLENDENABLE')""",
    "Textures by use": """SELECT handle, width, height, format, count(*) AS draws
FROM uses JOIN surfaces USING(object) WHERE role = 'texture' GROUP BY object ORDER BY draws DESC""",
    "Redundant state": """SELECT key, count(*) AS times, min(event) AS event
FROM states WHERE NOT changed AND NOT by_runtime GROUP BY key ORDER BY times DESC""",
    "Surfaces by size": """SELECT handle, label, width, height, format, levels, memory
FROM surfaces ORDER BY width * height DESC""",
    "API calls": "SELECT name, count(*) AS calls, sum(events) AS events FROM sources GROUP BY name ORDER BY calls DESC",
    "Findings by rule": """SELECT rule, severity, count(*) AS n, min(event) AS event
FROM findings GROUP BY rule ORDER BY n DESC""",
    "Fragment fates (redraws the capture)": """SELECT event, fragments, depth_test, alpha_test, written, pixels, overdraw
FROM draw_counts ORDER BY fragments DESC""",
}
HINT = "SELECT ...  (Ctrl+Enter to run; examples above, tables alongside)"
RUNNING, STOPPED = "Running…", "Stopped."
NOTHING = "Type a SELECT or choose an example, then press Ctrl+Enter."


class QueryPanel(Panel):
    title, name = "Query", "query"
    depends = ()

    def build(self) -> None:
        self._asked = self._told = ""
        self.answer: Rows | None = None
        tables = {name: columns for name, columns in schema().items() if not name.startswith(INTERNAL)}
        self.examples = Choice("Examples")
        self.examples.addItem("Examples", "")
        for title, text in EXAMPLES.items():
            self.examples.addItem(title, text)
        self.examples.activated.connect(self._take_example)
        run = name_keys(tool("Run", "", "play", text="Run"), "Run the query", "query.ask")
        run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        run.clicked.connect(self.run)
        self.export = tool("Export as CSV", "Write all rows as comma-separated values", "save", text="CSV…")
        self.export.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.export.clicked.connect(self.export_csv)
        tip = "Show columns of numbers as a plot; click it to select the row"
        self.plotted = tool("Plot columns", tip, text="Plot", checkable=True, checked=bool(self.kept("plot", False)))
        self.edit = SqlEdit(tables)
        self.saved = OwnFilters(self.edit, self.kept("queries", {}), partial(self.keep, "queries"), "query", self.run)
        self.edit.setPlaceholderText(HINT)
        self.edit.asked.connect(self.run)
        self.desk.ask.busy_changed.connect(self._ended)
        self.count = label(kind="faint")
        controls = self.examples, self.saved.button, run
        self.box.addWidget(FoldingStrip(controls, (self.plotted, self.export), leaving=(self.export, self.plotted)))
        upper, rows = self._make_upper(tables), self._make_rows()
        self.box.addWidget(halves(upper, rows, sizes=(120, 260), beside=(300, 320)))
        self.box.addWidget(strip(self.count, None, name="foot"))
        self.clear()

    def _make_upper(self, tables: dict[str, list[str]]) -> QWidget:
        """What is asked, and the tables there are."""
        self.tables = spoken(QTreeWidget(), "Tables and columns")
        Arrows(self.tables)
        self.tables.setHeaderHidden(True)
        self.tables.setToolTip("Press Enter or double-click to insert a name into the query")
        for name, columns in tables.items():
            item = QTreeWidgetItem(self.tables, [name])
            for column in columns:
                QTreeWidgetItem(item, [column])
        self.tables.itemActivated.connect(lambda item, _: self._put_in(item))
        split = halves(self.edit, self.tables, sizes=(100, 60), beside=(400, 160))
        split.setMinimumHeight(64)
        return split

    def _make_rows(self) -> QWidget:
        self.model = AnswersModel(self)
        self.table = Table(self.model, "Rows")
        cell = ValueCell(self.table)
        cell.followed.connect(lambda event: self.go(event=event))
        self.table.setItemDelegate(cell)
        self.table.activated_row.connect(self._follow)
        columns = self.table.horizontalHeader()
        columns.setSectionsClickable(True)
        columns.setSortIndicatorShown(True)
        columns.sectionClicked.connect(self._sort)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._sorted: tuple[int, Qt.SortOrder] | None = None
        self.two = PlotOfColumns(lambda: self.model.rows)
        self.two.chosen.connect(self._choose_row)
        self.answers = QStackedWidget(self)
        self.answers.addWidget(self.table)
        self.answers.addWidget(self.two)
        self.plotted.toggled.connect(self._plot)
        return self.answers

    def _plot(self, shown: bool) -> None:
        """The rows as a plot, or as a table."""
        self.keep("plot", shown)
        self._show_rows()
        if self.answer is not None:
            self._tell()

    def _show_rows(self) -> None:
        """Without rows the table says why."""
        plots = self.plotted.isChecked() and bool(self.model.rows)
        self.answers.setCurrentWidget(self.two if plots else self.table)
        if plots:
            found = (self.model.event_at(row) for row in range(len(self.model.rows)))
            self._events = np.array([-1 if one is None else one for one in found], np.int64)
            self.two.show_columns(self.model.columns)
            self._mark_place(self.desk.focus.focus.event)

    _events = np.zeros(0, np.int64)
    """Of each row that is plotted, -1 without one."""

    def moved(self, new: Focus, old: Focus) -> None:
        if new.event != old.event and self.answers.currentWidget() is self.two:
            self._mark_place(new.event)

    def _mark_place(self, event: int) -> None:
        """In the plot, at the row of the current event, or the last one before it."""
        before = np.flatnonzero((self._events >= 0) & (self._events <= event))
        self.two.show_row(int(before[self._events[before].argmax()]) if len(before) else None)

    def _choose_row(self, row: int) -> None:
        """The row of the plot's nearest point is selected, and gone to."""
        self.table.show_row(row)
        self._follow(row)

    # Asking

    def run(self) -> None:
        """Asks what is written."""
        text = self.edit.toPlainText().strip()
        if text and self.desk.capture is not None:
            self._asked = text
            self.edit.remember()
            self._mark(False)
            self.table.placeholder = ""
            self.table.viewport().update()
            self.count.setText(RUNNING)
            self.refresh()

    def _ended(self, busy: bool) -> None:
        """Nothing is asked any more: without an answer, the query was stopped; what it found before stays."""
        if not busy and self.count.text() == RUNNING:
            self.count.setText(STOPPED)

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        text = self._asked
        return (lambda progress: ask(capture, text, MOST, progress)) if text else None

    def display(self, answer: tuple[Rows, float]) -> None:
        self.answer, seconds = answer
        self._mark(False)
        self._sorted = None
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.model.set_answer(self.answer.columns, self.answer.rows, self.desk.index)
        self.table.placeholder = "No rows."
        last = self.answer.rows[0][-1:] if self.answer.rows else ()
        self.table.fills = not any(isinstance(value, (int, float)) for value in last)  # else a number far from its row
        self.table.horizontalHeader().setStretchLastSection(self.table.fills)
        self._show_rows()
        self._fit_columns()
        self.export.setEnabled(bool(self.answer.rows))
        more = f"first {len(self.answer):,} rows (more exist)" if self.answer.more else counting(len(self.answer), "row")
        took = f"{seconds:.2g} s" if seconds >= 1 else f"{max(round(1000 * seconds), 1)} ms"
        self._told = f"{more}{self.desk.so_far} in {took}"
        self._tell()

    def _tell(self) -> None:
        """How many rows there are, and how they lead to their events."""
        there = self.answer is not None and len(self.answer)
        leads = {"event": self.model.event_at, "surface": self.model.surface_at}
        names = " and ".join(name for name, at in leads.items() if there and at(0) is not None)
        how = "click a point" if self.answers.currentWidget() is self.two else "press Enter or double-click"
        self.count.setText(f"{self._told}; {how} to go to the {names}" if names else self._told)

    def fail(self, sentence: str) -> None:
        self.clear()
        self._mark(True)
        self.table.placeholder = f"{sentence[:1].upper()}{sentence[1:]}"

    def clear(self) -> None:
        self.answer = None
        self._mark(False)
        self.model.set_answer((), [], None)
        self._show_rows()
        self.table.placeholder = NOTHING
        self.count.setText("")
        self.export.setEnabled(False)

    def capture_changed(self) -> None:
        self._asked = ""

    def export_csv(self) -> None:
        """Asks again, for all rows, and writes them."""
        capture, text = self.desk.capture, self._asked
        try:
            where = ask_where(self, "Export rows", "rows.csv", "rows")
        except BadInput as error:
            self.count.setText(str(error))
            return
        if where and capture is not None and text:
            self.desk.ask("query.export", lambda progress: export(capture, text, *where, progress),
                          lambda rows: self.desk.saved.emit(where[0], f"{counting(rows, 'row')} as {where[0]}"))  # fmt: skip

    # What is written

    def _take_example(self, row: int) -> None:
        text = self.examples.itemData(row)
        self.examples.setCurrentIndex(0)
        if text:
            self.edit.setPlainText(text)
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)  # letters typed next would choose, and run, other examples
            self.run()

    def _put_in(self, item: QTreeWidgetItem) -> None:
        """A name goes where the cursor is; a table alone makes a query."""
        alone = not item.parent() and not self.edit.toPlainText().strip()
        self.edit.insertPlainText(f"SELECT * FROM {item.text(0)}" if alone else item.text(0))
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _mark(self, wrong: bool) -> None:
        self.edit.setProperty("wrong", wrong)
        self.edit.style().polish(self.edit)

    # What was answered

    def _fit_columns(self) -> None:
        metrics = QFontMetrics(style.mono_font())
        for column, title in enumerate(self.model.columns):
            texts = [text_of(row[column]) for row in self.model.rows[:LOOKED_AT]]
            widest = max((metrics.horizontalAdvance(text) for text in texts), default=0)
            title_width = self.table.horizontalHeader().sectionSizeHint(column) + 14
            self.table.setColumnWidth(column, min(max(widest + 16, title_width, len(title)), WIDEST))

    def _sort(self, column: int) -> None:
        """By this column; again: the other way round."""
        up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        order = down if self._sorted == (column, up) else up
        self._sorted = column, order
        self.model.sort(column, order)
        self.table.horizontalHeader().setSortIndicator(column, order)

    def _follow(self, row: int) -> None:
        event, surface = self.model.event_at(row), self.model.surface_at(row)
        here = self.desk.focus.focus
        self.go(event=here.event if event is None else event, surface=here.surface if surface is None else surface)


def ask(capture: CaptureView, text: str, most: int | None, progress: Progress) -> tuple[Rows, float]:
    """The rows, and the seconds they took.  Runs on the asking thread."""
    began = time.monotonic()

    def building(fraction: float) -> bool:
        return progress(fraction, "Building tables") if fraction < 1 else progress(0.0, RUNS)

    progress(0.0, RUNS)
    asked = Sql(text, most=most, progress=building)
    return capture.ask(asked, progress.stop.is_set), time.monotonic() - began


def export(capture: CaptureView, text: str, path: Path, form: Format, progress: Progress) -> int:
    """Writes all rows; returns how many."""
    rows, _ = ask(capture, text, None, progress)
    write_bytes(path, form.make(rows.columns, rows.rows))
    return len(rows)
