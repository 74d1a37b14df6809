"""Slow questions, asked away from the GUI thread.

One thread asks (the replay behind a capture is one machine), so answers never race.  Each asker has at most one question
waiting: a newer one takes its place.  A question already under way is let finish and its answer is shown - that is what
keeps a picture moving while the playhead is dragged - unless it has taken long; then it is stopped.  While urgent questions
follow one another, the others wait for a lull, but for one now and then.  The thread takes the next question by itself, when
the window has shown and painted the answers before (ui.turns).  Quick questions go first; their answers arrive together, as do
those of brief ones and of the one before.

What takes minutes is done aside, in pieces: between two of them everyone else's questions go first.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from core.errors import BadInput, Cancelled, DdiInspectorError
from inspector.log import timed
from inspector.progress import watched
from ui.turns import Turns

log = logging.getLogger(__name__)
PATIENCE = 0.5
"""Seconds a question may have run before a newer one of the same asker stops it; twice as long after each that was stopped, so
that there is an answer now and then however slow they are."""
LULL = 0.12
"""Seconds between urgent questions that follow one another (the playhead is dragged), and until the others go on."""
TURN = 0.5
"""Seconds after which one of the others has its turn all the same."""
PIECE = 0.1
"""Seconds of work done aside until others may have their turn."""


@dataclass(eq=False)
class Progress:
    """Handed to a question: `progress(fraction, text)` reports, and is False once the answer is no longer wanted."""

    asker: str
    report: Callable[[str, float, str], None]
    begun: float = 0.0
    stop: threading.Event = field(default_factory=threading.Event)

    def __call__(self, fraction: float, text: str = "") -> bool:
        if not self.stop.is_set():
            self.report(self.asker, fraction, text)
        return not self.stop.is_set()

    def check(self) -> None:
        """Raises Cancelled once the answer is no longer wanted."""
        if self.stop.is_set():
            raise Cancelled("no longer wanted")


@dataclass(eq=False)
class _Question:
    """`idle`: run when nothing else is asked.  `aside`: one slice of a longer task, which `close` ends."""

    asker: str
    run: Callable[[Progress], Any]
    answered: Callable[[Any], None]
    failed: Callable[[DdiInspectorError], None] | None
    progress: Progress
    dropped: bool = False
    idle: bool = False
    aside: bool = False
    urgent: bool = False
    quick: bool = False
    close: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class _More:
    """The answer of a piece that is not the last one: how far the work is."""

    fraction: float


class _Pieces:
    """Work that is done a piece at a time, each on the asking thread."""

    def __init__(self, work: Callable[[], Generator[float, None, Any]], others: Callable[[], bool]) -> None:
        self._work, self._others = work, others
        self._pieces: Generator[float, None, Any] | None = None

    def __call__(self, progress: Progress) -> Any:
        """Works until others wait or for PIECE seconds."""
        self._pieces = self._pieces or self._work()
        began = time.monotonic()
        while True:
            try:
                fraction = next(self._pieces)
            except StopIteration as end:
                return end.value
            if progress.stop.is_set():
                self.close()
                raise Cancelled("no longer wanted")
            if self._others() or time.monotonic() - began > PIECE:
                return _More(fraction)

    def close(self) -> None:
        """Ends the work between two pieces."""
        if self._pieces:
            self._pieces.close()


class Ask(QObject):
    """`ask(asker, question, answered)`: `question(progress)` runs on the asking thread, `answered(answer)` here."""

    progressed = Signal(str, float, str)
    failed = Signal(str, str)
    busy_changed = Signal(bool)
    aside_progressed = Signal(str, float)
    """(asker, fraction) of work done aside; 1.0 when it has ended, however it did."""
    _done = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._pool.setExpiryTimeout(-1)
        self._lock = threading.Lock()  # of what both threads change: the next three
        self._waiting: dict[str, _Question] = {}
        self._running: _Question | None = None
        self._given: list[_Question] = []
        """Taken by the asking thread, and not shown yet; the last of them may be running."""
        self._idle: _Question | None = None
        self._aside: dict[str, _Question] = {}
        self._patience: dict[str, float] = {}
        """Seconds, of those that were stopped since their last answer."""
        self._gathered = False
        self._closed = False
        self._urgent_at = self._others_at = self._lull_at = -TURN  # seconds of the clock: asked, begun, expected
        self._all_answered = True  # since the last urgent question
        self._turns = Turns(self)
        self._lull = QTimer(self, singleShot=True)
        self._lull.timeout.connect(self._start_next)
        self._done.connect(self._finish)

    def __call__(
        self,
        asker: str,
        question: Callable[[Progress], Any],
        answered: Callable[[Any], None],
        failed: Callable[[DdiInspectorError], None] | None = None,
        urgent: bool = False,
        quick: bool = False,
    ) -> None:
        """`urgent`: before all others that wait, as the picture while the playhead is dragged; `quick`: takes a few
        milliseconds, so it goes before even those, unless they follow one another."""
        progress = Progress(asker, self.progressed.emit)
        self._turns.showing(0)
        self._stop_if_long(asker)
        if urgent:
            self._note_urgent()
        with self._lock:
            self._waiting.pop(asker, None)
            self._waiting[asker] = _Question(asker, question, answered, failed, progress, urgent=urgent, quick=quick)
        self._start_next()

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Until all have asked, only quick questions begin: the first to ask is not the one who should be answered first."""
        self._gathered = True
        try:
            yield
        finally:
            self._gathered = False
            self._start_next()

    def when_idle(self, asker: str, question: Callable[[Progress], Any], answered: Callable[[Any], None]) -> None:
        """Asks only when the queue is empty; stops as soon as another question arrives."""
        self._idle = _Question(asker, question, answered, None, Progress(asker, self.progressed.emit), idle=True)
        self._start_next()

    def aside(
        self,
        asker: str,
        work: Callable[[], Generator[float, None, Any]],
        answered: Callable[[Any], None],
        failed: Callable[[DdiInspectorError], None] | None = None,
    ) -> None:
        """Runs a long task in slices between other questions; `work` yields its progress and returns the answer."""
        self.cancel(asker)
        run = _Pieces(work, lambda: bool(self._waiting))
        progress = Progress(asker, self.progressed.emit)
        self._aside[asker] = _Question(asker, run, answered, failed, progress, idle=True, aside=True, close=run.close)
        self.aside_progressed.emit(asker, 0.0)
        self._start_next()

    def is_aside(self, asker: str) -> bool:
        """Whether the asker's work is done aside."""
        return asker in self._aside

    def is_asking(self, asker: str) -> bool:
        """Whether an answer of the asker's is to come."""
        given = any(one.asker == asker and not one.dropped and not one.progress.stop.is_set() for one in self._given)
        return given or asker in self._waiting or asker in self._aside

    @property
    def busy(self) -> bool:
        """Whether someone waits for an answer."""
        with self._lock:
            return bool(self._waiting) or any(not one.idle for one in self._given)

    @property
    def hurried(self) -> bool:
        """Whether urgent questions follow one another, and another one is expected."""
        return time.monotonic() < self._lull_at

    def cancel(self, asker: str) -> None:
        """Drops the asker's question, waiting, under way, answered but not shown, or done aside; no answer comes."""
        with self._lock:
            self._waiting.pop(asker, None)
            for one in self._given:
                if one.asker == asker:
                    self._drop(one)
        if work := self._aside.pop(asker, None):
            if self._running is not work:
                work.close()
            self.aside_progressed.emit(asker, 1.0)

    def cancel_all(self) -> None:
        """Drops every question; answers already on their way are dropped too."""
        with self._lock:
            self._waiting.clear()
            for one in self._given:
                self._drop(one)
        self._idle = None
        for asker in list(self._aside):
            self.cancel(asker)

    def close(self, milliseconds: int = -1) -> bool:
        """Cancels everything and waits for the thread; afterwards no callback is called and nothing is asked."""
        self._closed = True
        self.cancel_all()
        return self._pool.waitForDone(milliseconds)

    def _drop(self, question: _Question) -> None:
        question.dropped = True
        question.progress.stop.set()

    def _stop_if_long(self, asker: str) -> None:
        running, patience = self._running, self._patience.get(asker, PATIENCE)
        if not running or running.asker != asker or running.progress.stop.is_set():
            return
        if time.monotonic() - running.progress.begun > patience:
            running.progress.stop.set()
            self._patience[asker] = 2 * patience

    def _note_urgent(self) -> None:
        """Others wait only if they have delayed this question: else there is time for all."""
        now = time.monotonic()
        if now - self._urgent_at < LULL and not self._all_answered:
            self._lull_at = now + LULL
        self._urgent_at, self._all_answered = now, False

    def _next_asker(self) -> str | None:
        """Of those that wait: a quick one, an urgent one, unless it is the others' turn; last one that was stopped for taking
        long, when what the answers lead to is asked.  None: the thread is kept free, or the next urgent one is expected."""
        now = time.monotonic()
        hurried, turn = now < self._lull_at, now - self._others_at >= TURN
        waiting = list(self._waiting.values())
        quick = next((one.asker for one in waiting if one.quick), None)
        if self._gathered:
            return None if hurried else quick
        urgent = next((one.asker for one in waiting if one.urgent), None)
        others = sorted((one.asker for one in waiting if not one.urgent), key=self._patience.__contains__)
        other = quick or next((asker for asker in others if asker not in self._patience or not self._given), None)
        if urgent is not None and (other is None or (not turn if hurried else quick is None)):
            return urgent  # in a lull, others may go first: they delay nobody for long
        if other is None or (hurried and not turn):
            return None
        self._others_at = now
        return other

    def _take(self) -> _Question | None:
        """The next of those that wait, which begins.  With the lock."""
        if self._closed or (asker := self._next_asker()) is None:
            return None
        return self._begin(self._waiting.pop(asker))

    def _begin(self, question: _Question) -> _Question:
        """It is the one that runs from now on.  With the lock."""
        question.progress.begun = time.monotonic()
        self._running = question
        self._given.append(question)
        return question

    def _wait_for_lull(self) -> None:
        now = time.monotonic()
        self._lull.start(max(round(1000 * min(self._lull_at - now, self._others_at + TURN - now)), 0) + 1)

    def _start_next(self) -> None:
        if self._closed:
            return  # a pool that ends while a question begins waits for the interpreter, which its end holds
        with self._lock:
            if self._running:
                if self._waiting and self._running.idle and not self._running.aside:
                    self._running.progress.stop.set()
                return
            question = self._take() if self._waiting else self._take_idle()
        if question is not None:
            if not question.idle:
                self.busy_changed.emit(True)
            self._pool.start(self._run)
        elif self._waiting and not self._gathered:
            self._wait_for_lull()

    def _take_idle(self) -> _Question | None:
        """What is done when nothing waits and every answer is shown: whether a piece was the last, one knows then.  With the
        lock."""
        if self._given:
            return None
        if self._aside:
            return self._begin(next(iter(self._aside.values())))
        question, self._idle = self._idle, None
        return self._begin(question) if question is not None else None

    def _run(self) -> None:
        """On the asking thread: answers the question that has begun, and those that wait then.

        It lets go of each before `_finish` has the lock: what is asked refers to widgets, which end on the thread that refers
        to them last.
        """
        question, done = self._running, list[tuple[_Question, Any, Exception | None]]()
        while question is not None:
            if not (done or self.hurried):
                self._turns.wait()
            done.append((question, *self._answer(question)))
            with self._lock:
                self._running = following = self._take() if self._waiting else None
                if not self._turns.are_one(question, following):
                    self._turns.handed_over(len(done))
                    while done:
                        self._done.emit(*done.pop(0))
                question = following

    def _answer(self, question: _Question) -> tuple[Any, Exception | None]:
        try:
            with timed(log, "asked: %s", question.asker), self._watched(question), self._turns.timed(question.asker):
                return question.run(question.progress), None
        except Exception as raised:  # the outermost edge of this thread: whatever it is, the GUI thread gets to know
            return None, raised

    @staticmethod
    def _watched(question: _Question) -> AbstractContextManager[None]:
        """What takes long in it is reported, if anybody waits for it."""
        return nullcontext() if question.idle or question.aside else watched(question.progress)

    def _finish(self, question: _Question, answer: Any, error: Exception | None) -> None:
        self._turns.showing()
        with self._lock:
            self._given.remove(question)
        if (running := self._running) is not None and not running.idle:
            self.busy_changed.emit(True)
        try:
            if question.aside and not self._is_last(question, answer):
                return
            if error is not None:
                self._fail(question, error)
            elif not question.dropped:
                self._patience.pop(question.asker, None)
                question.answered(answer)
        finally:
            self._start_next()
            if not self.busy:
                self._all_answered = True
                self.busy_changed.emit(False)

    def _is_last(self, piece: _Question, answer: Any) -> bool:
        """Whether the work done aside has ended; reports its progress unless it is no longer wanted."""
        wanted = self._aside.get(piece.asker) is piece
        more = isinstance(answer, _More)
        if wanted and not more:
            del self._aside[piece.asker]
        if not wanted:
            piece.close()
        if wanted:
            self.aside_progressed.emit(piece.asker, answer.fraction if more else 1.0)
        return not more

    def _fail(self, question: _Question, error: Exception) -> None:
        if isinstance(error, Cancelled) or (question.dropped and isinstance(error, DdiInspectorError)):
            return
        if isinstance(error, OSError):
            error = BadInput(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        if not isinstance(error, DdiInspectorError):
            raise error
        if question.failed:
            question.failed(error)
        else:
            self.failed.emit(question.asker, str(error))
