"""What a thread has found, handed to a widget that may have ended meanwhile.

A signal of the widget itself must not be emitted on a thread that outlives it: between looking whether the widget is there and
reading it, Qt may destroy it on the GUI thread.  And a thread that refers to a widget may be the last to do so, which destroys
it on that thread.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from functools import cache
from typing import Any
from weakref import WeakMethod

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid


class Post(QObject):
    """Lives as long as the program, on the GUI thread."""

    _sent = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._open, self._lock = True, threading.RLock()
        self._sent.connect(_deliver)

    def send(self, taker: WeakMethod[Callable[..., object]], found: object) -> None:
        """From any thread: calls a method of a QObject on the GUI thread, if the object is still there then."""
        with self._lock:
            if self._open:
                self._sent.emit(taker, found)

    def close(self) -> None:
        """The program ends, and Qt with it: nothing is sent from now on."""
        with self._lock:
            self._open = False


@cache
def post() -> Post:
    """Made on the GUI thread."""
    made = Post()
    atexit.register(made.close)  # before Qt's own end, which was registered earlier
    return made


def _deliver(taker: WeakMethod[Callable[..., object]], found: object) -> None:
    method: Any = taker()
    if method is not None and isValid(method.__self__):
        method(found)
