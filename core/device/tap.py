"""The tap: who listens to what the device writes into surfaces.

While a tap is attached, every batch of draws runs with a Watch (core.pipeline.draw), and everything else that changes a surface
leaves the contents before.  Both carry event numbers, so that surfaces can be taken back event by event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.device.surfaces import Contents, Level

if TYPE_CHECKING:
    import numpy as np

    from core.pipeline.draw import Batch, Watch
    from core.pipeline.trace import Trace


@dataclass(frozen=True, slots=True)
class Pass:
    """One batch of draws: the handles drawn to (0: none), the first and last event, what was seen."""

    target: int
    depth: int
    first_seq: int
    last_seq: int
    watch: Watch


@dataclass(frozen=True, slots=True)
class Overwrite:
    """A clear, copy, upload or flip: the contents of a subresource before event `seq` (Level.set_contents takes them)."""

    seq: int
    handle: int
    before: Contents


class Tap:
    """What to listen to, and what was heard.

    log: undo records of all draws, and contents before all other writes.  probe: (handle, x, y): the fragments of one pixel.
    fates: (handle, first event, last event): fate and overdraw of each pixel by these events.
    trace: (event, primitive, x, y): what each texture stage or shader instruction made of that pixel, left in `traced`.
    """

    def __init__(self, log: bool = False, probe: tuple[int, int, int] | None = None, fates: tuple[int, int, int] | None = None,
                 trace: tuple[int, int, int, int] | None = None) -> None:  # fmt: skip
        self.log, self.probe, self.fates, self.trace = log, probe, fates, trace
        self.traced: Trace | None = None
        self.passes: list[Pass] = []
        self.overwrites: list[Overwrite] = []
        self._fates: Watch | None = None

    def watch(self, target: Level | None, depth: Level | None, width: int, words: int) -> Watch | None:
        """The watch for a batch on these surfaces; None when nothing about them is asked for."""
        from core.pipeline.draw import Watch

        handles = {part.handle for part in (target, depth) if part is not None}
        probe = fates = None
        if self.probe is not None and self.probe[0] in handles:
            _, x, y = self.probe
            tile = (y >> 6) * ((width + 63) >> 6) + (x >> 6)
            probe = tile * 256 + ((y >> 2) & 15) * 16 + ((x >> 2) & 15), 1 << ((y & 3) * 4 + (x & 3))
        if self.fates is not None and self.fates[0] in handles:
            fates = self.fates[1:]
        if not (self.log or probe or fates):
            return None
        watch = Watch(self.log, probe, fates, words)
        if fates and self._fates is not None and len(self._fates.fate_plane) == words:
            watch.fate_plane, watch.overdraw = self._fates.fate_plane, self._fates.overdraw
        if fates:
            self._fates = watch
        return watch

    def drawing(self, batch: Batch, memory: np.ndarray) -> None:
        """A batch is about to be drawn; memory: the texture heap."""
        if self.trace is None or self.traced is not None:
            return
        from core.pipeline.trace import find_pixel, trace

        event, primitive, x, y = self.trace
        pixel = find_pixel(batch, event, primitive, x, y, memory)
        if pixel is not None:
            self.traced = trace(pixel)

    def drawn(self, target: Level | None, depth: Level | None, first_seq: int, last_seq: int, watch: Watch) -> None:
        """A batch is done."""
        handles = [part.handle if part is not None else 0 for part in (target, depth)]
        self.passes.append(Pass(handles[0], handles[1], first_seq, last_seq, watch))

    def overwriting(self, part: Level, seq: int) -> None:
        """A subresource is about to change other than by drawing."""
        if self.log:
            self.overwrites.append(Overwrite(seq, part.handle, part.contents()))

    @property
    def fate_plane(self) -> Watch | None:
        """The watch that holds `fate_plane` and `overdraw` of the surface asked for; None before it was drawn to."""
        return self._fates
