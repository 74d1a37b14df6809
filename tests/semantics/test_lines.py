"""Lines and outlines: antialiasing, depth bias; and what depth clipping leaves out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.spec.enums import FillMode, Fvf
from core.spec.formats import FORMAT_BY_NAME
from tests.reference.segments import Segment
from tests.semantics.kit import LINE_STRIP, LINES, SIZE, STRIP, TRIANGLES, Screen, near

COLORED = Fvf.XYZRHW | Fvf.DIFFUSE
WHITE, GREEN, RED = 0xFFFFFFFF, 0xFF00FF00, 0xFFFF0000


def coverage(x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    """1 less the distance along the minor axis, for the columns (or rows) from the first end up to the last."""
    picture = np.zeros((SIZE, SIZE))
    steep = abs(y1 - y0) > abs(x1 - x0)
    if steep:
        x0, y0, x1, y1 = y0, x0, y1, x1
    for major in range(int(x0), int(x1)):
        for minor in range(SIZE):
            picture[minor, major] = max(0.0, 1 - abs(minor - (y0 + (major - x0) * (y1 - y0) / (x1 - x0))))
    return picture.T if steep else picture


@pytest.mark.parametrize("ends", [(2, 3, 13, 7.5), (3, 2, 5.75, 14), (2, 12.25, 13, 4), (1, 5, 14, 5)])
def test_edge_antialias_turns_coverage_into_alpha(ends: tuple[float, ...]) -> None:
    screen = Screen().rs(EDGEANTIALIAS=1, ALPHABLENDENABLE=1, SRCBLEND=5, DESTBLEND=6, LASTPIXEL=0)
    x0, y0, x1, y1 = ends
    screen.draw(COLORED, LINES, [(x0, y0, 0.5, 1.0, WHITE), (x1, y1, 0.5, 1.0, WHITE)])
    assert np.abs(screen.rgba()[..., 0] - 255 * coverage(*ends)).max() <= 1


def test_edge_antialias_leaves_triangles_alone() -> None:
    """Wine's test_edge_antialiasing_blending: a rectangle looks the same with and without."""
    screen = Screen().rs(EDGEANTIALIAS=1, ALPHABLENDENABLE=1, SRCBLEND=5, DESTBLEND=6)
    screen.screen_quad(0x80FFFFFF, fvf=COLORED, box=(3, 4, 9, 12))
    plain = Screen().rs(ALPHABLENDENABLE=1, SRCBLEND=5, DESTBLEND=6)
    plain.screen_quad(0x80FFFFFF, fvf=COLORED, box=(3, 4, 9, 12))
    np.testing.assert_array_equal(screen.rgba(), plain.rgba())


