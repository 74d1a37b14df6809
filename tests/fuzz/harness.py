"""Runs random cases in a child process until time is up; a child that dies or hangs is a defect, and the next goes on.

A case may raise BadInput, Cancelled or MemoryError.  Everything else, a signal, or more than HANG seconds, is a defect.
"""

from __future__ import annotations

import argparse
import queue
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from core.errors import BadInput, Cancelled
from core.kernels.warm_up import kernel_modules, warm_up
from tests.fuzz import guard

Case = Callable[[random.Random, Path], None]
"""Runs one case, with a folder for its files."""

HANG = 60.0
TOP = Path(__file__).resolve().parents[2]


@dataclass
class Outcome:
    """What came of a run."""

    executions: int = 0
    refused: int = 0
    defects: list[tuple[int, str]] = field(default_factory=list)  # seed, what happened

    def __str__(self) -> str:
        lines = [f"seed {seed}: {what}" for seed, what in self.defects]
        return "\n".join([f"{self.executions} executions, {self.refused} allocations refused, {len(lines)} defects", *lines])


def main(case: Case) -> None:
    """The command line of one target."""
    parser = argparse.ArgumentParser()
    for name, usual in (("seconds", 60.0), ("seed", 0), ("count", 1 << 60), ("fail", 0)):
        parser.add_argument(f"--{name}", type=type(usual), default=usual)
    parser.add_argument("--mode", choices=["over", "under", "plain"], default="over")
    parser.add_argument("--child", action="store_true")
    chosen = parser.parse_args()
    if chosen.child:
        _child(case, chosen.seed, chosen.count, chosen.fail)
        return
    module = Path(sys.argv[0]).stem
    found = run(module, chosen.seconds, chosen.seed, chosen.count, chosen.mode, chosen.fail)
    print(found)
    sys.exit(bool(found.defects))


def run(target: str, seconds: float, seed: int = 0, count: int = 1 << 60, mode: str = "over", fail: int = 0,
        hang: float = HANG) -> Outcome:  # fmt: skip
    """Cases from `seed` on; the seconds begin with the first case.  hang: seconds that a case may take."""
    warm_up()  # compiling would take minutes under the allocator
    outcome, end, stop = Outcome(), None, seed + count
    with tempfile.TemporaryDirectory() as folder:
        while seed < stop and (end is None or time.monotonic() < end):
            with (
                open(Path(folder, "stderr"), "w+", encoding="utf-8", errors="replace") as told,
                _start(target, Path(folder), seed, stop - seed, mode, fail, told) as child,
            ):
                end, seed = _follow(child, told, outcome, seconds, end, seed, hang)
    return outcome


def _start(target: str, folder: Path, seed: int, count: int, mode: str, fail: int, told: IO[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-X", "faulthandler", "-m", f"tests.fuzz.{target}", "--child"]
    command += ["--seed", str(seed), "--count", str(count), "--fail", str(fail)]
    return subprocess.Popen(command, cwd=TOP, env=guard.environment(folder, mode), text=True, stdout=subprocess.PIPE,
                            stderr=told)  # fmt: skip


def _follow(child: subprocess.Popen[str], errors: IO[str], outcome: Outcome, seconds: float,
            end: float | None, seed: int, hang: float) -> tuple[float, int]:  # fmt: skip
    """Until the child ends or time is up; when time is up, and the next seed."""
    last, current, begun = time.monotonic(), None, None
    assert child.stdout is not None
    watch = _Lines(child.stdout)
    while (line := watch.next(0.5)) != "":  # which comes once: before the process has ended, or after
        if line is None and child.poll() is not None:
            break  # another process holds the pipe
        words = (line or "").split(" ", 2)
        if line is not None:
            last = time.monotonic()
        if words[0] == "case":
            begun, current = begun or last, int(words[1])
            end = end or last + seconds
        elif words[0] == "done":
            outcome.executions, current, seed = outcome.executions + 1, None, int(words[1]) + 1
        elif words[0] == "refused":
            outcome.refused += int(words[1])
        elif words[0] == "defect":
            outcome.defects.append((int(words[1]), words[2].strip()))
        if current is not None and time.monotonic() - last > hang:
            child.kill()
            outcome.defects.append((current, f"more than {hang:g} s"))
            seed, current = current + 1, None
            break
        if end is not None and time.monotonic() > end and current is None:
            child.kill()
            break
    code = child.wait()
    watch.close()
    errors.seek(0)
    told = errors.read()
    if current is not None and code not in (0, -signal.SIGKILL):
        outcome.executions += 1
        first = told.strip().splitlines()[0] if told.strip() else ""
        outcome.defects.append((current, f"{_ending(code)} {_place_of_crash(told)} {first}"))
        print(told, file=sys.stderr)  # some crashes do not come back
    elif begun is None and code not in (0, -signal.SIGKILL):
        raise RuntimeError(f"the cases did not begin: {told[-2000:]}")
    return end or time.monotonic(), (current + 1 if current is not None else seed)


def _place_of_crash(told: str) -> str:
    """The innermost line of ours of the thread that crashed, of what faulthandler says."""
    of_thread = told.rpartition("Current thread")[2]
    ours = re.compile(r'File "[^"]*\b(core|inspector|ui)/')
    return next((text.strip() for text in of_thread.splitlines() if ours.match(text.strip())), "")


def _ending(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit {code}"


class _Lines:
    """Lines of a pipe, waited for no longer than one likes."""

    def __init__(self, pipe: IO[str]) -> None:
        self._lines: queue.Queue[str] = queue.Queue()

        def read() -> None:
            for line in pipe:
                self._lines.put(line)
            self._lines.put("")

        self._reader = threading.Thread(target=read, daemon=True)
        self._reader.start()

    def close(self) -> None:
        """The process has ended."""
        self._reader.join()

    def next(self, seconds: float) -> str | None:
        """A line, "" at the end; None: there is none yet."""
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            return None


def _told(defect: Exception) -> str:
    places = [f"{Path(one.filename).name}:{one.lineno}" for one in traceback.extract_tb(defect.__traceback__)[-3:]]
    return f"{type(defect).__name__}: {defect} ({' '.join(places)})".replace("\n", " ")


def _child(case: Case, seed: int, count: int, fail: int) -> None:
    from core.kernels.jit import load_kernels

    for module in kernel_modules():
        load_kernels(module)
    guard.be_exact()
    guard.guard_arrays()
    with tempfile.TemporaryDirectory() as folder:
        with suppress(BadInput):
            case(random.Random(0), Path(folder))  # whatever is imported late
        for number in range(seed, seed + count):
            print("case", number, flush=True)
            before = guard.refused()
            try:
                with guard.refusing(number, fail):
                    case(random.Random(number), Path(folder))
            except (BadInput, Cancelled, MemoryError):
                pass
            except Exception as defect:
                print("defect", number, _told(defect), flush=True)
            if guard.refused() > before:
                print("refused", guard.refused() - before, flush=True)
            print("done", number, flush=True)
