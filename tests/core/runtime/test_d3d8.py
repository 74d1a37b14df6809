"""The scripting front on the emulated driver: what is drawn can be read back; the example of the docstring runs."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput
from core.runtime import d3d8
from core.runtime.calls.columns import Calls
from core.runtime.calls.source import describe
from core.runtime.calls.values import DOUBLE
from core.runtime.d3d8 import D3DLIGHT8, D3DMATERIAL8, D3DPRESENT_PARAMETERS, D3DRS, D3DTSS, D3DVIEWPORT8, Direct3DCreate8
from core.runtime.script import script
from core.spec.enums import ClearFlag, CubeFace, Fvf, LockFlag, Pool, PrimitiveType, ResourceType, TransformState

A8R8G8B8 = 21
COLORED = np.dtype([("position", "f4", 4), ("diffuse", "u4")])


@pytest.fixture
def driver() -> EmulatedDriver:
    return EmulatedDriver()


@pytest.fixture
def device(driver: EmulatedDriver) -> Any:
    return Direct3DCreate8(driver).CreateDevice(0, 1, 0, 0x40, D3DPRESENT_PARAMETERS(16, 8))


def picture(device: Any) -> np.ndarray:
    """The back buffer's pixels, as a program reads them."""
    image = device.CreateImageSurface(16, 8, 22)
    device.CopyRects(device.GetBackBuffer(0), None, 0, image)
    pixels = image.LockRect(None, LockFlag.READONLY).view(np.uint32).copy()
    image.UnlockRect()
    return pixels & 0xFFFFFF


def test_the_example_runs_and_leaves_no_finding() -> None:
    example = d3d8.__doc__.split("\n\n", 1)[1].rsplit("\n\n", 1)[0]
    scope: dict[str, Any] = {}
    exec(compile(textwrap.dedent(example), "example", "exec"), scope)
    assert scope["driver"].findings == [] and scope["driver"].seq > 300


def test_a_clear_is_seen(device: Any) -> None:
    device.Clear(0, None, ClearFlag.TARGET, 0xFF123456, 1.0, 0)
    device.Clear(1, [(2, 1, 4, 3)], ClearFlag.TARGET, 0xFFABCDEF, 1.0, 0)
    expected = np.full((8, 16), 0x123456)
    expected[1:3, 2:4] = 0xABCDEF
    np.testing.assert_array_equal(picture(device), expected)


def test_a_drawn_rectangle_is_seen(device: Any, driver: EmulatedDriver) -> None:
    device.Clear(0, None, ClearFlag.TARGET, 0, 1.0, 0)
    device.SetRenderState(D3DRS.CULLMODE, 1)
    device.SetVertexShader(Fvf.XYZRHW | Fvf.DIFFUSE)
    corners = np.zeros(4, COLORED)
    corners["position"] = [(4, 2, 0, 1), (8, 2, 0, 1), (4, 6, 0, 1), (8, 6, 0, 1)]
    corners["diffuse"] = 0xFF00FF00
    device.BeginScene()
    device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, corners, COLORED.itemsize)
    device.EndScene()
    expected = np.zeros((8, 16), int)
    expected[2:6, 4:8] = 0x00FF00
    np.testing.assert_array_equal(picture(device), expected)
    assert driver.findings == []


def test_a_managed_texture_is_seen(device: Any, driver: EmulatedDriver) -> None:
    texture = device.CreateTexture(4, 4, 1, 0, A8R8G8B8, Pool.MANAGED)
    texture.LockRect(0).view(np.uint32)[:] = np.arange(16).reshape(4, 4) * 0x101010
    texture.UnlockRect(0)
    device.SetTexture(0, texture)
    device.SetTextureStageState(0, D3DTSS.COLOROP, 2)  # SELECTARG1: the texture
    device.SetVertexShader(Fvf.XYZRHW | Fvf.TEX1)
    corners = np.zeros(4, [("position", "f4", 4), ("uv", "f4", 2)])
    corners["position"] = [(-0.5, -0.5, 0, 1), (3.5, -0.5, 0, 1), (-0.5, 3.5, 0, 1), (3.5, 3.5, 0, 1)]
    corners["uv"] = [(0, 0), (1, 0), (0, 1), (1, 1)]
    device.SetRenderState(D3DRS.CULLMODE, 1)
    device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, corners, corners.itemsize)
    np.testing.assert_array_equal(picture(device)[:4, :4], np.arange(16).reshape(4, 4) * 0x101010)
    with_lock = texture.LockRect(0, (1, 1, 3, 3))
    assert with_lock.view(np.uint32).tolist() == [[0x505050, 0x606060], [0x909090, 0xA0A0A0]]
    with_lock[:] = 0
    texture.UnlockRect(0)
    device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, corners, corners.itemsize)
    seen = picture(device)[:4, :4]
    assert not seen[1:3, 1:3].any() and seen[3, 3] == 0xF0F0F0 and driver.findings == []


