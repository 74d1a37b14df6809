"""What became of each write, against counting from the definition; and how often such passes look at Stop."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cancel import cancellable
from core.errors import Cancelled
from inspector.timeline import fates
from inspector.timeline.fates import CHANGED, FINAL, UNUSED, Fates
from inspector.timeline.states import StateTimeline, Writes
from inspector.timeline.uses import FOR_CLEARS, Uses

CLEARED = int(np.flatnonzero(FOR_CLEARS)[0])
SLOTS = (2, 3, CLEARED, CLEARED + 1, len(FOR_CLEARS) + 7)
EVENTS = 14
rows = st.lists(st.tuples(st.sampled_from(SLOTS), st.integers(0, EVENTS - 1), st.integers(0, 3)), max_size=40).map(
    lambda found: sorted(found, key=lambda row: row[1])
)
marked = st.lists(st.sampled_from(["", "draw", "clear", "multiply", "runtime"]), min_size=EVENTS, max_size=EVENTS)


def tape(writes: list[tuple[int, int, int]], events: list[str]) -> Any:
    """As much of a Walk as there is to know here."""
    sums = [np.append(0, np.cumsum([event == name for event in events])).astype(np.uint32) for name in ("draw", "clear")]
    uses = Uses(*sums, np.array([event == "multiply" for event in events]))
    columns = np.array(writes, np.uint32).reshape(-1, 3).T
    states = StateTimeline.of(Writes.of(*columns), np.full(SLOTS[-1] + 1, 1, np.uint32))
    return SimpleNamespace(states=states, uses=uses, initial=np.array([event == "runtime" for event in events]))


def in_vain(writes: list[tuple[int, int, int]], events: list[str], slots: range) -> set[int]:
    """The events whose value of these slots another event replaces before anything uses it."""
    writers = sorted({seq for slot, seq, _ in writes if slot in slots})
    found = set()
    for event, following in pairwise(writers):
        between = events[event + 1 : following]
        used = "draw" in between or events[following] == "multiply" or ("clear" in between and FOR_CLEARS[slots[:1]].all())
        found |= set() if used else {event}
    return found


@pytest.mark.parametrize("piece", [1, 3, fates.PIECE])
@settings(deadline=None)
@given(writes=rows, events=marked)
def test_bits_are_those_of_the_definition(piece: int, writes: list[tuple[int, int, int]], events: list[str]) -> None:
    walked = tape(writes, events)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fates, "PIECE", piece)
        states, bits = walked.states, Fates(walked).bits()
        for slot in SLOTS:
            span = states.span(slot)
            last = {seq: value for at, seq, value in writes if at == slot}
            before = dict(zip(last, [1, *last.values()], strict=False))
            own = bits[span][(bits[span] & FINAL) != 0]
            assert states.seqs[span][(bits[span] & FINAL) != 0].tolist() == list(last)
            assert [bool(bit & CHANGED) for bit in own.tolist()] == [last[seq] != before[seq] for seq in last]
            vain = in_vain(writes, events, range(slot, slot + 1)) if slot < len(FOR_CLEARS) else None
            if vain is not None:
                assert {seq for seq, bit in zip(last, own.tolist(), strict=True) if bit & UNUSED} == vain


@pytest.mark.parametrize("piece", [1, 3, fates.PIECE])
@settings(deadline=None)
@given(writes=rows, events=marked)
def test_values_of_several_slots(piece: int, writes: list[tuple[int, int, int]], events: list[str]) -> None:
    walked = tape(writes, events)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fates, "PIECE", piece)
        for first in (2, CLEARED):
            mask = np.zeros(EVENTS, bool)
            Fates(walked).spread_unused(first, 2, mask)
            expected = {event for event in in_vain(writes, events, range(first, first + 2)) if events[event] != "runtime"}
            assert set(np.flatnonzero(mask).tolist()) == expected


@settings(deadline=None)
@given(writes=rows, events=marked, low=st.integers(0, EVENTS), high=st.integers(0, EVENTS))
def test_counts_by_slot(writes: list[tuple[int, int, int]], events: list[str], low: int, high: int) -> None:
    walked = tape(writes, events)
    judged = Fates(walked)
    counts, bits, states = judged.counts(low, high), judged.bits(), walked.states
    for slot in SLOTS[:4]:
        span = states.span(slot)
        own = [bit for seq, bit in zip(states.seqs[span].tolist(), bits[span].tolist(), strict=True)
               if bit & FINAL and low <= seq <= high and events[seq] != "runtime"]  # fmt: skip
        assert (counts[slot].tolist() if slot < len(counts) else [0, 0, 0]) == [
            len(own), sum(bool(bit & CHANGED) for bit in own), sum(bool(bit & UNUSED) for bit in own)
        ]  # fmt: skip


def test_no_pass_goes_over_more_writes_than_one_piece_without_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fates, "PIECE", 10)
    walked = tape([(2 + n % 2, n // 8, n) for n in range(80)], [""] * EVENTS)
    judged, mask = Fates(walked), np.zeros(EVENTS, bool)
    judged.bits()
    passes = {
        "marks": lambda: fates.marks_of(walked.states),
        "bits": lambda: Fates(walked).bits(),
        "counts": lambda: judged.counts(0, 9),
        "spread": lambda: judged.spread(UNUSED, mask),
        "values": lambda: judged.spread_unused(2, 2, mask),
    }
    for name, work in passes.items():
        looks = 0

        def look() -> bool:
            nonlocal looks
            looks += 1
            return False

        with cancellable(look):
            work()
        assert looks >= 8, name
        with cancellable(lambda: True), pytest.raises(Cancelled):
            work()
