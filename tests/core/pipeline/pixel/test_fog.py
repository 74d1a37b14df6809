"""Fog sources, formulas and corners (semantics section 6); specular add."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import FogMode
from tests.core.pipeline.raster_kit import Kit, rectangle

FULL = (-1, -1, 9, 9)
GREEN = 0x00FF00


def factor(kit: Kit, **attributes) -> float:
    """How much is left of white under green fog."""
    word = int(kit.draw(rectangle(*FULL, **attributes))[0, 0])
    assert word & 0xFF00 == 0xFF00 and word >> 24 == 255
    return (word & 255) / 255


def fogged(**states: float) -> Kit:
    return Kit(depth_format="D24S8").set(FOGENABLE=1, FOGCOLOR=GREEN, **states)


@pytest.mark.parametrize("f", [0.0, 0.25, 1.0])
def test_vertex_factor_is_taken_as_it_is(f):
    assert factor(fogged(FOGTABLEMODE=FogMode.NONE, FOGVERTEXMODE=FogMode.LINEAR), fog=f) == pytest.approx(f, abs=0.003)


def test_no_fog_when_disabled():
    assert factor(fogged(FOGTABLEMODE=FogMode.LINEAR).set(FOGENABLE=0), fog=0.0, diffuse=(1, 1, 1, 1)) == 1


@pytest.mark.parametrize("mode, expected", [
    (FogMode.LINEAR, lambda z: (0.8 - z) / (0.8 - 0.2)), (FogMode.EXP, lambda z: np.exp(-1.5 * z)),
    (FogMode.EXP2, lambda z: np.exp(-((1.5 * z) ** 2))),
])  # fmt: skip
def test_table_fog_of_device_z(mode, expected):
    """rhw and ZENABLE do not matter with an affine projection; table fog wins over vertex fog."""
    for z in (0.0, 0.1, 0.5, 0.7, 1.0):
        kit = fogged(FOGTABLEMODE=mode, FOGVERTEXMODE=FogMode.LINEAR, FOGSTART=0.2, FOGEND=0.8, FOGDENSITY=1.5)
        assert factor(kit, z=z, rhw=0.3, fog=0.0) == pytest.approx(np.clip(expected(z), 0, 1), abs=0.003)


def test_wine_table_fog_zw():
    kit = fogged(FOGTABLEMODE=FogMode.LINEAR, FOGSTART=0.0, FOGEND=1.0)
    assert factor(kit, z=0.7, rhw=0.5) == pytest.approx(0.3, abs=0.003)


def test_table_fog_of_w_with_a_perspective_projection():
    kit = fogged(FOGTABLEMODE=FogMode.LINEAR, FOGSTART=1.0, FOGEND=9.0)
    kit.registers[projection_slot(11)] = np.float32(1.0).view(np.uint32)
    kit.registers[projection_slot(15)] = 0
    assert factor(kit, z=0.9, rhw=1 / 3) == pytest.approx(6 / 8, abs=0.003)


def projection_slot(element: int) -> int:
    from core.spec.slots import slot

    return slot(("TRANSFORM", "PROJECTION")) + element


def test_start_equal_to_end_is_a_step_in_table_fog():
    kit = fogged(FOGTABLEMODE=FogMode.LINEAR, FOGSTART=0.5, FOGEND=0.5)
    assert factor(kit, z=0.4) == 1 and factor(kit, z=0.6) == 0


def test_alpha_is_not_fogged_and_specular_is_added_before():
    kit = fogged(FOGTABLEMODE=FogMode.NONE, SPECULARENABLE=1)
    word = kit.draw(rectangle(*FULL, diffuse=(0.5, 0, 0, 0.25), specular=(0.25, 0, 0.5, 1), fog=0.5))[0, 0]
    assert [word >> s & 255 for s in (24, 16, 8, 0)] == pytest.approx([64, 0.75 * 127.5, 127.5, 0.25 * 255], abs=1)


def test_specular_add_clamps_and_needs_its_state():
    shape = rectangle(*FULL, diffuse=(0.75, 0, 0, 0.25), specular=(0.75, 0.5, 0, 1))
    assert Kit().set(SPECULARENABLE=1).draw(shape)[0, 0] == 0x40FF8000
    assert Kit().draw(shape)[0, 0] == 0x40BF0000
