"""The DP2 stream as a table: bytes | text of every token, then what may go wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi.stream import dp2
from core.errors import TokenError
from core.spec.tokens import FLAG_DRAWS, FLAG_DX9, TOKENS, Op

F = "00000000 0000803f 00000040 00004040"  # 0 1 2 3
ONE = "0000803f"
IDENTITY = f"{ONE} {'00' * 16} {ONE} {'00' * 16} {ONE} {'00' * 16} {ONE}"
LIGHT = f"03000000 {ONE * 4} {'00' * 16} {'00' * 16} {'00' * 12} {'00' * 4}{'00' * 4}{ONE} {'00' * 28}"

# token bytes (command, then payload) | text of each record
TABLE = """
01 00 0200 0300 0000 0100 0900 | POINTS count=3 start=0 | POINTS count=1 start=9
02 00 0200 0100 0200 0300 0400 | INDEXEDLINELIST lines=(1 2 3 4)
03 00 0100 0100 0200 0300 0005 | INDEXEDTRIANGLELIST triangles=(1 2 3 EDGEENABLE1|EDGEENABLE3)
08 00 0200 18000000 80000000 19000000 05000000 | RENDERSTATE ALPHAREF=0x80 | RENDERSTATE ALPHAFUNC=GREATER
08 00 0100 25000000 0000803f | RENDERSTATE FOGEND=1.0
08 00 0100 ff000000 11000000 | RENDERSTATE 255?=0x11
0f 00 0300 0700 | LINELIST start=7 primitives=3
10 00 0300 0700 | LINESTRIP start=7 primitives=3
11 00 0200 0700 0000 0100 0200 | INDEXEDLINESTRIP start=7 indices=(0 1 2)
12 00 0100 0500 | TRIANGLELIST start=5 primitives=1
13 00 0200 0500 | TRIANGLESTRIP start=5 primitives=2
14 00 0200 0500 0000 0100 0200 0300 | INDEXEDTRIANGLESTRIP start=5 indices=(0 1 2 3)
15 00 0200 0500 | TRIANGLEFAN start=5 primitives=2
16 00 0100 0500 0000 0100 0200 | INDEXEDTRIANGLEFAN start=5 indices=(0 1 2)
17 00 0100 07000000 01000000 02000000 03000000 | TRIANGLEFAN_IMM edge_flags=0x7 vertices=(0x1 0x2 0x3)
18 00 0100 01000000 02000000 | LINELIST_IMM vertices=(0x1 0x2)
19 00 0100 0100 0100 04000000 | TEXTURESTAGESTATE stage=1 COLOROP=MODULATE
19 00 0100 0000 0000 0c000000 | TEXTURESTAGESTATE stage=0 TEXTUREMAP=#12
19 00 0100 0200 1300 000000c0 | TEXTURESTAGESTATE stage=2 MIPMAPLODBIAS=-2.0
1a 00 0100 0900 0000 0100 0200 | INDEXEDTRIANGLELIST2 start=9 indices=(0 1 2)
1b 00 0100 0900 0000 0100 | INDEXEDLINELIST2 start=9 lines=(0 1)
1c 00 0100 00000000 01000000 80020000 e0010000 | VIEWPORTINFO x=0 y=1 width=640 height=480
1d 00 0100 0000803f 0000c842 | WINFO near=1.0 far=100.0
1e 00 0100 01000000 00200000 05000000 | SETPALETTE palette=#1 flags=ALPHA surface=#5
1f 00 0900 01000000 1000 0200 ff0000ff 00ff00ff | UPDATEPALETTE palette=#1 start=16 count=2 entries=(0xff0000ff 0xff00ff00)
20 00 0100 00000000 0000803f | ZRANGE min=0.0 max=1.0
21 00 0100 F F F F 0000a040 | SETMATERIAL diffuse=(0.0 1.0 2.0 3.0) ambient=(0.0 1.0 2.0 3.0) specular=(0.0 1.0 2.0 3.0) emissive=(0.0 1.0 2.0 3.0) power=5.0
22 00 0200 03000000 00000000 03000000 01000000 | SETLIGHT index=3 data=ENABLE | SETLIGHT index=3 data=DISABLE
22 00 0100 01000000 02000000 LIGHT | SETLIGHT index=1 data=DATA light.type=DIRECTIONAL light.diffuse=(1.0 1.0 1.0 1.0) light.specular=(0.0 0.0 0.0 0.0) light.ambient=(0.0 0.0 0.0 0.0) light.position=(0.0 0.0 0.0) light.direction=(0.0 0.0 1.0) light.range=0.0 light.falloff=0.0 light.attenuation0=0.0 light.attenuation1=0.0 light.attenuation2=0.0 light.theta=0.0 light.phi=0.0
23 00 0200 00000000 07000000 | CREATELIGHT index=0 | CREATELIGHT index=7
24 00 0100 02010000 IDENTITY | SETTRANSFORM type=WORLD2 matrix=(1.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0)
25 00 0100 01000000 02000000 | EXT token=0x1 size=2
26 00 0100 01000000 02000000 03000000 04000000 05000000 06000000 07000000 08000000 00000000 | TEXBLT destination=#1 source=#2 point=(3 4) rect=(5 6 7 8) flags=0x0
27 00 0100 05000000 01000000 02000000 | STATESET operation=CREATE handle=#1 type=PIXELSTATE
27 00 0100 00000000 01000000 00000000 | STATESET operation=BEGIN handle=#1 type=0
28 00 0100 01000000 02000000 | SETPRIORITY surface=#1 priority=2
29 00 0100 01000000 00000000 | SETRENDERTARGET render_target=#1 depth_stencil=none
2a 00 0000 03000000 332211ff 0000803f 00000000 00000000 00000000 00000000 00000000 | CLEAR flags=TARGET|ZBUFFER color=0xff112233 depth=1.0 stencil=0 rects=undefined
2a 00 0100 0f000000 00000000 00000000 02000000 01000000 02000000 03000000 ffffffff | CLEAR flags=TARGET|ZBUFFER|STENCIL|COMPUTERECTS color=0x00000000 depth=0.0 stencil=2 rects=(1 2 3 -1)
2b 00 0100 01000000 02000000 | SETTEXLOD surface=#1 lod=2
2c 00 0100 01000000 F | SETCLIPPLANE index=1 plane=(0.0 1.0 2.0 3.0)
2d 00 0100 01000000 04000000 08000000 ffffffff 0101feff ffff0000 | CREATEVERTEXSHADER shader=shader #1 declaration_size=4 code_size=8 declaration=(end) code=(vs_1_1; end)
2d 00 0100 01000000 0c000000 14000000 00000020 00000240 ffffffff 0101feff 01000000 00000fc0 0000e490 ffff0000 | CREATEVERTEXSHADER shader=shader #1 declaration_size=12 code_size=20 declaration=(stream 0; load v0, FLOAT3; end) code=(vs_1_1; mov oPos, v0; end)
2d 00 0100 01000000 0c000000 00000000 00000020 00000240 ffffffff | CREATEVERTEXSHADER shader=shader #1 declaration_size=12 code_size=0 declaration=(stream 0; load POSITION, FLOAT3; end)
2d 00 0100 01000000 04000000 04000000 000000c0 01000000 | CREATEVERTEXSHADER shader=shader #1 declaration_size=4 code_size=4 declaration=(0xc0000000) code=(0x1)
2e 00 0100 01000000 | DELETEVERTEXSHADER shader=shader #1
2f 00 0100 42010000 | SETVERTEXSHADER shader=XYZ|DIFFUSE|TEX1
30 00 0100 04000000 02000000 F F | SETVERTEXSHADERCONST register=4 count=2 values=(0.0 1.0 2.0 3.0 0.0 1.0 2.0 3.0)
31 00 0100 00000000 07000000 20000000 | SETSTREAMSOURCE stream=0 buffer=#7 stride=32
32 00 0100 00000000 18000000 | SETSTREAMSOURCEUM stream=0 stride=24
33 00 0100 09000000 02000000 | SETINDICES buffer=#9 stride=2
34 00 0100 04000000 00000000 0c000000 | DRAWPRIMITIVE type=TRIANGLELIST start=0 count=12
35 00 0100 05000000 01000000 02000000 03000000 04000000 05000000 | DRAWINDEXEDPRIMITIVE type=TRIANGLESTRIP base=1 min_index=2 vertex_count=3 start=4 count=5
35 00 0100 05000000 feffffff 02000000 03000000 04000000 05000000 | DRAWINDEXEDPRIMITIVE type=TRIANGLESTRIP base=-2 min_index=2 vertex_count=3 start=4 count=5
36 00 0100 01000000 08000000 0101ffff ffff0000 | CREATEPIXELSHADER shader=#1 code_size=8 code=(ps_1_1; end)
37 00 0100 01000000 | DELETEPIXELSHADER shader=#1
38 00 0100 00000000 | SETPIXELSHADER shader=none
39 00 0100 01000000 01000000 F | SETPIXELSHADERCONST register=1 count=1 values=(0.0 1.0 2.0 3.0)
3a 00 0100 60000000 03000000 02000000 | CLIPPEDTRIANGLEFAN first_offset=96 edge_flags=0x3 count=2
3b 00 0100 01000000 60000000 02000000 | DRAWPRIMITIVE2 type=POINTLIST first_offset=96 count=2
3c 00 0100 04000000 e0ffffff 02000000 03000000 04000000 05000000 | DRAWINDEXEDPRIMITIVE2 type=TRIANGLELIST base_offset=-32 min_index=2 vertex_count=3 start_offset=4 count=5
3d 00 0200 01000000 00000000 02000000 01000000 F | DRAWRECTPATCH patch=#1 flags=0 | DRAWRECTPATCH patch=#2 flags=HASSEGS segments=(0.0 1.0 2.0 3.0)
3d 00 0100 00000000 03000000 F 00000000 00000000 04000000 04000000 04000000 00000000 03000000 | DRAWRECTPATCH patch=none flags=HASSEGS|HASINFO segments=(0.0 1.0 2.0 3.0) info.start_width=0 info.start_height=0 info.width=4 info.height=4 info.stride=4 info.basis=BEZIER info.order=CUBIC
3e 00 0100 05000000 03000000 00000000 0000803f 00000040 02000000 0a000000 00000000 03000000 | DRAWTRIPATCH patch=#5 flags=HASSEGS|HASINFO segments=(0.0 1.0 2.0) info.start=2 info.vertex_count=10 info.basis=BEZIER info.order=CUBIC
3f 00 0100 01000000 02000000 03000000 04000000 05000000 06000000 07000000 08000000 09000000 0a000000 0b000000 00000000 | VOLUMEBLT destination=#1 source=#2 x=3 y=4 z=5 box=(6 7 8 9 10 11) flags=0x0
40 00 0100 01000000 02000000 03000000 04000000 05000000 00000000 | BUFFERBLT destination=#1 source=#2 offset=3 range=(4 5) flags=0x0
41 00 0100 03000000 IDENTITY | MULTIPLYTRANSFORM type=PROJECTION matrix=(1.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0)
42 00 0100 01000000 02000000 03000000 04000000 05000000 | ADDDIRTYRECT surface=#1 rect=(2 3 4 5)
43 00 0100 01000000 02000000 03000000 04000000 05000000 06000000 07000000 | ADDDIRTYBOX surface=#1 box=(2 3 4 5 6 7)
47 00 0100 01000000 01000000 00000000 ff001100 | CREATEVERTEXSHADERDECL handle=#1 count=1 elements=(0x0 0x1100ff)
48 00 0100 01000000 | DELETEVERTEXSHADERDECL handle=#1
49 00 0100 01000000 | SETVERTEXSHADERDECL handle=#1
4a 00 0100 01000000 04000000 ffff0000 | CREATEVERTEXSHADERFUNC handle=#1 size=4 code=(0xffff)
4b 00 0100 01000000 | DELETEVERTEXSHADERFUNC handle=#1
4c 00 0100 01000000 | SETVERTEXSHADERFUNC handle=#1
4d 00 0100 00000000 01000000 01000000 02000000 03000000 04000000 | SETVERTEXSHADERCONSTI register=0 count=1 values=(0x1 0x2 0x3 0x4)
4f 00 0100 00000000 00000000 01000000 01000000 | SETSCISSORRECT rect=(0 0 1 1)
50 00 0100 00000000 01000000 00000000 10000000 | SETSTREAMSOURCE2 stream=0 buffer=#1 offset=0 stride=16
51 00 0100 01000000 00000000 00000000 01000000 01000000 00000000 02000000 00000000 00000000 01000000 01000000 00000000 00000000 | BLT source=#1 source_rect=(0 0 1 1) source_level=0 destination=#2 rect=(0 0 1 1) level=0 flags=0x0
52 00 0100 01000000 00000000 00000000 01000000 01000000 ff00ff00 | COLORFILL surface=#1 rect=(0 0 1 1) color=0x00ff00ff
53 00 0100 00000000 01000000 01000000 | SETVERTEXSHADERCONSTB register=0 count=1 values=(0x1)
54 00 0100 01000000 09000000 | CREATEQUERY query=#1 type=9
55 00 0100 00000000 01000000 | SETRENDERTARGET2 index=0 render_target=#1
56 00 0100 01000000 | SETDEPTHSTENCIL depth_stencil=#1
59 00 0100 01000000 02000000 | GENERATEMIPSUBLEVELS surface=#1 filter=2
5a 00 0100 01000000 | DELETEQUERY query=#1
5b 00 0100 01000000 01000000 | ISSUEQUERY query=#1 flags=0x1
5d 00 0100 00000000 01000000 01000000 02000000 03000000 04000000 | SETPIXELSHADERCONSTI register=0 count=1 values=(0x1 0x2 0x3 0x4)
5e 00 0100 00000000 01000000 01000000 | SETPIXELSHADERCONSTB register=0 count=1 values=(0x1)
5f 00 0100 00000000 01000000 | SETSTREAMSOURCEFREQ stream=0 divider=1
60 00 0100 01000000 00000000 00000000 01000000 01000000 00000000 02000000 00000000 00000000 01000000 01000000 00000000 00000000 | SURFACEBLT source=#1 source_rect=(0 0 1 1) source_level=0 destination=#2 rect=(0 0 1 1) level=0 flags=0x0
"""  # noqa: E501  (one token a line)

STRIDE = 4


def _bytes(text: str) -> bytes:
    words = [{"F": F, "LIGHT": LIGHT, "IDENTITY": IDENTITY}.get(word, word) for word in text.split()]
    return bytes.fromhex("".join(words))


ROWS = [(_bytes(line.split(" | ")[0]), line.split(" | ")[1:]) for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize(("data", "texts"), ROWS, ids=[texts[0].split(" ")[0] + f"-{i}" for i, (_, texts) in enumerate(ROWS)])
def test_token(data: bytes, texts: list[str]) -> None:
    records, error, _ = dp2.scan(data, vertex_stride=STRIDE)
    assert error is None
    assert [dp2.text(data, record) for record in records] == texts
    assert records["size"].sum() == len(data) - 4
    assert list(records["index"]) == list(range(len(texts)))


def test_the_table_has_every_token() -> None:
    assert {data[0] for data, _ in ROWS} == {op for op, row in TOKENS.items() if row.repeat != "none"}


STREAM = b"".join(data for data, _ in ROWS if data[0] not in (Op.TRIANGLEFAN_IMM, Op.LINELIST_IMM))


def test_a_whole_stream() -> None:
    records, error, _ = dp2.scan(STREAM)
    assert error is None
    assert [dp2.text(STREAM, record) for record in records] == [
        text for data, texts in ROWS if data[0] not in (23, 24) for text in texts
    ]
    views = list(dp2.walk(STREAM))
    assert [view.row.name for view in views] == [TOKENS[data[0]].name for data, _ in ROWS if data[0] not in (23, 24)]
    assert b"".join(view.raw for view in views) == STREAM
    assert np.array_equal(np.concatenate([view.records for view in views]), records)


def test_flags_say_what_draws_and_what_is_of_directx_9() -> None:
    records = dp2.scan(STREAM).records
    drawing = {TOKENS[op].name for op in set(records["op"][records["flags"] & FLAG_DRAWS != 0].tolist())}
    assert {
        "POINTS",
        "INDEXEDTRIANGLELIST",
        "DRAWPRIMITIVE",
        "DRAWINDEXEDPRIMITIVE2",
        "CLIPPEDTRIANGLEFAN",
        "DRAWTRIPATCH",
    } < drawing
    assert not drawing & {"RENDERSTATE", "CLEAR", "SETTRANSFORM"}
    assert records["op"][records["flags"] & FLAG_DX9 != 0].min() == 71


def test_a_line_shows_the_beginning_of_long_arrays() -> None:
    data = bytes((Op.INDEXEDTRIANGLELIST2, 0, 10, 0)) + bytes(2 + 60)
    (record,) = dp2.scan(data).records
    assert dp2.text(data, record) == f"INDEXEDTRIANGLELIST2 start=0 indices=({' '.join('0' * 16)} ... 30 values)"
    assert len(dp2.describe(data, record)) == 31


def test_fields_know_their_bytes() -> None:
    data = _bytes("08 00 0100 19000000 05000000")
    record = dp2.scan(data).records[0]
    fields = dp2.describe(data, record)
    assert [(field.name, field.text, field.begin, field.end) for field in fields] == [
        ("state", "ALPHAFUNC", 4, 8),
        ("value", "GREATER", 8, 12),
    ]


@pytest.mark.parametrize(("data", "texts"), ROWS, ids=[texts[0].split(" ")[0] + f"-{i}" for i, (_, texts) in enumerate(ROWS)])
def test_fields_tile_the_payload(data: bytes, texts: list[str]) -> None:
    """Every byte of a record belongs to exactly one field (an undefined CLEAR rectangle too)."""
    for record in dp2.scan(data, vertex_stride=STRIDE).records:
        at = int(record["offset"])
        for field in dp2.describe(data, record):
            assert field.begin == at
            at = field.end
        assert at == record["offset"] + record["size"]


def test_immediate_vertices_are_aligned_from_the_start_of_the_buffer() -> None:
    """Two bytes of padding after a token that ends at 6; the fan's flags stand unaligned before it."""
    data = _bytes("12 00 0100 0500  17 00 0100 07000000 0000 01000000 02000000 03000000")
    records, error, _ = dp2.scan(data, vertex_stride=4)
    assert error is None
    assert dp2.text(data, records[1]) == "TRIANGLEFAN_IMM edge_flags=0x7 vertices=(0x1 0x2 0x3)"
    assert (records[1]["offset"], records[1]["size"]) == (10, 18)


