"""Writes apitrace traces by hand, from the format's description alone (nothing of the project's is used).

trace = TraceFile()
device = trace.call("Direct3DCreate8", {"SDKVersion": 220}, result=Pointer(0x1000))
path.write_bytes(snappy(trace.bytes()))
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Any

import brotli
import cramjam
import zstandard


@dataclass(frozen=True)
class Pointer:
    address: int


@dataclass(frozen=True)
class Enum:
    name: str
    value: int


@dataclass(frozen=True)
class Mask:
    names: tuple[tuple[str, int], ...]
    value: int


@dataclass(frozen=True)
class Struct:
    name: str
    members: dict[str, Any]


@dataclass(frozen=True)
class Repr:
    human: str
    machine: Any


@dataclass(frozen=True)
class Wide:
    text: str


@dataclass(frozen=True)
class Float32:
    value: float


def uint(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes((value & 127 | 128,))
        value >>= 7
    return out + bytes((value,))


def string(text: str) -> bytes:
    return uint(len(text)) + text.encode("latin1")


def sint(value: int) -> bytes:
    return (b"\x03" if value < 0 else b"\x04") + uint(abs(value))


class TraceFile:
    """Collects calls; `marks` are the offsets after each whole event."""

    def __init__(self, version: int = 6, properties: dict[str, str] | None = None) -> None:
        self.version = version
        self.out = bytearray(uint(version))
        if version >= 6:
            self.out += uint(1)
            for name, value in (properties or {}).items():
                self.out += string(name) + string(value)
            self.out += string("")
        self.count = 0
        self.marks: list[int] = []
        self._ids: dict[tuple[str, Any], int] = {}

    def bytes(self) -> bytes:
        return bytes(self.out)

    def call(
        self, name: str, args: dict[str, Any], result: Any = None, out: dict[str, Any] | None = None, *, flags: int = 0,
        thread: int = 0, leave: bool = True, backtrace: bool = False,
    ) -> int:  # fmt: skip
        """Appends ENTER and LEAVE of one call and returns its number.  `out`: arguments written by the call."""
        names = tuple(dict.fromkeys([*args, *(out or {})]))
        self.enter(name, names, args, flags=flags, thread=thread, backtrace=backtrace)
        number = self.count - 1
        if leave:
            self.leave(number, names, out or {}, result)
        return number

    def enter(
        self, name: str, names: tuple[str, ...], args: dict[str, Any], *, flags: int = 0, thread: int = 0,
        backtrace: bool = False,
    ) -> None:  # fmt: skip
        self.out += b"\x00"
        if self.version >= 4:
            self.out += uint(thread)
        fresh, number = self._id("function", name)
        self.out += uint(number)
        if fresh:
            self.out += string(name) + uint(len(names)) + b"".join(map(string, names))
        if flags:
            self.out += b"\x05" + uint(flags)
        if backtrace:
            self._backtrace()
        self._details(names, args)
        self.count += 1

    def leave(self, number: int, names: tuple[str, ...], out: dict[str, Any], result: Any = None) -> None:
        self.out += b"\x01" + uint(number)
        if result is not None:
            self.out += b"\x02"
            self.value(result)
        self._details(names, out)

    def _details(self, names: tuple[str, ...], args: dict[str, Any]) -> None:
        for name, value in args.items():
            self.out += b"\x01" + uint(names.index(name))
            self.value(value)
        self.out += b"\x00"
        self.marks.append(len(self.out))

    def _backtrace(self) -> None:
        """Two frames: one that every call has, and one of five."""
        self.out += b"\x04" + uint(2)
        for name in ("main", f"frame{self.count % 5}"):
            fresh, number = self._id("frame", name)
            self.out += uint(number)
            if fresh:
                self.out += b"\x01" + string("game.exe") + b"\x02" + string(name) + b"\x04" + uint(7) + b"\x00"

    def _id(self, space: str, key: Any) -> tuple[bool, int]:
        fresh = (space, key) not in self._ids
        if fresh:
            self._ids[space, key] = sum(known == space for known, _ in self._ids)
        return fresh, self._ids[space, key]

    def value(self, value: Any) -> None:
        if value is None or isinstance(value, bool):
            self.out += b"\x00" if value is None else b"\x02" if value else b"\x01"
        elif isinstance(value, int):
            self.out += sint(value)
        elif isinstance(value, Float32):
            self.out += b"\x05" + struct.pack("<f", value.value)
        elif isinstance(value, float):
            self.out += b"\x06" + struct.pack("<d", value)
        elif isinstance(value, str):
            self.out += b"\x07" + string(value)
        elif isinstance(value, bytes):
            self.out += b"\x08" + uint(len(value)) + value
        elif isinstance(value, Enum):
            self.out += b"\x09"
            fresh, number = self._id("enum", value.name)
            self.out += uint(number)
            if fresh:
                self.out += uint(1) + string(value.name) + sint(value.value)
            self.out += sint(value.value)
        elif isinstance(value, Mask):
            self.out += b"\x0a"
            fresh, number = self._id("mask", value.names)
            self.out += uint(number)
            if fresh:
                self.out += uint(len(value.names)) + b"".join(string(n) + uint(v) for n, v in value.names)
            self.out += uint(value.value)
        elif isinstance(value, list):
            self.out += b"\x0b" + uint(len(value))
            for item in value:
                self.value(item)
        elif isinstance(value, Struct):
            self.out += b"\x0c"
            fresh, number = self._id("struct", value.name)
            self.out += uint(number)
            if fresh:
                self.out += string(value.name) + uint(len(value.members)) + b"".join(map(string, value.members))
            for item in value.members.values():
                self.value(item)
        elif isinstance(value, Pointer):
            self.out += b"\x0d" + uint(value.address)
        elif isinstance(value, Repr):
            self.out += b"\x0e"
            self.value(value.human)
            self.value(value.machine)
        elif isinstance(value, Wide):
            self.out += b"\x0f" + uint(len(value.text)) + b"".join(uint(ord(c)) for c in value.text)
        else:
            raise TypeError(type(value))


def snappy(data: bytes, block: int = 1 << 20) -> bytes:
    out = bytearray(b"at")
    for at in range(0, len(data), block):
        packed = bytes(cramjam.snappy.compress_raw(data[at : at + block]))
        out += len(packed).to_bytes(4, "little") + packed
    return bytes(out)


def gzip(data: bytes) -> bytes:
    packer = zlib.compressobj(6, wbits=31)
    return packer.compress(data) + packer.flush()


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=1).compress(data)


def zstd_seekable(data: bytes) -> bytes:
    """Two frames and a seek table in a skippable frame, as apitrace's own zstd files."""
    half = len(data) // 2
    frames = [zstd(data[:half]), zstd(data[half:])]
    sizes = ((len(frames[0]), half), (len(frames[1]), len(data) - half))
    table = b"".join(packed.to_bytes(4, "little") + size.to_bytes(4, "little") for packed, size in sizes)
    table += len(frames).to_bytes(4, "little") + b"\x00" + b"\xb1\xea\x92\x8f"
    return b"".join(frames) + b"\x5e\x2a\x4d\x18" + len(table).to_bytes(4, "little") + table


