"""Executing a tape for a rectangle of one surface: what comes out is what comes out when everything is drawn, for less work."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import TapeError
from core.pipeline.pixel import binned
from inspector.query.pixels import writers
from inspector.timeline import replay as replay_module
from inspector.timeline.confined import Confinement, confinement
from inspector.timeline.liveness import Follower, Liveness, Operation, OperationKind

ROOM = Path(__file__).parents[3] / "resources" / "room.ddicap"
DRAW, WRITE, COPY, OVERWRITE, FLIP, END, UNKNOWN = OperationKind
BACK, DEPTH, PRIMARY, TEXTURE, MIRROR, MIRROR_DEPTH = 10, 11, 12, 20, 30, 31
RECT = (4, 4, 8, 8)


@pytest.fixture(scope="module")
def room():
    with inspector.open(ROOM) as capture:
        yield capture


def rows(capture: inspector.Capture, rect: tuple[int, int, int, int], surface: str = "back_buffer") -> list:
    frames = capture.frames
    asked = inspector.Touched(surface, rect, first=frames[0].first_event, last=frames[-1].last_event)
    return capture.ask(asked).primitives.tolist()


@pytest.mark.parametrize("rect", [(320, 240, 321, 241), (0, 0, 9, 9), (250, 60, 330, 140), (600, 470, 640, 480)])
@pytest.mark.parametrize("surface", ["back_buffer", "depth", "primary"])
def test_a_rectangle_is_touched_by_the_same_as_when_everything_is_drawn(room, rect, surface, monkeypatch):
    found = rows(room, rect, surface)
    monkeypatch.setattr(writers, "MANY_FRAMES", 1 << 60)
    assert found == rows(room, rect, surface)
    assert found


def test_only_the_rectangles_tiles_are_drawn(room, monkeypatch):
    drawn: list[int] = []

    class Counted(binned.Tiles):
        def __init__(self, batch, *rest, **more):
            if batch.columns == columns:  # the mirror is drawn as a whole
                drawn.append(int((np.diff(batch.starts) > 0).sum()))
            super().__init__(batch, *rest, **more)

    frames, target = room.frames, room.resolve(room.frames[0].last_event, "back_buffer")[1]
    columns = -(-room.look(frames[0].last_event, "back_buffer")[0].shape[1] // 64)
    to = confinement(room.walked.liveness, target, (320, 240, 321, 241), 0, len(room.events))
    assert to is not None and to.targets == {target}
    for _ in room.replay.confined(to, frames[1].first_event, frames[1].first_event):
        pass  # the device is there
    monkeypatch.setattr(binned, "Tiles", Counted)
    filled: list[tuple[int, ...]] = []
    monkeypatch.setattr("core.device.memory.transfer.clear.fill", lambda blocks, w, h, planes, box, *rest: filled.append(box))
    for _ in room.replay.confined(to, frames[1].first_event, frames[6].last_event):
        pass
    assert drawn and max(drawn) == 1
    assert (320, 192, 384, 256) in filled


def test_the_device_is_afterwards_where_it_was(room):
    event = room.frames[3].last_event
    image = room.image(event)
    rows(room, (320, 240, 321, 241))
    room.replay._logs.clear()
    assert np.array_equal(room.image(event), image)
    with inspector.open(ROOM) as other:
        last = room.frames[-1].last_event
        assert np.array_equal(room.image(last), other.image(last))


def test_the_device_is_where_it_was_when_the_tape_cannot_be_read_further(room, monkeypatch):
    frames, replay = room.frames, room.replay
    target = room.resolve(frames[0].last_event, "back_buffer")[1]
    to = confinement(room.walked.liveness, target, (320, 240, 321, 241), 0, len(room.events))
    assert to is not None
    execute, executed = replay._run_tapped, []

    def fails_the_second_time(tap, last, cancel):
        executed.append(execute(tap, last, cancel))
        if len(executed) > 1:
            raise TapeError("call 12 cannot be read")
        return executed[-1]

    def pixels(of: inspector.Capture) -> np.ndarray:
        with of.replay.at(frames[2].last_event) as driver:
            return driver.device.surfaces[target].parts[0].linear().copy()

    monkeypatch.setattr(replay_module, "A_TURN", 1)
    monkeypatch.setattr(replay, "_run_tapped", fails_the_second_time)
    with pytest.raises(TapeError):
        list(replay.confined(to, frames[1].first_event, frames[6].last_event))
    with inspector.open(ROOM) as other:
        assert np.array_equal(pixels(room), pixels(other))


# ---- by operations


def confined(*operations: Operation, handle: int = BACK) -> Confinement | None:
    liveness = Liveness.of(Follower(others=list(operations), parts={TEXTURE: 4}), [])
    return confinement(liveness, handle, RECT, 0, 100)


def targets(*operations: Operation, handle: int = BACK) -> frozenset[int] | None:
    to = confined(*operations, handle=handle)
    return None if to is None else to.targets


def draw(at: int, *writes: int, reads: tuple[int, ...] = ()) -> Operation:
    return Operation(DRAW, at, at, writes, reads, True)


def clear(at: int, *writes: int) -> Operation:
    return Operation(OVERWRITE, at, at, writes, (), True)


def test_a_target_of_its_own_is_drawn_as_a_whole():
    assert targets(draw(1, MIRROR, MIRROR_DEPTH), draw(2, BACK, DEPTH, -DEPTH, reads=(TEXTURE, MIRROR))) == {BACK}


def test_what_it_is_copied_from_and_exchanged_with_is_confined_too():
    whole = Operation(OVERWRITE, 2, 2, (PRIMARY,), (BACK,), True, copies=True)
    assert targets(draw(1, BACK), whole) == {BACK}
    assert targets(draw(1, BACK), whole, handle=PRIMARY) == {PRIMARY, BACK}
    assert targets(draw(1, BACK), whole._replace(kind=COPY), handle=PRIMARY) == {PRIMARY}
    assert targets(draw(1, BACK), Operation(FLIP, 2, 2, (PRIMARY, BACK))) == {BACK, PRIMARY}
    assert targets(draw(1, BACK, DEPTH), handle=DEPTH) == {BACK, DEPTH}


def test_what_is_read_of_it_elsewhere_is_no_confinement():
    part = Operation(COPY, 2, 2, (PRIMARY,), (BACK,), True, copies=True)
    assert targets(draw(1, BACK), part, draw(3, BACK, reads=(PRIMARY,))) is None
    assert targets(draw(1, BACK), draw(2, MIRROR, reads=(BACK,)), draw(3, BACK, reads=(MIRROR,))) is None
    assert targets(draw(1, BACK), draw(2, MIRROR, reads=(BACK,)), draw(3, BACK)) == {BACK}
    assert targets(draw(1, TEXTURE + 3), draw(2, TEXTURE + 3, reads=(TEXTURE,)), handle=TEXTURE + 3) is None
    assert targets(draw(1, TEXTURE + 3), draw(2, TEXTURE + 3, reads=(TEXTURE + 4,)), handle=TEXTURE + 3) == {TEXTURE + 3}


def test_a_depth_surface_that_others_use_too_must_be_cleared_in_between():
    mine, others = draw(1, BACK, DEPTH), draw(3, MIRROR, DEPTH)
    use = draw(4, BACK, DEPTH, reads=(MIRROR,))
    assert targets(mine, others, use) is None
    assert targets(mine, clear(2, DEPTH), others, use) == {BACK}
    part = clear(2, DEPTH)._replace(rect=(0, 0, 64, 64))
    assert targets(mine, part, others, use) is None
    assert targets(mine, part, others._replace(rect=(0, 0, 64, 65)), use) is None
    assert targets(mine, part, others._replace(rect=(0, 0, 64, 64)), use) == {BACK}
    assert targets(mine, part, draw(3, BACK, DEPTH), others._replace(rect=(0, 0, 64, 64)), use) is None
    stencil = draw(1, BACK, DEPTH, -DEPTH), draw(3, MIRROR, DEPTH, -DEPTH)
    assert targets(stencil[0], clear(2, DEPTH), stencil[1], use) is None
    assert targets(stencil[0], clear(2, DEPTH), clear(2, -DEPTH), stencil[1], use) == {BACK}


def test_only_the_rectangle_is_cleared_where_nothing_reads_the_rest():
    def cleared(*operations: Operation) -> frozenset[int]:
        to = confined(*operations)
        assert to is not None
        return to.cleared

    mine, others, use = draw(1, BACK, DEPTH), draw(3, MIRROR, DEPTH), draw(4, BACK, DEPTH, reads=(MIRROR,))
    part = clear(2, DEPTH)._replace(rect=(0, 0, 64, 64))
    assert cleared(clear(0, BACK), clear(0, DEPTH), mine, draw(3, MIRROR, MIRROR_DEPTH), use) == {BACK, DEPTH}
    assert cleared(mine, clear(2, BACK), draw(3, MIRROR, reads=(BACK,)), clear(4, BACK)) == {BACK, DEPTH}
    assert cleared(clear(2, BACK), draw(3, MIRROR, reads=(BACK,)), draw(4, BACK, reads=(MIRROR,))) == frozenset()
    assert cleared(mine, clear(2, DEPTH), others, use) == {BACK}
    assert cleared(mine, part, others._replace(rect=(0, 0, 64, 64)), use) == {BACK}


def test_whatever_reads_everything_or_ends_it_is_no_confinement():
    assert targets(draw(1, BACK), Operation(UNKNOWN, 2, 2, ())) is None
    assert targets(draw(1, BACK, DEPTH), Operation(END, 2, 2, (BACK,))) is None
    assert targets(draw(1, BACK, DEPTH), Operation(END, 2, 2, (TEXTURE,))) == {BACK}
    ended = Operation(END, 2, 2, (DEPTH,))
    assert targets(draw(1, BACK, DEPTH), ended, draw(3, MIRROR, DEPTH), draw(4, BACK, reads=(MIRROR,))) == {BACK}


def test_what_leads_nowhere_is_left_out_and_what_leads_there_is_not():
    to = confined(
        draw(1, MIRROR), Operation(WRITE, 2, 2, (MIRROR,), (), True), Operation(WRITE, 2, 2, (BACK,), (), True),
        draw(3, BACK, DEPTH, reads=(TEXTURE,)), draw(4, TEXTURE + 1), Operation(OVERWRITE, 5, 5, (PRIMARY,), (BACK,), True),
    )  # fmt: skip
    assert to is not None
    assert np.flatnonzero(to.skipped).tolist() == [1, 5]
