"""Known facts about a driver: from a profile, or learned from its results on a tape."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.rules import info_requests as info
from core.spec.caps import CAPS8
from core.spec.enums import DriverInfo2
from core.spec.pixel_formats import SIZE, PixelFormat, unpack
from core.spec.profiles import KIND_OF, Profile

UNPARSED = 0x88760BB8
CAP_NAMES = tuple(cap.name for cap in CAPS8)


@dataclass(frozen=True, slots=True)
class Request:
    """A GetDriverInfo2 call: what was asked, the buffer as it was and as it is afterwards."""

    type: int
    expected: int
    index: int
    before: bytes
    after: bytes
    magic: int = int(DriverInfo2.MAGIC)


def _blob(call: DdiCall, name: str) -> bytes:
    """A blob of a call; empty without."""
    value = call.data.get(name)
    return b"" if value is None else bytes(memoryview(value))


def request_of(call: DdiCall) -> Request | None:
    """The GetDriverInfo2 (or stereo mode) request of a GetDriverInfo call; None for other GUIDs."""
    if call.args.get("guid", info.INFO2) not in (info.INFO2, info.STEREO):
        return None
    before, after = _blob(call, "request"), _blob(call, "reply")
    if len(before) >= info.HEADER:
        _, magic, kind, expected = struct.unpack_from("<4I", before)
        index = struct.unpack_from("<I", before.ljust(info.HEADER + 4, b"\0"), info.HEADER)[0]
        return Request(kind, expected, index, before, after, magic)
    kind = call.args.get("type")
    number = info.NAMES.get(kind, 0) if isinstance(kind, str) else kind
    if not isinstance(number, int):
        return None
    expected, index = call.args.get("expected_size", 0), call.args.get("index", 0)
    return Request(number, expected if isinstance(expected, int) else 0, index if isinstance(index, int) else 0, b"", after)


def _caps_in(call: DdiCall, reply: bytes) -> dict[str, int]:
    """The fields of D3DCAPS8 that came back; those beyond the end are missing."""
    words = np.frombuffer(reply, "<u4", min(len(reply) // 4, len(CAP_NAMES))).tolist()
    found = dict(zip(CAP_NAMES, words, strict=False))
    return found or {name: value for name, value in call.out.items() if name in KIND_OF and isinstance(value, int)}


def _list_of(data: bytes) -> tuple[PixelFormat, ...]:
    return tuple(unpack(data, at) for at in range(0, len(data) - SIZE + 1, SIZE))


@dataclass
class DriverFacts:
    """Everything a driver has said.  `caps` None, `count` None: it was not asked; `formats` by GETFORMAT index."""

    name: str = ""
    hal_flags: int | None = None
    caps: dict[str, int] | None = None
    count: int | None = None
    formats: dict[int, PixelFormat] = field(default_factory=dict)
    textures: tuple[PixelFormat, ...] | None = None
    depths: tuple[PixelFormat, ...] | None = None
    unparsed: set[str] = field(default_factory=set)  # drawing tokens of DirectX 8 that it left unparsed
    surface_ex: dict[str, int] = field(default_factory=dict)  # "vertex", "index" -> result of the last CreateSurfaceEx
    conservative: bool = False  # cannot tell when a presentation is retired

    @classmethod
    def of_profile(cls, profile: Profile) -> DriverFacts:
        """What a driver of a profile answers."""
        new = profile.ddi >= 8
        return cls(
            profile.title, int(profile.hal_flags), dict(profile.dwords) if new else None,
            len(profile.new_formats) if new else None, dict(enumerate(profile.new_formats)), profile.old_formats,
            profile.depth_formats, set() if new else {"DRAWPRIMITIVE"}, {"vertex": 0, "index": 0} if new else {},
            profile.conservative,
        )  # fmt: skip

    def number(self, name: str, otherwise: int | float) -> int | float:
        """A caps field as the number it is."""
        value: Any = otherwise if self.caps is None or name not in self.caps else KIND_OF[name].value(self.caps[name])
        return value

    def has(self, name: str, bit: int, otherwise: bool = True) -> bool:
        """Whether a caps field has a bit; `otherwise` if the driver was not asked."""
        return otherwise if self.caps is None or name not in self.caps else bool(self.caps[name] & bit)

    def learn(self, call: DdiCall) -> None:
        """Takes note of an answered call."""
        if call.entry == "GetHalInfo":
            flags = call.out.get("flags")
            self.hal_flags = flags if isinstance(flags, int) else self.hal_flags
            self.textures = _list_of(_blob(call, "texture_formats"))
        elif call.entry == "GetDriverInfo":
            self._learn_info(call)

    def _learn_info(self, call: DdiCall) -> None:
        if call.result:
            return
        if call.args.get("guid") == info.Z_FORMATS:
            self.depths = _list_of(_blob(call, "reply")[4:])
            return
        asked = request_of(call)
        if asked is None or asked.magic != DriverInfo2.MAGIC:
            return
        if asked.type == DriverInfo2.TYPE_GETD3DCAPS8:
            self.caps = _caps_in(call, asked.after) or self.caps
        elif asked.type == DriverInfo2.TYPE_GETFORMATCOUNT and len(asked.after) >= info.HEADER + 4:
            self.count = struct.unpack_from("<I", asked.after, info.HEADER)[0]
            self.formats = {}
        elif asked.type == DriverInfo2.TYPE_GETFORMAT and len(asked.after) >= info.HEADER + 4 + SIZE:
            self.formats[asked.index] = unpack(asked.after, info.HEADER + 4)
