"""The number and the fates of fragments at every pixel of a surface."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.device.memory.surfaces import SurfacePart
from core.device.past.tap import Pass
from core.pipeline.observe.journal import Journal
from core.pipeline.pixel.binned import Seen
from core.pipeline.records.layout import TILE_PIXELS, Fate, from_blocks
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.pixels.pixel import event_range, handle_of, pieces

if TYPE_CHECKING:
    from inspector.capture import Capture

FURTHEST = ("", *(fate.name.lower() for fate in Fate))
"""By FragmentMap.furthest."""


@dataclass(frozen=True, slots=True)
class FragmentsOn:
    """The fragments of the draws among events first..last (None: from the start, to the end) on a surface.

    where: a surface, of colour or depth, or a subresource of it; a role as it is at the last event.
    """

    where: Where = "render_target"
    first: int | None = None
    last: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> FragmentMap:
        """BadInput if there is no such surface or event."""
        first, last = event_range(capture, self.first, self.last)
        handle = handle_of(capture, self.where, last, cancel)
        counts = furthest = np.zeros((0, 0), np.int32)
        for piece in pieces(capture, handle, first, last, cancel):
            if piece.part is None:
                continue
            shape = piece.part.height, piece.part.width
            if counts.shape != shape:  # another surface has the handle now
                counts, furthest = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
            for cause in piece.frame.rewind.changes_of(piece.part):
                if isinstance(cause, Pass) and cause.last_seq >= piece.first and cause.first_seq <= piece.last:
                    _add(cause, (piece.first, piece.last), counts, furthest)
        return FragmentMap(handle, first, last, counts, furthest.astype(np.uint8))


@dataclass(frozen=True)
class FragmentMap:
    """counts: int32[height, width], fragments (a covered sample each); furthest: uint8, an index of FURTHEST, of the one that
    came furthest, 0 where there was none."""

    surface: int
    first: int
    last: int
    counts: np.ndarray
    furthest: np.ndarray

    @property
    def fates(self) -> dict[str, int]:
        """How many pixels have a fragment that came so far, and none that came further; the furthest first."""
        pixels = np.bincount(self.furthest.ravel(), minlength=len(FURTHEST)).tolist()
        return {name: count for name, count in reversed(list(zip(FURTHEST, pixels, strict=True))) if name and count}


def _add(cause: Pass, events: tuple[int, int], counts: np.ndarray, furthest: np.ndarray) -> None:
    """Adds what the events of a batch did, by redrawing it."""
    target = cause.parts[0] or cause.parts[1]
    assert target is not None
    height, width = min(target.height, counts.shape[0]), min(target.width, counts.shape[1])
    for journal in cause.watch.journals:
        fates, overdraw = _watched(journal, events, target)
        counts[:height, :width] += overdraw.sum(axis=0, dtype=np.int32)[:height, :width]
        np.maximum(furthest[:height, :width], fates.max(axis=0)[:height, :width], out=furthest[:height, :width])


def _watched(journal: Journal, events: tuple[int, int], target: SurfacePart) -> tuple[np.ndarray, np.ndarray]:
    """int32[samples, height, width]: 1 + Fate of the fragment that came furthest, and the number of fragments."""
    binned = journal.binned
    words = TILE_PIXELS * (len(binned.starts) - 1)
    planes = np.zeros(words * binned.samples, np.int32), np.zeros(words * binned.samples, np.int32)
    binned.draw(*journal.before(), os.cpu_count() or 1, Seen(fates=events, planes=planes))
    found = (plane.reshape(binned.samples, words) for plane in planes)
    fates, overdraw = (np.stack([from_blocks(one, target.width, target.height) for one in plane]) for plane in found)
    return fates, overdraw
