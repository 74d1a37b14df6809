"""How fast traces become captures, beside `apitrace dump` in the same run.

    python -m tests.bench.import_rate [FOLDER] [--runs N] [--floor]

--floor: also what unpacking, decoding, hashing, compressing and writing the same bytes cost, each alone.

FOLDER holds .trace files (default: apps/ of DDI_CAPTURES).  Figures are medians of processor time (threads that compress
included) and of wall time; the first, unmeasured run of each trace loads the compiled kernels.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import xxhash

from inspector.imports import import_trace
from inspector.imports.containers import Container
from inspector.imports.report import file_digest
from inspector.imports.stream import TraceStream
from inspector.tape import TapeWriter, database
from inspector.tape.packing import compress_quickly, decompress, store
from tests.bench.machine import machine
from tests.conftest import CAPTURES


def timed(work: Callable[[], object], runs: int, before: Callable[[], object] = lambda: None) -> tuple[float, float]:
    """Medians (processor seconds, wall seconds), without those of `before`."""
    spent = []
    for _ in range(runs):
        before()
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        spent.append((time.process_time() - cpu, time.perf_counter() - wall))
    return statistics.median(s[0] for s in spent), statistics.median(s[1] for s in spent)


def convert(trace: Path, output: Path) -> int:
    """`output`: better none that is there, as removing a large file takes time."""
    with TapeWriter(output, durable=False, quick=True) as writer:  # as into the cache
        return import_trace(trace, writer).sources


def floor(trace: Path, kept: Path, runs: int) -> dict[str, float]:
    """Processor seconds of the parts that no import can do without; `kept`: the capture that was made of the trace."""
    with closing(sqlite3.connect(kept)) as made:
        rows = {table: made.execute(f"SELECT * FROM {table}").fetchall() for table in ("blob", "batch", "source")}
    blobs = [decompress(row[3]) for row in rows["blob"]]
    columns = [decompress(value) for row in (*rows["batch"], *rows["source"]) for value in row[2:-1]]

    def unpack() -> None:
        with Container(trace, hashes=False) as container:
            deque(container, 0)

    def write() -> None:
        again = kept.with_suffix(".again")
        database.remove(again)
        with closing(database.create(again, durable=False, quick=True)) as new:
            new.execute("BEGIN")
            for table, contents in rows.items():
                for row in contents:
                    new.execute(f"INSERT INTO {table} VALUES({', '.join('?' * len(row))})", row)
            new.execute("COMMIT")

    work: dict[str, Callable[[], object]] = {
        "unpack": unpack,
        "unpack and decode": lambda: deque(TraceStream(trace, hashes=False), 0),
        "digest of the file": lambda: file_digest(trace),
        "digests of blobs": lambda: [xxhash.xxh3_128_digest(data) for data in blobs],
        "pack blobs": lambda: [store(data) for data in blobs],
        "compress columns": lambda: [compress_quickly(data) for data in columns],
        "write": write,
    }
    return {name: timed(part, runs)[0] for name, part in work.items()}


def print_floor(found: list[dict[str, float]], calls: float, cpu: float) -> None:
    """Each part's share of all imports, and the rate that they alone would allow."""
    parts = {name: sum(one[name] for one in found) for name in found[0]}
    parts["decode"] = parts.pop("unpack and decode") - parts["unpack"]
    for name, seconds in parts.items():
        print(f"  {name:20}{seconds * 1e3:9.0f} ms{seconds / cpu:8.1%}")
    least = sum(parts.values())
    print(f"floor: {least * 1e3:.0f} of {cpu * 1e3:.0f} ms, {calls / least / 1e3:.0f} k calls per cpu second")


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
    parser.add_argument("--floor", action="store_true")
    chosen = parser.parse_args()
    has_apitrace = shutil.which("apitrace") is not None
    print(f"{machine()} | apitrace: {apitrace_version() if has_apitrace else 'none'} | load {os.getloadavg()[0]:.2f}")
    titles = f"{'calls':>9}{'cpu ms':>9}{'wall ms':>9}{'k calls/cpu s':>15}{'k calls/s':>11}{'apitrace cpu ms':>17}{'KiB':>8}"
    print(f"{'trace':24}{titles}")
    totals = [0.0] * 5
    parts: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        for trace in sorted(chosen.folder.glob("*.trace")):
            output = Path(folder) / "out.ddicap"
            calls = convert(trace, output)
            work = partial(convert, trace, output)
            cpu, wall = timed(work, chosen.runs, output.unlink)
            theirs, theirs_wall = dump_seconds(trace, chosen.runs) if has_apitrace else (0.0, 0.0)
            totals = [a + b for a, b in zip(totals, (calls, cpu, wall, theirs, theirs_wall), strict=True)]
            if chosen.floor:
                parts.append(floor(trace, output, chosen.runs))
            ours = f"{calls:9}{cpu * 1e3:9.0f}{wall * 1e3:9.0f}{calls / cpu / 1e3:15.0f}{calls / wall / 1e3:11.0f}"
            print(f"{trace.stem[:23]:24}{ours}{theirs * 1e3:17.0f}{output.stat().st_size >> 10:8}")
    calls, cpu, wall, theirs, theirs_wall = totals
    if calls:
        if parts:
            print_floor(parts, calls, cpu)
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
