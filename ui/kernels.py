"""Prepares the compiled kernels while the window is already open."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, SignalInstance

from core.errors import Cancelled
from inspector import kernels

WarmUp = Callable[[Callable[[float, str], object]], None]
WAIT = 0.05


class Kernels(QObject):
    """Compiles (the first time) or loads what the machine needs, on a thread of its own.

    The thread is a daemon: a compiler cannot be interrupted, and closing the window must not wait for it.
    """

    progressed = Signal(float, str)
    ready = Signal()

    def __init__(self, warm_up: WarmUp, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._warm_up = warm_up
        self._done, self._closed = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._state = (0.0, "Preparing")
        self._thread = threading.Thread(target=self._run, name="kernels", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def under_way(self) -> bool:
        return self._thread.is_alive()

    def wait(self, progress: Callable[[float, str], bool], drawing: bool = False) -> None:
        """Returns once the kernels (those of drawing) are ready; Cancelled when progress says stop.  For the opening thread."""
        enough = kernels.ready_to_draw() if drawing else 1.0
        while not self._done.wait(WAIT):
            fraction, _ = self._state
            if fraction >= enough:
                return
            if self._closed.is_set() or not progress(fraction, f"Compiling kernels (first start only): {fraction:.0%}"):
                raise Cancelled("the window no longer waits for the kernels")

    def close(self) -> None:
        """From here on nothing is reported."""
        with self._lock:
            self._closed.set()

    def _run(self) -> None:
        try:
            self._warm_up(self._report)
        finally:
            self._done.set()
            self._emit(self.ready)

    def _report(self, fraction: float, text: str) -> None:
        self._state = (fraction, text)
        self._emit(self.progressed, fraction, text)

    def _emit(self, signal: SignalInstance, *values: object) -> None:
        """Emits while there is a window to hear it."""
        with self._lock:
            if not self._closed.is_set():
                signal.emit(*values)
