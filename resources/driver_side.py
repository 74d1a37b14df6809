"""Captures of what drivers do beside drawing: a full presentation queue with buffers that are renamed, vertex buffers of
DirectX 7 that are waited for, a pure device with palettes and state sets, and the DXGI functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.runtime.d3d8 import PALETTEENTRY, IDirect3DDevice8
from core.spec.enums import (
    Blend,
    ClearFlag,
    Cull,
    DdFlip,
    Dp2Flag,
    DxgiBltFlag,
    DxgiFormat,
    DxgiPresentFlag,
    DxgiRotation,
    Fvf,
    HResult,
    Pool,
    PrimitiveType,
    SurfaceCaps,
    SurfaceCaps2,
    TextureOp,
    Usage,
)  # fmt: skip
from core.spec.states import RENDER_STATE_ID
from resources import shapes
from resources.canvas import FLAT, Canvas, format_id

WIDTH, HEIGHT = 320, 240
DISCARD, NOOVERWRITE = 0x2000, 0x1000  # D3DLOCK_*
STRIPES = 48


def introduce(call: Callable[[DdiCall], DdiCall]) -> None:
    """Asks a driver what a DirectX 8 runtime asks for before it makes a device: DDHALINFO, capabilities, all formats."""
    call(DdiCall("GetHalInfo", {}))
    call(DdiCall("GetDriverInfo", {"type": "D3DCAPS8"}))
    count = call(DdiCall("GetDriverInfo", {"type": "FORMATCOUNT"})).out["count"]
    for index in range(count):
        call(DdiCall("GetDriverInfo", {"type": "FORMAT", "index": index}))


# ---- presentation and buffers ----------------------------------------------------------------------------------------


class Queue(Canvas):
    """Frames that cost less than a refresh, so that the queue fills; three ways to change a buffer that the device still reads.

    From the left: locked with DISCARD (the driver renames it), with NOOVERWRITE (the program keeps out of the way), and with
    neither, every sixth frame (the driver waits until what reads it is drawn).
    """

    TITLE = "A full presentation queue; buffers renamed and waited for"

    def __init__(self, device: IDirect3DDevice8) -> None:
        super().__init__(device)
        dynamic = Usage.DYNAMIC | Usage.WRITEONLY
        self.buffers = [
            device.CreateVertexBuffer(STRIPES * 6 * 20 * more, usage, FLAT, Pool.DEFAULT)
            for usage, more in ((dynamic, 1), (dynamic, 8), (Usage.WRITEONLY, 1))
        ]
        self.drawn = 0

    def draw(self, time: float) -> None:
        """One frame at `time` (0..1 is one turn)."""
        device = self.device
        device.BeginScene()
        device.Clear(0, None, ClearFlag.TARGET, 0xFF10141C, 1.0, 0)
        self.state(ZENABLE=0, LIGHTING=0, CULLMODE=Cull.NONE)
        self.stage(0, COLOROP=TextureOp.SELECTARG2, COLORARG2=0)
        device.SetVertexShader(FLAT)
        part = STRIPES * 6 * 20
        for number, (buffer, flags) in enumerate(zip(self.buffers, (DISCARD, NOOVERWRITE, 0), strict=True)):
            first = 0
            if flags == NOOVERWRITE:
                first = self.drawn % 8
                flags = DISCARD if first == 0 else NOOVERWRITE
            stripes = equalizer(number, time, 2.0)
            if flags or self.drawn % 6 == 0:
                buffer.Lock(first * part, part, flags)[:part] = stripes.view(np.uint8).ravel()
                buffer.Unlock()
            device.SetStreamSource(0, buffer, 20)
            device.DrawPrimitive(PrimitiveType.TRIANGLELIST, first * STRIPES * 6, STRIPES * 2)
        self.drawn += 1
        device.EndScene()
        device.Present(None, None, None, None)


def equalizer(number: int, time: float, scale: float = 1.0) -> np.ndarray:
    """Bars in a third of a window of WIDTH x HEIGHT times scale: float32 (6 * STRIPES, 5), XYZRHW and diffuse."""
    at = np.arange(STRIPES) / STRIPES
    wave = np.abs(np.sin(2 * math.pi * (at * (number + 1) + time)) * np.cos(math.pi * at * 3 - 4 * math.pi * time))
    height = 12 + 190 * wave * np.sin(math.pi * at)
    left = 8 + number * 104 + at * 96
    vertices = np.ones((STRIPES, 6, 5), np.float32)
    corners = ((0, 1), (1, 1), (1, 0), (0, 1), (1, 0), (0, 0))
    low, high = [(0.10, 0.35, 0.75), (0.05, 0.50, 0.30), (0.60, 0.15, 0.20)][number], (1.0, 0.9, 0.55)
    for index, (x, top) in enumerate(corners):
        vertices[:, index, 0] = (left + x * 1.6) * scale - 0.5
        vertices[:, index, 1] = (226 - top * height) * scale - 0.5
        share = top * wave
        colour = [a + (b - a) * share for a, b in zip(low, high, strict=True)]
        vertices.view(np.uint32)[:, index, 4] = shapes.argb(np.ones(STRIPES), *colour)
    return vertices.reshape(-1, 5)


# ---- vertex buffers of DirectX 7 -------------------------------------------------------------------------------------

FRONT, BACK, IMPLICIT, EXPLICIT, CONTEXT = 1, 2, 10, 11, 1
USER, SWAP = int(Dp2Flag.USERMEMVERTICES), int(Dp2Flag.SWAPVERTEXBUFFER)


class CurrentBuffers:
    """A program of DirectX 7: three draws a frame from lpDDVertex, and one from user memory; Flip shows the frame.

    The first is from an implicit buffer; the second from an explicit one that is locked meanwhile, so the driver stalls; the
    third from the same, locked, but with D3DHALDP2_SWAPVERTEXBUFFER: it is renamed instead.
    """

    def __init__(self, call: Callable[[DdiCall], DdiCall], driver: EmulatedDriver) -> None:
        self._call, self._driver = call, driver
        for handle, label in ((FRONT, "primary"), (BACK, "back_buffer")):
            surface = {"width": WIDTH, "height": HEIGHT, "format": format_id("X8R8G8B8"), "levels": 1, "label": label}
            self.do("CreateSurface", handle=handle, **surface)
        self.do("ContextCreate", context=CONTEXT, render_target=BACK, depth_stencil=0, width=WIDTH, height=HEIGHT, windowed=0)
        size, execute = STRIPES * 6 * 20, int(SurfaceCaps.EXECUTEBUFFER)
        for handle, caps2 in ((IMPLICIT, 0), (EXPLICIT, int(SurfaceCaps2.VERTEXBUFFER))):
            self.do("CreateD3DBuffer", handle=handle, size=size, kind="vertex", caps=execute, caps2=caps2)
        states = [{"state": RENDER_STATE_ID[name], "value": value} for name, value in (("CULLMODE", 1), ("LIGHTING", 0))]
        self.send("VIEWPORTINFO", x=0, y=0, width=WIDTH, height=HEIGHT)
        self.send("ZRANGE", min=0.0, max=1.0)
        self.send("RENDERSTATE", states)

    def do(self, entry: str, data: dict[str, Any] | None = None, **args: Any) -> None:
        """One call; refused while a flip is in progress, it is made again after the vertical blank."""
        made = self._call(DdiCall(entry, args, data or {}))
        if made.result == HResult.DDERR_WASSTILLDRAWING:
            self._driver.clock.wait_for_blank()
            made = self._call(DdiCall(entry, args, data or {}))
        assert made.result == 0, (entry, hex(made.result))

    def send(self, token: str, records: Any = None, given: dict[str, Any] | None = None, vertices: bytes = b"",
             **fields: Any) -> None:  # fmt: skip
        """One DrawPrimitives2 of one command."""
        stream = bytearray()
        dp2.emit(stream, token, records, **fields)
        args = {"context": CONTEXT, "flags": 0, "command_offset": 0, "command_length": len(stream)} | (given or {})
        self.do("DrawPrimitives2", {"commands": bytes(stream)} | ({"vertices": vertices} if vertices else {}), **args)

    def triangles(self, vertices: bytes = b"", **more: Any) -> None:
        given = {"vertex_length": 6 * STRIPES, "vertex_size": 20, "vertex_type": int(FLAT)} | more
        self.send("TRIANGLELIST", None, given, vertices, start=0, primitives=2 * STRIPES)

    def draw(self, time: float) -> None:
        """One frame at `time` (0..1 is one turn)."""
        self.send("CLEAR", [(0, 0, WIDTH, HEIGHT)], flags=1, color=0xFF10141C, depth=1.0)
        parts = [equalizer(number, time).tobytes() for number in range(3)]
        for part, handle, flags in ((0, IMPLICIT, 0), (1, EXPLICIT, 0), (2, EXPLICIT, SWAP)):
            self.do("LockD3DBuffer", handle=handle, offset=0, size=0, flags=0)
            self.do("UnlockD3DBuffer", {"contents": parts[part]}, handle=handle, offset=0)
            if handle == EXPLICIT:
                self.do("LockD3DBuffer", handle=handle, offset=0, size=0, flags=0)
            self.triangles(flags=flags, vertex_buffer=handle)
            if handle == EXPLICIT:
                self.do("UnlockD3DBuffer", handle=handle, offset=0)
        self.triangles(equalizer(0, -time).tobytes(), flags=USER)
        self.do("Flip", surface=[FRONT, BACK], flags=int(DdFlip.WAIT), interval=1)


# ---- palettes and state sets -----------------------------------------------------------------------------------------


class Palettes(Canvas):
    """A pure device: two textures of palette indices whose colours turn, drawn in two styles kept as state blocks."""

    TITLE = "Pure device: palettes that turn, state sets"
    EDGE = 128

    def __init__(self, device: IDirect3DDevice8) -> None:
        super().__init__(device)
        self.plasma, self.rings = self.indices(plasma(self.EDGE)), self.indices(rings(self.EDGE))
        for number, colours in enumerate((fire_colours(), sea_colours())):
            device.SetPaletteEntries(number, entries(colours))
        self.styles = [self.style(glow) for glow in (False, True)]

    def indices(self, image: np.ndarray) -> Any:
        texture = self.device.CreateTexture(self.EDGE, self.EDGE, 1, 0, format_id("P8"), Pool.MANAGED)
        texture.LockRect(0, None, 0)[: self.EDGE, : self.EDGE] = image
        texture.UnlockRect(0)
        return texture

    def style(self, glow: bool) -> int:
        """A state block: opaque, or added to what is there."""
        self.device.BeginStateBlock()
        self.state(ALPHABLENDENABLE=glow, SRCBLEND=Blend.ONE, DESTBLEND=Blend.ONE if glow else Blend.ZERO)
        self.stage(0, COLOROP=TextureOp.MODULATE if glow else TextureOp.SELECTARG1)
        return int(self.device.EndStateBlock())

    def draw(self, time: float) -> None:
        """One frame at `time` (0..1 is one turn of the palettes)."""
        device, shift = self.device, int(time * 256)
        device.SetPaletteEntries(0, entries(np.roll(fire_colours(), shift, 0)))
        device.BeginScene()
        device.Clear(0, None, ClearFlag.TARGET, 0xFF000000, 1.0, 0)
        self.state(ZENABLE=0, LIGHTING=0, CULLMODE=Cull.NONE)
        self.stage(0, MAGFILTER=1, MINFILTER=1, COLORARG1=2, COLORARG2=0)
        device.SetVertexShader(Fvf.XYZRHW | Fvf.DIFFUSE | Fvf.TEX1)
        for style, palette, texture, box in (
            (0, 0, self.plasma, (16, 24, 208, 216)), (0, 1, self.rings, (216, 24, 304, 112)),
            (1, 0, self.rings, (216, 128, 304, 216)),
        ):  # fmt: skip
            device.ApplyStateBlock(self.styles[style])
            device.SetCurrentTexturePalette(palette)
            device.SetTexture(0, texture)
            quad = corners_of(box, 0xFFFFFFFF if not style else 0xFFFFC890)
            device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, quad.tobytes(), 28)
        device.EndScene()
        device.Present(None, None, None, None)


def corners_of(box: tuple[int, int, int, int], colour: int) -> np.ndarray:
    left, top, right, bottom = box
    vertices = np.ones((4, 7), np.float32)
    for index, (x, y) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)]):
        vertices[index, :2] = (right if x else left) - 0.5, (bottom if y else top) - 0.5
        vertices[index, 5:] = x, y
    vertices.view(np.uint32)[:, 4] = colour
    return vertices


def plasma(size: int) -> np.ndarray:
    y, x = np.mgrid[:size, :size] / size * 2 * math.pi
    value = np.sin(x * 2) + np.sin(y * 3 + x) + np.sin(np.hypot(x - 3, y - 3) * 3)
    return np.floor((value + 3) / 6 * 255.99).astype(np.uint8)


def rings(size: int) -> np.ndarray:
    y, x = (np.mgrid[:size, :size] + 0.5) / size - 0.5
    return np.floor((np.hypot(x, y) * 3 % 1) * 255.99).astype(np.uint8)


def fire_colours() -> np.ndarray:
    """Black, red, yellow, white and back: uint8 (256, 3)."""
    heat = 1 - np.abs(np.arange(256) / 127.5 - 1)
    return np.rint(np.clip(np.stack([heat * 2.6, heat * 2.2 - 0.6, heat * 2.6 - 1.7], -1), 0, 1) * 255).astype(np.uint8)


def sea_colours() -> np.ndarray:
    wave = 0.5 - 0.5 * np.cos(np.arange(256) / 256 * 2 * math.pi)
    return np.rint(np.stack([0.05 + 0.55 * wave**3, 0.15 + 0.75 * wave, 0.35 + 0.6 * wave], -1) * 255).astype(np.uint8)


def entries(colours: np.ndarray) -> list[PALETTEENTRY]:
    return [PALETTEENTRY(int(red), int(green), int(blue), 255) for red, green, blue in colours]


# ---- DXGI ------------------------------------------------------------------------------------------------------------

BGRA, FLOAT = DxgiFormat.B8G8R8A8_UNORM, DxgiFormat.R16G16B16A16_FLOAT
RENDER_TARGET, PRESENT = 0x20, 0x80  # D3D10_DDI_BIND_*
PRIMARY, DESKTOP, BUFFERS, TURNED, SAMPLED, STEREO, LIGHT = 1, 2, (10, 11, 12), 20, 21, 30, 40
LOW, HIGH = 0x50000000, 0xA0000000  # D3D10_DDI_RESOURCE_PRIORITY_*


def card(number: int, width: int = 96, height: int = 64) -> np.ndarray:
    """A picture of its own for each number: a tint, a frame and so many dots; float (height, width, 4)."""
    y, x = np.mgrid[:height, :width]
    tint = np.array([(0.85, 0.30, 0.25), (0.25, 0.65, 0.35), (0.25, 0.45, 0.90), (0.85, 0.65, 0.20)][number % 4])
    picture = np.ones((height, width, 4))
    picture[..., :3] = tint * (0.45 + 0.55 * (x / width + y / height)[..., None] / 2)
    frame = (x < 3) | (y < 3) | (x >= width - 3) | (y >= height - 3)
    picture[frame, :3] = 0.95
    for dot in range(number + 1):
        inside = np.hypot(x - 16 - 18 * dot, y - 16) < 6.5
        picture[inside, :3] = 1.0
    return picture


def texels(picture: np.ndarray) -> bytes:
    """Bytes of B8G8R8A8."""
    return np.rint(picture[..., (2, 1, 0, 3)] * 255).astype(np.uint8).tobytes()


def present_with_dxgi(call: Callable[[DdiCall], DdiCall], driver: EmulatedDriver) -> None:
    """Flips of rotated identities, a rotated Blt, resolve, stereo, gamma; priorities and where resources are."""
    driver.dxgi.refuses_rotated = True
    driver.dxgi.video_budget, driver.dxgi.shared_budget = 5 * 96 * 64 * 4, 2 * 96 * 64 * 4

    def do(entry: str, data: dict[str, Any] | None = None, expect: int = 0, **args: Any) -> DdiCall:
        made = call(DdiCall(f"Dxgi{entry}", args, data or {}))
        assert made.result == expect & 0xFFFFFFFF or entry == "QueryResourceResidency", (entry, hex(made.result))
        return made

    def resource(handle: int, picture: np.ndarray, **more: Any) -> None:
        height, width = picture.shape[-3:-1]
        args = {"format": int(BGRA), "samples": 1, "array_size": 1, "bind": RENDER_TARGET | PRESENT} | more
        do("CreateResource", {"contents": texels(picture)}, handle=handle, width=width, height=height, **args)

    do("GetGammaCaps")
    turned = {"width": 64, "height": 96, "format": int(BGRA), "samples": 1, "array_size": 1, "bind": PRESENT, "primary": 1}
    do("CreateResource", handle=PRIMARY, rotation=int(DxgiRotation.ROTATE90), expect=HResult.DXGI_DDI_ERR_UNSUPPORTED, **turned)
    resource(PRIMARY, np.zeros((96, 64, 4)), primary=1)
    do("SetDisplayMode", resource=PRIMARY, subresource=0)
    for number, handle in enumerate(BUFFERS):
        resource(handle, card(number))
    do("CreateView", handle=50, resource=BUFFERS[0], subresource=0)
    blt = {"destination_subresource": 0, "source_subresource": 0}
    for frame in range(4):
        do("Blt", destination=PRIMARY, source=BUFFERS[0], flags=0, rotation=int(DxgiRotation.ROTATE90), **blt)
        do("Present", surface=BUFFERS[0], subresource=0, flags=int(DxgiPresentFlag.FLIP), interval=1, context=7)
        do("RotateResourceIdentities", resources=list(BUFFERS))
        if frame == 1:
            do("SetResourcePriority", resource=BUFFERS[2], priority=LOW)
            do("SetResourcePriority", resource=BUFFERS[0], priority=HIGH)
    resource(DESKTOP, np.zeros((64, 96, 4)))
    do("Present", surface=BUFFERS[1], subresource=0, destination=DESKTOP, destination_subresource=0,
       flags=int(DxgiPresentFlag.BLT), interval=0, context=7)  # fmt: skip
    resource(TURNED, np.zeros((32, 48, 4)))
    do(
        "Blt",
        destination=TURNED,
        source=BUFFERS[0],
        flags=int(DxgiBltFlag.STRETCH),
        rotation=int(DxgiRotation.ROTATE180),
        **blt,
    )
    resource(SAMPLED, card(3), samples=4)
    do("Blt", destination=DESKTOP, source=SAMPLED, flags=int(DxgiBltFlag.RESOLVE), rotation=1, **blt)
    do("Present", surface=DESKTOP, subresource=0, flags=int(DxgiPresentFlag.FLIP), interval=1, context=7)
    pair = np.concatenate([card(1), card(2)])
    do("CreateResource", {"contents": texels(pair)}, handle=STEREO, width=96, height=64, format=int(BGRA), samples=1,
       array_size=2, stereo=1, bind=RENDER_TARGET | PRESENT)  # fmt: skip
    do("Present", surface=STEREO, subresource=1, flags=int(DxgiPresentFlag.FLIP), interval=1, context=7)
    resource(LIGHT, np.zeros((64, 96, 4)), format=int(FLOAT), allocations=2)
    do("Blt", destination=LIGHT, source=DESKTOP, flags=int(DxgiBltFlag.CONVERT), rotation=1, **blt)
    do("QueryResourceResidency", resources=[*BUFFERS])
    do("DestroyResource", handle=SAMPLED)
    do("QueryResourceResidency", resources=[*BUFFERS, STEREO])
    do("Present", surface=BUFFERS[0], subresource=0, flags=int(DxgiPresentFlag.FLIP), interval=1, context=7)
