"""Views next to the steps of a pixel: its quad with differences, and one value over its whole primitive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.query.steps.origins import Origin
from inspector.query.steps.quad import Quad, QuadValue
from inspector.query.steps.run import Numbers, Step
from inspector.query.steps.spread import Spread
from ui.models.pixels import argb_of_rgba
from ui.models.steps import color_of
from ui.models.table import Column, RowsModel
from ui.roles import BEGIN_ROLE, LINK_ROLE, SWATCH_ROLE, TOKEN_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import Choice, label, strip
from ui.widgets.picture_view import PictureView
from ui.widgets.tables import Table
from ui.words import counting, figure

GROWTH, WIDEST = 3, 480
"""The column of differences, and the pixels up to which it grows."""


@dataclass(frozen=True)
class QuadRow:
    """The upper or the lower two pixels of a value."""

    value: QuadValue
    lower: bool

    @property
    def growth(self) -> str:
        """What the value grows by, to the right in the upper row, downwards in the lower."""
        return f"↓  {_numbers(self.value.dy)}" if self.lower else f"→  {_numbers(self.value.dx)}"


def _numbers(values: Numbers) -> str:
    return "  ".join(map(figure, values))


def _pixel(n: int, title: str) -> Column:
    """The column of the left (0) or the right pixels."""
    values = lambda row: row.value.values[n + 2 * row.lower]  # noqa: E731
    return Column(title, lambda row: _numbers(values(row)), {SWATCH_ROLE: lambda row: color_of(row.value.name, values(row))})


class QuadTable(Table):
    """Two rows for each value of the run, as the four pixels lie; `show_quad` fills it."""

    def __init__(self, parent: QWidget) -> None:
        faint = {TOKEN_ROLE: lambda _: "muted"}
        self.quad = RowsModel(
            (
                Column("Value", lambda row: "" if row.lower else row.value.name, {BEGIN_ROLE: lambda row: not row.lower}),
                _pixel(0, "Left"),
                _pixel(1, "Right"),
                Column("Growth", lambda row: row.growth, faint),
                Column("Step", lambda row: row.value.step if row.value.first and not row.lower else "",
                       {TOKEN_ROLE: lambda _: "faint"}),
            ),
            parent,
        )  # fmt: skip
        super().__init__(self.quad, "Quad", (140, 190, 190, 190, 130))
        self.setItemDelegate(ValueCell(self))
        self.keeps_lists = True
        self.worded = {GROWTH: WIDEST}  # an arrow goes before its numbers

    def show_quad(self, quad: Quad | None) -> None:
        self.quad.set_rows(
            [QuadRow(value, lower) for value in quad.values for lower in (False, True)] if quad is not None else []
        )

    def row_of(self, title: str) -> QuadValue | None:
        """The first value of a step."""
        return next((row.value for row in self.quad.rows if row.value.step == title), None)


def quad_text(quad: Quad) -> str:
    """Which pixels, and which of them the primitive covers."""
    (left, top), (right, bottom) = quad.places[0], quad.places[3]
    missing = [f"{x}, {y}" for (x, y), covered in zip(quad.places, quad.covered, strict=True) if not covered]
    outside = f"; primitive {quad.primitive} does not cover {' and '.join(missing)}" if missing else ""
    return f"pixels {left}..{right}, {top}..{bottom}{outside}"


class SpreadView(QWidget):
    """One value over the primitive.  `wanted(name)`: of which value; `picked(x, y)`: a pixel of the target."""

    wanted = Signal(str)
    picked = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.spread: Spread | None = None
        self.names = Choice("Value shown over the primitive")
        self.names.activated.connect(self._choose)
        self._chosen = ""  # by the user, and looked at wherever a step has it
        self.view = PictureView()
        self.view.setAccessibleName("The value over the primitive")
        self.view.picked.connect(self._pick)
        self.view.hovered.connect(self._read)
        self.reading = label(kind="muted")
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(strip(self.names, None, self.reading))
        box.addWidget(self.view, 1)

    @property
    def name(self) -> str:
        return self.names.currentText()

    def _choose(self, _: int) -> None:
        self._chosen = self.name
        self.wanted.emit(self.name)

    def offer(self, step: Step, name: str = "") -> None:
        """Lists the values of a step, what it leaves first; keeps the one that was chosen if the step has it, too."""
        names = list(dict.fromkeys(value.name for value in (*step.writes, *step.reads) if " x " not in value.name))
        self._chosen = name or self._chosen
        self.names.clear()
        self.names.addItems(names)
        if self._chosen in names:
            self.names.setCurrentText(self._chosen)

    def show_spread(self, spread: Spread, pixel: tuple[int, int] | None) -> None:
        self.spread = spread
        self.view.message = ""
        self.view.set_picture(argb_of_rgba(spread.image()), alpha=True)
        self.view.set_pixel((pixel[0] - spread.left, pixel[1] - spread.top) if pixel else None)
        low, high = spread.range
        self.reading.setText(f"{counting(int(spread.covered.sum()), 'pixel')}, from {figure(low)} to {figure(high)}")

    def say(self, sentence: str) -> None:
        """Shows no picture, and why."""
        self.spread = None
        self.view.message = sentence
        self.view.set_picture(None)
        self.reading.setText("")

    def _read(self, x: int, y: int) -> None:
        found: Any = self.spread
        if found is not None and 0 <= y < found.values.shape[0] and 0 <= x < found.values.shape[1]:
            self.reading.setText(f"{x + found.left}, {y + found.top}   {_numbers(tuple(found.values[y, x].tolist()))}")

    def _pick(self, x: int, y: int) -> None:
        if self.spread is not None:
            self.picked.emit(x + self.spread.left, y + self.spread.top)


class OriginTable(Table):
    """What a value comes from.  `followed(origin)`: a click on its name, or Enter."""

    followed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        self.origins = RowsModel(
            (
                Column("From", lambda row: KINDS[row.kind], {TOKEN_ROLE: lambda _: "faint"}),
                Column("What", lambda row: row.name, {LINK_ROLE: lambda row: row if leads(row) else None}),
                Column("Value", lambda row: row.value),
                Column("Event", lambda row: f"#{row.event}" if row.kind in TOKENS and row.event is not None else "",
                       {LINK_ROLE: lambda row: token_of(row) if row.kind in TOKENS and row.event is not None else None}),
            ),
            parent,
        )  # fmt: skip
        super().__init__(self.origins, "Origins", (66, 140, 280, 60))
        self.stretch((1, 140), (2, 280))
        cell = ValueCell(self)
        cell.followed.connect(self.followed)
        self.setItemDelegate(cell)
        self.activated_row.connect(lambda number: self.followed.emit(self.origins.rows[number]))

    def show_origins(self, name: str, origins: Any) -> None:
        self.origins.set_rows(list(origins))
        self.setColumnHidden(EVENT, not any(row.kind in TOKENS for row in origins))  # leaves its room to weights of vertices
        self.placeholder = f"{name} comes from nothing else." if name else ""


EVENT = 3
"""The column of tokens."""
KINDS = {"step": "step", "vertex": "vertex", "texel": "texel", "state": "state", "buffer": "buffer", "fragment": "before",
         "constant": "constant"}  # fmt: skip
TOKENS = ("state", "buffer", "fragment", "texel")
"""Kinds whose event is a token that set or wrote it."""


def token_of(origin: Origin) -> Origin:
    """The token that wrote it, and nothing else."""
    return Origin("token", origin.name, origin.value, origin.event)


def leads(origin: Origin) -> bool:
    """Whether there is somewhere to go."""
    if origin.kind == "step":
        return origin.step is not None
    return origin.event is not None or origin.texel is not None
