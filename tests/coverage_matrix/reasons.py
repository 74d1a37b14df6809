"""Why something of the specifications has no test of its own."""

from __future__ import annotations

SENTENCES = {
    "headers": "is about header files; nothing of it crosses the interface",
    "background": "says why, or what the next sentences are about; asks for nothing itself",
    "runtime": "is about what a runtime does above the driver",
    "inside": "is a choice or a duty inside of a driver that no call shows",
    "system": "is about kernel handles, allocations, mapping or what is on the monitor; the emulator has none of these",
    "no such field": "names a field that D3DCAPS8 does not have, there or in any header",
}
"""By the key that sentences.tsv uses."""

_PRINT = "a misprint for "
_LOCAL = "a variable of an example"
_OTHER = "a structure of the Direct3D 10 or 11 driver interface, of which CreateResource has a minimum"
NAMES = {
    "D3DDP2OP_DRAWPRITIVE": _PRINT + "D3DDP2OP_DRAWPRIMITIVE", "DIRECT3D_VERTSION": _PRINT + "DIRECT3D_VERSION",
    "DDLT_PRESENTATION": _PRINT + "DDBLT_PRESENTATION", "D3DRS_POINTSCALEA": _PRINT + "D3DRS_POINTSCALE_A",
    "D3DHAL_D3DEXTENDCAPS": _PRINT + "D3DHAL_D3DEXTENDEDCAPS", "D3DPT_POINT": _PRINT + "D3DPT_POINTLIST",
    "D3DDEVCAPS_CLIPPLANESCALEDPOINTS": _PRINT + "D3DPMISCCAPS_CLIPPLANESCALEDPOINTS",
    "wBltMSType": _PRINT + "wBltMSTypes", "wFlipMSType": _PRINT + "wFlipMSTypes", "wPrimtiveCount": _PRINT + "wPrimitiveCount",
    "D3DFVF_RESERVED": "the beginning of D3DFVF_RESERVED0 and D3DFVF_RESERVED2",
    "D3D_VIEWPORT": "a viewport in a formula", "D3DNTHAL_DP2SETPALETTE": "the older name of D3DHAL_DP2SETPALETTE",
    "DIRECT3D_VERSION": "a preprocessor symbol",
    "D3DVS_CONSTREG_MAX_V1_0": "the number 96 of the rule caps-shader-constants", "D3DCURSORCAPS_MONO": "no header has it",
    "D3D10DDIARG_CREATEDEVICE": _OTHER, "D3D10DDIARG_CREATERESOURCE": _OTHER, "D3D11DDIARG_CREATERESOURCE": _OTHER,
    "D3D10DDIRESOURCE_TEXTURE2D": "resources here are always two-dimensional",
    "DXGI_DDI_BASE_ARGS": "holds the table of functions, which calls name one by one",
    "D3DDDICB_QUERYRESIDENCY": "an argument of a runtime callback; calls tell which callbacks the driver makes",
    "DXGIDDICB_PRESENT": "an argument of a runtime callback; calls tell which callbacks the driver makes",
    "D3DHAL_DRAWPRIMITIVES2CB": "the type of a pointer to the function",
    "DXGI_FORMAT": "the name of the enumeration; its members are below",
    "lpPalette": "DirectDraw palette pointers, which textures never use",
    "fpCurrentVidMem": _LOCAL, "fpNewHeapOffset": _LOCAL, "fpNewVidMem": _LOCAL, "hDrvDevice": _OTHER,
}  # fmt: skip

_RETIRED = "retired before DirectX 8, no capability bit of the emulator offers it (docs/decisions.md)"
_EXACT = "places are always exact to 1/256 of a pixel"
_HINT = "a hint that changes no picture"
STORED = {
    **{f"state:STIPPLEPATTERN{i:02}": _RETIRED for i in range(32)},
    **{f"state:{name}": _RETIRED for name in (
        "ANTIALIAS", "MONOENABLE", "ROP2", "PLANEMASK", "STIPPLEDALPHA", "STIPPLEENABLE", "TEXTUREPERSPECTIVE",
        "TRANSLUCENTSORTINDEPENDENT",
    )},
    "state:SUBPIXEL": _EXACT, "state:SUBPIXELX": _EXACT,
    "state:EXTENTS": "the extents that it asks for belong to clip status, which the runtime computes",
    "state:FLUSHBATCH": _HINT, "state:ZVISIBLE": "the SDK calls it unsupported",
    "state:SCISSORTESTENABLE": "DirectX 8 has no scissor rectangle to test against",
    "state:EVICTMANAGEDTEXTURES": "managed textures belong to the runtime; the driver has none to evict",
    "state:SOFTWAREVERTEXPROCESSING": "says who processes vertices, which the device's creation decides (docs/decisions.md)",
    "state:DEBUGMONITORTOKEN": "talks to a debug monitor outside of the interface",
}  # fmt: skip
"""Why a state is only stored: nothing that is drawn depends on it."""
