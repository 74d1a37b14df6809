"""Which question goes first: urgent ones, quick ones, and the others in between."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ui.ask import Ask


@pytest.fixture
def ask(qtbot: Any) -> Iterator[Ask]:
    ask = Ask()
    yield ask
    ask.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """[seconds], which `Ask` reads instead of the machine's."""
    seconds = [100.0]
    monkeypatch.setattr("ui.ask.time.monotonic", lambda: seconds[0])
    return seconds


def test_while_urgent_questions_follow_one_another_the_others_wait(qtbot: Any, ask: Ask, clock: list[float]) -> None:
    """Until there is a lull; or one of them has its turn, after a while."""
    order = list[str]()

    def look() -> None:
        seen = order.count("picture")
        ask("picture", lambda _: None, lambda _: order.append("picture"), urgent=True)
        qtbot.waitUntil(lambda: order.count("picture") > seen)

    def hurry(name: str) -> None:
        """A second picture is wanted so soon that others wait: more are expected."""
        clock[0] += 0.13
        ask("picture", lambda _: None, lambda _: order.append("picture"), urgent=True)
        ask(name, lambda _: None, lambda _: order.append(name))
        clock[0] += 0.05
        look()

    ask("first", lambda _: None, lambda _: order.append("first"))
    qtbot.waitUntil(lambda: order == ["first"])
    for _ in range(2):  # all are answered in between: nobody waits
        look()
        clock[0] += 0.05
    ask("lights", lambda _: None, lambda _: order.append("lights"))
    qtbot.waitUntil(lambda: order[-1] == "lights")
    hurry("state")
    for _ in range(5):
        clock[0] += 0.05
        look()
    assert "state" not in order and ask.busy
    clock[0] += 0.2
    qtbot.waitUntil(lambda: order[-1] == "state")
    hurry("vertices")
    while "vertices" not in order:
        clock[0] += 0.05
        assert clock[0] < 106
        look()


def test_the_others_have_their_turn_though_an_urgent_question_always_waits(qtbot: Any, ask: Ask, clock: list[float]) -> None:
    """Pictures that take longer than the playhead needs to its next place."""
    order = list[str]()

    def look() -> None:
        order.append("picture")
        clock[0] += 0.05
        if len(order) < 60:
            ask("picture", lambda _: None, lambda _: look(), urgent=True)
        if len(order) == 2:
            for name in ("state", "vertices"):
                ask(name, lambda _: None, lambda _, name=name: order.append(name))  # type: ignore[misc]

    ask("first", lambda _: None, lambda _: look())
    qtbot.waitUntil(lambda: len(order) >= 60)
    assert order[0] == "picture" and "vertices" in order[:40]
    assert order.index("vertices") - order.index("state") > 5, "only one now and then"


def test_the_urgent_question_goes_first_however_late_it_comes(qtbot: Any, ask: Ask) -> None:
    gate, order = threading.Event(), list[str]()
    ask("running", lambda _: gate.wait(60), lambda _: order.append("running"))
    for name in ("first", "second"):
        ask(name, lambda _: None, lambda _, name=name: order.append(name))  # type: ignore[misc]
    ask("picture", lambda _: None, lambda _: order.append("picture"), urgent=True)
    gate.set()
    qtbot.waitUntil(lambda: order == ["running", "picture", "first", "second"])


@pytest.mark.parametrize("hurried", [False, True])
def test_quick_questions_go_before_the_urgent_one_unless_those_follow_one_another(
    qtbot: Any, ask: Ask, monkeypatch: pytest.MonkeyPatch, hurried: bool
) -> None:
    monkeypatch.setattr("ui.ask.time.monotonic", lambda: 100.0)
    gate, order = threading.Event(), list[str]()
    ask("running", lambda _: gate.wait(60), lambda _: order.append("running"))
    for _ in range(1 + hurried):
        ask("picture", lambda _: None, lambda _: order.append("picture"), urgent=True)
    ask("state", lambda _: None, lambda _: order.append("state"))
    ask("token", lambda _: None, lambda _: order.append("token"), quick=True)
    gate.set()
    first = ["running", "picture"] if hurried else ["running", "token", "picture", "state"]
    qtbot.waitUntil(lambda: order[: len(first)] == first)
    assert ask.busy == hurried, "who waits for a lull is waited for"
