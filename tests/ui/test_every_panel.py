"""Every panel on every event of the zoo: none fails, what the scenes expect is shown, and models keep Qt's rules.

The whole walk is in pieces, which several processes can share and which need not be done at once:

    DDI_WALKED=walked.txt python -m pytest -m slow tests/ui/test_every_panel.py -n 2 --dist load

writes each scene that passed to `walked.txt`, with the seconds it took and the memory then held, and leaves out those in it.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, QEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractItemView, QApplication

import inspector
from inspector.focus import Focus
from tests.conftest import held_memory
from tests.scenes import all_scenes, record
from tests.scenes.kit import Pixels, Scene
from ui.docks import PANELS
from ui.index import build_index
from ui.panels.panel import Desk, Panel

EACH = 200
"""Of so many scenes the suite takes one; the night takes all."""
PIECE = 20
"""Scenes that one test of the night goes through in the same room."""
WALKED = Path(os.environ["DDI_WALKED"]) if os.environ.get("DDI_WALKED") else None
PATIENCE = 60.0  # seconds
PIXEL = (20, 20)


class Room:
    """All panels side by side on one desk."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.panels: dict[str, Any] = {}
        self.testers: dict[int, QAbstractItemModelTester] = {}
        for kind in PANELS:
            self.panels[kind.name] = panel = kind(self.desk)
            panel.resize(700, 420)
            panel.show()

    def settle(self) -> None:
        """Waits until all answers are shown."""
        end = time.monotonic() + PATIENCE
        QApplication.processEvents()
        while self.desk.ask.busy:
            assert time.monotonic() < end, "the panels still ask"
            time.sleep(0.0005)
            QApplication.processEvents()
        QApplication.processEvents()

    def watch_models(self) -> None:
        """Models of our own are watched from the first time that a view shows them."""
        for panel in self.panels.values():
            for view in panel.findChildren(QAbstractItemView):
                model: QAbstractItemModel | None = view.model()
                if type(model).__module__.startswith("ui.") and id(model) not in self.testers:
                    self.testers[id(model)] = QAbstractItemModelTester(
                        model, QAbstractItemModelTester.FailureReportingMode.Warning, view
                    )

    def close(self) -> None:
        """Lets go of everything now: pytest-qt only asks Qt to, and without an event loop that never happens."""
        self.desk.ask.close()
        for panel in self.panels.values():
            panel.close()
            panel.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("zoo")


@pytest.fixture
def room(qapp: QApplication) -> Iterator[Room]:
    made = Room()
    yield made
    made.close()
    gc.collect()  # a room has a thousand widgets


def unanswered(room: Room) -> list[str]:
    """Panels with a question that still wait, or that did not ask after the focus moved."""
    asking = {kind.name for kind in PANELS if kind.refresh is Panel.refresh}  # Comparison asks when its sides are set
    return [name for name in asking if room.panels[name]._stale or room.desk.ask.is_asking(name)]


def check_words(room: Room, capture: inspector.Capture, event: int) -> None:
    """The panels of words are about this event."""
    assert room.panels["token"].heading.text() == capture.name(event)
    state = capture.state(event)
    rows = {value.key: value.writer for group in room.panels["state"].model.groups for value in group.values}
    assert {key: rows[key] for key in rows.keys() & state.places.keys() if state[key].writer != rows[key]} == {}


def check_picture(room: Room, expected: Pixels) -> None:
    """The picture in Surface is the one that the scene was written to give."""
    parts = {name: place for name, place in expected.where.items() if name in ("level", "face", "slice", "sample")}
    room.desk.focus.go_to(Focus(event=expected.event, surface=expected.surface, **parts))
    room.settle()
    panel = room.panels["surface"]
    assert panel.picture is not None, panel.view.message
    shown = panel.picture.argb
    apart = [np.abs((shown >> shift & 0xFF).astype(int) - (expected.picture >> shift & 0xFF)) for shift in (0, 8, 16)]
    wrong = (np.stack(apart) > expected.tolerance).any(0)
    assert not (wrong if expected.mask is None else wrong & expected.mask).any()


def walk(room: Room, qtlog: Any, place: Path, scene: Scene) -> None:
    """Goes to every event of a scene."""
    path = place / f"{scene.name.replace('/', '-')}.ddicap"
    seen = record(scene, path)
    capture = inspector.open(path)
    room.desk.put(capture, build_index(capture))
    room.settle()
    for event in range(len(capture.events)):
        room.desk.focus.go(event=event, pixel=PIXEL)
        room.settle()
        if event == 0:
            room.watch_models()
        assert unanswered(room) == []
        check_words(room, capture, event)
    for expected in seen.pixels:
        check_picture(room, expected)
    room.desk.put(None, None)
    room.settle()
    gc.collect()  # the last capture, before the next one is there
    assert [one.message for one in qtlog.records if "FAIL!" in one.message] == []


@pytest.mark.parametrize("scene", all_scenes()[::EACH], ids=lambda scene: scene.name)
def test_every_panel_shows_every_event(qtlog: Any, room: Room, place: Path, scene: Scene) -> None:
    walk(room, qtlog, place, scene)


def pieces() -> list[list[Scene]]:
    """All scenes, at most `PIECE` of one subject together."""
    subjects = groupby(sorted(all_scenes(), key=subject_of), subject_of)
    return [scenes[at : at + PIECE] for scenes in (list(of) for _, of in subjects) for at in range(0, len(scenes), PIECE)]


def subject_of(scene: Scene) -> str:
    return scene.name.partition("/")[0]


def walked() -> set[str]:
    """Names of the scenes that need not be gone through once more."""
    if not WALKED or not WALKED.is_file():
        return set()
    return {line.partition("\t")[0] for line in WALKED.read_text(encoding="utf-8").splitlines()}


def note_walked(scene: Scene, since: float) -> None:
    """One line, which processes that share the file write at once."""
    if WALKED:
        with WALKED.open("a", encoding="utf-8") as file:
            file.write(f"{scene.name}\t{time.monotonic() - since:.1f} s\t{held_memory():.0f} MB\n")


@pytest.mark.slow
@pytest.mark.parametrize("scenes", pieces(), ids=lambda scenes: f"{scenes[0].name} and {len(scenes) - 1} more")
def test_every_panel_shows_every_event_of_every_scene(qtlog: Any, room: Room, place: Path, scenes: list[Scene]) -> None:
    done = walked()
    for scene in (scene for scene in scenes if scene.name not in done):
        since = time.monotonic()
        try:
            walk(room, qtlog, place, scene)
        except AssertionError as error:
            raise AssertionError(f"{scene.name} at {room.desk.focus.focus.text()}: {error}") from error
        note_walked(scene, since)
