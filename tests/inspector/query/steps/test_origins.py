"""Where values come from: every link leads to something that is there, and what it says adds up."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from inspector.query.pixels.writers import PixelsOf
from inspector.query.steps.corners import corners_of
from inspector.query.steps.origins import Origin, OriginsOf
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.run import Run
from inspector.query.steps.vertex import StepVertex
from inspector.query.what_if.edits import Force
from inspector.query.what_if.what_if import WhatIf
from inspector.samples import sample_captures
from tests.scenes import all_scenes, opened

FIXED, SHADED = (5, 400, 280), (4, 410, 362)


def pixel_run(capture: inspector.Capture, place: tuple[int, int, int]) -> tuple[Run, tuple[int, int]]:
    return capture.ask(StepPixel(int(capture.draws[place[0]]), *place[1:])), place[1:]


def names(origins: tuple[Origin, ...]) -> list[str]:
    return [one.name for one in origins]


@pytest.mark.parametrize("place", [FIXED, SHADED])
def test_interpolants_are_the_weighted_sum_of_the_vertices(room: inspector.Capture, place: tuple[int, int, int]) -> None:
    run, pixel = pixel_run(room, place)
    for value in run.steps[0].writes:
        origins = room.ask(OriginsOf(run, 0, value.name, pixel))
        assert [one.kind for one in origins] == ["vertex"] * 3
        parts = [one.value.split("   weight ") for one in origins]
        weights = np.array([float(weight) for _, weight in parts])
        corners = np.array([list(map(float, text.split(", "))) for text, _ in parts])
        assert weights.sum() == pytest.approx(1, abs=1e-3) and (weights > -1e-3).all()
        count = min(len(value.value), corners.shape[1])
        np.testing.assert_allclose(weights @ corners[:, :count], value.value[:count], atol=2e-3)
        for one in origins:
            vertex = room.ask(StepVertex(run.event, one.vertex or 0))
            assert room.ask(OriginsOf(vertex, len(vertex.steps), one.leads_to, vertex=one.vertex)), one.leads_to


def test_every_value_of_a_run_has_an_origin_or_none(room: inspector.Capture) -> None:
    """All names, at all steps: each link leads to a step before, an event, or a surface; a value leads to itself nowhere."""
    for place in (FIXED, SHADED):
        run, pixel = pixel_run(room, place)
        check_links(room, run, pixel, None)
        check_links(room, room.ask(StepVertex(run.event, 3)), None, 3)


def check_links(capture: inspector.Capture, run: Run, pixel: tuple[int, int] | None, vertex: int | None) -> None:
    last, known = len(run.steps) - 1, set[tuple[int, str]]()
    for name in {value.name for step in run.steps for value in (*step.writes, *step.reads) if " x " not in value.name}:
        found = capture.ask(OriginsOf(run, last, name, pixel, vertex))
        assert found, f"{name} comes from something, or is a constant with a reason"
        for one in found:
            if one.kind == "step":
                assert one.step is not None
                if (one.step, one.leads_to) not in known:
                    known.add((one.step, one.leads_to))
                    assert capture.ask(OriginsOf(run, one.step, one.leads_to, pixel, vertex))
            if one.kind in ("state", "buffer", "fragment", "texel"):
                assert one.event is None or 0 <= one.event < run.event or one.value == "in the memory of the call"
                assert one.event is not None or one.value.endswith("   the default"), one
            if one.texel is not None:
                handle, level = one.texel[:2]
                assert capture.resolve(run.event, inspector.Subresource(handle, level)) is not None
            assert one.kind != "constant" or ("   " in one.value and one.event is None), "with a reason"


@pytest.mark.parametrize("title", ["Tokens", "Direct3D 7", "Patches", "Bump mapping", "Reflections"])
def test_no_chain_ends_early(title: str) -> None:
    """Draws of all kinds of memory, patches that were kept, generated coordinates, transformed vertices."""
    with inspector.open(next(path for name, path in sample_captures() if name.startswith(title))) as capture:
        checked = 0
        for draw in capture.draws.tolist()[::5][:4]:
            covered = np.zeros((0, 2), int)
            with suppress(BadInput):  # all of it is clipped
                covered = np.argwhere(capture.ask(PixelsOf(draw)).covered)
            if len(covered):
                y, x = covered[len(covered) // 2].tolist()
                run = capture.ask(StepPixel(draw, x, y))
                check_links(capture, run, (x, y), None)
                corner = capture.ask(OriginsOf(run, len(run.steps) - 1, "depth", (x, y)))[0] if has(run, "depth") else None
                if corner is not None and corner.vertex is not None:
                    check_links(capture, capture.ask(StepVertex(draw, corner.vertex)), None, corner.vertex)
                    checked += 1
        assert checked or title == "Tokens", "which has no depth buffer"


def has(run: Run, name: str) -> bool:
    return any(value.name == name for step in run.steps for value in (*step.writes, *step.reads))


def test_factors_lead_to_the_states_and_the_fragment_before_goes_on(room: inspector.Capture) -> None:
    run, pixel = pixel_run(room, FIXED)
    last = len(run.steps) - 1
    source, state = room.ask(OriginsOf(run, last, "source factor", pixel))
    assert (source.leads_to, state.name, state.value) == ("color", "SRCBLEND", "SRCALPHA")
    alpha = next(value.value[3] for value in run.steps[source.step or 0].writes)
    factor = next(value.value for step in run.steps for value in step.reads if value.name == "source factor")
    assert factor == pytest.approx([alpha] * 4)
    before = room.ask(OriginsOf(run, last, "destination", pixel))[0]
    assert before.event is not None and before.primitive is not None and before.leads_to == "result"
    shown = room.ask(StepPixel(before.event, *pixel, before.primitive)).steps[-1].reads[0]
    held = next(value.value for step in run.steps for value in step.reads if value.name == "destination")
    assert shown.value[:3] == pytest.approx(held[:3], abs=1 / 255)


def test_both_sides_of_the_depth_test_lead_on(room: inspector.Capture) -> None:
    run, pixel = pixel_run(room, FIXED)
    depth, stored = next(step for step in run.steps if step.stage == "depth_test").reads
    corners = room.ask(OriginsOf(run, len(run.steps) - 1, "depth", pixel))
    parts = [one.value.split("   weight ") for one in corners]
    assert sum(float(z) * float(weight) for z, weight in parts) == pytest.approx(depth.value[0], abs=2e-4)
    before = room.ask(OriginsOf(run, len(run.steps) - 1, "stored depth", pixel))[0]
    assert before.event is not None
    assert stored.value[0] == 1.0 and room.name(before.event) == "CLEAR", "the draw between wrote stencil only"


def test_a_colour_that_is_added_to_leads_to_the_colour_before(room: inspector.Capture) -> None:
    """From one step of that name to the other: what was there and what is added are what comes out."""
    run, pixel = room.ask(StepPixel(697, 250, 246, 558)), (250, 246)
    added = next(n for n, step in enumerate(run.steps) if step.title == "specular added")
    before, specular = (
        next(one for one in room.ask(OriginsOf(run, len(run.steps) - 1, "color", pixel)) if one.name == name)
        for name in ("color", "specular")
    )
    assert before.step is not None and before.step < added and before.leads_to == "color"
    colours = [np.array(list(map(float, one.value.split(", "))))[:3] for one in (before, specular)]
    assert sum(colours) == pytest.approx(run.steps[added].writes[0].value[:3], abs=1e-5)


def test_a_states_origin_is_its_writer(room: inspector.Capture) -> None:
    run, pixel = pixel_run(room, FIXED)
    state = room.state(run.event)
    number = next(n for n, step in enumerate(run.steps) if step.title.startswith("stage 1"))
    found = {one.name: one for one in room.ask(OriginsOf(run, number, "current", pixel))}
    assert found["COLOROP[1]"].event == state["TEXTURESTAGE", 1, "COLOROP"].writer
    assert "COLOROP[0]" not in found and found["color_arg2 (CURRENT)"].step == number - 2
    texels = [one for one in room.ask(OriginsOf(run, number - 1, "texture", pixel)) if one.kind == "texel"]
    assert {one.texel[0] for one in texels if one.texel} == {state["TEXTURESTAGE", 1, "TEXTUREMAP"].raw[0]}


def test_what_was_there_before_is_what_drew_it(room: inspector.Capture) -> None:
    run, pixel = pixel_run(room, FIXED)
    before = room.ask(OriginsOf(run, len(run.steps) - 1, "destination", pixel))[0]
    writers = room.ask(inspector.Writers("back_buffer", *pixel, first=room.frame_at(run.event).first_event, last=run.event))
    assert before.kind == "fragment" and before.event == int(writers["event"][-2])


def test_light_leads_to_the_light_and_the_material(room: inspector.Capture) -> None:
    event = int(room.draws[5])
    run = room.ask(StepVertex(event, 3))
    last = len(run.steps) - 1
    diffuse = names(room.ask(OriginsOf(run, last, "diffuse", vertex=3)))
    assert {"light 0 diffuse", "light 1 diffuse", "MATERIAL.Diffuse", "AMBIENT"} <= set(diffuse)
    adds = names(room.ask(OriginsOf(run, last, "light 1 diffuse", vertex=3)))
    assert sorted(adds) == ["LIGHT[1].Diffuse", "light 1 N.L", "light 1 strength"], "not what it adds to other colours"
    cosine = room.ask(OriginsOf(run, last, "light 1 N.L", vertex=3))
    assert sorted(names(cosine)) == ["eye normal", "light 1 direction"]
    direction, normal = (np.array(list(map(float, one.value.split(", ")))) for one in cosine)
    found = next(value.value[0] for step in run.steps for value in step.writes if value.name == "light 1 N.L")
    assert direction @ normal == pytest.approx(found, abs=1e-5)
    assert "VIEWPORT.X" not in names(room.ask(OriginsOf(run, last, "eye position", vertex=3)))
    assert names(room.ask(OriginsOf(run, last, "clip", vertex=3)))[-1] == "PROJECTION"
    (buffer,) = room.ask(OriginsOf(run, last, "position", vertex=3))
    assert buffer.event is not None and "Unlock" in room.text(buffer.event)


def test_a_colour_of_the_vertex_leads_to_its_element(tmp_path: Path) -> None:
    with opened(next(one for one in all_scenes() if one.name == "states/DIFFUSEMATERIALSOURCE"), tmp_path) as capture:
        event = int(capture.draws[0])
        run = capture.ask(StepVertex(event, 0))
        found = capture.ask(OriginsOf(run, len(run.steps) - 1, "diffuse", vertex=0))
        (ambient,) = (one for one in found if one.name.startswith("ambient from COLOR1"))
        assert (ambient.step, ambient.leads_to, run.steps[0].title) == (0, "diffuse", "vertex elements")
        assert names(capture.ask(OriginsOf(run, 0, ambient.leads_to, vertex=0)))[0].startswith("stream 0")
        assert not {"emissive from MATERIAL"} & set(names(found)) and "MATERIAL.Emissive" in names(found), "once, as a state"


def test_a_matrix_instruction_reads_all_its_rows(room: inspector.Capture) -> None:
    run = room.ask(StepVertex(int(room.draws[4]), 0))
    assert names(room.ask(OriginsOf(run, len(run.steps) - 1, "oPos", vertex=0)))[-4:] == [f"VSCONST[{n}]" for n in range(4)]


def test_flat_shading_takes_one_vertex(room: inspector.Capture) -> None:
    event = int(room.draws[5])
    view = room.ask(WhatIf((Force("SHADEMODE", "FLAT", event, event),)))
    run = view.ask(StepPixel(event, 400, 280))
    shares = [one.value.split("   ")[1] for one in view.ask(OriginsOf(run, 0, "diffuse", (400, 280)))]
    assert shares == ["all of it: flat shading", *["not used: flat shading"] * 2]


def test_a_saturated_factor_is_made_of_both_alphas(room: inspector.Capture) -> None:
    """The smaller of the source's alpha and of what the destination's leaves to 1 (D3DBLEND_SRCALPHASAT)."""
    event, pixel = int(room.draws[FIXED[0]]), FIXED[1:]
    view = room.ask(WhatIf((Force("SRCBLEND", "SRCALPHASAT", event, event),)))
    run = view.ask(StepPixel(event, *pixel))
    source, before, state = view.ask(OriginsOf(run, len(run.steps) - 1, "source factor", pixel))
    assert (source.name, before.kind, state.name) == ("source", "fragment", "SRCBLEND")


@pytest.mark.parametrize(("kind", "corners"), [("TRIANGLELIST", (15, 16, 17)), ("TRIANGLESTRIP", (5, 6, 7)),
                                              ("LINELIST", (10, 11)), ("LINESTRIP", (5, 6)), ("POINTLIST", (5,))])  # fmt: skip
def test_corners_are_counted_as_the_primitive_does(kind: str, corners: tuple[int, ...]) -> None:
    assert corners_of(kind, 5) == corners
    assert set(corners_of("TRIANGLEFAN", 5)) == {0, 6, 7}


def test_an_unknown_value_is_refused(room: inspector.Capture) -> None:
    run, pixel = pixel_run(room, FIXED)
    with pytest.raises(BadInput, match="unknown value 'diffused'; expected one of diffuse"):
        room.ask(OriginsOf(run, 99, "diffused", pixel))
