"""Programs of core.runtime.d3d7 as scripts for player7.c: each call that a program makes here, with structures of 64 bits."""

from __future__ import annotations

import ctypes
import struct
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.d3d7 import (
    D3DDRAWPRIMITIVESTRIDEDDATA,
    DDBLTFX,
    DDPIXELFORMAT,
    DDSURFACEDESC2,
    PALETTEENTRY,
    D3DError,
    DirectDrawCreateEx,
    Object7,
)
from core.runtime.directdraw.making import surface_of
from core.runtime.script.script import Array, Pointer
from core.spec.formats import FORMATS
from tests.wine.headers import identifiers, places

Command = IntEnum("Command", ["CALL", "WRITE", "WRITE_BUFFER", "READ", "READ_BUFFER", "MODE"])
Kind = IntEnum("Kind", ["NUMBER", "OBJECT", "DATA", "MADE", "BACK", "KEPT_NUMBER", "NUMBER_MADE", "STRIDED"], start=0)
OPTIONAL = ("Set", "Draw", "Blt", "LightEnable", "Multiply", "Clear", "Process", "Apply", "AddLight")
"""Calls that a program can do without, by how their names begin."""
MULTIPLE = {"IDirect3DDevice7": "IDirect3DTnLHalDevice"}
KEEPERS = {"ApplyStateBlock", "CaptureStateBlock", "DeleteStateBlock", "SetBackground"}  # of a number that a call brought
POINTER = ctypes.c_uint64
DWORD = ctypes.c_uint32


class BltEffects(ctypes.Structure):
    """DDBLTFX of 64-bit programs."""

    _fields_ = [
        *[(name, DWORD) for name in ("dwSize", "dwDDFX", "dwROP", "drop", "angle", "op", "low", "high", "base", "zdbits")],
        ("zd", POINTER), ("zsbits", DWORD), ("zs", POINTER), ("edgebits", DWORD), ("edge", DWORD), ("reserved", DWORD),
        ("adbits", DWORD), ("ad", POINTER), ("asbits", DWORD), ("alpha", POINTER), ("dwFillColor", POINTER),
        ("dest", DWORD * 2), ("source", DWORD * 2),
    ]  # fmt: skip


class SurfaceDesc(ctypes.Structure):
    """DDSURFACEDESC2 of 64-bit programs."""

    _fields_ = [
        *[(name, DWORD) for name in ("dwSize", "dwFlags", "dwHeight", "dwWidth", "lPitch", "buffers", "levels", "alpha", "x")],
        ("lpSurface", POINTER), ("co", DWORD * 2), ("cd", DWORD * 2), ("cs", DWORD * 2), ("source", DWORD * 2),
        ("pixels", DWORD * 8), ("caps", DWORD * 4), ("stage", DWORD),
    ]  # fmt: skip


def pixel_format(given: DDPIXELFORMAT) -> tuple[int, ...]:
    one = given
    return (32, one.dwFlags, one.dwFourCC, one.dwRGBBitCount, one.dwRBitMask | one.dwStencilBitDepth,
            one.dwGBitMask | one.dwZBitMask, one.dwBBitMask | (one.dwRGBAlphaBitMask if one.dwFlags & 0x4000 else 0),
            0 if one.dwFlags & 0x4000 else one.dwRGBAlphaBitMask)  # fmt: skip


def packed(value: Any) -> bytes:
    """A structure or number."""
    if isinstance(value, DDBLTFX):
        made = BltEffects(ctypes.sizeof(BltEffects), value.dwDDFX, value.dwROP, dwFillColor=value.dwFillColor & 0xFFFFFFFF)
        made.dest[:], made.source[:] = value.ddckDestColorkey, value.ddckSrcColorkey
        return bytes(made)
    if isinstance(value, DDSURFACEDESC2):
        desc = SurfaceDesc(ctypes.sizeof(SurfaceDesc), value.dwFlags, value.dwHeight, value.dwWidth, 0,
                           value.dwBackBufferCount, value.dwMipMapCount)  # fmt: skip
        desc.source[:], desc.pixels[:], desc.caps[:] = value.ddckCKSrcBlt, pixel_format(value.ddpfPixelFormat), value.ddsCaps
        return bytes(desc)
    if isinstance(value, PALETTEENTRY):
        return bytes(value)
    if isinstance(value, DDPIXELFORMAT):
        return struct.pack("<8I", *pixel_format(value))
    if isinstance(value, (tuple, list)):
        return b"".join(map(packed, value))
    if isinstance(value, (float, np.floating)):
        return struct.pack("<f", value)
    return struct.pack("<I", int(value) & 0xFFFFFFFF)


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}I", *(value & 0xFFFFFFFF for value in values))


def data(given: bytes) -> bytes:
    return words(len(given)) + given + bytes(-len(given) % 4)


