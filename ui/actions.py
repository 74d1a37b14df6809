"""The commands as actions of the window, with their current keys; and walking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from ui.going import ask_place
from ui.keyboard import show_keys
from ui.keys.commands import BY_NAME, COMMANDS, STEPPING, Command
from ui.keys.keymap import KEYS
from ui.keys.overlays import COMMANDS as OVERLAYS
from ui.layouts import LAYOUTS
from ui.mistakes import about, report_a_problem, show_log
from ui.pages import LESSONS
from ui.palette import show_palette
from ui.panels.panel import Desk
from ui.preferences import show_settings
from ui.reading import show_manual, show_page
from ui.widgets.icons import icon

if TYPE_CHECKING:
    from ui.panels.stepping import SteppingPanel
    from ui.window import Window

BEAT = 60
"""Milliseconds from one frame to the next while frames are played, at least."""


def add_actions(window: QMainWindow, does: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """An action for each command that works from anywhere in the window; `does`: what each does, by name."""
    commands = [command for command in COMMANDS if not command.where]
    assert set(does) == {command.name for command in commands}, "each command does something"
    actions = {command.name: _action(window, command, does[command.name]) for command in commands}
    give_keys(actions)
    return actions


def _action(window: QMainWindow, command: Command, does: Callable[[], object]) -> QAction:
    action = QAction(command.text, window)
    action.setObjectName(command.name)
    action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
    action.setAutoRepeat(True)
    if command.icon:
        action.setIcon(icon(command.icon))
    action.triggered.connect(lambda _=False: does())
    window.addAction(action)
    return action


def give_keys(actions: Mapping[str, QAction]) -> None:
    """The keys as they are now, in tooltips too."""
    for name, action in actions.items():
        action.setShortcuts([QKeySequence(key) for key in KEYS.of(name)])
        words = BY_NAME[name].words
        action.setToolTip(f"{words} ({action.shortcut().toString()})" if KEYS.of(name) else words)


def deeds(window: Window) -> dict[str, Callable[[], object]]:
    """What each command of ui.keys.commands does."""
    focus = window.desk.focus
    return {
        "open": window.browse, "open-frames": lambda: _open_frames(window), "record": lambda: _record(window),
        "close": window.close_capture, "quit": window.close,
        "save-picture": window.saving.picture, "copy-picture": lambda: window.surface.copy_image(),
        "save-report": window.saving.report,
        "save-all": window.saving.surfaces, "save-program": window.saving.program,
        "save-textures": window.saving.textures, "save-frames": window.saving.frames,
        "back": focus.back, "forward": focus.forward, **window.steps.does(),
        **{command.name: partial(_walk, window, command.name.removeprefix("step-"))
           for command in COMMANDS if command.group == STEPPING},
        "go-to": partial(ask_place, window), "filter": window.focus_filter,
        "find-next": lambda: window.events.find_match(+1), "find-previous": lambda: window.events.find_match(-1),
        "bookmark": window.desk.bookmarking.toggle,
        **{f"bookmark-{number}": partial(window.desk.bookmarking.jump, number) for number in range(1, 10)},
        "next-of-rule": lambda: window.findings.step_rule(+1), "previous-of-rule": lambda: window.findings.step_rule(-1),
        "copy-link": window.copy_link, "paste-link": window.paste_link,
        "overlay": lambda: window.on_picture(window.surface.next_overlay),
        **{name: partial(_take_overlay, window, overlay) for name, overlay in OVERLAYS.items()},
        "wires": lambda: window.on_picture(window.surface.wired.toggle),
        "disable": window.disable_event, "check-everything": window.check_everything,
        "side-a": partial(window.take_side, "a"), "side-b": partial(window.take_side, "b"),
        **{f"panel-{name}": partial(window.docks.bring, name) for name in window.docks.panels},
        "palette": lambda: show_palette(window), "keys": lambda: show_keys(window), "about": lambda: about(window),
        "log": lambda: show_log(window), "problem": lambda: report_a_problem(window),
        "manual": lambda: show_manual(window), "lessons": lambda: show_page(window, LESSONS),
        "dismiss": lambda: window.say(""), "reset-layout": partial(window.arranging.use, ""),
        "save-layout": window.arranging.save_as, "hide-panel": window.docks.hide_current,
        "float-panel": window.docks.float_current, "copy-panel": window.docks.copy_current,
        **{f"layout-{name}": partial(window.arranging.use, name) for name in LAYOUTS},
        **{f"theme-{name}": partial(window.set_theme, name) for name in ("system", "dark", "light", "contrast")},
        "settings": lambda: show_settings(window),
    }  # fmt: skip


def _take_overlay(window: Window, overlay: str) -> None:
    window.on_picture(partial(window.surface.overlays.take, overlay))


def _walk(window: Window, name: str) -> None:
    """Goes on in Steps; brings the panel forward first, without taking the keyboard."""
    panel: SteppingPanel = window.docks.panels["stepping"]  # type: ignore[assignment]
    dock = window.docks.docks["stepping"]
    if not panel.raised or not dock.isVisible():
        dock.show()
        dock.raise_()
    elif name == "breakpoint":
        panel.toggle_breakpoint()
    else:
        panel.walk(name)


def _open_frames(window: Window) -> None:
    from ui.frames import open_frames  # with what reads traces: not at start

    open_frames(window)


def _record(window: Window) -> None:
    from ui.recording import show_record  # with what reads programs and traces: not at start

    show_record(window)


class Steps:
    """Walking: to the next or previous event, draw or frame."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._beat = QTimer(desk)
        self._beat.setInterval(BEAT)
        self._beat.timeout.connect(self._play_on)
        desk.capture_changed.connect(self._beat.stop)

    def does(self) -> dict[str, Callable[[], object]]:
        """What the commands of walking do."""
        steps = {"event": self.event, "primitive": self.primitive, "draw": self.draw, "frame": self.frame}
        walks = {
            f"{way}-{name}": partial(step, by) for name, step in steps.items() for way, by in (("previous", -1), ("next", +1))
        }
        return {**walks, "play": self.play, "first-event": lambda: self.to(0), "last-event": lambda: self.to(self._last)}

    @property
    def playing(self) -> bool:
        return self._beat.isActive()

    def play(self) -> None:
        """Shows one frame after the other, each as soon as it is ready; stops if called again."""
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
        """To the next or previous primitive of the draw; from its ends to the adjacent draws."""
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
        """To where the next or previous frame is complete: before its Flip, if it ends with one.  A surface that is pinned, as
        the one on the screen, is looked at after all of the frame."""
        if index := self._desk.index:
            frame = index.frame(self._event) + direction
            if 0 <= frame < len(index.frame_first):
                pinned = isinstance(self._desk.focus.focus.surface, int)
                self.to(index.frame_range(frame)[1] - 1 if pinned else index.picture_event(frame))
