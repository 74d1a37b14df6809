"""An exported what-if is a capture that shows what the view showed, without any edits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.ddi.stream.state_tokens import state_tokens
from core.device.registers.states import LEGACY_STATES
from core.errors import BadInput
from core.spec.enums import HResult
from core.spec.slots import ROWS, SLOTS, SlotRow
from core.spec.states import RENDER_STATE_ID
from core.spec.subresource import Subresource
from inspector.exports.edited import cut_draw, export_edited
from inspector.query.comparison.verify import Verify, parting
from inspector.query.what_if.edits import Texture
from inspector.query.what_if.what_if import WhatIf
from tests.inspector.streams import KINDS, call, capture_of, clear, stream, tokens

STEPS = st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 99)), min_size=3, max_size=6)
EDITS = st.sampled_from([
    "disable 20", "disable 12..22", "preset wireframe", "force ALPHABLENDENABLE=1 @ 14..22", "force CULLMODE=CW",
    "force VIEWPORT.Width=9 @ 18..21", "preset no-texture @ 15..", "force COLOROP[0]=SELECTARG1", "set 17.color=0xff00ff00",
])  # fmt: skip


def exported(view: inspector.Capture, folder: Path) -> inspector.Capture:
    export_edited(view, folder / "exported.ddicap")
    return inspector.open(folder / "exported.ddicap")


def test_a_capture_without_edits_is_not_exported(room: inspector.Capture, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nothing is edited"):
        export_edited(room, tmp_path / "exported.ddicap")
    assert not list(tmp_path.iterdir())


@given(steps=STEPS, texts=st.lists(EDITS, min_size=1, max_size=3))
@settings(max_examples=5, deadline=None)
def test_frames_hash_as_the_views_do(tmp_path_factory: pytest.TempPathFactory, steps: list, texts: list[str]) -> None:
    folder = tmp_path_factory.mktemp("exported")
    with capture_of(stream([*steps, ("draws", 7), ("draws", 8)]), folder) as capture:
        view = WhatIf.of(*texts).open(capture)
        with exported(view, folder) as written:
            ends = [side.ask(Verify("token")).steps[-1].total for side in (view, written)]
            assert ends[0] == ends[1]
            last = len(view.events) - 1, len(written.events) - 1
            assert np.array_equal(view.walked.states.vector(last[0], SLOTS), written.walked.states.vector(last[1], SLOTS))


@pytest.mark.parametrize("texts", [
    ("disable 1340",), ("preset wireframe @ 1103..1423",), ("force LIGHT.0.Diffuse=1 0 0 1 @ 1151..1351",),
    ("force WORLD0=1 0 0 0 0 1 0 0 0 0 1 0 0 1 0 1 @ 1331..1351",), ("force PIXELSHADER=0 @ 1103..1423",),
    ("force VERTEXSHADER=0x112 @ 1341..1349",), ("force MATERIAL.Diffuse=0 1 0 1 @ 1301..1305", "primitives 1340=100..700"),
    ("force LIGHT.1.Enabled=0 @ 1103..1423", "force VSCONST.8=1 0 0 1 @ 1341..1349", "set 1423.source_box=0 0 320 240"),
])  # fmt: skip
def test_edits_of_the_room_are_tokens_and_calls(room: inspector.Capture, tmp_path: Path, texts: tuple[str, ...]) -> None:
    view = WhatIf.of(*texts).open(room)
    with exported(view, tmp_path) as written:
        assert len(written.frames) == len(view.frames)
        for frame in (2, 3, 7):
            pictures = [side.image(side.frames[frame].last_event, "back_buffer") for side in (view, written)]
            assert np.array_equal(*pictures)
        assert written.tape.meta["edits"] == [str(edit) for edit in view.edits]
        event = int(written.draws[25])
        sources = [int(side.events.source[at]) for side, at in ((written, event), (room, room.draws[25]))]
        assert written.source_text(sources[0]) == room.source_text(sources[1])


def test_textures_and_shaders_are_written(room: inspector.Capture, tmp_path: Path) -> None:
    picture = np.random.default_rng(1).integers(0, 256, (16, 16, 4), dtype=np.uint8)
    (tmp_path / "ps.txt").write_text("ps_1_1\ndef c0, 1, 0, 0, 1\nmov r0, c0")
    asked = WhatIf.of(f"shader 7={tmp_path / 'ps.txt'}").add(Texture.of(23, picture, first=1103))
    view = asked.open(room)
    with exported(view, tmp_path) as written:
        assert parting(view.ask(Verify("frame")), written.ask(Verify("frame"))) is None
        assert np.array_equal(written.image(written.frames[2].last_event, Subresource(23, 2)), picture)


@pytest.mark.parametrize("name", ["lighting_test", "test_alphatest", "depth_buffer_test"])
def test_real_captures_are_edited_and_written(captures: Path, tmp_path: Path, name: str) -> None:
    """Seeking in the view, executing its calls, its state index, and the capture written from it all agree."""
    with inspector.open(captures / "tests" / f"{name}.trace") as capture:
        draw = int(capture.draws[len(capture.draws) // 2])
        view = WhatIf.of("preset wireframe", "force CULLMODE=NONE", "force AMBIENT=0xff123456", f"disable {draw}").open(capture)
        hashes, driver, last = view.ask(Verify("frame")), view.driver(), len(view.events) - 1
        for number, one in enumerate(view.calls):
            driver.run(one, view.events.of_call(number).start)
        assert np.array_equal(driver.device.registers.vector[:SLOTS], view.walked.states.vector(last, SLOTS))
        assert hashes != capture.ask(Verify("frame"))
        with exported(view, tmp_path) as written:
            assert parting(hashes, written.ask(Verify("frame"))) is None


def test_nothing_edited_is_the_same_capture(room: inspector.Capture, tmp_path: Path) -> None:
    with exported(WhatIf().open(room), tmp_path) as written:
        assert len(written.events) == len(room.events)
        assert parting(room.ask(Verify("token")), written.ask(Verify("token"))) is None
        assert [written.text(event) for event in range(700, 1400, 13)] == [room.text(event) for event in range(700, 1400, 13)]
        assert len(written.findings) == len(room.findings)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_tokens_set_the_slots_to_what_they_hold(data: st.DataObject) -> None:
    """A second driver that reads the tokens holds the same dwords, and no others differ from the first."""
    row = data.draw(st.sampled_from([row for row in ROWS if not _told_otherwise(row)]))
    words = np.array(data.draw(st.lists(st.integers(0, 1000), min_size=row.count, max_size=row.count)), np.uint32)
    if row.key == "VERTEXSHADER":
        words &= np.uint32(0xFFFE)
    drivers = [EmulatedDriver(draws=False) for _ in range(2)]
    for driver in drivers:
        driver.call(call("ContextCreate", context=1, width=8, height=8))
    drivers[0].device.registers.write(row.slot, words, 0)
    made = state_tokens(drivers[0].device.registers, row.slot, row.count)
    assert made is not None
    reader = tokens()
    reader.data["commands"], reader.args["command_length"] = made, len(made)
    drivers[1].call(reader)
    assert np.array_equal(drivers[0].device.registers.vector, drivers[1].device.registers.vector)


def _told_otherwise(row: SlotRow) -> bool:
    """Slots that other tokens set, too: the scene, user memory, states of earlier DirectX versions."""
    if row.key == "SCENE" or (isinstance(row.key, tuple) and row.key[-1] in ("user_memory", "ADDRESS")):
        return True
    return row.slot in (*LEGACY_STATES, RENDER_STATE_ID["SCENECAPTURE"])


def test_draws_are_cut_where_a_token_can_say_so() -> None:
    def cut(op: str, first: int, last: int, **fields: int | str) -> list[int] | None:
        out = bytearray()
        dp2.emit(out, op, [fields])
        made = cut_draw(bytes(out), first, last, 2)
        return None if made is None else np.frombuffer(made[4:], "<u4").tolist()

    assert cut("DRAWPRIMITIVE", 2, 3, type="TRIANGLELIST", start=9, count=10) == [4, 15, 2]
    assert cut("DRAWPRIMITIVE", 2, 99, type="TRIANGLESTRIP", start=9, count=10) == [5, 11, 8]
    assert cut("DRAWPRIMITIVE", 1, 3, type="TRIANGLESTRIP", start=0, count=10) is None
    assert cut("DRAWPRIMITIVE", 1, 3, type="TRIANGLEFAN", start=0, count=10) is None
    assert cut("DRAWPRIMITIVE", 0, 3, type="TRIANGLEFAN", start=5, count=10) == [6, 5, 4]
    indexed = {"type": "TRIANGLELIST", "min_index": 0, "vertex_count": 9, "count": 5}
    assert cut("DRAWINDEXEDPRIMITIVE", 1, 2, base=7, start=3, **indexed) == [4, 7, 0, 9, 6, 2]
    assert cut("DRAWINDEXEDPRIMITIVE2", 1, 2, base_offset=7, start_offset=6, **indexed) == [4, 7, 0, 9, 12, 2]


def test_what_no_token_says_is_refused(room: inspector.Capture, tmp_path: Path) -> None:
    for text in ("force SCENE=0 @ 1060..1070", "primitives 1134=1..1"):
        with pytest.raises(BadInput):
            exported(WhatIf.of(text).open(room), tmp_path)


def test_what_had_no_effect_has_none_after_it_is_written(tmp_path: Path) -> None:
    """A call that was answered DDERR_WASSTILLDRAWING did nothing, in the capture, in a view, and in what is written."""
    calls = stream([("draws", 1), ("clear", 5), ("draws", 2)])
    waited = next(one for one in calls if one.data.get("commands") == clear(5).data["commands"])
    with capture_of(calls, tmp_path) as done:
        waited.result = HResult.DDERR_WASSTILLDRAWING
        with capture_of(calls, tmp_path, "waited.ddicap") as capture:
            view = WhatIf.of("force ALPHAREF=3").open(capture)
            totals = [side.ask(Verify("frame")).steps[-1].total for side in (done, capture, view)]
            with exported(view, tmp_path) as written:
                assert written.ask(Verify("frame")).steps[-1].total == totals[1] == totals[2] != totals[0]
