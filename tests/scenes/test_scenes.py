"""Every scene of the zoo: it opens, its events decode, and what must be seen is seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inspector
from core.spec.calls import CALLS
from core.spec.findings import RULES
from core.spec.formats import FORMATS
from core.spec.states import RENDER_STATES, TEXTURE_STAGE_STATES
from core.spec.tokens import TOKENS
from inspector.tape import MemoryTape, TapeWriter
from tests.scenes import all_scenes
from tests.scenes.check import check_pictures, check_value, same_value
from tests.scenes.kit import Scene, Seen
from tests.scenes.rules import NO_TAPE
from tests.scenes.states import UNSET


@pytest.mark.parametrize(
    ("given", "wanted", "same"),
    [
        (0xFF8040C0, 0xFF8040C0, True), (0xFF8040C0, 0xFF8040C1, False), (0xFF8040C0, 0xFF803000, False),
        (0.1, 0.1, True), (float(np.float32(0.1)), 0.1, True), (0.1, 0.100001, False), ((1, 2), (1, 2), True),
        ((1, 2), (1, 3), False), ((1, 1), 1, False),
    ],
)  # fmt: skip
def test_values_are_compared_exactly(given: Any, wanted: Any, same: bool) -> None:
    assert same_value(given, wanted) == same


@pytest.mark.parametrize("scene", all_scenes(), ids=lambda scene: scene.name)
def test_scene(scene: Scene, tmp_path: Path) -> None:
    path = tmp_path / "scene.ddicap"
    with TapeWriter(path, durable=False) as writer:
        stage = scene.record(writer)
    stage.driver.device.flush()
    rules = sorted({finding.rule for finding in stage.driver.findings})
    assert rules == sorted(set(stage.seen.findings)), [finding.text for finding in stage.driver.findings]
    if scene.name.startswith("rules/"):
        assert stage.seen.off_tape or scene.name.removeprefix("rules/") in {*rules, *stage.seen.recorded}
    with inspector.open(path) as capture:
        assert stage.seen.answers or len(capture.events) == stage.driver.seq, "the tape and the driver count events alike"
        for event in range(len(capture.events)):
            detail = capture.event(event)
            assert detail.name and detail.text
        check_pictures(capture, stage.seen)
        for value in stage.seen.values:
            check_value(capture, value)
        for event, text in stage.seen.texts:
            assert text in capture.text(event)
        assert set(stage.seen.recorded) <= {finding.rule for finding in capture.findings}


def is_silent(seen: Seen) -> bool:
    return not (seen.pixels or seen.properties or seen.values or seen.findings or seen.texts or seen.recorded or seen.off_tape)


def test_scenes_say_what_must_be_seen() -> None:
    """No scene is there for show."""
    assert [scene.name for scene in all_scenes() if is_silent(scene.record(MemoryTape()).seen)] == []


ALL = {cover for scene in all_scenes() for cover in scene.covers}
EXPECTED = {
    "token": [row.name for row in TOKENS.values()],
    "entry": list(CALLS),
    "format": [row.name for row in FORMATS.values()],
    "rule": [row.id for row in RULES.values() if row.where != "API calls" and row.id not in NO_TAPE],
    "stored": [row.name for row in RENDER_STATES.values() if row.name not in UNSET],
    "stored_stage": [row.name for row in TEXTURE_STAGE_STATES.values() if row.name not in ("TEXTUREMAP", "ADDRESS")],
}


@pytest.mark.parametrize("kind", EXPECTED)
def test_the_zoo_has_one_of_each(kind: str) -> None:
    """Every row of the rule book is the subject of a scene."""
    assert [name for name in EXPECTED[kind] if f"{kind}:{name}" not in ALL] == []


def test_every_sample_count_is_there() -> None:
    assert {scene.options.get("samples") for scene in all_scenes("samples")} >= set(range(2, 17))