def test_immediate_vertices_need_a_stride() -> None:
    assert dp2.scan(_bytes("18 00 0100 01000000 02000000")).error == (0, "LINELIST_IMM needs the stride of the vertices", 24)


def test_a_count_of_zero_is_a_token_and_one_empty_record() -> None:
    data = _bytes("08 00 0000 34 00 0000")
    records = dp2.scan(data).records
    assert records[["op", "flags", "count", "token", "offset", "size", "index"]].tolist() == [
        (8, 0, 0, 0, 4, 0, 0), (52, 0, 0, 4, 8, 0, 0),
    ]  # fmt: skip
    assert dp2.is_empty(records).all()
    assert [dp2.text(data, record) for record in records] == ["RENDERSTATE wStateCount=0", "DRAWPRIMITIVE wPrimitiveCount=0"]
    assert [dp2.describe(data, record) for record in records] == [[], []]
    assert [len(view.records) for view in dp2.walk(data)] == [0, 0]
    assert [(view.row.name, view.count) for view in dp2.walk(data)] == [("RENDERSTATE", 0), ("DRAWPRIMITIVE", 0)]


def test_a_range_of_a_buffer() -> None:
    """Offsets count from the start of the buffer, whatever the range."""
    data = _bytes("ffffffff 08 00 0100 19000000 05000000 ffffffff")
    records, error, _ = dp2.scan(data, 4, 12)
    assert error is None
    assert (records[0]["token"], records[0]["offset"]) == (4, 8)
    with pytest.raises(TokenError) as caught:
        dp2.scan(data, 4, 17)
    assert caught.value.offset == 4


