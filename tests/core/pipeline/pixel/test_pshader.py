"""Every ps_1_x instruction, modifier and version rule against a scalar machine."""

from __future__ import annotations

import numpy as np
import pytest

from core.ddi.stream.shader_assemble import assemble
from core.ddi.stream.shader_code import program
from core.errors import BadInput
from core.pipeline.draw_state.pixel_program import RUNNING, compile_pixel_program
from core.pipeline.draw_state.pixel_slots import InstructionKind
from core.pipeline.records.texture import TextureKind
from core.spec.enums import TextureFilter
from core.spec.shaders import INSTRUCTION, Sio
from tests.core.pipeline import shading
from tests.core.pipeline.shading import Block
from tests.reference.images import sampled
from tests.reference.machine import Machine

SIZE = 4
BUMP = np.array([[0.3, -0.2, 0.15, 0.25, 0.8, 0.1]] * 8) * (1 + np.arange(8)[:, None] / 16)


class Setup:
    """Random inputs for a shader: constants, colours, coordinates constant over the block, a float texture at every stage."""

    def __init__(self, text: str, seed: int = 0, kinds: dict[int, TextureKind] | None = None) -> None:
        rng = np.random.default_rng(seed)
        self.code = assemble(text)
        self.constants = rng.uniform(-1.3, 1.3, (8, 4)).astype(np.float32)
        self.v = rng.uniform(0, 1, (2, 4)).astype(np.float32)
        self.coordinates = rng.uniform(-1, 1.5, (8, 4)).astype(np.float32)
        self.kinds = {n: (kinds or {}).get(n, TextureKind.PLANE) for n in range(6)}
        self.images = {n: self.image(rng, kind) for n, kind in self.kinds.items()}

    @staticmethod
    def image(rng: np.random.Generator, kind: TextureKind) -> list:
        shape = (SIZE, SIZE, SIZE, 4) if kind == TextureKind.VOLUME else (SIZE, SIZE, 4)
        return [rng.uniform(-1, 1, shape).astype(np.float32) for _ in range(6 if kind == TextureKind.CUBE else 1)]

    def block(self) -> Block:
        version = int(self.code[0])
        block = Block(tuple(self.v[0]), tuple(self.v[1]), program=program(self.code), version=version, constants=self.constants)
        for n, kind in self.kinds.items():
            block.texture(n, [[image] for image in self.images[n]] if kind == TextureKind.CUBE else self.images[n], kind)
        for n in range(8):
            names = ("BUMPENVMAT00", "BUMPENVMAT01", "BUMPENVMAT10", "BUMPENVMAT11", "BUMPENVLSCALE", "BUMPENVLOFFSET")
            block.stage(n, MAGFILTER=TextureFilter.LINEAR, MINFILTER=TextureFilter.LINEAR,
                        **{name: np.float32(value) for name, value in zip(names, BUMP[n], strict=True)})  # fmt: skip
            block.coordinates(n, *map(float, self.coordinates[n]))
        return block

    def sample(self, stage: int, uvw: np.ndarray) -> np.ndarray:
        images, uvw = self.images[stage], tuple(map(float, uvw))
        if self.kinds[stage] == TextureKind.CUBE:
            face, uvw = cube_place(uvw)
            return sampled([images[face]], uvw, modes=(3, 3, 3))
        return sampled(images, uvw)

    def machine(self) -> Machine:
        constants, v, coordinates = (values.astype(float) for values in (self.constants, self.v, self.coordinates))
        return Machine(self.code, constants, v, coordinates, self.sample, BUMP)


def cube_place(vector: tuple) -> tuple[int, tuple]:
    """DX8 SDK: face and its u, v"""
    x, y, z = vector
    axis = max(range(3), key=lambda n: (abs(vector[n]), n))
    s, t = {0: (-z if x > 0 else z, -y), 1: (x, z if y > 0 else -z), 2: (x if z > 0 else -x, -y)}[axis]
    major = abs(vector[axis])
    return 2 * axis + (vector[axis] < 0), (s / major / 2 + 0.5, t / major / 2 + 0.5, 0.0)


