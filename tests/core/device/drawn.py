"""A device with a small target and depth surface, and the tokens and vertices that are drawn on it."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.spec.formats import FORMAT_BY_NAME
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID

CONTEXT, TARGET, DEPTH, SIZE = 1, 10, 11, 16
SCREEN = 0x44  # XYZRHW, DIFFUSE
SCREEN_TEXTURED = 0x144
POINTS, LINES, STRIP_LINES, TRIANGLES, STRIP, FAN = range(1, 7)
RED, GREEN, BLUE, WHITE = 0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF


class Machine:
    """A driver with a 16 x 16 target, ready to draw transformed vertices."""

    def __init__(self, **more: Any) -> None:
        self.driver = EmulatedDriver()
        for handle, format, label in ((TARGET, "A8R8G8B8", "render_target"), (DEPTH, "D24S8", "depth")):
            self.surface(handle, format, SIZE, SIZE, label=label, **more)
        self("ContextCreate", context=CONTEXT, render_target=TARGET, depth_stencil=DEPTH, width=SIZE, height=SIZE, windowed=1)
        self.draw(("ZRANGE", [{"min": 0, "max": 1}]), shader(SCREEN), states(CULLMODE=1, LIGHTING=0))

    def __call__(self, entry: str, data: dict[str, Any] | None = None, **args: Any) -> DdiCall:
        call = self.driver.call(DdiCall(entry, args, data or {}))
        assert call.result == 0, [f.text for f in self.driver.findings]
        return call

    def surface(self, handle: int, format: str, width: int, height: int, **more: Any) -> None:
        self("CreateSurface", handle=handle, width=width, height=height, format=FORMAT_BY_NAME[format].id, **more)

    def fill(self, handle: int, contents: np.ndarray) -> None:
        self("Lock", handle=handle, box=None, flags=0)
        self("Unlock", {"contents": contents.tobytes()}, handle=handle, box=None)

    def buffer(self, handle: int, contents: bytes, kind: str = "vertex") -> None:
        self("CreateD3DBuffer", handle=handle, size=len(contents), kind=kind)
        self("LockD3DBuffer", handle=handle, offset=0, size=0)
        self("UnlockD3DBuffer", {"contents": contents}, handle=handle, offset=0)

    def draw(self, *tokens: tuple, vertices: bytes = b"", stride: int = 20, kind: int = SCREEN, fresh: bool = False) -> None:
        """Tokens in one call; `vertices` as user memory, with the stride and vertex type that DirectX 7 draws take."""
        stream = bytearray()
        for op, items, *fields in tokens:
            dp2.emit(stream, op, items, **(fields[0] if fields else {}))
        data: dict[str, Any] = {"commands": bytes(stream)}
        args = {"context": CONTEXT, "command_length": len(stream), "vertex_size": stride, "vertex_type": kind}
        if vertices:
            data["vertices"], args["vertex_length"] = vertices, len(vertices) // stride
        self("DrawPrimitives2", data, **args)

    def picture(self, surface: Any = TARGET) -> np.ndarray:
        return self.driver.read(surface)[0].view("<u4") & 0xFFFFFF


def states(**values: int) -> tuple:
    return "RENDERSTATE", [{"state": RENDER_STATE_ID[name], "value": value} for name, value in values.items()]


def stage(number: int = 0, **values: int) -> tuple:
    items = [{"stage": number, "state": TEXTURE_STAGE_STATE_ID[name], "value": value} for name, value in values.items()]
    return "TEXTURESTAGESTATE", items


def shader(handle: int) -> tuple:
    return "SETVERTEXSHADER", [{"shader": handle}]


def user_memory(stride: int = 20) -> tuple:
    return "SETSTREAMSOURCEUM", [{"stream": 0, "stride": stride}]


def vertex(x: float, y: float, color: int = WHITE, z: float = 0.5) -> bytes:
    return struct.pack("<4fI", x - 0.5, y - 0.5, z, 1.0, 0xFF000000 | color)


def quad(left: float, top: float, right: float, bottom: float, color: int = WHITE, z: float = 0.5) -> list[bytes]:
    """Upper left, upper right, lower left, lower right: pixels left..right-1, top..bottom-1."""
    return [vertex(x, y, color, z) for y in (top, bottom) for x in (left, right)]


def box(left: int, top: int, right: int, bottom: int, color: int = WHITE) -> np.ndarray:
    picture = np.zeros((SIZE, SIZE), np.uint32)
    picture[top:bottom, left:right] = color
    return picture


QUAD = quad(2, 3, 9, 11)
EXPECTED = box(2, 3, 9, 11)


def textured(x: float, y: float, u: float, v: float) -> bytes:
    return struct.pack("<4fI2f", x - 0.5, y - 0.5, 0.5, 1.0, 0xFFFFFFFF, u, v)


def textured_quad(left: int, top: int, right: int, bottom: int) -> bytes:
    return b"".join(textured(x, y, u, v) for y, v in ((top, 0.0), (bottom, 1.0)) for x, u in ((left, 0.0), (right, 1.0)))


def draw_textured(machine: Machine, texture: int, box: tuple[int, int, int, int]) -> None:
    machine.draw(
        shader(SCREEN_TEXTURED),
        user_memory(28),
        stage(TEXTUREMAP=texture, COLOROP=2, COLORARG1=2, ALPHAOP=2, ALPHAARG1=2),
        ("DRAWPRIMITIVE", [{"type": STRIP, "start": 0, "count": 2}]),
        vertices=textured_quad(*box),
        stride=28,
    )
