"""One scene for each token of DirectX 6 to 8.  What a token draws or sets is worked out by hand."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from core.ddi.stream.shader_assemble import assemble
from core.spec.enums import BasisType, HResult, LightData, OrderType, StateSetOperation
from tests.scenes.kit import (
    BLACK,
    BLUE,
    BUFFER,
    GREEN,
    INDICES,
    RED,
    SCREEN,
    SIZE,
    TARGET,
    TEXTURE,
    WHITE,
    Stage,
    Token,
    add,
    as_fan,
    as_list,
    corners,
    picture,
    scene,
    stage,
    states,
    t,
    vertex,
)

BOX = (8, 12, 40, 44)
QUAD = corners(BOX)
LAW = picture((BOX, WHITE))
PAD = [bytes(20)] * 2


def u16(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}H", *values)


# ---- drawing tokens of DirectX 6: vertices come with the call --------------------------------------------------------

LINE = [vertex(10.5, 20.5), vertex(30.5, 20.5), vertex(30.5, 40.5)]
ACROSS, DOWN = (11, 20, 30, 21), (30, 21, 31, 40)  # the inner pixels of the two lines; their ends are the last-pixel rule's
ENDS = picture(((10, 20, 11, 21), 1), ((30, 20, 31, 21), 1), ((30, 40, 31, 41), 1), ground=0) == 0


def legacy(name: str, token: Token, vertices: Sequence[bytes], *lines: tuple[int, int, int, int]) -> None:
    """A scene that draws BOX, or lines."""

    def make(stage: Stage) -> None:
        stage.tokens(t("SETVERTEXSHADER", shader=0))
        stage.tokens(token, vertices=vertices, kind=SCREEN)
        stage.sees(picture(*((line, WHITE) for line in lines)) if lines else LAW, mask=ENDS if lines else None)

    add(f"tokens/{name}", make, f"token:{name}")


def _legacy_draws() -> None:
    listed, fan = as_list(QUAD), as_fan(QUAD)
    legacy("TRIANGLELIST", t("TRIANGLELIST", start=1, primitives=2), [QUAD[0], *listed])
    legacy("TRIANGLESTRIP", t("TRIANGLESTRIP", start=0, primitives=2), QUAD)
    legacy("TRIANGLEFAN", t("TRIANGLEFAN", start=0, primitives=2), fan)
    legacy("INDEXEDTRIANGLELIST", t("INDEXEDTRIANGLELIST", u16(0, 1, 2, 0x700, 1, 3, 2, 0x700)), QUAD)
    legacy("INDEXEDTRIANGLELIST2", t("INDEXEDTRIANGLELIST2", u16(0, 1, 2, 1, 3, 2), start=1), [QUAD[3], *QUAD])
    legacy("INDEXEDTRIANGLESTRIP", t("INDEXEDTRIANGLESTRIP", u16(0, 1, 2, 3), start=1), [QUAD[3], *QUAD])
    legacy("INDEXEDTRIANGLEFAN", t("INDEXEDTRIANGLEFAN", u16(0, 1, 2, 3), start=1), [QUAD[3], *fan])
    legacy("LINELIST", t("LINELIST", start=0, primitives=2), [LINE[0], LINE[1], LINE[1], LINE[2]], ACROSS, DOWN)
    legacy("LINESTRIP", t("LINESTRIP", start=0, primitives=2), LINE, ACROSS, DOWN)
    legacy("INDEXEDLINELIST", t("INDEXEDLINELIST", u16(0, 1, 1, 2)), LINE, ACROSS, DOWN)
    legacy("INDEXEDLINELIST2", t("INDEXEDLINELIST2", u16(0, 1, 1, 2), start=1), [QUAD[0], *LINE], ACROSS, DOWN)
    legacy("INDEXEDLINESTRIP", t("INDEXEDLINESTRIP", u16(0, 1, 2), start=1), [QUAD[0], *LINE], ACROSS, DOWN)


_legacy_draws()


@scene("tokens/POINTS", "token:POINTS")
def points(stage: Stage) -> None:
    stage.tokens(t("SETVERTEXSHADER", shader=0))
    spots = [vertex(x + 0.5, y + 0.5, c) for x, y, c in ((3, 4, RED), (20, 4, GREEN), (5, 50, BLUE))]
    stage.tokens(t("POINTS", [{"count": 2, "start": 0}, {"count": 1, "start": 2}]), vertices=spots, kind=SCREEN)
    stage.sees(picture(((3, 4, 4, 5), RED), ((20, 4, 21, 5), GREEN), ((5, 50, 6, 51), BLUE)))


def immediate(name: str, vertices: Sequence[bytes], **fields: int) -> None:
    """Vertices in the command stream, at the next multiple of four bytes."""

    def make(stage: Stage) -> None:
        stage.tokens(t("SETVERTEXSHADER", shader=0))
        token = t(name, b"".join(vertices), vertex_stride=20, **fields)
        stage.tokens(token, vertex_size=20, vertex_type=SCREEN)
        lines = name.startswith("LINE")
        stage.sees(picture((ACROSS, WHITE), (DOWN, WHITE)) if lines else LAW, mask=ENDS if lines else None)

    add(f"tokens/{name}", make, f"token:{name}")


immediate("TRIANGLEFAN_IMM", as_fan(QUAD), edge_flags=0)
immediate("LINELIST_IMM", [LINE[0], LINE[1], LINE[1], LINE[2]])


# ---- drawing tokens of DirectX 8 -------------------------------------------------------------------------------------


def buffers(stage: Stage, vertices: Sequence[bytes], indices: bytes = b"") -> None:
    stage.buffer(BUFFER, b"".join(vertices))
    stage.tokens(t("SETSTREAMSOURCE", stream=0, buffer=BUFFER, stride=20))
    if indices:
        stage.buffer(INDICES, indices, "index")
        stage.tokens(t("SETINDICES", buffer=INDICES, stride=2))


@scene("tokens/DRAWPRIMITIVE", "token:DRAWPRIMITIVE")
def draw_primitive(stage: Stage) -> None:
    buffers(stage, [*PAD, *as_list(QUAD)])
    stage.tokens(t("DRAWPRIMITIVE", type="TRIANGLELIST", start=2, count=2))
    stage.sees(LAW)


@scene("tokens/DRAWINDEXEDPRIMITIVE", "token:DRAWINDEXEDPRIMITIVE")
def draw_indexed_primitive(stage: Stage) -> None:
    buffers(stage, [*PAD, *QUAD], u16(9, 0, 1, 2, 1, 3, 2))
    stage.tokens(t("DRAWINDEXEDPRIMITIVE", type="TRIANGLELIST", base=2, min_index=0, vertex_count=4, start=1, count=2))
    stage.sees(LAW)


@scene("tokens/DRAWPRIMITIVE2", "token:DRAWPRIMITIVE2")
def draw_primitive2(stage: Stage) -> None:
    buffers(stage, [*PAD, *QUAD])
    stage.tokens(t("DRAWPRIMITIVE2", type="TRIANGLESTRIP", first_offset=40, count=2))
    stage.sees(LAW)


@scene("tokens/DRAWINDEXEDPRIMITIVE2", "token:DRAWINDEXEDPRIMITIVE2")
def draw_indexed_primitive2(stage: Stage) -> None:
    """Both offsets count bytes."""
    buffers(stage, [*PAD, *QUAD], u16(9, 9, 0, 1, 2, 1, 3, 2))
    fields = {"base_offset": 40, "min_index": 0, "vertex_count": 4, "start_offset": 4, "count": 2}
    stage.tokens(t("DRAWINDEXEDPRIMITIVE2", type="TRIANGLELIST", **fields))
    stage.sees(LAW)


@scene("tokens/CLIPPEDTRIANGLEFAN", "token:CLIPPEDTRIANGLEFAN")
def clipped_triangle_fan(stage: Stage) -> None:
    buffers(stage, [*PAD, *as_fan(QUAD)])
    stage.tokens(t("CLIPPEDTRIANGLEFAN", first_offset=40, edge_flags=0, count=2))
    stage.sees(LAW)


def clip_space(x: float, y: float) -> bytes:
    """XYZ | DIFFUSE where the transforms are identities; the pixel grid's corner (x, y)."""
    return struct.pack("<3fI", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, 0.5, WHITE)


