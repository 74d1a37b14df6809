"""A checked driver with a context, and a reader of recorded answers: what the rule pairs are tried on."""

from __future__ import annotations

import struct
from typing import Any

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.rules.answers import AnswerCheck
from core.ddi.rules.facts import DriverFacts
from core.ddi.stream.shader_assemble import assemble
from core.device.findings import Finding
from core.spec.formats import FORMAT_BY_NAME
from tests.driver_calls import stream

CONTEXT, TARGET, DEPTH, TEXTURE, BUFFER, INDICES = 1, 10, 11, 20, 40, 41
XYZ, XYZRHW, DIFFUSE, NORMAL = 0x2, 0x4, 0x40, 0x10
TRIANGLE = struct.pack("<12f", 1, 1, 0.5, 1, 9, 1, 0.5, 1, 1, 9, 0.5, 1)
VERTEX_CODE = assemble("vs_1_1\nm4x4 oPos, v0, c0")
PIXEL_CODE = assemble("ps_1_1\nmov r0, c0")
PIXEL_CODE_14 = assemble("ps_1_4\nmov r0, c0")
DECLARATION = [0x20000000, 0x40020000, 0xFFFFFFFF]  # stream 0: FLOAT3 into v0
TWO_STREAMS = [0x20000000, 0x40020000, 0x20000001, 0x40040005, 0xFFFFFFFF]
MAGIC, CAPS, COUNT, FORMAT = 0xFFFFFFFF, 1, 2, 3


class Bench:
    """`profile` of the driver; `draws` by calls and `answers` by recorded calls end in the same list of findings."""

    def __init__(self, profile: str = "full") -> None:
        self.driver = EmulatedDriver(profile, check=True, clock="instant")
        self.facts = DriverFacts()
        self.check = AnswerCheck(self.facts)
        self.recorded: list[Finding] = []
        for handle, format, label in ((TARGET, "X8R8G8B8", "render_target"), (DEPTH, "D16", "depth")):
            self.surface(handle, format, label=label)
        self("ContextCreate", context=CONTEXT, render_target=TARGET, depth_stencil=DEPTH)

    @property
    def rules(self) -> set[str]:
        """Rules broken so far."""
        return {one.rule for one in [*self.driver.findings, *self.recorded]}

    def __call__(self, entry: str, data: dict[str, Any] | None = None, **args: Any) -> DdiCall:
        """The driver does a call."""
        return self.driver.call(DdiCall(entry, args, data or {}))

    def said(self, entry: str, result: int = 0, data: dict[str, Any] | None = None, out: Any = None, **args: Any) -> None:
        """A tape has this call with this answer."""
        self.recorded += self.check.findings(DdiCall(entry, args, data or {}, result, out or {}), 0)

    def replayed(self, result: int, commands: bytes, **out: Any) -> DdiCall:
        """The driver follows a tape with this answer to a DrawPrimitives2."""
        self.driver.follows = True
        answered = self.driver.call(DdiCall("DrawPrimitives2", {"context": CONTEXT}, {"commands": commands}, result, out))
        self.driver.follows = False
        return answered

    def surface(self, handle: int, format: str = "A8R8G8B8", width: int = 16, height: int = 16, **more: Any) -> DdiCall:
        return self("CreateSurface", handle=handle, width=width, height=height, format=FORMAT_BY_NAME[format].id, **more)

    def buffer(self, handle: int, contents: bytes, **more: Any) -> None:
        self("CreateD3DBuffer", handle=handle, size=len(contents), **more)
        self("LockD3DBuffer", handle=handle)
        self("UnlockD3DBuffer", {"contents": contents}, handle=handle)

    def draw(self, *tokens: tuple, vertices: bytes = b"", **args: Any) -> DdiCall:
        """(op, fields) tokens as one DrawPrimitives2."""
        data: dict[str, Any] = {"commands": stream(*tokens)}
        if vertices:
            data["vertices"] = vertices
            args = {"flags": 1, "vertex_size": 1, "vertex_length": len(vertices)} | args
        return self("DrawPrimitives2", data, context=CONTEXT, command_length=len(data["commands"]), **args)

    def screen(self, *more: tuple, vertices: bytes = TRIANGLE, count: int = 1, op: str = "DRAWPRIMITIVE") -> DdiCall:
        """A triangle of transformed vertices in user memory, after `more` tokens."""
        drawn = {"start": 0} if op == "DRAWPRIMITIVE" else {"first_offset": 0}
        return self.draw(
            ("SETVERTEXSHADER", {"shader": XYZRHW}),
            ("SETSTREAMSOURCEUM", {"stream": 0, "stride": 16}),
            *more,
            (op, {"type": "TRIANGLELIST", "count": count, **drawn}),
            vertices=vertices,
        )

    # ---- a driver that speaks for itself
    def caps(self, **changes: Any) -> None:
        """A tape has this D3DCAPS8: the full device's, with changes."""
        values = dict(self.driver.profile.dwords) | changes
        words = {
            name: struct.unpack("<I", struct.pack("<f", v))[0] if isinstance(v, float) else v for name, v in values.items()
        }
        self.said(
            "GetDriverInfo",
            data={"reply": struct.pack(f"<{len(words)}I", *words.values())},
            type="D3DCAPS8",
            out={"handled": 1, "actual_size": 212},
        )

    def formats(self, *entries: tuple[str, int, int]) -> None:
        """A tape has this format list: (name, operations, flip and blt samples)."""
        self.said(
            "GetDriverInfo",
            data={"request": ask(COUNT), "reply": ask(COUNT)[:16] + struct.pack("<II", len(entries), 0)},
            out={"handled": 1},
        )
        for index, (name, operations, samples) in enumerate(entries):
            self.format(index, FORMAT_BY_NAME[name].id, operations, samples)

    def format(self, index: int, format: int, operations: int = 1, samples: int = 0, flags: int = 0x200000,
               bits: int = 0) -> None:  # fmt: skip
        """A tape has this answer to GETFORMAT."""
        entry = struct.pack("<8I", 32, flags, format, bits, operations, samples, 0, 0)
        reply = ask(FORMAT, index)[:20] + entry
        self.said("GetDriverInfo", data={"request": ask(FORMAT, index), "reply": reply}, out={"handled": 1})


def ask(kind: int, index: int = 0, expected: int = 52, magic: int = MAGIC) -> bytes:
    """The buffer of a GetDriverInfo2 request."""
    return struct.pack("<5I", 0, magic, kind, expected, index).ljust(52, b"\0")


def state(name: str, value: int) -> tuple:
    return "RENDERSTATE", {"items": [{"state": name, "value": value}]}
