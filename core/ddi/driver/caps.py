"""The driver's reported capabilities: GetHalInfo, and GetDriverInfo by GUID (DX8 DDI, "Supporting GetDriverInfo2").

GUID_GetDriverInfo2 and GUID_DDStereoMode are one value: the second dword of the buffer, dwMagic or dwHeight, tells which is
meant.  `data["request"]` is the buffer as the runtime hands it over (lpvData); without it one is made from `type`, `index` and
`expected_size`.  `data["reply"]` is the buffer as the driver leaves it; `out` has `handled` (the DDHAL_DRIVER return),
`actual_size` (dwActualSize) and the reply by field.  Capabilities overwrite the request; formats come after it.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from core.ddi.calls import DdiCall
from core.ddi.driver.arguments import Rejected, blob, number
from core.ddi.driver.legacy_caps import extended_caps, global_driver_data
from core.ddi.rules import info_requests as info
from core.spec.enums import DriverInfo2, DriverReturn, HResult
from core.spec.pixel_formats import PixelFormat
from core.spec.profiles import Profile

if TYPE_CHECKING:
    from core.ddi.driver.emulated import EmulatedDriver

STEREO_BYTES = 24  # of DD_STEREOMODE
MOST_BYTES = 1 << 16  # of a buffer


def get_hal_info(driver: EmulatedDriver, call: DdiCall) -> None:
    """GetHalInfo: DDHALINFO's flags, the legacy texture formats of D3DHAL_GLOBALDRIVERDATA, the conceptual AGP heap."""
    profile = driver.profile
    call.out.update(flags=int(profile.hal_flags), texture_formats=len(profile.old_formats), heap_start=driver.heap.start)
    call.data["global_driver_data"] = global_driver_data(profile)
    call.data["texture_formats"] = b"".join(one.packed() for one in profile.old_formats)


def get_driver_info(driver: EmulatedDriver, call: DdiCall) -> None:
    """GetDriverInfo(guid | type, index, expected_size; request): one answer by GUID."""
    guid = call.args.get("guid", info.INFO2)
    if guid in (info.INFO2, info.STEREO):
        _info2_or_stereo(driver, call)
    elif guid == info.Z_FORMATS:
        formats = driver.profile.depth_formats
        call.out["count"] = len(formats)
        _reply(call, struct.pack("<I", len(formats)) + b"".join(one.packed() for one in formats))
    elif guid == info.EXTENDED:
        _reply(call, extended_caps(driver.profile))
    elif guid == info.HEAP:
        driver.heap.start = number(call, "start", driver.heap.start)
        _reply(call, b"")
    elif guid == info.PARSE:
        _reply(call, b"")
    else:
        call.out["handled"] = int(DriverReturn.HANDLED)
        call.result = int(HResult.DDERR_CURRENTLYNOTAVAIL)


def _info2_or_stereo(driver: EmulatedDriver, call: DdiCall) -> None:
    asked = blob(call, "request")
    buffer = _made(call) if asked is None else asked[:MOST_BYTES].tobytes()
    if driver.profile.ddi < 8 and (asked is None or buffer[4:8] == b"\xff" * 4):
        call.out["handled"] = int(DriverReturn.NOTHANDLED)  # a driver of DirectX 7 knows no such GUID
        call.result = int(HResult.DDERR_CURRENTLYNOTAVAIL)
        return
    if len(buffer) < info.HEADER:
        raise Rejected(HResult.DDERR_INVALIDPARAMS, "bad-data", f"GetDriverInfo: a buffer of {len(buffer)} bytes")
    _, magic, kind, expected = struct.unpack_from("<4I", buffer)
    if magic != DriverInfo2.MAGIC:
        _stereo(call, buffer)
    else:
        _info2(driver, call, buffer, kind, expected)


def _made(call: DdiCall) -> bytes:
    """The buffer of a request that the caller gave as arguments."""
    given = call.args.get("type")
    kind = int(info.NAMES[given]) if isinstance(given, str) and given in info.NAMES else number(call, "type")
    if call.args.get("guid") == info.STEREO:
        return struct.pack("<6I", STEREO_BYTES, number(call, "height", 480), 0, 0, 0, 0)
    expected = number(call, "expected_size", 0, 0, MOST_BYTES) if "expected_size" in call.args else None
    return info.request(kind, expected, number(call, "index", 0))


def _stereo(call: DdiCall, buffer: bytes) -> None:
    """DD_STEREOMODE: no mode is a stereo mode here."""
    call.out["supported"] = 0
    _reply(call, buffer[: STEREO_BYTES - 4].ljust(STEREO_BYTES - 4, b"\0") + bytes(4))


def _info2(driver: EmulatedDriver, call: DdiCall, buffer: bytes, kind: int, expected: int) -> None:
    profile = driver.profile
    if kind == DriverInfo2.TYPE_GETD3DCAPS8:
        call.out.update(profile.dwords)
        answer = profile.caps_bytes
    elif kind == DriverInfo2.TYPE_GETFORMATCOUNT:
        call.out["count"] = len(profile.new_formats)
        answer = buffer[: info.HEADER] + struct.pack("<II", len(profile.new_formats), 0)
    elif kind == DriverInfo2.TYPE_GETFORMAT:
        answer = buffer[: info.HEADER] + _format(call, profile, buffer)
    elif kind == DriverInfo2.TYPE_DXVERSION:
        asked = struct.unpack_from("<I", buffer.ljust(info.HEADER + 4, b"\0"), info.HEADER)[0]
        driver.runtime_version = asked or driver.runtime_version  # later runtimes say which they are
        call.out["version"] = driver.runtime_version
        answer = buffer[: info.HEADER] + struct.pack("<II", driver.runtime_version, 0)
    else:
        call.out.update(handled=int(DriverReturn.HANDLED), actual_size=0)
        call.data["reply"] = buffer
        call.result = int(HResult.DDERR_CURRENTLYNOTAVAIL)
        return
    copied = answer[:expected]  # min(size of the answer, dwExpectedSize)
    _reply(call, copied, buffer)


def _format(call: DdiCall, profile: Profile, buffer: bytes) -> bytes:
    """GETFORMAT after its header: the index, and the format at that index."""
    index = struct.unpack_from("<I", buffer.ljust(info.HEADER + 4, b"\0"), info.HEADER)[0]
    if index >= len(profile.new_formats):
        raise Rejected(
            HResult.DDERR_INVALIDPARAMS, "format-index", f"GetDriverInfo: format {index} of {len(profile.new_formats)}"
        )
    row: PixelFormat = profile.new_formats[index]
    call.out.update(
        format=row.fourcc, operations=int(row.operations), flip_samples=row.flip_samples, blt_samples=row.blt_samples
    )  # fmt: skip
    return struct.pack("<I", index) + row.packed()


def _reply(call: DdiCall, copied: bytes, buffer: bytes = b"") -> None:
    """The buffer with what was copied over its beginning."""
    call.out.update(handled=int(DriverReturn.HANDLED), actual_size=len(copied))
    call.data["reply"] = copied + buffer[len(copied) :]
