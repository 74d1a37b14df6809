"""The same quad by every token that draws, and patches."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from core.ddi.stream.shader_assemble import assemble
from tests.core.device.drawn import (
    BLUE,
    CONTEXT,
    EXPECTED,
    FAN,
    GREEN,
    QUAD,
    SCREEN,
    SIZE,
    STRIP,
    TRIANGLES,
    Machine,
    shader,
    states,
    user_memory,
    vertex,
)

AS_LIST = [QUAD[0], QUAD[1], QUAD[2], QUAD[1], QUAD[3], QUAD[2]]
AS_FAN = [QUAD[0], QUAD[1], QUAD[3], QUAD[2]]


@pytest.mark.parametrize(
    ("kind", "vertices", "count"), [(TRIANGLES, AS_LIST, 2), (STRIP, QUAD, 2), (FAN, AS_FAN, 2)], ids=["list", "strip", "fan"]
)
def test_draw_primitive(kind: int, vertices: list[bytes], count: int) -> None:
    machine = Machine()
    machine.draw(
        user_memory(), ("DRAWPRIMITIVE", [{"type": kind, "start": 1, "count": count}]), vertices=b"".join([QUAD[0], *vertices])
    )
    assert np.array_equal(machine.picture(), EXPECTED)
    assert not machine.driver.findings


@pytest.mark.parametrize("size", [2, 4])
def test_draw_indexed_primitive(size: int) -> None:
    machine = Machine()
    machine.buffer(40, b"".join([b"\0" * 20, *QUAD]))
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
        ("DRAWPRIMITIVE2", [{"type": STRIP, "first_offset": 40, "count": 2}], [b"\0" * 20, b"\0" * 20, *QUAD]),
        ("DRAWINDEXEDPRIMITIVE2", [indexed], [b"\0" * 20, b"\0" * 20, *QUAD]),
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


TWO_STREAMS = np.array([0x20000000, 0x40030000, 0x20000001, 0x40040005, 0xFFFFFFFF], "<u4").tobytes()


def test_other_streams_are_ignored_while_stream_zero_is_user_memory() -> None:
    """DX8 DDI, Notification of Stream / Vertex Buffer Binding: "those other streams must be ignored"; they read as unbound."""
    corners = struct.pack("<16f", *(c for y in (1, -1) for x in (-1, 1) for c in (x, y, 0.5, 1)))
    machine = Machine()
    machine.buffer(40, corners)
    machine.buffer(41, struct.pack("<4I", *[GREEN] * 4))
    code = assemble("vs_1_1\nmov oPos, v0\nmov oD0, v5").tobytes()
    machine.draw(("CREATEVERTEXSHADER", None, {"shader": 5, "declaration": TWO_STREAMS, "code": code}))
    token = "DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]
    buffers = [("SETSTREAMSOURCE", [{"stream": i, "buffer": 40 + i, "stride": 16 - 12 * i}]) for i in (0, 1)]
    machine.draw(shader(5), *buffers, token, token, token)
    assert (machine.picture() == GREEN).all() and not machine.driver.findings
    machine.draw(user_memory(16), token, token, vertices=corners, stride=16)
    assert not machine.picture().any()
    assert {finding.rule for finding in machine.driver.findings} == {"vertex-range"}
    machine.draw(buffers[0], token)
    assert (machine.picture() == GREEN).all()


BEFORE = [vertex(0, 0)] * 2
INDEXED = np.array([[0, 1, 2], [1, 3, 2]], "<u2")
LEGACY = {
    "TRIANGLELIST": (None, {"start": 2, "primitives": 2}, AS_LIST),
    "TRIANGLESTRIP": (None, {"start": 2, "primitives": 2}, QUAD),
    "TRIANGLEFAN": (None, {"start": 2, "primitives": 2}, AS_FAN),
    "INDEXEDTRIANGLELIST2": (INDEXED.tolist(), {"start": 2}, QUAD),
    "INDEXEDTRIANGLELIST": ([[2, 3, 4, 0x700], [3, 5, 4, 0x700]], {}, QUAD),
    "INDEXEDTRIANGLESTRIP": ([0, 1, 2, 3], {"start": 2}, QUAD),
    "INDEXEDTRIANGLEFAN": ([0, 1, 3, 2], {"start": 2}, QUAD),
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

    quad_bytes = b"".join(QUAD)
    assert np.array_equal(send(rect_patch(0, info, (3, 3, 3, 3)), quad_bytes), EXPECTED)
    assert not send(rect_patch(4, None, (1, 1, 1, 1))).any()  # unknown, no information
    assert machine.driver.findings[-1].rule == "bad-patch"
    assert np.array_equal(send(rect_patch(4, info, (1, 2, 3, 4)), quad_bytes), EXPECTED)
    assert np.array_equal(send(rect_patch(4, None, (2, 2, 2, 2)), b"\0" * 80), EXPECTED)  # the streams do not matter now
    machine.draw(states(DELETERTPATCH=4))
    assert not send(rect_patch(4, None, (2, 2, 2, 2))).any()
