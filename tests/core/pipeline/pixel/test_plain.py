"""The short way of plain draws and the long way of all others: the same words."""

from __future__ import annotations

import numpy as np
import pytest

from core.pipeline.draw import Watch
from core.pipeline.draw_state.bind_plain import Plain
from core.spec.enums import CmpFunc, ShadeMode, TextureArg, TextureOp
from tests.core.pipeline.raster_kit import Kit, rectangle, triangles, vertex

SIZE = 90


def random_kit(seed: int) -> Kit:
    """Draws that go the short way and, between them, some that blend and do not: queued, not run."""
    random = np.random.default_rng(seed)
    pick, uniform = random.choice, random.uniform
    kit = Kit(SIZE, SIZE - 3, str(pick(["A8R8G8B8", "X8R8G8B8"])), str(pick(["D24S8", "D24X8", "D16", "D15S1"])))
    for plane in (kit.color, kit.depth):
        plane[:] = random.integers(0, 1 << 32, plane.size, dtype=np.uint32)
    for _ in range(12):
        kit.set(ZENABLE=1, ZWRITEENABLE=pick([0, 1]), ZFUNC=pick(list(CmpFunc)), ZBIAS=pick([0, 0, 7]),
                COLORWRITEENABLE=pick([15, 15, 15, 0, 7, 8, 5]), SHADEMODE=pick([ShadeMode.FLAT, ShadeMode.GOURAUD]),
                TEXTUREFACTOR=random.integers(1 << 32, dtype=np.uint64), ALPHABLENDENABLE=pick([0, 0, 0, 1]),
                SRCBLEND=5, DESTBLEND=6)  # fmt: skip
        factor = pick([False, True])
        for channel in ("COLOR", "ALPHA"):
            kit.put(("TEXTURESTAGE", 0, f"{channel}OP"), TextureOp.SELECTARG1 if factor else TextureOp.DISABLE)
            kit.put(("TEXTURESTAGE", 0, f"{channel}ARG1"), TextureArg.TFACTOR)
        rhw = uniform(0.3, 2, 60) if pick([True, False]) else np.ones(60)
        corners = [vertex(*uniform(-30, SIZE + 30, 2), uniform(0, 1), w, uniform(0, 1, 4)) for w in rhw]
        kit.add(np.stack(corners), triangles(20))
        kit.add(rectangle(-1, -1, uniform(20, 100), uniform(1, 40), z=uniform(0, 1), diffuse=tuple(uniform(0, 1, 4))))
    return kit


@pytest.mark.parametrize("seed", range(24))
def test_the_long_way_comes_to_the_same(seed: int) -> None:
    short, long, watched = random_kit(seed), random_kit(seed), random_kit(seed)
    long.batch.states["plain"] = Plain.NOT
    before = short.color.copy(), short.depth.copy()
    short.run(), long.run(), watched.run(1, Watch(log=True))
    for name, then in zip(("color", "depth"), before, strict=True):
        drawn = getattr(short, name)
        assert (drawn != then).any(), name
        assert np.array_equal(drawn, getattr(long, name)), name
        assert np.array_equal(drawn, getattr(watched, name)), name


def test_all_ways_are_met() -> None:
    met = {way for seed in range(24) for way in random_kit(seed).batch.states["plain"][:24].tolist()}
    assert met == set(Plain)
