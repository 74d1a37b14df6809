"""More forms of rules: calls to the driver's entry points, and answers on a tape."""

from __future__ import annotations

from typing import Any

from core.ddi.stream.shader_assemble import assemble
from core.spec.caps import TextureCaps
from core.spec.enums import DdBlt, DxgiPresentFlag, HResult
from core.spec.formats import FORMAT_BY_NAME
from tests.core.ddi.rule_bench import BUFFER, CAPS, DEPTH, FORMAT, PIXEL_CODE, TARGET, TEXTURE, Bench, ask
from tests.core.ddi.rule_pairs import CREATE, INDEXED, RGBA, Act, blt, both, caps, formats, info, made, renamed, resource, says
from tests.driver_calls import stream

FAIL = int(HResult.E_FAIL)
TEXTURED, CUBE, VOLUME = 0x1000, 0xFE00, 0x200000  # DDSCAPS_TEXTURE; DDSCAPS2_CUBEMAP with all faces, VOLUME
OTHER = 30  # a second texture


def does(entry: str, data: dict[str, Any] | None = None, **args: Any) -> Act:
    return lambda b: b(entry, data, **args)


def surface(handle: int = TEXTURE, format: str = "A8R8G8B8", width: int = 16, height: int = 16, **more: Any) -> Act:
    return lambda b: b.surface(handle, format, width, height, **more)


def reports(**changes: Any) -> Act:
    """The driver reports the full device's capabilities with changes, and knows it."""

    def act(b: Bench) -> None:
        b.caps(**changes)
        b.driver.facts = b.facts

    return act


def unwatched(*acts: Act) -> Act:
    """Without the rules that only watch: the driver alone finds it."""

    def act(b: Bench) -> None:
        b.driver.check = False
        both(*acts)(b)

    return act


def accepted(*tokens: tuple) -> Act:
    """A tape's driver has executed these: only the rules that watch find anything."""
    return lambda b: b.replayed(0, stream(*tokens), error_offset=0)


def draws(*tokens: tuple) -> Act:
    return lambda b: b.draw(*tokens)


def copies(flags: DdBlt, source: str = "A8R8G8B8", target: str = "A8R8G8B8", **args: Any) -> Act:
    """A Blt between two new textures."""
    return both(
        surface(TEXTURE, source),
        surface(OTHER, target),
        does("Blt", source=TEXTURE, destination=OTHER, flags=int(flags), **args),
    )


def pictures(width: int) -> Act:
    """DXGI's Present of a resource into another one, 4 x 4."""
    asked = {"surface": 1, "destination": 2, "flags": int(DxgiPresentFlag.BLT)}
    return lambda b: (resource(b, 1), resource(b, 2, width=width), b("DxgiPresent", **asked))


MADE, X8 = surface(), FORMAT_BY_NAME["X8R8G8B8"].id
LOCKED = both(MADE, does("Lock", handle=TEXTURE))
SEVERAL = ("X8R8G8B8", 8, 0xA000A)  # two and four samples
FAR_CONSTANT = assemble("vs_1_1\nmov oPos, c100")
PIXEL, VERTEX = ("CREATEPIXELSHADER", {"shader": 5, "code": PIXEL_CODE}), ("CREATEVERTEXSHADER", CREATE)
CONSTANT = ("SETPIXELSHADERCONST", {"register": 0, "count": 1, "values": [(0, 0, 0, 0)]})
COMPUTED = ("CLEAR", {"items": [(0, 0, 16, 16)], "color": 0, "depth": 1.0, "stencil": 0, "flags": 9})
BLIT, KEYED = DdBlt(0), DdBlt.KEYSRC

