"""One program on every profile: whoever processes the vertices, and by whichever tokens they come, the picture is the same."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.ddi.stream.shader_assemble import assemble
from core.runtime.d3d8 import (
    D3DCOLORVALUE,
    D3DLIGHT8,
    D3DMATERIAL8,
    D3DPRESENT_PARAMETERS,
    D3DRS,
    D3DTSS,
    D3DVECTOR,
    D3DError,
    Direct3DCreate8,
    IDirect3D8,
    IDirect3DDevice8,
)
from core.spec.caps import DevCaps
from core.spec.enums import CreateFlag, Fvf, Pool, PrimitiveType
from core.spec.profiles import PROFILES
from core.spec.tokens import TOKENS

PERSPECTIVE = np.array([[1.1, 0, 0, 0], [0, 1.5, 0, 0], [0, 0, 1.02, 1], [0, 0, -1.02, 0]], np.float32)
VERTEX = np.dtype([("position", "f4", 3), ("normal", "f4", 3), ("uv", "f4", 2)])
FORMAT = int(Fvf.XYZ | Fvf.NORMAL) | 0x100
BLACK = D3DCOLORVALUE(0, 0, 0, 0)


class Watched(EmulatedDriver):
    """An emulated driver that counts the tokens it gets."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile, check=True)
        self.tokens: Counter[str] = Counter()
        self.entries: Counter[str] = Counter()

    def call(self, call: DdiCall) -> DdiCall:
        self.entries[call.entry] += 1
        if call.entry == "DrawPrimitives2":
            scan = dp2.scan(np.frombuffer(call.data["commands"], np.uint8), vertex_stride=call.args["vertex_size"])
            assert scan.error is None
            self.tokens.update(TOKENS[op].name for op in scan.records["op"].tolist())
        return super().call(call)


def start(driver: EmulatedDriver, software: bool = False) -> tuple[IDirect3D8, IDirect3DDevice8]:
    """A device that suits the driver, as programs choose it."""
    d3d = Direct3DCreate8(driver)
    hardware = d3d.GetDeviceCaps(0, 1)["DevCaps"] & DevCaps.HWTRANSFORMANDLIGHT and not software
    behavior = CreateFlag.HARDWARE_VERTEXPROCESSING if hardware else CreateFlag.SOFTWARE_VERTEXPROCESSING
    parameters = D3DPRESENT_PARAMETERS(96, 72, EnableAutoDepthStencil=1, AutoDepthStencilFormat=80)
    return d3d, d3d.CreateDevice(0, 1, 0, behavior, parameters)


def quad() -> np.ndarray:
    vertices = np.zeros(4, VERTEX)
    vertices["position"] = [(-1.5, -1.5, 0), (-1.5, 1.5, 0), (1.5, -1.5, 0), (1.5, 1.5, 0)]
    vertices["normal"], vertices["uv"] = (0, 0, -1), [(0, 1), (0, 0), (1, 1), (1, 0)]
    return vertices


def turned(x: float, y: float, z: float, angle: float = 0.7) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [x, y, z, 1]], np.float32)


