"""How much memory the window holds with a trace open: resident megabytes after opening, walking through it and scrubbing.

    python -m tests.bench.window_memory [FILE...]

Each FILE in a process of its own (the traces of about 3 MB in DDI_CAPTURES are the usual ones), with the usual budgets and an
empty cache of captures.  Of the process's own: without the files that are mapped, which the system shares and takes back.
Linux.
"""

from __future__ import annotations

import ui.imports  # noqa: F401 - as ui.app: before all others

# isort: split
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QSettings, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

CAPTURES = Path(os.environ.get("DDI_CAPTURES", "../shared/captures"))
USUAL = ("irr02_quake3map.trace", "hge_tut07.trace", "irr10_shaders.trace")
SCRUBBED = 10.0  # seconds
CALM = 1.0  # seconds without a question after which the window has settled
JUMPS = 12


def memory() -> dict[str, int]:
    """Bytes of the process: resident in all, of its own, and the most there was."""
    lines = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
    return {name: int(lines[name].split()[0]) * 1024 for name in ("VmRSS", "RssAnon", "VmHWM")}


def say(what: str, began: float) -> None:
    held = memory()
    print(f"  {what:32} {held['VmRSS'] / 1e6:6.0f} MB resident {held['RssAnon'] / 1e6:6.0f} its own"
          f" {held['VmHWM'] / 1e6:6.0f} at most  {time.monotonic() - began:5.1f} s", flush=True)  # fmt: skip


def one(path: Path) -> None:
    from inspector.timeline.spare import share_one_heap
    from ui import style
    from ui.app import open_capture
    from ui.garbage import Garbage
    from ui.kernels import Kernels, kernels
    from ui.settings import Settings
    from ui.window import Window

    share_one_heap()
    app = QApplication(sys.argv[:1])
    style.apply(app, "dark")
    began = time.monotonic()
    say("Qt", began)
    garbage, loaded = Garbage(app), Kernels(kernels.warm_up)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat))

        def opener(path: Path, progress: Any, grown: Any) -> Any:
            return open_capture(path, progress, grown, loaded, settings)

        window = Window(opener, settings, grows=True)
        loaded.ready.connect(garbage.program_loaded)
        window.desk.grown.connect(lambda: garbage.capture_grown(window.desk.capture.complete))
        window.desk.capture_closed.connect(garbage.capture_closed)
        window.resize(1600, 1000)
        window.show()
        loaded.start()
        while loaded.under_way:
            QApplication.processEvents()
            time.sleep(0.005)
        say("window and kernels", began)
        os.environ["DDI_INSPECTOR_CACHE"] = f"{folder}/cache"  # of captures: the kernels are there
        window.open(path)
        settle(window)
        say("opened", began)
        draws = window.desk.index.draws  # type: ignore[union-attr]
        for number in range(JUMPS):
            window.steps.to(int(draws[len(draws) * number // JUMPS]))
            settle(window, 0.0)
        say(f"{JUMPS} draws all along it", began)
        for name in window.docks.panels:
            window.docks.bring(name)
            settle(window, 0.0)
        say("each panel", began)
        window.docks.bring("surface")
        scrub(window)
        say("scrubbed through it", began)
        while not window.ahead.done:
            QApplication.processEvents()
            time.sleep(0.005)
        say("keyframes made", began)
        for what, bytes_held in held(window).items():
            print(f"    {what:30} {bytes_held / 1e6:6.0f} MB")
        window.remember = False
        window.close()
    loaded.close()
    garbage.give_back()


def held(window: object) -> dict[str, int]:
    """What budgets know of."""
    keyframes, logs = window.desk.capture.timeline.replay.held  # type: ignore[attr-defined]
    return {"keyframes": keyframes, "logs of frames": logs}


def settle(window: object, calm: float = CALM) -> None:
    quiet = time.monotonic()
    while True:
        QApplication.processEvents()
        if window.loading.path is not None or window.desk.ask.busy:  # type: ignore[attr-defined]
            quiet = time.monotonic()
        elif time.monotonic() - quiet >= calm:
            return
        time.sleep(0.002)


def scrub(window: object) -> None:
    """There and back along the timeline."""
    strip = window.docks.panels["timeline"].strip  # type: ignore[attr-defined]
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier

    def mouse(kind: QEvent.Type, x: float) -> None:
        place = QPointF(x, strip.height() / 2)
        QApplication.sendEvent(strip, QMouseEvent(kind, place, strip.mapToGlobal(place), left, left, none))

    strip.fit()
    mouse(QEvent.Type.MouseButtonPress, 0)
    began = time.monotonic()
    while (passed := (time.monotonic() - began) / SCRUBBED) < 1:
        mouse(QEvent.Type.MouseMove, strip.width() * (1 - abs(2 * passed - 1)))
        QApplication.processEvents()
        time.sleep(0.01)
    mouse(QEvent.Type.MouseButtonRelease, strip.width() / 2)
    settle(window)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.window_memory", description=__doc__)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(options.one)
        return 0
    from tests.bench.machine import machine

    print(machine(), "| load", os.getloadavg()[0])
    for path in options.files or [CAPTURES / "apps" / name for name in USUAL]:
        print(f"{path.name}, {path.stat().st_size / 1e6:.1f} MB", flush=True)
        subprocess.run([sys.executable, "-m", "tests.bench.window_memory", "--one", str(path)], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
