"""The bookmarks of the capture on the desk: read with it, and changed on the asking thread, one change after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.focus import Focus
from inspector.tape.bookmarks import Bookmark, Bookmarks
from ui.keys.keymap import KEYS

if TYPE_CHECKING:
    from ui.panels.panel import Desk


class Bookmarking(QObject):
    """Keeps `desk.bookmarks` as they are in the capture, whether they are listed or not."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.store: Bookmarks | None = None
        self._asked = 0
        desk.capture_changed.connect(self._read)
        desk.grown.connect(self._grown)
        desk.named.connect(self.name_place)
        desk.returned.connect(self._look_again)

    def _read(self) -> None:
        capture = self._desk.capture
        self.store = Bookmarks(capture.tape, capture.path) if capture is not None else None
        self.change(lambda store: None)

    def _grown(self) -> None:
        capture = self._desk.capture
        if capture is not None and capture.complete:  # now its file can be written to
            self._read()

    def _look_again(self) -> None:
        """Shows what another window of the program has changed meanwhile."""
        capture, store, desk = self._desk.capture, self.store, self._desk
        if capture is not None and store is not None:
            apart = Bookmarks(capture.tape, capture.path)  # so that `store` keeps the numbers that are shown
            differs = lambda found: self.change(lambda _: None) if self._is_other(store, found) else None  # noqa: E731
            desk.ask("bookmarks.again", lambda _: apart.all(), differs, lambda _: None)

    def _is_other(self, store: Bookmarks, found: list[Bookmark]) -> bool:
        return store is self.store and tuple(found) != self._desk.bookmarks

    def toggle(self) -> None:
        """Sets a bookmark where one looks; if the event has some, removes these."""
        focus, event = self._desk.focus.focus, self._desk.focus.focus.event
        there = [one.number for one in self._desk.bookmarks if one.focus.event == event]
        if there:
            self.change(lambda store: remove_all(store, there))
        else:
            self.change(lambda store: store.add(focus))

    def rename(self, one: Bookmark, name: str) -> None:
        """Another first line."""
        rest = one.text.partition("\n")[2]
        text = f"{name.strip()}\n{rest}" if rest else name.strip()
        self.change(lambda store: store.change(one.number, text))

    def name_place(self, focus: Focus, name: str) -> None:
        """Another name for the bookmark of exactly this place; a new one if it has none; no name, no bookmark."""
        there = next((one for one in self._desk.bookmarks if one.focus == focus), None)
        if there is None:
            self.change(lambda store: store.add(focus, name) if name else None)
        elif name:
            self.rename(there, name)
        else:
            self.change(lambda store: store.remove(there.number))

    def jump(self, number: int) -> None:
        """To the place of the bookmark with this key, 1 to 9."""
        if number <= len(self._desk.bookmarks):
            self._desk.focus.go_to(self._desk.bookmarks[number - 1].focus)
        elif self.store is not None:
            self._desk.noted.emit(f"There is no bookmark {number}. {KEYS.text('bookmark')} bookmarks the event.")

    def change(self, does: Callable[[Bookmarks], object]) -> None:
        """Changes them, and shows what there is then; a later change does not take the place of one that waits."""
        store, self._asked, desk = self.store, self._asked + 1, self._desk
        if store is None:
            desk.mark(())
            return

        def question(_: object) -> list[Bookmark]:
            does(store)
            return store.all()

        answered = lambda found: desk.mark(found) if store is self.store else None  # noqa: E731
        desk.ask(f"bookmarks.{self._asked}", question, answered, lambda error: desk.noted.emit(str(error)))


def remove_all(store: Bookmarks, numbers: list[int]) -> None:
    """The last ones first: those beside a capture are counted."""
    for number in sorted(numbers, key=abs, reverse=True):
        store.remove(number)