PATCH = {
    "start_width": 0, "start_height": 0, "width": 4, "height": 4, "stride": 4, "basis": BasisType.BEZIER,
    "order": OrderType.CUBIC,
}  # fmt: skip


@scene("tokens/DRAWRECTPATCH", "token:DRAWRECTPATCH")
def draw_rect_patch(stage: Stage) -> None:
    left, top, right, bottom = BOX
    grid = [clip_space(x, y) for y in np.linspace(top, bottom, 4) for x in np.linspace(left, right, 4)]
    patch = t("DRAWRECTPATCH", patch=0, segments=[4.0] * 4, info=PATCH)
    stage.tokens(t("SETVERTEXSHADER", shader=0x42), t("SETSTREAMSOURCEUM", stride=16), patch, vertices=grid, stride=16)
    stage.sees(LAW)


@scene("tokens/DRAWTRIPATCH", "token:DRAWTRIPATCH")
def draw_tri_patch(stage: Stage) -> None:
    """Ten control points in rows of 1, 2, 3, 4 from corner 0: half of a square of 30 pixels."""
    points = [clip_space(10 + 10 * x, 10 + 10 * (row - x)) for row in range(4) for x in range(row + 1)]
    info = {"start": 0, "vertex_count": 10, "basis": BasisType.BEZIER, "order": OrderType.CUBIC}
    patch = t("DRAWTRIPATCH", patch=0, segments=[3.0] * 3, info=info)
    stage.tokens(t("SETVERTEXSHADER", shader=0x42), t("SETSTREAMSOURCEUM", stride=16), patch, vertices=points, stride=16)
    x, y = np.meshgrid(np.arange(SIZE), np.arange(SIZE))
    inside, edge = (x >= 10) & (y >= 10) & (x + y < 49), (x >= 10) & (y >= 10) & (x + y == 49)
    stage.sees(np.where(inside, WHITE, BLACK).astype(np.uint32), mask=~edge)


