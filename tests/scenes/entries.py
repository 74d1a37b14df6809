"""One scene for each entry point of DirectDraw and Direct3D, and of the runtime's bookkeeping.  DXGI: dxgi.py."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

from core.ddi.rules import info_requests
from core.spec.enums import (
    ClearFlag,
    DdBlt,
    DdFlip,
    DdLock,
    DriverInfo2,
    DriverReturn,
    HalInfoFlag,
    HResult,
    SurfaceCaps,
    SurfaceCaps2,
)
from core.spec.formats import FORMAT_BY_NAME
from tests.scenes.kit import (
    BLACK,
    BLUE,
    BUFFER,
    CONTEXT,
    GREEN,
    RED,
    SIZE,
    TARGET,
    TEXTURE,
    WHITE,
    Stage,
    corners,
    picture,
    scene,
    states,
    t,
)

BOX = (8, 12, 40, 44)
STRIP = t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2)


def entry(name: str, *more: str, **options: object) -> Callable[[Callable[[Stage], None]], Callable[[Stage], None]]:
    """The decorator of a scene about one entry point."""
    label = f"entries/{name}" + (f" {more[0]}" if more and ":" not in more[0] else "")
    return scene(label, f"entry:{name}", *(one for one in more if ":" in one), **options)


# ---- what the driver says about itself -------------------------------------------------------------------------------


@entry("GetHalInfo", "struct:D3DHAL_GLOBALDRIVERDATA", "flag:DDHALINFO_GETDRIVERINFO2", bare=True)
def get_hal_info(stage: Stage) -> None:
    call = stage("GetHalInfo")
    assert call.out["flags"] & HalInfoFlag.GETDRIVERINFO2
    assert len(call.data["texture_formats"]) == 32 * call.out["texture_formats"], "DDPIXELFORMAT has 32 bytes"
    stage.says("GetHalInfo")


@entry("GetDriverInfo", "caps", "struct:D3DCAPS8", "struct:DD_GETDRIVERINFO2DATA", "struct:DDHAL_GETDRIVERINFODATA",
       "struct:DD_GETDRIVERINFODATA", "flag:GUID_GetDriverInfo2", "flag:D3DGDI2_MAGIC", "flag:D3DGDI2_TYPE_GETD3DCAPS8",
       bare=True)  # fmt: skip
def get_caps(stage: Stage) -> None:
    """The reply overwrites the request: DeviceType, which is the runtime's, comes first and is zero."""
    call = stage("GetDriverInfo", type=int(DriverInfo2.TYPE_GETD3DCAPS8))
    dwords = struct.unpack("<53I", call.data["reply"])
    assert dwords[0] == dwords[1] == 0
    assert dwords[2] == call.out["Caps"] and dwords[7] == call.out["DevCaps"]
    assert call.out["MaxStreams"] == 16 and call.out["handled"] == DriverReturn.HANDLED
    stage.says("GetDriverInfo")


@entry("GetDriverInfo", "part of the caps", bare=True)
def get_part_of_caps(stage: Stage) -> None:
    """min(size of the answer, dwExpectedSize) is copied."""
    whole = stage("GetDriverInfo", type=int(DriverInfo2.TYPE_GETD3DCAPS8)).data["reply"]
    call = stage("GetDriverInfo", type=int(DriverInfo2.TYPE_GETD3DCAPS8), expected_size=32)
    assert call.out["actual_size"] == 32 and call.data["reply"][:32] == whole[:32]
    stage.says("GetDriverInfo")


@entry("GetDriverInfo", "formats", "struct:DD_GETFORMATCOUNTDATA", "struct:DD_GETFORMATDATA", "flag:DDPF_D3DFORMAT",
       "flag:D3DGDI2_TYPE_GETFORMATCOUNT", "flag:D3DGDI2_TYPE_GETFORMAT", bare=True)  # fmt: skip
