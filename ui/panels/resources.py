"""Everything that exists at the event: surfaces with thumbnails, buffers, palettes, shaders, state sets, patches, lights;
what the event uses; and the story of each resource."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QMenu

from inspector.focus import Focus
from inspector.query.held.kept import Kept, Thing
from inspector.query.objects.usage import ObjectHistory, ObjectLog, ResourcesOf
from inspector.timeline.lives import WRITING
from inspector.view import CaptureView
from ui.ask import Progress
from ui.models.pixels import THUMBNAIL
from ui.models.table import Column, RowsModel
from ui.panels.contents import show_contents
from ui.panels.panel import Panel, Question
from ui.roles import LINK_ROLE, PICTURE_ROLE, TOKEN_ROLE
from ui.widgets.cells import PictureCell, ValueCell
from ui.widgets.controls import halves, label, search_box, strip, tool
from ui.widgets.row_menu import give_row_menu
from ui.widgets.story import Story
from ui.widgets.tables import Table

MOST_THUMBNAILS = 64
PICTURES = ("2d", "cube", "volume")
WITHOUT_STORY = ("state_set", "patch")  # their contents say which events defined and used them
STORY = "resource story"
NOTHING = "Nothing has been allocated yet."
FILTER_TIP = "Matches all words: kind, handle, size, format, memory pool, binding (Ctrl+F)"
NO_STORY = "Select a resource to see its history, from creation to destruction."


@dataclass(frozen=True)
class KeptRow:
    """What is no surface and no buffer, as a row among them: `thing` says all of it."""

    thing: Thing
    levels: int = 0
    faces: int = 0
    memory: str = ""
    size: int = 0
    format: str = ""

    @property
    def kind(self) -> str:
        return self.thing.kind

    @property
    def label(self) -> str:
        return self.thing.kind

    @property
    def handle(self) -> int:
        return self.thing.handle

    @property
    def created(self) -> int:
        return self.thing.created


class ResourcesPanel(Panel):
    title, name = "Resources", "resources"
    opened = Signal()

    def build(self) -> None:
        self._pictures: dict[int, QImage] = {}
        self._surfaces: list[Any] = []
        self._roles: Roles = {}
        tip = "Only the textures, buffers and targets that the event uses"
        self.used_only = tool("Only what this event uses", tip, text="This event", checkable=True)
        self.used_only.toggled.connect(lambda _: self._show())
        self.edit = search_box("Filter resources", "Filter:  texture   256 × 256   DXT1", FILTER_TIP)
        self.edit.textChanged.connect(lambda _: self._show())
        self.model = RowsModel(
            (
                Column("Resource", surface_name, {PICTURE_ROLE: self._picture_of}),
                Column("Bound as", lambda s: self._roles.get(named(s), ""), {TOKEN_ROLE: lambda _: "changed"}),
                Column("Size", dimensions),
                Column("Format", lambda s: str(s.format)),
                Column("Levels", _levels),
                Column("Memory", lambda s: str(s.memory), {TOKEN_ROLE: lambda _: "muted"}),
                Column("Bytes", lambda s: f"{s.size:,}" if s.size else "", {TOKEN_ROLE: lambda _: "muted"}),
                Column(
                    "Created",
                    lambda s: f"#{s.created}" if s.created >= 0 else "",
                    {LINK_ROLE: lambda s: s.created if s.created >= 0 else None},
                ),
            ),
            self,
        )
        self.table = Table(self.model, "Resources", (190, 124, 98, 84, 48, 54, 78))
        self.table.stretch(0)
        self.table.placeholder = NOTHING
        self.table.verticalHeader().setDefaultSectionSize(THUMBNAIL + 8)
        cell = ValueCell(self.table)
        cell.followed.connect(lambda event: self.go(event=event))
        self.table.setItemDelegate(cell)
        self.table.setItemDelegateForColumn(0, PictureCell(self.table, THUMBNAIL))
        self.total = label(kind="faint")
        self.story = Story("History of the selected resource", ("Operation", "Contents"), (300,))
        self.story.went.connect(lambda event: self.go(event=event))
        self.story.hush(NO_STORY)
        self.box.addWidget(strip(self.edit, self.used_only))
        self.box.addWidget(halves(self.table, self.story, sizes=(400, 150), beside=(480, 320)))
        self.box.addWidget(strip(self.total, None, name="foot"))
        self.table.activated_row.connect(self._open)
        self.table.chosen_row.connect(self._ask_story)
        self.edit.returnPressed.connect(lambda: self.table.setFocus(Qt.FocusReason.OtherFocusReason))
        give_row_menu(self.table, lambda index: self._menu_of(index.row()))

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        return lambda progress: resources(capture, focus.event, progress)

    def _picture_of(self, row: Any) -> QImage | None:
        return self._pictures.get(row.handle) if row.kind in PICTURES else None

    def display(self, answer: tuple[int, list[Any], Roles]) -> None:
        event, surfaces, self._roles = answer
        self._surfaces = surfaces
        self._show()
        size = sum(surface.size for surface in surfaces)
        self.total.setText(f"{len(surfaces)} resources, {amount(size)} at event {event}")
        small, pictured = self.desk.small, [one for one in surfaces if one.kind in PICTURES][:MOST_THUMBNAILS]
        if small is not None:
            wanted = [(one.handle, one.format) for one in pictured]
            self.desk.ask.aside("thumbnails", lambda: small.make(event, wanted), self._set_pictures)

    def _show(self) -> None:
        used = self.used_only.isChecked()
        words = _plain(self.edit.text()).split()
        rows = [one for one in self._surfaces if (not used or named(one) in self._roles) and self._mentions(one, words)]
        self.model.set_rows(rows)
        self.table.placeholder = NOTHING if not self._surfaces else "No resource matches."

    def _mentions(self, surface: Any, words: list[str]) -> bool:
        """Whether all words are in what its row says."""
        said = (surface_name(surface), self._roles.get(named(surface), ""), dimensions(surface), surface.format, surface.memory)
        text = _plain("  ".join(map(str, said)))
        return all(word in text for word in words)

    def focus_filter(self) -> None:
        self.edit.setFocus()
        self.edit.selectAll()

    def _ask_story(self, row: int) -> None:
        """Everything that happened to a resource."""
        chosen, capture = self.model.rows[row], self.desk.capture
        if capture is None:
            return
        if chosen.kind in WITHOUT_STORY:
            self.story.hush("Press Enter to see its contents.")
            return
        thing = (chosen.kind, chosen.handle) if isinstance(chosen, KeptRow) else chosen.handle
        query = ObjectHistory(thing, self.desk.focus.focus.event)
        self.desk.ask(STORY, lambda progress: capture.ask(query, progress.stop.is_set), self._show_story,
                      lambda error: self.story.hush(str(error)))  # fmt: skip

    def _show_story(self, log: ObjectLog) -> None:
        writes = np.isin(log.role, list(WRITING))
        self.desk.show_marks("uses", np.unique(log.event[~writes]))
        self.desk.show_marks("writes", np.unique(log.event[writes]))
        self.story.show_story(self.desk.focus.focus.event, log.event, (log.text, lambda row: f"version {log.version[row]}"))

    def moved(self, new: Focus, old: Focus) -> None:
        self.story.come_to(new.event)

    def clear(self) -> None:
        self._pictures, self._surfaces, self._roles = {}, [], {}
        self.story.hush(NO_STORY)
        self.model.set_rows([])
        self.total.setText("")

    def _set_pictures(self, pictures: dict[int, QImage]) -> None:
        self._pictures = pictures
        self.model.set_rows(self.model.rows)

    def _menu_of(self, row: int) -> QMenu:
        """What can be done with a resource."""
        menu = QMenu(self)
        kept = isinstance(self.model.rows[row], KeptRow) or self.model.rows[row].kind == "buffer"
        menu.addAction("Show contents…" if kept else "Show in Surface panel", lambda: self._open(row))
        if self.model.rows[row].kind in PICTURES:
            menu.addAction("What if it held another image…", lambda: self._replace(self.model.rows[row].handle))
        return menu

    def _replace(self, handle: int) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Another image", "", "Images (*.png *.bmp *.jpg *.tga)")
        if path:
            self.desk.wanted.emit("edit", f"texture {handle}={path}")

    def _open(self, row: int) -> None:
        """Surfaces are shown in Surface, what else there is as a text."""
        chosen = self.model.rows[row]
        if chosen.kind not in PICTURES:
            show_contents(self.desk, self, chosen.kind, chosen.handle)
            return
        self.go(surface=self.model.rows[row].handle)
        self.opened.emit()


Roles = dict[tuple[str, int], str]
"""What the event uses a resource as, by what names it (`named`)."""


def named(row: Any) -> tuple[str, int]:
    """Handles of palettes, shaders and so on are names of their own."""
    return (row.kind if isinstance(row, KeptRow) else "memory"), row.handle


def resources(capture: CaptureView, event: int, progress: Progress) -> tuple[int, list[Any], Roles]:
    """The event, what exists there, and the roles of what the event uses.  Runs on the asking thread."""
    surfaces, cancel = list(capture.surfaces(event, progress.stop.is_set)), progress.stop.is_set
    roles: dict[tuple[str, int], list[str]] = {}
    for use in capture.ask(ResourcesOf(event), cancel):
        roles.setdefault((use.life.space, use.life.handle), []).append(use.text)
    kept = [KeptRow(thing) for thing in capture.ask(Kept(event), cancel)]
    return event, [*surfaces, *kept], {name: "; ".join(texts) for name, texts in roles.items()}


def surface_name(surface: Any) -> str:
    return f"{str(surface.label or surface.kind).replace('_', ' ')}  {surface.handle}"


def _plain(text: str) -> str:
    """As filters compare it: "256 x 256", "256x256" and "256 × 256" are the same."""
    return re.sub(r"(?<=\d)\s*[x×]\s*(?=\d)", "×", text.casefold())


def _levels(surface: Any) -> str:
    if surface.kind not in PICTURES:
        return ""
    return f"{surface.levels} × {surface.faces}" if surface.faces > 1 else str(surface.levels)


def amount(size: int) -> str:
    """Bytes, in the unit in which they are few."""
    for unit, name in ((1_000_000, "MB"), (1_000, "kB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{size} bytes"


def dimensions(surface: Any) -> str:
    if isinstance(surface, KeptRow):
        return surface.thing.summary
    if surface.kind == "buffer":
        return f"{surface.size:,} bytes"
    depth = f" × {surface.depth}" if surface.depth and surface.depth > 1 else ""
    samples = f"  {surface.samples}x" if surface.samples and surface.samples > 1 else ""
    return f"{surface.width} × {surface.height}{depth}{samples}"
