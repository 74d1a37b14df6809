"""No draw, however wrong, can crash the device."""

from __future__ import annotations

import struct

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi.calls import DdiCall
from core.spec.states import RENDER_STATE_ID
from core.spec.tokens import Op
from tests.core.device.drawn import (
    CONTEXT,
    SCREEN,
    SCREEN_TEXTURED,
    SIZE,
    Machine,
)

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
    st.one_of(st.integers(0, 64), WORD),
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


def test_no_control_point_lies_so_far_that_its_address_comes_around() -> None:
    """Vertex number times stride is beyond 64 bits: nothing is read outside of the buffer, and it is told."""
    machine, random = Machine(), np.random.default_rng(8)
    machine.buffer(40, bytes(400))
    for _ in range(300):
        stride, rows, start, below = (int(n) for n in 1 << random.integers(24, 32, 4) | random.integers(0, 1 << 24, 4))
        stream = struct.pack("<BBHI", 47, 0, 1, 0x42) + struct.pack("<BBH3I", 49, 0, 1, 0, 40, stride)
        stream += struct.pack("<BBH9I", int(Op["DRAWRECTPATCH"]), 0, 1, 0, 2, start, below, 4, 4, rows, 0, 3)
        stream += struct.pack("<BBH6I", int(Op["DRAWTRIPATCH"]), 0, 1, 0, 2, start, 10, 0, 3)
        args = {"context": CONTEXT, "command_length": len(stream)}
        machine.driver.call(DdiCall("DrawPrimitives2", args, {"commands": stream}))
    assert {finding.rule for finding in machine.driver.findings} == {"vertex-range"}
    assert len(machine.driver.findings) == 600


def test_what_n_patches_lack_is_told() -> None:
    """Vertices outside of the buffer; more triangles than a draw becomes with 64 segments (4,096 each, 2**18 in all)."""
    machine = Machine()
    machine.buffer(40, bytes(24 * 3 * 70))
    for count in (64, 65, 71):
        machine.draw(
            ("RENDERSTATE", [{"state": RENDER_STATE_ID["PATCHSEGMENTS"], "value": 0x42800000}]),
            ("SETVERTEXSHADER", [{"shader": 0x12}]), ("SETSTREAMSOURCE", [{"stream": 0, "buffer": 40, "stride": 24}]),
            ("DRAWPRIMITIVE", [{"type": 4, "start": 3 * (count == 71) * 20, "count": count}]),
        )  # fmt: skip
    assert [finding.text.split()[0] for finding in machine.driver.findings] == ["1", str(2 * 3 * 14), "7"]