def shown(args: tuple[Any, ...]) -> str:
    """Arguments for a reader."""
    return ", ".join(f"{int(one):#x}" if isinstance(one, Pointer) else str(tuple(one[0]) if isinstance(one, Array) and
                     isinstance(one[0], tuple) else one)[:260].replace("\n", " ") for one in args)  # fmt: skip


class Answered(NamedTuple):
    """A command: its words for a reader, and how many bytes its answer has besides the HRESULT."""

    text: str
    size: int


class Recorder:
    """A program on ours, and the same as a script.  `results`: of each command as Wine answered it, or None."""

    player, libraries = "player7.c", ("-lddraw", "-ldxguid")  # what plays it on Wine

    def __init__(self, results: list[int] | None = None, skipped: frozenset[int] = frozenset()) -> None:
        self.results, self.commands = results, list[Answered]()
        self.skipped, self.calls = skipped, list[str]()  # a call that is left out, by its number among those that can be
        self.parts: list[bytes] = []
        self.slots: dict[int, int] = {}
        self.reads: dict[int, np.ndarray] = {}  # by command: what ours has
        self.formats: dict[int, int] = {}  # by command: the format of what is read
        self.locked: dict[int, tuple[int, Any, int]] = {}
        self.written: bytes = b""
        self.refused: list[str] = []
        self.interfaces: dict[int, str] = {}
        self._begin()

    def _begin(self) -> None:
        self.draw: Object7 = DirectDrawCreateEx(EmulatedDriver())
        self.desk: Any = self.draw._desk
        self.alone = False  # Wine 8.0 keeps states and lights of devices that have ended, as long as their DirectDraw
        self.is_older = False
        self.first = self._slot(self.draw.pointer)
        self.interfaces[int(self.draw.pointer)] = "IDirectDraw7"
        self._call, self.desk.script.call = self.desk.script.call, self._note

    # ---- what is recorded ------------------------------------------------------------------------

    def _slot(self, pointer: int) -> int:
        return self.slots.setdefault(int(pointer), len(self.slots))

    def _add(self, text: str, part: bytes, size: int = 0) -> int:
        self.parts.append(part)
        self.commands.append(Answered(text, size))
        number = len(self.commands) - 1
        return self.results[number] if self.results is not None and number < len(self.results) else 0

    def _note(self, name: str, *args: Any, result: int = 0) -> Any:
        interface, _, method = name.rpartition("::")
        if method.startswith(OPTIONAL):
            self.calls.append(f"{name} {shown(args)}")
            if len(self.calls) - 1 in self.skipped:
                return None
        if method == "memcpy":
            self.written = args[1]
        elif method.startswith("Lock"):
            self._locked(interface, args)
        elif method.startswith("Unlock"):
            result = self._written(interface, args[0])
        else:
            result = self._add(f"{name} {shown(args)}", self._call_words(interface, method, args))
        try:
            return self._call(name, *args, result=result)
        except D3DError as error:
            self.refused.append(f"{len(self.commands) - 1} {name}: {error}")
            raise

    def _locked(self, interface: str, args: tuple[Any, ...]) -> None:
        self.locked[int(args[0])] = (self._slot(args[0]), args[1], args[3] if "Surface" in interface else args[1])

    def _call_words(self, interface: str, method: str, args: tuple[Any, ...]) -> bytes:
        shown = self.interfaces.get(int(args[0]), interface)
        parts = [words(Command.CALL, self._slot(args[0]), places(shown)[method], len(args) - 1)]
        for n, value in enumerate(args[1:]):
            parts.append(self._argument(shown, method, n, value, args))
        return b"".join(parts)

    def _argument(self, interface: str, method: str, n: int, value: Any, args: tuple[Any, ...]) -> bytes:
        if method == "QueryInterface" and n == 0:
            return words(Kind.DATA) + data(identifiers()[self.asked])
        if method == "CreateDevice" and n == 0:
            return words(Kind.DATA) + data(
                identifiers()["IDirect3DTnLHalDevice" if interface[-1] == "7" else "IDirect3DHALDevice"]
            )
        if isinstance(value, Pointer):
            return words(Kind.OBJECT, self.slots[int(value)])
        if value is None:
            return words(Kind.NUMBER, 0, 0)
        if isinstance(value, Array) and isinstance(value[0], Pointer):
            self._made(interface, method, int(value[0]))
            return words(Kind.MADE, self._slot(value[0]))
        if isinstance(value, Array):
            if method in ("GetHandle", "CreateStateBlock", "EndStateBlock"):
                return words(Kind.NUMBER_MADE, value[0])
            return self._pointed(value)
        if isinstance(value, (bytes, np.ndarray)):
            return words(Kind.DATA) + data(np.ascontiguousarray(value).tobytes() if isinstance(value, np.ndarray) else value)
        if isinstance(value, float):
            return words(Kind.NUMBER) + struct.pack("<fI", value, 0)
        keeps = method in KEEPERS or ((method, n) in (("SetLightState", 1), ("SetRenderState", 1)) and args[1] == 1)
        if keeps:
            return words(Kind.KEPT_NUMBER, value)
        return words(Kind.NUMBER, value & 0xFFFFFFFF, value >> 32 & 0xFFFFFFFF)

    def _pointed(self, value: Array) -> bytes:
        if isinstance(value[0], D3DDRAWPRIMITIVESTRIDEDDATA):
            one, parts = value[0], [words(Kind.STRIDED)]
            for component in (one.position, one.normal, one.diffuse, one.specular, *one.textureCoords):
                parts.append(words(component.dwStride) + data(component.lpvData or b""))
            return b"".join(parts)
        return words(Kind.DATA) + data(packed(value))

    def _made(self, interface: str, method: str, pointer: int) -> None:
        """The interface of an object that is being made."""
        version = interface[-1] if interface[-1].isdigit() else ""
        if method == "QueryInterface":
            self.interfaces[pointer] = self.asked
        elif method in ("CreateSurface", "GetAttachedSurface"):
            self.interfaces[pointer] = f"IDirectDrawSurface{version}"

    def _written(self, interface: str, pointer: int) -> int:
        slot, rect, flags = self.locked.pop(int(pointer))
        if "Surface" not in interface:
            return self._add("write buffer", words(Command.WRITE_BUFFER, slot, flags) + data(self.written))
        surface = surface_of(self.desk.runtime, pointer)
        assert surface is not None
        row = FORMATS[surface.view.resource.format]
        width, height, _ = surface.view.size
        box = tuple(rect[0]) if rect else (0, 0, width, height)
        rows = -(-box[3] // row.block[1]) - box[1] // row.block[1]
        dense = row.block[:2] != (1, 1)
        asked = words(Command.WRITE, slot, flags, rect is not None, *box, rows, len(self.written) // rows, dense)
        return self._add("write", asked + self.written + bytes(-len(self.written) % 4))

    # ---- what programs use -------------------------------------------------------------------------

    def query(self, thing: Object7, interface: str) -> Object7:
        """QueryInterface."""
        self.alone |= interface.startswith("IDirect3D")
        self.is_older |= interface in ("IDirect3D2", "IDirect3D3")
        self.asked = interface
        return thing.QueryInterface(interface)

    def mode(self, width: int, height: int, bits: int) -> None:
        """Full screen."""
        self.alone = True
        self._add("mode", words(Command.MODE, width, height, bits))
        self._call("IDirectDraw7::SetDisplayMode", self.draw.pointer, width, height, bits, 0, 0)

    def bring(self, thing: Object7, method: str, size: int, *args: Any) -> int:
        """A call that brings `size` bytes through its last argument; the number of the command."""
        parts = [words(Command.CALL, self.slots[int(thing.pointer)], places(thing.interface)[method], len(args) + 1)]
        parts += [self._argument(thing.interface, method, n, value, (None, *args)) for n, value in enumerate(args)]
        self._add(f"{thing.interface}::{method} {args}", b"".join(parts) + words(Kind.BACK) + data(bytes(size)), size)
        return len(self.commands) - 1

    def read(self, thing: Object7) -> None:
        """What the surface holds."""
        surface = surface_of(self.desk.runtime, thing.pointer)
        assert surface is not None
        self.desk.runtime.flush()
        part = self.desk.runtime.driver.part(surface.handle)  # type: ignore[attr-defined]
        row, (width, _, _) = FORMATS[surface.view.resource.format], surface.view.size
        size = -(-width // row.block[0]) * row.block[2]
        held = part.linear().reshape(part.rows, part.pitch)[:, :size].copy()
        if surface.body.low_depth:
            depths = held.view("<u4")
            held = (depths >> np.uint32(8) | depths << np.uint32(24)).view(np.uint8)
        self._add("read", words(Command.READ, self.slots[int(thing.pointer)], *held.shape), held.size)
        self.reads[len(self.commands) - 1] = held
        self.formats[len(self.commands) - 1] = row.id

    def read_buffer(self, thing: Object7, size: int) -> np.ndarray:
        """What a vertex buffer holds: uint8[size]."""
        held = np.array(thing.Lock(0), copy=True)[:size]
        self.locked.pop(int(thing.pointer))
        self.desk.open.pop(thing.pointer)
        self._add("read buffer", words(Command.READ_BUFFER, self.slots[int(thing.pointer)], 0, size), size)
        self.reads[len(self.commands) - 1] = held
        return held

    def script(self) -> bytes:
        return words(self.first, self.alone | self.is_older << 1) + b"".join(self.parts) + words(0)
