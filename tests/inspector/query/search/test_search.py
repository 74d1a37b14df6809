"""What filters mean on the built-in capture, their notes and completions, and what takes drawing to know."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

import inspector
from core.ddi.calls import DdiCall
from core.errors import Cancelled
from core.spec.tokens import Op
from inspector.query.search.completion import COLUMNS, CONDITIONS, FUNCTIONS, Completion, complete, completions
from inspector.query.search.fields import MAKERS
from inspector.query.search.masks import COUNTED, DOLLARS, PREDICATES
from inspector.query.search.syntax import (
    notes,
    parse,
)
from inspector.tape import TapeWriter
from tests.inspector.conftest import ROOM


def test_plain_words_beside_required_ones_are_worth_a_note() -> None:
    assert notes(parse("+a b")) and not notes(parse("+a -b")) and not notes(parse("a (+b)"))


def test_findings_that_need_drawing_are_worth_a_note() -> None:
    (note,) = notes(parse("$draw() and finding(bad-*)"))
    assert "rules that need drawing" in note and not notes(parse("finding"))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 3029),
        ("$action()", 80 + 16 + 5 + 8),
        ("$action() -Copy -Clear", 80 + 8),
        ("$action() (+Bind +Buffer)", 109),
        ("$draw()", 80),
        ("$draw(flags & Indexed)", 64),
        ("$draw(flags & Clear|Indexed)", 64),
        ("$clear(flags & ClearDepthStencil)", 16),
        ("$dispatch()", 0),
        ("+$action(EID > 2000) +Present", 4),
        ("+RENDERSTATE +zfunc", 57),
        ("$regex(/^CLEAR .*stencil/i)", 16),
        ("$regex(/^clear/)", 0),
        ("$param(PrimitiveCount: 2) and $draw()", 8),
        ("$param(flags == TARGET|ZBUFFER|STENCIL)", 8),
        ("$childOf(Frame 3) and $draw()", 10),
        ("$parent(DrawPrimitives2) and $draw()", 80),
        ("$api(IDirect3DDevice8::Clear)", 16),
        ("IDirect3DDevice8::Clear", 16),
        ("+idirect3ddevice8::clear -CLEAR", 0),
        ("frame == 3..5 and $draw()", 30),
        ("op == CLEAR", 16),
        ("draw == 7", 1),
        ("draw < 7", 7),
        ("uses(41) and $draw()", 16),
        ("$state() and not set(*)", 0),
        ("$event(EID < 10)", 10),
    ],
)
def test_counts_on_the_built_in_capture(room: inspector.Capture, text: str, count: int) -> None:
    assert len(room.ask(inspector.Search(text))) == count


def test_parameters_of_api_calls_are_found(room: inspector.Capture) -> None:
    found = room.ask(inspector.Search("$param(State: ZFUNC)")).tolist()
    assert found
    assert all("ZFUNC" in room.source_text(int(room.events.source[event])) + room.text(event) for event in found)
    drawn = room.ask(inspector.Search("$draw() and $param(primCount > 100)")).tolist()
    calls = {event: dict(room.tape.source(int(room.events.source[event])).args) for event in room.draws.tolist()}
    assert drawn == [event for event, arguments in calls.items() if arguments.get("primCount", 0) > 100]


def test_tokens_of_the_same_bytes_differ_by_the_command_s_count(tmp_path: Path) -> None:
    commands = bytearray()
    for count in (1, 2, 1):
        commands += struct.pack("<BBHH", Op["TRIANGLELIST"], 0, count, 0)
    with TapeWriter(tmp_path / "a.ddicap", durable=False) as writer:
        arguments = {"context": 1, "command_length": len(commands)}
        writer.append(DdiCall("DrawPrimitives2", arguments, {"commands": bytes(commands)}))
    with inspector.open(tmp_path / "a.ddicap") as capture:
        assert capture.ask(inspector.Search('"primitives=2"')).tolist() == [1]
        assert capture.ask(inspector.Search("primitives == 1")).tolist() == [0, 2]


def test_searching_can_be_cancelled() -> None:
    with inspector.open(ROOM) as capture, pytest.raises(Cancelled):
        capture.ask(inspector.Search("blend"), lambda: True)


def test_completions_begin_with_what_is_typed(room: inspector.Capture) -> None:
    assert completions("$draw() and ALPHAR", room)[0] == "ALPHAREF"
    assert "$draw(" in completions("$dr", room)
    assert "LIGHT[1].Enabled" in completions("light[1].e", room)
    assert completions("", room) == completions("blend ", room) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ALPHAFUNC == L", ["LESS", "LESSEQUAL"]),
        ("not COLOROP[0] != modulate4", ["MODULATE4X"]),
        ("ALPHATESTENABLE==", ["TRUE", "FALSE", "default"]),
        ("ALPHAREF > ", []),
        ("changed(FOGST", ["FOGSTART"]),
        ("finding(bad-arg", ["bad-argument"]),
        ("flags & Indexed|ClearC", ["ClearColor"]),
        ("op == DRAWREC", ["DRAWRECTPATCH"]),
    ],
)
def test_completions_know_what_can_stand_there(room: inspector.Capture, text: str, words: list[str]) -> None:
    found = complete(text)
    assert [one.word for one in found][: len(words)] == words and bool(found) == bool(words)
    assert all(text[one.begin :].casefold() in one.word.casefold() for one in found)


def test_every_completed_filter_means_something_and_every_word_is_described() -> None:
    assert set(FUNCTIONS) == set(DOLLARS) and set(CONDITIONS) == set(PREDICATES)
    described = {name for name in MAKERS if not name.startswith("dispatch") and name != "duration"} | set(COUNTED)
    assert described <= set(COLUMNS)
    assert Completion("ALPHAREF", "alpha test: 0 to 0xff; at first 0x00", 0) in complete("alphar")
    for text in ("ALPHAFUNC == L", "flags & In", "op == C", "finding(b", "set(Z"):
        for one in complete(text):
            parse(text[: one.begin] + one.word + (")" if "(" in text else ""))


@pytest.mark.parametrize(
    "text", ["pixels > 20000", "touches(320, 240)", "not (culled > 700)", "touches(0, 0, 9, 9) or texkill == 1"]
)
def test_what_takes_drawing_is_only_asked_where_the_rest_holds(room: inspector.Capture, text: str) -> None:
    whole, frame = (set(room.ask(inspector.Search(part)).tolist()) for part in (text, "frame == 2"))
    for both in (
        f"frame == 2 and ({text})",
        f"({text}) && frame == 2",
        f"+frame==2 +({text})",
        f"$event(frame == 2 and ({text}))",
    ):
        assert set(room.ask(inspector.Search(both)).tolist()) == whole & frame
    assert set(room.ask(inspector.Search(f"+frame==2 -({text})")).tolist()) == frame - whole


def test_touches_finds_every_event_that_makes_a_pixel_another(room: inspector.Capture) -> None:
    frame, x, y = room.frames[3], 320, 240
    found = set(room.ask(inspector.Search(f"frame == 3 and touches({x}, {y})")).tolist())
    looks = [event for event in range(frame.first_event, frame.last_event + 1) if event in found or room.events.draw[event]]
    changes = {event for event in looks
               if (room.image(event, "back_buffer")[y, x] != room.image(event - 1, "back_buffer")[y, x]).any()}  # fmt: skip
    assert changes and changes <= found
    assert all(room.name(event) == "CLEAR" or event in changes for event in found)


def test_counts_of_pixels_are_those_of_the_picture(room: inspector.Capture) -> None:
    draws = [event for event in room.draws.tolist() if room.frame_of(event) == 3]
    for event in draws:
        changed = int(room.ask(inspector.PixelsOf(event)).changed.sum())
        assert event in room.ask(inspector.Search(f"frame == 3 and pixels == {changed}")).tolist()
