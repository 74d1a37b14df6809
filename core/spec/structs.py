"""Structures of the API and the DDI: their layout in the memory of a 32-bit driver.

The records inside DP2 streams stand in `core.spec.tokens`, D3DCAPS8 in `core.spec.caps`.  A member with `union` begins
where the member before it begins.  Pointers and handles are 32 bits wide.

Sources, by `source`: API (d3d8types.h) and DDK (ddraw.h, ddrawi.h, ddk/d3dhal.h) are compiled and compared by the tests;
DOCS are Microsoft's dxgiddi documentation, REACTOS the structures ReactOS's ddrawint.h gives display drivers of the NT
line: no open compiler header has these.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.spec.calls import FORMAT, HRESULT
from core.spec.enums import (
    BasisType,
    DeviceType,
    DxgiFlipInterval,
    DxgiFormat,
    DxgiRotation,
    LightType,
    MultisampleType,
    OrderType,
    Pool,
    ResourceType,
    SwapEffect,
)
from core.spec.kinds import BOOL, F32, HEX32, I32, U8, U16, U32, Kind, enum

API, DDK, DOCS, REACTOS = "d3d8types.h", "ddk/d3dhal.h", "dxgiddi documentation", "ReactOS ddrawint.h"
POINTER = HEX32


@dataclass(frozen=True)
class M:
    """A member: `count` values of a kind, or of another structure by its name; `union`: it begins where the member before
    it begins."""

    name: str
    type: Kind | str
    count: int = 1
    union: bool = False

    @property
    def bytes(self) -> int:
        return self.count * (STRUCTS[self.type].size if isinstance(self.type, str) else self.type.bytes)


@dataclass(frozen=True)
class Struct:
    """A structure and its members in order of declaration."""

    name: str
    source: str
    members: tuple[M, ...]

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Byte offset of each member."""
        offsets: dict[str, int] = {}
        begin = end = 0
        for member in self.members:
            begin = begin if member.union else end
            offsets[member.name] = begin
            end = max(end, begin + member.bytes)
        return offsets

    @cached_property
    def size(self) -> int:
        """Bytes, a multiple of the widest member's alignment."""
        end = max(self.offsets[member.name] + member.bytes for member in self.members)
        return -(-end // self._alignment) * self._alignment

    @property
    def _alignment(self) -> int:
        return max(STRUCTS[m.type]._alignment if isinstance(m.type, str) else m.type.bytes for m in self.members)

    @cached_property
    def dtype(self) -> np.dtype:
        """The numpy record; members of unions overlap."""
        forms = [(STRUCTS[m.type].dtype if isinstance(m.type, str) else m.type.dtype) for m in self.members]
        return np.dtype(
            {
                "names": [member.name for member in self.members],
                "formats": [
                    form if member.count == 1 else (form, member.count)
                    for form, member in zip(forms, self.members, strict=True)
                ],
                "offsets": [self.offsets[member.name] for member in self.members],
                "itemsize": self.size,
            }
        )


# fmt: off
_STRUCTS = [
    Struct("D3DRECTPATCH_INFO", API, (
        M("StartVertexOffsetWidth", U32), M("StartVertexOffsetHeight", U32), M("Width", U32), M("Height", U32),
        M("Stride", U32), M("Basis", enum(BasisType)), M("Order", enum(OrderType)))),
    Struct("D3DTRIPATCH_INFO", API, (
        M("StartVertexOffset", U32), M("NumVertices", U32), M("Basis", enum(BasisType)), M("Order", enum(OrderType)))),
    Struct("D3DBOX", API, (
        M("Left", U32), M("Top", U32), M("Right", U32), M("Bottom", U32), M("Front", U32), M("Back", U32))),
    Struct("D3DLIGHT8", API, (
        M("Type", enum(LightType)), M("Diffuse", "D3DCOLORVALUE"), M("Specular", "D3DCOLORVALUE"),
        M("Ambient", "D3DCOLORVALUE"), M("Position", "D3DVECTOR"), M("Direction", "D3DVECTOR"), M("Range", F32),
        M("Falloff", F32), M("Attenuation0", F32), M("Attenuation1", F32), M("Attenuation2", F32), M("Theta", F32),
        M("Phi", F32))),
    Struct("D3DMATERIAL8", API, (
        M("Diffuse", "D3DCOLORVALUE"), M("Ambient", "D3DCOLORVALUE"), M("Specular", "D3DCOLORVALUE"),
        M("Emissive", "D3DCOLORVALUE"), M("Power", F32))),
    Struct("D3DMATRIX", API, (
        M("_11", F32), M("_12", F32), M("_13", F32), M("_14", F32), M("_21", F32), M("_22", F32), M("_23", F32),
        M("_24", F32), M("_31", F32), M("_32", F32), M("_33", F32), M("_34", F32), M("_41", F32), M("_42", F32),
        M("_43", F32), M("_44", F32))),
    Struct("D3DVIEWPORT8", API, (
        M("X", U32), M("Y", U32), M("Width", U32), M("Height", U32), M("MinZ", F32), M("MaxZ", F32))),
    Struct("D3DCOLORVALUE", API, (
        M("r", F32), M("g", F32), M("b", F32), M("a", F32))),
    Struct("D3DVECTOR", API, (
        M("x", F32), M("y", F32), M("z", F32))),
    Struct("D3DRECT", API, (
        M("x1", I32), M("y1", I32), M("x2", I32), M("y2", I32))),
    Struct("D3DRANGE", API, (
        M("Offset", U32), M("Size", U32))),
    Struct("D3DPRESENT_PARAMETERS", API, (
        M("BackBufferWidth", U32), M("BackBufferHeight", U32), M("BackBufferFormat", FORMAT),
        M("BackBufferCount", U32), M("MultiSampleType", enum(MultisampleType)), M("SwapEffect", enum(SwapEffect)),
        M("hDeviceWindow", POINTER), M("Windowed", BOOL), M("EnableAutoDepthStencil", BOOL),
        M("AutoDepthStencilFormat", FORMAT), M("Flags", U32), M("FullScreen_RefreshRateInHz", U32),
        M("FullScreen_PresentationInterval", U32))),
    Struct("D3DSURFACE_DESC", API, (
        M("Format", FORMAT), M("Type", enum(ResourceType)), M("Usage", U32), M("Pool", enum(Pool)), M("Size", U32),
        M("MultiSampleType", enum(MultisampleType)), M("Width", U32), M("Height", U32))),
    Struct("D3DVOLUME_DESC", API, (
        M("Format", FORMAT), M("Type", enum(ResourceType)), M("Usage", U32), M("Pool", enum(Pool)), M("Size", U32),
        M("Width", U32), M("Height", U32), M("Depth", U32))),
    Struct("D3DLOCKED_RECT", API, (
        M("Pitch", I32), M("pBits", POINTER))),
    Struct("D3DLOCKED_BOX", API, (
        M("RowPitch", I32), M("SlicePitch", I32), M("pBits", POINTER))),
    Struct("D3DDISPLAYMODE", API, (
        M("Width", U32), M("Height", U32), M("RefreshRate", U32), M("Format", FORMAT))),
    Struct("D3DADAPTER_IDENTIFIER8", API, (
        M("Driver", U8, 512), M("Description", U8, 512), M("DriverVersion", U32, 2), M("VendorId", U32),
        M("DeviceId", U32), M("SubSysId", U32), M("Revision", U32), M("DeviceIdentifier", U8, 16),
        M("WHQLLevel", U32))),
    Struct("D3DVERTEXBUFFER_DESC", API, (
        M("Format", FORMAT), M("Type", enum(ResourceType)), M("Usage", U32), M("Pool", enum(Pool)), M("Size", U32),
        M("FVF", U32))),
    Struct("D3DINDEXBUFFER_DESC", API, (
        M("Format", FORMAT), M("Type", enum(ResourceType)), M("Usage", U32), M("Pool", enum(Pool)), M("Size", U32))),
    Struct("D3DGAMMARAMP", API, (
        M("red", U16, 256), M("green", U16, 256), M("blue", U16, 256))),
    Struct("D3DRASTER_STATUS", API, (
        M("InVBlank", BOOL), M("ScanLine", U32))),
    Struct("D3DDEVICE_CREATION_PARAMETERS", API, (
        M("AdapterOrdinal", U32), M("DeviceType", enum(DeviceType)), M("hFocusWindow", POINTER),
        M("BehaviorFlags", U32))),
    Struct("D3DCLIPSTATUS8", API, (
        M("ClipUnion", U32), M("ClipIntersection", U32))),
    Struct("D3DLINEPATTERN", API, (
        M("wRepeatFactor", U16), M("wLinePattern", U16))),
    Struct("RECT", API, (
        M("left", I32), M("top", I32), M("right", I32), M("bottom", I32))),
    Struct("RECTL", API, (
        M("left", I32), M("top", I32), M("right", I32), M("bottom", I32))),
    Struct("POINT", API, (
        M("x", I32), M("y", I32))),
    Struct("PALETTEENTRY", API, (
        M("peRed", U8), M("peGreen", U8), M("peBlue", U8), M("peFlags", U8))),
    Struct("D3DHAL_DRAWPRIMITIVES2DATA", DDK, (
        M("dwhContext", POINTER), M("dwFlags", U32), M("dwVertexType", U32), M("lpDDCommands", POINTER),
        M("dwCommandOffset", U32), M("dwCommandLength", U32), M("lpDDVertex", POINTER),
        M("lpVertices", POINTER, union=True), M("dwVertexOffset", U32), M("dwVertexLength", U32),
        M("dwReqVertexBufSize", U32), M("dwReqCommandBufSize", U32), M("lpdwRStates", POINTER),
        M("dwVertexSize", U32), M("ddrval", HRESULT, union=True), M("dwErrorOffset", U32))),
    Struct("D3DHAL_DP2COMMAND", DDK, (
        M("bCommand", U8), M("bReserved", U8), M("wPrimitiveCount", U16), M("wStateCount", U16, union=True))),
    Struct("DD_GETDRIVERINFO2DATA", DDK, (
        M("dwReserved", U32), M("dwMagic", U32), M("dwType", U32), M("dwExpectedSize", U32))),
    Struct("DD_GETFORMATCOUNTDATA", DDK, (
        M("gdi2", "DD_GETDRIVERINFO2DATA"), M("dwFormatCount", U32), M("dwReserved", U32))),
    Struct("DD_GETFORMATDATA", DDK, (
        M("gdi2", "DD_GETDRIVERINFO2DATA"), M("dwFormatIndex", U32), M("format", "DDPIXELFORMAT"))),
    Struct("DD_STEREOMODE", DOCS, (          # DX8 DDI: dwHeight is where dwMagic is
        M("dwSize", U32), M("dwHeight", U32), M("dwWidth", U32), M("dwBpp", U32), M("dwRefreshRate", U32),
        M("bSupported", BOOL))),
    Struct("DD_DXVERSION", DDK, (
        M("gdi2", "DD_GETDRIVERINFO2DATA"), M("dwDXVersion", U32), M("dwReserved", U32))),
    Struct("D3DHAL_GLOBALDRIVERDATA", DDK, (
        M("dwSize", U32), M("hwCaps", "D3DDEVICEDESC_V1"), M("dwNumVertices", U32), M("dwNumClipVertices", U32),
        M("dwNumTextureFormats", U32), M("lpTextureFormats", POINTER))),
    Struct("D3DHAL_D3DEXTENDEDCAPS", DDK, (
        M("dwSize", U32), M("dwMinTextureWidth", U32), M("dwMaxTextureWidth", U32), M("dwMinTextureHeight", U32),
        M("dwMaxTextureHeight", U32), M("dwMinStippleWidth", U32), M("dwMaxStippleWidth", U32),
        M("dwMinStippleHeight", U32), M("dwMaxStippleHeight", U32), M("dwMaxTextureRepeat", U32),
        M("dwMaxTextureAspectRatio", U32), M("dwMaxAnisotropy", U32), M("dvGuardBandLeft", F32),
        M("dvGuardBandTop", F32), M("dvGuardBandRight", F32), M("dvGuardBandBottom", F32), M("dvExtentsAdjust", F32),
        M("dwStencilCaps", U32), M("dwFVFCaps", U32), M("dwTextureOpCaps", U32), M("wMaxTextureBlendStages", U16),
        M("wMaxSimultaneousTextures", U16), M("dwMaxActiveLights", U32), M("dvMaxVertexW", F32),
        M("wMaxUserClipPlanes", U16), M("wMaxVertexBlendMatrices", U16), M("dwVertexProcessingCaps", U32),
        M("dwReserved1", U32), M("dwReserved2", U32), M("dwReserved3", U32), M("dwReserved4", U32))),
    Struct("D3DDEVICEDESC_V1", DDK, (
        M("dwSize", U32), M("dwFlags", U32), M("dcmColorModel", U32), M("dwDevCaps", U32),
        M("dtcTransformCaps", U32, 2), M("bClipping", BOOL), M("dlcLightingCaps", U32, 4),
        M("dpcLineCaps", "D3DPRIMCAPS"), M("dpcTriCaps", "D3DPRIMCAPS"), M("dwDeviceRenderBitDepth", U32),
        M("dwDeviceZBufferBitDepth", U32), M("dwMaxBufferSize", U32), M("dwMaxVertexCount", U32))),
    Struct("D3DHAL_CONTEXTCREATEDATA", DDK, (
        M("lpDDGbl", POINTER), M("lpDDLcl", POINTER, union=True), M("lpDDS", POINTER),
        M("lpDDSLcl", POINTER, union=True), M("lpDDSZ", POINTER), M("lpDDSZLcl", POINTER, union=True),
        M("dwPID", U32), M("dwrstates", POINTER, union=True), M("dwhContext", POINTER), M("ddrval", HRESULT))),
    Struct("D3DHAL_CONTEXTDESTROYDATA", DDK, (
        M("dwhContext", POINTER), M("ddrval", HRESULT))),
    Struct("MULTISAMPLECAPS", DOCS, (        # unnamed in ddraw.h
        M("wFlipMSTypes", U16), M("wBltMSTypes", U16))),
    Struct("DDPIXELFORMAT", DDK, (
        M("dwSize", U32), M("dwFlags", U32), M("dwFourCC", U32), M("dwRGBBitCount", U32),
        M("dwYUVBitCount", U32, union=True), M("dwZBufferBitDepth", U32, union=True),
        M("dwAlphaBitDepth", U32, union=True), M("dwLuminanceBitCount", U32, union=True),
        M("dwBumpBitCount", U32, union=True), M("dwPrivateFormatBitCount", U32, union=True), M("dwRBitMask", U32),
        M("dwYBitMask", U32, union=True), M("dwStencilBitDepth", U32, union=True),
        M("dwLuminanceBitMask", U32, union=True), M("dwBumpDuBitMask", U32, union=True),
        M("dwOperations", U32, union=True), M("dwGBitMask", U32), M("dwUBitMask", U32, union=True),
        M("dwZBitMask", U32, union=True), M("dwBumpDvBitMask", U32, union=True),
        M("MultiSampleCaps", "MULTISAMPLECAPS", union=True),
        M("dwBBitMask", U32), M("dwVBitMask", U32, union=True), M("dwStencilBitMask", U32, union=True),
        M("dwBumpLuminanceBitMask", U32, union=True), M("dwRGBAlphaBitMask", U32),
        M("dwYUVAlphaBitMask", U32, union=True), M("dwLuminanceAlphaBitMask", U32, union=True),
        M("dwRGBZBitMask", U32, union=True), M("dwYUVZBitMask", U32, union=True))),
    Struct("DDSURFACEDESC", DDK, (
        M("dwSize", U32), M("dwFlags", U32), M("dwHeight", U32), M("dwWidth", U32), M("lPitch", I32),
        M("dwLinearSize", U32, union=True), M("dwBackBufferCount", U32), M("dwMipMapCount", U32),
        M("dwZBufferBitDepth", U32, union=True), M("dwRefreshRate", U32, union=True), M("dwAlphaBitDepth", U32),
        M("dwReserved", U32), M("lpSurface", POINTER), M("ddckCKDestOverlay", "DDCOLORKEY"),
        M("ddckCKDestBlt", "DDCOLORKEY"), M("ddckCKSrcOverlay", "DDCOLORKEY"), M("ddckCKSrcBlt", "DDCOLORKEY"),
        M("ddpfPixelFormat", "DDPIXELFORMAT"), M("ddsCaps", "DDSCAPS"))),
    Struct("DDSURFACEDESC2", DDK, (
        M("dwSize", U32), M("dwFlags", U32), M("dwHeight", U32), M("dwWidth", U32), M("lPitch", I32),
        M("dwLinearSize", U32, union=True), M("dwBackBufferCount", U32), M("dwDepth", U32, union=True),
        M("dwMipMapCount", U32), M("dwRefreshRate", U32, union=True), M("dwSrcVBHandle", U32, union=True),
        M("dwAlphaBitDepth", U32), M("dwReserved", U32), M("lpSurface", POINTER),
        M("ddckCKDestOverlay", "DDCOLORKEY"), M("dwEmptyFaceColor", U32, union=True),
        M("ddckCKDestBlt", "DDCOLORKEY"), M("ddckCKSrcOverlay", "DDCOLORKEY"), M("ddckCKSrcBlt", "DDCOLORKEY"),
        M("ddpfPixelFormat", "DDPIXELFORMAT"), M("dwFVF", U32, union=True), M("ddsCaps", "DDSCAPS2"),
        M("dwTextureStage", U32))),
    Struct("DDSCAPS", DDK, (
        M("dwCaps", U32),)),
    Struct("DDSCAPS2", DDK, (
        M("dwCaps", U32), M("dwCaps2", U32), M("dwCaps3", U32), M("dwCaps4", U32),
        M("dwVolumeDepth", U32, union=True))),
    Struct("DDSCAPSEX", DDK, (
        M("dwCaps2", U32), M("dwCaps3", U32), M("dwCaps4", U32), M("dwVolumeDepth", U32, union=True))),
    Struct("DDCOLORKEY", DDK, (
        M("dwColorSpaceLowValue", U32), M("dwColorSpaceHighValue", U32))),
    Struct("D3DLIGHT7", DDK, (
        M("dltType", enum(LightType)), M("dcvDiffuse", "D3DCOLORVALUE"), M("dcvSpecular", "D3DCOLORVALUE"),
        M("dcvAmbient", "D3DCOLORVALUE"), M("dvPosition", "D3DVECTOR"), M("dvDirection", "D3DVECTOR"),
        M("dvRange", F32), M("dvFalloff", F32), M("dvAttenuation0", F32), M("dvAttenuation1", F32),
        M("dvAttenuation2", F32), M("dvTheta", F32), M("dvPhi", F32))),
    Struct("D3DMATERIAL7", DDK, (
        M("diffuse", "D3DCOLORVALUE"), M("dcvDiffuse", "D3DCOLORVALUE", union=True), M("ambient", "D3DCOLORVALUE"),
        M("dcvAmbient", "D3DCOLORVALUE", union=True), M("specular", "D3DCOLORVALUE"),
        M("dcvSpecular", "D3DCOLORVALUE", union=True), M("emissive", "D3DCOLORVALUE"),
        M("dcvEmissive", "D3DCOLORVALUE", union=True), M("power", F32), M("dvPower", F32, union=True))),
    Struct("D3DVIEWPORT7", DDK, (
        M("dwX", U32), M("dwY", U32), M("dwWidth", U32), M("dwHeight", U32), M("dvMinZ", F32), M("dvMaxZ", F32))),
    Struct("D3DPRIMCAPS", DDK, (
        M("dwSize", U32), M("dwMiscCaps", U32), M("dwRasterCaps", U32), M("dwZCmpCaps", U32),
        M("dwSrcBlendCaps", U32), M("dwDestBlendCaps", U32), M("dwAlphaCmpCaps", U32), M("dwShadeCaps", U32),
        M("dwTextureCaps", U32), M("dwTextureFilterCaps", U32), M("dwTextureBlendCaps", U32),
        M("dwTextureAddressCaps", U32), M("dwStippleWidth", U32), M("dwStippleHeight", U32))),
    Struct("DDRAWI_DDRAWSURFACE_LCL", DDK, (
        M("lpSurfMore", POINTER), M("lpGbl", POINTER), M("hDDSurface", POINTER), M("lpAttachList", POINTER),
        M("lpAttachListFrom", POINTER), M("dwLocalRefCnt", U32), M("dwProcessId", U32), M("dwFlags", U32),
        M("ddsCaps", "DDSCAPS"), M("lpDDPalette", POINTER), M("lpDDClipper", POINTER), M("dwModeCreatedIn", U32),
        M("dwBackBufferCount", U32), M("ddckCKDestBlt", "DDCOLORKEY"), M("ddckCKSrcBlt", "DDCOLORKEY"),
        M("hDC", POINTER), M("dwReserved1", POINTER), M("ddckCKSrcOverlay", "DDCOLORKEY"),
        M("ddckCKDestOverlay", "DDCOLORKEY"), M("lpSurfaceOverlaying", POINTER), M("dbnOverlayNode", U32, 4),
        M("rcOverlaySrc", "RECT"), M("rcOverlayDest", "RECT"), M("dwClrXparent", U32), M("dwAlpha", U32),
        M("lOverlayX", I32), M("lOverlayY", I32))),
    Struct("DDRAWI_DDRAWSURFACE_GBL", DDK, (
        M("dwRefCnt", U32), M("dwGlobalFlags", U32), M("lpRectList", POINTER), M("dwBlockSizeY", U32, union=True),
        M("lpVidMemHeap", POINTER), M("dwBlockSizeX", U32, union=True), M("lpDD", POINTER),
        M("lpDDHandle", POINTER, union=True), M("fpVidMem", POINTER), M("lPitch", I32),
        M("dwLinearSize", U32, union=True), M("wHeight", U16), M("wWidth", U16), M("dwUsageCount", U32),
        M("dwReserved1", POINTER), M("ddpfSurface", "DDPIXELFORMAT"))),
    Struct("DDHAL_GETDRIVERINFODATA", DDK, (
        M("dwSize", U32), M("dwFlags", U32), M("guidInfo", U8, 16), M("dwExpectedSize", U32), M("lpvData", POINTER),
        M("dwActualSize", U32), M("ddRVal", HRESULT), M("dwContext", POINTER))),
    Struct("DDHAL_LOCKDATA", DDK, (
        M("lpDD", POINTER), M("lpDDSurface", POINTER), M("bHasRect", U32), M("rArea", "RECTL"),
        M("lpSurfData", POINTER), M("ddRVal", HRESULT), M("Lock", POINTER), M("dwFlags", U32))),
    Struct("DDHAL_UNLOCKDATA", DDK, (
        M("lpDD", POINTER), M("lpDDSurface", POINTER), M("ddRVal", HRESULT), M("Unlock", POINTER))),
    Struct("DDHAL_BLTDATA", DDK, (
        M("lpDD", POINTER), M("lpDDDestSurface", POINTER), M("rDest", "RECTL"), M("lpDDSrcSurface", POINTER),
        M("rSrc", "RECTL"), M("dwFlags", U32), M("dwROPFlags", U32), M("bltFX", "DDBLTFX"), M("ddRVal", HRESULT),
        M("Blt", POINTER), M("IsClipped", BOOL), M("rOrigDest", "RECTL"), M("rOrigSrc", "RECTL"),
        M("dwRectCnt", U32), M("prDestRects", POINTER))),
    Struct("DDHAL_FLIPDATA", DDK, (
        M("lpDD", POINTER), M("lpSurfCurr", POINTER), M("lpSurfTarg", POINTER), M("dwFlags", U32),
        M("ddRVal", HRESULT), M("Flip", POINTER), M("lpSurfCurrLeft", POINTER), M("lpSurfTargLeft", POINTER))),
    Struct("DDHAL_CREATESURFACEDATA", DDK, (
        M("lpDD", POINTER), M("lpDDSurfaceDesc", POINTER), M("lplpSList", POINTER), M("dwSCnt", U32),
        M("ddRVal", HRESULT), M("CreateSurface", POINTER))),
    Struct("DDHAL_DESTROYSURFACEDATA", DDK, (
        M("lpDD", POINTER), M("lpDDSurface", POINTER), M("ddRVal", HRESULT), M("DestroySurface", POINTER))),
    Struct("DDCORECAPS", DDK, (
        M("dwSize", U32), M("dwCaps", U32), M("dwCaps2", U32), M("dwCKeyCaps", U32), M("dwFXCaps", U32),
        M("dwFXAlphaCaps", U32), M("dwPalCaps", U32), M("dwSVCaps", U32), M("dwAlphaBltConstBitDepths", U32),
        M("dwAlphaBltPixelBitDepths", U32), M("dwAlphaBltSurfaceBitDepths", U32),
        M("dwAlphaOverlayConstBitDepths", U32), M("dwAlphaOverlayPixelBitDepths", U32),
        M("dwAlphaOverlaySurfaceBitDepths", U32), M("dwZBufferBitDepths", U32), M("dwVidMemTotal", U32),
        M("dwVidMemFree", U32), M("dwMaxVisibleOverlays", U32), M("dwCurrVisibleOverlays", U32),
        M("dwNumFourCCCodes", U32), M("dwAlignBoundarySrc", U32), M("dwAlignSizeSrc", U32),
        M("dwAlignBoundaryDest", U32), M("dwAlignSizeDest", U32), M("dwAlignStrideAlign", U32), M("dwRops", U32, 8),
        M("ddsCaps", "DDSCAPS"), M("dwMinOverlayStretch", U32), M("dwMaxOverlayStretch", U32),
        M("dwMinLiveVideoStretch", U32), M("dwMaxLiveVideoStretch", U32), M("dwMinHwCodecStretch", U32),
        M("dwMaxHwCodecStretch", U32), M("dwReserved1", U32), M("dwReserved2", U32), M("dwReserved3", U32),
        M("dwSVBCaps", U32), M("dwSVBCKeyCaps", U32), M("dwSVBFXCaps", U32), M("dwSVBRops", U32, 8),
        M("dwVSBCaps", U32), M("dwVSBCKeyCaps", U32), M("dwVSBFXCaps", U32), M("dwVSBRops", U32, 8),
        M("dwSSBCaps", U32), M("dwSSBCKeyCaps", U32), M("dwSSBFXCaps", U32), M("dwSSBRops", U32, 8),
        M("dwMaxVideoPorts", U32), M("dwCurrVideoPorts", U32), M("dwSVBCaps2", U32))),
    Struct("VIDMEM", DDK, (
        M("dwFlags", U32), M("fpStart", POINTER), M("fpEnd", POINTER), M("dwWidth", U32, union=True),
        M("ddsCaps", "DDSCAPS"), M("ddsCapsAlt", "DDSCAPS"), M("lpHeap", POINTER), M("dwHeight", U32, union=True))),
    Struct("ATTACHLIST", DDK, (
        M("dwFlags", U32), M("lpLink", POINTER), M("lpAttached", POINTER), M("lpIAttached", POINTER))),
    Struct("DXGI_DDI_ARG_PRESENT", DOCS, (
        M("hDevice", POINTER), M("hSurfaceToPresent", POINTER), M("SrcSubResourceIndex", U32),
        M("hDstResource", POINTER), M("DstSubResourceIndex", U32), M("pDXGIContext", POINTER), M("Flags.Value", U32),
        M("FlipInterval", enum(DxgiFlipInterval)))),
    Struct("DXGI_DDI_ARG_BLT", DOCS, (
        M("hDevice", POINTER), M("hDstResource", POINTER), M("DstSubresource", U32), M("DstLeft", U32),
        M("DstTop", U32), M("DstRight", U32), M("DstBottom", U32), M("hSrcResource", POINTER),
        M("SrcSubresource", U32), M("Flags.Value", U32), M("Rotate", enum(DxgiRotation)))),
    Struct("DXGI_DDI_ARG_GET_GAMMA_CONTROL_CAPS", DOCS, (
        M("hDevice", POINTER), M("pGammaCapabilities", POINTER))),
    Struct("DXGI_DDI_ARG_QUERYRESOURCERESIDENCY", DOCS, (
        M("hDevice", POINTER), M("pResources", POINTER), M("pStatus", POINTER), M("Resources", U32))),
    Struct("DXGI_DDI_ARG_ROTATE_RESOURCE_IDENTITIES", DOCS, (
        M("hDevice", POINTER), M("pResources", POINTER), M("Resources", U32))),
    Struct("DXGI_DDI_ARG_SETDISPLAYMODE", DOCS, (
        M("hDevice", POINTER), M("hResource", POINTER), M("SubResourceIndex", U32))),
    Struct("DXGI_DDI_ARG_SETRESOURCEPRIORITY", DOCS, (
        M("hDevice", POINTER), M("hResource", POINTER), M("Priority", U32))),
    Struct("DXGI_DDI_RATIONAL", DOCS, (
        M("Numerator", U32), M("Denominator", U32))),
    Struct("DXGI_DDI_MODE_DESC", DOCS, (
        M("Width", U32), M("Height", U32), M("Format", enum(DxgiFormat)), M("RefreshRate.Numerator", U32),
        M("RefreshRate.Denominator", U32), M("ScanlineOrdering", U32), M("Rotation", enum(DxgiRotation)),
        M("Scaling", U32))),
    Struct("DXGI_DDI_PRIMARY_DESC", DOCS, (
        M("Flags", U32), M("VidPnSourceId", U32), M("ModeDesc.Width", U32), M("ModeDesc.Height", U32),
        M("ModeDesc.Format", enum(DxgiFormat)), M("ModeDesc.RefreshRate.Numerator", U32),
        M("ModeDesc.RefreshRate.Denominator", U32), M("ModeDesc.ScanlineOrdering", U32),
        M("ModeDesc.Rotation", enum(DxgiRotation)), M("ModeDesc.Scaling", U32), M("DriverFlags", U32))),
    Struct("DXGI_DDI_BASE_FUNCTIONS", DOCS, (
        M("pfnPresent", POINTER), M("pfnGetGammaCaps", POINTER), M("pfnSetDisplayMode", POINTER),
        M("pfnSetResourcePriority", POINTER), M("pfnQueryResourceResidency", POINTER),
        M("pfnRotateResourceIdentities", POINTER), M("pfnBlt", POINTER))),
    Struct("VIDEOMEMORY", REACTOS, (
        M("dwFlags", U32), M("fpStart", POINTER), M("fpEnd", POINTER), M("dwWidth", U32, union=True),
        M("ddsCaps", "DDSCAPS"), M("ddsCapsAlt", "DDSCAPS"), M("lpHeap", POINTER), M("dwHeight", U32, union=True))),
    Struct("DD_SURFACE_GLOBAL", REACTOS, (
        M("dwBlockSizeY", U32), M("lSlicePitch", I32, union=True), M("lpVidMemHeap", POINTER),
        M("dwBlockSizeX", U32, union=True), M("dwUserMemSize", U32, union=True), M("fpVidMem", POINTER),
        M("lPitch", I32), M("dwLinearSize", U32, union=True), M("yHint", I32), M("xHint", I32), M("wHeight", U32),
        M("wWidth", U32), M("dwReserved1", POINTER), M("ddpfSurface", "DDPIXELFORMAT"), M("fpHeapOffset", POINTER),
        M("hCreatorProcess", POINTER))),
    Struct("DD_SURFACE_MORE", REACTOS, (
        M("dwMipMapCount", U32), M("lpVideoPort", POINTER), M("dwOverlayFlags", U32), M("ddsCapsEx", "DDSCAPSEX"),
        M("dwSurfaceHandle", U32))),
    Struct("DD_SURFACE_LOCAL", REACTOS, (
        M("lpGbl", POINTER), M("dwFlags", U32), M("ddsCaps", "DDSCAPS"), M("dwReserved1", POINTER),
        M("ddckCKSrcOverlay", "DDCOLORKEY"), M("ddckCKSrcBlt", "DDCOLORKEY", union=True),
        M("ddckCKDestOverlay", "DDCOLORKEY"), M("ddckCKDestBlt", "DDCOLORKEY", union=True), M("lpSurfMore", POINTER),
        M("lpAttachList", POINTER), M("lpAttachListFrom", POINTER), M("rcOverlaySrc", "RECT"))),
    Struct("DD_LOCKDATA", REACTOS, (
        M("lpDD", POINTER), M("lpDDSurface", POINTER), M("bHasRect", U32), M("rArea", "RECTL"),
        M("lpSurfData", POINTER), M("ddRVal", HRESULT), M("Lock", POINTER), M("dwFlags", U32),
        M("fpProcess", POINTER))),
    Struct("DD_UNLOCKDATA", REACTOS, (
        M("lpDD", POINTER), M("lpDDSurface", POINTER), M("ddRVal", HRESULT), M("Unlock", POINTER))),
    Struct("DD_BLTDATA", REACTOS, (
        M("lpDD", POINTER), M("lpDDDestSurface", POINTER), M("rDest", "RECTL"), M("lpDDSrcSurface", POINTER),
        M("rSrc", "RECTL"), M("dwFlags", U32), M("dwROPFlags", U32), M("bltFX", "DDBLTFX"), M("ddRVal", HRESULT),
        M("Blt", POINTER), M("IsClipped", BOOL), M("rOrigDest", "RECTL"), M("rOrigSrc", "RECTL"),
        M("dwRectCnt", U32), M("prDestRects", POINTER), M("dwAFlags", U32), M("ddargbScaleFactors", HEX32))),
    Struct("DD_FLIPDATA", REACTOS, (
        M("lpDD", POINTER), M("lpSurfCurr", POINTER), M("lpSurfTarg", POINTER), M("dwFlags", U32),
        M("ddRVal", HRESULT), M("Flip", POINTER), M("lpSurfCurrLeft", POINTER), M("lpSurfTargLeft", POINTER))),
    Struct("DDBLTFX", REACTOS, (
        M("dwSize", U32), M("dwDDFX", U32), M("dwROP", U32), M("dwDDROP", U32), M("dwRotationAngle", U32),
        M("dwZBufferOpCode", U32), M("dwZBufferLow", U32), M("dwZBufferHigh", U32), M("dwZBufferBaseDest", U32),
        M("dwZDestConstBitDepth", U32), M("dwZDestConst", U32), M("lpDDSZBufferDest", POINTER, union=True),
        M("dwZSrcConstBitDepth", U32), M("dwZSrcConst", U32), M("lpDDSZBufferSrc", POINTER, union=True),
        M("dwAlphaEdgeBlendBitDepth", U32), M("dwAlphaEdgeBlend", U32), M("dwReserved", U32),
        M("dwAlphaDestConstBitDepth", U32), M("dwAlphaDestConst", U32), M("lpDDSAlphaDest", POINTER, union=True),
        M("dwAlphaSrcConstBitDepth", U32), M("dwAlphaSrcConst", U32), M("lpDDSAlphaSrc", POINTER, union=True),
        M("dwFillColor", U32), M("dwFillDepth", U32, union=True), M("dwFillPixel", U32, union=True),
        M("lpDDSPattern", POINTER, union=True), M("ddckDestColorkey", "DDCOLORKEY"),
        M("ddckSrcColorkey", "DDCOLORKEY"))),
]
# fmt: on

STRUCTS: dict[str, Struct] = {row.name: row for row in _STRUCTS}