# ---- state -----------------------------------------------------------------------------------------------------------


@scene("tokens/RENDERSTATE", "token:RENDERSTATE")
def render_state(stage: Stage) -> None:
    stage.tokens(states(ALPHAREF=0x42, ZFUNC=3))
    stage.holds("ALPHAREF", 0x42, back=1)
    stage.holds("ZFUNC", 3)


@scene("tokens/TEXTURESTAGESTATE", "token:TEXTURESTAGESTATE")
def texture_stage_state(scene: Stage) -> None:
    scene.tokens(stage(3, COLOROP=7))
    scene.holds(("TEXTURESTAGE", 3, "COLOROP"), 7)
    scene.says("COLOROP=ADD")


@scene("tokens/VIEWPORTINFO", "token:VIEWPORTINFO")
def viewport_info(stage: Stage) -> None:
    """The viewport scales what is transformed: the clip space square fills it."""
    stage.tokens(t("VIEWPORTINFO", x=16, y=8, width=32, height=16))
    stage.holds(("VIEWPORT", "X"), 16)
    stage.holds(("VIEWPORT", "Height"), 16)
    square = [struct.pack("<3fI", x, y, 0.5, WHITE) for y in (1, -1) for x in (-1, 1)]
    stage.tokens(
        t("SETVERTEXSHADER", shader=0x42), t("SETSTREAMSOURCEUM", stride=16),
        t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=square, stride=16,
    )  # fmt: skip
    inner = picture(((17, 9, 47, 23), 1), ground=0) | picture(((15, 7, 49, 25), 0), ground=1)
    stage.sees(picture(((16, 8, 48, 24), WHITE)), mask=inner != 0)