def check(text: str, kinds: dict[int, TextureKind] | None = None, seeds: int = 4, tolerance: float = 2e-4) -> None:
    for seed in range(seeds):
        setup = Setup(text, seed, kinds)
        machine = setup.machine()
        expected, got = machine.run(), setup.block().run()
        assert np.abs(got[:, :4] - expected).max() < tolerance, (text, seed, got[0], expected)
        assert (got[:, 4] == machine.killed).all(), (text, seed)
        assert np.abs(got[:, 5] - machine.depth).max() < 1e-4, (text, seed, got[0, 5], machine.depth)


# ---- arithmetic --------------------------------------------------------------------------------

OPERATIONS = ["mov r0, c0", "add r0, c0, v0", "sub r0, c0, v1", "mul r0, c0, c1", "mad r0, c0, v0, c1", "lrp r0, v0, c1, c0",
              "dp3 r0, c0, v0"]  # fmt: skip


@pytest.mark.parametrize("line", OPERATIONS)
@pytest.mark.parametrize("version", ["ps_1_0", "ps_1_1", "ps_1_3", "ps_1_4"])
def test_arithmetic(version: str, line: str) -> None:
    check(f"{version}\n{line}")


@pytest.mark.parametrize("line", ["dp4 r0, c0, v0", "cmp r0, c0, v0, v1"])
@pytest.mark.parametrize("version", ["ps_1_2", "ps_1_3", "ps_1_4"])
def test_later_arithmetic(version: str, line: str) -> None:
    check(f"{version}\n{line}")


@pytest.mark.parametrize("suffix", ["_x2", "_x4", "_d2", "_sat", "_x2_sat", "_x4_sat", "_d2_sat"])
def test_result_modifiers(suffix: str) -> None:
    check(f"ps_1_1\nadd{suffix} r0, c0, c1")


@pytest.mark.parametrize("suffix", ["_x8", "_d4", "_d8", "_x8_sat", "_d8_sat"])
def test_result_modifiers_of_1_4(suffix: str) -> None:
    check(f"ps_1_4\nadd{suffix} r0, c0, c1")


@pytest.mark.parametrize("operand", ["-r1", "r1_bias", "-r1_bias", "r1_bx2", "-r1_bx2", "1-r1", "r1.a", "r1_bias.a", "1-r1.a"])
def test_source_modifiers(operand: str) -> None:
    check(f"ps_1_1\nmov r1, c0\nmov r0, {operand}")


@pytest.mark.parametrize("operand", ["r1_x2", "-r1_x2", "r1.r", "r1.g", "r1.b", "-r1_x2.g", "1-r1.r"])
def test_source_modifiers_of_1_4(operand: str) -> None:
    check(f"ps_1_4\nmov r1, c0\nmov r0, {operand}")


@pytest.mark.parametrize("mask", [".rgb", ".a"])
def test_write_masks(mask: str) -> None:
    check(f"ps_1_1\nmov r0, c0\nmul r0{mask}, v0, c1")


@pytest.mark.parametrize("mask", [".r", ".g", ".b", ".rg", ".gb", ".ra", ".rba"])
def test_write_masks_of_1_4(mask: str) -> None:
    check(f"ps_1_4\nmov r0, c0\nmul r0{mask}, v0, c1")


def test_cnd_looks_at_r0_alpha_before_1_4_and_at_each_component_then() -> None:
    check("ps_1_1\nmov r0, v0\ncnd r0, r0.a, c0, c1", seeds=8)
    check("ps_1_4\nmov r1, v0\ncnd r0, r1, c0, c1", seeds=8)


def test_a_paired_cnd_that_writes_colour_takes_its_second_operand() -> None:
    check("ps_1_1\nmov r0, v0\nmov r1.a, c2\n+cnd r1.rgb, r0.a, c0, c1\nmov r0, r1", seeds=8)
    check("ps_1_1\nmov r0, v0\nmov r1.rgb, c2\n+cnd r1.a, r0.a, c0, c1\nmov r0, r1", seeds=8)


def test_ranges_of_registers() -> None:
    """1 + 1 is 2, 8 + 8 is 8"""
    for version, shift in (("ps_1_1", "mul_d2 r1, r1, c0\nmul_d2 r1, r1, c0\nmul_d2"), ("ps_1_4", "mul_d8")):
        for lines, value in (("add_d2 r1, c0, c0\nadd r1, r1, r1", 2 / 8), ("add_x4 r1, c0, c0\nadd r1, r1, r1", 1.0)):
            setup = Setup(f"{version}\n{lines}\n{shift} r0, r1, c0")
            setup.constants[:] = 1.0
            assert setup.block().pixel().tolist() == [value] * 4


