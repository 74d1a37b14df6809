"""The runtime's queries to a driver before it creates a device, and their consequences.

A driver without hardware transform and lighting gets vertices that the runtime has processed; so does any that says what it
can do, when the program wants software vertex processing.  A driver that does not answer
GetDriverInfo2 is of DirectX 7: its capabilities come from D3DHAL_GLOBALDRIVERDATA and D3DHAL_D3DEXTENDEDCAPS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.ddi.driver.legacy_caps import caps_of_legacy
from core.runtime.context import Context
from core.spec.caps import DevCaps, TextureCaps
from core.spec.enums import CreateFlag, FormatOp, HalInfoFlag, HResult, ResourceType, Usage
from core.spec.formats import FORMATS
from core.spec.pixel_formats import PixelFormat, format_of, new_style
from core.spec.profiles import PROFILES

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

HARDWARE, SOFTWARE = int(CreateFlag.HARDWARE_VERTEXPROCESSING), int(CreateFlag.SOFTWARE_VERTEXPROCESSING)
PURE = int(CreateFlag.PUREDEVICE)
HIDDEN = int(DevCaps.HWVERTEXBUFFER | DevCaps.HWINDEXBUFFER)
SOFTWARE_CAPS: tuple[str, ...] = (
    "VertexProcessingCaps", "MaxActiveLights", "MaxUserClipPlanes", "MaxVertexBlendMatrices", "MaxVertexBlendMatrixIndex",
    "MaxStreams", "MaxStreamStride", "VertexShaderVersion", "MaxVertexShaderConst",
)  # fmt: skip
"""What the runtime's own vertex processing can do, whatever the driver says."""


def ask_driver(rt: Runtime, context: Context) -> None:
    """Asks for capabilities and formats, and decides who processes the vertices of a new device.

    Refuses what the driver lacks.  A driver that answers no capabilities is not asked for formats either.
    """
    caps, context.is_legacy = ask_caps(rt)
    rt.facts.caps = caps or None
    if caps:
        ask_formats(rt)
    if missing := missing_minimum(rt, caps, context.is_legacy):
        rt.reject(f"there is no hardware device: {missing}", HResult.D3DERR_NOTAVAILABLE)
    rt.has_alpha_palettes = rt.facts.has("TextureCaps", TextureCaps.ALPHAPALETTE, rt.has_alpha_palettes)
    processes = rt.facts.has("DevCaps", DevCaps.HWTRANSFORMANDLIGHT)
    context.is_software = not processes or (bool(caps) and bool(context.behavior & SOFTWARE))
    if context.behavior & HARDWARE and not processes:
        rt.reject("the driver processes no vertices: D3DCREATE_SOFTWARE_VERTEXPROCESSING is needed", HResult.D3DERR_INVALIDCALL)
    if context.behavior & PURE and not rt.facts.has("DevCaps", DevCaps.PUREDEVICE):
        rt.reject("the driver is not a pure device", HResult.D3DERR_INVALIDCALL)
        context.behavior &= ~PURE


def ask_caps(rt: Runtime) -> tuple[dict[str, int], bool]:
    """D3DCAPS8 as dwords (empty: the driver says nothing), and whether it is a driver of DirectX 7.

    Only drivers that set DDHALINFO_GETDRIVERINFO2 are asked for it.
    """
    hal = rt.hal_info
    if hal is None:
        hal = rt.hal_info = rt.call("GetHalInfo", {})
        rt.facts.learn(hal)
    flags = rt.facts.hal_flags
    if flags is None or flags & HalInfoFlag.GETDRIVERINFO2:
        return _dwords(rt.call("GetDriverInfo", {"type": "D3DCAPS8"}).out), False
    extended = rt.call("GetDriverInfo", {"guid": "D3DExtendedCaps"})
    data = bytes(hal.data.get("global_driver_data") or b"")
    return caps_of_legacy(data, bytes(extended.data.get("reply") or b"")), True


def missing_minimum(rt: Runtime, caps: dict[str, int], is_legacy: bool) -> str:
    """What keeps a driver of DirectX 8 from being one; empty if nothing, or if it answers no capabilities.

    Direct3D exposes no hardware device for such a driver (DX8 DDI, "Minimum Capability Requirements for DirectX 8.0 Drivers").
    """
    if not caps or is_legacy:
        return ""
    if rt.facts.number("MaxStreams", 1) < 1:
        return "MaxStreams is 0"
    if not rt.facts.number("MaxPointSize", 1.0) >= 1.0:
        return "MaxPointSize is below 1"
    if not ask_formats(rt):
        return "the driver reports no formats in the DirectX 8 style"
    return ""


