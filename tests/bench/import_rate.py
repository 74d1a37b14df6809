"""How fast traces become captures, beside `apitrace dump` in the same run.

    python -m tests.bench.import_rate [FOLDER] [--runs N]

FOLDER holds .trace files (default: apps/ of DDI_CAPTURES).  Figures are medians of processor time (threads that compress
included) and of wall time; the first, unmeasured run of each trace loads the compiled kernels.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from inspector.imports import import_trace
from inspector.tape import TapeWriter
from tests.bench.machine import machine
from tests.conftest import CAPTURES


def timed(work: Callable[[], object], runs: int) -> tuple[float, float]:
    """Medians (processor seconds, wall seconds)."""
    spent = []
    for _ in range(runs):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        spent.append((time.process_time() - cpu, time.perf_counter() - wall))
    return statistics.median(s[0] for s in spent), statistics.median(s[1] for s in spent)


def convert(trace: Path, output: Path) -> int:
    with TapeWriter(output, durable=False) as writer:
        return import_trace(trace, writer).sources


def dump_seconds(trace: Path, runs: int) -> tuple[float, float]:
    """Processor and wall seconds of `apitrace dump` with its output thrown away."""
    spent = []
    for _ in range(runs):
        before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        command = ["apitrace", "dump", "--color=never", str(trace)]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        spent.append((cpu, time.perf_counter() - wall))
    return statistics.median(s[0] for s in spent), statistics.median(s[1] for s in spent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=CAPTURES / "apps")
    parser.add_argument("--runs", type=int, default=3)
    chosen = parser.parse_args()
    has_apitrace = shutil.which("apitrace") is not None
    print(f"{machine()} | apitrace: {apitrace_version() if has_apitrace else 'none'} | load {os.getloadavg()[0]:.2f}")
    titles = f"{'calls':>9}{'cpu ms':>9}{'wall ms':>9}{'k calls/cpu s':>15}{'k calls/s':>11}{'apitrace cpu ms':>17}{'KiB':>8}"
    print(f"{'trace':24}{titles}")
    totals = [0.0] * 5
    with tempfile.TemporaryDirectory() as folder:
        for trace in sorted(chosen.folder.glob("*.trace")):
            output = Path(folder) / "out.ddicap"
            calls = convert(trace, output)
            cpu, wall = timed(lambda trace=trace, output=output: convert(trace, output), chosen.runs)
            theirs, theirs_wall = dump_seconds(trace, chosen.runs) if has_apitrace else (0.0, 0.0)
            totals = [a + b for a, b in zip(totals, (calls, cpu, wall, theirs, theirs_wall), strict=True)]
            ours = f"{calls:9}{cpu * 1e3:9.0f}{wall * 1e3:9.0f}{calls / cpu / 1e3:15.0f}{calls / wall / 1e3:11.0f}"
            print(f"{trace.stem[:23]:24}{ours}{theirs * 1e3:17.0f}{output.stat().st_size >> 10:8}")
    calls, cpu, wall, theirs, theirs_wall = totals
    if calls:
        print(f"all: {calls:.0f} calls, {calls / cpu / 1e3:.0f} k calls per cpu second, {calls / wall / 1e3:.0f} k calls/s")
        if theirs:
            rates = f"{calls / theirs / 1e3:.0f} k calls per cpu second, {calls / theirs_wall / 1e3:.0f} k calls/s"
            print(f"apitrace dump: {rates}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB ({platform.system()})")


def apitrace_version() -> str:
    """The Debian package's version: apitrace does not tell its own."""
    if shutil.which("dpkg-query") is None:
        return "installed"
    query = ["dpkg-query", "--showformat=${Version}", "--show", "apitrace"]
    return subprocess.run(query, capture_output=True, text=True, check=False).stdout or "installed"


if __name__ == "__main__":
    main()
