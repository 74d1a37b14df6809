"""Taking surfaces back: what the log says must be what a replay up to that event shows."""

from __future__ import annotations

import gc
import struct
import weakref
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.device.past import rewind as past
from core.device.past.rewind import Rewind
from core.device.past.tap import Tap
from tests.driver_calls import CONTEXT, call, tokens

TARGET, DEPTH, OTHER, SIZE = 10, 11, 12, 40


def setup(samples: int) -> list[DdiCall]:
    made = [
        call("CreateSurface", handle=handle, width=SIZE, height=SIZE, format=format, samples=samples)
        for handle, format in ((TARGET, 21), (DEPTH, 75), (OTHER, 21))
    ]
    states = [{"state": 22, "value": 1}, {"state": 7, "value": 1}, {"state": 27, "value": 1}, {"state": 19, "value": 2}]
    return [
        *made,
        call("ContextCreate", context=CONTEXT, render_target=TARGET, depth_stencil=DEPTH, width=SIZE, height=SIZE),
        tokens(("ZRANGE", [{"min": 0, "max": 1}]), ("SETVERTEXSHADER", [{"shader": 0x44}]), ("RENDERSTATE", states)),
    ]


def triangles(seed: int) -> DdiCall:
    """Two draws of two triangles each; they overlap and fail some depth tests."""
    rng = np.random.default_rng(seed)
    corner = struct.Struct("<4fI").pack
    vertices = b"".join(
        corner(*rng.uniform(-5, SIZE + 5, 2), rng.uniform(), 1.0, int(rng.integers(1 << 32))) for _ in range(12)
    )
    draw = {"type": 4, "count": 2}
    return tokens(
        ("SETSTREAMSOURCEUM", [{"stream": 0, "stride": 20}]),
        ("DRAWPRIMITIVE", [{**draw, "start": 0}, {**draw, "start": 6}]),
        vertices=vertices,
    )


def clear(seed: int) -> DdiCall:
    rect = (seed % 20, seed % 17, seed % 20 + 15, SIZE)
    fields = {
        "flags": 1 + 2 * (seed % 2) + 4 * (seed % 3 == 0),
        "color": 0xFF000000 | seed * 7919,
        "depth": 0.5,
        "stencil": seed & 255,
    }
    return tokens(("CLEAR", [rect], fields))


def upload(seed: int) -> DdiCall:
    return call(
        "Blt", destination=TARGET, source=OTHER, destination_box=(0, 0, 9, 9), source_box=(seed % 9, 0, seed % 9 + 9, 9)
    )


def turn(seed: int) -> DdiCall:
    return tokens(("SETRENDERTARGET", [{"render_target": (TARGET, OTHER)[seed & 1], "depth_stencil": (DEPTH, 0)[seed & 1]}]))


STEP = st.tuples(st.sampled_from([triangles, triangles, clear, upload, turn]), st.integers(0, 99))


def pictures(driver: EmulatedDriver) -> list[np.ndarray]:
    driver.device.flush()
    return [driver.device.memory.part(handle).blocks().copy() for handle in (TARGET, DEPTH, OTHER)]


@pytest.mark.parametrize("stay", [1, past.A_STAY])
@pytest.mark.parametrize("samples", [0, 4])
@settings(max_examples=12, deadline=None)
@given(st.lists(STEP, min_size=1, max_size=8))
def test_every_event_as_replayed(stay: int, samples: int, steps: list) -> None:
    """By undo records from the first look on, or by drawing until looks stay in a pass."""
    calls = [make(seed) for make, seed in steps]
    plain, tapped = EmulatedDriver(), EmulatedDriver()
    for driver in (plain, tapped):
        for one in setup(samples):
            driver.call(one)
    tap = tapped.device.tap = Tap(log=True)
    first = plain.seq
    seen: dict[int, list[np.ndarray]] = {first - 1: pictures(plain)}
    for one in calls:
        records = len(dp2.scan(one.data["commands"]).records) if one.entry == "DrawPrimitives2" else 1
        start = plain.seq
        for n in range(records):
            plain.run(one, start, n, n + 1)
            seen[start + n] = pictures(plain)
        tapped.call(one)
    assert tapped.seq == plain.seq
    rewind = Rewind(tapped.device, tap)
    with mock.patch.object(past, "A_STAY", stay):
        for seq, expected in seen.items():
            for handle, words in zip((TARGET, DEPTH, OTHER), expected, strict=True):
                assert np.array_equal(rewind.at(handle, seq).blocks(), words), (seq, handle)


