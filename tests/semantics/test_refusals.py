"""What Direct3D 8 refuses: shaders beyond their limits, questions about what was never set, calls while a block is recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.ddi.stream.shader_assemble import assemble
from core.runtime.d3d8 import D3DError
from core.spec.enums import Pool, StateBlockType, Usage
from tests.semantics.kit import Screen

DECLARATION = [0x20000000, 0x40020000, 0xFFFFFFFF]


@pytest.mark.parametrize(
    "text",
    [
        "ps_1_1\ntex t0\n" + "mov r0, t0\n" * 9,  # eight arithmetic instructions
        "ps_1_1\ntex t0\ntex t1\ntex t2\ntex t3\ntex t4\nmov r0, t0",
        "ps_1_1\nmov r3, c0\nmov r0, r3",  # two temporaries
        "ps_1_1\nmov r0, c8",
        "ps_1_1\nmov r1, c0",  # r0 is the result
        "vs_1_1\n" + "mov r0, v0\n" * 128 + "mov oPos, r0",
        "vs_1_1\nmov r0, v0",  # no position
        "vs_1_1\nmov oPos, v16",
        "vs_1_1\nadd oPos, v0, v1",  # one input register an instruction
    ],
)
def test_shaders_beyond_their_limits(text: str) -> None:
    device = Screen().device
    with pytest.raises(D3DError):
        create(device, text)


def test_shaders_at_their_limits() -> None:
    device = Screen().device
    pixel = "ps_1_1\ntex t0\ntex t1\ntex t2\ntex t3\n" + "mov r0, t0\n" * 8
    vertex = "vs_1_1\n" + "mov r0, v0\n" * 127 + "mov oPos, r0"
    assert create(device, pixel) & create(device, vertex) & 1


def create(device: Any, text: str) -> int:
    code = assemble(text)
    return device.CreatePixelShader(code) if text.startswith("ps") else device.CreateVertexShader(DECLARATION, code)


def recorded(device: Any) -> None:
    block = device.CreateStateBlock(StateBlockType.ALL)
    device.BeginStateBlock()
    device.ApplyStateBlock(block)


@pytest.mark.parametrize(
    "call",
    [
        lambda d: d.CreatePixelShader(np.array([0xFFFF0200, 0xFFFF], np.uint32)),
        lambda d: d.GetLight(9), lambda d: d.GetLightEnable(9), lambda d: d.GetPaletteEntries(3), recorded,
        lambda d: d.CreateTexture(4, 4, 4, 0, 21, Pool.MANAGED),
        lambda d: d.CreateTexture(4, 4, 1, Usage.RENDERTARGET, 21, Pool.MANAGED),
        lambda d: d.SetTexture(8, None), lambda d: d.CreateStateBlock(4), lambda d: d.SetRenderState(999, 0),
    ],
)  # fmt: skip
def test_calls_that_are_refused(call: Any) -> None:
    with pytest.raises(D3DError):
        call(Screen().device)
