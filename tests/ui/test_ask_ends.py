"""Which thread lets go of a question: what it refers to, widgets among it, must not end on the asking thread."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication

from ui.ask import Ask

MANY = 12_000
"""Questions, of which some twelve ended on the asking thread while nothing kept them from it."""


class Widget:
    """Stands for one: writes down the thread that it ends on."""

    def __init__(self, ends: list[int]) -> None:
        self._ends = ends

    def __del__(self) -> None:
        self._ends.append(threading.get_ident())


def refer(widget: Widget, _: object) -> None:
    """A question, or what shows its answer."""


@pytest.fixture(autouse=True)
def restless() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_questions_end_on_the_thread_of_the_window(qapp: QCoreApplication) -> None:
    asking, ends = Ask(), list[int]()
    for number in range(MANY):
        asked, shown = partial(refer, Widget(ends)), partial(refer, Widget(ends))
        asking(f"asker {number % 3}", asked, shown)
        del asked, shown
        while number % 3 == 2 and asking.busy:
            qapp.processEvents()
    asking.close()
    assert len(ends) >= 2 * MANY - 6 and set(ends) == {threading.get_ident()}
