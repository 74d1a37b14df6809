"""Groups of equal records against a dictionary of them; texts in the order of opcode, size and bytes."""

from __future__ import annotations

import numpy as np
import pytest

import inspector
from inspector.query.events import alike
from inspector.query.events.alike import LONGEST, WHOLE, grouped
from inspector.query.events.texts import read_texts
from inspector.timeline import records as record_bytes


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


@pytest.mark.parametrize("tries", [0, 1])
def test_records_that_collide_are_alone(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch, tries: int) -> None:
    """FNV's state can be made to collide whatever the seed is: then only some of the equal events share a group."""
    monkeypatch.setattr(alike, "TRIES", tries)
    group, first = grouped(room.events, lambda: None)
    every, sizes = records(room), np.bincount(group)
    assert [every[first[number]] for number in group.tolist()] == every
    assert sizes.min() == 1 and len(sizes) > len(set(every)) and (sizes.max() > 1) == (tries > 0)
    texts = read_texts(room, lambda fraction: True)
    assert [every[texts.sample[number]] for number in texts.group.tolist()] == every


def test_texts_are_gathered_in_pieces(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The places of all their bytes take eight times as much as the bytes."""
    whole = read_texts(room, lambda fraction: True)
    looks: list[float] = []
    monkeypatch.setattr(record_bytes, "GATHERED", 100)
    pieces = read_texts(room, lambda fraction: not looks.append(fraction))
    assert np.array_equal(pieces.group, whole.group) and np.array_equal(pieces.sample, whole.sample)
    assert len(looks) > sum(record[1] for record in set(records(room)) if record[0] and record[1] <= LONGEST) / 100


def test_texts_come_by_opcode_size_and_bytes(room: inspector.Capture) -> None:
    texts, every = read_texts(room, lambda fraction: True), records(room)
    samples = [every[event] for event in texts.sample.tolist()]
    assert samples == sorted(set(every))
    assert [samples[number] for number in texts.group.tolist()] == every


def test_no_more_than_so_many_events_between_two_looks(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "WORK", 100)
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1

    grouped(room.events, look)
    assert looks >= len(room.events) / 100 > 10
