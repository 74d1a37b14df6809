"""Clamps that the interpreter leaves out: only those that do nothing."""

from __future__ import annotations

import numpy as np
import pytest

from core.ddi.stream.shader_assemble import assemble
from core.ddi.stream.shader_code import program
from core.pipeline.draw_state import pixel_program
from core.pipeline.draw_state.pixel_program import compile_pixel_program
from core.pipeline.draw_state.pixel_ranges import TEXEL, clamped, either, minus, plus, times
from core.pipeline.draw_state.pixel_slots import InstructionKind
from core.pipeline.records.stage_state import CLAMPED
from core.pipeline.records.texture import TEXEL_RGBA32F
from core.pipeline.surface.formats.texels import decode, sampler_form
from core.spec.formats import FORMATS, Format
from tests.core.pipeline.pixel.test_pshader import Setup, random_program


def clamps(text: str) -> list[bool]:
    """of the arithmetic instructions, in order"""
    code = assemble(text)
    records = compile_pixel_program(program(code), int(code[0])).records
    return [bool(row["changes"] & CLAMPED) for row in records if row["kind"] < InstructionKind.LOOKUP]


@pytest.mark.parametrize(("text", "expected"), [
    ("ps_1_1\ntex t0\nmul r0, t0, v0\nadd_x4 r0, r0, c0", [False, True]),          # 2.06 * 4
    ("ps_1_1\nadd_x2 r0, v0, v1\nadd_x2 r0, r0, r0", [False, True]),               # 4, 16
    ("ps_1_1\nadd_x2 r0, v0, v1\nadd r0, r0, r0\nadd_d2 r0, r0, r0", [False, True, True]),    # 8 and its rounding
    ("ps_1_1\nadd_x4 r0, c0, v0\nmul_sat r0, r0, r0\nadd_x4 r0, r0, c0", [True, True, True]),
    ("ps_1_1\nadd_x2_sat r0, c0, v0\nadd_x2 r0, r0, c0", [False, False]),
    ("ps_1_1\ntexcoord t0\nmul_x4 r0, t0, v0", [False]),                           # clamped to 0..1 itself
    ("ps_1_2\ntex t0\ntexdp3 t1, t0\nmov r0, t1\nmov r0, v0", [True, False]),      # coordinates can be anything
    ("ps_1_4\ntexcrd r1.rgb, t0\nmov r0, v0\nmul r0.rgb, r1, v0\n+mov r0.a, v0.a", [False, True, False]),
    ("ps_1_4\ntexcrd r1.rgb, t0\ncmp r0.rgb, r1, v0, c0\n+mov r0.a, v0.a", [False, False]),    # only its sign is asked for
    ("ps_1_4\ntexld r1, t0\ntexcrd r2.rgb, t1\nbem r2.rg, r2, r1\nmov r0, v0", [True, False]),
    ("ps_1_1\nmov r0.a, v0\nmul r0.rgb, r0.a, r1\nadd_x4 r0, r0, r0", [False, False, True]),    # r1 was cleared
    ("ps_1_1\ntex t0\ndp3_x2 r0, t0_bx2, v0_bx2", [True]),
    ("ps_1_1\ndp3_x2 r0, v1_bx2, v0_bx2\nlrp r0, v0, r0, c0", [False, True]),
])  # fmt: skip
def test_what_is_clamped(text: str, expected: list[bool]) -> None:
    assert clamps(text) == expected


def growing(seed: int) -> str:
    """a random program whose results tend to leave the range"""
    return random_program(seed).replace("_d2", "_x4").replace("_sat", "_x2")


def extreme(seed: int) -> Setup:
    """texels, constants and colours at the ends of their ranges, coordinates that are no numbers"""
    setup, random = Setup(growing(seed), seed), np.random.default_rng(seed)
    if seed % 2:
        setup.images = {n: [np.sign(image) for image in images] for n, images in setup.images.items()}
        setup.constants, setup.v = np.sign(setup.constants) * 3, random.choice([-1.0, 0.0, 1.0, 2.0], (2, 4)).astype(np.float32)
    if seed % 3 == 0:
        setup.coordinates[0, :3] = random.choice([np.nan, np.inf, -np.inf], 3)
    return setup


def test_leaving_clamps_out_changes_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    setups = [extreme(seed) for seed in range(300)]
    left_out = [setup.block().run().view(np.uint32) for setup in setups]
    monkeypatch.setattr(pixel_program, "drop_clamps", lambda rows: None)
    for seed, (setup, got) in enumerate(zip(setups, left_out, strict=True)):
        assert (setup.block().run().view(np.uint32) == got).all(), growing(seed)


def test_random_programs_have_clamps_of_both_kinds() -> None:
    told = [clamp for seed in range(100) for clamp in clamps(growing(seed))]
    assert 0.2 < np.mean(told) < 0.8


@pytest.mark.parametrize("seed", range(20))
def test_intervals_hold_what_single_precision_makes_of_their_members(seed: int) -> None:
    random = np.random.default_rng(seed)
    ends = np.sort(random.uniform(-8, 8, (2, 2)).astype(np.float32))
    a, b = (tuple(map(float, pair)) for pair in ends)
    x, y = (np.append(random.uniform(*pair, 200), pair).astype(np.float32).clip(*pair) for pair in ends)
    for interval, values in ((plus(a, b), x + y), (minus(a, b), x - y), (times(a, b), x * y), (either(a, b), np.append(x, y)),
                             (clamped(a, (-1.0, 1.0)), x.clip(-1, 1))):  # fmt: skip
        assert interval is not None and interval[0] <= values.min() and values.max() <= interval[1]


def test_what_is_unknown_stays_so_until_it_is_clamped() -> None:
    assert plus(None, (0.0, 1.0)) is minus((0.0, 1.0), None) is times(None, None) is either((0.0, 0.0), None) is None
    assert clamped(None, (-8.0, 8.0)) == (-8.0, 8.0)


WIDE = {row.name: row for row in FORMATS.values() if sampler_form(row) == TEXEL_RGBA32F}


@pytest.mark.parametrize("format", WIDE.values(), ids=WIDE)
def test_texels_of_every_format_lie_within_their_interval(format: Format) -> None:
    random = np.random.default_rng(0)
    for data in (random.integers(0, 256, format.size(16, 16), np.uint8), np.full(format.size(16, 16), 0x80, np.uint8)):
        texels = decode(format, data, 16, 16)
        assert TEXEL[0] < texels.min() and texels.max() < TEXEL[1]
