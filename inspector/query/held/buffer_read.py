"""A buffer's bytes after any event in the layout that a draw declares, for a viewer of buffers away from any draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from core.spec.slots import STREAMS
from inspector.progress import Cancel
from inspector.query.draws.streams import IndexBytes, StreamBytes, Streams, stored_indices
from inspector.query.held.things import Buffer, BufferBytes
from inspector.query.objects.usage import log_of
from inspector.timeline.lives import Role

if TYPE_CHECKING:
    from inspector.capture import Capture

NAMING = ("SETSTREAMSOURCE", "SETINDICES")
"""Tokens that name a buffer."""
MOST_TRIED = 4
"""Draws before an event, and after it, whose declarations are looked for."""


@dataclass(frozen=True, eq=False)
class DeclaredBuffer:
    """A buffer after an event.  `draw`: whose declaration it is shown with (None: no draw reads it); `streams`: the buffer's
    present bytes with the types declared there, one for each stream it is bound to; `indices`: what the draw selects of
    them; `readers` int64: every draw that reads the buffer in its life."""

    buffer: BufferBytes
    draw: int | None
    streams: tuple[StreamBytes, ...]
    indices: IndexBytes | None
    readers: np.ndarray


@dataclass(frozen=True)
class BufferOf:
    """The handle of the buffer that an event is about: the one that it names, that a draw reads its vertices from, or (of
    vertices in the memory of the call) its indices; 0: none of the buffers that exist."""

    event: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> int:
        """Raises Cancelled, and BadInput for events that are none."""
        event = capture.check_event(self.event)
        held = {one.handle for one in capture.surfaces(event, cancel) if one.kind == "buffer"}
        return next((handle for handle in _handles(capture, event) if handle in held), 0)


def _handles(capture: Capture, event: int) -> Iterator[int]:
    row, state = capture.events.rows[event], capture.state(event)
    call, name = capture.calls[int(row["call"])], capture.name(event)
    if not row["op"] and "Buffer" in name:
        yield int(call.args.get("handle", 0))
    if name in NAMING:
        yield from (field.value for field in capture.event(event).fields if field.name == "buffer")
    yield int(call.args.get("vertex_buffer", 0) or 0)
    yield from (state["STREAM", number, "handle"].raw[0] for number in range(STREAMS))
    yield state["INDICES"].raw[0]


@dataclass(frozen=True)
class BufferRead:
    """The bytes of a vertex or index buffer after an event, with the types that a draw declares for them.

    `draw`: that draw; None: the last that reads the buffer up to the event, else the first after it.
    """

    handle: int
    event: int
    draw: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> DeclaredBuffer:
        """Raises Cancelled, and BadInput where there is no such buffer, or for a draw that does not read it."""
        event = capture.check_event(self.event)
        held = capture.ask(Buffer(self.handle, event), cancel)
        log = log_of(capture.resources, self.handle, event)
        readers = np.unique(log.event[np.isin(log.role, (Role.STREAM, Role.INDICES))])
        if self.draw is not None and self.draw not in readers:
            raise BadInput(f"event {self.draw} does not read buffer {self.handle}")
        for draw in _nearest(readers, event) if self.draw is None else [self.draw]:
            memory = capture.ask(Streams(draw), cancel)
            streams = tuple(replace(one, data=held.data) for one in memory.streams if one.buffer == self.handle)
            indices = _indices(memory.indices, held)
            if streams or indices is not None:
                return DeclaredBuffer(held, draw, streams, indices, readers)
        return DeclaredBuffer(held, None, (), None, readers)


def _nearest(readers: np.ndarray, event: int) -> list[int]:
    """The last draws up to the event, then the first after it: patches that were kept read no stream although one is bound."""
    place = int(np.searchsorted(readers, event, "right"))
    return [*readers[max(place - MOST_TRIED, 0) : place][::-1].tolist(), *readers[place : place + MOST_TRIED].tolist()]


def _indices(indices: IndexBytes | None, held: BufferBytes) -> IndexBytes | None:
    if indices is None or indices.buffer != held.handle:
        return None
    return replace(indices, indices=stored_indices(held.data, indices.offset, indices.width, indices.asked))
