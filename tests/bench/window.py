"""How quick the window is on a large capture: milliseconds of the GUI thread (CPU) a step, and its longest block.

    python -m tests.bench.window [FILE.ddicap]

FILE: a capture of `tests.bench.synthetic` (made when there is none: a million events).  Every step is painted before the next
one; a held key skips pictures instead, so that these figures are the dearest a step can be.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QSettings, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

import inspector
from core.kernels.warm_up import warm_up
from tests.bench import synthetic
from tests.bench.machine import machine
from ui import style
from ui.garbage import Garbage
from ui.settings import Settings
from ui.window import Window

BEAT = 5  # milliseconds between two looks at the clock
STEPS = 100
SCRUBBED = 5.0  # seconds
NO_KEYS = Qt.KeyboardModifier.NoModifier


class Blocks:
    """The longest time for which the event loop did not turn."""

    def __init__(self) -> None:
        self.longest, self._last = 0.0, time.perf_counter()
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(BEAT)

    def _beat(self) -> None:
        now = time.perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now


def settle(window: Window) -> None:
    """Until nothing is asked any more."""
    calm = 0
    while calm < 3:
        QApplication.processEvents()
        busy = window.loading.path is not None or window.desk.ask.busy
        calm = 0 if busy else calm + 1
        time.sleep(0.001)


def measure(window: Window, what: str, step: Callable[[], object], steps: int = STEPS) -> None:
    blocks, began, wall = Blocks(), time.thread_time(), time.perf_counter()
    for _ in range(steps):
        step()
        QApplication.processEvents()
    spent, took = (time.thread_time() - began) / steps, (time.perf_counter() - wall) / steps
    settle(window)
    print(f"{what:28} {spent * 1e3:7.1f} ms CPU {took * 1e3:7.1f} ms  longest block {blocks.longest * 1e3:6.0f} ms", flush=True)


def walk(window: Window) -> None:
    """What one does all day."""
    steps, panels = window.steps, window.docks.panels
    steps.to(int(window.desk.index.draws[len(window.desk.index.draws) // 2]))  # type: ignore[union-attr]
    settle(window)
    measure(window, "next event", lambda: steps.event(+1))
    measure(window, "next draw", lambda: steps.draw(+1))
    measure(window, "next primitive", lambda: steps.primitive(+1))
    for name in ("state", "vertices", "resources"):
        window.docks.bring(name)
        settle(window)
        measure(window, f"next draw, {panels[name].title}", lambda: steps.draw(+1))
    window.docks.bring("surface")
    bar = window.events.table.verticalScrollBar()
    measure(window, "scrolling by a row", lambda: bar.setValue(bar.value() + 1))
    measure(window, "scrolling far", lambda: bar.setValue((bar.value() + bar.maximum() // 7) % bar.maximum()))
    measure(window, "next frame", lambda: steps.frame(+1), 10)
    for speed in (60, 240):
        scrub(window, speed)
    measure(window, "other colours", lambda: window.set_theme("light" if style.theme().name == "dark" else "dark"), 2)


def scrub(window: Window, pixels_a_second: float) -> None:
    """Drags the playhead along the timeline in real time: pictures a second, and the longest block."""
    strip, shown = window.docks.panels["timeline"].strip, list[object]()  # type: ignore[attr-defined]
    window.surface.shown.connect(shown.append)

    def mouse(kind: QEvent.Type, x: float) -> None:
        place, left = QPointF(x, strip.height() / 2), Qt.MouseButton.LeftButton
        QApplication.sendEvent(strip, QMouseEvent(kind, place, strip.mapToGlobal(place), left, left, NO_KEYS))

    strip.fit()
    mouse(QEvent.Type.MouseButtonPress, strip.width() / 4)
    settle(window)
    shown.clear()
    blocks, began, places = Blocks(), time.perf_counter(), set()
    while (took := time.perf_counter() - began) < SCRUBBED:
        mouse(QEvent.Type.MouseMove, strip.width() / 4 + took * pixels_a_second)
        places.add(window.desk.focus.focus.event)
        pause = time.perf_counter() + 0.015
        while time.perf_counter() < pause:
            QApplication.processEvents()
    mouse(QEvent.Type.MouseButtonRelease, strip.width() / 4)
    places_shown = f"{len(places) / took:5.1f} places/s {len(shown) / took:5.1f} pictures/s"
    what = f"scrubbing {pixels_a_second:.0f} pixels/s"
    print(f"{what:28} {places_shown}  longest block {blocks.longest * 1e3:6.0f} ms", flush=True)
    settle(window)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    chosen = parser.parse_args()
    app = QApplication(sys.argv[:1])
    style.apply(app, "dark")
    garbage = Garbage(app)
    warm_up()
    print(machine(), "| load", os.getloadavg()[0])
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.file or synthetic.write(Path(folder) / "synthetic.ddicap")
        settings = Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat))
        window = Window(lambda path, progress: inspector.open(path, progress=progress), settings)
        window.desk.capture_changed.connect(garbage.capture_shown)
        window.desk.capture_closed.connect(garbage.capture_closed)
        window.show()
        measure(window, "opening", lambda: window.open(path), 1)
        walk(window)
        window.close()
    garbage.give_back()
    return 0


if __name__ == "__main__":
    sys.exit(main())