def prepare(device: IDirect3DDevice8) -> None:
    """Transforms, a light, fog, and a texture whose coordinates are transformed."""
    device.Clear(0, None, 3, 0xFF102030, 1.0, 0)
    device.SetTransform(2, np.eye(4, dtype=np.float32))
    device.SetTransform(3, PERSPECTIVE)
    for state, value in ((D3DRS.CULLMODE, 1), (D3DRS.AMBIENT, 0x404040), (D3DRS.FOGENABLE, 1), (D3DRS.FOGCOLOR, 0x8080FF),
                         (D3DRS.FOGVERTEXMODE, 3), (D3DRS.FOGSTART, 0x3F800000), (D3DRS.FOGEND, 0x41200000)):  # fmt: skip
        device.SetRenderState(state, value)
    direction, white = D3DVECTOR(0.3, -0.5, 0.8), D3DCOLORVALUE(1, 1, 0.8, 1)
    light = D3DLIGHT8(3, white, BLACK, BLACK, D3DVECTOR(0, 0, 0), direction, 10.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    device.SetLight(0, light)
    device.LightEnable(0, 1)
    device.SetMaterial(D3DMATERIAL8(D3DCOLORVALUE(1, 0.5, 0.2, 1), D3DCOLORVALUE(1, 1, 1, 1), BLACK, BLACK, 0.0))
    texture = device.CreateTexture(4, 4, 1, 0, 21, Pool.MANAGED)
    texels = texture.LockRect(0).view(np.uint32).reshape(4, 4)
    texels[:] = np.where(np.add.outer(np.arange(4), np.arange(4)) % 2, 0xFFFFFFFF, 0xFF8080C0)
    texture.UnlockRect(0)
    device.SetTexture(0, texture)
    for state, value in ((D3DTSS.COLOROP, 4), (D3DTSS.COLORARG1, 2), (D3DTSS.COLORARG2, 0), (D3DTSS.TEXTURETRANSFORMFLAGS, 2)):
        device.SetTextureStageState(0, state, value)
    device.SetTransform(16, np.diag(np.array([2, 1, 1, 1], np.float32)))


def scene(driver: EmulatedDriver, software: bool = False, **states: int) -> np.ndarray:
    """Strips, clipped indexed triangles, fans, lines and points; returns the picture."""
    _, device = start(driver, software)
    prepare(device)
    device.BeginScene()
    for name, value in states.items():
        device.SetRenderState(D3DRS[name], value)
    vertices = quad()
    buffer = device.CreateVertexBuffer(vertices.nbytes, 8, FORMAT, Pool.DEFAULT)
    buffer.Lock(0, 0, 0)[:] = vertices.view(np.uint8)
    buffer.Unlock()
    indices = device.CreateIndexBuffer(12, 8, 101, Pool.DEFAULT)
    indices.Lock(0, 0, 0)[:] = np.array([0, 1, 2, 2, 1, 3], np.uint16).view(np.uint8)
    indices.Unlock()
    device.SetVertexShader(FORMAT)
    device.SetStreamSource(0, buffer, 32)
    device.SetIndices(indices, 0)
    device.SetTransform(256, turned(0, 0, 3))
    device.DrawPrimitive(PrimitiveType.TRIANGLESTRIP, 0, 2)
    device.DrawIndexedPrimitive(PrimitiveType.TRIANGLELIST, 0, 4, 0, 2)
    device.SetTransform(256, turned(1.5, 0.5, 1.6))  # through the near plane
    device.DrawIndexedPrimitive(PrimitiveType.TRIANGLELIST, 0, 4, 0, 2)
    device.SetTransform(256, turned(-2, -1.2, 4))
    device.DrawPrimitiveUP(PrimitiveType.TRIANGLEFAN, 2, vertices[[0, 1, 3, 2]], 32)
    device.SetTransform(256, turned(0, 1.5, 3))
    device.DrawIndexedPrimitiveUP(PrimitiveType.LINESTRIP, 0, 4, 4, np.array([0, 1, 3, 2, 0], np.uint16), 101, vertices, 32)
    device.DrawPrimitiveUP(PrimitiveType.POINTLIST, 4, vertices, 32)
    device.EndScene()
    return driver.rgba("render_target").astype(int)


@pytest.mark.parametrize("states", [{}, {"SHADEMODE": 1}, {"FILLMODE": 2}], ids=["gouraud", "flat", "wireframe"])
def test_every_profile_draws_the_same_picture(states: dict[str, int]) -> None:
    pictures = {name: scene(Watched(name), **states) for name in PROFILES}
    full = pictures["full"]
    assert (full != full[0, 0]).any(axis=-1).sum() > 400
    for name, picture in pictures.items():
        different = (np.abs(picture - full) > 2).any(axis=-1)  # colours of transformed vertices have eight bits
        # edges of clipped triangles begin elsewhere, and may round to the pixel beside
        assert np.count_nonzero(different) <= (8 if states.get("FILLMODE") == 2 else 0), name


@pytest.mark.parametrize(
    ("profile", "used", "never"),
    [
        ("full", {"DRAWPRIMITIVE", "DRAWINDEXEDPRIMITIVE", "SETLIGHT", "SETSTREAMSOURCE"}, {"DRAWPRIMITIVE2", "TRIANGLESTRIP"}),
        ("fixed", {"DRAWPRIMITIVE2", "DRAWINDEXEDPRIMITIVE2", "CLIPPEDTRIANGLEFAN", "SETVERTEXSHADER"},
         {"DRAWPRIMITIVE", "SETLIGHT", "SETMATERIAL", "SETSTREAMSOURCE", "TRIANGLESTRIP"}),
        ("minimum", {"DRAWPRIMITIVE2", "CLIPPEDTRIANGLEFAN"}, {"DRAWPRIMITIVE", "SETLIGHT"}),
        ("dx7", {"TRIANGLESTRIP", "TRIANGLEFAN", "TRIANGLEFAN_IMM", "INDEXEDTRIANGLELIST2", "INDEXEDLINESTRIP", "POINTS"},
         {"DRAWPRIMITIVE", "DRAWPRIMITIVE2", "SETVERTEXSHADER", "SETSTREAMSOURCEUM", "SETPIXELSHADER", "SETLIGHT"}),
    ],
)  # fmt: skip
def test_the_tokens_are_those_of_the_driver(profile: str, used: set[str], never: set[str]) -> None:
    driver = Watched(profile)
    scene(driver)
    assert used <= set(driver.tokens), driver.tokens
    assert not never & set(driver.tokens)
    assert [one for one in driver.findings if one.severity == "error"] == []


def test_a_program_may_want_software_on_a_driver_that_transforms() -> None:
    hardware, software = Watched("full"), Watched("full")
    pictures = [scene(hardware), scene(software, software=True)]
    assert np.abs(pictures[0] - pictures[1]).max() <= 2
    assert {"DRAWPRIMITIVE2", "DRAWINDEXEDPRIMITIVE2", "CLIPPEDTRIANGLEFAN"} <= set(software.tokens)
    assert not {"DRAWPRIMITIVE", "SETLIGHT", "SETMATERIAL", "SETSTREAMSOURCE"} & set(software.tokens)
    assert [one for one in software.findings if one.severity == "error"] == []
    _, device = start(EmulatedDriver(), software=True)
    assert refused(lambda: device.DrawRectPatch(0, [1.0] * 4, (0, 0, 4, 4, 4, 0, 3)))


def test_a_vertex_shader_runs_in_software_too() -> None:
    code = assemble("vs_1_1\nm4x4 oPos, v0, c0\nmov oD0, c4\nmov oT0, v7")
    declaration = [0x20000000, 0x40020000, 0x40010007, 0xFFFFFFFF]
    pictures = []
    for name in ("full", "fixed"):
        driver = Watched(name)
        _, device = start(driver)
        prepare(device)
        device.SetRenderState(D3DRS.FOGENABLE, 0)
        shader = device.CreateVertexShader(declaration, code)
        device.SetVertexShader(shader)
        matrix = (turned(0, 0, 3) @ PERSPECTIVE).T
        device.SetVertexShaderConstant(0, np.vstack([matrix, [[0, 1, 0, 1]]]), 5)
        vertices = np.zeros(4, [("position", "f4", 3), ("uv", "f4", 2)])
        vertices["position"], vertices["uv"] = quad()["position"], quad()["uv"]
        device.BeginScene()
        device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, vertices, 20)
        device.EndScene()
        pictures.append(driver.rgba("render_target").astype(int))
        assert ("CREATEVERTEXSHADER" in driver.tokens) == (name == "full")
    assert np.abs(pictures[0] - pictures[1]).max() <= 2
    assert len(np.unique(pictures[0].reshape(-1, 4), axis=0)) > 2


