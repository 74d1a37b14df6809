"""Reading the payload of a record."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from core.device.device import Stream


def words(stream: Stream, record: Any, count: int, skip: int = 0) -> tuple[int, ...]:
    """The record's first dwords, unsigned."""
    return struct.unpack_from(f"<{count}I", stream.buffer, int(record["offset"]) + skip)


def signed(stream: Stream, record: Any, count: int, skip: int = 0) -> tuple[int, ...]:
    """The record's first dwords, signed."""
    return struct.unpack_from(f"<{count}i", stream.buffer, int(record["offset"]) + skip)


def payload(stream: Stream, record: Any, first: int, size: int) -> np.ndarray:
    """Bytes of the record."""
    at = int(record["offset"]) + first
    return stream.commands[at : at + size]
