"""How long opening takes: importing a trace, opening what was imported, the state index, the first picture (CPU time).

python -m tests.bench.open_time [FOLDER]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

import inspector
from inspector.tape import Tape
from inspector.timeline.walk import walk
from tests.bench.import_rate import convert
from tests.bench.machine import machine
from tests.conftest import CAPTURES


def ms(began: float) -> float:
    """CPU time."""
    return (time.process_time() - began) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=CAPTURES / "apps")
    chosen = parser.parse_args()
    print(machine(), "| load", os.getloadavg()[0])
    print(f"{'trace':24}{'convert ms':>12}{'tape ms':>9}{'capture ms':>12}{'index ms':>10}{'events':>10}{'events/s':>10}"
          f"{'picture ms':>12}")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        for number, trace in enumerate(sorted(chosen.folder.glob("*.trace"))):
            output = Path(folder) / f"{number}.ddicap"
            if not number:
                convert(trace, output)  # loads the compiled kernels
                inspector.open(output).close()
            began = time.process_time()
            convert(trace, output)
            converted, began = ms(began), time.process_time()
            Tape(output).close()
            taped, began = ms(began), time.process_time()
            with inspector.open(output) as capture:
                opened, began = ms(began), time.process_time()
                walk(capture.calls, capture.events)
                indexed, began = ms(began), time.process_time()
                rate = len(capture.events) / (converted + opened + indexed) * 1e3
                if len(capture.draws):
                    capture.image(int(capture.draws[min(len(capture.draws) - 1, 50)]))
                figures = f"{converted:12.0f}{taped:9.1f}{opened:12.0f}{indexed:10.0f}{len(capture.events):10}{rate:10.0f}"
                print(f"{trace.stem[:23]:24}{figures}{ms(began):12.0f}", flush=True)


if __name__ == "__main__":
    main()
