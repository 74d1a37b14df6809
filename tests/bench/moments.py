"""Looking back: seeking within a frame, entering others, far jumps, large files; beside doing it by executing the tape.

    python -m tests.bench.moments [FILE.ddicap] [--big]

FILE: a capture of `tests.bench.synthetic` (made when there is none: 100 frames of 2,000 draws, 100,000 triangles, 1 M tokens,
at 1024 x 768).  --big: one of 1 GB too.  All times are CPU seconds of this process, all threads; peers run in the same minutes.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import inspector
from inspector.timeline.budgets import Budgets
from inspector.timeline.counters import counters
from inspector.timeline.replay import Replay
from tests.bench import synthetic
from tests.bench.machine import machine

LOOKS, FRAME = 60, 20


def cpu(work: Callable[[], Any]) -> float:
    """Milliseconds."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1e3


def report(what: str, times: list[float], target: str = "", peer: str = "", beside: float = 0.0) -> None:
    ordered = sorted(times)
    middle, late = statistics.median(ordered), ordered[min(int(len(ordered) * 0.95), len(ordered) - 1)]
    ratio = f"{peer} {beside:9.1f} ms  {beside / middle:7.1f} x" if peer else ""
    print(f"{what:44} {middle:8.1f} ms  p95 {late:8.1f}  {target:18} {ratio}", flush=True)


def plain(capture: inspector.Capture) -> Replay:
    """A replay that leaves nothing out and logs nothing."""
    return Replay(capture.calls, capture.events, [frame.first_event for frame in capture.frames], Budgets(memory=0))


def go(replay: Replay, event: int) -> None:
    with replay.at(event) as driver:
        driver.device.flush()


def fresh_run_to(capture: inspector.Capture, event: int) -> float:
    """What the frame before an event costs to execute again."""
    replay, start = plain(capture), capture.frames[capture.frame_of(event)].first_event
    go(replay, max(start - 1, 0))
    return cpu(lambda: go(replay, event))


def within(capture: inspector.Capture) -> None:
    """One frame."""
    frame, chooser = capture.frames[FRAME], random.Random(8)
    draws = capture.draws[(capture.draws >= frame.first_event) & (capture.draws <= frame.last_event)].tolist()
    middle = draws[len(draws) // 2]
    brute = fresh_run_to(capture, middle)
    capture.image(frame.last_event)
    report("first look into the middle of a pass", [cpu(lambda: capture.image(middle))], "", "replay", brute)
    looks = [cpu(lambda e=e: capture.image(e)) for e in (chooser.choice(draws) for _ in range(LOOKS))]
    report("picture at a random draw of the frame", looks, "p95 < 10", "replay", brute)
    at = len(draws) // 3
    report("next draw", [cpu(lambda e=e: capture.image(e)) for e in draws[at : at + LOOKS]], "< 8")
    report("previous draw", [cpu(lambda e=e: capture.image(e)) for e in draws[at + LOOKS : at : -1]], "< 8")
    primitives = range(min(capture.primitives(middle), LOOKS))
    report("next primitive", [cpu(lambda p=p: capture.image(middle, primitive=p)) for p in primitives], "")
    report("counters of the frame", [cpu(lambda: counters(capture, FRAME))], "", "replay", brute * 2)


def across(capture: inspector.Capture) -> None:
    """Other frames."""
    peer = plain(capture)
    go(peer, capture.frames[FRAME].last_event)
    entered, own = [], []
    for frame in capture.frames[FRAME + 1 : FRAME + 13]:
        entered.append(cpu(lambda frame=frame: capture.image(frame.last_event)))
        own.append(cpu(lambda frame=frame: go(peer, frame.last_event)))
    report("entering the next frame", entered, "< 150 + own", "own replay", statistics.median(own))
    whole = plain(capture)
    last = capture.frames[-1]
    executed = cpu(lambda: go(whole, last.last_event))
    far = Replay(capture.calls, capture.events, [f.first_event for f in capture.frames], dead=capture.walked.liveness.dead)
    report(f"first jump to frame {last.index}", [cpu(lambda: far.moment(last.last_event).rgba())], "", "replay", executed)
    ahead = cpu(lambda: [None for _ in iter(capture.prepare, 1.0)])
    report("preparing keyframes, all", [ahead], "idle", "replay", executed)
    size = capture.replay._keyframes.size
    print(f"{'':44} {len(capture.replay._keyframes)} keyframes, {size / 1e6:.0f} MB of {capture.budgets.memory / 2e6:.0f}")
    chooser = random.Random(3)
    jumps = [capture.frames[chooser.randrange(len(capture.frames))].last_event for _ in range(12)]
    jumped = [cpu(lambda e=e: capture.image(e)) for e in jumps]
    report("jump to a random frame", jumped, "< 150 + own", "own replay", statistics.median(own))


def opening(path: Path) -> None:
    """The file twice: as it was never seen, and as it was left."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DDI_INSPECTOR_CACHE"] = f"{folder}/cache"
        for which in ("first", "second"):
            opened = cpu(lambda: inspector.open(path).close())
            report(f"{which} opening of {path.stat().st_size / 1e6:.0f} MB: token list", [opened], "< 2000")
            with inspector.open(path) as capture:
                after_opening(capture)


def after_opening(capture: inspector.Capture) -> None:
    lines = range(0, len(capture.events), 9999)
    report("    a line of the list", [cpu(lambda e=e: capture.text(e)) for e in lines])
    report("    state", [cpu(lambda: capture.state(len(capture.events) - 1).rows())])
    report("    last picture", [cpu(lambda: capture.image(capture.frames[-1].last_event))])
    for _ in iter(capture.prepare, 1.0):
        pass


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--big", action="store_true")
    chosen = parser.parse_args()
    print(machine(), "| load", os.getloadavg()[0])
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.file or synthetic.write(Path(folder) / "synthetic.ddicap")
        with inspector.open(path) as capture:
            draws = np.diff([0, *np.cumsum([frame.draws for frame in capture.frames])]).max()
            print(f"{len(capture.events)} events, {len(capture.frames)} frames, {draws} draws in one")
            within(capture)
            across(capture)
        print(f"{'':44} most memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB")
        opening(path)
        if chosen.big:
            opening(synthetic.write(Path(folder) / "big.ddicap", megabytes=1000))
    return 0


if __name__ == "__main__":
    sys.exit(main())
