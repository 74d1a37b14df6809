"""What the driver says about itself: GetDriverInfo with GUID_GetDriverInfo2 (DX8 DDI, "GetDriverInfo2").

`type` is a D3DGDI2 number, or a name: "D3DCAPS8", "FORMATCOUNT", "FORMAT", "DXVERSION".  The reply is in `data["reply"]`,
as the driver would copy it, and in `out` by field.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from core.ddi.arguments import Rejected, number
from core.ddi.calls import DdiCall
from core.spec import caps
from core.spec.enums import DriverInfo2, HResult, PixelFormatFlag

if TYPE_CHECKING:
    from core.ddi.driver import EmulatedDriver

DX_VERSION = 0x0801
_NAMES = {
    "D3DCAPS8": DriverInfo2.TYPE_GETD3DCAPS8, "FORMATCOUNT": DriverInfo2.TYPE_GETFORMATCOUNT,
    "FORMAT": DriverInfo2.TYPE_GETFORMAT, "DXVERSION": DriverInfo2.TYPE_DXVERSION,
}  # fmt: skip


def get_driver_info(driver: EmulatedDriver, call: DdiCall) -> None:
    """GetDriverInfo(type, index): one answer; what is asked about later DirectX versions is not answered."""
    given = call.args.get("type")
    kind = _NAMES.get(given) if isinstance(given, str) else number(call, "type")
    if kind == DriverInfo2.TYPE_GETD3DCAPS8:
        call.out.update(caps.caps_dwords(driver.profile))
        call.data["reply"] = caps.caps_bytes(driver.profile)
    elif kind == DriverInfo2.TYPE_GETFORMATCOUNT:
        call.out["count"] = len(caps.REPORTED_FORMATS)
        call.data["reply"] = _header(kind) + struct.pack("<II", len(caps.REPORTED_FORMATS), 0)
    elif kind == DriverInfo2.TYPE_GETFORMAT:
        _format(call, kind)
    elif kind == DriverInfo2.TYPE_DXVERSION:
        call.out["version"] = DX_VERSION
        call.data["reply"] = _header(kind) + struct.pack("<II", DX_VERSION, 0)
    else:
        raise Rejected(HResult.DDERR_UNSUPPORTED, "bad-argument", f"GetDriverInfo: type {given!r} is not answered")


def _header(kind: int) -> bytes:
    """DD_GETDRIVERINFO2DATA: these replies keep it."""
    return struct.pack("<IIII", 0, DriverInfo2.MAGIC, kind, 0)


def _format(call: DdiCall, kind: int) -> None:
    """GETFORMAT: a DDPIXELFORMAT that holds a D3DFORMAT, its operations and its sample counts."""
    index = number(call, "index", 0, 0, len(caps.REPORTED_FORMATS) - 1)
    row = caps.REPORTED_FORMATS[index]
    operations, samples = int(caps.format_operations(row)), caps.multisample_mask(row)
    call.out.update(format=row.id, operations=operations, multisample=samples)
    pixel_format = struct.pack("<8I", 32, PixelFormatFlag.D3DFORMAT, row.id, 0, operations, samples | samples << 16, 0, 0)
    call.data["reply"] = _header(kind) + struct.pack("<I", index) + pixel_format
