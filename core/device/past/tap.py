"""The tap: listens to everything the device writes to surfaces.

While a tap is attached, every batch of draws runs with a Watch (core.pipeline.draw), and everything else that changes a surface
leaves the contents before; what is more than contents (which surfaces there are, their palettes, what is drawn to) leaves a
Note.  All carry event numbers, so that the past can be reconstructed event by event (core.device.past.rewind).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from core.device.memory.surfaces import Contents, SurfacePart
from core.device.memory.transfer import Box
from core.pipeline.records.recycle import recycled_copy

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from core.device.memory.textures import Words
    from core.pipeline.draw import Watch
    from core.pipeline.geometry import Geometry
    from core.pipeline.observe.census import Census
    from core.pipeline.observe.shapes import Shape, Shapes
    from core.pipeline.pixel.binned import Binned

UNLIMITED = 1 << 62
Parts = tuple[SurfacePart | None, SurfacePart | None]
"""Colour and depth of a target."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One batch of draws: the handles drawn to (0: none), the first and last event, what was seen, the subresources.

    Blocks of the records are numbered in rows of `columns` tiles, whatever the depth surface's own width is.
    """

    target: int
    depth: int
    first_seq: int
    last_seq: int
    watch: Watch
    parts: Parts
    columns: int

    def drew_to(self, part: SurfacePart) -> bool:
        """Whether the batch could change this subresource."""
        return part is self.parts[0] or part is self.parts[1]

    def goes_on(self, parts: Parts, first_seq: int) -> bool:
        """Whether a batch from `first_seq` on has the rest of a draw whose first primitives are in this one."""
        return self.last_seq == first_seq and self.parts[0] is parts[0] and self.parts[1] is parts[1]


@dataclass(frozen=True, slots=True)
class Overwrite:
    """A clear, copy, upload or flip: the contents of a subresource before event `seq` (SurfacePart.set_contents takes them)."""

    seq: int
    handle: int
    before: Contents
    part: SurfacePart
    boxes: tuple[Box, ...] | None = None  # what is written, in texels; None: everything

    def covers(self, x: int, y: int, slice: int = 0) -> bool:
        """Whether a texel is among what is written."""
        return self.boxes is None or any(
            left <= x < right and top <= y < bottom and front <= slice < back
            for left, top, right, bottom, front, back in self.boxes
        )


class Note(NamedTuple):
    """Something other than contents changed at event `seq`: `table`[key] was `before` (None: there was no such thing).

    Tables: surfaces, buffers (handle -> object); settings (Surface -> Surface.settings()); palettes ((Context, handle) ->
    Palette); targets (Context -> [render target, depth]); current (None -> Context); chain (None -> handles).
    """

    seq: int
    table: str
    key: Any
    before: Any


class Tap:
    """What to listen to, and what was heard.

    log: undo records of all draws (Pass.watch.records, and fragments_of any pixel: drawing costs 1 to 5 % more, the first look
    at a pass draws it again), contents before all other writes, the shapes of draws, and notes.  room: bytes of log; what is
    more is lost (`lost`).
    probe: (handle, x, y): the fragments of one pixel.
    fates: (handle, first event, last event): fate and overdraw of each pixel by these events.
    census: counts what becomes of each draw's primitives and fragments.
    """

    def __init__(self, log: bool = False, probe: tuple[int, int, int] | None = None, fates: tuple[int, int, int] | None = None,
                 room: int = UNLIMITED, census: Census | None = None) -> None:  # fmt: skip
        self.log, self.probe, self.fates, self.census = log, probe, fates, census
        self.room, self.lost = room, False
        self._held = 0
        self.notes: list[Note] = []
        self.drawn_to: list[Parts] = []  # Shapes count them
        self.versions: dict[SurfacePart, int] = {}  # of their contents before the first draw
        self._shapes: Shapes | None = None
        self.passes: list[Pass] = []
        self.overwrites: list[Overwrite] = []
        self._fates: Watch | None = None
        self._states: dict[int, int] = {}  # bytes of the arrays of states that journals read, which share them

    def watch(self, target: SurfacePart | None, depth: SurfacePart | None, width: int, words: int) -> Watch | None:
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
        if not ((self.log and not self.lost) or probe or fates or self.census):
            return None
        watch = Watch(self.log and not self.lost, probe, fates, words, self.census, self.room - self.held)
        if fates and self._fates is not None and len(self._fates.fate_plane) == words:
            watch.fate_plane, watch.overdraw = self._fates.fate_plane, self._fates.overdraw
        if fates:
            self._fates = watch
        return watch

    # ---- draws
    @property
    def logs_only(self) -> bool:
        """Whether nobody looks at single draws."""
        return self.log and self.probe is None and self.fates is None and self.census is None

    @property
    def shapes(self) -> Shapes | None:
        """Of the draws so far; None without a log."""
        if self._shapes is None and self.log and not self.lost:
            from core.pipeline.observe.shapes import Shapes

            self._shapes = Shapes()
        return self._shapes

    def number_of(self, parts: Parts) -> int:
        """By which Shapes know these surfaces."""
        if not self.drawn_to or self.drawn_to[-1] != parts:
            self.drawn_to.append(parts)
            for part in parts:
                if part is not None:
                    self.versions.setdefault(part, part.version)
        return len(self.drawn_to) - 1

    def assembled(self, parts: Parts, seq: int, vector: np.ndarray, geometry: Geometry) -> None:
        """The vertex half of a draw to these surfaces is done."""
        if self.census is not None:
            self.census.assembled(seq, geometry)
        if (shapes := self.shapes) is not None:
            shapes.add(seq, self.number_of(parts), vector, geometry)

    def shapes_of(self, part: SurfacePart) -> Iterator[Shape]:
        """The draws to a subresource."""
        chosen = {number for number, parts in enumerate(self.drawn_to) if part in parts}
        return iter(()) if self._shapes is None else self._shapes.of(chosen)

    def drawn(self, target: SurfacePart | None, depth: SurfacePart | None, first_seq: int, last_seq: int, watch: Watch,
              columns: int) -> None:  # fmt: skip
        """A batch is done; columns: tiles in a row of what was drawn to."""
        if self.log and not self.lost and not watch.log:  # it had no room
            self.lose()
        self._held += watch.size
        self._states |= {id(journal.binned.states): journal.binned.states.nbytes for journal in watch.journals}
        handles = [part.handle if part is not None else 0 for part in (target, depth)]
        if self.log and self.passes and self.passes[-1].goes_on((target, depth), first_seq):
            begun = self.passes.pop()
            begun.watch.add(watch)
            first_seq, watch = begun.first_seq, begun.watch
        self.passes.append(Pass(handles[0], handles[1], first_seq, last_seq, watch, (target, depth), columns))
        self._check_room()

    def overwriting(self, part: SurfacePart, seq: int, boxes: tuple[Box, ...] | None = None) -> None:
        """A subresource, or boxes of it, is about to change other than by drawing."""
        if self.log and not self.lost:
            self._held += part.unshared
            self.overwrites.append(Overwrite(seq, part.handle, part.contents(), part, boxes))
            self._check_room()

    def note(self, seq: int, table: str, key: Any, before: Any) -> None:
        """Something other than contents is about to change."""
        if self.log:
            self.notes.append(Note(seq, table, key, before))

    @property
    def held(self) -> int:
        """Bytes of the log, without the records of passes."""
        shapes = self._shapes.size if self._shapes is not None else 0
        return self._held + shapes + sum(self._states.values())

    @property
    def size(self) -> int:
        """Bytes of the log; more once the records of a pass were asked for."""
        return self.held + self.records_size

    def pieces(self) -> Iterator[np.ndarray | Words]:
        """The memory of a complete log, without records; other logs and keyframes hold some of it too."""
        for one in self.passes:
            yield from one.watch.holds
            for journal in one.watch.journals:
                yield from journal.arrays()
        for overwrite in self.overwrites:
            yield from (words for words in overwrite.before[:2] if words is not None)
        if self._shapes is not None:
            yield from self._shapes.arrays()

    @property
    def records_size(self) -> int:
        """Bytes of the records that were asked for."""
        return sum(one.watch.records_size for one in self.passes)

    def trim(self) -> None:
        """The log is complete: of states and shapes' memory that is mostly unused it keeps a copy of the rest."""
        if self._shapes is not None:
            self._shapes.trim()
        shared: dict[int, list[Binned]] = {}
        for one in self.passes:
            for journal in one.watch.journals:
                shared.setdefault(id(journal.binned.states), []).append(journal.binned)
        for number, batches in shared.items():
            states = batches[0].states
            used = max(batch.states_used for batch in batches)
            if 2 * used <= len(states):
                lean = recycled_copy(states[:used])
                self._states[number] = lean.nbytes
                for batch in batches:
                    batch.states = lean

    def forget_records(self) -> None:
        """They are made again when somebody asks."""
        for one in self.passes:
            one.watch.forget_records()

    def _check_room(self) -> None:
        if self.held > self.room:
            self.lose()

    def lose(self) -> None:
        """The log cannot be complete any more."""
        self.lost, self._held = True, 0
        self.passes, self.overwrites, self._shapes, self._states = [], [], None, {}

    @property
    def fate_plane(self) -> Watch | None:
        """The watch that holds `fate_plane` and `overdraw` of the surface asked for; None before it was drawn to."""
        return self._fates
