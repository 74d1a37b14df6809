"""From nothing to the first picture: processes of their own, with an empty and with a full folder of kernels.

    python -m tests.bench.startup

CPU seconds are those of the process and of its children, where the system tells them (not on Windows).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from run import project_environment

ROOT = Path(__file__).resolve().parents[2]

# As the window does it: kernels on a thread of their own, then the capture and the picture of its last frame.
SCRIPT = """
import sys, threading, time
began = time.perf_counter()
from core.kernels.warm_up import warm_up
ready, told = threading.Event(), []
def report(fraction, text):
    told.append(f"{time.perf_counter() - began:6.2f} s {text}")
    if fraction >= PICTURE:
        ready.set()
warming = threading.Thread(target=lambda: (warm_up(report), ready.set()))
warming.start()
import inspector
ready.wait()
capture = inspector.open("resources/room.ddicap")
picture = capture.image(capture.frames[-1].last_event)
print(f"{time.perf_counter() - began:.2f} {picture.shape[1]}")
warming.join()
if "-v" in sys.argv:
    print(*told, sep="\\n", file=sys.stderr)
"""


def first_picture(cache: Path, verbose: bool = False) -> tuple[float, float, float]:
    """(seconds to the first picture, seconds and CPU seconds until all kernels are there) of a fresh process."""
    from core.kernels.warm_up import READY_TO_DRAW

    script = SCRIPT.replace("PICTURE", str(READY_TO_DRAW))
    environment = {**project_environment(), "DDI_INSPECTOR_CACHE": str(cache)}
    before, began = os.times(), time.perf_counter()
    done = subprocess.run([sys.executable, "-c", script, *(["-v"] if verbose else [])], cwd=ROOT, env=environment, text=True,
                          stdout=subprocess.PIPE, check=True)  # fmt: skip
    wall, after = time.perf_counter() - began, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return float(done.stdout.split()[0]), wall, cpu


def main() -> None:
    subprocess.run(
        [sys.executable, "-c", "import inspector.capture"], cwd=ROOT, env=project_environment(), check=True
    )  # bytecode
    with tempfile.TemporaryDirectory() as folder:
        for name in ("empty", "full"):
            picture, whole, cpu = first_picture(Path(folder), verbose=name == "empty")
            print(f"{name} cache: first picture {picture:.2f} s, everything {whole:.2f} s, {cpu:.2f} CPU s")


if __name__ == "__main__":
    main()
