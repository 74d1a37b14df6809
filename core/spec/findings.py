"""The rules of the interface that a program, a runtime or a driver can break, one row each.

`system` is the part of the interface (1 driver information, 2 formats, 3 DrawPrimitives2, 4 tokens, 5 surfaces and
buffers, 6 presentation, 7 palettes and cursor, 8 shaders, 9 patches, multisampling and point sprites, 10 state sets,
11 CLEAR, 12 transformed vertices, 13 DXGI, 0 this project's own runtime and emulator).  `where` names the entry points or
tokens that can break the rule.

Documents: "DX8 DDI" is the DirectX 8.0 driver specification, "Format list" its later page on formats, "DP2" the page on
D3dDrawPrimitives2, "Rect patch" the page on D3DHAL_DP2DRAWRECTPATCH, "DXGI" the page on DXGI_DDI_BASE_FUNCTIONS; "SDK" and
"DDK" are Microsoft's.
"""

from __future__ import annotations

from typing import NamedTuple

ERROR, WARNING, NOTE = "error", "warning", "note"


class Rule(NamedTuple):
    """One row of the rule table; `sentence` says what must be."""

    id: str
    severity: str  # "error" | "warning" | "note"
    system: int
    where: str
    section: str  # document and section
    sentence: str


_INFO2 = "DX8 DDI, Supporting GetDriverInfo2"
_CAPS = "DX8 DDI, Reporting DirectX 8.0 Style Direct3D Capabilities"
_MINIMUM = "DX8 DDI, Minimum Capability Requirements for DirectX 8.0 Drivers"
_FORMATS = "DX8 DDI, The Texture Format List"
_OPERATIONS = "DX8 DDI, Format Operations"
_STREAMS = "DX8 DDI, Multiple Vertex Streams"
_INDICES = "DX8 DDI, Index Buffers"
_DRAWS = "DX8 DDI, New DP2 Stream Drawing Tokens"
_DP2 = "DP2, Remarks"
_BUFFERS = "DX8 DDI, Vertex Buffer Issues"
_RENAMING = "DX8 DDI, Handling Renaming on Windows 2000"
_PRESENT = "DX8 DDI, Presentation"
_VERTEX = "DX8 DDI, Vertex Shaders"
_PIXEL = "DX8 DDI, Pixel Shaders"
_PATCHES = "DX8 DDI, High Order Surfaces"
_SAMPLES = "DX8 DDI, Multi-sample Rendering"
_PURE = "DX8 DDI, Pure Device Support"
_CLEAR = "DX8 DDI, Processing the D3DDP2OP_CLEAR DP2 Token"
_CLIP = "DX8 DDI, Clipping Transformed Vertices"
_BLT = "DXGI, pfnBlt"

