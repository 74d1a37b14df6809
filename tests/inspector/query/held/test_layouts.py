"""Formats of bytes, tables of buffers, and the versions of a buffer against the bytes at each."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS
from core.spec.enums import CreateFlag, DeviceType, Fvf, Pool, Usage
from core.spec.formats import FORMAT_BY_NAME
from inspector.imports.scripts import record
from inspector.query.held.buffer_table import BufferTable
from inspector.query.held.buffer_versions import BufferVersions, writers
from inspector.query.held.layouts import Layout, meant


def read(text: str, data: bytes, **about: int) -> list[list]:
    layout = Layout.of(text)
    rows = layout.rows(np.frombuffer(data, np.uint8), **about)
    return [[value for one in layout.elements for value in meant(row[one.name], one.type)] for row in rows]


def test_elements_are_read_one_after_the_other() -> None:
    data = b"".join(struct.pack("<3fI2hxxxx", n, n + 0.5, -n, 0x80FF0000 + n, -n, 7) for n in range(3))
    text = "float3 position; d3dcolor color // of the vertex\nshort[2] uv; skip 4"
    assert Layout.of(text).size == 24
    assert read(text, data) == [[n, n + 0.5, -n, f"80ff{n:04x}", -n, 7] for n in range(3)]
    assert read("float y", data, offset=4, stride=24) == [[0.5], [1.5], [2.5]]


@pytest.mark.parametrize(
    ("text", "data", "found"),
    [
        ("half2 h", struct.pack("<2e", 1.5, -2), [1.5, -2.0]),
        ("double d", struct.pack("<d", 1e300), [1e300]),
        ("ulong a; long b", struct.pack("<Qq", 2**63, -5), [2**63, -5]),
        ("xbyte a; xshort b; xint c", struct.pack("<BHI", 10, 0xABC, 0xDEADBEEF), ["0a", "0abc", "deadbeef"]),
        ("unormb4 c", bytes([0, 255, 51, 102]), [0.0, 1.0, 0.2, 0.4]),
        ("snormb2 n", bytes([0x80, 0x7F]), [-1.0, 1.0]),
        ("snormh n; unormh u", struct.pack("<hH", -32767, 65535), [-1.0, 1.0]),
        ("bool a; bool b", struct.pack("<2I", 0, 9), [False, True]),
        ("float2x2 m", struct.pack("<4f", 1, 2, 3, 4), [1, 2, 3, 4]),
        ("float f", struct.pack("<f", 0.1), [0.1]),
        ("byte; byte", b"\x01\xff", [1, -1]),
        ("pad 0x2; ubyte u", b"abc", [99]),
    ],
)
def test_types(text: str, data: bytes, found: list) -> None:
    assert read(text, data) == [found]


@pytest.mark.parametrize(
    "text",
    ["", "skip 4", "float5x", "flaot3 p", "float0 p", "float17 p", "float[300] p", "float3 a b", "; ;", "float[3", "skip x",
     "skip 70000; byte b", "float3 position, color"],
)  # fmt: skip
def test_what_is_no_format_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        Layout.of(text)


def test_a_format_is_written_as_it_is_read() -> None:
    text = "skip 4; float3 a; skip 2; ubyte4 b; skip 1"
    assert Layout.of(text).text == text and Layout.of(Layout.of(text).text) == Layout.of(text)
    assert [one.name for one in Layout.of("int x; int x; int; int").elements] == ["x", "x_2", "int_2", "int_3"]


def test_only_whole_rows_are_read() -> None:
    assert len(read("int a; int b", bytes(23))) == 2
    assert len(read("int a; skip 4", bytes(20))) == 3, "the last one without what is skipped"
    assert read("int a", bytes(3)) == [] == read("int a", bytes(8), offset=8)
    assert len(read("int a; int b", bytes(16), stride=4)) == 3, "rows may overlap"


# ---- of captures

FIRST, SECOND, THIRD = bytes(range(48)), bytes([0xEE] * 12), bytes([1] * 24)


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory: pytest.TempPathFactory) -> Iterator[inspector.Capture]:
    """A vertex buffer of 48 bytes, written whole, then bytes 12..23, then bytes 24..47; never drawn from."""
    path = tmp_path_factory.mktemp("buffers") / "rewritten.ddicap"
    with record(path) as d3d:
        parameters = D3DPRESENT_PARAMETERS(8, 8, FORMAT_BY_NAME["X8R8G8B8"].id)
        device = d3d.CreateDevice(0, DeviceType.HAL, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, parameters)
        buffer = device.CreateVertexBuffer(48, Usage.DYNAMIC, Fvf.XYZ, Pool.DEFAULT)
        for offset, data in ((0, FIRST), (12, SECOND), (24, THIRD)):
            buffer.Lock(offset, len(data), 0)[:] = np.frombuffer(data, np.uint8)
            buffer.Unlock()
            device.Clear(0, None, 1, 0, 1, 0)
        device.Present()
    with inspector.open(path) as capture:
        yield capture


def buffer_of(capture: inspector.Capture) -> int:
    return next(
        one.handle for one in capture.surfaces(len(capture.events) - 1) if one.label == "vertex buffer" and one.size == 48
    )


def test_versions_say_who_wrote_which_bytes(rewritten: inspector.Capture) -> None:
    handle = buffer_of(rewritten)
    created, *wrote = rewritten.ask(BufferVersions(handle, len(rewritten.events) - 1))
    assert (created.what, created.first, created.last) == ("created", 0, 48)
    assert [(one.first, one.last) for one in wrote] == [(0, 48), (12, 24), (24, 48)]
    assert [one.changed for one in wrote] == [47, 12, 24], "byte 0 was 0 before"
    assert {one.entry for one in wrote} == {"UnlockD3DBuffer"}
    assert [one.event for one in writers(wrote, 12, 13)] == [wrote[0].event, wrote[1].event]
    assert [one.event for one in writers(wrote, 12, 13, wrote[0].event)] == [wrote[0].event]
    assert [one.event for one in writers(wrote, 12, 24)] == [wrote[0].event, wrote[1].event], "the third begins at byte 24"
    assert writers(wrote, 48, 50) == []
    for one, held in zip(wrote, (FIRST, FIRST[:12] + SECOND + FIRST[24:], FIRST[:12] + SECOND + THIRD), strict=True):
        assert rewritten.ask(inspector.Buffer(handle, one.event)).data.tobytes() == held


def test_what_changed_between_two_events(rewritten: inspector.Capture) -> None:
    handle = buffer_of(rewritten)
    _, first, second, third = rewritten.ask(BufferVersions(handle, len(rewritten.events) - 1))
    found = rewritten.ask(BufferTable(handle, third.event, "ubyte4 a; ubyte4 b; ubyte4 c", since=first.event))
    assert found.changed is not None and np.flatnonzero(found.changed).tolist() == list(range(12, 48))
    b = found.layout.elements[1]
    assert [found.is_changed(row, b) for row in range(4)] == [False, True, True, True]
    assert found.place(2) == (24, 36) and found.place(2, b) == (28, 32) and found.values(2, b) == [1, 1, 1, 1]
    assert list(found.table(1, 2)) == [[1, 12, *SECOND]] and found.columns[:4] == ["row", "offset", "a.x", "a.y"]
    assert rewritten.ask(BufferTable(handle, second.event)).layout.text.startswith("xint"), "nothing declares its types"
    for wrong in (BufferTable(handle, 3, "float3"), BufferTable(handle, third.event, "floot"),
                  BufferTable(handle, third.event, "int a", offset=49), BufferTable(99, third.event)):  # fmt: skip
        with pytest.raises(BadInput):
            rewritten.ask(wrong)


def test_a_buffer_is_read_as_the_draw_declares_it(room: inspector.Capture) -> None:
    draw = int(room.draws[2])
    memory = room.ask(inspector.Streams(draw))
    stream = memory.streams[0]
    found = room.ask(BufferTable(stream.buffer, draw))
    assert (found.draw, found.stride, len(found.rows)) == (draw, stream.stride, stream.count)
    assert found.rows["position"].tolist() == stream.rows["position"].tolist()
    assert memory.indices is not None
    indices = room.ask(BufferTable(memory.indices.buffer, draw)).rows["index"]
    assert indices[: len(memory.indices.indices)].tolist() == memory.indices.indices.tolist()
