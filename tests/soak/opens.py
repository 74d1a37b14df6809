"""Opens captures, asks everything, closes them, over and over: memory, handles and threads must not grow.

    python -m tests.soak.opens --rounds 300 [--every 20] [--briefly] [FILE ...]

A round is one opening of every file (default: the built-in capture and the samples).  Exits with 1 if the second half of the
rounds took more than MEGABYTES_A_ROUND each, or any handle, thread or capture.  `--briefly`: a picture, states, a filter and
a pixel's history instead of every question.  Figures are of Linux (/proc).
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import inspector
from inspector.samples import built_in_capture, sample_captures
from inspector.timeline.timeline import Timeline
from tests.soak.questions import ask_all

MEGABYTES_A_ROUND, MEGABYTES = 0.25, 16.0
"""What an allocator may lose to fragments, a round and in all; a capture that is kept costs 30."""
EVENTS = 20


@dataclass(frozen=True)
class Figures:
    """Of this process: resident memory in megabytes, open handles, threads, captures and timelines alive."""

    memory: float
    handles: int
    threads: int
    captures: int

    @classmethod
    def now(cls) -> Figures:
        gc.collect()
        return cls(resident(), len(os.listdir("/proc/self/fd")) - 1, threading.active_count(), len(living()))

    def __str__(self) -> str:
        return f"{self.memory:8.1f} MB {self.handles:4} handles {self.threads:3} threads {self.captures:3} captures"


def resident(process: int | str = "self") -> float:
    """Megabytes of memory a process holds."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def living() -> list[object]:
    """Captures and timelines that somebody holds."""
    return [thing for thing in gc.get_objects() if type(thing) in (inspector.Capture, Timeline)]


def use(path: Path, briefly: bool = False) -> None:
    """Opens, looks around, asks everything or some things, closes."""
    with inspector.open(path) as capture:
        for number in range(EVENTS):
            event = len(capture.events) * number // EVENTS
            capture.text(event), capture.state(event).rows(), capture.surfaces(event)
        if not briefly:
            ask_all(capture)
            return
        last = capture.frames[-1]
        capture.ask(inspector.Search("$draw()"))
        if capture.render_target(last.last_event) is None:
            return
        capture.image(last.last_event)
        capture.ask(inspector.PixelHistory("render_target", 1, 1, last.first_event, last.last_event))


def soak(paths: Sequence[Path], rounds: int, every: int = 20, briefly: bool = False) -> Iterator[tuple[int, Figures]]:
    """(rounds done, figures) now and then, and at the end."""
    for number in range(rounds):
        for path in paths:
            use(path, briefly)
        if number + 1 in (1, 2, 5, rounds // 2, rounds) or not (number + 1) % every:
            yield number + 1, Figures.now()


def grown(figures: dict[int, Figures]) -> list[str]:
    """What grew from the half to the end; memory, which comes and goes, from the third to the last quarter, by the medians."""
    last = max(figures)
    half = max((number for number in figures if number <= last // 2), default=last)
    first, final = figures[half], figures[last]
    found = []
    third, fourth = _parts(sorted(number for number in figures if number >= half))
    rounds = np.median(fourth) - np.median(third)
    more = np.median([figures[n].memory for n in fourth]) - np.median([figures[n].memory for n in third])
    if more > max(MEGABYTES_A_ROUND * rounds, MEGABYTES):
        found.append(f"memory: {more / rounds:.2f} MB a round")
    for name in ("handles", "threads", "captures"):
        before, after = getattr(first, name), getattr(final, name)
        if after > before:
            found.append(f"{name}: {before} to {after}")
    return found


def _parts(numbers: list[int]) -> tuple[list[int], list[int]]:
    """The first and the second half of them; both have the middle one of an odd number, if there is no other."""
    middle = max(len(numbers) // 2, 1)
    return numbers[:middle], numbers[middle:] or numbers[-1:]


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.opens", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--every", type=int, default=20, help="rounds between two lines")
    parser.add_argument("--briefly", action="store_true", help="some questions instead of all")
    options = parser.parse_args(words)
    built_in = built_in_capture()
    paths = options.files or [*([built_in] if built_in else []), *(path for _, path in sample_captures())]
    began, figures = time.perf_counter(), {}
    for number, now in soak(list(dict.fromkeys(paths)), options.rounds, options.every, options.briefly):
        figures[number] = now
        print(f"{number:4} rounds {now} {time.perf_counter() - began:7.0f} s", flush=True)
    found = grown(figures)
    print("; ".join(found) or "nothing grows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
