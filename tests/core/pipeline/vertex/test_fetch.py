"""Fetch: vertex formats, declarations, every element type, and nothing outside of a buffer."""

from __future__ import annotations

import ctypes
import itertools
import mmap
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadInput
from core.pipeline.draw_state.vertex_state import VertexKind
from core.pipeline.vertex.assemble import IndexForm
from core.pipeline.vertex.fetch import ElementType, compile_declaration, compile_fvf
from core.pipeline.vertex.input_registers import input_registers
from core.spec.enums import Fvf, PrimitiveType
from core.spec.slots import LIGHT_SLOTS, SLOTS
from tests.core.pipeline.vertex_kit import GEOMETRY, Scene, vertices_of

END = 0xFFFFFFFF
ROOT = Path(__file__).resolve().parents[4]


def stream_token(number: int) -> int:
    return 1 << 29 | number


def reg_token(register: int, kind: int) -> int:
    return 2 << 29 | kind << 16 | register


def skip_token(dwords: int) -> int:
    return 2 << 29 | 1 << 28 | dwords << 16


def rows(layout) -> list[tuple[int, int, int, int]]:
    return [(int(e["stream"]), int(e["offset"]), int(e["type"]), int(e["register"])) for e in layout.elements]


# ---- formats -----------------------------------------------------------------------------------

POSITION_SIZES = {
    Fvf.XYZ: 12, Fvf.XYZRHW: 16, Fvf.XYZB1: 16, Fvf.XYZB2: 20, Fvf.XYZB3: 24, Fvf.XYZB4: 28, Fvf.XYZB5: 32,
}  # fmt: skip


@pytest.mark.parametrize("position", POSITION_SIZES)
def test_the_size_of_a_format_is_the_sum_of_its_parts(position):
    for parts in itertools.product((0, 1), repeat=4):
        normal, psize, diffuse, specular = parts
        for sizes in ((), (2,), (1, 3), (4,) * 8):
            fvf = position | normal * Fvf.NORMAL | psize * Fvf.PSIZE | diffuse * Fvf.DIFFUSE | specular * Fvf.SPECULAR
            fvf |= len(sizes) << 8
            for i, size in enumerate(sizes):
                fvf |= {1: 3, 2: 0, 3: 1, 4: 2}[size] << 16 + 2 * i
            expected = POSITION_SIZES[position] + 12 * normal + 4 * psize + 4 * diffuse + 4 * specular + 4 * sum(sizes)
            layout = compile_fvf(fvf)
            last_is_lost = position == Fvf.XYZB5 and not any(parts) and not sizes  # the fifth weight has no register
            assert layout.size(0) == expected - 4 * last_is_lost
            assert layout.kind == (VertexKind.TRANSFORMED if position == Fvf.XYZRHW else VertexKind.FIXED)


def test_a_full_format():
    fvf = Fvf.XYZB3 | Fvf.LASTBETA_UBYTE4 | Fvf.NORMAL | Fvf.PSIZE | Fvf.DIFFUSE | Fvf.SPECULAR | Fvf.TEX2 | 1 << 18
    F, D, U = ElementType.FLOAT1, ElementType.D3DCOLOR, ElementType.UBYTE4
    assert rows(compile_fvf(fvf)) == [
        (0, 0, 2, 0), (0, 12, 1, 1), (0, 20, U, 2), (0, 24, 2, 3), (0, 36, F, 4), (0, 40, D, 5), (0, 44, D, 6),
        (0, 48, 1, 7), (0, 56, 2, 8),
    ]  # fmt: skip


def test_a_single_beta_can_be_the_indices():
    assert rows(compile_fvf(Fvf.XYZB1 | Fvf.LASTBETA_UBYTE4)) == [(0, 0, 2, 0), (0, 12, ElementType.UBYTE4, 2)]


# ---- declarations ------------------------------------------------------------------------------


