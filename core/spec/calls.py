"""The driver's entry points: the calls of the driver interface, by name.

A row gives an entry point's header name, its arguments and results in the form `core.ddi.calls.DdiCall` carries them,
and whether it carries a DP2 stream.  Handles are numbers the runtime assigns; a complex surface owns handle + face * levels +
level.  `data` names the blobs that travel beside the arguments.

Sources: ddrawi.h and ddk/d3dhal.h (DirectDraw and Direct3D entry points), dxgiddi documentation (DXGI), the seeds of the
DX8 DDI.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.spec.caps import CAPS8
from core.spec.effects import EventKind, Touches, When
from core.spec.enums import (
    ClearFlag,
    DdBlt,
    DdFlip,
    DdLock,
    Dp2Flag,
    DriverInfo2,
    DriverReturn,
    DxgiBltFlag,
    DxgiFlipInterval,
    DxgiFormat,
    DxgiPresentFlag,
    DxgiRotation,
    FormatOp,
    HalInfoFlag,
    HResult,
    MultisampleType,
    Pool,
    SurfaceCaps,
    SurfaceCaps2,
    Usage,
)
from core.spec.formats import FORMAT_BY_NAME, format_text
from core.spec.kinds import BOOL, COLOR, F32, FVF, HANDLE, HEX32, I32, U32, Kind, enum, flags


def _format_raw(value: object) -> int:
    return FORMAT_BY_NAME[value].id if isinstance(value, str) and value in FORMAT_BY_NAME else HEX32.raw(value)


FORMAT = Kind("FORMAT", "<u4", int, format_text, _format_raw)
HRESULT = enum(HResult)
RECT = I32
"""Boxes are tuples (left, top, right, bottom[, front, back]) of this kind."""


@dataclass(frozen=True)
class Argument:
    """One argument or result; tuples and lists hold several of the same kind."""

    name: str
    kind: Kind | None  # None: text


@dataclass(frozen=True)
class Call:
    """One entry point.

    `header`: its name in the DDK; `family`: directdraw, direct3d, dxgi or runtime (bookkeeping no driver sees).  `kind`: what
    it is for, unless one of `whens` holds; `touches`: what it changes or reads.  `makes`, `ends`: the kind of object that gets
    or loses the name `handle`; `roles`: arguments that name objects, and what happens to these.
    """

    name: str
    header: str
    family: str
    args: tuple[Argument, ...]
    out: tuple[Argument, ...] = ()
    data: tuple[str, ...] = ()
    stream: bool = False
    kind: EventKind = EventKind.OTHER
    touches: Touches = Touches.NOTHING
    whens: tuple[When, ...] = ()
    makes: str = ""
    ends: str = ""
    roles: tuple[tuple[str, str], ...] = ()

    def kind_of(self, args: Mapping[str, Any]) -> EventKind:
        """What a call with these arguments is for."""
        return next((when.kind for when in self.whens if when.holds(args)), self.kind)

    def argument(self, name: str) -> Argument | None:
        """The argument or result with this name."""
        return next((a for a in (*self.args, *self.out) if a.name == name), None)


TEXT = None
KINDS: dict[str, Kind | None] = {
    "handle": HANDLE, "context": HANDLE, "surface": HANDLE, "source": HANDLE, "destination": HANDLE,
          "render_target": HANDLE,
    "depth_stencil": HANDLE, "attached": HANDLE, "resource": HANDLE, "resources": HANDLE, "command_buffer": HANDLE,
    "handles": HANDLE, "vertex_buffer": HANDLE,
    "format": FORMAT, "caps": flags(SurfaceCaps), "caps2": flags(SurfaceCaps2), "caps3": HEX32,
    "caps4": HEX32, "samples": enum(MultisampleType), "usage": flags(Usage), "pool": enum(Pool), "box": RECT, "rect": RECT,
    "rects": RECT, "source_box": RECT, "destination_box": RECT, "color": COLOR, "depth": U32, "fill_depth": F32,
    "windowed": BOOL,
    "fvf": FVF, "vertex_type": FVF, "label": TEXT, "memory": TEXT, "kind": TEXT, "priority": U32, "type": enum(DriverInfo2),
    "rotation": enum(DxgiRotation), "interval": enum(DxgiFlipInterval), "low": HEX32, "high": HEX32, "status": U32,
    "result": HRESULT, "recorded": HRESULT, "handled": enum(DriverReturn), "guid": TEXT, "renamed": BOOL, "fp_vid_mem": HEX32,
    "fp_heap_offset": HEX32, "fp_start": HEX32, "surf_data": HEX32, "stall": BOOL, "stalled": BOOL,
    "swapped_vertex_buffer": BOOL,
    "swapped_command_buffer": BOOL, "vertex_buffer_vid_mem": HEX32, "command_buffer_vid_mem": HEX32, "callbacks": TEXT,
}  # fmt: skip
CAP_KINDS = {cap.name: cap.kind for cap in CAPS8}


def argument_text(entry: str, name: str, value: object) -> str:
    """An argument or result as text: members by name, boxes in parentheses, what no row knows as it is."""
    row = CALLS.get(entry)
    argument = row.argument(name) if row else None
    if argument is None and entry == "GetDriverInfo" and name in CAP_KINDS:
        return _text(CAP_KINDS[name], value)
    return _text(argument.kind if argument else KINDS.get(name), value)


def _text(kind: Kind | None, value: object) -> str:
    if isinstance(value, tuple | list):
        return "(" + " ".join(_text(kind, one) for one in value) + ")"
    if kind is not None and isinstance(value, int):
        return kind.text(value & 0xFFFFFFFF)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _arguments(names: str, **special: Kind) -> tuple[Argument, ...]:
    return tuple(Argument(name, special.get(name, KINDS.get(name, U32))) for name in names.split())


def _call(
    name: str,
    header: str,
    family: str,
    args: str,
    out: str = "",
    data: str = "",
    stream: bool = False,
    does: tuple[EventKind, Touches] = (EventKind.OTHER, Touches.NOTHING),
    whens: tuple[When, ...] = (),
    makes: str = "",
    ends: str = "",
    roles: tuple[tuple[str, str], ...] = (),
    **special: Kind,
) -> Call:
    arguments, results = _arguments(args, **special), _arguments(out, **special)
    return Call(name, header, family, arguments, results, tuple(data.split()), stream, *does, whens, makes, ends, roles)


SURFACES, READS, BUFFERS, OBJECTS, SETTINGS = Touches
CLEARS = EventKind.CLEAR, SURFACES
COPIES = EventKind.COPY, SURFACES | READS
PRESENTS = EventKind.PRESENT, SURFACES | READS
SHOWS, ROTATES = (EventKind.OTHER, READS), (EventKind.RESOURCE, SURFACES | READS)
MAKES, SETS = (EventKind.RESOURCE, OBJECTS), (EventKind.RESOURCE, SETTINGS)
UPLOADS, FILLS_BUFFER = (EventKind.RESOURCE, SURFACES), (EventKind.RESOURCE, BUFFERS)
BLT_KINDS = When("presentation", EventKind.PRESENT), When("flags", EventKind.CLEAR, DdBlt.COLORFILL | DdBlt.DEPTHFILL)


LOCKED, UNLOCKED, SETTING = (("handle", "locked"),), (("handle", "unlocked"),), (("handle", "setting"),)


# fmt: off
_CALLS = [
    _call("GetHalInfo", "DrvGetDirectDrawInfo", "directdraw", "", "flags texture_formats heap_start",
          "texture_formats global_driver_data",
          flags=flags(HalInfoFlag), heap_start=HEX32),
    _call("GetDriverInfo", "DdGetDriverInfo", "directdraw", "guid type index expected_size start height",
          "handled actual_size count version supported operations flip_samples blt_samples", "request reply",
          operations=flags(FormatOp), flip_samples=HEX32, blt_samples=HEX32),
    _call("CanCreateSurface", "DdCanCreateSurface", "directdraw", "width height format caps caps2"),
    _call("CreateSurface", "DdCreateSurface", "directdraw",
          "handle width height depth levels faces format caps caps2 caps3 caps4 memory samples usage pool label handles",
          "pitches slice_pitches handled", does=MAKES, makes="surface"),
    _call("CreateSurfaceEx", "D3dCreateSurfaceEx", "directdraw", "handle context", does=MAKES),
    _call("DestroySurface", "DdDestroySurface", "directdraw", "handle", does=MAKES, ends="surface"),
    _call("CreatePalette", "DdCreatePalette", "directdraw", "handle flags", flags=HEX32, does=MAKES),
    _call("SetEntries", "DdSetEntries", "directdraw", "handle start count", "", "entries", does=SETS),
    _call("SetPalette", "DdSetPalette", "directdraw", "handle surface", "", "entries", does=SETS),
    _call("AddAttachedSurface", "DdAddAttachedSurface", "directdraw", "handle attached", does=SETS),
    _call("Lock", "DdLock", "directdraw", "handle box flags", "pitch slice_pitch samples", flags=flags(DdLock), does=UPLOADS,
          roles=LOCKED),
    _call("Unlock", "DdUnlock", "directdraw", "handle box pitch slice_pitch", "", "contents", does=UPLOADS,
          roles=UNLOCKED),
    _call("Blt", "DdBlt", "directdraw",
          "destination source destination_box source_box flags color fill_depth rotation mirror presentation ends_frame",
          "submitted retires queued",
          flags=flags(DdBlt), rotation=U32, does=COPIES, whens=BLT_KINDS),
    _call("Flip", "DdFlip", "directdraw", "surface flags interval", "submitted retires", flags=flags(DdFlip), interval=U32,
          does=PRESENTS, roles=(("surface", "flipped"),)),
    _call("GetBltStatus", "DdGetBltStatus", "directdraw", "handle flags", flags=U32),
    _call("GetFlipStatus", "DdGetFlipStatus", "directdraw", "handle flags", flags=U32),
    _call("SetColorKey", "DdSetColorKey", "directdraw", "handle flags low high", flags=HEX32, does=SETS,
          roles=SETTING),
    _call("WaitForVerticalBlank", "DdWaitForVerticalBlank", "directdraw", "flags", "status", flags=HEX32),
    _call("CreateD3DBuffer", "CreateD3DBuffer", "directdraw", "handle size usage fvf kind format memory pool caps caps2",
          "handled fp_vid_mem fp_heap_offset", does=MAKES, makes="buffer"),
    _call("DestroyD3DBuffer", "DestroyD3DBuffer", "directdraw", "handle", does=MAKES, ends="buffer"),
    _call("LockD3DBuffer", "LockD3DBuffer", "directdraw", "handle offset size flags",
          "renamed handled fp_vid_mem fp_heap_offset fp_start surf_data",
          flags=flags(DdLock), does=FILLS_BUFFER, roles=LOCKED),
    _call("UnlockD3DBuffer", "UnlockD3DBuffer", "directdraw", "handle offset", "", "contents", does=FILLS_BUFFER,
          roles=UNLOCKED),
    _call("ContextCreate", "D3dContextCreate", "direct3d",
          "context render_target depth_stencil width height windowed interface", does=MAKES),
    _call("ContextDestroy", "D3dContextDestroy", "direct3d", "context", does=MAKES),
    _call("ContextDestroyAll", "D3dContextDestroyAll", "direct3d", "process", does=MAKES),
    _call("DrawPrimitives2", "D3dDrawPrimitives2", "direct3d",
          "context flags command_offset command_length vertex_type vertex_offset vertex_length vertex_size "
          "command_buffer vertex_buffer req_vertex_size req_command_size",
          "error_offset resumed stall stalled swapped_vertex_buffer swapped_command_buffer vertex_buffer_vid_mem "
          "command_buffer_vid_mem",
          "commands vertices sources states", True, flags=flags(Dp2Flag)),
    _call("Clear", "D3dClear", "direct3d", "context flags color rects", flags=flags(ClearFlag), does=CLEARS),
    _call("Clear2", "D3dClear2", "direct3d", "context flags color fill_depth stencil rects", flags=flags(ClearFlag),
          does=CLEARS),
    _call("ValidateTextureStageState", "D3dValidateTextureStageState", "direct3d", "context flags", "passes", flags=HEX32),
    _call("ParseUnknownCommand", "D3dParseUnknownCommand", "direct3d", "command_offset", "resume_offset"),
    _call("DxgiPresent", "pfnPresent", "dxgi", "surface subresource destination destination_subresource flags interval context",
          "context callbacks", flags=flags(DxgiPresentFlag), does=PRESENTS, roles=(("surface", "presented"),)),
    _call("DxgiGetGammaCaps", "pfnGetGammaCaps", "dxgi", "", "scale_and_offset max_value min_value points",
          max_value=F32, min_value=F32),
    _call("DxgiSetDisplayMode", "pfnSetDisplayMode", "dxgi", "resource subresource", does=SHOWS,
          roles=(("resource", "presented"),)),
    _call("DxgiSetResourcePriority", "pfnSetResourcePriority", "dxgi", "resource priority", "callbacks", does=SETS,
          roles=(("resource", "setting"),)),
    _call("DxgiQueryResourceResidency", "pfnQueryResourceResidency", "dxgi", "resources", "status asked callbacks"),
    _call("DxgiRotateResourceIdentities", "pfnRotateResourceIdentities", "dxgi", "resources", "views",
          does=ROTATES, roles=(("resources", "flipped"),)),
    _call("DxgiBlt", "pfnBlt", "dxgi", "destination destination_subresource box source source_subresource flags rotation",
          flags=flags(DxgiBltFlag), does=COPIES),
    _call("DxgiCreateResource", "pfnCreateResource", "dxgi",
          "handle width height format samples array_size flags bind primary rotation memory stereo allocations drawn_with",
          data="contents", flags=HEX32, bind=HEX32, format=enum(DxgiFormat), does=(EventKind.RESOURCE, SURFACES | OBJECTS),
          makes="dxgi_resource"),
    _call("DxgiDestroyResource", "pfnDestroyResource", "dxgi", "handle", does=MAKES, ends="dxgi_resource"),
    _call("DxgiCreateView", "pfnCreateView", "dxgi", "handle resource subresource", does=MAKES),
    _call("Picture", "", "runtime", "handle box pitch slice_pitch", "", "contents", does=(EventKind.OTHER, READS)),
    _call("SetGammaRamp", "", "runtime", "flags", "", "ramp", flags=HEX32),
    _call("SetCursorProperties", "", "runtime", "handle x y", does=SHOWS, roles=SETTING),
    _call("SetCursorPosition", "", "runtime", "x y flags", flags=HEX32),
    _call("ShowCursor", "", "runtime", "show"),
]
# fmt: on

DRAW_MEMBERS = {
    "dwhContext": "context", "dwFlags": "flags", "dwVertexType": "vertex_type", "lpDDCommands": "commands",
    "dwCommandOffset": "command_offset", "dwCommandLength": "command_length", "lpDDVertex": "vertex_buffer",
    "lpVertices": "vertices", "dwVertexOffset": "vertex_offset", "dwVertexLength": "vertex_length",
    "dwReqVertexBufSize": "req_vertex_size", "dwReqCommandBufSize": "req_command_size", "lpdwRStates": "states",
    "dwVertexSize": "vertex_size", "ddrval": "result", "dwErrorOffset": "error_offset",
}  # fmt: skip
"""Members of D3DHAL_DRAWPRIMITIVES2DATA, in its order, and what tapes call them."""

CALLS: dict[str, Call] = {row.name: row for row in _CALLS}
NO_CALL = Call("", "", "", (), touches=Touches.SURFACES | Touches.READS | Touches.OBJECTS)
"""What a call that no row knows may do."""


def kind_of_call(entry: str, args: Mapping[str, Any]) -> EventKind:
    """What a call is for."""
    return CALLS.get(entry, NO_CALL).kind_of(args)


def touched_by_call(entry: str) -> Touches:
    """What a call changes or reads; for one that no row knows, everything."""
    return CALLS.get(entry, NO_CALL).touches


STREAM_CALLS = frozenset(row.name for row in _CALLS if row.stream)
"""Calls that carry a DP2 stream: their records are the events."""
