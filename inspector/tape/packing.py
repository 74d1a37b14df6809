"""The encoding of bytes in the columns of a `.ddicap`: zstd, digests, MessagePack of DDI calls."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
import xxhash
import zstandard

from core.ddi.calls import DdiCall
from core.errors import TapeError
from inspector.progress import spans
from inspector.tape.columns import zeros

UNPACKED_LIMIT = 1 << 30
LONGEST = 1 << 34  # bytes of a column of the caches, which is unpacked into a mapped file
ALWAYS_INLINE = frozenset({"commands", "sources"})  # data that stands with its call, never in the blob table
ARGUMENT_BYTES = 1 << 20  # of a call's arguments, and of its results
BYTES_A_PIECE = 1 << 24  # that are packed between two looks at Stop
SAMPLE = 512  # bytes from the middle of data, which tell whether compressing the rest is worth the time
FRAME, SIZED, CHECKED = b"\x28\xb5\x2f\xfd", 0xA0, 4  # magic number; descriptor: one segment, a size of four bytes, no checksum
LARGEST_BLOCK = 1 << 17
_local = threading.local()
_append = msgspec.msgpack.Encoder(enc_hook=lambda value: _plain(value)).encode_into
_Reference = Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=UNPACKED_LIMIT)]], msgspec.Meta(min_length=2, max_length=2)]
_Row = tuple[msgspec.Raw, dict[str, bytes | _Reference], int, msgspec.Raw]
_decoder = msgspec.msgpack.Decoder(list[_Row])
_arguments = msgspec.msgpack.Decoder(dict[str, Any])


class BlobRef(NamedTuple):
    """Bytes kept in the blob table."""

    id: int
    size: int


class Head(NamedTuple):
    """One row per DDI call: entry id u2, DP2 records u4, source API call i8."""

    entry: np.ndarray
    records: np.ndarray
    source: np.ndarray

    def pack(self, packed: Callable[[bytes], bytes] | None = None) -> bytes:
        """packed: how it is compressed, else with `compress`."""
        return (packed or compress)(b"".join((self.entry.tobytes(), self.records.tobytes(), self.source.tobytes())))

    @classmethod
    def unpack(cls, data: bytes, calls: int) -> Head:
        """Raises TapeError if `data` does not hold `calls` rows."""
        raw = decompress(data)
        if len(raw) != 14 * calls:
            raise TapeError(f"an index of {calls} calls has {len(raw)} bytes")
        return cls(
            np.frombuffer(raw, "<u2", calls),
            np.frombuffer(raw, "<u4", calls, 2 * calls),
            np.frombuffer(raw, "<i8", calls, 6 * calls),
        )


def compress(data: Any) -> bytes:
    """A zstd frame with the size and a checksum of its content."""
    if not hasattr(_local, "compressor"):
        _local.compressor = zstandard.ZstdCompressor(level=1, write_checksum=True)
    return _local.compressor.compress(data)


def compress_quickly(data: Any) -> bytes:
    """A zstd frame with the size of its content, for a row with a digest in a file that is easily made again: in two thirds of
    the time, half as large again."""
    if not hasattr(_local, "quick"):
        _local.quick = zstandard.ZstdCompressor(level=-1)
    return _local.quick.compress(data)


def store(data: Any) -> bytes:
    """A zstd frame for a file that is easily made again: compressed if the middle of the data shrinks to a quarter, which is
    quick then; else as `uncompressed`."""
    view = memoryview(data).cast("B")
    middle = max(len(view) - SAMPLE, 0) >> 1
    sample = view[middle : middle + SAMPLE]
    return compress_quickly(view) if 4 * len(compress_quickly(sample)) < len(sample) else uncompressed(view)


def uncompressed(data: memoryview) -> bytes:
    """A zstd frame of raw blocks (RFC 8878, 3.1.1): made by copying, and read by every decoder.  It has no checksum: what it
    holds has a digest in its row."""
    parts: list[Any] = [FRAME, bytes((SIZED,)), len(data).to_bytes(4, "little")]
    for begin in range(0, len(data) or 1, LARGEST_BLOCK):
        block = data[begin : begin + LARGEST_BLOCK]
        is_last = begin + LARGEST_BLOCK >= len(data)
        parts += (len(block) << 3 | is_last).to_bytes(3, "little"), block
    return b"".join(parts)


def shrunk(frame: Any) -> Any:
    """A column for a file that is kept: compressed again if it was stored quickly, which the lack of a checksum tells; else,
    and if it is damaged, as it is."""
    if not isinstance(frame, bytes) or frame[:4] != FRAME or len(frame) < 5 or frame[4] & CHECKED:
        return frame
    try:
        return compress(decompress(frame))
    except TapeError:
        return frame


def decompress(data: bytes) -> bytes:
    """Raises TapeError on damage, or on a frame that claims more than UNPACKED_LIMIT bytes."""
    if not hasattr(_local, "decompressor"):
        _local.decompressor = zstandard.ZstdDecompressor()
    try:
        size = zstandard.frame_content_size(data)
        if not 0 <= size <= UNPACKED_LIMIT:
            raise TapeError(f"a compressed column claims {size} bytes")
        return _local.decompressor.decompress(data)
    except zstandard.ZstdError as error:
        raise TapeError("a compressed column is damaged") from error


def compress_in_pieces(array: np.ndarray) -> bytes:
    """`compress` of an array's bytes, which may be very many.  Raises Cancelled."""
    data = array.reshape(-1).view(np.uint8)
    packer = zstandard.ZstdCompressor(level=1, write_checksum=True).compressobj(size=len(data))
    return b"".join([*(packer.compress(data[span].data) for span in spans(len(data), BYTES_A_PIECE)), packer.flush()])


