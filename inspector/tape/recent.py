"""What was read last from a file, kept up to a number of entries and of bytes."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")
BATCHES, BATCH_BYTES = 8, 1 << 23
BLOBS, BLOB_BYTES = 1 << 20, 1 << 23


class Recent(Generic[V]):
    """The newest values by number: at most `most` of at most `most_bytes` together, but one whatever its size."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._values: OrderedDict[int, tuple[V, int]] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, number: int) -> V | None:
        """The value, which is the newest then; None if it is not kept."""
        found = self._values.get(number)
        if found is None:
            return None
        self._values.move_to_end(number)
        return found[0]

    def put(self, number: int, value: V, size: int) -> V:
        """Keeps a value that is not there yet; returns it."""
        self._values[number] = value, size
        self.bytes += size
        while len(self._values) > 1 and (len(self._values) > self._most or self.bytes > self._most_bytes):
            self.bytes -= self._values.popitem(last=False)[1][1]
        return value
