"""Random programs of ddraw.dll, one kind for each subject."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from core.runtime.d3d7 import DDBLTFX, DDPIXELFORMAT, DDSCAPS2, DDSURFACEDESC2, D3DError, Object7
from core.spec.enums import DdBlt, SurfaceCaps
from tests.scenes7.kit import ARGB32, P8, RGB16, RGB32

ARGB4444 = DDPIXELFORMAT(32, 0x41, 0, 16, 0xF00, 0, 0xF0, 0, 0xF, 0xF000)
ARGB1555 = DDPIXELFORMAT(32, 0x41, 0, 16, 0x7C00, 0, 0x3E0, 0, 0x1F, 0x8000)
XRGB1555 = DDPIXELFORMAT(32, 0x40, 0, 16, 0x7C00, 0, 0x3E0, 0, 0x1F)
L8 = DDPIXELFORMAT(32, 0x20000, 0, 8, 0xFF)
A8L8 = DDPIXELFORMAT(32, 0x20001, 0, 16, 0xFF, 0, 0, 0, 0, 0xFF00)
SYSTEM, VIDEO = int(SurfaceCaps.SYSTEMMEMORY), int(SurfaceCaps.VIDEOMEMORY)
OFFSCREEN, TEXTURE, TARGET, ZBUFFER = (
    int(caps) for caps in (SurfaceCaps.OFFSCREENPLAIN, SurfaceCaps.TEXTURE, SurfaceCaps.DEVICE_3D, SurfaceCaps.ZBUFFER)
)


def same_bytes(ours: np.ndarray, theirs: np.ndarray) -> str:
    """What differs in a vertex buffer."""
    apart = np.flatnonzero(ours != theirs)
    return f"{len(apart)} bytes differ, the first is {apart[0]}" if len(apart) else ""


def no_answers(one: Any, answers: Any) -> str:
    return ""


@dataclass(frozen=True)
class Kind:
    """Programs, and how their pictures may differ: of 255, in how many pixels, in which share of all."""

    play: Callable[[Any, Random], None]
    allowed: int = 0
    pixels: int = 0
    share: float = 0.0
    compare: Callable[[np.ndarray, np.ndarray], str] = same_bytes
    answers: Callable[[Any, Any], str] = no_answers
    is_8: bool = False  # a program of Direct3D 8


def surface(rec: Any, caps: int, width: int, height: int, form: DDPIXELFORMAT, caps2: int = 0, levels: int = 0,
            draw: Object7 | None = None) -> Object7:  # fmt: skip
    desc = DDSURFACEDESC2(124, 0x1007 | (0x20000 if levels else 0), height, width, 0, 0, levels, 0, ddpfPixelFormat=form,
                          ddsCaps=DDSCAPS2(caps, caps2))  # fmt: skip
    made: Object7 = (draw or rec.draw).CreateSurface(desc)
    return made


def write(thing: Object7, data: np.ndarray, rect: Any = None) -> None:
    memory = thing.Lock(rect)
    rows = np.ascontiguousarray(data).view(np.uint8).reshape(len(data), -1)
    memory[:] = rows[: memory.shape[0], : memory.shape[1]]
    thing.Unlock()


def pixels(chance: Random, width: int, height: int, bits: int, few: int = 0) -> np.ndarray:
    """Noise, or of a few values only."""
    source = np.random.default_rng(chance.getrandbits(32))
    if few:
        values = source.integers(0, 1 << bits, few, np.uint64).astype(f"<u{bits // 8}")
        return values[source.integers(0, few, (height, width))]
    return source.integers(0, 1 << bits, (height, width), np.uint64).astype(f"<u{bits // 8}")


def allowed_to_fail(call: Callable[..., Any], *args: Any) -> None:
    """What ours refuses is noted by the recorder."""
    with suppress(D3DError):
        call(*args)


def rect(chance: Random, width: int, height: int) -> tuple[int, int, int, int]:
    left, top = chance.randrange(width), chance.randrange(height)
    return left, top, chance.randint(left + 1, width), chance.randint(top + 1, height)


# ---- Blts ----------------------------------------------------------------------------------------

COLOR_FORMS = (RGB32, ARGB32, RGB16, ARGB1555, ARGB4444, XRGB1555, P8, L8)


def blts(rec: Any, chance: Random) -> None:
    """Copies, keys, mirrors, stretches and fills between surfaces of one format in system memory."""
    form = chance.choice(COLOR_FORMS)
    bits, sizes = form.dwRGBBitCount, [(chance.randint(1, 40), chance.randint(1, 40)) for _ in range(3)]
    made = [surface(rec, OFFSCREEN | SYSTEM, *size, form) for size in sizes]
    mask = (
        1 << bits
    ) - 1 & ~form.dwRGBAlphaBitMask  # Wine compares keys with the colours of a pixel only, and keys are not cut to them
    contents = [pixels(chance, *size, bits, 4) & np.array(mask, f"<u{bits // 8}") for size in sizes]
    for one, data in zip(made, contents, strict=True):
        write(one, data)
    unused = {RGB32: 0xFF000000, XRGB1555: 0x8000}.get(form, 0)
    values = sorted({int(value) & ~unused for data in contents for value in data.reshape(-1)})
    for _ in range(chance.randint(1, 8)):
        target, source = chance.randrange(3), chance.randrange(3)
        one_blt(chance, made[target], made[source], sizes[target], sizes[source], values, target == source)
    for one in made:
        rec.read(one)


def one_blt(chance: Random, target: Object7, source: Object7, size: Any, other: Any, values: list[int], same: bool) -> None:
    what, wait = chance.random(), int(DdBlt.WAIT)
    box = rect(chance, *size)
    if what < 0.12:
        value = chance.choice(values)
        target.Blt(chance.choice((None, box)), None, None, DdBlt.COLORFILL | wait, DDBLTFX(dwFillColor=value))
        return
    if what < 0.18:
        target.Blt(box, None, None, DdBlt.ROP | wait, DDBLTFX(dwROP=chance.choice((0x42, 0xFF0062))))
        return
    if chance.random() < 0.3:
        flag = chance.choice((2, 8))
        value = chance.choice(values)
        allowed_to_fail(
            chance.choice((target, source)).SetColorKey, flag, chance.choice((None, (value, value), (value, value)))
        )
    area = rect(chance, *other)
    if what < 0.4:
        x, y = chance.randrange(size[0]), chance.randrange(size[1])
        area = area[0], area[1], min(area[2], area[0] + size[0] - x), min(area[3], area[1] + size[1] - y)
        allowed_to_fail(target.BltFast, x, y, source, area, chance.choice((0, 0, 1)) | 0x10)
        return
    flags, effects = wait, {}
    scale = 1 if same else chance.choice((1, 1, 2, 4))  # other ratios: which pixel is taken is the driver's
    width, height = min(area[2] - area[0], (size[0] - box[0]) // scale), min(area[3] - area[1], (size[1] - box[1]) // scale)
    if not width or not height:
        return
    box, area = (*box[:2], box[0] + width * scale, box[1] + height * scale), (*area[:2], area[0] + width, area[1] + height)
    if chance.random() < 0.3 and not same:
        flags |= DdBlt.DDFX
        effects["dwDDFX"] = chance.choice((2, 4, 6, 0x10))
    key = 1 if same else chance.random()  # Wine's keyed copies within a surface read what they wrote
    pair = (chance.choice(values),) * 2
    if key < 0.15:
        flags |= DdBlt.KEYSRC
    elif key < 0.3:
        flags |= DdBlt.KEYSRCOVERRIDE
        effects["ddckSrcColorkey"] = pair
    elif key < 0.4:
        flags |= DdBlt.KEYDESTOVERRIDE
        effects["ddckDestColorkey"] = pair
    allowed_to_fail(target.Blt, box, source, area, flags, DDBLTFX(**effects) if effects else None)


KINDS: dict[str, Kind] = {"blts": Kind(blts)}
