"""The logs of frames that are kept, the latest one last.

Those go first that are quick to make again, and of equal ones the one that was looked at longest ago: a frame that loads all
textures takes ten times as long as the next (the rule is GreedyDual; Young, "The k-server dual and loose competitiveness for
paging", 1994).
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.pipeline.records.recycle import keep_spare
from inspector.timeline.budgets import Budgets, Room
from inspector.timeline.held import Held
from inspector.timeline.logged import LoggedFrame


class Logs:
    """Keeps logs within the budgets, together with the keyframes: `held` counts what both hold.

    The latest log may take what is set aside for it; the others go first, and then the undo records of its passes.
    """

    def __init__(self, held: Held, room: Budgets | Room) -> None:
        self._held, self._room = held, room
        self._logs: list[LoggedFrame] = []
        self._worth: dict[int, float] = {}  # by id: seconds that making it took, and the age when it was last looked at
        self._age = 0.0  # the worth of those that went
        self._fitted = 0, 0  # what was looked at then

    def __len__(self) -> int:
        return len(self._logs)

    @property
    def size(self) -> int:
        """Bytes of everything that is held, keyframes and records included."""
        return self._held.size + self.records_size

    @property
    def records_size(self) -> int:
        """Bytes of the undo records that were asked for."""
        return sum(log.tap.records_size for log in self._logs)

    @property
    def records_room(self) -> Callable[[], int]:
        """For a new log: how many bytes all records may have at the moment."""
        this = weakref.ref(self)  # a moment that somebody has kept shall not keep other logs

        def room() -> int:
            logs = this()
            return sys.maxsize if logs is None else max(logs._room.memory - logs._held.size, 0)

        return room

    @property
    def changed(self) -> bool:
        """Whether another log than at the last `fit` is looked at, or this one has other records since."""
        return self._looked_at != self._fitted

    @property
    def _looked_at(self) -> tuple[int, int]:
        return (id(self._logs[-1]), self._logs[-1].tap.records_size) if self._logs else (0, 0)

    def of(self, event: int) -> LoggedFrame | None:
        """The log that an event is in, which is the latest then."""
        found = next((log for log in self._logs if event in log), None)
        if found is not None:
            self._logs.remove(found)
            self._logs.append(found)
            self._worth[id(found)] = self._age + found.seconds
        return found

    def keep(self, log: LoggedFrame) -> None:
        """As the latest."""
        self._logs.append(log)
        self._worth[id(log)] = self._age + log.seconds
        self._held.hold(id(log), log.rewind.pieces())

    @contextmanager
    def room(self) -> Iterator[None]:
        """For a log about as large as the latest, made meanwhile: it has the memory of those that go."""
        before = self.size
        if self._logs:
            self._forget(self._logs[-1].size, 0)
        keep_spare((before - self.size) // 4)
        try:
            yield
        finally:
            keep_spare()

    def fit(self) -> None:
        """What was kept since the last time may be too much."""
        self._forget(0, 1)
        if self.size > self._room.memory:
            for log in self._logs:
                log.tap.forget_records()
        self._fitted = self._looked_at

    def clear(self) -> None:
        """Forgets all."""
        while self._logs:
            self._drop()

    def give_way(self, size: int) -> None:
        """To a log that is being made and has so many bytes by now."""
        most = self._room.memory - size
        while self._logs and self.size > most:
            self._drop()

    def _forget(self, more: int, least: int) -> None:
        """Some, until everything and this many bytes more are within what is kept, or this few are left."""
        most = self._room.kept - more
        while len(self._logs) > least and self.size > most:
            self._drop()

    def _drop(self) -> None:
        """The one of least worth; the latest only when it is alone."""
        gone = min(self._logs[:-1] or self._logs, key=lambda log: self._worth[id(log)])
        self._logs.remove(gone)
        self._held.drop(id(gone))
        self._age = max(self._age, self._worth.pop(id(gone)))
