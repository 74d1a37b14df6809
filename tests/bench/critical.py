"""The critical path of a click: what the clock would say if nothing else wanted the processors.

Two threads have a clock each that only counts their own CPU time: the one of the window and the one that asks.  A question
begins when it has been handed over, its thread is free and the window has painted the answers before; its answer is shown when
it is there and the window is free.  Threads that help with drawing are left out: their work is waited for, and on two
processors is done at the same time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QThreadPool

import ui.ask
from ui.ask import Ask, Progress
from ui.turns import Turns


class Clocks:
    """Seconds of the window's thread and of the asking one, along the critical path."""

    def __init__(self) -> None:
        self._ahead = self._asking = 0.0
        self.painted = 0.0
        """When the window had painted last."""

    @property
    def window(self) -> float:
        """Now, on the thread of the window."""
        return self._ahead + time.thread_time()

    def wait(self, until: float) -> None:
        """The window's thread cannot go on before."""
        self._ahead += max(until - self.window, 0.0)

    def begin(self, since: float) -> None:
        """The asking thread gets work that was handed over then."""
        self._asking = max(self._asking, since)

    @contextmanager
    def working(self, since: float) -> Iterator[list[float]]:
        """The asking thread works on something that was asked then: when it begins, and later when it ended."""
        self.begin(since)
        used, ran = time.thread_time(), [self._asking]
        try:
            yield ran
        finally:
            self._asking += time.thread_time() - used
            ran.append(self._asking)


clocks = Clocks()
noted: list[tuple[str, float, float, float, float]] = []
"""(asker, begun, answered, its display begun and ended): seconds of `clocks`."""


class _Question(ui.ask._Question):
    """Notes when it was asked, and when it ran."""

    def __init__(self, *parts: Any, **more: Any) -> None:
        super().__init__(*parts, **more)
        self.asked, self.ran = clocks.window, [0.0, 0.0]
        self._inner, self.run = self.run, self._timed

    def _timed(self, progress: Progress) -> Any:
        with clocks.working(self.asked) as self.ran:
            return self._inner(progress)


class _Pool(QThreadPool):
    """Notes when work is handed over."""

    def start(self, work: Any, *more: Any) -> None:  # type: ignore[override]
        handed = clocks.window

        def begin() -> None:
            clocks.begin(handed)
            work()

        super().start(begin, *more)


def _follow_turns() -> None:
    """The asking thread waits for the window, unless that takes too long."""
    painted, wait = Turns._painted, Turns.wait

    def noted(self: Turns) -> None:
        clocks.painted = clocks.window
        painted(self)

    def waited(self: Turns) -> None:
        wait(self)
        if self._free.is_set():
            clocks.begin(clocks.painted)

    Turns._painted, Turns.wait = noted, waited  # type: ignore[method-assign]


def listen() -> None:
    """Has every question timed; before there is a window."""
    _follow_turns()
    finish = Ask._finish

    def timed(self: Ask, question: Any, answer: Any, error: Any) -> None:
        clocks.wait(question.ran[-1])
        began = clocks.window
        finish(self, question, answer, error)
        if not question.idle and not question.dropped:
            noted.append((question.asker, *question.ran, began, clocks.window))

    Ask._finish = timed  # type: ignore[method-assign]
    ui.ask._Question = _Question  # type: ignore[misc]
    ui.ask.QThreadPool = _Pool  # type: ignore[misc,attr-defined]
