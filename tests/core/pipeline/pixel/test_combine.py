"""The texture stage cascade against the golden table of semantics section 9 and the scalar cascade of tests/reference."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from core.pipeline.records.stage_state import Brief
from core.pipeline.records.texture import TextureKind
from core.pipeline.surface.formats.texels import describe_texture
from core.spec.enums import TextureOp
from tests.core.pipeline.raster_kit import BY_NAME, Kit, rectangle
from tests.core.pipeline.shading import Block, argb, solid
from tests.reference.stages import Cascade

DIFFUSE, CURRENT, TEXTURE, TFACTOR, SPECULAR, TEMP, COMPLEMENT, REPLICATE = 0, 1, 2, 3, 4, 5, 16, 32

# Wine's texop_test, which runs on Windows drivers: rgb of stage 0 with these arguments
GOLDEN = """
SELECTARG1 00ff00 | SELECTARG2 333333 | MODULATE 003300 | MODULATE2X 006600 | MODULATE4X 00cc00 | ADD 33ff33 | ADDSIGNED 00b200
ADDSIGNED2X 00ff00 | SUBTRACT 00cc00 | ADDSMOOTH 33ff33 | BLENDDIFFUSEALPHA 227722 | BLENDTEXTUREALPHA 14ad14
BLENDFACTORALPHA 07e407 | BLENDTEXTUREALPHAPM 14ff14 | BLENDCURRENTALPHA 227722 | MODULATEALPHA_ADDCOLOR 1fff1f
MODULATECOLOR_ADDALPHA 99cc99 | MODULATEINVALPHA_ADDCOLOR 14ff14 | MODULATEINVCOLOR_ADDALPHA cc99cc | DOTPRODUCT3 999999
MULTIPLYADD ff3300 | LERP 003333
"""


def golden_rows() -> list[tuple[str, int]]:
    pairs = [cell.split() for cell in GOLDEN.replace("\n", "|").split("|") if cell.strip()]
    return [(name, int(value, 16)) for name, value in pairs]


@pytest.mark.parametrize(("name", "expected"), golden_rows())
def test_golden_table(name: str, expected: int) -> None:
    block = Block(factor=argb(0xDD333333), diffuse=argb(0x55FF0000)).texture(0, solid(0x9900FF00))
    block.stage(0, COLOROP=TextureOp[name], COLORARG1=TEXTURE, COLORARG2=TFACTOR, COLORARG0=DIFFUSE)
    rgb = block.pixel()[:3] * 255
    assert np.abs(rgb - [expected >> 16, expected >> 8 & 255, expected & 255]).max() <= 2


# ---- reference -----------------------------------------------------------------------------------


def expected(stages: list[dict], sources: dict, textures: list[np.ndarray | None]) -> tuple:
    """CURRENT after the last stage, by the scalar reference."""
    bound = [one is not None for one in textures]
    diffuse, specular = tuple(sources[DIFFUSE]), tuple(sources[SPECULAR])
    return Cascade(diffuse, specular, sources[TFACTOR], stages, bound, lambda number: tuple(textures[number])).run()


ALPHA_OPS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 25, 26]
COLOR_OPS = [*ALPHA_OPS[1:], 17, 18, 19, 20, 21, 24]


def random_stage(rng: np.random.Generator) -> dict:
    def arg() -> int:
        return int(rng.integers(0, 6)) | int(rng.choice([0, 0, COMPLEMENT])) | int(rng.choice([0, 0, REPLICATE]))

    return {"COLOROP": int(rng.choice(COLOR_OPS)), "ALPHAOP": int(rng.choice(ALPHA_OPS)),
            "RESULTARG": int(rng.choice([1, 1, TEMP])),
            **{kind + name: arg() for kind in ("COLOR", "ALPHA") for name in ("ARG1", "ARG2", "ARG0")}}  # fmt: skip


def multiplying_stage(rng: np.random.Generator) -> dict:
    """Arguments of the commonest operation, some of which it has a short way for."""
    args = {
        kind + name: int(rng.choice([TEXTURE, CURRENT, DIFFUSE])) for kind in ("COLOR", "ALPHA") for name in ("ARG1", "ARG2")
    }
    return {"COLOROP": 4, "ALPHAOP": int(rng.choice([2, 2, 3, 4, 4])), "RESULTARG": int(rng.choice([1, 1, 1, TEMP])),
            "COLORARG0": CURRENT, "ALPHAARG0": CURRENT, **args}  # fmt: skip


def random_block(
    seed: int, random_stage: Callable[[np.random.Generator], dict] = random_stage
) -> tuple[Block, list[dict], dict, list]:
    rng = np.random.default_rng(seed)
    colors, factor = rng.random((2, 4)).astype(np.float32), int(rng.integers(0, 1 << 32))
    block = Block(diffuse=tuple(colors[0]), specular=tuple(colors[1]), factor=argb(factor))
    stages, textures = [random_stage(rng) for _ in range(rng.integers(1, 9))], []
    for number, s in enumerate(stages):
        block.stage(number, **s)
        textures.append(None)
        if rng.random() < 0.8:
            word = int(rng.integers(0, 1 << 32))
            block.texture(number, solid(word))
            textures[-1] = np.array(argb(word))
    sources = {DIFFUSE: colors[0].astype(float), SPECULAR: colors[1].astype(float), TFACTOR: factor}
    return block, stages, sources, textures


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_random_cascades_follow_the_reference(first: int) -> None:
    for seed in range(first, first + 100):
        block, stages, sources, textures = random_block(seed)
        wanted = expected(stages, sources, textures)
        got = block.run()[:, :4]
        assert np.abs(got - wanted).max() < 1e-4, (seed, stages, textures, got[0], wanted)


def test_the_short_way_of_multiplying_follows_the_reference() -> None:
    taken = dict.fromkeys(Brief, 0)
    for seed in range(300):
        block, stages, sources, textures = random_block(seed, multiplying_stage)
        wanted = expected(stages, sources, textures)
        state = block.state()
        for row in state["stage"][0][: state["stage_count"][0]]:
            taken[Brief(row["brief"])] += 1
        assert np.abs(block.run()[:, :4] - wanted).max() < 1e-5, (seed, stages, textures)
    assert min(taken.values()) > 10, taken


def brief_stage(rng: np.random.Generator) -> dict:
    """A stage that multiplies by its texel, if it has one."""
    return {"COLOROP": 4, "COLORARG1": TEXTURE, "COLORARG2": CURRENT, "ALPHAOP": int(rng.choice([2, 4])), "RESULTARG": 1,
            "ALPHAARG1": int(rng.choice([TEXTURE, TEXTURE, CURRENT])), "ALPHAARG2": CURRENT}  # fmt: skip


def test_cascades_of_multiplying_stages_alone_follow_the_reference() -> None:
    met = 0
    for seed in range(100):
        block, stages, sources, textures = random_block(seed, brief_stage)
        stages = [{**s, "COLORARG0": CURRENT, "ALPHAARG0": CURRENT} for s in stages]
        state = block.state()
        met += int(state["brief"][0] and state["stage_count"][0] > 1)
        assert np.abs(block.run()[:, :4] - expected(stages, sources, textures)).max() < 1e-5, (seed, stages, textures)
    assert met > 10


# ---- rules of their own --------------------------------------------------------------------------


def test_no_stage_gives_the_diffuse_colour() -> None:
    assert Block(diffuse=(0.25, 0.5, 0.75, 1.0)).pixel().tolist() == [0.25, 0.5, 0.75, 1.0]


def test_stages_that_pass_current_on_are_not_run() -> None:
    block = Block(diffuse=(0.2, 0.4, 0.6, 0.8)).stage(0, COLOROP=TextureOp.MODULATE, ALPHAOP=TextureOp.SELECTARG1)
    assert block.state()["stage_count"][0] == 0
    assert np.allclose(block.pixel(), [0.2, 0.4, 0.6, 0.8])
    assert block.texture(0, solid(0xFFFFFFFF)).state()["stage_count"][0] == 1


def test_a_disabled_stage_ends_the_cascade() -> None:
    block = Block(diffuse=(0.5,) * 4, factor=(1, 0, 0, 1)).stage(1, COLOROP=TextureOp.SELECTARG1, COLORARG1=TFACTOR)
    assert block.pixel().tolist() == [0.5] * 4


def test_complement_comes_after_alpha_replicate() -> None:
    block = Block(factor=(1.0, 0.0, 0.0, 0.25))
    block.stage(0, COLOROP=2, COLORARG1=TFACTOR | COMPLEMENT | REPLICATE, ALPHAOP=2, ALPHAARG1=TFACTOR)
    assert block.pixel().tolist() == [0.75, 0.75, 0.75, 0.25]


def test_results_are_clamped_after_each_stage() -> None:
    block = Block(diffuse=(1.0,) * 4).stage(0, COLOROP=TextureOp.ADD, COLORARG1=DIFFUSE, COLORARG2=DIFFUSE)
    block.stage(1, COLOROP=TextureOp.MODULATE, COLORARG1=CURRENT, COLORARG2=TFACTOR)
    block.factor = (0.5,) * 4
    assert block.pixel()[:3].tolist() == [0.5] * 3


def test_dotproduct3_goes_to_alpha_too() -> None:
    block = Block(diffuse=(1.0, 0.5, 0.5, 0.0), factor=(0.75, 0.5, 0.5, 0.0))
    block.stage(0, COLOROP=TextureOp.DOTPRODUCT3, COLORARG1=DIFFUSE, COLORARG2=TFACTOR, ALPHAOP=2, ALPHAARG1=DIFFUSE)
    assert block.pixel().tolist() == [0.5] * 4


@pytest.mark.parametrize("op", [TextureOp.MODULATE, TextureOp.SELECTARG1, TextureOp.BLENDTEXTUREALPHA])
def test_a_stage_that_reads_no_texture_passes_current_on(op: TextureOp) -> None:
    block = Block(diffuse=(0.2, 0.4, 0.6, 0.8), factor=(0, 0, 0, 0))
    block.stage(0, COLOROP=op, COLORARG1=TEXTURE, COLORARG2=TFACTOR, ALPHAOP=2, ALPHAARG1=TFACTOR)
    assert np.allclose(block.pixel(), [0.2, 0.4, 0.6, 0.0])


def test_premodulate_multiplies_the_next_texel() -> None:
    block = Block(diffuse=(0.5, 0.25, 1.0, 1.0)).texture(1, solid(0xFF80FF40))
    block.stage(0, COLOROP=TextureOp.PREMODULATE, COLORARG1=DIFFUSE, ALPHAOP=2, ALPHAARG1=DIFFUSE)
    block.stage(1, COLOROP=2, COLORARG1=TEXTURE, ALPHAOP=2, ALPHAARG1=TEXTURE)
    assert np.allclose(block.pixel(), [0.5 * 128 / 255, 0.25, 64 / 255, 1.0], atol=1e-6)


# ---- two texels at once ------------------------------------------------------------------------------


def cascade(seed: int) -> Kit:
    """three stages with random operations, filters, addresses and projection, and up to two textures"""
    rng, kit = np.random.default_rng(seed), Kit(16, 16)
    kit.memory = rng.integers(0, 1 << 32, 64 * 64 * 2, np.uint32)
    operations = [TextureOp.MODULATE, TextureOp.ADD, TextureOp.SELECTARG1, TextureOp.BLENDTEXTUREALPHA, TextureOp.LERP,
                  TextureOp.PREMODULATE, TextureOp.BUMPENVMAP, TextureOp.DISABLE]  # fmt: skip
    for i in range(3):
        states = {"COLOROP": rng.choice(operations, p=[0.25, 0.1, 0.15, 0.1, 0.05, 0.15, 0.15, 0.05]), "ALPHAOP": 4,
                  "MAGFILTER": rng.choice([1, 2, 2, 2]), "MINFILTER": 2, "ADDRESSU": rng.integers(1, 5),
                  "RESULTARG": rng.choice([1, 1, 5]), "TEXTURETRANSFORMFLAGS": rng.choice([0, 0, 0, 0, 0x104])}  # fmt: skip
        kit.put(("TEXTURESTAGE", i, "BUMPENVMAT00"), 0.3)
        states |= {name: rng.choice([TEXTURE, TEXTURE, CURRENT, DIFFUSE]) for name in ("COLORARG1", "COLORARG2", "ALPHAARG1")}
        for name, value in states.items():
            kit.put(("TEXTURESTAGE", i, name), int(value))
        if i < 2 and rng.integers(8):
            describe_texture(kit.textures[i], TextureKind.PLANE, BY_NAME["A8R8G8B8"], (64, 64, 1), np.array([[i * 4096]]))
    return kit


def test_two_texels_at_once_are_those_of_one_after_the_other() -> None:
    corners, taken = rectangle(0, 0, 16, 16, diffuse=(0.4, 0.6, 0.8, 0.5)), 0
    corners[:, 16:].reshape(-1, 8, 4)[:, :, :2] = corners[:, None, :2] * np.tile([[0.021], [0.013]], (4, 1))
    for seed in range(300):
        kit, other = cascade(seed), cascade(seed)
        for one in (kit, other):
            one.add(corners)
        taken += int(kit.batch.states["pair"][0])
        other.batch.states["pair"] = 0
        assert (kit.run().image() == other.run().image()).all(), seed
    assert 30 < taken < 200


def test_a_cascade_is_brief_if_all_its_stages_are() -> None:
    met = set()
    for seed in range(200):
        kit = cascade(seed)
        for i in range(3):
            for name, value in (("COLOROP", 4), ("COLORARG1", TEXTURE), ("COLORARG2", CURRENT)):
                if seed % 4 < 3 or i != 1:
                    kit.put(("TEXTURESTAGE", i, name), value)
        kit.add(rectangle(0, 0, 9, 9))
        state = kit.batch.states[0]
        stages = state["stage"]["brief"][: state["stage_count"]]
        assert bool(state["brief"]) == bool(stages.all()), seed
        met.add((len(stages) > 1, bool(state["brief"])))
    assert {(True, True), (True, False)} <= met
