"""Search: the events that match a filter.  The language: `inspector.query.search.syntax`; its evaluation: module `masks`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from core.errors import Cancelled
from inspector.progress import Cancel
from inspector.query.search.masks import Masks, Read, never_stop
from inspector.query.search.syntax import FilterError, Node, parse

if TYPE_CHECKING:
    from inspector.capture import Capture

__all__ = ["NAMED_FILTERS", "FilterError", "Search", "mask_of", "parse"]

NAMED_FILTERS = {
    "Default": "$action()",
    "Actions and Barriers": "$action() Barrier",
    "Hide Copies & Clears": "$action() -Copy -Clear",
    "Draws that change nothing": "$draw() and pixels == 0",
    "Redundant state": "redundant()",
    "Unused state": "unused()",
    "Not executed": "done == 0",
}
"""Filters to choose from; the first three are RenderDoc's."""
_read: WeakKeyDictionary[Any, Read] = WeakKeyDictionary()


@dataclass(frozen=True)
class Search:
    """The events that a filter means: int64, ascending.  FilterError, a BadInput, says what is wrong with it and where."""

    text: str

    def run(self, capture: Capture, cancel: Cancel | None = None) -> np.ndarray:
        progress = (lambda fraction: not cancel()) if cancel else never_stop
        return np.flatnonzero(mask_of(capture, parse(self.text), progress))


def mask_of(capture: Any, tree: Node, progress: Callable[[float], bool] = never_stop) -> np.ndarray:
    """bool[events].  Raises FilterError, or Cancelled when `progress` reports that the result is no longer wanted."""
    if not progress(0.0):
        raise Cancelled("search cancelled")
    read = _read.get(capture)
    if read is None:
        read = _read.setdefault(capture, Read(capture))
    return Masks(capture, read, progress).of(tree)
