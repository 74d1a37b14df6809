"""A buffer: its bytes after the event in any format, changes since another version, and the writers of bytes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtWidgets import QMenu

from core.errors import BadInput
from inspector.exports.formats import Format
from inspector.files import write_bytes
from inspector.focus import Focus
from inspector.query.held.buffer_read import BufferOf
from inspector.query.held.buffer_table import BufferTable, TableOfBytes
from inspector.query.held.buffer_versions import BufferVersion, BufferVersions, writers
from inspector.query.held.layouts import Element, Layout
from inspector.view import CaptureView
from ui.ask import Progress
from ui.files import ask_where
from ui.models.memory import NUMBER, Cells, MemoryModel
from ui.models.table import Column, RowsModel
from ui.panels.panel import Panel, Question, as_sentence
from ui.roles import LINK_ROLE, MARK_ROLE, TOKEN_ROLE
from ui.widgets.cells import NumberCell, ValueCell
from ui.widgets.controls import Choice, count_box, halves, label, search_box, strip, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.row_menu import give_row_menu
from ui.widgets.tables import Table
from ui.words import counting, figure

SINCE = (("nothing", "No changes"), ("previous", "Since its last version"), ("chosen", "Since the marked version"))
FORMAT_TIP = "As in: float3 position; d3dcolor color; short2 uv; skip 4.  Empty: as the nearest draw declares it"
LAST = -1
LARGEST_STRIDE = 1 << 16
FOLLOWED = "This event:  "
"""Before the title of the buffer that follows the event."""
NO_BUFFER = "There is no vertex or index buffer at this event."


@dataclass(frozen=True)
class Shown:
    """The buffers that exist (handle, title); of the one shown its bytes and versions; why there are none.

    followed: the buffer that the event is about, 0: none.
    """

    buffers: tuple[tuple[int, str], ...]
    table: TableOfBytes | None
    versions: tuple[BufferVersion, ...]
    problem: str = ""
    followed: int = 0


class BuffersPanel(Panel):
    title, name = "Buffers", "buffers"

    def build(self) -> None:
        self.handle = 0  # that was chosen; 0: the event's
        self._marked, self._shown = -1, Shown((), None, ())
        self.buffer = Choice("Buffer")
        self.buffer.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
        self.buffer.setMinimumContentsLength(24)
        self.buffer.activated.connect(lambda _: self.open(self.buffer.currentData()))
        self.format = search_box("Format of the bytes", "Format:  float3 position; d3dcolor color; skip 4", FORMAT_TIP)
        self.format.returnPressed.connect(self.refresh)
        self.format.textChanged.connect(lambda text: None if text else self.refresh())
        self.offset = count_box("First byte", "from ")
        self.stride = count_box("Bytes from row to row", "stride ")
        self.offset.setRange(-1, (1 << 31) - 1)
        self.offset.setValue(-1)
        self.offset.setSpecialValueText("from: as declared")
        self.stride.setRange(0, LARGEST_STRIDE)
        self.stride.setSpecialValueText("stride: as declared")
        self.since = Choice("Changes shown")
        self.since.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.since.setMinimumContentsLength(12)
        for name, title in SINCE:
            self.since.addItem(title, name)
        for box in (self.offset, self.stride):
            box.valueChanged.connect(lambda _: self.refresh())
        self.since.activated.connect(lambda _: self.refresh())
        self.export = tool("Export", "Export the rows as CSV, JSON or Markdown, or the bytes as they are", "save")
        self.export.clicked.connect(self.export_rows)
        self.note = label(kind="faint")
        self.writer = label(kind="muted")
        self._build_tables()
        self.controls = (
            FoldingStrip((self.buffer, self.since, self.note), (self.export,), leaving=(self.since, self.export)),
            FoldingStrip((self.format,), (self.offset, self.stride), grows=self.format),
        )
        self.halves = halves(self.table, self.versions, sizes=(360, 160), beside=(520, 300))
        for widget in (*self.controls, self.halves):
            self.box.addWidget(widget)
        self.box.addWidget(strip(self.writer, None, name="foot"))

    def _build_tables(self) -> None:
        self.model = MemoryModel(self)
        self.table = Table(self.model, "Bytes of the buffer", (56,))
        self.table.setItemDelegate(ValueCell(self.table))
        self.table.setItemDelegateForColumn(0, NumberCell(self.table))
        self.table.chosen_row.connect(self._show_writers)
        self.rows = RowsModel(VERSION_COLUMNS, self)
        self.versions = Table(self.rows, "What wrote the buffer", (84, 60, 84, 150, 84, 190))
        cell = ValueCell(self.versions)
        cell.followed.connect(lambda event: self.go(event=int(event)))
        self.versions.setItemDelegate(cell)
        self.versions.activated_row.connect(lambda row: self.go(event=self.rows.rows[row].version.event))
        give_row_menu(self.versions, lambda index: self._menu_of(index.row()))

    # Asking

    def open(self, handle: int) -> None:
        """Shows this buffer, at every event; 0: the one that each event is about."""
        if handle != self.handle:
            self.handle, self._marked = handle, -1
            self.format.clear()
        self.refresh()

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        asked = (self.handle, self.format.text(), self.offset.value(), self.stride.value(), self._since())
        return lambda progress: looked(capture, focus.event, *asked, progress)

    def _since(self) -> int | None:
        """The event whose bytes the present ones are compared with; LAST: that before the last write."""
        if self.since.currentData() == "chosen":
            return self._marked if self._marked >= 0 else None
        return LAST if self.since.currentData() == "previous" else None

    # Showing

    def display(self, answer: Shown) -> None:
        other = self._shown.table is not None and answer.table is not None and self._shown.table.handle != answer.table.handle
        self._marked = -1 if other else self._marked
        self._shown = answer
        self._list_buffers(answer.buffers)
        found = answer.table
        self.table.placeholder = as_sentence(answer.problem) if answer.problem else NO_BUFFER
        self.format.setProperty("wrong", bool(answer.problem) and bool(self.format.text()))
        self.format.style().polish(self.format)
        if found is None:
            self.model.show_cells((), 0)
            self.note.setText("")
        else:
            self.buffer.setCurrentIndex(self.buffer.findData(self.handle))
            self.format.setPlaceholderText(f"Format:  {found.layout.text}")
            row = self.table.currentIndex().row()
            self.model.show_cells(cells_of(found), len(found.rows))
            self.table.show_row(row if row < len(found.rows) else -1)
            self.note.setText(note_of(found))
            self._set_widths(found)
        self._show_versions()
        self._show_writers(self.table.currentIndex().row())

    def _list_buffers(self, buffers: tuple[tuple[int, str], ...]) -> None:
        followed = self._shown.followed or (buffers[0][0] if buffers else 0)
        rows = [(0, f"{FOLLOWED}{dict(buffers).get(followed, '').partition(':')[0]}"), *buffers] if buffers else []
        if [(self.buffer.itemData(place), self.buffer.itemText(place)) for place in range(self.buffer.count())] != rows:
            self.buffer.clear()
            for handle, title in rows:
                self.buffer.addItem(title, handle)
            self.buffer.setCurrentIndex(self.buffer.findData(self.handle))
        for widget in self.controls:  # without a buffer there is nothing to choose
            widget.setVisible(bool(buffers))
        self.halves.set_empty(self.versions, not buffers)

    def _set_widths(self, found: TableOfBytes) -> None:
        self.table.setColumnWidth(0, 56)
        self.table.setColumnWidth(1, 76)
        letter = self.table.fontMetrics().horizontalAdvance("0") * 11 // 10
        for place, one in enumerate(found.layout.elements):
            wide = max((len(self.model.columns[2 + 2 * place].text(row)) for row in range(min(len(found.rows), 24))), default=8)
            self.table.setColumnWidth(2 + 2 * place, min(max(wide, len(one.name)) * letter + 36, 320))
            self.table.setColumnWidth(3 + 2 * place, min(max(one.size * 9 // 4, len(one.spelled) + 5) * letter + 28, 320))

    def _show_versions(self, wrote: tuple[int, int] | None = None) -> None:
        """The versions; those that wrote some bytes are marked, and the present one."""
        event, versions = self.desk.focus.focus.event, self._shown.versions
        present = max((one.event for one in versions if one.event <= event), default=-1)
        hits = {one.event for one in writers(versions, *wrote)} if wrote else set()
        self.rows.set_rows([VersionRow(one, one.event == present, one.event in hits, self._marked) for one in versions])
        if self.versions.currentIndex().row() < 0 and present >= 0:
            self.versions.show_row([one.event for one in versions].index(present))

    def _show_writers(self, row: int) -> None:
        """Who wrote the bytes of a row last."""
        found = self._shown.table
        if found is None or not 0 <= row < len(found.rows):
            self.writer.setText("")
            return
        first, last = found.place(row)
        wrote = writers(self._shown.versions, first, last, self.desk.focus.focus.event)
        before = f"Bytes {first:#x} to {last - 1:#x}:"
        if not wrote:
            self.writer.setText(f"{before} nothing has written them.")
        else:
            one = wrote[-1]
            self.writer.setText(f"{before} {one.what} last by {one.entry} at #{one.event}, {counting(len(wrote), 'write')}")
        self._show_versions((first, last))

    def moved(self, new: Focus, old: Focus) -> None:
        if new.event != old.event:
            self._show_versions()

    def clear(self) -> None:
        self._shown = Shown((), None, ())
        self.buffer.clear()
        self.model.show_cells((), 0)
        self.rows.set_rows([])
        self.note.setText("")
        self.writer.setText("")

    def capture_changed(self) -> None:
        self.handle, self._marked = 0, -1
        self.format.clear()

    # What can be done

    def _menu_of(self, row: int) -> QMenu:
        menu, version = QMenu(self), self.rows.rows[row].version
        menu.addAction("Show the buffer after it", lambda: self.go(event=version.event))
        menu.addAction("Mark it: show what changed since", partial(self._mark, version.event))
        return menu

    def _mark(self, event: int) -> None:
        self._marked = event
        self.since.setCurrentIndex(self.since.findData("chosen"))
        self.refresh()

    def export_rows(self) -> None:
        """Writes the rows, or the bytes."""
        found = self._shown.table
        if found is None:
            return
        name = f"buffer-{found.handle}-{self.desk.focus.focus.event}"
        try:
            where = ask_where(self, "Export the buffer", name, "rows", "bytes")
        except BadInput as error:
            self.note.setText(str(error))
            return
        if where is not None:
            self.desk.ask("export buffer", lambda progress: written(found, *where, progress), self.note.setText)


@dataclass(frozen=True)
class VersionRow:
    """A version as a row: whether it is the present one, wrote the selected bytes, is what changes are counted from."""

    version: BufferVersion
    present: bool
    hit: bool
    marked: int

    @property
    def mark(self) -> str | None:
        """The token of the bar before it."""
        return "accent" if self.present else "link" if self.version.event == self.marked else "good" if self.hit else None


def _shaded(row: VersionRow) -> str:
    return "text" if row.hit or row.present else "muted"


VERSION_COLUMNS = (
    Column(
        "Event",
        lambda row: f"#{row.version.event}",
        {LINK_ROLE: lambda row: row.version.event, MARK_ROLE: lambda row: row.mark},
    ),
    Column("Frame", lambda row: str(row.version.frame), {TOKEN_ROLE: _shaded}),
    Column("Operation", lambda row: row.version.what, {TOKEN_ROLE: _shaded}),
    Column("Bytes", lambda row: f"{row.version.first:#x} to {max(row.version.last - 1, 0):#x}", {TOKEN_ROLE: _shaded}),
    Column("Changed", lambda row: f"{row.version.changed:,}", {TOKEN_ROLE: _shaded}),
    Column("By", lambda row: by_text(row.version), {TOKEN_ROLE: _shaded}),
)


def by_text(version: BufferVersion) -> str:
    """The driver call, and the API call behind it."""
    return version.entry + (f", API call {version.source}" if version.source >= 0 else "")


def note_of(found: TableOfBytes) -> str:
    """How many rows, whose types, and how many bytes changed."""
    parts = [counting(len(found.rows), "row")]
    if found.draw is not None:
        parts.append(f"types of draw #{found.draw}")
    if found.changed is not None:
        parts.append(f"{counting(int(np.count_nonzero(found.changed)), 'byte')} changed")
    return ",  ".join(parts)


def cells_of(found: TableOfBytes) -> tuple[Cells, ...]:
    """The row's number and offset, then of each element its numbers and its bytes; what changed in another colour."""
    columns = [Cells(NUMBER, str, "faint"), Cells("offset", lambda row: f"{found.place(row)[0]:#x}", "faint")]
    for one in found.layout.elements:
        columns.append(_value_cells(found, one))
        columns.append(_byte_cells(found, one))
    return tuple(columns)


