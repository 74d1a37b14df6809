"""Small captures made of random tokens: a target, a depth surface, a texture; draws, clears, copies, uploads, states."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

import inspector
from core.ddi.calls import DdiCall
from inspector.tape import TapeWriter
from tests import driver_calls
from tests.driver_calls import CONTEXT, call

TARGET, DEPTH, TEXTURE, SIZE = 10, 11, 12, 40
STRIDE = 28  # XYZRHW, diffuse, one texture coordinate pair
FVF = 0x144
CORNER = struct.Struct("<4fI2f").pack
tokens = partial(driver_calls.tokens, vertex_size=STRIDE)


def beginning() -> list[DdiCall]:
    """Surfaces, a context, a texture of noise, and state for transformed triangles."""
    made = [
        call("CreateSurface", handle=handle, width=SIZE, height=SIZE, format=format, label=label)
        for handle, format, label in ((TARGET, 21, "render_target"), (DEPTH, 75, "depth"))
    ]
    texture = call("CreateSurface", handle=TEXTURE, width=8, height=8, format=21, label="texture")
    states = [{"state": 22, "value": 1}, {"state": 7, "value": 1}, {"state": 27, "value": 0}, {"state": 137, "value": 0}]
    stages = [{"stage": 0, "state": state, "value": value} for state, value in ((0, TEXTURE), (1, 4), (2, 2), (3, 0), (17, 1))]
    return [
        *made, texture, call("Lock", handle=TEXTURE, box=None, flags=0), upload(0),
        call("ContextCreate", context=CONTEXT, render_target=TARGET, depth_stencil=DEPTH, width=SIZE, height=SIZE),
        tokens(("ZRANGE", [{"min": 0, "max": 1}]), ("SETVERTEXSHADER", [{"shader": FVF}]), ("RENDERSTATE", states),
               ("TEXTURESTAGESTATE", stages),
               ("CLEAR", [(0, 0, SIZE, SIZE)], {"flags": 3, "color": 0xFF102030, "depth": 1.0})),
    ]  # fmt: skip


def upload(seed: int) -> DdiCall:
    contents = np.random.default_rng(seed).integers(0, 256, 256, dtype=np.uint8).tobytes()
    return call("Unlock", {"contents": contents}, handle=TEXTURE, box=None, pitch=32, slice_pitch=0)


def draws(seed: int) -> DdiCall:
    """Two draws of two triangles each."""
    rng = np.random.default_rng(seed)
    corners = [
        CORNER(*rng.uniform(-5, SIZE + 5, 2), rng.uniform(), 1.0, int(rng.integers(1 << 32)), *rng.uniform(-1, 2, 2))
        for _ in range(12)
    ]
    draw = {"type": 4, "count": 2}
    return tokens(
        ("SETSTREAMSOURCEUM", [{"stream": 0, "stride": STRIDE}]),
        ("DRAWPRIMITIVE", [{**draw, "start": 0}, {**draw, "start": 6}]),
        vertices=b"".join(corners),
    )


def state(seed: int) -> DdiCall:
    """Three states in one token: cull mode, depth function, alpha blending and the like."""
    rng = np.random.default_rng(seed)
    known = ((22, (1, 2, 3)), (23, (2, 4, 8)), (27, (0, 1)), (19, (2, 5)), (20, (1, 6)), (8, (2, 3)), (24, (0, 128)))
    picked = [known[n] for n in rng.permutation(len(known))[:3]]
    return tokens(("RENDERSTATE", [{"state": number, "value": int(rng.choice(values))} for number, values in picked]))


def clear(seed: int) -> DdiCall:
    rect = (seed % 20, seed % 17, seed % 20 + 15, SIZE)
    fields = {"flags": 1 + 2 * (seed % 2), "color": 0xFF000000 | seed * 7919 & 0xFFFFFF, "depth": 0.5}
    return tokens(("CLEAR", [rect], fields))


def copy(seed: int) -> DdiCall:
    box = (seed % 9, 0, seed % 9 + 9, 9)
    return call("Blt", destination=TARGET, source=TARGET, destination_box=(20, 20, 29, 29), source_box=box)


def new_texels(seed: int) -> list[DdiCall]:
    return [call("Lock", handle=TEXTURE, box=None, flags=0), upload(seed + 1)]


def present() -> DdiCall:
    return call("Blt", destination=TARGET, source=TARGET, destination_box=(0, 0, 1, 1), source_box=(0, 0, 1, 1), presentation=2)


KINDS = {"draws": draws, "state": state, "clear": clear, "copy": copy, "new_texels": new_texels}


def stream(steps: Sequence[tuple[str, int]]) -> list[DdiCall]:
    """The calls of (kind, seed) steps behind the beginning, and a presentation in the middle."""
    calls = beginning()
    for n, (kind, seed) in enumerate(steps):
        made = KINDS[kind](seed)
        calls += made if isinstance(made, list) else [made]
        if n == len(steps) // 2:
            calls.append(present())
    return calls


def capture_of(calls: Sequence[DdiCall], folder: Path, name: str = "stream.ddicap") -> inspector.Capture:
    """The calls as an open capture."""
    path = folder / name
    path.unlink(missing_ok=True)
    with TapeWriter(path, durable=False) as writer:
        for one in calls:
            writer.append(one)
    return inspector.open(path)
