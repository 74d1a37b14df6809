"""Everything that exists at the event: surfaces with thumbnails, buffers, palettes, shaders, state sets, patches, lights;
what the event uses; when each is used; how much memory they take; and the story of each resource."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QMenu, QSplitter

from core.errors import BadInput
from inspector.exports.formats import Format
from inspector.files import write_bytes
from inspector.focus import Focus
from inspector.query.held.things import Buffer
from inspector.query.objects.holdings import MemoryLog, MemoryOverTime
from inspector.query.objects.usage import ObjectHistory, ObjectLog
from inspector.timeline.lives import WRITING
from inspector.view import CaptureView
from ui.ask import Progress
from ui.files import ask_where, near
from ui.models.named import NamedRows
from ui.models.pixels import THUMBNAIL
from ui.models.table import Column
from ui.panels.contents import show_contents
from ui.panels.panel import Panel, Question
from ui.panels.resource_rows import (
    PICTURES,
    KeptRow,
    Listed,
    dimensions,
    filter_of,
    has_story,
    levels,
    named,
    palette_picture,
    place_of,
    plain,
    resources,
    sums,
    surface_name,
    texels,
    thing_of,
)
from ui.roles import LINK_ROLE, PICTURE_ROLE, PLACE_ROLE, STRIP_ROLE, TOKEN_ROLE
from ui.widgets.cells import PictureCell
from ui.widgets.controls import halves, label, search_box, strip, tool
from ui.widgets.plot import Plot, Steps
from ui.widgets.row_menu import give_row_menu
from ui.widgets.story import Story
from ui.widgets.strip_cell import StripCell
from ui.widgets.tables import Table
from ui.widgets.wrapping import WrappingCell
from ui.words import tip

MOST_THUMBNAILS = 64
MEGABYTE = 1_000_000
STORY = "resource story"
NOTHING = "Nothing has been allocated yet."
FILTER_TIP = "Matches all words: name, kind, handle, size, format, memory pool, binding (Ctrl+F)"
NO_STORY = "Select a resource to see its history, from creation to destruction."
ON_ENTER = "Press Enter to see its contents."
TIP_ROLE = int(Qt.ItemDataRole.ToolTipRole)
NAME, BOUND, USES, MEMORY = 1, 2, 3, 7
"""The column that can be written in, that of the roles, that of the strips, and where a resource is."""
WIDEST = 260
"""Pixels up to which the first column grows for the names and handles of resources."""


class ResourcesPanel(Panel):
    title, name = "Resources", "resources"
    opened = Signal()

    def build(self) -> None:
        self._pictures: dict[int, QImage] = {}
        self._listed = Listed(0, [], {})
        self._sorted: tuple[int, bool] = (-1, False)
        self._without_story = True
        tip = "Only the textures, buffers and targets that the event uses"
        self.used_only = tool("Only what this event uses", tip, text="This event", checkable=True)
        self.used_only.toggled.connect(lambda _: self._show())
        self.memory = tool("Memory over time", "Plot the memory that resources take", text="Memory", checkable=True)
        self.memory.toggled.connect(self._show_memory)
        self.edit = search_box("Filter resources", "Filter:  texture   256 × 256   DXT1", FILTER_TIP)
        self.edit.textChanged.connect(lambda _: self._show())
        self.model = NamedRows([column for column, _ in self._columns()], NAME, place_of, self._rename, self)
        self.keys = [key for _, key in self._columns()]
        self._build_table()
        self.total = label(kind="faint")
        self.story = Story("History of the selected resource", ("Operation", "Contents"), (240,))
        self.story.went.connect(lambda event: self.go(event=event))
        self.plot = Plot("Memory of resources over time, in MB", "event")
        self.plot.clicked.connect(self._go_to_event)
        self.plot.hide()
        self.box.addWidget(strip(self.edit, self.used_only, self.memory))
        self.below = QSplitter(Qt.Orientation.Horizontal)
        self.below.setHandleWidth(1)
        self.below.addWidget(self.story)
        self.below.addWidget(self.plot)
        self.below.setSizes([480, 460])
        self.split = halves(self.table, self.below, sizes=(400, 180), beside=(480, 320))
        self.split.keep_still(self.table)
        self._end_story()
        self.box.addWidget(self.split)
        self.box.addWidget(strip(self.total, None, name="foot"))
        self.edit.returnPressed.connect(lambda: self.table.setFocus(Qt.FocusReason.OtherFocusReason))
        self.desk.bookmarks_changed.connect(self._take_names)

    def _columns(self) -> list[tuple[Column, Any]]:
        """Columns, and what each sorts by."""
        muted = {TOKEN_ROLE: lambda _: "muted"}
        created = {LINK_ROLE: lambda row: row.created if row.created >= 0 else None}
        uses = {STRIP_ROLE: lambda row: self._listed.strips.get(named(row)), PLACE_ROLE: lambda _: self._place()}
        return [
            (Column("Resource", surface_name, {PICTURE_ROLE: self._picture_of}), lambda row: (surface_name(row), row.handle)),
            (Column("Name", self._name_of, {TIP_ROLE: self._about_name}), self._name_of),
            (Column("Bound as", self._role_of, {TOKEN_ROLE: lambda _: "changed"}), self._role_of),
            (Column("Uses", lambda _: "", uses), self._used),
            (Column("Size", dimensions), texels),
            (Column("Format", lambda row: str(row.format)), lambda row: str(row.format)),
            (Column("Levels", levels), lambda row: (row.levels, row.faces)),
            (Column("Memory", self._memory_of, muted), lambda row: str(row.memory)),
            (Column("Bytes", lambda row: f"{row.size:,}" if row.size else "", muted), lambda row: row.size),
            (Column("Created", lambda row: f"#{row.created}" if row.created >= 0 else "", created), lambda row: row.created),
        ]

    def _build_table(self) -> None:
        self.table = NamingTable(self.model, "Resources", (150, 60, 88, 60, 98, 76, 48, 60, 78, 66))
        self.table.stretch((0, 150), (NAME, 60), (BOUND, 88), (USES, 60))
        self.table.worded = {0: WIDEST}
        self.table.placeholder = NOTHING
        self.table.verticalHeader().setDefaultSectionSize(THUMBNAIL + 8)
        self.table.wrapped = (NAME, BOUND, MEMORY)
        cell = WrappingCell(self.table)
        cell.followed.connect(lambda event: self.go(event=event))
        self.table.setItemDelegate(cell)
        self.table.setItemDelegateForColumn(0, PictureCell(self.table, THUMBNAIL))
        self.table.setItemDelegateForColumn(USES, StripCell(self.table))
        self.table.setEditTriggers(Table.EditTrigger.EditKeyPressed | Table.EditTrigger.DoubleClicked)
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self.sort_by)
        self.table.activated_row.connect(self._open)
        self.table.chosen_row.connect(self._ask_story)
        give_row_menu(self.table, lambda index: self._menu_of(index.row()))

    # Asking and showing

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        return lambda progress: resources(capture, focus.event, progress)

    def display(self, answer: Listed) -> None:
        self._listed = answer
        self._show()
        total, kinds = sums(answer.rows)
        self.total.setText(f"{total} at event {answer.event}")
        self.total.setToolTip(tip(kinds))
        small, pictured = self.desk.small, [one for one in answer.rows if one.kind in PICTURES][:MOST_THUMBNAILS]
        if small is not None:
            wanted = [(one.handle, one.format) for one in pictured]
            self.desk.ask.aside("thumbnails", lambda: small.make(answer.event, wanted), self._set_pictures)

    def _show(self) -> None:
        used = self.used_only.isChecked()
        words = plain(self.edit.text()).split()
        found = self._listed.rows
        rows = [one for one in found if (not used or named(one) in self._listed.roles) and self._mentions(one, words)]
        column, backward = self._sorted
        if column >= 0:
            rows.sort(key=self.keys[column], reverse=backward)
        self.model.set_rows(rows)
        self.table.placeholder = NOTHING if not found else "No resource matches."

    def sort_by(self, column: int) -> None:
        """By a column; again: the other way round; a third time: as they come."""
        before, backward = self._sorted
        self._sorted = (column, False) if column != before else (column, True) if not backward else (-1, False)
        header = self.table.horizontalHeader()
        header.setSortIndicatorShown(self._sorted[0] >= 0)
        order = Qt.SortOrder.DescendingOrder if self._sorted[1] else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(max(self._sorted[0], 0), order)
        self._show()

    def _mentions(self, row: Any, words: list[str]) -> bool:
        """Whether all words are in what a row says."""
        said = (surface_name(row), self._name_of(row), self._role_of(row), dimensions(row), row.format, row.memory)
        text = plain("  ".join(map(str, said)))
        return all(word in text for word in words)

    def _picture_of(self, row: Any) -> QImage | None:
        return self._pictures.get(row.handle) if row.kind in PICTURES else palette_picture(row)

    def _role_of(self, row: Any) -> str:
        return self._listed.roles.get(named(row), "")

    def _used(self, row: Any) -> int:
        """In how many parts of the capture it is used."""
        found = self._listed.strips.get(named(row))
        return 0 if found is None else int(np.count_nonzero(found))

    def _place(self) -> float:
        index = self.desk.index
        return self.desk.focus.focus.event / max(len(index), 1) if index else 0.0

    def focus_filter(self) -> None:
        self.edit.setFocus()
        self.edit.selectAll()

    # Names: bookmarks at the creation of what they name

    def _memory_of(self, row: Any) -> str:
        return self._listed.places.get(row.handle) or str(row.memory)

    def _about_name(self, row: Any) -> str:
        """A name in full, or how to give one."""
        return self._name_of(row) or ("" if place_of(row) is None else "Press F2 or double-click to name it")

    def _name_of(self, row: Any) -> str:
        return "" if isinstance(row, KeptRow) else self.desk.name_of(row)

    def catch_up(self) -> None:
        self._take_names()

    def _take_names(self) -> None:
        self._show()

    def _rename(self, row: Any, name: str) -> None:
        if (place := place_of(row)) is not None:
            self.desk.named.emit(place, name.strip())

    # The story of one, and memory over time

    def _ask_story(self, row: int) -> None:
        """Everything that happened to a resource."""
        chosen, capture = self.model.rows[row], self.desk.capture
        if capture is None:
            return
        if not has_story(chosen):
            self._end_story(ON_ENTER)
            return
        query = ObjectHistory(thing_of(chosen), self.desk.focus.focus.event)
        self.desk.ask(STORY, lambda progress: capture.ask(query, progress.stop.is_set), self._show_story,
                      lambda error: self._end_story(str(error)))  # fmt: skip

    def _end_story(self, why: str = NO_STORY) -> None:
        self.story.hush(why)
        self._without_story = why == NO_STORY
        self._share()

    def _share(self) -> None:
        """Room for the story and the plot, if there is either."""
        self.split.set_empty(self.below, self._without_story and not self.memory.isChecked(), hint=True)

    def _show_story(self, log: ObjectLog) -> None:
        writes = np.isin(log.role, list(WRITING))
        self.desk.show_marks("uses", np.unique(log.event[~writes]))
        self.desk.show_marks("writes", np.unique(log.event[writes]))
        self.story.show_story(self.desk.focus.focus.event, log.event, (log.text, lambda row: f"version {log.version[row]}"))
        self._without_story = False
        self._share()

    def _show_memory(self, on: bool) -> None:
        capture = self.desk.capture
        self.plot.setVisible(on)
        self._share()
        if on and capture is not None:
            self.desk.ask("memory over time", lambda progress: capture.ask(MemoryOverTime(), progress.stop.is_set), self._plot,
                          lambda error: self.fail(str(error)))  # fmt: skip

    def _go_to_event(self, x: float) -> None:
        """To the event at a place of the plot."""
        if index := self.desk.index:
            self.go(event=min(max(round(x), 0), len(index) - 1))

    def _plot(self, log: MemoryLog) -> None:
        """All of it, and by pool."""
        pools: dict[str, np.ndarray] = {}
        for (_, memory), line in log.bytes.items():
            pools[memory or "other"] = pools.get(memory or "other", np.zeros(len(line), np.int64)) + line
        self.plot.show_place(self.desk.focus.focus.event)
        lines = {"all": log.total, **pools} if len(pools) > 1 else {"all": log.total}
        self.plot.show_steps([Steps(name, log.events, line / MEGABYTE) for name, line in lines.items()], "MB")

    def moved(self, new: Focus, old: Focus) -> None:
        self.story.come_to(new.event)
        self.plot.show_place(new.event)

    def clear(self) -> None:
        self._pictures, self._listed = {}, Listed(0, [], {})
        self._end_story()
        self.model.set_rows([])
        self.total.setText("")

    def capture_changed(self) -> None:
        self._show_memory(self.memory.isChecked())

    def _set_pictures(self, pictures: dict[int, QImage]) -> None:
        self._pictures = pictures
        self.model.set_rows(self.model.rows)

    # What can be done with one

    def _menu_of(self, row: int) -> QMenu:
        """What can be done with a resource."""
        menu, chosen = QMenu(self), self.model.rows[row]
        kept = isinstance(chosen, KeptRow)
        show = "Show contents…" if kept else "Show in Buffers" if chosen.kind == "buffer" else "Show in Surface panel"
        menu.addAction(show, lambda: self._open(row))
        if not kept:
            menu.addAction("Name…", lambda: self.table.edit(self.model.index(row, NAME)))
        if (uses := filter_of(chosen)) is not None:
            menu.addAction("List the draws that use it", lambda: self.desk.wanted.emit("filter", uses))
        menu.addAction("Save…", partial(self.save, chosen))
        if chosen.kind in PICTURES:
            menu.addAction("What if it held another image…", lambda: self._replace(chosen.handle))
        return menu

    def save(self, chosen: Any) -> None:
        """Writes a surface as a picture or as stored, the bytes of a buffer, the text of anything else."""
        capture, event = self.desk.capture, self.desk.focus.focus.event
        kinds = ("text",) if isinstance(chosen, KeptRow) else ("bytes",) if chosen.kind == "buffer" else ("picture", "surface")
        name = f"{chosen.kind if isinstance(chosen, KeptRow) else chosen.label}-{chosen.handle}-event-{event}"
        try:
            where = ask_where(self, "Save the resource", name.replace(" ", "-"), *kinds)
        except BadInput as error:
            self.desk.noted.emit(str(error))
            return
        if where is not None and capture is not None:
            self.desk.ask("save resource", lambda progress: saved(capture, event, chosen, *where, progress),
                          lambda path: self.desk.saved.emit(path, ""), lambda error: self.fail(str(error)))  # fmt: skip

    def _replace(self, handle: int) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Another image", near(self), "Images (*.png *.bmp *.jpg *.tga)")
        if path:
            self.desk.wanted.emit("edit", f"texture {handle}={path}")

    def _open(self, row: int) -> None:
        """Surfaces are shown in Surface, buffers in Buffers, what else there is as a text."""
        chosen = self.model.rows[row]
        if self.table.state() == Table.State.EditingState:  # a double click on its name
            return
        if chosen.kind not in PICTURES:
            show_contents(self.desk, self, chosen.kind, chosen.handle)
            return
        self.go(surface=chosen.handle)
        self.opened.emit()


class NamingTable(Table):
    """F2 edits the name of the row, whichever of its cells is current."""

    def edit(self, index: Any, *more: Any) -> Any:
        if more and more[0] == Table.EditTrigger.EditKeyPressed:
            index = index.siblingAtColumn(NAME)
        return super().edit(index, *more)


def saved(capture: CaptureView, event: int, chosen: Any, path: Path, form: Format, progress: Progress) -> Path:
    """Writes one resource; returns where.  Runs on the asking thread."""
    cancel = progress.stop.is_set
    if form.kind == "text":
        data = form.make("\n".join([chosen.thing.summary, "", *chosen.thing.lines]))
    elif form.kind == "bytes":
        data = form.make(capture.ask(Buffer(chosen.handle, event), cancel).data)
    elif form.kind == "surface":
        data = form.make(capture.moment(event, None, cancel), chosen.handle)
    else:
        data = form.make(capture.image(event, chosen.handle, cancel=cancel))
    write_bytes(path, data)
    return path
