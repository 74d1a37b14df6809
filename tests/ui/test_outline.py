"""The tree of events against one built a node at a time."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from inspector.timeline.events import EVENT as ROW
from inspector.timeline.events import Events
from ui.models.outline import CALL, EVENT, FOLDED, FRAME, TOKEN, UNFOLDED, Fold, Outline

Node = tuple[int, int, list]  # level, first event, children


def made_up(seed: int) -> tuple[Events, list[int]]:
    """Frames that begin with calls; streams of tokens of one or more records; calls without a stream."""
    random_number = random.Random(seed)
    rows, firsts, frames = [], [0], []
    for call in range(random_number.randint(1, 12)):
        if not call or random_number.random() < 0.3:
            frames.append(len(rows))
        if random_number.random() < 0.4:
            rows.append((call, 0, 0))
        else:
            for token in range(random_number.randint(1, 5)):
                rows += [(call, 8, token * 100)] * random_number.choice((1, 1, 2, 4))
        firsts.append(len(rows))
    made = np.zeros(len(rows), ROW)
    made["call"], made["op"], made["token"] = np.array(rows).T
    return Events(made, np.array(firsts), np.zeros(0, np.uint8), np.zeros(len(firsts) - 1, np.int64), ()), frames


def tree(events: Events, frames: list[int]) -> list[Node]:
    """One node at a time, from what each row says."""
    roots: list[Node] = []
    for event, row in enumerate(events.rows.tolist()):
        call, op, _, _, token = row[:5]
        if event in frames:
            roots.append((FRAME, event, []))
        inside = roots[-1][2]
        if not op:
            inside.append((EVENT, event, []))
            continue
        before = events.rows[event - 1] if event else None
        if before is None or before["call"] != call:
            inside.append((CALL, event, []))
        tokens = inside[-1][2]
        same = [e for e in range(len(events)) if events.rows["call"][e] == call and events.rows["token"][e] == token]
        if len(same) == 1:
            tokens.append((EVENT, event, []))
            continue
        if event == same[0]:
            tokens.append((TOKEN, event, []))
        tokens[-1][2].append((EVENT, event, []))
    return roots


def events_in(node: Node) -> list[int]:
    level, event, children = node
    return [event] if level == EVENT else [found for child in children for found in events_in(child)]


def walked(nodes: list[Node], fold: Fold, matches: set[int], depth: int = 0) -> Iterator[tuple[int, int]]:
    """(row, depth) of what shows."""
    for node in nodes:
        level, event, children = node
        if not matches & set(events_in(node)):
            continue
        yield event * 4 + level, depth
        if level != EVENT and fold.is_open(event * 4 + level):
            yield from walked(children, fold, matches, depth + 1)


@pytest.mark.parametrize("seed", range(60))
def test_the_rows_that_show_are_those_of_a_tree_walked_node_by_node(seed: int) -> None:
    events, frames = made_up(seed)
    outline, nodes = Outline(events, np.array(frames)), tree(events, frames)
    random_number = random.Random(seed)
    groups = [key for key, _ in walked(nodes, UNFOLDED, set(range(len(events)))) if key % 4 != EVENT]
    for opened in ((False, True, True), (True, True, True), (False, False, False), (True, False, True)):
        fold = Fold(opened, frozenset(key for key in groups if random_number.random() < 0.4))
        chosen = sorted(random_number.sample(range(len(events)), random_number.randint(1, len(events))))
        for matches in (None, np.array(chosen, np.int64)):
            wanted = set(range(len(events)) if matches is None else chosen)
            expected = list(walked(nodes, fold, wanted))
            rows = outline.rows(fold, matches)
            assert rows.tolist() == [key for key, _ in expected]
            assert [outline.depth(key) for key in rows.tolist()] == [depth for _, depth in expected]


@pytest.mark.parametrize("seed", range(20))
def test_groups_know_where_they_end_and_events_what_they_are_in(seed: int) -> None:
    events, frames = made_up(seed)
    outline = Outline(events, np.array(frames))

    def check(node: Node, above: list[int]) -> None:
        level, event, children = node
        key = event * 4 + level
        assert outline.end(key) == max(events_in(node)) + 1
        if level == EVENT:
            assert outline.ancestors(event) == above
        for child in children:
            check(child, [*above, key])

    for root in tree(events, frames):
        check(root, [])


def test_nothing_has_no_rows() -> None:
    empty = Events(np.zeros(0, ROW), np.zeros(1, np.int64), np.zeros(0, np.uint8), np.zeros(0, np.int64), ())
    for fold in (UNFOLDED, FOLDED, Fold()):
        assert not len(Outline(empty, np.zeros(1, np.int64)).rows(fold))
