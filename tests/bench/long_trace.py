"""A trace of very many short frames: the slow case of everything that works by the driver call.

    python -m tests.bench.long_trace [--frames 430000]

Seven API calls a frame become two driver calls.  Prints the processor's seconds of importing it, opening it again, walking over
it, and drawing its last frame; and how often the walk reports, and the longest time between two reports.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

import inspector
from inspector.timeline.walk import walk
from tests.bench.machine import machine
from tests.inspector.imports.trace_file import small_program, zstd


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.long_trace", description=__doc__)
    parser.add_argument("--frames", type=int, default=430_000)
    frames = parser.parse_args().frames
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DDI_INSPECTOR_CACHE"] = folder
        path = Path(folder) / "long.trace"
        path.write_bytes(zstd(small_program(frames).bytes()))
        print(machine())
        measure(path)


def measure(path: Path) -> None:
    """Prints everything."""
    for what in ("import and open", "open again"):
        began = time.process_time()
        capture = inspector.open(path)
        print(
            f"{what}: {time.process_time() - began:.1f} s, {len(capture.calls):,} driver calls, {len(capture.frames):,} frames"
        )
    began, told = time.process_time(), [time.process_time()]
    walk(capture.calls, capture.events, lambda fraction, text: told.append(time.process_time()))
    seconds, pauses = time.process_time() - began, [b - a for a, b in zip(told, [*told[1:], time.process_time()], strict=True)]
    print(f"walk: {seconds:.1f} s, {seconds / len(capture.calls) * 1e6:.0f} us a driver call, "
          f"{len(told) - 1} reports, {max(pauses):.2f} s at most between two")  # fmt: skip
    began = time.process_time()
    capture.image(capture.frames[-1].last_event, "back_buffer")
    print(f"last frame: {time.process_time() - began:.1f} s")
    capture.close()


if __name__ == "__main__":
    main()
