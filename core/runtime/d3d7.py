"""DirectDraw and Direct3D 7 for scripts: the API's own names and argument order; what the API returns through pointers is the
return value, and pointers that are always NULL (pUnkOuter, hEvent) are left out.

    from core.ddi.driver.emulated import EmulatedDriver
    from core.runtime.d3d7 import DDSCAPS2, DDSURFACEDESC2, DirectDrawCreateEx
    from core.spec.enums import ClearFlag, Fvf, PrimitiveType
    import numpy as np

    draw = DirectDrawCreateEx(EmulatedDriver())
    draw.SetDisplayMode(640, 480, 32, 0, 0)
    screen = draw.CreateSurface(DDSURFACEDESC2(dwFlags=0x21, dwBackBufferCount=1, ddsCaps=DDSCAPS2(0x2218)))
    back = screen.GetAttachedSurface(DDSCAPS2(4))
    device = draw.QueryInterface("IDirect3D7").CreateDevice(None, back)
    device.SetRenderState(137, 0)
    device.Clear(0, None, ClearFlag.TARGET, 0xFF000080, 1.0, 0)
    device.BeginScene()
    triangle = np.zeros(3, [("position", "f4", 4), ("diffuse", "u4")])
    triangle["position"] = [(320, 40, 0.5, 1), (600, 440, 0.5, 1), (40, 440, 0.5, 1)]
    triangle["diffuse"] = 0xFFFFFFFF
    device.DrawPrimitive(PrimitiveType.TRIANGLELIST, Fvf.XYZRHW | Fvf.DIFFUSE, triangle, 3, 0)
    device.EndScene()
    screen.Flip(None, 1)

The same with Direct3D 6 and 5: `draw.QueryInterface("IDirect3D3").CreateDevice(None, back)` or "IDirect3D2", CreateViewport,
CreateLight, CreateMaterial; structures that only those have (D3DVIEWPORT2, D3DLIGHT2, D3DMATERIAL) are tuples of their members.

A failing call raises D3DError with the HRESULT in `.result`.  Everything goes through the same rows and methods as a trace.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from core.ddi.calls import Driver
from core.errors import BadInput
from core.runtime.calls.columns import Calls
from core.runtime.calls.interfaces6 import INTERFACES6
from core.runtime.calls.interfaces7 import FUNCTIONS7, INTERFACES7
from core.runtime.calls.structs import D3DLIGHT8, D3DMATERIAL8, D3DVIEWPORT8, PALETTEENTRY, POINT, RECT, STRUCTS
from core.runtime.calls.structs7 import (
    D3DDP_PTRSTRIDE,
    D3DDRAWPRIMITIVESTRIDEDDATA,
    D3DVERTEXBUFFERDESC,
    DDBLTFX,
    DDCOLORKEY,
    DDPIXELFORMAT,
    DDSCAPS2,
    DDSURFACEDESC2,
    STRUCTS7,
)
from core.runtime.directdraw.making import surface_of
from core.runtime.directdraw.objects import DrawSurface
from core.runtime.objects import Resource
from core.runtime.runtime import D3DError, PointerSink, Runtime
from core.runtime.script.script import Array, Pointer, Script, fit
from core.spec.formats import FORMATS

D3DVIEWPORT7, D3DMATERIAL7, D3DLIGHT7 = D3DVIEWPORT8, D3DMATERIAL8, D3DLIGHT8  # the same members
MADE = {
    "lplpDDSurface": "IDirectDrawSurface7", "lplpDupDDSurface": "IDirectDrawSurface7",
    "lplpDDAttachedSurface": "IDirectDrawSurface7", "lplpRenderTarget": "IDirectDrawSurface7",
    "lplpDDPalette": "IDirectDrawPalette", "lplpDDClipper": "IDirectDrawClipper", "lplpD3DDevice": "IDirect3DDevice7",
    "lplpD3DVertBuf": "IDirect3DVertexBuffer7", "lplpDirect3D3": "IDirect3D7", "lplpDD": "IDirectDraw7",
    "lplpGDIDDSSurface": "IDirectDrawSurface7",
    "lplpDirect3D2": "IDirect3D2", "lplpDirect3DLight": "IDirect3DLight", "lplpTexture2": "IDirect3DTexture2",
    **{f"lplpD3DDevice{version}": f"IDirect3DDevice{version}" for version in (2, 3)},
    **{f"lplpDirect3DMaterial{version}": f"IDirect3DMaterial{version}" for version in ("", 2, 3)},
    **{f"lplp{kind}Viewport{version}": f"IDirect3DViewport{version}" for kind in ("D3D", "Direct3D") for version in ("", 2, 3)},
}  # fmt: skip
"""Arguments that bring an object, by name."""
OWN = {("IDirect3D3", "lplpD3DVertBuf"): "IDirect3DVertexBuffer", ("IDirect3DDevice3", "lplpDirect3D3"): "IDirect3D3"}
"""Arguments that bring something else in older interfaces than in the latest."""
BY_CALL = frozenset({("GetTexture", "lpTexture"), ("GetSurfaceFromDC", "lpDDSurface")})
"""Arguments that bring a surface in one method only."""
NUMBERS = frozenset({"lpdwBlockHandle", "lpHandle", "phDC"})  # that bring a handle
ALWAYS_NULL = frozenset({"pUnkOuter", "hEvent", "lpUnk"})
STRUCT_OF: dict[str, type] = {
    "lpData": D3DVIEWPORT7, "lpMat": D3DMATERIAL7, "lpLight": D3DLIGHT7, "lpDDSurfaceDesc": DDSURFACEDESC2,
    "lpDDBltFx": DDBLTFX, "lpDDColorKey": DDCOLORKEY, "lpDestRect": RECT, "lpSrcRect": RECT, "lprcSrcRect": RECT,
    "lpDDSCaps": DDSCAPS2, "lpDestPoint": POINT, "lpD3DVertBufDesc": D3DVERTEXBUFFERDESC,
}  # fmt: skip
"""Structures by the arguments that point to one; sequences become them."""
FLOATS = frozenset({"lpD3DMatrix", "pPlaneEquation"})
FUNCTIONS = FUNCTIONS7 | {"memcpy": ("dest", "src", "n")}
INTERFACES = INTERFACES6 | INTERFACES7


class Desk7:
    """The runtime behind all objects of one DirectDrawCreateEx, and the memory of open locks by address of the object."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.script = Script(runtime, FUNCTIONS, (*STRUCTS, *STRUCTS7))
        self.open: dict[int, tuple[Pointer, np.ndarray]] = {}
        self.handles = 0


