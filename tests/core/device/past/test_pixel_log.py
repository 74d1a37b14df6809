"""What changed a pixel, and its fragments drawn once more: against drivers that execute event by event, or watch the pixel."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.device.memory.surfaces import SurfacePart
from core.device.past.pixel_log import PixelLog, Touch, redrawn
from core.device.past.rewind import Rewind
from core.device.past.tap import Pass, Tap
from core.pipeline.pixel.observer import FRAGMENT
from core.pipeline.records.layout import from_blocks
from core.spec.states import RENDER_STATE_ID
from tests.core.device.past.test_rewind import DEPTH, OTHER, SIZE, TARGET, clear, setup, tokens, triangles, turn, upload
from tests.reference.coverage import Triangle

HANDLES = TARGET, DEPTH, OTHER


def states(seed: int) -> DdiCall:
    """Tests, blending and masks."""
    rng = np.random.default_rng(seed)
    choices = {
        "ALPHATESTENABLE": (0, 1), "ALPHAFUNC": (2, 5, 7), "ALPHAREF": (60, 128), "ZFUNC": (2, 4, 5, 8), "ZWRITEENABLE": (0, 1),
        "STENCILENABLE": (0, 1), "STENCILFUNC": (3, 6, 8), "STENCILREF": (0, 1, 7), "STENCILPASS": (1, 3, 7),
        "STENCILFAIL": (1, 4),
        "COLORWRITEENABLE": (0, 15, 15, 7), "MULTISAMPLEMASK": (0xFFFFFFFF, 5, 0xE), "SRCBLEND": (2, 5), "DESTBLEND": (1, 6),
    }  # fmt: skip
    records = [{"state": RENDER_STATE_ID[name], "value": int(rng.choice(values))} for name, values in choices.items()]
    return tokens(("RENDERSTATE", records))


STEP = st.tuples(st.sampled_from([triangles, triangles, states, clear, upload, turn]), st.integers(0, 99))


def started(samples: int, **tap: object) -> tuple[EmulatedDriver, Tap]:
    driver = EmulatedDriver()
    for one in setup(samples):
        driver.call(one)
    driver.device.tap = Tap(**tap)  # type: ignore[arg-type]
    return driver, driver.device.tap


def pictures(driver: EmulatedDriver) -> dict[int, np.ndarray]:
    """[samples, height, width] words by handle."""
    driver.device.flush()
    parts = [driver.device.memory.part(handle) for handle in HANDLES]
    return {
        part.handle: np.stack([from_blocks(plane, SIZE, SIZE) for plane in part.blocks().reshape(part.planes, -1)])
        for part in parts if part is not None
    }  # fmt: skip


def stepped(samples: int, calls: list[DdiCall]) -> dict[int, dict[int, np.ndarray]]:
    """The pictures after each event."""
    driver, _ = started(samples)
    driver.device.tap = None
    seen = {driver.seq - 1: pictures(driver)}
    for one in calls:
        count = len(dp2.scan(one.data["commands"]).records) if one.entry == "DrawPrimitives2" else 1
        start = driver.seq
        for n in range(count):
            driver.run(one, start, n, n + 1)
            seen[start + n] = pictures(driver)
    return seen


def logged(samples: int, calls: list[DdiCall]) -> tuple[PixelLog, dict[int, SurfacePart]]:
    driver, tap = started(samples, log=True)
    for one in calls:
        driver.call(one)
    log = PixelLog(Rewind(driver.device, tap))
    return log, {handle: driver.device.memory.part(handle) for handle in HANDLES}  # type: ignore[misc]


def seen_in(fragment: np.void) -> list:
    """Sample, fate, colour and words of a FRAGMENT."""
    return [fragment[name].tolist() for name in FRAGMENT.names[3:]]


def fragments(touches: list[Touch], part: SurfacePart, x: int, y: int, masked: bool) -> list[tuple]:
    """(event, primitive, sample, fate, words ...) of all batches."""
    found = []
    for touch in touches:
        if isinstance(touch.cause, Pass):
            assert touch.batch is not None
            drawn, edges = redrawn(touch, part, x, y), touch.batch.edges
            for one, out in zip(drawn.fragments, drawn.masked, strict=True):
                edge = edges[one["primitive"]]
                if out == masked:
                    found.append((int(edge["seq"]), int(edge["number"]), *seen_in(one)))
    return found


@pytest.mark.parametrize("samples", [0, 4])
@settings(max_examples=12, deadline=None)
@given(st.lists(STEP, min_size=2, max_size=8), st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
def test_a_pixel_at_every_event_and_who_changed_it(samples: int, steps: list, x: int, y: int) -> None:
    calls = [make(seed) for make, seed in steps]
    seen = stepped(samples, calls)
    log, parts = logged(samples, calls)
    events = sorted(seen)
    for handle, part in parts.items():
        touches = log.touches(part, x, y)
        for one, other in itertools.pairwise(touches):
            assert one.after == other.before
        written = {(write.event, write.sample): write.after for write in log.writers(part, x, y) if write.before != write.after}
        for before, seq in itertools.pairwise(events):
            was, now = (seen[event][handle][:, y, x].tolist() for event in (before, seq))
            assert list(log.words_at(part, x, y, seq)) == now
            assert log.words_at(part, x, y, before) == tuple(was)
            for sample, (old, new) in enumerate(zip(was, now, strict=True)):
                if old != new:
                    assert written[seq, sample] == new if (seq, sample) in written else written[seq, 0] == now[0]
                elif (seq, sample) in written:
                    assert written[seq, sample] == new  # there and back


@pytest.mark.parametrize("samples", [0, 4])
@settings(max_examples=12, deadline=None)
@given(st.lists(STEP, min_size=2, max_size=8), st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
def test_fragments_are_those_that_a_probe_sees(samples: int, steps: list, x: int, y: int) -> None:
    calls = [make(seed) for make, seed in steps]
    log, parts = logged(samples, calls)
    for handle in (TARGET, DEPTH):
        driver, tap = started(samples, probe=(handle, x, y))
        for one in calls:
            driver.call(one)
        driver.device.flush()
        probed = [
            (int(one["seq"]), int(one["primitive"]), *seen_in(one)) for done in tap.passes for one in done.watch.fragments
        ]
        touches = log.touches(parts[handle], x, y)
        assert fragments(touches, parts[handle], x, y, masked=False) == probed


@pytest.mark.parametrize("mask", [0, 5, 0xE, 0xF])
def test_masked_samples_are_told(mask: int) -> None:
    """Fragments and masked ones together are those of a draw without mask."""
    turn_mask = tokens(("RENDERSTATE", [{"state": RENDER_STATE_ID["MULTISAMPLEMASK"], "value": mask}]))
    whole, parts = logged(4, [triangles(5)])
    some, others = logged(4, [turn_mask, triangles(5)])
    seen = 0
    for x, y in ((20, 20), (10, 30), (33, 8), (5, 5)):
        every = fragments(whole.touches(parts[TARGET], x, y), parts[TARGET], x, y, masked=False)
        touches = some.touches(others[TARGET], x, y)
        drawn, masked = (fragments(touches, others[TARGET], x, y, masked=out) for out in (False, True))
        assert {one[2] for one in masked} <= {n for n in range(4) if not mask >> n & 1}
        assert {one[2] for one in drawn} <= {n for n in range(4) if mask >> n & 1}
        assert sorted(one[1:3] for one in every) == sorted(one[1:3] for one in drawn + masked)
        seen += len(masked)
    assert bool(seen) == (mask != 0xF)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.integers(0, 1000))
def test_there_is_a_fragment_wherever_the_reference_covers(first: int, second: int) -> None:
    calls = [triangles(first), triangles(second)]
    log, parts = logged(0, calls)
    expected = np.zeros((SIZE, SIZE), int)
    for one in calls:
        corners = np.frombuffer(one.data["vertices"], "<f4").reshape(-1, 5)[:, :2].astype(float).tolist()
        for n in range(0, len(corners), 3):
            for place in Triangle([tuple(corner) for corner in corners[n : n + 3]]).places(SIZE, SIZE, 1):
                expected[place.y, place.x] += 1
    counted = np.zeros_like(expected)
    for y in range(0, SIZE, 3):
        for x in range(SIZE):
            counted[y, x] = len(fragments(log.touches(parts[TARGET], x, y), parts[TARGET], x, y, masked=False))
    assert np.array_equal(counted[::3], expected[::3])


def test_copies_count_where_they_write_only() -> None:
    log, parts = logged(0, [upload(3)])
    assert len(log.touches(parts[TARGET], 8, 8)) == 1
    assert not log.touches(parts[TARGET], 9, 8)


@settings(max_examples=10, deadline=None)
@given(st.lists(STEP, min_size=2, max_size=8), st.integers(0, 30), st.integers(0, 30), st.integers(0, 99), st.integers(0, 99))
def test_touched_counts_what_the_pixels_say(steps: list, left: int, top: int, first: int, length: int) -> None:
    log, parts = logged(0, [make(seed) for make, seed in steps])
    rect = left, top, left + 7, top + 5
    for part in parts.values():
        counted: dict[tuple[int, int], int] = {}
        for y in range(rect[1], rect[3]):
            for x in range(rect[0], rect[2]):
                ends: dict[tuple[int, int], int] = {}
                for write in log.writers(part, x, y):
                    ends[write.event, write.primitive] = 1
                for key in ends:
                    counted[key] = counted.get(key, 0) + 1
        events = sorted({event for event, _ in counted})
        begin = first % max(len(events), 1)
        low, high = events[begin] if events else 0, events[min(begin + length, len(events) - 1)] if events else 0
        inside = {key: count for key, count in counted.items() if low <= key[0] <= high}
        assert touched(log, part, rect, low, high) == inside
        for cause in log.rewind.changes_of(part):
            if isinstance(cause, Pass):
                assert cause.watch.written is not None  # with the whole batch's records at hand, tiles are not drawn again
        assert touched(log, part, rect, low, high) == inside and touched(log, part, rect, 0, 1 << 40) == counted


def touched(log: PixelLog, part: SurfacePart, *where: Any) -> dict[tuple[int, int], int]:
    return {(int(row["event"]), int(row["primitive"])): int(row["pixels"]) for row in log.touched(part, *where)}
