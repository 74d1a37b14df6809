"""The short way of plain draws and the long way of all others: the same words."""

from __future__ import annotations

import numpy as np
import pytest

from core.ddi.stream.shader_assemble import assemble
from core.ddi.stream.shader_code import program
from core.pipeline.draw import Watch
from core.pipeline.draw_state.bind_plain import Plain
from core.pipeline.draw_state.pixel_program import compile_pixel_program
from core.pipeline.draw_state.pixel_slots import InstructionKind
from core.pipeline.records.texture import TextureKind
from core.pipeline.surface.formats.texels import describe_texture
from core.spec.enums import CmpFunc, ShadeMode, TextureAddress, TextureArg, TextureFilter, TextureOp
from tests.core.pipeline.raster_kit import BY_NAME, Kit, rectangle, triangles, vertex

SIZE = 90
TEXELS = (16, 16), (20, 13), (1, 1), (64, 32)
PROGRAMS = [compile_pixel_program(program(code), int(code[0])) for code in map(assemble, (
    "ps_1_1\ntex t0\ntex t1\nmul r0, t0, v0\nmad r0.rgb, t1, c0, r0\n+mul r0.a, t0, t1\nlrp r0, v0, r0, t1",
    "ps_1_1\ntex t0\ntex t1\nmul r0, t0, v1\nadd_sat r0.rgb, 1-r0, t1",
    "ps_1_1\ntex t0\ntex t1\ntex t2\ntex t3\nmad r0, t0, t1_bx2, t2\nlrp r0, t3, r0, v1",
    "ps_1_1\ntex t0\ntex t1\ntexbem t2, t1\nadd_sat r0, t0, -t2",
    "ps_1_1\ntex t0\nmul_x2 r0, t0, v0",
    "ps_1_1\nadd r0, v0, v1",
    "ps_1_4\ntexld r1, t0\ntexld r0, t1\nmul r0.rgb, r0, r1",
    "ps_1_1\ntex t0\ntexkill t1\nmov r0, t0",  # no short way
))]  # fmt: skip


def random_texture(random: np.random.Generator, kit: Kit) -> None:
    """Stage 0 multiplies by a texel; few are sampled with a level of detail."""
    pick = random.choice
    size, lod = TEXELS[pick(len(TEXELS))], int(pick([0, 0, 1]))
    starts = random.integers(0, 4096, (1, 3))
    describe_texture(kit.textures[:1][0], TextureKind.PLANE, BY_NAME["A8R8G8B8"], (*size, 1), starts, lod)
    filter = pick([TextureFilter.POINT, TextureFilter.LINEAR, TextureFilter.LINEAR])
    flags = pick([0, 0, 0, 0, 0, 0, 256 | 3])  # projected
    for name, value in {
        "COLOROP": TextureOp.MODULATE, "COLORARG1": TextureArg.TEXTURE, "COLORARG2": TextureArg.DIFFUSE,
        "ALPHAOP": pick([TextureOp.MODULATE, TextureOp.SELECTARG1]), "ALPHAARG2": TextureArg.DIFFUSE,
        "ALPHAARG1": pick([TextureArg.TEXTURE, TextureArg.TEXTURE, TextureArg.DIFFUSE]),
        "ADDRESSU": pick(list(TextureAddress)), "ADDRESSV": pick(list(TextureAddress)),
        "BORDERCOLOR": random.integers(1 << 32, dtype=np.uint64), "MAGFILTER": filter, "MINFILTER": filter,
        "MIPFILTER": pick([TextureFilter.NONE, TextureFilter.NONE, TextureFilter.NONE, TextureFilter.LINEAR]),
        "MAXMIPLEVEL": pick([0, 2]), "TEXTURETRANSFORMFLAGS": flags,
    }.items():  # fmt: skip
        kit.put(("TEXTURESTAGE", 0, name), value)


def random_program(random: np.random.Generator, kit: Kit) -> None:
    """A pixel shader; two thirds of the stages have textures that make a pair with their neighbour."""
    kit.program = PROGRAMS[random.integers(len(PROGRAMS))]
    kit.put(("PSCONST", 0), float(random.uniform(-2, 2)))
    for stage in range(4):
        size = TEXELS[random.integers(len(TEXELS))]
        describe_texture(kit.textures[stage : stage + 1][0], TextureKind.PLANE, BY_NAME["A8R8G8B8"], (*size, 1),
                         random.integers(0, 4096, (1, 1)), 0)  # fmt: skip
        filter = random.choice([TextureFilter.POINT, TextureFilter.LINEAR, TextureFilter.LINEAR])
        for name, value in {
            "ADDRESSU": random.choice(list(TextureAddress)), "ADDRESSV": random.choice(list(TextureAddress)),
            "MAGFILTER": filter, "MINFILTER": filter, "MIPFILTER": TextureFilter.NONE, "MAXMIPLEVEL": 0, "BUMPENVMAT01": 0.3,
            "TEXTURETRANSFORMFLAGS": 0,
        }.items():  # fmt: skip
            kit.put(("TEXTURESTAGE", stage, name), value)


