"""The writers of a buffer: each version with its bytes, in order; and the writers of a range of bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, Cancelled
from inspector.progress import Cancel
from inspector.query.objects.usage import log_of, role_text
from inspector.timeline.lives import WRITING, Role

if TYPE_CHECKING:
    from inspector.capture import Capture


@dataclass(frozen=True, slots=True)
class BufferVersion:
    """A write: bytes first..last-1 by `call` (of the driver) at `event`; `changed`: how many of them became others.

    `what` as histories call it: "created", "uploaded".  `entry`: the driver's entry point; `source`: the API call, -1 for none.
    """

    event: int
    frame: int
    call: int
    entry: str
    source: int
    what: str
    first: int
    last: int
    changed: int


@dataclass(frozen=True)
class BufferVersions:
    """Everything that wrote the buffer that has a handle at an event, from its creation to its end."""

    handle: int
    event: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[BufferVersion, ...]:
        """In order.  Raises Cancelled, and BadInput where there is no such buffer."""
        log = log_of(capture.resources, self.handle, capture.check_event(self.event))
        if any(life.kind != "buffer" for life in log.lives):
            raise BadInput(f"{self.handle} is a surface, not a buffer")
        held, found = np.zeros(0, np.uint8), []
        for row in np.flatnonzero(np.isin(log.role, list(WRITING))).tolist():
            if cancel and cancel():
                raise Cancelled("question cancelled")
            event = int(log.event[row])
            number = int(capture.events.rows["call"][event])
            call = capture.calls[number]
            if log.role[row] == Role.CREATED:
                held = np.zeros(int(call.args.get("size") or 0), np.uint8)
            first, changed, size = _written(held, call.args, call.data.get("contents") or b"")
            if log.role[row] == Role.CREATED:
                first, size, changed = 0, len(held), 0
            what = role_text(int(log.role[row]), 0).partition(",")[0]
            found.append(BufferVersion(
                event, capture.frame_of(event), number, call.entry, int(capture.events.rows["source"][event]), what, first,
                first + size, changed,
            ))  # fmt: skip
        return tuple(found)


def _written(held: np.ndarray, args: dict, contents: bytes) -> tuple[int, int, int]:
    """(first byte, how many changed, how many were written); the bytes are put into `held`."""
    offset = args.get("offset")
    first = offset if isinstance(offset, int) and 0 <= offset <= len(held) else 0
    data = np.frombuffer(contents, np.uint8)[: len(held) - first]
    changed = int((held[first : first + len(data)] != data).sum())
    held[first : first + len(data)] = data
    return first, changed, len(data)


def writers(versions: Sequence[BufferVersion], first: int, last: int, event: int | None = None) -> list[BufferVersion]:
    """Those that wrote any of bytes first..last-1, in order; `event`: up to that."""
    return [one for one in versions if one.first < last and one.last > first and (event is None or one.event <= event)]
