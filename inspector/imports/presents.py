"""The frames of a trace without importing it: its calls are decoded, not executed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.errors import TraceError
from core.runtime.calls.columns import Calls
from inspector.imports import is_trace
from inspector.imports.stream import TraceStream
from inspector.progress import Progress

FRAME = np.dtype([("call", "i8"), ("calls", "i8"), ("draws", "i8")])
"""A frame's first API call, how many it has, and how many of them draw."""

PRESENTS = ("IDirect3DDevice8::Present", "IDirect3DSwapChain8::Present")
DRAWS = frozenset(f"IDirect3DDevice8::Draw{name}" for name in (
    "Primitive", "IndexedPrimitive", "PrimitiveUP", "IndexedPrimitiveUP", "RectPatch", "TriPatch",
))  # fmt: skip
MOST_FRAMES = 1 << 22
"""Nineteen hours of them; a few kilobytes can unpack to thousands of times as many."""
DIRECTDRAW = "DirectDrawCreate"
"""In such a trace, only execution shows where frames end: a Blt may be to the screen."""


def frames_of(path: Path, progress: Progress | None = None) -> np.ndarray | None:
    """FRAME[n] of a trace of a Direct3D 8 program, as importing it would number them; None of any other file.

    Raises TraceError, also for more than MOST_FRAMES; Cancelled.
    """
    if not is_trace(path):
        return None
    stream, found = TraceStream(path, progress, hashes=False), _Frames(path)
    for calls, _ in stream:
        if any(one.name.startswith(DIRECTDRAW) for one in stream.names.functions.values()):
            return None
        found.add(_named(calls, PRESENTS, succeeded=True), _named(calls, DRAWS))
    return found.all(stream.count)


class _Frames:
    """What was presented so far, and how much was drawn for it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ends, self._draws = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        self._count = self._open = 0  # frames; draws since the last one

    def add(self, ends: np.ndarray, draws: np.ndarray) -> None:
        """The calls of the next part that present, and that draw.  TraceError."""
        if not len(ends):
            self._open += len(draws)
            return
        self._count += len(ends)
        if self._count > MOST_FRAMES:
            raise TraceError(f"{self._path}: more than {MOST_FRAMES:,} frames, which only importing lists")
        before = np.searchsorted(draws, ends, side="right")
        self._ends.append(ends)
        self._draws.append(np.diff(before, prepend=-self._open))
        self._open = len(draws) - int(before[-1])

    def all(self, count: int) -> np.ndarray:
        """FRAME[n] of so many calls; what comes after the last presentation is a frame if it draws."""
        ends, draws = np.concatenate(self._ends), np.concatenate(self._draws)
        if not len(ends) or self._open:
            ends, draws = np.append(ends, count - 1), np.append(draws, self._open)
        frames = np.zeros(len(ends), FRAME)
        frames["call"] = np.append(0, ends[:-1] + 1)
        frames["calls"] = ends + 1 - frames["call"]
        frames["draws"] = draws
        return frames


def _named(calls: Calls, names: tuple[str, ...] | frozenset[str], succeeded: bool = False) -> np.ndarray:
    """int64: the numbers of the calls of these functions."""
    chosen = [number for number, signature in calls.names.functions.items() if signature.name in names]
    found = np.isin(calls.calls["signature"], chosen)
    if succeeded:
        found &= calls.calls["result"].astype(np.int32) >= 0
    return calls.first + np.flatnonzero(found)
