"""What the specifications say of calls rather than of tokens: stalls of vertex buffers, format operations, state sets of pure
devices, multisampled primaries, shaders and what they leave alone."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.ddi.stream.shader_assemble import assemble
from core.spec.enums import Dp2Flag, DriverInfo2, FormatOp, StateBlockType, StateSetOperation, SurfaceCaps, SurfaceCaps2
from core.spec.formats import FORMAT_BY_NAME
from core.spec.states import RENDER_STATE_ID, RENDER_STATES, TEXTURE_STAGE_STATES
from tests.scenes.kit import (
    BLUE,
    BUFFER,
    GREEN,
    RED,
    SCREEN,
    SIZE,
    TEXTURE,
    WHITE,
    Stage,
    add,
    corners,
    picture,
    scene,
    states,
    t,
)
from tests.scenes.states import another

BOX = (8, 12, 40, 44)
QUAD = b"".join(corners(BOX))

# ---- when DrawPrimitives2 waits for the vertex buffer: the lines of the specification, in order ----------------------

USER, SWAP, REQUESTED = int(Dp2Flag.USERMEMVERTICES), int(Dp2Flag.SWAPVERTEXBUFFER), int(Dp2Flag.REQCOMMANDBUFSIZE)
IMPLICIT, EXPLICIT, MEMORY = "implicit", "explicit", "user memory"
# where the vertices are, flags, whether the explicit buffer is locked, whether the driver stalls
FIRST = ((MEMORY, USER, False, False), (IMPLICIT, 0, False, True))
SECOND = (
    (MEMORY, USER, False, False), (EXPLICIT, 0, False, False), (EXPLICIT, SWAP, True, False), (IMPLICIT, 0, False, False),
    (IMPLICIT, 0, False, False), (MEMORY, USER, False, False), (IMPLICIT, SWAP, False, False),
)  # fmt: skip
THIRD = ((EXPLICIT, 0, True, True),)
FOURTH = ((EXPLICIT, REQUESTED, True, False), (EXPLICIT, SWAP, True, False), (EXPLICIT, SWAP | REQUESTED, True, False))
LATER = ((MEMORY, USER, False, False), (IMPLICIT, 0, False, False), (EXPLICIT, 0, True, True), (EXPLICIT, SWAP, True, False))


def _stalls(name: str, version: int, lines: tuple[tuple[str, int, bool, bool], ...], *covers: str) -> None:
    def make(stage: Stage) -> None:
        stage.driver.runtime_version = version
        for handle, caps2 in ((BUFFER, 0), (BUFFER + 1, int(SurfaceCaps2.VERTEXBUFFER))):
            stage("CreateD3DBuffer", handle=handle, size=80, kind="vertex", caps=int(SurfaceCaps.EXECUTEBUFFER), caps2=caps2)
            stage("LockD3DBuffer", handle=handle, offset=0, size=0, flags=0)
            stage("UnlockD3DBuffer", {"contents": QUAD}, handle=handle, offset=0)
        stage.tokens(t("SETVERTEXSHADER", shader=0))
        for where, flags, locked, stalls in lines:
            if locked:
                stage("LockD3DBuffer", handle=BUFFER + 1, offset=0, size=0, flags=0)
            given = {"vertex_length": 4, "vertex_size": 20, "vertex_type": SCREEN, "flags": flags}
            if where != MEMORY:
                given["vertex_buffer"] = BUFFER if where == IMPLICIT else BUFFER + 1
            more = {"vertices": [QUAD]} if where == MEMORY else {}
            call = stage.tokens(t("TRIANGLESTRIP", start=0, primitives=2), **{**more, **given})
            assert call.out.get("stall", 0) == stalls, (where, flags, locked)
            if locked:
                stage("UnlockD3DBuffer", handle=BUFFER + 1, offset=0)
        stage.sees(picture((BOX, WHITE)))

    add(f"entries/stalls {name}", make, "entry:DrawPrimitives2", *covers)


_stalls("of DirectX 8.0, user memory then implicit", 0x0800, FIRST, "flag:D3DHALDP2_USERMEMVERTICES")
_stalls("of DirectX 8.0, none", 0x0800, SECOND, "flag:D3DHALDP2_SWAPVERTEXBUFFER")
_stalls("of DirectX 8.0, locked explicit", 0x0800, THIRD)
_stalls("of DirectX 8.0, requested size", 0x0800, FOURTH, "flag:D3DHALDP2_REQCOMMANDBUFSIZE")
_stalls("of DirectX 8.1", 0x0801, LATER, "flag:DDSCAPS_EXECUTEBUFFER", "flag:DDSCAPS2_VERTEXBUFFER")


# ---- formats ---------------------------------------------------------------------------------------------------------

CAN = {
    # operation: a format that has it, one that has not
    FormatOp.TEXTURE: ("A8R8G8B8", "D16_LOCKABLE"), FormatOp.VOLUMETEXTURE: ("A8R8G8B8", "D16"),
    FormatOp.CUBETEXTURE: ("R5G6B5", "D16"),
    FormatOp.OFFSCREEN_RENDERTARGET: ("R5G6B5", "DXT1"), FormatOp.SAME_FORMAT_RENDERTARGET: ("R5G6B5", "DXT1"),
    FormatOp.SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET: ("A8R8G8B8", "DXT1"), FormatOp.ZSTENCIL: ("D24S8", "R5G6B5"),
    FormatOp.ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH: ("D16", "R5G6B5"), FormatOp.DISPLAYMODE: ("X8R8G8B8", "A8R8G8B8"),
    FormatOp.ACCELERATION_3D: ("X8R8G8B8", "A8R8G8B8"),
}  # fmt: skip


@scene("entries/GetDriverInfo operations", "entry:GetDriverInfo", *(f"value:FormatOp.{op.name}" for op in CAN),
       "flag:D3DFORMAT_OP_3DACCELERATION", bare=True)  # fmt: skip
def operations(stage: Stage) -> None:
    """Each operation by a format that has it and one that has not; depth formats report the samples that colours do."""
    found = {}
    for index in range(stage("GetDriverInfo", type=int(DriverInfo2.TYPE_GETFORMATCOUNT)).out["count"]):
        reply = stage("GetDriverInfo", type=int(DriverInfo2.TYPE_GETFORMAT), index=index).data["reply"]
        _, _, fourcc, _, operations, samples = struct.unpack_from("<6I", reply, 20)
        found[fourcc] = operations, samples
    for op, (has, lacks) in CAN.items():
        assert found[FORMAT_BY_NAME[has].id][0] & op and not found[FORMAT_BY_NAME[lacks].id][0] & op, op
    flip, blt = found[FORMAT_BY_NAME["D24S8"].id][1] & 0xFFFF, found[FORMAT_BY_NAME["D24S8"].id][1] >> 16
    assert flip and blt and found[FORMAT_BY_NAME["X8R8G8B8"].id][1] == flip | blt << 16
    stage.says("FORMAT")


@scene("entries/GetDriverInfo heap", "flag:GUID_UpdateNonLocalHeap", "flag:fpGARTLin", bare=True)
def non_local_heap(stage: Stage) -> None:
    """fpGARTLin becomes the heap's fpStart, and an AGP buffer's fpHeapOffset lies behind it."""
    stage("GetDriverInfo", guid="UpdateNonLocalHeap", start=0x5000)
    call = stage("CreateD3DBuffer", handle=BUFFER, size=64, kind="vertex", memory="agp")
    assert call.out["fp_heap_offset"] >= 0x5000
    stage.says("CreateD3DBuffer")


# ---- multisampled primaries ------------------------------------------------------------------------------------------


@scene("samples/primary", "flag:DDSCAPS_PRIMARYSURFACE", bare=True)
def primary(stage: Stage) -> None:
    """A lock gives one sample per pixel; the unlock spreads it to every sample, and so does a Blt to it."""
    stage.surface(TEXTURE, "X8R8G8B8", 8, 8, samples=4, label="primary")
    call = stage("Lock", handle=TEXTURE, flags=0)
    assert call.out["pitch"] == 32
    shown = picture(((0, 0, 4, 8), RED), ground=GREEN, size=(8, 8))
    stage("Unlock", {"contents": shown.tobytes()}, handle=TEXTURE)
    for sample in range(4):
        stage.sees(shown, surface=TEXTURE, sample=sample)
    stage.surface(TEXTURE + 1, "X8R8G8B8", 2, 2)
    stage.fill(TEXTURE + 1, np.full((2, 2), BLUE, np.uint32))
    stage("Blt", destination=TEXTURE, source=TEXTURE + 1, destination_box=(1, 1, 3, 3), flags=0)
    pointer = picture(((0, 0, 4, 8), RED), ((1, 1, 3, 3), BLUE), ground=GREEN, size=(8, 8))
    for sample in range(4):
        stage.sees(pointer, surface=TEXTURE, sample=sample)


# ---- state sets of pure devices --------------------------------------------------------------------------------------

INDEX = Path(__file__).parents[1] / "coverage_matrix" / "specifications.json"


def listed(title: str) -> Iterator[str]:
    """The states that the specification lists for a kind of state block."""
    for section in json.loads(INDEX.read_text(encoding="utf-8"))[0]["sections"]:
        if section["title"] == title:
            yield from section["names"]


def _create(kind: StateBlockType, title: str) -> None:
    """CREATE keeps exactly what the specification lists; EXECUTE brings it back."""
    names = set(listed(title))
    render = [row for row in RENDER_STATES.values() if not row.until and row.name not in ("DELETERTPATCH", "SCENECAPTURE")]
    stages = [row for row in TEXTURE_STAGE_STATES.values() if row.name not in ("TEXTUREMAP", "ADDRESS")]

    def make(stage: Stage) -> None:
        for value in (another, lambda row, at=0: row.default_at(at)):
            stage.tokens(
                t("RENDERSTATE", [{"state": row.id, "value": value(row)} for row in render]),
                t("TEXTURESTAGESTATE", [{"stage": 2, "state": row.id, "value": value(row, 2)} for row in stages]),
            )  # fmt: skip
            if value is another:
                stage.tokens(t("STATESET", operation=StateSetOperation.CREATE, handle=3, type=kind))
        stage.tokens(t("STATESET", operation=StateSetOperation.EXECUTE, handle=3, type=kind))
        event = stage.event
        for row in render:
            kept = bool({f"D3DRS_{row.name}", f"D3DRENDERSTATE_{row.name}"} & names)
            wanted = another(row) if kept else row.default_at(0)
            stage.equals(row.name, row.kind.value(wanted), event)
        for row in stages:
            wanted = another(row, 2) if f"D3DTSS_{row.name}" in names else row.default_at(2)
            stage.equals(("TEXTURESTAGE", 2, row.name), row.kind.value(wanted), event)
        stage.finds("unimplemented-state")

    covers = ("token:STATESET", f"flag:{title}", "flag:D3DHAL_STATESETCREATE")
    add(f"tokens/STATESET CREATE {kind.name}", make, *covers)


_create(StateBlockType.ALL, "D3DSBT_ALL")
_create(StateBlockType.VERTEXSTATE, "D3DSBT_VERTEXSTATE")
_create(StateBlockType.PIXELSTATE, "D3DSBT_PIXELSTATE")


# ---- shaders and what they leave alone -------------------------------------------------------------------------------


@scene("shaders/vertex and pixel are orthogonal", "token:SETVERTEXSHADER", "token:SETPIXELSHADER")
def orthogonal(stage: Stage) -> None:
    """A vertex format as vertex shader leaves the pixel shader; a pixel shader of 0 leaves the vertex shader."""
    stage.tokens(t("CREATEPIXELSHADER", shader=5, code=assemble("ps_1_1\ndef c0, 0, 1, 0, 1\nmov r0, c0")))
    stage.tokens(t("SETPIXELSHADER", shader=5), t("SETVERTEXSHADER", shader=SCREEN))
    stage.holds("PIXELSHADER", 5, back=1)
    stage.quad(BOX)
    stage.sees(picture((BOX, GREEN)))
    stage.tokens(t("SETPIXELSHADER", shader=0))
    stage.equals("VERTEXSHADER", SCREEN, stage.event)


@scene("shaders/other constants stay", "token:SETPIXELSHADERCONST", "token:SETVERTEXSHADERCONST")
def other_constants(stage: Stage) -> None:
    """Only constants that the shader defines change when it is set."""
    stage.tokens(
        t("SETPIXELSHADERCONST", register=0, values=[(1, 0, 0, 1), (0, 0, 1, 1)]),
        t("CREATEPIXELSHADER", shader=5, code=assemble("ps_1_1\ndef c0, 0, 1, 0, 1\nadd r0, c0, c1")),
        t("SETPIXELSHADER", shader=5),
    )  # fmt: skip
    stage.equals(("PSCONST", 0), [0.0, 1.0, 0.0, 1.0], stage.event)
    stage.equals(("PSCONST", 1), [0.0, 0.0, 1.0, 1.0], stage.event)
    stage.quad(BOX)
    stage.sees(picture((BOX, 0xFF00FFFF)))


@scene("states/point size of vertices", "state:POINTSIZE", "flag:D3DFVF_PSIZE", "flag:D3DFVFCAPS_PSIZE")
def vertex_point_size(stage: Stage) -> None:
    """D3DFVF_PSIZE in the vertex counts, the render state does not."""
    data = b"".join(struct.pack("<4f2I", 16 * n - 0.5, 19.5, 0.5, 1, np.float32(4 * n).view("<u4"), WHITE) for n in (1, 2))
    stage.tokens(
        states(POINTSIZE=20.0), t("SETVERTEXSHADER", shader=0x64), t("SETSTREAMSOURCEUM", stride=24),
        t("DRAWPRIMITIVE", type="POINTLIST", start=0, count=2), vertices=[data], stride=24,
    )  # fmt: skip
    stage.sees(picture(((14, 18, 18, 22), WHITE), ((28, 16, 36, 24), WHITE)))


@scene("tokens/SETVERTEXSHADER zero", "token:SETVERTEXSHADER")
def no_vertex_shader(stage: Stage) -> None:
    """Handle 0 lets go of every stream."""
    stage.buffer(BUFFER, QUAD)
    stage.tokens(
        t("SETSTREAMSOURCE", stream=0, buffer=BUFFER, stride=20), t("SETSTREAMSOURCE", stream=1, buffer=BUFFER, stride=20)
    )
    stage.tokens(t("SETVERTEXSHADER", shader=0))
    stage.equals(("STREAM", 0, "handle"), 0, stage.event)
    stage.equals(("STREAM", 1, "handle"), 0, stage.event)


@scene("patches/cached triangle", "token:DRAWTRIPATCH", "state:DELETERTPATCH", "rule:bad-patch")
def cached_triangle(stage: Stage) -> None:
    """A triangle patch with a handle: drawn, updated, drawn again without streams, deleted."""
    clear = t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1)

    def points(side: float) -> list[bytes]:
        places = [(10, 10), (10, 10 + side), (10 + side, 10)]
        return [struct.pack("<3fI", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, 0.5, WHITE) for x, y in places]

    info = {"start": 0, "vertex_count": 3, "basis": 0, "order": 1}
    for side in (40.0, 20.0):
        stage.tokens(
            t("SETVERTEXSHADER", shader=0x42), t("SETSTREAMSOURCEUM", stride=16), clear,
            t("DRAWTRIPATCH", patch=0xFFFFFFFF, info=info, segments=[2.0] * 3), vertices=points(side), stride=16,
        )  # fmt: skip
    again = t("DRAWTRIPATCH", patch=0xFFFFFFFF, segments=[3.0] * 3)
    stage.tokens(t("SETSTREAMSOURCE", stream=0, buffer=0, stride=0), clear, again)
    x, y = np.meshgrid(np.arange(SIZE), np.arange(SIZE))
    inside, outside = (x > 10) & (y > 10) & (x + y < 38), (x < 9) | (y < 9) | (x + y > 41)
    stage.sees(np.where(inside, WHITE, 0).astype(np.uint32), mask=inside | outside)
    stage.tokens(clear, t("RENDERSTATE", state=RENDER_STATE_ID["DELETERTPATCH"], value=0xFFFFFFFF), again)
    stage.sees(picture(ground=0))
    stage.finds("bad-patch")
