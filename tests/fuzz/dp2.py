"""Tokens, states, draws and driver entries: whatever comes, the driver answers."""

from __future__ import annotations

import random
import struct
from pathlib import Path

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream import dp2
from core.device.past.tap import Tap
from core.pipeline.pixel import parts
from core.spec.formats import FORMATS
from core.spec.states import RENDER_STATES
from tests.fuzz.harness import main

CONTEXT, TARGET, DEPTH, TEXTURE, CUBE, VOLUME, VERTICES, INDICES = 1, 10, 11, 20, 30, 40, 50, 51
DRAWS = [1, 2, 3, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 52, 53, 58, 59, 60, 61, 62]
FVFS = [0x44, 0x144, 0x42, 0x112, 0x5A, 0x1E, 0x1162, 0x242, 0x104, 0x64]
FLOATS = [0.0, 1.0, -1.0, 0.5, 16.0, 1e9, -1e30, float("inf"), float("nan"), 64.0]
STATES = sorted(RENDER_STATES)


def word(chooser: random.Random) -> int:
    kind = chooser.random()
    if kind < 0.5:
        return chooser.randrange(20)
    if kind < 0.8:
        return int(struct.unpack("<I", struct.pack("<f", chooser.choice(FLOATS)))[0])
    return chooser.getrandbits(chooser.choice([8, 16, 31, 32]))


def words(chooser: random.Random, count: int) -> bytes:
    return struct.pack(f"<{count}I", *(word(chooser) for _ in range(count)))


def floats(chooser: random.Random, count: int) -> bytes:
    """Mostly near the screen."""
    numbers = (chooser.uniform(-20, 60) if chooser.random() < 0.9 else chooser.choice(FLOATS) for _ in range(count))
    return struct.pack(f"<{count}f", *numbers)


def states(chooser: random.Random) -> bytes:
    """State tokens, most of them with values that mean something."""
    out = b""
    for _ in range(chooser.randrange(4)):
        count = chooser.randrange(1, 6)
        value = [struct.pack("<2I", chooser.choice(STATES), word(chooser)) for _ in range(count)]
        out += struct.pack("<BBH", 8, 0, count) + b"".join(value)
    for _ in range(chooser.randrange(3)):
        stage, state = chooser.randrange(9), chooser.randrange(33)
        texture = chooser.choice([0, TEXTURE, CUBE, VOLUME, TARGET, DEPTH, 99])
        out += struct.pack("<BBHHHI", 25, 0, 1, stage, state, word(chooser) if state else texture)
    out += struct.pack("<BBHI", 47, 0, 1, chooser.choice(FVFS))
    stride = chooser.choice([0, 4, 12, 16, 20, 24, 28, 32, 40, 1 << 16, 0xFFFFFFFF])
    out += struct.pack("<BBH3I", 49, 0, 1, chooser.choice([0, 0, 1, 17]), chooser.choice([VERTICES, INDICES, 99]), stride)
    out += struct.pack("<BBH2I", 51, 0, 1, chooser.choice([INDICES, INDICES, VERTICES, 0]), chooser.choice([2, 2, 4, 1]))
    if chooser.random() < 0.2:
        out += struct.pack("<BBH4I", 28, 0, 1, *(word(chooser) for _ in range(4)))
    return out


def draw(chooser: random.Random) -> bytes:
    """One draw, likely to name vertices that are there."""
    kind, count = chooser.randrange(1, 7), chooser.choice([1, 2, 3, 10, 300, 5000, 1 << 21])
    start = chooser.choice([0, 0, 1, 7, 40, 1 << 20, 0xFFFFFFFF])
    op = chooser.choice(DRAWS)
    if op in (58, 60):
        return struct.pack("<BBH3I", op, 0, 1, kind, start, count)
    if op in (59, 61):
        return struct.pack("<BBHIiIIII", op, 0, 1, kind, start if start < 1 << 31 else -1, 0, 60, start & 63, count)
    return struct.pack("<BBH", op, 0, chooser.choice([1, 2, 5])) + words(chooser, chooser.randrange(24))


def token(chooser: random.Random) -> bytes:
    """Any token with any dwords."""
    row = chooser.choice(list(dp2.TOKENS.values()))
    return struct.pack("<BBH", row.op, 0, chooser.randrange(4)) + words(chooser, chooser.randrange(30))


def commands(chooser: random.Random) -> bytes:
    out = states(chooser)
    for _ in range(chooser.randrange(1, 6)):
        made = chooser.random()
        out += draw(chooser) if made < 0.6 else states(chooser) if made < 0.8 else token(chooser)
    return out


