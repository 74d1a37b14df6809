"""Kinds of random programs: strides, vertex buffers, retired states, render targets, state blocks of
everything, light and material objects, copies of depth."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from core.runtime.d3d7 import D3DDP_PTRSTRIDE, D3DDRAWPRIMITIVESTRIDEDDATA, DDBLTFX, Object7
from core.spec.states import RENDER_STATE_ID
from tests.scenes7.kit import ARGB32, D16, RGB16, RGB32
from tests.wine.copies7 import WAIT, chain
from tests.wine.drawn7 import (
    DIFFUSE,
    HEIGHT,
    NORMAL,
    SPECULAR,
    WIDTH,
    XYZ,
    XYZRHW,
    Stage,
    common_states,
    draw_with_blocks,
    in_rounds,
    light,
)  # fmt: skip
from tests.wine.kinds7 import close_floats, size_of
from tests.wine.programs7 import (
    ARGB4444,
    KINDS,
    TARGET,
    VIDEO,
    ZBUFFER,
    Kind,
    allowed_to_fail,
    rect,
    surface,
)  # fmt: skip


def spaced(stage: Stage, format: int, data: np.ndarray, count: int) -> D3DDRAWPRIMITIVESTRIDEDDATA:
    """The components of vertices, each at a stride of its own, with noise between; 0: all vertices have the same."""
    chance, rows, place, found = stage.chance, data.reshape(count, -1), 0, {}
    names = [("position", 16 if format & XYZRHW == XYZRHW else 12), ("normal", 12 * bool(format & NORMAL)),
             ("diffuse", 4 * bool(format & DIFFUSE)), ("specular", 4 * bool(format & SPECULAR))]  # fmt: skip
    names += [(f"t{n}", 8) for n in range(format >> 8 & 15)]
    for name, size in names:
        if not size:
            continue
        stride = size + chance.choice((0, 0, 4, 8, 20))
        if name in ("diffuse", "specular", "normal") and chance.random() < 0.2:
            stride = 0
        memory = np.frombuffer(chance.randbytes(max(stride, size) * count), np.uint8).copy()
        for n in range(count):
            memory[n * stride : n * stride + size] = rows[n, place : place + size]
        found[name] = D3DDP_PTRSTRIDE(memory.tobytes(), stride)
        place += size
    sets = tuple(found.pop(f"t{n}", D3DDP_PTRSTRIDE()) for n in range(8))
    return D3DDRAWPRIMITIVESTRIDEDDATA(**found, textureCoords=sets)


def strides(version: int) -> Callable[[Stage], None]:
    """Strided draws with components that are apart, or the same for all vertices; with and without indices."""

    def play(stage: Stage) -> None:
        chance, device = stage.chance, stage.device
        stage.camera()
        if version == 7:
            stage.state("LIGHTING", 0)
        texture = chain(stage, RGB32, 8, 1, VIDEO)[0][0]
        device.SetTexture(0, texture if version == 7 else stage.rec.query(texture, "IDirect3DTexture2"))
        for _ in range(chance.randint(1, 3)):
            format = chance.choice((XYZ, XYZ | NORMAL, XYZRHW)) | chance.choice((DIFFUSE, DIFFUSE | SPECULAR))
            format |= chance.choice((0x100, 0x100, 0x200))
            format = format & ~NORMAL if format & XYZRHW == XYZRHW else format
            kind, count = chance.choice((4, 5, 6)), chance.randint(3, 9)
            given = spaced(stage, format, stage.vertices(format, count), count)
            if chance.random() < 0.5:
                device.DrawPrimitiveStrided(kind, format, given, count, 0)
            else:
                indices = np.array([chance.randrange(count) for _ in range(chance.choice((3, 6, 9)))], np.uint16)
                device.DrawIndexedPrimitiveStrided(kind, format, given, count, indices, len(indices), 0)

    play.__doc__ = strides.__doc__
    return play


def buffers(stage: Stage) -> None:
    """Vertex buffers: parts of them, indices from a first vertex, Optimize, ProcessVertices from and to places."""
    chance, device, state = stage.chance, stage.device, stage.state
    state("NORMALIZENORMALS", int(stage.camera() < 1))  # Wine 8.0 clamps N.L of long normals
    is_lit = chance.randrange(2)
    state("LIGHTING", is_lit)
    device.SetMaterial([[chance.random() for _ in range(4)] for _ in range(4)] + [5.0])
    device.SetLight(0, light(chance))
    device.LightEnable(0, 1)
    format, count = XYZ | NORMAL | chance.choice((0, DIFFUSE)) | chance.choice((0, 0x100, 0x200)), chance.randint(6, 12)
    data = stage.vertices(format, count)
    source = stage.buffer(format, data, count)
    into = XYZRHW | DIFFUSE | chance.choice((0, SPECULAR)) | chance.choice((0, 0x100, 0x200))
    made = stage.buffer(into, stage.vertices(into, count), count)
    for _ in range(chance.randint(1, 4)):
        first, to = chance.randrange(count - 3), chance.randrange(count - 3)
        number = chance.randint(1, count - max(first, to))
        operation = 1 | chance.choice((0, 4)) | 0x400 * is_lit
        made.ProcessVertices(operation, to, number, source, first, device, 0)  # ProcessVerticesStrided: a stub in Wine 8.0
    stage.rec.read_buffer(made, count * size_of(into))
    if chance.random() < 0.3:
        source.Optimize(device, 0)
    for _ in range(chance.randint(1, 3)):
        first = chance.randrange(count - 3)
        number, kind = chance.randint(3, count - first), chance.choice((4, 5, 6))
        if chance.random() < 0.5:
            device.DrawPrimitiveVB(kind, source, first, number, 0)
        else:
            indices = np.array([chance.randrange(number) for _ in range(chance.choice((3, 6, 9)))], np.uint16)
            device.DrawIndexedPrimitiveVB(kind, source, first, number, indices, len(indices), 0)


RETIRED = ("ANTIALIAS", "TEXTUREPERSPECTIVE", "LINEPATTERN", "MONOENABLE", "ROP2", "PLANEMASK", "SUBPIXEL", "SUBPIXELX",
           "STIPPLEDALPHA", "STIPPLEENABLE", "ZVISIBLE", "TRANSLUCENTSORTINDEPENDENT", "BORDERCOLOR", "TEXTUREHANDLE",
           "COLORKEYBLENDENABLE", "WRAPU", "WRAPV")  # fmt: skip


def retired(version: int) -> Callable[[Stage], None]:
    """States that draw nothing else on hardware, stipple patterns, clip status and questions between draws."""

    def play(stage: Stage) -> None:
        chance, device = stage.chance, stage.device
        for name in chance.sample(sorted(set(RETIRED) & set(RENDER_STATE_ID)), 4):
            if name == "TEXTUREHANDLE" or (version == 2 and name.startswith("WRAP")):
                continue
            value = {"ROP2": 13, "WRAPU": 0, "WRAPV": 0, "LINEPATTERN": 0x10001}.get(name, chance.randrange(2))
            allowed_to_fail(device.SetRenderState, RENDER_STATE_ID[name], value)
        for number in chance.sample(range(64, 96), 3):
            allowed_to_fail(device.SetRenderState, number, chance.getrandbits(32))
        allowed_to_fail(device.SetClipStatus, (2, chance.getrandbits(12), 0.0, 10.0, 0.0, 10.0, 0.0, 1.0))
        stage.rec.bring(device, "GetClipStatus", 32)
        if version == 7:
            stage.state("LIGHTING", 0)
        stage.camera()
        stage.draw_some(0x1E2 if version == 2 else XYZ | DIFFUSE | 0x100)
        stage.draw_some(0x1C4 if version == 2 else XYZRHW | DIFFUSE | 0x100)

    play.__doc__ = retired.__doc__
    return play


def targets(stage: Stage) -> None:
    """Textures, their levels and faces of cubes as targets, one after another, with and without depth; then drawn from."""
    chance, device, state = stage.chance, stage.device, stage.state
    state("LIGHTING", 0)
    levels, is_cube = chance.choice((1, 1, 3)), chance.random() < 0.3
    faces = chain(stage, chance.choice((RGB32, ARGB32, RGB16)), 32, 1 if is_cube else levels, VIDEO | TARGET,
                  0x200 | 0xFC00 if is_cube else 0)  # fmt: skip
    flat = [level for face in faces for level in face]
    device.SetTexture(0, None)
    for _ in range(chance.randint(1, 4)):
        one = chance.choice((*flat, stage.target))
        device.SetRenderTarget(one, 0)
        if chance.random() < 0.6:
            box = rect(chance, WIDTH, HEIGHT)
            state("ZENABLE", 0)
            device.Clear(*chance.choice(((0, None), (1, [box]))), 1, chance.getrandbits(24), 1.0, 0)
        if chance.random() < 0.3:
            device.SetViewport((0, 0, 8, 8, 0.0, 1.0))
        stage.draw_some(XYZRHW | DIFFUSE)
    device.SetRenderTarget(stage.target, 0)
    device.SetViewport((0, 0, WIDTH, HEIGHT, 0.0, 1.0))
    for one in flat:
        stage.rec.read(one)
    if not is_cube:
        device.SetTexture(0, faces[0][0])
        stage.stage(0, "COLOROP", 2)
        stage.stage(0, "MIPFILTER", 1)
        stage.draw_some(XYZRHW | DIFFUSE | 0x100)
        device.SetTexture(0, None)


def everything(stage: Stage) -> None:
    """State blocks that hold textures, stage states, transforms, materials, viewports, clip planes; of all types."""
    chance, device, state = stage.chance, stage.device, stage.state
    textures = [chain(stage, form, 8, 1, VIDEO)[0][0] for form in (RGB32, ARGB32, ARGB4444)]
    state("NORMALIZENORMALS", 1)

    def some() -> None:
        common_states(stage)
        device.SetTexture(chance.randrange(2), chance.choice((*textures, None)))
        for name in ("COLOROP", "ALPHAOP", "COLORARG1", "COLORARG2", "MAGFILTER", "ADDRESSU", "ADDRESSV", "TEXCOORDINDEX"):
            if chance.random() < 0.3:
                value = {"COLOROP": (2, 3, 4, 7), "ALPHAOP": (2, 3, 4), "MAGFILTER": (1, 2), "TEXCOORDINDEX": (0,)}
                stage.stage(chance.randrange(2), name, chance.choice(value.get(name, (1, 2))))
        if chance.random() < 0.3:
            device.SetTextureStageState(0, 12, chance.choice((1, 2, 3)))
        state("TEXTUREFACTOR", chance.getrandbits(32))
        state("LIGHTING", chance.randrange(2))
        state("AMBIENT", chance.getrandbits(24))
        state("SPECULARENABLE", chance.randrange(2))
        for name in ("DIFFUSEMATERIALSOURCE", "AMBIENTMATERIALSOURCE"):
            state(name, chance.randrange(3))
        if chance.random() < 0.4:
            stage.camera()
        device.SetMaterial([[chance.random() for _ in range(4)] for _ in range(4)] + [5.0])
        if chance.random() < 0.3:
            device.SetViewport((chance.randrange(20), chance.randrange(20), 40, 28, 0.0, 1.0))
        if chance.random() < 0.3:
            device.SetClipPlane(0, [chance.uniform(-1, 1) for _ in range(4)])
            state("CLIPPLANEENABLE", chance.randrange(2))

    stage.camera()
    for n in range(2):
        device.SetLight(n, light(chance))
        device.LightEnable(n, 1)
    draw_with_blocks(stage, some, chance.randint(3, 7), (0.3, 0.5, 0.65, 0.85, 0.95), XYZ | NORMAL | DIFFUSE | 0x100)
    device.SetViewport((0, 0, WIDTH, HEIGHT, 0.0, 1.0))


# ---- Direct3D 6 and 5 ------------------------------------------------------------------------------


def shining(version: int) -> Callable[[Stage], None]:
    """Lights and materials that change after they are in use, are taken away and given to other viewports."""

    def play(stage: Stage) -> None:
        chance, d3d, device = stage.chance, stage.d3d, stage.device
        materials = [d3d.CreateMaterial() for _ in range(2)]
        handles: list[int] = []
        lights = [d3d.CreateLight() for _ in range(3)]
        held: set[int] = set()

        def shine(one: Object7) -> None:
            kind = chance.randint(1, 3)
            _, diffuse, _, _, place, direction, reach, falloff, *rest = light(chance)
            one.SetLight((80, kind, *diffuse, *place, *direction, reach, falloff, *rest, chance.choice((1, 1, 3, 0, 2))))

        def paint(one: Object7) -> None:
            one.SetMaterial((80, *(chance.random() for _ in range(16)), chance.choice((0.0, 1.0, 8.0)), 0, 0))

        for one in materials:
            paint(one)
            handles.append(one.GetHandle(device))
        for one in lights:
            shine(one)
        stage.camera()
        stage.state("SPECULARENABLE", chance.randrange(2))
        for _ in range(chance.randint(3, 8)):
            what, number = chance.random(), chance.randrange(3)
            if what < 0.25 and number not in held:
                stage.viewport.AddLight(lights[number])
                held.add(number)
            elif what < 0.35 and number in held:
                stage.viewport.DeleteLight(lights[number])
                held.discard(number)
            elif what < 0.55:
                shine(lights[number])
            elif what < 0.7:
                paint(chance.choice(materials))
            elif what < 0.85:
                device.SetLightState(1, chance.choice((*handles, *handles, 0)))
            else:
                device.SetLightState(chance.choice((2, 8)), chance.randrange(2) or chance.getrandbits(24))
            stage.draw_some(0x112 if version == 2 else XYZ | NORMAL | chance.choice((0, DIFFUSE)) | 0x100)
        for number in held:
            stage.viewport.DeleteLight(lights[number])

    play.__doc__ = shining.__doc__
    return play


# ---- copies -----------------------------------------------------------------------------------------


def depths(rec: Any, chance: Random) -> None:
    """Fills and copies of depth.  (Wine 8.0 gives duplicates of a surface memory of their own.)"""
    made = [surface(rec, ZBUFFER | VIDEO, 24, 16, D16) for _ in range(2)]
    for one in made:
        one.Blt(None, None, None, 0x2000000 | WAIT, DDBLTFX(dwFillColor=chance.getrandbits(16)))
    box = rect(chance, 24, 16)
    made[0].Blt(box, None, None, 0x2000000 | WAIT, DDBLTFX(dwFillColor=chance.getrandbits(16)))
    if chance.random() < 0.7:
        allowed_to_fail(made[1].Blt, None, made[0], None, WAIT, None)
    for one in made:
        rec.read(one)


KINDS |= {
    "strides7": Kind(in_rounds(strides(7)), 4, 8, 0.02),
    "strides3": Kind(in_rounds(strides(3), 3), 4, 8, 0.02),
    "buffers": Kind(in_rounds(buffers), 4, 8, 0.01, compare=close_floats),
    "retired7": Kind(in_rounds(retired(7)), 4, 8, 0.01, compare=lambda ours, theirs: ""),
    "retired3": Kind(in_rounds(retired(3), 3), 4, 8, 0.01, compare=lambda ours, theirs: ""),
    "retired2": Kind(in_rounds(retired(2), 2), 4, 8, 0.01, compare=lambda ours, theirs: ""),
    "targets": Kind(in_rounds(targets, depth=False), 4, 8, 0.02),
    "everything": Kind(in_rounds(everything), 4, 8, 0.02),
    "shining3": Kind(in_rounds(shining(3), 3), 4, 8, 0.01),
    "shining2": Kind(in_rounds(shining(2), 2), 4, 8, 0.01),
    "depths": Kind(depths),
}
