"""Alignment: two lists of signatures in parallel, along a longest common subsequence (module `subsequence`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inspector.query.comparison.subsequence import longest
from inspector.timeline.replay import Cancel


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two lists side by side: rows of positions, -1 where a list has nothing to say.  int64[n] each, both ascending.

    `same`: bool[n], whether both sides exist and are equal.
    """

    a: np.ndarray
    b: np.ndarray
    same: np.ndarray

    def __len__(self) -> int:
        return len(self.a)

    @property
    def equal(self) -> bool:
        """Whether the lists do not differ."""
        return bool(self.same.all())

    @property
    def first_difference(self) -> int | None:
        """The first row that differs."""
        rows = np.flatnonzero(~self.same)
        return int(rows[0]) if len(rows) else None


def align(
    a: np.ndarray,
    b: np.ndarray,
    kinds_a: np.ndarray | None = None,
    kinds_b: np.ndarray | None = None,
    cancel: Cancel | None = None,
) -> Alignment:
    """The alignment of two uint64 lists.

    Between equal elements, those of one side are paired with those of the other if they are of one kind, in order: changed
    elements rather than removed and added ones.  Raises Cancelled.
    """
    pairs = common(a, b, cancel)
    edges = np.vstack([pairs, [[len(a), len(b)]]])
    rows_a, rows_b = [], []
    at_a, at_b = 0, 0
    gaps = np.flatnonzero((edges[:, 0] != np.append(0, edges[:-1, 0] + 1)) | (edges[:, 1] != np.append(0, edges[:-1, 1] + 1)))
    for gap in gaps.tolist():
        end_a, end_b = edges[gap].tolist()
        before = int(edges[gap - 1, 0]) + 1 if gap else 0, int(edges[gap - 1, 1]) + 1 if gap else 0
        rows_a.append(np.arange(at_a, before[0]))
        rows_b.append(np.arange(at_b, before[1]))
        between = _beside(np.arange(before[0], end_a), np.arange(before[1], end_b), kinds_a, kinds_b, cancel)
        rows_a.append(between[0])
        rows_b.append(between[1])
        at_a, at_b = end_a, end_b
    rows_a.append(np.arange(at_a, len(a)))
    rows_b.append(np.arange(at_b, len(b)))
    left, right = np.concatenate(rows_a).astype(np.int64), np.concatenate(rows_b).astype(np.int64)
    both = (left >= 0) & (right >= 0)
    same = both.copy()
    same[both] = a[left[both]] == b[right[both]]
    return Alignment(left, right, same)


def _beside(
    a: np.ndarray, b: np.ndarray, kinds_a: np.ndarray | None, kinds_b: np.ndarray | None, cancel: Cancel | None
) -> tuple:
    """Positions that have no equal on the other side, one row each or, of one kind, two to a row."""
    if kinds_a is None or kinds_b is None or not len(a) or not len(b):
        return np.append(a, np.full(len(b), -1)), np.append(np.full(len(a), -1), b)
    pairs = common(kinds_a[a].astype(np.uint64), kinds_b[b].astype(np.uint64), cancel)
    left, right, at_a, at_b = [], [], 0, 0
    for i, j in [*pairs.tolist(), [len(a), len(b)]]:
        left += [*a[at_a:i].tolist(), *[-1] * (j - at_b), *a[i : i + 1].tolist()]
        right += [*[-1] * (i - at_a), *b[at_b:j].tolist(), *b[j : j + 1].tolist()]
        at_a, at_b = i + 1, j + 1
    return np.array(left, np.int64), np.array(right, np.int64)


def common(a: np.ndarray, b: np.ndarray, cancel: Cancel | None = None) -> np.ndarray:
    """A longest common subsequence of two lists: int64[n, 2] of positions, ascending.  Raises Cancelled."""
    head = _prefix(a, b)
    tail = _prefix(a[head:][::-1], b[head:][::-1])
    start = np.repeat(np.arange(head)[:, None], 2, 1)
    end = np.stack([np.arange(len(a) - tail, len(a)), np.arange(len(b) - tail, len(b))], 1)
    return np.vstack([start, head + _middle(a[head : len(a) - tail], b[head : len(b) - tail], cancel), end]).astype(np.int64)


def _prefix(a: np.ndarray, b: np.ndarray) -> int:
    """How many elements are equal at the beginning."""
    short = min(len(a), len(b))
    differing = np.flatnonzero(a[:short] != b[:short])
    return int(differing[0]) if len(differing) else short


def _middle(a: np.ndarray, b: np.ndarray, cancel: Cancel | None) -> np.ndarray:
    """`common` without equal ends: of the elements that both sides have."""
    symbols, numbers = np.unique(np.concatenate([a, b]), return_inverse=True)
    numbers = numbers.astype(np.int64)
    left, right = numbers[: len(a)], numbers[len(a) :]
    in_a, in_b = (np.bincount(side, minlength=len(symbols)) > 0 for side in (left, right))
    keep_a, keep_b = np.flatnonzero(in_b[left]), np.flatnonzero(in_a[right])
    if not len(keep_a) or not len(keep_b):
        return np.zeros((0, 2), np.int64)
    found = longest(left[keep_a], right[keep_b], len(symbols), cancel)
    return np.stack([keep_a[found[:, 0]], keep_b[found[:, 1]]], 1)
