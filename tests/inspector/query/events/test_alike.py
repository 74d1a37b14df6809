"""Groups of equal records against a dictionary of them; texts in the order of opcode, size and bytes."""

from __future__ import annotations

import numpy as np
import pytest

import inspector
from inspector.query.events import alike
from inspector.query.events.alike import LONGEST, WHOLE, grouped
from inspector.query.events.texts import read_texts
from tests.soak.gaps import large


def records(capture: inspector.Capture) -> list[tuple]:
    """What makes an event equal to another."""
    events = capture.events
    found: list[tuple] = []
    for event in range(len(events)):
        row = events.rows[event]
        op, size, count = int(row["op"]), int(row["size"]), int(row["count"])
        alone = not op or not 0 < size <= LONGEST
        start = int(events.base[row["call"]]) + int(row["offset"])
        found.append((op, size, count if WHOLE[op] else 0, event if alone else events.commands[start : start + size].tobytes()))
    return found


@pytest.mark.parametrize("seed", [0, 12345])
def test_groups_are_those_of_a_dictionary(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(alike, "_SEED", np.uint64(seed))
    monkeypatch.setattr(alike, "SMALLEST", 2)
    group, first = grouped(room.events, lambda: None)
    numbers: dict[tuple, int] = {}
    expected = [numbers.setdefault(record, len(numbers)) for record in records(room)]
    assert group.tolist() == expected
    assert first.tolist() == [expected.index(number) for number in range(len(numbers))]


def test_texts_come_by_opcode_size_and_bytes(room: inspector.Capture) -> None:
    texts, every = read_texts(room, lambda fraction: True), records(room)
    samples = [every[event] for event in texts.sample.tolist()]
    assert samples == sorted(set(every))
    assert [samples[number] for number in texts.group.tolist()] == every


def test_no_more_than_so_much_work_between_two_looks(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    large(tmp_path / "large.ddicap", 20_000, drawn=1)
    with inspector.open(tmp_path / "large.ddicap") as capture:
        looks = 0

        def look() -> None:
            nonlocal looks
            looks += 1

        grouped(capture.events, look)
        rooms = int(np.log2(len(capture.events) / alike.SMALLEST)) + 1
        assert looks >= 1 + len(capture.events) // alike.WORK
        assert looks >= rooms  # and one for each larger table
