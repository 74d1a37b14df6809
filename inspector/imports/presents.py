"""The frames of a trace without importing it: its calls are decoded, not executed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

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
DIRECTDRAW = "DirectDrawCreate"
"""In such a trace, only execution shows where frames end: a Blt may be to the screen."""


def frames_of(path: Path, progress: Progress | None = None) -> np.ndarray | None:
    """FRAME[n] of a trace of a Direct3D 8 program, as importing it would number them; None of any other file.

    Raises TraceError, Cancelled.
    """
    if not is_trace(path):
        return None
    stream = TraceStream(path, progress, hashes=False)
    ends: list[np.ndarray] = []
    draws: list[np.ndarray] = []
    for calls, _ in stream:
        if any(one.name.startswith(DIRECTDRAW) for one in stream.names.functions.values()):
            return None
        ends.append(_named(calls, PRESENTS, succeeded=True))
        draws.append(_named(calls, DRAWS))
    return _framed(_joined(ends), _joined(draws), stream.count)


def _joined(numbers: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0, np.int64), *numbers])


def _named(calls: Calls, names: tuple[str, ...] | frozenset[str], succeeded: bool = False) -> np.ndarray:
    """int64: the numbers of the calls of these functions."""
    chosen = [number for number, signature in calls.names.functions.items() if signature.name in names]
    found = np.isin(calls.calls["signature"], chosen)
    if succeeded:
        found &= calls.calls["result"].astype(np.int32) >= 0
    return calls.first + np.flatnonzero(found)


def _framed(ends: np.ndarray, draws: np.ndarray, count: int) -> np.ndarray:
    """FRAME[n] from the calls that present and that draw; what comes after the last one is a frame if it draws."""
    if not len(ends) or (len(draws) and draws[-1] > ends[-1]):
        ends = np.append(ends, count - 1)
    frames = np.zeros(len(ends), FRAME)
    frames["call"] = np.append(0, ends[:-1] + 1)
    frames["calls"] = ends + 1 - frames["call"]
    frames["draws"] = np.diff(np.append(0, np.searchsorted(draws, ends, side="right")))
    return frames
