"""A tap that asks what the texture stages made of one pixel."""

from __future__ import annotations

import numpy as np
import pytest

from core.device.tap import Tap
from tests.core.device.test_drawing import GREEN, RED, STRIP, Machine, quad, stage, user_memory

MODULATE, SELECTARG1, TEXTURE, DIFFUSE = 4, 2, 2, 0


def test_stages_of_a_pixel_of_a_primitive() -> None:
    machine = Machine()
    machine.surface(20, "A8R8G8B8", 2, 2, label="texture")
    machine.fill(20, np.full((2, 2), 0xFF336699, np.uint32))
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(stage(TEXTUREMAP=20, COLOROP=MODULATE, COLORARG1=TEXTURE, COLORARG2=DIFFUSE, ALPHAOP=SELECTARG1))
    event = machine.driver.seq + 1
    tap = machine.driver.device.tap = Tap(trace=(event, 1, 11, 9))
    machine.draw(user_memory(), token, vertices=b"".join(quad(0, 0, 16, 16, GREEN)))
    machine.draw(token, vertices=b"".join(quad(0, 0, 16, 16, RED)))
    assert machine.picture()[9, 11] == 0x330000
    seen = tap.traced
    assert seen is not None and not seen.shader
    (step,) = seen.steps
    assert step.values["texture"] == pytest.approx((0.2, 0.4, 0.6, 1.0))
    assert step.values["color_arg2"] == (0.0, 1.0, 0.0, 1.0)
    assert seen.result == pytest.approx((0.0, 0.4, 0.0, 1.0))


def test_nothing_is_traced_where_the_primitive_is_not() -> None:
    machine = Machine()
    tap = machine.driver.device.tap = Tap(trace=(machine.driver.seq + 1, 0, 15, 15))
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(user_memory(), token, vertices=b"".join(quad(0, 0, 16, 16)))
    machine.driver.device.flush()
    assert tap.traced is None
