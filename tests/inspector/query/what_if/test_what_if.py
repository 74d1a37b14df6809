"""What if: the edit does what it says, everything else stays, and undoing it gives the identical bytes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import inspector
from core.ddi.stream.shader_assemble import assemble
from core.errors import BadInput
from core.spec.formats import FORMATS
from core.spec.subresource import Subresource
from inspector.query.comparison.compare import Compare
from inspector.query.comparison.verify import Verify
from inspector.query.what_if.edits import PRESETS, Disable, Force, Primitives, Shader, Texture, preset
from inspector.query.what_if.parsing import parse
from inspector.query.what_if.what_if import WhatIf, kept
from inspector.timeline.budgets import Budgets
from tests.inspector.conftest import ROOM
from tests.inspector.streams import KINDS, TARGET, TEXTURE, call, capture_of, stream

STEPS = st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 99)), min_size=3, max_size=6)
EDITS = st.sampled_from([
    "disable 20", "disable 12..22", "preset wireframe", "force ALPHABLENDENABLE=1 @ 14..22", "force CULLMODE=CW",
    "force VIEWPORT.Width=9 @ 18..21", "preset no-texture @ 15..", "force COLOROP[0]=SELECTARG1",
])  # fmt: skip
TORUS, FRAME = 1340, (1103, 1423)


def digests(capture: inspector.Capture) -> list[int]:
    return [step.total for step in capture.ask(Verify("token")).steps]


@given(steps=STEPS, texts=st.lists(EDITS, min_size=1, max_size=3))
@settings(max_examples=8, deadline=None)
def test_undo_restores_every_hash(tmp_path_factory: pytest.TempPathFactory, steps: list, texts: list[str]) -> None:
    calls = stream([*steps, ("draws", 7)])
    with capture_of(calls, tmp_path_factory.mktemp("undo")) as capture:
        last, before = len(capture.events) - 1, digests(capture)
        picture = capture.image(last, TARGET)
        asked = WhatIf.of(*texts)
        view = asked.open(capture)
        edited = view.image(last, TARGET)
        assert digests(capture) == before and np.array_equal(capture.image(last, TARGET), picture)
        assert np.array_equal(asked.open(capture).image(last, TARGET), edited)
        while asked.edits:
            asked = asked.undo()
        undone = asked.open(capture)
        assert digests(undone) == before and np.array_equal(undone.image(last, TARGET), picture)
        assert capture.ask(Compare("all", "all", undone)).empty


def test_a_view_keeps_to_the_budgets_of_its_capture(room: inspector.Capture) -> None:
    """With 1 MB for its log, the frame of the torus is logged in pieces."""
    with inspector.open(ROOM, budgets=Budgets(memory=2 << 20)) as modest:
        view, roomy = (WhatIf.of(f"disable {TORUS}").open(capture) for capture in (modest, room))
        assert (roomy.replay.logged(TORUS).first, roomy.replay.logged(TORUS).last) == FRAME
        piece = view.replay.logged(TORUS)
        assert TORUS in piece and (piece.first, piece.last) != FRAME
        assert view.budgets == modest.budgets
        assert np.array_equal(view.image(TORUS + 1), roomy.image(TORUS + 1))


def test_a_view_keeps_nothing_of_its_own(room: inspector.Capture) -> None:
    """What earlier openings left is of the tape as it is."""
    view = WhatIf.of("force ALPHAREF=0x40").open(room)
    assert view.kept.positions == [] and view.kept.value("walk") is None and not view.kept.keep("walk", 1)
    assert view.side_cache.path is None


def test_a_view_with_more_edits_has_all_of_them(room: inspector.Capture) -> None:
    one, other = "force FILLMODE=WIREFRAME @ 1103..1423", f"disable {TORUS}"
    view = WhatIf.of(other).open(WhatIf.of(one).open(room))
    both = WhatIf.of(one, other).open(room)
    assert view.edits == both.edits and np.array_equal(view.image(FRAME[1]), both.image(FRAME[1]))
    assert view.skipped[TORUS] and not room.skipped.any() and room.edits == ()


@given(steps=STEPS, texts=st.lists(EDITS, min_size=1, max_size=2), event=st.integers(0, 22))
@settings(max_examples=8, deadline=None)
def test_a_view_from_a_keyframe_is_a_run_from_the_beginning(
    tmp_path_factory: pytest.TempPathFactory, steps: list, texts: list[str], event: int
) -> None:
    """Seeking to and fro in a view, its state index, and executing all its calls with a fresh driver agree."""
    with capture_of(stream([*steps, ("draws", 7), ("draws", 8)]), tmp_path_factory.mktemp("view")) as capture:
        view = WhatIf.of(*texts).open(capture)
        last = len(view.events) - 1
        driver = view.driver()
        for number, call in enumerate(view.calls):
            driver.run(call, view.events.of_call(number).start)
        assert np.array_equal(view.image(last, TARGET), driver.rgba(TARGET))
        early = view.image(event, TARGET) if event > 3 else None
        assert np.array_equal(view.image(last, TARGET), driver.rgba(TARGET))
        assert early is None or np.array_equal(view.image(event, TARGET), early)
        words = driver.device.registers.vector[:2000]
        assert np.array_equal(view.walked.states.vector(last, 2000), words)


@given(texts=st.lists(EDITS, min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_text_and_json_give_the_edits_back(texts: list[str]) -> None:
    asked = WhatIf.of(*texts)
    assert WhatIf.of(*map(str, asked.edits)) == asked
    assert WhatIf.from_json(asked.json()) == asked


def test_a_disabled_draw_is_as_if_it_had_not_been_called(room: inspector.Capture) -> None:
    view = WhatIf((Disable(TORUS, TORUS),)).open(room)
    assert np.array_equal(view.image(TORUS), room.image(TORUS - 1))
    assert np.array_equal(view.image(TORUS - 1), room.image(TORUS - 1))
    assert not np.array_equal(view.image(FRAME[1], "back_buffer"), room.image(FRAME[1], "back_buffer"))
    assert np.array_equal(view.image(FRAME[1] + 200), room.image(FRAME[1] + 200))


def test_forced_state_holds_from_event_to_event(room: inspector.Capture) -> None:
    wrote = room.state(1281)["ALPHABLENDENABLE"]
    assert wrote.value and wrote.writer == 1281
    view = WhatIf.of("force ALPHABLENDENABLE=FALSE @ 1271..1291").open(room)
    values = [view.state(event)["ALPHABLENDENABLE"] for event in (1270, 1271, 1281, 1291, 1292, 1313)]
    assert [bool(one.value) for one in values] == [False, False, False, False, True, False]
    assert [room.state(event)["ALPHABLENDENABLE"].value for event in (1291, 1292)] == [True, True]
    with view.replay.at(1235) as driver:
        assert not driver.device.registers.render_state(27)


def test_a_forced_state_is_what_the_edited_token_would_set(room: inspector.Capture) -> None:
    forced = WhatIf.of("force TEXTUREMAP[0]=5 @ 1335..1342").open(room)
    edited = WhatIf.of("set 1335.value=5").open(room)
    assert np.array_equal(forced.image(1341), edited.image(1341))
    assert not np.array_equal(forced.image(1341), room.image(1341))
    assert edited.text(1335) == "TEXTURESTAGESTATE stage=0 TEXTUREMAP=#5" and room.text(1335).endswith("#23")
    bytes_too = WhatIf.of("bytes 1335+4=05000000").open(room)
    assert np.array_equal(bytes_too.image(1341), edited.image(1341))


def test_presets_do_what_they_are_called(room: inspector.Capture) -> None:
    when = f"@ {FRAME[0]}..{FRAME[1]}"
    wireframe = WhatIf.of(f"preset wireframe {when}").open(room).image(FRAME[1], "back_buffer")
    cleared = np.array([0x10, 0x16, 0x24])
    assert (wireframe[..., :3] == cleared).all(-1).mean() > 0.5
    plain = WhatIf.of(f"preset no-texture {when}").open(room)
    assert all(plain.state(TORUS)[("TEXTURESTAGE", stage, "TEXTUREMAP")].value == 0 for stage in range(8))
    for name in PRESETS:
        assert len(preset(name, 1, 2)) == len(PRESETS[name])
        WhatIf(preset(name, *FRAME)).open(room)


def test_primitives_are_those_of_the_draw(room: inspector.Capture) -> None:
    view = WhatIf((Primitives(TORUS, 0, 300),)).open(room)
    assert np.array_equal(view.image(TORUS), room.image(TORUS, primitive=300))
    rest = WhatIf((Primitives(TORUS, 301, 2000),)).open(room)
    changed = [(one.image(TORUS) != room.image(TORUS - 1)).any(-1) for one in (view, rest, room)]
    assert (changed[0] | changed[1] == changed[2]).all()


def test_a_texture_shows_its_picture(room: inspector.Capture, tmp_path: Path) -> None:
    red = np.zeros((4, 4, 4), np.uint8)
    red[...] = (255, 0, 0, 255)
    view = WhatIf((Texture.of(23, red),)).open(room)
    for level in (0, 6):
        assert (view.image(FRAME[1], Subresource(23, level)) == (255, 0, 0, 255)).all()
    assert (room.image(FRAME[1], 23)[..., 1] > 0).any()
    ring = (room.image(TORUS) != room.image(TORUS - 1)).any(-1)
    shown = view.image(TORUS)[ring].astype(int)
    assert (shown[:, 0] > shown[:, 2] + 40).mean() > 0.5 and (shown[:, 1] == shown[:, 2]).mean() > 0.5
    one_level = WhatIf((Texture.of(23, red, level=1),)).open(room)
    assert (one_level.image(FRAME[1], Subresource(23, 1))[..., 0] == 255).all()
    assert np.array_equal(one_level.image(FRAME[1], 23), room.image(FRAME[1], 23))


def test_writes_do_not_undo_a_picture(tmp_path: Path) -> None:
    steps = [("draws", 1), ("new_texels", 3), ("draws", 2), ("new_texels", 4)]
    white = np.full((8, 8, 4), 255, np.uint8)
    with capture_of(stream(steps), tmp_path) as capture:
        view = WhatIf((Texture.of(TEXTURE, white, first=18),)).open(capture)
        last = len(view.events) - 1
        assert (view.image(last, TEXTURE) == 255).all() and (view.image(20, TEXTURE) == 255).all()
        assert np.array_equal(view.image(15, TEXTURE), capture.image(15, TEXTURE))
        assert not (capture.image(last, TEXTURE) == 255).all()


def test_a_shader_is_assembled_in_place(room: inspector.Capture, tmp_path: Path) -> None:
    code = "ps_1_1\ndef c0, 1, 0, 0, 1\nmov r0, c0\n"
    view = WhatIf((Shader(7, code),)).open(room)
    sphere = (room.image(1349) != room.image(1348)).any(-1)
    assert (view.image(1349)[sphere][:, :3] == (255, 0, 0)).all()
    made = next(e for e in range(len(room.events)) if view.name(e) == "CREATEPIXELSHADER")
    assert view.event(made).data[-assemble(code).nbytes :] == assemble(code).tobytes()
    assert len(view.events) == len(room.events) and view.text(TORUS) == room.text(TORUS)
    assert [view.text(event) for event in range(made + 1, made + 40)] == [room.text(e) for e in range(made + 1, made + 40)]


def test_edits_are_kept_beside_a_capture_and_in_it(tmp_path: Path) -> None:
    path = Path(shutil.copy(ROOM, tmp_path))
    picture = np.arange(64, dtype=np.uint8).reshape(4, 4, 4)
    asked = WhatIf((Texture.of(23, picture), Shader(7, "ps_1_1\nmov r0, v0"), Force("CULLMODE", "NONE", 3, 9)))
    saved = asked.save(path)
    assert saved.name == "room.what-if.json" and WhatIf.load(path) == asked
    with inspector.open(path) as capture:
        asked.annotate(capture, inspector.Focus(event=7))
        assert kept(capture) == [("#event=7", asked)]
        assert np.array_equal(asked.open(capture).image(1423, Subresource(23, 4)), picture)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("explode 3", "unknown edit"), ("disable x", "example: "), ("disable 99999999", "event 99999999 is out of range"),
        ("disable 9..3", "after the last"), ("force NOSUCHSTATE=1", "unknown state"),
        ("force ALPHAREFF=1", "did you mean ALPHAREF"),
        ("force CULLMODE=SIDEWAYS", "no Cull"), ("force VIEW=1 2 3", "3 values; expected 16"),
        ("preset rainbow", "expected one of wireframe"),
        ("set 1335.colour=5", "it has"), ("set 1335.value=blue", "blue"), ("bytes 1335+400=00", "the record has"),
        ("set 1340.nothing=1", "no such field"), ("texture 999=no.png", "no such file"), ("shader 7=no.txt", "cannot read"),
        ("primitives 1335=0..3", "draws no primitives"), ("set 1423.nothing=1", "has the arguments"),
        ("bytes 1335+0=ffffffff", ""),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_a_sentence(room: inspector.Capture, text: str, sentence: str) -> None:
    if not sentence:  # nonsense within a token's size is the program's business, not ours
        WhatIf.of(text).open(room).image(1341)
        return
    with pytest.raises(BadInput, match=sentence):
        WhatIf.of(text).open(room)


def test_an_edit_must_leave_the_number_of_tokens(room: inspector.Capture) -> None:
    maker = next(e for e in range(len(room.events)) if room.name(e) == "CREATEPIXELSHADER")
    with pytest.raises(BadInput, match="leaves"):
        WhatIf.of(f"set {maker}.code_size=4").open(room)
    with pytest.raises(BadInput):
        parse("")


def test_a_view_answers_what_a_capture_does(room: inspector.Capture) -> None:
    view = WhatIf.of("disable 1340", "force ALPHAREF=7 @ 1103..1423").open(room)
    assert view.ask(inspector.Sql("SELECT state(1351, 'ALPHAREF')")).rows[0][0] == 7
    assert room.ask(inspector.Sql("SELECT state(1351, 'ALPHAREF')")).rows[0][0] != 7
    assert 1340 not in {entry.event for entry in view.ask(inspector.PixelHistory("back_buffer", 150, 200, last=1422)).entries}
    assert 1340 in {entry.event for entry in room.ask(inspector.PixelHistory("back_buffer", 150, 200, last=1422)).entries}
    assert len(view.ask(inspector.Search("ALPHAREF == 7"))) > 0
    assert view.vertices(1190, "transformed").rows.tolist() == room.vertices(1190, "transformed").rows.tolist()
    assert len(view.resources.lives.all) == len(room.resources.lives.all)


@pytest.mark.parametrize("format", ["DXT1", "DXT3", "DXT5", "R5G6B5", "A8", "L8", "V8U8", "A4R4G4B4"])
def test_a_picture_is_packed_in_the_format_of_the_surface(tmp_path: Path, format: str) -> None:
    number = next(row.id for row in FORMATS.values() if row.name == format)
    surface = call("CreateSurface", handle=40, width=20, height=12, format=number, label="texture", levels=3)
    picture = np.full((12, 20, 4), 255, np.uint8)
    picture[:, :10] = (0, 0, 0, 255)
    with capture_of([*stream([("draws", 1)]), surface, *stream([])[-1:]], tmp_path) as capture:
        view = WhatIf((Texture.of(40, picture),)).open(capture)
        last = len(view.events) - 1
        shown = view.image(last, 40).astype(int)
        small = view.image(last, Subresource(40, level=2))
    assert small.shape == (3, 5, 4)
    if format == "A8":
        assert (shown[..., 3] == 255).all()
        return
    apart = np.abs(shown[..., 0] - picture[..., 0])
    assert apart[:, :8].max() <= 8 if format != "V8U8" else (apart[:, 10:] == 0).all()
    assert apart[:, 12:].max() <= 8


@pytest.mark.parametrize("edit", [
    3, {"kind": "paint"}, {"kind": "disable", "first": "x", "last": 3}, {"kind": "disable", "first": 1},
    {"kind": "shader", "handle": 5, "code": None}, {"kind": "texture", "handle": 23, "png": "?"},
    {"kind": "texture", "handle": 23, "png": "AAAA"},
    {"kind": "force", "key": {"a": 1}, "value": 3}, {"kind": "force", "key": "ALPHAREF", "value": None},
    {"kind": "force", "key": ["LIGHT", 0, "Diffuse"], "value": [1, 2]},
    {"kind": "primitives", "event": -5, "first": 0, "last": 0},
    {"kind": "bytes", "event": 1335, "at": -9, "data": "AAAA"},
])  # fmt: skip
def test_json_that_is_no_what_if_is_refused(room: inspector.Capture, edit: object) -> None:
    with pytest.raises(BadInput):
        WhatIf.from_json(json.dumps({"what_if": [edit]})).open(room)
