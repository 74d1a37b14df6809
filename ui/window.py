"""The main window: a toolbar, the docks, a status bar; files come and go."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow

from core.errors import BadInput
from inspector.focus import Focus
from ui import restyle, start, style, wishes, words
from ui.actions import Steps, add_actions, deeds, give_keys
from ui.ahead import Ahead
from ui.arranging import Arranging, take_size
from ui.docks import Docks
from ui.file_manager import show_in_folder
from ui.files import CAPTURES, dropped_captures, take_copy
from ui.kernels import Kernels
from ui.keys.commands import BY_NAME
from ui.keys.keymap import KEYS
from ui.loading import Loading, Opener
from ui.menus import make_menus
from ui.models.pixels import Picture
from ui.opened import Opened
from ui.panels.comparison import ComparisonPanel
from ui.panels.events import EventsPanel
from ui.panels.findings import FindingsPanel
from ui.panels.inspector import InspectorPanel
from ui.panels.panel import Desk, as_sentence
from ui.panels.surface import SurfacePanel
from ui.panels.what_if import WhatIfPanel
from ui.saving import Saving
from ui.session import Left, Session
from ui.settings import Settings
from ui.status import Status
from ui.toolbars import make_toolbar
from ui.widgets.banner import Banner
from ui.widgets.controls import single_shot
from ui.widgets.drop_light import DropLight
from ui.widgets.icons import icon
from ui.widgets.own_keys import OwnKeys
from ui.widgets.welcome import Welcome

log = logging.getLogger(__name__)
SLOW = 200
"""Milliseconds until a question that is not answered yet shows in the status bar, whose bar is painted at once."""
AGAIN = 0.1
"""Seconds until other progress of the question is shown."""


class Window(QMainWindow):
    def __init__(self, opener: Opener, settings: Settings | None = None, grows: bool = False) -> None:
        """grows: the opener hands out captures of the beginning while it reads the rest (ui.loading)."""
        super().__init__()
        self.settings = settings or Settings()
        self.settings.changed = self._option_changed  # type: ignore[method-assign]
        self.settings.not_kept = self.say  # type: ignore[method-assign]
        words.show_digits(self.settings.value("digits"))
        words.show_integers(self.settings.value("integers"))
        self.remember = True
        self._saying = False
        self.desk = Desk(self, self.settings)
        self.loading = Loading(opener, self, grows)
        self.ahead = Ahead(self.desk)
        self.steps = Steps(self.desk)
        self.saving = Saving(self)
        self.setWindowTitle("DDI Inspector")
        self.setWindowIcon(icon("logo", "accent"))
        self.setAcceptDrops(True)
        self.welcome = Welcome()
        self.setCentralWidget(self.welcome)
        KEYS.load(self.settings.keys)
        take_size(self)
        self.docks = Docks(self, self.desk)
        self.arranging = Arranging(self)
        self.status = Status()
        self.setStatusBar(self.status)
        self.actions_by_name = add_actions(self, deeds(self))
        make_menus(self)
        self.place = make_toolbar(self)
        self.banner = Banner(self)
        self.drop_light = DropLight(self)
        self.session = Session(self)
        self.own_keys = OwnKeys(QApplication.instance(), self)  # type: ignore[arg-type]
        self._wire()
        self.show_capture(False)
        self._set_enabled()

    @property
    def events(self) -> EventsPanel:
        return self.docks.panels["events"]  # type: ignore[return-value]

    @property
    def findings(self) -> FindingsPanel:
        return self.docks.panels["findings"]  # type: ignore[return-value]

    @property
    def surface(self) -> SurfacePanel:
        return self.docks.panels["surface"]  # type: ignore[return-value]

    @property
    def inspector(self) -> InspectorPanel:
        return self.docks.panels["inspector"]  # type: ignore[return-value]

    @property
    def comparison(self) -> ComparisonPanel:
        return self.docks.panels["comparison"]  # type: ignore[return-value]

    @property
    def what_if(self) -> WhatIfPanel:
        return self.docks.panels["what-if"]  # type: ignore[return-value]

    @property
    def picture(self) -> Picture | None:
        """What the surface shows; None: nothing, or nobody has looked yet."""
        return self.surface.picture if "surface" in self.docks.panels.made else None

    # What the window is made of

    def _wire(self) -> None:
        start.wire(self)
        self.banner.closed.connect(lambda: self.say(""))
        self.banner.stay_above(self.docks.docks.values())
        loading, ask, focus = self.loading, self.desk.ask, self.desk.focus
        loading.progressed.connect(self.status.show_progress)
        loading.progressed.connect(self.welcome.show_progress)
        self.opened = Opened(self)
        loading.failed.connect(lambda path, sentence: self._load_ended(sentence))
        loading.cancelled.connect(lambda path: self._load_ended(""))
        self.status.cancelled.connect(self._cancel)
        self.desk.noted.connect(self.say)
        self.desk.done.connect(lambda sentence: self.say(sentence, "note"))
        self.desk.saved.connect(self.say_saved)
        ask.failed.connect(lambda asker, sentence: self.say(as_sentence(sentence)))
        self._slow = single_shot(self, SLOW, self._show_busy)
        self._shown = 0.0  # when progress was shown last, seconds of the clock
        self._reached: tuple[str, float] = ("", 0.0)  # what the question under way reported last
        ask.busy_changed.connect(self._busy_changed)
        self.ahead.progressed.connect(self.status.set_ahead)
        ask.progressed.connect(self._progressed)
        focus.changed.connect(lambda new, old: self.show_place())
        focus.history_changed.connect(self._set_travel_enabled)
        self.desk.capture_changed.connect(self._set_enabled)
        wishes.wire(self)
        KEYS.changed.connect(self._keys_changed)

    def watch(self, kernels: Kernels) -> None:
        """Shows in the status bar how far the compiling of kernels is."""
        kernels.progressed.connect(lambda fraction, text: self.status.set_kernels(f"Compiling kernels {fraction * 100:.0f}%"))
        kernels.ready.connect(lambda: self.status.set_kernels(""))
        self.status.set_kernels("Compiling kernels…")

    # Files

    def open(self, path: Path, focus: Focus | None = None, frames: tuple[int, int] | None = None) -> None:
        """Starts opening a capture, or its frames a..b-1; the one shown stays until the new one is open."""
        self.say("")
        self.opened.begin(focus)
        if not path.exists():
            self.say(f"{path} no longer exists.")
            return
        self.welcome.set_opening(path.name)
        self.loading.open(path, frames)
        self.status.set_opening(True)

    def browse(self) -> None:
        near = str(Path(self.settings.last).parent) if self.settings.last else ""
        path, _ = QFileDialog.getOpenFileName(self, "Open a capture", near, CAPTURES)
        if path:
            self.open(Path(path))

    def go_on(self, path: Path) -> None:
        """Opens a capture where it was left."""
        left = Left.read(self.settings.left(path))
        self.session.wanted = left
        self.open(path, left.focus)

    def close_capture(self) -> None:
        self.loading.drop()
        self.opened.begin()
        self.session.closed()
        self.desk.put(None, None)
        self.show_capture(False)

    def _load_ended(self, sentence: str) -> None:
        self.status.set_opening(False)
        self.status.show_progress(-1.0, "")
        self.welcome.show_progress(-1.0, "")
        self.welcome.set_opening("")
        self.say(sentence)

    def _cancel(self) -> None:
        self.loading.cancel()
        self.desk.ask.cancel_all()

    # Showing

    def say(self, sentence: str, kind: str = "error", offer: tuple[str, Callable[[], object]] | None = None) -> None:
        """One sentence on top, with what can be done about it: words and what they do; an empty one puts it away."""
        if sentence:
            self.banner.say(sentence, kind, offer)
            log.info("said: %s", sentence)
        self._saying = bool(sentence)
        self.banner.setVisible(self._saying)
        if self._saying:
            self.banner.place()

    def say_saved(self, path: Path, what: str = "") -> None:
        """`what`: what was saved, if the path alone does not say it."""
        self.say(f"Saved {what or path}.", "note", ("Show in folder", lambda: show_in_folder(path)))

    def show_capture(self, there: bool) -> None:
        if not there:
            start.fill(self)
        if there and self.welcome.isVisibleTo(self):
            if (here := self.focusWidget()) is not None and self.welcome.isAncestorOf(here):
                here.clearFocus()  # else Qt walks all widgets for another that takes the keyboard, and finds none
            self.welcome.hide()
            self.arranging.show()
        elif not there:
            self.arranging.hide()
            self.welcome.set_opening("")
            self.welcome.show()
            self.welcome.take_keys()
            self.setWindowTitle("DDI Inspector")
            self.status.set_capture("")

    def show_place(self) -> None:
        index, focus = self.desk.index, self.desk.focus.focus
        self.place.blockSignals(True)
        self.place.setRange(0, max(len(index) - 1, 0) if index else 0)
        self.place.setValue(focus.event)
        self.place.blockSignals(False)
        if not self.place.hasFocus():
            self.place.lineEdit().deselect()
        if index and len(index):
            self.status.set_place(f"frame {index.frame(focus.event)}   event {focus.event}   {index.name(focus.event)}")
        else:
            self.status.set_place("")

    def _set_enabled(self) -> None:
        there = self.desk.capture is not None
        self.place.setEnabled(there)
        for name, action in self.actions_by_name.items():
            action.setEnabled(there or not BY_NAME[name].needs_capture)
        self._set_travel_enabled()

    def _set_travel_enabled(self) -> None:
        there, focus = self.desk.capture is not None, self.desk.focus
        self.actions_by_name["back"].setEnabled(there and focus.can_go_back)
        self.actions_by_name["forward"].setEnabled(there and focus.can_go_forward)

    def _progressed(self, asker: str, fraction: float, text: str) -> None:
        self._reached = text, fraction
        if self.desk.ask.busy and not self._slow.isActive() and time.monotonic() - self._shown >= AGAIN:
            self._show_busy()

    def _show_busy(self) -> None:
        if self.desk.ask.hurried:  # the picture that moves says enough; the bar is painted at once, for as long as an image
            self._slow.start()
            return
        self._shown = time.monotonic()
        self.status.set_busy(True, *self._reached)

    def _busy_changed(self, busy: bool) -> None:
        if busy:
            self._reached = "", 0.0
            self._slow.start()
        else:
            self._slow.stop()
            self.status.set_busy(False)

    def set_theme(self, name: str) -> None:
        self.settings.put("theme", name)

    def _option_changed(self, name: str) -> None:
        """An option has another value: what can be seen of it at once."""
        value = self.settings.value(name)
        if name in ("theme", "palette", "font", "family", "mono"):
            restyle.put_on(QApplication.instance(), self.settings)
            self.actions_by_name[f"theme-{self.settings.theme}"].setChecked(True)
        elif name == "timeline":
            self.docks.shelf.set_height(value)
        elif name in ("digits", "integers"):
            (words.show_digits if name == "digits" else words.show_integers)(value)
            style.current().changed.emit()
        elif name == "autosave":
            self.session.every(value)

    def _keys_changed(self) -> None:
        give_keys(self.actions_by_name)
        if self.remember:
            self.settings.keys = KEYS.own

    # Going

    def focus_filter(self) -> None:
        """In a panel with a filter of its own, there; elsewhere that of the event list."""
        here = QApplication.focusWidget()
        for panel in self.docks.panels.made.values():
            if here is not None and panel.isAncestorOf(here) and (focus_filter := getattr(panel, "focus_filter", None)):
                focus_filter()
                return
        self.docks.bring("events")
        self.events.focus_filter()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes to the next control that can be seen: not into the panels behind other tabs."""
        stop = self.docks.next_stop(QApplication.focusWidget(), forward)
        if stop is None:
            return super().focusNextPrevChild(forward)
        stop.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        return True

    def on_picture(self, does: Callable[[], object]) -> None:
        """Does something to the picture, which comes to the front for it."""
        self.docks.docks["surface"].raise_()
        does()

    # What if, and what is different

    def disable_event(self) -> None:
        self.what_if.disable_here()
        self.docks.bring("what-if")

    def take_side(self, side: str) -> None:
        """The event that is looked at is one side of the comparison."""
        self.docks.bring("comparison")
        self.comparison.take_here(self.comparison.a if side == "a" else self.comparison.b)

    def check_everything(self) -> None:
        self.docks.bring("findings")
        self.desk.checking.check_everything()

    def copy_link(self) -> None:
        QApplication.clipboard().setText(self.desk.focus.focus.text())
        self.status.showMessage("Link copied.", 2000)

    def paste_link(self) -> None:
        try:
            self.desk.focus.go_to(Focus.parse(QApplication.clipboard().text().strip()))
        except BadInput as error:
            self.say(f"The clipboard holds no valid link: {error}", "note")

    # Dropping files

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if captures := dropped_captures(event.mimeData()):
            take_copy(event)
            self.drop_light.shine(captures)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drop_light.shine(())

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_light.shine(())
        if captures := dropped_captures(event.mimeData()):
            take_copy(event)
            self.open(captures[0])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arranging.resized()
        if self._saying:
            self.banner.place()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.remember:
            self.arranging.save()
            self.session.end()
        self.loading.close()
        self.desk.close()
        super().closeEvent(event)