@pytest.mark.parametrize("grid", [1, 16])
def test_a_pattern_runs_on_along_a_strip(grid: int) -> None:
    """From pixel to pixel, wherever between them the corners are; only the strip's end has a last pixel."""
    random = np.random.default_rng(grid)
    for _ in range(20):
        corners = [tuple(random.integers(0, 15 * grid, 2) / grid + (1 / 64, 1 / 128)) for _ in range(4)]  # on no diamond
        last, repeat, pattern = int(random.integers(2)), int(random.integers(1, 4)), int(random.integers(1 << 16))
        screen = Screen().rs(LASTPIXEL=last, LINEPATTERN=pattern << 16 | repeat)
        screen.draw(COLORED, LINE_STRIP, [(x, y, 0.5, 1.0, WHITE) for x, y in corners])
        expected, count = np.zeros((SIZE, SIZE), bool), 0
        for number, ends in enumerate(pairwise(corners)):
            if ends[0] == ends[1]:
                continue
            segment = Segment(ends, {"LASTPIXEL": last and number == 2})
            for major in segment.columns():
                x, y = (segment.nearest(major), major) if segment.steep else (major, segment.nearest(major))
                expected[y, x] |= bool(pattern >> count // repeat % 16 & 1)
                count += 1
        np.testing.assert_array_equal((screen.picture() & 0xFFFFFF) != 0, expected)


# ---- depth bias ---------------------------------------------------------------------------------------------------

SLOPING = [(x, y, z, 1.0, GREEN) for x, y, z in ((-0.5, -0.5, 0.1), (15.5, -0.5, 0.3), (-0.5, 15.5, 0.9), (15.5, 15.5, 1.0))]


def over(fill: int, kind: int, bias: int, vertices: list, func: int = 2) -> np.ndarray:
    """Pixels of red drawn (with LESS) over a sloping green rectangle of the same plane."""
    screen = Screen().rs(SHADEMODE=1)
    plane = [(x, y, 0.2 + (x + 1) / 100 + (y + 1) / 40, 1.0, GREEN) for x, y in ((-1, -1), (31, -1), (-1, 31), (31, 31))]
    screen.draw(COLORED, STRIP, plane)
    screen.rs(ZFUNC=func, ZBIAS=bias, FILLMODE=fill)
    screen.draw(COLORED, kind, [(x, y, 0.2 + (x + 1) / 100 + (y + 1) / 40, 1.0, RED) for x, y in vertices])
    return (screen.picture() & 0xFFFFFF) == 0xFF0000


@pytest.mark.parametrize("fill", [FillMode.SOLID, FillMode.WIREFRAME, FillMode.POINT])
def test_zbias_wins_over_a_coplanar_polygon_in_every_fill_mode(fill: int) -> None:
    corners = [(2, 3), (13, 3), (2, 12)]
    everything = over(fill, TRIANGLES, 0, corners, func=8)
    np.testing.assert_array_equal(over(fill, TRIANGLES, 1, corners), everything)
    assert over(fill, TRIANGLES, 0, corners).sum() < everything.sum()


def test_zbias_is_for_polygons_only() -> None:
    line = [(2, 3), (13, 9)]
    np.testing.assert_array_equal(over(FillMode.SOLID, LINES, 16, line), over(FillMode.SOLID, LINES, 0, line))


def test_zbias_in_a_w_buffer() -> None:
    screen = Screen().rs(ZENABLE=2)
    projection = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1.1, 1], [0, 0, -1.1, 0]]
    screen.transform(PROJECTION=projection)
    corners = [(-9, 9, 2.0), (9, 9, 5.0), (-9, -9, 3.0), (9, -9, 6.0)]
    screen.draw(Fvf.XYZ | Fvf.DIFFUSE, STRIP, [(*c, GREEN) for c in corners])
    screen.rs(ZFUNC=2).draw(Fvf.XYZ | Fvf.DIFFUSE, STRIP, [(*c, RED) for c in corners])
    assert screen.rgb() == GREEN & 0xFFFFFF
    screen.rs(ZBIAS=1).draw(Fvf.XYZ | Fvf.DIFFUSE, STRIP, [(*c, RED) for c in corners])
    assert screen.rgb() == RED & 0xFFFFFF


@pytest.mark.parametrize("format", ["D16", "D15S1", "D24S8", "D24X8", "D24X4S4", "D32"])
def test_a_w_buffer_of_every_format(format: str) -> None:
    """w between the near and the far plane, evenly."""
    screen = Screen(depth=format).rs(ZENABLE=2, ZFUNC=8)
    near, far = 2.0, 10.0
    scale = far / (far - near)
    screen.transform(PROJECTION=[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, scale, 1], [0, 0, -near * scale, 0]])
    parts = {kind: (shift, bits) for _, shift, bits, kind in FORMAT_BY_NAME[format].channels}
    shift, bits = parts["depth"]
    for w in (2.0, 3.5, 6.0, 9.0, 10.0):
        screen.quad(fvf=Fvf.XYZ, z=w, corners=[(x * w, y * w) for x, y in ((-1, 1), (1, 1), (-1, -1), (1, -1))])
        word = int(screen.driver.read("depth")[0].view({16: "<u2", 32: "<u4"}[FORMAT_BY_NAME[format].bits])[8, 8])
        stored, wanted = word >> shift & (1 << bits) - 1, (w - near) / (far - near) * ((1 << bits) - 1)
        assert abs(stored - wanted) <= max(1.0, wanted * 2**-22)
    assert not screen.findings


def test_a_w_buffer_needs_a_range() -> None:
    assert not Screen().rs(ZENABLE=2).colored(WHITE).findings
    screen = Screen().rs(ZENABLE=2).transform(PROJECTION=[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 1], [0, 0, 2, 0]])
    assert any("USEW" in finding for finding in screen.screen_quad(WHITE, fvf=COLORED).findings)


def test_table_fog_does_not_see_zbias() -> None:
    """Fog is of the depth where the polygon is, however steep it is."""
    pictures = []
    for bias in (0, 16):
        screen = Screen().rs(FOGENABLE=1, FOGTABLEMODE=3, FOGCOLOR=0, ZBIAS=bias)
        pictures.append(screen.draw(COLORED, STRIP, SLOPING).rgba().astype(int))
    assert np.abs(pictures[0] - pictures[1]).max() <= 1


# ---- depth clipping -----------------------------------------------------------------------------------------------

LEANING = [(-1, 1, -0.5, GREEN), (-1, -1, -0.5, GREEN), (1, 1, 1.5, GREEN), (1, -1, 1.5, GREEN)]
LEANING_SCREEN = [((x + 1) * 8 - 0.5, (1 - y) * 8 - 0.5, z, 1.0, c) for x, y, z, c in LEANING]


