"""The history of a pixel and its inverse, beside executing the frame again with a probe on the pixel.

    python -m tests.bench.history

Two frames of 1,000 draws at 1024 x 768: 100,000 small triangles, of which a pixel meets a few; and large ones, of which it
meets hundreds.  CPU time, median; the frame has been logged, other pixels have been asked about before.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import inspector
from core.device.past.tap import Tap
from inspector import Explain, PixelHistory, PixelsOf, Touched, Writers
from tests.bench import synthetic
from tests.bench.machine import machine
from tests.bench.timeline import ROUNDS, median, report

PIXELS = 40
SMALL, LARGE = 8, 150  # pixels that a triangle reaches from its middle


def capture_of(folder: Path, draws: int, triangles: int, reach: int) -> Path:
    """A synthetic capture whose triangles are larger or smaller."""
    plain = synthetic.vertices

    def vertices(count: int, rng: np.random.Generator) -> np.ndarray:
        made = plain(count, rng).reshape(-1, 3)
        corners = made["position"][..., :2]
        middle = corners.mean(axis=1, keepdims=True)
        made["position"][..., :2] = middle + (corners - middle) * (reach / SMALL)
        return made.reshape(-1)

    synthetic.vertices = vertices
    try:
        return synthetic.write(folder / f"{reach}.ddicap", 2, draws, triangles)
    finally:
        synthetic.vertices = plain


def probed(capture: inspector.Capture, first: int, last: int, handle: int, x: int, y: int) -> int:
    """How many fragments executing the frame again shows."""
    with capture.replay.before(first) as driver:
        tap = driver.device.tap = Tap(probe=(handle, x, y))
        try:
            with capture.replay.at(last) as after:
                after.device.flush()
        finally:
            driver.device.tap = None
        return sum(len(one.watch.fragments) for one in tap.passes)


def in_turn(ask: Callable[[int, int], Any]) -> Callable[[], object]:
    """Asks about another pixel each time."""
    rng = np.random.default_rng(3)
    places = itertools.cycle(zip(rng.integers(0, 1024, PIXELS).tolist(), rng.integers(0, 768, PIXELS).tolist(), strict=True))
    return lambda: ask(*next(places))


def wall(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(path: Path) -> None:
    with inspector.open(path) as capture:
        frame = capture.frames[-1]
        first, last, target = frame.first_event, frame.last_event, synthetic.TARGET
        span = {"first": first, "last": last}
        capture.image(last)
        report("first history of the frame", wall(lambda: capture.ask(PixelHistory(target, 500, 300, **span))))
        peer = median(in_turn(lambda x, y: probed(capture, first, last, target, x, y)), 3)
        asked = capture.ask(PixelHistory(target, 512, 384, **span))
        batches = len(capture.replay.logged(last).tap.passes)
        print(f"pixel 512, 384: {len(asked.entries)} entries, {len(asked.misses)} misses, {batches} batches")
        assert probed(capture, first, last, target, 512, 384) == len(asked.fragments)
        for name, query in (
            ("history", lambda x, y: PixelHistory(target, x, y, **span)),
            ("history without misses", lambda x, y: PixelHistory(target, x, y, misses=False, **span)),
            ("history of the depth buffer", lambda x, y: PixelHistory(synthetic.DEPTH, x, y, **span)),
            ("writers", lambda x, y: Writers(target, x, y, **span)),
        ):
            report(name, median(in_turn(lambda x, y, query=query: capture.ask(query(x, y))), PIXELS), "probe", peer)
        report("a fragment explained", median(lambda: capture.ask(Explain(asked.fragments[-1])), ROUNDS))
        rect = 500, 300, 564, 364
        report("touched, first", wall(lambda: capture.ask(Touched(target, rect, **span))))
        report("touched, 64 x 64 pixels", median(lambda: capture.ask(Touched(target, rect, **span)), 3))
        report("pixels of a draw", median(lambda: capture.ask(PixelsOf(asked.fragments[-1].event)), ROUNDS))


if __name__ == "__main__":
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        for draws, triangles, reach in ((1000, 100_000, SMALL), (1000, 20_000, LARGE)):
            print(f"\n{draws:,} draws, {triangles:,} triangles that reach {reach} pixels")
            measure(capture_of(Path(folder), draws, triangles, reach))