def refused(act: Any) -> bool:
    try:
        act()
    except D3DError:
        return True
    return False


def test_a_pure_device_cannot_be_asked_for_its_state() -> None:
    """DX8 DDI, Pure Device Support: no state can be queried back, no clip status, no ProcessVertices."""
    behavior = CreateFlag.HARDWARE_VERTEXPROCESSING | CreateFlag.PUREDEVICE
    device = Direct3DCreate8(EmulatedDriver()).CreateDevice(0, 1, 0, behavior, D3DPRESENT_PARAMETERS(32, 32))
    buffer = device.CreateVertexBuffer(64, 0, int(Fvf.XYZRHW), Pool.DEFAULT)
    device.SetRenderState(7, 0)
    for ask in (
        lambda: device.GetRenderState(7), lambda: device.GetTransform(2), lambda: device.GetVertexShaderConstant(0, 1),
        device.GetClipStatus, lambda: device.SetClipStatus(None), lambda: device.ProcessVertices(0, 0, 1, buffer),
    ):  # fmt: skip
        assert refused(ask)
    assert device.GetIndices()[0] is None  # no state block holds these


def test_what_a_profile_lacks_fails_in_the_api() -> None:
    d3d = Direct3DCreate8(EmulatedDriver("fixed"))
    parameters = D3DPRESENT_PARAMETERS(32, 32)
    assert refused(lambda: d3d.CreateDevice(0, 1, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, parameters))
    assert refused(lambda: d3d.CreateDevice(0, 1, 0, CreateFlag.SOFTWARE_VERTEXPROCESSING | CreateFlag.PUREDEVICE, parameters))
    _, device = start(EmulatedDriver("minimum"))
    assert refused(lambda: device.CreatePixelShader(assemble("ps_1_1\nmov r0, c0")))
    assert refused(lambda: device.CreateTexture(4, 4, 1, 0, 0x31545844, Pool.DEFAULT))  # DXT1
    assert refused(lambda: device.DrawRectPatch(0, [1.0] * 4, (0, 0, 4, 4, 4, 0, 3)))
    assert not refused(lambda: device.CreateTexture(4, 4, 1, 0, 23, Pool.DEFAULT))


