"""A draw's vertices: streams and indices in memory, vertices as assembled and transformed; and their shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel
from PySide6.QtWidgets import QMenu, QToolButton

from core.errors import BadInput
from inspector.exports.formats import Format
from inspector.exports.materials import SEVERAL, write_several
from inspector.exports.meshes import textures_of
from inspector.files import write_bytes
from inspector.focus import Focus
from inspector.query.draws.streams import IndexBytes, StreamBytes
from inspector.view import CaptureView
from ui.ask import Progress
from ui.files import ask_where
from ui.models.grid import GridModel
from ui.models.memory import MemoryModel, index_cells, stream_cells
from ui.panels.panel import Panel, Question, as_sentence
from ui.panels.vertex_places import (
    Seen,
    has_corner,
    pixel_of,
    place_of,
    primitive_at,
    primitive_of,
    primitive_with,
    rows_of,
    seen,
    vertices,
)
from ui.widgets.cells import NumberCell, ValueCell
from ui.widgets.controls import Choice, halves, label, one_of, strip, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.row_menu import give_row_menu
from ui.widgets.shape_controls import ShapeControls
from ui.widgets.tables import Table
from ui.words import counting

VIEWS = (
    ("streams", "Streams", "As stored in the vertex buffers: values of the declared types, and their bytes"),
    ("indices", "Indices", "As stored in the index buffer, with the vertices they select"),
    ("assembled", "Assembled", "In drawing order, as the vertex pipeline reads them"),
    ("tessellated", "Tessellated", "What the tessellator generated from a patch or N-patches"),
    ("transformed", "Transformed", "In screen space, as the vertex pipeline outputs them"),
    ("clipped", "Clipped", "The triangles and lines that go to the rasteriser, after clipping"),
    ("primitives", "Primitives", "The fate of each primitive: drawn, culled or clipped, and why"),
)

INSTEAD = {"tessellated": "nothing is tessellated", "indices": "no indices", "streams": "no stream"}
"""Why assembled vertices are shown instead."""
WORDS, WIDEST = ("fate", "outside", "made by"), 420
"""Columns of words, and the pixels up to which they grow."""
BOUNDS = ("left", "top", "right", "bottom")
"""Of a primitive of which nothing is left, there are none."""


class VerticesPanel(Panel):
    title, name = "Vertices", "vertices"

    def build(self) -> None:
        self.which, self.stream = "assembled", 0
        self._columns = list[str]()  # of the grid, which have their widths
        self.seen: Seen | None = None
        self.note = label(kind="faint")
        controls = [self._make_button(*view) for view in VIEWS]
        self.buttons = one_of(self, *controls)
        self.streams = Choice("Stream")
        self.streams.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
        self.streams.activated.connect(self._choose_stream)
        self.open = tool("Open the buffer", "Open the buffer in a viewer of its own", text="Open buffer")
        self.open.clicked.connect(lambda: self._open_buffer())
        self.nearest = tool("Nearest draw", "Go to the nearest event that has vertices", text="Nearest draw")
        self.nearest.clicked.connect(self._go_to_nearest)
        self.nearest.hide()
        self.export = tool("Export", "Export these vertices as CSV, or their shape as OBJ, PLY or glTF", "save")
        self.export.clicked.connect(self.export_vertices)
        self.model, self.memory = GridModel(self), MemoryModel(self)
        self.table = self._make_table(self.model, "Vertices")
        self.bytes_table = self._make_table(self.memory, "Vertices in memory")
        self.shape = ShapeControls(self.kept, self.keep)
        self.mesh = self.shape.view
        self.mesh.picked.connect(self._picked)
        self.shape.asked.connect(self.refresh)
        self.box.addWidget(FoldingStrip(controls, (), firm=3))
        self.box.addWidget(strip(self.streams, self.open, self.nearest, self.note, None, self.export))
        self.halves = halves(self.table, self.bytes_table, self.shape, sizes=(240, 240, 280))
        self.box.addWidget(self.halves)
        self._show_tables(memory=False)

    def _make_table(self, model: Any, name: str) -> Table:
        table = Table(model, name, (56,))
        table.setItemDelegate(ValueCell(table))
        table.setItemDelegateForColumn(0, NumberCell(table))
        table.chosen_row.connect(self._chosen)
        table.activated_row.connect(self._activated)
        give_row_menu(table, lambda index: self._menu_of(index.row()))
        return table

    def _make_button(self, which: str, text: str, tip: str) -> QToolButton:
        button = tool(text, tip, text=text, checkable=True, checked=which == self.which)
        button.clicked.connect(lambda: self._choose(which))
        button.setProperty("which", which)
        button.setObjectName("dense")
        return button

    # Asking

    def _choose(self, which: str) -> None:
        self.which = which
        self.refresh()

    def _choose_stream(self, place: int) -> None:
        self.stream = place
        if self.seen is not None:
            self._show_memory(self.seen)

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        which, event = self.which, self._event
        space, textured = self.shape.space_of(which), self.shape.textured
        return lambda progress: seen(capture, event, which, space, textured, progress)

    @property
    def _event(self) -> int:
        """The draw that is shown; at a state, the draw that it is for."""
        index, event = self.desk.index, self.desk.focus.focus.event
        draw = index.draw_for(event) if index else None
        return event if draw is None else draw

    def _go_to_nearest(self) -> None:
        draw = self.desk.index.nearest_draw(self._event) if self.desk.index else None
        if draw is not None:
            self.go(event=draw)

    def _offer_nearest(self) -> str:
        """At an event that is no draw, offers the nearest one; what to say instead of vertices, empty at a draw."""
        index = self.desk.index
        if index is None or index.draw_for(self._event) is not None:
            self.nearest.hide()
            return ""
        draw = index.nearest_draw(self._event)
        self.nearest.setVisible(draw is not None)
        self.nearest.setText(f"Go to draw #{draw}")
        return index.no_vertices(self._event)

    def export_vertices(self) -> None:
        """Writes what is shown."""
        capture, event, which = self.desk.capture, self._event, self.which.replace("indices", "assembled")
        try:
            where = ask_where(self, "Export the vertices", f"event-{event}-{which}", "vertices")
        except BadInput as error:
            self.note.setText(str(error))
            return
        if where and capture is not None:
            write = lambda progress: written(capture, event, which, *where, progress)  # noqa: E731
            self.desk.ask("export vertices", write, self.note.setText)

    # Showing

    def display(self, answer: Seen) -> None:
        self.seen, instead = answer, self._offer_nearest()
        self._show_tables(answer.memory is not None)
        if answer.memory is not None:
            self._show_memory(answer)
        else:
            self._show_grid(answer, instead)
        if answer.which != self.which and not instead and self.which in INSTEAD:
            self.note.setText(f"{self.note.text()}   {INSTEAD[self.which]}")
        if self._event != self.desk.focus.focus.event:
            self.note.setText(f"#{self._event}:  {self.note.text()}")
        next(button for button in self.buttons.buttons() if button.property("which") == answer.which).setChecked(True)
        self.shape.show_mesh(answer.which, answer.mesh, "" if answer.mesh is not None else "Nothing is drawn here.")
        self._mark(self.desk.focus.focus)

    def _show_tables(self, memory: bool) -> None:
        self.table.setVisible(not memory)
        self.bytes_table.setVisible(memory)

    def _show_grid(self, shown: Seen, instead: str) -> None:
        grid, fates, columns = shown.grid, shown.fates, list(shown.grid.columns)
        self.streams.hide()
        self.open.hide()
        self.table.worded = {n: WIDEST for n, name in enumerate(columns, 1) if name in WORDS}
        self.model.set_grid(columns, grid.rows, BOUNDS)
        if columns != self._columns:  # else they are as wide as the draw before needed them: others would be painted twice
            self._columns = columns
            for column in range(len(columns) + 1):
                self.table.setColumnWidth(column, 92 if column else 56)
        notes = " ".join([grid.notes] if isinstance(grid.notes, str) else grid.notes)
        self.table.placeholder = instead or (as_sentence(notes) if notes else "")
        counted = counting(len(grid.rows), grid.noun)
        made = "" if grid.noun == "control point" else grid.primitive
        words = f"{counted}:  {fates}" if fates else "  ".join(filter(None, (counted, made, notes)))
        self.note.setText("" if notes and not len(grid.rows) else words)

    def _show_memory(self, shown: Seen) -> None:
        """The chosen stream, or the indices."""
        assert shown.memory is not None
        streams, indices = shown.memory.streams, shown.memory.indices
        self.streams.setVisible(shown.which == "streams")
        self.stream = min(self.stream, max(len(streams) - 1, 0))
        self.streams.clear()
        self.streams.addItems([stream_title(one) for one in streams])
        self.streams.setCurrentIndex(self.stream if streams else -1)
        self.bytes_table.placeholder = "This draw reads no stream: the control points of its patch were kept."
        if shown.which == "indices":
            assert indices is not None
            self.memory.show_cells(index_cells(indices), len(indices.indices))
            self.note.setText(index_title(indices))
        elif streams:
            one = streams[self.stream]
            self.memory.show_cells(stream_cells(one), one.count)
            self.note.setText(counting(one.count, "vertex"))
        else:
            self.memory.show_cells((), 0)
            self.note.setText("")
        self.open.setVisible(self._buffer() != 0)
        self.bytes_table.setColumnWidth(0, 56)
        for column in range(1, len(self.memory.columns)):
            self.bytes_table.setColumnWidth(column, self._width_of(column))

    def _width_of(self, column: int) -> int:
        """Pixels for the texts of the first rows, and the title."""
        metrics = self.bytes_table.fontMetrics()
        texts = [self.memory.columns[column].text(row) for row in range(min(self.memory.rowCount(), 24))]
        texts.append(self.memory.columns[column].title)
        return min(max((metrics.horizontalAdvance("0") * len(text) for text in texts), default=0) * 11 // 10 + 36, 320)

    def clear(self) -> None:
        self.seen, self._columns = None, []
        self._show_tables(memory=False)
        self.streams.hide()
        self.nearest.hide()
        self.open.hide()
        self.model.set_grid([], np.zeros((0, 0), np.float32))
        self.memory.show_cells((), 0)
        self.shape.show_mesh(self.which, None)
        self.note.setText("")

    # The selection, here and elsewhere

    def moved(self, new: Focus, old: Focus) -> None:
        if new.event != old.event:
            return
        if (new.vertex, new.primitive) != (old.vertex, old.primitive):
            self._mark(new if new.vertex != old.vertex else new.replace(vertex=None))  # what is new counts
        elif new.pixel != old.pixel:
            self._find_pixel(new)

    def _find_pixel(self, focus: Focus) -> None:
        """Marks what the draw put at the pixel that was picked; the surface goes on showing all of the draw."""
        capture, event, pixel = self.desk.capture, self._event, focus.pixel
        if capture is None or pixel is None or self.seen is None or not self.raised or not isinstance(focus.surface, str):
            return
        self.desk.ask(
            "primitive of a pixel", lambda progress: primitive_at(capture, event, pixel, progress),
            lambda found: self._mark(focus if found is None else focus.replace(vertex=None, primitive=found)),
        )  # fmt: skip

    def _mark(self, focus: Focus) -> None:
        """Selects the rows of the vertex and the primitive that one looks at, and lights them up in the shape."""
        shown = self.seen
        if shown is None:
            return
        rows, mesh_row = rows_of(shown, focus.vertex, focus.primitive)
        first = None if mesh_row is None else primitive_with(shown, mesh_row)
        self.mesh.select(first if focus.primitive is None else focus.primitive, mesh_row)
        table = self.table if shown.memory is None else self.bytes_table
        rows = [row for row in rows if row < table.model().rowCount()]
        if not rows or (table.hasFocus() and table.currentIndex().row() in rows):
            return
        table.show_row(rows[0])
        chosen = QItemSelection()
        for row in rows:
            chosen.select(table.model().index(row, 0), table.model().index(row, table.model().columnCount() - 1))
        table.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _chosen(self, row: int) -> None:
        """A row is a primitive or a vertex; what clipping made belongs to a primitive."""
        if self.seen is None:
            return
        vertex, primitive = place_of(self.seen, row)
        if vertex is not None:
            here = self.desk.focus.focus.primitive  # stays if the vertex is a corner of it
            self.go("vertex", vertex=vertex, primitive=here if has_corner(self.seen, here, vertex) else None)
        elif primitive is not None:
            self.go("primitive", primitive=primitive)

    def _activated(self, row: int) -> None:
        """Enter or a double click shows the draw up to the primitive of a row."""
        if self.seen is not None and (primitive := primitive_of(self.seen, row)) is not None:
            self.go("primitive", primitive=primitive)

    def _picked(self, primitive: int, row: int) -> None:
        """A click in the shape."""
        if self.seen is None or self.seen.mesh is None:
            return
        curved = self.seen.mesh.which not in ("assembled", "transformed") or self.seen.which == "tessellated"
        vertex = None if curved or row < 0 else row
        self.go("picked", primitive=None if primitive < 0 else primitive, vertex=vertex)

    def _menu_of(self, row: int) -> QMenu | None:
        """Where a row leads."""
        if self.seen is None:
            return None
        menu = QMenu(self)
        vertex, _ = place_of(self.seen, row)
        primitive = primitive_of(self.seen, row)
        if primitive is not None:
            menu.addAction(f"Show the surface after primitive {primitive:,}", lambda: self.go(primitive=primitive))
        if vertex is not None:
            menu.addAction("Go to its pixel", lambda: self._go_to_pixel(vertex))
            menu.addAction("Show it in the streams", lambda: self._choose("streams"))
        if self._buffer():
            menu.addAction(f"Open buffer {self._buffer()}", lambda: self._open_buffer(row))
        return menu

    def _go_to_pixel(self, vertex: int) -> None:
        capture, event = self.desk.capture, self._event
        if capture is not None:
            self.desk.ask(
                "pixel of a vertex", lambda progress: pixel_of(capture, event, vertex, progress), self._show_pixel
            )  # fmt: skip

    def _show_pixel(self, pixel: tuple[int, int] | None) -> None:
        if pixel is None:
            self.note.setText("This vertex is not on the screen.")
        else:
            self.go(surface="render_target", pixel=pixel)

    def _buffer(self) -> int:
        """The handle of the buffer that is shown; 0 for none."""
        memory = self.seen.memory if self.seen is not None else None
        if memory is None or self.seen is None:
            return 0
        if self.seen.which == "indices":
            return memory.indices.buffer if memory.indices is not None else 0
        return memory.streams[self.stream].buffer if self.stream < len(memory.streams) else 0

    def _open_buffer(self, row: int = 0) -> None:
        if handle := self._buffer():
            self.desk.wanted.emit("buffer", f"{handle}")


def stream_title(stream: StreamBytes) -> str:
    """As in "Stream 0: buffer 4, stride 32"."""
    where = f"buffer {stream.buffer}" if stream.buffer else "memory of the call"
    offset = f" from byte {stream.offset:,}" if stream.offset else ""
    return f"Stream {stream.number}:  {where}{offset}, stride {stream.stride}"


def index_title(indices: IndexBytes) -> str:
    """As in "36 indices of 2 bytes, buffer 5 from byte 0, base vertex 8"."""
    where = f"buffer {indices.buffer}" if indices.buffer else "memory of the call"
    count = counting(len(indices.indices), "index")
    return f"{count} of {indices.width} bytes,  {where} from byte {indices.offset:,}, base vertex {indices.base:,}"


def written(capture: CaptureView, event: int, which: str, path: Path, form: Format, progress: Progress) -> str:
    """Writes the grid, with the files that belong beside it; returns how many rows went where.  On the asking thread."""
    grid, which = vertices(capture, event, which, progress)
    title, beside = f"{capture.title}, event {event}, {which}", ""
    if form.suffix in SEVERAL and (path.is_file() or not path.exists()):  # beside a device there is no place for files
        files = write_several(path, grid, title, textures_of(capture, event))[1:]
        beside = f", with {', '.join(file.name for file in files)}" if files else ""
    else:
        write_bytes(path, form.make(grid, title, lambda: textures_of(capture, event)))
    return f"Wrote {counting(len(grid.rows), 'row')} to {path}{beside}"
