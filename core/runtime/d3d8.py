"""Direct3D 8 for scripts: the API's own names and argument order; what the API returns through pointers is the return value.

    from core.ddi.driver.emulated import EmulatedDriver
    from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, D3DRS, Direct3DCreate8
    from core.spec.enums import ClearFlag, CreateFlag, Fvf, Pool, PrimitiveType
    import numpy as np

    driver = EmulatedDriver()
    d3d = Direct3DCreate8(driver)
    device = d3d.CreateDevice(0, 1, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, D3DPRESENT_PARAMETERS(640, 480))
    device.SetRenderState(D3DRS.LIGHTING, 0)
    texture = device.CreateTexture(2, 2, 1, 0, 21, Pool.MANAGED)
    texture.LockRect(0).view(np.uint32)[:] = 0xFFFF0000
    texture.UnlockRect(0)
    device.SetTexture(0, texture)
    device.Clear(0, None, ClearFlag.TARGET, 0xFF000080, 1.0, 0)
    device.BeginScene()
    device.SetVertexShader(Fvf.XYZRHW | Fvf.DIFFUSE)
    triangle = np.zeros(3, [("position", "f4", 4), ("diffuse", "u4")])
    triangle["position"] = [(320, 40, 0.5, 1), (600, 440, 0.5, 1), (40, 440, 0.5, 1)]
    triangle["diffuse"] = 0xFFFFFFFF
    device.DrawPrimitiveUP(PrimitiveType.TRIANGLELIST, 1, triangle, 20)
    device.EndScene()
    device.Present(None, None, None, None)

A failing call raises D3DError with the HRESULT in `.result`.  Everything goes through the same rows and methods as a trace.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np

from core.ddi.calls import Driver
from core.runtime.calls.columns import Calls
from core.runtime.calls.structs import (
    D3DBOX,
    D3DCOLORVALUE,
    D3DLIGHT8,
    D3DMATERIAL8,
    D3DPRESENT_PARAMETERS,
    D3DRECTPATCH_INFO,
    D3DTRIPATCH_INFO,
    D3DVECTOR,
    D3DVIEWPORT8,
    PALETTEENTRY,
    POINT,
    RECT,
)
from core.runtime.methods.driver_info import ask_formats, can_be, can_be_target
from core.runtime.runtime import D3DError, PointerSink
from core.runtime.script.device8 import IDirect3DDevice8
from core.runtime.script.interface import Desk, Interface
from core.runtime.script.resources8 import (
    IDirect3DCubeTexture8,
    IDirect3DIndexBuffer8,
    IDirect3DSurface8,
    IDirect3DSwapChain8,
    IDirect3DTexture8,
    IDirect3DVertexBuffer8,
    IDirect3DVolume8,
    IDirect3DVolumeTexture8,
)
from core.runtime.script.script import Array, fit
from core.spec.enums import FormatOp
from core.spec.formats import FORMATS
from core.spec.pixel_formats import samples_of
from core.spec.states import RENDER_STATES, TEXTURE_STAGE_STATES

SDK_VERSION = 220
D3DRS: Any = IntEnum("D3DRS", {state.name: number for number, state in RENDER_STATES.items()})  # type: ignore[misc]
D3DTSS: Any = IntEnum("D3DTSS", {state.name: number for number, state in TEXTURE_STAGE_STATES.items()})  # type: ignore[misc]
DISPLAY_MODE = (1280, 1024, 60, 22)


class IDirect3D8(Interface):
    """What Direct3DCreate8 gives."""

    def GetAdapterCount(self) -> int:
        """One: the emulated one."""
        self._do("GetAdapterCount")
        return 1

    def GetAdapterIdentifier(self, Adapter: int, Flags: int = 0) -> str:
        """The description."""
        self._do("GetAdapterIdentifier", Adapter, Flags, None)
        return "DDI Inspector"

    def GetAdapterModeCount(self, Adapter: int) -> int:
        """One."""
        self._do("GetAdapterModeCount", Adapter)
        return 1

    def EnumAdapterModes(self, Adapter: int, Mode: int) -> tuple[int, int, int, int]:
        """Width, height, refresh rate, format."""
        self._do("EnumAdapterModes", Adapter, Mode, None)
        return DISPLAY_MODE

    def GetAdapterDisplayMode(self, Adapter: int) -> tuple[int, int, int, int]:
        """Width, height, refresh rate, format."""
        self._do("GetAdapterDisplayMode", Adapter, None)
        return DISPLAY_MODE

    def CheckDeviceType(self, Adapter: int, CheckType: int, DisplayFormat: int, BackBufferFormat: int, Windowed: int) -> bool:
        """Whether such a back buffer can be drawn to, in a display mode that is accelerated."""
        self._do("CheckDeviceType", Adapter, CheckType, DisplayFormat, BackBufferFormat, Windowed)
        listed = ask_formats(self._desk.runtime)
        if BackBufferFormat not in listed or DisplayFormat not in listed:
            return False
        accelerated = bool(listed[DisplayFormat].operations & FormatOp.ACCELERATION_3D)
        return accelerated and can_be_target(listed[BackBufferFormat].operations, BackBufferFormat, DisplayFormat)

    def CheckDeviceFormat(
        self, Adapter: int, DeviceType: int, AdapterFormat: int, Usage_: int, RType: int, CheckFormat: int
    ) -> bool:  # fmt: skip
        """Whether resources of a format can be used like this."""
        self._do("CheckDeviceFormat", Adapter, DeviceType, AdapterFormat, Usage_, RType, CheckFormat)
        return can_be(self._desk.runtime, Usage_, RType, CheckFormat, AdapterFormat)

    def CheckDeviceMultiSampleType(
        self, Adapter: int, DeviceType: int, SurfaceFormat: int, Windowed: int, MultiSampleType: int
    ) -> bool:  # fmt: skip
        """Whether targets of a format can have this many samples: copied to a window, or flipped."""
        self._do("CheckDeviceMultiSampleType", Adapter, DeviceType, SurfaceFormat, Windowed, MultiSampleType)
        row = ask_formats(self._desk.runtime).get(SurfaceFormat)
        if row is None or MultiSampleType == 0:
            return row is not None
        return MultiSampleType in samples_of(row.blt_samples if Windowed else row.flip_samples)

    def CheckDepthStencilMatch(
        self, Adapter: int, DeviceType: int, AdapterFormat: int, RenderTargetFormat: int, DepthStencilFormat: int
    ) -> bool:  # fmt: skip
        """Whether the two can be used together: of one size, or a format that goes with any."""
        self._do("CheckDepthStencilMatch", Adapter, DeviceType, AdapterFormat, RenderTargetFormat, DepthStencilFormat)
        row = ask_formats(self._desk.runtime).get(DepthStencilFormat)
        if row is None or not row.operations & FormatOp.ZSTENCIL or RenderTargetFormat not in FORMATS:
            return False
        alike = FORMATS[DepthStencilFormat].bits == FORMATS[RenderTargetFormat].bits
        return alike or bool(row.operations & FormatOp.ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH)

    def GetDeviceCaps(self, Adapter: int, DeviceType: int) -> dict[str, Any]:
        """D3DCAPS8 as the driver reports it."""
        self._do("GetDeviceCaps", Adapter, DeviceType, None)
        return self._desk.caps()

    def CreateDevice(
        self, Adapter: int, DeviceType: int, hFocusWindow: int, BehaviorFlags: int, pPresentationParameters: Any
    ) -> IDirect3DDevice8:  # fmt: skip
        """A device with its swap chain, depth surface and default state."""
        pointer = self._desk.script.new_pointer()
        parameters = fit(D3DPRESENT_PARAMETERS, pPresentationParameters)
        out = Array([pointer])
        self._do("CreateDevice", Adapter, DeviceType, hFocusWindow, int(BehaviorFlags), Array([parameters]), out)
        return IDirect3DDevice8(self._desk, pointer, self)


def Direct3DCreate8(
    driver: Driver,
    SDKVersion: int = SDK_VERSION,
    memory: Callable[[int], np.ndarray] | None = None,
    source_sink: Callable[[Calls], Any] | None = None,
    pointer_sink: PointerSink | None = None,
    verdict_sink: Callable[[np.ndarray], Any] | None = None,
) -> IDirect3D8:
    """Starts Direct3D 8 on a driver.

    memory(handle) gives the bytes of a surface's level or of a buffer (uint8, rows at the driver's pitch), for locks that
    read; without it, the driver is asked if it can tell, else locked memory starts as zeros.  The sinks are those of Runtime.
    """
    desk = Desk(driver, memory, source_sink, pointer_sink, verdict_sink)
    pointer = desk.script.new_pointer()
    desk.script.call("Direct3DCreate8", SDKVersion, result=int(pointer))
    return IDirect3D8(desk, pointer)


def finish(d3d: IDirect3D8) -> None:
    """Sends what is still in the command buffer: the program ends."""
    d3d._desk.runtime.finish()


__all__ = [
    "D3DBOX",
    "D3DCOLORVALUE",
    "D3DLIGHT8",
    "D3DMATERIAL8",
    "D3DPRESENT_PARAMETERS",
    "D3DRECTPATCH_INFO",
    "D3DRS",
    "D3DTRIPATCH_INFO",
    "D3DTSS",
    "D3DVECTOR",
    "D3DVIEWPORT8",
    "PALETTEENTRY",
    "POINT",
    "RECT",
    "D3DError",
    "Direct3DCreate8",
    "IDirect3D8",
    "IDirect3DCubeTexture8",
    "IDirect3DDevice8",
    "IDirect3DIndexBuffer8",
    "IDirect3DSurface8",
    "IDirect3DSwapChain8",
    "IDirect3DTexture8",
    "IDirect3DVertexBuffer8",
    "IDirect3DVolume8",
    "IDirect3DVolumeTexture8",
    "finish",
]  # fmt: skip