def get_formats(stage: Stage) -> None:
    """The replies stand behind the kept header; each format once, in the new style."""
    counted = stage("GetDriverInfo", type=int(DriverInfo2.TYPE_GETFORMATCOUNT))
    count = counted.out["count"]
    assert struct.unpack_from("<2I", counted.data["reply"], 4) == (DriverInfo2.MAGIC, DriverInfo2.TYPE_GETFORMATCOUNT)
    assert struct.unpack_from("<I", counted.data["reply"], 16) == (count,)
    found = set()
    for index in range(count):
        reply = stage("GetDriverInfo", type=int(DriverInfo2.TYPE_GETFORMAT), index=index).data["reply"]
        size, flags, fourcc = struct.unpack_from("<3I", reply, 20)
        assert (size, bool(flags & 0x200000)) == (32, True)
        found.add(fourcc)
    assert len(found) == count and {FORMAT_BY_NAME[name].id for name in ("X8R8G8B8", "R5G6B5", "D16", "DXT1")} <= found
    stage.says("FORMAT")


@entry("GetDriverInfo", "unknown type", "rule:info2-type", bare=True)
def get_unknown(stage: Stage) -> None:
    call = stage("GetDriverInfo", type=0x77, expect=HResult.DDERR_CURRENTLYNOTAVAIL)
    assert call.out["handled"] == DriverReturn.HANDLED
    stage.says("GetDriverInfo")


@entry("GetDriverInfo", "stereo mode", "struct:DD_STEREOMODE", "flag:GUID_DDStereoMode", bare=True)
def get_stereo(stage: Stage) -> None:
    """The same GUID without D3DGDI2_MAGIC."""
    assert stage("GetDriverInfo", guid=info_requests.STEREO, type=0, height=600).out["supported"] == 0
    stage.says("GetDriverInfo")


@entry("GetDriverInfo", "depth formats", "flag:GUID_ZPixelFormats", bare=True)
def get_depth_formats(stage: Stage) -> None:
    call = stage("GetDriverInfo", guid=info_requests.Z_FORMATS)
    assert struct.unpack_from("<I", call.data["reply"]) == (call.out["count"],) and call.out["count"] > 0
    stage.says("GetDriverInfo")


@entry("CanCreateSurface", bare=True)
def can_create(stage: Stage) -> None:
    stage("CanCreateSurface", width=64, height=64, format=FORMAT_BY_NAME["R5G6B5"].id, caps=0x1000, caps2=0)
    stage.says("R5G6B5")
    stage("CanCreateSurface", width=64, height=64, format=7, caps=0x1000, caps2=0, expect=HResult.DDERR_INVALIDPIXELFORMAT)
    stage.finds("bad-format")


# ---- surfaces --------------------------------------------------------------------------------------------------------


@entry("CreateSurface", "struct:DDRAWI_DDRAWSURFACE_MORE", "struct:DD_SURFACE_MORE", bare=True)
def create_surface(stage: Stage) -> None:
    """A chain of three levels; pitches by level."""
    call = stage.surface(TEXTURE, "R5G6B5", 16, 8, levels=3)
    assert list(call.out["pitches"]) == [32, 16, 8]
    stage.fill(TEXTURE + 1, np.full((4, 8), 0xF800, "<u2"))
    stage.sees(picture(ground=RED, size=(8, 4)), surface=TEXTURE, level=1)
    stage.sees(picture(size=(16, 8)), surface=TEXTURE)


@entry("CreateSurface", "cube", bare=True)
def create_cube(stage: Stage) -> None:
    """Handles count face by face, level by level."""
    stage.surface(TEXTURE, "A8R8G8B8", 4, 4, levels=3, faces=6)
    stage.fill(TEXTURE + 2 * 3 + 1, struct.pack("<4I", *[GREEN] * 4))
    stage.sees(picture(ground=GREEN, size=(2, 2)), surface=TEXTURE, face=2, level=1)


@entry("CreateSurface", "listed handles", bare=True)
def create_listed(stage: Stage) -> None:
    stage.surface(TEXTURE, "A8R8G8B8", 2, 2, levels=2, handles=[TEXTURE, 99])
    stage.fill(99, struct.pack("<I", BLUE))
    stage.sees(picture(ground=BLUE, size=(1, 1)), surface=TEXTURE, level=1)