def test_buffers_keep_what_is_not_locked(device: Any) -> None:
    buffer = device.CreateVertexBuffer(16, 0, 0, Pool.DEFAULT)
    buffer.Lock()[:] = 7
    buffer.Unlock()
    part = buffer.Lock(4, 8)
    assert len(part) == 8 and part.tolist() == [7] * 8
    part[:] = 9
    buffer.Unlock()
    assert buffer.Lock(0, 0, LockFlag.READONLY).tolist() == [7] * 4 + [9] * 8 + [7] * 4
    buffer.Unlock()
    assert (buffer.GetDesc()["Size"], buffer.GetType()) == (16, ResourceType.VERTEXBUFFER)


def test_cubes_and_volumes_are_locked_by_face_and_box(device: Any) -> None:
    cube = device.CreateCubeTexture(4, 2, 0, A8R8G8B8, Pool.SYSTEMMEM)
    cube.LockRect(CubeFace.NEGATIVE_Y, 1)[:] = 5
    cube.UnlockRect(CubeFace.NEGATIVE_Y, 1)
    face = cube.GetCubeMapSurface(CubeFace.NEGATIVE_Y, 1)
    assert face.LockRect().tolist() == [[5] * 8] * 2
    face.UnlockRect()
    volume = device.CreateVolumeTexture(4, 4, 4, 1, 0, A8R8G8B8, Pool.SYSTEMMEM)
    volume.LockBox(0, (1, 1, 3, 3, 1, 2))[:] = 6
    volume.UnlockBox(0)
    level = volume.GetVolumeLevel(0)
    seen = level.LockBox(None, LockFlag.READONLY)
    assert seen.shape == (4, 4, 16) and seen.sum() == 6 * 16 and seen[1, 1:3, 4:12].min() == 6
    level.UnlockBox()
    assert level.GetDesc()["Depth"] == 4


def test_blocks_of_compressed_textures_are_rows(device: Any) -> None:
    texture = device.CreateTexture(16, 8, 1, 0, int.from_bytes(b"DXT1", "little"), Pool.SYSTEMMEM)
    rows = texture.LockRect(0)
    assert rows.shape == (2, 32)
    rows[1, 8:16] = 3
    texture.UnlockRect(0)
    part = texture.LockRect(0, (4, 4, 8, 8))
    assert part.tolist() == [[3] * 8]
    texture.UnlockRect(0)


def test_what_was_set_can_be_asked(device: Any) -> None:
    matrix, light = np.arange(16, dtype=np.float32).reshape(4, 4), D3DLIGHT8(2, (1, 0, 0, 1), Theta=0.5, Phi=1)
    device.SetTransform(TransformState.TEXTURE3, matrix)
    device.SetLight(300, light)
    device.LightEnable(300, 1)
    device.SetMaterial(D3DMATERIAL8((0.25, 0.5, 0.75, 1), Power=3))
    device.SetViewport((1, 1, 4, 4))
    device.SetClipPlane(2, (1, 2, 3, 4))
    device.SetRenderState(D3DRS.FOGSTART, 0.5)
    device.SetVertexShaderConstant(3, [[1, 2, 3, 4]], 1)
    device.SetPixelShaderConstant(3, [[5, 6, 7, 8]], 1)
    np.testing.assert_array_equal(device.GetTransform(TransformState.TEXTURE3), matrix)
    assert device.GetLight(300).Diffuse == (1, 0, 0, 1) and device.GetLight(300).Phi == 1 and device.GetLightEnable(300)
    assert device.GetMaterial().Diffuse == (0.25, 0.5, 0.75, 1) and device.GetMaterial().Power == 3
    assert device.GetViewport() == D3DVIEWPORT8(1, 1, 4, 4, 0, 1) and device.GetClipPlane(2).tolist() == [1, 2, 3, 4]
    assert device.GetRenderState(D3DRS.FOGSTART) == 0x3F000000
    assert device.GetVertexShaderConstant(3, 1).tolist() == [[1, 2, 3, 4]]
    assert device.GetPixelShaderConstant(3, 1).tolist() == [[5, 6, 7, 8]]
    assert device.GetTextureStageState(1, D3DTSS.TEXCOORDINDEX) == 1


def test_the_front_buffer_shows_what_was_presented(device: Any) -> None:
    device.Clear(0, None, ClearFlag.TARGET, 0x112233, 1.0, 0)
    device.Present()
    image = device.CreateImageSurface(16, 8, 22)
    device.GetFrontBuffer(image)
    assert (image.LockRect().view(np.uint32) & 0xFFFFFF == 0x112233).all()