@scene("tokens/WINFO", "token:WINFO")
def w_info(stage: Stage) -> None:
    stage.tokens(t("WINFO", near=2.0, far=50.0))
    stage.holds(("WINFO", "Near"), 2.0)
    stage.holds(("WINFO", "Far"), 50.0)


@scene("tokens/ZRANGE", "token:ZRANGE", depth="D24S8")
def z_range(stage: Stage) -> None:
    """Depth 0.5 in the range 0.5..1 is 0.75."""
    stage.tokens(states(ZENABLE=1), t("ZRANGE", min=0.5, max=1.0))
    stage.holds(("VIEWPORT", "MinZ"), 0.5)
    stage.tokens(
        t("SETVERTEXSHADER", shader=0x42), t("SETSTREAMSOURCEUM", stride=16),
        t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2),
        vertices=[clip_space(x, y) for y in (0, SIZE) for x in (0, SIZE)], stride=16,
    )  # fmt: skip
    stage.sees(picture(ground=BLACK | round(0.75 * 255) * 0x010101), surface="depth", tolerance=1, alpha=False)


@scene("tokens/SETCLIPPLANE", "token:SETCLIPPLANE")
def set_clip_plane(stage: Stage) -> None:
    """x >= 0 in clip space: the right half."""
    stage.tokens(t("SETCLIPPLANE", index=0, plane=(1.0, 0.0, 0.0, 0.0)))
    stage.holds(("CLIPPLANE", 0), [1.0, 0.0, 0.0, 0.0])
    stage.tokens(
        states(CLIPPLANEENABLE=1), t("SETVERTEXSHADER", shader=0x42), t("SETSTREAMSOURCEUM", stride=16),
        t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2),
        vertices=[clip_space(x, y) for y in (0, SIZE) for x in (0, SIZE)], stride=16,
    )  # fmt: skip
    stage.sees(picture(((32, 0, SIZE, SIZE), WHITE)), mask=picture(((32, 0, 33, SIZE), 0), ground=1) != 0)


def transform(name: str, moves: Sequence[tuple[str, float]]) -> None:
    """The left half of clip space moved to the right by 1 in all."""

    def make(stage: Stage) -> None:
        tokens = []
        for op, x in moves:
            matrix = np.eye(4, dtype=np.float32)
            matrix[3, 0] = x
            tokens.append(t(op, type=256, matrix=matrix.ravel().tolist()))
        stage.tokens(*tokens)
        moved = np.eye(4, dtype=np.float32)
        moved[3, 0] = 1.0
        stage.holds(("TRANSFORM", "WORLD0"), moved)
        half = [clip_space(x, y) for y in (0, SIZE) for x in (0, 32)]
        stage.tokens(
            t("SETVERTEXSHADER", shader=0x42), t("SETSTREAMSOURCEUM", stride=16),
            t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=half, stride=16,
        )  # fmt: skip
        stage.sees(picture(((32, 0, SIZE, SIZE), WHITE)))

    add(f"tokens/{name}", make, f"token:{name}")


transform("SETTRANSFORM", [("SETTRANSFORM", 1.0)])
transform("MULTIPLYTRANSFORM", [("SETTRANSFORM", 0.25), ("MULTIPLYTRANSFORM", 0.75)])


def lit_square(stage: Stage, *before: Token) -> None:
    """XYZ | NORMAL over the whole target, the normal towards the viewer."""
    corner = [struct.pack("<6f", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, 0.5, 0, 0, -1) for y in (0, SIZE) for x in (0, SIZE)]
    stage.tokens(
        *before, states(LIGHTING=1), t("SETVERTEXSHADER", shader=0x12), t("SETSTREAMSOURCEUM", stride=24),
        t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=corner, stride=24,
    )  # fmt: skip


