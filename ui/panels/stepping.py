"""One vertex or pixel step by step, as in a program's debugger: the steps, and the inputs and results of the selected one."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton

from inspector.focus import Focus
from inspector.query.held.things import Shaders
from inspector.query.steps import walking
from inspector.query.steps.here import run_here
from inspector.query.steps.levers import Lever, Levers
from inspector.query.steps.run import Run
from inspector.query.steps.vertex import StepVertex
from inspector.query.what_if.edits import Shader
from inspector.query.what_if.what_if import WhatIf
from inspector.view import CaptureView
from ui import style
from ui.ask import Progress
from ui.keys.commands import BY_NAME
from ui.keys.keymap import KEYS
from ui.models.steps import REGISTER_COLUMNS, STEP_COLUMNS, event_first, registers_at, step_rows
from ui.models.table import RowsModel
from ui.panels.panel import Panel, Question, as_sentence
from ui.panels.step_edits import ShaderDialog, lever_menus
from ui.panels.step_marks import StepMarks
from ui.panels.step_pages import ORIGINS, PRIMITIVE, StepPages
from ui.widgets.cells import ValueCell
from ui.widgets.controls import count_box, halves, label, one_of, strip, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.own_keys import STEPS
from ui.widgets.row_menu import give_row_menu
from ui.widgets.tables import Table

NO_VERTEX = "This event draws no vertices.\n{}"
NO_PIXEL = "Pick a pixel: click in the Surface panel ({}), or press Shift+arrow keys there."
WAITING = "Reading the steps…"
OTHER_DRAWS = "Pixel history ({}) lists the draws that touch it."
Answer = tuple[Run, tuple[tuple[Lever, ...], ...], CaptureView]
LIST = QSize(275, 120)
"""Pixels that the steps keep beside registers with four numbers, and above them."""
LEAVES, ROOM_FOR_LEAVES = 2, 440
"""The column of what a step leaves, and the width from which it is of use; the table next to it also shows it."""
STEP_WIDTHS = 150, 240
"""Pixels that a step and what it leaves have at first; then a step has what its titles need, up to three fifths."""
TITLE_MARGIN = 24
VERTEX_WIDTH = 136
"""Pixels for seven digits."""
WALKS = {
    "run-back": "previous-frame", "over-back": "previous-draw", "into-back": "previous-event",
    "into": "next-event", "over": "next-draw", "run": "next-frame",
}  # fmt: skip
"""What walks through a run (the commands step-...), with the icon of its button."""


class SteppingPanel(Panel):
    title, name = "Steps", "stepping"
    depends = ("event", "vertex", "pixel", "primitive", "sample", "surface")

    def build(self) -> None:
        self.run: Run | None = None
        self.of_pixel = False
        self.levers: tuple[tuple[Lever, ...], ...] = ()
        self.marks = StepMarks(self.kept, self.keep)
        self.asked_of: CaptureView | None = None
        self._shown_step: tuple[Run | None, int] = (None, -1)
        self.to_end = False  # whether the next run is shown from its end
        self._view: tuple[tuple[Any, ...], CaptureView] | None = None
        self.kinds = [tool(text, f"Step through a {text.lower()}", text=text, checkable=True) for text in ("Vertex", "Pixel")]
        one_of(self, *self.kinds)
        for number, button in enumerate(self.kinds):
            button.setChecked(bool(number) == self.of_pixel)
            button.clicked.connect(lambda _=False, number=number: self.choose(bool(number)))
            button.setMinimumWidth(button.sizeHint().width())
        self.vertex = count_box("Vertex", "vertex ")
        self.vertex.setMaximum(2**30)
        self.vertex.setFixedWidth(VERTEX_WIDTH)
        self.vertex.setToolTip("Index of the vertex in drawing order")
        self.vertex.valueChanged.connect(lambda number: self.go("vertex", vertex=number, step=None))
        self.edited = tool("Edited", "Step through the draw with the edits of What if", text="Edited", checkable=True)
        self.edited.toggled.connect(lambda _: self.refresh())
        self.edited.hide()
        self.desk.edits_changed.connect(self._edits_changed)
        self.note = label(kind="faint")
        self.walks = {name: self._make_walk(name, sign) for name, sign in WALKS.items()}
        self.table, self.values = self._make_steps(), self._make_registers()
        self.pages = StepPages(self, self.values)
        self.formula = label(kind="muted")
        self.formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        controls = *self.kinds, *self.walks.values(), self.vertex, self.edited
        self.box.addWidget(FoldingStrip(controls, (self.note,), kept=1, firm=2))
        self.halves = halves(self.table, self.pages, sizes=(320, 240), beside=(308, 520))
        self.halves.keep(self.table, LIST, self.pages)
        self.halves.crowded.connect(self.pages.crowd)
        self.pages.wanted.connect(self.halves.swap)
        self.box.addWidget(self.halves)
        self.box.addWidget(strip(self.formula, None, self.pages.list, *self.pages.tabs, name="foot"))
        KEYS.changed.connect(self._give_keys)
        self._give_keys()

    def _make_walk(self, name: str, sign: str) -> QToolButton:
        button = tool(BY_NAME[f"step-{name}"].words, "", sign=sign)
        button.clicked.connect(lambda: self.walk(name))
        return button

    def _make_steps(self) -> Table:
        self.steps = RowsModel(STEP_COLUMNS, self)
        table = Table(self.steps, "Steps", (44, *STEP_WIDTHS))
        table.stretch((1, STEP_WIDTHS[0]), (LEAVES, STEP_WIDTHS[1]))
        table.setItemDelegate(ValueCell(table))
        table.chosen_row.connect(lambda row: self.go("step", step=row))
        table.viewport().installEventFilter(self)
        table.setProperty(STEPS, True)
        give_row_menu(table, self.step_menu)
        return table

    def _make_registers(self) -> Table:
        self.registers = RowsModel(REGISTER_COLUMNS, self)
        table = Table(self.registers, "Registers", (52, 104, 70, 70, 70, 70))
        table.stretch((1, 104))
        table.worded = {1: 150}
        table.setItemDelegate(ValueCell(table))
        table.setProperty(STEPS, True)
        give_row_menu(table, self.register_menu)
        return table

    def _give_keys(self) -> None:
        for name, button in self.walks.items():
            button.setToolTip(KEYS.hint(BY_NAME[f"step-{name}"].words, f"step-{name}"))

    def _make_room(self) -> None:
        """Beside the registers there is room for the steps alone."""
        self.table.setColumnHidden(LEAVES, self.table.width() < ROOM_FOR_LEAVES)
        room, letter = (
            self.table.viewport().width() - self.table.columnWidth(0),
            QFontMetrics(style.mono_font()).horizontalAdvance("0"),
        )
        titles = max((len(row.step.title) for row in self.steps.rows), default=0) * letter + TITLE_MARGIN
        title = min(max(titles, STEP_WIDTHS[0]), room * 3 // 5)
        self.table.stretch((1, title), (LEAVES, max(room - title, 1)))

    # Asking

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        draws = bool(capture.events.draw[focus.event])
        edits = self.desk.edits if self.edited.isChecked() else ()
        if self.of_pixel:
            if focus.pixel is None:
                return None
            return lambda progress: self._asked(capture, edits, partial(run_here, focus=focus, draws=draws), progress)
        draw = self.desk.index.draw_for(focus.event) if self.desk.index else None
        if draw is None:
            return None
        vertex = StepVertex(draw, focus.vertex or 0)
        return lambda progress: self._asked(capture, edits, lambda view, cancel: view.ask(vertex, cancel), progress)

    def _asked(self, capture: CaptureView, edits: tuple[Any, ...], ask: Any, progress: Progress) -> Answer:
        """The run, of the edited capture if there are edits.  Runs on the asking thread, one question at a time."""
        view, cancel = capture, progress.stop.is_set
        if edits:
            view = self._view[1] if self._view and self._view[0] == edits else capture.ask(WhatIf(edits), cancel)
            self._view = edits, view
        run = ask(view, cancel)
        return run, view.ask(Levers(run), cancel), view

    def _edits_changed(self) -> None:
        """Without edits there is nothing edited to step through."""
        self.edited.setVisible(bool(self.desk.edits))
        if self.edited.isChecked():
            if self.desk.edits:
                self.refresh()
            else:
                self.edited.setChecked(False)

    def capture_changed(self) -> None:
        self._view = self.asked_of = None
        self.pages.forget()

    def catch_up(self) -> None:
        self._edits_changed()

    def choose(self, pixel: bool) -> None:
        """Steps through pixels, or through vertices."""
        self.of_pixel = pixel
        self.pages.set_of_pixel(pixel)
        self.kinds[pixel].setChecked(True)
        self.vertex.setVisible(not pixel)
        self.refresh()

    def display(self, answer: Answer) -> None:
        self.run, self.levers, self.asked_of = answer
        if self.to_end:
            self.to_end = False
            self.go("step", step=len(self.run.steps) - 1)
        self.table.placeholder = ""
        self.halves.set_empty(self.pages, False)
        self._show_steps()
        self.note.setText(event_first(self.run.title, self.of_pixel and self.run.event != self.desk.focus.focus.event))
        self._show_vertex(self.desk.focus.focus.vertex or 0)
        self._show_step(self.desk.focus.focus.step)

    def clear(self) -> None:
        self.run, self.levers = None, ()
        self.pages.clear()
        self.halves.set_empty(self.pages, True)  # the sentence about emptiness gets their room
        self.steps.set_rows([])
        self.registers.set_rows([])
        self.note.setText("")
        self.formula.setText("")
        self.table.placeholder = self._nothing

    @property
    def _nothing(self) -> str:
        """What to do about emptiness."""
        return NO_PIXEL.format(KEYS.text("panel-surface")) if self.of_pixel else NO_VERTEX.format(self._way_on())

    def waiting(self) -> None:
        if self.table.placeholder == self._nothing:
            self.table.placeholder = WAITING
            self.table.viewport().update()

    def _way_on(self) -> str:
        return self.desk.index.way_on(self.desk.focus.focus.event) if self.desk.index else ""

    def fail(self, sentence: str) -> None:
        self.clear()
        self.table.placeholder = (
            f"{as_sentence(sentence)}\n{OTHER_DRAWS.format(KEYS.text('panel-history'))}"
            if self.of_pixel
            else as_sentence(sentence)
        )

    def moved(self, new: Focus, old: Focus) -> None:
        """What was pointed at last, a pixel or a vertex, is what is stepped through."""
        left = new.vertex is None and old.vertex is not None and new.event == old.event
        if left or new.pixel not in (None, old.pixel) or new.vertex not in (None, old.vertex):
            self.choose(self.desk.focus.pointed == "pixel")
        if new.step != old.step and (new.event, new.vertex) == (old.event, old.vertex):
            self._show_step(new.step)

    # Walking

    @property
    def at(self) -> int:
        """The step that one is at."""
        count = len(self.run.steps) if self.run else 0
        return min(self.desk.focus.focus.step or 0, max(count - 1, 0))

    @property
    def program(self) -> str:
        """What breakpoints and watches are kept for."""
        return walking.program_of(self.run) if self.run else ""

    def walk(self, name: str) -> None:
        """Goes on or back, as a name of WALKS says, within the run."""
        if self.run is None or not self.run.steps:
            return
        kind, _, back = name.partition("-")
        direction = -1 if back else 1
        if kind == "run":
            found = walking.stop(self.run, self.at, self.marks.breakpoints(self.program), direction)
        else:
            found = (walking.over if kind == "over" else walking.into)(self.run, self.at, direction)
        self.go("step", step=found)

    def step(self, direction: int) -> None:
        """Forward or back, within the run."""
        self.walk("into" if direction > 0 else "into-back")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A press in the first column of the steps sets a breakpoint, and moves nothing: a row that was half in sight would be
        elsewhere when the button is let go."""
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            index = self.table.indexAt(event.position().toPoint())
            if index.isValid() and index.column() == 0 and event.button() == Qt.MouseButton.LeftButton:
                self.toggle_breakpoint(index.row())
                return True
        if event.type() == QEvent.Type.Resize:  # the divider gives room to registers that come
            self._make_room()
        return super().eventFilter(watched, event)

    def toggle_breakpoint(self, number: int | None = None) -> None:
        """Sets a breakpoint at a step (None: the one that one is at), or removes it."""
        number = self.at if number is None else number
        if self.run is not None and number < len(self.run.steps):
            self.marks.toggle_breakpoint(self.program, walking.mark_of(self.run.steps[number]))
            self._show_steps()

    def toggle_watch(self, name: str) -> None:
        """Keeps a register in sight, at the top of the list, or no longer."""
        self.marks.toggle_watch(self.program, name)
        self._show_step(self.at)

    # Menus

    def step_menu(self, index: QModelIndex) -> QMenu | None:
        """What can be done with a step."""
        if self.run is None or not index.isValid():
            return None
        row, menu = self.steps.rows[index.row()], QMenu(self)
        word = "Remove breakpoint" if row.stops else "Set breakpoint"
        menu.addAction(word, partial(self.toggle_breakpoint, row.number))
        if self.marks.breakpoints(self.program):
            menu.addAction("Remove all breakpoints of this program", self._remove_breakpoints)
        menu.addSeparator()
        if row.number < len(self.levers):
            lever_menus(menu, self.levers[row.number], self.run.event, self.want)
        if self.run.listing:
            menu.addAction("Edit the shader…", self.edit_shader)
        return menu

    def _remove_breakpoints(self) -> None:
        self.marks.clear_breakpoints(self.program)
        self._show_steps()

    def register_menu(self, index: QModelIndex) -> QMenu | None:
        """What can be done with a register."""
        if self.run is None or not index.isValid():
            return None
        name, menu = self.registers.rows[index.row()].name, QMenu(self)
        watched = name in self.marks.watched(self.program)
        menu.addAction(f"Stop watching {name}" if watched else f"Watch {name}", partial(self.toggle_watch, name))
        for words, direction in (("Go back to the step that wrote it", -1), ("Go to the next step that writes it", 1)):
            number = walking.write_of(self.run, name, self.at, direction)
            action = menu.addAction(words, partial(self.go, "step", step=number))
            action.setEnabled(number is not None)
        if self.of_pixel and " x " not in name:
            menu.addAction(f"Show {name} over the primitive", partial(self.pages.show_page, PRIMITIVE, name))
        if " x " not in name:
            menu.addAction(f"Where does {name} come from?", partial(self.show_origins, name))
        return menu

    def edit_shader(self) -> None:
        """Opens the text of the run's shader, to draw with another one."""
        capture, run = self.desk.capture, self.run
        if capture is None or run is None or not run.listing:
            return
        kind, state = ("pixel_shader", "PIXELSHADER") if self.of_pixel else ("vertex_shader", "VERTEXSHADER")

        def look(progress: Progress) -> tuple[int, str]:
            handle = int(capture.state(run.event)[state].raw[0])
            made = next((one.code for one in self.desk.edits if isinstance(one, Shader) and one.handle == handle), "")
            return handle, made or capture.ask(Shaders(run.event, handle, kind), progress.stop.is_set)[0].code

        def show(found: tuple[int, str]) -> None:
            ShaderDialog(self.window(), *found, self.want).open_over(self)

        self.desk.ask("shader text", look, show, lambda error: self.desk.noted.emit(as_sentence(str(error))))

    def want(self, edits: tuple[Any, ...]) -> None:
        """Adds edits to the What if, which shows the image with them, and steps through the edited draw."""
        self.desk.edits_wanted.emit(edits)
        self.edited.setChecked(True)

    # Where from

    def show_origins_of_pixel(self, name: str) -> None:
        """The same of the pixel that one is at, where its steps end."""
        self.to_end = True
        self.choose(True)
        self.show_origins(name)

    def show_origins(self, name: str) -> None:
        """Lists what a value comes from, as it is at the step that one is at."""
        self.pages.show_page(ORIGINS, name)

    # Showing

    def _show_steps(self) -> None:
        if self.run is not None:
            self.steps.set_rows(step_rows(self.run, self.marks.breakpoints(self.program)))
            self._make_room()

    def _show_vertex(self, number: int) -> None:
        self.vertex.blockSignals(True)
        self.vertex.setValue(number)
        self.vertex.blockSignals(False)

    def _show_step(self, number: int | None) -> None:
        if self.run is None or not self.run.steps:
            return
        at = min(number or 0, len(self.run.steps) - 1)
        self.table.show_row(at)
        self.registers.set_rows(registers_at(self.run, at, self.marks.watched(self.program)))
        if self._shown_step != (self.run, at):  # what is watched, and what the step read, come first
            self._shown_step = self.run, at
            self.values.scrollToTop()
        self.formula.setText(self.run.steps[at].note)
        self.pages.come_to(self.run, at)
