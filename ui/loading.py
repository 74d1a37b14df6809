"""Opening a capture away from the GUI thread: progress, cancel, one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, Signal

from core.errors import Cancelled, DdiInspectorError
from inspector.view import CaptureView
from ui.index import EventIndex, build_index

Opener = Callable[[Path, Callable[[float, str], bool]], Any]


@dataclass(eq=False)
class _Load:
    path: Path
    stop: threading.Event = field(default_factory=threading.Event)


class Loading(QObject):
    """`opener(path, progress)` makes the capture; progress returns False once it was cancelled."""

    progressed = Signal(float, str)
    loaded = Signal(object, object, object)
    failed = Signal(object, str)
    cancelled = Signal(object)
    _done = Signal(object, object, object, object)

    def __init__(self, opener: Opener, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._opener = opener
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._current: _Load | None = None
        self._done.connect(self._finish)

    @property
    def path(self) -> Path | None:
        """What is being opened."""
        return self._current.path if self._current else None

    def open(self, path: Path) -> None:
        """Opens `path`; what was being opened is dropped."""
        if self._current:
            self._current.stop.set()
        load = self._current = _Load(path)
        self.progressed.emit(0.0, f"Opening {path.name}…")
        self._pool.start(lambda: self._run(load))

    def cancel(self) -> None:
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
            capture = self._opener(load.path, progress)
            if progress(1.0, "Reading events…"):
                index = build_index(capture)
        except Exception as raised:  # the outermost edge of this thread: the GUI thread decides
            error = raised
        self._done.emit(load, capture, index, error)

    def _finish(self, load: _Load, capture: CaptureView, index: EventIndex | None, error: Exception | None) -> None:
        if load is not self._current:
            if capture is not None:
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