def brotli_stream(data: bytes) -> bytes:
    return brotli.compress(data, quality=1)


CONTAINERS = {"snappy": snappy, "gzip": gzip, "zstd": zstd, "zstd_seekable": zstd_seekable, "brotli": brotli_stream}


# -- small programs --------------------------------------------------------------------------------------------------

OK = Enum("D3D_OK", 0)
MATRIX = [[Float32(float(i == j)) for j in range(4)] for i in range(4)]
PRESENT = {
    "BackBufferWidth": 64, "BackBufferHeight": 48, "BackBufferFormat": Enum("D3DFMT_X8R8G8B8", 22), "BackBufferCount": 1,
    "MultiSampleType": Enum("D3DMULTISAMPLE_NONE", 0), "SwapEffect": Enum("D3DSWAPEFFECT_DISCARD", 1),
    "hDeviceWindow": Pointer(0x77), "Windowed": Enum("TRUE", 1), "EnableAutoDepthStencil": Enum("FALSE", 0),
    "AutoDepthStencilFormat": Enum("D3DFMT_UNKNOWN", 0),
    "Flags": Mask((("D3DPRESENTFLAG_LOCKABLE_BACKBUFFER", 1),), 0), "FullScreen_RefreshRateInHz": 0,
    "FullScreen_PresentationInterval": Mask((("D3DPRESENT_INTERVAL_DEFAULT", 0),), 0),
}  # fmt: skip
DEVICE = Pointer(0x2000)
FVF_XYZRHW_DIFFUSE = 0x44


