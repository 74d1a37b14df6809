"""Compares what we draw with what must be seen.  `python -m tests.captures.checks [NAME ...]` prints the table."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import inspector
from tests.captures.oracle import Expectation, conformance_checks, older_checks, page_cells, unpack
from tests.conftest import CAPTURES

READERS = {
    "tests": conformance_checks, "pages": page_cells, "d3d7/tests": older_checks, "d3d7/d3d8_32": conformance_checks,
}  # fmt: skip


@dataclass(frozen=True)
class Result:
    """One expectation and the pixel we have there."""

    expectation: Expectation
    rgba: tuple[int, ...]
    passed: bool


def evaluate(trace: Path, expectations: Iterable[Expectation]) -> list[Result]:
    """The pixels of one capture against expectations."""
    capture = inspector.open(trace)
    images: dict[tuple[int, int], np.ndarray] = {}
    results = []
    for e in sorted(expectations, key=lambda e: e.after_call):
        place, event = (e.after_call, e.source_surface), capture.event_of_source_call(e.after_call)
        surface = capture.surface_of_source(e.source_surface, event)
        if e.mask:
            pixel = unpack(stored(capture, event, surface, e.x, e.y))
        else:
            if place not in images:
                images[place] = capture.image(event, surface)
            pixel = tuple(images[place][e.y, e.x].tolist())
        results.append(Result(e, pixel, e.met_by(pixel)))
    return results


def stored(capture: inspector.Capture, event: int, surface: int, x: int, y: int) -> int:
    """The dword that a Lock shows; depths are above stencil here, below it in programs that lock depth buffers."""
    rows, format = capture.stored(event, surface)
    at = x * format.bits // 8
    value = int.from_bytes(rows[y].tobytes()[at : at + 4], "little")
    return (value >> 8 | value << 24) & 0xFFFFFFFF if format.depth_bits == 24 else value


def files(folder: str, names: list[str]) -> list[Path]:
    return [f for f in sorted((CAPTURES / folder).glob("*.json")) if f.stem != "manifest" and (not names or f.stem in names)]


def table(folder: str, names: list[str]) -> tuple[list[str], list[Result]]:
    """A line per capture (passed, failed, doubtful that differ), and all results."""
    read = READERS[folder]
    lines, everything = [], []
    for file in files(folder, names):
        expectations = read(file)
        if not expectations:
            continue
        results = evaluate(file.with_suffix(".trace"), expectations)
        everything += results
        told = Counter(kind(result) for result in results)
        lines.append(f"{file.stem:40} {told['passed']:6} {told['failed']:6} {told['open']:6}")
    return lines, everything


def kind(result: Result) -> str:
    """passed, failed, or open: differs where the expectation itself is in doubt."""
    if result.passed:
        return "passed"
    return "open" if result.expectation.doubtful or result.expectation.todo else "failed"


def main(arguments: list[str]) -> int:
    verbose = "-v" in arguments
    names = [a for a in arguments if not a.startswith("-")]
    failed = 0
    for folder in READERS:
        lines, results = table(folder, names)
        all_of = Counter(kind(result) for result in results)
        lines.append(f"{'all':40} {all_of['passed']:6} {all_of['failed']:6} {all_of['open']:6}")
        print(f"{folder:40} passed failed   open", *lines, sep="\n")
        wrong = [r for r in results if kind(r) != "passed"]
        failed += sum(kind(r) == "failed" for r in wrong)
        for r in wrong[: None if verbose else 12]:
            e = r.expectation
            told = f"{r.rgba} for {e.rgba} +-{e.tolerance}"
            print(f"  {kind(r):6} {e.capture} ({e.x},{e.y}) call {e.after_call}: {told} {e.name} {e.doubtful}".rstrip())
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
