"""The asking thread and the window's take turns."""

from __future__ import annotations

import threading
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.ask import Ask


class Canvas(QWidget):
    """Writes down that it is painted, and what it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.order = list[str]()

    def show_answer(self, answer: str) -> None:
        self.order.append(f"{answer} shown")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        self.order.append("painted")


def test_a_question_begins_when_the_answers_before_are_painted(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quick answers arrive together."""
    monkeypatch.setattr("ui.turns.MOST", 60)
    ask, canvas, gate = Ask(), Canvas(), threading.Event()
    qtbot.addWidget(canvas)
    canvas.show()
    qtbot.waitUntil(lambda: bool(canvas.order))

    def question(name: str, _: object) -> str:
        canvas.order.append(name)
        return name

    ask("gate", lambda _: gate.wait(60), lambda _: canvas.order.clear())
    for name in ("picture", "state", "token", "calls"):
        kind = {"urgent": name == "picture", "quick": name in ("token", "calls")}
        ask(name, partial(question, name), canvas.show_answer, **kind)
    gate.set()
    qtbot.waitUntil(lambda: not ask.busy)
    ask.close()
    quick = ["token", "calls", "token shown", "calls shown", "painted"]
    steps = pairwise(["", *canvas.order])  # the first window of a program is painted some times more
    order = [what for before, what in steps if what != "painted" or before.endswith("shown")]
    assert order[:10] == [*quick, "picture", "picture shown", "painted", "state", "state shown"]


def test_a_brief_question_is_answered_with_the_one_before(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As its asker's last one took no time; but a picture that is urgent does not wait for it."""
    monkeypatch.setattr("ui.turns.BRIEF", 1.0)
    monkeypatch.setattr("ui.turns.HELD", 2.0)
    ask, handed = Ask(), list[int]()
    hand_over = ask._turns.handed_over
    monkeypatch.setattr(ask._turns, "handed_over", lambda answers: (handed.append(answers), hand_over(answers)))
    for urgent, known, together in ((False, 0.1, [2]), (True, 0.1, [1, 1]), (False, 1.5, [1, 1])):
        gate = threading.Event()
        ask("gate", lambda _, gate=gate: gate.wait(60), lambda _: handed.clear())
        ask("picture", lambda _: None, lambda _: None, urgent=urgent)
        ask("bindings", lambda _: None, lambda _: None)
        ask._turns._took |= {"picture": 1.5, "bindings": known}
        gate.set()
        qtbot.waitUntil(lambda: not ask.busy)
        assert handed == together
    ask.close()
