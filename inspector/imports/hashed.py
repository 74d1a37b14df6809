"""Files hashed in passing: after reading in any order, only the unread parts are read for the digest.

The hash has no known collisions: imports are kept under it, and a second file with the digest of a genuine trace would answer
in its place.  SHA-256 rather than BLAKE2b: processors have instructions for it, which make it twice as fast.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from typing import BinaryIO

BLOCK = 1 << 20
OFTEN = 1 << 20  # bytes between two looks; a read counts for
A_READ = 1 << 12  # more than its own


class FileHash:
    """What files are known by in caches: the first 32 hexadecimal digits of their SHA-256."""

    def __init__(self) -> None:
        state = hashlib.sha256()
        self.update, self._digits = state.update, state.hexdigest

    def hexdigest(self) -> str:
        return self._digits()[:32]


class HashedFile(io.RawIOBase):
    """Reads `file`, and hashes each byte once, as far as reading got without a gap.

    `look` is called every few megabytes or thousand reads, whoever reads and skips what is of no use: it may stop that with an
    exception.
    """

    def __init__(self, file: BinaryIO, look: Callable[[], object] = lambda: None, hashes: bool = True) -> None:
        """hashes: False where nobody will ask for the digest."""
        self._file, self._look, self._unseen, self._hashes = file, look, 0, hashes
        self._state = FileHash()
        self._hashed = 0  # bytes

    def read(self, size: int = -1) -> bytes:
        """The next bytes, as of the file."""
        at = self._file.tell()
        data = self._file.read(size)
        self._unseen += len(data) + A_READ
        if self._unseen >= OFTEN:
            self._unseen = 0
            self._look()
        if self._hashes and at <= self._hashed < at + len(data):
            self._state.update(memoryview(data)[self._hashed - at :])
            self._hashed = at + len(data)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def fileno(self) -> int:
        return self._file.fileno()

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._look = lambda: None  # it holds the reader, which holds this file
        self._file.close()
        super().close()

    def digest(self) -> str:
        """Of the whole file, as FileHash; reads what nobody has read."""
        self._file.seek(self._hashed)
        while self.read(BLOCK):
            pass
        return self._state.hexdigest()