def test_a_declaration_with_everything():
    constants = np.array([1.5, -2, 3, 4, 5, 6, 7, 8], np.float32)
    tokens = [
        0, stream_token(2), reg_token(0, 2), skip_token(3), reg_token(9, 4), stream_token(0), skip_token(1), reg_token(16, 7),
        4 << 29 | 2 << 25 | 90, *constants.view(np.uint32), 5 << 29 | 2 << 24, 0x12345678, 0x9ABCDEF0, 1 << 29 | 1 << 28,
        3 << 29 | 3 << 20 | 2 << 16 | 7, 3 << 29 | 1 << 28 | 1 << 16 | 8, END, 0xE0000000,
    ]  # fmt: skip
    layout = compile_declaration(tokens, programmable=True)
    assert rows(layout) == [(0, 4, 7, 16), (2, 0, 2, 0), (2, 24, 4, 9)]
    assert layout.streams == (0, 2) and layout.kind == VertexKind.SHADER
    ((first, values),) = layout.constants
    assert first == 90 and (values == constants.reshape(2, 4)).all()
    assert [(t.register, t.source) for t in layout.tessellator] == [(7, 3), (8, -1)]


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ([reg_token(0, 9), END], "type 9"),
        ([reg_token(20, 2), END], "v20"),
        ([6 << 29, END], "unknown token 0xC0000000 at dword 0"),
        ([4 << 29 | 2 << 25, 1, 2, 3], "need 8 dwords, 3 left"),
    ],
)
def test_a_bad_declaration_is_told_with_its_place(tokens, text):
    with pytest.raises(BadInput, match=text.replace("(", r"\(")):
        compile_declaration(tokens, programmable=True)


# ---- values ------------------------------------------------------------------------------------

WIDTHS = {0: 4, 1: 8, 2: 12, 3: 16, 4: 4, 5: 4, 6: 4, 7: 8}


def expanded(kind: int, raw: bytes) -> list[float]:
    """An element by its definition."""
    if kind <= 3:
        given = np.frombuffer(raw, "<f4").tolist()
        return given + [0.0, 0.0, 0.0, 1.0][len(given) :]
    if kind == ElementType.D3DCOLOR:
        b, g, r, a = raw
        return [float(np.float32(v) / np.float32(255)) for v in (r, g, b, a)]
    if kind == ElementType.UBYTE4:
        return [float(v) for v in raw]
    given = np.frombuffer(raw, "<i2").astype(float).tolist()
    return given + [0.0, 0.0, 0.0, 1.0][len(given) :]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_element_type_from_every_stream(data):
    """Random declarations over random bytes: registers as defined, defaults for the rest."""
    seed = data.draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    count = data.draw(st.integers(1, 150))
    registers = rng.permutation(16)[: data.draw(st.integers(1, 8))]
    tokens, expected, streams, strides = [], {}, [], []
    for number, register in enumerate(registers):
        kind, before, after = int(rng.integers(8)), int(rng.integers(4)), int(rng.integers(4))
        stride = 4 * before + WIDTHS[kind] + 4 * after
        content = rng.integers(0, 256, (count, stride), np.uint8)
        if kind <= 3:
            content[:, 4 * before : 4 * before + WIDTHS[kind]] = rng.normal(size=(count, kind + 1)).astype("<f4").view(np.uint8)
        tokens += [stream_token(number), skip_token(before), reg_token(int(register), kind)]
        expected[int(register)] = [expanded(kind, row[4 * before : 4 * before + WIDTHS[kind]].tobytes()) for row in content]
        streams.append(content)
        strides.append(stride)
    scene = Scene()
    for i, stride in enumerate(strides):
        scene.set(("STREAM", i, "stride"), stride)
    layout = compile_declaration([*tokens, END], programmable=True)
    values, outside = input_registers(scene.vector, layout, [s.reshape(-1) for s in streams], np.arange(count))
    assert outside == 0
    for register in range(17):
        wanted = expected.get(register, [[0.0, 0.0, 0.0, 1.0]] * count)
        np.testing.assert_array_equal(values[:, register], np.array(wanted, np.float32))


def test_a_stride_of_zero_reads_vertex_0_for_all():
    layout = compile_declaration([stream_token(0), reg_token(0, 2), stream_token(1), reg_token(5, 4), END], programmable=False)
    scene = Scene()
    positions = np.array([[0, 0, 0.5], [0.5, 0, 0.5], [0, 0.5, 0.5]], np.float32)
    out = scene.process(layout, [positions, np.array([0x80FF0000], np.uint32)], [12, 0], kind=4, count=1)
    np.testing.assert_array_equal(
        out.vertices[:, 4:8], np.tile(np.float32([1, 0, 0, 128]) / np.float32([1, 1, 1, 255]), (3, 1))
    )
    assert out.elements_outside == 0