def begin(trace: TraceFile) -> None:
    """Direct3DCreate8 and CreateDevice."""
    trace.call("Direct3DCreate8", {"SDKVersion": 220}, Pointer(0x1000))
    trace.call(
        "IDirect3D8::CreateDevice",
        {"this": Pointer(0x1000), "Adapter": 0, "DeviceType": Enum("D3DDEVTYPE_HAL", 1), "hFocusWindow": Pointer(0x77),
         "BehaviorFlags": Mask((("D3DCREATE_SOFTWARE_VERTEXPROCESSING", 0x20),), 0x20),
         "pPresentationParameters": [Struct("D3DPRESENT_PARAMETERS", PRESENT)], "ppReturnedDeviceInterface": [Pointer(0)]},
        OK, {"ppReturnedDeviceInterface": [DEVICE]},
    )  # fmt: skip


def device_call(trace: TraceFile, method: str, /, result: Any = OK, out: dict[str, Any] | None = None, **args: Any) -> int:
    return trace.call(f"IDirect3DDevice8::{method}", {"this": DEVICE, **args}, result, out)


def set_render_state(trace: TraceFile, state: int, value: int) -> int:
    return device_call(trace, "SetRenderState", State=Enum(f"D3DRS_{state}", state), Value=value)


def vertices(*points: tuple[float, float], color: int = 0xFFFF0000) -> bytes:
    """XYZRHW + DIFFUSE vertices."""
    return b"".join(struct.pack("<ffffI", x, y, 0.5, 1.0, color) for x, y in points)


def triangle(trace: TraceFile, color: int = 0xFFFF0000) -> int:
    """A DrawPrimitiveUP of one triangle."""
    device_call(trace, "SetVertexShader", Handle=Mask((("D3DFVF_XYZRHW", 4), ("D3DFVF_DIFFUSE", 0x40)), FVF_XYZRHW_DIFFUSE))
    return device_call(
        trace, "DrawPrimitiveUP", PrimitiveType=Enum("D3DPT_TRIANGLELIST", 4), PrimitiveCount=1,
        pVertexStreamZeroData=vertices((4, 4), (40, 4), (4, 40), color=color), VertexStreamZeroStride=20,
    )  # fmt: skip


def present(trace: TraceFile) -> int:
    return device_call(trace, "Present", pSourceRect=None, pDestRect=None, hDestWindowOverride=None, pDirtyRegion=None)


def small_program(frames: int = 1, version: int = 6) -> TraceFile:
    """A device that draws one triangle a frame."""
    trace = TraceFile(version, {"process.name": "small.exe"})
    begin(trace)
    for frame in range(frames):
        device_call(trace, "BeginScene")
        device_call(trace, "Clear", Count=0, pRects=None, Flags=Mask((("D3DCLEAR_TARGET", 1),), 1), Color=0xFF000000 + frame,
                    Z=Float32(1.0), Stencil=0)  # fmt: skip
        set_render_state(trace, 137, 0)
        triangle(trace)
        device_call(trace, "EndScene")
        present(trace)
    return trace
