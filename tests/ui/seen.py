"""The program in a real window, which writes down what it shows: `python -m tests.ui.seen STATE.json [FILE]`.

Tests of the real window (test_real_window.py) send it keys and clicks through the X server and read the file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from ui import app, style
from ui.window import Window

BEAT = 100  # milliseconds


def place(widget: QWidget) -> list[int]:
    """x, y, width, height on the screen."""
    corner = widget.mapToGlobal(QPoint(0, 0))
    return [corner.x(), corner.y(), widget.width(), widget.height()]


def seen(window: Window) -> dict[str, Any]:
    here, view, focus = QApplication.focusWidget(), window.surface.view, window.desk.focus.focus
    history: Any = window.docks.panels["history"]
    return {
        "ready": window.desk.capture is not None and not window.desk.ask.busy and window.loading.path is None,
        "focus": focus.text(), "keyboard": here.accessibleName() if here else "", "theme": style.theme().name,
        "said": window.banner.text, "view": place(view),
        "pixel": [*view.mapToGlobal(view.place_of(200, 300)).toTuple()],
        "history": place(history.table.viewport()), "rows": history.table.model().rowCount(),
        "docks": {name: [dock.isVisible(), dock.isFloating(), *place(dock)] for name, dock in window.docks.docks.items()},
        "size": [window.width(), window.height()],
    }  # fmt: skip


def main(state: str, *arguments: str) -> int:
    kept: list[QTimer] = []

    class Seen(Window):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            timer = QTimer(self)
            timer.timeout.connect(self._write)
            timer.start(BEAT)
            kept.append(timer)

        def _write(self) -> None:
            part = Path(state).with_suffix(".part")
            part.write_text(json.dumps(seen(self)), encoding="utf-8")
            part.replace(state)

    app.Window = Seen  # type: ignore[assignment, misc]
    return app.main(list(arguments))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
