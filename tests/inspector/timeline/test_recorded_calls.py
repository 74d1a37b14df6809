"""What a tape says of its DrawPrimitives2 calls is what is listed, shown and drawn: failures, unknown commands, empty ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inspector
from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.spec.enums import DdBlt, HResult
from inspector.exports.edited import export_edited
from inspector.exports.recording import write_recording
from inspector.imports.recording import import_recording
from inspector.query.what_if.edits import Shader
from inspector.tape import MemoryTape, Tape, TapeWriter
from inspector.tape.record import Recorder
from inspector.tape.recording import Record, pack_header, pack_record
from inspector.timeline.lives import PIXEL_SHADER
from tests.driver_calls import stream
from tests.inspector.streams import SIZE, TARGET, beginning, capture_of

UNPARSED = int(HResult.D3DERR_COMMAND_UNPARSED)
CULL = [stream(("RENDERSTATE", {"items": [{"state": 22, "value": value}]})) for value in (2, 1)]
RED, TURN = 0xFFFF0000, ("CLEAR", {"items": [(0, 0, SIZE, SIZE)], "flags": 1, "color": 0xFFFF0000})
UNKNOWN = bytes((200, 0, 0, 0, 1, 2, 3, 4))


def drawn(commands: bytes, result: int = 0, out: dict[str, Any] | None = None) -> DdiCall:
    """A DrawPrimitives2 as a tape has it."""
    return DdiCall("DrawPrimitives2", {"context": 1}, {"commands": commands}, result, out or {})


def taped(path: Path, *calls: DdiCall, kind: str = ".ddicap") -> inspector.Capture:
    """A capture of `calls` after the usual beginning: a capture file, or the recording of a driver, imported."""
    if kind == ".ddicap":
        return capture_of([*beginning(), *calls], path)
    file = path / "made.ddirec"
    records = [Record(call.entry, call.result, 0, 0, 0, 0, call.args, call.out, call.data) for call in calls]
    with capture_of(beginning(), path, "start.ddicap") as start:
        write_recording(start.tape, file)
        first = len(start.calls)
    with file.open("ab") as out:
        for number, record in enumerate(records):
            out.write(pack_record(first + number, record))
    with TapeWriter(path / "imported.ddicap", durable=False) as writer:
        import_recording(file, writer)
    return inspector.open(path / "imported.ddicap")


@pytest.mark.parametrize("kind", [".ddicap", ".ddirec"])
def test_a_call_that_failed_ends_at_its_error_offset(tmp_path: Path, kind: str) -> None:
    failed = drawn(CULL[0] + CULL[1] + stream(TURN), UNPARSED, {"error_offset": 12})
    with taped(tmp_path, failed, drawn(CULL[0]), kind=kind) as capture:
        last = len(capture.events) - 1
        done, first, second, after = range(last - 3, last + 1)
        assert [capture.text(event) for event in (first, second)] == [
            "RENDERSTATE CULLMODE=NONE",
            f"CLEAR flags=TARGET color=0xffff0000 depth=0.0 stencil=0 rects=(0 0 {SIZE} {SIZE})",
        ]
        assert [capture.events.is_done(event) for event in (done, first, second, after)] == [True, False, False, True]
        assert capture.state(after)["CULLMODE"].text == "CW"
        np.testing.assert_array_equal(capture.image(after, TARGET), capture.image(done, TARGET))
        assert [(one.rule, one.seq) for one in capture.findings if one.rule == "failed-call"] == [("failed-call", first)]
        assert [found.rule for found in capture.ask(inspector.Findings())].count("failed-call") == 1


def test_what_was_not_carried_out_draws_nothing_and_makes_nothing(tmp_path: Path) -> None:
    draws = stream(("DRAWPRIMITIVE", {"type": 4, "start": 0, "count": 1}))
    shader = stream(("CREATEPIXELSHADER", {"shader": 3, "code": [0xFFFF0101, 0x0000FFFF]}))
    with taped(tmp_path, drawn(CULL[0] + shader + draws, UNPARSED, {"error_offset": 12})) as capture:
        last = len(capture.events) - 1
        assert capture.name(last) == "DRAWPRIMITIVE"
        assert (last in capture.draws, capture.primitives(last)) == (False, 0)
        assert not [one for one in capture.resources.lives.all if one.space == PIXEL_SHADER]


def test_a_call_that_was_to_be_tried_again_did_nothing(tmp_path: Path) -> None:
    with taped(tmp_path, drawn(CULL[0], int(HResult.DDERR_WASSTILLDRAWING))) as capture:
        last = len(capture.events) - 1
        assert not capture.events.is_done(last)
        assert capture.state(last)["CULLMODE"].text == "NONE"


@pytest.mark.parametrize("kind", [".ddicap", ".ddirec"])
def test_what_follows_an_unknown_command_that_was_parsed_is_there(tmp_path: Path, kind: str) -> None:
    commands = CULL[0] + UNKNOWN + CULL[1] + stream(TURN)
    with taped(tmp_path, drawn(commands, 0, {"error_offset": 0, "resumed": (12, 20)}), kind=kind) as capture:
        last = len(capture.events) - 1
        assert [capture.name(event) for event in range(last - 2, last + 1)] == ["RENDERSTATE", "RENDERSTATE", "CLEAR"]
        assert capture.state(last)["CULLMODE"].text == "NONE"
        assert (capture.image(last, TARGET) == (255, 0, 0, 255)).all()
        assert capture.findings == []
        assert capture.events.errors == ()


def test_a_recorder_keeps_where_the_callback_resumed(tmp_path: Path) -> None:
    tape, driver = MemoryTape(), EmulatedDriver()
    driver.parse_unknown_command = lambda commands, offset: offset + 8
    recorder = Recorder(driver, tape)
    for call in [*beginning(), drawn(CULL[0] + UNKNOWN + CULL[1])]:
        recorder.call(call)
    assert tape.calls[-1].out["resumed"] == (12, 20)
    assert tape.call_index().records[-1] == 2


def test_a_driver_of_its_own_says_where_it_resumed_in_a_call_of_its_own(tmp_path: Path) -> None:
    """ddir_parse_unknown_command: offsets from lpDDCommands' memory, before the draw that they belong to."""
    draw = {"context": 1, "command_offset": 100, "command_length": 32}
    records = [
        Record("ContextCreate", args={"context": 1, "render_target": 0, "depth_stencil": 0}),
        Record("ParseUnknownCommand", args={"command_offset": 112}, out={"resume_offset": 120}),
        Record("DrawPrimitives2", args=draw, out={"error_offset": 0}, data={"commands": CULL[0] + UNKNOWN + CULL[1]}),
        Record("DrawPrimitives2", args=draw, out={"error_offset": 0}, data={"commands": CULL[0]}),
    ]
    file = tmp_path / "a.ddirec"
    file.write_bytes(pack_header() + b"".join(pack_record(n, record) for n, record in enumerate(records)))
    with TapeWriter(tmp_path / "a.ddicap", durable=False) as writer:
        import_recording(file, writer)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        assert [call.out.get("resumed") for call in capture.calls] == [None, (12, 20), None]
        assert len(capture.events) == 4
        assert write_recording(capture.tape, tmp_path / "b.ddirec") == 3
    with TapeWriter(tmp_path / "b.ddicap", durable=False) as writer:
        import_recording(tmp_path / "b.ddirec", writer)
    with Tape(tmp_path / "b.ddicap") as tape:
        assert tape.calls[1].out["resumed"] == (12, 20)


