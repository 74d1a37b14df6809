"""The memory of a batch of primitives, reused by the next batch."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from core.pipeline.records.layout import EDGES
from core.pipeline.records.recycle import recycled

MOST_SPARE, MOST_SPARE_BYTES = 16, 256 << 20  # kept for the next batches


class Arenas:
    """The memory of one batch: touching it for the first time costs 2 ms/MB, so batches hand it on."""

    spare: ClassVar[list[Arenas]] = []

    def __init__(self, edges: int = 4096, floats: int = 1 << 17, places: int = 8192) -> None:
        self.edges = fresh(edges, EDGES)
        self.planes = fresh(floats, np.dtype(np.float32))
        self.order = fresh(places, np.dtype(np.int32))

    @classmethod
    def take(cls, edges: int = 0, floats: int = 0) -> Arenas:
        """Those that were given back last; or with room for this much, and not for twice as much."""
        for n in reversed(range(len(cls.spare))):
            if not edges or edges <= cls.spare[n].edges.size <= 2 * edges:
                return cls.spare.pop(n)
        return cls(edges + edges // 8, floats + floats // 8) if edges else cls()

    def give_back(self) -> None:
        if len(self.spare) < MOST_SPARE and sum(one.nbytes for one in self.spare) + self.nbytes <= MOST_SPARE_BYTES:
            self.spare.append(self)

    @classmethod
    def forget_spare(cls) -> None:
        """Gives the system back what is kept for the next batches."""
        cls.spare.clear()

    @property
    def nbytes(self) -> int:
        return self.edges.nbytes + self.planes.nbytes + self.order.nbytes

    def room_for(self, name: str, size: int) -> None:
        """Makes an array at least this long."""
        array = getattr(self, name)
        if size > array.size:
            bigger = fresh(2 * int(size), array.dtype)
            copy_into(bigger, array, array.size)
            setattr(self, name, bigger)

    def lean(self, edges: int, floats: int, places: int) -> Arenas:
        """What holds this much: a copy where more than half would be empty, and then this is given back."""
        if self.nbytes <= 2 * (edges * EDGES.itemsize + (floats + places) * 4):
            return self
        small = Arenas(edges, floats, places)
        for array, given in ((small.edges, self.edges), (small.planes, self.planes), (small.order, self.order)):
            copy_into(array, given, array.size)
        self.give_back()
        return small


def fresh(count: int, dtype: np.dtype) -> np.ndarray:
    """Items that hold anything."""
    return recycled(count * dtype.itemsize // 4).view(dtype)


def copy_into(array: np.ndarray, given: np.ndarray, count: int) -> None:
    """The first items: numpy copies records field by field."""
    size = count * array.itemsize
    array.view(np.uint8)[:size] = given.view(np.uint8)[:size]
