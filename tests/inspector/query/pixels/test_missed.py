"""Where culled and clipped triangles would be, compared with the same triangles drawn without culling or clipping."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import Cancelled
from core.pipeline.explain.misses import Misses
from core.pipeline.geometry import Geometry
from core.pipeline.observe.shapes import Shapes
from core.pipeline.records.primitives import PrimitiveFate
from core.pipeline.vertex.fetch import compile_declaration
from core.spec.enums import Cull, PrimitiveType
from inspector.query.pixels import missed
from inspector.query.pixels.fragments import FragmentsOn
from inspector.query.pixels.missed import CULLED, FAR, NEAR, mark_missed, missed_on
from inspector.query.pixels.overlay import Overlay
from inspector.tape import TapeWriter
from tests.conftest import ROOT
from tests.core.pipeline.vertex_kit import Scene
from tests.scenes.kit import SCREEN, SIZE, Stage, states, t

COUNT = 60


def _triangles(seed: int) -> list[bytes]:
    """Small and large, turned either way, some with corners on centres of pixels, and with depths from -0.5 to 1.5."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(-8, SIZE + 8, (COUNT, 3, 2))
    places[::2] = np.rint(places[::2])
    depths = rng.uniform(-0.5, 1.5, (COUNT, 3))
    depths[:20] = 0.5
    rows = zip(places.reshape(-1, 2).tolist(), depths.reshape(-1).tolist(), strict=True)
    return [struct.pack("<4fI", x, y, z, 1.0, 0xFFFFFFFF) for (x, y), z in rows]


def _capture(path: Path, *before: dict[str, int]) -> list[int]:
    """Draws the same triangles after each of the states; the events of the draws."""
    with TapeWriter(path, {"title": "triangles"}, durable=False) as writer:
        played = Stage(writer, depth="D24S8")
        played.tokens(t("VIEWPORTINFO", x=8, y=4, width=40, height=50))
        for given in before:
            played.tokens(
                states(ZFUNC=8, **given), t("SETVERTEXSHADER", shader=SCREEN), t("SETSTREAMSOURCEUM", stride=20),
                t("DRAWPRIMITIVE", type="TRIANGLELIST", start=0, count=COUNT), vertices=_triangles(7), stride=20,
            )  # fmt: skip
    with inspector.open(path) as capture:
        return [int(draw) for draw in capture.draws]


@pytest.mark.parametrize(
    ("given", "other", "wanted", "rounded"),
    [
        ({"CULLMODE": 2, "ZENABLE": 0}, {"CULLMODE": 1, "ZENABLE": 0}, CULLED, 0),
        ({"CULLMODE": 3, "ZENABLE": 0}, {"CULLMODE": 1, "ZENABLE": 0}, CULLED, 0),
        ({"CULLMODE": 1, "ZENABLE": 1}, {"CULLMODE": 1, "ZENABLE": 0}, NEAR | FAR, 8),
    ],
)
def test_pixels_are_those_of_the_draw_without_that_test(
    given: dict[str, int], other: dict[str, int], wanted: int, rounded: int, tmp_path: Path
) -> None:
    """rounded: pixels that the edge of a cut decides, whose ends the rasteriser rounds."""
    first, second = _capture(path := tmp_path / "triangles.ddicap", given, other)
    with inspector.open(path) as capture:
        drawn, all_of_them = (capture.ask(FragmentsOn("render_target", draw, draw)).counts for draw in (first, second))
        missing = all_of_them > drawn
        assert 200 < missing.sum() < SIZE * SIZE
        bits = missed_on(capture, "render_target", first, first)
        assert ((bits & wanted != 0) != missing).sum() <= rounded
        assert not (missed_on(capture, "render_target", second, second) & wanted).any()


