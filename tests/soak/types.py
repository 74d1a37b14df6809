"""Types made on one thread while another paints, in processes of their own: `python -m tests.soak.types [RUNS]`.

Prints how many of RUNS (40) ended with a signal, without ui.type_room and with it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading

LABELS, TYPES = 300, 6000


def paint_beside_types(room: bool) -> None:
    """Labels of a type each get events that ask for their meta-objects, until a thread has made more types."""
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication, QLabel, QWidget
    from shiboken6 import Shiboken

    from ui.type_room import make_room

    sys.setswitchinterval(1e-4)
    app, top, made = QApplication([]), QWidget(), list[type]()
    labels = [type(f"Label{number}", (QLabel,), {})("x", top) for number in range(LABELS)]
    if room:
        make_room(TYPES + LABELS + 1000)
    thread = threading.Thread(target=lambda: made.extend(type("More", (Shiboken.Object,), {}) for _ in range(TYPES)))
    app.setStyleSheet('QLabel[a="1"] {color: red} Label1 {color: blue}')
    top.show()
    thread.start()
    while thread.is_alive():
        for label in labels:
            QApplication.postEvent(label, QEvent(QEvent.Type.StyleChange))
            QApplication.postEvent(label, QEvent(QEvent.Type.PaletteChange))
        top.update()
        app.processEvents()


def ended(room: str) -> bool:
    """Whether a process ended with a signal."""
    words = [sys.executable, "-m", "tests.soak.types", "--here", room]
    return subprocess.run(words, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, check=False).returncode != 0


def main(runs: int = 40) -> None:
    for room in ("without", "with"):
        print(f"{room} room: {sum(ended(room) for _ in range(runs))} of {runs} ended with a signal")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        paint_beside_types(sys.argv[2] == "with")
    else:
        main(*map(int, sys.argv[1:]))
