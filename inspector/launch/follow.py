"""The number of calls and frames in a trace, while the program is still writing it.

apitrace writes snappy blocks, one after another; each look reads the blocks that are complete since the last one.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import cramjam
import numpy as np

from core.errors import TraceError
from core.runtime.calls.values import PADDING
from inspector.imports.containers import SNAPPY_LIMIT, unsnapped
from inspector.imports.decoder import Decoder, header

MAGIC = b"at"
MOST_AT_ONCE = 1 << 24
"""Bytes of a file that one look reads."""


@dataclass(frozen=True)
class Progress:
    """`size`: bytes of the file.  Calls and frames are those in complete blocks."""

    calls: int = 0
    frames: int = 0
    size: int = 0

    def text(self) -> str:
        size = f"{self.size / (1 << 20):,.1f} MB" if self.size >= 1 << 20 else f"{-(-self.size // 1024)} KB"
        return f"{self.calls:,} call{'s' * (self.calls != 1)}, {self.frames:,} frame{'s' * (self.frames != 1)}, {size}"


class Follower:
    """Counts in a growing trace: `look()` as often as one likes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._position = 0
        self._data = b""
        self._begun = False
        self._decoder = Decoder()
        self._frames = 0
        self._broken = False

    def look(self) -> Progress:
        """What is there now; the last counts of calls and frames if the file cannot be followed."""
        size = 0
        with suppress(OSError), self.path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if not self._broken:
                self._read(file)
        return Progress(self._decoder.first, self._frames, size)

    def _read(self, file: BinaryIO) -> None:
        file.seek(self._position)
        data = file.read(MOST_AT_ONCE)
        at = 0
        if not self._position:
            if len(data) < len(MAGIC):
                return
            self._broken = not data.startswith(MAGIC)
            at = len(MAGIC)
        pieces = [self._data]
        while not self._broken and (length := int.from_bytes(data[at : at + 4], "little")) and at + 4 + length <= len(data):
            pieces.append(self._unpacked(data[at + 4 : at + 4 + length]))
            at += 4 + length
        self._position += at
        self._data = b"".join(pieces)
        if len(pieces) > 1 and not self._broken:
            self._count()

    def _unpacked(self, block: bytes) -> bytes:
        try:
            if (size := cramjam.snappy.decompress_raw_len(block)) <= SNAPPY_LIMIT:
                return unsnapped(block, size).tobytes()
        except cramjam.DecompressionError:
            pass
        self._broken = True
        return b""

    def _count(self) -> None:
        """Takes whole calls off the front of what is unpacked."""
        try:
            begin = 0 if self._begun else header(self._data)[2]
            self._begun = True
            data = np.frombuffer(bytearray(self._data) + bytes(PADDING), np.uint8)
            while True:
                calls, offset = self._decoder.decode(data, begin, len(self._data), False)
                begin = offset
                if not len(calls):
                    break
                presents = [n for n, function in self._decoder.names.functions.items() if function.name.endswith("::Present")]
                self._frames += int(np.isin(calls.calls["signature"], presents).sum())
            self._data = self._data[begin:]
        except (TraceError, ValueError, IndexError):  # a header that is not complete; or no trace
            self._broken = self._begun
