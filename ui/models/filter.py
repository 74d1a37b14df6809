"""The event list's filter box: finds the events that match.  The language is that of `inspector.query.search.search`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.errors import Cancelled
from inspector.query.search.search import mask_of
from inspector.query.search.syntax import FilterError, Node, notes, parse
from inspector.view import CaptureView


@dataclass(frozen=True)
class Filter:
    """A filter as typed: its tree, or what is wrong with it and where; `notes` are worth a hint."""

    text: str = ""
    tree: Node | None = None
    error: FilterError | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Filter:
        try:
            tree = parse(text)
        except FilterError as error:
            return cls(text, None, error)
        return cls(text, tree, None, tuple(notes(tree)))

    def __bool__(self) -> bool:
        return bool(self.text.strip())


def select(
    capture: CaptureView, rows: np.ndarray, filter: Filter, progress: Callable[[float, str], bool]
) -> np.ndarray | FilterError | None:
    """Those of the events `rows` that a filter means; what is wrong with it; None if the result is no longer wanted."""
    if filter.tree is None:
        return filter.error
    try:
        return rows[mask_of(capture, filter.tree, lambda fraction: progress(fraction, "Filtering"))[rows]]
    except FilterError as error:
        return error
    except Cancelled:
        return None