def decompress_in_pieces(data: bytes, dtype: np.dtype) -> np.ndarray:
    """The array of such bytes, which can be written to.  Raises TapeError as `decompress`, ValueError; Cancelled."""
    size = unpacked_size(data)
    if not 0 < size <= LONGEST:
        raise TapeError(f"a compressed column claims {size} bytes")
    found = zeros(size, np.uint8)
    try:
        reader = zstandard.ZstdDecompressor().stream_reader(data)
        done = sum(_filled(reader, found[span]) for span in spans(size, BYTES_A_PIECE))
        if done != size or reader.read(1):
            raise TapeError("a compressed column is damaged")
    except zstandard.ZstdError as error:
        raise TapeError("a compressed column is damaged") from error
    return found.view(dtype)


def _filled(reader: Any, room: np.ndarray) -> int:
    """Fills the room; how many bytes there were for it."""
    done = 0
    while done < len(room) and (count := reader.readinto(room[done:])):
        done += count
    return done


def unpacked_size(data: bytes) -> int:
    """Bytes that a compressed column claims to hold; 0 if it is none."""
    try:
        return max(zstandard.frame_content_size(data), 0)
    except zstandard.ZstdError:
        return 0


def row_digest(*parts: bytes) -> int:
    """xxh3-64 of the parts, as SQLite's signed integer."""
    state = xxhash.xxh3_64()
    for part in parts:
        state.update(part)
    return int(np.uint64(state.intdigest()).astype(np.int64))


BODY_BEGINS = b"\xdd\0\0\0\0"
"""A MessagePack array of a number of elements that `end_body` writes."""


def pack_call(call: DdiCall, data: dict[str, Any], body: bytearray) -> None:
    """Appends one element to a batch's body.

    Raises TapeError for values that are not numbers, strings, bytes or lists of them.
    """
    end = len(body)
    try:
        _append((call.args, data, call.result, call.out), body, -1)
    except (TypeError, OverflowError, ValueError) as error:
        del body[end:]
        raise TapeError(f"a {call.entry} call cannot be recorded: {error}") from error


def end_body(body: bytearray, calls: int) -> None:
    """Says how many calls were appended to what was BODY_BEGINS."""
    body[1:5] = calls.to_bytes(4, "big")


def unpack_body(data: bytes, calls: int) -> list[_Row]:
    """The rows (args, data, result, out) of a body.  Raises TapeError if they are not what the schema says."""
    try:
        rows = _decoder.decode(decompress(data))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise TapeError("a batch holds something else than calls") from error
    if len(rows) != calls:
        raise TapeError(f"a batch does not hold {calls} calls")
    return rows


def unpack_arguments(data: msgspec.Raw) -> dict[str, Any]:
    """The arguments or results of one row.  Raises TapeError for other bytes, and for very many."""
    if len(data) > ARGUMENT_BYTES:
        raise TapeError(f"the arguments of a call have {len(data):,} bytes")
    try:
        return _arguments.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise TapeError("a call has something else than arguments") from error


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a number, string, bytes or list of them")
