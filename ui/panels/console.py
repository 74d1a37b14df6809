"""A Python console with the capture.  Runs only typed statements, on the asking thread; the window stays usable."""

from __future__ import annotations

import threading
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

import inspector
from core.errors import BadInput
from inspector.console import Console
from inspector.focus import Focus
from ui.ask import Progress
from ui.keys.keymap import KEYS
from ui.panels.panel import Panel
from ui.widgets.console_edit import MORE, PROMPT, ConsoleEdit, ConsoleOutput, narrowed
from ui.widgets.controls import label, strip, tool

BEAT = 40
"""Milliseconds between two looks at what a program has written."""
MOST = 1 << 18
"""Characters that wait to be shown; of more, the oldest are left out."""
NOTE = 64
"""Characters that are kept free for how much of a line is left out."""
COLUMNS, OFFERED = 100, 300
"""Characters of a line of completions, and how many are listed."""
HELLO = """Available: capture, np (numpy), ddi (this package), go(event) and here(). Tab completes; Up and Down recall inputs.
"""


class ConsolePanel(Panel):
    title, name = "Console", "console"
    depends = ()
    ended = Signal()
    went = Signal(object)

    def build(self) -> None:
        names = {"capture": None, "np": np, "ddi": inspector, "go": self._ask_to_go, "here": lambda: self.desk.focus.focus}
        self.console = Console(names, self._write, partial(self._write, wrong=True))
        self._stop: threading.Event | None = None
        self._written: list[tuple[str, bool]] = []  # and whether it is an error
        self._turn = threading.Lock()
        self.output = ConsoleOutput()
        self.output.say(HELLO)
        self.edit = ConsoleEdit(self.console.is_whole, self.console.completions, self.kept("history", []))
        self.edit.entered.connect(self.run)
        self.edit.offered.connect(self._offer)
        self.edit.stopped.connect(self.stop)
        self.state = label(kind="faint")
        self.stopping = tool("Stop", f"Stop the input that is running ({KEYS.text('console.stop')})", text="Stop")
        self.stopping.setEnabled(False)
        self.stopping.clicked.connect(self.stop)
        clear = tool("Clear", "Clear the output", text="Clear")
        clear.clicked.connect(self.output.clear)
        self.box.addWidget(self.output, 1)
        self.box.addWidget(self.edit)
        self.box.addWidget(strip(self.state, None, self.stopping, clear, name="foot"))
        self._beat = QTimer(self)
        self._beat.setInterval(BEAT)
        self._beat.timeout.connect(self._show_written)
        self.ended.connect(self._end)
        self.went.connect(self._go)

    def first_for_keys(self) -> QWidget:
        return self.edit

    def capture_changed(self) -> None:
        self.console.names["capture"] = self.desk.capture

    def grown(self) -> None:
        self.capture_changed()

    # Running

    def run(self, text: str) -> None:
        """Runs what was typed, once what is asked before is answered."""
        self.keep("history", self.edit.past)
        self.output.say_line(PROMPT + text.replace("\n", f"\n{MORE}"))
        if self._stop is not None:
            self.output.say("Something is still running; stop it first.\n")
            return
        self._stop = threading.Event()
        self._show_running(True)
        self.desk.ask(self.name, partial(self._run, text, self._stop), lambda _: None)

    def _run(self, text: str, stop: threading.Event, progress: Progress) -> None:
        """On the asking thread.  Dropped with all questions, it stops, too."""
        progress(0.0, "Running the console's program")
        progress.stop, asked = stop, progress.stop
        if asked.is_set():
            stop.set()
        try:
            self.console.run(text, stop)
        finally:
            self.ended.emit()

    def stop(self) -> None:
        if self._stop is not None:
            self._stop.set()

    def _end(self) -> None:
        self._stop = None
        self._show_written()
        self._show_running(False)

    def _show_running(self, runs: bool) -> None:
        self.stopping.setEnabled(runs)
        self.state.setText("Running" if runs else "")
        (self._beat.start if runs else self._beat.stop)()

    # What a program says: it may say more than can be shown

    def _write(self, text: str, wrong: bool = False) -> None:
        if len(text) > MOST:
            text = "\n".join(narrowed(line, NOTE) for line in text.split("\n"))  # else what is left out would be miscounted
        with self._turn:
            self._written.append((text, wrong))
            if len(self._written) > 1000 or len(text) > MOST:
                self._written = [("".join(one for one, _ in self._written)[-MOST:], wrong)]

    def _show_written(self) -> None:
        with self._turn:
            written, self._written = self._written, []
        for wrong, texts in groupby(written, lambda one: one[1]):
            self.output.say("".join(text for text, _ in texts), wrong)
        if self._stop is not None and not self.desk.ask.busy:
            self._end()  # it was dropped before it began

    def _offer(self, words: list[str]) -> None:
        """Completions, in columns."""
        width = max(map(len, words)) + 2
        across = max(COLUMNS // width, 1)
        shown = words[:OFFERED]
        rows = [shown[at : at + across] for at in range(0, len(shown), across)]
        lines = ["".join(f"{word:{width}}" for word in row).rstrip() for row in rows]
        more = [f"({len(words) - OFFERED} more)"] if len(words) > OFFERED else []
        self.output.say_line("\n".join([*lines, *more]))

    # Going

    def _ask_to_go(self, event: Any = None, **place: Any) -> None:
        """go(812), go(812, pixel=(40, 52)), go("#event=812"): the window looks there."""
        if isinstance(event, str):
            self.went.emit(Focus.parse(event[event.rfind("#") + 1 :]))
            return
        if event is not None:
            place["event"] = int(event)
            count = len(self.desk.index or ())
            if not 0 <= place["event"] < count:
                raise BadInput(f"Event {place['event']:,} is out of range (0 to {count - 1:,}).")
        if unknown := sorted(set(place) - set(Focus.__dataclass_fields__)):
            raise BadInput(f"A place has no {unknown[0]!r}; it has {', '.join(Focus.__dataclass_fields__)}.")
        there = Focus.parse(self.desk.focus.focus.replace(**place).text())  # refuses values of other types
        self.went.emit({name: getattr(there, name) for name in place})

    def _go(self, place: Any) -> None:
        if isinstance(place, Focus):
            self.desk.focus.go_to(place)
        else:
            self.go(**place)
