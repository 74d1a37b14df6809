"""IDirect3DDevice8 for scripts (see d3d8.py)."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from core.runtime.context import Context
from core.runtime.interface import Interface, address
from core.runtime.objects import Resource
from core.runtime.resources8 import (
    IDirect3DCubeTexture8,
    IDirect3DIndexBuffer8,
    IDirect3DSurface8,
    IDirect3DSwapChain8,
    IDirect3DTexture8,
    IDirect3DVertexBuffer8,
    IDirect3DVolumeTexture8,
    back_buffer,
    part_of,
    present,
)
from core.runtime.rows import BASE_VERTEX, LIGHT, LIGHT_OFF, LIGHT_WORDS, LIGHTS, PALETTE, TRANSFORM_SLOTS
from core.runtime.runtime import D3DError
from core.runtime.script import Array, Pointer, fit
from core.runtime.structs import (
    D3DLIGHT8,
    D3DMATERIAL8,
    D3DPRESENT_PARAMETERS,
    D3DRECTPATCH_INFO,
    D3DTRIPATCH_INFO,
    D3DVIEWPORT8,
    PALETTEENTRY,
    POINT,
    RECT,
)
from core.spec.enums import HResult
from core.spec.slots import BASE, STAGE_STATES


def dword(value: Any) -> int:
    """A state value: floats as their bits."""
    if isinstance(value, (float, np.floating)):
        return int(struct.unpack("<I", struct.pack("<f", value))[0])
    return int(value) & 0xFFFFFFFF


def matrix_of(value: Any) -> Array:
    """16 floats, row by row."""
    return Array([[float(number) for number in np.asarray(value, np.float32).reshape(16)]])


class IDirect3DDevice8(Interface):
    """A device."""

    @property
    def context(self) -> Context:
        """What the runtime knows about it."""
        context = self._desk.runtime.objects[self.pointer]
        assert isinstance(context, Context)
        return context

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

    # ---- the device as such ----------------------------------------------------------------------

    def TestCooperativeLevel(self) -> int:
        """Never lost."""
        self._do("TestCooperativeLevel")
        return 0

    def GetAvailableTextureMem(self) -> int:
        """Bytes; as much as a DWORD holds."""
        self._do("GetAvailableTextureMem")
        return 0xFFF00000

    def ResourceManagerDiscardBytes(self, Bytes: int) -> None:
        """Nothing is thrown out of memory."""
        self._do("ResourceManagerDiscardBytes", Bytes)

    def GetDirect3D(self) -> Any:
        """What CreateDevice was called on."""
        self._do("GetDirect3D", None)
        return self._parent

    def GetDeviceCaps(self) -> dict[str, Any]:
        """D3DCAPS8 as the driver reports it."""
        self._do("GetDeviceCaps", None)
        return self._desk.caps()

    def GetDisplayMode(self) -> tuple[int, int, int, int]:
        """Width, height, refresh rate, format."""
        self._do("GetDisplayMode", None)
        chain = self.context.chain
        assert chain is not None
        parameters = chain.parameters
        return parameters.width, parameters.height, parameters.refresh, parameters.format

    def GetCreationParameters(self) -> dict[str, int]:
        """What CreateDevice was told."""
        self._do("GetCreationParameters", None)
        return {"AdapterOrdinal": 0, "DeviceType": 1, "hFocusWindow": 0, "BehaviorFlags": self.context.behavior}

    def SetCursorProperties(self, XHotSpot: int, YHotSpot: int, pCursorBitmap: IDirect3DSurface8) -> None:
        """GDI's cursor: nothing reaches the Direct3D driver."""
        self._do("SetCursorProperties", XHotSpot, YHotSpot, address(pCursorBitmap))

    def SetCursorPosition(self, X: int, Y: int, Flags: int = 0) -> None:
        """See SetCursorProperties."""
        self._do("SetCursorPosition", X, Y, Flags)

    def ShowCursor(self, bShow: int) -> int:
        """See SetCursorProperties; whether it was shown before."""
        self._do("ShowCursor", int(bShow))
        shown, self._cursor = self.__dict__.get("_cursor", 0), int(bool(bShow))
        return shown

    def CreateAdditionalSwapChain(self, pPresentationParameters: Any) -> IDirect3DSwapChain8:
        """Another picture on the same device."""
        return self._new(
            "CreateAdditionalSwapChain", IDirect3DSwapChain8, Array([fit(D3DPRESENT_PARAMETERS, pPresentationParameters)])
        )

    def Reset(self, pPresentationParameters: Any) -> None:
        """New swap chain, depth surface, and default state."""
        self._do("Reset", Array([fit(D3DPRESENT_PARAMETERS, pPresentationParameters)]))

    def Present(
        self, pSourceRect: Any = None, pDestRect: Any = None, hDestWindowOverride: Any = 0, pDirtyRegion: Any = None
    ) -> None:
        """Shows the back buffer."""
        present(self, pSourceRect, pDestRect, hDestWindowOverride or 0)

    def GetBackBuffer(self, BackBuffer: int, Type: int = 0) -> IDirect3DSurface8:
        """A back buffer as a surface."""
        return back_buffer(self, self.context.chain, BackBuffer, Type)

    def GetRasterStatus(self) -> tuple[bool, int]:
        """(in vertical blank, scan line)."""
        self._do("GetRasterStatus", None)
        return True, 0

    def SetGammaRamp(self, Flags: int, pRamp: Any) -> None:
        """GDI's: nothing reaches the Direct3D driver."""
        self._do("SetGammaRamp", Flags, np.asarray(pRamp, np.uint16))
        self._ramp = np.asarray(pRamp, np.uint16).copy()

    def GetGammaRamp(self) -> np.ndarray:
        """uint16[3, 256]."""
        self._do("GetGammaRamp", None)
        return self.__dict__.get("_ramp", np.tile(np.arange(256, dtype=np.uint16) * 257, (3, 1)))

    # ---- resources -------------------------------------------------------------------------------

    def CreateTexture(self, Width: int, Height: int, Levels: int, Usage: int, Format: int, Pool: int) -> IDirect3DTexture8:
        """Levels 0: down to 1 x 1."""
        return self._new("CreateTexture", IDirect3DTexture8, Width, Height, Levels, int(Usage), Format, int(Pool))

    def CreateVolumeTexture(
        self, Width: int, Height: int, Depth: int, Levels: int, Usage: int, Format: int, Pool: int
    ) -> IDirect3DVolumeTexture8:  # fmt: skip
        """A texture of three dimensions."""
        shape = (Width, Height, Depth, Levels)
        return self._new("CreateVolumeTexture", IDirect3DVolumeTexture8, *shape, int(Usage), Format, int(Pool))

    def CreateCubeTexture(self, EdgeLength: int, Levels: int, Usage: int, Format: int, Pool: int) -> IDirect3DCubeTexture8:
        """A texture of six faces."""
        return self._new("CreateCubeTexture", IDirect3DCubeTexture8, EdgeLength, Levels, int(Usage), Format, int(Pool))

    def CreateVertexBuffer(self, Length: int, Usage: int, FVF: int, Pool: int) -> IDirect3DVertexBuffer8:
        """Length in bytes."""
        return self._new("CreateVertexBuffer", IDirect3DVertexBuffer8, Length, int(Usage), int(FVF), int(Pool))

    def CreateIndexBuffer(self, Length: int, Usage: int, Format: int, Pool: int) -> IDirect3DIndexBuffer8:
        """Length in bytes; Format 101 or 102: indices of 16 or 32 bits."""
        return self._new("CreateIndexBuffer", IDirect3DIndexBuffer8, Length, int(Usage), Format, int(Pool))

    def CreateRenderTarget(
        self, Width: int, Height: int, Format: int, MultiSample: int = 0, Lockable: int = 0
    ) -> IDirect3DSurface8:
        """A surface to draw to."""
        return self._new("CreateRenderTarget", IDirect3DSurface8, Width, Height, Format, MultiSample, int(Lockable))

    def CreateDepthStencilSurface(self, Width: int, Height: int, Format: int, MultiSample: int = 0) -> IDirect3DSurface8:
        """A depth surface."""
        return self._new("CreateDepthStencilSurface", IDirect3DSurface8, Width, Height, Format, MultiSample)

    def CreateImageSurface(self, Width: int, Height: int, Format: int) -> IDirect3DSurface8:
        """A surface in system memory."""
        return self._new("CreateImageSurface", IDirect3DSurface8, Width, Height, Format)

    def CopyRects(
        self, pSourceSurface: Interface, pSourceRectsArray: Any, cRects: int, pDestinationSurface: Interface,
        pDestPointsArray: Any = None,
    ) -> None:  # fmt: skip
        """Copies rectangles; None: everything."""
        rects = None if pSourceRectsArray is None else Array([fit(RECT, rect) for rect in pSourceRectsArray])
        points = None if pDestPointsArray is None else Array([fit(POINT, point) for point in pDestPointsArray])
        self._do("CopyRects", address(pSourceSurface), rects, cRects, address(pDestinationSurface), points)

    def UpdateTexture(self, pSourceTexture: Interface, pDestinationTexture: Interface) -> None:
        """What is dirty in a SYSTEMMEM texture goes to a DEFAULT one."""
        self._do("UpdateTexture", address(pSourceTexture), address(pDestinationTexture))

    def GetFrontBuffer(self, pDestSurface: Interface) -> None:
        """What is shown, into a system memory surface."""
        self._do("GetFrontBuffer", address(pDestSurface))

    def SetRenderTarget(self, pRenderTarget: Interface | None, pNewZStencil: Interface | None) -> None:
        """None keeps the target, and means no depth surface; the viewport becomes the whole target."""
        self._do("SetRenderTarget", address(pRenderTarget), address(pNewZStencil))

    def GetRenderTarget(self) -> IDirect3DSurface8:
        """The target as a surface."""
        target = self.context.target
        assert target is not None
        return part_of(self, "GetRenderTarget", (), target.resource, target.face, target.level)

    def GetDepthStencilSurface(self) -> IDirect3DSurface8:
        """The depth surface."""
        depth = self.context.stencil
        if depth is None:
            raise D3DError(int(HResult.D3DERR_NOTFOUND), "there is no depth surface")
        return part_of(self, "GetDepthStencilSurface", (), depth.resource, depth.face, depth.level)

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
        self._do("Clear", Count, rects, int(Flags), int(Color), float(Z), Stencil)

    def SetTransform(self, State: int, pMatrix: Any) -> None:
        """A TransformState, or 256 + i: world matrix i."""
        self._do("SetTransform", int(State), matrix_of(pMatrix))

    def GetTransform(self, State: int) -> np.ndarray:
        """float32[4, 4]."""
        self._do("GetTransform", int(State), None)
        return self._slots(TRANSFORM_SLOTS[State], 16).view(np.float32).reshape(4, 4)

    def MultiplyTransform(self, State: int, pMatrix: Any) -> None:
        """The state becomes matrix x state."""
        self._do("MultiplyTransform", int(State), matrix_of(pMatrix))

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
        self._do("GetLight", Index, None)
        words = (
            self._slots(LIGHT + LIGHT_WORDS * Index, LIGHT_WORDS)
            if Index < LIGHTS
            else self.context.lights[Index][:LIGHT_WORDS]
        )
        f = words.view(np.float32).tolist()
        return fit(D3DLIGHT8, (int(words[0]), f[1:5], f[5:9], f[9:13], f[13:16], f[16:19], *f[19:26]))

    def LightEnable(self, Index: int, Enable: int) -> None:
        """Switches a light."""
        self._do("LightEnable", Index, int(bool(Enable)))

    def GetLightEnable(self, Index: int) -> bool:
        """Whether a light is on."""
        self._do("GetLightEnable", Index, None)
        if Index < LIGHTS:
            return not self.context.registers[LIGHT_OFF + Index]
        return bool(self.context.lights[Index][LIGHT_WORDS])

    def SetClipPlane(self, Index: int, pPlane: Any) -> None:
        """Four floats."""
        self._do("SetClipPlane", Index, Array([float(number) for number in pPlane]))

    def GetClipPlane(self, Index: int) -> np.ndarray:
        """float32[4]."""
        self._do("GetClipPlane", Index, None)
        return self._slots(BASE["clip_plane"] + 4 * Index, 4).view(np.float32)

    def SetRenderState(self, State: int, Value: Any) -> None:
        """Floats are passed as their bits."""
        self._do("SetRenderState", int(State), dword(Value))

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
        self._do("SetTextureStageState", Stage, int(Type), dword(Value))

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
        self._do("GetPaletteEntries", PaletteNumber, None)
        return np.frombuffer(self.context.palettes[PaletteNumber], np.uint8).reshape(-1, 4)

    def SetCurrentTexturePalette(self, PaletteNumber: int) -> None:
        """Chooses the palette of all paletted textures."""
        self._do("SetCurrentTexturePalette", PaletteNumber)

    def GetCurrentTexturePalette(self) -> int:
        """The current palette."""
        self._do("GetCurrentTexturePalette", None)
        return int(self.context.registers[PALETTE])

    # ---- drawing ---------------------------------------------------------------------------------

    def DrawPrimitive(self, PrimitiveType: int, StartVertex: int, PrimitiveCount: int) -> None:
        """From the streams."""
        self._do("DrawPrimitive", int(PrimitiveType), StartVertex, PrimitiveCount)

    def DrawIndexedPrimitive(
        self, PrimitiveType: int, minIndex: int, NumVertices: int, startIndex: int, primCount: int
    ) -> None:
        """From the streams, by indices."""
        self._do("DrawIndexedPrimitive", int(PrimitiveType), minIndex, NumVertices, startIndex, primCount)

    def DrawPrimitiveUP(
        self, PrimitiveType: int, PrimitiveCount: int, pVertexStreamZeroData: Any, VertexStreamZeroStride: int
    ) -> None:  # fmt: skip
        """From memory of the program; stream 0 is empty afterwards."""
        vertices = np.asarray(pVertexStreamZeroData) if not isinstance(pVertexStreamZeroData, bytes) else pVertexStreamZeroData
        self._do("DrawPrimitiveUP", int(PrimitiveType), PrimitiveCount, vertices, VertexStreamZeroStride)

    def DrawIndexedPrimitiveUP(
        self, PrimitiveType: int, MinVertexIndex: int, NumVertexIndices: int, PrimitiveCount: int, pIndexData: Any,
        IndexDataFormat: int, pVertexStreamZeroData: Any, VertexStreamZeroStride: int,
    ) -> None:  # fmt: skip
        """From memory of the program; stream 0 and indices are empty afterwards."""
        self._do(
            "DrawIndexedPrimitiveUP", int(PrimitiveType), MinVertexIndex, NumVertexIndices, PrimitiveCount, pIndexData,
            IndexDataFormat, pVertexStreamZeroData, VertexStreamZeroStride,
        )  # fmt: skip

    def ProcessVertices(
        self, SrcStartIndex: int, DestIndex: int, VertexCount: int, pDestBuffer: Interface, Flags: int = 0
    ) -> None:
        """Transforms and lights vertices of the streams into a buffer; needs software vertex processing."""
        self._do("ProcessVertices", SrcStartIndex, DestIndex, VertexCount, address(pDestBuffer), Flags)

    def DrawRectPatch(self, Handle: int, pNumSegs: Any, pRectPatchInfo: Any = None) -> None:
        """Four segment numbers; a D3DRECTPATCH_INFO or None for a patch that was drawn before."""
        self._patch("DrawRectPatch", Handle, pNumSegs, pRectPatchInfo, D3DRECTPATCH_INFO)

    def DrawTriPatch(self, Handle: int, pNumSegs: Any, pTriPatchInfo: Any = None) -> None:
        """Three segment numbers; a D3DTRIPATCH_INFO or None."""
        self._patch("DrawTriPatch", Handle, pNumSegs, pTriPatchInfo, D3DTRIPATCH_INFO)

    def _patch(self, method: str, handle: int, segments: Any, info: Any, cls: type) -> None:
        numbers = None if segments is None else Array([float(number) for number in segments])
        self._do(method, handle, numbers, None if info is None else Array([fit(cls, info)]))

    def DeletePatch(self, Handle: int) -> None:
        """The driver forgets a patch."""
        self._do("DeletePatch", Handle)

    # ---- streams and shaders ---------------------------------------------------------------------

    def SetStreamSource(self, StreamNumber: int, pStreamData: Interface | None, Stride: int) -> None:
        """Where vertices come from."""
        self._do("SetStreamSource", StreamNumber, address(pStreamData), Stride)

    def GetStreamSource(self, StreamNumber: int) -> tuple[Any, int]:
        """(buffer, stride)."""
        self._do("GetStreamSource", StreamNumber, None, None)
        handle, stride = self._slots(BASE["stream"] + 3 * StreamNumber, 2).tolist()
        return self._object(handle), stride

    def SetIndices(self, pIndexData: Interface | None, BaseVertexIndex: int) -> None:
        """Where indices come from, and what is added to them."""
        self._do("SetIndices", address(pIndexData), BaseVertexIndex)

    def GetIndices(self) -> tuple[Any, int]:
        """(buffer, base)."""
        self._do("GetIndices", None, None)
        return self._object(int(self.context.registers[BASE["indices"]])), int(self.context.registers[BASE_VERTEX])

    def CreateVertexShader(self, pDeclaration: Any, pFunction: Any = None, Usage: int = 0) -> int:
        """The handle; without code: a declaration for the fixed function."""
        declaration = Array([int(word) & 0xFFFFFFFF for word in np.asarray(pDeclaration).reshape(-1)])
        code = None if pFunction is None else _code(pFunction)
        return self._shader("CreateVertexShader", declaration, code, usage=(int(Usage),))

    def CreatePixelShader(self, pFunction: Any) -> int:
        """The handle."""
        return self._shader("CreatePixelShader", _code(pFunction))

    def _shader(self, method: str, *args: Any, usage: tuple[int, ...] = ()) -> int:
        handle = int(self._desk.script.new_pointer()) | 1
        self._do(method, *args, Array([handle]), *usage)
        return handle

    def SetVertexShader(self, Handle: int) -> None:
        """A handle (odd) or a vertex format (even)."""
        self._do("SetVertexShader", int(Handle))

    def GetVertexShader(self) -> int:
        """The handle or vertex format."""
        self._do("GetVertexShader", None)
        return _api_handle(self.context.vertex_shaders, int(self.context.registers[BASE["vertex_shader"]]))

    def DeleteVertexShader(self, Handle: int) -> None:
        """Ends a shader."""
        self._do("DeleteVertexShader", Handle)

    def SetVertexShaderConstant(self, Register: int, pConstantData: Any, ConstantCount: int) -> None:
        """Four floats a constant."""
        self._do("SetVertexShaderConstant", Register, np.asarray(pConstantData, np.float32), ConstantCount)

    def GetVertexShaderConstant(self, Register: int, ConstantCount: int) -> np.ndarray:
        """float32[ConstantCount, 4]."""
        self._do("GetVertexShaderConstant", Register, None, ConstantCount)
        return self._slots(BASE["vs_const"] + 4 * Register, 4 * ConstantCount).view(np.float32).reshape(-1, 4)

    def GetVertexShaderDeclaration(self, Handle: int) -> tuple[int, ...]:
        """The words."""
        self._do("GetVertexShaderDeclaration", Handle, None, None)
        return self.context.vertex_shaders[Handle].declaration

    def GetVertexShaderFunction(self, Handle: int) -> bytes:
        """The code."""
        self._do("GetVertexShaderFunction", Handle, None, None)
        return self.context.vertex_shaders[Handle].code

    def SetPixelShader(self, Handle: int) -> None:
        """0: the texture stages."""
        self._do("SetPixelShader", int(Handle))

    def GetPixelShader(self) -> int:
        """The handle."""
        self._do("GetPixelShader", None)
        return _api_handle(self.context.pixel_shaders, int(self.context.registers[BASE["pixel_shader"]]))

    def DeletePixelShader(self, Handle: int) -> None:
        """Ends a shader."""
        self._do("DeletePixelShader", Handle)

    def SetPixelShaderConstant(self, Register: int, pConstantData: Any, ConstantCount: int) -> None:
        """Four floats a constant."""
        self._do("SetPixelShaderConstant", Register, np.asarray(pConstantData, np.float32), ConstantCount)

    def GetPixelShaderConstant(self, Register: int, ConstantCount: int) -> np.ndarray:
        """float32[ConstantCount, 4]."""
        self._do("GetPixelShaderConstant", Register, None, ConstantCount)
        return self._slots(BASE["ps_const"] + 4 * Register, 4 * ConstantCount).view(np.float32).reshape(-1, 4)

    def GetPixelShaderFunction(self, Handle: int) -> bytes:
        """The code."""
        self._do("GetPixelShaderFunction", Handle, None, None)
        return self.context.pixel_shaders[Handle].code


def _code(function: Any) -> bytes:
    """Shader code as bytes."""
    return bytes(function) if isinstance(function, (bytes, bytearray)) else np.asarray(function, np.uint32).tobytes()


def _api_handle(shaders: dict[int, Any], handle: int) -> int:
    """The program's handle of a shader that the driver knows by another."""
    return next((api for api, shader in shaders.items() if shader.handle == handle), handle)


__all__ = ["IDirect3DDevice8", "Pointer"]