def entry(chooser: random.Random) -> DdiCall:
    """A copy, an upload, another surface, an end."""
    handle = chooser.choice([TARGET, DEPTH, TEXTURE, CUBE, VOLUME, 60, 61])
    box = tuple(chooser.choice([0, 1, 5, 16, 40, -1, 1 << 20]) for _ in range(4))
    data = {"contents": chooser.randbytes(chooser.choice([0, 64, 1024, 40 * 40 * 4]))}
    return chooser.choice([
        DdiCall("Blt", {"destination": handle, "source": TEXTURE, "destination_box": box, "source_box": box}),
        DdiCall("Blt", {"destination": handle, "flags": 0x400, "color": word(chooser)}),
        DdiCall("CreateSurface", {"handle": chooser.choice([60, 61]), "width": chooser.choice([1, 5, 64, 300, 2048]),
                                  "height": chooser.choice([1, 5, 64, 300]), "format": chooser.choice(list(FORMATS)),
                                  "samples": chooser.choice([0, 0, 2, 4, 16]), "levels": chooser.choice([1, 0, 3]),
                                  "faces": chooser.choice([1, 1, 6])}),
        DdiCall("Lock", {"handle": handle, "box": None, "flags": 0}), DdiCall("Unlock", {"handle": handle}, data),
        DdiCall("DestroySurface", {"handle": chooser.choice([60, 61, TEXTURE])}),
        DdiCall("LockD3DBuffer", {"handle": VERTICES, "offset": 0, "size": 0}),
        DdiCall("UnlockD3DBuffer", {"handle": VERTICES, "offset": 0}, data),
        DdiCall("Flip", {"surface": [TARGET, 60]}),
    ])  # fmt: skip


def setup(chooser: random.Random) -> list[DdiCall]:
    """A target, a depth surface, textures, buffers and a context."""
    size, samples = chooser.choice([1, 16, 40, 130, 1000]), chooser.choice([0, 0, 0, 4])
    target, depth, texture = chooser.choice([21, 22, 23, 25, 28]), chooser.choice([75, 80, 77]), chooser.choice(list(FORMATS))
    calls = [
        DdiCall("CreateSurface", {"handle": handle, "width": edge, "height": edge, "format": format, **more})
        for handle, format, edge, more in (
            (TARGET, target, size, {"samples": samples}), (DEPTH, depth, size, {"samples": samples}), (TEXTURE, texture,
            16, {}),
            (CUBE, 21, 8, {"levels": 2, "faces": 6}), (VOLUME, 21, 8, {"depth": 4}),
        )
    ]  # fmt: skip
    indices = struct.pack("<96H", *(chooser.choice([n, n % 7, 65535]) for n in range(96)))
    for handle, contents in ((VERTICES, floats(chooser, chooser.choice([5, 200, 4000]))), (INDICES, indices)):
        calls.append(DdiCall("CreateD3DBuffer", {"handle": handle, "size": len(contents)}))
        calls.append(DdiCall("LockD3DBuffer", {"handle": handle, "offset": 0, "size": 0}))
        calls.append(DdiCall("UnlockD3DBuffer", {"handle": handle, "offset": 0}, {"contents": contents}))
    surfaces = {"render_target": TARGET, "depth_stencil": chooser.choice([0, DEPTH])}
    return [*calls, DdiCall("ContextCreate", {"context": CONTEXT, **surfaces, "width": size, "height": size})]


def driver(chooser: random.Random) -> EmulatedDriver:
    """After `setup`."""
    made = EmulatedDriver(threads=chooser.choice([1, 1, 2]), check=chooser.random() < 0.2)
    for call in setup(chooser):
        made.call(call)
    return made


def stream(chooser: random.Random) -> DdiCall:
    data = {"commands": commands(chooser), "vertices": floats(chooser, 200)}
    size = chooser.choice([12, 16, 20, 28, 0])
    return DdiCall("DrawPrimitives2", {
        "context": CONTEXT, "command_length": len(data["commands"]), "vertex_size": size, "vertex_type": chooser.choice(FVFS),
        "vertex_length": 800 // size if size else 0,
    }, data)  # fmt: skip


def case(chooser: random.Random, folder: Path) -> None:
    """A driver, some calls, some pictures; in parts, with a log, with two threads at times."""
    usual, parts.MOST_PLACES = parts.MOST_PLACES, chooser.choice([1 << 22, 1 << 22, 50])
    try:
        made = driver(chooser)
        if chooser.random() < 0.3:
            made.device.tap = Tap(log=True)
        for _ in range(chooser.randrange(2, 6)):
            made.call(stream(chooser) if chooser.random() < 0.7 else entry(chooser))
        part = made.part(TARGET)
        if part is not None:
            made.rgba(TARGET)
        snapshot = made.snapshot()
        made.call(stream(chooser))
        made.restore(snapshot)
        made.device.flush()
    finally:
        parts.MOST_PLACES = usual


if __name__ == "__main__":
    main(case)
