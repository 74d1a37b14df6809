"""A capture made for measuring: as many frames, draws, triangles and bytes as asked.

    python -m tests.bench.synthetic OUT.ddicap [--frames 100] [--draws 2000] [--triangles 100000] [--megabytes 0]
                                            [--resources 0]

Each frame clears 1024 x 768 pixels, then draws small triangles of a static buffer in its own order, with four state tokens
before each draw, and is presented.  `megabytes` of incompressible textures are uploaded on the way; `resources` textures of
4 x 4 texels are made, bound by a draw and mostly let go of again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.stream import dp2
from core.spec.enums import Fvf
from core.spec.tokens import Op
from inspector.tape import TapeWriter
from tests.driver_calls import CONTEXT, call

WIDTH, HEIGHT = 1024, 768
PRIMARY, TARGET, DEPTH, BUFFER, TEXTURE, UPLOADED = 1, 2, 3, 4, 10, 100
FORMAT = Fvf.XYZRHW | Fvf.DIFFUSE | Fvf.TEX1
VERTEX = np.dtype([("position", "<f4", 4), ("diffuse", "<u4"), ("texture", "<f4", 2)])
TEXTURES, EDGE, UPLOAD_EDGE = 4, 256, 1024
DRAWS_A_CALL = 500
PASSING, KEPT = 1000, 5000  # the first handle of the textures that come and go, and how many there are at once


def tokens(stream: bytes, **more: Any) -> DdiCall:
    return call("DrawPrimitives2", {"commands": stream}, context=CONTEXT, command_length=len(stream), **more)


def vertices(triangles: int, rng: np.random.Generator) -> np.ndarray:
    """Triangles of about ten pixels an edge, anywhere on the screen: VERTEX[3 * triangles]."""
    made = np.zeros((triangles, 3), VERTEX)
    middle = rng.uniform((0, 0), (WIDTH, HEIGHT), (triangles, 1, 2))
    made["position"][..., :2] = middle + rng.uniform(-8, 8, (triangles, 3, 2))
    made["position"][..., 2] = rng.uniform(size=(triangles, 1))
    made["position"][..., 3] = 1
    made["diffuse"] = rng.integers(0, 1 << 32, (triangles, 3))
    made["texture"] = rng.uniform(0, 1, (triangles, 3, 2))
    return made.reshape(-1)


def upload(handle: int, contents: bytes) -> list[DdiCall]:
    return [call("Lock", handle=handle), call("Unlock", {"contents": contents}, handle=handle)]


def beginning(triangles: int, rng: np.random.Generator) -> Iterator[DdiCall]:
    """Surfaces, buffer and textures, first states."""
    yield call("CreateSurface", handle=PRIMARY, width=WIDTH, height=HEIGHT, format=22, label="primary")
    yield call("CreateSurface", handle=TARGET, width=WIDTH, height=HEIGHT, format=22, label="back_buffer")
    yield call("CreateSurface", handle=DEPTH, width=WIDTH, height=HEIGHT, format=75, label="depth")
    for n in range(TEXTURES):
        yield call("CreateSurface", handle=TEXTURE + n, width=EDGE, height=EDGE, format=21)
        yield from upload(TEXTURE + n, rng.bytes(4 * EDGE * EDGE))
    data = vertices(triangles, rng).tobytes()
    yield call("CreateD3DBuffer", handle=BUFFER, size=len(data))
    yield call("LockD3DBuffer", handle=BUFFER)
    yield call("UnlockD3DBuffer", {"contents": data}, handle=BUFFER, offset=0)
    yield call("ContextCreate", context=CONTEXT, render_target=TARGET, depth_stencil=DEPTH, width=WIDTH, height=HEIGHT)
    stream = bytearray()
    dp2.emit(stream, "ZRANGE", [{"min": 0, "max": 1}])
    dp2.emit(stream, "SETVERTEXSHADER", [{"shader": int(FORMAT)}])
    dp2.emit(stream, "SETSTREAMSOURCE", [{"stream": 0, "buffer": BUFFER, "stride": VERTEX.itemsize}])
    states = {7: 1, 14: 1, 23: 4, 22: 1, 19: 5, 20: 6}  # depth, culling off, blend factors
    dp2.emit(stream, "RENDERSTATE", [{"state": state, "value": value} for state, value in states.items()])
    yield tokens(bytes(stream))


def frame(draws: int, triangles: int, rng: np.random.Generator) -> Iterator[DdiCall]:
    """Clear, draws with their states, presentation."""
    stream = bytearray()
    dp2.emit(stream, "CLEAR", [(0, 0, WIDTH, HEIGHT)], flags=7, color=0xFF203040, depth=1.0, stencil=0)
    yield tokens(bytes(stream))
    each = triangles // draws
    row = np.zeros((draws, 16), "<u4")
    row[:, [0, 3]] = Op["RENDERSTATE"] | 1 << 16
    row[:, [6, 9]] = Op["TEXTURESTAGESTATE"] | 1 << 16
    row[:, 1], row[:, 2] = 27, np.arange(draws) % 4 == 0  # blending
    row[:, 4], row[:, 5] = 24, rng.integers(0, 256, draws)
    row[:, 7], row[:, 8] = 0, TEXTURE + rng.integers(0, TEXTURES, draws)
    row[:, 10], row[:, 11] = 1 << 16, 4  # MODULATE
    row[:, 12] = Op["DRAWPRIMITIVE"] | 1 << 16
    row[:, 13], row[:, 14], row[:, 15] = 4, 3 * each * rng.permutation(draws), each
    for first in range(0, draws, DRAWS_A_CALL):
        yield tokens(row[first : first + DRAWS_A_CALL].tobytes())
    yield call("Blt", source=TARGET, destination=PRIMARY, presentation=2)


def passing(first: int, count: int) -> Iterator[DdiCall]:
    """Textures that live until `KEPT` more are made; each is bound once."""
    for handle in range(first, first + count):
        yield call("CreateSurface", handle=handle, width=4, height=4, format=21)
        yield from upload(handle, handle.to_bytes(4, "little") * 16)
        stream = bytearray()
        dp2.emit(stream, "TEXTURESTAGESTATE", [{"stage": 0, "state": 0, "value": handle}])
        dp2.emit(stream, "DRAWPRIMITIVE", [{"type": 4, "start": 0, "count": 1}])
        yield tokens(bytes(stream))
        if handle >= PASSING + KEPT:
            yield call("DestroySurface", handle=handle - KEPT)


def calls(frames: int, draws: int, triangles: int, megabytes: int, resources: int = 0) -> Iterator[DdiCall]:
    """The whole tape."""
    rng = np.random.default_rng(7)
    yield from beginning(triangles, rng)
    size = 4 * UPLOAD_EDGE * UPLOAD_EDGE
    uploads = -(-(megabytes << 20) // size)
    for n in range(frames):
        for number in range(uploads * n // frames, uploads * (n + 1) // frames):
            handle = UPLOADED + number % 8
            if number < 8:
                yield call("CreateSurface", handle=handle, width=UPLOAD_EDGE, height=UPLOAD_EDGE, format=21)
            yield from upload(handle, rng.bytes(size))
        yield from passing(PASSING + resources * n // frames, resources * (n + 1) // frames - resources * n // frames)
        yield from frame(draws, triangles, rng)


def write(path: Path, frames: int = 100, draws: int = 2000, triangles: int = 100_000, megabytes: int = 0,
          resources: int = 0) -> Path:  # fmt: skip
    """Makes the capture."""
    with TapeWriter(path, durable=False) as writer:
        for one in calls(frames, draws, triangles, megabytes, resources):
            writer.append(one)
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    for name, default in (("frames", 100), ("draws", 2000), ("triangles", 100_000), ("megabytes", 0), ("resources", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    write(**{("path" if name == "output" else name): value for name, value in vars(parser.parse_args()).items()})
