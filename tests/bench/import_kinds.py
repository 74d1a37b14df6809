"""How fast each kind of call is imported: Direct3D 7, 6, 5 and DirectDraw beside Direct3D 8.

    python -m tests.bench.import_kinds [KIND...] [--calls 60000] [--runs 3]

For each kind programs do the same with one API and the others, so many calls of it after what they need.  Processor
microseconds per call, threads that compress included; the median of the runs, which take turns, after one that loads the
compiled kernels.  A rate is that of Direct3D 8 through theirs.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.import_programs import Program5, Program6, Program7, Program8
from tests.bench.import_rate import convert
from tests.bench.machine import machine
from tests.inspector.imports.trace_file import zstd

PROGRAMS = {"8": Program8, "7": Program7, "6": Program6, "5": Program5}


def frame(program: Any, i: int) -> None:
    """Fifty calls: ten objects."""
    program.clear(i)
    program.do("BeginScene")
    for k in range(10):
        program.texture(k)
        program.transform(k)
        program.state(10 * i + k)
        program.stage_state(k)
        program.draw_up(k)
    program.do("EndScene")
    program.show(i)


KINDS: dict[str, tuple[str, ...]] = {
    "SetRenderState": ("state", "state", "state", "state"),
    "SetLightState": ("state", "", "light_state", "light_state"),
    "SetTextureStageState": ("stage_state", "stage_state", "stage_state", "stage_state"),
    "SetTexture": ("texture", "texture", "texture", "texture"),
    "SetTransform": ("transform", "transform", "transform", "transform"),
    "SetTransform, projection": ("transform", "", "projection", "projection"),
    "MultiplyTransform": ("multiply", "multiply", "multiply", "multiply"),
    "draws of user memory": ("draw_up", "draw_up", "draw_up", "draw_up"),
    "indexed, user memory": ("draw_indexed_up", "draw_indexed_up", "draw_indexed_up", "draw_indexed_up"),
    "draws of buffers": ("draw", "draw", "draw", ""),
    "indexed, of buffers": ("draw_indexed", "draw_indexed", "draw_indexed", ""),
    "Clear": ("clear", "clear", "clear", "clear"),
    "Lock of a texture": ("lock", "lock", "lock", "lock"),
    "Lock of a buffer": ("lock_buffer", "lock_buffer", "lock_buffer", ""),
    "CopyRects, Blt": ("copy", "copy", "copy", "copy"),
    "CopyRects, BltFast": ("copy", "copy_fast", "copy_fast", "copy_fast"),
    "Clear of a box, fill": ("fill", "fill", "fill", "fill"),
    "Present, Flip": ("show", "show", "show", "show"),
    "whole frames": ("frame", "frame", "frame", "frame"),
}
"""What is measured: its function in each of PROGRAMS; none where the version has no such call."""


def trace(make: Callable[[], Any], name: str, calls: int) -> bytes:
    """The trace of a program."""
    program = make()
    do: Callable[[int], None] = getattr(program, name, None) or (lambda i: frame(program, i))
    i, wanted = 0, program.trace.count + calls
    while program.trace.count < wanted:
        do(i)
        i += 1
    return zstd(program.trace.bytes())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.import_kinds", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], metavar="KIND")
    parser.add_argument("--calls", type=int, default=60_000)
    parser.add_argument("--runs", type=int, default=3)
    chosen = parser.parse_args()
    print(machine())
    titles = "".join(f"{version:>8}" for version in PROGRAMS) + "".join(f"{f'rate of {v}':>12}" for v in [*PROGRAMS][1:])
    print(f"{'us per call':26}{titles}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in chosen.kinds or KINDS:
            files = {}
            for (version, make), name in zip(PROGRAMS.items(), KINDS[kind], strict=True):
                if name:
                    files[version] = Path(folder) / f"{version}.trace"
                    files[version].write_bytes(trace(make, name, chosen.calls))
            spent = measured(files, Path(folder) / "kind.ddicap", chosen.runs)
            times = "".join(f"{spent[version]:8.2f}" if version in spent else " " * 8 for version in PROGRAMS)
            rates = "".join(f"{spent['8'] / spent[v]:12.0%}" if v in spent else " " * 12 for v in [*PROGRAMS][1:])
            print(f"{kind:26}{times}{rates}", flush=True)


def measured(files: dict[str, Path], output: Path, runs: int) -> dict[str, float]:
    """Processor microseconds of an import for each call, by version."""
    calls = {version: convert(path, output) for version, path in files.items()}
    spent: dict[str, list[float]] = {version: [] for version in files}
    for _ in range(runs):
        for version, path in files.items():
            began = time.process_time()
            convert(path, output)
            spent[version].append(time.process_time() - began)
    return {version: statistics.median(times) / calls[version] * 1e6 for version, times in spent.items()}


if __name__ == "__main__":
    main()
