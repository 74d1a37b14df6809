"""Findings of every kind in tape order: those found without drawing, and those that need it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from core.ddi.rules.answers import AnswerCheck
from core.ddi.rules.check import Finding, finding
from core.ddi.rules.facts import DriverFacts
from core.ddi.rules.requirements import GUARD_BAND
from core.errors import Cancelled
from core.spec.caps import PrimitiveMiscCaps
from inspector.progress import Cancel
from inspector.tape import Tape
from inspector.timeline.budgets import usual_threads
from inspector.timeline.events import Events

if TYPE_CHECKING:
    from core.ddi.driver.emulated import EmulatedDriver
    from inspector.capture import Capture
    from inspector.view import CaptureView

REPEATS = 8  # of the same sentence
CALLS_A_LOOK = 16
_drawn: WeakKeyDictionary[CaptureView, tuple[Finding, ...]] = WeakKeyDictionary()


def listed(tape: Tape, events: Events, walked: Iterable[Finding]) -> list[Finding]:
    """What the import noted, streams that break off, and what the walk over the tape found."""
    found = list(walked)
    for note in tape.findings:
        found.append(finding(note.rule, max(events.last_of_source(note.source), 0), note.text))
    return sorted(found, key=lambda each: (each.seq, each.offset))


@dataclass(frozen=True)
class Findings:
    """All rules that a capture breaks; `drawn`: also those that show only when everything is drawn (once a capture).

    Calls `progress(fraction, text)` as drawing proceeds.
    """

    drawn: bool = True
    progress: Callable[[float, str], object] | None = field(default=None, compare=False)

    def run(self, capture: Capture, cancel: Cancel | None = None) -> tuple[Finding, ...]:
        """In tape order; the same sentence a few times at most. Raises Cancelled."""
        if not self.drawn:
            return tuple(capture.findings)
        for fraction in self.in_pieces(capture):
            if (cancel and cancel()) or (self.progress and self.progress(fraction, "drawing everything") is False):
                raise Cancelled("check cancelled")
        return _drawn[capture]

    def in_pieces(self, capture: Capture) -> Generator[float, None, tuple[Finding, ...]]:
        """The same bit by bit, for who has other things to do in between: yields how far it is."""
        if capture not in _drawn:
            replayed = yield from _replayed(capture)
            found = listed(capture.tape, capture.events, replayed)
            _drawn[capture] = tuple(_a_few_of_each(found))
        return _drawn[capture]


def are_drawn(capture: CaptureView) -> bool:
    """Whether `Findings()` was asked: also what only drawing shows is known."""
    return capture in _drawn


def known(capture: CaptureView) -> tuple[Finding, ...]:
    """The findings that are known without drawing anything now; those for want of memory as they came up meanwhile."""
    found = _drawn[capture] if are_drawn(capture) else tuple(capture.findings)
    short = [one for one in capture.shortages if one not in found]
    return tuple(sorted([*found, *short], key=lambda each: (each.seq, each.offset))) if short else found


def _replayed(capture: Capture) -> Generator[float, None, list[Finding]]:
    """Carries out the whole tape, looking for broken rules; yields how far it is."""
    driver = capture.driver(usual_threads(), True, True)
    driver.facts = DriverFacts(capture.title)
    answers, total = AnswerCheck(driver.facts), max(len(capture.calls), 1)
    for number, call in enumerate(capture.calls):
        if number % CALLS_A_LOOK == 0:
            yield number / total
        first = capture.events.of_call(number).start
        driver.findings.extend(answers.findings(call, first))
        driver.run(call, first)
        if call.entry == "GetDriverInfo":
            _limit(driver)
    driver.device.flush()
    driver.findings.extend(answers.end(len(capture.events) - 1))
    return driver.findings


def _limit(driver: EmulatedDriver) -> None:
    """Where programs must clip transformed vertices: a driver without CLIPTLVERTS has said its guard band."""
    facts = driver.facts
    if facts.caps is not None and not facts.has("PrimitiveMiscCaps", PrimitiveMiscCaps.CLIPTLVERTS):
        left, top, right, bottom = (float(facts.number(name, 0.0)) for name in GUARD_BAND)
        driver.device.clip_limits = left, top, right, bottom


def _a_few_of_each(found: list[Finding]) -> list[Finding]:
    told: Counter[tuple[str, str]] = Counter()
    kept = []
    for one in found:
        told[one.rule, one.text] += 1
        if told[one.rule, one.text] <= REPEATS:
            kept.append(one)
    return kept
