"""Answers about events: token scan, state at an event, seeking, beside doing it by brute force in the same run.

`python -m tests.bench.timeline [NAME]` (default: irr10_shaders, 300 frames, 0.9 M state writes).
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from inspector.timeline.replay import Replay
from tests.bench.machine import machine
from tests.conftest import CAPTURES

ROUNDS = 9


def median(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """CPU seconds, median."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def report(what: str, seconds: float, peer: str = "", peer_seconds: float = 0.0) -> None:
    beside = f"   {peer} {peer_seconds * 1e3:10.3f} ms   {peer_seconds / seconds:8.1f} times" if peer_seconds else ""
    print(f"{what:44} {seconds * 1e3:10.3f} ms{beside}")


def state_by_replay(capture: inspector.Capture, event: int) -> np.ndarray:
    """The register vector by following the whole tape up to the event."""
    driver = EmulatedDriver(draws=False)
    for number, call in enumerate(capture.calls):
        span = capture.events.of_call(number)
        if span.start > event:
            break
        driver.run(call, span.start, 0, min(span.stop, event + 1) - span.start if capture.events.op[span.start] else None)
    return driver.device.registers.vector


def main(names: list[str]) -> int:
    name = names[0] if names else "irr10_shaders"
    path = CAPTURES / "apps" / f"{name}.trace"
    inspector.open(path).close()  # imported, kernels loaded
    print(machine())
    opening = median(lambda: inspector.open(path).close(), 3)
    capture = inspector.open(path)
    events, chooser = len(capture.events), random.Random(8)
    print(f"{name}: {len(capture.calls)} driver calls, {events} events, {len(capture.walked.states)} state writes")
    report("open the imported capture", opening)
    scan = median(lambda: dp2.scan(capture.events.commands))
    report(f"scan {len(capture.events.commands) / 1e6:.1f} MB of tokens", scan)
    print(f"{'':44} {events / scan / 1e6:10.1f} M records/s")
    spots = [chooser.randrange(events) for _ in range(100)]
    groups = ("alpha_test", "blend", "combine", "depth_test")
    state = median(lambda: [[capture.state(e).rows(group) for group in groups] for e in spots]) / len(spots)
    report("state of four stage groups at an event", state, "replay", median(lambda: state_by_replay(capture, events // 2), 3))
    report("all 1,000 values at an event", median(lambda: [capture.state(e).rows() for e in spots]) / len(spots))
    seek = [chooser.randrange(events) for _ in range(20)]
    for event in seek:
        capture.image(event)
    times = sorted(median(lambda e=e: capture.image(e), 1) for e in seek)
    fresh = median(lambda: Replay(capture.calls, capture.events, []).at(events // 2).__enter__(), 1)
    report("picture at a random event, median", times[len(times) // 2], "from 0", fresh)
    report("picture at a random event, slowest", times[-1])
    draws = capture.draws[len(capture.draws) // 2 :][:50].tolist()
    report("next draw", median(lambda: [capture.image(e) for e in draws], 3) / len(draws))
    report("previous draw", median(lambda: [capture.image(e) for e in reversed(draws)], 1) / len(draws))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
