"""IDirect3DDevice8 for scripts (see d3d8.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.runtime.calls.structs import (
    D3DPRESENT_PARAMETERS,
    D3DRECTPATCH_INFO,
    D3DTRIPATCH_INFO,
    POINT,
    RECT,
)
from core.runtime.rows.table import BASE_VERTEX
from core.runtime.runtime import D3DError
from core.runtime.script.device8_state import StateMethods
from core.runtime.script.interface import Interface, address
from core.runtime.script.resources8 import (
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
from core.runtime.script.script import Array, Pointer, fit, floats
from core.spec.enums import HResult
from core.spec.slots import BASE

LINEAR_RAMP = np.tile(np.arange(256, dtype=np.uint16) * 257, (3, 1))


class IDirect3DDevice8(StateMethods):
    """A device."""

    _cursor = 0  # whether it is shown
    _ramp = LINEAR_RAMP

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
        """Managed textures leave video memory; draws bring them back."""
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
        """The arguments of CreateDevice."""
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
        shown, self._cursor = self._cursor, int(bool(bShow))
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
        return self._ramp.copy()

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
        self._do("SetVertexShaderConstant", Register, lambda: floats(pConstantData), ConstantCount)

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
        self._do("SetPixelShaderConstant", Register, lambda: floats(pConstantData), ConstantCount)

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
