"""The driver: DrawPrimitives2 and what it counts, reading back, snapshots."""

from __future__ import annotations

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.ddi.stream.shader_assemble import assemble
from core.spec import slots
from core.spec.enums import HResult
from core.spec.formats import FORMAT_BY_NAME
from core.spec.slots import slot
from core.spec.subresource import Subresource
from tests.core.ddi.machine import CLEAR_TARGET, CONTEXT, DEPTH, TARGET, Machine, picture


def test_unknown_tokens_fail_at_their_offset() -> None:
    machine = Machine()
    stream = bytearray(b"\0" * 8)
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 5}])
    bad = len(stream)
    stream += b"\xf0\0\1\0" + b"\0" * 8
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 6}])
    args = {"context": CONTEXT, "command_offset": 8, "command_length": len(stream) - 8}
    call = machine("DrawPrimitives2", {"commands": bytes(stream)}, HResult.D3DERR_COMMAND_UNPARSED, **args)
    assert call.out["error_offset"] == bad  # counted from the start of the buffer, dwCommandOffset included
    assert machine.driver.device.registers.vector[slot("ALPHAREF")] == 5
    assert machine.driver.findings[-1].offset == bad


SHADERS = {
    "ps_1_1\n" + "mov r0, c0\n" * 8: "",
    "ps_1_1\n" + "mov r0, c0\n" * 9: "bad-shader",  # eight arithmetic instructions in ps_1_1 to 1_3
    "ps_1_4\n" + "mov r0, c0\n" * 8 + "phase\n" + "mov r0, c0\n" * 8: "",  # eight in each phase
    "ps_1_1\n" + "tex t0\ntex t1\ntex t2\ntex t3\nmov r0, t3": "",
    "ps_1_1\nmov r0, c7": "",
    "vs_1_1\n" + "mov oPos, v0\n" * 128: "",
    "vs_1_1\n" + "mov oPos, v0\n" * 129: "bad-shader",  # 128 instructions
    "vs_1_1\nm4x4 oPos, v0, c0\n" + "mov oD0, v0\n" * 125: "bad-shader",  # a macro takes a slot for each row
}


@pytest.mark.parametrize("text", SHADERS)
def test_shaders_beyond_their_version_cannot_be_created(text: str) -> None:
    """DX8 DDI, D3DDP2OP_CREATEVERTEXSHADER: "the driver should validate the given shader ... and report success or failure"."""
    machine, rule = Machine(), SHADERS[text]
    fields = {"shader": 3, "code": assemble(text)} | ({"declaration": [0xFFFFFFFF]} if text.startswith("vs") else {})
    name = "CREATEVERTEXSHADER" if text.startswith("vs") else "CREATEPIXELSHADER"
    machine.draw((name, None, fields), expect=HResult.D3DERR_DRIVERINVALIDCALL if rule else 0)
    assert [finding.rule for finding in machine.driver.findings] == ([rule] if rule else [])


@pytest.mark.parametrize(("profile", "version", "rule"), [
    ("full", "ps_1_4", ""), ("fixed", "ps_1_1", "shader-support"), ("minimum", "vs_1_1", "shader-support"),
])  # fmt: skip
def test_a_driver_creates_shaders_of_the_versions_that_it_reports(profile: str, version: str, rule: str) -> None:
    driver = EmulatedDriver(profile, check=True)
    driver.call(DdiCall("ContextCreate", {"context": CONTEXT, "render_target": 0}))
    stream = bytearray()
    code = assemble(f"{version}\nmov {'r0, c0' if version.startswith('ps') else 'oPos, v0'}")
    more = {"declaration": [0xFFFFFFFF]} if version.startswith("vs") else {}
    dp2.emit(stream, "CREATEVERTEXSHADER" if more else "CREATEPIXELSHADER", None, shader=3, code=code, **more)
    call = driver.call(DdiCall("DrawPrimitives2", {"context": CONTEXT}, {"commands": bytes(stream)}))
    assert call.result == (HResult.D3DERR_DRIVERINVALIDCALL if rule else 0)
    assert [finding.rule for finding in driver.findings] == ([rule] if rule else [])


