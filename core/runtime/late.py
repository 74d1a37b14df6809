"""What the loop left in its queue, done in order: command buffers, calls of DirectDraw, methods that could wait.

All of it is older than the tokens gathered since, which therefore are not sent before it (Runtime.is_late).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.runtime.directdraw import queue as of_directdraw
from core.runtime.methods.swapchain import present
from core.runtime.rows import layout as c

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime


def send_queue(rt: Runtime, do: Callable[[int], object]) -> None:
    """Does what waits; `do` has the method of an API call do it."""
    commands = rt.commands
    locked = commands.numbers[c.LOCKED]
    queue, count = commands.take_queue()
    rt.is_late = True
    try:
        for at in range(0, count * c.QUEUE_COLUMNS, c.QUEUE_COLUMNS):
            kind = queue[at]
            if kind == c.METHOD:
                do(queue[at + c.Q_CALL])
            elif kind == c.COMMANDS:
                row = queue[at + c.P_AT : at + c.P_BUFFER + 1].tolist()
                rt.draw(commands.take_posted(row), row[c.P_FORMAT - c.P_AT :])
            elif kind == c.PRESENT:
                rt.source = queue[at + c.Q_CALL]
                present(rt, commands.numbers[c.DEVICE], None, None, None, None)
            else:
                of_directdraw.SENDERS[kind](rt, queue[at : at + c.QUEUE_COLUMNS].tolist())
    finally:
        rt.is_late = False
    commands.numbers[c.LOCKED] = locked  # of calls that the loop has seen since
