"""What a replay keeps in memory for looking back, within budgets that it may share."""

from __future__ import annotations

import time
from threading import RLock

from core.ddi.driver.emulated import Snapshot
from inspector.timeline.budgets import Budgets, Room
from inspector.timeline.held import Held
from inspector.timeline.keyframes import Keyframes
from inspector.timeline.logs import Logs


class Memory:
    """Keyframes and logs.  used: when the replay was last asked, by `time.monotonic`."""

    def __init__(self, budgets: Budgets, lock: RLock, start: int, state: Snapshot) -> None:
        """lock: held by whoever uses the replay.  start, state: the first keyframe, which stays."""
        together = Held()
        self.used, self.room, self._lock = time.monotonic(), Room(budgets, self), lock
        self.keyframes = Keyframes(start, state, self.room, together)
        self.logs = Logs(together, self.room)
        budgets.sharers.join(self)

    @property
    def held(self) -> tuple[int, int]:
        """Bytes of keyframes, and of logs of frames without what keyframes hold too."""
        return self.keyframes.size, self.logs.size - self.keyframes.size

    def fit(self) -> None:
        """What was kept since the last time may be too much: logs go, then records, then keyframes."""
        self.room.make(self.logs.size)
        self.logs.fit()
        self.keyframes.fit()
        most = self.room.memory
        self.keyframes.thin(lambda: self.logs.size <= most)

    def give_way(self, size: int) -> None:
        """To a log that is being made and has so many bytes by now: logs of this replay go, then those of others."""
        self.logs.give_way(size)
        self.room.make(self.logs.size + size)

    def let_go(self) -> None:
        """Drops logs, and keyframes beyond its part of the budget, so that another has room; nothing while it is in use."""
        if self._lock.acquire(blocking=False):
            try:
                self.logs.clear()
                self.keyframes.fit()
            finally:
                self._lock.release()

    def close(self) -> None:
        """Drops everything but the first keyframe: on the thread that closes, since there may be hundreds."""
        with self._lock:
            self.logs.clear()
            self.keyframes.clear()