# fmt: off
_RULES = [
    # 1. driver information
    Rule("info2-gate", ERROR, 1, "GetDriverInfo", _INFO2,
         "GetDriverInfo2 is sent only to drivers that set DDHALINFO_GETDRIVERINFO2."),
    Rule("info2-handled", ERROR, 1, "GetDriverInfo", _INFO2, "GetDriverInfo2 returns DDHAL_DRIVER_HANDLED, whatever the type."),
    Rule("info2-type", ERROR, 1, "GetDriverInfo", _INFO2, "An unknown type returns DDERR_CURRENTLYNOTAVAIL."),
    Rule("info2-size", ERROR, 1, "GetDriverInfo", _INFO2, "At most dwExpectedSize bytes of DD_GETDRIVERINFO2DATA are copied."),
    Rule("info2-header", ERROR, 1, "GetDriverInfo", _INFO2, "The driver only reads dwMagic, dwType and dwExpectedSize."),
    Rule("info2-stereo", ERROR, 1, "GetDriverInfo", _INFO2,
         "Without D3DGDI2_MAGIC the request is a DD_STEREOMODE of that size."),
    Rule("caps-runtime-fields", WARNING, 1, "GetDriverInfo", _CAPS, "The driver leaves DeviceType and AdapterOrdinal zero."),
    Rule("caps-bits", WARNING, 1, "GetDriverInfo", _CAPS, "D3DCAPS8 fields contain only defined bits."),
    Rule("minimum-streams", ERROR, 1, "GetDriverInfo", _MINIMUM, "MaxStreams is 1 or more."),
    Rule("minimum-point-size", ERROR, 1, "GetDriverInfo", _MINIMUM, "MaxPointSize is 1 or more."),
    Rule("minimum-formats", ERROR, 1, "GetDriverInfo", _MINIMUM,
         "The driver reports formats in the new style (DDPF_D3DFORMAT)."),
    Rule("minimum-tokens", ERROR, 1, "DrawPrimitives2", _MINIMUM, "The driver handles the new drawing tokens."),
    Rule("minimum-surface-ex", ERROR, 1, "CreateSurfaceEx", _MINIMUM, "CreateSurfaceEx takes vertex and index buffers."),
    Rule("caps-shader-version", ERROR, 1, "GetDriverInfo", _VERTEX + ", Reporting Support",
         "VertexShaderVersion is 0 or 0xFFFEnnnn, PixelShaderVersion 0 or 0xFFFFnnnn."),
    Rule("caps-shader-constants", ERROR, 1, "GetDriverInfo", _VERTEX + ", Reporting Support",
         "Version 1.0 vertex shaders need 96 constant registers or more."),
    Rule("caps-volume", ERROR, 1, "GetDriverInfo", "DX8 DDI, Volume Textures",
         "VOLUMEMAP comes with MaxVolumeExtent, filters and addressing; the other volume bits come with VOLUMEMAP."),
    Rule("caps-patches", WARNING, 1, "GetDriverInfo", _PATCHES,
         "QUINTICRTPATCHES and RTPATCHHANDLEZERO are meaningful only together with RTPATCHES."),
    Rule("caps-pixel-range", ERROR, 1, "GetDriverInfo", _PIXEL + ", Reporting Support",
         "MaxPixelShaderValue is 0.0, which means 0..1, or the limit of a signed range, 1.0 or more."),
    Rule("bad-argument", ERROR, 0, "all entries", "this interface", "Arguments are numbers within their ranges."),
    # 2. formats
    Rule("format-index", ERROR, 2, "GetDriverInfo", _FORMATS, "dwFormatIndex is less than the number of formats reported."),
    Rule("format-unique", ERROR, 2, "GetDriverInfo", _FORMATS, "Each index maps to one format of its own."),
    Rule("format-style", ERROR, 2, "GetDriverInfo", _FORMATS, "GETFORMAT returns formats with DDPF_D3DFORMAT."),
    Rule("format-legacy", WARNING, 2, "GetHalInfo", _FORMATS,
         "DirectX 7 runtimes map no formats, so they are also reported in the old style."),
    Rule("format-acceleration", ERROR, 2, "GetDriverInfo", _OPERATIONS, "3DACCELERATION is reported only with DISPLAYMODE."),
    Rule("format-display-alpha", ERROR, 2, "GetDriverInfo", _OPERATIONS, "DISPLAYMODE is not set on formats with alpha."),
    Rule("format-depth", ERROR, 2, "GetDriverInfo", _OPERATIONS,
         "ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH is reported with ZSTENCIL."),
    Rule("format-samples", ERROR, 2, "GetDriverInfo", _SAMPLES,
         "Bit n - 1 of wFlipMSTypes and wBltMSTypes stands for n samples, 2 to 16."),
    Rule("format-depth-samples", WARNING, 2, "GetDriverInfo", _SAMPLES,
         "Depth formats report the sample counts that can be drawn with them."),
    Rule("format-unlisted", WARNING, 2, "GetDriverInfo", _FORMATS,
         "Formats in the DirectX 7 lists are also reported through GetDriverInfo2, because none are mapped."),
    Rule("format-volume", ERROR, 2, "GetDriverInfo", "DX8 DDI, Volume Textures",
         "VOLUMETEXTURE formats and D3DPTEXTURECAPS_VOLUMEMAP are reported together."),
    Rule("format-private", WARNING, 2, "GetDriverInfo", _FORMATS,
         "A format that Direct3D does not define has its bits per pixel in dwPrivateFormatBitCount."),
    Rule("format-stretch", WARNING, 2, "GetDriverInfo", _SAMPLES + ", Multi-sample Support via StretchBlt",
         "With STRETCHBLTMULTISAMPLE the sample counts are in wFlipMSTypes."),
    Rule("format-use", ERROR, 2, "CreateSurface", _OPERATIONS, "A surface is used as dwOperations of its format allows."),
    Rule("bad-format", ERROR, 2, "CreateSurface, draws", "CanCreateSurface", "The device supports the format for this use."),
    # 3. DrawPrimitives2
    Rule("bad-context", ERROR, 3, "DrawPrimitives2", _DP2, "The context handle is valid."),
    Rule("unknown-token", ERROR, 3, "DrawPrimitives2", _DP2,
         "A token that D3dParseUnknownCommand does not recognise is an error."),
    Rule("broken-stream", ERROR, 3, "DrawPrimitives2", _DP2, "The driver stays within dwCommandLength; commands are complete."),
    Rule("bad-data", ERROR, 3, "DrawPrimitives2, Unlock", _DP2,
         "Contents and vertices have the size that their description requires."),
    Rule("vertex-type", ERROR, 3, "DrawPrimitives2", _DP2,
         "Without transform and lighting dwVertexType has D3DFVF_XYZRHW, no D3DFVF_NORMAL, no reserved bits."),
    Rule("user-memory", ERROR, 3, "DrawPrimitives2", _DP2,
         "Vertices are in user memory with D3DHALDP2_USERMEMVERTICES, otherwise in the buffer lpDDVertex."),
    Rule("error-offset", ERROR, 3, "DrawPrimitives2", _DP2,
         "A driver that fails puts the offset of the first unhandled D3DHAL_DP2COMMAND into dwErrorOffset."),
    Rule("failed-call", ERROR, 3, "DrawPrimitives2", _DP2,
         "The driver executes all tokens; if it fails the call, those before dwErrorOffset."),
    Rule("flip-in-progress", ERROR, 3, "DrawPrimitives2", _DP2,
         "While the surface is being flipped, the driver returns DDERR_WASSTILLDRAWING."),
    Rule("stall-missing", ERROR, 3, "DrawPrimitives2", _DP2, "The driver stalls where the runtime's version requires it."),
    Rule("stall-needless", WARNING, 3, "DrawPrimitives2", _DP2, "The driver does not stall where it need not."),
    Rule("swap-buffer", ERROR, 3, "DrawPrimitives2", _DP2, "The driver renames a buffer only with its SWAP flag set."),
    # 4. tokens
    Rule("unimplemented-token", WARNING, 0, "DrawPrimitives2", "this emulator", "This emulator implements the token."),
    Rule("later-token", ERROR, 4, "DrawPrimitives2", "DDK", "The token is of the DirectX version that the driver reports."),
    Rule("bad-record", ERROR, 4, "DrawPrimitives2", _DP2, "Arguments are within the token's limits."),
    Rule("unknown-state", WARNING, 4, "RENDERSTATE, TEXTURESTAGESTATE", "DDK, D3DHAL_DP2RENDERSTATE",
         "The state is valid."),
    Rule("bad-state-value", WARNING, 4, "RENDERSTATE, TEXTURESTAGESTATE", "DDK, D3DRENDERSTATETYPE",
         "The value is valid for the state."),
    Rule("unimplemented-state", WARNING, 0, "RENDERSTATE", "this emulator", "This emulator implements the state."),
    Rule("bad-light", WARNING, 4, "SETLIGHT", "DDK, D3DDP2OP_CREATELIGHT", "A light is created before it is set."),
    Rule("bad-stage", WARNING, 4, "TEXTURESTAGESTATE", "DDK, D3DHAL_DP2TEXTURESTAGESTATE",
         "The stage and the state are valid."),
    Rule("bad-transform", WARNING, 4, "SETTRANSFORM, MULTIPLYTRANSFORM", "DDK, D3DHAL_DP2SETTRANSFORM",
         "The transform is valid."),
    Rule("bad-stream", WARNING, 4, "SETSTREAMSOURCE", _STREAMS, "dwStream is less than MaxStreams."),
    Rule("stream-stride", WARNING, 4, "SETSTREAMSOURCE", _STREAMS, "The stride is at most MaxStreamStride."),
    Rule("bad-constant", WARNING, 4, "SETVERTEXSHADERCONST, SETPIXELSHADERCONST", _VERTEX, "The register range is valid."),
    Rule("one-binding", ERROR, 4, "SETSTREAMSOURCE, SETINDICES", _STREAMS, "wStateCount is 1: one source per command."),
    Rule("user-memory-stream", ERROR, 4, "SETSTREAMSOURCEUM", _STREAMS, "User memory is stream zero."),
    Rule("user-memory-only", WARNING, 4, "draws", _STREAMS, "With user memory bound, only stream zero is read."),
    Rule("unbound-stream", WARNING, 4, "draws", _STREAMS, "The streams that the vertex shader reads are bound."),
    Rule("stream-format", WARNING, 4, "SETSTREAMSOURCE", _STREAMS + ", Stream Zero",
         "Vertex buffers with a vertex format are bound only to stream zero."),
    Rule("format-conflict", NOTE, 4, "draws", _VERTEX,
         "The vertex buffer's format is that of SETVERTEXSHADER; otherwise the buffer's is ignored."),
    Rule("index-size", ERROR, 4, "SETINDICES", _INDICES, "dwStride is 2 or 4."),
    Rule("index-width", ERROR, 4, "SETINDICES", _INDICES + ", Reporting Support for 32-bit Indices",
         "32-bit indices go to drivers whose MaxVertexIndex is above 0xFFFF."),
    Rule("no-indices", WARNING, 4, "draws", _INDICES, "An indexed draw has an index buffer; without one it draws nothing."),
    Rule("index-window", WARNING, 4, "draws", _DRAWS, "Indices are within MinIndex .. MinIndex + NumVertices - 1."),
    Rule("legacy-state", NOTE, 4, "RENDERSTATE", "DDK", "The state still exists in DirectX 8."),
    Rule("legacy-draw", NOTE, 4, "draws", _DRAWS, "Under a DirectX 8 shader the new drawing tokens are used."),
    Rule("vertex-format", ERROR, 4, "SETVERTEXSHADER", "SDK, Flexible Vertex Format Codes",
         "A vertex format has a position, no reserved bits, and at most 8 coordinate sets with their sizes."),
    Rule("transformed-draw", ERROR, 4, "draws", _DRAWS,
         "DRAWPRIMITIVE2, DRAWINDEXEDPRIMITIVE2 and CLIPPEDTRIANGLEFAN draw transformed vertices of stream zero."),
    Rule("untransformed-draw", ERROR, 4, "draws", _DRAWS,
         "Drivers without vertex processing get transformed vertices."),
    Rule("empty-draw", NOTE, 4, "draws", _DRAWS, "PrimitiveCount is not 0."),
    Rule("primitive-count", WARNING, 4, "draws", _CAPS, "PrimitiveCount is at most MaxPrimitiveCount."),
    Rule("bad-draw", ERROR, 4, "draws", _DRAWS, "The draw can be executed; otherwise it is skipped."),
    Rule("vertex-range", ERROR, 4, "draws", _DRAWS, "Vertices are within their buffer; those outside read as zero."),
    Rule("no-target", ERROR, 4, "draws, CLEAR", "DDK, D3DDP2OP_SETRENDERTARGET", "Draws need a render target."),
    Rule("target-mismatch", ERROR, 4, "draws, ContextCreate", "SDK, SetRenderTarget",
         "The depth surface is at least as large as the target and has the same samples."),
    Rule("feedback", WARNING, 4, "draws", "SDK", "No surface is both texture and render target of a draw."),
    Rule("bad-texture", WARNING, 4, "draws", "SDK", "The bound texture can be sampled; otherwise the stage has no texture."),
    Rule("scene", WARNING, 4, "draws", "DDK, D3DRENDERSTATE_SCENECAPTURE", "Primitives are drawn between begin and end."),
    Rule("depth-range", WARNING, 4, "ZRANGE", "DDK, D3DHAL_DP2ZRANGE", "0 <= dvMinZ <= dvMaxZ <= 1."),
    Rule("viewport-size", WARNING, 4, "VIEWPORTINFO", "DDK, D3DHAL_DP2VIEWPORTINFO", "The viewport has an area."),
    Rule("light-type", ERROR, 4, "SETLIGHT", "SDK, D3DLIGHT8", "Type is one of D3DLIGHTTYPE."),
    Rule("reserved-flags", WARNING, 4, "TEXBLT, VOLUMEBLT, BUFFERBLT", "DDK", "dwFlags is reserved and zero."),
    Rule("bad-blit", ERROR, 4, "TEXBLT, VOLUMEBLT, BUFFERBLT, Blt", "DDK", "Formats match; boxes are within their surfaces."),
    # 5. surfaces and buffers
    Rule("bad-handle", ERROR, 5, "all", "DDK, CreateSurfaceEx", "Handles name live surfaces, buffers or shaders."),
    Rule("handle-in-use", WARNING, 5, "CreateSurface, CreateD3DBuffer", "DDK, CreateSurfaceEx",
         "A handle names one thing at a time."),
    Rule("bad-size", ERROR, 5, "CreateSurface, CreateD3DBuffer", "DDK, CreateSurface",
         "Sizes are within what the device can hold."),
    Rule("out-of-memory", ERROR, 0, "all entries", "this emulator", "There is memory for what the call needs."),
    Rule("bad-rectangle", ERROR, 5, "Lock, Blt", "DDK, DdLock", "Rectangles and boxes are within their surface."),
    Rule("bad-lock", ERROR, 5, "Lock, Unlock", "DDK, DdLock and DdUnlock", "Locks and unlocks come in pairs."),
    Rule("texture-size", ERROR, 5, "CreateSurface", "SDK, D3DCAPS8",
         "Textures are at most MaxTextureWidth x MaxTextureHeight, volumes MaxVolumeExtent in each direction."),
    Rule("texture-power", ERROR, 5, "CreateSurface", "SDK, D3DCAPS8, TextureCaps",
         "Sizes of textures are powers of two, or squares, where the driver requires them."),
    Rule("texture-support", ERROR, 5, "CreateSurface", "SDK, D3DCAPS8, TextureCaps",
         "Volumes, cubes and mip levels are used only with drivers that report them."),
    Rule("volume-depth", ERROR, 5, "CreateSurface", "DX8 DDI, Handling the Creation of Volume Textures",
         "A volume has DDSCAPS2_VOLUME, and its depth in the low word of dwCaps4."),
    Rule("slice-pitch", ERROR, 5, "CreateSurface", "DX8 DDI, Handling the Creation of Volume Textures",
         "The driver returns the slice pitch of a volume in dwBlockSizeY."),
    Rule("samples-type", ERROR, 5, "CreateSurface", _SAMPLES + ", Handling the Creation of Multi-Sampled Surfaces",
         "dwCaps3 holds one D3DMULTISAMPLE_TYPE, 0 or 2 to 16: it is not a bit mask."),
    Rule("primary-lock", ERROR, 5, "Lock", _SAMPLES + ", Handling the Creation of Multi-Sampled Surfaces",
         "A multisampled primary is locked as one sample per pixel."),
    Rule("index-buffer-caps", ERROR, 5, "CreateD3DBuffer", _INDICES, "DDSCAPS2_INDEXBUFFER is set only for index buffers."),
    Rule("buffer-memory", WARNING, 5, "CreateD3DBuffer", "DX8 DDI, Reporting Support for Video Memory Vertex and Index Buffers",
         "Video memory buffers are used only with drivers that have D3DDEVCAPS_HWVERTEXBUFFER or HWINDEXBUFFER."),
    Rule("buffer-refusal", ERROR, 5, "CreateD3DBuffer", _BUFFERS + ", Vertex Buffer Creation Handling",
         "A driver that refuses a buffer in video memory sets E_FAIL and returns DDHAL_DRIVER_HANDLED."),
    Rule("rename-discard", ERROR, 5, "LockD3DBuffer", _BUFFERS + ", Vertex Buffer Renaming",
         "The driver renames a buffer at a lock with D3DLOCK_DISCARD only."),
    Rule("rename-address", ERROR, 5, "LockD3DBuffer", _RENAMING,
         "fpVidMem = pvVirtAddr + (fpHeapOffset - fpStart), and lpSurfData is the same."),
    Rule("rename-reply", NOTE, 5, "LockD3DBuffer", _RENAMING,
         "The recommended reply sets fpVidMem and lpSurfData and returns DDHAL_DRIVER_HANDLED."),
    Rule("lock-overwrite", WARNING, 5, "UnlockD3DBuffer", "SDK, IDirect3DVertexBuffer8::Lock, D3DLOCK_NOOVERWRITE",
         "What draws have used since the start of the frame does not change under a lock with D3DLOCK_NOOVERWRITE."),
    Rule("lock-discard", WARNING, 5, "LockD3DBuffer, draws", "SDK, IDirect3DVertexBuffer8::Lock, D3DLOCK_DISCARD",
         "A buffer that is discarded is written before it is drawn from or discarded again."),
    Rule("unimplemented-entry", WARNING, 0, "all entries", "this emulator", "This emulator implements the entry point."),
    # 6. presentation
    Rule("presentation-last", ERROR, 6, "Blt", _PRESENT, "A Present ends with exactly one Blt with both presentation flags."),
    Rule("presentation-flags", ERROR, 6, "Blt", _PRESENT, "DDBLT_LAST_PRESENTATION comes with DDBLT_PRESENTATION."),
    Rule("presentation-queue", ERROR, 6, "Blt", _PRESENT, "At most three frames are queued for each source."),
    Rule("presentation-conservative", ERROR, 6, "Blt", _PRESENT,
         "A driver that cannot detect when a presentation is retired queues none."),
    Rule("presentation-driver", ERROR, 6, "Blt", _PRESENT, "The presentation flags are sent only to DirectX 8 drivers."),
    # 7. palettes
    Rule("palette-missing", WARNING, 7, "draws", "DX8 DDI, Palettized Textures",
         "A paletted texture has a palette, bound by D3DDP2OP_SETPALETTE."),
    Rule("palette-entry", ERROR, 7, "CreatePalette, SetPalette, SetEntries", "DX8 DDI, Palettized Textures",
         "Palettes of textures come as tokens, never through DirectDraw's palette entries."),
    Rule("caps-cursor", WARNING, 7, "GetDriverInfo", "DX8 DDI, Cursors", "CursorCaps contains only D3DCURSORCAPS bits."),
    # 8. shaders
    Rule("bad-shader", ERROR, 8, "CREATEVERTEXSHADER, CREATEPIXELSHADER", _VERTEX,
         "Declaration and code can be decoded and are within their version's limits; otherwise the driver fails the call."),
    Rule("shader-handle", ERROR, 8, "CREATEVERTEXSHADER, CREATEPIXELSHADER", _VERTEX,
         "Handles of vertex shaders are odd; no handle is zero."),
    Rule("shader-rules", WARNING, 8, "CREATEVERTEXSHADER, CREATEPIXELSHADER", "SDK, vertex and pixel shader reference",
         "The code follows the rules of its version."),
    Rule("shader-support", ERROR, 8, "CREATEVERTEXSHADER, SETVERTEXSHADER, CREATEPIXELSHADER", _VERTEX,
         "Drivers without programmable processing get vertex formats and no shaders or constants."),
    Rule("shader-version", ERROR, 8, "CREATEVERTEXSHADER, CREATEPIXELSHADER", _VERTEX,
         "The code's version is one that the driver reports."),
    Rule("shader-in-use", NOTE, 8, "DELETEVERTEXSHADER, DELETEPIXELSHADER", _VERTEX,
         "The current shader is not deleted."),
    Rule("no-constants", NOTE, 8, "SETVERTEXSHADERCONST, SETPIXELSHADERCONST", _VERTEX, "dwCount is not 0."),
    # 9. patches, multisampling, point sprites
    Rule("bad-patch", WARNING, 9, "DRAWRECTPATCH, DRAWTRIPATCH, DELETERTPATCH", "Rect patch, Remarks",
         "A patch supplies its information or names a defined handle."),
    Rule("patch-zero", ERROR, 9, "DRAWRECTPATCH, DRAWTRIPATCH", "Rect patch, Remarks",
         "A patch with handle zero has RTPATCHFLAG_HASINFO."),
    Rule("patch-support", ERROR, 9, "DRAWRECTPATCH, DRAWTRIPATCH", _PATCHES,
         "Patches are sent only to drivers with D3DDEVCAPS_RTPATCHES."),
    Rule("point-size", NOTE, 9, "RENDERSTATE", "DX8 DDI, Point Sprites",
         "Point sizes are at most MaxPointSize; larger ones are clamped."),
    Rule("sample-count", ERROR, 9, "CreateSurface", _SAMPLES, "The number of samples is one that the format reports."),
    # 10. state sets
    Rule("bad-state-set", WARNING, 10, "STATESET", "DDK, D3DHAL_DP2STATESET", "Sets are recorded, then used, then deleted."),
    Rule("state-set-pure", ERROR, 10, "STATESET", _PURE,
         "D3DHAL_STATESETCREATE is sent only to drivers with D3DDEVCAPS_PUREDEVICE."),
    # 11. CLEAR
    Rule("bad-clear", WARNING, 11, "CLEAR", "DDK, D3DHAL_DP2CLEAR",
         "Depth and stencil are cleared only on surfaces that have them."),
    Rule("clear-flags", ERROR, 11, "CLEAR", "DDK, D3DHAL_DP2CLEAR", "Flags are D3DCLEAR bits; depth is from 0 to 1."),
    Rule("clear-computerects", ERROR, 11, "CLEAR, Clear, Clear2", _CLEAR,
         "D3DCLEAR_COMPUTERECTS is for pure devices, and never in Clear or Clear2."),
    Rule("clear-nothing", WARNING, 11, "CLEAR", _CLEAR, "Without rectangles only D3DCLEAR_COMPUTERECTS clears anything."),
    # 12. transformed vertices
    Rule("unclipped", WARNING, 12, "draws", _CLIP,
         "Without D3DPMISCCAPS_CLIPTLVERTS, applications clip transformed vertices to the depth range and the guard band."),
    Rule("clip-planes", NOTE, 12, "draws", _CLIP, "User clip planes are never applied to transformed vertices."),
    # 13. DXGI
    Rule("dxgi-callbacks", ERROR, 13, "DxgiPresent, DxgiSetResourcePriority, DxgiQueryResourceResidency", "DXGI, Members",
         "The driver calls the runtime's callbacks: render before present, set priority, query residency."),
    Rule("dxgi-context", ERROR, 13, "DxgiPresent", "DXGI, pfnPresent", "pDXGIContext is passed through unchanged."),
    Rule("dxgi-residency", ERROR, 13, "DxgiQueryResourceResidency", "DXGI, pfnQueryResourceResidency",
         "The result is that of the worst place: S_NOT_RESIDENT, S_RESIDENT_IN_SHARED_MEMORY, S_OK."),
    Rule("dxgi-system", ERROR, 13, "DxgiQueryResourceResidency", "DXGI, pfnQueryResourceResidency",
         "System memory resources are never queried."),
    Rule("dxgi-allocation", ERROR, 13, "DxgiQueryResourceResidency", "DXGI, pfnQueryResourceResidency",
         "Only allocations that are likely used for rendering are queried."),
    Rule("dxgi-rotate", ERROR, 13, "DxgiRotateResourceIdentities", "DXGI, pfnRotateResourceIdentities",
         "The resources that are rotated were created with D3D10_DDI_BIND_PRESENT."),
    Rule("dxgi-straight", ERROR, 13, "DxgiBlt", _BLT,
         "No flags and no rotation is a straight copy, which is only for multisampled resources."),
    Rule("dxgi-resolve", ERROR, 13, "DxgiBlt", _BLT, "Resolve is set for a multisampled source, and only then."),
    Rule("dxgi-change", ERROR, 13, "DxgiBlt", _BLT, "Sizes that differ need Stretch, formats that differ Convert."),
    Rule("dxgi-source", ERROR, 13, "DxgiBlt", _BLT + ", Source restrictions",
         "The source was created with D3D10_DDI_BIND_PRESENT."),
    Rule("dxgi-destination", ERROR, 13, "DxgiBlt", _BLT + ", Destination restrictions",
         "The destination is bound as a render target."),
    Rule("dxgi-format", ERROR, 13, "DxgiCreateResource", _BLT, "Formats are among the eight of display modes."),
    Rule("dxgi-rotation", ERROR, 13, "DxgiBlt", _BLT,
         "Drivers that never refuse a primary with DXGI_DDI_ERR_UNSUPPORTED get no rotation."),
    Rule("dxgi-often", WARNING, 13, "DxgiBlt", _BLT, "BltDXGI is called once or twice per frame."),
    Rule("dxgi-stereo", ERROR, 13, "DxgiCreateResource", _BLT + ", Creating a stereo back buffer",
         "A stereo back buffer has ArraySize 2 and D3D10_DDI_BIND_PRESENT."),
    # the runtime above the driver
    Rule("runtime-rejected", WARNING, 0, "API calls", "SDK", "The API accepts the call (otherwise D3DERR_INVALIDCALL)."),
    Rule("runtime-unimplemented", WARNING, 0, "API calls", "this runtime", "The runtime implements the call."),
    Rule("not-recorded", NOTE, 0, "API calls", "apitrace", "The trace holds what the call did."),
]
# fmt: on

RULES: dict[str, Rule] = {row.id: row for row in _RULES}
UNKNOWN = Rule("", WARNING, 0, "", "", "")
SYSTEMS = {
    1: "GetDriverInfo2 and caps", 2: "Format list", 3: "DrawPrimitives2", 4: "Tokens", 5: "Surfaces and buffers",
    6: "Presentation", 7: "Palettes and cursor", 8: "Shaders", 9: "Patches, multisampling, point sprites", 10: "State sets",
    11: "CLEAR", 12: "Transformed vertices", 13: "DXGI", 0: "Runtime and emulator",
}  # fmt: skip