def test_caps_are_what_the_application_may_see() -> None:
    private = DevCaps.HWVERTEXBUFFER | DevCaps.HWINDEXBUFFER
    full = Direct3DCreate8(EmulatedDriver()).GetDeviceCaps(0, 1)
    assert (full["DeviceType"], full["DevCaps"] & private) == (1, 0)
    assert PROFILES["full"].dwords["DevCaps"] & private == private
    d3d, device = start(EmulatedDriver("fixed"))
    assert d3d.GetDeviceCaps(0, 1)["MaxStreams"] == 16  # the runtime's own vertex processing
    assert device.GetDeviceCaps()["VertexShaderVersion"] == 0xFFFE0101
    old, _ = start(EmulatedDriver("dx7"))
    assert old.GetDeviceCaps(0, 1)["MaxTextureWidth"] == PROFILES["dx7"].dwords["MaxTextureWidth"]


def test_buffers_stay_in_system_memory_without_the_bits() -> None:
    places = {}
    for name in ("full", "fixed"):
        driver = EmulatedDriver(name)
        _, device = start(driver)
        device.CreateVertexBuffer(64, 0, 0, Pool.DEFAULT)
        places[name] = {buffer.facts["memory"] for buffer in driver.device.memory.buffers.values() if buffer.kind == "vertex"}
        assert not [one for one in driver.findings if one.rule == "buffer-memory"]
    assert places == {"full": {"video"}, "fixed": {"system"}}


def test_a_shader_that_the_driver_refuses_fails_in_the_api() -> None:
    _, device = start(EmulatedDriver())
    with pytest.raises(D3DError) as caught:
        device.CreatePixelShader([0xFFFF0101, 0x7777, 0xFFFF])
    assert caught.value.result == 0x8876086D  # what the driver answered


A8R8G8B8, X8R8G8B8, R5G6B5, DXT1, D16, D24S8 = 21, 22, 23, 0x31545844, 80, 75
SURFACE, TEXTURE, VOLUME, CUBE = 1, 3, 4, 5
TARGET, DEPTH = 1, 2


@pytest.mark.parametrize(
    ("profile", "usage", "kind", "format", "fits"),
    [
        ("full", 0, TEXTURE, DXT1, True), ("minimum", 0, TEXTURE, DXT1, False), ("dx7", 0, TEXTURE, DXT1, True),
        ("full", 0, VOLUME, A8R8G8B8, True), ("minimum", 0, VOLUME, A8R8G8B8, False), ("dx7", 0, VOLUME, A8R8G8B8, False),
        ("full", 0, CUBE, A8R8G8B8, True), ("minimum", 0, CUBE, A8R8G8B8, False),
        ("full", TARGET, TEXTURE, R5G6B5, True), ("full", TARGET, TEXTURE, DXT1, False),
        ("minimum", DEPTH, SURFACE, D16, True), ("minimum", DEPTH, SURFACE, D24S8, False), ("dx7", DEPTH, SURFACE, D24S8, True),
        ("full", DEPTH, SURFACE, A8R8G8B8, False), ("full", 0, TEXTURE, 9999, False),
    ],
)  # fmt: skip
def test_formats_are_those_of_the_driver(profile: str, usage: int, kind: int, format: int, fits: bool) -> None:
    d3d = Direct3DCreate8(EmulatedDriver(profile))
    assert d3d.CheckDeviceFormat(0, 1, X8R8G8B8, usage, kind, format) == fits


