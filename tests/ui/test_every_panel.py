"""Every panel on every event of the zoo: none fails, what the scenes expect is shown, and models keep Qt's rules."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractItemView, QApplication

import inspector
from inspector.focus import Focus
from tests.scenes import SUBJECTS, all_scenes, record
from tests.scenes.kit import Pixels, Scene
from ui.docks import PANELS
from ui.index import build_index
from ui.panels.panel import Desk, Panel

EACH = 200
"""Of so many scenes the suite takes one; the night takes all."""
PATIENCE = 60.0  # seconds
PIXEL = (20, 20)


class Room:
    """All panels side by side on one desk."""

    def __init__(self, qtbot: Any) -> None:
        self.desk = Desk()
        self.panels: dict[str, Any] = {}
        self.testers: dict[int, QAbstractItemModelTester] = {}
        for kind in PANELS:
            self.panels[kind.name] = panel = kind(self.desk)
            qtbot.addWidget(panel)
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
        self.desk.ask.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("zoo")


@pytest.fixture
def room(qtbot: Any) -> Iterator[Room]:
    made = Room(qtbot)
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


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_panel_shows_every_event_of_a_subject(qtlog: Any, room: Room, place: Path, subject: str) -> None:
    for scene in all_scenes(subject):
        try:
            walk(room, qtlog, place, scene)
        except AssertionError as error:
            raise AssertionError(f"{scene.name} at {room.desk.focus.focus.text()}: {error}") from error
