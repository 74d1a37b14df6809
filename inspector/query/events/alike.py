"""Events with equal records, numbered by a hash table: one compiled pass over all events of a tape."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import numpy as np

from core.kernels.jit import array, i8, kernel, u8, void
from core.spec.tokens import ops_that
from inspector.timeline.events import EVENT

LONGEST = 512  # bytes of a record that is compared with others
WHOLE = ops_that(lambda row: row.repeat == "once")
"""Tokens that are one record as a whole: what it means depends on the command's count too."""
TRIES = 1 << 8  # places of the table, of which at most half are taken, in which an event is looked for
WORK = 1 << 20  # events and comparisons from one look at Stop to the next
SMALLEST = 1 << 12  # groups that there is room for in the beginning
_SEED = np.uint64(secrets.randbits(64))  # or a file could have all its records fall into one place
WORDS = EVENT.itemsize // 4
_CALL, _OP, _OFFSET, _SIZE = (EVENT.fields[name][1] // 4 for name in ("call", "op", "offset", "size"))  # type: ignore[index]
assert EVENT.fields["count"][1] == 4 * _OP + 2 and EVENT.itemsize % 4 == 0  # type: ignore[index]


@kernel(i8(array("u4", 2), array("i8"), array("u1"), array("bool"), u8, i8, i8, i8, array("i4"), array("i8"), array("u8"),
           array("i4"), array("i8")))  # fmt: skip
def _group(rows, base, commands, whole, seed, event, most, tries, group, first, hashes, table, count):  # type: ignore[no-untyped-def]
    """Goes on with the events from `event` on; returns where it stopped: at the end, after `most` events and comparisons of
    hashes, or for lack of room.

    tries: in so many places of the table; records that a file made to collide are alone, and cost no more than others.
    group[event]: the number of its group; first, hashes: of each of the count[0] groups, 0 for one that has no other member;
    table: group numbers by hash, -1 for none, twice as long as `first`.
    """
    work, last = np.int64(0), np.int64(len(table) - 1)
    while event < len(rows) and work < most and count[0] < len(first):
        word, size = rows[event, _OP], np.int64(rows[event, _SIZE])
        op = word & np.uint32(255)
        if op == 0 or size == 0 or size > LONGEST:
            group[event] = count[0]
            first[count[0]], hashes[count[0]] = event, 0
            count[0] += 1
            event, work = event + 1, work + 1
            continue
        kind = word & np.uint32(0xFFFF00FF) if whole[op] else op
        start = base[rows[event, _CALL]] + np.int64(rows[event, _OFFSET])
        mixed = (seed ^ np.uint64(kind) ^ np.uint64(size) << np.uint64(32)) * np.uint64(0x9E3779B97F4A7C15)
        for i in range(size):
            mixed = (mixed ^ np.uint64(commands[start + i])) * np.uint64(0x100000001B3)
        mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = mixed ^ mixed >> np.uint64(32) | np.uint64(1)
        place, left = np.int64(mixed >> np.uint64(1)) & last, tries
        while True:
            work, left = work + 1, left - 1
            if left < 0:
                found = np.int32(count[0])
                first[found], hashes[found] = event, 0
                count[0] += 1
                break
            found = table[place]
            if found < 0:
                table[place] = found = np.int32(count[0])
                first[found], hashes[found] = event, mixed
                count[0] += 1
                break
            if hashes[found] == mixed:
                other = first[found]
                theirs = rows[other, _OP]
                same = (theirs & np.uint32(0xFFFF00FF) if whole[op] else theirs & np.uint32(255)) == kind
                same = same and np.int64(rows[other, _SIZE]) == size
                n = np.int64(0)
                begin = base[rows[other, _CALL]] + np.int64(rows[other, _OFFSET])
                while same and n < size:
                    same = commands[begin + n] == commands[start + n]
                    n += 1
                if same:
                    break
            place = (place + 1) & last
        group[event] = found
        event += 1
    return event


@kernel(void(array("u8"), i8, array("i4")))
def _place_again(hashes, count, table):  # type: ignore[no-untyped-def]
    """Fills a larger table."""
    last = len(table) - 1
    for number in range(count):
        if hashes[number]:
            place = np.int64(hashes[number] >> np.uint64(1)) & last
            while table[place] >= 0:
                place = (place + 1) & last
            table[place] = number


def grouped(events: Any, look: Callable[[], object]) -> tuple[np.ndarray, np.ndarray]:
    """(int32[events], the group of each event; int64[groups], the first event of each).  Calls `look` now and then.

    Events of one group have equal bytes, and the same token.  Calls without a stream, empty and long records are alone, and so
    is what is not found after TRIES.
    """
    rows = np.ascontiguousarray(events.rows).view(np.uint32).reshape(-1, WORDS)
    group, count, event, room = np.empty(len(rows), np.int32), np.zeros(1, np.int64), 0, SMALLEST
    first, hashes, table = np.empty(room, np.int64), np.empty(room, np.uint64), np.full(2 * room, -1, np.int32)
    while event < len(rows):
        look()
        event = _group(rows, events.base, events.commands, WHOLE, _SEED, event, WORK, TRIES, group, first, hashes, table, count)
        if count[0] == room:
            room *= 2
            first, hashes = np.resize(first, room), np.resize(hashes, room)
            table = np.full(2 * room, -1, np.int32)
            _place_again(hashes, int(count[0]), table)
    return group, first[: count[0]].copy()