def random_kit(seed: int, samples: int = 1) -> Kit:
    """Draws that go the short way and, between them, some that blend and do not: queued, not run."""
    random = np.random.default_rng(seed)
    pick, uniform = random.choice, random.uniform
    kit = Kit(SIZE, SIZE - 3, str(pick(["A8R8G8B8", "X8R8G8B8"])), str(pick(["D24S8", "D24X8", "D16", "D15S1"])),
              samples)  # fmt: skip
    for plane in (kit.color, kit.depth):
        plane[:] = random.integers(0, 1 << 32, plane.size, dtype=np.uint32)
    kit.memory = random.integers(0, 1 << 32, 4096 + 64 * 32, dtype=np.uint64).astype(np.uint32)
    for _ in range(12):
        kit.set(ZENABLE=1, ZWRITEENABLE=pick([0, 1]), ZFUNC=pick(list(CmpFunc)), ZBIAS=pick([0, 0, 7]),
                COLORWRITEENABLE=pick([15, 15, 15, 0, 7, 8, 5]), SHADEMODE=pick([ShadeMode.FLAT, ShadeMode.GOURAUD]),
                TEXTUREFACTOR=random.integers(1 << 32, dtype=np.uint64), ALPHABLENDENABLE=pick([0, 0, 0, 1]),
                SRCBLEND=5, DESTBLEND=6)  # fmt: skip
        factor = pick([False, True])
        for channel in ("COLOR", "ALPHA"):
            kit.put(("TEXTURESTAGE", 0, f"{channel}OP"), TextureOp.SELECTARG1 if factor else TextureOp.DISABLE)
            kit.put(("TEXTURESTAGE", 0, f"{channel}ARG1"), TextureArg.TFACTOR)
        kit.program = None
        if pick([False, True]):
            random_texture(random, kit)
        elif pick([False, True]):
            random_program(random, kit)
        rhw = uniform(0.3, 2, 60) if pick([True, False]) else np.ones(60)
        corners = [vertex(*uniform(-30, SIZE + 30, 2), uniform(0, 1), w, uniform(0, 1, 4), uniform(0, 1, 4),
                          uv=uniform(-1, 2, 4)) for w in rhw]  # fmt: skip
        corners = np.stack(corners)
        corners[:, 20:32] = uniform(-1, 2, (60, 12))  # the places of the other stages
        kit.add(corners, triangles(20))
        kit.add(rectangle(-1, -1, uniform(20, 100), uniform(1, 40), z=uniform(0, 1), diffuse=tuple(uniform(0, 1, 4))))
    return kit


@pytest.mark.parametrize("seed", range(24))
def test_the_long_way_comes_to_the_same(seed: int) -> None:
    short, long, watched = random_kit(seed), random_kit(seed), random_kit(seed)
    long.batch.states["plain"], long.batch.states["early_depth"] = Plain.NOT, 0
    before = short.color.copy(), short.depth.copy()
    short.run(), long.run(), watched.run(1, Watch(log=True))
    for name, then in zip(("color", "depth"), before, strict=True):
        drawn = getattr(short, name)
        assert (drawn != then).any(), name
        assert np.array_equal(drawn, getattr(long, name)), name
        assert np.array_equal(drawn, getattr(watched, name)), name


@pytest.mark.parametrize("seed", range(8))
def test_depth_written_before_the_colour_of_samples_comes_to_the_same(seed: int) -> None:
    """Multisampled: with one test a sample, with two, and watched."""
    early, late, watched = (random_kit(seed, 2 + seed % 4) for _ in range(3))
    assert early.batch.states["early_depth"][:12].sum() > 0
    late.batch.states["early_depth"] = 0
    early.run(), late.run(), watched.run(1, Watch(fates=(0, 100), pixels=late.color.size))
    for name in ("color", "depth"):
        assert np.array_equal(getattr(early, name), getattr(late, name)), name
        assert np.array_equal(getattr(early, name), getattr(watched, name)), name


def in_strips(seed: int, samples: int, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """The same draws, each in narrow viewports one beside the other."""
    random, whole = np.random.default_rng(seed), Kit.add

    def add(kit: Kit, *draw: np.ndarray) -> Kit:
        left = 0
        while left < SIZE:
            width = min(int(random.integers(1, (12, 40, 70)[seed % 3])), SIZE - left)
            kit.put(("VIEWPORT", "X"), left), kit.put(("VIEWPORT", "Width"), width)
            whole(kit, *draw)
            left += width
        return kit

    with monkeypatch.context() as patch:
        patch.setattr(Kit, "add", add)
        return random_kit(seed, samples)


@pytest.mark.parametrize(("seed", "samples"), [(5001, 1), (5002, 2), (5003, 1), (5005, 1), (5006, 4)])
def test_blocks_of_a_row_at_once_are_those_one_by_one(seed: int, samples: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a viewport ends within a tile, each of the tile's blocks is queued for itself."""
    whole, strips, watched = random_kit(seed, samples), *(in_strips(seed, samples, monkeypatch) for _ in range(2))
    whole.run(), strips.run(2), watched.run(1, Watch(log=True))
    for name in ("color", "depth"):
        assert np.array_equal(getattr(whole, name), getattr(strips, name)), name
        assert np.array_equal(getattr(whole, name), getattr(watched, name)), name


def test_all_ways_are_met() -> None:
    met = {way for seed in range(24) for way in random_kit(seed).batch.states["plain"][:24].tolist()}
    assert met == set(Plain)
    states = np.concatenate([random_kit(seed).batch.states[:24] for seed in range(24)])
    assert set(states[states["plain"] == Plain.TEXEL]["stage"]["short"][:, 0].tolist()) == {0, 1}, "with and without levels"
    shaders = states[states["plain"] == Plain.SHADER]["instruction"]["kind"][:, 0]
    assert {InstructionKind.PAIR, InstructionKind.NEAR, InstructionKind.ADD} <= set(shaders.tolist())
