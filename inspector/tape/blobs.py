"""Bulk bytes on their way into the file: stored once, compressed beside the recording."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import xxhash

from inspector.tape.packing import BlobRef, compress

SMALL = 1 << 14  # bytes that are compressed sooner than copied and handed to another thread
WAITING = 1 << 26  # bytes that may wait for compression

Insert = Callable[[BlobRef, bytes, bytes], None]


class BlobStore:
    """Gives every distinct content a number and has `insert(reference, digest, packed)` write it, in order of numbers."""

    def __init__(self, insert: Insert) -> None:
        self._insert = insert
        self._known: dict[bytes, BlobRef] = {}
        self._last = 0
        self._waiting: deque[tuple[BlobRef, bytes, Future[bytes]]] = deque()
        self._waiting_bytes = 0
        self._pool = ThreadPoolExecutor(max(1, min(3, (os.cpu_count() or 1) - 1)), "compress")

    def know(self, reference: BlobRef, digest: bytes) -> None:
        """Content that the file has already."""
        self._known[digest] = reference
        self._last = max(self._last, reference.id)

    def keep(self, data: Any) -> BlobRef:
        """The reference to bytes-like `data`, which may change afterwards."""
        digest = xxhash.xxh3_128_digest(data)
        found = self._known.get(digest)
        if found is None:
            self._last += 1
            found = self._known[digest] = BlobRef(self._last, memoryview(data).nbytes)
            self._waiting.append((found, digest, self._packed(data, found.size)))
            self._waiting_bytes += found.size
            self.drain(WAITING)
        return found

    def _packed(self, data: Any, size: int) -> Future[bytes]:
        if size > SMALL:
            return self._pool.submit(compress, bytes(data))
        done: Future[bytes] = Future()
        done.set_result(compress(data))
        return done

    def drain(self, leave: int = 0) -> None:
        """Has everything inserted that is ready, and waits until at most `leave` bytes are not."""
        while self._waiting and (self._waiting_bytes > leave or self._waiting[0][2].done()):
            reference, digest, packed = self._waiting.popleft()
            self._waiting_bytes -= reference.size
            self._insert(reference, digest, packed.result())

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