def test_overlays_count_them(tmp_path: Path) -> None:
    first, _ = _capture(path := tmp_path / "triangles.ddicap", {"CULLMODE": 3, "ZENABLE": 1}, {"CULLMODE": 1})
    with inspector.open(path) as capture:
        drawn = capture.ask(FragmentsOn("render_target", first, first)).furthest > 0
        bits = missed_on(capture, "render_target", first, first)
        away = bits & CULLED != 0
        parts = {"some culled, some not": drawn & away, "not culled": drawn & ~away, "culled": away & ~drawn}
        found = {row.title: row.pixels for row in capture.ask(Overlay("culled", first)).meanings}
        assert found == {title: part.sum() for title, part in parts.items() if part.any()} and len(found) > 1
        clipped = {row.title: row.pixels for row in capture.ask(Overlay("clipped", first)).meanings}
        assert clipped["cut off by the near plane"] == (bits & NEAR != 0).sum()
        outside = np.ones((SIZE, SIZE), bool)
        outside[4:54, 8:48] = False  # of the viewport
        assert clipped["outside the viewport"] == (outside & (bits != 0) & (bits & (NEAR | FAR) == 0)).sum() > 0


def test_stop_ends_it(tmp_path: Path) -> None:
    first, _ = _capture(path := tmp_path / "triangles.ddicap", {"CULLMODE": 3}, {"CULLMODE": 1})
    with inspector.open(path) as capture:
        capture.image(first)  # its frame is known
        with pytest.raises(Cancelled):
            capture.ask(Overlay("culled", first), lambda: True)


def test_stop_ends_it_between_large_triangles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they cover counts, not how many they are; looks between them change nothing."""
    first, _ = _capture(path := tmp_path / "triangles.ddicap", {"CULLMODE": 3}, {"CULLMODE": 1})
    looks = list[None]()
    monkeypatch.setattr(missed, "look", lambda: looks.append(None))
    with inspector.open(path) as capture:
        bits = missed_on(capture, "render_target", first, first)
        few = len(looks)
        monkeypatch.setattr(missed, "WORK", 64)
        assert np.array_equal(missed_on(capture, "render_target", first, first), bits) and bits.any()
    assert len(looks) - few > few + 5


def test_what_reaches_behind_the_eye_is_where_the_history_finds_it() -> None:
    rng = np.random.default_rng(3)
    points = (rng.normal(size=(3 * COUNT, 4)) * [2, 2, 1, 1] + [0, 0, 0.5, 0.4]).astype(np.float32)
    scene = Scene(24, 18).set("CULLMODE", Cull.CCW).set(("STREAM", 0, "stride"), 16)
    scene.set(("CLIPPLANE", 1), 1.0, 0.5, 0.0, 0.2).set("CLIPPLANEENABLE", 2)
    geometry, shapes = Geometry(), Shapes()
    layout = compile_declaration([1 << 29, 2 << 29 | 3 << 16, 0xFFFFFFFF], programmable=False)
    geometry.process(scene.vector, layout, streams=[points.reshape(-1).view(np.uint8)], kind=PrimitiveType.TRIANGLELIST,
                     count=COUNT)  # fmt: skip
    shapes.add(0, 0, scene.vector, geometry)
    [shape] = shapes.of((0,))
    bits = np.zeros((18, 24), np.int32)
    mark_missed(shape, bits)
    misses, wanted = Misses([shape]), np.zeros_like(bits)
    for y, x in np.ndindex(bits.shape):
        for _, miss in misses.at(x, y):
            wanted[y, x] |= 1 << miss.reason
    assert (shape.clip[:, 3] < 0).sum() > 30
    assert all((wanted & 1 << fate).any() for fate in (PrimitiveFate.NEAR, PrimitiveFate.USER_1, PrimitiveFate.CULLED))
    away = 1 << PrimitiveFate.CULLED
    assert np.array_equal(bits & ~away, wanted & ~away)
    assert not (bits & away & ~wanted).any() and (bits & away).any()  # the history names what is cut, too, as culled


@pytest.mark.parametrize("kind", [PrimitiveType.LINELIST, PrimitiveType.LINESTRIP, PrimitiveType.POINTLIST])
def test_lines_and_points_are_where_the_history_finds_them(kind: PrimitiveType) -> None:
    rng = np.random.default_rng(5)
    points = (rng.normal(size=(COUNT, 4)) * [1, 1, 1, 0.5] + [0, 0, 0.5, 0.8]).astype(np.float32)
    points[:4] = [[-0.5, 0, -0.5, 1], [0.5, 0, 0.5, 1], [0, -0.5, 1.5, 1], [0, 0.5, 0.5, 1]]  # along a row and a column
    points[4:6] = [0.25, 0.25, 2, 1]  # of no length
    scene = Scene(24, 18).set(("STREAM", 0, "stride"), 16).set("POINTSIZE", struct.unpack("<I", struct.pack("<f", 5.0))[0])
    scene.set(("CLIPPLANE", 1), 1.0, 0.5, 0.0, 0.2).set("CLIPPLANEENABLE", 2)
    geometry, shapes = Geometry(), Shapes()
    layout = compile_declaration([1 << 29, 2 << 29 | 3 << 16, 0xFFFFFFFF], programmable=False)
    count = {PrimitiveType.LINELIST: COUNT // 2, PrimitiveType.LINESTRIP: COUNT - 1}.get(kind, COUNT)
    geometry.process(scene.vector, layout, streams=[points.reshape(-1).view(np.uint8)], kind=kind, count=count)
    shapes.add(0, 0, scene.vector, geometry)
    [shape] = shapes.of((0,))
    bits = np.zeros((22, 30), np.int32)  # beyond the viewport, too
    mark_missed(shape, bits)
    misses, wanted = Misses([shape]), np.zeros_like(bits)
    for y, x in np.ndindex(bits.shape):
        for _, miss in misses.at(x, y):
            wanted[y, x] |= 1 << miss.reason
    assert all(
        (wanted & 1 << fate).any()
        for fate in (PrimitiveFate.NEAR, PrimitiveFate.FAR, PrimitiveFate.USER_1, PrimitiveFate.RIGHT)
    )
    assert np.array_equal(bits, wanted)


FAR_AWAY = """
import numpy as np
from core.pipeline.observe.shapes import Shape
from core.spec.enums import PrimitiveType
from inspector.query.pixels.missed import mark_missed

