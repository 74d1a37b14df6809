"""Depth surfaces as textures: drawn into, then compared with the third coordinate (Wine's shadow_test)."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import ClearFlag, Fvf, Pool, Usage
from core.spec.formats import FORMAT_BY_NAME
from tests.semantics.kit import STRIP, UV, Screen

XYZ_UVW = Fvf.XYZ | Fvf.TEX1 | 0x10000
XYZ_UVRQ = Fvf.XYZ | Fvf.TEX1 | 0x20000


def shadowed(format: str, size: int = 4) -> tuple[Screen, np.ndarray]:
    """A screen with a depth texture whose texels rise from left to right, and these depths."""
    screen = Screen(size=16)
    device = screen.device
    texture = device.CreateTexture(size, size, 1, Usage.DEPTHSTENCIL, FORMAT_BY_NAME[format].id, Pool.DEFAULT)
    color = device.CreateRenderTarget(size, size, 21)
    back, depth = device.GetBackBuffer(0), device.GetDepthStencilSurface()
    device.SetRenderTarget(color, texture.GetSurfaceLevel(0))
    device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER, 0, 1.0, 0)
    screen.rs(ZFUNC=8)
    ramp = [(x, y, 0.5 + 0.25 * x) for x, y in ((-1, 1), (1, 1), (-1, -1), (1, -1))]
    screen.draw(Fvf.XYZ, STRIP, ramp)
    device.SetRenderTarget(back, depth)
    device.SetTexture(0, texture)
    screen.rs(ZENABLE=0).tss(COLOROP=2, COLORARG1=2, ALPHAOP=2, ALPHAARG1=2, ADDRESSU=3, ADDRESSV=3)
    return screen, 0.25 + 0.125 * np.arange(size)


@pytest.mark.parametrize("format", ["D16", "D24S8", "D24X8", "D32", "D15S1", "D24X4S4"])
def test_a_depth_texture_tells_what_is_lit(format: str) -> None:
    screen, depths = shadowed(format)
    for reference in (0.3, 0.45, 0.6, 0.7):
        screen.quad([(u, v, reference) for u, v in UV], fvf=XYZ_UVW)
        expected = np.where(reference <= depths, 255, 0).repeat(4)
        np.testing.assert_array_equal(screen.rgba()[8], np.repeat(expected[:, None], 4, 1))
    assert not screen.findings


def test_the_reference_is_projected_too() -> None:
    screen, depths = shadowed("D24S8")
    screen.tss(TEXTURETRANSFORMFLAGS=4 | 256)
    screen.quad([(2 * u, 2 * v, 2 * 0.45, 2.0) for u, v in UV], fvf=XYZ_UVRQ)
    np.testing.assert_array_equal(screen.rgba()[8, :, 0], np.where(depths >= 0.45, 255, 0).repeat(4))


def test_comparison_comes_before_the_filter() -> None:
    screen, depths = shadowed("D24S8")
    screen.tss(MAGFILTER=2, MINFILTER=2).quad([(u, v, 0.45) for u, v in UV], fvf=XYZ_UVW)
    place = np.arange(16) / 4 - 0.5
    wanted = np.interp(place, np.arange(4), (depths >= 0.45).astype(float))
    assert np.abs(screen.rgba()[8, :, 0] - 255 * wanted).max() <= 1


def test_a_pixel_shader_reads_it() -> None:
    screen, depths = shadowed("D16")
    screen.device.SetPixelShader(screen.pixel_shader("ps_1_1\ntex t0\nmov r0, 1-t0"))
    screen.quad([(u, v, 0.45) for u, v in UV], fvf=XYZ_UVW)
    np.testing.assert_array_equal(screen.rgba()[8, :, 0], np.where(depths >= 0.45, 0, 255).repeat(4))