def test_a_call_that_failed_when_recorded_stays_failed_in_a_recording(tmp_path: Path) -> None:
    """DirectDraw refused this fill; a recording has a call's result, and no argument for it."""
    fill = {"destination": TARGET, "flags": DdBlt.COLORFILL, "color": RED}
    refused = DdiCall("Blt", {**fill, "recorded": int(HResult.DDERR_INVALIDRECT)})
    done = DdiCall("Blt", {**fill, "color": 0xFF00FF00, "rect": (0, 0, 4, 4)})
    with capture_of([*beginning(), refused, done], tmp_path) as whole:
        write_recording(whole.tape, tmp_path / "b.ddirec")
        with inspector.open(tmp_path / "b.ddirec") as again:
            last = len(whole.events) - 1
            assert again.text(last - 1) == whole.text(last - 1) and "DDERR_INVALIDRECT" in again.text(last - 1)
            for capture in (whole, again):
                np.testing.assert_array_equal(capture.image(last - 1, TARGET), capture.image(last - 2, TARGET))
                assert [capture.events.is_done(event) for event in (last - 2, last - 1, last)] == [True, False, True]
            np.testing.assert_array_equal(again.image(last, TARGET), whole.image(last, TARGET))


def test_every_command_is_an_event(tmp_path: Path) -> None:
    """wStateCount 0: the command does nothing, and is there."""
    empty = bytes((8, 0, 0, 0, 52, 0, 0, 0, 49, 0, 0, 0, 35, 0, 0, 0, 54, 0, 0, 0, 61, 0, 0, 0))
    with taped(tmp_path, drawn(CULL[0] + empty + CULL[1])) as capture:
        last = len(capture.events) - 1
        texts = [capture.text(event) for event in range(last - 7, last + 1)]
        assert texts == [
            "RENDERSTATE CULLMODE=CW", "RENDERSTATE wStateCount=0", "DRAWPRIMITIVE wPrimitiveCount=0",
            "SETSTREAMSOURCE wStateCount=0", "CREATELIGHT wStateCount=0", "CREATEPIXELSHADER wStateCount=0",
            "DRAWRECTPATCH wPrimitiveCount=0", "RENDERSTATE CULLMODE=NONE",
        ]  # fmt: skip
        draw = last - 5
        detail = capture.event(draw)
        assert detail.data == bytes((52, 0, 0, 0))
        assert [field.name for field in detail.fields] == ["bCommand", "wPrimitiveCount"]
        assert draw not in capture.draws and capture.primitives(draw) == 0
        assert capture.resources is not None
        rules = {(one.rule, one.seq) for one in capture.findings}
        assert {("one-binding", last - 4), ("empty-draw", draw)} <= rules
        np.testing.assert_array_equal(capture.image(last, TARGET), capture.image(last - 8, TARGET))


def test_what_if_moves_the_places_that_a_tape_tells(tmp_path: Path) -> None:
    """A shader that is replaced by a longer one, before the offset: the call still ends at the same command."""
    shader = stream(("CREATEPIXELSHADER", {"shader": 3, "code": [0xFFFF0101, 0x0000FFFF]}))
    failed = drawn(shader + CULL[0] + CULL[1], UNPARSED, {"error_offset": len(shader) + 12})
    with taped(tmp_path, failed) as capture:
        edited = capture.edited([Shader(3, "ps_1_1\nmov r0, c0")])
        last = len(edited.events) - 1
        assert edited.calls[int(edited.events.call[last])].out["error_offset"] > len(shader) + 12
        assert edited.state(last)["CULLMODE"].text == "CW"
        export_edited(edited, tmp_path / "edited.ddicap")
    with inspector.open(tmp_path / "edited.ddicap") as written:
        assert written.name(len(written.events) - 1) == "RENDERSTATE"
        assert written.state(len(written.events) - 1)["CULLMODE"].text == "CW"
