"""The state methods of IDirect3DDevice8 for scripts (see d3d8.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.runtime.calls.structs import D3DLIGHT8, D3DMATERIAL8, D3DVIEWPORT8, PALETTEENTRY, RECT
from core.runtime.context import Context
from core.runtime.objects import Resource
from core.runtime.rows.table import LIGHT, LIGHT_MADE, LIGHT_OFF, LIGHT_WORDS, LIGHTS, PALETTE
from core.runtime.runtime import D3DError
from core.runtime.script.interface import Interface, address
from core.runtime.script.script import Array, fit, float_bytes, floats
from core.spec.enums import HResult
from core.spec.slots import BASE, STAGE_STATES, TRANSFORM_SLOTS

NOT_PURE = frozenset((
    "GetTransform", "GetViewport", "GetMaterial", "GetLight", "GetLightEnable", "GetClipPlane", "GetRenderState",
    "GetTextureStageState", "GetVertexShader", "GetVertexShaderConstant", "GetPixelShader", "GetPixelShaderConstant",
    "SetClipStatus", "GetClipStatus", "ProcessVertices",
))  # fmt: skip
"""Methods that a pure device does not have: what asks for state that state blocks hold, and software of the runtime.

DX8 DDI, Pure Device Support: "the application cannot query back state from the runtime".
"""


def dword(value: Any) -> int:
    """A state value: floats as their bits.  Raises BadInput."""
    if isinstance(value, (float, np.floating)):
        return int.from_bytes(float_bytes(value), "little")
    return int(value) & 0xFFFFFFFF


def matrix_of(value: Any) -> Array:
    """16 floats, row by row.  Raises BadInput."""
    return Array([floats(value).reshape(16).tolist()])


class StateMethods(Interface):
    """What a device keeps for its draws: SetX, GetX, state blocks."""

    @property
    def context(self) -> Context:
        """What the runtime knows about it."""
        context = self._desk.runtime.objects[self.pointer]
        assert isinstance(context, Context)
        return context

    def _do(self, method: str, *args: Any, result: int = 0) -> Any:
        if method in NOT_PURE and self.context.is_pure:
            raise D3DError(HResult.D3DERR_INVALIDCALL, f"{method}: a pure device keeps no state to ask for or to work with")
        return super()._do(method, *args, result=result)

    def _new(self, method: str, cls: type, *args: Any) -> Any:
        """A method whose last argument brings a new object."""
        pointer = self._desk.script.new_pointer()
        self._do(method, *args, Array([pointer]))
        return cls(self._desk, pointer, self)

    def _slots(self, slot: int, count: int) -> np.ndarray:
        return self.context.registers[slot : slot + count].copy()

    def _object(self, handle: int) -> Any:
        """The scripted object that a handle in the registers stands for; None for 0."""
        for pointer, thing in self._desk.runtime.objects.items():
            if handle and isinstance(thing, Resource) and thing.handle == handle:
                return self._desk.at(pointer)
        return None

    # ---- state -----------------------------------------------------------------------------------

    def BeginScene(self) -> None:
        """Drawing starts."""
        self._do("BeginScene")

    def EndScene(self) -> None:
        """Drawing ends; what was gathered goes to the driver."""
        self._do("EndScene")

    def Clear(self, Count: int, pRects: Any, Flags: int, Color: int, Z: float = 1.0, Stencil: int = 0) -> None:
        """Fills rectangles (none: the viewport) of target, depth, stencil."""
        rects = None if pRects is None else Array([fit(RECT, rect) for rect in pRects])
        self._do("Clear", Count, rects, int(Flags), int(Color), fit(float, Z), Stencil)

    def SetTransform(self, State: int, pMatrix: Any) -> None:
        """A TransformState, or 256 + i: world matrix i."""
        self._do("SetTransform", int(State), lambda: matrix_of(pMatrix))

    def GetTransform(self, State: int) -> np.ndarray:
        """float32[4, 4]."""
        self._do("GetTransform", int(State), None)
        return self._slots(TRANSFORM_SLOTS[State], 16).view(np.float32).reshape(4, 4)

    def MultiplyTransform(self, State: int, pMatrix: Any) -> None:
        """The state becomes matrix x state."""
        self._do("MultiplyTransform", int(State), lambda: matrix_of(pMatrix))

    def SetViewport(self, pViewport: Any) -> None:
        """A D3DVIEWPORT8 or its members."""
        self._do("SetViewport", Array([fit(D3DVIEWPORT8, pViewport)]))

    def GetViewport(self) -> D3DVIEWPORT8:
        """The viewport."""
        self._do("GetViewport", None)
        near, far = self._slots(BASE["zrange"], 2).view(np.float32).tolist()
        x, y, width, height = self._slots(BASE["viewport"], 4).tolist()
        return D3DVIEWPORT8(x, y, width, height, near, far)

    def SetMaterial(self, pMaterial: Any) -> None:
        """A D3DMATERIAL8 or its members."""
        self._do("SetMaterial", Array([fit(D3DMATERIAL8, pMaterial)]))

    def GetMaterial(self) -> D3DMATERIAL8:
        """The material."""
        self._do("GetMaterial", None)
        m = self._slots(BASE["material"], 17).view(np.float32).tolist()
        return fit(D3DMATERIAL8, (m[0:4], m[4:8], m[8:12], m[12:16], m[16]))

    def SetLight(self, Index: int, pLight: Any) -> None:
        """A D3DLIGHT8 or its members."""
        self._do("SetLight", Index, Array([fit(D3DLIGHT8, pLight)]))

    def GetLight(self, Index: int) -> D3DLIGHT8:
        """A light."""
        self._light_exists(Index)
        self._do("GetLight", Index, None)
        words = (
            self._slots(LIGHT + LIGHT_WORDS * Index, LIGHT_WORDS)
            if Index < LIGHTS
            else self.context.lights[Index][:LIGHT_WORDS]
        )
        f = words.view(np.float32).tolist()
        return fit(D3DLIGHT8, (int(words[0]), f[1:5], f[5:9], f[9:13], f[13:16], f[16:19], *f[19:26]))

    def _light_exists(self, number: int) -> None:
        made = self.context.registers[LIGHT_MADE + number] if number < LIGHTS else number in self.context.lights
        if not made:
            raise D3DError(int(HResult.D3DERR_INVALIDCALL), f"light {number} was never set or enabled")

    def LightEnable(self, Index: int, Enable: int) -> None:
        """Switches a light."""
        self._do("LightEnable", Index, int(bool(Enable)))

    def GetLightEnable(self, Index: int) -> bool:
        """Whether a light is on."""
        self._light_exists(Index)
        self._do("GetLightEnable", Index, None)
        if Index < LIGHTS:
            return not self.context.registers[LIGHT_OFF + Index]
        return bool(self.context.lights[Index][LIGHT_WORDS])

    def SetClipPlane(self, Index: int, pPlane: Any) -> None:
        """Four floats."""
        self._do("SetClipPlane", Index, Array([fit(float, number) for number in pPlane]))

    def GetClipPlane(self, Index: int) -> np.ndarray:
        """float32[4]."""
        self._do("GetClipPlane", Index, None)
        return self._slots(BASE["clip_plane"] + 4 * Index, 4).view(np.float32)

    def SetRenderState(self, State: int, Value: Any) -> None:
        """Floats are passed as their bits."""
        self._do("SetRenderState", int(State), lambda: dword(Value))

    def GetRenderState(self, State: int) -> int:
        """The dword."""
        self._do("GetRenderState", int(State), None)
        return int(self.context.registers[BASE["render_state"] + State])

    def BeginStateBlock(self) -> None:
        """State calls are recorded from now on."""
        self._do("BeginStateBlock")

    def EndStateBlock(self) -> int:
        """The token of the recorded block."""
        token = self._desk.script.new_pointer()
        self._do("EndStateBlock", Array([int(token)]))
        return int(token)

    def ApplyStateBlock(self, Token: int) -> None:
        """Sets what the block holds."""
        self._do("ApplyStateBlock", Token)

    def CaptureStateBlock(self, Token: int) -> None:
        """The block gets the values of now."""
        self._do("CaptureStateBlock", Token)

    def DeleteStateBlock(self, Token: int) -> None:
        """Ends a block."""
        self._do("DeleteStateBlock", Token)

    def CreateStateBlock(self, Type: int) -> int:
        """The token of a block of everything (StateBlockType)."""
        token = self._desk.script.new_pointer()
        self._do("CreateStateBlock", int(Type), Array([int(token)]))
        return int(token)

    def SetClipStatus(self, pClipStatus: Any) -> None:
        """The runtime keeps no clip status."""
        self._do("SetClipStatus", None)

    def GetClipStatus(self) -> tuple[int, int]:
        """(union, intersection): nothing is known."""
        self._do("GetClipStatus", None)
        return 0, 0

    def SetTexture(self, Stage: int, pTexture: Interface | None) -> None:
        """None: no texture."""
        self._do("SetTexture", Stage, address(pTexture))

    def GetTexture(self, Stage: int) -> Any:
        """The texture of a stage."""
        self._do("GetTexture", Stage, None)
        return self._object(int(self.context.registers[BASE["texture_stage"] + STAGE_STATES * Stage]))

    def SetTextureStageState(self, Stage: int, Type: int, Value: Any) -> None:
        """Floats are passed as their bits."""
        self._do("SetTextureStageState", Stage, int(Type), lambda: dword(Value))

    def GetTextureStageState(self, Stage: int, Type: int) -> int:
        """The dword."""
        self._do("GetTextureStageState", Stage, int(Type), None)
        return int(self.context.registers[BASE["texture_stage"] + STAGE_STATES * Stage + Type])

    def ValidateDevice(self) -> int:
        """Passes that the current texture stages need."""
        self._do("ValidateDevice", None)
        return 1

    def GetInfo(self, DevInfoID: int) -> None:
        """Nothing is known."""
        self._do("GetInfo", DevInfoID, None, 0)

    def SetPaletteEntries(self, PaletteNumber: int, pEntries: Any) -> None:
        """256 PALETTEENTRY or (red, green, blue, flags)."""
        self._do("SetPaletteEntries", PaletteNumber, Array([fit(PALETTEENTRY, entry) for entry in pEntries]))

    def GetPaletteEntries(self, PaletteNumber: int) -> np.ndarray:
        """uint8[256, 4]."""
        if PaletteNumber not in self.context.palettes:
            raise D3DError(int(HResult.D3DERR_INVALIDCALL), f"palette {PaletteNumber} was never set")
        self._do("GetPaletteEntries", PaletteNumber, None)
        return np.frombuffer(self.context.palettes[PaletteNumber], np.uint8).reshape(-1, 4)

    def SetCurrentTexturePalette(self, PaletteNumber: int) -> None:
        """Chooses the palette of all paletted textures."""
        self._do("SetCurrentTexturePalette", PaletteNumber)

    def GetCurrentTexturePalette(self) -> int:
        """The current palette."""
        self._do("GetCurrentTexturePalette", None)
        return int(self.context.registers[PALETTE])
