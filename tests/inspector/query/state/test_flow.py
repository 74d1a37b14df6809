"""The flow of the pipeline, what matrices do, light on spheres, fog as a curve."""

from __future__ import annotations

import math

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from core.spec.stages import STAGE_NAMES
from inspector.query.state.flow import StateFlow
from inspector.query.state.readings import reading
from inspector.query.state.situation import Situation
from inspector.query.state.spheres import FogCurve, LightSphere, lit
from inspector.query.steps.vertex import StepVertex
from inspector.query.what_if.edits import Force
from inspector.query.what_if.what_if import WhatIf
from inspector.samples import sample_captures


def said(name: str, matrix: object) -> dict[str, str]:
    return dict(reading(name, np.array(matrix, np.float32)))


def perspective(high: float, aspect: float, near: float, far: float, side: int = 1) -> list[list[float]]:
    """D3DXMatrixPerspectiveFovLH, or RH with side -1 (DX8 SDK: D3DX functions)."""
    y, q = 1 / math.tan(math.radians(high) / 2), far / (far - near)
    return [[y / aspect, 0, 0, 0], [0, y, 0, 0], [0, 0, side * q, side], [0, 0, -near * q, 0]]


@pytest.mark.parametrize(("side", "hand"), [(1, "left"), (-1, "right")])
def test_a_projection_has_a_field_of_view_and_depths(side: int, hand: str) -> None:
    found = said("PROJECTION", perspective(60, 1.5, 0.5, 100, side))
    wide = 2 * math.degrees(math.atan(1.5 * math.tan(math.radians(30))))
    assert found == {
        "field of view": f"60° high, {wide:.4g}° wide",
        "aspect": "1.5",
        "near": "0.5",
        "far": "100",
        "handed": hand,
    }


def test_a_parallel_projection_has_a_box() -> None:
    """D3DXMatrixOrthoLH(8, 6, 1, 11)"""
    found = said("PROJECTION", [[2 / 8, 0, 0, 0], [0, 2 / 6, 0, 0], [0, 0, 1 / 10, 0], [0, 0, -1 / 10, 1]])
    assert found == {"parallel": "8 wide, 6 high", "near": "1", "far": "11"}


def test_a_view_has_an_eye() -> None:
    """D3DXMatrixLookAtLH from (3, 4, 5) along +x, up +y: x axis of the eye is -z of the world."""
    axes = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], float)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[3, :3] = axes, -np.array([3, 4, 5]) @ axes
    assert said("VIEW", matrix) == {"eye at": "3, 4, 5", "looks along": "1, 0, 0", "up": "0, 1, 0"}


