"""Places of methods and identifiers of interfaces, from MinGW's ddraw.h, d3d.h and d3d8.h."""

from __future__ import annotations

import re
import struct
from functools import cache
from pathlib import Path

FOLDER = Path("/usr/x86_64-w64-mingw32/include")
GUID = r"DEFINE_GUID\(\s*IID_(\w+)\s*,\s*((?:0x[0-9a-fA-F]+\s*,?\s*){11})\)"


@cache
def text() -> str:
    return "\n".join((FOLDER / name).read_text(encoding="latin-1") for name in ("ddraw.h", "d3d.h", "d3d8.h"))


@cache
def places(interface: str) -> dict[str, int]:
    """Methods of an interface and their places in its table, IUnknown's first."""
    found = re.search(rf"DECLARE_INTERFACE_\({interface},\w+\)\s*\{{(.*?)\n\}};", text(), re.DOTALL)
    assert found, interface
    return {name: n for n, name in enumerate(re.findall(r"STDMETHOD(?:_\(\w+,\s*|\()(\w+)\)", found[1]))}


@cache
def identifiers() -> dict[str, bytes]:
    """Interfaces and kinds of device, and the 16 bytes that name them."""
    found = {}
    for name, numbers in re.findall(GUID, text()):
        first, second, third, *rest = (int(number, 16) for number in re.findall("0x[0-9a-fA-F]+", numbers))
        found[name] = struct.pack("<I2H8B", first, second, third, *rest)
    return found
