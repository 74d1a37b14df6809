"""Comparing, asking what if, bisecting and verifying, beside executing the tape from its beginning in the same run.

`python -m tests.bench.comparison [NAME]` (default: irr02_quake3map, 88,000 events, 5,200 draws).
"""

from __future__ import annotations

import sys

import numpy as np

import inspector
from inspector.query.comparison.alignment import align
from inspector.query.comparison.bisect import Bisect
from inspector.query.comparison.compare import Compare
from inspector.query.comparison.right import Against
from inspector.query.comparison.signatures import signatures
from inspector.query.comparison.verify import Verify
from inspector.query.what_if.what_if import WhatIf
from tests.bench.machine import machine
from tests.bench.timeline import median, report
from tests.conftest import CAPTURES

TOKENS = 100_000


def execute(capture: inspector.Capture, until: int) -> None:
    """All calls up to an event, drawn by one thread, nothing asked."""
    driver = capture.driver()
    for number, call in enumerate(capture.calls):
        span = capture.events.of_call(number)
        if span.start > until:
            break
        driver.run(call, span.start)
    driver.device.flush()


def alignments() -> None:
    """Lists of 100,000: a copy with 300 edits, and lists that have little in common."""
    rng = np.random.default_rng(0)
    for symbols in (50, 2000, TOKENS):
        one, other = (rng.integers(0, symbols, TOKENS).astype(np.uint64) for _ in range(2))
        edited = one.copy()
        edited[rng.choice(TOKENS, 300, replace=False)] += np.uint64(symbols)
        report(f"align 100,000 with an edited copy, {symbols} kinds", median(lambda e=edited, o=one: align(o, e), 3))
        report(f"align 100,000 with 100,000 others, {symbols} kinds", median(lambda a=one, b=other: align(a, b), 3))
    one = rng.integers(0, 5000, 10 * TOKENS).astype(np.uint64)
    edited = one.copy()
    edited[rng.choice(len(one), 300, replace=False)] = 5001
    report("align 1,000,000 with an edited copy", median(lambda: align(one, edited), 3))


def main(names: list[str]) -> int:
    name = names[0] if names else "irr02_quake3map"
    print(machine())
    align(np.arange(3, dtype=np.uint64), np.arange(1, 4, dtype=np.uint64))
    alignments()
    capture = inspector.open(CAPTURES / "apps" / f"{name}.trace")
    middle = capture.frames[len(capture.frames) // 2]
    draws = capture.draws[(capture.draws >= middle.first_event) & (capture.draws <= middle.last_event)]
    last, draw = middle.last_event - 1, int(draws[len(draws) // 2])
    print(f"{name}: {len(capture.events)} events, {len(capture.draws)} draws, frame of {len(draws)} draws")
    report("signatures of all events", median(lambda: signatures(capture, range(len(capture.events))), 3))
    whole = median(lambda: execute(capture, len(capture.events)), 3)
    for per in ("frame", "draw", "token"):
        report(f"verify per {per}", median(lambda per=per: capture.ask(Verify(per, 1)), 3), "executed only", whole)
    half = median(lambda: execute(capture, last), 3)
    capture.image(last, "back_buffer")
    report("compare two frames, all parts",
           median(lambda: capture.ask(Compare(f"frame {middle.index}", f"frame {middle.index + 1}")), 5))  # fmt: skip
    edits = (f"disable {draw}", f"preset wireframe @ {middle.first_event}..{middle.last_event}")
    for edit in edits:
        fresh = median(lambda edit=edit: WhatIf.of(edit).open(capture).image(last, "back_buffer"), 5)
        report(f"what if: {edit.split(' @')[0]}, first picture", fresh, "from 0", half)
    view = WhatIf.of(edits[0]).open(capture)
    view.image(last, "back_buffer")
    found = view.ask(Bisect(Against(capture), "back_buffer", last=last))
    report(f"bisect the frame, {found.looks} looks, {'found' if found.first_wrong == draw else found.kind}",
           median(lambda: view.ask(Bisect(Against(capture), "back_buffer", last=last)), 3))  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
