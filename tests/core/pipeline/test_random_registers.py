"""Any words in the registers, any floats in the vertices: nothing is written but the target, and always the same."""

from __future__ import annotations

import numpy as np
import pytest

from core.pipeline.draw_state.bind import bind_pixel_state, bound_from
from core.pipeline.records.layout import PIXEL_STATE, describe_target
from core.pipeline.records.primitives import VERTEX_FLOATS
from core.pipeline.records.texture import TextureKind
from core.pipeline.surface.formats.texels import describe_texture
from core.spec.slots import REGISTERS, slot
from tests.core.pipeline.raster_kit import BY_NAME, Kit, lines, triangles

COLORS = sorted(name for name, row in BY_NAME.items() if row.renderable and row.family != "depth")
DEPTHS = [None, *sorted(name for name, row in BY_NAME.items() if row.family == "depth")]
ODD = np.array([0, -0.0, 1, -1, np.nan, np.inf, -np.inf, 1e38, -1e38, 1e-40, 0.5, 255, 70000, -70000, 3e9], np.float32)
GUARD = 4096


def random_registers(random: np.random.Generator, kit: Kit, valid: bool) -> None:
    """Render and texture stage states: any words, or small ones."""
    count = REGISTERS.fields["view"][1] // 4
    words = random.integers(0, 30 if valid else 1 << 32, count, dtype=np.uint64).astype(np.uint32)
    change = random.random(count) < 0.5
    kit.registers[:count][change] = words[change]
    for name, usual in (("X", 0), ("Y", 3), ("Width", 65), ("Height", 0xFFFFFFFF)):
        kit.registers[slot(("VIEWPORT", name))] = random.choice([0, 3, 40, 0xFFFFFFFF, 0x80000000, *[usual] * 15])
    for name in ("Near", "Far"):
        kit.put(("WINFO", name), float(random.choice(ODD)))
    projection = slot(("TRANSFORM", "PROJECTION"))
    kit.registers[projection : projection + 16] = random.choice(ODD, 16).view(np.uint32)


def random_kit(seed: int) -> tuple[Kit, np.ndarray, np.ndarray]:
    """A kit with two draws, and guard words behind its surfaces."""
    random = np.random.default_rng(seed)
    kit = Kit(70, 40, COLORS[seed % len(COLORS)], DEPTHS[seed % len(DEPTHS)], int(random.choice([1, 1, 2, 5, 16])))
    kit.memory = random.integers(0, 1 << 32, 64 * 64 * 6 * 2, dtype=np.uint64).astype(np.uint32)
    for stage in range(8):
        kind = TextureKind(int(random.integers(0, 4)))
        faces = 6 if kind == TextureKind.CUBE else 1
        starts = np.arange(faces * 3).reshape(faces, 3) * 1024
        if kind != TextureKind.NONE:
            size = (16, 16, 4 if kind == TextureKind.VOLUME else 1)
            format = BY_NAME[str(random.choice(["A8R8G8B8", "V8U8"]))]
            describe_texture(kit.textures[stage : stage + 1][0], kind, format, size, starts)
    words = kit.color.size
    color = random.integers(0, 1 << 32, words + GUARD, dtype=np.uint64).astype(np.uint32)
    depth = random.integers(0, 1 << 32, words + GUARD, dtype=np.uint64).astype(np.uint32)
    kit.color, kit.depth = color[:words], depth[:words]
    for number in range(2):
        random_registers(random, kit, seed % 2 == 0)
        vertices = random.uniform(-20, 90, (24, VERTEX_FLOATS)).astype(np.float32)
        vertices[:, 2:] = random.uniform(0, 1, (24, VERTEX_FLOATS - 2))
        odd = random.random(vertices.shape) < 0.05
        vertices[odd] = random.choice(ODD, int(odd.sum()))
        kit.add(vertices, lines(12) if number and seed % 3 == 0 else triangles(8))
    return kit, color, depth


@pytest.mark.parametrize("first", range(0, 240, 40))
def test_random_registers_and_vertices(first):
    drawn = 0
    for seed in range(first, first + 40):
        results = []
        for threads in (1, 3):
            kit, color, depth = random_kit(seed)
            before = color.copy(), depth.copy()
            kit.run(threads)
            for now, then in zip((color, depth), before, strict=True):
                assert (now[-GUARD:] == then[-GUARD:]).all(), seed
                drawn += (now != then).any()
            results.append(color.tobytes() + depth.tobytes())
        assert results[0] == results[1], seed
    assert drawn > 20


def no_part_of_the_key(kit: Kit) -> list[int]:
    """The registers that change no key: whole ranges where changing all of them changes none, or else the halves."""
    key = bound_from(kit.registers, kit.textures, None)
    ranges, free = [(0, len(kit.registers))], []
    while ranges:
        first, end = ranges.pop()
        changed = kit.registers.copy()
        changed[first:end] ^= np.uint32(0x5A5A5A5A)
        if bound_from(changed, kit.textures, None) == key:
            free += range(first, end)
        elif end - first > 1:
            middle = (first + end) // 2
            ranges += [(first, middle), (middle, end)]
    return sorted(free)


@pytest.mark.parametrize("seed", range(20))
def test_states_depend_on_nothing_but_what_they_are_said_to_be_bound_from(seed):
    random = np.random.default_rng(seed)
    kit, _, _ = random_kit(seed)
    target = describe_target(64, 64, BY_NAME["A8R8G8B8"], BY_NAME["D24S8"])
    free = no_part_of_the_key(kit)
    assert len(free) > 4000
    other, states = kit.registers.copy(), np.zeros(2, PIXEL_STATE)
    other[free] = random.integers(1 << 32, size=len(free), dtype=np.uint64)
    assert bound_from(other, kit.textures, None) == bound_from(kit.registers, kit.textures, None)
    assert (other != kit.registers).sum() > 4000
    for number, registers in enumerate((kit.registers, other)):
        bind_pixel_state(registers, kit.textures, target, states, number)
    assert states[0].tobytes() == states[1].tobytes()
