"""The vertices and primitives of a draw, before and after tessellation and clipping: small draws with known outcomes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from core.runtime.calls.structs import D3DRECTPATCH_INFO
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS
from core.spec.enums import BasisType, CreateFlag, DeviceType, Fvf, OrderType, Pool, PrimitiveType, Usage
from core.spec.formats import FORMAT_BY_NAME
from core.spec.states import RENDER_STATE_ID
from inspector.imports.scripts import record

SIZE = 64
ONE, TWO = 0x3F800000, 0x40000000
TRIANGLES = np.array([
    [(0, 0.5, 0.5), (0.5, -0.5, 0.5), (-0.5, -0.5, 0.5)],       # clockwise: drawn
    [(0, 0.5, 0.5), (-0.5, -0.5, 0.5), (0.5, -0.5, 0.5)],       # counter-clockwise: culled
    [(-3, 0.5, 0.5), (-2, -0.5, 0.5), (-4, -0.5, 0.5)],         # left of everything
    [(0, 0.5, -1), (0.5, -0.5, 1), (-0.5, -0.5, 1)],            # half of it in front of the near plane
    [(0, 0.5, -1), (0.5, -0.5, -1), (-0.5, -0.5, -1)],          # all of it
    [(0, 0, 0.5), (0.25, 0.25, 0.5), (0.5, 0.5, 0.5)],          # no area
], np.float32)  # fmt: skip


@pytest.fixture(scope="module")
def curves(tmp_path_factory: pytest.TempPathFactory) -> Iterator[inspector.Capture]:
    """Event order of draws: TRIANGLES, a flat 2 x 2 patch with two segments, an N-patch triangle with two segments."""
    path = tmp_path_factory.mktemp("curves") / "curves.ddicap"
    with record(path) as d3d:
        parameters = D3DPRESENT_PARAMETERS(SIZE, SIZE, FORMAT_BY_NAME["X8R8G8B8"].id)
        device = d3d.CreateDevice(0, DeviceType.HAL, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, parameters)
        device.SetRenderState(RENDER_STATE_ID["LIGHTING"], 0)
        device.SetVertexShader(Fvf.XYZ)
        device.DrawPrimitiveUP(PrimitiveType.TRIANGLELIST, len(TRIANGLES), TRIANGLES.tobytes(), 12)
        corners = np.array([(-0.5, 0.5, 0), (0.5, 0.5, 0), (-0.5, -0.5, 0), (0.5, -0.5, 0)], np.float32)
        buffer = device.CreateVertexBuffer(corners.nbytes, Usage.WRITEONLY | Usage.RTPATCHES, Fvf.XYZ, Pool.DEFAULT)
        buffer.Lock(0, 0, 0)[:] = corners.view(np.uint8).reshape(-1)
        buffer.Unlock()
        device.SetStreamSource(0, buffer, 12)
        device.DrawRectPatch(0, (2.0,) * 4, D3DRECTPATCH_INFO(0, 0, 2, 2, 2, BasisType.BEZIER, OrderType.LINEAR))
        device.SetVertexShader(Fvf.XYZ | Fvf.NORMAL)
        device.SetRenderState(RENDER_STATE_ID["PATCHSEGMENTS"], TWO)
        curved = np.array([(0, 0.5, 0.5, 0, 0, -1), (0.5, -0.5, 0.5, 0, 0, -1), (-0.5, -0.5, 0.5, 0, 0, -1)], np.float32)
        device.DrawPrimitiveUP(PrimitiveType.TRIANGLELIST, 1, curved.tobytes(), 24)
        device.Present(None, None, 0, None)
    with inspector.open(path) as capture:
        assert not capture.findings
        yield capture


def test_every_primitive_has_its_fate(curves: inspector.Capture) -> None:
    rows = curves.vertices(int(curves.draws[0]), "primitives").rows
    assert rows["fate"].tolist() == ["drawn", "culled (CCW)", "clipped: left", "drawn", "clipped: near", "degenerate"]
    assert rows["parts"].tolist() == [1, 1, 0, 2, 0, 1]
    half = SIZE / 2
    assert rows["area"][0] == pytest.approx(half * half / 2, rel=0.02)
    assert rows["area"][3] == pytest.approx(half * half / 2 * 3 / 4, rel=0.02)  # the tip is cut off at half height
    assert rows["left"][0] == pytest.approx(half / 2, abs=0.6) and np.isnan(rows["left"][2])


def test_clipping_makes_vertices(curves: inspector.Capture) -> None:
    grid = curves.vertices(int(curves.draws[0]), "clipped")
    cut = grid.rows[grid.rows["primitive"] == 3]
    assert len(cut) == 6 and grid.primitive == "TRIANGLELIST"
    made = cut[cut["made by"] == "clipping"]
    assert set(made["screen.z"].tolist()) == {0.0}
    assert len(np.unique(made["vertex"])) == 2
    whole = grid.rows[grid.rows["primitive"] == 0]
    assert (whole["made by"] == "the draw").all()
    assert set(grid.rows["primitive"][grid.rows["culled"] == "culled"].tolist()) == {1}


def test_a_patch_before_and_after_the_tessellator(curves: inspector.Capture) -> None:
    event = int(curves.draws[1])
    points = curves.vertices(event, "assembled")
    assert points.primitive == "POINTLIST" and len(points.rows) == 4
    nouns = [curves.vertices(event, which).noun for which in ("assembled", "tessellated", "primitives")]
    assert nouns == ["control point", "vertex", "primitive"]
    assert points.rows["position.x"].tolist() == [-0.5, 0.5, -0.5, 0.5]
    made = curves.vertices(event, "tessellated")
    assert made.primitive == "TRIANGLELIST" and len(made.rows) == 2 * 2 * 2 * 3
    assert np.unique(made.rows["position.x"]).tolist() == [-0.5, 0.0, 0.5]
    assert len(curves.vertices(event, "transformed").rows) == len(made.rows)


def test_n_patches_before_and_after_the_tessellator(curves: inspector.Capture) -> None:
    event = int(curves.draws[2])
    assert len(curves.vertices(event, "assembled").rows) == 3
    made = curves.vertices(event, "tessellated").rows
    assert len(made) == 4 * 3
    assert np.allclose(made["position.z"], 0.5)  # flat normals keep it flat
    assert set(curves.vertices(event, "primitives").rows["fate"].tolist()) == {"drawn"}


def test_flat_draws_have_nothing_tessellated(curves: inspector.Capture) -> None:
    grid = curves.vertices(int(curves.draws[0]), "tessellated")
    assert not len(grid.rows) and grid.notes == ["this draw has neither patches nor N-patches"]


def test_what_are_no_vertices_is_told(curves: inspector.Capture) -> None:
    with pytest.raises(BadInput, match="unknown kind of vertices 'lunch'; expected one of streams"):
        curves.vertices(int(curves.draws[0]), "lunch")


def test_what_is_tessellated_has_no_w(curves: inspector.Capture) -> None:
    """Shapes with a w are taken to be on the screen."""
    for event in curves.draws.tolist()[1:]:
        for which in ("assembled", "tessellated"):
            assert "position.w" not in curves.vertices(event, which).columns


@pytest.mark.parametrize("number, stays", [(0, True), (1, False), (2, True)])
def test_a_device_that_has_drawn_answers_alike(curves: inspector.Capture, number: int, stays: bool) -> None:
    """And need not go back for it, but for a patch, which is kept."""
    event, replay = int(curves.draws[number]), curves.replay
    answers = []
    for go in (replay.before, replay.at):
        with go(event):
            pass
        answers.append([curves.vertices(event, which).rows.tobytes() for which in ("streams", "transformed", "primitives")])
    assert answers[0] == answers[1]
    assert replay._position == event + stays