def test_a_world_matrix_scales_turns_and_moves() -> None:
    """D3DXMatrixRotationZ(30°) scaled by 2 and moved: row vectors turn from x towards y."""
    c, s = math.cos(math.radians(30)), math.sin(math.radians(30))
    matrix = np.eye(4)
    matrix[:3, :3] = 2 * np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    matrix[3, :3] = 1, -2, 3
    assert said("WORLD0", matrix) == {"scale": "2", "rotation": "30° about 0, 0, 1", "translation": "1, -2, 3"}
    matrix[0, :3] *= 2
    assert said("WORLD0", matrix)["scale"] == "4, 2, 2"
    assert said("WORLD3", np.diag([1, 1, -1, 1]))["mirrored"] == "left-handed becomes right-handed"
    assert said("WORLD0", np.diag([-1, 1, -1, 1])) == {"rotation": "180° about 0, 1, 0"}
    assert "skew" in said("WORLD0", [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def test_odd_matrices_are_said_to_be_odd() -> None:
    assert said("WORLD0", np.eye(4)) == {"identity": "changes nothing"}
    for name in ("WORLD0", "VIEW", "PROJECTION", "TEXTURE0"):
        assert said(name, np.zeros((4, 4)))
        assert said(name, np.full((4, 4), np.nan))["not a number"]
        assert said(name, np.full((4, 4), 3e38))
    flat = np.diag([1.0, 0, 1, 1])
    assert "flat" in said("WORLD0", flat) and "flat" in said("VIEW", flat) and "flat" in said("PROJECTION", flat)


def test_a_texture_matrix_moves_coordinates() -> None:
    matrix = np.diag([4.0, 4, 1, 1])
    matrix[2, :2] = 0.25, 0.5
    assert said("TEXTURE0", matrix) == {"scale": "4, 4, 1", "offset (COUNT2)": "0.25, 0.5"}


# ---- light -----------------------------------------------------------------------------------------------------------------


def test_light_is_that_of_the_pipeline(room: inspector.Capture) -> None:
    """The formula, in numpy, gives what the compiled pipeline computes for vertices of every lit draw of a frame."""
    compared, bright = 0, 0
    for event in room.draws[:10].tolist():
        if not Situation(room, event).lit:
            continue
        dim = (Force("AMBIENT", "0", event, event), Force("LIGHT.0.Diffuse", "0.1 0.1 0.1 1", event, event))
        view = room.ask(WhatIf(dim))  # else everything is white, whatever the lights do
        found = Situation(view, event)
        for vertex in range(0, 200, 20):
            try:
                run = view.ask(StepVertex(event, vertex))
            except BadInput:
                continue
            values = {value.name: np.array(value.value) for step in run.steps for value in step.writes}
            if "eye normal" not in values or any("from COLOR" in one.name for step in run.steps for one in step.reads):
                continue
            if found.raw("SPECULARENABLE"):
                continue  # the pipeline keeps specular light apart
            color = lit(found, values["eye normal"][:3], list(found.lights), True, values["eye position"][:3])
            np.testing.assert_allclose(np.clip(color, 0, 1), values["diffuse"][:3], atol=2e-5)
            compared += 1
            bright += bool(values["diffuse"][2] > 0.12)
    assert bright >= 2, "the point light reaches some"
    assert compared >= 8


def test_a_sphere_is_bright_towards_its_light(room: inspector.Capture) -> None:
    event = int(room.draws[5])
    straight = Force("VIEW", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", event, event)
    view = room.ask(WhatIf((Force("LIGHT.0.Direction", (0, 0, 1), event, event), straight)))
    picture = view.ask(LightSphere(event, 0, 65))
    assert picture.shape == (65, 65, 4) and picture[0, 0, 3] == 0 and picture[32, 32, 3] == 255
    light = picture[..., :3].sum(-1).astype(int)
    assert light[32, 32] == light.max() and light[32, 4] < light[32, 32] // 2, "it shines from the eye"
    assert np.array_equal(light[32], light[32, ::-1])


def test_a_light_that_is_not_there_is_refused(room: inspector.Capture) -> None:
    with pytest.raises(BadInput, match="no light 77"):
        room.ask(LightSphere(int(room.draws[5]), 77))


# ---- fog -------------------------------------------------------------------------------------------------------------------


def test_fog_falls_from_its_start_to_its_end(room: inspector.Capture) -> None:
    event = int(room.draws[5])
    curve = room.ask(FogCurve(event))
    assert curve is not None and (curve.mode.name, curve.of) == ("LINEAR", "vertices")
    for vertex in range(0, 160, 20):
        values = {v.name: v.value for step in room.ask(StepVertex(event, vertex)).steps for v in (*step.reads, *step.writes)}
        there = np.interp(values["d"][0], curve.distance, curve.factor)
        assert there == pytest.approx(min(max(values["fog"][0], 0.0), 1.0), abs=0.02), "as the pipeline has it"
    assert room.ask(FogCurve(int(room.draws[4]))) is None


FORMULAS = [("EXP", lambda x: math.exp(-0.3 * x)), ("EXP2", lambda x: math.exp(-((0.3 * x) ** 2)))]


@pytest.mark.parametrize(("mode", "formula"), FORMULAS)
def test_exponential_fog(room: inspector.Capture, mode: str, formula: object) -> None:
    event = int(room.draws[5])
    view = room.ask(WhatIf((Force("FOGTABLEMODE", mode, event, event), Force("FOGDENSITY", "0.3", event, event))))
    curve = view.ask(FogCurve(event))
    assert (curve.mode.name, curve.of) == (mode, "pixels")
    np.testing.assert_allclose(curve.factor, [formula(x) for x in curve.distance], rtol=1e-5)  # type: ignore[operator]


def test_fog_without_an_extent_has_a_curve(room: inspector.Capture) -> None:
    event = int(room.draws[5])
    for start, end in (("5", "5"), ("0", "0"), ("inf", "inf"), ("3", "-2")):
        view = room.ask(WhatIf((Force("FOGSTART", start, event, event), Force("FOGEND", end, event, event))))
        curve = view.ask(FogCurve(event))
        assert curve is not None and np.isfinite(curve.factor).all() and np.isfinite(curve.distance).all()


# ---- the flow --------------------------------------------------------------------------------------------------------------


def test_every_value_is_in_the_flow_once_and_in_the_order_of_the_pipeline(room: inspector.Capture) -> None:
    event = int(room.draws[5])
    flow = room.ask(StateFlow(event))
    names = [stage.stage.name for stage in flow.stages]
    assert names == [name for name in STAGE_NAMES if name in names]
    keys = [row.value.key for stage in flow.stages for row in stage.rows]
    assert len(keys) == len(set(keys)) == len(room.state(event))
    assert flow.differences == 0
    by_name = {stage.stage.name: stage for stage in flow.stages}
    assert (by_name["light"].runs, by_name["light"].summary) == (True, "1 point, 1 directional")
    assert [sketch.name for sketch in by_name["light"].sketches] == ["Material, all lights", "Light 0", "Light 1"]
    assert (by_name["alpha_test"].runs, by_name["alpha_test"].summary) == (False, "off: ALPHATESTENABLE is FALSE")
    assert by_name["blend"].summary == "ADD of source * SRCALPHA, destination * INVSRCALPHA"


def test_a_blend_factor_at_its_default_is_shown_while_blending_is_on(room: inspector.Capture) -> None:
    event = int(room.draws[5])
    view = room.ask(WhatIf((Force("SRCBLEND", "ONE", event, event),)))
    stage = next(stage for stage in view.ask(StateFlow(event)).stages if stage.stage.name == "blend")
    factor = next(row for row in stage.wanted if row.value.key == "SRCBLEND")
    assert factor.value.is_default and factor.why == "blending is on"


def test_another_event_is_compared(room: inspector.Capture) -> None:
    event, other = int(room.draws[5]), int(room.draws[4])
    flow = room.ask(StateFlow(event, other))
    a, b = room.state(event), room.state(other)
    differing = {row.value.key: row.against for stage in flow.stages for row in stage.rows if row.against is not None}
    assert differing == {key: b[key].text for key in a if a[key].raw != b[key].raw} and len(differing) > 10
    assert all(row.wanted for stage in flow.stages for row in stage.rows if row.against is not None)


def test_events_that_draw_nothing_flow_too(room: inspector.Capture) -> None:
    flow = room.ask(StateFlow(0))
    assert {stage.summary.partition(":")[0] for stage in flow.stages} == {"no device yet"}
    assert not any(stage.runs or stage.sketches for stage in flow.stages), "nor is there light on a sphere"
    after = room.ask(StateFlow(room.frames[-1].last_event))
    assert next(stage.summary for stage in after.stages if stage.stage.name == "fetch").startswith("not a draw")
    with pytest.raises(BadInput):
        room.ask(StateFlow(10**9))
    with pytest.raises(BadInput):
        room.ask(StateFlow(0, 10**9))


def test_draws_of_directx_7_are_what_their_tokens_name() -> None:
    """The token names the primitives; vertices are the call's or the token's, indices the token's."""
    with inspector.open(next(path for title, path in sample_captures() if title == "Tokens")) as capture:
        said = {}
        for draw in capture.draws.tolist():
            flow = capture.ask(StateFlow(draw))
            said.setdefault(capture.name(draw), (flow.stages[0].summary, [row.value.key for row in flow.stages[0].wanted]))
            if capture.name(draw) == "TRIANGLEFAN":  # of XYZRHW, says the call
                stage = next(stage for stage in flow.stages if stage.stage.name == "transform")
                assert (stage.runs, stage.summary) == (False, "vertices are transformed already") and not stage.wanted
    assert said["TRIANGLEFAN"][0] == "trianglefan, vertices from user memory of the call"
    assert said["INDEXEDLINESTRIP"][0] == "linestrip, vertices from user memory of the call, indices in the token"
    assert said["POINTS"][0].startswith("pointlist") and said["LINELIST_IMM"][0] == "linelist, vertices from the token"
    assert said["DRAWRECTPATCH"][0] == "patch, vertices from user memory"
    assert said["DRAWINDEXEDPRIMITIVE"][0] == "trianglelist, vertices from #40, indices #41"
    assert [name for name, (_, rows) in said.items() if "INDICES" in rows] == ["DRAWINDEXEDPRIMITIVE", "DRAWINDEXEDPRIMITIVE2"]
