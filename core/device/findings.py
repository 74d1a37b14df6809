"""What a program or a driver did against the rules: values, never exceptions.

Each rule is a row: an id, how bad it is, and the section of the documents that states it.  The device and the driver emit
findings while they execute; `core.ddi.check` adds those that only watch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Rule(NamedTuple):
    """One row of the rule table."""

    id: str
    severity: str  # "error" | "warning" | "note"
    section: str  # document and section


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule at one place.

    `seq` is the event number, -1 when there is none; `offset` the byte offset in the command buffer, -1 outside of streams.
    """

    rule: str
    seq: int
    text: str
    section: str
    severity: str = "warning"
    offset: int = -1


RULES: dict[str, Rule] = {
    row.id: row
    for row in (
        # streams
        Rule("unknown-token", "error", "D3dDrawPrimitives2: unknown commands go to D3dParseUnknownCommand"),
        Rule("broken-stream", "error", "D3dDrawPrimitives2: the driver stays within dwCommandLength"),
        Rule("unimplemented-token", "warning", "this emulator: the token is decoded but has no effect"),
        Rule("later-token", "error", "the token belongs to a later DirectX version than the driver reports"),
        Rule("bad-record", "error", "D3dDrawPrimitives2: arguments outside what the token allows"),
        Rule("bad-context", "error", "D3dDrawPrimitives2: the context handle must be valid"),
        # state
        Rule("unknown-state", "warning", "D3DHAL_DP2RENDERSTATE: the state number has no meaning"),
        Rule("bad-state-value", "warning", "D3DRENDERSTATETYPE: the value is none of the state's values"),
        Rule("unimplemented-state", "warning", "this emulator: the state is stored but not acted upon"),
        Rule("bad-light", "warning", "D3DDP2OP_SETLIGHT: the light was not created"),
        Rule("bad-stage", "warning", "D3DHAL_DP2TEXTURESTAGESTATE: stage or state number out of range"),
        Rule("bad-transform", "warning", "D3DHAL_DP2SETTRANSFORM: no such transform"),
        Rule("bad-stream", "warning", "D3DHAL_DP2SETSTREAMSOURCE: stream number out of range"),
        Rule("bad-constant", "warning", "SETVERTEXSHADERCONST / SETPIXELSHADERCONST: register out of range"),
        Rule("bad-state-set", "warning", "D3DHAL_DP2STATESET"),
        # objects
        Rule("bad-handle", "error", "CreateSurfaceEx: handles name live surfaces, buffers or shaders"),
        Rule("bad-size", "error", "CreateSurface: sizes the device cannot hold"),
        Rule("bad-format", "error", "CanCreateSurface: the format is not known or cannot be used like this"),
        Rule("bad-rectangle", "error", "rectangles and boxes lie within their surface"),
        Rule("bad-lock", "error", "DdLock / DdUnlock"),
        Rule("bad-data", "error", "the contents handed over do not have the size their description asks for"),
        Rule("handle-in-use", "warning", "CreateSurfaceEx: a handle names one surface at a time"),
        Rule("bad-argument", "error", "arguments of a driver entry point"),
        Rule("unimplemented-entry", "warning", "this emulator: the entry point answers DD_OK and does nothing"),
        # draws
        Rule("bad-draw", "error", "D3DDP2OP_DRAW*: the draw cannot be carried out and is skipped"),
        Rule("vertex-range", "error", "D3DDP2OP_DRAW*: vertices outside of their buffer read as zero"),
        Rule("no-target", "error", "D3DDP2OP_SETRENDERTARGET: draws need a render target"),
        Rule("target-mismatch", "error", "SetRenderTarget: the depth surface is at least as large and has the same samples"),
        Rule("feedback", "warning", "a surface is both texture and render target of a draw: the outcome is undefined"),
        Rule("bad-texture", "warning", "the bound texture cannot be sampled; the stage sees no texture"),
        Rule("bad-shader", "error", "CREATEVERTEXSHADER / CREATEPIXELSHADER: the code cannot be decoded"),
        Rule("unimplemented-draw", "warning", "this emulator: the draw uses a feature it does not have yet"),
        Rule("bad-clear", "warning", "D3DHAL_DP2CLEAR"),
        Rule("bad-blit", "error", "TEXBLT / VOLUMEBLT / BUFFERBLT / DdBlt"),
        # the runtime above the driver
        Rule("runtime-rejected", "warning", "DX8 SDK: the API refuses the call (D3DERR_INVALIDCALL)"),
        Rule("runtime-unimplemented", "warning", "this runtime: the call has no effect"),
        Rule("bad-patch", "warning", "D3DDP2OP_DRAWRECTPATCH / DRAWTRIPATCH"),
        # watched by core.ddi.watch: what has no effect on the device, or that it forgives
        Rule("one-binding", "error", "DX8 DDI, Multiple Vertex Streams: one source a command"),
        Rule("user-memory-stream", "error", "DX8 DDI: D3DDP2OP_SETSTREAMSOURCEUM binds stream zero"),
        Rule("index-size", "error", "DX8 DDI, Index Buffers: dwStride is 2 or 4"),
        Rule("legacy-state", "note", "the state was retired before DirectX 8"),
        Rule("legacy-draw", "note", "DX8 DDI, New DP2 Stream Drawing Tokens: they replace those of DirectX 6"),
        Rule("vertex-format", "error", "D3DFVF: position, reserved bits, coordinate sets"),
        Rule("shader-handle", "error", "D3DDP2OP_CREATEVERTEXSHADER: handles are odd; no handle is zero"),
        Rule("shader-rules", "warning", "DX8 SDK, vertex and pixel shader reference"),
        Rule("transformed-draw", "error", "DX8 DDI: DRAW*PRIMITIVE2 and CLIPPEDTRIANGLEFAN draw transformed vertices"),
        Rule("empty-draw", "note", "D3DDP2OP_DRAW*: PrimitiveCount"),
        Rule("scene", "warning", "D3DRENDERSTATE_SCENECAPTURE: primitives are drawn between begin and end"),
        Rule("clear-flags", "error", "D3DHAL_DP2CLEAR: D3DCLEAR flags; depth from 0 to 1"),
        Rule("depth-range", "warning", "D3DHAL_DP2ZRANGE: 0 <= dvMinZ <= dvMaxZ <= 1"),
        Rule("viewport-size", "warning", "D3DHAL_DP2VIEWPORTINFO: the viewport has an area"),
        Rule("light-type", "error", "D3DLIGHT8: Type"),
        Rule("reserved-flags", "warning", "TEXBLT / VOLUMEBLT / BUFFERBLT: dwFlags is reserved and zero"),
        Rule("no-constants", "note", "SETVERTEXSHADERCONST / SETPIXELSHADERCONST: dwCount"),
    )
}


UNKNOWN = Rule("", "warning", "")


def finding(rule: str, seq: int, text: str, offset: int = -1) -> Finding:
    """A finding of a row in RULES."""
    row = RULES.get(rule, UNKNOWN)
    return Finding(rule, seq, text, row.section, row.severity, offset)