def test_display_modes_samples_and_matching_depth() -> None:
    full, minimum = (Direct3DCreate8(EmulatedDriver(name)) for name in ("full", "minimum"))
    assert full.CheckDeviceType(0, 1, X8R8G8B8, A8R8G8B8, 1)
    assert not full.CheckDeviceType(0, 1, A8R8G8B8, A8R8G8B8, 1)  # no display mode has alpha
    assert full.CheckDeviceMultiSampleType(0, 1, X8R8G8B8, 1, 4)
    assert not minimum.CheckDeviceMultiSampleType(0, 1, X8R8G8B8, 1, 4)
    assert minimum.CheckDeviceMultiSampleType(0, 1, X8R8G8B8, 0, 0)
    assert full.CheckDepthStencilMatch(0, 1, X8R8G8B8, R5G6B5, D24S8)
    assert not full.CheckDepthStencilMatch(0, 1, X8R8G8B8, R5G6B5, A8R8G8B8)


@pytest.mark.parametrize(("profile", "entry"), [("full", "Blt"), ("stretch", "Flip")])
def test_samples_are_resolved_by_a_flip_where_the_driver_stretches(profile: str, entry: str) -> None:
    """DX8 DDI, "Multi-sample Support via StretchBlt": sample counts for flips only; one full screen present is one flip."""
    driver = Watched(profile)
    d3d = Direct3DCreate8(driver)
    assert d3d.CheckDeviceMultiSampleType(0, 1, X8R8G8B8, 0, 4)
    assert d3d.CheckDeviceMultiSampleType(0, 1, X8R8G8B8, 1, 4) == (profile == "full")
    parameters = D3DPRESENT_PARAMETERS(16, 16, MultiSampleType=4, Windowed=0, SwapEffect=1)
    device = d3d.CreateDevice(0, 1, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, parameters)
    device.Clear(0, None, 1, 0xFF000000, 1.0, 0)
    device.SetRenderState(D3DRS.LIGHTING, 0)
    corners = np.zeros(3, [("position", "f4", 4), ("color", "u4")])
    corners["position"] = [(0, 0, 0.5, 1), (8, 0, 0.5, 1), (0, 8, 0.5, 1)]
    corners["color"] = 0xFFFFFFFF
    device.SetVertexShader(int(Fvf.XYZRHW | Fvf.DIFFUSE))
    device.BeginScene()
    device.DrawPrimitiveUP(PrimitiveType.TRIANGLELIST, 1, corners, 20)
    device.EndScene()
    device.Present()
    assert driver.entries[entry] == 1 and driver.entries["Flip"] + driver.entries["Blt"] == 1
    shown = driver.rgba("primary")[..., 0]
    assert shown[2, 2] == 255 and shown[12, 12] == 0
    assert {0, 255} < set(np.unique(shown).tolist())  # some pixels of the edge are covered in part
    assert not [one for one in driver.findings if one.severity == "error"]


def test_the_driver_is_asked_for_its_formats_once() -> None:
    driver = Watched("minimum")
    d3d = Direct3DCreate8(driver)
    for _ in range(3):
        d3d.CheckDeviceFormat(0, 1, X8R8G8B8, 0, TEXTURE, A8R8G8B8)
    assert driver.entries["GetDriverInfo"] == 2 + len(PROFILES["minimum"].rows)  # capabilities, the count, and each
    assert driver.entries["GetHalInfo"] == 1


def test_a_device_learns_all_formats_of_its_driver() -> None:
    """DX8 DDI, "Texture Format List": the runtime queries the count, then each surface format in turn."""
    driver = Watched("minimum")
    start(driver)
    assert driver.entries["GetDriverInfo"] >= 2 + len(PROFILES["minimum"].rows)


