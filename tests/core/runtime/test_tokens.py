"""API calls and the command dwords they become: expected values from the layouts of the DX8 DDI specification."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from core.runtime.d3d8 import D3DLIGHT8, D3DMATERIAL8, D3DError
from core.runtime.methods import copies
from core.spec.enums import ClearFlag, Pool, PrimitiveType


def f(*numbers: float) -> str:
    """Floats as dwords."""
    return " ".join(f"{dword:08x}" for dword in struct.unpack(f"<{len(numbers)}I", struct.pack(f"<{len(numbers)}f", *numbers)))


IDENTITY = f(*np.eye(4).reshape(16))
LIGHT = D3DLIGHT8(1, (1, 0.5, 0.25, 1), (0, 0, 0, 0), (0, 0, 0, 0), (1, 2, 3), (0, 0, 1), 10, 1, 0.5, 0.25, 0.125, 0, 0)
LIGHT_DWORDS = "00000001 " + f(1, 0.5, 0.25, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 1, 10, 1, 0.5, 0.25, 0.125, 0, 0)
DEFAULT_LIGHT = "00000003 " + f(1, 1, 1, 0, *[0] * 8, 0, 0, 0, 0, 0, 1, *[0] * 7)

CALLS: list[tuple[str, tuple[Any, ...], str]] = [
    # D3DHAL_DP2COMMAND: opcode in the low byte, count in the high word
    ("SetRenderState", (7, 1), "00010008 00000007 00000001"),
    ("SetRenderState", (38, 0.5), "00010008 00000026 3f000000"),
    ("SetTextureStageState", (3, 1, 4), "00010019 00010003 00000004"),
    ("SetTexture", (2, None), "00010019 00000002 00000000"),
    ("SetTransform", (2, np.eye(4)), f"00010024 00000002 {IDENTITY}"),
    ("SetTransform", (16, np.eye(4)), f"00010024 00000010 {IDENTITY}"),
    ("SetTransform", (256 + 255, np.eye(4)), f"00010024 000001ff {IDENTITY}"),
    ("MultiplyTransform", (3, np.eye(4)), f"00010041 00000003 {IDENTITY}"),
    ("SetViewport", ((1, 2, 30, 40, 0.25, 0.75),), f"0001001c 00000001 00000002 0000001e 00000028 00010020 {f(0.25, 0.75)}"),
    ("SetMaterial", (D3DMATERIAL8((1, 2, 3, 4), (5, 6, 7, 8), Power=9),), f"00010021 {f(1, 2, 3, 4, 5, 6, 7, 8, *[0] * 8, 9)}"),
    ("SetLight", (5, LIGHT),
     f"00010023 00000005 00010022 00000005 00000002 {DEFAULT_LIGHT} 00010022 00000005 00000002 {LIGHT_DWORDS}"),
    ("LightEnable", (6, 1), f"00010023 00000006 00010022 00000006 00000002 {DEFAULT_LIGHT} 00010022 00000006 00000000"),
    ("SetLight", (700, LIGHT),
     f"00010023 000002bc 00010022 000002bc 00000002 {DEFAULT_LIGHT} 00010022 000002bc 00000002 {LIGHT_DWORDS}"),
    ("SetClipPlane", (5, (1, 2, 3, 4)), f"0001002c 00000005 {f(1, 2, 3, 4)}"),
    ("SetVertexShader", (0x42,), "0001002f 00000042"),
    ("SetPixelShader", (0,), "00010038 00000000"),
    ("SetVertexShaderConstant", (95, [[1, 2, 3, 4], [5, 6, 7, 8]], 2),
     f"00010030 0000005f 00000002 {f(1, 2, 3, 4, 5, 6, 7, 8)}"),
    ("SetPixelShaderConstant", (7, [[1, 2, 3, 4]], 1), f"00010039 00000007 00000001 {f(1, 2, 3, 4)}"),
    ("SetStreamSource", (3, None, 0), "00010031 00000003 00000000 00000000"),
    ("SetIndices", (None, 5), "00010033 00000000 00000000"),
    ("DrawPrimitive", (4, 6, 2), "00010034 00000004 00000006 00000002"),
    ("BeginScene", (), "00010008 0000003e 00000001"),
    ("Clear", (0, None, 1, 0xFF102030, 0.5, 3),
     f"0001002a 00000001 ff102030 {f(0.5)} 00000003 00000000 00000000 00000040 00000030"),
    ("DeletePatch", (9,), "00010008 000000a9 00000009"),
    ("DrawRectPatch", (4, (1, 2, 3, 4), None), f"0001003d 00000004 00000001 {f(1, 2, 3, 4)}"),
    ("DrawRectPatch", (0, None, (0, 0, 4, 4, 4, 0, 3)),
     "0001003d 00000000 00000002 00000000 00000000 00000004 00000004 00000004 00000000 00000003"),
    ("DrawTriPatch", (4, (1, 2, 3), (1, 10, 0, 3)),
     f"0001003e 00000004 00000003 {f(1, 2, 3)} 00000001 0000000a 00000000 00000003"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "args", "expected"), CALLS, ids=[f"{name}{i}" for i, (name, _, _) in enumerate(CALLS)])
def test_a_call_becomes_these_dwords(bench: Any, call: str, args: tuple[Any, ...], expected: str) -> None:
    getattr(bench.device, call)(*args)
    assert bench.hex() == expected


def test_equal_tokens_merge_into_one_command(bench: Any) -> None:
    for state in (7, 14, 23):
        bench.device.SetRenderState(state, 1)
    bench.device.SetTextureStageState(0, 1, 1)
    bench.device.SetRenderState(7, 1)
    assert bench.hex() == (
        "00030008 00000007 00000001 0000000e 00000001 00000017 00000001 00010019 00010000 00000001 00010008 00000007 00000001"
    )


def test_transforms_merge_into_one_command(bench: Any) -> None:
    matrix = tuple(float(n) for n in range(16))
    for which in (2, 256):
        bench.device.SetTransform(which, matrix)
    assert bench.hex() == f"00020024 00000002 {f(*matrix)} 00000100 {f(*matrix)}"


def test_redundant_states_are_sent_and_reported(bench: Any) -> None:
    device = bench.device
    device.SetRenderState(7, 1)
    device.SetRenderState(7, 1)
    assert bench.hex().startswith("00020008")


def test_objects_are_named_by_their_handles(bench: Any) -> None:
    device = bench.device
    texture = device.CreateTexture(4, 4, 1, 0, 21, Pool.DEFAULT)
    vertices = device.CreateVertexBuffer(64, 0, 0, Pool.DEFAULT)
    indices = device.CreateIndexBuffer(64, 0, 102, Pool.DEFAULT)
    handles = [call.args["handle"] for call in bench.said() if call.entry in ("CreateSurface", "CreateD3DBuffer")]
    device.SetTexture(1, texture)
    device.SetStreamSource(2, vertices, 20)
    device.SetIndices(indices, 7)
    device.DrawIndexedPrimitive(PrimitiveType.TRIANGLELIST, 1, 2, 3, 4)
    assert bench.tokens() == [
        ("TEXTURESTAGESTATE", {"stage": 1, "state": 0, "value": handles[0]}),
        ("SETSTREAMSOURCE", {"stream": 2, "buffer": handles[1], "stride": 20}),
        ("SETINDICES", {"buffer": handles[2], "stride": 4}),
        ("DRAWINDEXEDPRIMITIVE", {"type": 4, "base": 7, "min_index": 1, "vertex_count": 2, "start": 3, "count": 4}),
    ]
    assert (
        device.GetTexture(1) is texture and device.GetIndices() == (indices, 7) and device.GetStreamSource(2) == (vertices, 20)
    )


def test_shaders_are_created_at_once_and_named_by_odd_handles(bench: Any) -> None:
    declaration, code = (0x20000000, 0x40020000, 0xFFFFFFFF), (0xFFFE0101, 1, 0xC00F0000, 0x90E40000, 0xFFFF)
    shader = bench.device.CreateVertexShader(declaration, code)
    created = bench.said()[-1]
    words = np.frombuffer(created.data["commands"], "<u4").tolist()
    assert words[0] == 0x0001002D and words[1] & 1 and words[2:4] == [12, 20]
    assert words[4:] == [*declaration, *code]
    bench.device.SetVertexShader(shader)
    bench.device.DeleteVertexShader(shader)
    assert bench.tokens() == [
        ("SETVERTEXSHADER", {"shader": words[1]}), ("SETVERTEXSHADER", {"shader": 0}),
        ("DELETEVERTEXSHADER", {"shader": words[1]}),
    ]  # fmt: skip
    with pytest.raises(D3DError):
        bench.device.SetVertexShader(shader)


def test_clear_cuts_rectangles_to_the_viewport(bench: Any) -> None:
    bench.device.SetViewport((10, 10, 20, 20))
    bench.said()
    bench.device.Clear(2, [(0, 0, 15, 64), (40, 40, 50, 50)], ClearFlag.TARGET, 0, 1.0, 0)
    assert bench.hex() == f"0001002a 00000001 00000000 {f(1)} 00000000 0000000a 0000000a 0000000f 0000001e"
    bench.device.Clear(1, [(40, 40, 50, 50)], ClearFlag.TARGET, 0, 1.0, 0)
    assert bench.hex() == ""


def test_no_rectangles_clear_nothing_and_null_clears_everything(bench: Any) -> None:
    bench.device.Clear(0, [], ClearFlag.TARGET, 0, 1.0, 0)
    assert bench.hex() == ""
    bench.device.Clear(1, None, ClearFlag.TARGET, 0, 1.0, 0)
    assert bench.hex().endswith("00000000 00000000 00000040 00000030")


def test_a_pure_device_leaves_cutting_to_the_driver(make_bench: Any) -> None:
    bench = make_bench(behavior=0x50)
    bench.device.Clear(1, [(0, 0, 999, 999)], ClearFlag.TARGET, 0, 1.0, 0)
    assert bench.hex() == f"0001002a 00000009 00000000 {f(1)} 00000000 00000000 00000000 000003e7 000003e7"


def test_matrices_multiply_from_the_left(bench: Any) -> None:
    scale, move = np.diag([2, 2, 2, 1]).astype(np.float32), np.eye(4, dtype=np.float32)
    move[3, :3] = (5, 6, 7)
    bench.device.SetTransform(256, move)
    bench.device.MultiplyTransform(256, scale)
    np.testing.assert_array_equal(bench.device.GetTransform(256), scale @ move)


def test_calls_out_of_range_are_refused(bench: Any) -> None:
    device = bench.device
    for call, args in (
        ("SetRenderState", (256, 0)), ("SetTextureStageState", (8, 1, 0)), ("SetTexture", (8, None)),
        ("SetTransform", (4, np.eye(4))),
        ("SetStreamSource", (16, None, 0)), ("SetClipPlane", (32, (0, 0, 0, 0))), ("SetVertexShader", (0x123,)),
        ("SetVertexShaderConstant", (255, np.zeros(8), 2)),
    ):  # fmt: skip
        with pytest.raises(D3DError) as refused:
            getattr(device, call)(*args)
        assert refused.value.result == 0x8876086C, call


@pytest.mark.parametrize(("patch", "shape", "edges"), [("rect", (0, 0, 4, 4, 4, 0, 3), 4), ("tri", (1, 10, 0, 3), 3)])
def test_one_recorded_segment_number_counts_for_all_edges(bench: Any, patch: str, shape: tuple[int, ...], edges: int) -> None:
    """apitrace declares pNumSegs as a pointer to one float (its specs/d3d8.py): what follows must not move into its place."""
    draw = {"rect": copies.draw_rect_patch, "tri": copies.draw_tri_patch}[patch]
    draw(bench.runtime, bench.device.pointer, 0, [4.0], list(shape))
    words = " ".join(f"{number:08x}" for number in shape)
    op = {"rect": 61, "tri": 62}[patch]
    assert bench.hex() == f"000100{op:02x} 00000000 00000003 {f(*[4] * edges)} {words}"
    assert [found.rule for _, found in bench.runtime.findings] == ["runtime-rejected"]
    assert f"1 of {edges} segment numbers" in bench.runtime.findings[0][1].text
