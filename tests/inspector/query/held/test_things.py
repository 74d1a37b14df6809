"""What a driver keeps that is no picture: palettes, shaders, lights, patches, state sets, buffers; and what a draw reads."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream.shader_assemble import assemble
from core.ddi.stream.vertex_declaration import encode_declaration
from core.errors import BadInput
from core.spec.enums import PaletteFlag
from core.spec.states import RENDER_STATE_ID
from inspector.cli import main
from tests.inspector.query.driver.scripted import Script

PATCHES = Path(__file__).resolve().parents[4] / "resources" / "samples" / "patches.ddicap"
RECTANGLE, KEPT = 534, 541
"""Events: a patch of vertex buffer 5 (13 by 7 control points), and one under a handle, read two events before."""
VERTEX, PIXEL, PALETTE, SET, PATCH = 5, 7, 3, 2, 9
POSITIONS = [(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (-1.0, 1.0, 0.0), (1.0, 1.0, 0.0)]
COLORS = [0xFF000001, 0xFF000002, 0xFF000003, 0xFF000004]
ENTRIES = bytes([0x11, 0x22, 0x33, 0x80, 0x44, 0x55, 0x66, 0x40])  # PALETTEENTRY: red, green, blue, flags
INDICES = [9, 9, 0, 1, 2, 2, 1, 3]  # the draw begins at the third


def state(name: str, value: int) -> tuple:
    return ("RENDERSTATE", {"items": [{"state": RENDER_STATE_ID[name], "value": value}]})


def shader(token: str, handle: int, code: bytes, declaration: bytes = b"") -> tuple:
    sizes = {"declaration_size": len(declaration)} if token == "CREATEVERTEXSHADER" else {}
    parts = {"declaration": declaration} if declaration else {}
    return token, {"shader": handle, **sizes, "code_size": len(code), **parts, "code": code}


def fill(script: Script, handle: int, contents: bytes, kind: str) -> None:
    script("CreateD3DBuffer", handle=handle, size=len(contents), kind=kind)
    script("LockD3DBuffer", handle=handle, offset=0, size=0, flags=0)
    script("UnlockD3DBuffer", {"contents": contents}, handle=handle, offset=0)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that can be kept, then an indexed draw of two streams."""
    path = tmp_path_factory.mktemp("things") / "a.ddicap"
    script = Script(path, EmulatedDriver())
    declaration = bytes(encode_declaration([(0, 0, 2), (1, 5, 4)]))
    info = struct.pack("<7I", 0, 0, 4, 4, 4, 0, 3)
    with script.writer:
        script.surfaces(10)
        script.surfaces(11, format=41)  # P8
        script("ContextCreate", context=1, render_target=10, depth_stencil=0)
        fill(script, 40, b"".join(struct.pack("<3f", *position) for position in POSITIONS), "vertex")
        fill(script, 41, b"".join(struct.pack("<2I", color, 0xEEEEEEEE) for color in COLORS), "vertex")
        fill(script, 42, struct.pack("<8H", *INDICES), "index")
        script.draw(
            shader("CREATEVERTEXSHADER", VERTEX, bytes(assemble("vs_1_1\nmov oPos, v0\nmov oD0, v5\n")), declaration),
            shader("CREATEPIXELSHADER", PIXEL, bytes(assemble("ps_1_1\nmov r0, v0\n"))),
            ("SETPALETTE", {"palette": PALETTE, "flags": int(PaletteFlag.ALPHA), "surface": 11}),
            ("UPDATEPALETTE", {"palette": PALETTE, "start": 1, "count": 2, "entries": ENTRIES}),
            ("STATESET", {"operation": 0, "handle": SET, "type": 0}), state("ALPHAREF", 9), state("FOGENABLE", 0),
            ("STATESET", {"operation": 1, "handle": SET, "type": 0}),
            ("CREATELIGHT", {"index": 4}),
            ("DRAWRECTPATCH", {"patch": PATCH, "flags": 2, "info": info}),
        )  # fmt: skip
        script.draw(
            ("SETVERTEXSHADER", {"shader": VERTEX}), ("SETPIXELSHADER", {"shader": PIXEL}),
            ("SETSTREAMSOURCE", {"stream": 0, "buffer": 40, "stride": 12}),
            ("SETSTREAMSOURCE", {"stream": 1, "buffer": 41, "stride": 8}), ("SETINDICES", {"buffer": 42, "stride": 2}),
            ("DRAWINDEXEDPRIMITIVE", {"type": 4, "base": 0, "min_index": 0, "vertex_count": 4, "start": 2, "count": 2}),
        )  # fmt: skip
    return path


@pytest.fixture(scope="module")
def capture(path: Path) -> Iterator[inspector.Capture]:
    with inspector.open(path) as opened:
        yield opened


def last(capture: inspector.Capture) -> int:
    return len(capture.events) - 1


