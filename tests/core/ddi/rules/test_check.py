"""What watching the state tokens of a stream tells."""

from __future__ import annotations

import numpy as np
import pytest

from core.ddi.rules.check import StateCheck
from core.ddi.stream import dp2
from core.spec.states import RENDER_STATES, TEXTURE_STAGE_STATES


def look(*tokens: tuple[str, list[dict]], check: StateCheck | None = None) -> list[tuple[str, int]]:
    """(rule, event) of each finding, events counted from 100."""
    stream = bytearray()
    for op, items in tokens:
        dp2.emit(stream, op, items)
    commands = np.frombuffer(bytes(stream), np.uint8)
    found = (check or StateCheck()).check(commands, dp2.scan(commands).records, 100)
    return [(one.rule, one.seq) for one in found]


@pytest.mark.parametrize(
    ("state", "value", "rules"),
    [
        (25, 8, []),  # ALPHAFUNC ALWAYS
        (25, 9, ["bad-state-value"]),
        (25, 0, ["bad-state-value"]),
        (25, 0xFFFFFFFF, ["bad-state-value"]),
        (151, 256, []),  # VERTEXBLEND 0WEIGHTS
        (151, 4, ["bad-state-value"]),
        (168, 15, []),  # COLORWRITEENABLE
        (168, 16, ["bad-state-value"]),
        (14, 77, []),  # a BOOL: any number is TRUE
        (63, 1, ["unknown-state"]),
        (39, 1, ["unimplemented-state"]),  # STIPPLEENABLE
        (40, 0, []),
        (300, 1, []),  # the device's business
    ],
)
def test_render_states(state: int, value: int, rules: list[str]) -> None:
    assert look(("RENDERSTATE", [{"state": 7, "value": 1}, {"state": state, "value": value}])) == [
        (rule, 101) for rule in rules
    ]


@pytest.mark.parametrize(
    ("state", "value", "rules"),
    [(1, 26, []), (1, 27, ["bad-state-value"]), (30, 1, ["unknown-state"]), (13, 0, ["bad-state-value"])],
)
def test_texture_stage_states(state: int, value: int, rules: list[str]) -> None:
    assert look(("TEXTURESTAGESTATE", [{"stage": 3, "state": state, "value": value}])) == [(rule, 100) for rule in rules]


def test_defaults_are_never_doubtful() -> None:
    render = [{"state": row.id, "value": row.default_at(0)} for row in RENDER_STATES.values() if row.since >= 8 or row.id < 64]
    stages = [
        {"stage": 1, "state": row.id, "value": row.default_at(1)}
        for row in TEXTURE_STAGE_STATES.values()
        if row.name != "ADDRESS"
    ]
    found = look(("TEXTURESTAGESTATE", stages))
    assert found == []
    legacy = {row.id for row in RENDER_STATES.values() if row.until}
    doubtful = [render[seq - 100]["state"] for _, seq in look(("RENDERSTATE", render))]
    assert set(doubtful) <= legacy


def test_each_thing_is_told_once() -> None:
    check = StateCheck()
    token = ("RENDERSTATE", [{"state": 25, "value": 9}])
    assert len(look(token, token, check=check)) == 1
    assert look(token, check=check) == []
