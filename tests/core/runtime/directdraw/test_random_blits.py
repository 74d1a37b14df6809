"""Random Blts against the sentences of the documents in plain Python: fills, copies, stretching, mirroring, colour keys."""

from __future__ import annotations

import random

import numpy as np
import pytest

from core.runtime.calls.structs import RECT
from core.runtime.calls.structs7 import DDBLTFX, DDCOLORKEY, DDPIXELFORMAT
from core.runtime.script.script import Array
from core.spec.enums import DdBlt
from tests.core.runtime.directdraw.desk import OFFSCREEN, P8, RGB32, Desk, S

Rect = tuple[int, int, int, int]
RGB16 = DDPIXELFORMAT(32, 0x40, 0, 16, 0xF800, 0, 0x7E0, 0, 0x1F, 0)
FORMATS = ((RGB32, "<u4"), (RGB16, "<u2"), (P8, "u1"))
SIZES = ((9, 7), (13, 5), (64, 66))
D16 = DDPIXELFORMAT(32, 0x400, 0, 16, 0, 0, 0, 0xFFFF)
D24S8 = DDPIXELFORMAT(32, 0x4400, 0, 32, 0, 8, 0, 0xFFFFFF, 0xFF000000)
DEPTH = 0x20000
SOURCE_KEY, TARGET_KEY, FAST_SOURCE_KEY, FAST_TARGET_KEY = 8, 2, 1, 2  # DDCKEY_SRCBLT, DDCKEY_DESTBLT, DDBLTFAST_*
COLORS = 6  # few, so that keys meet


def rectangle(dice: random.Random, size: tuple[int, int]) -> Rect:
    left, top = dice.randrange(size[0]), dice.randrange(size[1])
    return left, top, dice.randint(left + 1, size[0]), dice.randint(top + 1, size[1])


def copied(
    target: list[list[int]], box: Rect, source: list[list[int]], area: Rect, mirrors: int, source_key: int | None,
    target_key: int | None,
) -> list[list[int]]:  # fmt: skip
    """The target after a copy, one pixel at a time: floor((i + 0.5) * source size / target size) is the pixel taken."""
    out = [row[:] for row in target]
    wide, high = area[2] - area[0], area[3] - area[1]
    for y in range(box[1], box[3]):
        for x in range(box[0], box[2]):
            sx = (2 * (x - box[0]) + 1) * wide // (2 * (box[2] - box[0]))
            sy = (2 * (y - box[1]) + 1) * high // (2 * (box[3] - box[1]))
            if mirrors & 2:
                sx = ((2 * (box[2] - 1 - x) + 1) * wide) // (2 * (box[2] - box[0]))
            if mirrors & 4:
                sy = ((2 * (box[3] - 1 - y) + 1) * high) // (2 * (box[3] - box[1]))
            color = source[area[1] + sy][area[0] + sx]
            if color != source_key and (target_key is None or target[y][x] == target_key):
                out[y][x] = color
    return out


@pytest.mark.parametrize("seed", range(12))
def test_random_blts_are_what_the_documents_say(seed: int) -> None:
    dice, desk = random.Random(seed), Desk()
    form, kind = dice.choice(FORMATS)
    sizes = [dice.choice(SIZES) for _ in range(3)]
    surfaces = [desk.surface(OFFSCREEN, *size, form) for size in sizes]
    pictures = [[[dice.randrange(COLORS) for _ in range(size[0])] for _ in range(size[1])] for size in sizes]
    for surface, picture in zip(surfaces, pictures, strict=True):
        desk.write(surface, picture, kind)
    for _ in range(25):
        to, given = dice.randrange(3), dice.randrange(3)
        box, color = rectangle(dice, sizes[to]), dice.randrange(COLORS)
        if dice.random() < 0.2:
            desk.blt(surfaces[to], box, None, None, DdBlt.COLORFILL, DDBLTFX(dwFillColor=color))
            for y in range(box[1], box[3]):
                pictures[to][y][box[0] : box[2]] = [color] * (box[2] - box[0])
            continue
        area, mirrors, flags = rectangle(dice, sizes[given]), 0, 0
        if dice.random() < 0.4:  # a plain copy
            area = (0, 0, min(box[2] - box[0], sizes[given][0]), min(box[3] - box[1], sizes[given][1]))
            box = (box[0], box[1], box[0] + area[2], box[1] + area[3])
        if dice.random() < 0.4:
            mirrors, flags = dice.choice((2, 4, 6)), int(DdBlt.DDFX)
        keys = [dice.randrange(COLORS) if dice.random() < 0.4 else None for _ in range(2)]
        flags |= int(DdBlt.KEYSRCOVERRIDE) if keys[0] is not None else 0
        flags |= int(DdBlt.KEYDESTOVERRIDE) if keys[1] is not None else 0
        low = [DDCOLORKEY(key or 0, key or 0) for key in keys]
        desk.blt(surfaces[to], box, surfaces[given], area, flags, DDBLTFX(100, mirrors, 0, 0, low[1], low[0]))
        pictures[to] = copied(pictures[to], box, pictures[given], area, mirrors, keys[0], keys[1])
    for surface, picture, size in zip(surfaces, pictures, sizes, strict=True):
        assert np.array_equal(desk.words(surface, kind), picture), (size, desk.said)


