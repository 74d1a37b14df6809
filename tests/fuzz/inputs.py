"""Harnesses that take one input as bytes: made from a seed, run, and kept when it fails, so that it is run again for ever.

A harness is a module with a HARNESS.  Whatever `run` raises but BadInput and Cancelled is a defect; so is more than
`seconds` of CPU.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput, Cancelled
from tests.fuzz import harness

FOUND = Path(__file__).with_name("found")
LONGEST = 5.0


@dataclass(frozen=True)
class Harness:
    """`make(chooser)` gives an input, `run(input, folder)` does what a user would with it; the suite runs a `few`."""

    name: str
    make: Callable[[random.Random], bytes]
    run: Callable[[bytes, Path], None]
    few: int
    seconds: float = LONGEST

    def execute(self, data: bytes, folder: Path) -> None:
        """Runs one input.  AssertionError if it took too long."""
        began = time.process_time()
        with suppress(BadInput, Cancelled):
            self.run(data, folder)
        assert (took := time.process_time() - began) < self.seconds, f"took {took:.1f} s"

    def case(self, chooser: random.Random, folder: Path) -> None:
        self.execute(self.make(chooser), folder)

    @property
    def folder(self) -> Path:
        """Where the inputs are kept that were defects once."""
        return FOUND / self.name

    def kept(self) -> Iterator[Path]:
        return iter(sorted(self.folder.glob("*")))

    def keep(self, data: bytes) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / hashlib.sha256(data).hexdigest()[:12]
        path.write_bytes(data)
        return path


def main(fuzzed: Harness) -> None:
    """`--seconds N --seed S`: as the other harnesses, without the allocator; `--guided`: by coverage, with atheris;
    FILE: one input again."""
    if "--guided" in sys.argv:
        _guided(fuzzed)
    elif len(sys.argv) > 1 and Path(sys.argv[1]).is_file():
        fuzzed.execute(Path(sys.argv[1]).read_bytes(), Path(sys.argv[1]).parent)
    elif "--child" in sys.argv:
        harness.main(fuzzed.case)
    else:
        asked = _asked()
        found = harness.run(fuzzed.name, asked.seconds, asked.seed, asked.count, mode="plain",
                            hang=max(harness.HANG, 4 * fuzzed.seconds))  # fmt: skip
        for seed, what in distinct(found.defects):
            print(f"{fuzzed.keep(fuzzed.make(random.Random(seed)))}: seed {seed}: {what}")
        print(f"{fuzzed.name}: {found.executions} executions, {len(distinct(found.defects))} distinct defects")
        sys.exit(bool(found.defects))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for name, usual in (("seconds", 60.0), ("seed", 0), ("count", 1 << 60)):
        parser.add_argument(f"--{name}", type=type(usual), default=usual)
    return parser.parse_args()


def distinct(defects: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The first of each kind: by the type and the places, whatever numbers and texts are in the sentence."""
    kinds: dict[str, tuple[int, str]] = {}
    for seed, what in defects:
        places = re.findall(r"\w+\.py:\d+", what)
        kinds.setdefault(" ".join([what.split(":")[0], *places]), (seed, what))
    return list(kinds.values())


def _guided(fuzzed: Harness) -> None:
    import atheris  # group "fuzz" of pyproject.toml

    def one(data: bytes) -> None:
        fuzzed.execute(data, FOUND)

    atheris.instrument_all()
    atheris.Setup([word for word in sys.argv if word != "--guided"], one)
    atheris.Fuzz()
