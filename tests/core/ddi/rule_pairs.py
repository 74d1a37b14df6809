"""Each rule of the catalogue: what breaks it, and the same done right.

A pair is (profile, breaks, keeps); both are given a Bench.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.runtime.calls.interfaces7 import FUNCTIONS7
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, PALETTEENTRY, Direct3DCreate8
from core.runtime.runtime import Runtime
from core.runtime.script.script import Array, Script
from core.spec.enums import DdBlt, DdLock, Dp2Flag, HResult, Usage
from tests.core.ddi.rule_bench import (
    BUFFER,
    CAPS,
    CONTEXT,
    DECLARATION,
    DEPTH,
    INDICES,
    NORMAL,
    PIXEL_CODE,
    PIXEL_CODE_14,
    TARGET,
    TEXTURE,
    TRIANGLE,
    TWO_STREAMS,
    VERTEX_CODE,
    XYZ,
    XYZRHW,
    Bench,
    ask,
    state,
)
from tests.driver_calls import stream

Act = Callable[[Bench], Any]
PAIRS: dict[str, tuple[str, Act, Act]] = {}


def pair(rule: str, breaks: Act, keeps: Act, profile: str = "full") -> None:
    assert rule not in PAIRS
    PAIRS[rule] = profile, breaks, keeps


def both(*acts: Act) -> Act:
    """One after the other."""
    return lambda b: [act(b) for act in acts]


def draws(op: str, **fields: Any) -> Act:
    return lambda b: b.draw((op, fields))


def says(entry: str, result: int = 0, data: Any = None, out: Any = None, **args: Any) -> Act:
    return lambda b: b.said(entry, result, data, out, **args)


def caps(**changes: Any) -> Act:
    return lambda b: b.caps(**changes)


def formats(*entries: tuple[str, int, int]) -> Act:
    return lambda b: b.formats(*entries)


def info(kind: int = CAPS, result: int = 0, reply: bytes = b"", out: Any = None, **more: Any) -> Act:
    return says("GetDriverInfo", result, {"request": ask(kind, **more), "reply": reply}, {"handled": 1} if out is None else out)


UNAVAILABLE = int(HResult.DDERR_CURRENTLYNOTAVAIL)
UNPARSED = int(HResult.D3DERR_COMMAND_UNPARSED)
HAL8, HAL7 = says("GetHalInfo", out={"flags": 13}), says("GetHalInfo", out={"flags": 5})

# ---- 1. driver information
pair("info2-gate", both(HAL7, info()), both(HAL8, info()))
pair("info2-handled", info(out={"handled": 0}), info())
pair("info2-type", info(77, 0), info(77, UNAVAILABLE))
pair("info2-size", info(out={"actual_size": 212}, expected=100), info(out={"actual_size": 100}, expected=100))
pair("info2-header", info(2, reply=ask(9)), info(2, reply=ask(2)))
pair("info2-stereo", info(magic=480, out={"actual_size": 212}), info(magic=480, out={"actual_size": 24}))
pair("caps-runtime-fields", caps(DeviceType=1), caps())
pair("caps-bits", caps(Caps2=0x40000), caps())
pair("minimum-streams", caps(MaxStreams=0), caps(MaxStreams=1))
pair("minimum-point-size", caps(MaxPointSize=0.5), caps(MaxPointSize=1.0))
pair(
    "minimum-formats",
    lambda b: (b.formats(("A8R8G8B8", 1, 0)), b.facts.formats.clear(), b.format(0, 21, flags=0x40)),
    formats(("A8R8G8B8", 1, 0)),
)
TOKEN = stream(("DRAWPRIMITIVE", {"type": "TRIANGLELIST", "start": 0, "count": 1}))
OLD = stream(("TRIANGLELIST", {"start": 0, "primitives": 1}))
pair(
    "minimum-tokens",
    says("DrawPrimitives2", UNPARSED, {"commands": TOKEN}, {"error_offset": 0}),
    says("DrawPrimitives2", 0, {"commands": TOKEN}, {"error_offset": 0}),
)
pair(
    "minimum-surface-ex",
    both(says("CreateD3DBuffer", handle=40, kind="vertex"), says("CreateSurfaceEx", 1 << 31, handle=40)),
    both(says("CreateD3DBuffer", handle=40, kind="vertex"), says("CreateSurfaceEx", handle=40)),
)
pair("caps-shader-version", caps(VertexShaderVersion=0x101), caps(VertexShaderVersion=0xFFFE0101))
pair("caps-shader-constants", caps(MaxVertexShaderConst=32), caps(MaxVertexShaderConst=96))
pair("caps-volume", caps(MaxVolumeExtent=0), caps())
pair("caps-patches", caps(DevCaps=0x200000), caps(DevCaps=0x600000))
pair("caps-pixel-range", caps(MaxPixelShaderValue=0.5), caps(MaxPixelShaderValue=0.0))
pair("bad-argument", lambda b: b("DestroySurface", handle="x"), lambda b: b("DestroySurface", handle=TARGET))

# ---- 2. formats
TEXTURES, VOLUMES = 1, 2
pair("format-index", lambda b: (b.formats(("A8R8G8B8", 3, 0)), b.format(5, 22)), formats(("A8R8G8B8", 3, 0)))
pair("format-unique", formats(("A8R8G8B8", 1, 0), ("A8R8G8B8", 1, 0)), formats(("A8R8G8B8", 1, 0), ("X8R8G8B8", 1, 0)))
pair("format-style", lambda b: b.format(0, 21, flags=0x40), lambda b: b.format(0, 21))
OLD_LIST = struct.pack("<8I", 32, 0x40, 0, 16, 0xF800, 0x7E0, 0x1F, 0)
NEW_LIST = struct.pack("<8I", 32, 0x200000, 23, 0, 1, 0, 0, 0)
pair(
    "format-legacy",
    both(says("GetHalInfo", data={"texture_formats": NEW_LIST}), formats(("R5G6B5", 1, 0))),
    both(says("GetHalInfo", data={"texture_formats": OLD_LIST}), formats(("R5G6B5", 1, 0))),
)
pair("format-acceleration", formats(("X8R8G8B8", 0x800, 0)), formats(("X8R8G8B8", 0xC00, 0)))
pair("format-display-alpha", formats(("A8R8G8B8", 0x400, 0)), formats(("X8R8G8B8", 0x400, 0)))
pair("format-depth", formats(("D16", 128, 0)), formats(("D16", 192, 0)))
pair("format-samples", formats(("X8R8G8B8", 8, 1)), formats(("X8R8G8B8", 8, 0x000A0008)))
pair(
    "format-depth-samples",
    formats(("X8R8G8B8", 8, 0xA), ("D16", 0xC0, 2)),
    formats(("X8R8G8B8", 8, 0xA), ("D16", 0xC0, 0xA)),
)
pair(
    "format-unlisted",
    both(says("GetHalInfo", data={"texture_formats": OLD_LIST}), formats(("A8R8G8B8", 1, 0))),
    both(says("GetHalInfo", data={"texture_formats": OLD_LIST}), formats(("R5G6B5", 1, 0))),
)
pair("format-volume", both(caps(TextureCaps=5), formats(("A8R8G8B8", 3, 0))), both(caps(), formats(("A8R8G8B8", 3, 0))))
pair("format-private", lambda b: b.format(0, 0x31415926), lambda b: b.format(0, 0x31415926, bits=24))
pair(
    "format-stretch",
    both(caps(RasterCaps=0x800000), formats(("X8R8G8B8", 3, 0x80000))),
    both(caps(RasterCaps=0x800000), formats(("X8R8G8B8", 3, 8))),
)
TEXTURE_CAPS, VOLUME_CAPS = 0x1000, 0x200000
pair(
    "format-use",
    lambda b: b.surface(TEXTURE, "D24S8", caps=TEXTURE_CAPS, caps2=VOLUME_CAPS, depth=2),
    lambda b: b.surface(TEXTURE, "A8R8G8B8", caps=TEXTURE_CAPS, caps2=VOLUME_CAPS, depth=2),
)
pair("bad-format", lambda b: b.surface(TEXTURE, "DXT1"), lambda b: b.surface(TEXTURE, "R5G6B5"), "minimum")

# ---- 3. DrawPrimitives2
pair("bad-context", lambda b: b("DrawPrimitives2", {"commands": b""}, context=9), lambda b: b.draw())
pair("unknown-token", lambda b: raw(b, b"\xf0\0\1\0" + bytes(8)), lambda b: b.draw(state("ALPHAREF", 1)))
pair("broken-stream", lambda b: raw(b, stream(state("ALPHAREF", 1))[:-1]), lambda b: b.draw(state("ALPHAREF", 1)))
pair("bad-data", lambda b: b.draw(vertices=b"12", vertex_length=3), lambda b: b.draw(vertices=b"123", vertex_length=3))
pair("vertex-type", lambda b: b.draw(vertex_type=XYZRHW | NORMAL), lambda b: b.draw(vertex_type=XYZRHW), "fixed")
pair("user-memory", lambda b: b.draw(flags=1, vertex_length=3), lambda b: b.draw(vertices=TRIANGLE))
pair(
    "error-offset",
    says("DrawPrimitives2", UNPARSED, {"commands": OLD}, {"error_offset": 2}),
    says("DrawPrimitives2", UNPARSED, {"commands": OLD}, {"error_offset": 0}),
)
TWICE = stream(state("CULLMODE", 2), state("CULLMODE", 3))
pair(
    "failed-call",
    lambda b: b.replayed(UNPARSED, TWICE, error_offset=12),
    lambda b: b.replayed(0, TWICE, error_offset=0),
)
FLIPPING = both(says("ContextCreate", context=1, render_target=10), says("GetFlipStatus", 0x8876021C, handle=10))
pair(
    "flip-in-progress",
    both(FLIPPING, says("DrawPrimitives2", context=1)),
    both(FLIPPING, says("DrawPrimitives2", 0x8876021C, context=1)),
)
EXPLICIT = both(says("CreateD3DBuffer", handle=40, kind="vertex"), says("LockD3DBuffer", handle=40))
pair(
    "stall-missing",
    both(EXPLICIT, says("DrawPrimitives2", out={"stalled": 0}, vertex_buffer=40)),
    both(EXPLICIT, says("DrawPrimitives2", out={"stalled": 1}, vertex_buffer=40)),
)
pair(
    "stall-needless",
    says("DrawPrimitives2", out={"stalled": 1}, vertex_buffer=40),
    says("DrawPrimitives2", out={"stalled": 0}, vertex_buffer=40),
)
SWAPPED = {"swapped_vertex_buffer": 1}
pair(
    "swap-buffer",
    says("DrawPrimitives2", out=SWAPPED, vertex_buffer=40),
    says("DrawPrimitives2", out=SWAPPED, vertex_buffer=40, flags=int(Dp2Flag.SWAPVERTEXBUFFER)),
)


def raw(b: Bench, commands: bytes) -> DdiCall:
    return b("DrawPrimitives2", {"commands": commands}, context=CONTEXT, command_length=len(commands))


# ---- 4. tokens
pair("unimplemented-token", draws("EXT", token=1), lambda b: b.draw(state("ALPHAREF", 1)))
pair("later-token", draws("SETSCISSORRECT", rect=(0, 0, 1, 1)), draws("ZRANGE", min=0.0, max=1.0))
pair("bad-record", draws("SETCLIPPLANE", index=99), draws("SETCLIPPLANE", index=1))
pair(
    "unknown-state",
    lambda b: b.draw(("RENDERSTATE", {"items": [{"state": 63, "value": 1}]})),
    lambda b: b.draw(state("ALPHAREF", 1)),
)
pair("bad-state-value", lambda b: b.draw(state("ALPHAFUNC", 99)), lambda b: b.draw(state("ALPHAFUNC", 1)))
pair("unimplemented-state", lambda b: b.draw(state("ROP2", 1)), lambda b: b.draw(state("ROP2", 13)))
pair(
    "bad-light",
    draws("SETLIGHT", index=1, data=0),
    lambda b: b.draw(("CREATELIGHT", {"index": 1}), ("SETLIGHT", {"index": 1, "data": 0})),
)
pair("bad-stage", draws("TEXTURESTAGESTATE", stage=9, state=1, value=1), draws("TEXTURESTAGESTATE", stage=7, state=1, value=1))
pair("bad-transform", draws("SETTRANSFORM", type=600), draws("SETTRANSFORM", type=2))
pair(
    "bad-stream",
    draws("SETSTREAMSOURCE", stream=1, buffer=0, stride=4),
    draws("SETSTREAMSOURCE", stream=0, buffer=0, stride=4),
    "fixed",
)
pair(
    "stream-stride",
    draws("SETSTREAMSOURCE", stream=0, buffer=0, stride=256),
    draws("SETSTREAMSOURCE", stream=0, buffer=0, stride=255),
)
pair(
    "bad-constant",
    draws("SETVERTEXSHADERCONST", register=256, count=1, values=[(0, 0, 0, 0)]),
    draws("SETVERTEXSHADERCONST", register=255, count=1, values=[(0, 0, 0, 0)]),
)
pair("one-binding", draws("SETINDICES", items=[{"buffer": 0, "stride": 2}] * 2), draws("SETINDICES", buffer=0, stride=2))
pair("user-memory-stream", draws("SETSTREAMSOURCEUM", stream=1, stride=12), draws("SETSTREAMSOURCEUM", stream=0, stride=12))


def shaded(declaration: list[int], *more: tuple) -> Act:
    """A triangle in user memory under a vertex shader with this declaration."""

    def act(b: Bench) -> None:
        b.draw(("CREATEVERTEXSHADER", {"shader": 5, "declaration": declaration, "code": VERTEX_CODE}))
        b.draw(
            ("SETVERTEXSHADER", {"shader": 5}),
            *more,
            ("DRAWPRIMITIVE", {"type": "TRIANGLELIST", "start": 0, "count": 1}),
            vertices=TRIANGLE,
        )

    return act


USER = ("SETSTREAMSOURCEUM", {"stream": 0, "stride": 12})
pair("user-memory-only", shaded(TWO_STREAMS, USER), shaded(DECLARATION, USER))
pair("unbound-stream", shaded(DECLARATION), shaded(DECLARATION, USER))


def bound(stream: int, fvf: int) -> Act:
    return lambda b: (b.buffer(BUFFER, TRIANGLE, fvf=fvf), b.draw(("SETSTREAMSOURCE", {"stream": stream, "buffer": BUFFER})))


pair("stream-format", bound(1, XYZ), bound(1, 0))


def formatted(fvf: int) -> Act:
    def act(b: Bench) -> None:
        b.buffer(BUFFER, TRIANGLE, fvf=fvf)
        b.draw(
            ("SETVERTEXSHADER", {"shader": XYZRHW}),
            ("SETSTREAMSOURCE", {"stream": 0, "buffer": BUFFER, "stride": 16}),
            ("DRAWPRIMITIVE", {"type": "TRIANGLELIST", "start": 0, "count": 1}),
        )

    return act


pair("format-conflict", formatted(XYZ), formatted(XYZRHW))
pair("index-size", draws("SETINDICES", buffer=3, stride=3), draws("SETINDICES", buffer=3, stride=2))
pair("index-width", draws("SETINDICES", buffer=3, stride=4), draws("SETINDICES", buffer=3, stride=2), "fixed")


def indexed(indices: bytes, least: int = 0, vertices: int = 3) -> Act:
    def act(b: Bench) -> None:
        b.buffer(BUFFER, TRIANGLE)
        if indices:
            b.buffer(INDICES, indices, kind="index")
        b.draw(
            ("SETVERTEXSHADER", {"shader": XYZRHW}),
            ("SETSTREAMSOURCE", {"stream": 0, "buffer": BUFFER, "stride": 16}),
            ("SETINDICES", {"buffer": INDICES if indices else 0, "stride": 2}),
            (
                "DRAWINDEXEDPRIMITIVE",
                {"type": "TRIANGLELIST", "base": 0, "min_index": least, "vertex_count": vertices, "start": 0, "count": 1},
            ),
        )

    return act


ORDER = struct.pack("<3H", 0, 1, 2)
pair("no-indices", indexed(b""), indexed(ORDER))
NOOVERWRITE, DISCARD = int(DdLock.NOOVERWRITE), int(DdLock.DISCARDCONTENTS)


def relocked(flags: int, offset: int, contents: bytes | None, *more: Act) -> Act:
    """A buffer of two triangles, of which the first is drawn; then it is locked again."""

    def act(b: Bench) -> None:
        b.buffer(BUFFER, TRIANGLE * 2, usage=int(Usage.DYNAMIC))
        b.draw(
            ("SETVERTEXSHADER", {"shader": XYZRHW}),
            ("SETSTREAMSOURCE", {"stream": 0, "buffer": BUFFER, "stride": 16}),
            ("DRAWPRIMITIVE", {"type": "TRIANGLELIST", "start": 0, "count": 1}),
        )
        for then in more:
            then(b)
        b("LockD3DBuffer", handle=BUFFER, offset=offset, flags=flags)
        b("UnlockD3DBuffer", {} if contents is None else {"contents": contents}, handle=BUFFER, offset=offset)
        b.draw(("DRAWPRIMITIVE", {"type": "TRIANGLELIST", "start": 0, "count": 1}))

    return act


pair("lock-overwrite", relocked(NOOVERWRITE, 44, bytes(4)), relocked(NOOVERWRITE, 48, bytes(48)))
pair("lock-discard", relocked(DISCARD, 0, None), relocked(DISCARD, 0, TRIANGLE))
pair("index-window", indexed(ORDER, 0, 2), indexed(ORDER))
pair("legacy-state", lambda b: b.draw(state("WRAPU", 1)), lambda b: b.draw(state("WRAP0", 1)))
pair(
    "legacy-draw",
    lambda b: b.draw(("SETVERTEXSHADER", {"shader": 0x44}), ("TRIANGLELIST", {"start": 0, "primitives": 1})),
    draws("TRIANGLELIST", start=0, primitives=1),
)
pair("vertex-format", draws("SETVERTEXSHADER", shader=0x140), draws("SETVERTEXSHADER", shader=0x142))
TWO = ("DRAWPRIMITIVE2", {"type": "TRIANGLELIST", "first_offset": 0, "count": 1})
pair("transformed-draw", lambda b: b.draw(("SETVERTEXSHADER", {"shader": XYZ}), TWO), lambda b: b.screen(op="DRAWPRIMITIVE2"))
ONE = ("DRAWPRIMITIVE", {"type": "TRIANGLELIST", "start": 0, "count": 1})
pair("untransformed-draw", lambda b: b.draw(("SETVERTEXSHADER", {"shader": XYZ}), ONE), lambda b: b.screen(), "fixed")
pair("empty-draw", lambda b: b.screen(count=0), lambda b: b.screen())
pair("primitive-count", lambda b: b.screen(count=1 << 20), lambda b: b.screen())
pair("bad-draw", draws("DRAWPRIMITIVE", type="TRIANGLELIST", start=0, count=1), lambda b: b.screen())
pair("vertex-range", lambda b: b.screen(count=2), lambda b: b.screen())
NO_TARGET = ("SETRENDERTARGET", {"render_target": 0, "depth_stencil": 0})
pair("no-target", lambda b: b.screen(NO_TARGET), lambda b: b.screen())
pair(
    "target-mismatch",
    lambda b: (
        b.surface(TEXTURE, "D16", 8, 8),
        b.screen(("SETRENDERTARGET", {"render_target": TARGET, "depth_stencil": TEXTURE})),
    ),
    lambda b: b.screen(("SETRENDERTARGET", {"render_target": TARGET, "depth_stencil": DEPTH})),
)


def textured(handle: int, format: str = "A8R8G8B8", *more: tuple, **facts: Any) -> Act:
    def act(b: Bench) -> None:
        if handle == TEXTURE:
            b.surface(TEXTURE, format, label="texture", **facts)
        b.screen(("TEXTURESTAGESTATE", {"stage": 0, "state": 0, "value": handle}), *more)

    return act


pair("feedback", textured(TARGET), textured(TEXTURE))
pair("bad-texture", textured(99), textured(TEXTURE))
BEGIN, END = state("SCENECAPTURE", 1), state("SCENECAPTURE", 0)
pair("scene", lambda b: b.draw(END, ONE), lambda b: b.draw(BEGIN, ONE, END))
pair("depth-range", draws("ZRANGE", min=0.5, max=0.25), draws("ZRANGE", min=0.25, max=0.5))
pair("viewport-size", draws("VIEWPORTINFO", width=0, height=4), draws("VIEWPORTINFO", width=4, height=4))
pair(
    "light-type",
    draws("SETLIGHT", index=1, light=bytes(104)),
    draws("SETLIGHT", index=1, light=(3).to_bytes(4, "little") + bytes(100)),
)
pair("reserved-flags", draws("TEXBLT", flags=1), draws("TEXBLT", flags=0))


def blits(format: str) -> Act:
    def act(b: Bench) -> None:
        b.surface(TEXTURE)
        b.surface(30, format)
        b.draw(("TEXBLT", {"destination": 30, "source": TEXTURE, "point": (0, 0), "rect": (0, 0, 4, 4), "flags": 0}))

    return act


pair("bad-blit", blits("R5G6B5"), blits("A8R8G8B8"))

# ---- 5. surfaces and buffers
pair("bad-handle", lambda b: b("DestroySurface", handle=77), lambda b: b("DestroySurface", handle=TARGET))
pair("handle-in-use", lambda b: b.surface(TARGET), lambda b: b.surface(TEXTURE))
pair("bad-size", lambda b: b.surface(TEXTURE, width=0), lambda b: b.surface(TEXTURE))


def exhausted(b: Bench) -> None:
    """There is no memory left for a surface."""

    def refuse(*_: Any, **__: Any) -> None:
        raise MemoryError

    b.driver.device.memory.create_surface = refuse  # type: ignore[method-assign]


pair("out-of-memory", both(exhausted, lambda b: b.surface(TEXTURE)), lambda b: b.surface(TEXTURE))
pair(
    "bad-rectangle",
    lambda b: b("Lock", handle=TARGET, box=(0, 0, 17, 16)),
    lambda b: b("Lock", handle=TARGET, box=(0, 0, 16, 16)),
)
pair("bad-lock", lambda b: b("Unlock", handle=TARGET), lambda b: (b("Lock", handle=TARGET), b("Unlock", handle=TARGET)))
VOLUME = 0x200000
pair(
    "texture-size",
    lambda b: b.surface(TEXTURE, caps=TEXTURE_CAPS, width=2048),
    lambda b: b.surface(TEXTURE, caps=TEXTURE_CAPS, width=1024),
    "minimum",
)
pair(
    "texture-power",
    lambda b: b.surface(TEXTURE, caps=TEXTURE_CAPS, width=15),
    lambda b: b.surface(TEXTURE, width=15),
    "minimum",
)
pair(
    "texture-support",
    lambda b: b.surface(TEXTURE, caps=TEXTURE_CAPS, faces=6),
    lambda b: b.surface(TEXTURE, caps=TEXTURE_CAPS),
    "minimum",
)
pair(
    "volume-depth", says("CreateSurface", depth=4, caps2=VOLUME, caps4=3), says("CreateSurface", depth=4, caps2=VOLUME, caps4=4)
)
pair(
    "slice-pitch",
    says("CreateSurface", depth=4, caps2=VOLUME, out={"pitches": [16], "slice_pitches": [0]}),
    says("CreateSurface", depth=4, caps2=VOLUME, out={"pitches": [16], "slice_pitches": [64]}),
)
pair("samples-type", says("CreateSurface", caps3=1), says("CreateSurface", caps3=4))
PRIMARY = says("CreateSurface", handle=9, label="primary", samples=4)
pair(
    "primary-lock",
    both(PRIMARY, says("Lock", handle=9, out={"samples": 4})),
    both(PRIMARY, says("Lock", handle=9, out={"samples": 1})),
)
INDEXED = 0x4000000
pair(
    "index-buffer-caps",
    lambda b: b("CreateD3DBuffer", handle=40, size=4, kind="vertex", caps2=INDEXED),
    lambda b: b("CreateD3DBuffer", handle=40, size=4, kind="index", caps2=INDEXED),
)
pair(
    "buffer-memory",
    lambda b: b("CreateD3DBuffer", handle=40, size=4, memory="video"),
    lambda b: b("CreateD3DBuffer", handle=40, size=4, memory="system"),
    "fixed",
)
FAIL = int(HResult.E_FAIL)
pair("buffer-refusal", says("CreateD3DBuffer", FAIL, out={"handled": 0}), says("CreateD3DBuffer", FAIL, out={"handled": 1}))
AGP = says("CreateD3DBuffer", handle=40, memory="agp", out={"fp_vid_mem": 0x5000, "fp_heap_offset": 0x1000})


def renamed(address: int = 0x5800, flags: int = 0x2000, **out: Any) -> Act:
    values = {"fp_vid_mem": address, "fp_heap_offset": 0x1800, "fp_start": 0x100, "handled": 1, "surf_data": address} | out
    return both(AGP, says("LockD3DBuffer", handle=40, flags=flags, out=values))


pair("rename-discard", renamed(flags=0), renamed())
pair("rename-address", renamed(0x5900), renamed())
pair("rename-reply", renamed(handled=0), renamed())
pair("unimplemented-entry", lambda b: b("DdVideoPort"), lambda b: b("WaitForVerticalBlank"))

# ---- 6. presentation
SHOW, LAST = int(DdBlt.PRESENTATION), int(DdBlt.PRESENTATION | DdBlt.LAST_PRESENTATION)
pair(
    "presentation-last",
    both(says("Blt", source=3, flags=SHOW), says("DrawPrimitives2")),
    both(says("Blt", source=3, flags=SHOW), says("Blt", source=3, flags=LAST), says("DrawPrimitives2")),
)
pair("presentation-flags", says("Blt", source=3, flags=int(DdBlt.LAST_PRESENTATION)), says("Blt", source=3, flags=LAST))
pair(
    "presentation-queue",
    says("Blt", source=3, flags=LAST, out={"queued": 3}),
    says("Blt", source=3, flags=LAST, out={"queued": 2}),
)


def conservative(b: Bench) -> None:
    b.facts.conservative = True


pair(
    "presentation-conservative",
    both(conservative, says("Blt", source=3, flags=LAST, out={"queued": 1})),
    both(conservative, says("Blt", source=3, flags=LAST, out={"queued": 0})),
)
pair("presentation-driver", both(HAL7, says("Blt", source=3, flags=LAST)), both(HAL8, says("Blt", source=3, flags=LAST)))

# ---- 7. palettes and cursor
PALETTE = ("SETPALETTE", {"palette": 3, "flags": 0, "surface": TEXTURE})
ENTRIES = ("UPDATEPALETTE", {"palette": 3, "start": 0, "count": 1, "entries": [0]})
pair("palette-missing", textured(TEXTURE, "P8"), textured(TEXTURE, "P8", PALETTE, ENTRIES))
pair(
    "palette-entry",
    both(says("CreateSurface", handle=9, label="texture"), says("SetPalette", handle=1, surface=9)),
    both(says("CreateSurface", handle=9, label="primary"), says("SetPalette", handle=1, surface=9)),
)
pair("caps-cursor", caps(CursorCaps=16), caps(CursorCaps=1))

# ---- 8. shaders
CREATE = {"shader": 5, "declaration": DECLARATION, "code": VERTEX_CODE}
pair(
    "bad-shader",
    draws("CREATEPIXELSHADER", shader=5, code=[0xFFFF0101, 0x7777, 0xFFFF]),
    draws("CREATEPIXELSHADER", shader=5, code=PIXEL_CODE),
)
pair("shader-handle", draws("CREATEVERTEXSHADER", **CREATE | {"shader": 4}), draws("CREATEVERTEXSHADER", **CREATE))
pair(
    "shader-rules",
    draws("CREATEVERTEXSHADER", **CREATE | {"code": [0xFFFE0101, 0xFFFF]}),
    draws("CREATEVERTEXSHADER", **CREATE),
)
pair("shader-support", draws("SETVERTEXSHADER", shader=5), draws("SETVERTEXSHADER", shader=XYZRHW), "fixed")


def versioned(code: Any) -> Act:
    def act(b: Bench) -> None:
        b.caps(PixelShaderVersion=0xFFFF0101)
        b.driver.facts = b.facts
        b.draw(("CREATEPIXELSHADER", {"shader": 5, "code": code}))

    return act


pair("shader-version", versioned(PIXEL_CODE_14), versioned(PIXEL_CODE))
SET, DELETE = ("SETVERTEXSHADER", {"shader": 5}), ("DELETEVERTEXSHADER", {"shader": 5})
pair(
    "shader-in-use",
    lambda b: b.draw(("CREATEVERTEXSHADER", CREATE), SET, DELETE),
    lambda b: b.draw(("CREATEVERTEXSHADER", CREATE), SET, ("SETVERTEXSHADER", {"shader": 0}), DELETE),
)
pair(
    "no-constants",
    draws("SETPIXELSHADERCONST", register=3),
    draws("SETPIXELSHADERCONST", register=3, count=1, values=[(0, 0, 0, 0)]),
)

# ---- 9. patches, multisampling, point sprites
pair("bad-patch", draws("DRAWRECTPATCH", patch=5, flags=0), lambda b: b.draw(state("ALPHAREF", 1)))
RECTANGLE = struct.pack("<7I", 0, 0, 4, 4, 4, 0, 3)
pair("patch-zero", draws("DRAWRECTPATCH", patch=0, flags=0), draws("DRAWRECTPATCH", patch=0, flags=2, info=RECTANGLE))
pair("patch-support", draws("DRAWTRIPATCH", patch=5, flags=0), lambda b: b.draw(state("ALPHAREF", 1)), "fixed")
pair("point-size", lambda b: b.draw(state("POINTSIZE", 0x44800000)), lambda b: b.draw(state("POINTSIZE", 0x40000000)))
pair("sample-count", lambda b: b.surface(TEXTURE, "X8R8G8B8", samples=4), lambda b: b.surface(TEXTURE, "X8R8G8B8"), "minimum")

# ---- 10. state sets
pair(
    "bad-state-set",
    draws("STATESET", operation=1, handle=4, type=0),
    lambda b: b.draw(("STATESET", {"operation": 0, "handle": 4}), ("STATESET", {"operation": 1, "handle": 4})),
)
pair(
    "state-set-pure",
    draws("STATESET", operation=5, handle=4, type=1),
    draws("STATESET", operation=0, handle=4, type=0),
    "fixed",
)

# ---- 11. CLEAR
WHOLE = {"items": [(0, 0, 16, 16)], "color": 0, "depth": 1.0, "stencil": 0}
pair(
    "bad-clear",
    lambda b: b.draw(("SETRENDERTARGET", {"render_target": TARGET, "depth_stencil": 0}), ("CLEAR", {**WHOLE, "flags": 2})),
    draws("CLEAR", **WHOLE, flags=2),
)
pair("clear-flags", draws("CLEAR", **WHOLE, flags=0x40), draws("CLEAR", **WHOLE, flags=1))
pair("clear-computerects", lambda b: b.said("Clear2", flags=9), lambda b: b.said("Clear2", flags=1))


def empty_clear(flags: int) -> Act:
    def act(b: Bench) -> None:
        commands = bytearray(stream(("CLEAR", {**WHOLE, "flags": flags})))
        commands[2:4] = b"\0\0"
        raw(b, bytes(commands))

    return act


pair("clear-nothing", empty_clear(1), empty_clear(9))

# ---- 12. transformed vertices
FAR = struct.pack("<12f", 1, 1, 1.5, 1, 9, 1, 0.5, 1, 1, 9, 0.5, 1)


def guarded(vertices: bytes) -> Act:
    def act(b: Bench) -> None:
        b.driver.device.clip_limits = (-2048.0, -2048.0, 2048.0, 2048.0)
        b.screen(vertices=vertices)

    return act


pair("unclipped", guarded(FAR), guarded(TRIANGLE))
pair("clip-planes", lambda b: b.screen(state("CLIPPLANEENABLE", 1)), lambda b: b.screen(state("CLIPPLANEENABLE", 0)))

# ---- 13. DXGI
BGRA, RGBA, BIND_TARGET, BIND_PRESENT, BIND_BOTH = 87, 28, 0x20, 0x80, 0xA0


def resource(b: Bench, handle: int, **more: Any) -> DdiCall:
    args = {"width": 4, "height": 4, "format": BGRA, "bind": BIND_BOTH} | more
    return b("DxgiCreateResource", handle=handle, **args)


def blt(flags: int = 4, count: int = 1, source: Any = None, target: Any = None, refuses: bool = False, **more: Any) -> Act:
    def act(b: Bench) -> None:
        if refuses:
            b.driver.dxgi.refuses_rotated = True
            resource(b, 9, primary=1, rotation=2)
        resource(b, 1, **(source or {}))
        resource(b, 2, **(target or {}))
        for _ in range(count):
            b("DxgiBlt", destination=2, source=1, flags=flags, **more)

    return act


def made(**more: Any) -> Act:
    return lambda b: resource(b, 1, **more)


CALLED = ["pfnRenderCb", "pfnPresentCbDXGI"]
pair("dxgi-callbacks", says("DxgiPresent", out={"callbacks": CALLED[::-1]}), says("DxgiPresent", out={"callbacks": CALLED}))
pair("dxgi-context", says("DxgiPresent", out={"context": 5}, context=7), says("DxgiPresent", out={"context": 7}, context=7))
pair(
    "dxgi-residency",
    says("DxgiQueryResourceResidency", 0, out={"status": [1, 3]}),
    says("DxgiQueryResourceResidency", int(HResult.S_NOT_RESIDENT), out={"status": [1, 3]}),
)
TWO_ALLOCATIONS = says("DxgiCreateResource", handle=1, width=4, height=4, format=BGRA, bind=BIND_BOTH, allocations=2)
pair(
    "dxgi-allocation",
    both(TWO_ALLOCATIONS, says("DxgiQueryResourceResidency", out={"asked": [1, 0, 1, 1]}, resources=[1])),
    both(TWO_ALLOCATIONS, says("DxgiQueryResourceResidency", out={"asked": [1, 0]}, resources=[1])),
)
pair(
    "dxgi-system",
    both(made(memory="system"), lambda b: b("DxgiQueryResourceResidency", resources=[1])),
    both(made(), lambda b: b("DxgiQueryResourceResidency", resources=[1])),
)
pair(
    "dxgi-rotate",
    both(made(bind=BIND_TARGET), lambda b: b("DxgiRotateResourceIdentities", resources=[1])),
    both(made(), lambda b: b("DxgiRotateResourceIdentities", resources=[1])),
)
pair("dxgi-straight", blt(0), blt(8))
pair("dxgi-resolve", blt(1), blt(1, source={"samples": 4}))
pair("dxgi-change", blt(8, target={"width": 8}), blt(4, target={"width": 8}))
pair("dxgi-source", blt(source={"bind": BIND_TARGET}), blt())
pair("dxgi-destination", blt(target={"bind": BIND_PRESENT}), blt())
pair("dxgi-format", made(format=2), made(format=RGBA))
pair("dxgi-rotation", blt(8, rotation=3), blt(8, rotation=3, refuses=True))
pair("dxgi-often", blt(8, 3), blt(8, 2))
pair("dxgi-stereo", made(stereo=1, array_size=1), made(stereo=1, array_size=2))


# ---- the runtime
def api(wrong: bool, unknown: bool = False) -> Act:
    def act(b: Bench) -> None:
        d3d = Direct3DCreate8(b.driver)
        device = d3d.CreateDevice(0, 1, 0, 0x40, D3DPRESENT_PARAMETERS(16, 16))
        runtime = d3d._desk.runtime
        runtime.strict = False
        if unknown:
            buffer = device.CreateVertexBuffer(64, 0, 0, 0)
            device.ProcessVertices(0, 0, 1, buffer, 0) if wrong else device.SetRenderState(24, 1)
        else:
            device.SetTransform(9999 if wrong else 2, np.eye(4))
        b.recorded += [one for _, one in runtime.findings]

    return act


def palette(colors: int) -> Act:
    """CreatePalette of DirectDraw, of whose entries a recorder keeps the first."""

    def act(b: Bench) -> None:
        runtime = Runtime(b.driver)
        script = Script(runtime, FUNCTIONS7)
        draw, made = script.new_pointer(), script.new_pointer()
        script.call("DirectDrawCreateEx", None, Array([draw]), None, None)
        entries = Array([PALETTEENTRY(n, n, n) for n in range(colors)])
        script.call("IDirectDraw7::CreatePalette", draw, 4, entries, Array([made]), None)
        b.recorded += [one for _, one in runtime.findings]

    return act


pair("not-recorded", palette(1), palette(256))
pair("runtime-rejected", api(True), api(False))
pair("runtime-unimplemented", api(True, True), api(False, True))
