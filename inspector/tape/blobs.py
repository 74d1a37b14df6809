"""Bulk data on its way to the file: stored once, compressed while recording continues."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import xxhash

from inspector.tape.packing import BlobRef, compress, store

BUNDLE = 1 << 18  # bytes that are handed to another thread together: handing over costs as much as compressing some kilobytes
WAITING = 1 << 26  # bytes that may wait for compression

Row = tuple[int, bytes, int, bytes]
"""Number, digest, size and bytes of a blob, in the file a zstd frame."""


class BlobStore:
    """Gives every distinct content a number and has `insert(rows)` write it, in order of numbers."""

    def __init__(self, insert: Callable[[list[Row]], None], quick: bool = False) -> None:
        """quick: hardly compresses, in the thread that calls, for a file that can be made again."""
        self._insert = insert
        self._taken = store if quick else bytes
        self._known: dict[bytes, BlobRef] = {}
        self.last = 0
        self._bundle: list[Row] = []  # of packed data if quick, else of what is to be compressed
        self._bundle_bytes = 0
        self._waiting: deque[tuple[int, Future[list[Row]]]] = deque()
        self._waiting_bytes = 0
        self._pool = None if quick else ThreadPoolExecutor(max(1, min(3, (os.cpu_count() or 1) - 1)), "compress")

    def know(self, reference: BlobRef, digest: bytes) -> None:
        """Content that the file has already."""
        self._known[digest] = reference
        self.last = max(self.last, reference.id)

    def keep(self, data: Any) -> BlobRef:
        """The reference to bytes-like `data`, which may change afterwards."""
        digest = xxhash.xxh3_128_digest(data)
        found = self._known.get(digest)
        if found is None:
            self.last += 1
            found = self._known[digest] = BlobRef(self.last, memoryview(data).nbytes)
            self._bundle.append((found.id, digest, found.size, self._taken(data)))
            self._bundle_bytes += found.size
            if self._bundle_bytes >= BUNDLE:
                self._hand_over()
                self._write(WAITING)
        return found

    def _hand_over(self) -> None:
        bundle, size = self._bundle, self._bundle_bytes
        self._bundle, self._bundle_bytes = [], 0
        if self._pool is None:
            self._insert(bundle)
        elif bundle:
            self._waiting.append((size, self._pool.submit(_packed, bundle)))
            self._waiting_bytes += size

    def _write(self, leave: int) -> None:
        """Has everything inserted that is ready, and waits until at most `leave` bytes are not."""
        while self._waiting and (self._waiting_bytes > leave or self._waiting[0][1].done()):
            size, rows = self._waiting.popleft()
            self._waiting_bytes -= size
            self._insert(rows.result())

    def drain(self) -> None:
        """Has everything inserted."""
        self._hand_over()
        self._write(0)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _packed(bundle: list[Row]) -> list[Row]:
    return [(number, digest, size, compress(data)) for number, digest, size, data in bundle]
