"""Shows an opened capture in the window: at once, or longer and longer while its file is being read."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QTabBar

from inspector.focus import Focus
from inspector.samples import place_in_sample
from inspector.tape.bookmarks import kept_place
from inspector.view import CaptureView
from ui.index import EventIndex
from ui.words import counting

if TYPE_CHECKING:
    from ui.window import Window

NOTICES = 3  # sentences about what is missing from a file that are shown when it opens


class Opened(QObject):
    """Puts what `Loading` made on the desk of a window."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._focus: Focus | None = None
        self._growing = False  # the capture on the desk is a part of what is being opened
        self._went = False  # to `focus`
        self._rests: list[CaptureView] = []  # of files whose beginning is on the desk still, though another is being opened
        loading = window.loading
        loading.loaded.connect(self._loaded)
        loading.grown.connect(self._grown)
        loading.dropped.connect(self._dropped)
        window.desk.capture_changed.connect(self._close_rests)

    def begin(self, focus: Focus | None = None) -> None:
        """Something else is being opened, or nothing; `focus`: where to look in it, None: the first picture."""
        self._focus, self._growing = focus, False

    def _loaded(self, path: Path, capture: CaptureView, index: EventIndex) -> None:
        """All of it, or as much as will be."""
        window = self._window
        window.status.set_opening(False)
        window.status.show_progress(-1.0, "")
        if self._growing:
            self._grow(capture, index)
        else:
            self._show(path, capture, index)
        self._growing = False
        window.session.opened(path)
        window.say("\n".join([*capture.tape.notices[:NOTICES], window.settings.trouble]).strip(), "note")

    def _grown(self, path: Path, capture: CaptureView, index: EventIndex) -> None:
        """A part of it."""
        if self._growing:
            self._grow(capture, index)
        else:
            self._show(path, capture, index)
            self._growing = True

    def _dropped(self, capture: CaptureView) -> None:
        """Nobody waits for it any more; a part of it that is on the desk still reads it."""
        self._rests.append(capture)
        on_desk = self._window.desk.capture
        if on_desk is None or on_desk.path != capture.path:
            self._close_rests()

    def _close_rests(self) -> None:
        rests, self._rests = self._rests, []
        if rests:
            self._window.desk.ask("close rests", partial(_close, rests), lambda _: None)

    def _show(self, path: Path, capture: CaptureView, index: EventIndex) -> None:
        window = self._window
        if window.remember:
            window.settings.add_recent(path)
        window.session.closed()
        window.show_capture(True)
        self._went = self._focus is None or self._focus.event < len(index)
        wanted = self._focus if self._went else None
        listed = (capture.frames[0].index, capture.frames[-1].index) if capture.frames else (0, 0)
        kept = None if listed[0] else kept_place(capture) or _place_in_sample(path)
        window.desk.put(capture, index, wanted or kept or Focus(event=first_place(index, *listed)))
        if isinstance(window.focusWidget(), (NoneType, QTabBar)):  # tabs take what the welcome leaves
            window.docks.bring_soon("events")
        window.setWindowTitle(f"{capture.title} - DDI Inspector")
        self._count(index)

    def _grow(self, capture: CaptureView, index: EventIndex) -> None:
        window = self._window
        window.desk.grow(capture, index)
        window.show_place()
        self._count(index)
        if not self._went and self._focus is not None and (self._focus.event < len(index) or capture.complete):
            self._went = True
            if not window.desk.focus.can_go_back:  # nobody has gone elsewhere meanwhile
                window.desk.focus.go_to(self._focus)

    def _count(self, index: EventIndex) -> None:
        counts = ((len(index.frame_first), "frame"), (len(index.draws), "draw"), (len(index), "event"))
        so_far = self._window.desk.so_far
        self._window.status.set_capture("   ".join(counting(number, noun) for number, noun in counts) + so_far)


def _close(captures: list[CaptureView], _: object) -> None:
    for capture in captures:
        capture.close()


def first_place(index: EventIndex, first: int = 0, last: int | None = None) -> int:
    """Where to look first: the end of the first of these frames that draws something; if none does, that of the last."""
    if not len(index):
        return 0
    last = len(index.frame_first) - 1 if last is None else last
    draw = index.next_draw(index.frame_range(first)[0] - 1 if first else -1)
    return (
        index.picture_event(index.frame(draw))
        if draw is not None and index.frame(draw) <= last
        else index.frame_range(last)[1] - 1
    )


def _place_in_sample(path: Path) -> Focus | None:
    place = place_in_sample(path)
    return Focus.parse(place) if place else None