def marked(kind, clip, size=1.0):
    each, bits = 1 if kind == PrimitiveType.POINTLIST else 2, np.zeros((16, 16), np.int32)
    corners = np.arange(len(clip), dtype=np.int32).reshape(-1, each)
    mark_missed(Shape(0, int(kind), corners, np.array(clip, np.float32), np.full(len(clip), size, np.float32),
                      np.zeros(len(corners), np.uint8), 1, (0.0, 0.0, 16.0, 8.0), (1.0, 0.0, 1.0, 0.0), 1, True,
                      np.zeros((6, 4)), False), bits)
    return int(np.count_nonzero(bits))

for far in (1e6, 1e17, 1e25, 1e38):
    for sign in (-1, 1):
        assert marked(PrimitiveType.LINELIST, [[-far * sign, far, 0.5, 1], [3 * far * sign, -far, 0.5, 1]]) == 0, far
assert marked(PrimitiveType.LINELIST, [[4, -1e38, 0.5, 1], [4, 1e38, 0.5, 1]]) == 8  # below the viewport
for size, count in ((float("nan"), 0), (-1.0, 0), (float("inf"), 128), (3e38, 128), (3.0, 3)):
    assert marked(PrimitiveType.POINTLIST, [[4, 7, 0.5, 1]], size) == count, size
"""


def test_lines_and_points_that_are_far_away_end() -> None:
    """In a process of its own: a row of a line that passes at 1e25 pixels took for ever, without a look at Stop."""
    run = subprocess.run([sys.executable, "-W", "error", "-c", FAR_AWAY], cwd=ROOT, timeout=120, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
