"""The scripting contract, on the built-in capture: what scripts and other tools rely on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput, Cancelled
from core.spec.states import RENDER_STATE_ID
from core.spec.subresource import Subresource
from core.spec.tokens import Op
from tests.inspector.conftest import ROOM

FRAMES, DRAWS_A_FRAME = 8, 10


def test_frames_end_with_their_presentation(room: inspector.Capture) -> None:
    assert [frame.index for frame in room.frames] == list(range(FRAMES))
    assert all(frame.draws == DRAWS_A_FRAME for frame in room.frames)
    assert all(room.name(frame.last_event) in ("Blt", "Flip") for frame in room.frames)
    pairs = zip(room.frames, room.frames[1:], strict=False)
    assert all(after.first_event == before.last_event + 1 for before, after in pairs)


def test_frames_option_keeps_absolute_numbers(room: inspector.Capture) -> None:
    with inspector.open(ROOM, frames=(2, 4)) as part:
        assert [(f.index, f.first_event, f.last_event) for f in part.frames] == [
            (f.index, f.first_event, f.last_event) for f in room.frames[2:4]
        ]


def test_every_event_tells_what_it_is(room: inspector.Capture) -> None:
    for event in range(0, len(room.events), 7):
        detail = room.event(event)
        assert detail.text.startswith(detail.name)
        assert room.frames[detail.frame].first_event <= event <= room.frames[detail.frame].last_event
        assert all(0 <= field.begin <= field.end <= len(detail.data) for field in detail.fields)


def test_fields_of_a_token_cover_its_bytes(room: inspector.Capture) -> None:
    event = int(room.draws[0])
    detail = room.event(event)
    covered = {byte for field in detail.fields for byte in range(field.begin, field.end)}
    assert covered >= set(range(4, len(detail.data)))


def test_the_named_writer_really_set_the_value(room: inspector.Capture) -> None:
    last = room.frames[-1].last_event
    checked = 0
    for name in RENDER_STATE_ID:
        value = room.state(last)[name]
        if value.writer is None:
            continue
        fields = {field.name: field.value for field in room.event(value.writer).fields}
        assert room.name(value.writer) == "RENDERSTATE"
        assert int(fields["state"]) == RENDER_STATE_ID[name]
        assert fields["value"] == value.value
        checked += 1
    assert checked > 20


def test_state_before_its_writer_is_older(room: inspector.Capture) -> None:
    last = room.frames[-1].last_event
    value = room.state(last)["CULLMODE"]
    assert value.writer is not None
    before = room.state(value.writer - 1)["CULLMODE"]
    assert before.writer is None or before.writer < value.writer


def test_state_that_nothing_set_is_default(room: inspector.Capture) -> None:
    value = room.state(room.frames[0].last_event)["POINTSIZE"]
    assert (value.value, value.writer, value.is_default) == (1.0, None, True)


def test_keys_of_every_kind_answer(room: inspector.Capture) -> None:
    state = room.state(int(room.draws[-1]))
    assert state[("TRANSFORM", "PROJECTION")].value.shape == (4, 4)
    assert state[("VIEWPORT", "Width")].value == 640
    assert len(state[("LIGHT", 0, "Diffuse")].value) == 4
    assert state[("LIGHT", 1, "Enabled")].value is True
    assert len(state[("VSCONST", 0)].value) == 4
    assert state[("STREAM", 0, "stride")].value == 24
    assert state["RENDERTARGET"].value == room.render_target(state.event)
    assert state[("TEXTURESTAGE", 0, "COLOROP")].text == "MODULATE"
    with pytest.raises(KeyError):
        state["NOSUCHSTATE"]


def test_changed_lists_what_the_event_wrote(room: inspector.Capture) -> None:
    event = next(e for e in range(900, len(room.events)) if room.events.op[e] == Op.SETTRANSFORM)
    assert [value.writer for value in room.state(event).changed] == [event]


def test_scrubbing_back_and_forth_gives_the_pixels_of_a_fresh_replay(room: inspector.Capture) -> None:
    places = [int(room.draws[n]) for n in (0, 37, 12, 79, 13, 36, 37)]
    pictures = {event: room.image(event) for event in places}
    for event in reversed(places):
        assert np.array_equal(room.image(event), pictures[event])
    with inspector.open(ROOM) as fresh:
        assert np.array_equal(fresh.image(places[1]), pictures[places[1]])


def test_drawing_changes_the_picture_only_at_draws(room: inspector.Capture) -> None:
    frame = room.frames[3]
    draws = set(room.draws[(room.draws >= frame.first_event) & (room.draws <= frame.last_event)].tolist())
    target = room.render_target(frame.last_event)
    assert target is not None
    before = room.image(frame.first_event, target)
    for event in range(frame.first_event + 1, frame.last_event + 1):
        after = room.image(event, target)
        if event not in draws and room.name(event) != "CLEAR":
            assert np.array_equal(before, after), room.text(event)
        before = after
    assert len(draws) == DRAWS_A_FRAME


def test_images_of_roles_and_handles(room: inspector.Capture) -> None:
    event = room.frames[2].last_event
    target = room.render_target(event)
    assert np.array_equal(room.image(event), room.image(event, target))
    assert room.image(event, "depth").shape == (480, 640, 4)
    assert room.image(event, "back_buffer").shape == (480, 640, 4)
    volume = next(info for info in room.surfaces(event) if info.kind == "volume")
    assert room.image(event, Subresource(volume.handle, slice=5)).shape == (volume.height, volume.width, 4)
    assert room.raw(event, volume.handle).dtype == np.uint8
    screen = next(info for info in room.surfaces(event) if (info.width, info.height, info.levels) == (128, 128, 1))
    assert room.image(event, screen.handle)[0, 0].tolist() == [0x14, 0x68, 0x4C, 255]  # the colour it was cleared to


def test_resources_name_the_event_that_created_them(room: inspector.Capture) -> None:
    for info in room.surfaces(room.frames[4].last_event):
        assert room.name(info.created) in ("CreateSurface", "CreateD3DBuffer")
        fields = {field.name: field.value for field in room.event(info.created).fields}
        assert fields["handle"] == info.handle


def test_source_calls_lead_to_events_and_back(room: inspector.Capture) -> None:
    for number in range(100, room.tape.source_count, 251):
        event = room.event_of_source_call(number)
        assert room.events.source[event] <= number
        assert event + 1 == len(room.events) or room.events.source[event + 1] > number
    draw = int(room.draws[3])
    assert "Draw" in room.source_text(int(room.events.source[draw]))


def test_vertices_are_transformed_as_the_matrices_say(room: inspector.Capture) -> None:
    fixed = (e for e in room.draws.tolist() if room.state(e)["VERTEXSHADER"].raw[0] & 1 == 0)
    event = next(e for e in fixed if "INDEXED" in room.name(e))
    grid = room.vertices(event, "assembled")
    state = room.state(event)
    world, view, projection = (state[("TRANSFORM", name)].value.astype(float) for name in ("WORLD0", "VIEW", "PROJECTION"))
    position = np.stack([grid.rows[f"position.{c}"] for c in "xyz"] + [np.ones(len(grid.rows))], 1).astype(float)
    clip = position @ world @ view @ projection
    drawn = room.vertices(event, "transformed").rows
    assert np.allclose(np.stack([drawn[f"clip.{c}"] for c in "xyzw"], 1), clip, atol=1e-4)


def test_asking_for_what_is_not_there_says_so(room: inspector.Capture) -> None:
    with pytest.raises(BadInput, match="event 99999999"):
        room.state(99999999)
    with pytest.raises(BadInput, match="no surface 777"):
        room.image(100, 777)
    with pytest.raises(BadInput, match="no surface was created at pointer 0x1"):
        room.surface_of_source(1, 100)


def test_progress_can_cancel(tmp_path: Path) -> None:
    copy = tmp_path / "room.ddicap"
    copy.write_bytes(ROOM.read_bytes())
    with pytest.raises(Cancelled):
        inspector.open(copy, progress=lambda fraction, text: False)


@pytest.mark.parametrize(("name", "content"), [("none.trace", None), ("empty.trace", b""), ("text.trace", b"hello, world")])
def test_bad_files_are_one_sentence(tmp_path: Path, name: str, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput, match=name) as told:
        inspector.open(tmp_path / name)
    assert "\n" not in str(told.value)


def test_pictures_are_named_by_keyword_or_by_place(room: inspector.Capture) -> None:
    """Both spellings of the contract: image(event, surface, level, face, slice, sample), and one Subresource."""
    event = room.frames[-1].last_event
    texture = next(one for one in room.surfaces(event) if one.levels > 1)
    for ask in (room.image, room.raw):
        level = ask(event, surface=texture.handle, level=1, face=0, slice=0, sample=None)
        assert np.array_equal(level, ask(event, texture.handle, 1))
        assert np.array_equal(level, ask(event, Subresource(texture.handle, level=1)))
        assert level.shape != ask(event, surface=texture.handle).shape
        assert np.array_equal(ask(event), ask(event, surface="render_target"))
