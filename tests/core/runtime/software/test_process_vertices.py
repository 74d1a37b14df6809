"""ProcessVertices against the formulas of the fixed-function pipeline."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.d3d8 import D3DLIGHT8, D3DMATERIAL8, D3DPRESENT_PARAMETERS, D3DRS, D3DTSS, D3DError, Direct3DCreate8
from core.spec.enums import CreateFlag, Fvf, LockFlag, Pool, TransformState

SOURCE = np.dtype([("position", "f4", 3), ("normal", "f4", 3), ("diffuse", "u4"), ("uv", "f4", 2)])
SOURCE_FVF = Fvf.XYZ | Fvf.NORMAL | Fvf.DIFFUSE | Fvf.TEX1
RESULT = np.dtype([("position", "f4", 4), ("diffuse", "u4"), ("uv", "f4", 2)])
RESULT_FVF = Fvf.XYZRHW | Fvf.DIFFUSE | Fvf.TEX1


@pytest.fixture
def device() -> Any:
    behavior = CreateFlag.SOFTWARE_VERTEXPROCESSING
    return Direct3DCreate8(EmulatedDriver()).CreateDevice(0, 1, 0, behavior, D3DPRESENT_PARAMETERS(64, 48))


def bind(device: Any, vertices: np.ndarray, fvf: int) -> None:
    buffer = device.CreateVertexBuffer(vertices.nbytes, 0, fvf, Pool.SYSTEMMEM)
    buffer.Lock()[:] = np.frombuffer(vertices.tobytes(), np.uint8)
    buffer.Unlock()
    device.SetStreamSource(0, buffer, vertices.itemsize)


def process(device: Any, start: int, count: int, at: int = 0, flags: int = 0, before: int = 0) -> np.ndarray:
    target = device.CreateVertexBuffer(RESULT.itemsize * 8, 0, RESULT_FVF, Pool.SYSTEMMEM)
    target.Lock()[:] = before
    target.Unlock()
    device.ProcessVertices(start, at, count, target, flags)
    whole = target.Lock(0, 0, LockFlag.READONLY).copy()
    target.Unlock()
    return whole.view(RESULT)


def test_positions_go_to_the_screen_and_the_rest_goes_along(device: Any) -> None:
    device.SetRenderState(D3DRS.LIGHTING, 0)
    projection = np.zeros((4, 4), np.float32)
    projection[0, 0], projection[1, 1], projection[2, 2], projection[2, 3], projection[3, 2] = 1, 1, 1, 1, -1
    device.SetTransform(TransformState.PROJECTION, projection)
    device.SetTransform(TransformState.WORLD, np.diag([2, 2, 1, 1]))
    device.SetViewport((8, 4, 32, 16, 0.25, 0.75))
    device.SetVertexShader(SOURCE_FVF)
    vertices = np.zeros(5, SOURCE)
    vertices["position"] = [(0.5 * i - 1, 0.25 * i, 2 + i) for i in range(5)]
    vertices["diffuse"], vertices["uv"] = [0x11223344 + i for i in range(5)], [(i, -i) for i in range(5)]
    bind(device, vertices, SOURCE_FVF)
    found = process(device, 1, 3, at=2)[2:5]
    x, y, z = vertices["position"][1:4].T
    clip = np.array([2 * x, 2 * y, z - 1, z])
    expected = [8 + 16 * (1 + clip[0] / clip[3]), 4 + 8 * (1 - clip[1] / clip[3]), 0.25 + 0.5 * clip[2] / clip[3], 1 / clip[3]]
    np.testing.assert_allclose(found["position"].T, expected, rtol=1e-6)
    assert found["diffuse"].tolist() == vertices["diffuse"][1:4].tolist()
    assert found["uv"].tolist() == vertices["uv"][1:4].tolist()


def test_nothing_is_clipped(device: Any) -> None:
    """Far beside, before the near plane, behind the eye: the formulas hold; coordinates pass disabled stages."""
    device.SetRenderState(D3DRS.LIGHTING, 0)
    device.SetTextureStageState(0, D3DTSS.COLOROP, 1)
    projection = np.diag([1.0, 1.0, 1.0, 0.0])
    projection[2, 3], projection[3, 2] = 1, -1
    device.SetTransform(TransformState.PROJECTION, projection)
    device.SetVertexShader(SOURCE_FVF)
    vertices = np.zeros(3, SOURCE)
    vertices["position"] = [(900, -700, 2), (0.25, 0.5, 0.5), (3, 4, -2)]
    vertices["uv"] = [(1, 2), (3, 4), (5, 6)]
    bind(device, vertices, SOURCE_FVF)
    found = process(device, 0, 3)[:3]
    x, y, z = vertices["position"].T
    np.testing.assert_allclose(found["position"].T, [32 * (1 + x / z), 24 * (1 - y / z), (z - 1) / z, 1 / z], rtol=1e-6)
    assert found["uv"].tolist() == vertices["uv"].tolist()


def test_vertices_are_lit(device: Any) -> None:
    device.SetVertexShader(SOURCE_FVF)
    device.SetRenderState(D3DRS.COLORVERTEX, 0)
    device.SetMaterial(D3DMATERIAL8((1, 0.5, 0, 1), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0.2, 0)))
    device.SetLight(3, D3DLIGHT8(3, (1, 1, 1, 1), Direction=(0, 0, 1)))
    device.LightEnable(3, 1)
    vertices = np.zeros(2, SOURCE)
    vertices["normal"] = [(0, 0, -1), (0, 0.8, -0.6)]
    bind(device, vertices, SOURCE_FVF)
    red_green_blue = process(device, 0, 2)["diffuse"][:2]
    assert red_green_blue.tolist() == [0xFFFF8033, 0xFF994D33]  # N.L is 1 and 0.6


def test_a_vertex_shader_runs(device: Any) -> None:
    code = struct.pack(  # vs_1_1: mov oPos, v0; mov oD0, c4
        "<8I", 0xFFFE0101, 0x00000001, 0xC00F0000, 0x90E40000, 0x00000001, 0xD00F0000, 0xA0E40004, 0x0000FFFF
    )  # fmt: skip
    shader = device.CreateVertexShader((0x20000000, 0x40030000, 0xFFFFFFFF), code)
    device.SetVertexShader(shader)
    device.SetVertexShaderConstant(4, [1, 0, 1, 0], 1)
    bind(device, np.array([(0, 0, 0.5, 1), (1, -1, 0, 2)], np.float32).view([("position", "f4", 4)]).reshape(-1), 0)
    found = process(device, 0, 2)
    np.testing.assert_allclose(found["position"][:2], [(32, 24, 0.5, 1), (48, 36, 0, 0.5)])
    assert found["diffuse"][0] == 0x00FF00FF


CASES: dict[str, tuple[Any, bool, bool]] = {  # what is set, and whether diffuse and coordinates are computed
    "nothing": (lambda device: None, False, False),
    "lighting": (lambda device: device.SetRenderState(D3DRS.LIGHTING, 1), True, False),
    "transformed coordinates": (lambda device: device.SetTextureStageState(0, D3DTSS.TEXTURETRANSFORMFLAGS, 2), False, True),
    "generated coordinates": (lambda device: device.SetTextureStageState(0, D3DTSS.TEXCOORDINDEX, 0x20000), False, True),
}


@pytest.mark.parametrize("case", CASES)
def test_with_do_not_copy_only_what_is_computed_is_written(device: Any, case: str) -> None:
    """D3D8 SDK, ProcessVertices: D3DPV_DONOTCOPYDATA leaves out "vertex data not affected by the vertex operation"."""
    change, diffuse, coordinates = CASES[case]
    device.SetRenderState(D3DRS.LIGHTING, 0)
    device.SetVertexShader(SOURCE_FVF)
    change(device)
    vertices = np.zeros(4, SOURCE)
    vertices["position"], vertices["diffuse"], vertices["uv"] = (0.5, -0.5, 0.25), 0x11223344, (3, 4)
    bind(device, vertices, SOURCE_FVF)
    whole, found = process(device, 0, 2, at=1), process(device, 0, 2, at=1, flags=1, before=0x5A)
    untouched = np.full(RESULT.itemsize, 0x5A, np.uint8).view(RESULT)
    assert (found[[0, 3]] == untouched).all()
    for field, written in (("position", True), ("diffuse", diffuse), ("uv", coordinates)):
        assert (found[1:3][field] == (whole[1:3] if written else untouched)[field]).all(), field


def test_with_do_not_copy_a_vertex_shader_leaves_what_it_does_not_write(device: Any) -> None:
    code = struct.pack("<8I", 0xFFFE0101, 1, 0xC00F0000, 0x90E40000, 1, 0xE00F0000, 0x90E40000, 0x0000FFFF)  # oPos, oT0
    device.SetVertexShader(device.CreateVertexShader((0x20000000, 0x40030000, 0xFFFFFFFF), code))
    bind(device, np.array([(0, 0, 0.5, 1), (1, -1, 0, 2)], np.float32).view([("position", "f4", 4)]).reshape(-1), 0)
    found = process(device, 0, 2, flags=1, before=0x5A)
    assert found["diffuse"].tolist() == [0x5A5A5A5A] * 8
    assert found["uv"][:2].tolist() == [[0, 0], [1, -1]]


def test_what_is_computed_and_no_number_has_one_bit_pattern(device: Any) -> None:
    """0 * infinity is another NaN on arm64 than on x86, whose pattern is the one; a colour of it is 0."""
    moves = [word for register in (0xC00F0000, 0xD00F0000, 0xE00F0000) for word in (1, register, 0x90E40000)]  # oPos, oD0, oT0
    code = struct.pack("<11I", 0xFFFE0101, *moves, 0x0000FFFF)
    device.SetVertexShader(device.CreateVertexShader((0x20000000, 0x40030000, 0xFFFFFFFF), code))
    words = np.array([0x7FC00123, 0, 0x3F000000, 0x3F800000] * 2, np.uint32)
    bind(device, words.view([("position", "f4", 4)]), 0)
    found = process(device, 0, 2)[:2]
    assert found["position"].view(np.uint32)[:, 0].tolist() == found["uv"].view(np.uint32)[:, 0].tolist() == [0xFFC00000] * 2
    assert found["diffuse"].tolist() == [0xFF000080] * 2


def test_what_is_copied_keeps_its_bits(device: Any) -> None:
    device.SetRenderState(D3DRS.LIGHTING, 0)
    device.SetVertexShader(SOURCE_FVF)
    vertices = np.zeros(2, SOURCE)
    vertices["uv"].view(np.uint32)[:] = 0x7FC12345, 0xFFFFFFFF
    bind(device, vertices, SOURCE_FVF)
    assert process(device, 0, 2)["uv"].view(np.uint32)[:2].tolist() == [[0x7FC12345, 0xFFFFFFFF]] * 2


def test_what_cannot_be_processed_is_refused(device: Any) -> None:
    vertices = np.zeros(2, SOURCE)
    bind(device, vertices, SOURCE_FVF)
    device.SetVertexShader(SOURCE_FVF)
    small = device.CreateVertexBuffer(RESULT.itemsize, 0, RESULT_FVF, Pool.SYSTEMMEM)
    with pytest.raises(D3DError):
        device.ProcessVertices(0, 0, 2, small)
    with pytest.raises(D3DError):
        device.ProcessVertices(0, 0, 1, device.CreateVertexBuffer(64, 0, Fvf.XYZ, Pool.SYSTEMMEM))
    hardware = Direct3DCreate8(EmulatedDriver()).CreateDevice(0, 1, 0, 0x40, D3DPRESENT_PARAMETERS(8, 8))
    bind(hardware, vertices, SOURCE_FVF)
    hardware.ProcessVertices(0, 0, 1, hardware.CreateVertexBuffer(64, 0, RESULT_FVF, Pool.SYSTEMMEM))
    assert [found.rule for _, found in hardware._desk.runtime.findings] == ["runtime-unimplemented"]


@pytest.mark.parametrize(
    ("states", "alpha"),
    [({"FOGENABLE": 1, "FOGVERTEXMODE": 3}, [1, 0.5, 0]), ({"FOGENABLE": 1, "FOGVERTEXMODE": 0}, [0.2] * 3),
     ({"FOGENABLE": 1, "FOGVERTEXMODE": 3, "FOGTABLEMODE": 3}, [0.2] * 3), ({"FOGENABLE": 0, "FOGVERTEXMODE": 3}, [0.2] * 3)],
)  # fmt: skip
@pytest.mark.parametrize("flags", [0, 1])
def test_the_fog_factor_goes_into_specular_alpha(device: Any, states: dict[str, int], alpha: list[float], flags: int) -> None:
    """Where vertices that are drawn transformed have it (DX8 SDK, Vertex Fog); D3DPV_DONOTCOPYDATA leaves what is no factor."""
    for name, value in {**states, "LIGHTING": 0, "FOGSTART": 1.0, "FOGEND": 3.0}.items():
        device.SetRenderState(D3DRS[name], value)
    source = np.zeros(3, [("position", "f4", 3), ("specular", "u4")])
    source["position"][:, 2], source["specular"] = [0.5, 2, 5], 0x33445566
    fvf, result = Fvf.XYZ | Fvf.SPECULAR, np.dtype([("position", "f4", 4), ("specular", "u4")])
    device.SetVertexShader(fvf)
    bind(device, source, fvf)
    target = device.CreateVertexBuffer(result.itemsize * 3, 0, Fvf.XYZRHW | Fvf.SPECULAR, Pool.SYSTEMMEM)
    device.ProcessVertices(0, 0, 3, target, flags)
    found = target.Lock(0, 0, LockFlag.READONLY).view(result)["specular"]
    computed = states["FOGENABLE"] and states["FOGVERTEXMODE"] and not states.get("FOGTABLEMODE")
    if flags and not computed:
        alpha = [0, 0, 0]
    assert (found >> 24).tolist() == [round(255 * one) for one in alpha]
    assert set((found & 0xFFFFFF).tolist()) == {0 if flags and not computed else 0x445566}


def test_point_sizes_are_scaled(device: Any) -> None:
    """DX8 DDI, Computing the Size of Point Sprites: Vh * Si * sqrt(1 / (A + B De + C De^2)), into the destination's PSIZE."""
    device.SetRenderState(D3DRS.LIGHTING, 0)
    for name, value in (("POINTSCALEENABLE", 1), ("POINTSCALE_A", 0.0), ("POINTSCALE_B", 0.0), ("POINTSCALE_C", 1.0)):
        device.SetRenderState(D3DRS[name], value)
    sized = np.dtype([("position", "f4", 3), ("size", "f4")])
    vertices = np.array([((0, 0, 0.5), 0.25), ((0, 0, 1), 1), ((0.3, 0.4, 0), 0.5)], sized)
    bind(device, vertices, Fvf.XYZ | Fvf.PSIZE)
    device.SetVertexShader(Fvf.XYZ | Fvf.PSIZE)
    result = np.dtype([("position", "f4", 4), ("size", "f4")])
    target = device.CreateVertexBuffer(3 * result.itemsize, 0, Fvf.XYZRHW | Fvf.PSIZE, Pool.SYSTEMMEM)
    device.ProcessVertices(0, 0, 3, target, 0)
    found = target.Lock(0, 0, LockFlag.READONLY).view(result)
    np.testing.assert_allclose(found["size"], [48 * 0.25 / 0.5, 48, 48 * 0.5 / 0.5], rtol=1e-6)
