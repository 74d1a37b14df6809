"""Draw tokens through the whole device: which vertices they take, when pixels appear, what the tap hears."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi import dp2
from core.ddi.calls import DdiCall
from core.ddi.driver import EmulatedDriver
from core.device.tap import Tap
from core.spec.enums import HResult
from core.spec.formats import FORMAT_BY_NAME
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID

CONTEXT, TARGET, DEPTH, SIZE = 1, 10, 11, 16
SCREEN = 0x44  # XYZRHW, DIFFUSE
SCREEN_TEXTURED = 0x144
POINTS, LINES, STRIP_LINES, TRIANGLES, STRIP, FAN = range(1, 7)
RED, GREEN, BLUE, WHITE = 0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF


class Machine:
    """A driver with a 16 x 16 target, ready to draw transformed vertices."""

    def __init__(self, **more: Any) -> None:
        self.driver = EmulatedDriver()
        for handle, format, label in ((TARGET, "A8R8G8B8", "render_target"), (DEPTH, "D24S8", "depth")):
            self.surface(handle, format, SIZE, SIZE, label=label, **more)
        self("ContextCreate", context=CONTEXT, render_target=TARGET, depth_stencil=DEPTH, width=SIZE, height=SIZE, windowed=1)
        self.draw(("ZRANGE", [{"min": 0, "max": 1}]), shader(SCREEN), states(CULLMODE=1, LIGHTING=0))

    def __call__(self, entry: str, data: dict[str, Any] | None = None, **args: Any) -> DdiCall:
        call = self.driver.call(DdiCall(entry, args, data or {}))
        assert call.result == 0, [f.text for f in self.driver.findings]
        return call

    def surface(self, handle: int, format: str, width: int, height: int, **more: Any) -> None:
        self("CreateSurface", handle=handle, width=width, height=height, format=FORMAT_BY_NAME[format].id, **more)

    def fill(self, handle: int, contents: np.ndarray) -> None:
        self("Lock", handle=handle, box=None, flags=0)
        self("Unlock", {"contents": contents.tobytes()}, handle=handle, box=None)

    def buffer(self, handle: int, contents: bytes, kind: str = "vertex") -> None:
        self("CreateD3DBuffer", handle=handle, size=len(contents), kind=kind)
        self("LockD3DBuffer", handle=handle, offset=0, size=0)
        self("UnlockD3DBuffer", {"contents": contents}, handle=handle, offset=0)

    def draw(self, *tokens: tuple, vertices: bytes = b"", stride: int = 20, kind: int = SCREEN, fresh: bool = False) -> None:
        """Tokens in one call; `vertices` as user memory, with the stride and vertex type that DirectX 7 draws take."""
        stream = bytearray()
        for op, items, *fields in tokens:
            dp2.emit(stream, op, items, **(fields[0] if fields else {}))
        data: dict[str, Any] = {"commands": bytes(stream)}
        args = {"context": CONTEXT, "command_length": len(stream), "vertex_size": stride, "vertex_type": kind}
        if vertices:
            data["vertices"], args["vertex_length"] = vertices, len(vertices) // stride
        self("DrawPrimitives2", data, **args)

    def picture(self, surface: Any = TARGET) -> np.ndarray:
        return self.driver.read(surface)[0].view("<u4") & 0xFFFFFF


def states(**values: int) -> tuple:
    return "RENDERSTATE", [{"state": RENDER_STATE_ID[name], "value": value} for name, value in values.items()]


def stage(number: int = 0, **values: int) -> tuple:
    items = [{"stage": number, "state": TEXTURE_STAGE_STATE_ID[name], "value": value} for name, value in values.items()]
    return "TEXTURESTAGESTATE", items


def shader(handle: int) -> tuple:
    return "SETVERTEXSHADER", [{"shader": handle}]


def user_memory(stride: int = 20) -> tuple:
    return "SETSTREAMSOURCEUM", [{"stream": 0, "stride": stride}]


def vertex(x: float, y: float, color: int = WHITE, z: float = 0.5) -> bytes:
    return struct.pack("<4fI", x - 0.5, y - 0.5, z, 1.0, 0xFF000000 | color)


def quad(left: float, top: float, right: float, bottom: float, color: int = WHITE, z: float = 0.5) -> list[bytes]:
    """Upper left, upper right, lower left, lower right: pixels left..right-1, top..bottom-1."""
    return [vertex(x, y, color, z) for y in (top, bottom) for x in (left, right)]


def box(left: int, top: int, right: int, bottom: int, color: int = WHITE) -> np.ndarray:
    picture = np.zeros((SIZE, SIZE), np.uint32)
    picture[top:bottom, left:right] = color
    return picture


Q = quad(2, 3, 9, 11)
AS_LIST = [Q[0], Q[1], Q[2], Q[1], Q[3], Q[2]]
AS_FAN = [Q[0], Q[1], Q[3], Q[2]]
EXPECTED = box(2, 3, 9, 11)


# ---- the same quad by every token -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "vertices", "count"), [(TRIANGLES, AS_LIST, 2), (STRIP, Q, 2), (FAN, AS_FAN, 2)], ids=["list", "strip", "fan"]
)
def test_draw_primitive(kind: int, vertices: list[bytes], count: int) -> None:
    machine = Machine()
    machine.draw(
        user_memory(), ("DRAWPRIMITIVE", [{"type": kind, "start": 1, "count": count}]), vertices=b"".join([Q[0], *vertices])
    )
    assert np.array_equal(machine.picture(), EXPECTED)
    assert not machine.driver.findings


@pytest.mark.parametrize("size", [2, 4])
def test_draw_indexed_primitive(size: int) -> None:
    machine = Machine()
    machine.buffer(40, b"".join([b"\0" * 20, *Q]))
    machine.buffer(41, np.array([9, 9, 0, 1, 2, 1, 3, 2], f"<u{size}").tobytes(), "index")
    machine.draw(
        ("SETSTREAMSOURCE", [{"stream": 0, "buffer": 40, "stride": 20}]),
        ("SETINDICES", [{"buffer": 41, "stride": size}]),
        ("DRAWINDEXEDPRIMITIVE", [{"type": TRIANGLES, "base": 1, "min_index": 0, "vertex_count": 4, "start": 2, "count": 2}]),
    )
    assert np.array_equal(machine.picture(), EXPECTED)
    assert not machine.driver.findings


def test_draws_of_the_software_vertex_pipeline() -> None:
    """Offsets count bytes."""
    fan = {"first_offset": 20, "edge_flags": 0, "count": 2}
    indexed = {"type": TRIANGLES, "base_offset": 40, "min_index": 0, "vertex_count": 4, "start_offset": 4, "count": 2}
    for token in (
        ("DRAWPRIMITIVE2", [{"type": STRIP, "first_offset": 40, "count": 2}], [b"\0" * 20, b"\0" * 20, *Q]),
        ("DRAWINDEXEDPRIMITIVE2", [indexed], [b"\0" * 20, b"\0" * 20, *Q]),
        ("CLIPPEDTRIANGLEFAN", [fan], [b"\0" * 20, *AS_FAN]),
    ):
        machine = Machine()
        machine.buffer(40, b"".join(token[2]))
        machine.buffer(41, np.array([9, 9, 0, 1, 2, 1, 3, 2], "<u2").tobytes(), "index")
        machine.draw(
            ("SETSTREAMSOURCE", [{"stream": 0, "buffer": 40, "stride": 20}]), ("SETINDICES", [{"buffer": 41, "stride": 2}])
        )
        machine.draw(token[:2])
        assert np.array_equal(machine.picture(), EXPECTED), token[0]
        assert not machine.driver.findings


BEFORE = [vertex(0, 0)] * 2
INDEXED = np.array([[0, 1, 2], [1, 3, 2]], "<u2")
LEGACY = {
    "TRIANGLELIST": (None, {"start": 2, "primitives": 2}, AS_LIST),
    "TRIANGLESTRIP": (None, {"start": 2, "primitives": 2}, Q),
    "TRIANGLEFAN": (None, {"start": 2, "primitives": 2}, AS_FAN),
    "INDEXEDTRIANGLELIST2": (INDEXED.tolist(), {"start": 2}, Q),
    "INDEXEDTRIANGLELIST": ([[2, 3, 4, 0x700], [3, 5, 4, 0x700]], {}, Q),
    "INDEXEDTRIANGLESTRIP": ([0, 1, 2, 3], {"start": 2}, Q),
    "INDEXEDTRIANGLEFAN": ([0, 1, 3, 2], {"start": 2}, Q),
}


@pytest.mark.parametrize("token", LEGACY)
def test_draws_of_directx_6(token: str) -> None:
    items, fields, vertices = LEGACY[token]
    machine = Machine()
    machine.draw((token, items, fields), vertices=b"".join([*BEFORE, *vertices]))
    assert np.array_equal(machine.picture(), EXPECTED)
    assert not machine.driver.findings


def test_vertices_within_the_stream() -> None:
    machine = Machine()
    stream = bytearray(struct.pack("<BBHI", 23, 0, 2, 0) + b"".join(AS_FAN))
    args = {"context": CONTEXT, "command_length": len(stream), "vertex_size": 20, "vertex_type": SCREEN}
    machine("DrawPrimitives2", {"commands": bytes(stream)}, **args)
    assert np.array_equal(machine.picture(), EXPECTED)


def test_points_and_lines_of_directx_6() -> None:
    machine = Machine()
    spots = b"".join(vertex(x + 0.5, 5.5, GREEN) for x in (3, 7, 12))
    machine.draw(("POINTS", [{"count": 2, "start": 1}]), vertices=spots)
    assert np.argwhere(machine.picture() == GREEN).tolist() == [[5, 7], [5, 12]]
    ends = b"".join(vertex(x + 0.5, 8.5, BLUE) for x in (1, 5, 6, 9))
    machine.draw(states(LASTPIXEL=0), ("LINELIST", None, {"start": 0, "primitives": 2}), vertices=ends)
    assert np.flatnonzero(machine.picture()[8] == BLUE).tolist() == [1, 2, 3, 4, 6, 7, 8]


# ---- when pixels appear ---------------------------------------------------------------------------------------------


def test_a_buffer_may_change_after_the_draw() -> None:
    machine = Machine()
    machine.buffer(40, b"".join(Q))
    machine.draw(
        ("SETSTREAMSOURCE", [{"stream": 0, "buffer": 40, "stride": 20}]),
        ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]),
    )
    machine("LockD3DBuffer", handle=40, offset=0, size=0, flags=0)
    machine("UnlockD3DBuffer", {"contents": b"\0" * 80}, handle=40, offset=0)
    assert np.array_equal(machine.picture(), EXPECTED)


def textured(x: float, y: float, u: float, v: float) -> bytes:
    return struct.pack("<4fI2f", x - 0.5, y - 0.5, 0.5, 1.0, 0xFFFFFFFF, u, v)


def textured_quad(left: int, top: int, right: int, bottom: int) -> bytes:
    return b"".join(textured(x, y, u, v) for y, v in ((top, 0.0), (bottom, 1.0)) for x, u in ((left, 0.0), (right, 1.0)))


def draw_textured(machine: Machine, texture: int, box: tuple[int, int, int, int]) -> None:
    machine.draw(
        shader(SCREEN_TEXTURED),
        user_memory(28),
        stage(TEXTUREMAP=texture, COLOROP=2, COLORARG1=2, ALPHAOP=2, ALPHAARG1=2),
        ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]),
        vertices=textured_quad(*box),
        stride=28,
    )


def test_a_texture_may_change_between_draws() -> None:
    machine = Machine()
    machine.surface(20, "A8R8G8B8", 4, 4, label="texture")
    machine.fill(20, np.full((4, 4), 0xFF000000 | RED, np.uint32))
    draw_textured(machine, 20, (0, 0, 8, 8))
    machine.fill(20, np.full((4, 4), 0xFF000000 | BLUE, np.uint32))
    draw_textured(machine, 20, (8, 8, 16, 16))
    assert np.array_equal(machine.picture(), box(0, 0, 8, 8, RED) + box(8, 8, 16, 16, BLUE))


def test_drawing_to_a_texture_and_with_it() -> None:
    machine = Machine()
    machine.surface(20, "A8R8G8B8", 16, 16, label="texture")
    machine.draw(
        ("SETRENDERTARGET", [{"render_target": 20, "depth_stencil": 0}]),
        shader(SCREEN),
        user_memory(),
        ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]),
        vertices=b"".join(Q),
    )
    machine.draw(("SETRENDERTARGET", [{"render_target": TARGET, "depth_stencil": DEPTH}]))
    draw_textured(machine, 20, (0, 0, 16, 16))
    assert np.array_equal(machine.picture(), EXPECTED)


def test_palette_textures_follow_their_palette() -> None:
    machine = Machine()
    machine.surface(20, "P8", 4, 4, label="texture")
    machine.fill(20, np.full((4, 4), 7, np.uint8))
    for number, (color, area) in enumerate(((RED, (0, 0, 8, 8)), (GREEN, (8, 0, 16, 8)))):
        entry = color >> 16 & 255 | color & 0xFF00 | (color & 255) << 16
        machine.draw(
            ("SETPALETTE", [{"palette": 3, "flags": 0, "surface": 20}]),
            ("UPDATEPALETTE", None, {"palette": 3, "start": 7, "count": 1, "entries": [entry]}),
        )
        draw_textured(machine, 20, area)
        assert number < 2
    assert np.array_equal(machine.picture(), box(0, 0, 8, 8, RED) + box(8, 0, 16, 8, GREEN))


def test_depth_test_against_a_larger_depth_surface() -> None:
    machine = Machine()
    machine.surface(30, "D16", 100, 40, label="depth")
    machine.draw(("SETRENDERTARGET", [{"render_target": TARGET, "depth_stencil": 30}]))
    machine.draw(("CLEAR", [(0, 0, 100, 40)], {"flags": 2, "color": 0, "depth": 1.0, "stencil": 0}))
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(states(ZENABLE=1), user_memory(), token, vertices=b"".join(quad(0, 0, 8, 8, RED, 0.25)))
    machine.draw(token, vertices=b"".join(quad(4, 4, 12, 12, BLUE, 0.5)))
    expected = box(4, 4, 12, 12, BLUE)
    expected[0:8, 0:8] = RED
    assert np.array_equal(machine.picture(), expected)
    depth = machine.driver.read(30)[0].view("<u2")
    assert (depth[0, 0], depth[9, 9], depth[0, 20], depth[39, 99]) == (16384, 32768, 65535, 65535)


def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    pictures = []
    for threads in (1, 3):
        machine = Machine()
        machine.driver.device.threads = threads
        rng = np.random.default_rng(3)
        machine.surface(50, "A8R8G8B8", 300, 200)
        vertices = b"".join(
            vertex(*rng.uniform(-20, 320, 2), int(rng.integers(1 << 24)), float(rng.uniform())) for _ in range(300)
        )
        machine.draw(
            ("SETRENDERTARGET", [{"render_target": 50, "depth_stencil": 0}]),
            states(ALPHABLENDENABLE=1, SRCBLEND=3, DESTBLEND=2),
            ("VIEWPORTINFO", [{"x": 0, "y": 0, "width": 300, "height": 200}]),
            user_memory(),
            ("DRAWPRIMITIVE", [{"type": TRIANGLES, "start": 0, "count": 100}]),
            vertices=vertices,
        )
        pictures.append(machine.picture(50))
    assert np.array_equal(*pictures)
    assert pictures[0].any()


def test_a_snapshot_holds_what_was_drawn() -> None:
    machine = Machine()
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(user_memory(), token, vertices=b"".join(Q))
    snapshot = machine.driver.snapshot()
    for _ in range(2):
        machine.draw(token, vertices=b"".join(quad(0, 0, 16, 16, BLUE)))
        assert np.array_equal(machine.picture(), box(0, 0, 16, 16, BLUE))
        machine.driver.restore(snapshot)
        assert np.array_equal(machine.picture(), EXPECTED)
    machine.draw(token, vertices=b"".join(quad(0, 0, 2, 2, RED)))
    assert np.array_equal(machine.picture(), EXPECTED + box(0, 0, 2, 2, RED))


# ---- shaders --------------------------------------------------------------------------------------------------------


def test_constants_of_declaration_and_def_are_loaded_when_set() -> None:
    declaration = struct.pack("<3I4f1I", 0x20000000, 0x40030000, 0x80000000 | 1 << 25 | 5, 1, 2, 3, 4, 0xFFFFFFFF)
    code = struct.pack(
        "<3I4f7I", 0xFFFE0101, 0x51, 0xA00F0007, 5, 6, 7, 8, 1, 0xC00F0000, 0x90E40000, 1, 0xD00F0000, 0xA0E40007, 0xFFFF
    )
    machine = Machine()
    body = struct.pack("<3I", 5, len(declaration), len(code)) + declaration + code
    stream = struct.pack("<BBH", 45, 0, 1) + body
    machine("DrawPrimitives2", {"commands": stream}, context=CONTEXT, command_length=len(stream))
    constants = machine.driver.device.registers.view["vs_const"]
    assert not constants[5].any()
    machine.draw(shader(5))
    assert (constants[5].tolist(), constants[7].tolist()) == ([1, 2, 3, 4], [5, 6, 7, 8])
    machine.draw(("DELETEVERTEXSHADER", [{"shader": 5}]), shader(5))
    assert machine.driver.findings[-1].rule == "bad-handle"


def test_shaders_that_cannot_be_decoded_draw_nothing() -> None:
    machine = Machine()
    stream = struct.pack("<BBH2I3I", 54, 0, 1, 9, 12, 0xFFFF0101, 0x7777, 0xFFFF)
    call = DdiCall("DrawPrimitives2", {"context": CONTEXT, "command_length": len(stream)}, {"commands": stream})
    assert machine.driver.call(call).result == HResult.D3DERR_DRIVERINVALIDCALL  # DX8 DDI: creation fails with the call
    machine.draw(
        ("SETPIXELSHADER", [{"shader": 9}]),
        user_memory(),
        ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]),
        vertices=b"".join(Q),
    )
    assert not machine.picture().any()
    assert [finding.rule for finding in machine.driver.findings] == ["bad-shader", "bad-handle", "bad-shader"]


# ---- patches --------------------------------------------------------------------------------------------------------


def rect_patch(handle: int, info: tuple | None = None, segments: tuple | None = None) -> bytes:
    flags = 1 * (segments is not None) | 2 * (info is not None)
    body = struct.pack("<2I", handle, flags)
    body += struct.pack("<4f", *segments) if segments else b""
    return struct.pack("<BBH", 61, 0, 1) + body + (struct.pack("<7I", *info) if info else b"")


def test_rectangle_patches_and_their_handles() -> None:
    machine = Machine()
    info = (0, 0, 2, 2, 2, 0, 1)  # two by two control points of degree 1: the quad itself

    def send(stream: bytes, vertices: bytes = b"") -> np.ndarray:
        machine.draw(("CLEAR", [(0, 0, SIZE, SIZE)], {"flags": 1, "color": 0, "depth": 0, "stencil": 0}), user_memory())
        args = {"context": CONTEXT, "command_length": len(stream), "vertex_length": len(vertices), "vertex_size": 1}
        machine("DrawPrimitives2", {"commands": stream, "vertices": vertices}, **args)
        return machine.picture()

    quad_bytes = b"".join(Q)
    assert np.array_equal(send(rect_patch(0, info, (3, 3, 3, 3)), quad_bytes), EXPECTED)
    assert not send(rect_patch(4, None, (1, 1, 1, 1))).any()  # unknown, no information
    assert machine.driver.findings[-1].rule == "bad-patch"
    assert np.array_equal(send(rect_patch(4, info, (1, 2, 3, 4)), quad_bytes), EXPECTED)
    assert np.array_equal(send(rect_patch(4, None, (2, 2, 2, 2)), b"\0" * 80), EXPECTED)  # the streams do not matter now
    machine.draw(states(DELETERTPATCH=4))
    assert not send(rect_patch(4, None, (2, 2, 2, 2))).any()


# ---- what is wrong with a draw -----------------------------------------------------------------------------------------


def test_draws_that_cannot_be() -> None:
    machine = Machine()
    draw = {"type": TRIANGLES, "start": 0, "count": 1}
    machine.draw(user_memory(), ("DRAWPRIMITIVE", [{**draw, "type": 7}]), vertices=b"".join(Q))
    machine.draw(("DRAWPRIMITIVE", [{**draw, "start": 1 << 30}]), vertices=b"".join(Q))
    machine.draw(
        ("SETRENDERTARGET", [{"render_target": 0, "depth_stencil": 0}]), ("DRAWPRIMITIVE", [draw]), vertices=b"".join(Q)
    )
    machine.draw(
        ("SETRENDERTARGET", [{"render_target": DEPTH, "depth_stencil": 0}]), ("DRAWPRIMITIVE", [draw]), vertices=b"".join(Q)
    )
    assert [finding.rule for finding in machine.driver.findings] == ["bad-draw", "vertex-range", "no-target", "bad-format"]
    assert not machine.picture().any()


WORD = st.one_of(
    st.integers(0, 20),
    st.integers(0, 0xFFFFFFFF),
    st.sampled_from([0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x4B000000]),
)
DRAW_OPS = [1, 2, 3, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27, 52, 53, 58, 59, 60, 61, 62]
STATE = st.tuples(
    st.sampled_from(
        [
            7,
            8,
            9,
            10,
            14,
            15,
            19,
            20,
            22,
            23,
            25,
            28,
            35,
            47,
            52,
            56,
            60,
            128,
            136,
            137,
            140,
            151,
            154,
            156,
            157,
            164,
            167,
            168,
            170,
            171,
            172,
            173,
        ]
    ),
    WORD,
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(DRAW_OPS), st.integers(0, 4), st.lists(WORD, max_size=24)), min_size=1, max_size=3),
    st.lists(STATE, max_size=6),
    st.lists(WORD, min_size=20, max_size=40),
    st.sampled_from([SCREEN, SCREEN_TEXTURED, 0x42, 0x112, 0x5A, 0x1E, 0x1162]),
    st.integers(0, 64),
    st.tuples(WORD, WORD, WORD, WORD),
)
def test_no_draw_can_crash_the_device(draws: list, changed: list, vertices: list, kind: int, stride: int, view: tuple) -> None:
    machine = Machine()
    machine.surface(20, "A8R8G8B8", 16, 16, levels=3)
    contents = struct.pack(f"<{len(vertices)}I", *vertices)
    machine.buffer(40, contents)
    machine.buffer(41, struct.pack("<16H", *range(14), 40000, 65535), "index")
    stream = struct.pack("<BBH", 8, 0, len(changed)) + b"".join(struct.pack("<2I", *state) for state in changed)
    stream += (
        struct.pack("<BBHI", 47, 0, 1, kind)
        + struct.pack("<BBH3I", 49, 0, 1, 0, 40, stride)
        + struct.pack("<BBH2I", 51, 0, 1, 41, 2)
    )
    stream += struct.pack("<BBHHHI", 25, 0, 1, 0, 0, 20) + struct.pack("<BBH4I", 28, 0, 1, *view)
    for op, count, dwords in draws:
        tail = stream + struct.pack("<BBH", op, 0, count) + struct.pack(f"<{len(dwords)}I", *dwords)
        args = {
            "context": CONTEXT,
            "command_length": len(tail),
            "vertex_size": 20,
            "vertex_type": kind,
            "vertex_length": len(contents) // 20,
        }
        machine.driver.call(DdiCall("DrawPrimitives2", args, {"commands": tail, "vertices": contents}))
    assert machine.picture().shape == (SIZE, SIZE)


# ---- the tap --------------------------------------------------------------------------------------------------------------


def undo(words: np.ndarray, records: np.ndarray) -> None:
    """Takes the colour words of a surface in block form back, last record first."""
    blocks = words.reshape(-1, 16)
    for record in records[::-1]:
        lanes = int(record["lanes"])
        for lane in range(16):
            if lanes >> lane & 1:
                blocks[record["block"], lane] = record["color"][lane]


def test_the_undo_log_takes_every_draw_back() -> None:
    machine = Machine()
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(user_memory(), token, vertices=b"".join(quad(0, 0, 16, 16, GREEN)))
    before = machine.picture()
    part = machine.driver.device.memory.part(TARGET)
    held = part.blocks().copy()
    tap = machine.driver.device.tap = Tap(log=True)
    first = machine.driver.seq
    for n, color in enumerate((RED, BLUE, WHITE)):
        machine.draw(token, vertices=b"".join(quad(n, n, n + 9, n + 5, color)))
    machine.driver.device.flush()
    assert not np.array_equal(machine.picture(), before)
    (only,) = tap.passes
    assert (only.target, only.depth, only.first_seq, only.last_seq) == (TARGET, DEPTH, first, first + 2)
    words = part.blocks().copy()
    undo(words, only.watch.records)
    assert np.array_equal(words, held)


@pytest.mark.parametrize("fate", ["written", "destroyed"])
def test_the_log_keeps_the_texels_it_was_drawn_with(fate: str) -> None:
    machine = Machine()
    machine.surface(30, "A8R8G8B8", 4, 4, label="texture")
    machine.fill(30, np.full((4, 4), RED, np.uint32))
    tap = machine.driver.device.tap = Tap(log=True)
    draw_textured(machine, 30, (0, 0, 8, 8))
    draw_textured(machine, 30, (2, 2, 9, 9))
    machine.driver.device.flush()
    if fate == "written":
        machine.fill(30, np.full((4, 4), BLUE, np.uint32))
    else:
        machine("DestroySurface", handle=30)
    machine.surface(31, "A8R8G8B8", 4, 4, label="texture")
    machine.fill(31, np.full((4, 4), GREEN, np.uint32))
    draw_textured(machine, 31, (0, 0, 8, 8))
    (fragment,) = tap.passes[0].watch.fragments_of(0, 1)
    assert int(fragment["new_color"]) & 0xFFFFFF == RED


def test_the_tap_hears_clears_and_copies() -> None:
    machine = Machine()
    tap = machine.driver.device.tap = Tap(log=True)
    machine.fill(TARGET, np.full((SIZE, SIZE), 5, np.uint32))
    seq = machine.driver.seq
    machine.draw(("CLEAR", [(0, 0, 4, 4)], {"flags": 1, "color": 9, "depth": 0, "stencil": 0}))
    assert [(write.handle, write.seq) for write in tap.overwrites] == [(TARGET, seq - 1), (TARGET, seq)]
    part = machine.driver.device.memory.part(TARGET)
    part.set_contents(tap.overwrites[-1].before)
    assert (machine.picture() == 5).all()


def test_a_probe_sees_the_fragments_of_one_pixel() -> None:
    machine = Machine()
    tap = machine.driver.device.tap = Tap(probe=(TARGET, 5, 6))
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    first = machine.driver.seq + 1
    machine.draw(user_memory(), token, vertices=b"".join(quad(0, 0, 16, 16, RED)))
    machine.draw(token, vertices=b"".join(quad(0, 0, 4, 4, GREEN)))
    machine.draw(token, vertices=b"".join(quad(5, 6, 6, 7, BLUE)))
    machine.driver.device.flush()
    fragments = np.concatenate([one.watch.fragments for one in tap.passes])
    assert fragments["seq"].tolist() == [first, first + 2]
    assert (fragments["new_color"] & 0xFFFFFF).tolist() == [RED, BLUE]


def test_describing_a_draw_changes_nothing() -> None:
    machine = Machine()
    stream = bytearray()
    dp2.emit(stream, "SETSTREAMSOURCEUM", [{"stream": 0, "stride": 20}])
    dp2.emit(stream, "DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    call = DdiCall(
        "DrawPrimitives2",
        {"context": CONTEXT, "command_length": len(stream), "vertex_size": 20, "vertex_length": 4},
        {"commands": bytes(stream), "vertices": b"".join(Q)},
    )
    machine.driver.run(call, machine.driver.seq, 0, 1)
    described = machine.driver.describe_draw(call, 1)
    assert (described.arguments["kind"], described.arguments["count"]) == (STRIP, 2)
    assert machine.driver.describe_draw(call, 0) is None
    assert not machine.picture().any()


def test_a_handle_that_comes_back_names_the_new_surface() -> None:
    machine = Machine()
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    machine.draw(user_memory(), token, vertices=b"".join(Q))
    machine("DestroySurface", handle=TARGET)
    machine.surface(TARGET, "A8R8G8B8", SIZE, SIZE)
    machine.draw(token, vertices=b"".join(quad(0, 0, 2, 2, BLUE)))
    assert np.array_equal(machine.picture(), box(0, 0, 2, 2, BLUE))


def test_two_textures_that_were_never_written() -> None:
    """Their contents are alike, their sizes are not."""
    machine = Machine()
    machine.surface(20, "A8R8G8B8", 64, 64)
    machine.surface(21, "X8R8G8B8", 4, 4)
    machine.draw(("CLEAR", [(0, 0, SIZE, SIZE)], {"flags": 1, "color": WHITE, "depth": 0, "stencil": 0}))
    draw_textured(machine, 20, (0, 0, 8, 8))
    draw_textured(machine, 21, (8, 0, 16, 8))
    alpha = machine.driver.read(TARGET)[0].view("<u4") >> 24
    assert (alpha[0, 0], alpha[0, 8], machine.picture()[0, 8], machine.picture()[9, 9]) == (0, 255, 0, WHITE)


def test_execute_buffers_mirror_render_states() -> None:
    machine = Machine()
    stream = bytearray()
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 5}, {"state": 22, "value": 2}])
    held = np.arange(256, dtype="<u4").tobytes()
    args = {"context": CONTEXT, "flags": 2, "command_length": len(stream)}
    call = machine("DrawPrimitives2", {"commands": bytes(stream), "states": held}, **args)
    mirror = np.frombuffer(call.data["states"], "<u4")
    assert (mirror[24], mirror[22], mirror[23]) == (5, 2, 23)


def test_a_texture_that_is_the_target_is_told_once() -> None:
    machine = Machine()
    machine.draw(("CLEAR", [(0, 0, SIZE, SIZE)], {"flags": 1, "color": 0xFF000000 | GREEN, "depth": 0, "stencil": 0}))
    for _ in range(2):
        draw_textured(machine, TARGET, (0, 0, 8, 8))
    assert [finding.rule for finding in machine.driver.findings] == ["feedback"]
    assert (machine.picture() == GREEN).all()


def test_the_largest_level_of_a_texture_may_change_between_draws() -> None:
    machine = Machine()
    machine.surface(20, "A8R8G8B8", 4, 4, levels=2)
    machine.fill(20, np.full((4, 4), 0xFF000000 | RED, np.uint32))
    machine.fill(21, np.full((2, 2), 0xFF000000 | BLUE, np.uint32))
    draw_textured(machine, 20, (0, 0, 8, 8))
    machine.draw(("SETTEXLOD", [{"surface": 20, "lod": 1}]))
    machine.draw(("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]), vertices=textured_quad(8, 8, 16, 16), stride=28)
    assert np.array_equal(machine.picture(), box(0, 0, 8, 8, RED) + box(8, 8, 16, 16, BLUE))


def test_contexts_have_states_of_their_own() -> None:
    machine = Machine()
    machine("ContextCreate", context=2, render_target=TARGET, depth_stencil=0, width=SIZE, height=SIZE, windowed=1)
    tokens = [
        ("ZRANGE", [{"min": 0, "max": 1}]),
        shader(SCREEN),
        states(CULLMODE=1, LIGHTING=0, COLORWRITEENABLE=4),
        user_memory(),
    ]
    token = ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}])
    stream = bytearray()
    for op, items in [*tokens, token]:
        dp2.emit(stream, op, items)
    vertices = b"".join(quad(0, 0, 4, 4))
    args = {"command_length": len(stream), "vertex_size": 20, "vertex_type": SCREEN, "vertex_length": 4}
    for _ in range(2):
        machine("DrawPrimitives2", {"commands": bytes(stream), "vertices": vertices}, context=2, **args)
        machine.draw(user_memory(), token, vertices=b"".join(quad(8, 8, 12, 12)))
    assert np.array_equal(machine.picture(), box(0, 0, 4, 4, BLUE) + box(8, 8, 12, 12))
