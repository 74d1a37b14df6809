"""Questions run elsewhere; the newest of an asker wins; nothing blocks."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QThread

from core.errors import BadInput, Cancelled
from ui import ask as ask_module
from ui.ask import Ask, Progress


@pytest.fixture
def ask(qtbot: Any) -> Iterator[Ask]:
    ask = Ask()
    yield ask
    ask.close()


def test_questions_run_on_another_thread_and_answers_come_on_this_one(qtbot: Any, ask: Ask) -> None:
    here, seen = QThread.currentThread(), []
    ask("a", lambda _: QThread.currentThread(), lambda thread: seen.append((thread, QThread.currentThread())))
    qtbot.waitUntil(lambda: bool(seen))
    assert seen[0][0] is not here
    assert seen[0][1] is here


def test_of_many_waiting_questions_only_the_newest_is_asked(qtbot: Any, ask: Ask) -> None:
    gate, asked, answers = threading.Event(), [], []
    ask("gate", lambda _: gate.wait(60), lambda _: None)
    for number in range(50):
        ask("a", lambda _, n=number: asked.append(n) or n, answers.append)
    gate.set()
    qtbot.waitUntil(lambda: not ask.busy)
    assert asked == [49]
    assert answers == [49]


def test_a_question_under_way_still_answers_when_a_newer_one_comes(qtbot: Any, ask: Ask) -> None:
    """Or else nothing would be shown while the playhead is dragged."""
    gate, answers = threading.Event(), []
    ask("a", lambda _: gate.wait(60) and 1, answers.append)
    ask("a", lambda _: 2, answers.append)
    gate.set()
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == [1, 2]


def test_a_long_question_is_told_to_stop_by_a_newer_one(qtbot: Any, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, answers, begun = [100.0], list[Any](), threading.Event()
    monkeypatch.setattr("ui.ask.time.monotonic", lambda: clock[0])
    ask("a", lambda progress: (begun.set(), _until_told_to_stop(progress)), answers.append)
    assert begun.wait(60)
    clock[0] += 2 * ask_module.PATIENCE
    ask("a", lambda _: "new", answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == ["new"]


def test_after_a_question_was_stopped_the_next_one_may_take_longer(
    qtbot: Any, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or else a busy machine shows nothing while the playhead is dragged."""
    answers, clock, begun, enough = list[int](), [100.0], list[Progress](), threading.Event()
    monkeypatch.setattr("ui.ask.time.monotonic", lambda: clock[0])

    def slow(progress: Progress, number: int) -> int:
        begun.append(progress)
        while not enough.wait(0.001):
            progress.check()
        return number

    def ask_next(number: int) -> None:
        clock[0] += ask_module.PATIENCE * 1.2
        ask("a", lambda progress: slow(progress, number), answers.append)

    ask_next(0)
    qtbot.waitUntil(lambda: len(begun) == 1)
    ask_next(1)
    qtbot.waitUntil(lambda: len(begun) == 2)
    ask_next(2)
    assert [one.stop.is_set() for one in begun] == [True, False] and not answers
    enough.set()
    qtbot.waitUntil(lambda: answers == [1, 2])
    enough.clear()
    ask_next(3)
    qtbot.waitUntil(lambda: len(begun) == 4)
    ask_next(4)
    assert begun[3].stop.is_set(), "there was an answer meanwhile"


