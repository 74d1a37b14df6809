"""The listing of a tape in a cache file: the next opening maps it, and decodes no call.

    magic, length and xxh3-64 of the head, the head in MessagePack (Head), then the columns one after the other, each at a
    multiple of its item's size

The file is named by the tape and by the program text that lists.  What is missing, short or damaged counts as not there:
kernels follow the offsets in the rows without looking.
"""

from __future__ import annotations

import logging
import mmap
import os
import struct
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import xxhash

from core.folders import limit, remove_abandoned, remove_oldest, user_folder
from core.sources import digest_of_packages
from inspector.log import timed
from inspector.timeline.events import EVENT, Failed, StreamError
from inspector.timeline.listing import Listing

if TYPE_CHECKING:
    from inspector.tape import MemoryTape, Tape

log = logging.getLogger(__name__)
MAGIC = b"DDILIST1"
START = struct.Struct("<8sQQ")
ALIGNED = 64
LEAST = 4096  # calls of a tape whose listing is kept: fewer are listed in no time
DTYPES: tuple[np.dtype, ...] = (EVENT, np.dtype(np.uint8), np.dtype(np.int64), np.dtype(np.int64), np.dtype(np.int64))
BYTES_A_CALL = 1 << 15  # that can be hashed in half of the time that listing a call takes
_MAKERS = ("core", "inspector.tape", "inspector.timeline")


class Head(msgspec.Struct, array_like=True):
    """What stands before the columns: rows, commands, first events, bases, presentations; `digest`: xxh3-64 of them all."""

    calls: int
    counts: tuple[int, int, int, int, int]
    digest: int
    errors: list[tuple[int, int, str]]
    failed: list[tuple[int, int, int]]


def name_of(tape: Tape | MemoryTape) -> str:
    """What names a tape in caches; "" where finding that out takes longer than listing."""
    if tape.known_as or len(tape.calls) < LEAST or tape.path is None:
        return tape.known_as
    try:
        return tape.digest if os.stat(tape.path).st_size < BYTES_A_CALL * len(tape.calls) else ""
    except OSError:
        return ""


def path_of(tape: str) -> Path:
    """Where the listing of a tape is kept; `tape` names it in caches.  OSError."""
    return user_folder("derived") / f"{tape}-{digest_of_packages(*_MAKERS)}.events"


def keep(tape: str, listing: Listing) -> bool:
    """Keeps a whole listing; False if it is short, or that is not possible."""
    if not tape or listing.calls < LEAST:
        return False
    try:
        path = path_of(tape)
        remove_abandoned(path.parent, "*.part")
        with timed(log, "kept the listing of %d calls", listing.calls):
            _write(path, listing)
        remove_oldest(path, limit("derived"))
    except OSError as error:
        log.warning("the listing of events is not kept: %s", error)
        return False
    return True


def kept(tape: str, calls: int) -> Listing | None:
    """The listing of a tape of so many calls; None if none is kept that can be read."""
    if not tape or calls < LEAST:
        return None
    try:
        path = path_of(tape)
        found = _read(path, calls)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    with suppress(OSError):
        os.utime(path)  # its age decides what to remove first
    return found


def _write(path: Path, listing: Listing) -> None:
    columns = [np.ascontiguousarray(column, dtype) for column, dtype in zip(listing.columns(), DTYPES, strict=True)]
    counts = tuple(len(column) for column in columns)
    errors = [(error.call, error.offset, error.sentence) for error in listing.errors]
    failed = [(call, one.result, one.first) for call, one in listing.failed.items()]
    head = msgspec.msgpack.encode(Head(listing.calls, counts, _digest(columns), errors, failed))  # type: ignore[arg-type]
    handle, part = tempfile.mkstemp(".part", path.name[:16], path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(START.pack(MAGIC, len(head), xxhash.xxh3_64_intdigest(head)) + head)
            for column in columns:
                file.write(bytes(-file.tell() % ALIGNED))
                file.write(column.view(np.uint8).data)
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise


def _digest(columns: list[np.ndarray]) -> int:
    state = xxhash.xxh3_64()
    for column in columns:
        state.update(column.view(np.uint8).data)
    return state.intdigest()


def _read(path: Path, calls: int) -> Listing | None:
    with open(path, "rb") as file:
        magic, length, digest = START.unpack(file.read(START.size).ljust(START.size, b"\0"))
        size = os.fstat(file.fileno()).st_size
        data = file.read(length) if magic == MAGIC and length <= size else b""
        if not data or xxhash.xxh3_64_intdigest(data) != digest:
            return None
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)  # kernels take no arrays that are read-only
    head = msgspec.msgpack.decode(data, type=Head)
    columns, at = [], START.size + length
    for dtype, count in zip(DTYPES, head.counts, strict=True):
        at += -at % ALIGNED
        if at + count * dtype.itemsize > len(memory):
            return None
        columns.append(np.frombuffer(memory, dtype, count, at) if count else np.zeros(0, dtype))
        at += count * dtype.itemsize
    if head.calls != calls or _digest(columns) != head.digest:
        return None
    errors = [StreamError(*error) for error in head.errors]
    failed = {call: Failed(result, first) for call, result, first in head.failed}
    return Listing.of_columns(calls, columns, errors, failed)
