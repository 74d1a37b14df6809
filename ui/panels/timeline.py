"""The dock at the top: the position in the capture, and the quickest way to another."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from core.errors import BadInput
from inspector import PixelHistory, PixelLife, Statistics
from inspector.focus import Focus
from inspector.query.events.spans import span
from inspector.query.looks.thumbnails import Thumbnail
from inspector.query.pixels.life import Life
from inspector.query.pixels.pixel import pinned
from inspector.view import CaptureView
from ui import style
from ui.focus import DRAG
from ui.models.findings import flags
from ui.models.pixels import thumbnail
from ui.panels.panel import Panel
from ui.widgets.controls import single_shot, tool
from ui.widgets.legend import Legend
from ui.widgets.timeline_room import ROOMY
from ui.widgets.timeline_strip import TimelineStrip

LIFE, COSTS, PICTURES, HITS = "timeline.life", "timeline.costs", "timeline.pictures", "timeline.hits"
SCREENS = ("back_buffer", "render_target", "primary")
DENSE = 96
"""Pixels of the shorter side that a frame's picture is made from."""
SLIM = 20
"""Pixels of the height of what stands in the title."""
NO_EVENTS = np.zeros(0, np.int64)
CALM = 400
"""Milliseconds after which what came into sight gets its pictures."""


class TimelinePanel(Panel):
    title, name = "Timeline", "timeline"
    depends = ()
    height_wanted = Signal(int)
    """Pixels of height that the panel is to have."""

    def build(self) -> None:
        self.strip = TimelineStrip()
        self.box.addWidget(self.strip)
        self.setMaximumHeight(240)
        self._images: dict[int, QImage] = {}
        self._lower = 0  # pixels of height before pictures came; 0: they needed no more
        self.life = self._toggle("life", "Pixel", "The picked pixel's life: its colour after each frame, a tick for each write")
        self.pictures = self._toggle("pictures", "Pictures", "Thumbnails of complete frames; the timeline grows to fit them")
        self.costs = self._toggle("costs", "Cost", "Height by estimated cost instead of the number of events")
        self._later = single_shot(self, CALM, self._ask_pictures)
        self.life.toggled.connect(lambda _: self._ask_life())
        self.costs.toggled.connect(lambda _: self._ask_costs())
        self.pictures.toggled.connect(lambda _: self._show_pictures())
        self.pictures.clicked.connect(self._make_room)
        self.strip.moved.connect(self._later.start)
        self.strip.placed.connect(lambda event: self.go(event=event))
        self.strip.scrubbed.connect(lambda event: self.go(DRAG, event=event))
        self.desk.found_changed.connect(self._show_flags)
        self.desk.marks_changed.connect(self._show_marks)
        self.desk.bookmarks_changed.connect(self._show_bookmarks)

    def catch_up(self) -> None:
        self._show_flags()
        self._show_bookmarks()
        for name in self.desk.marks:
            self._show_marks(name)

    def _show_flags(self) -> None:
        self.strip.set_flags(flags(self.desk.found))

    def _show_bookmarks(self) -> None:
        self.strip.set_bookmarks([(one.focus.event, one.name) for one in self.desk.bookmarks])

    def _show_marks(self, name: str) -> None:
        self.strip.set_marks(name, self.desk.marks[name])

    def _toggle(self, name: str, text: str, about: str) -> QToolButton:
        button = tool(f"Timeline: {text}", about, text=text, checkable=True, checked=self.kept(name, False))
        button.toggled.connect(partial(self.keep, name))
        return button

    def beside_title(self) -> QWidget:
        beside = QWidget()
        row = QHBoxLayout(beside)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(Legend())
        for button in (self.life, self.pictures, self.costs):
            button.setMaximumHeight(SLIM)
            button.setFont(style.ui_font(8.5))
            row.addWidget(button)
        return beside

    def capture_changed(self) -> None:
        for asker in (LIFE, COSTS, PICTURES, HITS):
            self.desk.ask.cancel(asker)
        self.strip.set_index(self.desk.index)
        self._images = {}
        self._show_pictures()
        self._ask_costs()
        self._ask_life()

    def grown(self) -> None:
        self.strip.grow(self.desk.index)
        self._later.start()
        if self.desk.capture is not None and self.desk.capture.complete:
            self._ask_costs()
            self._ask_life()

    def moved(self, new: Focus, old: Focus) -> None:
        self.strip.set_event(new.event)
        if (new.pixel, new.where) != (old.pixel, old.where):
            self._ask_life()
        self._ask_hits(new, old)

    # What hit the pixel

    def _ask_hits(self, new: Focus, old: Focus) -> None:
        """Marks the hits of the frame, unless the pixel history does: it asks while it is in sight only."""
        capture, index = self.desk.capture, self.desk.index
        if capture is None or index is None or not 0 <= new.event < len(capture.events):
            return
        place, before = self.desk.frame_pixel(new), self.desk.frame_pixel(old)
        if place == before or place == self.desk.history_of:
            return
        self.desk.ask.cancel(HITS)
        if new.pixel is None:
            self._show_hits(NO_EVENTS)
            return
        work = partial(_hits, capture, new, lambda: place == self.desk.history_of)
        self.desk.ask.aside(HITS, work, self._show_hits, lambda _: None)

    def _show_hits(self, events: np.ndarray | None) -> None:
        if events is not None:
            self.desk.history_of = None
            self.desk.show_marks("history", events)

    # A pixel's life

    def _ask_life(self) -> None:
        capture, focus = self.desk.capture, self.desk.focus.focus
        self.desk.ask.cancel(LIFE)
        wanted = capture is not None and focus.pixel is not None and self.life.isChecked()
        self.strip.set_life(None, wanted)
        if capture is None or not wanted:
            return
        work = partial(_life, capture, focus)
        self.desk.ask.aside(LIFE, work, self._show_life, lambda _: self.strip.set_life(None))

    def _show_life(self, life: Life) -> None:
        capture, index = self.desk.capture, self.desk.index
        if capture is not None and index is not None:
            self.strip.set_life((_of_all(life.colors, capture, len(index.frame_first)), life.writers))

    # Costs

    def _ask_costs(self) -> None:
        capture = self.desk.capture
        self.strip.set_costs(None)
        if capture is not None and self.costs.isChecked():
            self.desk.ask(COSTS, lambda progress: _costs(capture, progress.stop.is_set), self.strip.set_costs, lambda _: None)

    # Pictures

    def _make_room(self, wanted: bool) -> None:
        """The timeline is as high as pictures need, and afterwards as high as it was, unless that has changed meanwhile."""
        height = self.height()
        if wanted and height < ROOMY:
            self._lower = height
            self.height_wanted.emit(ROOMY)
        elif not wanted and height == ROOMY:  # perhaps since an earlier session
            self.height_wanted.emit(self._lower or self.strip.sizeHint().height())
        self._lower = self._lower if wanted else 0

    def _show_pictures(self) -> None:
        wanted = self.pictures.isChecked() and self.desk.capture is not None
        self.strip.set_pictures(self._images if wanted else None)
        self._later.start()

    def _ask_pictures(self) -> None:
        """Of the frames that have room and no picture yet: one after the other, while nobody waits for anything else."""
        capture = self.desk.capture
        frames = [frame for frame, _ in self.strip.picture_places() if frame not in self._images]
        if capture is not None and frames:
            ends = {frame: self.desk.index.picture_event(frame) for frame in frames} if self.desk.index else {}
            self.desk.ask.aside(PICTURES, partial(_picture, capture, ends), self._take_pictures, lambda _: None)

    def _take_pictures(self, images: dict[int, QImage]) -> None:
        self._images |= images
        if self.pictures.isChecked():
            self.strip.set_pictures(self._images)
            self._ask_pictures()


