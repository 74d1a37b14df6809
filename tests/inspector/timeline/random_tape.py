"""Random calls and token streams: draws, clears, copies, uploads, flips, palettes, contexts, objects that come and go."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from core.ddi.calls import DdiCall
from tests.driver_calls import CONTEXT, call, tokens

SECOND = 2  # context
TARGET, DEPTH, OTHER, PALETTED, CUBE, PASSING, BROAD, STREAMED = 10, 11, 12, 20, 40, 60, 13, 70
SIZE = 40
WIDE = 150  # the depth surface: more tiles in a row than the targets have
PALETTE = 3
SURFACES = ((TARGET, 21, SIZE, SIZE), (OTHER, 21, SIZE, SIZE), (DEPTH, 75, WIDE, 70), (BROAD, 23, WIDE, 70))


def setup(samples: int = 0) -> list[DdiCall]:
    """Two contexts with their surfaces, a paletted texture, a cube map."""
    states = [{"state": 22, "value": 1}, {"state": 7, "value": 1}, {"state": 27, "value": 1}, {"state": 19, "value": 2}]
    begin = (("ZRANGE", [{"min": 0, "max": 1}]), ("SETVERTEXSHADER", [{"shader": 0x44}]), ("RENDERSTATE", states))
    made = [
        call("CreateSurface", handle=handle, width=width, height=height, format=format, samples=samples)
        for handle, format, width, height in SURFACES
    ]
    made += [
        call("CreateSurface", handle=PALETTED, width=8, height=8, format=41, levels=2),
        call("CreateSurface", handle=CUBE, width=8, height=8, format=21, levels=2, faces=6),
    ]
    for context, depth in ((CONTEXT, DEPTH), (SECOND, 0)):
        made.append(
            call("ContextCreate", context=context, render_target=TARGET, depth_stencil=depth, width=SIZE, height=SIZE)
        )  # fmt: skip
        made.append(tokens(*begin, context=context))
    return made


def triangles(seed: int) -> DdiCall:
    """Two draws of two triangles each; they overlap and fail some depth tests; at times textured."""
    rng = np.random.default_rng(seed)
    corner = struct.Struct("<4fI").pack
    reach = (SIZE + 5, WIDE)[seed % 2]
    vertices = b"".join(
        corner(*rng.uniform(-5, reach, 2), rng.uniform(), 1.0, int(rng.integers(1 << 32))) for _ in range(12)
    )  # fmt: skip
    draw = {"type": 4, "count": 2}
    texture = (0, PALETTED, OTHER)[seed % 3]
    return tokens(
        ("TEXTURESTAGESTATE", [{"stage": 0, "state": 0, "value": texture}]),
        ("SETSTREAMSOURCEUM", [{"stream": 0, "stride": 20}]),
        ("DRAWPRIMITIVE", [{**draw, "start": 0}, {**draw, "start": 6}]),
        vertices=vertices, context=SECOND if seed % 7 == 0 else CONTEXT,
    )  # fmt: skip


def clear(seed: int) -> DdiCall:
    """A part of the surfaces, or all of them."""
    rect = (0, 0, WIDE, WIDE) if seed % 2 else (seed % 20, seed % 17, seed % 20 + 15, SIZE)
    fields = {"flags": 1 + seed % 7, "color": 0xFF000000 | seed * 7919, "depth": 0.5, "stencil": seed & 255}
    return tokens(("CLEAR", [rect], fields))


def copy(seed: int) -> DdiCall:
    """A part of one surface into another."""
    box = (0, 0, 9, 9) if seed % 3 else (0, 0, SIZE, SIZE)
    source = (0, 0, SIZE, SIZE) if box[2] == SIZE else (seed % 9, 0, seed % 9 + 9, 9)
    return call("Blt", destination=TARGET, source=OTHER, destination_box=box, source_box=source)


def turn(seed: int) -> DdiCall:
    """Another render target, with or without depth."""
    target = {"render_target": (TARGET, OTHER, BROAD)[seed % 3], "depth_stencil": (DEPTH, 0)[seed & 1]}
    return tokens(("SETRENDERTARGET", [target]))


def palette(seed: int) -> DdiCall:
    """Colours of the palette, and its binding."""
    entries = [seed | n << 8 | 255 - n << 16 | 9 * n << 24 for n in range(16)]
    bound = [{"palette": PALETTE, "flags": 1 + (seed & 1), "surface": PALETTED}]
    return tokens(("SETPALETTE", bound), ("UPDATEPALETTE", entries, {"palette": PALETTE, "start": seed % 100}))


def flip(seed: int) -> DdiCall:
    """The two pictures change places."""
    return call("Flip", surface=[TARGET, OTHER] if seed & 1 else [OTHER, TARGET])


def upload(seed: int) -> list[DdiCall]:
    """Bytes into a level of the paletted texture or of the cube map."""
    handle = PALETTED + seed % 2 if seed & 4 else CUBE + seed % 12
    edge = 8 >> (seed % 2)
    contents = np.random.default_rng(seed).bytes(edge * edge * (1 if seed & 4 else 4))
    return [call("Lock", handle=handle, box=None), call("Unlock", {"contents": contents}, handle=handle, box=None)]


def come(seed: int) -> list[DdiCall]:
    """A surface that takes the place of an earlier one."""
    made = call("CreateSurface", handle=PASSING, width=4 + seed % 5, height=4, format=21)
    return [made, call("Blt", destination=PASSING, flags=0x400, color=seed * 77)]


def go(seed: int) -> DdiCall:
    """It is destroyed, if it is there."""
    return call("DestroySurface", handle=PASSING)


def lock(seed: int) -> list[DdiCall]:
    """A buffer that the program fills again, or a surface; every fifth unlock has no lock."""
    entry, handle = ("D3DBuffer", STREAMED) if seed & 1 else ("", (PALETTED, PASSING)[seed // 2 % 2])
    locked, unlocked = call(f"Lock{entry}", handle=handle), call(f"Unlock{entry}", handle=handle)
    return [locked, unlocked] if seed % 5 else [unlocked]


def buffer(seed: int) -> DdiCall:
    """A vertex buffer, or a texture that takes its handle."""
    if seed & 1:
        return call("CreateSurface", handle=STREAMED, width=4, height=4, format=21)
    return call(
        "CreateD3DBuffer", handle=STREAMED, size=64, fvf=0x44 * (seed // 2 % 2), kind=("vertex", "index")[seed // 4 % 2]
    )


def bound(seed: int) -> DdiCall:
    """The buffer is bound, states are set: some make no sense."""
    source = ("SETSTREAMSOURCE", [{"stream": seed % 2, "buffer": STREAMED, "stride": 20}])
    stage = ("TEXTURESTAGESTATE", [{"stage": 0, "state": 1, "value": (4, 99)[seed % 13 == 0]}])
    state = ("RENDERSTATE", [{"state": 22, "value": (1, 98)[seed % 11 == 0]}])
    return tokens(*((source, stage, state) if seed % 3 == 0 else (stage, state)))


STEPS: list[Callable[[int], Any]] = [triangles, triangles, triangles, clear, copy, turn, palette, flip, upload, come, go]
LOCKING: list[Callable[[int], Any]] = [*STEPS, lock, lock, buffer, bound, bound, bound, come, go]


@st.composite
def tapes(draw: st.DrawFn, most: int = 10, choice: list[Callable[[int], Any]] = STEPS) -> tuple[list[DdiCall], list[int]]:
    """Calls, and the numbers of those behind which a frame begins."""
    steps = draw(st.lists(st.tuples(st.sampled_from(choice), st.integers(0, 99)), min_size=1, max_size=most))
    calls, ends = setup(draw(st.sampled_from([0, 0, 4]))), []
    for make, seed in steps:
        made = make(seed)
        calls += made if isinstance(made, list) else [made]
        if seed % 4 == 0:
            ends.append(len(calls))
    return calls, ends
