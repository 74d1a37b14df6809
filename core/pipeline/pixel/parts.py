"""Parts of a batch: a limit on the primitives sorted into tiles and drawn at once bounds the memory.

A triangle of 8192 x 8192 pixels takes 16,384 places, and a batch may hold 131,072 triangles.  The parts are drawn one after the
other, so each pixel meets the same primitives in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.pipeline.pixel.binned import Binned
from core.pipeline.pixel.raster import count_places
from core.pipeline.records.arenas import Arenas, copy_into

MOST_PLACES = 1 << 22  # of a part: 16 MB


def starts_of(counts: np.ndarray) -> np.ndarray:
    """int64[tiles + 1]: where the places of each tile begin; counts: how many there are."""
    starts = np.zeros(counts.size + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def split(whole: Binned, primitives: int, floats: int) -> Iterator[Binned]:
    """Parts of a batch, each in arenas of its own; whole: `starts` give the number of tiles only.

    primitives, floats: how much of its arenas holds something.
    """
    edges = whole.arenas.edges[:primitives]
    ends = np.cumsum(_places(edges))
    first = 0
    while first < primitives:
        before = int(ends[first - 1]) if first else 0
        stop = max(int(np.searchsorted(ends, before + MOST_PLACES, "right")), first + 1)
        begin, end = int(edges["planes"][first]), int(edges["planes"][stop]) if stop < primitives else floats
        counts = np.zeros(whole.starts.size - 1, np.int64)
        count_places(edges[first:stop], stop - first, counts, whole.columns)
        held = Arenas(stop - first, end - begin, int(ends[stop - 1]) - before)
        copy_into(held.edges, edges[first:stop], stop - first)
        held.edges["planes"] -= begin
        copy_into(held.planes, whole.arenas.planes[begin:end], end - begin)
        yield Binned(held, whole.states, starts_of(counts), whole.columns, whole.samples, whole.memory, stop - first)
        first = stop


def _places(edges: np.ndarray) -> np.ndarray:
    """int64[n]: in how many tiles each primitive is (EDGES)."""
    across, down = ((edges[high] >> 6) - (edges[low] >> 6) + 1 for low, high in (("left", "right"), ("top", "bottom")))
    return across.astype(np.int64) * down