SIZED = np.dtype([("position", "f4", 3), ("size", "f4"), ("color", "u4")])


def points(software: bool, **states: float) -> np.ndarray:
    """Which pixels points of three sizes and depths cover."""
    driver = Watched("full")
    _, device = start(driver, software)
    device.Clear(0, None, 3, 0xFF000000, 1.0, 0)
    for name, value in ({"LIGHTING": 0, "POINTSIZE_MAX": 64.0} | states).items():
        device.SetRenderState(D3DRS[name], value)
    rows = [((-0.5, 0.5, 0.25), 3, 0xFFFFFFFF), ((0, 0, 0.5), 6, 0xFFFFFFFF), ((0.5, -0.5, 0.75), 11, 0xFFFFFFFF)]
    device.SetVertexShader(int(Fvf.XYZ | Fvf.PSIZE | Fvf.DIFFUSE))
    device.BeginScene()
    device.DrawPrimitiveUP(PrimitiveType.POINTLIST, 3, np.array(rows, SIZED), SIZED.itemsize)
    device.EndScene()
    assert not [one for one in driver.findings if one.severity == "error"]
    return driver.rgba("render_target")[..., 0] == 255


@pytest.mark.parametrize(("states", "sides"), [
    ({}, [3, 6, 11]), ({"POINTSIZE_MAX": 5.0}, [3, 5, 5]),
    ({"POINTSCALEENABLE": 1, "POINTSCALE_A": 16.0, "POINTSCALE_B": 0.0, "POINTSCALE_C": 0.0}, [54, 64, 64]),
])  # fmt: skip
@pytest.mark.parametrize("software", [False, True])
def test_points_have_their_sizes_whoever_processes_them(software: bool, states: dict[str, float], sides: list[int]) -> None:
    """D3DFVF_PSIZE, and Vh * Si * sqrt(1 / A) with 72 rows and A = 16: 18 times as large, cut by POINTSIZE_MAX."""
    found = points(software, **states)
    expected, (rows, columns) = np.zeros_like(found), found.shape
    for (x, y), side in zip([(24, 18), (48, 36), (72, 54)], sides, strict=True):
        expected[
            max(y - side // 2, 0) : min(y + (side + 1) // 2, rows), max(x - side // 2, 0) : min(x + (side + 1) // 2, columns)
        ] = True
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("software", [False, True])
@pytest.mark.parametrize(
    ("index", "wraps"), [(0, {"WRAP0": 1}), (1, {"WRAP1": 1}), (1, {"WRAP0": 1}), (3, {"WRAP0": 1, "WRAP3": 0})]
)
def test_wrapping_is_that_of_the_coordinate_set(software: bool, index: int, wraps: dict[str, int]) -> None:
    """DX8 SDK, Texture Wrapping: from u = 0.9 to 0.1 the shorter way is over the border, for the set that the stage reads."""
    driver = Watched("full")
    _, device = start(driver, software)
    device.Clear(0, None, 3, 0xFF000000, 1.0, 0)
    texture = device.CreateTexture(4, 1, 1, 0, A8R8G8B8, Pool.MANAGED)
    texture.LockRect(0).view(np.uint32)[:] = [0xFFFF0000, 0xFF00FF00, 0xFF00FF00, 0xFFFF0000]
    texture.UnlockRect(0)
    device.SetTexture(0, texture)
    states = {"LIGHTING": 0, "CULLMODE": 1} | wraps
    for name, value in states.items():
        device.SetRenderState(D3DRS[name], value)
    for state, value in ((D3DTSS.COLOROP, 2), (D3DTSS.COLORARG1, 2), (D3DTSS.TEXCOORDINDEX, index)):
        device.SetTextureStageState(0, state, value)
    corners = np.array(
        [(x, y, 0.5, *[0.9 if x < 0 else 0.1, 0.5] * 4) for x, y in ((-1, 1), (1, 1), (-1, -1), (1, -1))], np.float32
    )
    device.SetVertexShader(int(Fvf.XYZ) | 0x400)
    device.BeginScene()
    device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, corners, 44)
    device.EndScene()
    short = bool(wraps.get(f"WRAP{index}"))
    middle = driver.rgba("render_target")[36, 48, :2].tolist()
    assert middle == ([255, 0] if short else [0, 255])
