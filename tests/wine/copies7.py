"""Kinds of random programs that copy and fill: flip chains, formats, palettes, Load, textures in video memory."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from core.runtime.d3d7 import DDBLTFX, DDPIXELFORMAT, DDSCAPS2, DDSURFACEDESC2, Object7
from core.spec.enums import DdBlt, SurfaceCaps, SurfaceCaps2
from tests.scenes7.kit import ARGB32, D16, P8, RGB16, RGB32
from tests.wine.drawn7 import HEIGHT, WIDTH, XYZRHW, Stage, in_rounds
from tests.wine.programs7 import (
    ARGB1555,
    ARGB4444,
    KINDS,
    L8,
    OFFSCREEN,
    SYSTEM,
    TEXTURE,
    VIDEO,
    XRGB1555,
    ZBUFFER,
    Kind,
    allowed_to_fail,
    pixels,
    rect,
    surface,
    write,
)  # fmt: skip

MIPMAP, COMPLEX, FLIP, BACK = (
    int(caps) for caps in (SurfaceCaps.MIPMAP, SurfaceCaps.COMPLEX, SurfaceCaps.FLIP, SurfaceCaps.BACKBUFFER)
)
FACES = [int(SurfaceCaps2.CUBEMAP_POSITIVEX) << face for face in range(6)]
FILL, DEPTH_FILL, WAIT = int(DdBlt.COLORFILL | DdBlt.WAIT), int(DdBlt.DEPTHFILL | DdBlt.WAIT), int(DdBlt.WAIT)


def flips(rec: Any, chance: Random) -> None:
    """Flip chains of two and three buffers: fills, locks, copies among them, Flip with and without a target."""
    bits = chance.choice((8, 16, 32))
    rec.mode(640, 480, bits)
    buffers = chance.choice((1, 1, 2, 3))
    caps = int(SurfaceCaps.PRIMARYSURFACE) | FLIP | COMPLEX | chance.choice((0, int(SurfaceCaps.DEVICE_3D) if bits > 8 else 0))
    chain = [rec.draw.CreateSurface(DDSURFACEDESC2(124, 0x21, dwBackBufferCount=buffers, ddsCaps=DDSCAPS2(caps)))]
    for number in range(buffers):
        chain.append(chain[-1].GetAttachedSurface(DDSCAPS2(FLIP if number else BACK)))
    mask = 0xFFFFFF if bits == 32 else (1 << bits) - 1
    for one in chain:
        one.Blt(None, None, None, FILL, DDBLTFX(dwFillColor=chance.getrandbits(bits) & mask))
    for _ in range(chance.randint(2, 10)):
        what = chance.random()
        if what < 0.45:
            chain[0].Flip(
                chance.choice((None, None, chance.choice(chain[1:]))), chance.choice((1, 1, 2, 4, 8, 9, 0x20, 0x2000001))
            )
        elif what < 0.7:
            box = rect(chance, 640, 480)
            chance.choice(chain).Blt(box, None, None, FILL, DDBLTFX(dwFillColor=chance.getrandbits(bits) & mask))
        elif what < 0.8:
            x, y = chance.randrange(600), chance.randrange(400)
            write(chance.choice(chain), pixels(chance, 8, 6, bits) & np.array(mask, f"<u{bits // 8}"), (x, y, x + 8, y + 6))
        elif what < 0.9:
            to, source = chance.sample(chain, 2)
            allowed_to_fail(to.BltFast, chance.randrange(100), chance.randrange(100), source, (10, 20, 300, 200), 0x10)
        else:
            to, source = chance.sample(chain, 2)
            to.Blt((50, 60, 150, 160), source, (100, 100, 200, 200), WAIT, None)
    for one in chain:
        rec.read(one)


FORMS = (RGB32, ARGB32, RGB16, ARGB1555, ARGB4444, XRGB1555, L8)  # Wine 8.0 fills P8 without a palette with 0


def fills(rec: Any, chance: Random) -> None:
    """Colours and depths of every format, in rectangles; copies between surfaces of one format, fills by ROP."""
    for _ in range(chance.randint(2, 6)):
        memory = chance.choice((SYSTEM, VIDEO))
        width, height = chance.randint(1, 40), chance.randint(1, 40)
        if chance.random() < 0.25:
            form = D16  # Wine 8.0 fills and reads depths of 24 bits in different bits
            made = surface(rec, ZBUFFER | VIDEO, width, height, form)
            made.Blt(None, None, None, DEPTH_FILL, DDBLTFX(dwFillColor=chance.getrandbits(32)))
            for _ in range(chance.randrange(3)):
                box = rect(chance, width, height)
                made.Blt(chance.choice((None, box, box)), None, None, DEPTH_FILL, DDBLTFX(dwFillColor=chance.getrandbits(32)))
            rec.read(made)
            continue
        form = chance.choice(FORMS)
        kind = TEXTURE if form is L8 or chance.random() < 0.3 else OFFSCREEN
        made = surface(rec, kind | memory, width, height, form)
        for _ in range(chance.randint(1, 4)):
            box = rect(chance, width, height)
            flags, effects = FILL, DDBLTFX(dwFillColor=chance.getrandbits(form.dwRGBBitCount))  # Wine 8.0 refuses more bits
            if chance.random() < 0.2:
                flags, effects = int(DdBlt.ROP | DdBlt.WAIT), DDBLTFX(dwROP=chance.choice((0x42, 0xFF0062)))
            made.Blt(chance.choice((None, box, box)), None, None, flags, effects)
        other = surface(rec, kind | memory, width, height, form)
        write(other, pixels(chance, width, height, form.dwRGBBitCount))
        box = rect(chance, width, height)
        made.Blt(box, other, box, WAIT, None)
        rec.read(made)


def converted(rec: Any, chance: Random) -> None:
    """Copies between surfaces of different formats of colour, with and without keys."""
    forms = (RGB32, ARGB32, RGB16, ARGB1555, ARGB4444, XRGB1555)
    form, other = chance.choice(forms), chance.choice(forms)
    memory = chance.choice((SYSTEM, VIDEO))
    made, source = (surface(rec, OFFSCREEN | memory, 24, 16, one) for one in (form, other))
    for one, given in ((made, form), (source, other)):
        write(one, pixels(chance, 24, 16, given.dwRGBBitCount, 6))
    for _ in range(chance.randint(1, 3)):
        box = rect(chance, 24, 16)
        allowed_to_fail(made.Blt, box, source, box, WAIT, None)
    rec.read(made)


def kept_in_video(rec: Any, chance: Random) -> None:
    """Blts without stretching of surfaces in video memory and between both kinds of memory; mirrors, keys."""
    form = chance.choice((RGB32, ARGB32, RGB16, ARGB1555, ARGB4444, XRGB1555))
    bits = form.dwRGBBitCount
    made = [surface(rec, OFFSCREEN | chance.choice((VIDEO, VIDEO, SYSTEM)), 40, 30, form) for _ in range(3)]
    mask = (1 << bits) - 1 & ~form.dwRGBAlphaBitMask & ~{RGB32: 0xFF000000, XRGB1555: 0x8000}.get(form, 0)
    contents = [pixels(chance, 40, 30, bits, 4) & np.array(mask, f"<u{bits // 8}") for _ in made]
    for one, data in zip(made, contents, strict=True):
        write(one, data)
    values = sorted({int(value) for data in contents for value in data.reshape(-1)})
    for _ in range(chance.randint(2, 8)):
        to, source = chance.sample(made, 2)
        left, top, right, bottom = rect(chance, 40, 30)
        x, y = chance.randint(0, 40 - (right - left)), chance.randint(0, 30 - (bottom - top))
        box, flags, effects = (x, y, x + right - left, y + bottom - top), WAIT, {}
        what = chance.random()
        if what < 0.2:
            to.Blt(box, None, None, FILL, DDBLTFX(dwFillColor=chance.choice(values)))
            continue
        if what < 0.4:
            value = chance.choice(values)
            source.SetColorKey(8, (value, value))
            flags |= int(DdBlt.KEYSRC)
        elif what < 0.5:
            value = chance.choice(values)
            flags, effects["ddckSrcColorkey"] = flags | int(DdBlt.KEYSRCOVERRIDE), (value, value)
        if chance.random() < 0.3:
            flags, effects["dwDDFX"] = flags | int(DdBlt.DDFX), chance.choice((2, 4, 6, 0x10))
        if chance.random() < 0.3 and flags == WAIT:
            to.BltFast(x, y, source, (left, top, right, bottom), 0x10)
        else:
            allowed_to_fail(to.Blt, box, source, (left, top, right, bottom), flags, DDBLTFX(**effects) if effects else None)
    for one in made:
        rec.read(one)


# ---- textures -------------------------------------------------------------------------------------


def levels_of(top: Object7, count: int) -> list[Object7]:
    """All levels of a face."""
    found = [top]
    for _ in range(count - 1):
        found.append(found[-1].GetAttachedSurface(DDSCAPS2(TEXTURE | MIPMAP, int(SurfaceCaps2.MIPMAPSUBLEVEL))))
    return found


def chain(stage: Stage, form: DDPIXELFORMAT, size: int, levels: int, memory: int, caps2: int = 0) -> list[list[Object7]]:
    """The levels of each face of a texture or a cube, of noise."""
    caps = TEXTURE | memory | (MIPMAP | COMPLEX if levels > 1 else 0) | (COMPLEX if caps2 & 0x200 else 0)
    top = surface(stage.rec, caps, size, size, form, caps2, levels if levels > 1 else 0, stage.draw)
    faces = [top]
    if caps2 & 0x200:
        faces += [top.GetAttachedSurface(DDSCAPS2(TEXTURE, 0x200 | face)) for face in FACES[1:]]
    found = [levels_of(face, levels) for face in faces]
    for one in found:
        for level, thing in enumerate(one):
            write(thing, pixels(stage.chance, max(size >> level, 1), max(size >> level, 1), form.dwRGBBitCount))
    return found


def loaded(stage: Stage) -> None:
    """Load with points, rectangles, levels and faces, Blts of levels; then every level is read."""
    chance, device = stage.chance, stage.device
    form, caps2 = chance.choice((RGB32, ARGB32, RGB16, ARGB1555)), chance.choice((0, 0, 0x200 | 0xFC00))
    levels = chance.choice((1, 3, 5))
    skipped = chance.choice((0, 0, 1)) if levels > 1 else 0  # the target is a part of the source's levels
    source = chain(stage, form, 16, levels, chance.choice((SYSTEM, SYSTEM, VIDEO)), caps2)
    target = chain(
        stage, form, 16 >> skipped, chance.randint(1, levels - skipped), chance.choice((VIDEO, VIDEO, SYSTEM)), caps2
    )
    for _ in range(chance.randint(1, 3)):
        what = chance.random()
        faces = chance.choice((0xFC00, 0x400, 0x1400, 0xC000)) if caps2 else 0
        if what < 0.4:
            allowed_to_fail(device.Load, target[0][0], None, source[0][0], None, faces)
        elif what < 0.8:
            left, top, right, bottom = rect(chance, 16, 16)
            step = 1 << levels - 1  # other places: which pixels of small levels are within them is left open
            places = range(left % step, 17 - right + left, step), range(top % step, 17 - bottom + top, step)
            place = chance.choice(places[0]), chance.choice(places[1])
            allowed_to_fail(device.Load, target[0][0], place, source[0][0], (left, top, right, bottom), faces)
        elif not skipped:
            face, level = chance.randrange(len(target)), chance.randrange(len(target[0]))
            target[face][level].Blt(None, source[face][level], None, WAIT, None)
    for face in target:
        for level in face:
            stage.rec.read(level)


def managed(stage: Stage) -> None:
    """Managed textures that are written, copied to and drawn in between."""
    chance, device = stage.chance, stage.device
    stage.state("LIGHTING", 0)
    form = chance.choice((RGB32, ARGB32, RGB16, ARGB4444))
    texture = chain(stage, form, 16, 1, 0, chance.choice((0x10, 0x20000)))[0][0]
    spare = surface(stage.rec, OFFSCREEN | SYSTEM, 16, 16, form)
    device.SetTexture(0, texture)
    stage.stage(0, "COLOROP", 2)
    for _ in range(chance.randint(2, 4)):
        what = chance.random()
        left, top = chance.randrange(8), chance.randrange(8)
        if what < 0.4:
            write(texture, pixels(chance, 8, 8, form.dwRGBBitCount), (left, top, left + 8, top + 8))
        elif what < 0.7:
            write(spare, pixels(chance, 16, 16, form.dwRGBBitCount))
            texture.Blt((left, top, left + 8, top + 8), spare, (0, 0, 8, 8), WAIT, None)
        elif what < 0.85:
            texture.Blt((left, top, left + 8, top + 8), None, None, FILL, DDBLTFX(dwFillColor=chance.getrandbits(16)))
        else:
            device.PreLoad(texture)
        stage.draw_some(XYZRHW | 0x100)


def mixed(stage: Stage) -> None:
    """Draws, Blts from and to the target, fills of its depth, clears of rectangles, viewports, other targets."""
    chance, device, rec = stage.chance, stage.device, stage.rec
    stage.state("LIGHTING", 0)
    stage.state("ZENABLE", int(stage.depth_form is not None))
    shelf = surface(rec, OFFSCREEN | VIDEO, WIDTH, HEIGHT, stage.form)
    bits = stage.form.dwRGBBitCount
    write(shelf, pixels(chance, WIDTH, HEIGHT, bits, 5) & np.array(0xFFFFFF if bits == 32 else 0xFFFF, f"<u{bits // 8}"))
    for _ in range(chance.randint(3, 7)):
        what, box = chance.random(), rect(chance, WIDTH, HEIGHT)
        area = (*box[:2], box[2] - box[0], box[3] - box[1])
        if what < 0.3:
            stage.draw_some(XYZRHW | 0x40)
        elif what < 0.4:
            stage.target.Blt(box, shelf, box, WAIT, None)
        elif what < 0.5:
            shelf.Blt(box, stage.target, box, WAIT, None)
        elif what < 0.6:
            stage.target.Blt(box, None, None, FILL, DDBLTFX(dwFillColor=chance.getrandbits(16)))
        elif what < 0.7 and stage.depth_form is not None:
            value = chance.getrandbits(16 if stage.depth_form is D16 else 24)
            stage.depth.Blt(chance.choice((None, box)), None, None, DEPTH_FILL, DDBLTFX(dwFillColor=value))
        elif what < 0.85:
            flags = chance.choice((1, 1, 2, 3)) if stage.depth_form is not None else 1
            boxes = [rect(chance, WIDTH + 10, HEIGHT + 10) for _ in range(chance.randrange(4))]
            device.Clear(len(boxes), boxes or None, flags, chance.getrandbits(24), chance.random(), 0)
        elif what < 0.95:
            device.SetViewport((*area, 0.0, 1.0))
        else:
            write(stage.target, pixels(chance, *area[2:], bits, 3), box)
    rec.read(shelf)
    device.SetViewport((0, 0, WIDTH, HEIGHT, 0.0, 1.0))


def indexed(rec: Any, chance: Random) -> None:
    """Surfaces of 8 bits with palettes: keys, copies, mirrors, fills; palettes are changed and exchanged."""
    memory = chance.choice((SYSTEM, VIDEO))
    made = [surface(rec, OFFSCREEN | memory, 20, 12, P8) for _ in range(2)]
    colors = [[(*(chance.getrandbits(8) for _ in range(3)), 0) for _ in range(256)] for _ in range(2)]
    palettes = [rec.draw.CreatePalette(0x44, one) for one in colors]
    for one in made:
        write(one, pixels(chance, 20, 12, 8, 5))
    for _ in range(chance.randint(2, 8)):
        what, (to, source) = chance.random(), chance.sample(made, 2)
        if what < 0.2:
            chance.choice(made).SetPalette(chance.choice(palettes))
        elif what < 0.3:
            chance.choice(palettes).SetEntries(0, 4, 2, [(1, 2, 3, 0), (4, 5, 6, 0)])
        elif what < 0.4:
            source.SetColorKey(8, (chance.randrange(8),) * 2)
        elif what < 0.6:
            to.BltFast(chance.randrange(10), chance.randrange(6), source, (0, 0, 10, 6), 0x10)
        else:
            box, flags, effects = rect(chance, 20, 12), WAIT, {}
            if chance.random() < 0.4:
                flags, effects = flags | int(DdBlt.DDFX), {"dwDDFX": chance.choice((2, 4, 6))}
            to.Blt(box, source, box, flags, DDBLTFX(**effects) if effects else None)
    for one in made:
        rec.read(one)


KINDS |= {
    "flips": Kind(flips),
    "fills": Kind(fills),
    "converted": Kind(converted, 9),
    "video": Kind(kept_in_video),
    "loaded": Kind(in_rounds(loaded), 4),
    "managed": Kind(in_rounds(managed), 4, 8, 0.02),
    "mixed": Kind(in_rounds(mixed), 4, 8, 0.01),
    "indexed": Kind(indexed),
}