def test_a_token_of_a_later_version_fails_at_its_offset() -> None:
    machine = Machine()
    call = machine.draw(
        ("RENDERSTATE", [{"state": 24, "value": 5}]),
        ("SETSCISSORRECT", [{"rect": (0, 0, 1, 1)}]),
        expect=HResult.D3DERR_COMMAND_UNPARSED,
    )
    assert call.out["error_offset"] == 12


def test_a_token_that_is_cut_off() -> None:
    machine = Machine()
    stream = bytearray()
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 5}, {"state": 25, "value": 3}])
    args = {"context": CONTEXT, "command_length": len(stream) - 1}
    call = machine("DrawPrimitives2", {"commands": bytes(stream)}, HResult.DDERR_INVALIDPARAMS, **args)
    assert call.out["error_offset"] == 0
    assert machine.driver.device.registers.vector[slot("ALPHAREF")] == 0


def test_success_has_error_offset_zero() -> None:
    assert Machine().draw(("RENDERSTATE", [{"state": 24, "value": 5}])).out == {"error_offset": 0}


def test_bad_contexts_and_lengths_are_refused() -> None:
    machine = Machine()
    machine("DrawPrimitives2", {"commands": b""}, HResult.DDERR_INVALIDPARAMS, context=99)
    machine("DrawPrimitives2", {"commands": b"1234"}, HResult.DDERR_INVALIDPARAMS, context=CONTEXT, command_length=8)
    machine(
        "DrawPrimitives2",
        {"commands": b"", "vertices": b"12"},
        HResult.DDERR_INVALIDPARAMS,
        context=CONTEXT,
        vertex_length=3,
        vertex_size=1,
    )
    assert machine.driver.seq == 3 + 3


def test_events_count_as_the_timeline_does() -> None:
    machine = Machine()
    start = machine.driver.seq
    machine.draw(("RENDERSTATE", [{"state": 24, "value": 5}, {"state": 25, "value": 3}]), ("ZRANGE", [{"min": 0, "max": 1}]))
    assert machine.driver.seq == start + 3
    machine("DrawPrimitives2", {"commands": b""}, context=CONTEXT, command_length=0)
    assert machine.driver.seq == start + 4


def test_a_call_in_parts_is_the_call() -> None:
    stream = bytearray()
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": n} for n in range(5)])
    call = DdiCall("DrawPrimitives2", {"context": CONTEXT, "command_length": len(stream)}, {"commands": bytes(stream)})
    machine = Machine()
    machine.driver.run(call, 100, 0, 2)
    assert machine.driver.device.registers.vector[slot("ALPHAREF")] == 1
    assert machine.driver.seq == 102
    machine.driver.run(call, 100, 2)
    assert machine.driver.device.registers.vector[slot("ALPHAREF")] == 4
    assert machine.driver.seq == 105


def test_legacy_states_reach_stage_0() -> None:
    machine = Machine()
    machine.draw(
        (
            "RENDERSTATE",
            [{"state": 44, "value": 3}, {"state": 17, "value": 2}, {"state": 18, "value": 6}, {"state": 5, "value": 1}],
        )
    )
    vector = machine.driver.device.registers.vector
    names = ("ADDRESSU", "MAGFILTER", "MINFILTER", "MIPFILTER")
    assert [int(vector[slot(("TEXTURESTAGE", 0, name))]) for name in names] == [3, 2, 2, 2]
    assert vector[slot("WRAP0")] == 1


