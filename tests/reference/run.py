"""Many scenes of a kind: `python -m tests.reference.run KIND FIRST COUNT` prints what differs, and what was compared."""

from __future__ import annotations

import random
import sys
import traceback

from tests.reference.agreement import Tally, compare
from tests.reference.kinds import KINDS

MOST_WRONG = 20


def main(kind: str, first: int, count: int) -> int:
    make, size = KINDS[kind]
    tally, wrong = Tally(), 0
    for seed in range(first, first + count):
        if wrong >= MOST_WRONG:
            break
        try:
            compare(make(random.Random(seed).randbytes(size)), tally)
        except AssertionError as difference:
            wrong += 1
            print(f"{kind} {seed}: {str(difference)[:700]}", flush=True)
        except Exception:
            wrong += 1
            print(f"{kind} {seed}:", *traceback.format_exc(limit=-5).splitlines()[-9:], sep="\n  ", flush=True)
    print(kind, tally, f"{wrong} differ, {tally.share_skipped:.2%} skipped")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
