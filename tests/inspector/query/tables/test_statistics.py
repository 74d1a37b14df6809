"""Statistics against counting event by event."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import inspector
from core.errors import BadInput
from inspector.cli import main
from tests.inspector.conftest import ROOM
from tests.inspector.following import followed
from tests.inspector.programs import PROGRAM, Step, capture_of, played

FEW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@FEW
@given(PROGRAM)
def test_sums_are_those_of_counting(program: list[Step]) -> None:
    with capture_of(program) as capture:
        figures = capture.ask(inspector.Statistics())
        vectors, written = followed(capture)
        stream = int(np.flatnonzero(capture.events.op)[0])
        shown = range(stream, capture.frames[-1].last_event + 1)  # what follows belongs to no frame
        by_program = [event for event in shown if written[event] and not capture.walked.initial[event]]
        changing = [e for e in by_program if any(vectors[e][slot] != vectors[e - 1][slot] for slot in written[e])]
        assert figures.total("state_set") == len(by_program)
        assert figures.total("state_changed") == len(changing)
        assert figures.total("state_redundant") == len(by_program) - len(changing)
        assert figures.total("draws") == len(capture.draws)
        assert figures.total("primitives") == sum(capture.primitives(event) for event in capture.draws.tolist())
        names = Counter(capture.name(event) for event in shown)
        assert figures.total("clears") == names["CLEAR"]
        counted = (call for number, call in enumerate(capture.calls) if capture.events.of_call(number).start < shown.stop)
        uploaded = sum(len(call.data["contents"]) for call in counted if "contents" in call.data)
        assert figures.total("bytes_uploaded") == uploaded


@FEW
@given(PROGRAM)
def test_frames_and_draws_add_up(program: list[Step]) -> None:
    with capture_of(program) as capture:
        whole, frames, draws = (capture.ask(inspector.Statistics(by)) for by in ("capture", "frame", "draw"))
        for name, column in whole.columns.items():
            assert frames.columns[name].sum() == pytest.approx(column.sum(), abs=0.1 * len(frames))
            assert draws.columns[name].sum() <= column.sum() + 0.1 * max(len(draws), 1)
        assert draws.number.tolist() == capture.draws.tolist()
        assert draws.columns["draws"].tolist() == [1] * len(draws)
        for frame in capture.frames:
            one = capture.ask(inspector.Statistics(frame=frame.index))
            assert one.total("draws") == frame.draws
            assert sum(use.draws for use in one.shaders if use.kind == "pixel_shader") == frame.draws


def test_a_draw_has_the_state_set_for_it(tmp_path: Path) -> None:
    story: list[Step] = [("draw", ()), ("state", (0, 3)), ("state", (0, 3)), ("texture", (0, 1)), ("draw", ())]
    with played(tmp_path / "a.ddicap", story) as capture:
        row = capture.ask(inspector.Statistics(event=int(capture.draws[1])))
        # ALPHAREF twice (once in vain), the texture, the stream again
        assert (row.total("state_set"), row.total("state_redundant")) == (4, 2)
        assert row.textures[0].draws == 1
        assert (row.textures[0].width, row.textures[0].bytes) == (8, 8 * 8 * 4 + 4 * 4 * 4)


def test_fates_add_up_and_belong_to_their_draws(room: inspector.Capture) -> None:
    frame = room.ask(inspector.Statistics(frame=3, pixels=True))
    draws = room.ask(inspector.Statistics("draw", frame=3, pixels=True))
    for name in ("clipped", "culled", "rasterised", "fragments", "written", "pixels"):
        assert frame.total(name) == draws.total(name)
    lost = sum(frame.total(name) for name in ("clipped", "culled", "degenerate", "empty"))
    assert frame.total("rasterised") + lost == frame.total("primitives")
    fates = ("texkill", "color_key", "alpha_test", "stencil_test", "depth_test", "masked", "written")
    assert sum(frame.total(fate) for fate in fates) == frame.total("fragments") > 0
    expected = draws.columns["written"] / np.maximum(draws.columns["pixels"], 1)
    assert np.allclose(draws.columns["overdraw"], np.where(draws.columns["pixels"] > 0, expected, 0))
    assert frame.total("cost_us") > room.ask(inspector.Statistics(frame=3)).total("cost_us")


def test_groups_tell_where_state_is_set_in_vain(room: inspector.Capture) -> None:
    groups = room.ask(inspector.Statistics()).groups
    vectors, written = followed(room)
    shown = [event for event in range(9, room.frames[-1].last_event + 1) if not room.walked.initial[event]]
    assert sum(group.set for group in groups) == sum(len(written[event]) for event in shown)
    changed = sum(vectors[event][slot] != vectors[event - 1][slot] for event in shown for slot in written[event])
    assert sum(group.changed for group in groups) == changed
    assert all(0 < group.unused + group.changed <= 2 * group.set or group.stage == "texgen" for group in groups)


def test_what_is_not_there_is_told(room: inspector.Capture) -> None:
    for wanted, message in (
        (inspector.Statistics(by="lunch"), "expected one of capture, frame, draw"),
        (inspector.Statistics(frame=99), "frame 99 is out of range"),
        (inspector.Statistics(event=3), "event 3 does not draw"),
    ):
        with pytest.raises(BadInput, match=message):
            room.ask(wanted)


def test_the_command_prints_tables_csv_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["statistics", str(ROOM), "--by", "frame", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["draws"] for row in rows] == ["10"] * 8
    assert main(["statistics", str(ROOM), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows"][0]["draws"] == 80
    assert told["shaders"][0]["kind"] == "vertex_shader"
    assert main(["statistics", str(ROOM), "--event", "905"]) == 0
    assert "state by pipeline stage" in capsys.readouterr().out
