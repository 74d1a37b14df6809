"""How quick the window is on a large capture: milliseconds of the GUI thread (CPU) a step, and its longest block.

    python -m tests.bench.window [FILE] [--dragging]

FILE: a capture or a trace (without it one of `tests.bench.synthetic`: a million events).  Every step is painted before the next
one; a held key skips pictures instead, so that these figures are the dearest a step can be.  Between two moves of a drag the
event loop sleeps, as in the program: a thread that looks again and again would take the interpreter from the one that asks.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QPointF, QSettings, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

import inspector
from core.kernels.warm_up import warm_up
from tests.bench import synthetic
from tests.bench.machine import machine
from ui import style
from ui.garbage import Garbage
from ui.restyle import change
from ui.settings import Settings
from ui.turns import take_short_turns
from ui.window import Window

BEAT = 5  # milliseconds between two looks at the clock
STEPS = 100
SCRUBBED = 5.0  # seconds
MOVES = 15  # milliseconds between two moves of the mouse
SPEEDS = (60, 240, 480, 960)  # pixels a second
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
        busy = window.loading.path is not None or window.desk.ask.busy or window.docks.panels.under_way
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
    drag(window)
    measure(window, "other colours", lambda: other_colors(window), 2)


def drag(window: Window) -> None:
    """Along frames that nobody has seen yet; then once all pictures of frames are made, which an idle window does."""
    for speed in SPEEDS:
        scrub(window, speed)
    capture = window.desk.capture
    while capture is not None and capture.prepare() < 1:
        pass
    print("the same with all frames prepared:")
    for speed in SPEEDS:
        scrub(window, speed)


def other_colors(window: Window) -> None:
    window.set_theme("light" if style.theme().name == "dark" else "dark")
    while change().under_way:
        QApplication.processEvents()


def scrub(window: Window, pixels_a_second: float) -> None:
    """Drags the playhead there and back along the timeline in real time.

    Pictures a second, the time between two of them in 95 of 100 cases, and the longest block.
    """
    strip, shown = window.docks.panels["timeline"].strip, list[float]()  # type: ignore[attr-defined]
    window.surface.shown.connect(lambda _: shown.append(time.perf_counter()))

    def mouse(kind: QEvent.Type, x: float) -> None:
        place, left = QPointF(x, strip.height() / 2), Qt.MouseButton.LeftButton
        QApplication.sendEvent(strip, QMouseEvent(kind, place, strip.mapToGlobal(place), left, left, NO_KEYS))

    strip.fit()
    first, room = strip.width() / 8, strip.width() * 3 / 4
    mouse(QEvent.Type.MouseButtonPress, first)
    settle(window)
    shown.clear()
    blocks, places = Blocks(), set()
    began, spent, worked = time.perf_counter(), time.thread_time(), time.process_time()
    while (took := time.perf_counter() - began) < SCRUBBED:
        gone = took * pixels_a_second % (2 * room)
        mouse(QEvent.Type.MouseMove, first + min(gone, 2 * room - gone))
        places.add((took * pixels_a_second // room, window.desk.focus.focus.event))
        sleep(MOVES)
    spent, worked = time.thread_time() - spent, time.process_time() - worked
    count = max(len(shown), 1)
    mouse(QEvent.Type.MouseButtonRelease, strip.width() / 4)
    between = np.percentile(np.diff(shown), 95) * 1e3 if len(shown) > 1 else float("nan")
    figures = f"{len(places) / took:5.1f} places/s {len(shown) / took:5.1f} pictures/s, p95 {between:4.0f} ms"
    dear = f"{spent / count * 1e3:5.1f} ms CPU of this thread and {worked / count * 1e3:5.1f} of all a picture"
    what = f"scrubbing {pixels_a_second:.0f} pixels/s"
    print(f"{what:28} {figures}  {dear}  longest block {blocks.longest * 1e3:6.0f} ms", flush=True)
    settle(window)


def sleep(milliseconds: int) -> None:
    """Lets the window live as it does in the program."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--dragging", action="store_true", help="only along the timeline")
    chosen = parser.parse_args()
    app = QApplication(sys.argv[:1])
    style.apply(app, "dark")
    garbage = Garbage(app)
    take_short_turns()
    warm_up()
    garbage.program_loaded()
    print(machine(), "| load", os.getloadavg()[0])
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.file or synthetic.write(Path(folder) / "synthetic.ddicap")
        settings = Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat))
        window = Window(lambda path, progress: inspector.open(path, progress=progress), settings)
        window.desk.capture_closed.connect(garbage.capture_closed)
        window.show()
        measure(window, "opening", lambda: window.open(path), 1)
        settle(window)
        (drag if chosen.dragging else walk)(window)
        window.close()
    garbage.give_back()
    return 0


if __name__ == "__main__":
    sys.exit(main())
