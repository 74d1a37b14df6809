"""Ends writers at random moments (kill -9), tears files, takes away room: what was acknowledged must be there afterwards.

    python -m tests.soak.kill [--trials 200] [--seed 0] [KIND ...]

Each trial of a kind starts a child that prints a line for everything that it has acknowledged, kills it at a random moment, and
looks at what is left.  Prints kind, trials, losses, and the sentences that were met with how often.  Exits with 1 after a loss.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.soak import shared, trials

KINDS: dict[str, Callable[[Path, random.Random], trials.Outcome]] = {
    "import": trials.import_,
    "convert": trials.convert,
    "convert capture": trials.convert_capture,
    "record": trials.record,
    "annotate": trials.annotate,
    "side cache": trials.side_cache,
    "settings": trials.settings,
    "recorder": trials.recorder,
    "beside": trials.beside,
    "torn": trials.torn,
    "full": trials.full,
    "no space": shared.no_space,
    "two windows": shared.two_windows,
    "recent files": shared.recent_files,
    "two bookmark": shared.two_bookmark,
}


@dataclass
class Tally:
    """Of one kind."""

    trials: int = 0
    losses: list[str] = field(default_factory=list)
    messages: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: trials.Outcome) -> None:
        self.trials += 1
        self.messages[outcome.message] += 1
        if outcome.loss:
            self.losses.append(outcome.loss)


def run(kind: str, count: int, seed: int = 0) -> Tally:
    """So many trials of a kind."""
    tally = Tally()
    for number in range(count):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            tally.add(KINDS[kind](Path(folder), random.Random(f"{kind} {seed} {number}")))
    return tally


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.kill", description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--trials", type=int, default=200, help="of each kind")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(words)
    lost = 0
    for kind in options.kinds or KINDS:
        tally = run(kind, options.trials, options.seed)
        print(f"{kind}: {tally.trials} trials, {len(tally.losses)} losses", flush=True)
        for text, count in tally.messages.most_common(8):
            print(f"  {count:5} {text}")
        for loss in tally.losses[:8]:
            print(f"  LOST {loss}")
        lost += len(tally.losses)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
