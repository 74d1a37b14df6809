"""Trace files unpacked, without the reader that is tested."""

from __future__ import annotations

from pathlib import Path

import brotli
import cramjam


def unpack(path: Path) -> bytes:
    """What a trace's container holds: blocks of Snappy, or one stream of Brotli."""
    raw = path.read_bytes()
    if raw[:2] != b"at":
        return brotli.decompress(raw)
    parts, at = [], 2
    while at < len(raw):
        size = int.from_bytes(raw[at : at + 4], "little")
        parts.append(bytes(cramjam.snappy.decompress_raw(raw[at + 4 : at + 4 + size])))
        at += 4 + size
    return b"".join(parts)
