"""Traces become tapes: what a driver would have been asked, whatever container, version and thread."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from core.errors import Cancelled
from core.runtime.rows.verdicts import VERDICTS
from core.spec.tokens import Op
from inspector.imports import import_trace, stream
from inspector.tape import TapeWriter
from tests.inspector.imports import trace_file as t
from tests.inspector.imports.imported import imported, ops, sources
from tests.inspector.tape.calls import plain

# -- whole traces ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("container", t.CONTAINERS)
@pytest.mark.parametrize("version", [4, 5, 6])
def test_every_container_and_version_makes_the_same_tape(container: str, version: int, tmp_path: Path) -> None:
    with (
        imported(t.CONTAINERS[container](t.small_program(2, version).bytes()), tmp_path, "a") as tape,
        imported(t.snappy(t.small_program(2).bytes()), tmp_path, "b") as reference,
    ):
        assert [plain(call) for call in tape.calls] == [plain(call) for call in reference.calls]
        assert tape.notices == []
        assert tape.source_count == t.small_program(2).count
        assert Op.DRAWPRIMITIVE in ops(tape)


def test_software_vertex_processing_is_for_the_driver_that_was_chosen(tmp_path: Path) -> None:
    """The program's own vertices are recorded, unless the import is asked what a driver would get."""
    program = t.CONTAINERS["snappy"](t.small_program(2).bytes())
    with imported(program, tmp_path, "a") as own, imported(program, tmp_path, "b", "full") as full:
        assert Op.DRAWPRIMITIVE in ops(own) and Op.DRAWPRIMITIVE2 not in ops(own)
        assert Op.DRAWPRIMITIVE2 in ops(full) and Op.DRAWPRIMITIVE not in ops(full)


def test_source_calls_keep_names_values_and_what_became_of_them(tmp_path: Path) -> None:
    trace = t.TraceFile()
    t.begin(trace)
    first = t.set_render_state(trace, 7, 0)
    code = b"\x00\x03\xff\xff" * 200
    t.device_call(trace, "CreatePixelShader", pFunction=t.Repr("ps_1_1", code), pHandle=[0], out={"pHandle": [7]})
    odd = trace.call(
        "Odd::Call",
        {"this": t.Pointer(0xFFFF_FFFF_0000), "f": t.Float32(0.5), "d": 2.25, "n": -7, "w": t.Wide("wide\u20ac"), "s": "text",
         "nothing": None, "yes": True, "m": t.Mask((("A", 1), ("B", 2)), 3),
         "p": [t.Struct("Pair", {"x": 1, "y": [t.Enum("RED", 9)]})]},
        t.Enum("D3DERR_INVALIDCALL", -2005530516),
    )  # fmt: skip
    with imported(t.snappy(trace.bytes()), tmp_path) as tape:
        call = tape.source(first)
        assert call.name == "IDirect3DDevice8::SetRenderState"
        assert (call["State"], call["Value"], str(call["State"])) == (7, 0, "D3DRS_7")
        call = tape.source(odd)
        values = dict(call.args)
        assert (values["f"], values["d"], values["n"], values["w"], values["s"]) == (0.5, 2.25, -7, "wide\u20ac", "text")
        assert (values["nothing"], values["yes"], values["this"]) == (None, True, 0xFFFF_FFFF_0000)
        assert str(values["m"]) == "A | B"
        assert values["p"] == [{"x": 1, "y": [9]}]
        assert str(values["p"][0]["y"][0]) == "RED"
        assert call.result == -2005530516


def test_the_tape_tells_what_became_of_each_api_call(tmp_path: Path) -> None:
    trace = t.TraceFile()
    t.begin(trace)
    first, again = t.set_render_state(trace, 27, 1), t.set_render_state(trace, 27, 1)  # ALPHABLENDENABLE
    failed = t.device_call(trace, "SetRenderState", t.Enum("D3DERR_INVALIDCALL", -2005530516), State=8, Value=9)
    drawn = t.triangle(trace)
    with imported(t.snappy(trace.bytes()), tmp_path) as tape:
        verdicts = [VERDICTS[tape.verdict(number)] for number in (first, again, failed, drawn)]
    assert verdicts == ["emitted", "redundant", "failed", "emitted"]


