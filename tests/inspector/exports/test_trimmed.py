"""A stretch of frames as a capture of its own: the same pixels, the same state, far less around them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from inspector.cli import main
from inspector.exports.trimmed import export_trimmed, used_in
from inspector.trimming import differing
from tests.inspector.conftest import ROOM

SAMPLES = sorted((ROOM.parent / "samples").glob("*.ddicap"))


def digests(capture: inspector.Capture, frame: int) -> dict:
    return capture.ask(inspector.Verify("frame")).digests(frame + 1)


@pytest.mark.parametrize("path", [ROOM, *SAMPLES], ids=lambda path: path.stem)
def test_trimmed_frames_draw_the_same(path: Path, tmp_path: Path) -> None:
    with inspector.open(path) as capture:
        middle = len(capture.frames) // 2
        last = min(middle + 1, len(capture.frames) - 1)
        export_trimmed(capture, tmp_path / "some.ddicap", middle, last, everything=True)
        with inspector.open(tmp_path / "some.ddicap") as trimmed:
            assert len(trimmed.frames) == last - middle + 1
            for frame in range(middle, last + 1):
                assert digests(trimmed, frame - middle) == digests(capture, frame)


def test_state_and_pictures_at_a_draw_are_the_same(room: inspector.Capture, tmp_path: Path) -> None:
    export_trimmed(room, tmp_path / "one.ddicap", 3, 3)
    with inspector.open(tmp_path / "one.ddicap") as trimmed:
        theirs = [event for event in room.draws.tolist() if room.frame_of(event) == 3]
        ours = trimmed.draws.tolist()
        assert len(ours) == len(theirs)
        assert [trimmed.text(event) for event in ours] == [room.text(event) for event in theirs]
        for a, b in zip(theirs, ours, strict=True):
            assert (room.image(a) == trimmed.image(b)).all()
        values = ({value.key: value.raw for value in capture.state(event).rows()}
                  for capture, event in ((room, theirs[-1]), (trimmed, ours[-1])))  # fmt: skip
        assert next(values) == next(values)
        x, y = 320, 240
        fates = [capture.ask(inspector.PixelHistory("render_target", x, y, draws[0], draws[-1])).fates
                 for capture, draws in ((room, theirs), (trimmed, ours))]  # fmt: skip
        assert fates[0] == fates[1] and fates[0]


def test_what_the_frames_do_not_use_is_left_out(room: inspector.Capture, tmp_path: Path) -> None:
    frame = room.frames[3]
    used = used_in(room, frame.first_event, frame.last_event)
    export_trimmed(room, tmp_path / "one.ddicap", 3, 3)
    with inspector.open(tmp_path / "one.ddicap") as trimmed:
        begin = int(trimmed.draws[0])
        first = int(trimmed.events.rows["call"][begin])
        uploaded = {call.args["handle"] for call in trimmed.calls[:first] if call.entry.startswith("Unlock")}
        roots = {info.handle for info in room.surfaces(frame.first_event)}
        assert (uploaded & roots) <= used and roots - used, "a surface that this frame does not use"


def test_the_command_checks_what_it_wrote(
    room: inspector.Capture, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "one.ddicap"
    assert main(["trim", str(ROOM), str(out), "--frames", "2,3"]) == 0
    assert "frames 2 to 3" in capsys.readouterr().out
    from inspector.exports import trimmed

    monkeypatch.setattr(trimmed, "uploads_of", lambda driver, used: iter(()))
    assert main(["trim", str(ROOM), str(out), "--frame", "3"]) == 1
    assert "do not end with the same surfaces: 3" in capsys.readouterr().out
    for words in (["--frame", "99"], ["--frames", "3,2"], ["--frames", "3"]):
        assert main(["trim", str(ROOM), str(out), *words]) == 2
    assert main(["trim", str(ROOM), str(tmp_path / "one.png"), "--frame", "1"]) == 2


def test_api_calls_are_kept_on_demand(room: inspector.Capture, tmp_path: Path) -> None:
    for api_calls in (False, True):
        export_trimmed(room, tmp_path / "one.ddicap", 3, 3, api_calls=api_calls)
        with inspector.open(tmp_path / "one.ddicap") as trimmed:
            draw, there = int(trimmed.draws[-1]), [event for event in room.draws.tolist() if room.frame_of(event) == 3][-1]
            assert trimmed.event(draw).source_text == (room.event(there).source_text if api_calls else "")
            assert np.array_equal(trimmed.image(draw), room.image(there))


def test_frames_are_compared_by_number_where_only_later_ones_are_listed(room: inspector.Capture, tmp_path: Path) -> None:
    with inspector.open(ROOM, frames=(2, 5)) as part:
        export_trimmed(part, tmp_path / "two.ddicap", 3, 4, everything=True)
        assert differing(part, tmp_path / "two.ddicap", 3, 4, everything=True) == []
        export_trimmed(part, tmp_path / "others.ddicap", 2, 3, everything=True)
        assert differing(part, tmp_path / "others.ddicap", 3, 4, everything=True) == [3, 4]
