"""The last (or first) fragment with one fate at each pixel: its event, primitive and state."""

from __future__ import annotations

import os
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.device.memory.surfaces import SurfacePart
from core.device.past.tap import Overwrite, Pass
from core.errors import BadInput, unknown
from core.pipeline.explain.redraw import DrawnBatch
from core.pipeline.pixel.binned import Binned, Seen
from core.pipeline.pixel.observer import PICKED
from core.pipeline.records.layout import TILE_PIXELS, Fate, from_blocks
from core.pipeline.records.primitives import PrimitiveKind
from core.spec.subresource import Subresource, Where
from inspector.progress import Cancel
from inspector.query.pixels.details import DETAIL, Interpolated, details_of
from inspector.query.pixels.pixel import event_range, handle_of, pieces

if TYPE_CHECKING:
    from inspector.capture import Capture

FATES = {fate.name.lower(): fate for fate in Fate}
PICK = np.dtype([
    ("event", "i8"), ("primitive", "i4"),       # -1: a clear, copy, upload or flip
    ("blended", "?"), ("fogged", "?"), ("alpha_tested", "?"), ("shader", "?"),
    ("stages", "i4"),                           # texture stages that are computed
    ("area", "f8"),                             # of the triangle after clipping, in pixels; of a point twice that, its square;
                                                # -1: a line, or no primitive
])  # fmt: skip

COLUMNS = {"blended": "blend_enable", "fogged": "fog_source", "alpha_tested": "alpha_test_enable", "shader": "pixel_shader",
           "stages": "stage_count"}  # fmt: skip
"""Of PICK, and where in PIXEL_STATE they are from."""


@dataclass(frozen=True, slots=True)
class Picks:
    """The last fragment of each pixel, among events first..last (None: from the start, to the end), that had a fate.

    where: a surface, of colour or depth, or a subresource of it; a role as it is at the last event.
    fate: a Fate in small letters.  Of "written" only fragments count that the state lets write to the surface (colour, or depth
    and stencil), whether or not its value became another; clears, copies, uploads and flips count too.
    earliest: the first fragment instead.  detailed: with what its primitive interpolates (inspector.query.pixels.details).
    """

    where: Where = "render_target"
    first: int | None = None
    last: int | None = None
    fate: str = "written"
    earliest: bool = False
    detailed: bool = False

    def run(self, capture: Capture, cancel: Cancel | None = None) -> PickMap:
        """BadInput if there is no such surface, event or fate."""
        if self.fate not in FATES:
            raise BadInput(unknown("fate", self.fate, FATES))
        first, last = event_range(capture, self.first, self.last)
        handle = handle_of(capture, self.where, last, cancel)
        found = _Picking(handle, FATES[self.fate], self.earliest, self.detailed, Subresource.of(self.where).slice)
        for piece in pieces(capture, handle, first, last, cancel):
            if piece.part is None:
                continue
            found.fit(piece.part)
            for cause in piece.frame.rewind.changes_of(piece.part):
                if isinstance(cause, Pass) and cause.last_seq >= piece.first and cause.first_seq <= piece.last:
                    found.add_batches(cause, piece.part, piece.first, piece.last)
                elif isinstance(cause, Overwrite) and piece.first <= cause.seq <= piece.last and self.fate == "written":
                    found.add_overwrite(cause)
        rows = np.concatenate([np.zeros(0, PICK), *found.rows])
        details = np.concatenate([np.zeros(0, DETAIL), *found.details]) if self.detailed else None
        return PickMap(handle, first, last, found.counts, rows, found.index, details)


@dataclass(frozen=True)
class PickMap:
    """counts: int32[height, width], fragments (a covered sample each) with the fate; index: int32[height, width], the row of
    `rows` (PICK) that each pixel has, -1 for none."""

    surface: int
    first: int
    last: int
    counts: np.ndarray
    rows: np.ndarray
    index: np.ndarray
    details: np.ndarray | None = None
    """DETAIL of `rows`, if they were asked for."""

    def interpolated(self) -> tuple[np.ndarray, Interpolated]:
        """(bool[height, width] of the pixels whose pick is a fragment, what it interpolates there), row by row."""
        assert self.details is not None, "asked for with detailed"
        drawn = self.drawn
        y, x = np.nonzero(drawn)
        return drawn, Interpolated(self.details[self.index[drawn]], x.astype(np.float64), y.astype(np.float64))

    @property
    def there(self) -> np.ndarray:
        """bool[height, width]: there is a pick."""
        return self.index >= 0

    @property
    def drawn(self) -> np.ndarray:
        """bool[height, width]: the pick is a fragment, no clear or copy."""
        return self.of("primitive", -1) >= 0

    def of(self, name: str, without: float = 0) -> np.ndarray:
        """A column of PICK by pixel, [height, width]; `without` where there is no pick."""
        if not len(self.rows):
            return np.full(self.index.shape, without)
        return np.where(self.there, self.rows[name][self.index], without)

    @cached_property
    def pixels(self) -> np.ndarray:
        """int64[rows]: how many pixels each row has."""
        return np.bincount(self.index[self.there], minlength=len(self.rows))

    def at(self, x: int, y: int) -> tuple[int, int] | None:
        """(event, primitive or -1) of a pixel; None: none, or outside."""
        height, width = self.index.shape
        if not (0 <= x < width and 0 <= y < height) or self.index[y, x] < 0:
            return None
        row = self.rows[self.index[y, x]]
        return int(row["event"]), int(row["primitive"])


