"""Starts the window."""

from __future__ import annotations

import ui.imports  # noqa: F401 - before all others

# isort: split
import argparse
import ctypes
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

import inspector
from core.errors import BadInput
from inspector import log
from inspector.desktop import APP_ID
from inspector.focus import Focus
from inspector.kernels import warm_up
from inspector.samples import built_in_capture
from inspector.timeline.spare import share_one_heap
from ui import restyle, style
from ui.docks import PANELS
from ui.garbage import Garbage
from ui.kernels import Kernels
from ui.mistakes import report_bugs_to
from ui.settings import Settings
from ui.turns import take_short_turns
from ui.widgets import file_dialogs
from ui.window import Window

BAD_INPUT = 2
FOLLOWED = 15.0  # seconds without anything new after which a file that was being written is complete
SCREENSHOT_PATIENCE = 1_200
"""Tenths of a second that a screenshot waits for the capture to be shown."""


def main(argv: Sequence[str] | None = None) -> int:
    """`FILE` (or the built-in capture) in a window; returns the exit code."""
    options = _parse(sys.argv[1:] if argv is None else argv)
    try:
        log.begin(options.log, remember=True)
    except BadInput as error:
        print(f"ddi-inspector: {error}", file=sys.stderr)
        return BAD_INPUT
    settings = Settings()
    if settings.value("scale") != 100:  # Qt reads it when it starts
        os.environ.setdefault("QT_SCALE_FACTOR", str(settings.value("scale") / 100))
    share_one_heap()
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("DDI Inspector")
    app.setDesktopFileName("ddi-inspector")  # how Wayland finds the icon; X11: the class of the window
    if sys.platform == "win32":
        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(APP_ID)
    garbage = Garbage(app)
    take_short_turns()
    style.put_on(app, settings, options.theme or "")
    restyle.follow_system(app)
    file_dialogs.follow(app)
    kernels = Kernels(warm_up)
    window = Window(partial(open_capture, kernels=kernels, settings=settings), settings, grows=True)
    window.watch(kernels)
    kernels.ready.connect(garbage.program_loaded)
    window.desk.grown.connect(lambda: garbage.capture_grown(window.desk.capture is not None and window.desk.capture.complete))
    window.desk.capture_closed.connect(garbage.capture_closed)
    window.status.watch_memory(lambda: window.desk.capture)
    report_bugs_to(window)
    take_back = _end_when_told(app)
    window.show()
    QTimer.singleShot(0, kernels.start)
    if options.screenshot:
        window.remember = False
        if path := options.file or built_in_capture():
            window.open(path, options.focus)
        _take_screenshot(app, window, options, bool(path))
    else:
        window.session.start(options.file, options.focus, built_in_capture())
    code = app.exec()
    window.close()
    take_back()
    kernels.close()
    garbage.give_back()
    if kernels.under_way:
        _leave_at_once(code)
    return code


def open_capture(
    path: Path, progress: Callable[[float, str], bool], grown: Callable[[Any], object], kernels: Kernels, settings: Settings,
    frames: tuple[int, int] | None = None,
) -> Any:  # fmt: skip
    """Opens a capture, or its frames a..b-1, once the kernels are loaded; on the opening thread."""
    kernels.wait(progress, drawing=path.suffix == ".ddicap")  # traces are converted first
    if frames is not None:
        return inspector.open(path, progress, frames, settings.budgets)
    return inspector.open(path, progress=progress, budgets=settings.budgets, grown=grown, follow=FOLLOWED)


def _end_when_told(app: QApplication) -> Callable[[], None]:
    """Has Ctrl+C in a terminal and the end of a session close the window as its user does; a call takes that back."""
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heard = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]  # nohup stays what it is
    end = QTimer(app, interval=20)  # until there is a loop to leave: what opens the window may look after events, too
    end.timeout.connect(partial(app.exit, 0))
    before = {number: signal.signal(number, lambda *_: end.start()) for number in heard}  # at the next beat of `Garbage`

    def take_back() -> None:
        end.stop()
        for number, handler in before.items():
            signal.signal(number, handler)

    return take_back


def _leave_at_once(code: int) -> None:
    """A compiler still runs on its thread; the interpreter must not be taken down under it."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # on Windows, without a console, there is none
            stream.flush()
    os._exit(code)


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="ddi-inspector", description="A frame debugger for Direct3D 8 and older.")
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        help="a .trace, .ddicap or .ddirec; without it the last one",
    )
    parser.add_argument("--focus", type=_focus, help="where to look first, as in #event=812&surface=3&pixel=40,52")
    parser.add_argument("--log", choices=log.LEVELS, metavar="LEVEL", help=f"what goes to stderr: {', '.join(log.LEVELS)}")
    parser.add_argument("--theme", choices=("system", "dark", "light", "contrast"))
    parser.add_argument("--screenshot", type=Path, metavar="PATH", help="save a picture of the window there and quit")
    names = [panel.name for panel in PANELS]
    parser.add_argument("--panel", choices=names, metavar="NAME", help=f"the panel to bring forward: {', '.join(names)}")
    return parser.parse_args(list(argv))


def _focus(text: str) -> Focus:
    try:
        return Focus.parse(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _take_screenshot(app: QApplication, window: Window, options: argparse.Namespace, wait: bool) -> None:
    """Saves the window once everything asked for is shown, then quits; exit code 1 if that takes too long."""
    ticks, calm = 0, 0

    def look() -> None:
        nonlocal ticks, calm
        ticks += 1
        shown = not wait or not (window.loading.path or window.desk.ask.busy or window.docks.panels.under_way)
        calm = calm + 1 if shown else 0
        if shown and calm == 1 and options.panel:
            window.docks.bring(options.panel)
        if calm < 5 and ticks < SCREENSHOT_PATIENCE:
            QTimer.singleShot(100, look)
            return
        app.exit(0 if window.grab().save(str(options.screenshot)) and calm else 1)

    QTimer.singleShot(300, look)
