"""Bisect: finds the token and the primitive that made a pixel, a rectangle or a surface wrong, given the right result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, Cancelled
from core.spec.subresource import Where
from inspector.query.comparison.right import Right
from inspector.query.events.spans import span
from inspector.query.pixels.history import Entry, PixelHistory, last_that_decided
from inspector.query.pixels.pixel import event_range, handle_of
from inspector.query.pixels.writers import BOX, Touched

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.progress import Cancel

Moment = tuple[int, int | None]
"""An event, or after one primitive of it."""
FEW = 24  # moments that are all looked at, last first, rather than halved
INNER = 128  # moments within events that are looked at


@dataclass(frozen=True, slots=True)
class Verdict:
    """When it went wrong.

    kind: "became wrong" (right after `last_right`, wrong after `first_wrong`), "never right" in these events, or "right" at
    the end.  `first_wrong` and `primitive` name the culprit; if never right, the last writer.  `pixel`: a wrong one,
    `before` and `after` the culprit, RGBA; `expected`, where right is a colour there.  `entries`: what happened to the pixel at
    the culprit.  `exact`: no later moment is right; else halving found one of several changes, or primitives were
    too many to look at.  `looks`: how many moments were looked at.
    """

    kind: str
    surface: int
    last_right: Moment | None
    first_wrong: int | None
    primitive: int | None
    pixel: tuple[int, int] | None
    before: tuple[int, ...] | None
    after: tuple[int, ...] | None
    expected: tuple[int, ...] | None
    entries: tuple[Entry, ...]
    exact: bool
    looks: int
    sentence: str

    @property
    def history(self) -> PixelHistory | None:
        """The question whose answer tells more: the pixel's history at the culprit."""
        if self.pixel is None or self.first_wrong is None:
            return None
        return PixelHistory(self.surface, *self.pixel, first=self.first_wrong, last=self.first_wrong)


@dataclass(frozen=True)
class Bisect:
    """Which event made `rect` (left, top, right, bottom; the whole surface if None) of a surface wrong, among first..last.

    `right` says what right is (inspector.query.comparison.right).  `last` None: the end; `first` None: the beginning of its
    frame.  `where`: a surface or subresource; a role as it is at `last`.
    """

    right: Right
    where: Where = "render_target"
    rect: BOX | None = None
    first: int | None = None
    last: int | None = None

    @classmethod
    def pixel(cls, right: Right, x: int, y: int, **more: object) -> Bisect:
        """Of one pixel."""
        return cls(right, rect=(x, y, x + 1, y + 1), **more)  # type: ignore[arg-type]

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Verdict:
        """BadInput if there is no such surface, rectangle or event."""
        last = len(capture.events) - 1 if self.last is None else self.last
        first, last = event_range(capture, span(capture, last, "until")[0] if self.first is None else self.first, last)
        return _Search(self, capture, first, last, cancel).verdict()


