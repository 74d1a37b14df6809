"""Opening long traces: how soon there is a first picture, when all is read, and how much memory that takes.

    python -m tests.bench.growing [--calls 1000000 10000000] [--capture NAME.trace] [--how parts once]

Makes traces of at least so many calls by repeating frames of a real capture (DDI_CAPTURES), and opens each in a process of its
own: handing out parts, and at once.  Memory is the process's own at its highest (on Linux), without files that are mapped.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import inspector
from tests.bench.machine import machine
from tests.bench.repeated import Trace, repeat

CAPTURES = Path(os.environ.get("DDI_CAPTURES", "../shared/captures"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.growing", description=__doc__)
    parser.add_argument("--calls", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--capture", default="irr10_shaders.trace")
    parser.add_argument("--how", nargs="+", choices=("parts", "once"), default=["parts", "once"])
    parser.add_argument("--one", nargs=2, metavar=("FILE", "HOW"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(Path(options.one[0]), options.one[1])))
        return
    print(machine())
    for calls in options.calls:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "long.trace"
            count = longer(CAPTURES / "apps" / options.capture, path, calls)
            print(f"{options.capture}, {count:,} calls, {path.stat().st_size / 1e6:,.0f} MB")
            for how in options.how:
                command = [sys.executable, "-m", "tests.bench.growing", "--one", str(path), how]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    print(f"  {how}: failed: {done.stderr.strip().splitlines()[-1]}")
                    continue
                print(f"  {how}: " + ", ".join(f"{name} {value}" for name, value in json.loads(done.stdout).items()))


def longer(source: Path, target: Path, calls: int) -> int:
    """Writes a trace of at least so many calls; how many it has."""
    from inspector.imports.containers import Container

    with Container(source) as container:
        frames = Trace(b"".join(container)).frames
    first, last = len(frames) // 2, len(frames) - 1
    return repeat(source, target, first, last, max(calls // (frames[last].calls - frames[first].calls), 1))


def measure(path: Path, how: str) -> dict[str, Any]:
    """Seconds to the first picture and to the end, parts, and memory."""
    from inspector.kernels import warm_up

    warm_up(lambda fraction, text: None)
    inspector.open(next(CAPTURES.glob("tests/*.trace"))).close()  # what is loaded once
    began, first, parts, before = time.perf_counter(), 0.0, 0, memory()
    most = [before]

    def grown(capture: Any) -> None:
        nonlocal first, parts
        parts += 1
        if parts == 1:
            capture.image(capture.frames[-1].last_event)
            first = time.perf_counter() - began
        most.append(memory())

    with tempfile.TemporaryDirectory() as folder:
        os.environ["DDI_INSPECTOR_CACHE"], usual = folder, os.environ.get("DDI_INSPECTOR_CACHE", "")
        capture = inspector.open(path, grown=grown if how == "parts" else None)
        read = time.perf_counter() - began
        most.append(memory())
        if how == "once":
            capture.image(capture.frames[len(capture.frames) // 2].last_event)
            first = time.perf_counter() - began
        found = {
            "first picture": f"{first:.2f} s", "all read": f"{read:.1f} s", "parts": parts,
            "events": f"{len(capture.events):,}", "frames": f"{len(capture.frames):,}",
            "memory": f"{(max(most) - before) / 1e6:,.0f} MB more than {before / 1e6:,.0f}",
        }  # fmt: skip
        capture.close()
        os.environ["DDI_INSPECTOR_CACHE"] = usual
    return found


def memory() -> int:
    """Bytes of the process's own (Linux: without mapped files); 0 where that cannot be had."""
    try:
        lines = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("Rss"))
    except OSError:
        return 0
    return int(lines["RssAnon"].split()[0]) * 1024


if __name__ == "__main__":
    main()