def test_state_sets() -> None:
    machine = Machine()
    begin, end, execute, delete, create = 0, 1, 3, 2, 5

    def state_set(operation: int, kind: int = 0) -> tuple:
        return "STATESET", [{"operation": operation, "handle": 4, "type": kind}]

    machine.draw(state_set(begin), ("RENDERSTATE", [{"state": 24, "value": 5}]), state_set(end))
    vector = machine.driver.device.registers.vector
    assert vector[slot("ALPHAREF")] == 0
    machine.draw(state_set(execute))
    assert vector[slot("ALPHAREF")] == 5
    machine.draw(
        state_set(create, 2), ("RENDERSTATE", [{"state": 24, "value": 9}, {"state": 22, "value": 1}]), state_set(execute)
    )
    assert (vector[slot("ALPHAREF")], vector[slot("CULLMODE")]) == (5, 1)  # pixel state has ALPHAREF, not CULLMODE
    machine.draw(state_set(delete), state_set(execute), state_set(17))
    assert [finding.rule for finding in machine.driver.findings] == ["bad-state-set"] * 2


def test_a_state_set_with_another_shader_brings_the_constants_of_its_definition() -> None:
    """DX8 DDI, D3DDP2OP_SETVERTEXSHADER: "when switching" constants of the definition are set; a captured set switches, too."""
    machine = Machine()
    declaration = [0x20000000, 0x40020000, 0xFFFFFFFF]  # stream 0: FLOAT3 into v0
    for shader, number in ((3, 0), (5, 1)):
        code = assemble(f"vs_1_1\ndef c{number}, 1, 2, 3, 4\nmov oPos, v0")
        machine.draw(("CREATEVERTEXSHADER", None, {"shader": shader, "declaration": declaration, "code": code}))
    begin, end, execute, capture = (("STATESET", [{"operation": n, "handle": 4, "type": 0}]) for n in (0, 1, 3, 4))
    zero = "SETVERTEXSHADERCONST", None, {"register": 0, "values": [(0.0,) * 4, (0.0,) * 4]}

    def shader(handle: int) -> tuple:
        return "SETVERTEXSHADER", [{"shader": handle}]

    machine.draw(begin, shader(3), end, shader(5), capture, shader(0x44), zero, execute)
    vector = machine.driver.device.registers.vector
    assert vector[slot("VERTEXSHADER")] == 5
    assert vector[slots.VS_CONST + 4 : slots.VS_CONST + 8].view("f4").tolist() == [1, 2, 3, 4]


def test_palettes_show_in_their_surfaces() -> None:
    machine = Machine()
    machine.surface(20, "P8", 2, 1)
    machine.fill(20, np.array([1, 2], np.uint8))
    machine.draw(
        ("SETPALETTE", [{"palette": 3, "flags": 0x2000, "surface": 20}]),
        ("UPDATEPALETTE", None, {"palette": 3, "start": 1, "count": 2, "entries": [0x80332211, 0x40665544]}),
    )
    assert machine.driver.rgba(20).tolist() == [[[0x11, 0x22, 0x33, 0x80], [0x44, 0x55, 0x66, 0x40]]]


@pytest.mark.parametrize(
    ("format", "pixel", "rgba"),
    [
        ("A8R8G8B8", 0x80FF4020, (255, 64, 32, 128)),
        ("X8R8G8B8", 0x80FF4020, (255, 64, 32, 255)),
        ("R5G6B5", 0xF81F, (255, 0, 255, 255)),
        ("A1R5G5B5", 0x7C00, (255, 0, 0, 0)),
        ("L8", 77, (77, 77, 77, 255)),
        ("V8U8", 0x7F81, (0, 255, 255, 255)),
        ("D16", 0xFFFF, (255, 255, 255, 255)),
    ],
)
def test_rgba(format: str, pixel: int, rgba: tuple) -> None:
    machine = Machine()
    machine.surface(20, format, 1, 1)
    machine.fill(20, np.array([pixel], f"<u{FORMAT_BY_NAME[format].bits // 8}"))
    assert tuple(machine.driver.rgba(20)[0, 0].tolist()) == rgba


