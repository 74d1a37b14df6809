"""Opening a capture away from the GUI thread: progress, cancel, one at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, Signal

from core.errors import BadInput, Cancelled, DdiInspectorError
from inspector.progress import Progress
from inspector.view import CaptureView
from ui.index import EventIndex, build_index
from ui.words import counting

Opener = Callable[..., Any]
"""opener(path, progress), or of one that hands out what it has so far opener(path, progress, grown): makes the capture.

Of a range of its frames: with frames=(a, b), as inspector.open has it."""
DUTY = 8
"""A longer capture is shown when this many times as long has passed as showing the last one took."""


@dataclass(eq=False)
class _Load:
    path: Path
    frames: tuple[int, int] | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    shown: bool = False
    """A part of it is on the desk."""
    rest_until: float = 0.0
    """Seconds of the clock until which no longer part is wanted."""


class Loading(QObject):
    """Has `opener` make the capture; its progress returns False once it was cancelled.

    `grown` announces captures of the beginning while the rest is being read.  Cancelling ends the reading then, and what was
    read is `loaded`.
    """

    progressed = Signal(float, str)
    loaded = Signal(object, object, object)
    grown = Signal(object, object, object)
    failed = Signal(object, str)
    cancelled = Signal(object)
    dropped = Signal(object)
    """A capture whose beginning was shown, and which nobody waits for any more."""
    _part = Signal(object, object, object)
    _done = Signal(object, object, object, object)

    def __init__(self, opener: Opener, parent: QObject | None = None, grows: bool = False) -> None:
        """grows: the opener takes a third argument, which it calls with captures of the beginning."""
        super().__init__(parent)
        self._opener, self._grows = opener, grows
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._current: _Load | None = None
        self._done.connect(self._finish)
        self._part.connect(self._show_part)

    @property
    def path(self) -> Path | None:
        """What is being opened."""
        return self._current.path if self._current else None

    def open(self, path: Path, frames: tuple[int, int] | None = None) -> None:
        """Opens `path`, or its frames a..b-1; what was being opened is dropped."""
        if self._current:
            self._current.stop.set()
        load = self._current = _Load(path, frames)
        self.progressed.emit(0.0, f"Opening {path.name}…")
        self._pool.start(lambda: self._run(load))

    def cancel(self) -> None:
        """Stops opening; of a file whose beginning is shown, what was read stays."""
        if self._current and self._current.shown:
            self._current.stop.set()
        else:
            self.drop()

    def drop(self) -> None:
        """Stops opening, whatever is shown."""
        if self._current:
            load, self._current = self._current, None
            load.stop.set()
            self.cancelled.emit(load.path)

    def close(self) -> None:
        """Drops everything and waits until the thread is done."""
        if self._current:
            self._current.stop.set()
            self._current = None
        self._pool.waitForDone(-1)

    def _run(self, load: _Load) -> None:
        def progress(fraction: float, text: str = "") -> bool:
            if not load.stop.is_set():
                self.progressed.emit(fraction, text)
            return not load.stop.is_set()

        capture: CaptureView | None = None
        index: EventIndex | None = None
        error: Exception | None = None
        try:
            capture = self._made(load, progress)
            if progress(1.0, "Reading events…") or load.shown:
                index = build_index(capture)
        except Exception as raised:  # the outermost edge of this thread: the GUI thread decides
            error = raised
        self._done.emit(load, capture, index, error)

    def _made(self, load: _Load, progress: Progress) -> Any:
        grown = [partial(self._grown, load)] if self._grows else []
        if load.frames is None:
            return self._opener(load.path, progress, *grown)
        capture = self._opener(load.path, progress, *grown, frames=load.frames)
        if not capture.frames:
            count = len(capture.all_frames)
            capture.close()
            raise BadInput(_none_of(load.frames, load.path.name, count))
        return capture

    def _grown(self, load: _Load, capture: CaptureView) -> bool:
        """On the opening thread; whether the part will be shown."""
        wanted = load is self._current and time.monotonic() >= load.rest_until and not load.stop.is_set()
        if wanted:
            load.rest_until = float("inf")  # until it is shown
            self._part.emit(load, capture, build_index(capture))
        return wanted

    def _show_part(self, load: _Load, capture: CaptureView, index: EventIndex) -> None:
        if load is self._current:
            load.shown = True
            began = time.monotonic()
            self.grown.emit(load.path, capture, index)
            load.rest_until = time.monotonic() + DUTY * (time.monotonic() - began)

    def _finish(self, load: _Load, capture: CaptureView, index: EventIndex | None, error: Exception | None) -> None:
        if load is not self._current:
            if capture is not None and load.shown:
                self.dropped.emit(capture)
            elif capture is not None:
                capture.close()
            return
        self._current = None
        if isinstance(error, Cancelled) or (error is None and index is None):
            self.cancelled.emit(load.path)
        elif isinstance(error, (DdiInspectorError, OSError)):
            self.failed.emit(load.path, str(error))
        elif error is not None:
            self.failed.emit(load.path, f"Could not open {load.path.name}: {error}")
            raise error
        else:
            self.loaded.emit(load.path, capture, index)


def _none_of(frames: tuple[int, int], name: str, count: int) -> str:
    wanted = f"frame {frames[0]:,}" if frames[1] == frames[0] + 1 else f"frames {frames[0]:,} to {frames[1] - 1:,}"
    return f"{name} has no {wanted}: it has {counting(count, 'frame')}."
