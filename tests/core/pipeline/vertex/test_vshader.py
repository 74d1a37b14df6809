"""Vertex shaders: every instruction against a scalar reference written from the instruction table, then whole programs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi.stream.shader_assemble import assemble
from core.ddi.stream.shader_code import program as decode
from core.errors import BadInput
from core.pipeline.vertex.fetch import compile_declaration
from core.pipeline.vertex.vshader import compile_program
from core.spec.shaders import INSTRUCTION
from tests.core.pipeline.vertex_kit import Scene, dword

INF = math.inf
SMALL = 1.17549435e-38


def run(
    code: str,
    inputs: np.ndarray,
    constants: dict[int, tuple] | None = None,
    scene: Scene | None = None,
    version: str = "vs.1.1",
):
    """Output vertices of a shader over float4 inputs[vertex, register]: the 48 floats, and the clip space positions."""
    inputs = np.asarray(inputs, np.float32)
    tokens = [1 << 29, *(2 << 29 | 3 << 16 | register for register in range(inputs.shape[1])), 0xFFFFFFFF]
    scene = scene or Scene()
    for number, value in (constants or {}).items():
        scene.set(("VSCONST", number), *map(float, value))
    scene.set("PIXELSHADER", 1)  # all coordinates are wanted
    out = scene.process(
        compile_declaration(tokens, True), [inputs], [16 * inputs.shape[1]], kind=1, count=len(inputs),
        program=compile_program(decode(assemble(f"{version}\n{code}"))),
    )  # fmt: skip
    return out.vertices[: len(inputs)], out.positions[: len(inputs)]


# ---- one instruction ---------------------------------------------------------------------------


def f(x: float) -> float:
    """Rounded to single precision."""
    with np.errstate(all="ignore"):
        return float(np.float32(x))


def rcp(x):
    return math.copysign(INF, x) if x == 0 else f(1 / x)


def rsq(x):
    return INF if x == 0 else f(1 / f(math.sqrt(abs(x))))


def exp2(x):
    return INF if x >= 128 else 0.0 if x < -126 else 2.0**x


def log2(x):
    return -INF if abs(x) < SMALL else math.log2(abs(x))


def lit(s):
    power = min(max(s[3], -127.9961), 127.9961)
    shine = (s[1] ** power if power > 0 or s[1] > 0 else 0.0) if s[0] > 0 and s[1] > 0 else 0.0
    return [1.0, max(s[0], 0.0), shine, 1.0]


def logp(s):
    x = abs(s[3])
    if x < SMALL:
        return [-INF, 1.0, -INF, 1.0]
    exponent = math.floor(math.log2(x))
    return [exponent, x / 2.0**exponent, math.log2(x), 1.0]


def dot(a, b, n):
    total = 0.0
    for i in range(n):
        total = f(total + f(a[i] * b[i])) if i else f(a[i] * b[i])
    return total


REFERENCE = {
    "mov": (1, lambda a: a),
    "add": (2, lambda a, b: [f(x + y) for x, y in zip(a, b, strict=True)]),
    "sub": (2, lambda a, b: [f(x - y) for x, y in zip(a, b, strict=True)]),
    "mul": (2, lambda a, b: [f(x * y) for x, y in zip(a, b, strict=True)]),
    "mad": (3, lambda a, b, c: [f(f(x * y) + z) for x, y, z in zip(a, b, c, strict=True)]),
    "dp3": (2, lambda a, b: [dot(a, b, 3)] * 4),
    "dp4": (2, lambda a, b: [dot(a, b, 4)] * 4),
    "min": (2, lambda a, b: [x if x < y else y for x, y in zip(a, b, strict=True)]),
    "max": (2, lambda a, b: [x if x >= y else y for x, y in zip(a, b, strict=True)]),
    "slt": (2, lambda a, b: [float(x < y) for x, y in zip(a, b, strict=True)]),
    "sge": (2, lambda a, b: [float(x >= y) for x, y in zip(a, b, strict=True)]),
    "dst": (2, lambda a, b: [1.0, f(a[1] * b[1]), a[2], b[3]]),
    "rcp": (1, lambda a: [rcp(a[3])] * 4),
    "rsq": (1, lambda a: [rsq(a[3])] * 4),
    "exp": (1, lambda a: [exp2(a[3])] * 4),
    "log": (1, lambda a: [log2(a[3])] * 4),
    "expp": (1, lambda a: [exp2(math.floor(a[3])), f(a[3] - math.floor(a[3])), exp2(a[3]), 1.0]),
    "logp": (1, logp),
    "lit": (1, lit),
    "frc": (1, lambda a: [f(x - math.floor(x)) for x in a]),
}
EXACT = {"mov", "add", "sub", "mul", "mad", "dp3", "dp4", "min", "max", "slt", "sge", "dst", "rcp", "rsq", "frc"}
SPECIAL = [0.0, 1.0, -1.0, 0.5, 2.0, -0.25, 3.75, 100.0, -100.0, 1e-20, 1e20, 127.5, -126.5]


@pytest.mark.parametrize("name", REFERENCE)
def test_an_instruction(name):
    rng = np.random.default_rng(len(name))
    count, reference = REFERENCE[name]
    inputs = np.where(rng.random((300, 3, 4)) < 0.3, rng.choice(SPECIAL, (300, 3, 4)), rng.normal(size=(300, 3, 4)) * 3).astype(
        np.float32
    )
    if name in ("exp", "expp", "lit"):
        inputs = np.clip(inputs, -120, 120)
    sources = ", ".join(f"r{i}" for i in range(count))
    code = "\n".join(f"mov r{i}, v{i}" for i in range(3)) + f"\n{name} r5, {sources}\nmov oT0, r5\nmov oPos, r5"
    if name == "frc":
        code = code.replace("frc r5", "mov r5, r0\nfrc r5.xy")
    vertices, _ = run(code, inputs)
    expected = np.array([reference(*[row[i].astype(float).tolist() for i in range(count)]) for row in inputs])
    if name == "frc":
        expected[:, 2:] = inputs[:, 0, 2:]
    with np.errstate(over="ignore"):
        expected = expected.astype(np.float32)
    if name in EXACT:
        np.testing.assert_array_equal(vertices[:, 16:20], expected)
    else:
        np.testing.assert_allclose(vertices[:, 16:20], expected, rtol=2e-5 if name == "lit" else 3e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "rows", "width"), [("m4x4", 4, 4), ("m4x3", 3, 4), ("m3x4", 4, 3), ("m3x3", 3, 3), ("m3x2", 2, 3)]
)
@pytest.mark.parametrize("where", ["c", "relative"])
def test_the_matrix_instructions(name, rows, width, where):
    rng = np.random.default_rng(7)
    matrix, inputs = rng.normal(size=(4, 4)), rng.normal(size=(50, 1, 4))
    mask = "xyzw"[:rows]
    source = "c[a0.x + 20]" if where == "relative" else "c24"
    code = f"mov a0.x, c1.x\nmov r0, c0\n{name} r0.{mask}, v0, {source}\nmov oT0, r0\nmov oPos, v0"
    constants = {0: (9, 9, 9, 9), 1: (4.75, 0, 0, 0)} | {24 + k: matrix[k] for k in range(rows)}
    vertices, _ = run(code, inputs, constants)
    expected = np.full((50, 4), 9.0)
    expected[:, :rows] = inputs[:, 0, :width] @ matrix[:rows, :width].T
    np.testing.assert_allclose(vertices[:, 16:20], expected, rtol=1e-5, atol=1e-5)


def test_a_matrix_may_overwrite_its_source():
    rng = np.random.default_rng(1)
    matrix, inputs = rng.normal(size=(4, 4)), rng.normal(size=(20, 1, 4))
    vertices, _ = run("mov r0, v0\nm4x4 r0, r0, c0\nmov oT0, r0\nmov oPos, v0", inputs, dict(enumerate(matrix)))
    np.testing.assert_allclose(vertices[:, 16:20], inputs[:, 0] @ matrix.T, rtol=1e-5, atol=1e-5)


# ---- operands ----------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_swizzles_signs_and_masks(data):
    """mad with random operands: sources are read before the destination is written."""
    letters = st.sampled_from("xyzw")
    swizzles = [data.draw(st.lists(letters, min_size=4, max_size=4)) for _ in range(3)]
    signs = [data.draw(st.booleans()) for _ in range(3)]
    mask = (
        "".join(c for c, keep in zip("xyzw", data.draw(st.lists(st.booleans(), min_size=4, max_size=4)), strict=True) if keep)
        or "x"
    )
    registers = [data.draw(st.sampled_from(["r0", "r1", "v1", "c3"])) for _ in range(3)]
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    inputs, constant = rng.normal(size=(20, 2, 4)).astype(np.float32), np.float32([1.5, -2.25, 3, -0.5])
    operands = ", ".join(f"{'-' * s}{r}.{''.join(z)}" for s, r, z in zip(signs, registers, swizzles, strict=True))
    sum_ = f"mov r0, v0\nmul r1, v0, v0\nmad r0.{mask}, {operands}\nmov oT0, r0\nmov oPos, v0"
    vertices, _ = run(sum_, inputs, {3: constant})
    values = {"r0": inputs[:, 0], "r1": inputs[:, 0] * inputs[:, 0], "v1": inputs[:, 1], "c3": np.tile(constant, (20, 1))}
    a, b, c = (
        (-1 if s else 1) * values[r][:, ["xyzw".index(k) for k in z]]
        for s, r, z in zip(signs, registers, swizzles, strict=True)
    )
    expected = inputs[:, 0].copy()
    for k, letter in enumerate("xyzw"):
        if letter in mask:
            expected[:, k] = a[:, k] * b[:, k] + c[:, k]
    np.testing.assert_array_equal(vertices[:, 16:20], expected)


def test_relative_addressing_rounds_down_and_reads_0_outside():
    offsets = [0.0, 1.0, 1.99, -1.0, -0.01, 93.0, 245.0, 246.0, -10.0, -11.0, 1e9, -1e9, np.nan, np.inf]
    inputs = np.zeros((len(offsets), 1, 4))
    inputs[:, 0, 0] = offsets
    constants = {number: (number, number + 0.25, 0, -number) for number in range(256)}
    vertices, _ = run("mov a0.x, v0.x\nmov oT0, -c[a0.x + 10].wyxx\nmov oPos, v0", inputs, constants)
    for vertex, offset in zip(vertices, offsets, strict=True):
        index = math.floor(offset) + 10 if math.isfinite(offset) else 10 if math.isnan(offset) else -1
        expected = (index, -index - 0.25, -index, -index) if 0 <= index < 256 else (0, 0, 0, 0)
        np.testing.assert_array_equal(vertex[16:20], np.float32(expected))


def test_each_vertex_has_its_own_address():
    inputs = np.zeros((130, 1, 4))
    inputs[:, 0, 0] = np.arange(130) % 96
    vertices, _ = run("mov a0.x, v0.x\nmov oT3.x, c[a0.x].x\nmov oPos, v0", inputs, {n: (n * 2, 0, 0, 0) for n in range(96)})
    np.testing.assert_array_equal(vertices[:, 28], inputs[:, 0, 0] * 2)
    assert (vertices[:, 29:32] == [0, 0, 1]).all()


# ---- outputs -----------------------------------------------------------------------------------


def test_outputs_and_their_defaults():
    vertices, positions = run("mov oPos, v0", np.full((3, 1, 4), 0.5))
    np.testing.assert_array_equal(vertices[0, 4:16], [1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0.5, 0])
    np.testing.assert_array_equal(vertices[0, 16:], [0, 0, 0, 1] * 8)
    np.testing.assert_array_equal(positions[0], [0.5] * 4)


def test_all_outputs_are_written_and_colours_clamped():
    code = "mov oPos, v0\nmov oD0, c0\nmov oD1, c1\n" + "\n".join(f"mul oT{i}, v0, c{i + 2}" for i in range(8))
    constants = {0: (-1, 0.5, 2, 1), 1: (0.25, 0.75, 9, -9)} | {i + 2: (i, i, i, i) for i in range(8)}
    vertices, _ = run(code, np.full((3, 1, 4), 0.5), constants)
    np.testing.assert_array_equal(vertices[2, 4:12], [0, 0.5, 1, 1, 0.25, 0.75, 1, 0])
    np.testing.assert_array_equal(vertices[2, 16:48], np.repeat(np.arange(8) / 2, 4))


@pytest.mark.parametrize(("enabled", "table", "expected"), [(0, 0, 1.0), (1, 0, 0.25), (1, 3, 1.0)])
def test_fog_comes_from_ofog_when_vertex_fog_is_on(enabled, table, expected):
    scene = Scene().set("FOGENABLE", enabled).set("FOGTABLEMODE", table).set("FOGVERTEXMODE", 3)
    vertices, _ = run("mov oPos, v0\nmov oFog, c0.y\nmov oD1, v0", np.full((3, 1, 4), 0.5), {0: (9, 0.25, 9, 9)}, scene)
    np.testing.assert_array_equal(vertices[:3, 12], expected)


def test_fog_is_clamped():
    inputs = np.array([[[0.5, 0, 0, 1]], [[-3, 0, 0, 1]], [[7, 0, 0, 1]]])
    vertices, _ = run("mov oPos, v0\nmov oFog.x, v0.x", inputs, scene=Scene().set("FOGENABLE", 1))
    np.testing.assert_array_equal(vertices[:, 12], [0.5, 0, 1])


def test_point_size_is_opts_clamped_and_not_scaled():
    scene = Scene().set("POINTSCALEENABLE", 1).set("POINTSCALE_A", 9.0).set("POINTSIZE_MAX", 20.0).set("POINTSIZE_MIN", 2.0)
    vertices, _ = run("mov oPos, c1\nmov oPts.x, v0.x", np.array([[[8.0, 0, 0, 0]], [[50.0, 0, 0, 0]], [[1.0, 0, 0, 0]]]),
                      {1: (0, 0, 0.5, 1)}, scene)  # fmt: skip
    np.testing.assert_array_equal(vertices[:, 13], [8, 20, 2])


def test_a_transform_and_light_program():
    """The classical vertex shader: clip position, N.L, specular by lit."""
    rng = np.random.default_rng(4)
    matrix = rng.normal(size=(4, 4))
    inputs = rng.normal(size=(200, 2, 4))
    inputs[:, 0, 3] = 1
    code = """m4x4 oPos, v0, c0
        dp3 r0.w, v1, v1
        rsq r0.w, r0.w
        mul r0, v1, r0.w
        dp3 r1.x, r0, c4
        dp3 r1.y, r0, c5
        mov r1.w, c6.x
        lit r2, r1
        mul r3, r2.y, c7
        mad oD0, r2.z, c8, r3
        mov oT0.xy, v0"""
    light, half, power = np.array([0.6, 0, -0.8]), np.array([0, 0.6, -0.8]), 5.0
    constants = dict(enumerate(matrix)) | {
        4: (*light, 0),
        5: (*half, 0),
        6: (power,) * 4,
        7: (0.5, 0.4, 0.3, 0.2),
        8: (0.1,) * 4,
    }
    vertices, positions = run(code, inputs, constants)
    n = inputs[:, 1, :3] / np.linalg.norm(inputs[:, 1, :3], axis=1, keepdims=True)
    diffuse, shine = n @ light, n @ half
    shine = np.where((diffuse > 0) & (shine > 0), np.maximum(shine, 0) ** power, 0)
    expected = np.maximum(diffuse, 0)[:, None] * [0.5, 0.4, 0.3, 0.2] + 0.1 * shine[:, None]
    np.testing.assert_allclose(positions, inputs[:, 0] @ matrix.T, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(vertices[:, 4:8], np.clip(expected, 0, 1), atol=1e-5)
    np.testing.assert_allclose(vertices[:, 16:18], inputs[:, 0, :2], rtol=1e-6)


# ---- what is not a vertex shader ------------------------------------------------------------------


def instruction(**fields) -> np.ndarray:
    row = np.zeros(1, INSTRUCTION)
    row["op"], row["write_mask"], row["source_count"] = 1, 15, 1
    for name, value in fields.items():
        if name.startswith("source_") and name != "source_count":
            row["source"][name[7:]][:, 0] = value
        else:
            row[name] = value
    return row


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"op": 66, "dword": 5}, "instruction 66 at dword 5"),
        ({"dest_type": 0, "dest_index": 12}, "destination register type 0 number 12"),
        ({"dest_type": 6, "dest_index": 8}, "destination register type 6 number 8"),
        ({"dest_type": 2}, "destination register type 2"),
        ({"dest_type": 3, "op": 2}, "writes a0"),
        ({"source_type": 1, "source_index": 16}, "source register type 1 number 16"),
        ({"source_type": 4}, "source register type 4"),
        ({"source_modifier": 6}, "source modifier 6"),
    ],
)
def test_bad_programs_are_told(fields, text):
    with pytest.raises(BadInput, match=text):
        compile_program(instruction(**fields))


def test_a_matrix_may_not_reach_beyond_the_registers():
    row = instruction(op=20, source_count=2)
    row["source"]["index"][0, 1] = 9  # r9 .. r12
    with pytest.raises(BadInput, match="number 9"):
        compile_program(row)


def test_constants_beyond_the_last_are_0():
    row = np.concatenate([instruction(source_type=2, source_index=300, dest_type=6), instruction(dest_type=4, source_type=1)])
    row["source"]["swizzle"] = 0xE4
    layout = compile_declaration([1 << 29, 2 << 29 | 3 << 16, 0xFFFFFFFF], True)
    out = Scene().process(layout, [np.ones((1, 4), np.float32)], [16], kind=1, count=1, program=compile_program(row))
    assert (out.vertices[0, 16:20] == [0, 0, 0, 0]).all() and dword(1.0) == 0x3F800000


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_no_program_can_break_out(seed):
    """Random instructions are told to be none, or run and leave everything on the screen."""
    rng = np.random.default_rng(seed)
    rows = np.zeros(rng.integers(1, 20), INSTRUCTION)
    rows["op"] = rng.choice([*range(1, 25), 78, 79, 66], len(rows))
    rows["dest_type"], rows["dest_index"] = rng.choice([0, 3, 4, 5, 6], len(rows)), rng.integers(0, 3, len(rows))
    rows["write_mask"], rows["source_count"] = rng.integers(0, 16, len(rows)), rng.integers(0, 4, len(rows))
    for name, top in (("type", 3), ("index", 12), ("swizzle", 256), ("modifier", 2), ("relative", 2)):
        rows["source"][name] = rng.integers(0, top, (len(rows), 4))
    rows["source"]["index"] *= np.where(rows["source"]["type"] == 2, rng.choice([1, 20, 186]), 1)
    rows["dest_type"] = np.where((rows["dest_type"] == 3) & (rng.random() < 0.9), 0, rows["dest_type"])
    rows["op"][rows["dest_type"] == 3] = 1
    layout = compile_declaration([1 << 29, 2 << 29 | 3 << 16, 2 << 29 | 3 << 16 | 4, 0xFFFFFFFF], True)
    scene = Scene()
    scene.vector[:] = np.where(scene.vector == 0, rng.integers(0, 2**32, len(scene.vector), np.uint32), scene.vector)
    scene.set(("VIEWPORT", "X"), 0).set(("VIEWPORT", "Y"), 0).set("FILLMODE", int(rng.integers(1, 4)))
    try:
        program = compile_program(rows)
    except BadInput:
        return
    stream = rng.integers(0, 256, (40, 32), np.uint8)
    out = scene.process(layout, [stream], [32], kind=int(rng.integers(1, 7)), count=12, program=program)
    used = out.vertices[out.primitives["vertex"]]
    assert np.isfinite(used[..., :4]).all() and (abs(used[..., :2]) <= 640 + 2048).all()
    assert ((used[..., 4:13] >= 0) & (used[..., 4:13] <= 1)).all()