def test_a_palettes_colours(capture: inspector.Capture) -> None:
    (palette,) = capture.ask(inspector.Palettes(last(capture)))
    assert (palette.handle, palette.alpha, palette.surfaces) == (PALETTE, True, (11,))
    assert palette.colors[1:3].tolist() == [0x80112233, 0x40445566]
    assert capture.name(palette.created) in ("SETPALETTE", "UPDATEPALETTE")
    assert capture.ask(inspector.Palettes(0)) == ()


def test_shaders_with_code_and_users(capture: inspector.Capture) -> None:
    vertex, pixel = capture.ask(inspector.Shaders(last(capture)))
    assert (vertex.kind, vertex.handle, pixel.kind, pixel.handle) == ("vertex_shader", VERTEX, "pixel_shader", PIXEL)
    assert vertex.declaration.splitlines() == ["stream 0", "load v0, FLOAT3", "stream 1", "load v5, D3DCOLOR"]
    assert vertex.code.splitlines() == ["vs_1_1", "mov oPos, v0", "mov oD0, v5"]
    assert vertex.current and pixel.current and vertex.users == pixel.users == (last(capture),)
    assert capture.name(vertex.created) == "CREATEVERTEXSHADER"
    assert not capture.ask(inspector.Shaders(vertex.created, VERTEX))[0].current
    assert capture.ask(inspector.Shaders(vertex.created - 1)) == ()
    with pytest.raises(BadInput):
        capture.ask(inspector.Shaders(0, kind="lunch"))


def test_a_state_sets_values(capture: inspector.Capture) -> None:
    (held,) = capture.ask(inspector.StateSets(last(capture)))
    assert held.handle == SET
    found = {entry.name: (entry.raw, entry.differs) for entry in held.entries}
    assert found == {"ALPHAREF": ((9,), True), "FOGENABLE": ((0,), False)}
    assert capture.ask(inspector.StateSets(last(capture), SET + 1)) == ()


def test_lights_and_patches_are_rows_with_the_rest(capture: inspector.Capture) -> None:
    rows = capture.ask(inspector.Kept(last(capture)))
    assert [(row.kind, row.handle) for row in rows] == [
        ("palette", PALETTE), ("vertex_shader", VERTEX), ("pixel_shader", PIXEL), ("state_set", SET), ("patch", PATCH),
        ("light", 4),
    ]  # fmt: skip
    assert rows[-1].summary == "directional, off" and capture.name(rows[-1].created) == "CREATELIGHT"
    assert all(row.lines for row in rows)
    assert [row.handle for row in capture.ask(inspector.Kept(last(capture), "patch"))] == [PATCH]
    with pytest.raises(BadInput):
        capture.ask(inspector.Kept(0, "lunch"))


def test_bytes_of_a_buffer_at_an_event(capture: inspector.Capture) -> None:
    held = capture.ask(inspector.Buffer(41, last(capture)))
    assert np.frombuffer(held.data.tobytes(), "<u4").tolist() == [word for color in COLORS for word in (color, 0xEEEEEEEE)]
    assert (held.usage, capture.name(held.created)) == ("vertex", "CreateD3DBuffer")
    assert not capture.ask(inspector.Buffer(41, held.created)).data.any()  # not written yet
    assert len(capture.ask(inspector.Buffer(41, last(capture), 8, 4)).data) == 4
    for bad in (inspector.Buffer(10, last(capture)), inspector.Buffer(41, last(capture), 30, 4), inspector.Buffer(41, 0)):
        with pytest.raises(BadInput):
            capture.ask(bad)


def test_streams_of_a_draw_as_declared(capture: inspector.Capture) -> None:
    memory = capture.ask(inspector.Streams(last(capture)))
    first, second = memory.streams
    assert [(one.number, one.buffer, one.stride, one.count) for one in memory.streams] == [(0, 40, 12, 4), (1, 41, 8, 4)]
    assert [(one.name, one.type, one.offset) for one in (*first.elements, *second.elements)] == [
        ("v0", "FLOAT3", 0), ("v5", "D3DCOLOR", 0),
    ]  # fmt: skip
    assert first.rows["v0"].tolist() == [list(position) for position in POSITIONS]
    assert second.rows["v5"].tolist() == COLORS
    assert second.bytes_of(2) == struct.pack("<2I", COLORS[2], 0xEEEEEEEE)


def test_an_index_buffer_with_what_it_selects(capture: inspector.Capture) -> None:
    held = capture.ask(inspector.Streams(last(capture))).indices
    assert held is not None and (held.buffer, held.offset, held.width, held.asked) == (42, 4, 2, 6)
    assert held.vertices.tolist() == INDICES[2:]
    with pytest.raises(BadInput):
        capture.ask(inspector.Streams(0))


