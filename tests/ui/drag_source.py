"""A small window of another program, from which a drag begins: `python -m tests.ui.drag_source files|text|link WHAT...`.

Prints what was done with what was dropped, as the name of a Qt.DropAction.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel

PLACE = 1400, 60, 120, 40
"""x, y, width, height on the screen."""


class Source(QLabel):
    def __init__(self, kind: str, what: list[str]) -> None:
        super().__init__("Drag me")
        self._kind, self._what = kind, what
        self.setWindowFlags(Qt.WindowType.WindowStaysOnTopHint | Qt.WindowType.FramelessWindowHint)
        self.setGeometry(*PLACE)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """What follows is for this window."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        data = QMimeData()
        if self._kind == "text":
            data.setText(self._what[0])
        else:
            data.setUrls([QUrl.fromLocalFile(one) if self._kind == "files" else QUrl(one) for one in self._what])
        drag = QDrag(self)
        drag.setMimeData(data)
        both = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
        print(drag.exec(both, Qt.DropAction.MoveAction).name, flush=True)  # what a file manager proposes


def main(kind: str, *what: str) -> None:
    app = QApplication([])
    source = Source(kind, list(what))
    source.show()
    print("ready", flush=True)
    app.exec()


if __name__ == "__main__":
    main(*sys.argv[1:])
