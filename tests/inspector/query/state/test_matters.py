"""What state is said to matter: forcing what does not changes no pixel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.spec.kinds import BOOL, F32
from core.spec.slots import Key
from inspector.query.state.at_event import Value
from inspector.query.state.matters import has_rule, is_neutral, verdict
from inspector.query.state.situation import Situation
from inspector.query.what_if.edits import Force
from inspector.query.what_if.what_if import WhatIf

SAMPLES = Path(__file__).resolve().parents[4] / "resources" / "samples"
LIMITED = ("PATCHSEGMENTS", "VERTEXBLEND", "VERTEXSHADER", "STREAM", "INDICES")
"""States that are left alone: another number of them makes another draw, which is no question of reading them."""


def verdicts(capture: inspector.Capture, event: int) -> dict[Key, tuple[bool, str, Value]]:
    found = Situation(capture, event)
    return {value.key: (*verdict(found, value.key, value.is_default), value) for value in found.values}


def other(value: Value) -> str:
    """Another value than it has, which the state can have."""
    kind = value.place.kind
    if kind is BOOL:
        one = "FALSE" if value.raw[0] else "TRUE"
    elif kind.members is not None:
        names = [member.name for member in kind.members if int(member) != value.raw[0] and member.name != "SELECTMASK"]
        one = str(names[0])
    elif kind is F32:
        one = "0.375"
    else:
        one = "3" if value.raw[0] != 3 else "5"
    return " ".join([one] * len(value.raw))


def unread(capture: inspector.Capture, event: int) -> Iterator[Force]:
    for key, (matters, _, value) in verdicts(capture, event).items():
        first = key if isinstance(key, str) else key[0]
        if not matters and has_rule(key) and first not in LIMITED and value.kind != "handle":
            yield Force(key, other(value), event, event)


def some_draws(capture: inspector.Capture, count: int) -> list[int]:
    draws = capture.draws.tolist()
    return draws[:: max(len(draws) // count, 1)][:count]


@pytest.mark.parametrize("name", ["tests-and-blending", "stencil-shadows", "reflections", "bump-mapping", "smoke", "textures",
                                  "shaders-patches-samples"])  # fmt: skip
def test_what_does_not_matter_changes_nothing(name: str) -> None:
    with inspector.open(SAMPLES / f"{name}.ddicap") as capture:
        for event in some_draws(capture, 6):
            check_unread(capture, event)


def test_what_does_not_matter_in_the_room_changes_nothing(room: inspector.Capture) -> None:
    for event in room.draws[:10].tolist():
        check_unread(room, event)


def check_unread(capture: inspector.Capture, event: int) -> None:
    edits = tuple(unread(capture, event))
    assert len(edits) > 300, "most of the state is not read by any one draw"
    view = capture.ask(WhatIf(edits))
    for where in ("render_target", "depth"):
        if capture.resolve(event, where) is None:
            continue
        if not np.array_equal(view.raw(event, where), capture.raw(event, where)):
            raise AssertionError(f"event {event}, {where}: {guilty(capture, event, where, edits)}")


def guilty(capture: inspector.Capture, event: int, where: str, edits: tuple[Force, ...]) -> list[str]:
    """One edit that changes something by itself, by halves."""
    while len(edits) > 1:
        half = edits[: len(edits) // 2]
        changed = not np.array_equal(capture.ask(WhatIf(half)).raw(event, where), capture.raw(event, where))
        edits = half if changed else edits[len(edits) // 2 :]
    return [str(edit) for edit in edits]


def test_blend_factors_matter_while_blending_is_on(room: inspector.Capture) -> None:
    blended, plain = (
        verdicts(room, next(e for e in room.draws.tolist() if room.state(e)["ALPHABLENDENABLE"].value is on))
        for on in (True, False)
    )
    assert blended["SRCBLEND"][:2] == (True, "blending is on")
    assert plain["SRCBLEND"][:2] == (False, "ALPHABLENDENABLE is FALSE")
    assert plain["ALPHABLENDENABLE"][0], "that it is off matters"


def test_a_factor_at_its_default_is_not_neutral() -> None:
    assert not is_neutral("SRCBLEND", True) and is_neutral(("TEXTURESTAGE", 0, "MIPMAPLODBIAS"), True)
    assert not is_neutral(("TEXTURESTAGE", 0, "MIPMAPLODBIAS"), False)


def test_lights_have_what_their_type_has(room: inspector.Capture) -> None:
    event = int(room.draws[5])
    found = verdicts(room, event)
    types = {number: room.state(event)["LIGHT", number, "Type"].value.name for number in (0, 1)}
    assert types == {0: "DIRECTIONAL", 1: "POINT"}
    for number, name in ((0, "Range"), (1, "Direction"), (0, "Phi"), (1, "Phi")):
        assert not found["LIGHT", number, name][0]
    for number, name in ((0, "Direction"), (1, "Range"), (1, "Position"), (0, "Diffuse")):
        assert found["LIGHT", number, name][0]


def test_constants_are_those_that_the_program_reads(room: inspector.Capture) -> None:
    """The shader of the torus names c0 (four rows), c4 (three), c7 to c11."""
    found = verdicts(room, int(room.draws[4]))
    assert [n for n in range(256) if found["VSCONST", n][0]] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert [n for n in range(32) if ("PSCONST", n) in found and found["PSCONST", n][0]] == [0]
    assert found["TEXTURESTAGE", 0, "COLOROP"][:2] == (False, "a pixel shader runs")
    assert found["TRANSFORM", "VIEW"][:2] == (False, "a vertex shader runs")
