"""Everything one can tell the window, one row per action: its name, words, keys, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from ui.panels.panel import Desk
from ui.widgets.icons import icon

BEAT = 60
"""Milliseconds from one frame to the next while frames are played, at least."""


@dataclass(frozen=True)
class Row:
    name: str
    text: str
    keys: tuple[str, ...]
    icon: str
    does: Callable[[], object]
    needs_capture: bool = True


def add_actions(window: QMainWindow, rows: list[Row]) -> dict[str, QAction]:
    """Makes the actions; each works from anywhere in the window."""
    actions = {}
    for row in rows:
        action = QAction(row.text, window)
        action.setObjectName(row.name)
        action.setShortcuts([QKeySequence(keys) for keys in row.keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setAutoRepeat(True)
        if row.icon:
            action.setIcon(icon(row.icon))
        words = row.text.replace("&", "").rstrip("…")
        action.setToolTip(f"{words}  ({row.keys[0]})" if row.keys else words)
        action.triggered.connect(lambda _=False, does=row.does: does())
        window.addAction(action)
        actions[row.name] = action
    return actions


class Steps:
    """Walking: to the next or previous event, draw or frame."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._beat = QTimer(desk)
        self._beat.setInterval(BEAT)
        self._beat.timeout.connect(self._play_on)
        desk.capture_changed.connect(self._beat.stop)

    def rows(self) -> list[Row]:
        return [
            Row("previous-event", "Previous event", ("Left", "K"), "previous-event", lambda: self.event(-1)),
            Row("next-event", "Next event", ("Right", "J"), "next-event", lambda: self.event(+1)),
            Row("previous-primitive", "Previous primitive", ("[",), "", lambda: self.primitive(-1)),
            Row("next-primitive", "Next primitive", ("]",), "", lambda: self.primitive(+1)),
            Row("previous-draw", "Previous draw", ("Ctrl+Left",), "previous-draw", lambda: self.draw(-1)),
            Row("next-draw", "Next draw", ("Ctrl+Right",), "next-draw", lambda: self.draw(+1)),
            Row("previous-frame", "Previous frame", ("Ctrl+Shift+Left",), "previous-frame", lambda: self.frame(-1)),
            Row("next-frame", "Next frame", ("Ctrl+Shift+Right",), "next-frame", lambda: self.frame(+1)),
            Row("play", "Play frames", ("P",), "play", self.play),
            Row("first-event", "First event", ("Home",), "", lambda: self.to(0)),
            Row("last-event", "Last event", ("End",), "", lambda: self.to(self._last)),
        ]

    @property
    def playing(self) -> bool:
        return self._beat.isActive()

    def play(self) -> None:
        """Shows one frame after the other, each as soon as it is there; again: stops."""
        if self.playing or not self._desk.index:
            self._beat.stop()
        else:
            self._beat.start()

    def _play_on(self) -> None:
        if self._desk.ask.busy:
            return
        before = self._event
        self.frame(+1)
        if self._event == before:
            self._beat.stop()

    @property
    def _last(self) -> int:
        return len(self._desk.index) - 1 if self._desk.index else 0

    @property
    def _event(self) -> int:
        return self._desk.focus.focus.event

    def to(self, event: int | None) -> None:
        if event is not None and self._desk.index:
            self._desk.focus.go("step", event=event)

    def event(self, direction: int) -> None:
        self.to(self._event + direction)

    def draw(self, direction: int) -> None:
        if index := self._desk.index:
            self.to(index.next_draw(self._event) if direction > 0 else index.previous_draw(self._event))

    def primitive(self, direction: int) -> None:
        """To the next or previous primitive of the draw; from its ends to the draws beside it."""
        capture, focus = self._desk.capture, self._desk.focus.focus
        if capture is None or not self._desk.index:
            return
        count = capture.primitives(focus.event)
        place = (-1 if direction > 0 else count) if focus.primitive is None else focus.primitive
        if 0 <= place + direction < count:
            self._desk.focus.go("step", primitive=place + direction)
        else:
            self.draw(direction)
            count = capture.primitives(self._event)
            if count and self._event != focus.event:
                self._desk.focus.go("step", primitive=0 if direction > 0 else count - 1)

    def frame(self, direction: int) -> None:
        """To the last event of the next or previous frame: its picture is complete there."""
        if index := self._desk.index:
            frame = index.frame(self._event) + direction
            if 0 <= frame < len(index.frame_first):
                self.to(index.frame_range(frame)[1] - 1)
