"""Kinds of random programs at the edges: clipping, odd lights, weights, compressed textures of all sizes, targets with alpha,
depth buffers that are exchanged, Begin and End."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from core.runtime.d3d7 import DDSCAPS2
from tests.scenes7.kit import ARGB32, D16, D24S8, RGB16, RGB32
from tests.wine.copies7 import COMPLEX, MIPMAP, chain
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
    begun,
    common_states,
    in_rounds,
    light,
)  # fmt: skip
from tests.wine.programs7 import (
    KINDS,
    OFFSCREEN,
    TARGET,
    TEXTURE,
    VIDEO,
    XRGB1555,
    ZBUFFER,
    Kind,
    pixels,
    surface,
    write,
)  # fmt: skip


def clipped(stage: Stage) -> None:
    """Vertices on both sides of all planes, behind the eye too: lists, strips, fans, lines; flat, textured, user planes."""
    chance, device, state = stage.chance, stage.device, stage.state
    state("LIGHTING", 0)
    state("SHADEMODE", chance.choice((1, 2)))
    state("CULLMODE", chance.randint(1, 3))
    fill = chance.choice((2, 3, 3, 3))
    state("FILLMODE", fill)
    if fill == 2:  # Wine 8.0 culls what has no area the other way
        state("CULLMODE", 1)
    stage.camera()
    view = np.identity(4)
    view[3, :3] = chance.uniform(-0.5, 0.5), chance.uniform(-0.5, 0.5), chance.uniform(-1, 2)
    device.SetTransform(2, view)
    if chance.random() < 0.4:
        for number in range(chance.randint(1, 6)):
            device.SetClipPlane(number, [chance.uniform(-1, 1) for _ in range(3)] + [chance.uniform(0, 2)])
        state("CLIPPLANEENABLE", chance.randrange(64))
    if chance.random() < 0.5:
        device.SetTexture(0, chain(stage, RGB32, 8, 1, VIDEO)[0][0])
        stage.stage(0, "COLOROP", chance.choice((2, 4)))
        stage.stage(0, "MAGFILTER", 2)
    else:
        device.SetTexture(0, None)
    for _ in range(chance.randint(1, 3)):
        kind, count, format = chance.randint(2, 6), chance.randint(3, 9), XYZ | DIFFUSE | 0x100
        data = stage.vertices(format, count)
        if chance.random() < 0.5:
            device.DrawPrimitive(kind, format, data, count, 0)
        else:
            indices = np.array([chance.randrange(count) for _ in range(chance.randint(3, 9))], np.uint16)
            device.DrawIndexedPrimitive(kind, format, data, count, indices, len(indices), 0)


def spots(stage: Stage) -> None:
    """Lights at the limits of their parameters: cones of no and of full width, ranges, attenuations, negative colours."""
    chance, device, state = stage.chance, stage.device, stage.state
    stage.camera()
    state("NORMALIZENORMALS", 1)
    state("SPECULARENABLE", chance.randrange(2))
    state("LOCALVIEWER", chance.randrange(2))
    state("AMBIENT", chance.getrandbits(24))
    power = chance.choice((0.0, 0.5, 1.0, 60.0))
    device.SetMaterial([[chance.uniform(-0.2, 1.5) for _ in range(4)] for _ in range(4)] + [power])
    for number in range(4):
        one = light(chance)
        one[0] = chance.choice((1, 2, 2, 3))
        if chance.random() < 0.5:
            one[1] = [chance.uniform(-1, 1.5) for _ in range(4)]
        one[6] = chance.choice((0.0, 0.5, 3.0, 100.0))
        one[7] = chance.choice((0.0, 1.0, 0.5, 4.0))
        one[8:11] = chance.choice(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.5), (0.5, 0.2, 0.1)))
        one[11:13] = chance.choice(((0.0, 3.14), (0.5, 0.5), (0.0, 0.0), (1.0, 2.0), (0.0, 1.0)))
        device.SetLight(number, one)
        device.LightEnable(number, chance.randrange(2))
    for _ in range(2):
        stage.draw_some(XYZ | NORMAL | chance.choice((0, DIFFUSE)))


def weighted(stage: Stage) -> None:
    """Vertices blended by one to three weights between world matrices."""
    chance, device, state = stage.chance, stage.device, stage.state
    stage.camera()
    lit = chance.randrange(2)
    state("LIGHTING", lit)
    state("NORMALIZENORMALS", 1)
    state("AMBIENT", 0x404040)
    device.SetMaterial([[chance.random() for _ in range(4)] for _ in range(4)] + [5.0])
    device.SetLight(0, light(chance))
    device.LightEnable(0, 1)
    for number in (1, 4, 5, 6):
        matrix = np.identity(4)  # Wine 8.0 turns normals by the matrices themselves, not their inverse transposes
        matrix[:3, :3] = np.linalg.qr(np.array([[chance.uniform(-1, 1) for _ in range(3)] for _ in range(3)]))[0]
        matrix[3, :3] = [chance.uniform(-1, 1) for _ in range(3)]
        device.SetTransform(number, matrix)
    for _ in range(2):
        weights = chance.randint(1, 3)
        state("VERTEXBLEND", chance.randint(0, weights))
        made = np.zeros(6, [("position", "<f4", 3), ("weights", "<f4", weights), ("normal", "<f4", 3), ("diffuse", "<u4")])
        for one in made:
            one["position"] = [chance.uniform(-2, 2) for _ in range(3)]
            one["weights"] = [chance.uniform(0, 1 / weights) for _ in range(weights)]
            normal = np.array([chance.uniform(-1, 1) for _ in range(3)])
            one["normal"] = normal / np.linalg.norm(normal)
            one["diffuse"] = chance.getrandbits(32)
        device.DrawPrimitive(4, 4 + 2 * weights | NORMAL | DIFFUSE, made.view(np.uint8), 6, 0)
    state("VERTEXBLEND", 0)


def compressed(stage: Stage) -> None:
    """DXT1 to DXT5 in sizes of 1 to 32, each level apart and mixed by MIPFILTER, whole and in blocks."""
    chance, device = stage.chance, stage.device
    stage.state("LIGHTING", 0)
    stage.state("ALPHABLENDENABLE", chance.randrange(2))
    stage.state("SRCBLEND", 5)
    stage.state("DESTBLEND", 6)
    form = chance.choice((DXT1, DXT3, DXT5))
    wide, high = 1 << chance.randint(2, 5), 1 << chance.randint(2, 5)
    levels = chance.choice((1, max(wide, high).bit_length()))
    caps = TEXTURE | VIDEO | (MIPMAP | COMPLEX if levels > 1 else 0)
    top = one = surface(stage.rec, caps, wide, high, form, 0, levels if levels > 1 else 0)
    for level in range(levels):
        if level:
            one = one.GetAttachedSurface(DDSCAPS2(TEXTURE | MIPMAP))
        across, down = -(-max(wide >> level, 1) // 4), -(-max(high >> level, 1) // 4)
        write(one, pixels(chance, across * (8 if form is DXT1 else 16), down, 8))
    device.SetTexture(0, top)
    stage.stage(0, "COLOROP", chance.choice((2, 4)))
    stage.stage(0, "ALPHAOP", 2)
    stage.stage(0, "MAGFILTER", chance.choice((1, 1, 2)))
    stage.stage(0, "MIPFILTER", 2 if levels > 1 else 1)
    for level in range(levels):  # each alone: no pixel is as large as a texel of level 0
        stage.stage(0, "MAXMIPLEVEL", level)
        quad = np.zeros(4, [("position", "<f4", 4), ("diffuse", "<u4"), ("t0", "<f4", 2)])
        left, top, reach = chance.randrange(20), chance.randrange(10), chance.uniform(0.3, 1)
        quad["position"] = [(left + x - 0.25, top + y - 0.25, 0.5, 1) for x, y in ((0, 0), (36, 0), (0, 36), (36, 36))]
        quad["t0"] = [(0, 0), (reach, 0), (0, reach), (reach, reach)]
        quad["diffuse"] = chance.getrandbits(32)
        device.DrawPrimitive(5, XYZRHW | DIFFUSE | 0x100, quad.view(np.uint8).reshape(-1), 4, 0)
    stage.stage(0, "MAXMIPLEVEL", 0)


def blended_targets(form: Any) -> Callable[[Stage], None]:
    """Factors of the destination's alpha, in a target that has one or has none."""

    def play(stage: Stage) -> None:
        chance, state, device = stage.chance, stage.state, stage.device
        state("LIGHTING", 0)
        one = surface(stage.rec, OFFSCREEN | TARGET | VIDEO, WIDTH, HEIGHT, form)
        device.SetRenderTarget(one, 0)
        device.Clear(0, None, 1, chance.getrandbits(32), 1.0, 0)
        for _ in range(chance.randint(2, 5)):
            state("ALPHABLENDENABLE", chance.choice((0, 1, 1)))
            of_source = (*range(1, 9), 11) if form is XRGB1555 else range(1, 12)  # DESTCOLOR makes more of what is rounded
            state("SRCBLEND", chance.choice(of_source))
            state("DESTBLEND", chance.choice(range(1, 9 if form is XRGB1555 else 11)))
            state("ALPHATESTENABLE", chance.choice((0, 0, 1)))
            state("ALPHAREF", chance.choice((0, 1, 128, 255, 256, 0x180)))
            state("ALPHAFUNC", chance.randint(1, 8))
            stage.draw_some(XYZRHW | DIFFUSE)
        stage.rec.read(one)
        device.SetRenderTarget(stage.target, 0)

    play.__doc__ = blended_targets.__doc__
    return play


