"""Presses Stop at random moments of every question on a large, hostile capture, and of the walk over it.

    python -m tests.soak.stops [--events 1000000] [--file FILE] [--times 3] [--seed 0] [NAME ...]

Prints by question the longest CPU time (of the whole process) from Stop to its end, and fails where that is more than LIMIT.
The suite presses Stop at the n-th look of a smaller capture instead (tests/inspector/test_stopping.py).
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import inspector
from core import cancel
from core.errors import BadInput, Cancelled
from tests.soak import gaps
from tests.soak.gaps import LIMIT
from tests.soak.questions import questions

LONGEST = 3.0
"""Seconds within which Stop is pressed; what is answered before counts as nothing."""


class Pressed:
    """Whom `cancel` asks: says yes once `press` was called."""

    def __init__(self) -> None:
        self.at = 0.0  # CPU seconds

    def press(self) -> None:
        self.at = time.process_time()

    def __call__(self) -> bool:
        return self.at > 0


def late(ask: Callable[[], Any], moment: float) -> float:
    """CPU seconds that a question goes on after Stop was pressed, so many seconds after its beginning; 0: it had ended."""
    pressed = Pressed()
    timer = threading.Timer(moment, pressed.press)
    timer.start()
    try:
        with suppress(BadInput, Cancelled), cancel.cancellable(pressed):
            ask()
    finally:
        timer.cancel()
    return time.process_time() - pressed.at if pressed.at else 0.0


def walk(capture: inspector.Capture) -> None:
    """As the window does in the beginning."""
    assert capture.walked


def every(path: Path, names: Sequence[str], times: int, chance: random.Random) -> Iterator[tuple[str, float]]:
    """(name, longest CPU seconds after Stop)."""
    with inspector.open(path) as capture:
        known = ["walk", *(name for name, _ in questions(capture))]
    for number, name in enumerate(known):
        if names and name not in names:
            continue
        longest = 0.0
        for _ in range(times):
            with inspector.open(path) as capture:
                ask = partial(walk, capture) if not number else next(islice(questions(capture), number - 1, None))[1]
                longest = max(longest, late(ask, chance.uniform(0, LONGEST)))
        yield name, longest


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.stops", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(words)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or Path(folder) / "large.ddicap"
        if not options.file:
            gaps.large(path, options.events)
        for name, longest in every(path, options.names, options.times, random.Random(options.seed)):
            failed += longest > LIMIT
            print(f"{longest:6.2f} s  {name}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
