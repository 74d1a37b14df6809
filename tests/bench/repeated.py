"""Large traces out of small ones: frames of a trace, repeated.

    python -m tests.bench.repeated IN.trace OUT.trace FIRST LAST TIMES [ENDS]

Frames FIRST..LAST-1 of IN come TIMES times more.  They should create nothing that they do not let go of.  A frame ends with a
call of the method ENDS (default: Present; of DirectDraw: Flip, or Blt).
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import NamedTuple

import cramjam
import numpy as np

from inspector.imports.containers import Container
from inspector.imports.decoder import header

BLOCK = 1 << 20
WIDE = 5  # bytes of a call number in a repeated frame


class Frame(NamedTuple):
    """Where a frame ends: after this byte, with so many calls entered and so many left."""

    stop: int
    calls: int
    leaves: int


class Trace:
    """Places in an unpacked trace: `frames`, and `leaves` (start, stop, value) of the call numbers of LEAVE events."""

    def __init__(self, data: bytes, ends: str = "Present") -> None:
        self._data = data
        self._ends = f"::{ends}"
        self._functions: dict[int, str] = {}
        self._structs: dict[int, int] = {}
        self._declared: set[tuple[int, int]] = set()
        self.leaves: list[tuple[int, int, int]] = []
        self.frames: list[Frame] = []
        self._at = header(memoryview(data))[2]
        self._entered: list[int] = []
        while self._at < len(data):
            self._event()

    def _event(self) -> None:
        kind = self._byte()
        number = -1
        if kind == 0:
            self._uint()  # thread
            self._entered.append(self._signature())
        else:
            start = self._at
            number = self._uint()
            self.leaves.append((start, self._at, number))
        while detail := self._byte():
            if detail == 1:
                self._uint()
                self._value()
            elif detail == 2:
                self._value()
            elif detail == 3 or detail == 5:
                self._uint()
            else:
                raise ValueError(f"a call stack at byte {self._at}: record without them")
        if number >= 0 and self._functions[self._entered[number]].endswith(self._ends):
            self.frames.append(Frame(self._at, len(self._entered), len(self.leaves)))

    def _signature(self) -> int:
        number = self._uint()
        if number not in self._functions:
            self._functions[number] = self._text()
            self._texts(self._uint())
        return number

    def _value(self) -> None:
        left = 1
        while left:
            left -= 1
            kind = self._byte()
            if kind in (3, 4, 13):  # signed, unsigned, pointer
                self._uint()
            elif kind in (5, 6):
                self._at += 4 if kind == 5 else 8
            elif kind in (7, 8):  # string, blob
                self._text()
            elif kind == 9:
                if self._is_new(9):
                    for _ in range(self._uint()):
                        self._text()
                        self._number()
                self._number()
            elif kind == 10:
                if self._is_new(10):
                    for _ in range(self._uint()):
                        self._text()
                        self._uint()
                self._uint()
            elif kind == 11:
                left += self._uint()
            elif kind == 12:
                left += self._members()
            elif kind == 14:
                left += 2
            elif kind == 15:
                for _ in range(self._uint()):
                    self._uint()
            elif kind > 2:
                raise ValueError(f"a value of kind {kind} at byte {self._at}")

    def _members(self) -> int:
        number = self._uint()
        if number not in self._structs:
            self._text()
            self._structs[number] = self._uint()
            self._texts(self._structs[number])
        return self._structs[number]

    def _number(self) -> None:
        self._at += 1
        self._uint()

    def _is_new(self, kind: int) -> bool:
        key = kind, self._uint()
        fresh = key not in self._declared
        self._declared.add(key)
        return fresh

    def _texts(self, count: int) -> None:
        for _ in range(count):
            self._text()

    def _text(self) -> str:
        size = self._uint()
        self._at += size
        return self._data[self._at - size : self._at].decode("latin-1")

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _uint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7


def repeat(source: Path, target: Path, first: int, last: int, times: int, ends: str = "Present") -> int:
    """Writes the trace (snappy); how many calls it has."""
    with Container(source) as container:
        data = b"".join(container)
    trace = Trace(data, ends)
    begin, end = trace.frames[first], trace.frames[last]
    piece, places, numbers = _widened(data, begin, end, trace.leaves)
    each = end.calls - begin.calls
    with open(target, "wb") as file:
        file.write(b"at")
        _write(file, data[: begin.stop])
        for time in range(times + 1):
            value = numbers + time * each
            for i in range(WIDE):
                piece[places + i] = (value >> 7 * i & 127) | (128 if i < WIDE - 1 else 0)
            _write(file, piece.tobytes())
        file.write(struct.pack("<I", 0))
    return begin.calls + (times + 1) * each


def _widened(
    data: bytes, begin: Frame, end: Frame, leaves: list[tuple[int, int, int]]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """The bytes between two ends of frames, with call numbers of five bytes; where these are, and what they were."""
    out, at, places, numbers = bytearray(), begin.stop, [], []
    for start, stop, number in leaves[begin.leaves : end.leaves]:
        out += data[at:start]
        places.append(len(out))
        numbers.append(number)
        out += bytes(WIDE)
        at = stop
    out += data[at : end.stop]
    return np.frombuffer(bytes(out), np.uint8).copy(), np.array(places), np.array(numbers)


def _write(file: object, data: bytes) -> None:
    for at in range(0, len(data), BLOCK):
        packed = bytes(cramjam.snappy.compress_raw(data[at : at + BLOCK]))
        file.write(struct.pack("<I", len(packed)) + packed)  # type: ignore[attr-defined]


if __name__ == "__main__":
    given = sys.argv
    print(f"{repeat(Path(given[1]), Path(given[2]), *map(int, given[3:6]), *given[6:7]):,} calls")
