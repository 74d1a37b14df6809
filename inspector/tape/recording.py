"""The file of the recorder for drivers, `.ddirec` (resources/ddi_record.h describes every byte): reading and packing records.

A recording is a stranger's file that may end anywhere: every size is checked against what is left of the file before it is
used, every record carries checksums, and what comes before the first broken record is used.
"""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import BadInput, TraceError, cannot

MAGIC = b"DDIREC\x1a\n"
VERSION = 1
MARK = 0x44445231
HEADER = struct.Struct("<8sHHIIQI")
HEAD = struct.Struct("<10I")
FIELD = struct.Struct("<BBHI")
LARGEST = 1 << 28  # bytes of a payload
LONGEST_NAME = 64
PENDING = 1
ARGUMENT, RESULT, DATA = range(3)
U32, I32, F32, U32S, I32S, F32S, TEXT, BYTES, BLOB, SAME = range(1, 11)
_LETTERS = {U32: "I", I32: "i", F32: "f"}


def shifted(places: Any, by: int) -> Any:
    """An offset, or several, this much further on; never before the beginning.

    A recording counts from lpDDCommands' memory, a tape from the commands that are kept.
    """
    if isinstance(places, tuple | list):
        return tuple(shifted(place, by) for place in places)
    return max(places + by, 0) if isinstance(places, int) else places


class Broken(Exception):
    """A record that cannot be read: one sentence."""


@dataclass(slots=True)
class Record:
    """One recorded call, at byte `offset` of the file; `time` in ticks (0: unknown)."""

    entry: str
    result: int = 0
    flags: int = 0
    thread: int = 0
    time: int = 0
    offset: int = 0
    args: dict[str, Any] = field(default_factory=dict)
    out: dict[str, Any] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)


class RecordingFile:
    """The records of a file, one after the other; iterate once.

    `size`: bytes of the file; `ticks`: of its clock in a second, 0 without; `position`: how far it has been read; after the
    last record `problem` says why there are no more, empty if the file simply ends.
    """

    def __init__(
        self, path: Path, wait: Callable[[int], bool] | None = None, through: Callable[[BinaryIO], BinaryIO] | None = None
    ) -> None:
        """wait(descriptor): at the end of a file that is still being written: whether to look again.  through: what reads
        the file that is opened, as who hashes it in passing.

        Raises TraceError for what is not a recording.
        """
        self.path, self._wait = path, wait
        try:
            file: BinaryIO = io.BufferedReader(io.FileIO(path))
            self._file = through(file) if through else file
            self.size = os.fstat(self._file.fileno()).st_size
            head = self._file.read(HEADER.size)
        except OSError as error:
            raise TraceError(cannot("read", path, error)) from error
        try:
            self.ticks, self.position = self._check_header(head)
        except TraceError:
            self._file.close()
            raise
        self.problem = ""
        self._file.seek(self.position)
        self._blobs: list[tuple[int, int]] = []  # offset and bytes, by number
        self.is_cut = False
        """Whether the record that was read last goes on after the end of the file."""

    def __enter__(self) -> RecordingFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _check_header(self, head: bytes) -> tuple[int, int]:
        if len(head) < HEADER.size:
            raise TraceError(f"{self.path}: a recording starts with {HEADER.size} bytes, found {len(head)}")
        magic, version, _, size, ticks, _, checksum = HEADER.unpack(head)
        if magic != MAGIC:
            raise TraceError(f"{self.path}: not a recording")
        if version != VERSION:
            raise TraceError(f"{self.path}: version {version} of the format; DDI Inspector reads version {VERSION}")
        if zlib.crc32(head[:28]) != checksum or not HEADER.size <= size <= 4096:
            raise TraceError(f"{self.path}: the header of the recording is damaged")
        return ticks, size

    def __iter__(self) -> Iterator[Record]:
        number = 0
        while self.position < self.size or self._has_more():
            try:
                yield self._next(number)
            except Broken as reason:
                if self.is_cut and self._has_more():
                    continue
                self.problem = self.problem or f"The recording breaks off at byte {self.position:,}: {reason}."
                return
            number += 1

    def _has_more(self) -> bool:
        """Waits at the end of a file that is still being written; then reading goes on before the record that is cut."""
        size = self.size
        while self._wait is not None and self.size == size and self._wait(self._file.fileno()):
            self.size = self._file.seek(0, io.SEEK_END)
        self._file.seek(self.position)
        if self.size < size:
            self.problem = f"The recording was overwritten while it was being read, after byte {self.position:,}."
        return self.size > size

    def _next(self, number: int) -> Record:
        start = self.position
        self.is_cut = False
        head = self._file.read(HEAD.size)
        if len(head) < HEAD.size:
            self.is_cut = True
            raise Broken(f"record {number} has {len(head)} of the {HEAD.size} bytes of its header")
        mark, size, counted, result, flags, thread, low, high, payload_crc, head_crc = HEAD.unpack(head)
        if mark != MARK or zlib.crc32(head[:36]) != head_crc:
            raise Broken(f"the header of record {number} is damaged")
        if counted != number & 0xFFFFFFFF:
            raise Broken(f"found record {counted}, expected record {number}")
        left = self.size - start - HEAD.size
        if size > LARGEST or size & 3:
            raise Broken(f"record {number} claims {size:,} bytes")
        if size > left:
            self.is_cut = True
            raise Broken(f"record {number} has {size:,} bytes, {left:,} are left")
        payload = self._file.read(size)
        if len(payload) != size or zlib.crc32(payload) != payload_crc:
            raise Broken(f"the contents of record {number} are damaged")
        record = Record("", result, flags, thread, low | high << 32, start)
        blobs = len(self._blobs)
        try:
            self._fill(record, payload, start + HEAD.size)
        except Broken:
            del self._blobs[blobs:]
            raise
        self.position = start + HEAD.size + size
        return record

    def _fill(self, record: Record, payload: bytes, base: int) -> None:
        length = int.from_bytes(payload[:4], "little")
        record.entry = _name(payload, 4, length)
        at = 4 + _padded(length)
        while at < len(payload):
            if at + FIELD.size > len(payload):
                raise Broken(f"a field of {record.entry} is cut short")
            role, kind, length, size = FIELD.unpack_from(payload, at)
            name = _name(payload, at + FIELD.size, length)
            begin = at + FIELD.size + _padded(length)
            at = begin + _padded(size)
            if at > len(payload):
                raise Broken(f"the field {name} of {record.entry} claims {size:,} bytes")
            self._enter(record, role, kind, name, payload[begin : begin + size], base + begin)

    def _enter(self, record: Record, role: int, kind: int, name: str, value: bytes, place: int) -> None:
        if role == DATA:
            record.data[name] = self._bytes(kind, name, value, place)
        elif role in (ARGUMENT, RESULT):
            (record.args if role == ARGUMENT else record.out)[name] = _value(kind, name, value)

    def _bytes(self, kind: int, name: str, value: bytes, place: int) -> bytes:
        if kind == BLOB:
            self._blobs.append((place, len(value)))
        elif kind == SAME and len(value) == 4:
            number = int.from_bytes(value, "little")
            if number >= len(self._blobs):
                raise Broken(f"the field {name} repeats blob {number} of {len(self._blobs)}")
            return self._again(*self._blobs[number])
        elif kind != BYTES:
            raise Broken(f"the field {name} has type {kind}, which is invalid for data")
        return value

    def _again(self, offset: int, size: int) -> bytes:
        here = self._file.tell()
        self._file.seek(offset)
        value = self._file.read(size)
        self._file.seek(here)
        if len(value) != size:
            raise Broken("a repeated blob is missing")
        return value


