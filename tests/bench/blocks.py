"""What keeps the GUI thread from everything else: the longest block of each deed of a tour of the window.

    python -m tests.bench.blocks [--where] [FILE]

FILE: a capture or a trace (without it one of `tests.bench.synthetic`: a million events).  Opening, every layout, every panel
brought forward for the first and a second time, sizes, the themes, closing, opening again.  Of a block, milliseconds of the
clock and of CPU of the GUI thread: on a busy machine, only the latter is the window's own.  `--where`: what ran in blocks of
more than 50 ms.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

BEGAN = time.perf_counter()

from PySide6.QtCore import QEventLoop, QSettings, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from tests.bench import synthetic  # noqa: E402
from tests.bench.machine import machine  # noqa: E402
from ui import style  # noqa: E402
from ui.garbage import Garbage  # noqa: E402
from ui.layouts import LAYOUTS  # noqa: E402
from ui.restyle import change  # noqa: E402
from ui.settings import Settings  # noqa: E402
from ui.turns import take_short_turns  # noqa: E402
from ui.window import Window  # noqa: E402

MOST = 0.05
"""Seconds that a block may take."""
CALM = 0.7
"""Seconds that the window lives on after everything is answered: what is done when idle counts."""


SIZES = (1280, 720), (1920, 1080), (1600, 1000)


class Watch:
    """Measures blocks, and where the GUI thread is meanwhile."""

    def __init__(self, where: bool) -> None:
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._here, self._stacks = threading.get_ident(), list[str]()
        self.reset()
        self._timer.start(0)
        if where:
            threading.Thread(target=self._sample, daemon=True).start()

    def reset(self) -> None:
        self.longest = self.dearest = 0.0
        self.places: list[str] = []
        self._wall, self._spent = time.perf_counter(), time.thread_time()

    def _beat(self) -> None:
        wall, spent = time.perf_counter(), time.thread_time()
        took, cost = wall - self._wall, spent - self._spent
        self.longest, self.dearest = max(self.longest, took), max(self.dearest, cost)
        stacks, self._stacks = self._stacks, []
        if cost > MOST:
            self.places += [f"      {cost * 1e3:.0f} ms: {count} x {stack}" for stack, count in Counter(stacks).most_common(9)]
        self._wall, self._spent = time.perf_counter(), time.thread_time()

    def _sample(self) -> None:
        while True:
            time.sleep(0.002)
            frame, names = sys._current_frames().get(self._here), list[str]()
            while frame is not None and len(names) < 7:
                names.append(f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}:{frame.f_lineno}")
                frame = frame.f_back
            self._stacks.append(" < ".join(names))


class Tour:
    def __init__(self, window: Window, watch: Watch) -> None:
        self.window, self.watch = window, watch

    def live(self, milliseconds: int) -> None:
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def settle(self) -> None:
        calm = time.perf_counter()
        while time.perf_counter() - calm < CALM:
            self.live(10)
            panels = self.window.docks.panels.under_way
            if self.window.loading.path is not None or self.window.desk.ask.busy or change().under_way or panels:
                calm = time.perf_counter()

    def do(self, what: str, deed: Callable[[], object]) -> None:
        self.watch.reset()
        QTimer.singleShot(0, deed)
        self.settle()
        self.say(what)

    def say(self, what: str) -> None:
        wide = len(QApplication.allWidgets())
        watch = self.watch
        print(f"{what:28} {watch.longest * 1e3:6.0f} ms {watch.dearest * 1e3:6.0f} ms CPU  {wide:5} widgets", flush=True)
        for place in watch.places:
            print(place)

    def walk(self, path: Path) -> None:
        window = self.window
        self.do("opening", lambda: window.open(path))
        for round_ in ("first", "again"):
            for name in LAYOUTS:
                self.do(f"layout {name} {round_}", partial(window.arranging.use, name))
        self.do("layout inspect", lambda: window.arranging.use("inspect"))
        for round_ in ("first", "again"):
            for name in window.docks.docks:
                self.do(f"panel {name} {round_}", partial(window.docks.bring, name))
        for width, height in SIZES:
            self.do(f"size {width} x {height}", partial(window.resize, width, height))
        for name in ("light", "dark"):
            self.do(f"theme {name}", partial(window.set_theme, name))
        self.do("closing the capture", window.close_capture)
        self.do("idle afterwards", lambda: self.live(1500))
        self.do("opening again", lambda: window.open(path))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--where", action="store_true")
    chosen = parser.parse_args()
    from ui.app import open_capture
    from ui.kernels import Kernels, kernels

    app = QApplication(sys.argv[:1])
    style.apply(app, "dark")
    garbage, loaded = Garbage(app), Kernels(kernels.warm_up)
    take_short_turns()
    print(machine(), "| load", os.getloadavg()[0])
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.file or synthetic.write(Path(folder) / "synthetic.ddicap")
        settings = Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat))

        def opener(path: Path, progress: Any, grown: Any, **more: Any) -> Any:
            return open_capture(path, progress, grown, loaded, settings, **more)

        began = time.perf_counter()
        window = Window(opener, settings, grows=True)
        loaded.ready.connect(garbage.program_loaded)
        window.desk.capture_closed.connect(garbage.capture_closed)
        window.resize(1600, 1000)
        window.show()
        QApplication.processEvents()
        print(f"window made and shown in {(time.perf_counter() - began) * 1e3:.0f} ms, "
              f"{(time.perf_counter() - BEGAN) * 1e3:.0f} ms from the first import")  # fmt: skip
        loaded.start()
        while loaded.under_way:
            QApplication.processEvents()
            time.sleep(0.005)
        watch = Watch(chosen.where)
        Tour(window, watch).walk(path)
        window.close()
        loaded.close()
    garbage.give_back()
    return 0


if __name__ == "__main__":
    sys.exit(main())
