"""What every stage and every instruction made of one pixel."""

from __future__ import annotations

import numpy as np
import pytest

from core.pipeline.explain.pixel_trace import Pixel, trace
from core.pipeline.records.layout import TRIANGLE, Plane
from core.spec.enums import TextureOp
from tests.core.pipeline.pixel.test_combine import random_block
from tests.core.pipeline.pixel.test_pshader import Setup
from tests.core.pipeline.shading import TSS, Block, solid

CURRENT, TEXTURE, TFACTOR, TEMP, COMPLEMENT = 1, 2, 3, 5, 16


def pixel_of(block: Block, x: int = 0, y: int = 0) -> Pixel:
    return Pixel(block.state(), block.triangle().view(np.float32), block.memory(), x, y)


def test_stages_show_arguments_and_results() -> None:
    block = Block(diffuse=(0.5, 0.5, 0.5, 1.0), factor=(0.25, 0.5, 0.75, 0.5)).texture(0, solid(0xFF336699))
    block.stage(0, COLOROP=TextureOp.MODULATE, COLORARG1=TEXTURE, COLORARG2=0, ALPHAOP=2, ALPHAARG1=TFACTOR, RESULTARG=TEMP)
    block.stage(1, COLOROP=TextureOp.ADD, COLORARG1=TEMP, COLORARG2=TFACTOR | COMPLEMENT, ALPHAOP=1)
    seen = trace(pixel_of(block))
    first, second = seen.steps
    assert first.values == {
        "texture": pytest.approx((0.2, 0.4, 0.6, 1.0)), "color_arg1": pytest.approx((0.2, 0.4, 0.6, 1.0)),
        "color_arg2": (0.5, 0.5, 0.5, 1.0), "alpha_arg1": (0.25, 0.5, 0.75, 0.5), "current": (0.5, 0.5, 0.5, 1.0),
        "temp": pytest.approx((0.1, 0.2, 0.3, 0.5)),
    }  # fmt: skip
    assert second.values["color_arg2"] == (0.75, 0.5, 0.25, 0.5)
    assert second.values["current"] == pytest.approx((0.85, 0.7, 0.55, 1.0))
    assert seen.result == second.values["current"] and not seen.shader and seen.depth is None
    assert seen.inputs["diffuse"] == (0.5, 0.5, 0.5, 1.0)


def test_what_is_left_of_another_program_does_not_matter() -> None:
    """Whoever binds the state of texture stages leaves the instructions of the record as they were."""
    block = Block().texture(0, solid(0xFF336699)).stage(0, COLOROP=TextureOp.MODULATE, COLORARG1=TEXTURE, COLORARG2=0)
    pixel = pixel_of(block)
    clean = trace(pixel).steps[0].values["texture"]
    pixel.states["instruction"].view(np.uint8)[:] = 0x7B
    assert trace(pixel).steps[0].values["texture"] == clean == pytest.approx((0.2, 0.4, 0.6, 1.0))


def test_w_is_the_pixels_own_where_all_vertices_share_it() -> None:
    """Then the planes hold attributes that are not divided by w; 1/w is 0.25 all the same."""
    pixel = pixel_of(Block(diffuse=(0.5, 0.5, 0.5, 1.0)))
    triangle = pixel.planes.view(TRIANGLE)
    triangle["affine"] = 1
    triangle["plane"][0, 3 * Plane.RHW : 3 * Plane.RHW + 3] = 0.25, 0.0, 0.0
    seen = trace(pixel)
    assert seen.late is not None and seen.late.w == 4.0
    assert seen.inputs["diffuse"] == (0.5, 0.5, 0.5, 1.0)


def test_a_bump_texel_is_shown_signed() -> None:
    bump = np.full((2, 2, 4), (-0.5, 0.25, 1.0, 1.0), np.float32)
    block = Block().texture(0, [bump]).stage(0, COLOROP=TextureOp.BUMPENVMAP).stage(1, COLOROP=2, COLORARG1=CURRENT)
    assert trace(pixel_of(block)).steps[0].values["texture"] == (-0.5, 0.25, 1.0, 1.0)


@pytest.mark.parametrize("seed", range(30))
def test_the_last_stage_of_a_random_cascade_is_the_result(seed: int) -> None:
    block = random_block(seed)[0]
    seen = trace(pixel_of(block))
    assert [step.number for step in seen.steps] == list(range(int(block.state()["stage_count"][0])))
    assert len(seen.steps) <= int((block.states[:, TSS["COLOROP"]] == 1).argmax() or 8)
    assert seen.steps[-1].values["current"] == seen.result == tuple(map(float, block.pixel()))


def test_registers_after_each_instruction() -> None:
    setup = Setup("ps_1_1\ntex t0\ntexkill t1\nmul r0.rgb, t0, v0\n+mov r0.a, c0\nadd r0, r0, v1")
    setup.coordinates[1] = (1.0, -1.0, 0.5, 1.0)
    seen = trace(pixel_of(setup.block()))
    assert [step.number for step in seen.steps] == [0, 1, 2, 3, 4]
    texel = setup.sample(0, setup.coordinates[0, :3])
    assert seen.steps[0].values["t0"] == pytest.approx(texel, abs=1e-3)
    assert seen.steps[3].values["r0"][3] == pytest.approx(np.clip(setup.constants[0, 3], -1, 1))
    assert seen.shader and seen.killed
    assert seen.result == pytest.approx(seen.steps[-1].values["r0"])
    assert seen.inputs["t1"] == (1.0, -1.0, 0.5, 1.0)


def test_depth_of_a_shader() -> None:
    setup = Setup("ps_1_4\ntexcrd r5.rgb, t1\nphase\ntexdepth r5\nmov r0, c0")
    setup.coordinates[1] = (1.0, 4.0, 0.5, 1.0)
    assert trace(pixel_of(setup.block())).depth == 0.25