def test_the_adapter_is_kept_when_the_program_asked_for_it(tmp_path: Path) -> None:
    trace = t.TraceFile()
    t.begin(trace)
    words = {"Driver": "x.dll", "Description": "Some Card", "VendorId": 4318, "DeviceId": 1}
    answer = t.Struct("D3DADAPTER_IDENTIFIER8", words)
    asked = {"this": t.Pointer(0x1000), "Adapter": 0, "Flags": 2, "pIdentifier": None}
    for _ in range(2):
        trace.call("IDirect3D8::GetAdapterIdentifier", asked, t.OK, {"pIdentifier": [answer]})
    trace.call("IDirect3D8::GetAdapterIdentifier", {**asked, "pIdentifier": 5}, t.OK)
    with imported(t.snappy(trace.bytes()), tmp_path) as tape:
        assert tape.meta["adapters"] == [{"driver": "x.dll", "description": "Some Card", "vendor": 4318, "device": 1}]


def test_a_large_blob_of_a_source_call_comes_back(tmp_path: Path) -> None:
    trace = t.TraceFile()
    t.begin(trace)
    payload = bytes(i * 7 & 255 for i in range(70_000))
    number = trace.call("memcpy", {"dest": t.Pointer(0x9000), "src": payload, "n": len(payload)}, flags=1)
    after = trace.call("Odd::After", {"a": [b"small", payload[:600], 5]})
    with imported(t.snappy(trace.bytes()), tmp_path) as tape:
        assert tape.source(number).fake
        assert tape.source_blob(tape.source(number)["src"]) == payload
        items = tape.source(after)["a"]
        assert [tape.source_blob(items[0]), tape.source_blob(items[1]), items[2]] == [b"small", payload[:600], 5]


def lock_and_write(trace: t.TraceFile, buffer: int, address: int, data: bytes, offset: int = 0) -> None:
    name = "IDirect3DVertexBuffer8"
    trace.call(
        f"{name}::Lock",
        {"this": t.Pointer(buffer), "OffsetToLock": offset, "SizeToLock": len(data), "ppbData": [None], "Flags": 0},
        t.OK, {"ppbData": [t.Pointer(address)]},
    )  # fmt: skip
    trace.call("memcpy", {"dest": t.Pointer(address), "src": data, "n": len(data)}, flags=1)
    trace.call(f"{name}::Unlock", {"this": t.Pointer(buffer)}, t.OK)


def create_buffer(trace: t.TraceFile, pointer: int, length: int = 64) -> None:
    t.device_call(trace, "CreateVertexBuffer", Length=length, Usage=0, FVF=0x44, Pool=t.Enum("D3DPOOL_DEFAULT", 0),
                  ppVertexBuffer=[None], out={"ppVertexBuffer": [t.Pointer(pointer)]})  # fmt: skip


def test_locked_memory_reaches_the_driver(tmp_path: Path) -> None:
    trace = t.TraceFile()
    t.begin(trace)
    create_buffer(trace, 0x5000)
    lock_and_write(trace, 0x5000, 0x90000, b"vertexdata" * 3, offset=16)
    with imported(t.snappy(trace.bytes()), tmp_path) as tape:
        unlock = [call for call in tape.calls if call.entry == "UnlockD3DBuffer"]
        assert [bytes(call.data["contents"])[:30] for call in unlock] == [b"vertexdata" * 3]
        assert unlock[0].args["offset"] == 16


def test_a_reused_pointer_is_another_object(tmp_path: Path) -> None:
    trace = t.TraceFile()
    t.begin(trace)
    create_buffer(trace, 0x5000)
    trace.call("IDirect3DVertexBuffer8::Release", {"this": t.Pointer(0x5000)}, 0)
    create_buffer(trace, 0x5000, 128)
    lock_and_write(trace, 0x5000, 0x90000, b"second!!")
    with imported(t.snappy(trace.bytes()), tmp_path) as tape:
        made = [call for call in tape.calls if call.entry == "CreateD3DBuffer" and call.args["kind"] == "vertex"]
        unlocked = [call for call in tape.calls if call.entry == "UnlockD3DBuffer"]
        assert [call.args["size"] for call in made] == [64, 128]
        assert unlocked[0].args["handle"] == made[1].args["handle"] != made[0].args["handle"]
        rows = tape.pointers[tape.pointers["pointer"] == 0x5000]
        assert rows["handle"].tolist() == [call.args["handle"] for call in made]
        assert rows["until"][0] <= rows["source"][1]