def test_multisampled_surfaces_are_resolved_unless_a_sample_is_named() -> None:
    machine = Machine(samples=4)
    part = machine.driver.device.memory.part(TARGET)
    words = part.write_blocks().reshape(4, -1)
    words[:] = np.array([0x000000, 0xFFFFFF, 0xFFFFFF, 0x010101], np.uint32)[:, None]
    assert (machine.pixels() == 0x80 * 0x010101).all()
    assert (machine.driver.read(Subresource(TARGET, sample=3))[0].view("<u4") == 0x010101).all()
    machine.fill(TARGET, picture(100, 80))
    assert np.array_equal(machine.driver.read(Subresource(TARGET, sample=2))[0], machine.driver.read(TARGET)[0])


def test_restore_brings_back_everything() -> None:
    machine = Machine()
    first = picture(100, 80)
    machine.fill(TARGET, first)
    machine("CreateD3DBuffer", handle=40, size=4)
    snapshot = machine.driver.snapshot()
    assert sum(array.nbytes for array in snapshot.arrays()) >= first.nbytes
    held = {id(array) for array in snapshot.arrays()}
    shared = [array.nbytes for array in machine.driver.snapshot().arrays() if id(array) in held]
    assert max(shared) >= first.nbytes  # what did not change is the same array
    machine.clear(CLEAR_TARGET, [(0, 0, 100, 80)], 5)
    machine.draw(("RENDERSTATE", [{"state": 24, "value": 5}]))
    machine("LockD3DBuffer", handle=40)
    machine("UnlockD3DBuffer", {"contents": b"abcd"}, handle=40)
    machine("DestroySurface", handle=DEPTH)
    machine.surface(70, "L8", 4, 4)
    machine.driver.restore(snapshot)
    assert np.array_equal(machine.pixels(), first)
    assert machine.driver.seq == snapshot.seq
    memory = machine.driver.device.memory
    assert (bytes(memory.buffers[40].contents), 70 in memory.surfaces, DEPTH in memory.surfaces) == (b"\0" * 4, False, True)
    assert machine.driver.device.registers.vector[slot("ALPHAREF")] == 0
    machine.clear(CLEAR_TARGET, [(0, 0, 1, 1)], 9)
    machine.driver.restore(snapshot)
    assert np.array_equal(machine.pixels(), first)


def test_the_runtime_may_know_an_unknown_command() -> None:
    machine = Machine()
    stream = bytearray()
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 5}])
    bad = len(stream)
    stream += b"\xf0\0\1\0" + b"\0" * 8
    dp2.emit(stream, "RENDERSTATE", [{"state": 25, "value": 6}])
    asked = []

    def parse(commands: np.ndarray, offset: int) -> int:
        asked.append((int(commands[offset]), offset))
        return offset + 12

    machine.driver.parse_unknown_command = parse
    call = machine("DrawPrimitives2", {"commands": bytes(stream)}, context=CONTEXT, command_length=len(stream))
    assert call.out["error_offset"] == 0
    assert asked == [(0xF0, bad)]
    vector = machine.driver.device.registers.vector
    assert (vector[slot("ALPHAREF")], vector[slot("ALPHAFUNC")]) == (5, 6)
    machine.driver.parse_unknown_command = lambda commands, offset: None
    call = machine(
        "DrawPrimitives2",
        {"commands": bytes(stream)},
        HResult.D3DERR_COMMAND_UNPARSED,
        context=CONTEXT,
        command_length=len(stream),
    )
    assert call.out["error_offset"] == bad


def test_samples_of_target_and_depth_buffer_agree_when_a_context_is_created() -> None:
    """DX8 DDI, Handling the Creation of Multi-Sampled Surfaces: restrictions are enforced at context create time."""
    machine = Machine(samples=4)
    machine.surface(50, "D24S8", 100, 80)
    machine("ContextCreate", expect=HResult.DDERR_INVALIDPARAMS, context=2, render_target=TARGET, depth_stencil=50)
    assert [finding.rule for finding in machine.driver.findings] == ["target-mismatch"]
    assert list(machine.driver.device.contexts) == [CONTEXT]


def test_all_contexts_end_at_once() -> None:
    machine = Machine()
    machine("ContextCreate", context=2, render_target=TARGET)
    machine("ContextDestroyAll", process=7)
    assert machine.driver.device.contexts == {}
