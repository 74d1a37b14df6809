"""Arrays in a file without a name, which is mapped: their pages are the system's to keep or drop."""

from __future__ import annotations

import mmap
import tempfile
import threading
import weakref
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np
import xxhash

LEAST = 1 << 12  # bytes; smaller arrays stay in memory
CHUNK = 1 << 24  # bytes of the file that are mapped at a time, or as many as one array has
LINE = 64  # bytes: where arrays begin
Place = tuple[int, int, int]
"""(chunk, offset in it, bytes)."""
_there: weakref.WeakSet[Mapped] = weakref.WeakSet()


class Mapped:
    """At most `room` bytes of them; equal ones are one.  Where nothing can be written, arrays stay what they are.

    A place is free again when nothing refers to its array.  Safe to use from any thread.
    """

    def __init__(self, folder: Callable[[], Path], room: int) -> None:
        """folder: asked for the file's when there is something to write."""
        self._folder, self._room = folder, room
        self._file: IO[bytes] | None = None
        self._chunks: list[tuple[int, mmap.mmap]] = []  # where each begins in the file
        self._end, self._used = 0, 0  # of the file; of the last chunk
        self._free: dict[int, list[Place]] = {}  # by bytes
        self._returned: deque[Place] = deque()  # arrays end at any moment: nothing else may happen then
        self._places: weakref.WeakValueDictionary[bytes, np.ndarray] = weakref.WeakValueDictionary()  # by digest
        self._lock, self._closed = threading.Lock(), False
        _there.add(self)

    def put(self, array: np.ndarray) -> np.ndarray:
        """The same values in the file, not to be written to; the array itself if it is small, there already, or has no room."""
        if array.nbytes < LEAST or is_mapped(array):
            return array
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        name = xxhash.xxh3_128_digest(data.data)
        with self._lock:
            if self._closed:
                return array
            found = self._places.get(name)
            if found is not None:  # digests can be made to collide
                return found.view(array.dtype).reshape(array.shape) if np.array_equal(found, data) else array
            try:
                place = self._place_for(data.nbytes)
                if place is None:
                    return array
                self._write(place, data)
            except (OSError, ValueError):  # a full disk, most often
                self._room = 0
                return array
            chunk, begin, size = place
            self._places[name] = copy = np.frombuffer(self._chunks[chunk][1], np.uint8, size, begin)
        weakref.finalize(copy, self._returned.append, place).atexit = False
        return copy.view(array.dtype).reshape(array.shape)

    def close(self) -> None:
        """Lets go of the file, which ends with the last array in it; those that come now stay what they are."""
        with self._lock:
            self._closed = True
            self._chunks.clear()
            if self._file is not None:
                self._file.close()

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._end

    def forget_pages(self) -> None:
        """Has the system take back the memory of what was read, where it has such a call; it is read from the file again."""
        if hasattr(mmap, "MADV_DONTNEED"):
            with self._lock:
                for _, chunk in self._chunks:
                    chunk.madvise(mmap.MADV_DONTNEED)

    def _place_for(self, size: int) -> Place | None:
        while self._returned:
            place = self._returned.popleft()
            self._free.setdefault(place[2], []).append(place)
        if self._free.get(size):
            return self._free[size].pop()
        begin = -(-self._used // LINE) * LINE
        if not self._chunks or begin + size > len(self._chunks[-1][1]):
            if not self._add_chunk(max(CHUNK, size)):
                return None
            begin = 0
        self._used = begin + size
        return len(self._chunks) - 1, begin, size

    def _add_chunk(self, size: int) -> bool:
        """Whether there is room for it."""
        size = -(-size // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        if self._end + size > self._room:
            return False
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=self._folder(), buffering=0)  # noqa: SIM115 - as long as this
            weakref.finalize(self, self._file.close)  # what is mapped stays
        self._file.truncate(self._end + size)
        found = mmap.mmap(
            self._file.fileno(), size, access=mmap.ACCESS_COPY, offset=self._end
        )  # kernels take no read-only arrays
        self._chunks.append((self._end, found))
        self._end += size
        return True

    def _write(self, place: Place, data: np.ndarray) -> None:
        """With the file's own calls: a disk that is full shows here, and never as a fault in mapped memory."""
        assert self._file is not None
        self._file.seek(self._chunks[place[0]][0] + place[1])
        done = 0
        while done < data.nbytes:
            done += self._file.write(data[done:].data) or 0


def forget_pages() -> None:
    """That, of all that there are."""
    for one in list(_there):
        one.forget_pages()


def is_mapped(array: object) -> bool:
    """Whether an array lies in a mapped file."""
    while isinstance(array, np.ndarray):
        array = array.base
    return isinstance(getattr(array, "obj", array), mmap.mmap)
