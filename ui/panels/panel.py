"""The base of every panel: a question about the focus, and a display of the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.spec.subresource import Subresource
from inspector.focus import Focus
from inspector.tape.bookmarks import Bookmark, resource_names
from inspector.view import CaptureView
from ui import style
from ui.ask import Ask, Progress
from ui.files import leave_drops_to_window
from ui.focus import FocusModel
from ui.index import EventIndex
from ui.models.thumbnails import Thumbnails
from ui.panels.bookmarking import Bookmarking
from ui.panels.checking import Checking
from ui.settings import Settings

Question = Callable[[Progress], Any]
FramePixel = tuple[tuple[int, int] | None, Subresource, int]
"""(pixel, where, frame): a pixel in one frame."""


FILE = re.compile(r"(?!(?:cannot|no|the|line|event|in) )[^:/\\]*\.\w{1,8}:")
"""The name of a file at the beginning of what an error says; it may have spaces."""


def as_sentence(words: str) -> str:
    """What an error says, to stand by itself: "Event 3 draws no vertices."; names of files keep their letters."""
    is_file = bool(FILE.match(words))
    first = words[:1].upper() if words.partition(" ")[0].isalpha() and not is_file else words[:1]
    return f"{first}{words[1:]}{'' if words.endswith(('.', '?')) else '.'}"


class Desk(QObject):
    """What all panels share: the capture on the desk, where the user looks, and whom to ask."""

    leaving = Signal()
    """The capture is about to leave the desk: what is not kept yet is kept now."""
    capture_changed = Signal()
    grown = Signal()
    """More of the capture has been read, in the end all of it (`capture.complete`): events keep their numbers."""
    capture_closed = Signal()
    """The capture that was on the desk before has been closed."""
    noted = Signal(str)
    """What went wrong, in a sentence."""
    done = Signal(str)
    """What was done, in a sentence."""
    saved = Signal(object, str)
    """(path, what): a file was written; what it holds, "" if the path says it."""
    found_changed = Signal()
    edits_changed = Signal()
    bookmarks_changed = Signal()
    marks_changed = Signal(str)
    """Other events are marked for the named reason (ui.widgets.timeline_marks.MARKS)."""
    returned = Signal()
    """One comes back from another program: what that has written beside the capture can be read."""
    named = Signal(object, str)
    """(place, name): the place is to have a bookmark with this name; "": none."""
    wanted = Signal(str, str)
    """(what, about), for other panels: "begin" an edit that starts so, do an "edit", take the event as "side" a or b,
    show a "buffer", "filter" the events, bring a "panel", list the "origin" of a value of the pixel."""

    edits_wanted = Signal(object)
    """These edits are to be added to the What if, in place of those of the same thing."""

    def __init__(self, parent: QObject | None = None, settings: Settings | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        """What is remembered from one day to the next; None: nothing is."""
        self.ask = Ask(self)
        self.focus = FocusModel(self, self.ask.gathering)
        self.capture: CaptureView | None = None
        self.index: EventIndex | None = None
        self.small: Thumbnails | None = None
        """Thumbnails of the capture's surfaces, for the asking thread."""
        self.marks: dict[str, np.ndarray] = {}
        """By reason, the events that the timeline marks, ascending."""
        self.history_of: FramePixel | None = None
        """What the pixel history is of, while it is up to date: its marks are those of the timeline."""
        self.bookmarks: tuple[Bookmark, ...] = ()
        """In order of their events."""
        self.names: dict[tuple[int, int], str] = {}
        """(event of the creation, handle) -> the name of a surface or buffer."""
        self.edits: tuple[Any, ...] = ()
        """What a what if changes (inspector.query.what_if.edits)."""
        self.found: tuple[Any, ...] = ()
        """The findings that are known, in tape order."""
        self.bookmarking, self.checking = Bookmarking(self), Checking(self)
        if isinstance(app := QGuiApplication.instance(), QGuiApplication):
            app.applicationStateChanged.connect(self._state_changed)

    def _state_changed(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.returned.emit()

    def put(self, capture: CaptureView | None, index: EventIndex | None, focus: Focus | None = None) -> None:
        """Puts a capture on the desk (None: clears it).  Questions about the one before are dropped."""
        self.leaving.emit()
        self.ask.cancel_all()
        old, self.capture, self.index = self.capture, capture, index
        if old is not None and old is not capture:
            self.ask("close", lambda _: old.close(), lambda _: self.capture_closed.emit())
        self.marks.clear()
        self.edit(())
        self.found, self.small = (), Thumbnails(capture) if capture is not None else None
        self.capture_changed.emit()
        self.found_changed.emit()
        self.focus.reset(lambda: len(self.index) if self.index else 0, focus)

    def grow(self, capture: CaptureView, index: EventIndex) -> None:
        """Puts a longer capture of the same file on the desk.  Questions about the shorter one go on."""
        self.capture, self.index = capture, index
        self.small = Thumbnails(capture)
        self.grown.emit()

    def frame_pixel(self, focus: Focus) -> FramePixel:
        """The pixel of a focus, in its frame."""
        return focus.pixel, focus.where, self.index.frame(focus.event) if self.index else 0

    @property
    def so_far(self) -> str:
        """What follows a total while more of the capture is being read."""
        return "" if self.capture is None or self.capture.complete else " so far"

    def show_marks(self, reason: str, events: np.ndarray) -> None:
        """The timeline marks these events, ascending, for this reason from now on."""
        self.marks[reason] = events
        self.marks_changed.emit(reason)

    def mark(self, bookmarks: Sequence[Bookmark]) -> None:
        """These are the bookmarks from now on."""
        self.bookmarks = tuple(bookmarks)
        self.names = resource_names(bookmarks)
        self.bookmarks_changed.emit()

    def name_of(self, surface: Any) -> str:
        """The name that a surface or buffer was given; empty without one."""
        return self.names.get((max(surface.created, 0), surface.handle), "")

    def titled(self, surface: Any) -> str:
        """What a surface is called: by its name, if it was given one."""
        name = self.name_of(surface)
        return f"{name} ({surface.title})" if name else str(surface.title)

    def edit(self, edits: Sequence[Any]) -> None:
        """These edits are switched on from now on."""
        self.edits = tuple(edits)
        self.edits_changed.emit()

    def find(self, found: Sequence[Any]) -> None:
        """These findings are known from now on."""
        self.found = tuple(found)
        self.found_changed.emit()

    def close(self) -> None:
        """Stops asking and lets go of the capture."""
        self.leaving.emit()
        self.ask.close()
        if self.capture is not None:
            self.capture.close()


class Panel(QWidget):
    """Asks again when a part of the focus it `depends` on changes, but only while it can be seen.

    It is made when it is first needed (ui.making), perhaps long after the capture was put on the desk.
    """

    title: ClassVar[str] = ""
    name: ClassVar[str] = ""
    retitled = Signal(str)
    depends: ClassVar[tuple[str, ...]] = ("event",)
    urgent: ClassVar[bool] = False
    """Whether its question goes before those of the other panels, but for quick ones."""
    quick: ClassVar[bool] = False
    """Whether its question takes a few milliseconds: it goes first, so that the panel is painted while others are asked."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        """parent: where it will stand.  A widget that gets another parent later is styled anew, with all that is in it."""
        super().__init__(parent)
        self.desk = desk
        self.setObjectName("panel")
        self.setAccessibleName(self.title)
        self._stale = True
        self._raised = True
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(1, 1, 1, 1)
        self.box.setSpacing(0)
        self.build()
        leave_drops_to_window(self)
        desk.capture_changed.connect(self._capture_changed)
        desk.grown.connect(self._grown)
        desk.focus.changed.connect(self._focus_changed)
        style.current().changed.connect(self.update)
        if desk.capture is not None:
            self._capture_changed()
            self.catch_up()
            self.moved(desk.focus.focus, Focus())

    # What a panel fills in

    def build(self) -> None:
        """Makes the widgets."""

    def beside_title(self) -> QWidget | None:
        """What is at the right end of the panel's title."""
        return None

    def first_for_keys(self) -> QWidget | None:
        """What gets the keyboard when the panel is brought forward; None: its first list."""
        return None

    def question(self, capture: CaptureView, focus: Focus) -> Question | None:
        """What to ask about this focus; None: nothing, show emptiness."""
        return None

    def display(self, answer: Any) -> None:
        """Shows the answer to `question`."""

    def clear(self) -> None:
        """Shows nothing: there is no capture, or nothing to ask."""

    def waiting(self) -> None:
        """Asked about something, without an answer yet: emptiness has no other reason."""

    def fail(self, sentence: str) -> None:
        """Shows why there is no answer (a BadInput sentence)."""
        self.desk.noted.emit(sentence)

    def capture_changed(self) -> None:
        """Another capture is on the desk, or none."""

    def grown(self) -> None:
        """More of the capture has been read, for what shows all of it; when it is complete, the panel asks anew by itself."""

    def catch_up(self) -> None:
        """Made after the capture was opened: shows what it else hears of by signals (findings, bookmarks, edits)."""

    def moved(self, new: Focus, old: Focus) -> None:
        """The focus moved; for what needs no question."""

    # What it gets

    def go(self, merge: str | None = None, **changes: object) -> None:
        self.desk.focus.go(merge, **changes)

    def kept(self, name: str, default: Any) -> Any:
        """What this panel kept under a name, if it is of the default's type."""
        settings = self.desk.settings
        return default if settings is None else settings.kept(f"{self.name}/{name}", default)

    def keep(self, name: str, value: Any) -> None:
        """Remembers what JSON can hold for the next start."""
        if self.desk.settings is not None:
            self.desk.settings.keep(f"{self.name}/{name}", value)

    def refresh(self) -> None:
        """Asks now, or as soon as the panel is seen."""
        self._stale = True
        if not self.can_be_seen:
            return
        self._stale = False
        capture = self.desk.capture
        asked = None
        if capture is not None and self.desk.focus.focus.event < len(capture.events):  # the focus follows a new capture
            asked = self.question(capture, self.desk.focus.focus)
        if asked is None:
            self.desk.ask.cancel(self.name)
            self.clear()
        else:
            self.waiting()
            title = f"{capture.title}: " if capture is not None else ""  # it goes without saying
            failed = lambda error: self.fail(as_sentence(str(error).removeprefix(title)))  # noqa: E731
            self.desk.ask(self.name, asked, self.display, failed, self.urgent, self.quick)

    @property
    def raised(self) -> bool:
        """Whether the panel is not behind another tab."""
        return self._raised

    @property
    def can_be_seen(self) -> bool:
        """Whether somebody can see it."""
        return self._raised and self.isVisible()

    def set_raised(self, raised: bool) -> None:
        """Called by the dock, because Qt reports panels on hidden tabs as visible."""
        self._raised = raised
        if raised and self._stale:
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def _capture_changed(self) -> None:
        self.clear()
        self.capture_changed()
        self.refresh()

    def _grown(self) -> None:
        self.grown()
        if self.desk.capture is not None and self.desk.capture.complete:
            self.refresh()

    def _focus_changed(self, new: Focus, old: Focus) -> None:
        self.moved(new, old)
        if any(getattr(new, part) != getattr(old, part) for part in self.depends):
            self.refresh()