def test_constants_and_colours_are_clamped() -> None:
    setup = Setup("ps_1_4\nadd_d2 r0, c0, v0")
    setup.constants[:], setup.v[:] = 5.0, 3.0
    assert setup.block().pixel().tolist() == [1.0] * 4


@pytest.mark.parametrize("pair", [
    "mul r0.rgb, r0, v0\n+add r0.a, r0, c1", "mov r0.rgb, r0.a\n+mov r0.a, r0.b", "mov r0.rgb, c2\n+mov r0.a, r0.b",
    "dp3 r0.rgb, r0, c1\n+mul r0.a, r0, r0.b", "mov r1.a, c0\n+dp3 r1.rgb, r1.a, c1",
])  # fmt: skip
def test_paired_instructions_read_before_either_writes(pair: str) -> None:
    end = "\nadd r0, r0, r1" if "r1" in pair else ""
    check(f"ps_1_1\nmov r0, c0\nmov r1, c3\n{pair}{end}")


def test_unwritten_registers_are_zero() -> None:
    assert Setup("ps_1_1\nmov r0.rgb, r1").block().pixel().tolist() == [0.0] * 4


# ---- textures ------------------------------------------------------------------------------------

LOOKUPS = [
    "tex t0\nmov r0, t0", "texcoord t1\nmov r0, t1", "tex t0\ntexbem t1, t0\nmov r0, t1", "tex t0\ntexbeml t2, t0\nmov r0, t2",
    "tex t0\ntexreg2ar t1, t0\nmov r0, t1", "tex t0\ntexreg2gb t3, t0\nmov r0, t3",
    "tex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2",
    "tex t0\ntexm3x2pad t1, t0_bx2\ntexm3x2tex t2, t0_bx2\nmov r0, t2", "tex t0\ntexkill t1\nmov r0, t0",
    "tex t0\ntex t1\nmul r0, t0, t1", "tex t0\ntex t1\nlrp r0.rgb, t0.a, t1, v0\n+mov r0.a, t1",
]  # fmt: skip


@pytest.mark.parametrize("text", LOOKUPS)
@pytest.mark.parametrize("version", ["ps_1_1", "ps_1_3"])
def test_lookups(version: str, text: str) -> None:
    check(f"{version}\n{text}", tolerance=1e-3)


@pytest.mark.parametrize("text", ["tex t0\ntexdp3 t1, t0\nmov_sat r0, t1", "tex t0\ntexdp3tex t1, t0\nmov r0, t1",
                                  "tex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0\nmov_sat r0, t3"])  # fmt: skip
def test_dot_products(text: str) -> None:
    check(f"ps_1_2\n{text}", tolerance=1e-3)


@pytest.mark.parametrize("kind", [TextureKind.VOLUME, TextureKind.CUBE])
@pytest.mark.parametrize("last", ["texm3x3tex t3, t0", "texm3x3spec t3, t0, c0", "texm3x3vspec t3, t0"])
def test_matrix_lookups(last: str, kind: TextureKind) -> None:
    check(f"ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\n{last}\nmov r0, t3", {3: kind}, tolerance=5e-3)


def test_volume_lookup_by_register() -> None:
    check("ps_1_2\ntex t0\ntexreg2rgb t1, t0\nmov r0, t1", {1: TextureKind.VOLUME}, tolerance=1e-3)


def test_depth_by_rows() -> None:
    check("ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, c0", seeds=8)


@pytest.mark.parametrize("text", [
    "texld r0, t1", "texld r0, t1_dw.xyw", "texcrd r0.rgb, t1\nmov r0.a, c0", "texcrd r0.rg, t1_dw.xyw\nmov r0.ba, c0",
    "texcrd r0.rgb, t1.xyw\nmov r0.a, c0", "texld r1, t0\nmov r2, r1\nphase\ntexld r0, r2",
    "texld r1, t0\nphase\ntexld r0, r1_dz",
    "texld r1, t0\ntexcrd r2.rgb, t1\nbem r2.rg, r2, r1\nphase\ntexld r0, r2", "texkill t1\nmov r0, c0",
    "texld r1, t0\nphase\ntexkill r1\nmov r0, c0", "texld r0, t0\nphase\ntexld r1, t1\nmad r0, r0, r1, c0",
    "texcrd r5.rgb, t1\nphase\ntexdepth r5\nmov r0, c0",
])  # fmt: skip
def test_lookups_of_1_4(text: str) -> None:
    check(f"ps_1_4\n{text}", seeds=6, tolerance=5e-3)