def _dwords(out: dict[str, Any]) -> dict[str, int]:
    return {name: value for name, value in out.items() if name in PROFILES["full"].dwords and isinstance(value, int)}


def ask_formats(rt: Runtime) -> dict[int, PixelFormat]:
    """The driver's formats by number; asked once.

    Of a DirectX 8 driver's list, entries in the old style are left out, and none are mapped (DX8 DDI, "Texture Format List").
    Old lists of DirectX 7 drivers count as what they can be used for.
    """
    if rt.formats is None:
        facts, is_legacy = rt.facts, ask_caps(rt)[1]
        if not is_legacy:
            facts.learn(rt.call("GetDriverInfo", {"type": "FORMATCOUNT"}))
        for index in range(facts.count or 0):
            facts.learn(rt.call("GetDriverInfo", {"type": "FORMAT", "index": index}))
        if is_legacy or facts.count is None:
            listed = _old_formats(rt, is_legacy)
        else:
            listed = [one for one in facts.formats.values() if one.is_new_style]
        rt.formats = {one.fourcc: one for one in listed}
    return rt.formats


def _old_formats(rt: Runtime, is_legacy: bool) -> list[PixelFormat]:
    """What a DirectX 7 driver lists, in the new style; everything for drivers that say nothing."""
    profile = PROFILES["full"]
    if not is_legacy:
        return list(profile.new_formats)
    rt.facts.learn(rt.call("GetDriverInfo", {"guid": "ZPixelFormats"}))
    rows = [format_of(one) for one in (*(rt.facts.textures or ()), *(rt.facts.depths or ()))]
    return [new_style(row, int(profile.operations(row) & ~FormatOp.VOLUMETEXTURE)) for row in rows if row is not None]


RENDER_TARGETS = FormatOp.OFFSCREEN_RENDERTARGET | FormatOp.SAME_FORMAT_RENDERTARGET
KINDS = {
    ResourceType.TEXTURE: FormatOp.TEXTURE, ResourceType.CUBETEXTURE: FormatOp.CUBETEXTURE,
    ResourceType.VOLUMETEXTURE: FormatOp.VOLUMETEXTURE,
}  # fmt: skip


def can_be(rt: Runtime, usage: int, kind: int, format: int, mode: int) -> bool:
    """CheckDeviceFormat: whether resources of a kind and format can be used like this in a display mode."""
    row = ask_formats(rt).get(format)
    if row is None:
        return False
    ops = row.operations
    if usage & Usage.DEPTHSTENCIL and not ops & FormatOp.ZSTENCIL:
        return False
    if usage & Usage.RENDERTARGET and not can_be_target(ops, format, mode):
        return False
    wanted = KINDS.get(ResourceType(kind)) if kind in ResourceType.__members__.values() else None
    if wanted is not None:
        return bool(ops & wanted)
    return bool(usage or ops & (FormatOp.TEXTURE | RENDER_TARGETS))


def can_be_target(ops: FormatOp, format: int, mode: int) -> bool:
    """Whether surfaces of a format can be drawn to in a display mode (DX8 DDI, "Format Operations")."""
    if ops & FormatOp.OFFSCREEN_RENDERTARGET:
        return True
    if ops & FormatOp.SAME_FORMAT_RENDERTARGET and format == mode:
        return True
    alike = FORMATS[format].bits == FORMATS[mode].bits if format in FORMATS and mode in FORMATS else False
    return bool(ops & FormatOp.SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET) and alike


def seen_caps(caps: dict[str, int], software: bool) -> dict[str, Any]:
    """D3DCAPS8 as an application sees it: the runtime's fields filled in, its private bits masked, its vertex processing."""
    seen = dict(caps)
    if "DevCaps" in seen:
        seen["DevCaps"] &= ~HIDDEN & 0xFFFFFFFF
        seen["DeviceType"], seen["AdapterOrdinal"] = 1, 0
        if software:
            full = PROFILES["full"].dwords
            seen.update({name: full[name] for name in SOFTWARE_CAPS})
    return seen
