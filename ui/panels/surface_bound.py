"""The surfaces bound at the event, as a row of thumbnails below the image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from inspector.focus import RENDER_TARGET
from ui.models.pixels import Picture
from ui.models.surface_words import sized
from ui.models.surfaces import bound
from ui.widgets.bindings import Binding, Bindings

if TYPE_CHECKING:
    from ui.panels.panel import Desk

FOLLOWED = {"Target": RENDER_TARGET, "Depth": "depth"}
Rows = list[tuple[str, int, Any]]


class BoundSurfaces(QObject):
    """`chosen(surface)`: the target and the depth buffer by their roles, which follow the events; a texture by its handle."""

    chosen = Signal(object)

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self.row = Bindings()
        self._desk = desk
        self._roles: dict[int, str] = {}
        self.row.chosen.connect(lambda handle: self.chosen.emit(self._roles.get(handle, handle)))

    def ask(self, picture: Picture, surfaces: list[Any]) -> None:
        """What is bound, with cached thumbnails; then, when nothing else is asked, with new ones."""
        capture, small, ask, event = self._desk.capture, self._desk.small, self._desk.ask, picture.event
        if capture is None or small is None:
            return

        def look() -> tuple[Rows, list[tuple[int, str]]]:
            small.take(picture)
            rows = bound(capture, event, surfaces)
            return rows, [(handle, info.format) for _, handle, info in rows if small.find(event, handle) is None]

        def show(answer: tuple[Rows, list[tuple[int, str]]]) -> None:
            rows, missing = answer
            self._roles = {handle: FOLLOWED[role] for role, handle, _ in rows if role in FOLLOWED}
            bindings = [Binding(role, handle, sized(info), self._desk.name_of(info)) for role, handle, info in rows]
            self.row.show_bindings(bindings, small.latest, picture.part)
            if missing:
                made = lambda pictures: self.row.show_bindings(bindings, pictures, picture.part)  # noqa: E731
                ask.aside("bound thumbnails", lambda: small.make(event, missing), made)

        ask.cancel("bound thumbnails")
        ask("bindings", lambda _: look(), show)

    def clear(self) -> None:
        self._desk.ask.cancel("bound thumbnails")
        self.row.show_bindings((), {}, None)
