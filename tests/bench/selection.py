"""How long after a click all visible panels are filled: milliseconds, for random events and random pixels, by panel.

    python -m tests.bench.selection [FILE...] [--clicks N] [--seed S] [--prepared]

Each FILE (the usual ones: irr02, hge07 and irr10 in DDI_CAPTURES) in four layouts.  A click counts until nothing is asked any
more and what was answered is painted, while the window waits for events as in the program; a panel until its answer is
displayed, of which its own question took `own`, the rest was waiting for others.  Critical path: the same by the CPU time of
the window's thread and the asking one (tests.bench.critical), which other jobs distort least.  CPU: of all threads, for all
panels.  --prepared: when all keyframes are made, and a moment after the last answer, as a hand clicks.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QEventLoop, QSettings
from PySide6.QtWidgets import QApplication

import inspector
from core.kernels.warm_up import warm_up
from inspector.timeline.spare import share_one_heap
from tests.bench import critical
from tests.bench.machine import machine
from ui import style
from ui.ask import Ask
from ui.garbage import Garbage
from ui.settings import Settings
from ui.turns import take_short_turns
from ui.window import Window

CAPTURES = Path(os.environ.get("DDI_CAPTURES", "../shared/captures"))
USUAL = ("irr02_quake3map.trace", "hge_tut07.trace", "irr10_shaders.trace")
LAYOUTS = ("inspect", "pixel", "geometry", "driver")
MUST = 0.1  # seconds, for 95 of 100
PAUSE = 0.3  # seconds between an answer and a hand's next click
Answer = tuple[str, float, float]
"""(who asked, when it was displayed, for how long it was asked)."""

answered: list[Answer] = []


def listen() -> None:
    """Has every answer noted when it has been displayed; before there is a window."""
    finish = Ask._finish

    def noted(self: Ask, question: Any, answer: Any, error: Any) -> None:
        came = time.monotonic()
        finish(self, question, answer, error)
        if not question.idle and not question.dropped:
            answered.append((question.asker, time.monotonic(), came - question.progress.begun))

    Ask._finish = noted  # type: ignore[method-assign]


def settle(window: Window) -> None:
    """Until nothing is asked any more, and everything is painted."""
    calm = 0
    while calm < 3:
        QApplication.processEvents()
        calm = 0 if window.loading.path is not None or window.desk.ask.busy else calm + 1
        time.sleep(0.001)


def rest(seconds: float) -> None:
    """The window lives on without a click."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)


def percentile(numbers: list[float], part: float) -> float:
    return float(np.percentile(numbers, part)) * 1e3


def line(what: str, seconds: list[float], own: list[float]) -> str:
    """p50, p95 and the most, in milliseconds."""
    figures = "".join(f"{figure:8.1f}" for figure in (*(percentile(seconds, part) for part in (50, 95)), max(seconds) * 1e3))
    return f"  {what:26}{figures}" + (f"{percentile(own, 95):12.1f}" if own else "")


def clicks(window: Window, what: str, click: Callable[[], object], count: int, pause: float) -> None:
    """Prints how long `count` of them took."""
    whole, path, spent, panels, own = (
        list[float](),
        list[float](),
        list[float](),
        defaultdict[str, list[float]](list),
        defaultdict[str, list[float]](list),
    )
    for _ in range(count):
        settle(window)
        rest(pause)
        answered.clear()
        began, used, here = time.monotonic(), time.process_time(), critical.clocks.window
        click()
        while window.desk.ask.busy:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        QApplication.processEvents()
        whole.append(time.monotonic() - began)
        path.append(critical.clocks.window - here)
        spent.append(time.process_time() - used)
        for asker, when, took in answered:
            panels[asker].append(when - began)
            own[asker].append(took)
    clock, ratio = (percentile(one, 95) / 1e3 / MUST for one in (whole, path))
    print(f"{what}: p95 is {ratio:.2f} of what it must be ({clock:.2f} by the clock){'':8}p50     p95    most     own p95")
    print(line("all panels", whole, []))
    print(line("all panels, critical path", path, []))
    print(line("all panels, CPU", spent, []))
    for asker in sorted(panels, key=lambda name: -percentile(panels[name], 95)):
        print(line(asker, panels[asker], own[asker]), flush=True)


def one(window: Window, path: Path, count: int, seed: int, prepared: bool) -> None:
    window.open(path)
    settle(window)
    while prepared and not window.ahead.done:
        rest(0.1)
    pause = PAUSE if prepared else 0.0
    chance, index = random.Random(seed), window.desk.index
    assert index is not None
    print(f"\n{path.name}: {len(index):,} events, {len(index.draws):,} draws")
    sizes = window.surface.picture

    def pixel() -> None:
        assert sizes is not None
        window.desk.focus.go("pixel", pixel=(chance.randrange(sizes.width), chance.randrange(sizes.height)))

    for layout in LAYOUTS:
        window.arranging.use(layout)
        settle(window)
        clicks(window, f"{layout}, a random event", lambda: window.steps.to(chance.randrange(len(index))), count, pause)
        clicks(window, f"{layout}, a random draw", lambda: window.steps.to(int(chance.choice(index.draws))), count, pause)
        clicks(window, f"{layout}, a random pixel", pixel, count, pause)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--clicks", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prepared", action="store_true")
    options = parser.parse_args()
    share_one_heap()
    app = QApplication(sys.argv[:1])
    style.apply(app, "dark")
    critical.listen()
    listen()
    garbage = Garbage(app)
    take_short_turns()
    warm_up()
    garbage.program_loaded()
    print(machine(), "| load", os.getloadavg()[0])
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat))
        window = Window(lambda path, progress: inspector.open(path, progress=progress), settings)
        window.desk.capture_closed.connect(garbage.capture_closed)
        window.resize(1600, 1000)
        window.show()
        for path in options.files or [CAPTURES / "apps" / name for name in USUAL]:
            one(window, path, options.clicks, options.seed, options.prepared)
        window.remember = False
        window.close()
    garbage.give_back()
    return 0


if __name__ == "__main__":
    sys.exit(main())
