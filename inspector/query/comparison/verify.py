"""Verify: a hash of all surfaces after every token, draw or frame; and the first difference of two runs."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadInput, Cancelled, cannot, unknown
from core.spec.effects import Touches
from core.spec.tokens import ops_that
from inspector.query.comparison.compare import surface_differences
from inspector.query.comparison.contents import Held, PartKey, held
from inspector.query.comparison.difference import SurfaceDifference
from inspector.query.comparison.digests import Ledger
from inspector.timeline.budgets import usual_threads
from inspector.timeline.parts import in_parts

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.progress import Cancel

PER = ("token", "draw", "frame")
WRITES_SURFACES = ops_that(lambda row: bool(row.touches & Touches.SURFACES))


@dataclass(frozen=True, slots=True)
class Step:
    """After `event`, all surfaces together hash to `total`.

    `changed`: the digests that are others than at the step before, None for subresources that are gone.
    """

    event: int
    total: int
    changed: dict[PartKey, int | None]


@dataclass(frozen=True, slots=True)
class Hashes:
    """The steps of a run.  Per "token", an event without a step changed nothing."""

    per: str
    events: int
    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        last = f", the last {self.steps[-1].total:016x}" if self.steps else ""
        return f"<Hashes per {self.per}: {len(self.steps)} steps{last}>"

    def at(self, event: int) -> int:
        """The hash after an event, or after the last step before it."""
        place = bisect_right(self.steps, event, key=lambda step: step.event)
        return self.steps[place - 1].total if place else 0

    def digests(self, count: int) -> dict[PartKey, int]:
        """Of each subresource after the first `count` steps."""
        found: dict[PartKey, int] = {}
        for step in self.steps[:count]:
            for place, digest in step.changed.items():
                if digest is None:
                    found.pop(place, None)
                else:
                    found[place] = digest
        return found

    def json(self) -> str:
        """Hashes in hexadecimal, places as "handle/level/face"."""
        steps = [
            {"event": one.event, "hash": f"{one.total:016x}",
             "changed": {"/".join(map(str, place)): d and f"{d:016x}" for place, d in one.changed.items()}}
            for one in self.steps
        ]  # fmt: skip
        return json.dumps({"hashes": "xxh3-64", "per": self.per, "events": self.events, "steps": steps}, indent=0)

    @classmethod
    def from_json(cls, text: str) -> Hashes:
        """The inverse of `json`; BadInput for anything else."""
        try:
            found = json.loads(text)
            steps = tuple(_step(one) for one in found["steps"])
            return cls(str(found["per"]), int(found["events"]), steps)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise BadInput(f"this file holds no hashes of verify: {error}") from error


def _step(values: dict[str, Any]) -> Step:
    changed = {
        PartKey(*map(int, place.split("/"))): None if d is None else int(d, 16) for place, d in values["changed"].items()
    }
    return Step(int(values["event"]), int(values["hash"], 16), changed)


def load_hashes(path: Path) -> Hashes:
    """Hashes that were written to a file."""
    try:
        return Hashes.from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(cannot("read", path, error)) from error


@dataclass(frozen=True, slots=True)
class Verify:
    """Executes a capture from its beginning and hashes what all surfaces hold after every token, draw or frame."""

    per: str = "draw"
    threads: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Hashes:
        pieces = self.in_pieces(capture)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                hashes: Hashes = end.value
                return hashes
            if cancel and cancel():
                raise Cancelled("verification cancelled")

    def in_pieces(self, capture: Capture) -> Generator[float, None, Hashes]:
        """The same call by call, for who has other things to do in between: yields how far it is."""
        if self.per not in PER:
            raise BadInput(unknown("unit of hashes", self.per, PER))
        driver, ledger, steps = capture.driver(self.threads or usual_threads()), Ledger(), []
        stops = _stops(capture, self.per)
        total = max(len(capture.calls), 1)
        for number, call in enumerate(capture.calls):
            yield number / total
            span = capture.events.of_call(number)
            for event in in_parts(driver, call, span, stops):
                if event not in stops:
                    continue
                changed = ledger.update(driver.device)
                if changed or self.per != "token":
                    steps.append(Step(event, ledger.total, changed))
        return Hashes(self.per, len(capture.events), tuple(steps))


def _stops(capture: Capture, per: str) -> frozenset[int]:
    """The events after which to look."""
    if per == "frame":
        return frozenset(frame.last_event for frame in capture.frames)
    rows = capture.events.rows
    if per == "draw":
        return frozenset(capture.draws.tolist())
    calls = capture.events.first_of_call[1:] - 1
    return frozenset(np.flatnonzero(WRITES_SURFACES[rows["op"]]).tolist()) | frozenset(calls.tolist())


# ---- where two runs first differ -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parting:
    """The first step at which two runs differ: the event of either (None: that run has ended), and the subresources that do."""

    a: int | None
    b: int | None
    places: tuple[PartKey, ...]


def parting(a: Hashes, b: Hashes) -> Parting | None:
    """Where two runs first differ; None if they do not.  Per token by event number, else draw by draw, frame by frame."""
    if a.per != b.per:
        raise BadInput(f"cannot compare hashes per {a.per} with hashes per {b.per}")
    if a.per == "token":
        return _parting_by_event(a, b)
    for n, (left, right) in enumerate(zip(a.steps, b.steps, strict=False)):
        if left.total != right.total:
            return Parting(left.event, right.event, _unequal(a.digests(n + 1), b.digests(n + 1)))
    if len(a.steps) == len(b.steps):
        return None
    n = min(len(a.steps), len(b.steps))
    ends = [side.steps[n].event if n < len(side.steps) else None for side in (a, b)]
    return Parting(ends[0], ends[1], ())


def _parting_by_event(a: Hashes, b: Hashes) -> Parting | None:
    for event in sorted({step.event for side in (a, b) for step in side.steps}):
        if a.at(event) != b.at(event):
            counts = [bisect_right(side.steps, event, key=lambda step: step.event) for side in (a, b)]
            return Parting(event, event, _unequal(a.digests(counts[0]), b.digests(counts[1])))
    return None


def _unequal(a: dict[PartKey, int], b: dict[PartKey, int]) -> tuple[PartKey, ...]:
    return tuple(sorted(place for place in a.keys() | b.keys() if a.get(place) != b.get(place)))


def apart(a: Capture, b: Capture, found: Parting, cancel: Cancel | None = None) -> list[SurfaceDifference]:
    """How the surfaces differ where two captures first differ: pixels, bounding boxes."""
    if found.a is None or found.b is None:
        return []
    sides = [_only(held(capture, event, cancel), found.places) for capture, event in ((a, found.a), (b, found.b))]
    return surface_differences(sides[0], sides[1])


@dataclass(frozen=True)
class SurfacesApart:
    """`apart`, of a capture and another, as a question."""

    other: Capture
    found: Parting

    def run(self, capture: Capture, cancel: Cancel | None = None) -> list[SurfaceDifference]:
        return apart(capture, self.other, self.found, cancel)


def _only(side: Held, places: tuple[PartKey, ...]) -> Held:
    return Held({place: side.pictures[place] for place in places if place in side.pictures}, {}, {})