def attached(stage: Stage) -> None:
    """Several targets, with depth buffers of their own that are attached, detached and shared."""
    chance, state, device = stage.chance, stage.state, stage.device
    state("LIGHTING", 0)
    form = chance.choice((RGB32, RGB16))
    targets = [surface(stage.rec, chance.choice((OFFSCREEN, TEXTURE)) | TARGET | VIDEO, 32, 32, form) for _ in range(2)]
    depths = [surface(stage.rec, ZBUFFER | VIDEO, 32, 32, D16 if form is RGB16 else D24S8) for _ in range(2)]
    held: dict[int, int] = {}
    for _ in range(chance.randint(3, 7)):
        number = chance.randrange(2)
        if chance.random() < 0.5:
            if number in held and chance.random() < 0.6:
                targets[number].DeleteAttachedSurface(0, depths[held.pop(number)])
            elif number not in held:
                free = [n for n in range(2) if n not in held.values()]
                if free:
                    held[number] = chance.choice(free)
                    targets[number].AddAttachedSurface(depths[held[number]])
        device.SetRenderTarget(targets[number], 0)
        device.SetViewport((0, 0, 32, 32, 0.0, 1.0))
        has = number in held
        state("ZENABLE", int(has))
        state("ZFUNC", chance.randint(1, 8))
        state("ZWRITEENABLE", chance.randrange(2))
        if chance.random() < 0.5:
            device.Clear(0, None, chance.choice((1, 3)) if has else 1, chance.getrandbits(24), chance.random(), 0)
        stage.draw_some(XYZRHW | DIFFUSE)
    device.SetRenderTarget(stage.target, 0)
    device.SetViewport((0, 0, WIDTH, HEIGHT, 0.0, 1.0))
    for one in targets:
        stage.rec.read(one)
    for number, depth in held.items():
        targets[number].DeleteAttachedSurface(0, depths[depth])


