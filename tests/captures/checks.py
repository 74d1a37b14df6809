"""Compares what we draw with what must be seen.  `python -m tests.captures.checks [NAME ...]` prints the table."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import inspector
from tests.captures.oracle import Expectation, conformance_checks, page_cells
from tests.conftest import CAPTURES


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
        place = e.after_call, e.source_surface
        if place not in images:
            event = capture.event_of_source_call(e.after_call)
            images[place] = capture.image(event, capture.surface_of_source(e.source_surface, event))
        pixel = tuple(images[place][e.y, e.x].tolist())
        results.append(Result(e, pixel, e.met_by(pixel)))
    return results


def files(folder: str, names: list[str]) -> list[Path]:
    return [f for f in sorted((CAPTURES / folder).glob("*.json")) if f.stem != "manifest" and (not names or f.stem in names)]


def table(folder: str, names: list[str]) -> tuple[list[str], list[Result]]:
    """A line per capture (passed, failed, doubtful that differ), and all results."""
    read = conformance_checks if folder == "tests" else page_cells
    lines, everything = [], []
    for file in files(folder, names):
        expectations = read(file)
        if not expectations:
            continue
        results = evaluate(file.with_suffix(".trace"), expectations)
        everything += results
        told = Counter(kind(result) for result in results)
        lines.append(f"{file.stem:26} {told['passed']:6} {told['failed']:6} {told['open']:6}")
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
    for folder in ("tests", "pages"):
        lines, results = table(folder, names)
        print(f"{folder:26} passed failed   open", *lines, sep="\n")
        wrong = [r for r in results if kind(r) != "passed"]
        failed += sum(kind(r) == "failed" for r in wrong)
        for r in wrong[: None if verbose else 12]:
            e = r.expectation
            told = f"{r.rgba} for {e.rgba} +-{e.tolerance}"
            print(f"  {kind(r):6} {e.capture} ({e.x},{e.y}) call {e.after_call}: {told} {e.name}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
