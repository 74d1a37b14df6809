"""One vertex or pixel step by step, as a debugger shows a program: the steps, and what the chosen one read and left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup

from core.errors import BadInput
from inspector.focus import Focus
from inspector.query.events.spans import span
from inspector.query.pixels.history import PixelHistory
from inspector.query.pixels.pixel import pinned
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.run import Numbers, Run, Step
from inspector.query.steps.vertex import StepVertex
from inspector.view import CaptureView
from ui.keys.keymap import KEYS
from ui.models.table import Column, RowsModel
from ui.panels.panel import Panel, Question, as_sentence
from ui.roles import BEGIN_ROLE, MARK_ROLE, SWATCH_ROLE, TOKEN_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import count_box, halves, label, strip, tool
from ui.widgets.tables import Table
from ui.words import figure

COLORS = ("diffuse", "specular", "ambient", "emissive", "current", "temp", "texture", "texel", "arg", "color", "source",
          "destination", "result")  # fmt: skip
NO_VERTEX = "This event draws no vertices.\nPress {} to go to the next draw."
NO_PIXEL = "Pick a pixel: click in the Surface panel ({}), or press Shift+arrow keys there."
OTHER_DRAWS = "Pixel history ({}) lists the draws that touch it."
LEAVES, ROOM_FOR_LEAVES = 2, 440
"""The column of what a step leaves, and the width from which it is of use; the table next to it also shows it."""
ROLES = {"in": "muted", "out": "changed", "": "text"}


@dataclass(frozen=True)
class Register:
    """A row of the lower table. role: "in" of the step, "out" of it, "" for what was there before."""

    role: str
    name: str
    value: Numbers
    first: bool = False


class SteppingPanel(Panel):
    title, name = "Steps", "stepping"
    depends = ("event", "vertex", "pixel", "primitive", "sample", "surface")

    def build(self) -> None:
        self.run: Run | None = None
        self.of_pixel = False
        self.kinds = [tool(text, f"Step through a {text.lower()}", text=text, checkable=True) for text in ("Vertex", "Pixel")]
        group = QButtonGroup(self)
        for number, button in enumerate(self.kinds):
            group.addButton(button)
            button.setChecked(bool(number) == self.of_pixel)
            button.clicked.connect(lambda _=False, number=number: self.choose(bool(number)))
        self.vertex = count_box("Vertex", "vertex ")
        self.vertex.setMaximum(2**30)
        self.vertex.setToolTip("Index of the vertex in drawing order")
        self.vertex.valueChanged.connect(lambda number: self.go("vertex", vertex=number, step=None))
        self.note = label(kind="faint")
        buttons = [
            tool("Previous step", "Previous step (Up)", sign="previous-event"),
            tool("Next step", "Next step (Down)", sign="next-event"),
        ]
        for button, direction in zip(buttons, (-1, 1), strict=True):
            button.clicked.connect(lambda _=False, direction=direction: self.step(direction))
        self.steps = RowsModel(
            (
                Column("", lambda row: str(row[0]), {TOKEN_ROLE: lambda _: "faint", BEGIN_ROLE: lambda row: row[2]}),
                Column("Step", lambda row: row[1].title),
                Column("Result", lambda row: "   ".join(value.text for value in row[1].writes)),
            ),
            self,
        )
        self.table = Table(self.steps, "Steps", (30, 244, 260))
        self.table.stretch(1)
        self.table.setItemDelegate(ValueCell(self.table))
        self.table.chosen_row.connect(lambda row: self.go("step", step=row))
        self.registers = RowsModel(
            (
                Column("", lambda row: row.role, {TOKEN_ROLE: lambda _: "faint", MARK_ROLE: _mark}),
                Column("Register", lambda row: row.name, {TOKEN_ROLE: _token, SWATCH_ROLE: _swatch}),
                *(_component(n) for n in range(4)),
            ),
            self,
        )
        self.values = Table(self.registers, "Registers", (34, 150, 70, 70, 70, 70))
        self.values.stretch(1, 150)
        self.values.setItemDelegate(ValueCell(self.values))
        self.formula = label(kind="muted")
        self.formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.box.addWidget(strip(*self.kinds, *buttons, self.vertex, None, self.note))
        self.halves = halves(self.table, self.values, sizes=(320, 240), beside=(270, 520))
        self.halves.splitterMoved.connect(self._make_room)
        self.box.addWidget(self.halves)
        self.box.addWidget(strip(self.formula, None, name="foot"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Beside the registers there is room for the steps alone."""
        self.table.setColumnHidden(LEAVES, self.table.width() < ROOM_FOR_LEAVES)

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        draws = bool(capture.events.draw[focus.event])
        if self.of_pixel:
            return None if focus.pixel is None else lambda progress: _pixel(capture, focus, draws, progress.stop.is_set)
        draw = self.desk.index.draw_for(focus.event) if self.desk.index else None
        if draw is None:
            return None
        vertex = StepVertex(draw, focus.vertex or 0)
        return lambda progress: capture.ask(vertex, progress.stop.is_set)

    def choose(self, pixel: bool) -> None:
        """Steps through pixels, or through vertices."""
        self.of_pixel = pixel
        self.kinds[pixel].setChecked(True)
        self.vertex.setVisible(not pixel)
        self.refresh()

    def display(self, answer: Run) -> None:
        self.run = answer
        rows = [(number, step, _begins(answer.steps, number)) for number, step in enumerate(answer.steps)]
        self.steps.set_rows(rows)
        self.note.setText(answer.title)
        self._show_vertex(self.desk.focus.focus.vertex or 0)
        self._show_step(self.desk.focus.focus.step)

    def clear(self) -> None:
        self.run = None
        self.steps.set_rows([])
        self.registers.set_rows([])
        self.note.setText("")
        self.formula.setText("")
        self.table.placeholder = (
            NO_PIXEL.format(KEYS.text("panel-surface")) if self.of_pixel else NO_VERTEX.format(KEYS.text("next-draw"))
        )

    def fail(self, sentence: str) -> None:
        self.clear()
        self.table.placeholder = (
            f"{as_sentence(sentence)}\n{OTHER_DRAWS.format(KEYS.text('panel-history'))}"
            if self.of_pixel
            else as_sentence(sentence)
        )

    def moved(self, new: Focus, old: Focus) -> None:
        """What was pointed at last, a pixel or a vertex, is what is stepped through."""
        if new.pixel not in (None, old.pixel):
            self.choose(True)
        elif new.vertex not in (None, old.vertex):
            self.choose(False)
        if new.step != old.step and (new.event, new.vertex) == (old.event, old.vertex):
            self._show_step(new.step)

    def step(self, direction: int) -> None:
        """Forward or back, within the run."""
        if self.run is not None:
            at = (self.desk.focus.focus.step or 0) + direction
            self.go("step", step=min(max(at, 0), len(self.run.steps) - 1))

    def _show_vertex(self, number: int) -> None:
        self.vertex.blockSignals(True)
        self.vertex.setValue(number)
        self.vertex.blockSignals(False)

    def _show_step(self, number: int | None) -> None:
        if self.run is None or not self.run.steps:
            return
        at = min(number or 0, len(self.run.steps) - 1)
        self.table.show_row(at)
        self.registers.set_rows(registers_at(self.run, at))
        self.formula.setText(self.run.steps[at].note)


