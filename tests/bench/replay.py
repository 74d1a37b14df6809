"""CPU seconds to draw every frame of the app captures, beside what Wine + llvmpipe needed for the same traces.

`python -m tests.bench.replay [NAME ...]`.  The peer's figures were measured on this class of machine (issue 3's table).
"""

from __future__ import annotations

import sys
import time

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.device.past.tap import Tap
from tests.bench.machine import machine
from tests.conftest import CAPTURES

WARM_FRAMES = 5
WINE = {
    "irr08_specialfx": 9.35, "hge_tut07": 10.9, "irr02_quake3map": 4.6, "irr10_shaders": 3.3, "irr13_rtt": 2.0,
    "hge_tut04": 4.4,
}  # fmt: skip


def replay(name: str) -> tuple[float, int, int]:
    """(CPU seconds, frames, draws); tape reading included, opening not."""
    capture = inspector.open(CAPTURES / "apps" / f"{name}.trace")
    capture.image(int(capture.draws[0]))  # kernels are loaded
    start = time.process_time()
    driver = EmulatedDriver()
    for call in capture.calls:
        driver.call(call)
    driver.device.flush()
    return time.process_time() - start, len(capture.frames), len(capture.draws)


def logged_frames(name: str) -> tuple[float, float]:
    """(without, with) an undo log: CPU seconds of a frame, each frame once with and once without."""
    capture = inspector.open(CAPTURES / "apps" / f"{name}.trace")
    capture.image(int(capture.draws[0]))
    spent = [0.0, 0.0]
    for turn in (0, 1):
        driver, frame = EmulatedDriver(), 0
        start = time.process_time()
        for call in capture.calls:
            driver.call(call)
            if call.entry in ("Flip", "Blt"):
                driver.device.flush()
                if frame > WARM_FRAMES:
                    spent[driver.device.tap is not None] += time.process_time() - start
                frame += 1
                driver.device.tap = Tap(log=True) if (frame + turn) % 2 else None
                start = time.process_time()
    return spent[0] / (frame - WARM_FRAMES), spent[1] / (frame - WARM_FRAMES)


def main(names: list[str]) -> int:
    print(machine())
    print(f"{'capture':20} {'frames':>7} {'draws':>7} {'CPU s':>7} {'Wine':>7} {'times':>6}")
    for path in sorted((CAPTURES / "apps").glob("*.trace")):
        if names and path.stem not in names:
            continue
        seconds, frames, draws = replay(path.stem)
        peer = WINE.get(path.stem)
        told = f"{peer:7.2f} {peer / seconds:6.2f}" if peer else ""
        print(f"{path.stem:20} {frames:7} {draws:7} {seconds:7.2f} {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