@entry("CreateSurfaceEx", bare=True)
def create_surface_ex(stage: Stage) -> None:
    stage.surface(TEXTURE, "A8R8G8B8", 2, 2)
    stage("CreateSurfaceEx", handle=TEXTURE, context=CONTEXT)
    stage.buffer(BUFFER, bytes(16))
    stage("CreateSurfaceEx", handle=BUFFER, context=CONTEXT)
    stage("CreateSurfaceEx", handle=77, context=CONTEXT, expect=HResult.DDERR_INVALIDOBJECT)
    stage.finds("bad-handle")


@entry("DestroySurface")
def destroy_surface(stage: Stage) -> None:
    """Its handle is free for another."""
    stage.surface(TEXTURE, "A8R8G8B8", 2, 2)
    stage("DestroySurface", handle=TEXTURE)
    stage.surface(TEXTURE, "A8R8G8B8", 1, 1)
    stage.fill(TEXTURE, struct.pack("<I", RED))
    stage.sees(picture(ground=RED, size=(1, 1)), surface=TEXTURE)


@entry("AddAttachedSurface")
def add_attached_surface(stage: Stage) -> None:
    stage.surface(TEXTURE, "D16", label="depth")
    stage("AddAttachedSurface", handle=TARGET, attached=TEXTURE)
    stage.says("AddAttachedSurface")


@entry("Lock", "struct:DDHAL_LOCKDATA", "struct:DD_LOCKDATA")
def lock(stage: Stage) -> None:
    """A rectangle, and one that lies outside."""
    call = stage("Lock", handle=TARGET, box=(4, 8, 12, 10), flags=int(DdLock.READONLY))
    assert call.out["pitch"] == 4 * SIZE
    stage("Unlock", handle=TARGET)
    stage("Lock", handle=TARGET, box=(60, 60, 65, 64), flags=0, expect=HResult.DDERR_INVALIDRECT)
    stage.finds("bad-rectangle")
    stage.sees(picture())


@entry("Unlock")
def unlock(stage: Stage) -> None:
    """Rows at a pitch of their own."""
    rows = np.zeros((2, 10), np.uint32)
    rows[:, :8] = GREEN
    stage("Lock", handle=TARGET, box=(4, 8, 12, 10), flags=0)
    stage("Unlock", {"contents": rows.tobytes()}, handle=TARGET, box=(4, 8, 12, 10), pitch=40)
    stage.sees(picture(((4, 8, 12, 10), GREEN)))


@entry("Blt", "copy")
def blt(stage: Stage) -> None:
    stage.surface(TEXTURE, "A8R8G8B8", 8, 8)
    stage.fill(TEXTURE, picture(((0, 0, 4, 8), RED), ground=BLUE, size=(8, 8)).tobytes())
    boxes = {"destination_box": (10, 10, 16, 12), "source_box": (2, 3, 8, 5)}
    stage("Blt", destination=TARGET, source=TEXTURE, flags=0, presentation=0, **boxes)
    stage.sees(picture(((10, 10, 12, 12), RED), ((12, 10, 16, 12), BLUE)))


@entry("Blt", "fill")
def blt_fill(stage: Stage) -> None:
    stage("Blt", destination=TARGET, destination_box=(1, 2, 5, 9), flags=int(DdBlt.COLORFILL), color=0x12345678)
    stage.sees(picture(((1, 2, 5, 9), 0x12345678)))


@entry("Blt", "stretch and convert")
def blt_stretch(stage: Stage) -> None:
    stage.surface(TEXTURE, "R5G6B5", 2, 1)
    stage.fill(TEXTURE, struct.pack("<2H", 0xF800, 0x001F))
    stage("Blt", destination=TARGET, source=TEXTURE, flags=0)
    stage.sees(picture(((0, 0, 32, SIZE), RED), ((32, 0, SIZE, SIZE), BLUE)))


@entry("SetColorKey")
def set_color_key(stage: Stage) -> None:
    """Pixels within the key stay behind."""
    stage.surface(TEXTURE, "A8R8G8B8", 2, 1)
    stage.fill(TEXTURE, struct.pack("<2I", RED, GREEN))
    stage("SetColorKey", handle=TEXTURE, flags=8, low=RED, high=RED)
    stage("Blt", destination=TARGET, source=TEXTURE, destination_box=(0, 0, 2, 1), flags=int(DdBlt.KEYSRC))
    stage.sees(picture(((1, 0, 2, 1), GREEN)))


