"""Planes: perspective, flat shading, wrapping, exact rectangles."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import Blend, ShadeMode, TextureAddress, TextureArg, TextureFilter, TextureOp
from core.spec.formats import FORMATS
from tests.core.pipeline.raster_kit import Kit, lines, rectangle, vertex


def byte(word: int, shift: int) -> int:
    return int(word) >> shift & 255


def test_gouraud_is_perspective_correct():
    """colour = sum(b c rhw) / sum(b rhw) with the barycentrics of the screen."""
    corners, rhw = np.array([(0.0, 0), (64, 0), (0, 64)]), np.array([1.0, 0.2, 0.5])
    colors = np.array([(1.0, 0, 0), (0, 1, 0), (0, 0, 1)])
    shape = np.stack([vertex(*p, rhw=r, diffuse=(*c, 1)) for p, r, c in zip(corners, rhw, colors, strict=True)])
    image = Kit(64, 64).draw(shape)
    for x, y in ((3, 4), (20, 10), (5, 50), (31, 31)):
        weights = np.array([1 - (x + y) / 64, x / 64, y / 64]) * rhw
        exact = weights @ colors / weights.sum() * 255
        assert [byte(image[y, x], s) for s in (16, 8, 0)] == pytest.approx(exact, abs=0.51)


def test_flat_shading_takes_the_provoking_vertex_and_interpolates_fog():
    shape = rectangle(0, 0, 8, 8)
    shape[:, 4:8] = np.array([(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 0, 0.5), (1, 1, 1, 1), (0, 0, 0, 0)])
    shape[:, 3] = 1 / (1 + shape[:, 0])
    image = Kit().set(SHADEMODE=ShadeMode.FLAT).draw(shape)
    assert set(np.unique(image)) == {0xFFFF0000, 0x80FFFF00}
    shape[:, 12] = shape[:, 0] / 8
    shape[:, 3] = 1
    fogged = Kit().set(SHADEMODE=ShadeMode.FLAT, FOGENABLE=1, FOGCOLOR=0).draw(shape)
    assert [byte(word, 16) for word in fogged[0, :7]] == [int(255 * x / 8 + 0.5) for x in range(7)]


def test_a_constant_colour_stays_constant():
    for value in (0.1, 1 / 3, 0.5, 0.9):
        shape = rectangle(-3.3, -2.7, 69.1, 70.9, diffuse=(value,) * 4)
        shape[:, 3] = 1 / (1 + np.arange(6))
        assert len(np.unique(Kit(64, 64).draw(shape))) == 1


def textured(width: int, filter: TextureFilter, address: TextureAddress = TextureAddress.WRAP) -> Kit:
    """A texture width x 8, its words the numbers of the texels."""
    from core.pipeline.records.texture import TextureKind
    from core.pipeline.surface.formats.texels import describe_texture

    kit = Kit(64, 8)
    kit.memory = np.arange(width * 8, dtype=np.uint32)
    argb = next(row for row in FORMATS.values() if row.name == "A8R8G8B8")
    describe_texture(kit.textures[:1][0], TextureKind.PLANE, argb, (width, 8, 1), np.zeros((1, 1), np.int32))
    for name, value in (("COLOROP", TextureOp.SELECTARG1), ("ALPHAOP", TextureOp.SELECTARG1), ("COLORARG1", TextureArg.TEXTURE),
                        ("ALPHAARG1", TextureArg.TEXTURE), ("MAGFILTER", filter), ("MINFILTER", filter),
                        ("ADDRESSU", address), ("ADDRESSV", address)):  # fmt: skip
        kit.put(("TEXTURESTAGE", 0, name), value)
    return kit


@pytest.mark.parametrize("filter", [TextureFilter.POINT, TextureFilter.LINEAR])
def test_texels_map_to_pixels_one_to_one(filter):
    """Positions shifted by half a pixel, as applications of the time did."""
    shape = rectangle(-0.5, -0.5, 63.5, 7.5)
    shape[:, 16], shape[:, 17] = (shape[:, 0] + 0.5) / 64, (shape[:, 1] + 0.5) / 8
    image = textured(64, filter).draw(shape)
    assert (image == np.arange(512).reshape(8, 64)).all()


def test_wrap_takes_the_shorter_way():
    """From u = 0.9 to 0.1 across the seam: 0.9, ..., 1.1 instead of backwards over the texture."""
    shape = rectangle(-0.5, -0.5, 63.5, 7.5)
    shape[:, 16], shape[:, 17] = np.where(shape[:, 0] < 0, 0.9, 0.1), 1 / 16
    u = lambda image: image[0] / 128  # noqa: E731
    plain = u(textured(128, TextureFilter.POINT).draw(shape))
    wrapped = u(textured(128, TextureFilter.POINT).set(WRAP0=1).draw(shape))
    assert (np.diff(plain) <= 0).all() and plain.min() < 0.2
    assert ((wrapped >= 0.89) | (wrapped <= 0.11)).all() and wrapped[0] > 0.89 and wrapped[-1] < 0.11


def test_abutting_triangles_share_no_pixel_and_leave_no_gap():
    random = np.random.default_rng(11)
    points = np.vstack([[(-5, -5), (70, -5), (70, 70), (-5, 70)], random.uniform(0, 64, (1, 2))])
    center = points[4]
    shape = []
    for i in range(4):
        for x, y in (points[i], points[(i + 1) % 4], center):
            shape.append(vertex(x, y, diffuse=(64 / 255, 0, 0, 1)))
    image = Kit(64, 64).set(ALPHABLENDENABLE=1, SRCBLEND=Blend.ONE, DESTBLEND=Blend.ONE).draw(np.stack(shape))
    assert (image >> 16 & 255 == 64).all()


def test_flat_line_takes_its_first_vertex():
    image = Kit().set(SHADEMODE=ShadeMode.FLAT).draw(
        np.stack([vertex(1, 1, diffuse=(1, 0, 0, 1)), vertex(6, 3, diffuse=(0, 1, 0, 1))]), lines(1))  # fmt: skip
    assert set(np.unique(image)) == {0, 0xFFFF0000}
