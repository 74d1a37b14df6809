"""Uncaught exceptions are internal errors: saved to a file, and reported in the window instead of ending it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from inspector import log, mistakes
from inspector.versions import versions
from ui.widgets.text_dialog import TextDialog

LOG_LINES = 40
SHOWN = 200_000
"""Characters of the log that are shown."""

if TYPE_CHECKING:
    from ui.window import Window


def about(window: Window) -> TextDialog:
    """The versions, to copy."""
    text = "\n".join(f"{name:14} {value}" for name, value in (versions() | qt_versions()).items())
    dialog = TextDialog(window, "About DDI Inspector", text)
    dialog.open()
    return dialog


def show_log(window: Window) -> TextDialog:
    """The end of the log file, with its place."""
    try:
        path = log.log_file()
        text = path.read_text("utf-8", errors="replace")[-SHOWN:]
    except OSError as error:
        path, text = Path("window.log"), f"cannot read the log: {error}"
    dialog = TextDialog(window, f"Log: {path}", text)
    dialog.edit.verticalScrollBar().setValue(dialog.edit.verticalScrollBar().maximum())
    dialog.open()
    return dialog


PROBLEM = """What happened:

What you expected:

Steps to reproduce it:

Please attach the capture, or the frames that show it (ddi-inspector trim FILE OUT.ddicap --frame N).
"""


def report_a_problem(window: Window) -> TextDialog:
    """A report to fill in and to copy: place, versions, the end of the log."""
    facts = _place(window) | versions()
    try:
        lines = log.log_file().read_text("utf-8", errors="replace").splitlines()[-LOG_LINES:]
    except OSError:
        lines = []
    table = "\n".join(f"{name:14} {value}" for name, value in facts.items() if value)
    dialog = TextDialog(window, "Report a problem", "\n".join((PROBLEM, table, "", *lines)), editable=True)
    dialog.open()
    return dialog


def qt_versions() -> dict[str, str]:
    return {"Qt": f"{qVersion()} on {QGuiApplication.platformName()}", "PySide6": pyside_version}


def report_bugs_to(window: Window) -> None:
    """From now on, uncaught exceptions are printed, kept as a file and reported in the window, which offers the file."""
    before = sys.excepthook
    known: dict[str, tuple[str, Path | None]] = {}

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        before(kind, error, trace)
        where = f"{kind.__name__} {error} {trace.tb_lasti if trace else ''}"
        if where not in known:  # a picture that cannot be painted is tried again and again
            known[where] = _kept(window, error)
        text, path = known[where]
        written = f" Details are in {path}." if path else ""
        what = f"Internal error in DDI Inspector ({kind.__name__}: {error})."
        sentence = f"{what} Some information may be missing; please report it.{written}"
        window.say(sentence, offer=("Show the report", lambda: TextDialog(window, str(path or "Report"), text).open()))

    sys.excepthook = hook


def _place(window: Window) -> dict[str, str]:
    """The capture that is open, where the user looks, and Qt."""
    capture = window.desk.capture
    return {
        "Capture": str(capture.path) if capture is not None else "",
        "Place": window.desk.focus.focus.text() if capture is not None else "",
        "Edits": "; ".join(map(str, getattr(capture, "edits", ()))),
        **qt_versions(),
    }


def _kept(window: Window, error: BaseException) -> tuple[str, Path | None]:
    """The report, and where it is kept; nowhere if that fails."""
    text = mistakes.report(error, _place(window))
    try:
        return text, mistakes.keep(text)
    except OSError:
        return text, None
