"""Rules that can be broken in several forms: each form is found, and the same done right is not."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from core.spec.enums import DdBlt, DdLock
from tests.core.ddi.rule_bench import BUFFER, INDICES, PIXEL_CODE, TARGET, TEXTURE, TRIANGLE, XYZRHW, Bench, state
from tests.core.ddi.rule_forms_calls import CALL_FORMS
from tests.core.ddi.rule_forms_runtime import RUNTIME_FORMS
from tests.core.ddi.rule_forms_tokens import TOKEN_FORMS
from tests.core.ddi.rule_pairs import DISCARD, NOOVERWRITE, OLD_LIST, Act, both, draws, formats, relocked, says

SHOW, LAST = int(DdBlt.PRESENTATION), int(DdBlt.PRESENTATION | DdBlt.LAST_PRESENTATION)
READONLY = int(DdLock.READONLY)
TEXTURED, DRAWN, DEEP = 0x1000, 0x2000, 0x20000  # DDSCAPS_TEXTURE, 3DDEVICE, ZBUFFER
BEGUN, ENDED = says("Blt", source=3, flags=SHOW), says("Blt", source=3, flags=LAST)
OLD_DEPTHS = struct.pack("<I8I", 1, 32, 0x400, 0, 16, 0, 0xFFFF, 0, 0)


def buffers(*more: Act) -> Act:
    """After a texture, a vertex buffer and an index buffer were made."""

    def make(b: Bench) -> None:
        b.surface(TEXTURE)
        b.buffer(BUFFER, bytes(64), kind="vertex")
        b.buffer(INDICES, bytes(64), kind="index")

    return both(make, *more)


def old_depths() -> Act:
    return says("GetDriverInfo", data={"reply": OLD_DEPTHS}, guid="ZPixelFormats")


def surface(profile_format: str = "A8R8G8B8", **asked: int) -> Act:
    return lambda b: b.surface(TEXTURE, profile_format, **asked)


def guarded(*corner: float, indexed: bool = False) -> Act:
    """A triangle with this first vertex for a driver that does not clip, with a guard band of 2048 pixels."""

    def act(b: Bench) -> None:
        b.driver.device.clip_limits = (-2048.0, -2048.0, 2048.0, 2048.0)
        vertices = struct.pack("<12f", *corner, 1, 9, 1, 0.5, 1, 1, 9, 0.5, 1)
        if indexed:
            b.buffer(INDICES, struct.pack("<3H", 1, 2, 0), kind="index")
            number = {
                "type": "TRIANGLELIST",
                "min_index": 0,
                "vertex_count": 3,
                "count": 1,
                "base_offset": 0,
                "start_offset": 0,
            }
            b.screen(("SETINDICES", {"buffer": INDICES, "stride": 2}), ("DRAWINDEXEDPRIMITIVE2", number), vertices=vertices)
        else:
            b.screen(vertices=vertices)

    return act


def windowed(token: str, vertices: int, start: int = 0) -> Act:
    """An indexed draw of vertices 0 to 2 that announces fewer, from the first or the fourth index on."""
    first = {"base": 0, "start": start} if token == "DRAWINDEXEDPRIMITIVE" else {"base_offset": 0, "start_offset": 2 * start}

    def act(b: Bench) -> None:
        b.buffer(INDICES, struct.pack("<6H", 0, 0, 0, 0, 1, 2), kind="index")
        draw = {"type": "TRIANGLELIST", "min_index": 0, "vertex_count": vertices, "count": 1, **first}
        b.draw(
            ("SETVERTEXSHADER", {"shader": XYZRHW}), ("SETSTREAMSOURCEUM", {"stream": 0, "stride": 16}),
            ("SETINDICES", {"buffer": INDICES, "stride": 2}), (token, draw), vertices=TRIANGLE,
        )  # fmt: skip

    return act


def volume_blt(x: int, size: int) -> Act:
    def act(b: Bench) -> None:
        for handle in (60, 61):
            b.surface(handle, caps=TEXTURED, caps2=0x200000, depth=4, width=4, height=4)
        box = (0, 0, size, 4, 0, 4)
        b.draw(("VOLUMEBLT", {"destination": 60, "source": 61, "x": x, "y": 0, "z": 0, "box": box, "flags": 0}))

    return act


PROMISED = {
    "DRAWPRIMITIVE": {"type": "TRIANGLELIST", "start": 2, "count": 1},
    "DRAWPRIMITIVE2": {"type": "TRIANGLELIST", "first_offset": 32, "count": 1},
    "CLIPPEDTRIANGLEFAN": {"first_offset": 32, "edge_flags": 0, "count": 1},
    "DRAWINDEXEDPRIMITIVE": {"type": "TRIANGLELIST", "base": -4, "min_index": 6, "vertex_count": 4, "start": 1, "count": 1},
    "DRAWINDEXEDPRIMITIVE2": {
        "type": "TRIANGLELIST", "base_offset": -64, "min_index": 6, "vertex_count": 4, "start_offset": 2, "count": 1,
    },
}  # fmt: skip
"""Draws of vertices 2, 3 and 4 out of 8, of 16 bytes each; the indexed ones announce vertex 5, too, and name 6, 7, 8 less 4."""


def promised(token: str, at: int, *between: Act, size: int = 4, buffer: int = BUFFER, flags: int = NOOVERWRITE) -> Act:
    """A draw from dynamic buffers; then bytes of one of them are changed under a lock with flags, and the last indices."""

    def act(b: Bench) -> None:
        b.buffer(BUFFER, bytes(128), usage=0x200)
        b.buffer(INDICES, struct.pack("<6H", 0, 6, 7, 8, 0, 0), kind="index", usage=0x200)
        b.draw(
            ("SETVERTEXSHADER", {"shader": XYZRHW}), ("SETSTREAMSOURCE", {"stream": 0, "buffer": BUFFER, "stride": 16}),
            ("SETSTREAMSOURCE", {"stream": 1, "buffer": BUFFER, "stride": 16}),  # that nothing reads
            ("SETINDICES", {"buffer": INDICES, "stride": 2}), (token, PROMISED[token]),
        )  # fmt: skip
        for then in between:
            then(b)
        b("LockD3DBuffer", handle=buffer, flags=flags)
        contents = bytearray(128 if buffer == BUFFER else struct.pack("<6H", 0, 6, 7, 8, 0, 0))
        contents[at : at + size] = b"\1" * size
        b("UnlockD3DBuffer", {"contents": bytes(contents)}, handle=buffer)

    return act


OLD = {
    "POINTS": ({"count": 3, "start": 2}, ()), "LINESTRIP": ({"start": 2, "primitives": 2}, ()),
    "TRIANGLELIST": ({"start": 2, "primitives": 1}, ()), "TRIANGLEFAN": ({"start": 2, "primitives": 1}, ()),
    "INDEXEDTRIANGLELIST": ({}, [(2, 3, 5, 0)]), "INDEXEDTRIANGLELIST2": ({"start": 1}, [(1, 2, 4)]),
    "INDEXEDTRIANGLESTRIP": ({"start": 1}, [(1,), (2,), (4,)]), "INDEXEDLINELIST2": ({"start": 1}, [(1, 4), (2, 1)]),
}  # fmt: skip
"""Draws of vertices 2, 3 and 4 out of 8, of 16 bytes each; the indexed ones of 2, 3 and 5."""


def promised_old(token: str, at: int, flags: int = NOOVERWRITE, start: int = 0) -> Act:
    """The same with a draw of DirectX 7 of the call's vertex buffer, from vertex `start` on."""

    def act(b: Bench) -> None:
        b.buffer(BUFFER, bytes(128), usage=0x200)
        fields, items = OLD[token]
        drawn = (token, fields | {"items": items} if items else fields)
        given = {"vertex_type": XYZRHW, "vertex_size": 16, "vertex_offset": 16 * start, "vertex_length": 8 - start}
        b.draw(drawn, vertex_buffer=BUFFER, **given)
        b("LockD3DBuffer", handle=BUFFER, flags=flags)
        b("UnlockD3DBuffer", {"contents": bytes(at) + b"\1" + bytes(127 - at)}, handle=BUFFER)

    return act


