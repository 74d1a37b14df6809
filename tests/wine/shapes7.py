"""Kinds of random programs that draw: shapes, cubes, coordinates, bumps, stencil, state blocks, fog, older devices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.runtime.d3d7 import DDPIXELFORMAT
from core.spec.enums import PixelFormatFlag
from tests.scenes7.kit import ARGB32, D24S8, RGB16, RGB32
from tests.wine.copies7 import chain
from tests.wine.drawn7 import (
    DIFFUSE,
    HEIGHT,
    NORMAL,
    SPECULAR,
    TEXTURE0,
    WIDTH,
    XYZ,
    XYZRHW,
    Stage,
    common_states,
    draw_with_blocks,
    fog,
    in_rounds,
    light,
)  # fmt: skip
from tests.wine.kinds7 import OPERATIONS
from tests.wine.programs7 import ARGB1555, ARGB4444, KINDS, L8, TEXTURE, VIDEO, Kind, pixels, rect, surface, write

V8U8 = DDPIXELFORMAT(32, PixelFormatFlag.BUMPDUDV, 0, 16, 0xFF, 0, 0xFF00)
L6V5U5 = DDPIXELFORMAT(32, PixelFormatFlag.BUMPDUDV | PixelFormatFlag.BUMPLUMINANCE, 0, 16, 0x1F, 0, 0x3E0, 0, 0xFC00)
X8L8V8U8 = DDPIXELFORMAT(32, PixelFormatFlag.BUMPDUDV | PixelFormatFlag.BUMPLUMINANCE, 0, 32, 0xFF, 0, 0xFF00, 0, 0xFF0000)


def screen(stage: Stage, count: int, sets: int = 0, spread: int = 8) -> np.ndarray:
    """Vertices on the screen at whole pixels plus a quarter, of XYZRHW and diffuse."""
    chance = stage.chance
    made = np.zeros(count, [("position", "<f4", 4), ("diffuse", "<u4"), *((f"t{n}", "<f4", 2) for n in range(sets))])
    for one in made:
        one["position"] = (chance.randint(-spread, WIDTH + spread) + 0.25, chance.randint(-spread, HEIGHT + spread) + 0.25,
                           chance.random(), 1)  # fmt: skip
        one["diffuse"] = chance.getrandbits(32)
        for n in range(sets):
            one[f"t{n}"] = chance.uniform(-0.5, 2), chance.uniform(-0.5, 2)
    return made


def shapes(stage: Stage) -> None:
    """Points, lines, strips and fans, with and without indices; fill modes, shading, the last pixel, culling."""
    chance, state, device = stage.chance, stage.state, stage.device
    state("LIGHTING", 0)
    state("SHADEMODE", chance.choice((1, 2, 2)))
    state("FILLMODE", chance.choice((1, 2, 3, 3)))
    state("LASTPIXEL", chance.choice((0, 1, 1)))
    state("CULLMODE", chance.randint(1, 3))
    for _ in range(chance.randint(1, 3)):
        kind, count = chance.randint(1, 6), chance.randint(1, 8)
        data = screen(stage, count, spread=0)
        if kind == 1 or chance.random() < 0.5:
            device.DrawPrimitive(kind, 0x44, data.view(np.uint8), count, 0)
        else:
            indices = np.array([chance.randrange(count) for _ in range(chance.randint(2, 9))], np.uint16)
            device.DrawIndexedPrimitive(kind, 0x44, data.view(np.uint8), count, indices, len(indices), 0)


def cubes(stage: Stage) -> None:
    """Cube maps with levels, by coordinates of three floats or generated ones."""
    chance, state, device = stage.chance, stage.state, stage.device
    state("LIGHTING", 0)
    state("NORMALIZENORMALS", chance.randrange(2))
    stage.camera()
    levels = chance.choice((1, 1, 4))
    form = chance.choice((RGB32, ARGB32, RGB16))
    faces = chain(stage, form, 8, levels, VIDEO, 0x200 | 0xFC00)
    device.SetTexture(0, faces[0][0])
    stage.stage(0, "COLOROP", chance.choice((2, 4)))
    stage.stage(0, "MAGFILTER", chance.choice((1, 1, 2)))
    stage.stage(0, "MIPFILTER", 1)
    if chance.random() < 0.5:
        stage.stage(0, "TEXCOORDINDEX", chance.choice((0x10000, 0x20000, 0x30000)))
        stage.stage(0, "TEXTURETRANSFORMFLAGS", chance.choice((0, 3)))
        stage.draw_some(XYZ | NORMAL | DIFFUSE)
        return
    stage.stage(0, "TEXCOORDINDEX", 0)
    stage.stage(0, "TEXTURETRANSFORMFLAGS", 0)
    data = np.zeros(6, [("position", "<f4", 3), ("t0", "<f4", 3)])
    for one in data:
        one["position"] = [chance.uniform(-2, 2) for _ in range(3)]
        one["t0"] = [chance.uniform(-1, 1) for _ in range(3)]
    device.DrawPrimitive(4, XYZ | 0x100 | 1 << 16, data.view(np.uint8), 6, 0)


def coordinates(stage: Stage) -> None:
    """Texture matrices, generated coordinates, projection, sets of one to four floats."""
    chance, state, device = stage.chance, stage.state, stage.device
    state("LIGHTING", 0)
    state("NORMALIZENORMALS", 1)
    stage.camera()
    for number in range(chance.randint(1, 2)):
        device.SetTexture(number, chain(stage, RGB32, 8, 1, VIDEO)[0][0])
        stage.stage(number, "COLOROP", chance.choice((2, 4, 7)))
        stage.stage(number, "MAGFILTER", chance.choice((1, 1, 2)))
        index, flags = chance.choice((0, 0, 1, 0x10000, 0x20000, 0x30000)), chance.choice((0, 2, 3, 0x103))
        stage.stage(number, "TEXCOORDINDEX", index)
        stage.stage(number, "TEXTURETRANSFORMFLAGS", flags)
        matrix = np.array([[chance.uniform(-1, 1) for _ in range(4)] for _ in range(4)])
        if flags & 0x100:
            matrix[:, 2] = 0, 0, 0, chance.uniform(0.5, 2)
            if index < 0x10000:  # of two numbers; Wine 8.0 adds the fourth row of projected ones instead of the third
                matrix[2] = matrix[3]
        device.SetTransform(TEXTURE0 + number, matrix)
    format = XYZ | NORMAL | DIFFUSE | 0x200
    stage.draw_some(format)


def bumps(stage: Stage) -> None:
    """BUMPENVMAP and BUMPENVMAPLUMINANCE from maps of all their formats."""
    chance, state, device = stage.chance, stage.state, stage.device
    state("LIGHTING", 0)
    form = chance.choice((V8U8, L6V5U5, X8L8V8U8))
    device.SetTexture(0, chain(stage, form, 8, 1, VIDEO)[0][0])
    device.SetTexture(1, chain(stage, RGB32, 8, 1, VIDEO)[0][0])
    stage.stage(0, "COLOROP", 22 if form is V8U8 else chance.choice((22, 23)))
    stage.stage(0, "COLORARG1", 2)
    stage.stage(0, "COLORARG2", 1)
    for n in ("00", "01", "10", "11"):
        stage.stage(0, f"BUMPENVMAT{n}", chance.uniform(-0.5, 0.5))
    stage.stage(0, "BUMPENVLSCALE", chance.uniform(0, 1))
    stage.stage(0, "BUMPENVLOFFSET", chance.uniform(0, 0.5))
    stage.stage(1, "COLOROP", chance.choice((2, 4)))
    stage.stage(1, "COLORARG1", 2)
    stage.stage(1, "COLORARG2", 0)
    stage.stage(1, "TEXCOORDINDEX", chance.randrange(2))
    stage.draw_some(XYZRHW | DIFFUSE | 0x200)


def blended(stage: Stage) -> None:
    """All factors of blending, both-factors, alpha tests; textures with alpha."""
    chance, state, device = stage.chance, stage.state, stage.device
    state("LIGHTING", 0)
    state("ALPHABLENDENABLE", 1)
    state("SRCBLEND", chance.randint(1, 13))
    state("DESTBLEND", chance.randint(1, 10))
    state("ALPHATESTENABLE", chance.randrange(2))
    state("ALPHAREF", chance.choice((0, 1, 127, 128, 254, 255)))
    state("ALPHAFUNC", chance.randint(1, 8))
    if chance.random() < 0.6:
        device.SetTexture(0, chain(stage, chance.choice((ARGB32, ARGB1555, ARGB4444, RGB16, L8)), 8, 1, VIDEO)[0][0])
        stage.stage(0, "COLOROP", chance.choice(OPERATIONS[:3]))
        stage.stage(0, "ALPHAOP", chance.choice(OPERATIONS[:3]))
    else:
        device.SetTexture(0, None)
    for _ in range(chance.randint(1, 3)):
        stage.draw_some(XYZRHW | DIFFUSE | 0x100)


def stenciled(stage: Stage) -> None:
    """Stencil: functions, references, masks, operations; clears of stencil and depth in rectangles."""
    chance, state, device = stage.chance, stage.state, stage.device
    state("LIGHTING", 0)
    if stage.depth_form is D24S8:
        state("STENCILENABLE", 1)
        for _ in range(chance.randint(1, 3)):
            state("STENCILFUNC", chance.randint(1, 8))
            state("STENCILREF", chance.choice((0, 1, 2, 128, 255, 256, 300)))
            state("STENCILMASK", chance.choice((0xFFFFFFFF, 3, 1, 0x80)))
            state("STENCILWRITEMASK", chance.choice((0xFFFFFFFF, 2, 0xF0)))
            for name in ("STENCILFAIL", "STENCILZFAIL", "STENCILPASS"):
                state(name, chance.randint(1, 8))
            state("ZENABLE", chance.randrange(2))
            state("ZFUNC", chance.randint(1, 8))
            stage.draw_some(XYZRHW | DIFFUSE)
            box = rect(chance, WIDTH, HEIGHT)
            device.Clear(1, [box], chance.choice((2, 4, 6)), 0, chance.random(), chance.choice((0, 1, 255, 256)))
    state("STENCILFUNC", 8)
    stage.draw_some(XYZRHW | DIFFUSE)


def blocks(stage: Stage) -> None:
    """State blocks: recorded, created of each type, applied, captured, deleted; draws in between."""
    chance, device = stage.chance, stage.device

    def some() -> None:
        common_states(stage)
        stage.state("AMBIENT", chance.getrandbits(24))
        stage.state("LIGHTING", chance.randrange(2))
        stage.stage(0, "COLOROP", chance.choice((2, 3, 4)))
        device.SetMaterial([[chance.random() for _ in range(4)] for _ in range(4)] + [5.0])
        number = chance.randrange(3)
        device.SetLight(number, light(chance))
        device.LightEnable(number, chance.randrange(2))  # alone in a block, Wine 8.0 makes the light the default one
        if chance.random() < 0.4:
            stage.camera()
        if chance.random() < 0.3:
            device.SetViewport((chance.randrange(20), chance.randrange(20), 40, 28, 0.0, 1.0))
        if chance.random() < 0.3:
            device.SetClipPlane(0, [chance.uniform(-1, 1) for _ in range(4)])
            stage.state("CLIPPLANEENABLE", chance.randrange(2))

    stage.camera()
    stage.state("NORMALIZENORMALS", 1)
    for n in range(3):
        device.SetLight(n, light(chance))
    draw_with_blocks(stage, some, chance.randint(2, 5), (0.3, 0.5, 0.6, 0.8, 0.9), XYZ | NORMAL | DIFFUSE)
    device.SetViewport((0, 0, WIDTH, HEIGHT, 0.0, 1.0))


def fogged(stage: Stage) -> None:
    """Fog of every kind: vertices on the screen with fog in specular alpha, table fog, vertex fog, range."""
    chance, state = stage.chance, stage.state
    state("LIGHTING", 0)
    stage.camera()
    placed = chance.random() < 0.6
    fog(stage, 1.0, 8.0, table=placed)
    if chance.random() < 0.3:
        state("FOGENABLE", 0)
    state("SHADEMODE", chance.choice((1, 2)))
    for _ in range(2):
        stage.draw_some(XYZ | DIFFUSE | chance.choice((0, SPECULAR)) if placed else XYZRHW | DIFFUSE | SPECULAR)
    state("FOGTABLEMODE", 0)
    state("FOGVERTEXMODE", 0)


# ---- Direct3D 6 and 5 ------------------------------------------------------------------------------


def mapped(version: int) -> Callable[[Stage], None]:
    """TEXTUREMAPBLEND over textures with and without alpha that are exchanged, alpha tests and blending."""

    def play(stage: Stage) -> None:
        chance, state, device = stage.chance, stage.state, stage.device
        state("FOGENABLE", 0)
        state("SPECULARENABLE", chance.randrange(2))
        textures = []
        for form in chance.sample((RGB32, ARGB32, RGB16, ARGB1555, ARGB4444), 2):
            one = surface(stage.rec, TEXTURE | VIDEO, 8, 8, form, draw=stage.draw)
            write(one, pixels(chance, 8, 8, form.dwRGBBitCount))
            other = stage.rec.query(one, "IDirect3DTexture2")
            textures.append((other, other.GetHandle(device) if version == 2 else None))
        for _ in range(chance.randint(2, 6)):
            what = chance.random()
            if what < 0.4:
                texture, handle = chance.choice((*textures, (None, 0)))
                if version == 3:
                    device.SetTexture(0, texture)
                else:
                    device.SetRenderState(1, handle)
            elif what < 0.7:
                state("TEXTUREMAPBLEND", chance.choice((1, 2, 3, 4, 7, 8)))
            elif what < 0.8 and version == 3:
                stage.stage(0, chance.choice(("COLOROP", "ALPHAOP")), chance.choice((2, 3, 4)))
            elif what < 0.9:
                state("ALPHABLENDENABLE", 1)
                state("SRCBLEND", chance.choice((5, 6, 2)))
                state("DESTBLEND", chance.choice((5, 6, 1, 2)))
            else:
                state("ALPHATESTENABLE", chance.randrange(2))
                state("ALPHAREF", 128)
                state("ALPHAFUNC", 5)
            stage.draw_some(0x1C4)

    play.__doc__ = mapped.__doc__
    return play


def cleared(version: int) -> Callable[[Stage], None]:
    """Viewports, their backgrounds, clears of several rectangles, several viewports."""

    def play(stage: Stage) -> None:
        chance, d3d, device = stage.chance, stage.d3d, stage.device
        stage.state("FOGENABLE", 0)
        stage.camera()
        viewports = [stage.viewport]
        for _ in range(chance.randrange(3)):
            one = d3d.CreateViewport()
            device.AddViewport(one)
            box = rect(chance, WIDTH, HEIGHT)
            one.SetViewport2((44, *box[:2], box[2] - box[0], box[3] - box[1], -1.0, 1.0, 2.0, 2.0, 0.0, 1.0))
            viewports.append(one)
        for one in viewports:
            if chance.random() < 0.5:
                material = d3d.CreateMaterial()
                material.SetMaterial((80, *(chance.random() for _ in range(17)), 0, 0))
                one.SetBackground(material.GetHandle(device))
        for _ in range(chance.randint(2, 6)):
            one, boxes = chance.choice(viewports), [rect(chance, WIDTH + 9, HEIGHT + 9) for _ in range(chance.randrange(4))]
            what = chance.random()
            depth = 2 if stage.depth_form is not None else 0
            if what < 0.5 or version == 2:
                one.Clear(len(boxes), boxes or None, chance.choice((1, 1 | depth)))
            else:
                one.Clear2(len(boxes), boxes or None, chance.choice((1, 1 | depth)), chance.getrandbits(24), chance.random(), 0)
            if chance.random() < 0.4:
                device.SetCurrentViewport(one)
                stage.draw_some(0x1E2 if version == 2 else XYZ | DIFFUSE)
        device.SetCurrentViewport(stage.viewport)
        for one in viewports[1:]:
            device.DeleteViewport(one)

    play.__doc__ = cleared.__doc__
    return play


KINDS |= {
    "shapes": Kind(in_rounds(shapes), 4, 12, 0.01),
    "cubes": Kind(in_rounds(cubes), 4, 8, 0.03),
    "coordinates": Kind(in_rounds(coordinates), 4, 8, 0.03),
    "bumps": Kind(in_rounds(bumps), 4, 8, 0.04),
    "blended": Kind(in_rounds(blended), 4, 8, 0.02),
    "stenciled": Kind(in_rounds(stenciled), 4, 8, 0.01),
    "blocks": Kind(in_rounds(blocks), 4, 8, 0.01),
    "fogged": Kind(in_rounds(fogged), 4, 8, 0.01),
    "mapped3": Kind(in_rounds(mapped(3), 3), 4, 8, 0.02),
    "mapped2": Kind(in_rounds(mapped(2), 2), 4, 8, 0.02),
    "cleared3": Kind(in_rounds(cleared(3), 3), 4, 8, 0.01),
    "cleared2": Kind(in_rounds(cleared(2), 2), 4, 8, 0.01),
}