def _padded(size: int) -> int:
    return size + 3 & ~3


def _name(payload: bytes, at: int, length: int) -> str:
    name = payload[at : at + length].decode("latin-1")
    if len(name) != length or not _is_name(name):
        raise Broken("a name is damaged")
    return name


def _is_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME and name.isascii() and name.isidentifier()


def _value(kind: int, name: str, value: bytes) -> Any:
    """A number, a tuple of numbers, or a text."""
    if kind == TEXT:
        return value.decode("utf-8", "replace")
    single = kind if kind in _LETTERS else kind - 3
    if single not in _LETTERS or len(value) % 4 or (kind in _LETTERS and len(value) != 4):
        raise Broken(f"the field {name} has type {kind} and {len(value)} bytes")
    numbers = struct.unpack(f"<{len(value) // 4}{_LETTERS[single]}", value)
    return numbers[0] if kind in _LETTERS else numbers


# ---- packing --------------------------------------------------------------------------------------------------------


def pack_header() -> bytes:
    """The first bytes of a file, without time stamps."""
    head = HEADER.pack(MAGIC, VERSION, 0, HEADER.size, 0, 0, 0)[:28]
    return head + zlib.crc32(head).to_bytes(4, "little")


def pack_record(number: int, record: Record) -> bytes:
    """One record; values are numbers, tuples of numbers, texts.  BadInput for a name that no recording can hold."""
    payload = len(record.entry).to_bytes(4, "little") + _pad(_packed_name(record.entry))
    for role, values in ((ARGUMENT, record.args), (RESULT, record.out)):
        payload += b"".join(_pack_field(role, *_packed(value), name) for name, value in values.items())
    payload += b"".join(_pack_field(DATA, BYTES, bytes(value), name) for name, value in record.data.items())
    if len(payload) > LARGEST:
        raise BadInput(f"{record.entry}: {len(payload):,} bytes do not fit into a recording: a call has at most {LARGEST:,}")
    head = HEAD.pack(MARK, len(payload), number, record.result, record.flags, record.thread, record.time & 0xFFFFFFFF,
                     record.time >> 32, zlib.crc32(payload), 0)[:36]  # fmt: skip
    return head + zlib.crc32(head).to_bytes(4, "little") + payload


def _pad(data: bytes) -> bytes:
    return data + bytes(-len(data) & 3)


def _pack_field(role: int, kind: int, value: bytes, name: str) -> bytes:
    return FIELD.pack(role, kind, len(name), len(value)) + _pad(_packed_name(name)) + _pad(value)


def _packed_name(name: str) -> bytes:
    if not _is_name(name):
        raise BadInput(f"{name!r} does not fit into a recording: names are identifiers of at most {LONGEST_NAME} characters")
    return name.encode("ascii")


def _packed(value: Any) -> tuple[int, bytes]:
    """(type, bytes) of an argument."""
    if isinstance(value, str):
        return TEXT, value.encode()
    numbers = value if isinstance(value, tuple | list) else (value,)
    kind = F32 if any(isinstance(n, float) for n in numbers) else I32 if any(n < 0 for n in numbers) else U32
    packed = struct.pack(f"<{len(numbers)}{_LETTERS[kind]}", *numbers)
    return (kind, packed) if numbers is not value else (kind + 3, packed)
