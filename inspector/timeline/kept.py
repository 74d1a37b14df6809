"""Data kept in a tape's side cache between openings: the state index, and keyframes.

Values are bytes as `values` writes them, large arrays stored once each by their digest, compressed.  What cannot be read counts
as not there.  Deleting the side cache costs time and nothing else.
"""

from __future__ import annotations

import sqlite3
import threading
import weakref
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import numpy as np

from core.ddi.driver.emulated import Snapshot
from core.device.memory.surfaces import next_version, shared, skip_versions
from core.errors import TapeError
from core.folders import limit, root_folder
from inspector.tape.packing import compress, compress_in_pieces, decompress, decompress_in_pieces
from inspector.tape.side import SideCache
from inspector.timeline import values
from inspector.timeline.mapped import Mapped

UNPACKED = 2
"""Arrays of keyframes that are in memory may take as many times what is kept on disk, in a file, unpacked."""
SHARE = 2
"""One value may have arrays of as large a part of what the folder may hold."""
Value = TypeVar("Value")
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS kept_value(name TEXT PRIMARY KEY, data BLOB)",
    "CREATE TABLE IF NOT EXISTS kept_array(digest BLOB PRIMARY KEY, data BLOB)",
)
UNREADABLE = (
    TapeError, sqlite3.Error, msgspec.MsgspecError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip


class Kept:
    """The values and keyframes in a side cache; of a tape without one, none."""

    def __init__(self, side: SideCache, most: int) -> None:
        """most: bytes of the file beyond which no more keyframes are added."""
        self._side, self._most = side, most
        self.mapped = Mapped(root_folder, UNPACKED * most)
        self._arrays: weakref.WeakValueDictionary[bytes, np.ndarray] = weakref.WeakValueDictionary()
        self._positions: list[int] | None = None
        self._lock = threading.RLock()

    # ---- values
    def value(self, name: str, place: Callable[[np.ndarray], np.ndarray] = lambda array: array) -> Any:
        """What was kept under a name; None if there is nothing, or nothing readable.  Raises Cancelled.

        place(array): what is held instead of a large array.
        """
        if self._side.path is None or not self._side.path.exists():
            return None
        try:
            connection = self._side.reader()
            try:
                row = connection.execute("SELECT data FROM kept_value WHERE name = ?", (name,)).fetchone()
                return None if row is None else self._unpacked(decompress(row[0]), connection, place)
            finally:
                connection.close()
        except UNREADABLE:
            return None

    def keep(self, name: str, value: Any) -> bool:
        """Keeps a value; False if that is not possible, or would push out what else is kept.  Raises Cancelled, and nothing is
        kept."""
        if not self._side.lasts:
            return False
        try:
            data, arrays = values.packed(value)
            if sum(array.nbytes for array in arrays.values()) > limit("derived") // SHARE:
                return False
            packed = compress(data)

            def write(connection: sqlite3.Connection) -> None:
                for statement in SCHEMA:
                    connection.execute(statement)
                for digest, array in arrays.items():
                    if connection.execute("SELECT 1 FROM kept_array WHERE digest = ?", (digest,)).fetchone() is None:
                        data = compress_in_pieces(array)
                        connection.execute("INSERT INTO kept_array VALUES(?, ?)", (digest, data))
                connection.execute("INSERT OR REPLACE INTO kept_value VALUES(?, ?)", (name, packed))

            self._side.write(write)
        except (OSError, OverflowError, *UNREADABLE):
            return False
        return True

    def _unpacked(self, data: bytes, connection: sqlite3.Connection, place: Callable[[np.ndarray], np.ndarray]) -> Any:
        def read(digest: bytes, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
            if (there := self._arrays.get(digest)) is not None and there.dtype == dtype and there.shape == shape:
                return there
            (packed,) = connection.execute("SELECT data FROM kept_array WHERE digest = ?", (digest,)).fetchone()
            array = decompress_in_pieces(packed, dtype).reshape(shape)
            if (placed := place(array)) is array and dtype == np.uint8:
                placed = shared(array)
            self._arrays[digest] = placed
            return placed

        return values.unpacked(data, read)

    # ---- keyframes
    @property
    def positions(self) -> list[int]:
        """Of the keyframes there are, ascending."""
        with self._lock:
            if self._positions is None:
                found = self.value("keyframes")
                found = found if isinstance(found, list) else []
                self._positions = sorted(position for position in found if isinstance(position, int))
            return self._positions

    def before(self, target: int) -> int:
        """The last keyframe's position that is not after `target`; -1: none."""
        found = bisect_right(self.positions, target)
        return self.positions[found - 1] if found else -1

    def keep_keyframe(self, position: int, state: Snapshot) -> None:
        """Adds one, as long as there is room."""
        with self._lock:
            path = self._side.path
            if position in self.positions or path is None or (path.exists() and path.stat().st_size > self._most):
                return
            if self._most and self.keep(f"keyframe {position}", (next_version(), state)):
                self._positions = sorted([*self.positions, position])
                self.keep("keyframes", self._positions)

    def keyframe(self, position: int) -> Snapshot | None:
        """One of `positions`, its arrays mapped; None, and it is no longer one, if it cannot be read."""
        with self._lock:
            found = self.value(f"keyframe {position}", self.mapped.put)
            if not (
                isinstance(found, tuple) and len(found) == 2 and isinstance(found[0], int) and isinstance(found[1], Snapshot)
            ):
                self._positions = [other for other in self.positions if other != position]
                return None
            skip_versions(int(found[0]))
            return found[1]
