"""More forms of rules: what is found while tokens are executed and drawn."""

from __future__ import annotations

import struct
from typing import Any

from tests.core.ddi.rule_bench import BUFFER, DEPTH, INDICES, TARGET, TEXTURE, TRIANGLE, XYZ, XYZRHW, Bench, state
from tests.core.ddi.rule_forms_calls import does, draws, surface
from tests.core.ddi.rule_pairs import ORDER, Act, both, textured

LIST = ("TRIANGLELIST", {"start": 0, "primitives": 1})
POSITIONS = struct.pack("<48f", *(number for n in range(16) for number in (n % 4 / 4, n // 4 / 4, 1.5)))
PATCH = struct.pack("<7I", 0, 0, 4, 4, 4, 0, 3)


def from_buffers(
    *more: tuple, vertices: bytes = TRIANGLE, indices: bytes = ORDER, stride: int = 2, last: Act | None = None
) -> Act:
    """An indexed triangle of transformed vertices; `last` happens just before it."""

    def act(b: Bench) -> None:
        b.buffer(BUFFER, vertices)
        b.buffer(INDICES, indices, kind="index")
        b.draw(
            ("SETVERTEXSHADER", {"shader": XYZRHW}), ("SETSTREAMSOURCE", {"stream": 0, "buffer": BUFFER, "stride": 16}),
            ("SETINDICES", {"buffer": INDICES, "stride": stride}), *more,
        )  # fmt: skip
        if last is not None:
            last(b)
        window = {"type": "TRIANGLELIST", "base": 0, "min_index": 0, "vertex_count": 3, "start": 0, "count": 1}
        b.draw(("DRAWINDEXEDPRIMITIVE", window))

    return act


def patch(points: int = 16, **more: Any) -> Act:
    """A bicubic patch of 16 control points; the stream holds `points` of them."""
    asked = {"patch": 0, "flags": 2, "info": PATCH} | more

    def act(b: Bench) -> None:
        b.buffer(BUFFER, POSITIONS[: 12 * points])
        b.draw(
            ("SETVERTEXSHADER", {"shader": XYZ}), ("SETSTREAMSOURCE", {"stream": 0, "buffer": BUFFER, "stride": 12}),
            ("DRAWRECTPATCH", asked),
        )  # fmt: skip

    return act


def npatches(points: int, count: int = 1, segments: float = 2.0) -> Act:
    """Triangles as N-patches; the stream holds `points` vertices of a position and a normal."""
    corners = struct.pack("<18f", *(0, 0, 0.5, 0, 0, 1, 1, 0, 0.5, 0, 0, 1, 0, 1, 0.5, 0, 0, 1)) * count

    def act(b: Bench) -> None:
        b.buffer(BUFFER, corners[: 24 * points])
        b.draw(
            ("SETVERTEXSHADER", {"shader": 0x12}), state("PATCHSEGMENTS", *struct.unpack("<I", struct.pack("<f", segments))),
            ("SETSTREAMSOURCE", {"stream": 0, "buffer": BUFFER, "stride": 24}),
            ("DRAWPRIMITIVE", {"type": "TRIANGLELIST", "start": 0, "count": count}),
        )  # fmt: skip

    return act


def draws_w(*more: tuple) -> Act:
    """A triangle under a projection of infinite depth, which names no far plane for a w buffer."""
    endless = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 1, 0, 0, 2, 0)

    def act(b: Bench) -> None:
        b.buffer(BUFFER, POSITIONS)
        b.draw(
            ("SETVERTEXSHADER", {"shader": XYZ}), ("SETSTREAMSOURCE", {"stream": 0, "buffer": BUFFER, "stride": 12}),
            ("SETTRANSFORM", {"type": 3, "matrix": endless}), *more,
            ("DRAWPRIMITIVE", {"type": "TRIANGLELIST", "start": 0, "count": 1}),
        )  # fmt: skip

    return act


def targets(color: int, depth: int = 0) -> tuple:
    return "SETRENDERTARGET", {"render_target": color, "depth_stencil": depth}


def sets(*operations: tuple[int, int], kind: int = 1) -> Act:
    """STATESETs: (operation, handle)."""
    return draws(*(("STATESET", {"operation": operation, "handle": handle, "type": kind}) for operation, handle in operations))


def blit(token: str, source: int, destination: int, **more: Any) -> Act:
    """A copying token, after two textures and two buffers of 64 bytes were made."""

    def act(b: Bench) -> None:
        b.surface(TEXTURE)
        b.surface(30)
        b.buffer(BUFFER, bytes(64))
        b.buffer(INDICES, bytes(64))
        b.draw((token, {"source": source, "destination": destination, "flags": 0, **more}))

    return act


BEGIN, END, DELETE, EXECUTE, CAPTURE, CREATE = 0, 1, 2, 3, 4, 5
FILL = {"color": 0, "depth": 1.0, "stencil": 0, "flags": 1, "items": [(0, 0, 4, 4)]}
TEXELS = {"point": (0, 0), "rect": (0, 0, 4, 4)}
LIGHT = ("CREATELIGHT", {"index": 1})


def sampled(b: Bench) -> None:
    """A triangle with the texture."""
    b.screen(("TEXTURESTAGESTATE", {"stage": 0, "state": 0, "value": TEXTURE}))


TOKEN_FORMS: list[tuple[str, Act, Act]] = [
    # draws
    ("bad-draw", lambda b: b.screen(("DRAWPRIMITIVE", {"type": 7, "start": 0, "count": 1})), lambda b: b.screen()),
    ("bad-draw", from_buffers(stride=3), from_buffers()),
    ("bad-handle", from_buffers(last=does("DestroyD3DBuffer", handle=INDICES)), from_buffers()),
    ("bad-draw", draws(LIST), lambda b: b.draw(LIST, vertices=TRIANGLE, vertex_type=XYZRHW, vertex_size=16, vertex_length=3)),
    ("vertex-range", from_buffers(indices=ORDER[:4]), from_buffers()),
    ("vertex-range", npatches(2), npatches(3)),
    ("bad-draw", npatches(210, 70, 64.0), npatches(192, 64, 64.0)),
    ("bad-draw", lambda b: b.screen(count=30_000), lambda b: b.screen()),
    ("vertex-range", patch(15), patch(16)),
    ("bad-patch", patch(info=struct.pack("<7I", 0, 0, 4, 4, 4, 0, 9)), patch()),
    ("bad-shader", lambda b: b.screen(("SETVERTEXSHADER", {"shader": 99})), lambda b: b.screen()),
    ("bad-shader", lambda b: b.screen(("SETPIXELSHADER", {"shader": 99})), lambda b: b.screen()),
    ("bad-format", lambda b: b.screen(targets(DEPTH)), lambda b: b.screen(targets(TARGET))),
    ("bad-texture", both(surface(TEXTURE, "X8R8G8B8", samples=4), sampled), both(surface(TEXTURE), sampled)),
    ("bad-texture", textured(99), textured(TEXTURE)),
    ("unimplemented-state", draws_w(state("ZENABLE", 2)),
     draws_w(("WINFO", {"near": 1.0, "far": 100.0}), state("ZENABLE", 2))),
    # states
    ("unimplemented-state", draws(("TEXTURESTAGESTATE", {"stage": 0, "state": 16, "value": 4})),
     draws(("TEXTURESTAGESTATE", {"stage": 0, "state": 16, "value": 2}))),
    ("unimplemented-state", draws(state("TEXTUREMAPBLEND", 99)), draws(state("TEXTUREMAPBLEND", 2))),
    ("bad-record", draws(LIGHT, ("SETLIGHT", {"index": 1, "data": 7})), draws(LIGHT, ("SETLIGHT", {"index": 1, "data": 0}))),
    *(("bad-handle", draws((token, {"surface": 99, **more})),
       both(surface(TEXTURE), draws((token, {"surface": TEXTURE, **more}))))
      for token, more in (("SETPRIORITY", {"priority": 1}), ("SETTEXLOD", {"lod": 0}))),
    ("bad-record", draws(("UPDATEPALETTE", {"palette": 3, "start": 255, "count": 2, "entries": bytes(8)})),
     draws(("UPDATEPALETTE", {"palette": 3, "start": 254, "count": 2, "entries": bytes(8)}))),
    # copies and clears
    *(("bad-handle", blit("TEXBLT", source, destination, **TEXELS), blit("TEXBLT", TEXTURE, 30, **TEXELS))
      for source, destination in ((99, 30), (TEXTURE, 99))),
    *(("bad-handle", blit("BUFFERBLT", source, destination, offset=0, range=(0, 64)),
       blit("BUFFERBLT", BUFFER, INDICES, offset=0, range=(0, 64))) for source, destination in ((99, INDICES), (BUFFER, 99))),
    *(("bad-blit", blit("BUFFERBLT", BUFFER, INDICES, offset=to, range=taken),
       blit("BUFFERBLT", BUFFER, INDICES, offset=0, range=(0, 64))) for to, taken in ((1, (0, 64)), (0, (1, 64)))),
    ("bad-format", both(surface(TEXTURE, "DXT1"), draws(targets(TEXTURE), ("CLEAR", FILL))),
     both(surface(TEXTURE), draws(targets(TEXTURE), ("CLEAR", FILL)))),
    # state sets
    ("bad-state-set", sets((BEGIN, 4), (BEGIN, 5), (END, 5)), sets((BEGIN, 4), (END, 4), (BEGIN, 5), (END, 5))),
    ("bad-state-set", sets((9, 4)), sets((CREATE, 4), (EXECUTE, 4))),
    *(("bad-state-set", sets((operation, 4)), sets((CREATE, 4), (operation, 4))) for operation in (EXECUTE, CAPTURE, DELETE)),
    ("bad-state-set", sets((CREATE, 4), kind=9), sets((CREATE, 4))),
]  # fmt: skip
