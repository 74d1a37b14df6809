"""What the loop left in its queue, done in order: command buffers, calls of DirectDraw, methods that could wait.

All of it is older than the tokens gathered since, which therefore are not sent before it (Runtime.is_late).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.runtime.directdraw import queue as of_directdraw
from core.runtime.methods.locks import lock_buffer, memcpy, unlock_buffer
from core.runtime.methods.swapchain import present
from core.runtime.rows import layout as c

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime


Queue = memoryview
"""Numbers of the queue's rows, one behind the other; a row begins at some place."""


def send_queue(rt: Runtime, do: Callable[[int], object]) -> None:
    """Does what waits; `do` has the method of an API call do it."""
    commands = rt.commands
    locked = commands.numbers[c.LOCKED]
    queue, count = commands.take_queue()
    rt.is_late = True
    try:
        for at in range(0, count * c.QUEUE_COLUMNS, c.QUEUE_COLUMNS):
            kind = queue[at]
            if kind == c.COMMANDS:
                _draw(rt, queue, at)
            elif kind == c.METHOD:
                do(queue[at + c.Q_CALL])
            elif kind in _LATE:
                rt.source = queue[at + c.Q_CALL]
                _LATE[kind](rt, queue, at)
            else:
                of_directdraw.SENDERS[kind](rt, queue[at : at + c.QUEUE_COLUMNS].tolist())
    finally:
        rt.is_late = False
    commands.forget_user()
    commands.numbers[c.LOCKED] = locked  # of calls that the loop has seen since


def _draw(rt: Runtime, queue: Queue, at: int) -> None:
    row = queue[at + c.P_AT : at + c.P_BUFFER + 1].tolist()
    rt.draw(rt.commands.take_posted(row), row[c.P_FORMAT - c.P_AT :])


def _present(rt: Runtime, queue: Queue, at: int) -> None:
    present(rt, rt.commands.numbers[c.DEVICE], None, None, None, None)


def _lock(rt: Runtime, queue: Queue, at: int) -> None:
    this, offset, size, flags, address = queue[at + c.W_THIS : at + c.W_ADDRESS + 1].tolist()
    lock_buffer(rt, this, offset, size, (address,), flags)


def _copied(rt: Runtime, queue: Queue, at: int) -> None:
    begin, size = queue[at + c.W_AT], queue[at + c.W_BYTES]
    memcpy(rt, queue[at + c.W_THIS], rt.commands.chunk[begin : begin + size], size)


def _unlock(rt: Runtime, queue: Queue, at: int) -> None:
    unlock_buffer(rt, queue[at + c.W_THIS])


_LATE: dict[int, Callable[[Runtime, Queue, int], None]] = {
    c.PRESENT: _present, c.LOCK_BUFFER: _lock, c.MEMCPY: _copied, c.UNLOCK_BUFFER: _unlock,
}  # fmt: skip
