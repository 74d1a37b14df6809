"""Long arrays in temporary files that are mapped: their pages are the system's to keep or drop.

Column  is appended to; earlier views stay valid
Long    zeros that are written to anywhere, and can become more
zeros   those, as many as they will ever be
"""

from __future__ import annotations

import logging
import mmap
import os
import tempfile
import weakref
from typing import IO

import numpy as np

from core.folders import user_folder

log = logging.getLogger(__name__)
IN_MEMORY = 1 << 25  # bytes; a longer column lies in a file that is mapped
LEAST = 1 << 10
BLOCK = 1 << 20  # bytes of zeros that are written at a time


class Column:
    """An array of one dtype that is appended to.

    `view()` is everything so far; views never change or move when the column grows.  From `in_memory` bytes on the
    column lies in a temporary file, whose pages are the system's to keep or drop; where there is no disk for it, in memory.
    """

    def __init__(self, dtype: np.typing.DTypeLike, in_memory: int = IN_MEMORY) -> None:
        self.dtype = np.dtype(dtype)
        self._limit = in_memory
        self._count = 0
        self._rows = np.zeros(LEAST, self.dtype)
        self._file: IO[bytes] | None = None
        self._map: mmap.mmap | None = None

    @classmethod
    def of(cls, rows: np.ndarray) -> Column:
        """A column of these rows, which stay where they are."""
        column = cls(rows.dtype)
        column._rows, column._count = rows, len(rows)
        return column

    def __len__(self) -> int:
        return self._count

    def append(self, rows: np.ndarray) -> None:
        """Adds rows, of the column's dtype or one that converts to it."""
        rows = np.ascontiguousarray(rows, self.dtype)
        if self._file is None and (self._count + len(rows)) * self.dtype.itemsize > self._limit:
            self._begin_file()
        if self._file is None or not self._write(rows):
            self._keep(rows)
        self._count += len(rows)

    def view(self) -> np.ndarray:
        """Everything that was appended.  Not to be written to, but not read-only, which kernels do not take."""
        return self._rows[: self._count] if self._file is None else self._mapped(self._file)

    # ---- in memory
    def _keep(self, rows: np.ndarray) -> None:
        needed = self._count + len(rows)
        if needed > len(self._rows):
            larger = np.zeros(max(needed, 2 * len(self._rows)), self.dtype)
            larger[: self._count] = self._rows[: self._count]
            self._rows = larger
        self._rows[self._count : needed] = rows

    # ---- in a file
    def _begin_file(self) -> None:
        try:
            self._file = tempfile.TemporaryFile(dir=user_folder("captures"))  # noqa: SIM115 - as long as the column
        except OSError as error:
            self._leave_the_disk(error)
            return
        weakref.finalize(self, self._file.close)
        if self._write(self._rows[: self._count]):
            self._rows = self._rows[:0]

    def _write(self, rows: np.ndarray) -> bool:
        """Whether the rows are in the file; if not, the column is in memory from now on."""
        assert self._file is not None
        try:
            self._file.write(rows.view(np.uint8).data)
            self._file.flush()  # a disk that is full shows here, and never as a fault in mapped memory
        except OSError as error:
            self._rows = self._rows if len(self._rows) else self._mapped(self._file).copy()
            self._leave_the_disk(error)
            return False
        return True

    def _leave_the_disk(self, error: OSError) -> None:
        log.warning("a column is held in memory: %s", error)
        self._file, self._limit = None, 1 << 62

    def _mapped(self, file: IO[bytes]) -> np.ndarray:
        if not self._count:
            return np.zeros(0, self.dtype)
        size = self._count * self.dtype.itemsize
        if self._map is None or size > len(self._map):
            self._map = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_COPY)
        return np.frombuffer(self._map, self.dtype, self._count)


class Long:
    """`rows`: an array of zeros to write to.  From `in_memory` bytes on it lies in a file; where there is no disk for that, in
    memory."""

    def __init__(self, count: int, dtype: np.typing.DTypeLike, in_memory: int = IN_MEMORY) -> None:
        self._dtype, self._limit = np.dtype(dtype), in_memory
        self._file: IO[bytes] | None = None
        self._size = 0  # bytes of the file
        self.rows = np.zeros(0, self._dtype)
        self.grow(count)

    def grow(self, count: int) -> None:
        """Room for so many.  An array of before stays valid, and may share its memory with the new one."""
        size, before = count * self._dtype.itemsize, self.rows
        if size > self._limit:
            try:
                self.rows = self._mapped(count, size)
            except OSError as error:
                log.warning("a column is held in memory: %s", error)
                self._file, self._limit = None, 1 << 62
            else:
                return
        self.rows = np.zeros(count, self._dtype)
        self.rows[: len(before)] = before

    def _mapped(self, count: int, size: int) -> np.ndarray:
        begun = self._file is not None
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=user_folder("captures"))  # noqa: SIM115 - as long as it can grow
            weakref.finalize(self, self._file.close)  # what is mapped stays
        _lengthen(self._file, self._size, size)
        self._size = size
        rows = np.frombuffer(mmap.mmap(self._file.fileno(), size), self._dtype, count)
        if not begun:
            rows[: len(self.rows)] = self.rows
        return rows


def _lengthen(file: IO[bytes], begin: int, end: int) -> None:
    """Zeros from byte `begin` to `end`, with their place on the disk: one that is full shows here, and never as a fault in
    mapped memory."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), begin, end - begin)
        return
    file.seek(begin)
    for at in range(begin, end, BLOCK):
        file.write(bytes(min(BLOCK, end - at)))
    file.flush()


def zeros(count: int, dtype: np.typing.DTypeLike) -> np.ndarray:
    """Zeros to write to; many of them cost no memory of their own."""
    if count * np.dtype(dtype).itemsize <= IN_MEMORY:
        return np.zeros(count, dtype)
    return Long(count, dtype).rows
