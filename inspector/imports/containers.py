"""Compressed containers, read in small pieces.

A trace is one stream of bytes inside a container that its first bytes name: `at` is a list of raw snappy blocks (apitrace's
own), `1f 8b` gzip, `28 b5 2f fd` zstd (plain or seekable), anything else a raw brotli stream.  No piece is larger than
about `PIECE` bytes (a snappy block: `SNAPPY_LIMIT`), whatever the file claims: small pieces stay in the cache, and a file
that unpacks to a thousand times its size costs time but never memory.
Source: apitrace docs/FORMAT.markdown, lib/trace/trace_file_{read,snappy,zlib,brotli,zstd}.cpp; RFC 8878 (zstd frames).
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import brotli
import cramjam
import numpy as np
import zstandard

from core.errors import TraceError, cannot
from inspector.imports import unbrotli
from inspector.imports.follow import TAIL, Following, holds
from inspector.imports.hashed import HashedFile

PIECE = 1 << 18
NOTHING_YET = b""
SNAPPY_LIMIT = 1 << 26
ZSTD_WINDOW_LIMIT = 1 << 27
_BROKEN = (zlib.error, zstandard.ZstdError, brotli.error, cramjam.DecompressionError)


class Container:
    """The unpacked bytes of a file, by iterating.

    `position` is how many bytes of the file have been consumed, `size` how many there are.  A container that ends
    before its end mark yields what it holds and then sets `cut`; one that holds wrong bytes raises `TraceError`.
    `least`: how many bytes a cut file should have at least, 0 where nothing tells.  `overwritten`: while it was followed, the
    file was cut or written over; it ends before that.
    """

    def __init__(
        self, path: Path, following: Following | None = None, look: Callable[[], object] = lambda: None,
        hashes: bool = True,
    ) -> None:  # fmt: skip
        """following: goes on after the end of snappy blocks as long as more are written, and yields NOTHING_YET before
        each look.  look: called while there is reading, also of what yields nothing; what it raises ends that.
        hashes: whether there is a digest afterwards."""
        self.path = path
        self._following = following
        self.position = 0
        self.cut = False
        self.least = 0
        self.overwritten = False
        self._gave, self._tail = False, b""
        self.following: Following | None = None
        """While iterating, of a file that can be followed."""
        self.room: np.ndarray | None = None
        """uint8: where the next piece may be put, set by whoever iterates; such a piece is a view of its beginning."""
        try:
            self._hashed = HashedFile(open(path, "rb"), look, hashes)  # noqa: SIM115 - closed at exit
            self._file = cast(BinaryIO, self._hashed)
            self.size = os.fstat(self._hashed.fileno()).st_size
        except OSError as error:
            raise TraceError(cannot("open", path, error)) from error
        self.kind = _kind(self._file.read(4))
        self._file.seek(0)

    def __enter__(self) -> Container:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def digest(self) -> str:
        """What the file is known by (hashed.FileHash): reads only what iterating has not."""
        return self._hashed.digest()

    def __iter__(self) -> Iterator[bytes | np.ndarray]:
        """Each piece as bytes, or, where there was `room`, as the part of it that holds them now."""
        if not self.size:
            raise TraceError(f"{self.path}: the file is empty")
        if self._following is not None and self.kind == "snappy":
            self.following = self._following
        unpack = {"snappy": self._snappy, "gzip": self._gzip, "zstd": self._zstd, "brotli": self._brotli}[self.kind]
        try:
            for piece in unpack():
                yield piece
                self._gave = True
        except _BROKEN as error:
            raise TraceError(self._broken()) from error
        except OSError as error:
            raise TraceError(cannot("read", f"{self.path} at byte {self.position}", error)) from error

    def _broken(self) -> str:
        if not self._gave and self.kind in ("snappy", "brotli"):  # containers whose first bytes say next to nothing
            return f"{self.path}: not an apitrace trace: it begins with no snappy, gzip, zstd or brotli stream"
        return f"{self.path}: the {self.kind} stream is damaged near byte {self.position} of {self.size}"

    def _take(self, count: int) -> bytes:
        data = self._file.read(count)
        self.position += len(data)
        self._tail = (self._tail + data[-TAIL:])[-TAIL:]
        return data

    def _more(self, begun: bytes, count: int) -> Generator[bytes, None, bytes]:
        """`begun`, which is shorter than `count` bytes, with what is written after it; NOTHING_YET before each look."""
        while len(begun) < count and self.following is not None and self.following.wait(self._file.fileno()):
            yield NOTHING_YET
            self.following.pause()
            if not holds(self._file.fileno(), self.position, self._tail):
                self.overwritten, self.following = True, None
                break
            if new := self._take(count - len(begun)):
                self.following.more()
                begun += new
                self.size = max(self.size, self.position)
        return begun

    def _snappy(self) -> Iterator[bytes | np.ndarray]:
        self._take(2)
        while head := (yield from self._more(self._take(4), 4)):
            if len(head) < 4:
                self.cut = True
                return
            length = int.from_bytes(head, "little")
            if not length:
                return
            if length > SNAPPY_LIMIT:
                raise TraceError(self._broken())
            block = yield from self._more(self._take(length), length)
            if len(block) < length:
                self.cut, self.least = True, self.position - len(block) + length
                return
            if (size := cramjam.snappy.decompress_raw_len(block)) > SNAPPY_LIMIT:
                raise TraceError(self._broken())
            if self.room is not None and size <= len(self.room):
                yield unsnapped(block, size, self.room)
            else:
                yield unsnapped(block, size).tobytes()

    def _gzip(self) -> Iterator[bytes]:
        stream = zlib.decompressobj(31)
        rest = b""
        while chunk := rest or self._take(PIECE):
            yield stream.decompress(chunk, PIECE)
            rest = stream.unconsumed_tail
            if stream.eof:
                rest = stream.unused_data
                if not rest.startswith(b"\x1f\x8b"):
                    return
                stream = zlib.decompressobj(31)
        while not stream.eof and (tail := stream.decompress(stream.unconsumed_tail, PIECE)):
            yield tail
        self.cut = not stream.eof

    def _zstd(self) -> Iterator[bytes]:
        reader = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW_LIMIT).stream_reader(
            self._file, read_size=PIECE, read_across_frames=True, closefd=False
        )
        while piece := reader.read(PIECE):
            self.position = self._file.tell()
            yield piece
        self.cut = not _zstd_whole(self._file, self.size)

    def _brotli(self) -> Iterator[bytes | np.ndarray]:
        if not unbrotli.Decoder.is_available():
            yield from self._brotli_by_package()
            return
        has_ended = False
        with unbrotli.Decoder() as decoder:
            while not (decoder.is_done or has_ended):
                if not decoder.left:
                    decoder.give(self._take(PIECE))
                    has_ended = not decoder.left
                while not decoder.is_done and (count := decoder.fill(room := self._room())):
                    yield room[:count]
            self.cut = not decoder.is_done

    def _room(self) -> np.ndarray:
        return np.empty(PIECE, np.uint8) if self.room is None else self.room[:PIECE]

    def _brotli_by_package(self) -> Iterator[bytes]:
        """The decoder raises when a chunk goes on after the stream's end, and loses what it decoded of that chunk.

        Then it looks for the end, that chunk byte by byte, which raises if the stream is damaged; and decodes up to there.
        """
        given = 0
        try:
            for piece in self._brotli_in([PIECE] * (self.size // PIECE + 1)):
                given += len(piece)
                yield piece
            return
        except brotli.error:
            whole = (self.position - 1) // PIECE
        self._rewind()
        for _ in self._brotli_in([PIECE] * whole + [1] * PIECE):
            pass
        last = self.position - whole * PIECE
        self._rewind()
        for piece in self._brotli_in([PIECE] * whole + [last]):
            yield piece[given:]
            given = max(given - len(piece), 0)

    def _rewind(self) -> None:
        self._file.seek(0)
        self.position = 0

    def _brotli_in(self, chunks: Iterable[int]) -> Iterator[bytes]:
        """The stream, read to its end in chunks of this many bytes."""
        stream, sizes = brotli.Decompressor(), iter(chunks)
        while not stream.is_finished() and (chunk := self._take(next(sizes, 0))):
            yield stream.process(chunk, output_buffer_limit=PIECE)
            while not stream.is_finished() and not stream.can_accept_more_data():
                yield stream.process(b"", output_buffer_limit=PIECE)
        while not stream.is_finished() and (tail := stream.process(b"", output_buffer_limit=PIECE)):
            yield tail
        self.cut = not stream.is_finished()


def unsnapped(block: bytes, size: int, room: np.ndarray | None = None) -> np.ndarray:
    """A snappy block, unpacked to the beginning of `room`, else into memory of its own; size: what decompress_raw_len says.

    Raises cramjam.DecompressionError; MemoryError: memory that cramjam itself asks for ends the process if there is none.
    """
    found = (np.empty(size, np.uint8) if room is None else room)[:size]
    return found[: cramjam.snappy.decompress_raw_into(block, found.data)]


def _kind(magic: bytes) -> str:
    if magic[:2] == b"at":
        return "snappy"
    if magic[:2] == b"\x1f\x8b":
        return "gzip"
    return "zstd" if magic == b"\x28\xb5\x2f\xfd" else "brotli"


class _Window:
    """Few bytes of a file at a time, at growing offsets, MOST times: frames and blocks may be empty."""

    SIZE = 1 << 12
    MOST = 1 << 22  # blocks of 400 GB

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._data, self._start, self.left = file, b"", 0, self.MOST

    def bytes(self, at: int, count: int) -> bytes:
        """Fewer at the end of the file, none after MOST times."""
        self.left -= 1
        if self.left < 0:
            return b""
        begin = at - self._start
        if begin < 0 or begin + count > len(self._data):
            self._file.seek(at)
            self._data, self._start, begin = self._file.read(self.SIZE), at, 0
        return self._data[begin : begin + count]


def _zstd_whole(file: BinaryIO, size: int) -> bool:
    """Whether the file ends with a frame's end, as far as anybody looks; the decoder itself does not tell."""
    at, window = 0, _Window(file)
    while 0 <= at < size:
        at = _after_zstd_frame(window, at)
    return at == size or window.left < 0


def _after_zstd_frame(window: _Window, at: int) -> int:
    """Offset after the frame that begins at `at`; past the file if it breaks off, negative if none begins there."""
    head = window.bytes(at, 14).ljust(14, b"\0")
    if head[0] & 0xF0 == 0x50 and head[1:4] == b"\x2a\x4d\x18":
        return at + 8 + int.from_bytes(head[4:8], "little")
    if head[:4] != b"\x28\xb5\x2f\xfd":
        return -1
    single = head[4] >> 5 & 1
    at += 5 + (1 - single) + (0, 1, 2, 4)[head[4] & 3] + (single, 2, 4, 8)[head[4] >> 6]
    last = 0
    while not last:
        block = window.bytes(at, 3)
        if len(block) < 3:
            return at + 3
        word = int.from_bytes(block, "little")
        last = word & 1
        at += 3 + (1 if word >> 1 & 3 == 1 else word >> 3)
    return at + (4 if head[4] & 4 else 0)
