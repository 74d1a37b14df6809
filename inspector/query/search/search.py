"""Search: the events that a filter means.  The language: `inspector.query.search.syntax`; what it means: `masks` beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from core.errors import Cancelled
from inspector.query.search.fields import ALIASES, COMPARISON_FLAGS, MAKERS
from inspector.query.search.masks import COUNTED, DOLLARS, PREDICATES, Masks, never_stop
from inspector.query.search.syntax import FilterError, Node, parse
from inspector.query.state.places import places_with, spelled
from inspector.timeline.replay import Cancel

if TYPE_CHECKING:
    from inspector.capture import Capture

__all__ = ["NAMED_FILTERS", "FilterError", "Search", "completions", "mask_of", "parse"]

NAMED_FILTERS = {
    "Default": "$action()",
    "Actions and Barriers": "$action() Barrier",
    "Hide Copies & Clears": "$action() -Copy -Clear",
    "Draws that change nothing": "$draw() and pixels == 0",
    "Redundant state": "redundant()",
    "State set in vain": "unused()",
}
"""Filters to choose from; the first three are RenderDoc's."""
_masks: WeakKeyDictionary[Any, Masks] = WeakKeyDictionary()
_TYPED = re.compile(r"[$\w.*\[\]]*$")


@dataclass(frozen=True)
class Search:
    """The events that a filter means: int64, ascending.  FilterError, a BadInput, says what is wrong with it and where."""

    text: str

    def run(self, capture: Capture, cancel: Cancel | None = None) -> np.ndarray:
        progress = (lambda fraction: not cancel()) if cancel else never_stop
        return np.flatnonzero(mask_of(capture, parse(self.text), progress))


def mask_of(capture: Any, tree: Node, progress: Callable[[float], bool] = never_stop) -> np.ndarray:
    """bool[events].  Raises FilterError, or Cancelled when `progress` says that nobody wants to know any more."""
    if not progress(0.0):
        raise Cancelled("searching was cancelled")
    masks = _masks.get(capture)
    if masks is None:
        masks = _masks[capture] = Masks(capture)
    masks.progress = progress
    try:
        return masks.of(tree)
    finally:
        masks.progress = never_stop


def completions(text: str, capture: Any = None) -> list[str]:
    """What the word that `text` ends with could become, best first: functions, columns, states, flags."""
    found = _TYPED.search(text)
    typed = found[0] if found else ""
    if not typed:
        return []
    folded = typed.casefold()
    words = _words(capture)
    begin = [word for word in words if word.casefold().startswith(folded)]
    within = [word for word in words if folded in word.casefold() and word not in begin]
    return [word for word in begin + within if word.casefold() != folded]


def _words(capture: Any) -> list[str]:
    words = [f"${name}(" for name in DOLLARS] + [f"{name}(" for name in PREDICATES]
    words += [*MAKERS, *COUNTED, *ALIASES, "name", "text", "shader", *COMPARISON_FLAGS]
    lights = capture.walked.lights_at(len(capture.events)) if capture is not None else ()
    return words + [spelled(place.key) for place in places_with(lights).values()]