ERRORS = [
    ("63 00 0100 00000000", 0, "unknown token 99", 99),
    ("08 00 0100 18000000 80000000 00 00 0000", 12, "unknown token 0", 0),
    ("57 00 0000", 0, "RESPONSECONTINUE never stands in a command buffer", 87),
    ("04 00 0000", 0, "RESERVED0 never stands in a command buffer", 4),
    ("34 00 0100 04000000 00000000", 0, "DRAWPRIMITIVE needs 12 bytes, 8 left", 52),
    ("08 00 0200 18000000 80000000 19000000", 0, "RENDERSTATE needs 16 bytes, 12 left", 8),
    ("08 00 0100 18000000 80000000 08 00", 12, "a command needs 4 bytes, 2 left", -1),
    ("30 00 0100 00000000 ffffffff 00000000", 0, "SETVERTEXSHADERCONST needs 68719476728 bytes, 12 left", 48),
    ("2d 00 0100 01000000 ffffffff ffffffff", 0, "CREATEVERTEXSHADER needs 8589934602 bytes, 12 left", 45),
    ("2a 00 0200 03000000 332211ff 0000803f 00000000 00000000", 0, "CLEAR needs 48 bytes, 20 left", 42),
    ("22 00 0100 01000000 02000000 00000000", 0, "SETLIGHT needs 112 bytes, 12 left", 34),
    ("1f 00 0100 01000000 0000", 0, "UPDATEPALETTE needs 8 bytes, 6 left", 31),
]