CALL_FORMS: list[tuple[str, Act, Act]] = [
    # arguments
    ("bad-argument", does("Flip", surface=["x"]), does("Flip", surface=[TARGET])),
    ("bad-argument", surface(label=5), MADE),
    ("bad-argument", does("Flip", surface=[TARGET, DEPTH]), does("Flip", surface=[TARGET])),
    ("bad-argument", does("Clear2", context=1, flags=1, rects=[5]), does("Clear2", context=1, flags=1, rects=[(0, 0, 4, 4)])),
    ("bad-argument", surface(handles=[TEXTURE, 21]), surface(handles=[TEXTURE])),
    ("bad-data", both(LOCKED, does("Unlock", {"contents": 5}, handle=TEXTURE)), both(LOCKED, does("Unlock", handle=TEXTURE))),
    ("bad-data", does("GetDriverInfo", {"request": bytes(8)}), does("GetDriverInfo", {"request": ask(CAPS)})),
    ("format-index", does("GetDriverInfo", {"request": ask(FORMAT, 9999)}), does("GetDriverInfo", {"request": ask(FORMAT, 0)})),
    ("bad-format", does("CanCreateSurface", format=9999), does("CanCreateSurface", format=21)),
    # DXGI
    ("bad-handle", both(made(), does("DxgiDestroyResource", handle=2)), both(made(), does("DxgiDestroyResource", handle=1))),
    *(
        ("bad-handle", both(made(), does(entry, resources=wrong)), both(made(), does(entry, resources=[1])))
        for entry, wrong in (
            ("DxgiQueryResourceResidency", [2]), ("DxgiRotateResourceIdentities", [1, 1]),
            ("DxgiRotateResourceIdentities", [2]),
        )
    ),
    ("bad-size", made(width=8192, height=8192, samples=4), made(width=4, height=8192, samples=4)),
    ("dxgi-change", pictures(8), pictures(4)),
    ("dxgi-change", blt(4, target={"format": RGBA}), blt(4 | 2, target={"format": RGBA})),
    ("dxgi-resolve", blt(4, target={"samples": 4}), blt(4)),
    ("bad-rectangle", blt(4, box=[0, 0, 5, 4]), blt(4, box=[0, 0, 3, 4])),
    # contexts, Blt
    ("target-mismatch", both(surface(TEXTURE, "D16", samples=4),
                             does("ContextCreate", context=7, render_target=TARGET, depth_stencil=TEXTURE)),
     does("ContextCreate", context=7, render_target=TARGET, depth_stencil=DEPTH)),
    ("bad-blit", copies(DdBlt.ROP, rop=0x42), copies(DdBlt.ROP, rop=0xCC0020)),
    ("bad-blit", copies(DdBlt.COLORFILL, target="DXT1"), copies(DdBlt.COLORFILL)),
    ("bad-blit", copies(BLIT, "DXT1", "DXT1", source_box=(1, 0, 5, 4), destination_box=(0, 0, 4, 4)),
     copies(BLIT, "DXT1", "DXT1", source_box=(4, 0, 8, 4), destination_box=(0, 0, 4, 4))),
    ("bad-blit", copies(KEYED, target="DXT1", color_key=[0, 0]), copies(KEYED, color_key=[0, 0])),
    ("bad-blit", copies(KEYED), copies(KEYED, color_key=[0, 0])),
    ("bad-blit", copies(KEYED, "DXT1", color_key=[0, 0]), copies(KEYED, color_key=[0, 0])),
    # surfaces that no device has
    ("bad-size", surface(levels=6), surface(levels=5)),
    ("bad-size", surface(samples=4, levels=2), surface(samples=4)),
    ("bad-size", surface(faces=6, height=8), surface(faces=6)),
    ("bad-size", surface(width=8192, height=8192, samples=16), MADE),
    # what a recorded driver answered
    ("info2-type", info(77, FAIL), info(77, int(HResult.DDERR_CURRENTLYNOTAVAIL))),
    ("volume-depth", says("CreateSurface", depth=4, caps2=0), says("CreateSurface", depth=4, caps2=VOLUME)),
    ("sample-count", both(formats(SEVERAL), says("CreateSurface", format=X8, samples=3)),
     both(formats(SEVERAL), says("CreateSurface", format=X8, samples=4))),
    ("index-buffer-caps", says("CreateD3DBuffer", kind="vertex", caps2=INDEXED),
     says("CreateD3DBuffer", kind="index", caps2=INDEXED)),
    ("buffer-memory", both(caps(DevCaps=0), says("CreateD3DBuffer", handle=BUFFER, memory="video")),
     both(caps(DevCaps=0), says("CreateD3DBuffer", handle=BUFFER, memory="system"))),
    ("rename-address", renamed(surf_data=0x5900), renamed()),
    ("user-memory", says("DrawPrimitives2", flags=1, vertex_buffer=BUFFER), says("DrawPrimitives2", vertex_buffer=BUFFER)),
    ("caps-volume", caps(TextureCaps=int(TextureCaps.MIPVOLUMEMAP)), caps(TextureCaps=0)),
    *(
        (rule, both(caps(**limit), says("CreateSurface", handle=9, format=21, caps=TEXTURED, **wrong)),
         both(caps(**limit), says("CreateSurface", handle=9, format=21, caps=TEXTURED, **wrong | right)))
        for rule, limit, wrong, right in (
            ("texture-size", {"MaxTextureAspectRatio": 2}, {"width": 64, "height": 16}, {"height": 32}),
            ("texture-power", {"TextureCaps": int(TextureCaps.SQUAREONLY)}, {"width": 8, "height": 16}, {"height": 8}),
            ("texture-power", {"TextureCaps": int(TextureCaps.POW2)}, {"width": 8, "height": 12}, {"height": 16}),
            ("texture-power", {"TextureCaps": int(TextureCaps.VOLUMEMAP | TextureCaps.VOLUMEMAP_POW2)},
             {"width": 8, "height": 8, "depth": 3, "caps2": VOLUME}, {"depth": 4}),
            ("texture-support", {"TextureCaps": 0}, {"width": 8, "height": 8, "levels": 2}, {"levels": 1}),
        )
    ),
    # shaders that a driver cannot run: found by the driver, and among what a tape's driver has executed
    ("shader-support", unwatched(reports(PixelShaderVersion=0xFFFF0000), draws(PIXEL)), unwatched(reports(), draws(PIXEL))),
    ("shader-support", both(reports(PixelShaderVersion=0xFFFF0000), accepted(PIXEL)), both(reports(), accepted(PIXEL))),
    ("shader-version", both(reports(VertexShaderVersion=0xFFFE0100), accepted(VERTEX)), both(reports(), accepted(VERTEX))),
    ("bad-shader", unwatched(reports(MaxVertexShaderConst=96), draws(("CREATEVERTEXSHADER", CREATE | {"code": FAR_CONSTANT}))),
     unwatched(reports(MaxVertexShaderConst=101), draws(("CREATEVERTEXSHADER", CREATE | {"code": FAR_CONSTANT})))),
    ("shader-support", both(reports(PixelShaderVersion=0xFFFF0000), draws(CONSTANT)), draws(CONSTANT)),
    ("bad-constant", draws(("SETPIXELSHADERCONST", {"register": 8, "count": 1, "values": [(0, 0, 0, 0)]})), draws(CONSTANT)),
    ("bad-stream", unwatched(draws(("SETSTREAMSOURCE", {"stream": 16, "buffer": 0, "stride": 4}))),
     unwatched(draws(("SETSTREAMSOURCE", {"stream": 15, "buffer": 0, "stride": 4})))),
    ("clear-computerects", both(reports(DevCaps=0), draws(COMPUTED)), both(reports(), draws(COMPUTED))),
]  # fmt: skip
