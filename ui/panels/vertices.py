"""What a draw is made of: vertices as they lie in the streams, as assembled, and as transformed; and their shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtWidgets import QButtonGroup, QToolButton

from core.errors import BadInput
from inspector.exports.formats import Format
from inspector.exports.meshes import textures_of
from inspector.files import write_bytes
from inspector.focus import Focus
from inspector.view import CaptureView
from ui.ask import Progress
from ui.files import ask_where
from ui.keys.keymap import KEYS
from ui.models.grid import GridModel, positions
from ui.panels.panel import Panel, Question, as_sentence
from ui.widgets.cells import NumberCell, ValueCell
from ui.widgets.controls import halves, label, strip, tool
from ui.widgets.mesh_view import MeshView, edges_of
from ui.widgets.tables import Table
from ui.words import counting

VIEWS = (
    ("streams", "Streams", "As stored in the vertex buffers"),
    ("assembled", "Assembled", "In drawing order, as the vertex pipeline reads them"),
    ("tessellated", "Tessellated", "What the tessellator generated from a patch or N-patches"),
    ("transformed", "Transformed", "In screen space, as the vertex pipeline outputs them"),
    ("clipped", "Clipped", "The triangles and lines that go to the rasteriser, after clipping"),
    ("primitives", "Primitives", "The fate of each primitive: drawn, culled or clipped, and why"),
)


class VerticesPanel(Panel):
    title, name = "Vertices", "vertices"

    def build(self) -> None:
        self.which = "assembled"
        self.buttons = QButtonGroup(self)
        self.note = label(kind="faint")
        controls = [self._make_button(*view) for view in VIEWS]
        self.export = tool("Export", "Export these vertices as CSV, or their shape as OBJ, PLY or glTF", "save")
        self.export.clicked.connect(self.export_vertices)
        self.model = GridModel(self)
        self.table = Table(self.model, "Vertices", (56,))
        self.table.setItemDelegate(ValueCell(self.table))
        self.table.setItemDelegateForColumn(0, NumberCell(self.table))
        self.mesh = MeshView()
        self.box.addWidget(strip(*controls, None, self.note, self.export))
        self.box.addWidget(halves(self.table, self.mesh, sizes=(300, 260)))
        self.table.chosen_row.connect(self._chosen)

    def _make_button(self, which: str, text: str, tip: str) -> QToolButton:
        button = tool(text, tip, text=text, checkable=True, checked=which == self.which)
        button.clicked.connect(lambda: self._choose(which))
        button.setProperty("which", which)
        self.buttons.addButton(button)
        return button

    def _chosen(self, row: int) -> None:
        """A row is a primitive or a vertex; not of what clipping made."""
        if self.which == "primitives":
            self.go("primitive", primitive=row)
        elif self.which in ("assembled", "transformed"):
            self.go("vertex", vertex=row)

    def _choose(self, which: str) -> None:
        self.which = which
        self.refresh()

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        which, event = self.which, self._event
        return lambda progress: vertices(capture, event, which, progress)

    @property
    def _event(self) -> int:
        """The draw that is shown; at a state, the draw that it is for."""
        index, event = self.desk.index, self.desk.focus.focus.event
        draw = index.draw_for(event) if index else None
        return event if draw is None else draw

    def export_vertices(self) -> None:
        """Writes what is shown."""
        capture, event, which = self.desk.capture, self._event, self.which
        try:
            where = ask_where(self, "Export the vertices", f"event-{event}-{which}", "vertices")
        except BadInput as error:
            self.note.setText(str(error))
            return
        if where and capture is not None:
            write = lambda progress: written(capture, event, which, *where, progress)  # noqa: E731
            self.desk.ask("export vertices", write, self.note.setText)

    def display(self, answer: tuple[Any, str]) -> None:
        grid, which = answer
        columns = list(grid.columns)
        self.model.set_grid(columns, grid.rows)
        for column in range(len(columns) + 1):
            self.table.setColumnWidth(column, 92 if column else 56)
        notes = " ".join([grid.notes] if isinstance(grid.notes, str) else grid.notes)
        self.table.placeholder = f"{as_sentence(notes)}\nPress {KEYS.text('next-draw')} to go to the next draw."
        self.note.setText(
            "" if notes and not len(grid.rows) else notes or f"{counting(len(grid.rows), 'vertex')}  {grid.primitive}"
        )
        if self._event != self.desk.focus.focus.event:
            self.note.setText(f"#{self._event}:  {self.note.text()}")
        next(button for button in self.buttons.buttons() if button.property("which") == which).setChecked(True)
        points = positions(columns, grid.rows)
        edges = edges_of(grid.primitive, len(points)) if grid.primitive else np.zeros((0, 2), np.int64)
        self.mesh.set_mesh(points, edges, flat=which in ("transformed", "clipped"))

    def clear(self) -> None:
        self.model.set_grid([], np.zeros((0, 0), np.float32))
        self.mesh.set_mesh(np.zeros((0, 3), np.float32), np.zeros((0, 2), np.int64), flat=False)
        self.note.setText("")

    def moved(self, new: Focus, old: Focus) -> None:
        self.mesh.set_vertex(new.vertex)


def vertices(capture: CaptureView, event: int, which: str, progress: Progress) -> tuple[Any, str]:
    """The grid, and its name: the assembled vertices where nothing was tessellated.  Runs on the asking thread."""
    grid = capture.vertices(event, which, progress.stop.is_set)
    if which == "tessellated" and not len(grid.rows):
        which = "assembled"
        grid = capture.vertices(event, which, progress.stop.is_set)
    return grid, which


def written(capture: CaptureView, event: int, which: str, path: Path, form: Format, progress: Progress) -> str:
    """Writes the grid; returns how many rows went where.  Runs on the asking thread."""
    grid, which = vertices(capture, event, which, progress)
    write_bytes(path, form.make(grid, f"{capture.title}, event {event}, {which}", lambda: textures_of(capture, event)))
    return f"Wrote {len(grid.rows):,} rows to {path}"