def chain(stage: Stage) -> None:
    for handle, color in ((20, RED), (21, GREEN), (22, BLUE)):
        stage.surface(handle, "X8R8G8B8", 4, 4, label="primary" if handle == 20 else "back_buffer")
        stage.fill(handle, np.full((4, 4), color, np.uint32))


@entry("Flip", bare=True)
def flip(stage: Stage) -> None:
    """Contents move up the chain, the visible ones to its end."""
    chain(stage)
    stage("Flip", surface=[20, 21, 22], flags=int(DdFlip.WAIT), interval=1)
    for handle, color in ((20, GREEN), (21, BLUE), (22, RED)):
        stage.sees(picture(ground=color, size=(4, 4)), surface=handle)


@entry("GetFlipStatus", bare=True, clock="modelled")
def get_flip_status(stage: Stage) -> None:
    """A flip lasts until the next vertical blank."""
    chain(stage)
    stage("Flip", surface=[20, 21, 22], flags=0, interval=1)
    stage("GetFlipStatus", handle=20, flags=2, expect=HResult.DDERR_WASSTILLDRAWING)
    stage.says("GetFlipStatus")
    stage("WaitForVerticalBlank", flags=1)
    stage("WaitForVerticalBlank", flags=1)
    stage("GetFlipStatus", handle=20, flags=2)


@entry("GetBltStatus")
def get_blt_status(stage: Stage) -> None:
    """With the instant clock nothing waits."""
    stage("Blt", destination=TARGET, flags=int(DdBlt.COLORFILL), color=RED)
    stage("GetBltStatus", handle=TARGET, flags=2)
    stage.says("GetBltStatus")
    stage.sees(picture(ground=RED))


@entry("WaitForVerticalBlank", bare=True)
def wait_for_vertical_blank(stage: Stage) -> None:
    assert stage("WaitForVerticalBlank", flags=1).out["status"] == 1
    stage.says("WaitForVerticalBlank")


# ---- buffers ---------------------------------------------------------------------------------------------------------


@entry("CreateD3DBuffer", "explicit", "flag:DDSCAPS_EXECUTEBUFFER", "flag:DDSCAPS2_VERTEXBUFFER", "struct:DD_SURFACE_LOCAL")
def create_buffer(stage: Stage) -> None:
    """EXECUTEBUFFER and VERTEXBUFFER; drawn from by its handle."""
    quad = b"".join(corners(BOX))
    caps = {"caps": int(SurfaceCaps.EXECUTEBUFFER), "caps2": int(SurfaceCaps2.VERTEXBUFFER)}
    stage("CreateD3DBuffer", handle=BUFFER, size=len(quad), kind="vertex", **caps)
    stage("LockD3DBuffer", handle=BUFFER, offset=0, size=0, flags=0)
    stage("UnlockD3DBuffer", {"contents": quad}, handle=BUFFER, offset=0)
    stage.tokens(t("SETSTREAMSOURCE", stream=0, buffer=BUFFER, stride=20), STRIP)
    stage.sees(picture((BOX, WHITE)))


@entry("CreateD3DBuffer", "implicit")
def create_implicit(stage: Stage) -> None:
    """EXECUTEBUFFER alone: the current vertex buffer of a DirectX 7 program."""
    quad = b"".join(corners(BOX))
    stage("CreateD3DBuffer", handle=BUFFER, size=len(quad), kind="vertex", caps=int(SurfaceCaps.EXECUTEBUFFER), caps2=0)
    stage("LockD3DBuffer", handle=BUFFER, offset=0, size=0, flags=0)
    stage("UnlockD3DBuffer", {"contents": quad}, handle=BUFFER, offset=0)
    given = {"vertex_buffer": BUFFER, "vertex_length": 4, "vertex_size": 20, "vertex_type": 0x44}
    stage.tokens(t("SETVERTEXSHADER", shader=0), t("TRIANGLESTRIP", start=0, primitives=2), **given)
    stage.sees(picture((BOX, WHITE)))


@entry("DestroyD3DBuffer")
def destroy_buffer(stage: Stage) -> None:
    stage.buffer(BUFFER, bytes(20))
    stage("DestroyD3DBuffer", handle=BUFFER)
    stage("DestroyD3DBuffer", handle=BUFFER, expect=HResult.DDERR_INVALIDOBJECT)
    stage.finds("bad-handle")


