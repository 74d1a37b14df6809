"""What was decided of software vertex processing, and of projection by two coordinates (docs/decisions.md)."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from core.runtime.d3d8 import D3DError
from core.spec.enums import Fvf, Pool
from tests.semantics.kit import STRIP, TRIANGLES, Screen

HARDWARE, SOFTWARE = 0x40, 0x20
FOUR = struct.unpack("<I", struct.pack("<f", 4.0))[0]
BULGING = [(-1, -1, 0.5, -1, -1, -1), (-1, 1, 0.5, -1, 1, -1), (1, 1, 0.5, 1, 1, -1)]  # normals lean away from the middle


def test_patches_fail() -> None:
    screen = Screen(behavior=SOFTWARE)
    buffer = screen.device.CreateVertexBuffer(16 * 12, 0, int(Fvf.XYZ), Pool.MANAGED)
    screen.device.SetStreamSource(0, buffer, 12)
    screen.device.SetVertexShader(int(Fvf.XYZ))
    for draw, segments in ((screen.device.DrawRectPatch, [4.0] * 4), (screen.device.DrawTriPatch, [4.0] * 3)):
        with pytest.raises(D3DError) as caught:
            draw(0, segments, (0, 0, 4, 4, 4, 1, 3) if len(segments) == 4 else (0, 10, 1, 3))
        assert caught.value.result == 0x8876086C  # D3DERR_INVALIDCALL


@pytest.mark.parametrize(("behavior", "bends"), [(HARDWARE, True), (SOFTWARE, False)])
def test_n_patches_stay_flat(behavior: int, bends: bool) -> None:
    """The depth in the middle of a triangle whose normals say that it bulges."""
    depths = []
    for segments in (0, FOUR):
        screen = Screen(depth="D16", behavior=behavior).rs(PATCHSEGMENTS=segments, ZFUNC=8)
        screen.draw(Fvf.XYZ | Fvf.NORMAL, TRIANGLES, BULGING)
        screen.rgb()
        depths.append(int(screen.driver.read("depth")[0].view("<u2")[6, 6]))
    assert (depths[0] != depths[1]) == bends


@pytest.mark.parametrize("behavior", [HARDWARE, SOFTWARE])
def test_two_coordinates_projected(behavior: int) -> None:
    """(u, v) = (1.5, 2.0): u / v is 0.75 and v is 1, the last of four columns by the last row."""
    screen = Screen(behavior=behavior)
    rows = np.arange(16, dtype=np.uint32).reshape(4, 4) * 16
    screen.device.SetTexture(0, screen.texture(rows))
    screen.tss(COLOROP=2, COLORARG1=2, TEXTURETRANSFORMFLAGS=0x102, ADDRESSU=3, ADDRESSV=3)
    corners = [(x, y, 0.5, 1.5, 2.0) for x, y in ((-1, 1), (1, 1), (-1, -1), (1, -1))]
    screen.draw(int(Fvf.XYZ | Fvf.TEX1), STRIP, corners)
    assert screen.rgb() == 16 * 15
