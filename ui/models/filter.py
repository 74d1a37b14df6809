"""The event list's filter box: which events do these words mean?

    blend              the event's text contains "blend"; several words: any of them
    +draw              must contain it
    -clear             must not
    "set state"        quoted: one word with a blank in it

Case does not matter.  (A language that also asks for values in force is to come; this is its first layer.)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

_TERM = re.compile(r'([+-]?)(?:"([^"]*)"?|(\S+))')
CHUNK = 4096


@dataclass(frozen=True)
class Filter:
    any_of: tuple[str, ...] = ()
    all_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Filter:
        groups: dict[str, list[str]] = {"": [], "+": [], "-": []}
        for sign, quoted, bare in _TERM.findall(text):
            if word := (quoted or bare).casefold():
                groups[sign].append(word)
        return cls(tuple(groups[""]), tuple(groups["+"]), tuple(groups["-"]))

    def __bool__(self) -> bool:
        return bool(self.any_of or self.all_of or self.none_of)

    def matches(self, text: str) -> bool:
        text = text.casefold()
        return (
            not any(word in text for word in self.none_of)
            and all(word in text for word in self.all_of)
            and (not self.any_of or any(word in text for word in self.any_of))
        )


def select(
    rows: np.ndarray, filter: Filter, text: Callable[[int], str], progress: Callable[[float, str], bool]
) -> np.ndarray | None:
    """Those of `rows` whose text matches; None if `progress` says that nobody wants to know any more."""
    kept: list[int] = []
    for start in range(0, len(rows), CHUNK):
        if not progress(start / len(rows), "filtering"):
            return None
        kept += [event for event in rows[start : start + CHUNK].tolist() if filter.matches(text(event))]
    return np.array(kept, np.int64)
