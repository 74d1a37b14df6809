"""Files hashed in passing: after reading in any order, only the unread parts are read for the digest.

The hash has no known collisions: imports are kept under it, and a second file with the digest of a genuine trace would answer
in its place.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from typing import BinaryIO

BLOCK = 1 << 20
OFTEN = 1 << 20  # bytes between two looks; a read counts for
A_READ = 1 << 12  # more than its own


def new_hash() -> hashlib.blake2b:
    """What files are known by in caches: 32 hexadecimal digits."""
    return hashlib.blake2b(digest_size=16)


class HashedFile(io.RawIOBase):
    """Reads `file`, and hashes each byte once, as far as reading got without a gap.

    `look` is called every few megabytes or thousand reads, whoever reads and skips what is of no use: it may stop that with an
    exception.
    """

    def __init__(self, file: BinaryIO, look: Callable[[], object] = lambda: None, hashes: bool = True) -> None:
        """hashes: False where nobody will ask for the digest."""
        self._file, self._look, self._unseen, self._hashes = file, look, 0, hashes
        self._state = new_hash()
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
        """BLAKE2b-128 of the whole file, in hex; reads what nobody has read."""
        self._file.seek(self._hashed)
        while self.read(BLOCK):
            pass
        return self._state.hexdigest()