@scene("tokens/SETMATERIAL", "token:SETMATERIAL")
def set_material(stage: Stage) -> None:
    """Without lights the emissive colour remains."""
    colors = {"diffuse": (1, 1, 1, 0.25), "ambient": (0, 0, 0, 0), "specular": (0, 0, 0, 0), "emissive": (1.0, 0.2, 0.0, 0.0)}
    stage.tokens(t("SETMATERIAL", power=3.0, **colors))
    stage.holds(("MATERIAL", "Power"), 3.0)
    stage.holds(("MATERIAL", "Emissive"), [1.0, 0.2, 0.0, 0.0])
    lit_square(stage)
    stage.sees(picture(ground=0x40FF3300), tolerance=1)


def light(kind: int, diffuse: tuple[float, ...], direction: tuple[float, ...] = (0, 0, 1)) -> bytes:
    """D3DLIGHT8."""
    return struct.pack("<I25f", kind, *diffuse, *(0,) * 8, 0, 0, 0, *direction, 100, 1, 1, 0, 0, 0, 0)


WHITE_MATERIAL = t("SETMATERIAL", diffuse=(1, 1, 1, 1), ambient=(0,) * 4, specular=(0,) * 4, emissive=(0,) * 4, power=0.0)


@scene("tokens/CREATELIGHT", "token:CREATELIGHT")
def create_light(stage: Stage) -> None:
    """A light that was only created is white and shines along z."""
    stage.tokens(t("CREATELIGHT", index=7), t("SETLIGHT", index=7, data=LightData.ENABLE))
    stage.holds(("LIGHT", 7, "Enabled"), 1)
    lit_square(stage, WHITE_MATERIAL)
    stage.sees(picture(ground=WHITE), tolerance=1)


@scene("tokens/SETLIGHT", "token:SETLIGHT")
def set_light(stage: Stage) -> None:
    """A directional light at 60 degrees to the normal: half of its colour."""
    tilted = (float(np.sqrt(0.75)), 0.0, 0.5)
    stage.tokens(
        t("CREATELIGHT", index=0), t("SETLIGHT", index=0, light=light(3, (1.0, 0.0, 0.0, 1.0), tilted)),
        t("SETLIGHT", index=0, data=LightData.ENABLE),
    )  # fmt: skip
    stage.holds(("LIGHT", 0, "Diffuse"), [1.0, 0.0, 0.0, 1.0], back=1)
    lit_square(stage, WHITE_MATERIAL)
    stage.sees(picture(ground=0xFF800000), tolerance=1)


@scene("tokens/STATESET", "token:STATESET")
def state_set(stage: Stage) -> None:
    """What is recorded between BEGIN and END is done by EXECUTE."""
    stage.tokens(
        t("STATESET", operation=StateSetOperation.BEGIN, handle=5, type="ALL"), states(ALPHAREF=9),
        t("STATESET", operation=StateSetOperation.END, handle=5, type="ALL"),
    )  # fmt: skip
    stage.holds("ALPHAREF", 0, back=None)
    stage.tokens(t("STATESET", operation=StateSetOperation.EXECUTE, handle=5, type="ALL"))
    stage.holds("ALPHAREF", 9)


@scene("tokens/EXT", "token:EXT", "rule:unimplemented-token")
def ext(stage: Stage) -> None:
    """No use of it is documented: it is told, and what follows is carried out."""
    stage.tokens(t("EXT", token=1, size=0), t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=RED))
    stage.finds("unimplemented-token")
    stage.sees(picture(ground=RED))


@scene("tokens/RESERVED0", "token:RESERVED0", "rule:unknown-token")
def reserved(stage: Stage) -> None:
    """Never sent to drivers: met in a stream it is unknown."""
    call = stage.stream(bytes((4, 0, 1, 0)), expect=HResult.D3DERR_COMMAND_UNPARSED)
    assert call.out["error_offset"] == 0
    stage.finds("unknown-token")


