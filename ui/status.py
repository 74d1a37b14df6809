"""The status bar: the current place, the work in progress, and a way to stop it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QStatusBar

from inspector.timeline.budgets import MEGABYTE
from inspector.usage import droppable_memory, process_memory
from inspector.view import CaptureView
from ui.widgets.controls import spoken, tool
from ui.widgets.plain import PlainLabel

BEAT = 2000
"""Milliseconds between two looks at how much memory is used."""

HELD = "Memory in use; Settings limits the part that looking back may take"


def held_text(capture: CaptureView) -> str:
    """What of a capture is in memory: the first two have a budget, the others grow with it."""
    *sizes, mapped = capture.held
    parts = [
        f"{name} {size / MEGABYTE:,.0f} MB" for name, size in zip(("keyframes", "logs", "events and state"), sizes, strict=True)
    ]
    return "  ".join([*parts, *([f"in mapped files {mapped / MEGABYTE:,.0f} MB"] if mapped else [])])


def memory_text(capture: CaptureView | None) -> str:
    """Of the memory that the program holds, what the system can take back, and what the capture has."""
    files = droppable_memory()
    parts = [
        HELD,
        *([f"{files / MEGABYTE:,.0f} MB of it are pages of files, which the system drops as needed"] if files else []),
    ]
    return "\n".join([*parts, *([held_text(capture)] if capture is not None else [])])


class Status(QStatusBar):
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.place = spoken(PlainLabel(), "Current position")
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # or the window is laid out again
        self.work = spoken(PlainLabel(), "Work under way")
        self.bar = spoken(QProgressBar(), "Progress")
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(180)
        self.bar.setRange(0, 1000)
        self.stop = tool("Stop", "Stop", "close")
        self.stop.setObjectName("slim")
        self.stop.clicked.connect(self.cancelled)
        self.capture = spoken(PlainLabel(), "Capture")
        self.memory = spoken(PlainLabel(), "Memory used")
        self.memory.setToolTip(HELD)
        self.memory.hide()
        self.ahead = spoken(PlainLabel(), "Frames prepared")
        self.kernels = spoken(PlainLabel(), "Kernels")
        self.addWidget(self.place, 1)
        for widget in (self.work, self.bar, self.stop, self.kernels, self.ahead, self.capture, self.memory):
            self.addPermanentWidget(widget)
        self._opening = False
        self._said: tuple[bool, str, int] | None = None
        """What `set_busy` said last, while nothing else was said."""
        self.stop.hide()
        self.set_kernels("")
        self.set_ahead(0.0)
        self.show_progress(-1.0, "")

    def show_progress(self, fraction: float, text: str) -> None:
        """`fraction` 0..1; negative: nothing is under way."""
        under_way, self._said = fraction >= 0, None
        self.work.setText(text)
        self.work.setVisible(bool(text))
        self.bar.setVisible(under_way)
        if under_way:
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(fraction * 1000))

    def set_opening(self, opening: bool) -> None:
        """A capture is being opened; it can be stopped."""
        self._opening, self._said = opening, None
        self.stop.setVisible(opening)

    def set_busy(self, busy: bool, text: str = "", fraction: float = 0.0) -> None:
        """A question takes a while and can be stopped: an endless bar while its progress is unknown.

        Nothing is said while a capture is being opened: that has a bar already.
        """
        said = busy, text, round(fraction * 100)
        if self._opening or said == self._said:  # a bar that is set is painted at once
            return
        self._said = said
        self.bar.setRange(0, 1000 if fraction > 0 or not busy else 0)
        self.bar.setValue(round(fraction * 1000))
        self.bar.setVisible(busy)
        self.work.setText((text or "Replaying") if busy else "")
        self.work.setVisible(busy)
        self.stop.setVisible(busy)

    def set_ahead(self, done: float) -> None:
        """How much of the capture has been replayed ahead, 0..1; nothing is said before the beginning and after the end."""
        self.ahead.setText(f"Preparing frames {done:.0%}")
        self.ahead.setVisible(0 < done < 1)

    def set_place(self, text: str) -> None:
        self.place.setText(text)

    def set_capture(self, text: str) -> None:
        self.capture.setText(text)
        self.memory.setVisible(bool(text) and bool(self.memory.text()))

    def watch_memory(self, capture: Callable[[], CaptureView | None]) -> None:
        """Says from now on how much memory the program holds, and what of it `capture()`."""
        timer = QTimer(self)
        timer.timeout.connect(lambda: self.show_memory(capture()))
        timer.start(BEAT)

    def show_memory(self, capture: CaptureView | None = None) -> None:
        """As the system counts it; nothing where only its own tools do, and without a capture."""
        used = process_memory()
        words = "" if used is None else f"{used / MEGABYTE:,.0f} MB"
        self.memory.setVisible(bool(words) and capture is not None)
        if words != self.memory.text():
            self.memory.setText(words)
            self.memory.setToolTip(memory_text(capture))

    def set_kernels(self, text: str) -> None:
        """What the compiling of kernels is doing; empty when it is done."""
        self.kernels.setText(text)
        self.kernels.setVisible(bool(text))
        self.kernels.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
