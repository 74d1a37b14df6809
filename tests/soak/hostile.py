"""Captures whose every draw and copy covers much: answers about them take long enough to be stopped."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.runtime.d3d7 import DDPIXELFORMAT, DDSCAPS2, DDSURFACEDESC2
from core.spec.enums import ClearFlag, Fvf, PrimitiveType
from inspector.imports.scripts import record_directdraw
from inspector.tape import TapeWriter
from tests.driver_calls import call, tokens

SIZE, LOOKS = 256, 3
DXT1 = int.from_bytes(b"DXT1", "little")
PATCHSEGMENTS, TRIANGLES, ON_SCREEN, NORMALS = 164, 4, 0x44, 0x12


class Stop:
    """What cancels at the n-th look."""

    def __init__(self, looks: int = LOOKS) -> None:
        self.left, self.said = looks, False

    def __call__(self) -> bool:
        self.left -= 1
        self.said |= self.left <= 0
        return self.said


def start() -> Iterator[DdiCall]:
    for handle, number, label in ((1, 21, "back_buffer"), (2, 75, "depth"), (3, 23, "texture"), (4, DXT1, "texture")):
        yield call("CreateSurface", handle=handle, width=SIZE, height=SIZE, format=number, label=label)
    yield call("ContextCreate", context=1, render_target=1, depth_stencil=2, width=SIZE, height=SIZE)


def fills() -> DdiCall:
    """Triangles that cover everything."""
    corners = b"".join(struct.pack("<4fI", x, y, 0.5, 1, 0xFF00FF00) for x, y in ((0, 0), (2 * SIZE, 0), (0, 2 * SIZE)))
    shader, stream = ("SETVERTEXSHADER", None, {"shader": ON_SCREEN}), ("SETSTREAMSOURCEUM", None, {"stride": 20})
    draw = "DRAWPRIMITIVE", [{"type": TRIANGLES, "start": 0, "count": 8}]
    return tokens(shader, stream, *[draw] * 4, vertices=corners * 8)


def patches() -> DdiCall:
    """Many curved triangles of very few segments."""
    corners = b"".join(struct.pack("<6f", x, y, 0.5, 0, 0, 1) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0, 0.5)))
    state = "RENDERSTATE", [{"state": PATCHSEGMENTS, "value": 0x40000000}]
    shader, stream = ("SETVERTEXSHADER", None, {"shader": NORMALS}), ("SETSTREAMSOURCEUM", None, {"stride": 24})
    draw = "DRAWPRIMITIVE", [{"type": TRIANGLES, "start": 0, "count": 500}]
    return tokens(state, shader, stream, draw, vertices=corners * 500, vertex_size=24)


def blits() -> Iterator[DdiCall]:
    """Stretched and converted."""
    for target, source in ((3, 1), (1, 4)):
        yield call("Blt", destination=target, source=source, destination_box=(0, 0, SIZE, SIZE), source_box=(0, 0, 128, SIZE))


BUFFER, PALETTED, VOLUME, PALETTE = 5, 6, 7, 1


def buffered() -> Iterator[DdiCall]:
    """A buffer that is filled, drawn from and filled again."""
    corners = b"".join(struct.pack("<4fI", x, y, 0.5, 1, 0xFFFF0000) for x, y in ((0, 0), (2 * SIZE, 0), (0, 2 * SIZE)))
    yield call("CreateD3DBuffer", handle=BUFFER, size=60 * 8, kind="vertex")
    draw = "DRAWPRIMITIVE", [{"type": TRIANGLES, "start": 0, "count": 8}]
    for contents in (corners * 8, corners[::-1] * 8):
        yield call("LockD3DBuffer", handle=BUFFER, offset=0, size=0, flags=0)
        yield call("UnlockD3DBuffer", {"contents": contents}, handle=BUFFER, offset=0)
        stream = "SETSTREAMSOURCE", None, {"stream": 0, "buffer": BUFFER, "stride": 20}
        yield tokens(("SETVERTEXSHADER", None, {"shader": ON_SCREEN}), stream, draw)


def of_driver_calls(path: Path) -> None:
    """Draws from a buffer, curved triangles, triangles and copies over everything; a volume, and a surface with a palette."""
    with TapeWriter(path, durable=False) as writer:
        for one in start():
            writer.append(one)
        writer.append(call("CreateSurface", handle=PALETTED, width=SIZE, height=SIZE, format=41))
        writer.append(call("CreateSurface", handle=VOLUME, width=SIZE, height=SIZE, depth=4, kind="volume", format=21))
        writer.append(tokens(("SETPALETTE", None, {"palette": PALETTE, "flags": 0, "surface": PALETTED})))
        for one in (*buffered(), patches(), fills(), *blits(), fills(), *blits()):
            writer.append(one)


# ---- Direct3D 7

RGB32 = DDPIXELFORMAT(32, 0x40, 0, 32, 0xFF0000, 0, 0xFF00, 0, 0xFF, 0)
DEPTH = DDPIXELFORMAT(32, 0x400, 0, 16, 0, 0xFFFF)
LIT = np.dtype([("position", "f4", 3), ("normal", "f4", 3), ("texture", "f4", 2)])
LIT_FORMAT = Fvf.XYZ | Fvf.NORMAL | 0x100
FLIP_CHAIN, ATTACHED_BACK, TEXTURE, ZBUFFER = 0x2218, 4, 0x1000, 0x20000
COLOR_KEY, FOG, FOG_COLOR, FOG_TABLE, SPECULAR = 41, 28, 34, 35, 29
KEY_SOURCE, WAIT = 0x8000, 0x1000000


def of_directdraw(path: Path) -> None:
    """Lit, keyed, fogged triangles over all of a flip chain, stretched and keyed copies, two Flips; with its API calls."""
    with record_directdraw(path) as draw:
        draw.SetDisplayMode(SIZE, SIZE, 32, 0, 0)
        screen = draw.CreateSurface(DDSURFACEDESC2(dwFlags=0x21, dwBackBufferCount=1, ddsCaps=DDSCAPS2(FLIP_CHAIN)))
        back = screen.GetAttachedSurface(DDSCAPS2(ATTACHED_BACK))
        back.AddAttachedSurface(_made(draw, ZBUFFER, DEPTH))
        texture = _made(draw, TEXTURE, RGB32)
        rows = texture.Lock()
        rows.view(np.uint32)[:] = np.arange(SIZE * SIZE, dtype=np.uint32).reshape(SIZE, SIZE)
        texture.Unlock()
        texture.SetColorKey(8, (5, 5))
        device = draw.QueryInterface("IDirect3D7").CreateDevice(None, back)
        for _ in range(2):
            _frame(device, back, texture)
            screen.Flip(None, 1)


def _made(draw: Any, caps: int, form: DDPIXELFORMAT) -> Any:
    return draw.CreateSurface(DDSURFACEDESC2(dwFlags=0x1007, dwHeight=SIZE, dwWidth=SIZE, ddpfPixelFormat=form,
                                             ddsCaps=DDSCAPS2(caps)))  # fmt: skip


def _frame(device: Any, back: Any, texture: Any) -> None:
    corners = np.zeros(3, LIT)
    corners["position"] = (-1, -1, 0.5), (-1, 3, 0.5), (3, -1, 0.5)
    corners["normal"], corners["texture"] = (0, 0, -1), ((0, 0), (0, 2), (2, 0))
    many = np.tile(corners, 8)
    device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER, 0xFF808080, 1.0, 0)
    device.BeginScene()
    for state, value in ((COLOR_KEY, 1), (FOG, 1), (FOG_COLOR, 0xFF0000), (FOG_TABLE, 3), (SPECULAR, 1)):
        device.SetRenderState(state, value)
    device.SetTexture(0, texture)
    for _ in range(4):
        device.DrawPrimitive(PrimitiveType.TRIANGLELIST, LIT_FORMAT, many, len(many), 0)
    device.EndScene()
    back.Blt(None, texture, None, KEY_SOURCE | WAIT, None)
    texture.Blt((0, 0, SIZE, SIZE), back, (0, 0, SIZE // 2, SIZE), WAIT, None)
