"""Structures of the Direct3D 8 API in scripts.  Members and order: d3d8types.h."""

from __future__ import annotations

from typing import NamedTuple


class RECT(NamedTuple):
    """right and bottom are outside."""

    left: int
    top: int
    right: int
    bottom: int


class POINT(NamedTuple):
    """A pixel."""

    x: int
    y: int


class D3DBOX(NamedTuple):
    """Right, Bottom and Back are outside."""

    Left: int
    Top: int
    Right: int
    Bottom: int
    Front: int
    Back: int


class D3DLOCKED_RECT(NamedTuple):
    """What LockRect gives."""

    Pitch: int
    pBits: int


class D3DLOCKED_BOX(NamedTuple):
    """What LockBox gives."""

    RowPitch: int
    SlicePitch: int
    pBits: int


class D3DCOLORVALUE(NamedTuple):
    """A colour of four floats."""

    r: float = 0.0
    g: float = 0.0
    b: float = 0.0
    a: float = 0.0


class D3DVECTOR(NamedTuple):
    """Three floats."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


class D3DVIEWPORT8(NamedTuple):
    """Where on the target, and the range of depth."""

    X: int
    Y: int
    Width: int
    Height: int
    MinZ: float = 0.0
    MaxZ: float = 1.0


class D3DMATERIAL8(NamedTuple):
    """How a surface answers to light."""

    Diffuse: D3DCOLORVALUE = D3DCOLORVALUE()
    Ambient: D3DCOLORVALUE = D3DCOLORVALUE()
    Specular: D3DCOLORVALUE = D3DCOLORVALUE()
    Emissive: D3DCOLORVALUE = D3DCOLORVALUE()
    Power: float = 0.0


class D3DLIGHT8(NamedTuple):
    """A light; Type is a LightType."""

    Type: int
    Diffuse: D3DCOLORVALUE = D3DCOLORVALUE()
    Specular: D3DCOLORVALUE = D3DCOLORVALUE()
    Ambient: D3DCOLORVALUE = D3DCOLORVALUE()
    Position: D3DVECTOR = D3DVECTOR()
    Direction: D3DVECTOR = D3DVECTOR()
    Range: float = 0.0
    Falloff: float = 0.0
    Attenuation0: float = 0.0
    Attenuation1: float = 0.0
    Attenuation2: float = 0.0
    Theta: float = 0.0
    Phi: float = 0.0


class D3DPRESENT_PARAMETERS(NamedTuple):
    """The picture that a device or swap chain makes."""

    BackBufferWidth: int
    BackBufferHeight: int
    BackBufferFormat: int = 22
    BackBufferCount: int = 1
    MultiSampleType: int = 0
    SwapEffect: int = 1
    hDeviceWindow: int = 0
    Windowed: int = 1
    EnableAutoDepthStencil: int = 0
    AutoDepthStencilFormat: int = 0
    Flags: int = 0
    FullScreen_RefreshRateInHz: int = 0
    FullScreen_PresentationInterval: int = 0


class D3DRECTPATCH_INFO(NamedTuple):
    """Which vertices a rectangular patch takes."""

    StartVertexOffsetWidth: int
    StartVertexOffsetHeight: int
    Width: int
    Height: int
    Stride: int
    Basis: int
    Order: int


class D3DTRIPATCH_INFO(NamedTuple):
    """Which vertices a triangular patch takes."""

    StartVertexOffset: int
    NumVertices: int
    Basis: int
    Order: int


class PALETTEENTRY(NamedTuple):
    """peFlags is alpha where the device takes it so."""

    peRed: int
    peGreen: int
    peBlue: int
    peFlags: int = 0


STRUCTS: tuple[type, ...] = (
    RECT, POINT, D3DBOX, D3DLOCKED_RECT, D3DLOCKED_BOX, D3DCOLORVALUE, D3DVECTOR, D3DVIEWPORT8, D3DMATERIAL8, D3DLIGHT8,
    D3DPRESENT_PARAMETERS, D3DRECTPATCH_INFO, D3DTRIPATCH_INFO, PALETTEENTRY,
)  # fmt: skip
