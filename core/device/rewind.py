"""Rewind: surfaces as they were at earlier events, from what a tap has logged.

A surface is taken back from its present contents, or from the contents before the first clear, copy or upload after the moment
in question, by undoing block records in reverse.  The device itself does not move.
"""

from __future__ import annotations

import numpy as np

from core.device.device import Device
from core.device.surfaces import Level, Surface
from core.device.tap import Overwrite, Pass, Tap
from core.jit import njit


@njit
def _undo(records, first, words, plane, depth):  # type: ignore[no-untyped-def]
    """Puts back what records[first:] replaced, last first, in the colour or the depth words of a target."""
    for n in range(len(records) - 1, first - 1, -1):
        record = records[n]
        at = (record.lanes >> 16) * plane + record.block * 16
        before = record.depth if depth else record.color
        for lane in range(16):
            if record.lanes >> lane & 1:
                words[at + lane] = before[lane]


class Rewind:
    """The past of a device's surfaces, as far back as the tap (with `log`) was attached."""

    def __init__(self, device: Device, tap: Tap) -> None:
        device.flush()
        self._device, self._tap = device, tap
        self._changes: dict[int, list[Pass | Overwrite]] = {}

    def at(self, handle: int, seq: int, primitive: int | None = None) -> Level:
        """A copy of a subresource just after event `seq`, or after that primitive of it. LookupError: no such handle."""
        part = self._device.memory.part(handle)
        if part is None:
            raise LookupError(f"no surface {handle}")
        changes = self.changes(handle)
        stop = next((n for n, one in enumerate(changes) if isinstance(one, Overwrite) and one.seq > seq), len(changes))
        start = changes[stop].before if stop < len(changes) else part.contents()  # type: ignore[union-attr]
        copy = _copy(part)
        copy.set_contents(start)
        late = [one for one in changes[:stop] if isinstance(one, Pass) and one.last_seq >= seq]
        if late:
            words = copy.write_blocks()
            for one in reversed(late):
                records = one.watch.records
                _undo(_after(records, seq, primitive), 0, words, len(words) // copy.planes, one.depth == handle)
        return copy

    def changes(self, handle: int) -> list[Pass | Overwrite]:
        """Everything that changed a subresource, in order."""
        if (found := self._changes.get(handle)) is None:
            passes = [one for one in self._tap.passes if handle in (one.target, one.depth)]
            overwrites = [one for one in self._tap.overwrites if one.handle == handle]
            found = sorted([*passes, *overwrites], key=lambda one: one.first_seq if isinstance(one, Pass) else one.seq)
            self._changes[handle] = found
        return found

    def writers(self, handle: int, x: int, y: int) -> np.ndarray:
        """(event, primitive) rows, int64, of what changed pixel (x, y), in order; primitive -1: a clear, copy or upload."""
        part = self._device.memory.part(handle)
        if part is None:
            raise LookupError(f"no surface {handle}")
        block = ((y >> 6) * ((part.width + 63) >> 6) + (x >> 6)) * 256 + ((y >> 2) & 15) * 16 + ((x >> 2) & 15)
        lane = 1 << ((y & 3) * 4 + (x & 3))
        rows: list[np.ndarray] = []
        for one in self.changes(handle):
            if isinstance(one, Overwrite):
                rows.append(np.array([[one.seq, -1]]))
                continue
            records = one.watch.records
            mine = records[(records["block"] == block) & (records["lanes"] & lane != 0)]
            rows.append(np.stack([mine["seq"], mine["primitive"]], -1).astype(np.int64))
        return np.concatenate([np.zeros((0, 2), np.int64), *rows])


def _after(records: np.ndarray, seq: int, primitive: int | None) -> np.ndarray:
    """The records of later events, and of later primitives of the event; the order is kept."""
    first = int(np.searchsorted(records["seq"], seq, "left" if primitive is not None else "right"))
    rest = records[first:]
    if primitive is not None:
        rest = rest[(rest["seq"] > seq) | (rest["primitive"] > primitive)]
    return rest


def _copy(part: Level) -> Level:
    """A subresource of the same shape on a surface of its own."""
    depth = part.depth if part.surface.volume else 1
    surface = Surface(0, part.format, part.width, part.height, depth, samples=part.samples, volume=part.surface.volume)
    surface.palette, surface.label = part.surface.palette, part.surface.label
    return surface.part()