# ---- surfaces --------------------------------------------------------------------------------------------------------


@scene("tokens/CLEAR", "token:CLEAR")
def clear(stage: Stage) -> None:
    stage.tokens(t("CLEAR", [(8, 8, 20, 30), (60, 60, 90, 90)], flags="TARGET", color=0x80336699))
    stage.sees(picture(((8, 8, 20, 30), 0x80336699), ((60, 60, 64, 64), 0x80336699)))


@scene("tokens/CLEAR computed rectangles", "token:CLEAR", "flag:D3DCLEAR_COMPUTERECTS")
def clear_computed(stage: Stage) -> None:
    """Clipped to the viewport; without rectangles the whole viewport, and the one that stands there is not read."""
    stage.tokens(t("VIEWPORTINFO", x=10, y=20, width=30, height=8), t("CLEAR", [(0, 0, 15, 64)], flags=9, color=RED))
    stage.sees(picture(((10, 20, 15, 28), RED)))
    stage.tokens(t("CLEAR", None, flags=9, color=BLUE))
    stage.sees(picture(((10, 20, 40, 28), BLUE)))


@scene("tokens/SETRENDERTARGET", "token:SETRENDERTARGET")
def set_render_target(stage: Stage) -> None:
    stage.surface(TEXTURE, "X8R8G8B8", 32, 32, label="render_target")
    stage.tokens(t("SETRENDERTARGET", render_target=TEXTURE, depth_stencil=0))
    stage.holds("RENDERTARGET", TEXTURE)
    stage.tokens(t("CLEAR", [(0, 0, 32, 32)], flags=1, color=GREEN))
    stage.sees(picture(), surface=TARGET)
    stage.sees(picture(ground=GREEN, size=(32, 32)), surface=TEXTURE)


def small_textures(stage: Stage, format: str = "A8R8G8B8", **more: int) -> np.ndarray:
    """A source of 8 x 8 numbered texels, and an equal, empty destination."""
    texels = (BLACK | np.arange(64, dtype=np.uint32).reshape(8, 8) * 0x030201).astype(np.uint32)
    stage.surface(TEXTURE, format, 8, 8, memory="system", **more)
    stage.surface(TEXTURE + 1, format, 8, 8, **more)
    stage.fill(TEXTURE, texels.tobytes())
    return texels


@scene("tokens/TEXBLT", "token:TEXBLT")
def texture_blt(stage: Stage) -> None:
    texels = small_textures(stage)
    stage.tokens(t("TEXBLT", destination=TEXTURE + 1, source=TEXTURE, point=(1, 2), rect=(3, 4, 6, 8), flags=0))
    expected = np.zeros((8, 8), np.uint32)
    expected[2:6, 1:4] = texels[4:8, 3:6]
    stage.sees(expected, surface=TEXTURE + 1)


@scene("tokens/VOLUMEBLT", "token:VOLUMEBLT")
def volume_blt(stage: Stage) -> None:
    texels = np.arange(4 * 4 * 4, dtype=np.uint32).reshape(4, 4, 4) | BLACK
    for handle in (TEXTURE, TEXTURE + 1):
        stage.surface(handle, "A8R8G8B8", 4, 4, depth=4)
    stage.fill(TEXTURE, texels.astype(np.uint32).tobytes())
    fields = {"x": 2, "y": 0, "z": 1, "box": (0, 1, 2, 3, 2, 4), "flags": 0}
    stage.tokens(t("VOLUMEBLT", destination=TEXTURE + 1, source=TEXTURE, **fields))
    for z in range(4):
        expected = np.zeros((4, 4), np.uint32)
        if z in (1, 2):
            expected[0:2, 2:4] = texels[z + 1, 1:3, 0:2]
        stage.sees(expected, surface=TEXTURE + 1, slice=z)