def batches(stage: Stage) -> None:
    """Begin, Vertex and End of Direct3D 6, of placed and of screen vertices; draws with flags."""
    chance, device = stage.chance, stage.device
    common_states(stage)
    stage.camera()
    for _ in range(chance.randint(1, 3)):
        format = chance.choice((XYZ | DIFFUSE, XYZ | NORMAL, XYZRHW | DIFFUSE, XYZRHW | DIFFUSE | SPECULAR))
        kind = chance.choice((4, 5, 6))
        count = chance.choice((3, 6, 9))
        data = stage.vertices(format, count)
        size = len(data) // count
        device.Begin(kind, format, 0)
        for n in range(count):
            device.Vertex(data[n * size : n * size + size].tobytes())
        device.End(0)


# Wine 8.0 ends when it draws to ARGB4444 or ARGB1555, and has no copies from palettes to colours.


def in_target(form: Any) -> Callable[[Any, Random], None]:
    """A program whose target has another format."""

    def play(rec: Any, chance: Random) -> None:
        stage = begun(rec, chance, 7, False)
        for number in range(2):
            if number:
                stage.begin()
            blended_targets(form)(stage)
            stage.finish()

    return play


KINDS |= {
    "clipped": Kind(in_rounds(clipped), 4, 12, 0.01),
    "spots": Kind(in_rounds(spots), 4, 8, 0.01),
    "weighted": Kind(in_rounds(weighted), 4, 8, 0.01),
    "compressed": Kind(in_rounds(compressed), 4, 8, 0.02),
    "targets8888": Kind(in_target(ARGB32), 4, 8, 0.01),
    "targets555": Kind(in_target(XRGB1555), 25, 8, 0.01),  # llvmpipe cuts drawn colours to 5 bits, ours are rounded
    "attached": Kind(in_rounds(attached, depth=False), 4, 8, 0.01),
    "batches": Kind(in_rounds(batches, 3), 4, 8, 0.01),
}