def test_the_driver_is_asked_for_its_caps(device: Any) -> None:
    caps = device.GetDeviceCaps()
    assert caps["MaxTextureWidth"] >= 2048 and caps == device.GetDirect3D().GetDeviceCaps(0, 1)


def test_source_calls_reach_the_sink_with_names_and_values() -> None:
    lines: list[str] = []

    def sink(calls: Calls) -> None:
        lines.extend(str(describe(calls, i)) for i in range(len(calls)))

    direct3d = Direct3DCreate8(EmulatedDriver(draws=False), source_sink=sink)
    device = direct3d.CreateDevice(0, 1, 0, 64, D3DPRESENT_PARAMETERS(4, 4))
    device.SetViewport((1, 2, 3, 4))
    device.Clear(0, None, 1, 7, 0.5, 0)
    assert lines[0] == "Direct3DCreate8(SDKVersion = 220)"
    assert "pViewport = &{X = 1, Y = 2, Width = 3, Height = 4, MinZ = 0, MaxZ = 1}" in lines[2]
    assert lines[3].endswith("Count = 0, pRects = NULL, Flags = 1, Color = 7, Z = 0.5, Stencil = 0)")


BEYOND = {
    "Clear, Z": (0, None, 1, 0, 1e39, 0),
    "SetRenderState, Value": (36, 1e39),
    "SetTextureStageState, Value": (0, 19, np.float64(-1e39)),
    "SetTransform, pMatrix": (2, [1e39] * 16),
    "MultiplyTransform, pMatrix": (2, np.full((4, 4), 1e300)),
    "SetViewport, pViewport": ((0, 0, 1, 1, 0, 10**400),),
    "SetLight, pLight": (0, D3DLIGHT8(3, (1, 1, 1e39, 1))),
    "SetClipPlane, pPlane": (0, (0, 0, -(10**400), 1)),
    "SetVertexShaderConstant, pConstantData": (0, [1, 2, 3, 1e39], 1),
    "SetPixelShaderConstant, pConstantData": (0, [1, 2, 3, 10**400], 1),
}


@pytest.mark.parametrize("where", BEYOND)
def test_numbers_beyond_float32_are_refused(device: Any, where: str) -> None:
    with pytest.raises(BadInput, match=f"^IDirect3DDevice8::{where}: a number is beyond the range of float32$"):
        getattr(device, where.split(",")[0])(*BEYOND[where])


@pytest.mark.parametrize("where", ["Clear", "SetLight", "DrawTriPatch"])
def test_doubles_beyond_float32_in_a_trace_are_told(device: Any, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """Direct3D 8 has no doubles, a foreign or damaged trace may: the call is left out whole, and the next ones are done."""
    runtime, far = device._desk.runtime, 1e39
    arguments = {"Clear": (0, None, 1, 0, far, 0), "SetLight": (7, D3DLIGHT8(3, (1, 1, far, 1))),
                 "DrawTriPatch": (3, (1.0, far, 1.0), None)}[where]  # fmt: skip
    monkeypatch.setattr(runtime, "strict", False)
    monkeypatch.setattr(script, "FLOAT", DOUBLE)
    monkeypatch.setattr(script, "float_bytes", lambda value: np.float64(value).tobytes())
    runtime.flush()
    getattr(device, where)(*arguments)
    assert runtime.commands.empty
    (sentence,) = [finding.text for _, finding in runtime.findings]
    assert where in sentence and "invalid arguments" in sentence
    device.SetRenderState(24, 5)
    assert device.GetRenderState(24) == 5


def test_products_beyond_float32_become_infinite(device: Any) -> None:
    for _ in range(3):
        device.MultiplyTransform(2, np.full((4, 4), 1e30))
    assert np.isinf(device.GetTransform(2)).all()


def test_infinities_are_passed_on(device: Any) -> None:
    device.SetVertexShaderConstant(0, [np.inf, -np.inf, 3e38, 0], 1)
    device.SetRenderState(36, np.inf)
    assert device.GetVertexShaderConstant(0, 1).tolist() == [[np.inf, -np.inf, float(np.float32(3e38)), 0]]
    assert device.GetRenderState(36) == 0x7F800000


def test_misused_objects_are_refused(device: Any) -> None:
    texture = device.CreateTexture(1, 1, 1, 0, A8R8G8B8, Pool.DEFAULT)
    assert texture.AddRef() == 2 and texture.Release() == 1 and texture.Release() == 0
    with pytest.raises(BadInput):
        texture.Release()
    with pytest.raises(BadInput):
        device.SetTexture(0, texture)
    with pytest.raises(BadInput):
        device.SetViewport((1, 2, 3, 4, 5, 6, 7))
    with pytest.raises(BadInput):
        device._do("SetRenderState", object(), 1)