def relock(flags: int, handle: int = BUFFER, contents: bytes | None = None) -> Act:
    def act(b: Bench) -> None:
        b("LockD3DBuffer", handle=handle, flags=flags)
        b("UnlockD3DBuffer", {} if contents is None else {"contents": contents}, handle=handle)

    return act


INDEXED = [token for token in PROMISED if "INDEXED" in token]
OTHER_INDICES = relock(0, INDICES, struct.pack("<6H", 0, 6, 7, 8, 0, 1))
SHOWN: tuple[Act, ...] = (
    lambda b: b("Blt", source=TARGET, destination=TARGET, flags=LAST), lambda b: b("Flip", surface=[TARGET]),
    lambda b: b("Blt", source=TARGET, destination=TARGET, presentation=2), lambda b: b("DxgiPresent"),
)  # fmt: skip

FORMS: list[tuple[str, Act, Act]] = [
    *(
        ("lock-overwrite", promised(token, inside), promised(token, outside))
        for token in PROMISED
        for inside, outside in ((32, 28), (76, 80), (34, 100))
    ),
    *(("lock-overwrite", promised(token, 2, size=1, buffer=INDICES), promised(token, 8, size=1, buffer=INDICES))
      for token in INDEXED),
    *(("lock-overwrite", promised(token, 80, OTHER_INDICES), promised(token, 80)) for token in INDEXED),
    *(("lock-overwrite", promised("DRAWPRIMITIVE", 32), promised("DRAWPRIMITIVE", 32, flags=flags)) for flags in (0, DISCARD)),
    *(("lock-overwrite", promised_old(token, inside), promised_old(token, outside))
      for token in OLD for inside, outside in ((32, 31), (95, 96) if "INDEXED" in token else (79, 80))),
    ("lock-overwrite", promised_old("INDEXEDTRIANGLELIST", 63), promised_old("INDEXEDTRIANGLELIST", 64)),
    ("lock-overwrite", promised_old("TRIANGLELIST", 95, start=1), promised_old("TRIANGLELIST", 47, start=1)),
    ("lock-overwrite", promised_old("POINTS", 32, NOOVERWRITE | DISCARD), promised_old("POINTS", 32, DISCARD)),
    *(("lock-overwrite", promised("DRAWPRIMITIVE", 32, relock(READONLY)), promised("DRAWPRIMITIVE", 32, relock(flags)))
      for flags in (0, DISCARD)),
    *(("lock-overwrite", promised("DRAWPRIMITIVE", 32), promised("DRAWPRIMITIVE", 32, shown)) for shown in SHOWN),
    ("lock-discard", both(relocked(0, 0, bytes(48)), relock(DISCARD), relock(DISCARD)),
     both(relocked(0, 0, bytes(48)), relock(DISCARD), relock(NOOVERWRITE, contents=bytes(4)), relock(DISCARD))),
    *(
        ("presentation-last", both(BEGUN, says(entry, **args)), both(BEGUN, ENDED, says(entry, **args)))
        for entry, args in (
            ("Flip", {"surface": [1, 2]}), ("Clear2", {"flags": 1}), ("Clear", {"flags": 1}),
            ("Blt", {"source": 4, "flags": 0}), ("DrawPrimitives2", {}),
        )
    ),
    *(
        ("bad-handle", buffers(draws(token, **fields, buffer=wrong)), buffers(draws(token, **fields, buffer=right)))
        for token, fields, right, other in (
            ("SETSTREAMSOURCE", {"stream": 0, "stride": 16}, BUFFER, INDICES), ("SETINDICES", {"stride": 2}, INDICES, BUFFER),
        )
        for wrong in (99, TEXTURE, other)
    ),
    ("bad-handle", buffers(draws("SETINDICES", buffer=99, stride=2)), buffers(draws("SETINDICES", buffer=0, stride=2))),
    ("format-depth-samples", formats(("X8R8G8B8", 8, 0xA0000), ("D16", 0xC0, 0xA)),
     formats(("X8R8G8B8", 8, 0xA0000), ("D16", 0xC0, 0xA0000))),
    ("format-legacy", both(says("GetDriverInfo", data={"reply": bytes(4)}, guid="ZPixelFormats"), formats(("D16", 0xC0, 0))),
     both(old_depths(), formats(("D16", 0xC0, 0)))),
    ("format-unlisted", both(old_depths(), formats(("A8R8G8B8", 1, 0))), both(old_depths(), formats(("D16", 0xC0, 0)))),
    *(
        ("unclipped", guarded(x, y, z, indexed=indexed), guarded(4, 4, 0.5, indexed=indexed))
        for x, y, z in ((-5000, 4, 0.5), (5000, 4, 0.5), (4, -2049, 0.5), (4, 9000, 0.5), (4, 4, 2.0), (4, 4, -0.5))
        for indexed in (False, True)
    ),
    *(
        ("index-window", windowed(token, 2, 3), windowed(token, 3, 3))
        for token in ("DRAWINDEXEDPRIMITIVE", "DRAWINDEXEDPRIMITIVE2")
    ),
    ("index-window", windowed("DRAWINDEXEDPRIMITIVE2", 2, 3), windowed("DRAWINDEXEDPRIMITIVE2", 1, 0)),
    ("bad-blit", volume_blt(1, 4), volume_blt(1, 3)),
    *(
        ("format-use", surface(wrong, **asked), surface(right, **asked))
        for wrong, right, asked in (
            ("D16_LOCKABLE", "D16", {"caps": TEXTURED}), ("D24S8", "R5G6B5", {"caps": TEXTURED, "faces": 6}),
            ("UYVY", "R5G6B5", {"caps": TEXTURED, "depth": 4}), ("DXT1", "X8R8G8B8", {"caps": TEXTURED | DRAWN}),
            ("A8R8G8B8", "D16", {"caps": DEEP}),
        )
    ),
    *(
        ("texture-size", surface(caps=TEXTURED, **{**side, name: size + 1}), surface(caps=TEXTURED, **{**side, name: size}))
        for name, size, side in (
            ("width", 4096, {}), ("height", 4096, {}), ("depth", 512, {}), ("width", 512, {"depth": 2}),
        )
    ),
    ("format-unlisted", both(says("GetHalInfo", data={"texture_formats": OLD_LIST}), formats(("R5G6B5", 8, 0))),
     both(says("GetHalInfo", data={"texture_formats": OLD_LIST}), formats(("R5G6B5", 9, 0)))),
]  # fmt: skip