@pytest.mark.parametrize("kind", [TextureKind.VOLUME, TextureKind.CUBE])
def test_the_fourth_coordinate_may_be_the_third(kind: TextureKind) -> None:
    """ps_1_4, texld r, t.xyw: "coordinates are the source after modifiers" (shader_opcodes.json, TEX)."""
    check("ps_1_4\ntexld r0, t1.xyw", {0: kind}, seeds=6, tolerance=5e-3)


@pytest.mark.parametrize(("text", "kinds"), [
    ("ps_1_1\ntex t0\ntex t1\ntex t2\ntex t3\nmul r0, t0, t1", "PAIR NEAR PAIR NEAR MUL"),
    ("ps_1_1\ntex t0\ntex t1\ntex t2\nmul r0, t0, t1", "PAIR NEAR NEAR MUL"),
    ("ps_1_1\ntex t0\ntexcoord t1\ntex t2\nmul r0, t0, t2", "NEAR OTHER NEAR MUL"),
    ("ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1", "NEAR OTHER MOV"),
    ("ps_1_4\ntexld r0, t1\ntexld r1, t0_dw.xyw\nmul r0, r0, r1", "NEAR OTHER MUL"),
    ("ps_1_4\ntexld r0, t1\ntexld r1, t0\nmul r0, r0, r1", "PAIR NEAR MUL"),
    ("ps_1_4\ntexld r0, t1\ntexld r4, t0\nmul r0, r0, r4", "NEAR NEAR MUL"),          # point filter
    ("ps_1_4\ntexld r5, t0\ntexld r0, t1\nmul r0, r0, r5", "LOOKUP NEAR MUL"),        # float texture
])  # fmt: skip
def test_neighbouring_lookups_make_pairs(text: str, kinds: str) -> None:
    block = Setup(text).block()
    for n in range(5):
        block.texture(n, [np.zeros((4, 4), np.uint32)]).stage(n, MAGFILTER=1 if n == 4 else 2, MINFILTER=1 if n == 4 else 2)
    state = block.state()[0]
    assert " ".join(InstructionKind(kind).name for kind in state["instruction"]["kind"][: state["pixel_shader"]]) == kinds


