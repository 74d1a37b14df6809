"""Cycles with Qt objects in them end on the GUI thread."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

from PySide6.QtCore import QObject

from ui.garbage import Garbage


class Knot(QObject):
    """Holds itself."""

    def __init__(self) -> None:
        super().__init__()
        self.me = self


def test_another_thread_collects_nothing_and_the_beat_does(qtbot: Any) -> None:
    garbage = Garbage()
    try:
        gone: list[int] = []
        weakref.finalize(Knot(), lambda: gone.append(threading.get_ident()))

        def allocate() -> None:
            assert len([[number] for number in range(100_000)]) == 100_000

        worker = threading.Thread(target=allocate)
        worker.start()
        worker.join()
        assert not gone
        kept = [[number] for number in range(10_000)]
        assert garbage.look() >= 0
        qtbot.waitUntil(lambda: bool(gone))
        assert gone == [threading.get_ident()] and kept
    finally:
        garbage.give_back()
    assert gc.isenabled()