def does(entry: str, data: dict[str, Any] | None = None, **args: Any) -> Act:
    return lambda b: b(entry, data, **args)


def from_buffer(vertices: int) -> Act:
    """A call whose vertices, of eight bytes, come from the buffer."""
    args = {"context": 1, "vertex_buffer": BUFFER, "vertex_size": 8, "vertex_length": vertices}
    return does("DrawPrimitives2", {"commands": b""}, **args)


def nothing(_: Bench) -> None:
    """Keeps every rule."""


MADE = does("CreateSurface", handle=TEXTURE, width=16, height=16, format=21)
SMALL = does("CreateD3DBuffer", handle=BUFFER, size=16)
LOCKED = both(MADE, does("Lock", handle=TEXTURE))
BUFFER_LOCKED = both(SMALL, does("LockD3DBuffer", handle=BUFFER))

FORMS += [
    ("handle-in-use", both(SMALL, SMALL), SMALL),
    *(("bad-handle", does(entry, handle=99, **more), both(MADE, SMALL, *before, does(entry, handle=good, **more)))
      for entry, good, before, more in (
          ("LockD3DBuffer", BUFFER, (), {}), ("DestroyD3DBuffer", BUFFER, (), {}), ("Lock", TEXTURE, (), {}),
          ("DestroySurface", TEXTURE, (), {}), ("CreateSurfaceEx", TEXTURE, (), {"context": 1}),
      )),
    ("bad-lock", both(SMALL, does("LockD3DBuffer", handle=BUFFER, offset=8, size=9)),
     both(SMALL, does("LockD3DBuffer", handle=BUFFER, offset=8, size=8))),
    ("bad-lock", both(SMALL, does("UnlockD3DBuffer", handle=BUFFER)),
     both(BUFFER_LOCKED, does("UnlockD3DBuffer", handle=BUFFER))),
    ("bad-data", both(BUFFER_LOCKED, does("UnlockD3DBuffer", {"contents": bytes(17)}, handle=BUFFER)),
     both(BUFFER_LOCKED, does("UnlockD3DBuffer", {"contents": bytes(16)}, handle=BUFFER))),
    ("bad-data", both(LOCKED, does("Unlock", {"contents": bytes(9)}, handle=TEXTURE)),
     both(LOCKED, does("Unlock", {"contents": bytes(1024)}, handle=TEXTURE))),
    ("broken-stream", does("DrawPrimitives2", {"commands": bytes(4)}, context=1, command_offset=8, command_length=4),
     does("DrawPrimitives2", {"commands": b""}, context=1)),
    ("bad-handle", does("DrawPrimitives2", {"commands": b""}, context=1, vertex_buffer=99), nothing),
    ("bad-data", both(SMALL, from_buffer(3)), both(SMALL, from_buffer(2))),
    ("bad-handle", does("ContextCreate", context=7, render_target=99, depth_stencil=0),
     does("ContextCreate", context=7, render_target=TARGET, depth_stencil=0)),
    ("bad-context", does("ContextDestroy", context=99), does("ContextDestroy", context=1)),
    ("bad-handle", does("Flip", surface=[98, 99]), does("Flip", surface=[TARGET])),
    ("bad-format", does("CreateSurface", handle=TEXTURE, width=4, height=4, format=9999), MADE),
    *(("bad-size", does("CreateSurface", handle=TEXTURE, **{"width": 4, "height": 4, "format": 21} | wrong), MADE)
      for wrong in ({"height": 1 << 20}, {"depth": 1 << 20})),
    ("bad-size", does("CreateD3DBuffer", handle=BUFFER, size=(1 << 32) - 1), SMALL),
    *(("bad-handle", draws(token, shader=99), draws(token, shader=0))
      for token in ("SETVERTEXSHADER", "SETPIXELSHADER")),
    *(("bad-handle", draws(token, shader=99), nothing) for token in ("DELETEVERTEXSHADER", "DELETEPIXELSHADER")),
    ("bad-handle", draws("SETRENDERTARGET", render_target=99, depth_stencil=0),
     draws("SETRENDERTARGET", render_target=TARGET, depth_stencil=0)),
    ("bad-handle", draws("SETRENDERTARGET", render_target=TARGET, depth_stencil=99), nothing),
    ("no-target", lambda b: b.draw(("SETRENDERTARGET", {"render_target": 0, "depth_stencil": 0}),
                                   ("CLEAR", {"flags": 1, "color": 0, "items": [(0, 0, 4, 4)]})),
     draws("CLEAR", flags=1, color=0, items=[(0, 0, 4, 4)])),
    ("one-binding", draws("SETINDICES", items=[]), draws("SETINDICES", buffer=0, stride=2)),
    ("empty-draw", draws("DRAWPRIMITIVE", items=[]), lambda b: b.screen()),
    ("shader-handle", draws("CREATEPIXELSHADER", shader=0, code=PIXEL_CODE),
     draws("CREATEPIXELSHADER", shader=4, code=PIXEL_CODE)),
    *(("clear-flags", draws("CLEAR", flags=2, depth=depth, items=[(0, 0, 4, 4)]),
       draws("CLEAR", flags=2, depth=kept, items=[(0, 0, 4, 4)])) for depth, kept in ((1.5, 1.0), (-0.5, 0.0))),
    ("scene", lambda b: b.draw(state("SCENECAPTURE", 1), state("SCENECAPTURE", 1)),
     lambda b: b.draw(state("SCENECAPTURE", 1), state("SCENECAPTURE", 0))),
    ("bad-patch", lambda b: b.draw(state("DELETERTPATCH", 77)), nothing),
    ("lock-discard", relocked(DISCARD, 0, None), relocked(DISCARD, 0, TRIANGLE)),
    *CALL_FORMS,
    *TOKEN_FORMS,
    *RUNTIME_FORMS,
]  # fmt: skip


