"""No call and no command stream, however wrong, can crash the driver."""

from __future__ import annotations

import struct

from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import ENTRIES
from core.ddi.stream import dp2
from tests.core.ddi.machine import CONTEXT, TARGET, Machine

VALUE = st.one_of(
    st.integers(-5, 300),
    st.integers(),
    st.none(),
    st.text(max_size=3),
    st.lists(st.integers(-10, 200), max_size=6),
    st.floats(),
)
NAMES = st.sampled_from([
    "handle", "width", "height", "depth", "levels", "faces", "format", "samples", "box", "flags", "source",
    "destination", "source_box", "destination_box", "color", "size", "offset", "pitch", "slice_pitch", "context",
    "command_offset", "command_length", "vertex_size", "vertex_length", "vertex_offset", "vertex_type", "surface",
    "rects", "low", "high", "type", "index", "kind", "label", "render_target",
])  # fmt: skip
SOME_CALL = st.tuples(
    st.sampled_from([*ENTRIES, "DrawPrimitives2", "Nonsense"]),
    st.dictionaries(NAMES, VALUE, max_size=12),
    st.binary(max_size=64),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(SOME_CALL, max_size=4))
def test_no_call_can_crash_the_driver(calls: list) -> None:
    machine = Machine(size=(16, 16))
    for entry, args, data in calls:
        # small enough to be created, now and then
        args = {"handle": 10, "width": 8, "height": 8, "format": 21, "context": CONTEXT} | args
        call = machine.driver.call(DdiCall(entry, args, {"contents": data, "commands": data, "vertices": data}))
        assert isinstance(call.result, int)


STATE_OPS = [
    "RENDERSTATE", "TEXTURESTAGESTATE", "SETLIGHT", "CREATELIGHT", "SETTRANSFORM", "SETPALETTE", "UPDATEPALETTE",
    "TEXBLT", "VOLUMEBLT", "BUFFERBLT", "STATESET", "SETRENDERTARGET", "CLEAR", "SETTEXLOD", "SETVERTEXSHADER",
    "SETPIXELSHADER", "CREATEVERTEXSHADER", "CREATEPIXELSHADER", "DELETEPIXELSHADER", "SETVERTEXSHADERCONST",
    "SETCLIPPLANE", "MULTIPLYTRANSFORM",
]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(STATE_OPS),
            st.integers(0, 3),
            st.lists(st.integers(0, 40) | st.integers(0, 0xFFFFFFFF), max_size=30),
        ),
        max_size=5,
    )
)
def test_no_stream_can_crash_the_driver(tokens: list) -> None:
    machine = Machine(size=(16, 16))
    machine.surface(20, "A8R8G8B8", 16, 16, levels=3)
    machine.surface(30, "DXT1", 16, 16, levels=3)
    machine.driver.call(DdiCall("CreateD3DBuffer", {"handle": 40, "size": 64}))
    for op, count, dwords in tokens:
        stream = struct.pack("<BBH", OPS[op], 0, count)
        stream += struct.pack(f"<{len(dwords)}I", *dwords)
        machine.driver.call(
            DdiCall("DrawPrimitives2", {"context": CONTEXT, "command_length": len(stream)}, {"commands": stream})
        )
    machine.driver.rgba(TARGET)


OPS = {row.name: row.op for row in dp2.TOKENS.values()}