@pytest.mark.parametrize("seed", range(8))
def test_random_fast_copies_with_keys_of_surfaces(seed: int) -> None:
    """BltFast, and Blt with the keys that SetColorKey gave both surfaces; rectangles may go beyond the destination."""
    dice, desk = random.Random(100 + seed), Desk()
    form, kind = dice.choice(FORMATS)
    size = (13, 9)
    surfaces = [desk.surface(OFFSCREEN, *size, form) for _ in range(2)]
    pictures = [[[dice.randrange(COLORS) for _ in range(size[0])] for _ in range(size[1])] for _ in range(2)]
    for surface, picture in zip(surfaces, pictures, strict=True):
        desk.write(surface, picture, kind)
    for _ in range(20):
        to, given = dice.randrange(2), dice.randrange(2)
        keys = [dice.randrange(COLORS) for _ in range(2)]
        for surface, flag, key in ((surfaces[given], SOURCE_KEY, keys[0]), (surfaces[to], TARGET_KEY, keys[1])):
            desk.script.call(S + "SetColorKey", surface, flag, Array([DDCOLORKEY(key, key)]))
        area, use = rectangle(dice, size), (dice.random() < 0.5, dice.random() < 0.5)
        width, height = area[2] - area[0], area[3] - area[1]
        x, y = dice.randrange(-4, size[0]), dice.randrange(-4, size[1])
        if min(x, y) >= 0 and dice.random() < 0.5:
            flags = FAST_SOURCE_KEY * use[0] | FAST_TARGET_KEY * use[1]
            desk.script.call(S + "BltFast", surfaces[to], x, y, surfaces[given], Array([RECT(*area)]), flags)
        else:
            flags = DdBlt.KEYSRC * use[0] | DdBlt.KEYDEST * use[1]
            desk.blt(surfaces[to], (x, y, x + width, y + height), surfaces[given], area, flags)
        inner = (max(x, 0), max(y, 0), min(x + width, size[0]), min(y + height, size[1]))
        if inner[0] < inner[2] and inner[1] < inner[3]:
            part = (area[0] + inner[0] - x, area[1] + inner[1] - y, area[0] + inner[2] - x, area[1] + inner[3] - y)
            held = [key if used else None for key, used in zip(keys, use, strict=True)]
            pictures[to] = copied(pictures[to], inner, pictures[given], part, 0, *held)
    for surface, picture in zip(surfaces, pictures, strict=True):
        assert np.array_equal(desk.words(surface, kind), picture), desk.said


@pytest.mark.parametrize(("form", "kind", "bits"), [(D16, "<u2", 16), (D24S8, "<u4", 24)])
def test_random_depth_fills(form: DDPIXELFORMAT, kind: str, bits: int) -> None:
    """A fill sets depth alone, on the pixels of its rectangle; of 32 bits, depth is in the low ones of dwFillDepth."""
    dice, desk = random.Random(7), Desk()
    surface, size = desk.surface(DEPTH, 11, 6, form), (11, 6)
    wanted = np.zeros((6, 11), np.uint32)
    desk.blt(surface, None, None, None, DdBlt.DEPTHFILL, DDBLTFX(dwFillColor=0))
    for _ in range(20):
        (left, top, right, bottom), depth = rectangle(dice, size), dice.randrange(1 << bits)
        desk.blt(surface, (left, top, right, bottom), None, None, DdBlt.DEPTHFILL, DDBLTFX(dwFillColor=depth))
        wanted[top:bottom, left:right] = depth
    stored = np.array(desk.words(surface, kind), np.uint32)
    assert np.array_equal(stored >> np.uint32(8) if bits == 24 else stored, wanted), desk.said