RANGES = ((0.0, 1.0), (0.25, 0.75), (0.9, 0.1))


@pytest.mark.parametrize("depth", ["D24S8", ""])
@pytest.mark.parametrize("viewport", RANGES)
@pytest.mark.parametrize("clipping", [0, 1])
@pytest.mark.parametrize("z_enable", [0, 1])
@pytest.mark.parametrize("kind", ["transformed", "fixed", "shader"])
def test_what_is_cut_at_near_and_far(
    kind: str, z_enable: int, clipping: int, viewport: tuple[float, float], depth: str
) -> None:
    """Wine's zenable_test and depth_clamp_test on Windows drivers with CLIPTLVERTS: untransformed vertices always, transformed
    ones while depth is tested; MinZ and MaxZ move neither plane."""
    screen = Screen(depth=depth).rs(ZENABLE=z_enable, CLIPPING=clipping, ZFUNC=8)
    screen.device.SetViewport((0, 0, SIZE, SIZE, *viewport))
    if kind == "shader":
        screen.device.SetVertexShader(screen.vertex_shader("vs_1_1\nmov oPos, v0\nmov oD0, v5"))
    fvf = {"transformed": COLORED, "fixed": Fvf.XYZ | Fvf.DIFFUSE, "shader": 0}[kind]
    screen.draw(fvf, STRIP, LEANING_SCREEN if kind == "transformed" else LEANING)
    columns = (screen.picture() & 0xFFFFFF)[8] == 0xFF00
    expected = np.ones(SIZE, bool)
    if kind != "transformed" or (z_enable and depth):
        expected[:4] = expected[12:] = False
    np.testing.assert_array_equal(columns, expected)


@pytest.mark.parametrize("clipping", [0, 1])
@pytest.mark.parametrize("viewport", RANGES)
@pytest.mark.parametrize("transformed", [True, False])
def test_depth_under_min_and_max_z(transformed: bool, viewport: tuple[float, float], clipping: int) -> None:
    """MinZ + z (MaxZ - MinZ) for what the device transforms; transformed vertices keep the depth that they have."""
    screen = Screen(depth="D16").rs(CLIPPING=clipping, ZFUNC=8)
    screen.device.SetViewport((0, 0, SIZE, SIZE, *viewport))
    screen.draw(COLORED if transformed else Fvf.XYZ | Fvf.DIFFUSE, STRIP, LEANING_SCREEN if transformed else LEANING)
    z = (np.arange(SIZE) + 0.5 * transformed) / 8 - 0.5
    wanted = z if transformed else viewport[0] + z * (viewport[1] - viewport[0])
    depth = screen.driver.read("depth")[0].view("<u2")[8]
    np.testing.assert_allclose(depth[4:12], wanted[4:12] * 65535, rtol=0, atol=2)
    assert (depth[:4] == 65535).all() and (depth[12:] == 65535).all()


@pytest.mark.parametrize(
    ("start", "end", "vertex", "table", "wanted"),
    [(0.0, 1.0, 3, 0, 0x808000), (-1.0, 0.0, 3, 0, 0x00FF00), (0.0, 1.0, 1, 0, 0x9B6400), (-1.0, 0.0, 0, 3, 0x808000)],
)
def test_fog_before_the_near_plane(start: float, end: float, vertex: int, table: int, wanted: int) -> None:
    """Wine's test_negative_fixedfunction_fog: vertex fog takes |z| of eye space, table fog z as it is; neither plane cuts."""
    screen = Screen().rs(ZENABLE=0, FOGENABLE=1, FOGCOLOR=GREEN, FOGSTART=start, FOGEND=end, FOGVERTEXMODE=vertex,
                         FOGTABLEMODE=table)  # fmt: skip
    if table:
        screen.screen_quad(RED, z=-0.5, fvf=COLORED)
    else:
        screen.transform(PROJECTION=[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]])
        screen.colored(RED, z=-0.5)
    assert near(screen.rgb(), wanted)


def test_a_vertex_shader_that_writes_no_fog_is_all_fog() -> None:
    """Wine's fog_special_test, on Windows drivers."""
    screen = Screen().rs(FOGENABLE=1, FOGCOLOR=RED)
    screen.device.SetVertexShader(screen.vertex_shader("vs_1_1\nmov oPos, v0\nmov oD0, v5"))
    screen.draw(0, STRIP, [(x, y, 0.5, GREEN) for x, y in ((-1, 1), (1, 1), (-1, -1), (1, -1))])
    assert screen.rgb() == RED & 0xFFFFFF
