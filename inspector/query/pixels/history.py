"""The history of a pixel: every fragment that any primitive made there, what became of it and why, and every clear, copy and
upload; and the primitives that would have covered it.

The values before and after come from the log of the frame, the fragments from redrawing the pixel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.cancel import stoppable
from core.ddi.driver.dxgi_resources import resource_of
from core.device.memory.surfaces import SurfacePart
from core.device.past.pixel_log import Touch, redrawn
from core.device.past.tap import Overwrite, Pass
from core.pipeline.records.layout import Fate
from inspector.progress import Cancel
from inspector.query.pixels.fates import NAMES, Reasons, spares_channels
from inspector.query.pixels.overwrites import OverwriteEffect, effect_of
from inspector.query.pixels.pixel import (
    AtPixel,
    Piece,
    PixelValue,
    Rgba,
    check_inside,
    event_range,
    handle_of,
    pieces,
    value_of,
)

if TYPE_CHECKING:
    from inspector.capture import Capture


@dataclass(frozen=True, slots=True)
class Entry:
    """One fragment, or one clear, fill, blt, copy, lock or flip, at a pixel of a surface.

    kind: "fragment", "clear", "fill", "blt", "present", "copy", "lock", "flip".  primitive: as the application counts, None
    for what draws none; piece: which of the pieces that clipping made of the primitives of its batch.  sample: None where all
    samples share the entry, or there are none.  fate: one of fates.FATES; reason: the sentence; writer: the event that set the
    state which decided, None: it is the default.  shaded: the colour before blending.  depth: of the fragment, 0..1.
    before, after: of the surface asked about; other_before, other_after: of its depth or colour surface.  opaque: it
    was written whatever was there before, neither blended nor with channels spared.
    """

    kind: str
    event: int
    frame: int
    primitive: int | None
    sample: int | None
    fate: str
    reason: str
    writer: int | None
    before: PixelValue
    after: PixelValue
    shaded: Rgba | None = None
    depth: float | None = None
    other_before: PixelValue | None = None
    other_after: PixelValue | None = None
    surface: int = 0
    x: int = 0
    y: int = 0
    slice: int = 0
    piece: int = -1
    opaque: bool = True

    @property
    def changed(self) -> bool:
        """Whether the surface asked about holds another value afterwards."""
        return self.before.raw != self.after.raw

    @property
    def passed(self) -> bool:
        """Whether it was written."""
        return self.fate == "written"

    @property
    def decided(self) -> bool:
        """Whether the surface asked about has its value afterwards from this entry, even if it is the same as before."""
        return self.changed or (self.passed and self.opaque)


@dataclass(frozen=True, slots=True)
class Miss:
    """A primitive that would cover the pixel, were it not culled, clipped or degenerate.

    cause: a name of core.pipeline.records.primitives.PrimitiveFate in lower case: "culled", "near", "user_0", "degenerate" ...
    """

    event: int
    frame: int
    primitive: int
    cause: str
    reason: str
    writer: int | None


@dataclass(frozen=True, slots=True)
class History:
    """start, end: what the pixel held just before the first and after the last event, a value per sample."""

    surface: int
    format: str
    x: int
    y: int
    slice: int
    sample: int | None
    first: int
    last: int
    start: tuple[PixelValue, ...]
    end: tuple[PixelValue, ...]
    entries: tuple[Entry, ...]
    misses: tuple[Miss, ...]
    notes: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """As in "surface 2", or "DXGI resource 40"."""
        shown = resource_of(self.surface)
        return f"surface {self.surface}" if shown is None else f"DXGI resource {shown[0]}"

    @property
    def fragments(self) -> tuple[Entry, ...]:
        """The entries that are fragments."""
        return tuple(entry for entry in self.entries if entry.kind == "fragment")

    @property
    def fates(self) -> dict[str, int]:
        """How many fragments met each fate."""
        return dict(Counter(entry.fate for entry in self.fragments))

    @property
    def last_writer(self) -> Entry | None:
        """The entry that gave the pixel its value at the end; None: no entry did."""
        return last_that_decided(self.entries)


def last_that_decided(entries: Sequence[Entry]) -> Entry | None:
    """Of entries in order, the one that the value after them is due to; None: none of them."""
    return next((entry for entry in reversed(entries) if entry.decided), None)


@dataclass(frozen=True, slots=True)
class PixelHistory(AtPixel):
    """Every fragment, clear, copy and upload at a pixel; with `misses`, also the primitives that would have covered it."""

    misses: bool = True

    def run(self, capture: Capture, cancel: Cancel | None = None) -> History:
        """BadInput if there is no such surface, pixel, sample or event."""
        first, last = event_range(capture, self.first, self.last)
        handle = handle_of(capture, self.where, last, cancel)
        named = self.named
        entries: list[Entry] = []
        misses: list[Miss] = []
        notes: list[str] = []
        start: tuple[PixelValue, ...] = ()
        end, format = start, ""
        for piece in pieces(capture, handle, first, last, cancel):
            if not piece.frame.complete:
                notes.append(f"event {piece.first} exceeds the log budget and is omitted; raise DDI_INSPECTOR_MEMORY_MB")
            elif piece.part is not None:
                check_inside(capture, piece.part, self.x, self.y, named.slice, named.sample)
                historian = Historian(capture, piece, piece.part, self)
                here = list(stoppable(historian.entries()))
                entries += here
                misses += historian.misses(here) if self.misses else ()
                start, end = start or historian.value_at(piece.first - 1), historian.value_at(piece.last)
                format = piece.part.format.name
        return History(handle, format, self.x, self.y, named.slice, named.sample, first, last, start, end,
                       tuple(entries), tuple(misses), tuple(notes))  # fmt: skip


class Historian:
    """The history of a pixel in one log."""

    def __init__(self, capture: Capture, piece: Piece, part: SurfacePart, asked: PixelHistory) -> None:
        self.capture, self.piece, self.part, self.log = capture, piece, part, piece.log
        self.x, self.y, self.slice, self.sample = asked.x, asked.y, asked.named.slice, asked.named.sample
        self.is_depth = part.format.family == "depth"
        self.reasons = Reasons(capture)
        self._depth_writes: dict[SurfacePart, list[tuple[int, int, int]]] = {}

    def value_at(self, event: int) -> tuple[PixelValue, ...]:
        """What the pixel held after an event, per sample."""
        words = self.log.words_at(self.part, self.x, self.y, event, self.slice)
        return tuple(self.value(self.part, word) for word in words)

    def value(self, part: SurfacePart, word: int) -> PixelValue:
        palette = self.piece.palette if part is self.part else None
        return value_of(part.format, word, self.x, self.y, palette)

    def entries(self) -> Iterator[Entry]:
        for touch in self.log.touches(self.part, self.x, self.y, self.slice):
            if isinstance(touch.cause, Pass):
                if touch.cause.last_seq >= self.piece.first and touch.cause.first_seq <= self.piece.last:
                    yield from self.fragments(touch, touch.cause)
            elif self.piece.first <= touch.seq <= self.piece.last:
                yield from self.overwrite(touch, touch.cause)

    # ---- clears, copies, uploads
    def overwrite(self, touch: Touch, cause: Overwrite) -> Iterator[Entry]:
        effect = effect_of(self.capture, self.piece.frame, cause, self.x, self.y)
        alike = len(set(zip(touch.before, touch.after, strict=True))) == 1
        for sample in [None] if alike and self.sample is None else range(len(touch.before)):
            if self.sample in (None, sample) or alike:
                yield self._overwrite_entry(touch, effect, self.sample if alike else sample)
                if alike:
                    return

    def _overwrite_entry(self, touch: Touch, effect: OverwriteEffect, sample: int | None) -> Entry:
        before, after = (self.value(self.part, words[sample or 0]) for words in (touch.before, touch.after))
        return Entry(effect.kind, touch.seq, self.capture.frame_of(touch.seq), None, sample, effect.fate, effect.reason, None,
                     before, after, surface=self.part.handle, x=self.x, y=self.y, slice=self.slice)  # fmt: skip

    # ---- fragments
    def fragments(self, touch: Touch, cause: Pass) -> Iterator[Entry]:
        """The fragments of a batch, of the events asked for."""
        batch = touch.batch
        assert batch is not None
        drawn = redrawn(touch, self.part, self.x, self.y)
        for fragment, masked in zip(drawn.fragments, drawn.masked.tolist(), strict=True):
            row = int(fragment["primitive"])
            edge = batch.edges[row]
            if self.piece.first <= edge["seq"] <= self.piece.last and self.sample in (None, int(fragment["sample"])):
                yield self.fragment(cause, batch.states[edge["state"]], edge, row, fragment, masked)

    def fragment(self, cause: Pass, state: np.void, edge: np.void, row: int, fragment: np.void, masked: bool) -> Entry:
        event, fate = int(edge["seq"]), self.fate(state, fragment, masked)
        stored_by = self.stored_by(cause.parts[1], event, int(edge["number"]), fragment) if fate in STORED_MATTERS else ""
        why = self.reasons.fragment(fate, event, state, fragment, stored_by)
        colors = self._pair(cause.parts[0], fragment, "old_color", "new_color")
        depths = self._pair(cause.parts[1], fragment, "old_depth", "new_depth")
        mine, others = (depths, colors) if self.is_depth else (colors, depths)
        assert mine is not None
        red, green, blue, alpha = fragment["source"].tolist()
        return Entry(
            "fragment", event, self.capture.frame_of(event), int(edge["number"]),
            int(fragment["sample"]) if self.part.samples else None, fate, why.text, why.writer, mine[0], mine[1],
            shaded=(red, green, blue, alpha) if state["needs_color"] else None,
            depth=int(fragment["depth"]) / float(state["depth_scale"]) if state["depth_used"] else None,
            other_before=others and others[0], other_after=others and others[1],
            surface=self.part.handle, x=self.x, y=self.y, slice=self.slice, piece=row,
            opaque=bool(state["z_write"]) if self.is_depth else not state["blend_enable"] and not spares_channels(state),
        )  # fmt: skip

    def _pair(self, part: SurfacePart | None, fragment: np.void, *names: str) -> tuple[PixelValue, PixelValue] | None:
        if part is None:
            return None
        before, after = (self.value(part, int(fragment[name])) for name in names)
        return before, after

    def fate(self, state: np.void, fragment: np.void, masked: bool) -> str:
        """One of fates.FATES."""
        if masked:
            return "sample_mask"
        fate = Fate(int(fragment["fate"]))
        if fate == Fate.KILLED and state["color_key"]:
            return "color_key"
        if fate == Fate.WRITTEN and not self.is_depth and not state["color_write"]:
            return "color_write"
        if fate == Fate.WRITTEN and self.is_depth and not state["z_write"] and fragment["old_depth"] == fragment["new_depth"]:
            return "depth_write"
        return NAMES.get(fate, fate.name.lower())

    def stored_by(self, part: SurfacePart | None, event: int, primitive: int, fragment: np.void) -> str:
        """What wrote the depth and stencil that a fragment was tested against, as in " (stored by event 812, primitive 4)"."""
        if part is None:
            return ""
        if part not in self._depth_writes:
            self._depth_writes[part] = [
                (write.event, write.primitive, write.sample) for write in self.log.writers(part, self.x, self.y)
            ]
        sample = int(fragment["sample"])
        for writer, number, of in reversed(self._depth_writes[part]):
            if (writer, number) < (event, primitive) and (of == sample or number < 0):
                return f" (stored by event {writer}" + (f", primitive {number})" if number >= 0 else ")")
        return f" (stored before event {self.piece.frame.first})"

    # ---- misses
    def misses(self, entries: list[Entry]) -> Iterator[Miss]:
        """Of draws to this surface; primitives with a fragment here are no misses."""
        drawn = {(entry.event, entry.primitive) for entry in entries}
        for event, miss in self.piece.frame.rewind.misses(self.part).at(self.x, self.y):
            if self.piece.first <= event <= self.piece.last and (event, miss.number) not in drawn:
                why = self.reasons.miss(event, miss.reason)
                cause = miss.reason.name.lower()
                yield Miss(event, self.capture.frame_of(event), miss.number, cause, why.text, why.writer)


STORED_MATTERS = ("depth_test", "stencil_test")
