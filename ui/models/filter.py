"""The event list's filter box: which events do these words mean?

    blend              the event's text contains "blend"; several words: any of them
    +draw              must contain it
    -clear             must not
    "set state"        quoted: one word with a blank in it

Case does not matter.  (A language that also asks for values in force is to come; this is its first layer.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

_TERM = re.compile(r'([+-]?)(?:"([^"]*)"?|(\S+))')
CHUNK = 512
LONGEST = 512


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


def select(capture: Any, rows: np.ndarray, filter: Filter, progress: Callable[[float, str], bool]) -> np.ndarray | None:
    """Those of the events `rows` whose text matches; None if `progress` says that nobody wants to know any more.

    Records with the same bytes read the same, so each different one is read once: programs repeat themselves.
    """
    fits = np.zeros(len(rows), bool)
    done = 0
    for places in _alike(capture.events, rows):
        groups, first = _distinct(capture.events, rows[places])
        found = np.zeros(len(first), bool)
        for start in range(0, len(first), CHUNK):
            if not progress(min((done + start) / max(len(rows), 1), 1.0), "Filtering"):
                return None
            some = slice(start, start + CHUNK)
            found[some] = [filter.matches(capture.text(event)) for event in rows[places][first[some]].tolist()]
        fits[places] = found[groups]
        done += len(places)
    return rows[fits]


def _alike(events: Any, rows: np.ndarray) -> Iterator[np.ndarray]:
    """Places in `rows`, in groups of one opcode and one record size."""
    kinds = events.op[rows].astype(np.int64) << 32 | events.size[rows]
    order = np.argsort(kinds, kind="stable")
    ends = np.flatnonzero(np.diff(kinds[order])) + 1
    return (group for group in np.split(order, ends) if len(group))


def _distinct(events: Any, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(group of each row, first row of each group) for events of one opcode and size, by the bytes of their records."""
    size = int(events.size[rows[0]])
    if not events.op[rows[0]] or not 0 < size <= LONGEST:
        return np.arange(len(rows)), np.arange(len(rows))
    starts = events.base[events.call[rows]] + events.offset[rows]
    records = events.commands[starts[:, None] + np.arange(size)]
    _, first, groups = np.unique(records.view(f"V{size}")[:, 0], return_index=True, return_inverse=True)
    return groups, first
