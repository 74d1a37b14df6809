"""After random ways to a place, every panel shows what a fresh desk shows there: `python -m tests.soak.places FILE...`.

A stale answer is the worst that a debugger can show.  Prints what differs, by panel; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import zlib
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QLabel, QListView

import inspector
from inspector.focus import Focus
from ui import style
from ui.docks import PANELS
from ui.index import build_index
from ui.panels.panel import Desk, Panel

CALM, PATIENCE = 0.25, 120.0  # seconds without a question until all is shown; until something is wrong
ROWS, DEPTH = 120, 2  # that are looked at of each list, and how deep into trees
OWN = {"events": "the calls of rows are read when they are seen", "stepping": "a pixel or a vertex, as was looked at last"}
Shown = dict[str, list[str]]


class Room:
    """All panels on one desk."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.panels: dict[str, Panel] = {}
        for kind in PANELS:
            self.panels[kind.name] = panel = kind(self.desk)
            panel.resize(900, 600)
            panel.show()

    def open(self, path: Path, focus: Focus | None = None) -> None:
        capture = inspector.open(path)
        self.desk.put(capture, build_index(capture), focus)

    def settle(self) -> None:
        """Waits until every answer is shown."""
        end = calm = time.monotonic()
        while time.monotonic() - calm < CALM:
            QApplication.processEvents()
            if self.desk.ask.busy:
                calm = time.monotonic()
            if time.monotonic() - end > PATIENCE:
                raise TimeoutError(f"the panels still ask at {self.desk.focus.focus.text()}")
            time.sleep(0.002)

    def close(self) -> None:
        self.desk.close()
        for panel in self.panels.values():
            panel.deleteLater()


def shown_by(panel: Panel) -> Shown:
    """The texts of its lists and labels, and the picture."""
    found: Shown = {"labels": sorted(one.text() for one in panel.findChildren(QLabel) if one.isVisibleTo(panel))}
    found["labels"] = [text for text in found["labels"] if text and not text.endswith("%")]  # how far one has zoomed
    for number, view in enumerate(panel.findChildren(QAbstractItemView)):
        if view.model() is not None and view.isVisibleTo(panel) and not isinstance(view.parent(), QComboBox):
            found[f"list {number} {view.accessibleName()}"] = _rows(view, view.model(), QModelIndex(), 0)
    picture = getattr(panel, "picture", None)
    if picture is not None:
        found["picture"] = [f"{zlib.crc32(np.ascontiguousarray(picture.argb).tobytes()):08x}"]
    return found


def _rows(view: QAbstractItemView, model: QAbstractItemModel, parent: QModelIndex, depth: int) -> list[str]:
    rows: list[str] = []
    flat = isinstance(view, QListView)
    for row in range(min(model.rowCount(parent), ROWS)):
        columns = range(1 if flat else model.columnCount(parent))
        rows.append("|".join(str(model.index(row, column, parent).data() or "") for column in columns))
        if depth < DEPTH and not flat and not isinstance(model, QAbstractTableModel):
            rows += _rows(view, model, model.index(row, 0, parent), depth + 1)
    return rows


def wander(room: Room, chance: random.Random) -> None:
    """Goes to places, back and forth, step by step; now and then everything is shown before the next one."""
    capture, focus = room.desk.capture, room.desk.focus
    assert capture is not None
    count, draws = len(capture.events), capture.draws
    for _ in range(chance.randrange(3, 25)):
        way = chance.random()
        event = int(chance.choice(draws)) if len(draws) and chance.random() < 0.7 else chance.randrange(count)
        if way < 0.6:
            focus.go_to(_some_focus(event, chance))
        elif way < 0.75:
            (focus.back if way < 0.7 else focus.forward)()
        elif way < 0.9:
            for step in range(5):
                focus.go(event=min(focus.focus.event + step, count - 1))
                QApplication.processEvents()
        if chance.random() < 0.3:
            room.settle()
        end = time.monotonic() + chance.random() / 5
        while time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.002)


def _some_focus(event: int, chance: random.Random) -> Focus:
    picked = (chance.randrange(320), chance.randrange(240)) if chance.random() < 0.6 else None
    surface = chance.choice(["back_buffer", "depth", chance.randrange(60)]) if chance.random() < 0.2 else "render_target"
    return Focus(event=event, pixel=picked, surface=surface, vertex=chance.randrange(30) if chance.random() < 0.3 else None)


def differences(room: Room, path: Path) -> list[str]:
    """What a fresh desk shows otherwise, a line for each list."""
    place, fresh, found = room.desk.focus.focus, Room(), []
    fresh.open(path, place)
    fresh.settle()
    for name in room.panels.keys() - OWN.keys():
        here, there = shown_by(room.panels[name]), shown_by(fresh.panels[name])
        for part in sorted({*here, *there}):
            if here.get(part) != there.get(part):
                old, new = ([text for text in one.get(part, []) if text not in other.get(part, [])] for one, other in
                            ((here, there), (there, here)))  # fmt: skip
                found.append(f"{path.name} {place.text()} {name}, {part}: {old[:2]} instead of {new[:2]}")
    fresh.close()
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--checks", type=int, default=20)
    options = parser.parse_args(arguments)
    app, chance, wrong = QApplication([]), random.Random(options.seed), 0
    style.apply(app, "dark")
    room = Room()
    for number in range(options.checks):
        path = chance.choice(options.files)
        room.open(path)
        wander(room, chance)
        room.settle()
        found = differences(room, path)
        wrong += len(found)
        print(f"{number} {path.name} {room.desk.focus.focus.text()}: {len(found)} differ", *found, sep="\n   ", flush=True)
    room.close()
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
