"""Patches: rectangles, triangles and N-patches of any information, segments, vertex formats and streams."""

from __future__ import annotations

import random
import struct
from pathlib import Path

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.spec.states import RENDER_STATE_ID
from core.spec.tokens import Op
from tests.fuzz.dp2 import CONTEXT, FVFS, INDICES, TARGET, VERTICES, setup, word
from tests.fuzz.inputs import Harness, main
from tests.fuzz.streams import contents, packed, unpacked

COUNTS = (0, 1, 2, 3, 4, 4, 5, 7, 10, 16, 60, 1 << 16, 0xFFFFFFFF)
SEGMENTS = (0.0, 1.0, 1.5, 2.0, 3.0, 3.0, 7.0, 64.0, 65.0, -2.0, 1e9, float("inf"), float("nan"))


def state(name: str, value: int) -> bytes:
    return struct.pack("<BBH2I", 8, 0, 1, RENDER_STATE_ID[name], value)


def as_word(number: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", number))[0])


def patch(chooser: random.Random) -> bytes:
    """One token of a rectangle or triangle."""
    edges, flags = chooser.choice([3, 4]), chooser.choice([0, 1, 2, 3, 3, 3, 255])
    out = struct.pack(
        "<BBH2I", int(Op["DRAWRECTPATCH" if edges == 4 else "DRAWTRIPATCH"]), 0, 1, chooser.choice([0, 0, 1, 2]), flags
    )
    if flags & 1:
        out += struct.pack(f"<{edges}f", *(chooser.choice(SEGMENTS) for _ in range(edges)))
    if flags & 2:
        counts = [chooser.choice(COUNTS) for _ in range(5 if edges == 4 else 2)]
        out += struct.pack(f"<{len(counts) + 2}I", *counts, chooser.choice([0, 0, 1, 2, 9]), chooser.choice([1, 2, 3, 3, 5, 8]))
    return out


def draw(chooser: random.Random) -> bytes:
    """A list of triangles, as N-patches where the state says so."""
    return struct.pack("<BBH3I", 58, 0, 1, chooser.choice([4, 4, 5, 6]), chooser.randrange(9), chooser.choice([1, 2, 7, 300]))


def stream(chooser: random.Random) -> bytes:
    out = struct.pack("<BBHI", 47, 0, 1, chooser.choice(FVFS))
    out += struct.pack(
        "<BBH3I", 49, 0, 1, 0, chooser.choice([VERTICES, VERTICES, INDICES, 99]), chooser.choice([0, 12, 16, 24, 32, 1 << 16])
    )
    for _ in range(chooser.randrange(4)):
        name = chooser.choice(
            ["PATCHSEGMENTS", "PATCHEDGESTYLE", "NORMALORDER", "POSITIONORDER", "FILLMODE", "CULLMODE", "LIGHTING"]
        )
        if name in RENDER_STATE_ID:
            out += state(name, as_word(chooser.choice(SEGMENTS)) if name == "PATCHSEGMENTS" else word(chooser))
    return out + b"".join(patch(chooser) if chooser.random() < 0.7 else draw(chooser) for _ in range(chooser.randrange(1, 4)))


def make(chooser: random.Random) -> bytes:
    calls = setup(chooser)
    for _ in range(chooser.randrange(1, 4)):
        commands = stream(chooser)
        args = {"context": CONTEXT, "command_length": len(commands)}
        calls.append(DdiCall("DrawPrimitives2", args, {"commands": commands}))
    return packed(calls)


def run(data: bytes, folder: Path) -> None:
    driver = EmulatedDriver()
    for call in unpacked(data):
        driver.call(call)
    contents(driver)
    if driver.part(TARGET) is not None:
        driver.rgba(TARGET)


HARNESS = Harness("patches", make, run, 40, seconds=20.0)

if __name__ == "__main__":
    main(HARNESS)