def test_a_buffer_after_any_event_as_a_draw_declares_it(capture: inspector.Capture) -> None:
    made = capture.ask(inspector.Buffer(41, last(capture))).created
    early, late = capture.ask(inspector.BufferRead(41, made)), capture.ask(inspector.BufferRead(41, last(capture)))
    assert early.draw == late.draw == last(capture) and late.readers.tolist() == [last(capture)]
    assert late.streams[0].rows["v5"].tolist() == COLORS and early.streams[0].rows["v5"].tolist() == [0, 0, 0, 0]
    assert late.indices is None and [stream.number for stream in late.streams] == [1]
    indices = capture.ask(inspector.BufferRead(42, last(capture)))
    assert indices.streams == () and indices.indices is not None and indices.indices.vertices.tolist() == INDICES[2:]
    for bad in (inspector.BufferRead(41, 0), inspector.BufferRead(41, last(capture), made), inspector.BufferRead(10, 5)):
        with pytest.raises(BadInput):
            capture.ask(bad)


def test_of_several_draws_the_nearest_that_reads_a_buffer_declares_it(tmp_path: Path) -> None:
    script = Script(tmp_path / "a.ddicap", EmulatedDriver())
    draw = ("DRAWPRIMITIVE", {"type": 1, "start": 0, "count": 1})
    with script.writer:
        script.surfaces(10)
        script("ContextCreate", context=1, render_target=10, depth_stencil=0)
        fill(script, 40, struct.pack("<8f", *range(8)), "vertex")
        fill(script, 41, bytes(32), "vertex")
        script.draw(("SETVERTEXSHADER", {"shader": 2}))  # D3DFVF_XYZ
        for stride in (12, 16):
            script.draw(("SETSTREAMSOURCE", {"stream": 0, "buffer": 40, "stride": stride}), draw, state("ALPHAREF", stride))
    with inspector.open(tmp_path / "a.ddicap") as capture:
        first, second = capture.draws.tolist()
        for event, draw in ((first - 1, first), (first, first), (second - 1, first), (second, second), (second + 1, second)):
            found = capture.ask(inspector.BufferRead(40, event))
            assert (found.draw, found.streams[0].stride) == (draw, 12 if draw == first else 16)
        assert capture.ask(inspector.BufferRead(40, second, first)).streams[0].count == 2
        unread = capture.ask(inspector.BufferRead(41, second))
        assert (unread.draw, unread.streams, unread.indices, len(unread.readers)) == (None, (), None, 0)


def test_a_patch_reads_its_streams_as_any_draw_and_one_that_is_kept_reads_none() -> None:
    """Control points are rows of the vertex buffer: a width of them, then a stride further."""
    with inspector.open(PATCHES) as found:
        memory = found.ask(inspector.Streams(RECTANGLE))
        [stream] = memory.streams
        raw = np.frombuffer(found.ask(inspector.Buffer(5, RECTANGLE)).data.tobytes(), "<f4").reshape(-1, 8)
        assert (stream.number, stream.buffer, stream.stride, stream.count) == (0, 5, 32, len(raw))
        assert [(one.name, one.type, one.offset) for one in stream.elements] == [
            ("position", "FLOAT3", 0), ("normal", "FLOAT3", 12), ("texture 0", "FLOAT2", 24),
        ]  # fmt: skip
        assert (stream.rows["position"] == raw[:, :3]).all() and memory.controls is not None
        points = found.vertices(RECTANGLE, "assembled").rows
        assert (np.stack([points[f"position.{axis}"] for axis in "xyz"], -1) == raw[memory.controls, :3]).all()
        listed = found.vertices(RECTANGLE, "streams").rows
        assert (listed["position.x"] == raw[:, 0]).all() and (listed["texture 0.v"] == raw[:, 7]).all()
        assert not found.ask(inspector.Streams(KEPT)).streams and not len(found.vertices(KEPT, "streams").rows)
        table = found.ask(inspector.BufferTable(6, KEPT))
        assert table.draw == KEPT - 2 and [one.name for one in table.layout.elements] == ["position", "normal", "texture_0"]


def test_the_command_prints_what_a_thing_holds(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def told(*words: str) -> str:
        assert main(["contents", str(path), *words]) == 0
        return capsys.readouterr().out

    assert "palette 3: 3 colours with alpha, #11" in told() and "  0  00000000 80112233" in told("palette:3")
    assert "mov oD0, v5" in told("shader:5") and "ps_1_1" not in told("shader:5")
    assert "ALPHAREF" in told("state-set:2") and "Width" in told("patch:9") and "DIRECTIONAL" in told("light:4")
    assert "ff000001 eeeeeeee" in told("41")
    assert "select vertices 0 to 3" in told("streams")
    assert json.loads(told("streams", "--json"))["indices"]["indices"] == INDICES[2:]
    assert main(["buffer", str(path), "41", "--declared"]) == 0
    assert "+0   D3DCOLOR  v5" in (text := capsys.readouterr().out) and "as draw" in text and "0xff000003" in text
    assert main(["buffer", str(path), "41", "--declared", "--size", "4"]) == 2
    assert json.loads(told("shader:5", "--json"))[0]["kind"] == "vertex_shader"
    for words in (["palette:4"], ["lunch:4"], ["99"]):
        assert main(["contents", str(path), *words]) == 2
