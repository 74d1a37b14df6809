"""Traces that are read in small pieces, so that captures of every length are handed out."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector import reading
from inspector.imports import stream
from inspector.tape import writer
from tests.inspector.imports import trace_file


def in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk is a few calls, a batch too, and every frame that ends is handed out."""
    monkeypatch.setattr(stream, "BUFFER", 1 << 7)
    monkeypatch.setattr(writer, "BATCH_CALLS", 4)
    monkeypatch.setattr(reading, "GROWTH", 1.0)
    monkeypatch.setattr(reading, "SOONEST", 0.0)


def long_trace(folder: Path, frames: int, rest: bytes = b"") -> Path:
    """A trace of small frames, with this after its last whole call."""
    path = folder / "long.trace"
    path.write_bytes(trace_file.snappy(trace_file.small_program(frames).bytes() + rest, 1 << 8))
    return path
