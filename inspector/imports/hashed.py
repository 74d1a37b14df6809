"""A file that is hashed in passing: whoever has read it in any order has its digest for what was not read."""

from __future__ import annotations

import io
from typing import BinaryIO

import xxhash

BLOCK = 1 << 20


class HashedFile(io.RawIOBase):
    """Reads `file`, and hashes each byte once, as far as reading got without a gap."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._state = xxhash.xxh3_128()
        self._hashed = 0  # bytes

    def read(self, size: int = -1) -> bytes:
        """The next bytes, as of the file."""
        at = self._file.tell()
        data = self._file.read(size)
        if at <= self._hashed < at + len(data):
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
        self._file.close()
        super().close()

    def digest(self) -> str:
        """xxh3-128 of the whole file, in hex; reads what nobody has read."""
        self._file.seek(self._hashed)
        while self.read(BLOCK):
            pass
        return self._state.hexdigest()
