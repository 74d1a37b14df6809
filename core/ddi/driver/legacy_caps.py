"""Capabilities of DirectX 7: D3DHAL_GLOBALDRIVERDATA and D3DHAL_D3DEXTENDEDCAPS, from a D3DCAPS8 and back.

DirectX 8 runtimes build a D3DCAPS8 from these for drivers that do not answer GetDriverInfo2 (DX8 DDI, "Minimal DirectX 8.0 DDI
Support": they are accelerated as DirectX 7 level drivers).
"""

from __future__ import annotations

import numpy as np

from core.spec.caps import DevCaps
from core.spec.profiles import PROFILES, Profile
from core.spec.structs import STRUCTS

GLOBAL, EXTENDED = STRUCTS["D3DHAL_GLOBALDRIVERDATA"], STRUCTS["D3DHAL_D3DEXTENDEDCAPS"]
PRIMITIVE = {
    "dwMiscCaps": "PrimitiveMiscCaps", "dwRasterCaps": "RasterCaps", "dwZCmpCaps": "ZCmpCaps", "dwSrcBlendCaps": "SrcBlendCaps",
    "dwDestBlendCaps": "DestBlendCaps", "dwAlphaCmpCaps": "AlphaCmpCaps", "dwShadeCaps": "ShadeCaps",
    "dwTextureCaps": "TextureCaps", "dwTextureAddressCaps": "TextureAddressCaps",
}  # fmt: skip
LIMITS = {
    "dwMaxTextureWidth": "MaxTextureWidth", "dwMaxTextureHeight": "MaxTextureHeight", "dwMaxTextureRepeat": "MaxTextureRepeat",
    "dwMaxTextureAspectRatio": "MaxTextureAspectRatio", "dwMaxAnisotropy": "MaxAnisotropy", "dvGuardBandLeft": "GuardBandLeft",
    "dvGuardBandTop": "GuardBandTop", "dvGuardBandRight": "GuardBandRight", "dvGuardBandBottom": "GuardBandBottom",
    "dvExtentsAdjust": "ExtentsAdjust", "dwStencilCaps": "StencilCaps", "dwFVFCaps": "FVFCaps",
    "dwTextureOpCaps": "TextureOpCaps", "wMaxTextureBlendStages": "MaxTextureBlendStages",
    "wMaxSimultaneousTextures": "MaxSimultaneousTextures", "dwMaxActiveLights": "MaxActiveLights",
    "dvMaxVertexW": "MaxVertexW", "wMaxUserClipPlanes": "MaxUserClipPlanes",
    "wMaxVertexBlendMatrices": "MaxVertexBlendMatrices", "dwVertexProcessingCaps": "VertexProcessingCaps",
}  # fmt: skip
ONLY_DX8 = int(
    DevCaps.PUREDEVICE | DevCaps.QUINTICRTPATCHES | DevCaps.RTPATCHES | DevCaps.RTPATCHHANDLEZERO | DevCaps.NPATCHES
    | DevCaps.HWVERTEXBUFFER | DevCaps.HWINDEXBUFFER
)  # fmt: skip
ALIKE = ("TextureFilterCaps", "LineCaps", "PresentationIntervals", "MaxPrimitiveCount", "MaxVertexIndex", "Caps2", "Caps")
"""Fields that the runtime fills in by itself: as our fixed function device has them."""


def _raw(profile: Profile, name: str, kind: str) -> float | int:
    return profile.number(name) if kind == "f" else profile.dwords[name]


def global_driver_data(profile: Profile) -> bytes:
    """D3DHAL_GLOBALDRIVERDATA of a profile; the pointer to the formats is not filled in."""
    record = np.zeros(1, GLOBAL.dtype)[0]
    record["dwSize"], record["dwNumTextureFormats"] = GLOBAL.size, len(profile.old_formats)
    caps = record["hwCaps"]
    caps["dwSize"], caps["dwDevCaps"] = STRUCTS["D3DDEVICEDESC_V1"].size, profile.dwords["DevCaps"] & ~ONLY_DX8
    for old, name in PRIMITIVE.items():
        caps["dpcTriCaps"][old] = caps["dpcLineCaps"][old] = profile.dwords[name]
    return record.tobytes()


def extended_caps(profile: Profile) -> bytes:
    """D3DHAL_D3DEXTENDEDCAPS of a profile."""
    record = np.zeros(1, EXTENDED.dtype)[0]
    record["dwSize"], record["dwMinTextureWidth"], record["dwMinTextureHeight"] = EXTENDED.size, 1, 1
    for old, name in LIMITS.items():
        record[old] = _raw(profile, name, EXTENDED.dtype[old].kind)
    return record.tobytes()


def caps_of_legacy(data: bytes, extended: bytes) -> dict[str, int]:
    """D3DCAPS8 dwords from the two structures; what they do not say is 0.  Empty if they are cut off."""
    if len(data) < GLOBAL.size or len(extended) < EXTENDED.size:
        return {}
    first = np.frombuffer(data, GLOBAL.dtype, 1)[0]["hwCaps"]
    second = np.frombuffer(extended, EXTENDED.dtype, 1)[0]
    caps = dict.fromkeys(PROFILES["full"].dwords, 0)
    caps.update({name: PROFILES["fixed"].dwords[name] for name in ALIKE})
    caps["DevCaps"] = int(first["dwDevCaps"])
    caps.update({name: int(first["dpcTriCaps"][old]) for old, name in PRIMITIVE.items()})
    for old, name in LIMITS.items():
        value = second[old]
        caps[name] = int(np.float32(value).view(np.uint32)) if EXTENDED.dtype[old].kind == "f" else int(value)
    return caps