@entry("LockD3DBuffer", "renaming", "flag:D3DLOCK_DISCARD", "flag:DDLOCK_DISCARDCONTENTS")
def lock_buffer(stage: Stage) -> None:
    """D3DLOCK_DISCARD gives the buffer other memory; what was drawn from the old stays."""
    stage.buffer(BUFFER, b"".join(corners(BOX)))
    stage.tokens(t("SETSTREAMSOURCE", stream=0, buffer=BUFFER, stride=20), STRIP)
    call = stage("LockD3DBuffer", handle=BUFFER, offset=0, size=0, flags=int(DdLock.DISCARDCONTENTS))
    assert call.out["renamed"] == 1
    stage("UnlockD3DBuffer", {"contents": b"".join(corners((0, 0, 4, 4), RED))}, handle=BUFFER, offset=0)
    stage.tokens(STRIP)
    stage.sees(picture((BOX, WHITE), ((0, 0, 4, 4), RED)))


@entry("UnlockD3DBuffer")
def unlock_buffer(stage: Stage) -> None:
    """A part of the buffer."""
    stage.buffer(BUFFER, bytes(80))
    stage("LockD3DBuffer", handle=BUFFER, offset=0, size=80, flags=0)
    stage("UnlockD3DBuffer", {"contents": b"".join(corners(BOX))}, handle=BUFFER, offset=0)
    stage.tokens(t("SETSTREAMSOURCE", stream=0, buffer=BUFFER, stride=20), STRIP)
    stage.sees(picture((BOX, WHITE)))


# ---- contexts and drawing --------------------------------------------------------------------------------------------


@entry("ContextCreate", "struct:D3DHAL_CONTEXTCREATEDATA")
def context_create(stage: Stage) -> None:
    """Each context has a state of its own."""
    stage.tokens(states(ALPHAREF=3))
    stage("ContextCreate", context=2, render_target=TARGET, depth_stencil=0, width=SIZE, height=SIZE, windowed=1)
    stage.tokens(t("VIEWPORTINFO", x=0, y=0, width=8, height=8), context=2)
    stage.holds("ALPHAREF", 0, back=None)
    stage.tokens(states(ALPHAREF=5))
    stage.holds("ALPHAREF", 5)


@entry("ContextDestroy")
def context_destroy(stage: Stage) -> None:
    stage("ContextDestroy", context=CONTEXT)
    stage("ContextDestroy", context=CONTEXT, expect=HResult.DDERR_INVALIDPARAMS)
    stage.finds("bad-context")


@entry("ContextDestroyAll")
def context_destroy_all(stage: Stage) -> None:
    stage("ContextDestroyAll", process=4)
    stage.says("ContextDestroyAll")