def _hits(capture: CaptureView, focus: Focus, known: Callable[[], bool]) -> Generator[float, None, np.ndarray | None]:
    """The events of the frame with a fragment at the pixel, or another write; None: the pixel history has them meanwhile."""
    yield 0.0
    if known():
        return None
    assert focus.pixel is not None
    try:
        where = pinned(capture, focus.where, focus.event)
        found = capture.ask(PixelHistory(where, *focus.pixel, *span(capture, focus.event), misses=False))
    except BadInput:  # the pixel is outside of this surface
        return NO_EVENTS
    return np.unique(np.array([entry.event for entry in found.entries], np.int64))


def _life(capture: CaptureView, focus: Focus) -> Generator[float, None, Life]:
    """Of the surface that is looked at, whatever is bound in other frames."""
    assert focus.pixel is not None
    where = focus.where
    if isinstance(where.surface, str) and (found := capture.resolve(focus.event, where.surface)) is not None:
        where = focus.replace(surface=found[0]).where
    return (yield from capture.in_pieces(PixelLife(where, *focus.pixel)))


def _of_all(colors: np.ndarray, capture: CaptureView, count: int) -> np.ndarray:
    """float32[count, 4]: the colours of the frames that are listed, by the numbers of these; none of any other frame."""
    first = capture.frames[0].index if capture.frames else 0
    found = np.full((max(count, first + len(colors)), 4), np.nan, np.float32)
    found[first : first + len(colors)] = colors
    return found


def _costs(capture: CaptureView, cancel: Any) -> np.ndarray:
    """float64[events + 1]: microseconds of all draws before each event, as Statistics estimates them."""
    figures = capture.ask(Statistics("draw"), cancel)
    each = np.zeros(len(capture.events) + 1)
    each[figures.stop + 1] = figures.columns["cost_us"]
    return np.cumsum(each)


def _picture(capture: CaptureView, ends: dict[int, int]) -> Generator[float, None, dict[int, QImage]]:
    """The first of `ends`, which is enough for one answer: {frame: its last event}."""
    for frame, event in ends.items():
        for surface in SCREENS:
            try:
                yield 0.0
                return {frame: thumbnail(capture.ask(Thumbnail(event, surface, DENSE)))}
            except BadInput:
                continue
        return {frame: QImage()}
    return {}