def _value_cells(found: TableOfBytes, one: Element) -> Cells:
    color = one.type == "d3dcolor" and one.count == 1
    swatch = (lambda row: int(found.rows[one.name][row])) if color else (lambda row: None)
    text = lambda row: "  ".join(_text(value) for value in found.values(row, one))  # noqa: E731
    return Cells(one.name, text, _token(found, one, "text"), swatch, f"{one.spelled} at byte {one.offset} of a row")


def _byte_cells(found: TableOfBytes, one: Element) -> Cells:
    def text(row: int) -> str:
        first, last = found.place(row, one)
        return found.data[first:last].tobytes().hex(" ", -4)

    return Cells(f"{one.spelled} +{one.offset}", text, _token(found, one, "muted"))


def _token(found: TableOfBytes, one: Element, usual: str) -> Any:
    return usual if found.changed is None else lambda row: "changed" if found.is_changed(row, one) else usual


def _text(value: Any) -> str:
    return figure(value) if isinstance(value, float) else str(value)


def looked(
    capture: CaptureView, event: int, handle: int, text: str, offset: int, stride: int, since: int | None, progress: Progress
) -> Shown:
    """The buffers at an event, and the table of one; handle 0: of the one that the event is about.  On the asking thread."""
    cancel = progress.stop.is_set
    infos = [one for one in capture.surfaces(event, cancel) if one.kind == "buffer"]
    buffers = tuple((one.handle, f"{one.label} {one.handle}:  {one.size:,} bytes") for one in infos)
    if not infos:
        return Shown((), None, ())
    first = next((one.handle for one in infos if "vertex" in one.label), infos[0].handle)
    followed = capture.ask(BufferOf(event), cancel) or first
    if handle and handle not in {one.handle for one in infos}:
        return Shown(buffers, None, (), f"there is no buffer {handle} at event {event}", followed)
    handle = handle or followed
    versions = capture.ask(BufferVersions(handle, event), cancel)
    if since == LAST:
        before = [one.event for one in versions if one.event <= event]
        since = before[-1] - 1 if len(before) > 1 else None
    try:
        Layout.of(text) if text.strip() else None
        query = BufferTable(handle, event, text, None if offset < 0 else offset, stride, since)
        table, problem = capture.ask(query, cancel), ""
    except BadInput as error:
        table, problem = None, str(error)
    return Shown(buffers, table, versions, problem, followed)


def written(found: TableOfBytes, path: Path, form: Format, progress: Progress) -> str:
    """Writes rows or bytes; returns what went where.  Runs on the asking thread."""
    if form.kind == "bytes":
        write_bytes(path, form.make(found.data))
        return f"Wrote {len(found.data):,} bytes to {path}"
    write_bytes(path, form.make(found.columns, list(found.table())))
    return f"Wrote {counting(len(found.rows), 'row')} to {path}"
