"""Requests of GetDriverInfo: names of GUIDs and types, and the buffer of a GetDriverInfo2 request."""

from __future__ import annotations

import struct

from core.spec.enums import DriverInfo2

HEADER = 16  # bytes of DD_GETDRIVERINFO2DATA
CAPS_BYTES = 212
NAMES = {
    "D3DCAPS8": DriverInfo2.TYPE_GETD3DCAPS8, "FORMATCOUNT": DriverInfo2.TYPE_GETFORMATCOUNT,
    "FORMAT": DriverInfo2.TYPE_GETFORMAT, "DXVERSION": DriverInfo2.TYPE_DXVERSION,
}  # fmt: skip
EXPECTED = {
    DriverInfo2.TYPE_GETD3DCAPS8: CAPS_BYTES, DriverInfo2.TYPE_GETFORMATCOUNT: HEADER + 8,
    DriverInfo2.TYPE_GETFORMAT: HEADER + 36, DriverInfo2.TYPE_DXVERSION: HEADER + 8,
}  # fmt: skip
"""Bytes of the structure that a runtime asks for."""
INFO2, STEREO, Z_FORMATS, EXTENDED, HEAP, PARSE = (
    "GetDriverInfo2", "DDStereoMode", "ZPixelFormats", "D3DExtendedCaps", "UpdateNonLocalHeap",
    "D3DParseUnknownCommandCallback",
)  # fmt: skip


def request(kind: int, expected: int | None = None, index: int = 0) -> bytes:
    """The buffer of a GetDriverInfo2 request, as a runtime fills it in."""
    size = EXPECTED.get(DriverInfo2(kind), HEADER) if expected is None and kind in EXPECTED else expected or HEADER
    head = struct.pack("<4I", 0, DriverInfo2.MAGIC, kind, size)
    tail = struct.pack("<I", index) if kind == DriverInfo2.TYPE_GETFORMAT else b""
    return (head + tail).ljust(max(size, HEADER), b"\0")