@dataclass
class _Picking:
    """What was found so far."""

    handle: int
    fate: Fate
    earliest: bool
    detailed: bool = False
    slice: int = 0
    counts: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    index: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    rows: list[np.ndarray] = field(default_factory=list)
    details: list[np.ndarray] = field(default_factory=list)

    def fit(self, part: SurfacePart) -> None:
        """Starts again when another surface has the handle now."""
        shape = part.height, part.width
        if self.index.shape != shape:
            self.counts, self.index = np.zeros(shape, np.int32), np.full(shape, -1, np.int32)

    def add_overwrite(self, cause: Overwrite) -> None:
        row = np.zeros(1, PICK)
        row["event"], row["primitive"], row["area"] = cause.seq, -1, -1
        height, width = self.index.shape
        mask = np.zeros((height, width), bool)
        for left, top, right, bottom, front, back in cause.boxes or ((0, 0, width, height, self.slice, self.slice + 1),):
            mask[top:bottom, left:right] |= front <= self.slice < back
        self._take(mask, np.zeros(mask.shape, np.int64), row, np.zeros(1, DETAIL))

    def add_batches(self, cause: Pass, part: SurfacePart, first: int, last: int) -> None:
        """A pass's batches, by redrawing them with their rows of `edges` as numbers."""
        target = cause.parts[0] or cause.parts[1]
        assert target is not None
        height, width = min(target.height, self.index.shape[0]), min(target.width, self.index.shape[1])
        for batch in map(DrawnBatch, cause.watch.journals):
            chosen = self._eligible(batch, part is cause.parts[1], first, last)
            if not chosen.any():
                continue
            numbers, counts = _picked(batch, chosen, self.fate, self.earliest)
            shown = from_blocks(_earliest_or_latest(numbers, self.earliest), target.width, target.height)[:height, :width]
            self.counts[:height, :width] += from_blocks(counts.sum(axis=0, dtype=np.int32), target.width, target.height)[
                :height, :width
            ]
            used, place = np.unique(shown, return_inverse=True)
            place = place.reshape(shown.shape)
            mask, places = np.zeros(self.index.shape, bool), np.zeros(self.index.shape, np.int64)
            mask[:height, :width], places[:height, :width] = shown > 0, place
            rows = np.maximum(used - 1, 0)
            self._take(mask, places, facts_of(batch, rows), details_of(batch, rows) if self.detailed else None)

    def _eligible(self, batch: DrawnBatch, depth: bool, first: int, last: int) -> np.ndarray:
        """bool[edges]: the primitives of the events whose state lets them write to the surface, if that is asked."""
        chosen = (batch.edges["seq"] >= first) & (batch.edges["seq"] <= last)
        if self.fate == Fate.WRITTEN:
            states = batch.states
            writing = (states["z_write"] | states["stencil_enable"]) if depth else states["color_write"]
            chosen &= (writing != 0)[batch.edges["state"]]
        return chosen

    def _take(self, mask: np.ndarray, places: np.ndarray, rows: np.ndarray, details: np.ndarray | None) -> None:
        """Where the mask says, these rows are the pixels' now, unless an earlier one is wanted."""
        if self.earliest:
            mask = mask & (self.index < 0)
        start = sum(map(len, self.rows))
        self.index[mask] = start + places[mask]
        self.rows.append(rows)
        if details is not None:
            self.details.append(details)


def _picked(batch: DrawnBatch, chosen: np.ndarray, fate: Fate, earliest: bool) -> tuple[np.ndarray, np.ndarray]:
    """int32[samples, words] each, in block order: 1 + row of `edges` of the last (first) fragment with the fate, and how many
    there were, of the chosen rows; all are drawn."""
    binned, edges = batch.journal.binned, batch.edges.copy()
    edges["number"], edges["seq"] = np.arange(len(edges)), chosen
    arenas = copy(binned.arenas)
    arenas.edges = edges
    words = TILE_PIXELS * (len(binned.starts) - 1)
    planes = np.zeros(words * binned.samples, np.int32), np.zeros(words * binned.samples, np.int32)
    mode = -(PICKED + fate) if earliest else PICKED + fate
    again = Binned(arenas, binned.states, binned.starts, binned.columns, binned.samples, binned.memory)
    again.draw(*batch.journal.before(), os.cpu_count() or 1, Seen(fates=(1, 1), planes=planes, picked=mode))
    return planes[0].reshape(binned.samples, words), planes[1].reshape(binned.samples, words)


def _earliest_or_latest(numbers: np.ndarray, earliest: bool) -> np.ndarray:
    """int32[words]: of all samples the one that came first or last; 0: none."""
    if not earliest:
        return numbers.max(axis=0)  # type: ignore[no-any-return]
    found = np.where(numbers > 0, numbers, np.iinfo(np.int32).max).min(axis=0)
    return np.where(found == np.iinfo(np.int32).max, 0, found)


def facts_of(batch: DrawnBatch, rows: np.ndarray) -> np.ndarray:
    """PICK[n] of rows of a batch's `edges`."""
    edges = batch.edges[rows]
    facts = np.zeros(len(rows), PICK)
    facts["event"], facts["primitive"] = edges["seq"], edges["number"]
    for name, column in COLUMNS.items():
        facts[name] = batch.states[column][edges["state"]]  # column by column: a state has 15 kB
    slopes = edges["edge"].astype(np.float64)  # of two edges: dy and dx of the vertices, in 1/256 pixel
    area = np.abs(slopes[:, 0] * slopes[:, 4] - slopes[:, 1] * slopes[:, 3]) / 2 / 256**2
    kinds = edges["kind"]
    facts["area"] = np.select([kinds == PrimitiveKind.TRIANGLE, kinds == PrimitiveKind.POINT], [area, 2 * area], -1)
    return facts
