"""A range of frames of a long trace: no more is read than the range needs, and what is there is what the whole has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput, Cancelled
from inspector import reading
from inspector.cli import main
from inspector.timeline import kept_listing
from tests.inspector.conftest import ROOM
from tests.inspector.growing import in_small_pieces, long_trace

FRAMES = 20


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(reading, "WORTH_STOPPING", 0)
    monkeypatch.setattr(kept_listing, "LEAST", 1)
    in_small_pieces(monkeypatch)
    return long_trace(tmp_path, FRAMES)


def kept(folder: Path) -> list[Path]:
    return [path for path in (folder / "cache").glob("*/*") if path.suffix in (".ddicap", ".part", ".events", ".db")]


def test_reading_ends_after_the_range(tmp_path: Path, trace: Path) -> None:
    with inspector.open(trace, frames=(3, 6)) as some:
        assert [frame.index for frame in some.frames] == [3, 4, 5]
        assert any(notice.endswith("no later one was asked for.") for notice in some.tape.notices)
        assert len(some.timeline.all_frames) < FRAMES // 2
        found, picture, count = some.events.rows.copy(), some.image(some.frames[-1].last_event), len(some.events)
        state = [(row.key, row.text, row.writer) for row in some.state(some.frames[0].first_event).rows()]
    assert not kept(tmp_path)
    with inspector.open(trace) as whole:
        assert count < len(whole.events)
        assert np.array_equal(found, whole.events.rows[:count])
        assert np.array_equal(picture, whole.image(whole.frames[5].last_event))
        assert state == [(row.key, row.text, row.writer) for row in whole.state(whole.frames[3].first_event).rows()]


def test_a_range_that_goes_to_the_end_is_the_whole(tmp_path: Path, trace: Path) -> None:
    with inspector.open(trace, frames=(18, 99)) as some:
        assert [frame.index for frame in some.frames] == [18, 19] and not some.tape.notices
    assert any(path.suffix == ".ddicap" for path in kept(tmp_path))


def test_what_was_imported_before_is_used(trace: Path) -> None:
    inspector.open(trace).close()
    with inspector.open(trace, frames=(3, 6)) as some:
        assert len(some.frames) == 3 and len(some.timeline.all_frames) == FRAMES and not some.tape.notices


def test_a_short_trace_is_read_to_its_end(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WORTH_STOPPING", trace.stat().st_size)
    with inspector.open(trace, frames=(3, 6)) as some:
        assert len(some.frames) == 3 and len(some.timeline.all_frames) == FRAMES


def test_it_can_be_cancelled(tmp_path: Path, trace: Path) -> None:
    with pytest.raises(Cancelled):
        inspector.open(trace, lambda fraction, text: False, frames=(3, 6))
    assert not kept(tmp_path)


def test_trim_reads_no_further(tmp_path: Path, trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "some.ddicap"
    assert main(["trim", str(trace), "--frames", "3,5", str(target)]) == 0
    assert not list((tmp_path / "cache" / "captures").iterdir())  # else the trace was read to its end
    with inspector.open(target) as some, inspector.open(trace) as whole:
        assert len(some.frames) == 3
        for ours, theirs in zip(some.frames, whole.frames[3:6], strict=True):
            assert np.array_equal(some.image(ours.last_event), whole.image(theirs.last_event))


NO_RANGES = (
    (3,), (), (1, 2, 3), ("0", "3"), (0.5, 2.5), (None, 3), 5, "13", ((1,), (2,)), (float("nan"), 3),
    (5, 3), (0, 0), (-1, 3), (-5, -1), (2 << 200, 1 << 200), (-1 << 200, 2),
)  # fmt: skip


@pytest.mark.parametrize("frames", NO_RANGES)
@pytest.mark.parametrize("path", [None, ROOM])
def test_what_is_no_range_is_one_sentence(trace: Path, path: Path | None, frames: object) -> None:
    with pytest.raises(BadInput, match="frames: expected the first frame and the one after the last, not "):
        inspector.open(path or trace, frames=frames)  # type: ignore[arg-type]


@pytest.mark.parametrize("frames", [(FRAMES, FRAMES + 1), (1 << 200, 2 << 200)])
def test_a_range_past_the_end_has_no_frames(trace: Path, frames: tuple[int, int]) -> None:
    with inspector.open(trace, frames=frames) as none:
        assert not none.frames and len(none.timeline.all_frames) == FRAMES


def test_numbers_of_any_kind_make_a_range(trace: Path) -> None:
    for frames in ((np.int64(3), np.uint8(5)), [3, 5], (3, 5)):
        with inspector.open(trace, frames=frames) as some:  # type: ignore[arg-type]
            assert [frame.index for frame in some.frames] == [3, 4]


def test_a_file_that_grows_meanwhile_has_the_frames_that_it_had(tmp_path: Path, trace: Path) -> None:
    """Written in ten parts, a range asked for after each: frames of the range alone, or a sentence; at the end all of them."""
    data, found = trace.read_bytes(), []
    growing = tmp_path / "growing.trace"
    for part in range(1, 11):
        growing.write_bytes(data[: len(data) * part // 10])
        try:
            with inspector.open(growing, frames=(3, 6)) as some:
                found.append([frame.index for frame in some.frames])
                assert len(found[-1]) == 3 or some.tape.notices
        except BadInput as error:
            assert "growing.trace" in str(error)
    assert found[-1] == [3, 4, 5] and all(one == [3, 4, 5][: len(one)] for one in found)