@pytest.mark.parametrize(("rule", "breaks", "keeps"), FORMS, ids=[f"{rule}-{n}" for n, (rule, *_) in enumerate(FORMS)])
def test_a_form_of_a_rule(rule: str, breaks: Act, keeps: Act) -> None:
    broken, kept = Bench(), Bench()
    breaks(broken)
    keeps(kept)
    assert rule in broken.rules, broken.rules
    assert rule not in kept.rules, [one.text for one in [*kept.driver.findings, *kept.recorded] if one.rule == rule]


def test_a_recording_may_end_in_mid_present() -> None:
    bench = Bench()
    BEGUN(bench)
    assert [(one.rule, one.seq) for one in bench.check.end(7)] == [("presentation-last", 7)]
    says("Blt", source=3, flags=SHOW)(bench)
    says("Blt", source=3, flags=LAST)(bench)
    assert bench.check.end(9) == []


@pytest.mark.parametrize(
    ("rule", "args"),
    [
        ("texture-support", {"levels": 2, "depth": 4}), ("texture-support", {"faces": 6}), ("texture-size", {"width": 2048}),
        ("texture-power", {"height": 12}), ("texture-support", {"depth": 4}),
    ],
)  # fmt: skip
def test_a_recorded_driver_that_makes_what_it_does_not_report(rule: str, args: dict[str, int]) -> None:
    """The same is seen in the answers of a tape; nothing is said while capabilities are not known, or of system memory."""
    asked = {"handle": 9, "width": 16, "height": 16, "format": 21, "caps": TEXTURED, **args}
    small = {"TextureCaps": 0x46, "MaxTextureWidth": 1024, "MaxTextureHeight": 1024}
    bench, silent, aside = Bench(), Bench(), Bench()
    bench.caps(**small)
    aside.caps(**small)
    for one, where in ((bench, "video"), (silent, "video"), (aside, "system")):
        says("CreateSurface", memory=where, **asked)(one)
    assert rule in bench.rules and rule not in silent.rules | aside.rules
    refused = Bench()
    refused.caps(**small)
    says("CreateSurface", 0x88760082, **asked)(refused)
    assert rule not in refused.rules


@pytest.mark.parametrize(
    ("args", "shape"),
    [
        ({"caps2": 0x200000, "caps4": 0x70004}, (4, 0)), ({"caps3": 4}, (1, 4)), ({"caps3": 0}, (1, 0)),
        ({"caps2": 0x200000, "caps4": 3, "depth": 3}, (3, 0)),
    ],
)  # fmt: skip
def test_caps_alone_say_depth_and_samples(args: dict[str, int], shape: tuple[int, int]) -> None:
    """DX8 DDI, creation of volume textures (low word of dwCaps4) and of multi-sampled surfaces (dwCaps3)."""
    bench = Bench()
    bench.surface(TEXTURE, **args)
    part = bench.driver.device.memory.part(TEXTURE)
    assert part is not None and (part.depth, part.samples) == shape