# ---- bounds ------------------------------------------------------------------------------------


def test_an_unbound_stream_reads_zeros_and_is_counted():
    layout = compile_declaration([stream_token(0), reg_token(0, 2), stream_token(3), reg_token(5, 4), END], programmable=False)
    positions = np.array([[0, 0, 0.5], [0.5, 0, 0.5], [0, 0.5, 0.5]], np.float32)
    out = Scene().process(layout, [positions], [12], kind=4, count=1)
    assert out.elements_outside == 3 and (out.vertices[:3, 4:8] == 0).all()


def test_indices_beyond_the_vertices_read_zeros():
    positions = vertices_of(4, position=np.ones((4, 3)) * 0.5)
    out = Scene().draw(positions, indices=[0, 1, 4000, 2, 3, 60000])
    assert len(out.vertices) == 5 and out.elements_outside == 1  # both name the same vertex outside
    assert (out.positions[-1] == [0, 0, 0, 1]).all()


def test_indices_beyond_the_index_memory_are_zero_and_counted():
    out = Scene().draw(vertices_of(4, position=np.ones((4, 3)) * 0.5), indices=[1, 2, 3, 1], count=2)
    assert out.indices_outside == 2


@pytest.mark.parametrize("form", [np.uint16, np.uint32])
def test_base_vertex_and_index_offset(form):
    positions = np.zeros((10, 3), np.float32)
    positions[:, 0] = np.arange(10) / 100
    indices = np.array([7, 8, 9, 0, 1, 2], form)
    out = Scene().draw(
        vertices_of(10, position=positions), indices=indices, start=4, count=1, index_offset=3 * indices.itemsize
    )
    np.testing.assert_array_equal(out.positions[out.primitives["vertex"][0], 0], positions[4:7, 0])
    out = Scene().draw(vertices_of(10, position=positions), indices=indices, start=-6, count=1)
    np.testing.assert_array_equal(out.positions[out.primitives["vertex"][0], 0], positions[1:4, 0])


def test_far_apart_indices_process_each_vertex_once():
    rng = np.random.default_rng(3)
    positions = rng.uniform(0.1, 0.9, (50000, 3)).astype(np.float32)
    indices = rng.choice(rng.integers(0, 50000, 40), 300).astype(np.uint16)
    out = Scene().draw(vertices_of(50000, position=positions), indices=indices)
    assert len(out.positions) == len(np.unique(indices))
    np.testing.assert_array_equal(out.positions[out.primitives["vertex"], :3], positions[indices.reshape(-1, 3)])


def test_a_stream_offset_moves_vertex_0():
    vertices = vertices_of(6, position=np.arange(18).reshape(6, 3) / 50)
    plain = Scene().draw(vertices, count=1, start=2)
    moved = Scene().draw(vertices, count=1, stream_offset=2 * vertices.itemsize)
    back = Scene().draw(vertices, count=1, start=3, stream_offset=-vertices.itemsize)
    assert (plain.positions == moved.positions).all() and (plain.positions == back.positions).all()