@dataclass
class _Search:
    """One search; looks at every moment at most once."""

    query: Bisect
    capture: Capture
    first: int
    last: int
    cancel: Cancel | None
    _seen: dict[Moment, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        query = self.query
        self.right = query.right.beside(self.capture)
        self.handle = handle_of(self.capture, query.where, self.last, self.cancel)
        height, width = self.capture.image(self.last, self.handle).shape[:2]
        self.rect = query.rect or (0, 0, width, height)
        left, top, right, bottom = self.rect
        if not (0 <= left < right <= width and 0 <= top < bottom <= height):
            raise BadInput(
                f"{self.capture.title}: rectangle {left},{top},{right},{bottom} is outside the surface ({width} x {height})"
            )

    # ---- looking ------------------------------------------------------------------------------------------------------------
    def picture(self, moment: Moment) -> np.ndarray | None:
        """The rectangle at a moment, uint8[h, w, 4]; None before there was a surface."""
        if self.cancel and self.cancel():
            raise Cancelled("bisect cancelled")
        if moment[0] < 0:
            return None
        left, top, right, bottom = self.rect
        try:
            image = self.capture.image(moment[0], self.handle, primitive=moment[1], cancel=self.cancel)
        except BadInput:
            return None
        return image[top:bottom, left:right] if image.shape[0] >= bottom and image.shape[1] >= right else None

    def is_right(self, moment: Moment) -> bool:
        if moment not in self._seen:
            picture = self.picture(moment)
            self._seen[moment] = picture is not None and not self.wrong(picture, moment).any()
        return self._seen[moment]

    def wrong(self, picture: np.ndarray, moment: Moment) -> np.ndarray:
        """bool[h, w]: the pixels that are not right."""
        return self.right.wrong(picture, self.rect, self.handle, moment, self.cancel)

    # ---- searching ----------------------------------------------------------------------------------------------------------
    def verdict(self) -> Verdict:
        start, end = (self.first - 1, None), (self.last, None)
        if self.is_right(end):
            return self._verdict("right", None, None, None, True)
        touched = self.capture.ask(Touched(self.handle, self.rect, first=self.first, last=self.last), self.cancel).primitives
        mine = [*zip(touched["event"].tolist(), touched["primitive"].tolist(), strict=True)]
        rows = [*mine, *self.right.changes(self.handle, self.rect, self.first, self.last)]
        parts = self._parts(rows)
        ends: list[Moment] = [start, *((event, None) for event in parts)]
        if len(ends) > FEW and self.is_right(start):
            moments, passed_over = ends, [self.last + 1]
        else:
            moments, passed_over = _with_inner(start, parts)
        place = last_right(moments, self.is_right)
        if place is None:
            return self._verdict("never right", None, moments[-1][0] if parts else None, None, not passed_over)
        before, event = moments[place], moments[place + 1][0]
        complete = max(passed_over, default=-1) <= event
        numbers = [number for number in parts[event] if before[0] < event or number > (before[1] or 0)]
        inner: list[Moment] = [before, *((event, number) for number in numbers)]
        missing = event not in {event for event, _ in mine}  # as a whole
        if missing or not numbers or self.is_right(inner[-1]):
            return self._verdict("became wrong", before, event, None, complete)
        complete &= len(inner) <= FEW
        place = last_right(inner, self.is_right)
        assert place is not None
        return self._verdict("became wrong", inner[place], event, inner[place + 1][1], complete)

    def _parts(self, rows: Sequence[tuple[int, int]]) -> dict[int, list[int]]:
        """Events with something that may make right wrong, in order, and which primitives of theirs."""
        found: dict[int, set[int]] = {event: set() for event in sorted({event for event, _ in rows})}
        for event, primitive in rows:
            if 0 <= primitive < self.capture.primitives(event):
                found[event].add(primitive)
        return {event: sorted(numbers) for event, numbers in found.items()}

    def _verdict(self, kind: str, before: Moment | None, event: int | None, primitive: int | None, exact: bool) -> Verdict:
        if event is None:
            looks = len(self._seen)
            return Verdict(kind, self.handle, before, None, None, None, None, None, None, (), exact, looks, SENTENCES[kind])
        then: Moment = before or (event - 1, None)
        now: Moment = (event, primitive)
        old, new = self.picture(then), self.picture(now)
        assert new is not None
        wrong = self.wrong(new, now)
        y, x = self._worst(wrong, old, new)
        place = self.rect[0] + x, self.rect[1] + y
        asked = PixelHistory(self.handle, *place, first=event, last=event, misses=False)
        entries = tuple(
            entry for entry in self.capture.ask(asked, self.cancel).entries if primitive in (None, entry.primitive)
        )  # fmt: skip
        expected = self.right.at(x, y, self.rect, self.handle, now, self.cancel)
        name = f"event {event}" + (f", primitive {primitive}" if primitive is not None else "")
        what = f"{name} ({self.capture.name(event)})"
        colors = [None if picture is None else tuple(picture[y, x].tolist()) for picture in (old, new)]
        many = int(wrong.sum())
        count = f"{many} pixel{'' if many == 1 else 's'}"
        sentence = SENTENCES[kind].format(what=what, count=count, why=_why(entries), place=place)
        return Verdict(
            kind, self.handle, before, event, primitive, place, colors[0], colors[1], expected, entries, exact, len(self._seen),
            sentence,
        )  # fmt: skip

    def _worst(self, wrong: np.ndarray, old: np.ndarray | None, new: np.ndarray) -> tuple[int, int]:
        """A wrong pixel, one that the culprit changed if there is any."""
        changed = wrong & (old != new).any(-1) if old is not None and old.shape == new.shape else wrong
        found = np.argwhere(changed if changed.any() else wrong)
        return (int(found[0, 0]), int(found[0, 1])) if len(found) else (0, 0)


SENTENCES = {
    "right": "it is right at the end",
    "never right": "it was never right in this range; last written by {what}: {why}",
    "became wrong": "{what} made {count} wrong; at {place} {why}",
}


def _why(entries: Sequence[Entry]) -> str:
    if not entries:
        return "nothing was written that should have been"
    last = last_that_decided(entries) or entries[-1]
    reason = f" ({last.reason})" if last.reason not in ("", last.fate) else ""
    return f"a {last.kind} was {last.fate}{reason}"


def _with_inner(start: Moment, parts: dict[int, list[int]]) -> tuple[list[Moment], list[int]]:
    """`start`, and the end of each event after its primitives; events whose primitives are passed over.

    A pixel may be right between two primitives of a draw and at no event's end.  The primitives of the last events count: so
    many as INNER.
    """
    moments: list[Moment] = []
    passed_over: list[int] = []
    left = INNER
    for event, numbers in reversed(parts.items()):
        moments.append((event, None))
        inner = numbers[:-1]  # after the last one is the end
        if len(inner) > left:
            passed_over.append(event)
            continue
        left -= len(inner)
        moments += [(event, number) for number in reversed(inner)]
    return [start, *reversed(moments)], passed_over


def last_right(moments: Sequence[Moment], is_right: Callable[[Moment], bool]) -> int | None:
    """The place of a moment that is right and whose next is wrong; None: none is right.

    The last moment is known to be wrong.  Few moments are looked at one by one, last first; of many, if the first one is right,
    halving finds a change with log2 looks, and the last one if right and wrong do not alternate.
    """
    if len(moments) > FEW and is_right(moments[0]):
        low, high = 0, len(moments) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if is_right(moments[middle]) else (low, middle)
        return low
    return next((place for place in range(len(moments) - 2, -1, -1) if is_right(moments[place])), None)