def test_what_takes_long_waits_for_what_an_answer_leads_to(qtbot: Any, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The textures of a picture, asked for when it is shown, waited seconds for a history that had been begun again."""
    answers, clock, begun = list[str](), [100.0], threading.Event()
    monkeypatch.setattr("ui.ask.time.monotonic", lambda: clock[0])
    ask("history", lambda progress: (begun.set(), _until_told_to_stop(progress)), lambda _: None)
    assert begun.wait(60)
    clock[0] += 2 * ask_module.PATIENCE
    ask("history", lambda _: "history", answers.append)

    def shown(picture: str) -> None:
        answers.append(picture)
        ask("textures", lambda _: "textures", answers.append)

    ask("picture", lambda _: "picture", shown, urgent=True)
    qtbot.waitUntil(lambda: len(answers) == 3)
    assert answers == ["picture", "textures", "history"]


def test_cancelling_means_no_answer(qtbot: Any, ask: Ask) -> None:
    answers: list[Any] = []
    ask("a", _until_told_to_stop, answers.append)
    ask("b", lambda _: 1, answers.append)
    ask.cancel("b")
    qtbot.wait(20)
    ask.cancel("a")
    qtbot.waitUntil(lambda: not ask.busy)
    assert answers == []


def test_closing_stops_what_runs_and_calls_nobody(qtbot: Any) -> None:
    ask, answers = Ask(), []
    begun = threading.Event()
    ask("a", lambda progress: (begun.set(), _until_told_to_stop(progress)), answers.append)
    assert begun.wait(60)
    assert ask.close(60_000)
    qtbot.wait(20)
    assert answers == []


def test_bad_input_is_told_with_its_sentence(qtbot: Any, ask: Ask) -> None:
    def fail(_: Progress) -> None:
        raise BadInput("dp2+0x34: breaks off")

    told: list[tuple[str, str]] = []
    ask.failed.connect(lambda asker, sentence: told.append((asker, sentence)))
    ask("a", fail, lambda _: None)
    qtbot.waitUntil(lambda: told == [("a", "dp2+0x34: breaks off")])
    own: list[str] = []
    ask("a", fail, lambda _: None, lambda error: own.append(str(error)))
    qtbot.waitUntil(lambda: bool(own))
    assert len(told) == 1


def test_a_mistake_of_ours_is_raised_here_and_later_questions_still_run(qtbot: Any, ask: Ask) -> None:
    answers: list[Any] = []
    with qtbot.captureExceptions() as raised:
        ask("a", lambda _: 1 // 0, answers.append)
        qtbot.waitUntil(lambda: not ask.busy)
    assert [kind for kind, _, _ in raised] == [ZeroDivisionError]
    ask("a", lambda _: 5, answers.append)
    qtbot.waitUntil(lambda: answers == [5])


def _until_told_to_stop(progress: Progress) -> None:
    for _ in range(12_000):  # a minute at least
        time.sleep(0.005)
        if not progress(0.5, "working"):
            raise Cancelled("told to stop")


def test_an_idle_question_waits_for_all_others_and_gives_way_to_them(qtbot: Any, ask: Ask) -> None:
    gate, order = threading.Event(), []
    ask("a", lambda _: gate.wait(60), lambda _: order.append("a"))
    ask.when_idle("idle", _until_told_to_stop, lambda _: order.append("idle"))
    ask("b", lambda _: None, lambda _: order.append("b"))
    gate.set()
    qtbot.waitUntil(lambda: order == ["a", "b"])
    assert not ask.busy
    qtbot.wait(20)
    ask("c", lambda _: None, lambda _: order.append("c"))
    qtbot.waitUntil(lambda: order == ["a", "b", "c"])


def test_nothing_is_asked_after_closing(qtbot: Any) -> None:
    ask, answers = Ask(), []
    ask("a", _until_told_to_stop, answers.append)
    assert ask.close(60_000)
    ask("b", answers.append, answers.append)
    ask.when_idle("c", answers.append, answers.append)
    qtbot.wait(20)
    assert answers == []


def test_whoever_waits_behind_idle_work_is_waited_for(qtbot: Any, ask: Ask) -> None:
    """A screenshot that looks at `busy` must not be taken before the answer is there."""
    idle, answers = threading.Event(), []
    ask.when_idle("ahead", lambda _: idle.wait(60), lambda _: None)
    qtbot.waitUntil(lambda: ask._running is not None)
    assert not ask.busy
    ask("a", lambda _: 1, answers.append)
    assert ask.busy
    idle.set()
    qtbot.waitUntil(lambda: not ask.busy)
    assert answers == [1]


def counting(count: int, done: list[int], pause: float = 0.0) -> Generator[float, None, str]:
    """Work of `count` parts."""
    for number in range(count):
        yield number / count
        time.sleep(pause)
        done.append(number)
    return "all"


def test_work_done_aside_lets_questions_go_first(qtbot: Any, ask: Ask) -> None:
    done: list[int] = []
    answers: list[Any] = []

    def work() -> Generator[float, None, str]:
        """Ends soon after five questions were answered, and late where they are not."""
        while len(answers) < 5 and len(done) < 4000:
            yield 0.5
            time.sleep(0.005)
            done.append(len(done))
        return "all"

    ask.aside("check", work, answers.append)
    assert ask.is_aside("check")
    assert not ask.busy
    qtbot.waitUntil(lambda: len(done) > 2)
    for number in range(5):
        ask("a", lambda _, number=number: number, answers.append)  # type: ignore[misc]
        qtbot.waitUntil(lambda number=number: len(answers) > number)  # type: ignore[misc]
    qtbot.waitUntil(lambda: not ask.is_aside("check"))
    assert answers == [0, 1, 2, 3, 4, "all"]


def test_work_done_aside_tells_how_far_it_is_and_that_it_has_ended(
    qtbot: Any, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask_module, "PIECE", -1.0)
    told: list[float] = []
    ask.aside_progressed.connect(lambda asker, fraction: told.append(fraction))
    ask.aside("check", lambda: counting(4, []), lambda _: None)
    qtbot.waitUntil(lambda: not ask.is_aside("check"))
    assert told == [0.0, 0.0, 0.25, 0.5, 0.75, 1.0]


@pytest.mark.parametrize("everything", [False, True])
def test_work_done_aside_can_be_cancelled_and_then_says_no_more(qtbot: Any, ask: Ask, everything: bool) -> None:
    done: list[int] = []
    answers: list[Any] = []
    told: list[float] = []
    ask.aside_progressed.connect(lambda asker, fraction: told.append(fraction))
    ask.aside("check", lambda: counting(10_000, done, 0.001), answers.append)
    qtbot.waitUntil(lambda: len(done) > 2)
    if everything:
        ask.cancel_all()
    else:
        ask.cancel("check")
    assert told[-1] == 1.0
    count = len(told)
    qtbot.wait(50)
    assert len(told) == count
    assert not answers
    assert len(done) < 10_000
    ask("a", lambda _: 1, answers.append)
    qtbot.waitUntil(lambda: answers == [1])


def test_work_done_aside_that_fails_says_so(qtbot: Any, ask: Ask) -> None:
    def broken() -> Generator[float, None, None]:
        yield 0.0
        raise BadInput("no such thing")

    sentences: list[str] = []
    ask.aside("check", broken, lambda _: None, lambda error: sentences.append(str(error)))
    qtbot.waitUntil(lambda: sentences == ["no such thing"])
    assert not ask.is_aside("check")


def test_the_next_question_begins_though_an_answer_is_shown_for_long(qtbot: Any, ask: Ask) -> None:
    """As to answers that are shown quickly: test_turns."""
    ran, seen = threading.Event(), []
    gate = threading.Event()
    ask("a", lambda _: gate.wait(60), lambda _: seen.append(ran.wait(60)))
    ask("b", lambda _: ran.set(), lambda _: seen.append("b"))
    gate.set()
    qtbot.waitUntil(lambda: len(seen) == 2)
    assert seen == [True, "b"]


def test_an_answer_that_is_not_shown_yet_can_still_be_dropped(qtbot: Any, ask: Ask) -> None:
    """It is of what nobody looks at any more."""
    ran, seen = threading.Event(), list[str]()

    def drop_b() -> None:
        assert ran.wait(60) and ask.is_asking("b") and ask.busy
        ask.cancel("b")
        seen.append("a")

    ask("a", lambda _: None, lambda _: drop_b())
    ask("b", lambda _: ran.set(), lambda _: seen.append("b"))
    ask("c", lambda _: None, lambda _: seen.append("c"))
    qtbot.waitUntil(lambda: not ask.busy)
    assert seen == ["a", "c"]


def test_work_done_aside_is_not_begun_again_before_its_answer_is_shown(qtbot: Any, ask: Ask) -> None:
    """Its last piece has been done: another one would answer nothing."""
    ended, seen = threading.Event(), []

    def work() -> Generator[float, None, str]:
        yield 0.5
        ended.set()
        return "all"

    ask.aside("check", work, seen.append)
    assert ended.wait(60)
    time.sleep(0.05)  # the thread goes on; nothing is shown meanwhile
    ask.when_idle("idle", lambda _: None, lambda _: None)
    qtbot.waitUntil(lambda: not ask.is_aside("check"))
    qtbot.wait(20)
    assert seen == ["all"]
