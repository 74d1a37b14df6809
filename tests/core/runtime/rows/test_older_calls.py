"""Calls of Direct3D 6 and 5: what the compiled loop does of them is what the methods do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.runtime import dispatch
from core.runtime.rows import convert
from tests.bench.import_programs import (
    BACK,
    DEVICE,
    DIRECT3D,
    SURFACE,
    TEXTURES,
    TEXTURES2,
    VIEWPORT,
    Program5,
    Program6,
    surface,
)
from tests.core.runtime.rows.test_old_blits import driven
from tests.inspector.imports.trace_file import Enum, Float32, Pointer, Struct, zstd

OTHER, SECOND = Pointer(0x500000), Pointer(0x501000)
MATERIALS, LIGHTS = (Pointer(0x600000), Pointer(0x601000)), (Pointer(0x610000), Pointer(0x611000))
STATES = (1, 1, 21, 21, 21, 26, 137, 139, 142, 143, 29, 300)
TRANSFORMS = (1, 2, 3, 3, 4, 16, 0, 30)
FORMATS = (0x112, 0x1E2, 0x1C4, 0x12)
ALPHA = {"dwFlags": 0x41, "dwRGBAlphaBitMask": 0xFF000000}


def rectangle(*edges: int) -> Struct:
    return Struct("D3DRECT", dict(zip(("x1", "y1", "x2", "y2"), edges, strict=True)))


def colors(words: list[float]) -> dict[str, Any]:
    return {f"word{i}": Float32(word) for i, word in enumerate(words)}


class Sequence(Program6):
    """Random calls on a device with two viewports, materials, lights and textures, of which one has alpha."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        super().__init__()

    def begin(self) -> None:
        with_alpha = surface(0x1007, 0x1000, 8, 8)
        with_alpha[0].members["ddpfPixelFormat"].members.update(ALPHA)
        self.made(TEXTURES[0], with_alpha)
        super().begin()
        made = {f"lplpD3DViewport{self.version}": [OTHER]}
        self.root("CreateViewport", made, **dict.fromkeys(made), pUnkOuter=None)
        self.do("AddViewport", **{self.viewport_name: OTHER})
        self.root("CreateDevice", {f"lplpD3DDevice{self.version}": [SECOND]}, rclsid=None, lpDDS=SURFACE)
        for i, material in enumerate(MATERIALS):
            name = f"lplpDirect3DMaterial{self.version}"
            self.root("CreateMaterial", {name: [material]}, **{name: None}, pUnkOuter=None)
            if i or self.dice.random() < 0.5:
                self.handle(i)
        for light in LIGHTS:
            self.root("CreateLight", {"lplpDirect3DLight": [light]}, lplpDirect3DLight=None, pUnkOuter=None)

    @property
    def viewport_name(self) -> str:
        return f"lpDirect3DViewport{self.version}"

    def root(self, method: str, out: dict[str, Any], **args: Any) -> None:
        self.call(f"IDirect3D{self.version}::{method}", DIRECT3D, out, **args)

    def step(self) -> None:
        """One call."""
        kinds: list[tuple[Callable[[], None], int]] = [
            (self._state, 8), (self._texture, 5), (self._stage, 5), (self._light_state, 6), (self._matrix, 6), (self._clear, 6),
            (self._draw, 10), (self._material, 2), (self._light, 1), (self._viewport, 2), (self._rare, 2),
        ]  # fmt: skip
        self.dice.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]()

    def _state(self) -> None:
        state, value = self.dice.choice(STATES), self.dice.choice((2, 2, self.dice.randrange(10)))
        self.do("SetRenderState", dwRenderStateType=Enum("D3DRENDERSTATE", state), dwRenderState=value)

    def _stage(self) -> None:
        state, value = self.dice.choice((1, 4, 12, 12, 12, 12)), self.dice.randrange(5)
        if self.version == "3":
            self.do("SetTextureStageState", dwStage=0, d3dTexStageStateType=Enum("D3DTSS", state), dwState=value)

    def _texture(self) -> None:
        pointer = self.dice.choice([*TEXTURES2, *TEXTURES, None, SURFACE, Pointer(0x77)])
        if self.version == "3":
            self.do("SetTexture", dwStage=self.dice.choice((0, 0, 1, 7, 8, 65536)), lpTexture2=pointer)

    def _light_state(self) -> None:
        state = self.dice.choice((1, 1, 1, 2, 3, 4, 5, 8, 0, 9))
        self.do("SetLightState", dwLightStateType=Enum("D3DLIGHTSTATE", state), dwLightState=self.dice.randrange(5))

    def _matrix(self) -> None:
        numbers = [self.dice.choice((0.0, 1.0, self.dice.uniform(-3, 3))) for _ in range(16)]
        if self.dice.random() < 0.4:
            numbers = [float(i % 5 == 0) for i in range(16)]
        given: Any = [Struct("D3DMATRIX", {f"_{i // 4 + 1}{i % 4 + 1}": Float32(number) for i, number in enumerate(numbers)})]
        state = Enum("D3DTRANSFORMSTATE", self.dice.choice(TRANSFORMS))
        method = self.dice.choice(("SetTransform", "MultiplyTransform"))
        self.do(method, dtstTransformStateType=state, lpD3DMatrix=given if self.dice.random() < 0.9 else None)

    def _clear(self) -> None:
        dice = self.dice
        count = dice.choice((0, 1, 1, 1, 2, 3))
        given: Any = [rectangle(*(dice.choice((-5, 0, 3, 50, 700)) for _ in range(4))) for _ in range(dice.choice((count, 2)))]
        flags = {"dwCount": count, "lpRects": given or None, "dwFlags": dice.choice((1, 1, 2, 3, 7))}
        viewport = dice.choice((VIEWPORT, VIEWPORT, OTHER))
        if self.version == "3" and dice.random() < 0.6:
            z = dice.choice((1.0, 0.25, float("inf") if dice.random() < 0.1 else 0.0))
            self.call("IDirect3DViewport3::Clear2", viewport, **flags, dwColor=dice.randrange(9), dvZ=Float32(z), dwStencil=1)
        else:
            self.call(f"IDirect3DViewport{self.version}::Clear", viewport, **flags)

    def _draw(self) -> None:
        dice, count = self.dice, self.dice.choice((3, 3, 6, 0))
        kind: Any = dice.choice(FORMATS) if self.version == "3" else Enum("D3DVT", dice.choice((1, 1, 2, 3, 4)))
        blob = dice.randbytes(32 * count - dice.choice((0, 0, 0, 1)) if count else 0)
        args = {"d3dptPrimitiveType": Enum("D3DPT", dice.choice((4, 5))), "d3dvtVertexType": kind, "lpvVertices": blob}
        flags = dice.choice((0, 0, 0, 0x10))
        if self.version == "3" and dice.random() < 0.3:
            self.draw(0)
        elif dice.random() < 0.5:
            self.do("DrawPrimitive", **args, dwVertexCount=count, dwFlags=flags)
        else:
            self.do(
                "DrawIndexedPrimitive", **args, dwVertexCount=count, lpwIndices=dice.randbytes(6), dwIndexCount=3, dwFlags=flags
            )

    def handle(self, i: int) -> None:
        """GetHandle: not all handles are those of one material for ever."""
        name = f"lpDirect3DDevice{self.version}"
        number = i + 1 if self.dice.random() < 0.7 else 2
        self.call(f"IDirect3DMaterial{self.version}::GetHandle", MATERIALS[i], {"lpHandle": [number]}, **{name: DEVICE})

    def _material(self) -> None:
        dice = self.dice
        what, i = dice.randrange(4), dice.randrange(2)
        if what == 0:
            self.handle(i)
        elif what == 1:
            self.call(f"IDirect3DViewport{self.version}::SetBackground", dice.choice((VIEWPORT, OTHER)), hMat=dice.randrange(4))
        else:
            numbers = [dice.choice((0.0, 0.5, 1.0)) for _ in range(17)]
            given: Any = [Struct("D3DMATERIAL", {"dwSize": 80, **colors(numbers), "hTexture": 0, "dwRampSize": 0})]
            self.call(f"IDirect3DMaterial{self.version}::SetMaterial", MATERIALS[i], lpMat=given)

    def _light(self) -> None:
        dice, light = self.dice, self.dice.choice(LIGHTS)
        numbers = [dice.uniform(0, 1) for _ in range(17)]
        kind = dice.choice((1, 3, 4))
        given: Any = [Struct("D3DLIGHT", {"dwSize": 76, "dltType": kind, **colors(numbers)})]
        method = dice.choice(("AddLight", "DeleteLight", "SetLight"))
        if method == "SetLight":
            self.call("IDirect3DLight::SetLight", light, lpLight=given)
        else:
            this = VIEWPORT if dice.random() < 0.8 else OTHER
            self.call(f"IDirect3DViewport{self.version}::{method}", this, lpDirect3DLight=light)

    def _viewport(self) -> None:
        dice, viewport = self.dice, self.dice.choice((VIEWPORT, VIEWPORT, OTHER))
        place = {"dwSize": 44, "dwX": dice.randrange(9), "dwY": 0, "dwWidth": dice.choice((0, 64, 700)), "dwHeight": 32}
        clip = {name: Float32(dice.choice((-1.0, 1.0, 2.0, 0.3))) for name in "abcdef"}
        if dice.random() < 0.4:
            self.call(f"IDirect3DViewport{self.version}::SetViewport2", viewport, lpData=[Struct("D3DVIEWPORT2", place | clip)])
        elif dice.random() < 0.9:
            self.do("SetCurrentViewport", **{self.viewport_name: viewport})
        else:
            self.do("DeleteViewport", **{self.viewport_name: viewport})
            self.do("AddViewport", **{self.viewport_name: viewport})

    def _cleared(self, viewport: Pointer) -> None:
        self.do("SetCurrentViewport", **{self.viewport_name: viewport})
        for _ in range(2):
            self._clear_once(viewport)

    def _clear_once(self, viewport: Pointer) -> None:
        where = [rectangle(0, 0, 64, 64)]
        self.call(f"IDirect3DViewport{self.version}::Clear", viewport, dwCount=1, lpRects=where, dwFlags=1)

    def _rare(self) -> None:
        """Handles and textures that come and go, targets, another device, viewports that change once cleared."""
        dice = self.dice
        what, i = dice.randrange(8), dice.randrange(2)
        if what == 0:
            for pointer in (TEXTURES[i], TEXTURES2[i]):
                self.trace.call("IDirectDrawSurface4::Release", {"this": pointer}, 0)
            self.made(TEXTURES[i], surface(0x1007, 0x1000 if dice.random() < 0.8 else 0x40, 8, 8))
            self.call("IDirectDrawSurface4::QueryInterface", TEXTURES[i], {"ppvObj": [TEXTURES2[i]]}, riid=None)
        elif what == 1 and self.version == "2":
            self.do("SwapTextureHandles", lpD3DTex1=TEXTURES2[0], lpD3DTex2=TEXTURES2[1])
        elif what == 2:
            self.do("SetRenderTarget", lpNewRenderTarget=dice.choice((BACK, SURFACE)), dwFlags=0)
        elif what == 3:
            self._cleared(OTHER)
            self.trace.call(f"IDirect3DViewport{self.version}::Release", {"this": OTHER}, dice.choice((0, 1)))
            self._cleared(OTHER)
        elif what == 5:
            self._cleared(VIEWPORT)
            self.call(f"IDirect3DDevice{self.version}::BeginScene", SECOND)
            self._clear_once(VIEWPORT)
        elif what == 6:
            self.call(f"IDirect3DViewport{self.version}::SetBackground", VIEWPORT, hMat=2)
            for _ in range(3):
                self._cleared(VIEWPORT)
                self._material()
        elif what == 4:
            self.do("EndScene")
        else:
            name = f"lpDirect3DDevice{self.version}"
            self.call("IDirect3DTexture2::GetHandle", TEXTURES2[i], {"lpHandle": [dice.randrange(1, 4)]}, **{name: DEVICE})


class Sequence5(Sequence, Program5):
    """The same with Direct3D 5."""


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("make", [Sequence, Sequence5])
def test_rows_and_methods_agree(make: type[Sequence], seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = make(seed)
    for _ in range(600):
        program.step()
    path = tmp_path / "random.trace"
    path.write_bytes(zstd(program.trace.bytes()))
    calls, verdicts, found = driven(path)
    alone = {
        name: replace(row, older=-1)
        for name, row in dispatch.ALL_ROWS.items()
        if not (row.draw or row.of_viewport or row.older >= convert.FIRST_ALONE)
    }
    monkeypatch.setattr(dispatch, "ALL_ROWS", alone)
    by_methods = driven(path)
    assert calls == by_methods[0]
    assert found == by_methods[2] and found
    done = [np.bincount(np.concatenate(one), minlength=6)[3] for one in (verdicts, by_methods[1])]
    assert done[0] < done[1], "the loop did some of them"
