"""Devices, swap chains, targets, and what pointers name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, D3DVIEWPORT8, D3DError, Direct3DCreate8
from core.spec.enums import Pool, SwapEffect
from core.spec.slots import DEFAULTS
from core.spec.states import RENDER_STATES

D16 = 80


def test_a_device_starts_with_its_surfaces_its_context_and_all_defaults(make_bench: Any) -> None:
    bench = make_bench(EnableAutoDepthStencil=1, AutoDepthStencilFormat=D16)
    made = {call.args["label"]: call.args for call in bench.start if call.entry == "CreateSurface"}
    assert set(made) == {"primary", "back_buffer", "depth"} and made["depth"]["format"] == D16
    context = next(call.args for call in bench.start if call.entry == "ContextCreate")
    assert (context["render_target"], context["depth_stencil"]) == (made["back_buffer"]["handle"], made["depth"]["handle"])
    tokens = bench.tokens(bench.start)
    states = {fields["state"]: fields["value"] for name, fields in tokens if name == "RENDERSTATE"}
    assert states.pop(7) == 1  # ZENABLE: there is a depth surface
    for number, value in states.items():
        assert value == DEFAULTS[number], RENDER_STATES[number].name
    assert {8, 9, 19, 24, 27, 128, 137, 154, 168, 171} <= set(states)
    stages = {(fields["stage"], fields["state"]): fields["value"] for name, fields in tokens if name == "TEXTURESTAGESTATE"}
    assert stages[0, 1] == 4 and stages[1, 1] == 1 and stages[5, 11] == 5  # COLOROP, TEXCOORDINDEX
    assert ("VIEWPORTINFO", {"x": 0, "y": 0, "width": 64, "height": 48}) in tokens


def test_without_a_depth_surface_zenable_is_false(bench: Any) -> None:
    tokens = bench.tokens(bench.start)
    assert ("RENDERSTATE", {"state": 7, "value": 0}) in tokens


def test_a_windowed_device_presents_by_blt(bench: Any) -> None:
    bench.device.Present()
    (call,) = bench.said()
    primary, back = (c.args["handle"] for c in bench.start if c.entry == "CreateSurface")
    assert (call.entry, call.args["source"], call.args["destination"], call.args["presentation"]) == ("Blt", back, primary, 2)
    assert call.args["flags"] & 0x30000000 == 0x30000000
    bench.device.Present((0, 0, 32, 24), (1, 1, 33, 25))
    assert (call := bench.said()[0]).args["source_box"] == (0, 0, 32, 24) and call.args["destination_box"] == (1, 1, 33, 25)


@pytest.mark.parametrize("effect", [SwapEffect.DISCARD, SwapEffect.FLIP])
def test_a_windowed_chain_rotates_its_back_buffers(effect: int) -> None:
    """Red, green, blue: after Present the program finds green in buffer 0, whatever it presented."""
    parameters = D3DPRESENT_PARAMETERS(64, 48, BackBufferCount=3, SwapEffect=effect)
    device = Direct3DCreate8(EmulatedDriver()).CreateDevice(0, 1, 0, 0x40, parameters)
    for number, color in enumerate((0xFFFF0000, 0xFF00FF00, 0xFF0000FF)):
        device.SetRenderTarget(device.GetBackBuffer(number, 0), None)
        device.Clear(0, None, 1, color, 1.0, 0)
    for seen in ((1, 2, 0), (2, 0, 1)):
        device.Present()
        colors = []
        for number in range(3):
            rows = device.GetBackBuffer(number, 0).LockRect()
            colors.append(int(np.asarray(rows).view(np.uint32)[0, 0]))
            device.GetBackBuffer(number, 0).UnlockRect()
        assert [color & 0xFFFFFF for color in colors] == [(0xFF0000, 0xFF00, 0xFF)[n] for n in seen]


@pytest.mark.parametrize(
    ("effect", "entry"), [(SwapEffect.FLIP, "Flip"), (SwapEffect.DISCARD, "Flip"), (SwapEffect.COPY, "Blt")]
)
def test_a_full_screen_device_flips(make_bench: Any, effect: int, entry: str) -> None:
    bench = make_bench(Windowed=0, BackBufferCount=2, SwapEffect=effect)
    bench.device.Present()
    (call,) = bench.said()
    assert call.entry == entry
    if entry == "Flip":
        assert call.args["surface"] == [c.args["handle"] for c in bench.start if c.entry == "CreateSurface"]


def test_a_new_target_brings_a_new_viewport(bench: Any) -> None:
    device = bench.device
    texture = device.CreateTexture(32, 16, 2, 1, 22, Pool.DEFAULT)
    level = texture.GetSurfaceLevel(1)
    bench.said()
    device.SetRenderTarget(level, None)
    handle = bench.runtime.surface_of_pointer(level.pointer)
    assert bench.tokens() == [
        ("SETRENDERTARGET", {"render_target": handle, "depth_stencil": 0}),
        ("VIEWPORTINFO", {"x": 0, "y": 0, "width": 16, "height": 8}), ("ZRANGE", {"min": 0, "max": 1}),
    ]  # fmt: skip
    assert handle == bench.runtime.surface_of_pointer(texture.pointer) + 1
    assert device.GetViewport() == D3DVIEWPORT8(0, 0, 16, 8, 0, 1)
    depth = device.CreateDepthStencilSurface(16, 8, D16)
    device.SetRenderTarget(None, depth)
    assert bench.tokens()[0][1] == {"render_target": handle, "depth_stencil": bench.runtime.surface_of_pointer(depth.pointer)}
    again = device.GetRenderTarget()
    assert bench.runtime.surface_of_pointer(again.pointer) == handle
    assert bench.runtime.surface_of_pointer(device.GetDepthStencilSurface().pointer) == bench.runtime.surface_of_pointer(
        depth.pointer
    )


def test_reset_makes_new_surfaces_and_default_state(bench: Any) -> None:
    device = bench.device
    shader = device.CreatePixelShader([0xFFFF0101, 1, 0x800F0000, 0xA0E40000, 0xFFFF])
    device.SetRenderState(22, 1)
    old = {call.args["handle"] for call in bench.start if call.entry == "CreateSurface"}
    bench.said()
    device.Reset(D3DPRESENT_PARAMETERS(32, 32, EnableAutoDepthStencil=1, AutoDepthStencilFormat=D16))
    said = bench.said()
    entries = [call.entry for call in said]
    assert entries.count("CreateSurface") == 3
    assert {call.args["handle"] for call in said if call.entry == "DestroySurface"} == old
    tokens = bench.tokens(said)
    assert ("RENDERSTATE", {"state": 22, "value": 3}) in tokens and ("RENDERSTATE", {"state": 7, "value": 1}) in tokens
    assert ("VIEWPORTINFO", {"x": 0, "y": 0, "width": 32, "height": 32}) in tokens
    assert device.GetRenderState(22) == 3
    device.SetPixelShader(shader)  # shaders survive
    assert bench.tokens()[-1][0] == "SETPIXELSHADER"


def test_reset_takes_back_whatever_was_set(bench: Any) -> None:
    device = bench.device
    device.SetTexture(2, device.CreateTexture(1, 1, 1, 0, 21, Pool.DEFAULT))
    device.SetStreamSource(1, device.CreateVertexBuffer(16, 0, 0, Pool.DEFAULT), 16)
    device.SetVertexShader(0x42)
    device.SetTransform(300, [2] * 16)
    device.SetClipPlane(1, (1, 2, 3, 4))
    device.LightEnable(4, 1)
    bench.said()
    device.Reset(D3DPRESENT_PARAMETERS(32, 32))
    tokens = bench.tokens()
    for token in (
        ("TEXTURESTAGESTATE", {"stage": 2, "state": 0, "value": 0}), ("SETVERTEXSHADER", {"shader": 0}),
        ("SETSTREAMSOURCE", {"stream": 1, "buffer": 0, "stride": 0}), ("SETCLIPPLANE", {"index": 1, "plane": [0, 0, 0, 0]}),
        ("SETLIGHT", {"index": 4, "data": 1}),
    ):  # fmt: skip
        assert token in tokens
    assert 300 in [fields["type"] for name, fields in tokens if name == "SETTRANSFORM"]


def test_an_additional_swap_chain_presents_its_own_picture(bench: Any) -> None:
    chain = bench.device.CreateAdditionalSwapChain(D3DPRESENT_PARAMETERS(16, 16))
    primary, back = (call.args["handle"] for call in bench.said() if call.entry == "CreateSurface")
    surface = chain.GetBackBuffer(0)
    assert bench.runtime.surface_of_pointer(surface.pointer) == back
    chain.Present()
    assert bench.said()[-1].args["destination"] == primary
    chain.Release()
    assert [call.args["handle"] for call in bench.said()] == [primary, back]


def test_releasing_the_device_ends_everything(make_bench: Any) -> None:
    bench = make_bench(EnableAutoDepthStencil=1, AutoDepthStencilFormat=D16)
    texture = bench.device.CreateTexture(1, 1, 1, 0, 21, Pool.DEFAULT)
    bench.device.SetTexture(0, texture)
    texture.Release()
    bench.said()
    bench.device.Release()
    entries = bench.entries()
    assert entries.count("DestroySurface") == 4 and entries.count("DestroyD3DBuffer") == 1
    assert entries[0] == "ContextDestroy"


def test_a_bound_resource_lives_until_nothing_holds_it(bench: Any) -> None:
    device = bench.device
    texture = device.CreateTexture(1, 1, 1, 0, 21, Pool.DEFAULT)
    device.SetTexture(0, texture)
    texture.Release()
    assert "DestroySurface" not in bench.entries()
    device.SetTexture(0, None)
    assert bench.entries() == ["DrawPrimitives2", "DestroySurface"]


def test_two_devices_take_turns(bench: Any) -> None:
    other = bench.direct3d.CreateDevice(0, 1, 0, 0x40, D3DPRESENT_PARAMETERS(8, 8))
    bench.said()
    bench.device.SetRenderState(22, 1)
    other.SetRenderState(22, 2)
    bench.device.SetRenderState(14, 0)
    calls = bench.said()
    assert [call.args["context"] for call in calls] == [
        calls[0].args["context"],
        calls[1].args["context"],
        calls[0].args["context"],
    ]
    assert bench.device.GetRenderState(22) == 1 and other.GetRenderState(22) == 2


# ---- pointers --------------------------------------------------------------------------------------


def test_the_sink_is_told_what_pointers_name(bench: Any) -> None:
    texture = bench.device.CreateTexture(4, 4, 2, 0, 21, Pool.DEFAULT)
    level = texture.GetSurfaceLevel(1)
    made, viewed = bench.pointers[-2:]
    assert (made[1], viewed[1]) == (texture.pointer, level.pointer) and viewed[2] == made[2] + 1
    assert level.Release() == 1  # a level shares the references of its texture
    assert texture.GetSurfaceLevel(1) is level and texture.Release() == 1 and level.Release() == 0
    gone = [row for row in bench.pointers if row[2] == 0]
    assert {row[1] for row in gone} == {texture.pointer, level.pointer}
    assert all(a[0] <= b[0] for a, b in zip(bench.pointers, bench.pointers[1:], strict=False))


def test_an_address_can_be_used_again(bench: Any) -> None:
    script, runtime = bench.direct3d._desk.script, bench.runtime
    device, pointer = bench.device.pointer, script.new_pointer()
    name = "IDirect3DDevice8::CreateTexture"
    script.call(name, device, 4, 4, 1, 0, 21, 0, [pointer])
    first = runtime.surface_of_pointer(pointer)
    script.call("IDirect3DTexture8::Release", pointer, result=0)
    assert runtime.surface_of_pointer(pointer) == 0
    script.call(name, device, 4, 4, 1, 0, 21, 0, [pointer])
    second = runtime.surface_of_pointer(pointer)
    assert second not in (0, first)
    bench.said()
    script.call("IDirect3DDevice8::SetTexture", device, 0, pointer)
    assert bench.tokens() == [("TEXTURESTAGESTATE", {"stage": 0, "state": 0, "value": second})]
    script.call("IDirect3DTexture8::Release", pointer, result=1)  # somebody still has it
    assert runtime.surface_of_pointer(pointer) == second


def test_a_buffer_takes_the_address_of_a_texture(bench: Any) -> None:
    script, device, pointer = bench.direct3d._desk.script, bench.device.pointer, bench.direct3d._desk.script.new_pointer()
    script.call("IDirect3DDevice8::CreateTexture", device, 4, 4, 1, 0, 21, 0, [pointer])
    script.call("IDirect3DDevice8::CreateImageSurface", device, 4, 4, 21, [pointer])  # the Release was not recorded
    with pytest.raises(D3DError):
        script.call("IDirect3DDevice8::SetTexture", device, 0, pointer)


def test_calls_that_failed_when_recorded_are_not_done(bench: Any) -> None:
    script, device = bench.direct3d._desk.script, bench.device.pointer
    pointer = script.new_pointer()
    script.call("IDirect3DDevice8::CreateTexture", device, 4, 4, 1, 0, 21, 0, [pointer], result=-2005530516)
    script.call("IDirect3DDevice8::SetRenderState", device, 22, 1, result=-2005530516)
    assert bench.said() == [] and bench.runtime.surface_of_pointer(pointer) == 0
    assert bench.device.GetRenderState(22) == 3


def test_many_objects(bench: Any) -> None:
    textures = [bench.device.CreateTexture(1, 1, 1, 0, 21, Pool.DEFAULT) for _ in range(3000)]
    handles = [bench.runtime.surface_of_pointer(texture.pointer) for texture in textures]
    bench.said()
    for texture in textures[::50]:
        bench.device.SetTexture(0, texture)
    assert [fields["value"] for _, fields in bench.tokens()] == handles[::50]
