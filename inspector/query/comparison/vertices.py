"""The vertices of two draws side by side: which correspond, and by how much their values differ."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.cancel import look
from core.errors import BadInput, unknown
from inspector.query.comparison.alignment import align
from inspector.query.comparison.compare import side
from inspector.query.comparison.data import unequal
from inspector.query.comparison.difference import TokenRows

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.progress import Cancel

WHICH = ("assembled", "transformed")
NUMBER = "vertex"
"""The column that says which vertex it is, not what it is like."""


@dataclass(frozen=True, slots=True, eq=False)
class VertexDifference:
    """Two draws, `events`, and the vertices of both in drawing order: structured arrays `a` and `b`.

    rows: which are compared with each other, as positions in `a` and `b`, -1 where a side has nothing there.
    columns: what both have; differs: bool[n, columns], set where both sides are there and the values are not the same.
    missing: the columns that one side alone has, of a and of b.
    """

    events: tuple[int, int]
    which: str
    a: np.ndarray
    b: np.ndarray
    rows: TokenRows
    columns: tuple[str, ...]
    differs: np.ndarray
    missing: tuple[tuple[str, ...], tuple[str, ...]]

    def __repr__(self) -> str:
        return (
            f"<Vertices of draws {self.events[0]} and {self.events[1]}: {len(self.rows.differing)} of {len(self.rows)} differ>"
        )

    @property
    def differing(self) -> tuple[str, ...]:
        """The columns in which any vertex differs."""
        return tuple(self.columns[place] for place in np.flatnonzero(self.differs.any(0)).tolist())

    def largest(self, column: str) -> float:
        """By how much a column differs at most; NaN where it has no numbers."""
        apart = np.abs(self.by(column))
        return float(np.nanmax(apart)) if np.isfinite(apart).any() else float("nan")

    def by(self, column: str) -> np.ndarray:
        """float64[n]: b minus a of a column of numbers; NaN where a side has nothing there, or it is no number."""
        found = np.full(len(self.rows), np.nan)
        if self.a[column].dtype.kind in "iuf" and self.b[column].dtype.kind in "iuf":
            both = np.flatnonzero((self.rows.a >= 0) & (self.rows.b >= 0))
            with np.errstate(invalid="ignore", over="ignore"):
                found[both] = self.b[column][self.rows.b[both]].astype(float) - self.a[column][self.rows.a[both]].astype(float)
        return found


@dataclass(frozen=True)
class CompareVertices:
    """How the vertices of two draws differ: of the last draw of side `a` and the last of side `b` (`Compare` has the sides; of
    one event, the last draw up to it in its frame).

    As many vertices on both sides correspond in drawing order; else along a longest common subsequence, and what stands
    between equal ones in order.  which: "assembled", as the streams have them, or "transformed", as the pipeline leaves them.
    """

    a: str
    b: str
    other: Capture | None = field(default=None, compare=False)
    which: str = "assembled"

    def run(self, capture: Capture, cancel: Cancel | None = None) -> VertexDifference:
        """Raises BadInput for a side that does not exist or draws nothing, and for another `which`."""
        if self.which not in WHICH:
            raise BadInput(unknown("kind of vertices", self.which, WHICH))
        other = self.other or capture
        events = last_draw(capture, self.a), last_draw(other, self.b)
        rows_a, rows_b = (
            one.vertices(event, self.which, cancel).rows for one, event in zip((capture, other), events, strict=True)
        )
        return compared(events, self.which, rows_a, rows_b, cancel)


@dataclass(frozen=True)
class NextDifferentDraws:
    """The next of `pairs` of draws, of the capture and of `other`, whose vertices differ: after the pair `number`, or with
    `back` before it.  Draws without vertices, as patches that are drawn by handle, are passed over."""

    pairs: tuple[tuple[int, int], ...]
    number: int = -1
    back: bool = False
    other: Capture | None = field(default=None, compare=False)
    which: str = "assembled"

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[int, VertexDifference] | None:
        """Its place in `pairs`, and how they differ; None if no vertices differ there."""
        places = range(self.number - 1, -1, -1) if self.back else range(self.number + 1, len(self.pairs))
        for done, place in enumerate(places):
            look(done / len(places), "comparing vertices")
            a, b = (f"event {event}" for event in self.pairs[place])
            with contextlib.suppress(BadInput):
                found = CompareVertices(a, b, self.other, self.which).run(capture, cancel)
                if len(found.rows.differing):
                    return place, found
        return None


def draw_pairs(tokens: TokenRows, a: Capture, b: Capture) -> np.ndarray:
    """int64[n, 3]: a row of the tokens, and the draws of a and b that are beside each other there."""
    rows = np.flatnonzero((tokens.a >= 0) & (tokens.b >= 0))
    draws = [one.events.rows["draw"][side[rows]].astype(bool) for one, side in ((a, tokens.a), (b, tokens.b))]
    rows = rows[draws[0] & draws[1]]
    return np.stack([rows, tokens.a[rows], tokens.b[rows]], 1)


def last_draw(capture: Capture, text: str) -> int:
    """The last draw of a side, of one event the last up to it in its frame; BadInput without one."""
    events = side(capture, text)
    first = events.start if len(events) > 1 else capture.frame(capture.frame_of(events.start)).first_event
    draws = capture.draws[(capture.draws >= first) & (capture.draws < events.stop)]
    if not len(draws):
        raise BadInput(f"{capture.title}: {text.strip()} draws nothing")
    return int(draws[-1])


def compared(
    events: tuple[int, int], which: str, a: np.ndarray, b: np.ndarray, cancel: Cancel | None = None
) -> VertexDifference:
    """The difference of two structured arrays of vertices."""
    names = [set(rows.dtype.names or ()) - {NUMBER} for rows in (a, b)]
    columns = tuple(name for name in a.dtype.names or () if name in names[0] & names[1])
    missing = tuple(
        tuple(name for name in rows.dtype.names or () if name in own - others)
        for rows, own, others in ((a, names[0], names[1]), (b, names[1], names[0]))
    )
    left, right = _beside(a, b, columns, cancel)
    there = np.flatnonzero((left >= 0) & (right >= 0))
    differs = np.zeros((len(left), len(columns)), bool)
    for place, name in enumerate(columns):
        look()
        differs[there, place] = unequal(a[name][left[there]], b[name][right[there]])
    same = (left >= 0) & (right >= 0) & ~differs.any(1)
    return VertexDifference(events, which, a, b, TokenRows(left, right, same), columns, differs, (missing[0], missing[1]))


def _beside(a: np.ndarray, b: np.ndarray, columns: tuple[str, ...], cancel: Cancel | None) -> tuple[np.ndarray, np.ndarray]:
    """int64[n] positions on both sides."""
    if len(a) == len(b) or not columns:
        count = max(len(a), len(b))
        places = np.arange(count)
        return np.where(places < len(a), places, -1), np.where(places < len(b), places, -1)
    kinds = _kinds(a, b, columns)
    one_kind = np.zeros(len(kinds), np.uint64)  # so that what differs stands beside each other
    found = align(kinds[: len(a)], kinds[len(a) :], one_kind[: len(a)], one_kind[len(a) :], cancel)
    return found.a, found.b


def _kinds(a: np.ndarray, b: np.ndarray, columns: tuple[str, ...]) -> np.ndarray:
    """uint64[of a and then b]: numbers that are equal exactly where the values of all columns are, in their order."""
    kinds = np.zeros(len(a) + len(b), np.uint64)
    for name in columns:
        look()
        values = np.unique(np.concatenate([a[name], b[name]]), return_inverse=True)[1].reshape(-1)
        look()
        both = kinds * np.uint64(len(kinds)) + values.astype(np.uint64)
        kinds = np.unique(both, return_inverse=True)[1].reshape(-1).astype(np.uint64)
    return kinds