@scene("tokens/BUFFERBLT", "token:BUFFERBLT")
def buffer_blt(stage: Stage) -> None:
    """The quad's vertices are copied behind two empty ones."""
    stage.buffer(BUFFER, bytes(40) + bytes(80))
    stage.buffer(BUFFER + 2, bytes(4) + b"".join(QUAD))
    stage.tokens(t("BUFFERBLT", destination=BUFFER, source=BUFFER + 2, offset=40, range=(4, 80), flags=0))
    stage.tokens(
        t("SETSTREAMSOURCE", stream=0, buffer=BUFFER, stride=20), t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=2, count=2)
    )
    stage.sees(LAW)


def textured(name: str, tokens: Sequence[Token], expected: int) -> None:
    """A mipmapped texture, red above green, drawn after the tokens."""

    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, "A8R8G8B8", 2, 2, levels=2)
        scene.fill(TEXTURE, struct.pack("<4I", *[RED] * 4))
        scene.fill(TEXTURE + 1, struct.pack("<I", GREEN))
        scene.tokens(*tokens, stage(0, TEXTUREMAP=TEXTURE, COLOROP=2, COLORARG1=2, MIPFILTER=1))
        scene.quad(textured=True)
        scene.sees(picture(ground=expected))

    add(f"tokens/{name}", make, f"token:{name}")


textured("SETTEXLOD", [t("SETTEXLOD", surface=TEXTURE, lod=1)], GREEN)
textured("SETPRIORITY", [t("SETPRIORITY", surface=TEXTURE, priority=9)], RED)
textured("ADDDIRTYRECT", [t("ADDDIRTYRECT", surface=TEXTURE, rect=(0, 0, 1, 1))], RED)
textured("ADDDIRTYBOX", [t("ADDDIRTYBOX", surface=TEXTURE, box=(0, 0, 1, 1, 0, 1))], RED)


def palette(name: str) -> None:
    """Index 1 left, index 2 right; PALETTEENTRY bytes are red, green, blue, flags."""

    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, "P8", 2, 1)
        scene.fill(TEXTURE, bytes((1, 2)))
        scene.tokens(
            t("UPDATEPALETTE", palette=3, start=1, entries=[0x000000FF, 0x0000FF00]),
            t("SETPALETTE", palette=3, flags=0, surface=TEXTURE), stage(0, TEXTUREMAP=TEXTURE, COLOROP=2, COLORARG1=2),
        )  # fmt: skip
        scene.quad(textured=True)
        scene.sees(picture(((0, 0, 32, SIZE), RED), ((32, 0, SIZE, SIZE), GREEN)), alpha=False)
        if name == "UPDATEPALETTE":
            scene.tokens(t("UPDATEPALETTE", palette=3, start=2, entries=[0x00FF0000]))
            scene.quad(textured=True)
            scene.sees(picture(((0, 0, 32, SIZE), RED), ((32, 0, SIZE, SIZE), BLUE)), alpha=False)

    add(f"tokens/{name}", make, f"token:{name}")


palette("SETPALETTE")
palette("UPDATEPALETTE")


# ---- shaders and streams ---------------------------------------------------------------------------------------------

POSITION = [0x20000000, 0x40020000, 0xFFFFFFFF]  # stream 0: v0 FLOAT3
ALL = [struct.pack("<3f", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, 0.5) for y in (0, SIZE) for x in (0, SIZE)]
STRIP = t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2)
VERTEX_SHADER = "vs_1_1\nmov oPos, v0\nmov oD0, c5"
PIXEL_SHADER = "ps_1_1\nmov r0, c2"


