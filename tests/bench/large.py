"""Whether ten million events are looked at like one million: opening, event list, timeline, filters, state, history, tables.

    python -m tests.bench.large [FILE ...] [--calls 1000000 10000000] [--capture NAME.trace]
                                [--synthetic tokens frames resources]

Makes traces of so many calls by repeating frames of a real capture (DDI_CAPTURES), and synthetic captures: 10 million tokens,
10,000 frames, 100,000 resources; or takes files.  Each is opened once, then again in a process of its own.  Prints seconds of
the processor, the longest time between two looks at Stop, and the memory of the process's own (Linux), a column a file.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import inspector
from core.cancel import cancellable
from tests.bench import growing, synthetic
from tests.bench.growing import CAPTURES, memory
from tests.bench.machine import machine

SYNTHETIC: dict[str, dict[str, int]] = {
    "tokens": {"frames": 100, "draws": 20_000, "triangles": 40_000},
    "frames": {"frames": 10_000, "draws": 20, "triangles": 200},
    "resources": {"frames": 200, "draws": 20, "triangles": 200, "resources": 100_000},
}
SQL = "SELECT frame, count(*), sum(primitives) FROM draws GROUP BY frame"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.large", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--calls", type=int, nargs="*", default=[])
    parser.add_argument("--capture", default="irr10_shaders.trace")
    parser.add_argument("--synthetic", nargs="*", choices=tuple(SYNTHETIC), default=[])
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps({name: list(found) for name, *found in measure(options.one)}))
        return
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DDI_INSPECTOR_CACHE", folder)
        for path in chain(options.files, made(Path(folder), options)):
            inspector.open(path).close()  # imported, listed
            command = [sys.executable, "-m", "tests.bench.large", "--one", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{path.name}: failed: {done.stderr.strip().splitlines()[-1]}")
                continue
            print(f"{path.name}, {path.stat().st_size / 1e6:,.0f} MB")
            for name, (seconds, pause, held) in json.loads(done.stdout.splitlines()[-1]).items():
                print(f"  {name:44} {seconds:9.3f} s  {pause:7.3f} s  {held:7,.0f} MB", flush=True)


def made(folder: Path, options: argparse.Namespace) -> Iterator[Path]:
    """The captures, one after the other; each goes when the next is made."""
    for calls in options.calls:
        path = folder / f"{calls}.trace"
        growing.longer(CAPTURES / "apps" / options.capture, path, calls)
        yield path
        path.unlink()
    for name in options.synthetic:
        path = synthetic.write(folder / f"{name}.ddicap", **SYNTHETIC[name])
        yield path
        path.unlink()


def measure(path: Path) -> Iterator[tuple[str, float, float, float]]:
    """(what, CPU seconds, longest time between two looks at Stop, megabytes held afterwards)."""
    from inspector.kernels import warm_up

    warm_up(lambda fraction, text: None)
    capture: Any = None

    def opened() -> None:
        nonlocal capture
        capture = inspector.open(path)

    yield timed("open again", opened)
    chance = random.Random(4)
    frames = capture.frames
    somewhere = [chance.randrange(len(capture.events)) for _ in range(100)]
    yield timed(f"first picture [{len(capture.events):,} events]", lambda: capture.image(frames[0].last_event))
    for name, work in rows(capture, somewhere).items():
        yield timed(name, work)
    capture.close()


def rows(capture: Any, somewhere: list[int]) -> dict[str, Callable[[], object]]:
    """What is measured."""
    from ui.index import build_index

    frames = capture.frames
    middle, last = frames[len(frames) // 2], frames[-1]
    pixel = {"where": "back_buffer", "x": 100, "y": 100}
    ask = capture.ask
    return {
        "walk that follows state": lambda: capture.walked,
        "names, kinds and densities of the window": lambda: build_index(capture),
        "lines of 100 events anywhere": lambda: [capture.text(event) for event in somewhere],
        "state at 100 events anywhere": lambda: [capture.state(event)["ALPHAREF"].value for event in somewhere],
        "every row of the state at one event": lambda: capture.state(somewhere[0]).rows(),
        "history of a state": lambda: ask(inspector.SlotHistory("ALPHAREF")),
        "filter blend, first": lambda: ask(inspector.Search("blend")),
        "filter $draw() and ALPHAREF > 128": lambda: ask(inspector.Search("$draw() and ALPHAREF > 128")),
        "filter changed()": lambda: ask(inspector.Search("changed()")),
        "filter uses(7), first": lambda: ask(inspector.Search(f"uses({used(capture)})")),
        "objects used by a draw": lambda: ask(inspector.ResourcesOf(int(capture.draws[len(capture.draws) // 2]))),
        "SQL over all draws, first": lambda: ask(inspector.Sql(SQL)),
        "statistics by frame, first": lambda: ask(inspector.Statistics("frame")),
        "SQL over all events, first": lambda: ask(inspector.Sql("SELECT kind, count(*) FROM events GROUP BY kind")),
        "picture in the middle": lambda: capture.image(middle.last_event),
        "picture at the end": lambda: capture.image(last.last_event),
        "pixel history in the middle": lambda: ask(
            inspector.PixelHistory(**pixel, first=middle.first_event, last=middle.last_event)
        ),
    }  # fmt: skip


def used(capture: Any) -> int:
    """The handle of something that draws use."""
    resources = capture.resources
    return int(resources.life(int(resources.uses["life"][len(resources.uses) // 2])).handle)


def timed(name: str, work: Callable[[], object]) -> tuple[str, float, float, float]:
    looks = [time.thread_time()]

    def look() -> bool:
        looks.append(time.thread_time())
        return False

    began = time.process_time()
    try:
        with cancellable(look):
            work()
    except Exception as error:  # the others still count
        name = f"{name}: {error}"[:60]
    looks.append(time.thread_time())
    pause = max(b - a for a, b in pairwise(looks))
    return name, time.process_time() - began, pause, memory() / 1e6


if __name__ == "__main__":
    main()