class Object7:
    """An object by one of its interfaces; its methods are those of the header."""

    def __init__(self, desk: Desk7, interface: str, pointer: Pointer) -> None:
        self._desk, self.interface, self.pointer = desk, interface, pointer

    def __repr__(self) -> str:
        return f"<{self.interface} {self.pointer:#x}>"

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if f"{self.interface}::{name}" not in FUNCTIONS:
            raise AttributeError(f"{self.interface} has no method {name}")
        return partial(self._call, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *INTERFACES[self.interface]]

    def _call(self, name: str, *given: Any, result: int = 0) -> Any:
        """Any method: makes what its arguments bring, passes on what they take."""
        names, left = FUNCTIONS[f"{self.interface}::{name}"][1:], list(given)
        args: list[Any] = []
        made: Any = None
        for argument in names:
            brought = OWN.get((self.interface, argument)) or MADE.get(argument)
            if brought or (name, argument) in BY_CALL:
                made = Object7(self._desk, brought or "IDirectDrawSurface7", self._desk.script.new_pointer())
                args.append(Array([made.pointer]))
            elif argument in NUMBERS:
                self._desk.handles += 1
                made = self._desk.handles
                args.append(Array([made]))
            else:
                shape = None if self.interface in INTERFACES6 else STRUCT_OF.get(argument)
                args.append(None if argument in ALWAYS_NULL or not left else _argument(argument, left.pop(0), shape))
        if left:
            raise BadInput(f"{self.interface}::{name}: {len(left)} arguments too many")
        self._desk.script.call(f"{self.interface}::{name}", self.pointer, *args, result=result)
        return made

    def QueryInterface(self, interface: str) -> Object7:
        """The same object by another interface, by its name."""
        if interface not in INTERFACES:
            raise BadInput(f"there is no interface {interface}")
        other = Object7(self._desk, interface, self._desk.script.new_pointer())
        self._desk.script.call(f"{self.interface}::QueryInterface", self.pointer, None, Array([other.pointer]))
        return other

    def Lock(self, lpDestRect: Any = None, dwFlags: int = 0) -> np.ndarray:
        """Writable memory, uint8[rows, bytes], of a surface or of a rectangle of it; of a vertex buffer uint8[bytes]."""
        thing = self._desk.runtime.objects.get(self.pointer)
        if isinstance(thing, DrawSurface):
            return self._lock_surface(None if lpDestRect is None else fit(RECT, lpDestRect), dwFlags)
        if not isinstance(thing, Resource):
            raise BadInput(f"{self!r} cannot be locked")
        memory = np.zeros(thing.width, np.uint8) if thing.contents is None else thing.contents.copy()
        address = self._desk.script.new_memory(thing.width)
        self._desk.script.call(f"{self.interface}::Lock", self.pointer, int(dwFlags), Array([address]), None)
        self._desk.open[self.pointer] = address, memory
        return memory

    def _lock_surface(self, rect: RECT | None, flags: int) -> np.ndarray:
        desk = self._desk
        surface = surface_of(desk.runtime, self.pointer)
        assert surface is not None
        width, height, _ = surface.view.size
        row, area = FORMATS[surface.view.resource.format], rect or RECT(0, 0, width, height)
        wide, high, size = row.block
        if not (0 <= area.left < area.right <= width and 0 <= area.top < area.bottom <= height):
            raise BadInput(f"{area} in a surface of {width} x {height}")
        left, right = area.left // wide * size, -(-area.right // wide) * size
        top, bottom = area.top // high, -(-area.bottom // high)
        memory = np.zeros((bottom - top, right - left), np.uint8)
        desk.runtime.flush()
        part = getattr(desk.runtime.driver, "part", lambda _: None)(surface.handle)
        if part is not None:
            memory[:] = part.linear().reshape(part.rows, part.pitch)[top:bottom, left:right]
        address = desk.script.new_memory(memory.nbytes)
        desc = DDSURFACEDESC2(dwHeight=height, dwWidth=width, lPitch=memory.strides[0], lpSurface=address)
        box = None if rect is None else Array([rect])
        desk.script.call(f"{self.interface}::Lock", self.pointer, box, Array([desc]), int(flags), None)
        desk.open[self.pointer] = address, memory
        return memory

    def Unlock(self) -> None:
        """What was written goes to the driver."""
        script, held = self._desk.script, self._desk.open.pop(self.pointer, None)
        if held is not None:
            script.call("memcpy", held[0], held[1].tobytes(), held[1].nbytes)
        arguments = FUNCTIONS[f"{self.interface}::Unlock"][1:]
        script.call(f"{self.interface}::Unlock", self.pointer, *(None for _ in arguments))