@entry("DrawPrimitives2", "offset", "struct:D3DHAL_DRAWPRIMITIVES2DATA", "struct:D3DHAL_DP2COMMAND")
def draw_primitives2(stage: Stage) -> None:
    """dwCommandOffset: what stands before is not carried out."""
    from core.ddi.stream import dp2

    stream = bytearray()
    dp2.emit(stream, "CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=RED)
    begin = len(stream)
    dp2.emit(stream, "CLEAR", [(0, 0, 4, 4)], flags=1, color=GREEN)
    end = len(stream)
    dp2.emit(stream, "CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=BLUE)
    stage.stream(bytes(stream), command_offset=begin, command_length=end - begin)
    stage.sees(picture(((0, 0, 4, 4), GREEN)))


@entry("DrawPrimitives2", "execute buffer", "flag:D3DHALDP2_EXECUTEBUFFER")
def execute_buffer(stage: Stage) -> None:
    """Render states are reflected into lpdwRStates."""
    call = stage.tokens(states(ALPHAREF=0x42), flags=2)
    assert struct.unpack_from("<I", call.data["states"], 4 * 24) == (0x42,)
    stage.holds("ALPHAREF", 0x42)


@entry("DrawPrimitives2", "error offset", "rule:unknown-token")
def error_offset(stage: Stage) -> None:
    from core.ddi.stream import dp2

    stream = bytearray()
    dp2.emit(stream, "CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=GREEN)
    at = len(stream)
    call = stage.stream(bytes(stream) + bytes((200, 0, 0, 0)), expect=HResult.D3DERR_COMMAND_UNPARSED)
    assert call.out["error_offset"] == at
    stage.sees(picture(ground=GREEN))
    stage.finds("unknown-token")


@entry("ParseUnknownCommand", "flag:GUID_D3DParseUnknownCommandCallback")
def parse_unknown_command(stage: Stage) -> None:
    """The runtime's callback skips an unknown command of eight bytes; what follows it is carried out."""
    stage.driver.parse_unknown_command = lambda commands, offset: offset + 8
    from core.ddi.stream import dp2

    stream = bytearray()
    dp2.emit(stream, "CLEAR", [(0, 0, 4, 4)], flags=1, color=GREEN)
    stream += bytes((200, 0, 0, 0, 1, 2, 3, 4))
    dp2.emit(stream, "CLEAR", [(8, 8, 12, 12)], flags=1, color=RED)
    stage.stream(bytes(stream))
    stage.sees(picture(((0, 0, 4, 4), GREEN), ((8, 8, 12, 12), RED)))


@entry("Clear")
def legacy_clear(stage: Stage) -> None:
    stage("Clear", context=CONTEXT, flags=int(ClearFlag.TARGET), color=RED, rects=[(2, 2, 9, 9)])
    stage.sees(picture(((2, 2, 9, 9), RED)))


@entry("Clear2", depth="D24S8")
def legacy_clear2(stage: Stage) -> None:
    flags = int(ClearFlag.TARGET | ClearFlag.ZBUFFER)
    stage("Clear2", context=CONTEXT, flags=flags, color=RED, fill_depth=0.0, stencil=0, rects=[(2, 2, 9, 9)])
    stage.sees(picture(((2, 2, 9, 9), RED)))
    stage.sees(picture(((2, 2, 9, 9), BLACK), ground=WHITE), surface="depth", alpha=False)


@entry("ValidateTextureStageState")
def validate(stage: Stage) -> None:
    assert stage("ValidateTextureStageState", context=CONTEXT, flags=0).out["passes"] == 1
    stage.says("ValidateTextureStageState")


# ---- the runtime's bookkeeping ---------------------------------------------------------------------------------------


@entry("SetGammaRamp")
def set_gamma_ramp(stage: Stage) -> None:
    stage("SetGammaRamp", {"ramp": bytes(1536)}, flags=0)
    stage.says("SetGammaRamp")


@entry("SetCursorProperties")
def set_cursor_properties(stage: Stage) -> None:
    stage("SetCursorProperties", handle=TARGET, x=1, y=2)
    stage.says("x=1 y=2")


@entry("SetCursorPosition")
def set_cursor_position(stage: Stage) -> None:
    stage("SetCursorPosition", x=5, y=6, flags=0)
    stage.says("x=5 y=6")


@entry("Picture")
def picture_of_a_driver(stage: Stage) -> None:
    """A recording says what the driver had drawn; nothing changes."""
    stage.tokens(t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=GREEN))
    stage("Picture", {"contents": bytes(4 * SIZE * SIZE)}, handle=TARGET, pitch=4 * SIZE)
    stage.says("pitch=256")
    stage.sees(picture(ground=GREEN))


@entry("ShowCursor")
def show_cursor(stage: Stage) -> None:
    stage("ShowCursor", show=1)
    stage.says("show=1")


# ---- palettes: textures get theirs as tokens, these are for the screen ----------------------------------------------


@entry("CreatePalette", bare=True)
def create_palette(stage: Stage) -> None:
    stage("CreatePalette", handle=5, flags=4)
    stage.says("CreatePalette")


@entry("SetEntries", bare=True)
def set_entries(stage: Stage) -> None:
    stage("SetEntries", {"entries": bytes(16)}, handle=5, start=0, count=4)
    stage.says("count=4")


@entry("SetPalette", "rule:palette-entry")
def set_palette(stage: Stage) -> None:
    """On a texture it breaks a rule."""
    stage.surface(TEXTURE, "P8", 2, 2)
    stage("SetPalette", handle=5, surface=TEXTURE)
    stage.seen.recorded.append("palette-entry")
