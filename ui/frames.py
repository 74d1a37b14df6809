"""File > Open frames of a trace: lists the frames of a file and draws some of them, and opens those that are chosen."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QThreadPool, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
)

from core.errors import Cancelled, DdiInspectorError
from inspector.glance import glance
from inspector.imports.presents import frames_of
from inspector.timeline.budgets import Budgets
from ui.files import CAPTURES
from ui.models.table import Column, RowsModel
from ui.widgets.controls import count_box, spoken
from ui.widgets.gallery import Gallery, picture_of
from ui.widgets.plain import PlainLabel
from ui.widgets.tables import Table
from ui.words import counting

if TYPE_CHECKING:
    from ui.window import Window

Row = tuple[int, int | None, int | None, int]
"""Of a frame: its number, its first API call and how many it has (None: not counted), how many of them draw."""

COLUMNS = (
    Column("Frame", lambda row: f"{row[0]:,}"),
    Column("First API call", lambda row: "" if row[1] is None else f"{row[1]:,}"),
    Column("API calls", lambda row: "" if row[2] is None else f"{row[2]:,}"),
    Column("Draws", lambda row: f"{row[3]:,}"),
)
UNKNOWN = "The frames of this file are known only after it has been read. Enter the numbers of the first and the last one."
MOST = 2**31 - 2
"""The largest number of a frame while it is not known how many there are."""
AT_ONCE = 256 << 20
"""A larger file, in bytes, is read for pictures only when someone asks for them."""
MEMORY = Budgets(memory=96 << 20, disk=0)
"""For making the pictures: another capture may be open."""


class FramesDialog(QDialog):
    """The frames of one file, the first and the last one wanted.  The list is made on a thread of its own."""

    _progressed = Signal(object, float)
    _listed = Signal(object, object, str)
    _read = Signal(object, float)
    _pictured = Signal(object, int, object)
    _drawn = Signal(object, object, str)

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.setWindowTitle("Open frames of a trace")
        self._window, self._path = window, Path()
        self._stop = threading.Event()  # of the listing that is under way; a new one for each
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._in_step = False
        self.model = RowsModel(COLUMNS, self)
        self.table = Table(self.model, "Frames", (90, 130, 110, 90))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.status = PlainLabel()
        self.status.setObjectName("muted")
        self.status.setWordWrap(True)
        self.bar = spoken(QProgressBar(), "Progress")
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        self.gallery = Gallery("Pictures of frames")
        self.reading = PlainLabel()
        self.reading.setObjectName("muted")
        self.reading.setWordWrap(True)
        self.draw = QPushButton("Show &pictures")
        self.draw.setAutoDefault(False)
        self.draw.setToolTip("Reads the file, which takes a while, and shows frames as they are reached")
        self.first, self.last = count_box("First frame", ""), count_box("Last frame", "")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel)
        self._lay_out()
        self._progressed.connect(self._show_progress)
        self._listed.connect(self._show)
        self._read.connect(self._show_read)
        self._pictured.connect(self._show_picture)
        self._drawn.connect(self._show_drawn)
        self.gallery.chosen.connect(self._take_range)
        self.gallery.itemActivated.connect(lambda item: self.accept())
        self.draw.clicked.connect(self._begin_drawing)
        self.table.selectionModel().selectionChanged.connect(self._take_rows)
        self.table.doubleClicked.connect(lambda index: self.accept())
        self.first.valueChanged.connect(lambda: self._take_numbers(self.first))
        self.last.valueChanged.connect(lambda: self._take_numbers(self.last))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.resize(720, 680)

    def _lay_out(self) -> None:
        numbers = QHBoxLayout()
        for words, box in (("&First frame", self.first), ("&Last frame", self.last)):
            name = PlainLabel(words)
            name.setBuddy(box)
            box.setMinimumWidth(110)
            numbers.addWidget(name)
            numbers.addWidget(box)
        numbers.addStretch(1)
        numbers.addWidget(self.draw)
        parts = QVBoxLayout(self)
        parts.addWidget(self.status)
        parts.addWidget(self.bar)
        parts.addWidget(self.gallery)
        parts.addWidget(self.reading)
        parts.addWidget(self.table, 1)
        parts.addLayout(numbers)
        parts.addWidget(self.buttons)

    @property
    def listing(self) -> bool:
        """Whether the list is being made."""
        return self.bar.isVisibleTo(self)

    def begin(self, path: Path) -> None:
        """Shows the dialog, and starts to list the frames of a file."""
        self._stop.set()
        stop = self._stop = threading.Event()
        self._path = path
        self.model.set_rows([])
        self.table.placeholder = ""
        self.gallery.clear()
        self.gallery.hide()
        self.reading.setText("")
        large = _is_large(path)
        self.draw.setVisible(large)
        self._set_last(MOST)
        self.first.setValue(0)
        self.last.setValue(0)
        self.status.setText(f"Listing the frames of {path.name}…")
        self.bar.setValue(0)
        self.bar.show()
        self.open()
        self.first.setFocus()
        self.first.selectAll()
        self._pool.start(lambda: self._list(path, stop))
        if not large:
            self._begin_drawing()

    def _begin_drawing(self) -> None:
        """After the list, on the same thread."""
        path, stop = self._path, self._stop
        self.draw.hide()
        self._pool.start(lambda: self._draw(path, stop))

    def _list(self, path: Path, stop: threading.Event) -> None:
        """On the thread of the pool."""

        def progress(fraction: float, text: str = "") -> bool:
            if not stop.is_set():
                self._progressed.emit(stop, fraction)
            return not stop.is_set()

        rows: list[Row] = []
        sentence = ""
        try:
            frames = frames_of(path, progress)
            if frames is None:
                sentence = UNKNOWN
            else:
                rows = [(number, *row) for number, row in enumerate(frames.tolist())]
        except Cancelled:
            return
        except (DdiInspectorError, OSError) as error:
            sentence = str(error)
        if not stop.is_set():
            self._listed.emit(stop, rows, sentence)

    def _draw(self, path: Path, stop: threading.Event) -> None:
        """On the thread of the pool."""

        def progress(fraction: float, text: str = "") -> bool:
            if not stop.is_set():
                self._read.emit(stop, fraction)
            return not stop.is_set()

        def shown(frame: int, rgba: np.ndarray) -> None:
            if not stop.is_set():
                self._pictured.emit(stop, frame, picture_of(rgba))

        rows: list[Row] = []
        sentence = ""
        try:
            with glance(path, shown, progress=progress, budgets=MEMORY, cancel=stop.is_set) as capture:
                rows = [(frame.index, None, None, frame.draws) for frame in capture.frames]
        except Cancelled:
            return
        except (DdiInspectorError, OSError) as error:
            sentence = str(error)
        if not stop.is_set():
            self._drawn.emit(stop, rows, sentence)

    def _show_read(self, listing: threading.Event, fraction: float) -> None:
        if listing is self._stop:
            self.reading.setText(f"Reading the file for pictures, {fraction:.0%}…")

    def _show_picture(self, listing: threading.Event, frame: int, picture: QImage) -> None:
        if listing is self._stop:
            self.gallery.show()
            self.gallery.add(frame, picture)
            self.gallery.select_range(self.first.value(), self.last.value())

    def _show_drawn(self, listing: threading.Event, rows: list[Row], sentence: str) -> None:
        """All pictures are there, or why they are not; a file that cannot be listed is known now."""
        if listing is not self._stop or listing.is_set():
            return
        self.reading.setText(sentence)
        self.reading.setVisible(bool(sentence))
        if rows and not self.model.rowCount():
            self._show(listing, rows, "")

    def _show_progress(self, listing: threading.Event, fraction: float) -> None:
        if listing is self._stop:
            self.bar.setValue(round(fraction * 1000))

    def _show(self, listing: threading.Event, rows: list[Row], sentence: str) -> None:
        """The list is there, or why there is none."""
        if listing is not self._stop or listing.is_set():
            return
        self.bar.hide()
        self.model.set_rows(rows)
        for column in (1, 2):
            self.table.setColumnHidden(column, bool(rows) and rows[0][column] is None)
        self.table.placeholder = "" if rows else "No list of frames"
        self.status.setText(sentence or f"{self._path.name} has {counting(len(rows), 'frame')}.")
        if rows:
            self._set_last(len(rows) - 1)
            self._take_numbers(self.first)
        self.table.viewport().update()

    # -- the numbers and the rows, in step

    def _set_last(self, number: int) -> None:
        self._in_step = True
        for box in (self.first, self.last):
            box.setRange(0, number)
        self._in_step = False

    def _take_rows(self) -> None:
        """Rows were selected."""
        selected = self.table.selectionModel().selection()
        if self._in_step or selected.isEmpty():
            return
        parts = [selected.at(number) for number in range(selected.size())]
        self._in_step = True
        self.first.setValue(min(part.top() for part in parts))
        self.last.setValue(max(part.bottom() for part in parts))
        self.gallery.show_range(self.first.value(), self.last.value())
        self._in_step = False

    def _take_range(self, first: int, last: int) -> None:
        """Pictures were selected: the frames from the first to the last of them."""
        if self._in_step:
            return
        self._in_step = True
        self.first.setValue(first)
        self.last.setValue(last)
        self._in_step = False
        self._take_numbers(self.last)

    def _take_numbers(self, changed: QSpinBox) -> None:
        """A number was changed: the other one follows if they are in the wrong order, and the rows do."""
        if self._in_step:
            return
        self._in_step = True
        if self.first.value() > self.last.value():
            (self.last if changed is self.first else self.first).setValue(changed.value())
        first, last = self.first.value(), self.last.value()
        self.gallery.show_range(first, last)
        if last < self.model.rowCount():
            model, chosen = self.model, self.table.selectionModel()
            flags = QItemSelectionModel.SelectionFlag
            self.table.show_row(changed.value())
            rows = QItemSelection(model.index(first, 0), model.index(last, model.columnCount() - 1))
            chosen.select(rows, flags.ClearAndSelect | flags.Rows)
        self._in_step = False

    # -- its end

    def accept(self) -> None:
        """Opens the frames."""
        for box in (self.first, self.last):
            box.interpretText()  # typed, and not yet left
        super().accept()
        self._window.open(self._path, frames=(self.first.value(), self.last.value() + 1))

    def done(self, result: int) -> None:
        self._stop.set()
        super().done(result)


def _is_large(path: Path) -> bool:
    """Whether reading the file for pictures may take minutes."""
    with suppress(OSError):
        return path.stat().st_size > AT_ONCE
    return False


def open_frames(window: Window) -> None:
    """Asks for a file, then for its frames."""
    near = str(Path(window.settings.last).parent) if window.settings.last else ""
    path, _ = QFileDialog.getOpenFileName(window, "Open frames of a trace", near, CAPTURES)
    if path:
        show_frames(window, Path(path))


def show_frames(window: Window, path: Path) -> FramesDialog:
    """The dialog, which there is once, about a file."""
    dialog = window.findChild(FramesDialog) or FramesDialog(window)
    dialog.begin(path)
    return dialog