def two_passes() -> tuple[Rewind, Tap]:
    """Of two draws each to TARGET, one to another surface between them."""
    driver = EmulatedDriver()
    for step in setup(0):
        driver.call(step)
    tap = driver.device.tap = Tap(log=True)
    for step in (triangles(5), turn(1), triangles(7), turn(0), triangles(6)):
        driver.call(step)
    return Rewind(driver.device, tap), tap


def test_records_are_made_where_looks_stay() -> None:
    """Random looks into several passes draw instead: making records takes as long as three such looks."""
    rewind, tap = two_passes()
    first, _, second = (one.first_seq for one in tap.passes)
    for _ in range(past.A_STAY):
        rewind.at(TARGET, first)
        rewind.at(TARGET, second)
    assert not any(one.watch.recorded for one in tap.passes)
    for _ in range(past.A_STAY - 1):
        rewind.at(TARGET, first)
    assert [one.watch.recorded for one in tap.passes] == [False] * 3
    rewind.at(TARGET, first)
    assert [one.watch.recorded for one in tap.passes] == [True, False, False]


def test_a_pass_of_many_pixels_has_records_at_once() -> None:
    rewind, tap = two_passes()
    with mock.patch.object(past, "QUICK", 10):
        rewind.at(TARGET, tap.passes[0].first_seq)
    assert tap.passes[0].watch.recorded


def test_memory_of_a_look_comes_back_at_once() -> None:
    """Not when the garbage collector runs next: a picture of 1024 x 768 has 6 MB."""
    rewind, tap = two_passes()
    gc.disable()
    try:
        copy = rewind.at(TARGET, tap.passes[0].first_seq)
        left = weakref.ref(copy.blocks())
        del copy
        assert left() is None
    finally:
        gc.enable()


def test_primitive_by_primitive() -> None:
    one = triangles(5)
    driver = EmulatedDriver()
    for step in setup(0):
        driver.call(step)
    tap = driver.device.tap = Tap(log=True)
    first = driver.seq + 1  # after the stream source
    driver.call(one)
    rewind = Rewind(driver.device, tap)
    vertices = one.data["vertices"]
    for seq, begin in ((first, 0), (first + 1, 6)):
        for primitive in (0, 1):
            alone = EmulatedDriver()
            for step in setup(0):
                alone.call(step)
            so_far = vertices[: 20 * (begin + 3 * (primitive + 1))]
            alone.call(
                tokens(
                    ("SETSTREAMSOURCEUM", [{"stream": 0, "stride": 20}]),
                    ("DRAWPRIMITIVE", [{"type": 4, "start": 0, "count": len(so_far) // 60}]),
                    vertices=so_far,
                )
            )
            for handle, words in zip((TARGET, DEPTH), pictures(alone), strict=False):
                assert np.array_equal(rewind.at(handle, seq, primitive).blocks(), words), (seq, primitive)


def test_writers_of_a_pixel_and_its_last_value() -> None:
    driver = EmulatedDriver()
    for step in setup(0):
        driver.call(step)
    tap = driver.device.tap = Tap(log=True)
    for step in (clear(2), triangles(5), triangles(6), clear(9), triangles(7)):
        driver.call(step)
    rewind = Rewind(driver.device, tap)
    final = driver.read(TARGET)[0].view("<u4")
    changed = 0
    for y in range(0, SIZE, 3):
        for x in range(0, SIZE, 3):
            rows = rewind.writers(TARGET, x, y)
            assert rows[:, 0].tolist() == sorted(rows[:, 0].tolist())
            seq, primitive = (int(n) for n in rows[-1])
            after = rewind.at(TARGET, seq, primitive if primitive >= 0 else None)
            assert after.linear().view("<u4").reshape(SIZE, SIZE)[y, x] == final[y, x]
            changed += len(rows) > 2
    assert changed > 3


def test_flips_and_uploads_are_taken_back() -> None:
    driver = EmulatedDriver()
    for step in setup(0):
        driver.call(step)
    driver.device.tap = tap = Tap(log=True)
    driver.call(call("Lock", handle=OTHER, box=None))
    driver.call(call("Unlock", {"contents": np.full(SIZE * SIZE, 7, "<u4").tobytes()}, handle=OTHER, box=None))
    uploaded = driver.seq - 1
    driver.call(call("Flip", surface=[OTHER, TARGET]))
    rewind = Rewind(driver.device, tap)
    values = [
        int(rewind.at(handle, seq).linear()[0]) for seq in (uploaded - 1, uploaded, uploaded + 1) for handle in (OTHER, TARGET)
    ]
    assert values == [0, 0, 7, 0, 0, 7]
    with pytest.raises(LookupError):
        rewind.at(99, 0)