def test_lookups_the_short_way_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A8R8G8B8 and float textures, point and linear filters, seams, projection, stages without texture or coordinates"""
    texts = ["ps_1_1\ntex t0\ntex t1\ntex t2\ntex t3\nmad r0, t0, t1, t2\nlrp r0, t3, r0, t0",
             "ps_1_4\ntexld r1, t0\ntexld r0, t1\ntexld r2, t1\nmad r0, r0, r1, r2"]  # fmt: skip

    def run(seed: int) -> np.ndarray:
        rng, block = np.random.default_rng(seed), Setup(texts[seed % 2], seed).block()
        for n in range(4):
            if rng.integers(4):
                block.texture(n, [rng.integers(0, 1 << 32, (8, 16), np.uint32)])
            block.textures[n]["kind"] *= int(rng.integers(8) > 0)
            block.stage(n, TEXTURETRANSFORMFLAGS=rng.choice([0, 0, 0, 0x104]), MAGFILTER=rng.choice([1, 2]), MINFILTER=2,
                        ADDRESSU=rng.choice([1, 2, 3, 4]))  # fmt: skip
            block.coordinates(n, *((float(start), float(x), float(y)) for start, x, y in rng.uniform(0, 0.3, (4, 3))))
        return block.run().view(np.uint32)

    in_pairs = [run(seed) for seed in range(200)]
    monkeypatch.setattr(shading, "shorten_lookups", lambda states: None)
    for seed, got in enumerate(in_pairs):
        assert (run(seed) == got).all(), seed


def test_a_stage_without_texture_is_opaque_black() -> None:
    setup = Setup("ps_1_1\ntex t5\nmov r0, t5".replace("t5", "t3"))
    block = setup.block()
    block.textures[3] = 0
    assert block.pixel().tolist() == [0, 0, 0, 1]


def test_tex_honours_projection() -> None:
    setup = Setup("ps_1_1\ntex t0\nmov r0, t0")
    setup.coordinates[0, 3] = 2.0
    block = setup.block().stage(0, TEXTURETRANSFORMFLAGS=0x104)
    expected = setup.sample(0, setup.coordinates[0, :3] / 2.0)
    assert np.abs(block.pixel() - expected).max() < 1e-3


# ---- random programs -----------------------------------------------------------------------------


def random_program(seed: int) -> str:
    """ps_1_1 or ps_1_4: two textures, eight arithmetic instructions with modifiers, masks and pairs"""
    rng = np.random.default_rng(seed)
    new = bool(rng.integers(2))
    lines = ["ps_1_4", "texld r0, t0", "texld r1, t1"] if new else ["ps_1_1", "tex t0", "tex t1", "mov r0, t0", "mov r1, t1"]
    registers = [f"r{n}" for n in range(2)] + ([] if new else ["t0", "t1"])

    def operand() -> str:
        name = str(rng.choice([*registers, "c0", "c1", "v0", "v1"]))
        modifier = str(rng.choice(["", "-", "_bias", "_bx2", "1-"])) if name[0] not in "cv" else ""
        name = {"": name, "-": "-" + name, "1-": "1-" + name}.get(modifier, name + modifier)
        return name + str(rng.choice(["", "", ".a"]))

    def instruction(mask: str) -> str:
        name, count = [("mov", 1), ("add", 2), ("sub", 2), ("mul", 2), ("mad", 3), ("lrp", 3)][rng.integers(6)]
        result = f"{name}{rng.choice(['', '', '_x2', '_d2', '_sat'])} r{rng.integers(2)}{mask}"
        return ", ".join([result, *(operand() for _ in range(count))])

    for _ in range(4):
        if rng.integers(2):
            lines += [instruction(".rgb"), "+" + instruction(".a")]
        else:
            lines.append(instruction(""))
    return "\n".join([*lines, "add r0, r0, r1"])


@pytest.mark.parametrize("first", [0, 50, 100])
def test_random_programs(first: int) -> None:
    for seed in range(first, first + 50):
        check(random_program(seed), seeds=1, tolerance=2e-3)


# ---- what a program says about itself --------------------------------------------------------------


def test_needs_of_a_program() -> None:
    text = "ps_1_1\ntex t0\ntexbem t1, t0\ntexcoord t2\ntexkill t3\nmul r0, t1, v1\nadd r0, r0, t2"
    needs = compile_pixel_program(program(assemble(text)), 0x0101)
    assert needs.textures == {0, 1} and needs.coordinates == {0, 1, 2, 3}
    assert needs.kills and not needs.writes_depth and needs.reads_specular and not needs.reads_diffuse


def test_only_used_constants_are_loaded() -> None:
    compiled = compile_pixel_program(program(assemble("ps_1_1\nmov r0, c3")), 0x0101)
    assert len(compiled.records) == 1 and compiled.constants == {3}


def test_operations_of_vertex_shaders_are_refused() -> None:
    code = program(assemble("ps_1_1\nmov r0, c3"))
    code["op"] = Sio.RSQ
    with pytest.raises(BadInput, match="instruction 0 of a pixel shader has operation 7"):
        compile_pixel_program(code, 0x0101)


@pytest.mark.parametrize("seed", range(40))
def test_programs_of_nonsense_run(seed: int) -> None:
    """any operand bits: registers, files, swizzles and modifiers that do not exist"""
    rng = np.random.default_rng(seed)
    code = np.zeros(20, INSTRUCTION)
    code["op"] = rng.choice([int(op) for op in RUNNING], 20)
    ranges = {"dest_type": 8, "dest_index": 2048, "write_mask": 16, "dest_shift": 4, "saturate": 2, "coissue": 2}
    for name, most in ranges.items():
        code[name] = rng.integers(0, most, 20)
    code["source_count"] = rng.integers(0, 5, 20)
    for name, most in (("type", 8), ("index", 2048), ("swizzle", 256), ("modifier", 16)):
        code["source"][name] = rng.integers(0, most, (20, 4))
    block = Setup("ps_1_1\nmov r0, c0", seed).block()
    block.program, block.version = code, int(rng.choice([0x0101, 0x0104]))
    assert block.run().shape == (16, 6)


def test_too_many_instructions_are_refused() -> None:
    with pytest.raises(BadInput, match="the most is 64"):
        compile_pixel_program(program(assemble("ps_1_4\n" + "mov r0, c0\n" * 80)), 0x0104)
