"""How many API calls a second become DDI calls, from unpacked bytes in memory to a driver that keeps nothing.

    python -m tests.bench.runtime_rate [TRACE...]

Without arguments: apps/ of DDI_CAPTURES.  Processor time, the fastest of three runs.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from core.runtime.calls.values import PADDING
from core.runtime.paper import PaperDriver
from core.runtime.runtime import Runtime
from inspector.imports.containers import Container
from inspector.imports.decoder import Decoder, header
from tests.conftest import CAPTURES


def seconds(data: bytes) -> tuple[int, float]:
    """(calls, processor seconds)."""
    columns = np.frombuffer(data + bytes(PADDING), np.uint8).copy()
    best, count = float("inf"), 0
    for _ in range(3):
        decoder, runtime, offset, last = Decoder(), Runtime(PaperDriver()), header(data)[2], False
        begin = time.process_time()
        while offset < len(data):
            calls, after = decoder.decode(columns, offset, len(data), last)
            runtime.run(calls)
            last, offset = after == offset, after
        runtime.finish()
        best, count = min(best, time.process_time() - begin), decoder.first
    return count, best


def main() -> None:
    calls = total = 0.0
    for path in [Path(name) for name in sys.argv[1:]] or sorted((CAPTURES / "apps").glob("*.trace")):
        with Container(path) as container:
            data = b"".join(bytes(piece) for piece in container)
        count, spent = seconds(data)
        print(f"{path.stem:24} {count:8} calls {count / spent / 1000:8.0f} k/s")
        calls, total = calls + count, total + spent
    print(f"{'all':24} {calls:8.0f} calls {calls / total / 1000:8.0f} k/s")


if __name__ == "__main__":
    main()
