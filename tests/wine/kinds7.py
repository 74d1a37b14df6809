"""Kinds of random programs that draw, each about one subject."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.runtime.d3d7 import DDSCAPS2
from core.spec.enums import SurfaceCaps
from tests.scenes7.kit import ARGB32, RGB16, RGB32
from tests.wine.drawn7 import (
    DIFFUSE,
    DXT1,
    DXT3,
    DXT5,
    HEIGHT,
    NORMAL,
    SPECULAR,
    WIDTH,
    XYZ,
    XYZRHW,
    Stage,
    bits,
    common_states,
    fog,
    in_rounds,
    light,
)  # fmt: skip
from tests.wine.programs7 import ARGB1555, ARGB4444, KINDS, L8, TEXTURE, VIDEO, XRGB1555, Kind, pixels, surface, write


def lit(stage: Stage) -> None:
    """Direct3D 7: lights, materials, colour sources, fog of placed vertices, viewports, clip planes."""
    device, state, chance = stage.device, stage.state, stage.chance
    common_states(stage)
    scale = stage.camera()
    if chance.random() < 0.3:
        x, y = chance.randrange(20), chance.randrange(20)
        low, high = sorted((chance.random(), chance.random()))
        device.SetViewport((x, y, WIDTH - x - chance.randrange(10), HEIGHT - y - chance.randrange(10), low, high))
    state("FOGENABLE", 0)  # of the round before: Wine 8.0 fogs sums beyond 1, and cuts vertex fog at pixels
    state("LIGHTING", chance.choice((0, 1, 1, 1)))
    state("AMBIENT", chance.getrandbits(24))
    state("SPECULARENABLE", chance.randrange(2))
    state("NORMALIZENORMALS", chance.randrange(2) | (scale < 1))  # Wine 8.0 clamps N.L of long normals
    state("LOCALVIEWER", chance.randrange(2))
    state("COLORVERTEX", chance.randrange(2))
    for name in ("DIFFUSE", "SPECULAR", "AMBIENT", "EMISSIVE"):
        state(f"{name}MATERIALSOURCE", chance.randrange(3))
    device.SetMaterial([[chance.random() for _ in range(4)] for _ in range(4)] + [chance.choice((0.0, 1.0, 5.0, 20.0))])
    for number in range(chance.randrange(4)):
        device.SetLight(number, light(chance))
        device.LightEnable(number, chance.choice((0, 1, 1)))
    if chance.random() < 0.1:
        device.LightEnable(5, 1)
    if chance.random() < 0.2:
        for number in range(chance.randint(1, 3)):
            device.SetClipPlane(number, [chance.uniform(-1, 1) for _ in range(3)] + [chance.uniform(0, 2)])
        state("CLIPPLANEENABLE", chance.randrange(8))
    if chance.random() < 0.4:
        fog(stage, 1.0, 8.0)
        state("SPECULARENABLE", 0)
    for _ in range(chance.randint(1, 3)):
        stage.draw_some(
            XYZ | (NORMAL if chance.random() < 0.9 else 0) | chance.choice((0, DIFFUSE, SPECULAR, DIFFUSE | SPECULAR))
        )


TEXTURE_FORMS = (RGB32, ARGB32, RGB16, ARGB1555, ARGB4444, XRGB1555, L8, DXT1, DXT3, DXT5)
OPERATIONS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24)


def cascades(stage: Stage) -> None:
    """Direct3D 7: textures of all formats, stages with the filters of 7, old states of stage 0, vertices on the screen."""
    device, state, chance = stage.device, stage.state, stage.chance
    common_states(stage)
    state("TEXTUREFACTOR", chance.getrandbits(32))
    state("SPECULARENABLE", chance.randrange(2))
    state("FOGENABLE", 0)
    state("LIGHTING", 0)
    count = chance.randint(1, 3)
    for number in range(count):
        form = chance.choice(TEXTURE_FORMS)
        width, height = 1 << chance.randint(2, 4), 1 << chance.randint(2, 4)
        device.SetTexture(number, stage.texture(form, width, height, caps2=chance.choice((0, 0x10, 0x20000))))
        stage.stage(number, "COLOROP", chance.choice(OPERATIONS))
        stage.stage(number, "ALPHAOP", chance.choice(OPERATIONS[:-1]))
        for name in ("COLORARG1", "COLORARG2", "ALPHAARG1", "ALPHAARG2"):
            stage.stage(number, name, chance.choice((0, 1, 2, 2, 3)) | chance.choice((0, 0, 0x10, 0x20)))
        stage.stage(number, "ALPHAARG1", 2)  # Wine 8.0 draws nothing with BLENDTEXTUREALPHA if no argument is the texture
        stage.stage(number, "TEXCOORDINDEX", chance.randrange(2))
        stage.stage(number, "MAGFILTER", chance.choice((1, 2)))
        stage.stage(number, "MINFILTER", chance.choice((1, 2)))
        address = chance.random()
        if address < 0.4:
            device.SetTextureStageState(number, 12, chance.choice((1, 2, 3)))
        elif address < 0.8:
            stage.stage(number, "ADDRESSU", chance.choice((1, 2, 3)))
            stage.stage(number, "ADDRESSV", chance.choice((1, 2, 3)))
    if chance.random() < 0.3:
        device.SetRenderState(3, chance.choice((1, 2, 3)))
    if chance.random() < 0.3:
        device.SetRenderState(17, chance.choice((1, 2)))
        device.SetRenderState(18, chance.choice((1, 2)))
    if chance.random() < 0.2:
        fog(stage, table=False)  # Wine 8.0 interpolates the depth of table fog by perspective
        state("SPECULARENABLE", 0)  # Wine 8.0 fogs sums beyond 1
    for _ in range(chance.randint(1, 2)):
        stage.draw_some(XYZRHW | chance.choice((DIFFUSE, DIFFUSE | SPECULAR)) | 0x200)


# ---- Direct3D 6 and 5 ------------------------------------------------------------------------------


def older(version: int) -> Callable[[Stage], None]:
    """Viewports with clip volumes, lights, materials, light states, texture handles, TEXTUREMAPBLEND, old states."""

    def play(stage: Stage) -> None:
        state, chance = stage.state, stage.chance
        common_states(stage)
        if chance.random() < 0.4:
            x, y = chance.randrange(20), chance.randrange(20)
            low, high = sorted((chance.random(), chance.random() + 0.1))
            width, height = WIDTH - x - chance.randrange(10), HEIGHT - y - chance.randrange(10)
            if chance.random() < 0.7:
                clip = (chance.uniform(-1.5, -0.5), chance.uniform(0.5, 1.5), chance.uniform(1, 3), chance.uniform(1, 3))
                stage.viewport.SetViewport2((44, x, y, width, height, *clip, low, high))
            else:
                stage.viewport.SetViewport((44, x, y, width, height, width / 2, height / 2, 1.0, 1.0, 0.0, 1.0))
        shines = chance.randrange(2)
        state("SPECULARENABLE", shines)
        if shines:
            state("FOGENABLE", 0)  # Wine 8.0 fogs sums beyond 1
        if chance.random() < 0.7:
            objects(stage)
        if chance.random() < 0.4:
            older_fog(stage)
        if chance.random() < 0.7:
            older_texture(stage)
        for _ in range(chance.randint(1, 3)):
            flags = chance.choice((0, 0, 0, 0x10))
            if version == 2:
                format = chance.choice((0x112, 0x1E2, 0x1C4))
            elif chance.random() < 0.6:
                format = (
                    XYZ | (NORMAL if chance.random() < 0.7 else 0) | chance.choice((0, DIFFUSE, DIFFUSE | SPECULAR)) | 0x100
                )
            else:
                format = XYZRHW | DIFFUSE | chance.choice((0, SPECULAR)) | 0x100
            stage.camera()
            if format & XYZRHW == XYZRHW:
                state("FOGENABLE", 0)  # Wine 8.0 takes depth for their fog, also with a perspective projection
            stage.draw_some(format, flags)

    play.__doc__ = older.__doc__
    return play


def objects(stage: Stage) -> None:
    """A material, light states and lights."""
    chance, d3d, device = stage.chance, stage.d3d, stage.device
    material = d3d.CreateMaterial()
    colors = [[chance.random() for _ in range(4)] for _ in range(4)]
    material.SetMaterial((80, *[number for color in colors for number in color], chance.choice((0.0, 1.0, 8.0)), 0, 0))
    device.SetLightState(1, material.GetHandle(device))
    device.SetLightState(2, chance.getrandbits(24))
    device.SetLightState(8, chance.randrange(2))
    for _ in range(chance.randrange(3)):
        made, kind = d3d.CreateLight(), chance.randint(1, 4)
        _, diffuse, _, _, place, direction, reach, falloff, *rest = light(chance)
        values = (80, kind, *diffuse, *place, *direction, reach, falloff, *rest, chance.choice((1, 1, 1, 3, 0)))
        made.SetLight(values)
        stage.viewport.AddLight(made)
        if chance.random() < 0.1:
            stage.viewport.DeleteLight(made)


def older_fog(stage: Stage) -> None:
    chance, device = stage.chance, stage.device
    stage.state("FOGENABLE", 1)
    stage.state("FOGCOLOR", chance.getrandbits(24))
    start = chance.uniform(1, 6)
    values = (chance.randint(0, 3), bits(start), bits(start + chance.uniform(0.5, 4)), bits(chance.uniform(0.05, 0.3)))
    if chance.random() < 0.5:
        for number, value in zip((4, 5, 6, 7), values, strict=True):
            device.SetLightState(number, value)
    else:
        for name, value in zip(("FOGTABLEMODE", "FOGSTART", "FOGEND", "FOGDENSITY"), values, strict=True):
            stage.state(name, value)
    stage.state("SPECULARENABLE", 0)


def older_texture(stage: Stage) -> None:
    chance, device, state = stage.chance, stage.device, stage.state
    texture = stage.texture(chance.choice((RGB32, ARGB32, RGB16, ARGB4444)), 8, 8)
    other = stage.rec.query(texture, "IDirect3DTexture2")
    if stage.version == 3:  # its textures have handles of an IDirect3DDevice2 only
        device.SetTexture(0, other)
    else:
        device.SetRenderState(1, other.GetHandle(device))
    if stage.version == 2 or chance.random() < 0.6:
        state("TEXTUREMAPBLEND", chance.choice((1, 2, 3, 4, 7, 8)))
    else:
        stage.stage(0, "COLOROP", chance.choice(OPERATIONS))
        operation = chance.choice(OPERATIONS[:-1])
        stage.stage(0, "ALPHAOP", 2 if operation == 14 else operation)  # Wine 8.0 draws nothing with BLENDFACTORALPHA in alpha
    if chance.random() < 0.4:
        state("TEXTUREMAG", chance.choice((1, 2)))
        state("TEXTUREMIN", chance.choice((1, 2)))
    if chance.random() < 0.4:
        state("TEXTUREADDRESS", chance.choice((1, 2, 3)))
    elif chance.random() < 0.3:
        state("TEXTUREADDRESSU", chance.choice((1, 2, 3)))
        state("TEXTUREADDRESSV", chance.choice((1, 2, 3)))
    if chance.random() < 0.3:
        state("COLORKEYENABLE", chance.randrange(2))


# ---- what else a device does -------------------------------------------------------------------------


def processed(stage: Stage) -> None:
    """ProcessVertices into buffers that are drawn and read."""
    device, state, chance = stage.device, stage.state, stage.chance
    state("NORMALIZENORMALS", int(stage.camera() < 1))  # Wine 8.0 clamps N.L of long normals
    is_lit = chance.randrange(2)
    state("LIGHTING", is_lit)  # Wine 8.0 asks the state, not D3DVOP_LIGHT
    state("AMBIENT", chance.getrandbits(24))
    state("COLORVERTEX", chance.randrange(2))
    state("SPECULARENABLE", chance.randrange(2))
    device.SetMaterial([[chance.random() for _ in range(4)] for _ in range(4)] + [chance.choice((1.0, 5.0, 20.0))])
    device.SetLight(0, light(chance))
    device.LightEnable(0, chance.randrange(2))
    box = 0, 0, WIDTH, HEIGHT
    if chance.random() < 0.3:
        x, y = chance.randrange(20), chance.randrange(20)
        box = x, y, WIDTH - x - chance.randrange(10), HEIGHT - y - chance.randrange(10)
        device.SetViewport((*box, 0.1, 0.8))
    format = (
        XYZ
        | (NORMAL if chance.random() < 0.8 else 0)
        | chance.choice((0, DIFFUSE, DIFFUSE | SPECULAR))
        | chance.choice((0, 0x100))
    )
    count = chance.choice((3, 6, 9))
    source = stage.buffer(format, stage.vertices(format, count), count)
    into = XYZRHW | chance.choice((DIFFUSE, DIFFUSE | SPECULAR)) | chance.choice((0, 0x100))
    made = stage.buffer(into, np.zeros(count * size_of(into), np.uint8), count)
    first = chance.choice((0, 0, 1))
    operation = 1 | chance.choice((0, 4)) | 0x400 * is_lit
    made.ProcessVertices(operation, first, count - first, source, chance.randrange(first + 1), device, 0)
    held = stage.rec.read_buffer(made, count * size_of(into))
    device.SetViewport((*box, 0.0, 1.0))  # Wine 8.0 maps depths again that are on the screen already
    if (held.view("<f4").reshape(count, -1)[:, 3] >= 0).all():  # behind the eye, no document says what is drawn
        device.DrawPrimitiveVB(4, made, 0, count, 0)


def size_of(format: int) -> int:
    return (
        (16 if format & XYZRHW == XYZRHW else 12)
        + 12 * bool(format & NORMAL)
        + 4 * bin(format & 0xC0).count("1")
        + 8 * (format >> 8 & 15)
    )


def close_floats(ours: np.ndarray, theirs: np.ndarray) -> str:
    """Vertices: floats that are close, colours of nearly the same channels; alpha of specular, which is fog, is left out."""
    a, b = ours.view("<f4").astype(np.float64), theirs.view("<f4").astype(np.float64)
    near = np.abs(a - b) <= 1e-3 + 1e-3 * np.abs(b)
    channels = np.abs(ours.astype(int) - theirs.astype(int)).reshape(-1, 4).max(1) <= 2
    highlights = (ours.view("<u4") & 0xFFFFFF == 0) & (theirs.view("<u4") & 0xFFFFFF == 0)
    bad = np.flatnonzero(~(near | channels | highlights))
    words = [[f"{word:x}" for word in one.view("<u4")[bad[:4]].tolist()] for one in (ours, theirs)]
    return f"dwords {bad.tolist()[:20]}: {words[0]} here, {words[1]} there" if len(bad) else ""


def keyed(stage: Stage) -> None:
    """Colour keys of textures in draws, alpha blended, filtered by points."""
    device, state, chance = stage.device, stage.state, stage.chance
    state("LIGHTING", 0)
    form = chance.choice((RGB32, ARGB32, RGB16, ARGB1555, ARGB4444, XRGB1555))
    texture = surface(stage.rec, TEXTURE | VIDEO, 8, 8, form)
    data = pixels(chance, 8, 8, form.dwRGBBitCount, 4)
    write(texture, data)
    key = int(chance.choice(data.reshape(-1).tolist()))
    if chance.random() < 0.8:
        texture.SetColorKey(8, (key, key))
    device.SetTexture(0, texture)
    state("COLORKEYENABLE", chance.choice((0, 1, 1)))
    state("ALPHABLENDENABLE", chance.randrange(2))
    state("SRCBLEND", 5)
    state("DESTBLEND", 6)
    stage.stage(0, "COLOROP", chance.choice((2, 4, 7)))
    stage.stage(0, "ALPHAOP", chance.choice((2, 4)))
    if chance.random() < 0.3:
        texture.SetColorKey(8, None)
    stage.draw_some(XYZRHW | DIFFUSE | 0x100)


def mipmaps(stage: Stage) -> None:
    """Levels of textures, each of one colour: the level that is taken shows."""
    device, state, chance = stage.device, stage.state, stage.chance
    state("LIGHTING", 0)
    caps2 = chance.choice((0, 0x10, 0x20000))
    texture = surface(
        stage.rec, TEXTURE | int(SurfaceCaps.MIPMAP | SurfaceCaps.COMPLEX) | (0 if caps2 else VIDEO), 32, 32, RGB32, caps2, 6
    )
    one = texture
    for level in range(6):
        if level:
            one = one.GetAttachedSurface(DDSCAPS2(TEXTURE | int(SurfaceCaps.MIPMAP)))
        size = 32 >> level
        write(one, np.full((size, size), (0xFF0000, 0xFF00, 0xFF, 0xFFFF00, 0xFFFFFF, 0x808080)[level], "<u4"))
    device.SetTexture(0, texture)
    stage.stage(0, "COLOROP", 2)
    stage.stage(0, "MIPFILTER", chance.choice((1, 2, 2, 3)))
    stage.stage(0, "MINFILTER", chance.choice((1, 2)))
    stage.stage(0, "MAGFILTER", chance.choice((1, 2)))
    stage.stage(0, "MAXMIPLEVEL", chance.choice((0, 0, 1, 3)))
    stage.stage(0, "MIPMAPLODBIAS", chance.choice((0.0, 0.0, 1.0, -1.0, 0.5)))
    if caps2 and chance.random() < 0.4:
        texture.SetLOD(chance.choice((1, 2, 4)))
    if chance.random() < 0.3:
        state("TEXTUREMIN", chance.randint(1, 6))
    scale = chance.choice((0.3, 0.7, 1.5, 3.0, 6.0, 12.0, 40.0))
    quad = np.zeros(4, [("position", "<f4", 4), ("diffuse", "<u4"), ("t0", "<f4", 2)])
    quad["position"] = [(x - 0.5, y - 0.5, 0.5, 1) for x, y in ((0, 0), (32, 0), (0, 32), (32, 32))]
    quad["t0"] = [(0, 0), (scale, 0), (0, scale), (scale, scale)]
    device.DrawPrimitive(5, 0x144, quad.view(np.uint8).reshape(-1), 4, 0)


KINDS |= {
    "lit": Kind(in_rounds(lit), 4, 8, 0.01),
    "cascades": Kind(in_rounds(cascades), 4, 8, 0.02),
    "device3": Kind(in_rounds(older(3), 3), 4, 8, 0.01),
    "device2": Kind(in_rounds(older(2), 2), 4, 8, 0.01),
    "processed": Kind(in_rounds(processed), 4, 8, 0.01, compare=close_floats),
    "keyed": Kind(in_rounds(keyed), 4, 8, 0.01),
    "mipmaps": Kind(in_rounds(mipmaps), 4, 8, 0.01),
}