def vertex_shader(name: str, extra: Sequence[Token] = (), color: int = 0xFFFF8000) -> None:
    def make(stage: Stage) -> None:
        stage.tokens(
            t("CREATEVERTEXSHADER", shader=3, declaration=POSITION, code=assemble(VERTEX_SHADER)),
            t("SETVERTEXSHADERCONST", register=5, values=[(1.0, 128 / 255, 0.0, 1.0)]), *extra,
        )  # fmt: skip
        stage.tokens(t("SETVERTEXSHADER", shader=3))
        stage.holds("VERTEXSHADER", 3)
        stage.holds(("VSCONST", 5), [1.0, 128 / 255, 0.0, 1.0], back=1 + len(extra))
        stage.tokens(t("SETSTREAMSOURCEUM", stride=12), STRIP, vertices=ALL, stride=12)
        stage.sees(picture(ground=color), tolerance=1)

    add(f"tokens/{name}", make, f"token:{name}")


vertex_shader("CREATEVERTEXSHADER")
vertex_shader("SETVERTEXSHADER")
vertex_shader("SETVERTEXSHADERCONST")
vertex_shader(
    "DELETEVERTEXSHADER",
    [t("CREATEVERTEXSHADER", shader=5, declaration=POSITION, code=assemble(VERTEX_SHADER)), t("DELETEVERTEXSHADER", shader=5)],
)


def pixel_shader(name: str, extra: Sequence[Token] = ()) -> None:
    def make(stage: Stage) -> None:
        stage.tokens(
            t("CREATEPIXELSHADER", shader=3, code=assemble(PIXEL_SHADER)),
            t("SETPIXELSHADERCONST", register=2, values=[(0.0, 1.0, 64 / 255, 1.0)]), *extra,
            t("SETPIXELSHADER", shader=3),
        )  # fmt: skip
        stage.holds("PIXELSHADER", 3)
        stage.quad(BOX)
        stage.sees(picture((BOX, 0xFF00FF40)), tolerance=1)
        stage.quad(BOX, BLUE, 0.5, t("SETPIXELSHADER", shader=0))
        stage.sees(picture((BOX, BLUE)))

    add(f"tokens/{name}", make, f"token:{name}")


pixel_shader("CREATEPIXELSHADER")
pixel_shader("SETPIXELSHADER")
pixel_shader("SETPIXELSHADERCONST")
pixel_shader(
    "DELETEPIXELSHADER",
    [t("CREATEPIXELSHADER", shader=5, code=assemble(PIXEL_SHADER)), t("DELETEPIXELSHADER", shader=5)],
)


@scene("tokens/SETSTREAMSOURCE", "token:SETSTREAMSOURCE")
def set_stream_source(stage: Stage) -> None:
    stage.buffer(BUFFER, b"".join(QUAD))
    stage.tokens(t("SETSTREAMSOURCE", stream=0, buffer=BUFFER, stride=20))
    stage.holds(("STREAM", 0, "handle"), BUFFER)
    stage.holds(("STREAM", 0, "stride"), 20)
    stage.tokens(STRIP)
    stage.sees(LAW)


@scene("tokens/SETSTREAMSOURCEUM", "token:SETSTREAMSOURCEUM")
def set_stream_source_um(stage: Stage) -> None:
    stage.tokens(t("SETSTREAMSOURCEUM", stride=20), vertices=QUAD)
    stage.holds(("STREAM", 0, "user_memory"), 1)
    stage.quad(BOX)
    stage.sees(LAW)


@scene("tokens/SETINDICES", "token:SETINDICES")
def set_indices(stage: Stage) -> None:
    """32-bit indices; then none."""
    stage.buffer(BUFFER, b"".join(QUAD))
    stage.buffer(INDICES, struct.pack("<4I", 0, 1, 2, 3), "index")
    stage.tokens(t("SETSTREAMSOURCE", stream=0, buffer=BUFFER, stride=20), t("SETINDICES", buffer=INDICES, stride=4))
    stage.holds("INDICES", INDICES)
    draw = {"base": 0, "min_index": 0, "vertex_count": 4, "start": 0, "count": 2}
    stage.tokens(t("DRAWINDEXEDPRIMITIVE", type="TRIANGLESTRIP", **draw))
    stage.sees(LAW)
    stage.tokens(t("SETINDICES", buffer=0, stride=4))
    stage.holds("INDICES", 0)