def test_read_only_memory_will_do():
    """Command buffers and user memory may be views of bytes."""
    positions = np.frombuffer(np.arange(12, dtype=np.float32).tobytes(), np.float32).reshape(4, 3)
    memory = np.frombuffer(np.array([1, 2, 3], np.uint16).tobytes(), np.uint8)
    out = Scene().process(
        compile_fvf(Fvf.XYZ), [positions], [12], kind=4, count=1, index_form=IndexForm.WORD, index_memory=memory
    )  # fmt: skip
    np.testing.assert_array_equal(out.positions[:3, :3], positions[1:])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_nothing_a_draw_says_can_break_out(data):
    """Any count, start, stride, offset and index: the draw ends, and everything stays on the screen."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    scene = Scene()
    huge = st.one_of(st.integers(-(2**31), 2**32), st.integers(-5, 60))
    form = data.draw(st.sampled_from(list(IndexForm)))
    memory = rng.integers(0, 256, data.draw(st.integers(0, 300)), np.uint8)
    stream = rng.integers(0, 256, data.draw(st.integers(0, 400)), np.uint8)
    out = scene.process(
        compile_fvf(Fvf.XYZ | Fvf.DIFFUSE | Fvf.TEX1), [stream], [data.draw(st.sampled_from([0, 1, 4, 23, 24, 2**31]))],
        kind=data.draw(st.sampled_from(list(PrimitiveType))), count=data.draw(st.integers(0, 400)), start=data.draw(huge),
        stream_offset=data.draw(huge), index_form=form, index_memory=memory, index_offset=data.draw(huge),
    )  # fmt: skip
    used = out.vertices[out.primitives["vertex"]]
    assert np.isfinite(used[..., :4]).all()
    assert (abs(used[..., 0]) <= 640 + 2048).all() and (used[..., 2] >= 0).all() and (used[..., 2] <= 1).all()


def test_an_absurd_count_is_cut_to_what_the_buffers_hold():
    vertices = vertices_of(30, position=np.zeros((30, 3)))
    out = Scene().draw(vertices, count=2**31)
    assert len(out.fates) >= 10 and GEOMETRY.cut_short
    Scene().draw(vertices)
    assert not GEOMETRY.cut_short


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_no_state_can_break_out(seed):
    """Any register vector, format and bytes: whatever is drawn lies on the screen, colours and fog in 0..1."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    bits = rng.integers(0, 2**32, len(scene.vector), np.uint32)
    floats = rng.normal(size=len(scene.vector)).astype(np.float32).view(np.uint32)
    noise = np.where(rng.random(len(bits)) < rng.random(), bits, floats)
    scene.vector[:] = np.where(rng.random(len(bits)) < rng.random(), noise, scene.vector)
    for name, value in (("X", 0), ("Y", 0), ("Width", 640), ("Height", 480)):
        scene.set(("VIEWPORT", name), value)
    for name, values in (("FILLMODE", (1, 2, 3)), ("VERTEXBLEND", (0, 1, 2, 3, 255, 256)), ("PIXELSHADER", (0, 1))):
        scene.set(name, int(rng.choice(values)))
    scene.light_slots = SLOTS + LIGHT_SLOTS * np.arange(int(rng.integers(0, 5)), dtype=np.int64)
    layout = compile_fvf(int(rng.integers(0, 2**32)) & ~1)
    stream = rng.integers(0, 256, 4000, np.uint8)
    if rng.random() < 0.7:
        stream = rng.normal(size=1000).astype(np.float32).view(np.uint8)
    kind = int(rng.integers(1, 7))
    out = scene.process(layout, [stream], [layout.size(0)], kind=kind, count=25)
    used = out.vertices[out.primitives["vertex"]]
    assert np.isfinite(used[..., :4]).all() and (abs(used[..., :2]) <= 640 + 2048).all()
    assert ((used[..., 4:13] >= 0) & (used[..., 4:13] <= 1)).all()


def draw_at_the_end_of_a_page() -> None:
    """Draws from streams whose last byte is the last that may be read, all types, few and many vertices."""
    size = mmap.PAGESIZE
    memory = mmap.mmap(-1, 2 * size)
    whole = np.frombuffer(memory, np.uint8)
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    assert protect(ctypes.c_void_p(whole.ctypes.data + size), ctypes.c_size_t(size), 0) == 0
    rng = np.random.default_rng(2)
    for kind in ElementType:
        layout = compile_declaration([stream_token(0), reg_token(0, ElementType.FLOAT3), reg_token(7, kind), END], False)
        for count in (3, 5, 16, 17, 70):
            stream = whole[size - count * layout.size(0) : size]
            stream[:] = rng.integers(0, 100, len(stream))
            ours = Scene().process(layout, [stream], [layout.size(0)], kind=PrimitiveType.TRIANGLESTRIP, count=count - 2)
            same = Scene().process(layout, [stream.copy()], [layout.size(0)], kind=PrimitiveType.TRIANGLESTRIP, count=count - 2)
            assert ours.elements_outside == 0
            np.testing.assert_array_equal(ours.vertices, same.vertices)


@pytest.mark.skipif(sys.platform == "win32", reason="mprotect is not there")
def test_nothing_beyond_a_stream_is_read():
    code = "from tests.core.pipeline.vertex.test_fetch import draw_at_the_end_of_a_page as draw; draw()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
