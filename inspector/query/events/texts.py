"""The texts of all events: equal records have equal texts, so each different one is formatted once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from core.errors import Cancelled
from core.spec.effects import ACTIONS
from inspector.progress import StillWanted
from inspector.query.events.alike import LONGEST, WHOLE, grouped
from inspector.timeline.kinds import kinds_of
from inspector.timeline.records import bytes_of

CHUNK = 256
MOST_KNOWN = 1 << 16  # texts that are kept while events are listed
ACTION_WORDS = {int(kind): f" {kind.title}" for kind in ACTIONS}


@dataclass(frozen=True, eq=False)
class Texts:
    """`group` int32[events]: which text an event has; `texts` each different one, `folded` alike without case; `sample` an
    event of each; `kind` the EventKind of each.

    A text is the event's line and, for draws, clears, copies and presentations, that word, whatever the token is called.
    """

    group: np.ndarray
    texts: list[str]
    folded: list[str]
    sample: np.ndarray
    kind: np.ndarray

    def line(self, number: int) -> str:
        """The event's line alone."""
        return self.texts[number].removesuffix(ACTION_WORDS.get(int(self.kind[number]), ""))

    def containing(self, words: str) -> np.ndarray:
        """bool[events]: the text has these words in it, whatever the case."""
        words = words.casefold()
        return self.where([words in text for text in self.folded])

    def where(self, fits: list[bool] | np.ndarray) -> np.ndarray:
        """bool[events] from one bool a text."""
        return np.array(fits, bool)[self.group]


_known: WeakKeyDictionary[Any, Texts] = WeakKeyDictionary()


def texts_of(capture: Any, progress: StillWanted = lambda fraction: True) -> Texts:
    """The texts of a capture, read once.  Raises Cancelled when `progress` says so."""
    found = _known.get(capture)
    if found is None:
        found = _known[capture] = read_texts(capture, progress)
    return found


def read_texts(capture: Any, progress: StillWanted) -> Texts:
    """Reads every different event.  Raises Cancelled."""
    group, sample = _groups(capture.events, progress)
    texts: list[str] = []
    kinds = kinds_of(capture, sample)
    for start in range(0, len(sample), CHUNK):
        if not progress(start / len(sample)):
            raise Cancelled("reading of events cancelled")
        some = slice(start, start + CHUNK)
        for event, kind in zip(sample[some].tolist(), kinds[some].tolist(), strict=True):
            texts.append(capture.text(event) + ACTION_WORDS.get(kind, ""))
    return Texts(group, texts, [text.casefold() for text in texts], sample, kinds)


def texts_in_order(capture: Any, events: Sequence[int] | np.ndarray) -> Iterator[str]:
    """`capture.text` of these events, one after the other, without waiting for all: what was read before is not read again."""
    table = capture.events
    known: dict[tuple[int, int, bytes], str] = {}
    for start in range(0, len(events), CHUNK):
        places = np.asarray(events[start : start + CHUNK], np.int64)
        ops, sizes = table.op[places], table.size[places].astype(np.int64)
        counts = np.where(WHOLE[ops], table.count[places], 0)
        starts = table.base[table.call[places]] + table.offset[places]
        rows = zip(*(column.tolist() for column in (places, ops, sizes, counts, starts)), strict=True)
        for event, op, size, count, begin in rows:
            if not op or not 0 < size <= LONGEST:
                yield capture.text(event)
                continue
            key = op, count, table.commands[begin : begin + size].tobytes()
            text = known.get(key)
            if text is None:
                if len(known) >= MOST_KNOWN:
                    known.clear()
                text = known[key] = capture.text(event)
            yield text


def _check(progress: StillWanted) -> None:
    if not progress(0.0):
        raise Cancelled("reading of events cancelled")


def _groups(events: Any, progress: StillWanted) -> tuple[np.ndarray, np.ndarray]:
    """(group of each event, first event of each group), by opcode, size, bytes."""
    look = partial(_check, progress)
    group, first = grouped(events, look)
    order = [np.zeros(0, np.int64)]
    for places in _alike(events, first):
        look()
        order.append(places[_distinct(events, first[places], look)])
    every = np.concatenate(order)
    number = np.empty(len(first), np.int32)
    number[every] = np.arange(len(first))
    return number[group], first[every]


def _alike(events: Any, chosen: np.ndarray) -> Iterator[np.ndarray]:
    """Places among the chosen events: of one opcode, one record size and, of whole tokens, one count."""
    ops = events.rows["op"][chosen]
    order = np.argsort(ops, kind="stable")  # by digits, which is quick; the records of most tokens have one size
    for same in np.split(order, np.cumsum(np.bincount(ops))[:-1]):
        if not len(same):
            continue
        rows = events.rows[chosen[same]]
        kinds = rows["size"].astype(np.int64) << 16 | (rows["count"] if WHOLE[ops[same[0]]] else 0)
        if (kinds == kinds[0]).all():
            yield same
            continue
        inner = np.argsort(kinds, kind="stable")
        yield from np.split(same[inner], np.flatnonzero(np.diff(kinds[inner])) + 1)


def _distinct(events: Any, rows: np.ndarray, look: Callable[[], object]) -> np.ndarray:
    """The order by their bytes of different events of one opcode and size; calls, empty and long records stay in order."""
    size = int(events.size[rows[0]])
    if not events.op[rows[0]] or not 0 < size <= LONGEST:
        return np.arange(len(rows))
    records = bytes_of(events, rows, size, look)
    return np.argsort(records.view(f"V{size}")[:, 0], kind="stable")
