"""The memory of resources, over time and in sum; and the use of each, as strips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.dxgi_resources import BITS, pixel_bytes
from core.errors import BadInput, Cancelled
from core.spec.formats import FORMATS
from inspector.progress import Cancel
from inspector.timeline.lives import DXGI, MEMORY, WRITING, Life

if TYPE_CHECKING:
    from inspector.capture import Capture

OF_DXGI = "DxgiCreateResource"
USED, WRITTEN = 1, 2
"""Bits of a strip."""
MOST_BINS = 1 << 14


@dataclass(frozen=True, eq=False)
class MemoryLog:
    """events int64[n + 1]: where memory changes, and the end of the tape; bytes: by (kind, pool) int64[n], from each of the
    events to the next one."""

    events: np.ndarray
    bytes: dict[tuple[str, str], np.ndarray]

    @property
    def total(self) -> np.ndarray:
        """int64[n]."""
        return np.sum([*self.bytes.values(), np.zeros(len(self.events) - 1, np.int64)], axis=0)

    def at(self, event: int) -> dict[tuple[str, str], int]:
        """What there is after an event, without what takes nothing."""
        place = int(np.searchsorted(self.events[:-1], event, side="right")) - 1
        return {name: int(line[place]) for name, line in self.bytes.items() if place >= 0 and line[place]}


@dataclass(frozen=True)
class MemoryOverTime:
    """The bytes that surfaces and buffers take, by kind (their label: "texture", "vertex buffer" ...) and memory ("video",
    "system" ...), from their creation to their end.  Of calls alone: nothing is drawn."""

    def run(self, capture: Capture, cancel: Cancel | None = None) -> MemoryLog:
        """Raises Cancelled."""
        count = len(capture.events)
        rows = []
        for number, life in enumerate(capture.resources.lives.all):
            if cancel and number % 256 == 0 and cancel():
                raise Cancelled("question cancelled")
            if life.space in (MEMORY, DXGI) and (size := _size(capture, life)) is not None:
                rows.append((life.first, min(life.last, count), size, _kind(life), _memory(capture, life)))
        edges = np.unique([0, count, *(row[0] for row in rows), *(row[1] for row in rows)]).astype(np.int64)
        found: dict[tuple[str, str], np.ndarray] = {}
        for first, last, size, kind, memory in rows:
            line = found.setdefault((kind, memory), np.zeros(max(len(edges) - 1, 0), np.int64))
            start, stop = np.searchsorted(edges, (first, last))
            line[start:stop] += size
        return MemoryLog(edges, dict(sorted(found.items())))


def _size_of_dxgi(call: DdiCall) -> int | None:
    """Bytes of all pictures; None if the driver refused it, or knows no such format."""
    args, form = call.args, int(call.args.get("format") or 0)
    if call.result >> 31 & 1 or form not in BITS:
        return None
    sizes = (max(int(args.get(name) or 1), 1) for name in ("width", "height", "samples", "array_size"))
    return prod(sizes) * pixel_bytes(form)


def _kind(life: Life) -> str:
    if life.kind == DXGI:
        return "DXGI resource"
    return f"{life.label} buffer" if life.kind == "buffer" else life.label.replace("_", " ")


def _creation(capture: Capture, life: Life) -> DdiCall:
    return capture.calls[int(capture.events.rows["call"][life.first])]


def _memory(capture: Capture, life: Life) -> str:
    """Where it lies, as its creation says; what DXGI creates is in video memory unless that says otherwise."""
    call = _creation(capture, life)
    return str(call.args.get("memory") or ("video" if call.entry == OF_DXGI else ""))


def _size(capture: Capture, life: Life) -> int | None:
    """Bytes of all parts; None where its creation does not say."""
    call = _creation(capture, life)
    args = call.args
    if call.entry == OF_DXGI:
        return _size_of_dxgi(call)
    if life.kind == "buffer":
        return int(args.get("size") or 0)
    form = FORMATS.get(int(args.get("format") or 0))
    sizes = [int(args.get(name) or 0) for name in ("width", "height", "depth")]
    if form is None or not min(sizes[:2]):
        return None
    levels = int(args.get("levels", 1) or max(sizes).bit_length())
    chain = (form.size(*(max(size >> n, 1) for size in sizes)) for n in range(levels))
    return sum(chain) * max(int(args.get("faces", 1) or 1), 1) * max(int(args.get("samples", 0) or 0), 1)


@dataclass(frozen=True)
class UseStrips:
    """When objects are used: uint8[bins] each, for things as ObjectHistory takes them, over events first..last of the tape
    (None: all).  Bits: USED, WRITTEN; a thing that is not there at `event` is left out."""

    things: tuple[Any, ...]
    event: int
    bins: int = 128

    def run(self, capture: Capture, cancel: Cancel | None = None) -> dict[Any, np.ndarray]:
        """By thing.  BadInput for a number of bins that is none.  Raises Cancelled."""
        if not 0 < self.bins <= MOST_BINS:
            raise BadInput(f"a strip has 1 to {MOST_BINS:,} bins, not {self.bins}")
        return dict(self._strips(capture, cancel))

    def _strips(self, capture: Capture, cancel: Cancel | None) -> Iterator[tuple[Any, np.ndarray]]:
        from inspector.query.objects.usage import numbers_of

        numbers: dict[Any, Sequence[int]] = {}
        for thing in self.things:
            try:
                numbers[thing] = numbers_of(capture.resources, thing, self.event)
            except BadInput:
                continue
        rows = np.concatenate([capture.resources.uses, capture.resources.touches])
        order = np.argsort(rows["life"], kind="stable")
        rows = rows[order]
        places = (rows["event"] * self.bins // max(len(capture.events), 1)).clip(0, self.bins - 1)
        bits = np.where(np.isin(rows["role"], list(WRITING)), WRITTEN, USED).astype(np.uint8)
        for thing, lives in numbers.items():
            if cancel and cancel():
                raise Cancelled("question cancelled")
            strip = np.zeros(self.bins, np.uint8)
            for life in lives:
                first, last = np.searchsorted(rows["life"], (life, life + 1))
                np.bitwise_or.at(strip, places[first:last], bits[first:last])
            yield thing, strip
