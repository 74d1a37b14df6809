"""Every state that is said to be tested is: its scene fails when the device ignores it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.coverage_matrix.mutation import differs, every_state, killed, kills
from tests.coverage_matrix.reasons import STORED
from tests.scenes import all_scenes

SCENES = {scene.name: scene for scene in all_scenes()}


@pytest.mark.parametrize("key", killed())
def test_the_scene_of_a_state_fails_without_it(key: str, tmp_path: Path) -> None:
    assert kills(SCENES[killed()[key]], key, tmp_path), f"{killed()[key]} is as it should be although {key} is ignored"


def test_every_state_is_killed_or_says_why_not() -> None:
    assert set(killed()) | set(STORED) == set(every_state())
    assert not set(killed()) & set(STORED)


@pytest.mark.parametrize(
    ("name", "key", "dies"),
    [
        ("states/blend set", "state:ALPHABLENDENABLE", False),  # stores it, draws nothing
        ("states/ALPHAFUNC ALWAYS", "state:ALPHAFUNC", False),  # that is the default
        ("states/ALPHAFUNC LESS", "state:ALPHAFUNC", True),
        ("states/ALPHAFUNC LESS", "state:ZFUNC", False),  # another state
        ("states/legacy texture address", "stage_state:ADDRESS", True),  # sets two others
        ("states/texture stage 3 set", "stage_state:COLOROP", False),
    ],
)
def test_what_kills_a_mutant(name: str, key: str, dies: bool, tmp_path: Path) -> None:
    assert kills(SCENES[name], key, tmp_path) == dies
    assert not differs(SCENES[name], key, tmp_path)
