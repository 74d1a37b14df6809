"""State blocks: recorded, created, applied, captured; and those of a pure device, which are the driver's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.runtime.d3d8 import D3DLIGHT8, D3DError
from core.spec.enums import Pool, StateBlockType
from core.spec.slots import BASE
from core.spec.states import RENDER_STATE_ID

ZENABLE, CULLMODE, LIGHTING = 7, 22, 137
PIXEL, VERTEX = ["ZENABLE", "ALPHAREF", "WRAP3", "TEXTUREFACTOR"], ["CULLMODE", "FOGCOLOR", "LIGHTING", "POINTSIZE"]


def test_recorded_calls_are_not_done(bench: Any) -> None:
    device = bench.device
    device.BeginStateBlock()
    device.SetRenderState(ZENABLE, 1)
    device.SetTransform(256, np.eye(4) * 6)
    device.SetVertexShader(0x42)
    device.SetIndices(None, 9)
    token = device.EndStateBlock()
    assert bench.hex() == "" and device.GetRenderState(ZENABLE) == 0
    device.ApplyStateBlock(token)
    assert bench.tokens() == [
        ("RENDERSTATE", {"state": ZENABLE, "value": 1}),
        ("SETTRANSFORM", {"type": 256, "matrix": (np.eye(4) * 6).reshape(16).tolist()}),
        ("SETINDICES", {"buffer": 0, "stride": 0}),
        ("SETVERTEXSHADER", {"shader": 0x42}),
    ]
    assert device.GetRenderState(ZENABLE) == 1 and device.GetIndices()[1] == 9


def test_products_of_matrices_are_in_no_block(bench: Any) -> None:
    """As in Wine's test_multiply_transform, which runs on Windows: what is multiplied is the device's matrix, at once."""
    device = bench.device
    device.SetTransform(256, np.eye(4) * 3)
    bench.said()
    device.BeginStateBlock()
    device.MultiplyTransform(256, np.eye(4) * 2)
    token = device.EndStateBlock()
    assert [name for name, _ in bench.tokens()] == ["MULTIPLYTRANSFORM"]
    assert (device.GetTransform(256) == np.eye(4) * 6).all()
    device.SetTransform(256, np.eye(4) * 5)
    bench.said()
    device.ApplyStateBlock(token)
    assert bench.tokens() == [] and (device.GetTransform(256) == np.eye(4) * 5).all()


def test_capture_takes_the_values_of_now(bench: Any) -> None:
    device = bench.device
    device.BeginStateBlock()
    device.SetRenderState(CULLMODE, 1)
    token = device.EndStateBlock()
    device.SetRenderState(CULLMODE, 2)
    device.CaptureStateBlock(token)
    device.SetRenderState(CULLMODE, 3)
    bench.said()
    device.ApplyStateBlock(token)
    assert bench.tokens() == [("RENDERSTATE", {"state": CULLMODE, "value": 2})]
    device.DeleteStateBlock(token)
    with pytest.raises(D3DError):
        device.ApplyStateBlock(token)


def test_every_kind_of_state_can_be_recorded(bench: Any) -> None:
    device = bench.device
    texture, buffer = device.CreateTexture(1, 1, 1, 0, 21, Pool.DEFAULT), device.CreateVertexBuffer(16, 0, 0, Pool.DEFAULT)
    light = D3DLIGHT8(1, Range=5)
    acts: list[tuple[str, tuple[Any, ...]]] = [
        ("SetTexture", (1, texture)), ("SetTextureStageState", (2, 1, 5)), ("SetViewport", ((1, 2, 3, 4, 0.25, 0.5),)),
        ("SetMaterial", (((1, 1, 1, 1),),)), ("SetLight", (3, light)), ("LightEnable", (3, 1)),
        ("SetClipPlane", (1, (1, 2, 3, 4))),
        ("SetPixelShader", (0,)), ("SetVertexShaderConstant", (4, [1, 2, 3, 4], 1)), ("SetStreamSource", (2, buffer, 16)),
        ("SetPixelShaderConstant", (5, [1, 2, 3, 4], 1)),
    ]  # fmt: skip
    expected = []
    for name, args in acts:
        getattr(device, name)(*args)
        expected += [token for token in bench.tokens() if token[0] not in ("CREATELIGHT",)]
    device.BeginStateBlock()
    for name, args in acts:
        getattr(device, name)(*args)
    token = device.EndStateBlock()
    bench.said()
    device.ApplyStateBlock(token)
    got = bench.tokens()
    default_light = ("SETLIGHT", {"index": 3, "data": 2})
    expected.remove(default_light)
    assert sorted(map(str, got)) == sorted(map(str, expected))


@pytest.mark.parametrize(
    ("type", "inside", "outside"),
    [
        (StateBlockType.PIXELSTATE, PIXEL, VERTEX),
        (StateBlockType.VERTEXSTATE, VERTEX, PIXEL),
        (
            StateBlockType.ALL,
            ["CULLMODE", "ZENABLE", "LIGHTING", "ALPHAREF", "BLENDOP", "POSITIONORDER", "NORMALORDER"],
            ["SCENECAPTURE", "STIPPLEDALPHA"],
        ),
    ],
)  # fmt: skip
def test_a_type_covers_its_states(bench: Any, type: int, inside: list[str], outside: list[str]) -> None:
    token = bench.device.CreateStateBlock(type)
    bench.device.ApplyStateBlock(token)
    states = {fields["state"] for name, fields in bench.tokens() if name == "RENDERSTATE"}
    assert {RENDER_STATE_ID[name] for name in inside} <= states
    assert not {RENDER_STATE_ID[name] for name in outside} & states


def test_all_holds_the_eight_constants_of_pixel_shaders(bench: Any) -> None:
    """DX8 DDI, "Pixel Shaders": there are eight; the driver reports an error for others."""
    token = bench.device.CreateStateBlock(StateBlockType.ALL)
    bench.said()
    bench.device.ApplyStateBlock(token)
    sent = [fields["register"] for name, fields in bench.tokens() if name == "SETPIXELSHADERCONST"]
    assert sent == list(range(8))


def test_all_restores_textures_too(bench: Any) -> None:
    device = bench.device
    texture = device.CreateTexture(1, 1, 1, 0, 21, Pool.DEFAULT)
    device.SetTexture(0, texture)
    token = device.CreateStateBlock(StateBlockType.ALL)
    device.SetTexture(0, None)
    device.ApplyStateBlock(token)
    assert device.GetTexture(0) is texture


def test_a_released_texture_lives_as_long_as_a_block_holds_it(bench: Any) -> None:
    device = bench.device
    texture = device.CreateTexture(1, 1, 1, 0, 21, Pool.DEFAULT)
    device.BeginStateBlock()
    device.SetTexture(0, texture)
    token = device.EndStateBlock()
    texture.Release()
    assert "DestroySurface" not in bench.entries()
    device.DeleteStateBlock(token)
    device.Present()
    assert "DestroySurface" in bench.entries()


def test_blocks_of_a_pure_device_are_the_drivers(make_bench: Any) -> None:
    bench = make_bench(behavior=0x50)
    device = bench.device
    zenable = BASE["render_state"] + ZENABLE  # the program cannot ask for it
    device.BeginStateBlock()
    device.SetRenderState(ZENABLE, 1)
    token = device.EndStateBlock()
    tokens = bench.tokens()
    handle = tokens[0][1]["handle"]
    assert tokens == [
        ("STATESET", {"operation": 0, "handle": handle, "type": 0}), ("RENDERSTATE", {"state": ZENABLE, "value": 1}),
        ("STATESET", {"operation": 1, "handle": handle, "type": 0}),
    ]  # fmt: skip
    assert device.context.registers[zenable] == 0
    device.ApplyStateBlock(token)
    device.CaptureStateBlock(token)
    device.DeleteStateBlock(token)
    made = device.CreateStateBlock(StateBlockType.PIXELSTATE)
    operations = [(fields["operation"], fields["type"]) for _, fields in bench.tokens()]
    assert operations == [(3, 0), (4, 0), (2, 0), (5, 2)] and made
    assert device.context.registers[zenable] == 1


def test_misuse_is_refused(bench: Any) -> None:
    with pytest.raises(D3DError):
        bench.device.EndStateBlock()
    bench.device.BeginStateBlock()
    with pytest.raises(D3DError):
        bench.device.BeginStateBlock()
    with pytest.raises(D3DError):
        bench.device.CreateStateBlock(77)