def test_a_large_trace_passes_through_small_buffers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = t.small_program(1)
    trace.call("Odd::Big", {"data": bytes(range(256)) * 8000})
    for number in range(3000):
        t.set_render_state(trace, 7, number & 1)
    data = t.brotli_stream(trace.bytes())
    with imported(data, tmp_path, "a") as whole:
        expected = sources(whole)
    monkeypatch.setattr(stream, "BUFFER", 3000)
    with imported(data, tmp_path, "b") as tape:
        # command buffers may be cut elsewhere; the records and their sources are the same
        assert sources(tape) == expected
        assert tape.source_count == trace.count
        assert tape.source(trace.count - 1)["Value"] == 1


def test_calls_of_two_threads_are_matched(tmp_path: Path) -> None:
    trace = t.TraceFile()
    t.begin(trace)
    names = ("this", "x")
    trace.enter("Odd::Waits", names, {"this": t.Pointer(1), "x": 1}, thread=1)
    waiting = trace.count - 1
    for state in range(5):
        t.set_render_state(trace, 7, state)
    trace.leave(waiting, names, {"x": 6}, 0)
    with imported(t.snappy(trace.bytes()), tmp_path) as tape:
        assert tape.notices == []
        assert tape.source_count == trace.count
        assert tape.source(waiting)["x"] == 6
        assert tape.source(waiting).thread == 1


def test_a_thread_that_never_returns_loses_nothing_else(tmp_path: Path) -> None:
    trace = t.TraceFile()
    t.begin(trace)
    trace.enter("Odd::Waits", ("x",), {"x": 1}, thread=1)
    for state in range(5):
        t.set_render_state(trace, 7, state)
    with imported(t.snappy(trace.bytes()), tmp_path) as tape:
        assert tape.source_count >= trace.count - 1
        assert ops(tape).count(Op.RENDERSTATE) >= 1


# -- progress, cancelling, the cache ---------------------------------------------------------------------------------


def test_progress_rises_and_can_cancel(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(t.snappy(t.small_program(3).bytes()))
    told: list[float] = []
    with TapeWriter(tmp_path / "a.ddicap") as writer:
        import_trace(path, writer, lambda fraction, text: told.append(fraction))
    assert told == sorted(told)
    assert told[-1] == 1.0
    writer = TapeWriter(tmp_path / "b.ddicap")
    with pytest.raises(Cancelled):
        import_trace(path, writer, lambda fraction, text: False)
    writer.abandon()
    writer = TapeWriter(tmp_path / "c.ddicap")
    with pytest.raises(Cancelled):
        import_trace(path, writer, cancel=lambda: True)
    writer.abandon()


# -- real captures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ace_d3d5", "nehe08", "attests_tri_pp"])
def test_real_captures_import_whole(name: str, captures: Path, tmp_path: Path) -> None:
    """The numbers of calls and of frames are apitrace's own (the capture's JSON)."""
    import json

    told = json.loads((captures / "apps" / f"{name}.json").read_text())
    with imported((captures / "apps" / f"{name}.trace").read_bytes(), tmp_path) as tape:
        presents = [n for n in range(tape.source_count) if tape.source(n).name.endswith("::Present")]
        assert tape.notices == []
        assert len(presents) == told["frames"]
        records = tape.call_index().records.sum()
        assert records > told["frames"]


def test_shader_code_and_matrices_reach_the_stream(tmp_path: Path) -> None:
    trace = t.TraceFile()
    t.begin(trace)
    t.device_call(trace, "SetTransform", State=t.Enum("D3DTS_VIEW", 2), pMatrix=[t.Struct("D3DMATRIX", {"m": t.MATRIX})])
    t.triangle(trace)
    with imported(t.snappy(trace.bytes()), tmp_path) as tape:
        commands = b"".join(bytes(call.data["commands"]) for call in tape.calls if call.entry == "DrawPrimitives2")
        assert struct.pack("<16f", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) in commands
