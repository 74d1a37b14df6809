"""Everything that has memory at the event: surfaces and buffers, small pictures included."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage

from core.errors import DdiInspectorError
from inspector.focus import Focus
from ui.ask import Progress
from ui.models.pixels import THUMBNAIL, thumbnail
from ui.models.table import Column, RowsModel
from ui.panels.panel import Panel, Question
from ui.roles import LINK_ROLE, PICTURE_ROLE, TOKEN_ROLE
from ui.widgets.cells import PictureCell, ValueCell
from ui.widgets.controls import label, strip
from ui.widgets.tables import Table

MOST_THUMBNAILS = 64


class ResourcesPanel(Panel):
    title, name = "Resources", "resources"
    opened = Signal()

    def build(self) -> None:
        self._pictures: dict[int, QImage] = {}
        self.model = RowsModel(
            (
                Column("Resource", surface_name, {PICTURE_ROLE: lambda s: self._pictures.get(s.handle)}),
                Column("Size", dimensions),
                Column("Format", lambda s: str(s.format)),
                Column("Levels", _levels),
                Column("Memory", lambda s: str(s.memory), {TOKEN_ROLE: lambda _: "muted"}),
                Column("Bytes", lambda s: f"{s.size:,}", {TOKEN_ROLE: lambda _: "muted"}),
                Column(
                    "Created",
                    lambda s: f"#{s.created}" if s.created >= 0 else "",
                    {LINK_ROLE: lambda s: s.created if s.created >= 0 else None},
                ),
            ),
            self,
        )
        self.table = Table(self.model, "Resources", (220, 104, 92, 56, 66, 84))
        self.table.stretch(0)
        self.table.placeholder = "Nothing has memory yet."
        self.table.verticalHeader().setDefaultSectionSize(THUMBNAIL + 8)
        cell = ValueCell(self.table)
        cell.followed.connect(lambda event: self.go(event=event))
        self.table.setItemDelegate(cell)
        self.table.setItemDelegateForColumn(0, PictureCell(self.table, THUMBNAIL))
        self.total = label(kind="faint")
        self.box.addWidget(self.table)
        self.box.addWidget(strip(self.total, None, label("Enter or double click: look at it", "faint"), name="foot"))
        self.table.activated_row.connect(self._open)

    def question(self, capture: Any, focus: Focus) -> Question | None:
        return lambda progress: (focus.event, list(capture.surfaces(focus.event, progress.stop.is_set)))

    def display(self, answer: tuple[int, list[Any]]) -> None:
        event, surfaces = answer
        self.model.set_rows(surfaces)
        size = sum(surface.size for surface in surfaces)
        self.total.setText(f"{len(surfaces)} resources, {size / 1e6:,.1f} MB at event {event}")
        capture = self.desk.capture
        if capture is not None:
            self.desk.ask("thumbnails", lambda progress: thumbnails(capture, event, surfaces, progress), self._set_pictures)

    def clear(self) -> None:
        self._pictures = {}
        self.model.set_rows([])
        self.total.setText("")

    def _set_pictures(self, pictures: dict[int, QImage]) -> None:
        self._pictures = pictures
        self.model.set_rows(self.model.rows)

    def _open(self, row: int) -> None:
        self.go(surface=self.model.rows[row].handle)
        self.opened.emit()


def surface_name(surface: Any) -> str:
    return f"{str(surface.label or surface.kind).replace('_', ' ')}  {surface.handle}"


def _created(surface: Any) -> str:
    return f"#{surface.created}" if surface.created >= 0 else ""


def _levels(surface: Any) -> str:
    if surface.kind == "buffer":
        return ""
    return f"{surface.levels} × {surface.faces}" if surface.faces > 1 else str(surface.levels)


def dimensions(surface: Any) -> str:
    if surface.kind == "buffer":
        return f"{surface.size:,} bytes"
    depth = f" × {surface.depth}" if surface.depth and surface.depth > 1 else ""
    samples = f"  {surface.samples}x" if surface.samples and surface.samples > 1 else ""
    return f"{surface.width} × {surface.height}{depth}{samples}"


def thumbnails(capture: Any, event: int, surfaces: list[Any], progress: Progress) -> dict[int, QImage]:
    """Small pictures of the surfaces that have one.  Runs on the asking thread; QImage is safe there."""
    pictures: dict[int, QImage] = {}
    for surface in surfaces[:MOST_THUMBNAILS]:
        progress.check()
        if surface.kind == "buffer":
            continue
        try:
            pictures[surface.handle] = thumbnail(capture.image(event, surface=surface.handle, cancel=progress.stop.is_set))
        except DdiInspectorError:
            continue
    return pictures
