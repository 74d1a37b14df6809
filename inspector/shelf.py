"""Bytes put aside on disk while the program runs: a file without a name, gone with it."""

from __future__ import annotations

import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np
import xxhash

LARGEST = 8
"""One thing takes at most this part of the room."""


class Shelf:
    """Keeps at most `room` bytes: what was not read for longest goes first.  Equal contents are stored once.

    Where nothing can be written, nothing is kept.  Safe to use from any thread.
    """

    def __init__(self, folder: Callable[[], Path], room: int) -> None:
        """folder: asked for the file's when there is something to write."""
        self._folder, self._room = folder, room
        self._file: IO[bytes] | None = None
        self._end = 0  # of what was ever written
        self._places: OrderedDict[bytes, tuple[int, int]] = OrderedDict()  # digest -> offset, size
        self._free: dict[int, list[int]] = {}  # size -> offsets
        self._lock = threading.Lock()

    def put(self, array: np.ndarray) -> bytes:
        """The name of an array's bytes, by which they are read; b"": they are not kept."""
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        if not 0 < data.nbytes <= self._room // LARGEST:
            return b""
        name = xxhash.xxh3_128_digest(data.data) + data.nbytes.to_bytes(8, "little")
        with self._lock:
            try:
                if name in self._places:
                    return name if np.array_equal(self._read(name), data) else b""  # digests can be made to collide
                offset = self._room_for(data.nbytes)
                self._write(offset, data)
            except OSError:  # a full disk, most often
                self._room = 0
                return b""
            self._places[name] = offset, data.nbytes
        return name

    def get(self, name: bytes) -> np.ndarray | None:
        """uint8[bytes], the caller's own; None: not kept any more."""
        with self._lock:
            if name not in self._places:
                return None
            self._places.move_to_end(name)
            try:
                return self._read(name)
            except OSError:
                return None

    def close(self) -> None:
        """Forgets everything, for good."""
        with self._lock:
            self._room = 0
            self._places.clear()
            if self._file is not None:
                self._file.close()

    @property
    def room(self) -> int:
        """Bytes; 0: nothing is kept, or nothing can be."""
        return self._room

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._end

    def _room_for(self, size: int) -> int:
        """An offset; what was not read for longest makes way."""
        while self._end + size > self._room and not self._free.get(size) and self._places:
            _, (offset, other) = self._places.popitem(last=False)
            self._free.setdefault(other, []).append(offset)
        if self._free.get(size):
            return self._free[size].pop()
        if self._end + size > self._room:  # only room of other sizes: from the beginning
            self._end, self._free = 0, {}
        self._end += size
        return self._end - size

    def _write(self, offset: int, data: np.ndarray) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=self._folder(), buffering=0)  # noqa: SIM115 - closed by `close`
            weakref.finalize(self, self._file.close)
        self._file.seek(offset)
        done = 0
        while done < data.nbytes:
            done += self._file.write(data[done:].data) or 0

    def _read(self, name: bytes) -> np.ndarray:
        assert self._file is not None
        offset, size = self._places[name]
        data = np.empty(size, np.uint8)
        self._file.seek(offset)
        done = 0
        while done < size:
            read = self._file.readinto(data[done:].data)  # type: ignore[attr-defined]
            if not read:
                raise OSError("the file is shorter than it was")
            done += read
        return data
