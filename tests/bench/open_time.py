"""How long opening takes: importing a trace, opening what was imported, the first picture.

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
from tests.bench.import_rate import convert
from tests.bench.machine import machine
from tests.conftest import CAPTURES


def ms(began: float) -> float:
    return (time.perf_counter() - began) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=CAPTURES / "apps")
    chosen = parser.parse_args()
    print(machine(), "| load", os.getloadavg()[0])
    print(f"{'trace':24}{'convert ms':>12}{'tape ms':>9}{'capture ms':>12}{'events':>10}{'picture ms':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for number, trace in enumerate(sorted(chosen.folder.glob("*.trace"))):
            output = Path(folder) / f"{number}.ddicap"
            if not number:
                convert(trace, output)  # loads the compiled kernels
                inspector.open(output).close()
            began = time.perf_counter()
            convert(trace, output)
            converted, began = ms(began), time.perf_counter()
            Tape(output).close()
            taped, began = ms(began), time.perf_counter()
            with inspector.open(output) as capture:
                opened, began = ms(began), time.perf_counter()
                if len(capture.draws):
                    capture.image(int(capture.draws[min(len(capture.draws) - 1, 50)]))
                figures = f"{converted:12.0f}{taped:9.1f}{opened:12.0f}{len(capture.events):10}{ms(began):12.0f}"
                print(f"{trace.stem[:23]:24}{figures}", flush=True)


if __name__ == "__main__":
    main()
