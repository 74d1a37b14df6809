"""Memory held by several objects together: shared parts count once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Protocol

import numpy as np

from inspector.timeline.mapped import is_mapped


class Piece(Protocol):
    """A piece of memory: an array, or words of the texture heap."""

    @property
    def nbytes(self) -> int:
        """Bytes."""


def in_memory(arrays: Iterable[np.ndarray]) -> tuple[int, int]:
    """Bytes of arrays in memory, and of those in mapped files: their pages are the system's to keep or drop."""
    sizes = [0, 0]
    for array in arrays:
        sizes[is_mapped(array)] += array.nbytes
    return sizes[0], sizes[1]


class Held:
    """`size`: bytes of all pieces that are held by anything, but for those in mapped files."""

    def __init__(self) -> None:
        self.size = 0
        self._holders: dict[int, int] = {}  # id of a piece -> how often it is held
        self._pieces: dict[Hashable, list[Piece]] = {}  # by holder, kept so that ids stay theirs

    def hold(self, holder: Hashable, pieces: Iterable[Piece]) -> None:
        """The pieces that a new holder has."""
        held = self._pieces[holder] = [piece for piece in pieces if not is_mapped(piece)]
        for piece in held:
            before = self._holders.get(id(piece), 0)
            self._holders[id(piece)] = before + 1
            self.size += 0 if before else piece.nbytes

    def drop(self, holder: Hashable) -> None:
        """The holder has gone."""
        for piece in self._pieces.pop(holder):
            left = self._holders[id(piece)] - 1
            if left:
                self._holders[id(piece)] = left
            else:
                del self._holders[id(piece)]
                self.size -= piece.nbytes
