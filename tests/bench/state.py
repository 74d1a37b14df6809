"""State, histories, usage and search behind two million writes and a million events, beside doing it the plain way.

`python -m tests.bench.state`
"""

from __future__ import annotations

import sys
from typing import cast

import numpy as np

from core.spec.slots import DEFAULTS, ROWS
from inspector.query.state.at_event import Values
from inspector.query.state.history import changes_of
from inspector.query.state.places import FIXED_PLACES, layout
from inspector.timeline.liveness import Liveness
from inspector.timeline.states import StateTimeline, Writes
from inspector.timeline.uses import Uses
from inspector.timeline.walk import Walk
from tests.bench.machine import machine
from tests.bench.timeline import median, report

EVENTS, WRITES, SINGLE = 1_000_000, 2_000_000, 1000


def synthetic() -> Walk:
    """Random writes, evenly over all fixed slots; every tenth event draws."""
    chance = np.random.default_rng(5)
    slots = np.concatenate([np.arange(row.slot, row.slot + row.count) for row in ROWS]).astype(np.uint32)
    seqs = np.sort(chance.integers(0, EVENTS, WRITES)).astype(np.uint32)
    writes = Writes.of(chance.choice(slots, WRITES), seqs, chance.integers(0, 4, WRITES).astype(np.uint32))
    draws = np.concatenate([[0], np.cumsum(np.arange(EVENTS) % 10 == 9)])
    uses = Uses(draws, np.zeros_like(draws), np.zeros(EVENTS, bool))
    states, nothing = StateTimeline.of(writes, DEFAULTS), np.zeros(EVENTS, bool)
    return Walk(states, {}, {}, nothing, uses, frozenset(), cast(Liveness, None), ())  # not asked here


def by_scanning(walked: Walk, slots: np.ndarray, event: int) -> np.ndarray:
    """The plain way: the last write of each slot up to the event, from the log in order of events."""
    states = walked.states
    order = np.argsort(states.seqs, kind="stable")
    slot_of = np.repeat(np.arange(len(states.first) - 1), np.diff(states.first))[order]
    vector = states.initial.copy()
    upto = np.searchsorted(states.seqs[order], event, side="right")
    vector[slot_of[:upto]] = states.values[order][:upto]
    return vector[slots]


def main() -> int:
    print(machine())
    walked = synthetic()
    spots = np.random.default_rng(6).integers(0, EVENTS, 100).tolist()
    ones = layout([place for place in FIXED_PLACES if place.count == 1])
    few = layout(FIXED_PLACES[:SINGLE])
    everything = layout(FIXED_PLACES)
    print(f"{EVENTS:,} events, {WRITES:,} writes")
    scan = median(lambda: by_scanning(walked, ones.slots, EVENTS // 2), 3)
    for title, wanted in (("values of one slot", ones), ("values, matrices too", few), ("values: all there are", everything)):
        each = median(lambda wanted=wanted: [Values(walked, event, wanted) for event in spots]) / len(spots)
        slots = len(wanted.slots)
        report(f"{len(wanted.places)} {title}, {slots} slots", each, "scan", scan)
        print(f"{'':44} {each / slots * 1e6:10.3f} ms for 1,000 slots")
    marks = ("redundant", "is_default", "draws", "unused")
    judged = median(lambda: [[getattr(Values(walked, event, ones), mark) for mark in marks] for event in spots]) / len(spots)
    report(f"the same {len(ones.places)} values, judged", judged)
    texts = median(lambda: [value.text for value in Values(walked, spots[0], ones)])
    report("their texts", texts)
    report("history of a matrix", median(lambda: changes_of(walked, FIXED_PLACES[-400])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