@pytest.mark.parametrize(("text", "offset", "sentence", "op"), ERRORS, ids=[row[2] for row in ERRORS])
def test_errors_name_the_place(text: str, offset: int, sentence: str, op: int) -> None:
    data = _bytes(text)
    records, error, _ = dp2.scan(data)
    assert error == (offset, sentence, op)
    assert all(records["token"] < offset)
    with pytest.raises(TokenError, match=sentence) as caught:
        list(dp2.walk(data))
    assert caught.value.offset == offset


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(STREAM)))
def test_a_cut_stream(length: int) -> None:
    """What is whole before the cut is found; the error stands at the command that is cut."""
    whole = dp2.scan(STREAM).records
    records, error, _ = dp2.scan(STREAM[:length])
    starts = np.append(np.unique(whole["token"]), len(STREAM))
    cut = int(starts[np.searchsorted(starts, length, "right") - 1])
    assert np.array_equal(records, whole[whole["token"] < cut])
    assert (error is None) == (cut == length)
    if error is not None:
        assert error.offset == cut


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8 * len(STREAM) - 1)), max_size=8), st.integers(0, 64))
def test_flipped_bits_never_crash(flips: list[tuple[int]], stride: int) -> None:
    data = bytearray(STREAM)
    for (bit,) in flips:
        data[bit >> 3] ^= 1 << (bit & 7)
    records, error, _ = dp2.scan(data, vertex_stride=stride)
    ends = records["offset"].astype(np.int64) + records["size"]
    assert (ends <= len(data)).all()
    for record in records[:40]:
        assert dp2.text(data, record)
    if error is None:
        assert sum(len(view.raw) for view in dp2.walk(data, vertex_stride=stride)) == len(data)
    else:
        assert 0 <= error.offset < len(data)
        with pytest.raises(TokenError) as caught:
            list(dp2.walk(data, vertex_stride=stride))
        assert caught.value.offset == error.offset


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400), st.integers(0, 8))
def test_noise_never_crashes(data: bytes, stride: int) -> None:
    records, _, _ = dp2.scan(data, vertex_stride=stride)
    for record in records:
        dp2.text(data, record)