def registers_at(run: Run, number: int) -> list[Register]:
    """What the step read, what it left, and everything else that was there."""
    step = run.steps[number]
    rows = [Register("in", value.name, value.value) for value in step.reads]
    rows += [Register("out", value.name, value.value, n == 0) for n, value in enumerate(step.writes)]
    left = {value.name for value in step.writes}
    read = {(value.name, value.value) for value in step.reads}
    others = [(name, value) for name, value in run.registers(number).items() if name not in left and (name, value) not in read]
    return rows + [Register("", name, value, n == 0) for n, (name, value) in enumerate(others)]


def _pixel(capture: CaptureView, focus: Focus, draws: bool, cancel: Any) -> Run:
    """The fragment that the event's draw makes of the pixel; where nothing is drawn, the last one of the frame so far."""
    assert focus.pixel is not None
    if draws:
        return capture.ask(StepPixel(focus.event, *focus.pixel, focus.primitive, focus.sample, _target(focus)), cancel)
    x, y = focus.pixel
    where = pinned(capture, focus.where, focus.event, cancel)
    question = PixelHistory(where, x, y, *span(capture, focus.event, "until"), misses=False)
    made = capture.ask(question, cancel).fragments
    if not made:
        raise BadInput(f"no draw in this frame covers pixel {x}, {y} before event {focus.event}")
    last = ([one for one in made if one.passed] or made)[-1]
    return capture.ask(StepPixel(last.event, x, y, last.primitive, last.sample, where.surface), cancel)


def _target(focus: Focus) -> int | str:
    """The surface whose pixel is meant; of a texture that is looked at: the render target."""
    return focus.surface if focus.surface == "depth" else "render_target"


def _begins(steps: tuple[Step, ...], number: int) -> bool:
    """Whether a stage begins with this step."""
    return number > 0 and steps[number].stage != steps[number - 1].stage


def _token(row: Register) -> str:
    return ROLES[row.role]


def _mark(row: Register) -> str | None:
    return "changed" if row.role == "out" else None


def _component(n: int) -> Column:
    """The column of one component."""
    return Column("xyzw"[n], lambda row: figure(row.value[n]) if n < len(row.value) else "", {TOKEN_ROLE: _token})


def _swatch(row: Register) -> int | None:
    """The colour of a register that holds one."""
    if len(row.value) < 3 or not any(word in row.name for word in COLORS) or "coordinates" in row.name:
        return None
    red, green, blue = (round(min(max(part, 0.0), 1.0) * 255) for part in row.value[:3])
    return red << 16 | green << 8 | blue