def _argument(name: str, value: Any, shape: type | None) -> Any:
    """A value as the call takes it; shape: the structure that a sequence becomes."""
    if isinstance(value, Object7):
        return value.pointer
    if value is None or isinstance(value, (int, float)):
        return int(value) if isinstance(value, int) else value
    if shape is not None:
        return Array([fit(shape, value)])
    if name in FLOATS:
        return Array([float(number) for number in np.asarray(value, np.float64).reshape(-1)])
    if name in ("lpwIndices", "lpIndex"):
        return np.asarray(value, np.uint16)
    if isinstance(value, list):
        return Array([PALETTEENTRY(*one) if name in ("lpDDColorArray", "lpEntries") else one for one in value])
    return Array([value]) if isinstance(value, tuple) else value


def DirectDrawCreateEx(
    driver: Driver, source_sink: Callable[[Calls], Any] | None = None, pointer_sink: PointerSink | None = None,
    verdict_sink: Callable[[np.ndarray], Any] | None = None,
) -> Object7:  # fmt: skip
    """Starts DirectDraw 7 on a driver; the sinks are those of Runtime."""
    desk = Desk7(Runtime(driver, source_sink, pointer_sink, True, verdict_sink))
    draw = Object7(desk, "IDirectDraw7", desk.script.new_pointer())
    desk.script.call("DirectDrawCreateEx", None, Array([draw.pointer]), None, None)
    return draw


def finish(draw: Object7) -> None:
    """Sends what is still in the command buffer: the program ends."""
    draw._desk.runtime.finish()


__all__ = [
    "D3DDP_PTRSTRIDE", "D3DDRAWPRIMITIVESTRIDEDDATA", "D3DLIGHT7", "D3DMATERIAL7", "D3DVERTEXBUFFERDESC", "D3DVIEWPORT7",
    "DDBLTFX", "DDCOLORKEY", "DDPIXELFORMAT", "DDSCAPS2", "DDSURFACEDESC2", "PALETTEENTRY", "POINT", "RECT", "D3DError",
    "DirectDrawCreateEx", "Object7", "finish",
]  # fmt: skip
