"""What a list says about draws, against the state, the pictures and the counters they are made of."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from core.spec.enums import TextureOp
from inspector.query.events.columns import COLUMNS, EventColumn, _textures

WORDS = {"ZENABLE": "z ", "STENCILENABLE": "stencil ", "ALPHATESTENABLE": "alpha ", "ALPHABLENDENABLE": "blend "}


def ask(room: inspector.Capture, name: str, *events: int) -> dict[int, object]:
    return room.ask(EventColumn(name, events))


def test_targets_are_what_is_drawn_to(room: inspector.Capture) -> None:
    draws = [int(draw) for draw in room.draws]
    found = ask(room, "target", *draws)
    assert found == {draw: room.render_target(draw) for draw in draws}
    assert len(set(found.values())) > 1


def test_textures_are_those_of_the_stages_up_to_the_first_disabled_one(room: inspector.Capture) -> None:
    found = ask(room, "textures", *map(int, room.draws), 0)
    assert set(found) == set(map(int, room.draws))
    for draw, handles in found.items():
        state, expected = room.state(draw), []
        for stage in range(8):
            shaded = state["PIXELSHADER"].text != "none"
            if not shaded and state["TEXTURESTAGE", stage, "COLOROP"].text == "DISABLE":
                break
            expected.append(state["TEXTURESTAGE", stage, "TEXTUREMAP"].value)
        assert list(handles) == list(dict.fromkeys(handle for handle in expected if handle))  # type: ignore[call-overload]
    assert any(len(handles) > 1 for handles in found.values())  # type: ignore[arg-type]


@pytest.mark.parametrize(("shader", "expected"), [(0, (5, 7)), (3, (5, 7, 9))])
def test_a_texture_after_a_disabled_stage_is_read_by_pixel_shaders_only(shader: int, expected: tuple[int, ...]) -> None:
    """Microsoft DirectX 8 SDK, Texture Stages: DISABLE ends the cascade, which pixel shaders do not have."""
    words = {"PIXELSHADER": shader} | {("TEXTURESTAGE", stage, "TEXTUREMAP"): 0 for stage in range(8)}
    words |= {("TEXTURESTAGE", stage, "COLOROP"): TextureOp.MODULATE for stage in range(8)}
    words |= {("TEXTURESTAGE", stage, "TEXTUREMAP"): handle for stage, handle in enumerate((5, 7, 5))}
    words |= {("TEXTURESTAGE", 3, "COLOROP"): TextureOp.DISABLE, ("TEXTURESTAGE", 4, "TEXTUREMAP"): 9}
    state = {key: SimpleNamespace(raw=(int(word),)) for key, word in words.items()}
    assert _textures(state) == expected  # type: ignore[arg-type]


def test_the_summary_names_what_is_on(room: inspector.Capture) -> None:
    found = ask(room, "tests", *map(int, room.draws))
    for draw, text in found.items():
        state = room.state(draw)
        for name, word in WORDS.items():
            assert (state[name].raw[0] != 0) == any(part.startswith(word) for part in str(text).split(", ")), (draw, name)
        if state["ALPHABLENDENABLE"].raw[0]:
            assert f"{state['SRCBLEND'].text} {state['DESTBLEND'].text}" in str(text)
    assert len(set(found.values())) > 3


def test_pixels_are_those_that_differ_in_the_picture(room: inspector.Capture) -> None:
    """For draws to colour alone, by comparing the images before and after them."""
    frame = room.frames[-1]
    draw = int(room.draws[room.draws <= frame.last_event][-1])
    found = ask(room, "pixels", draw)
    assert set(found) == {int(one) for one in room.draws if frame.first_event <= one <= frame.last_event}
    before, after = room.stored(draw - 1)[0], room.stored(draw)[0]
    differ = (before.view(np.uint32) != after.view(np.uint32)).sum()
    assert found[draw] == differ > 0


def test_costs_are_of_all_draws_of_the_frame(room: inspector.Capture) -> None:
    frame = room.frames[2]
    found = ask(room, "cost", frame.first_event)
    assert list(found) == [int(one) for one in room.draws if frame.first_event <= one <= frame.last_event]
    assert all(cost > 0 for cost in found.values())  # type: ignore[operator]


def test_unknown_columns_and_events_are_refused(room: inspector.Capture) -> None:
    with pytest.raises(BadInput, match="target"):
        ask(room, "colour", 0)
    for name in COLUMNS:
        with pytest.raises(BadInput):
            ask(room, name, len(room.events))
