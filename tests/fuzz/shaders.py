"""Code of shaders: assembled and then changed, or any dwords; created, made current, drawn with."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np

from core.ddi.calls import DdiCall
from core.ddi.stream.shader_assemble import assemble
from core.errors import ShaderError
from core.spec.shaders import ROWS
from tests.fuzz.dp2 import CONTEXT, VERTICES, driver, states, stream, words
from tests.fuzz.harness import main

VERTEX, PIXEL = ("vs_1_0", "vs_1_1"), ("ps_1_0", "ps_1_1", "ps_1_2", "ps_1_3", "ps_1_4")
NAMES = sorted({row.name for row in ROWS})
SOURCES = ["r0", "r1", "r11", "v0", "v1", "v15", "c0", "c95", "c7", "c[a0.x]", "c[a0.x + 90]", "t0", "t3", "t5", "-r0", "1-r0",
           "r0_bx2", "a0.x", "c255", "v16"]  # fmt: skip
TARGETS = ["r0", "r1", "r5", "oPos", "oD0", "oT7", "oFog", "oPts", "a0.x", "t0", "t1", "t3", "r0.xyz", "r1.w", "c3"]


def text(chooser: random.Random, version: str) -> str:
    """Instructions that may be of that version."""
    lines = [version]
    for _ in range(chooser.choice([1, 3, 8, 30, 140])):
        operands = [chooser.choice(TARGETS), *(chooser.choice(SOURCES) for _ in range(chooser.choice([0, 1, 1, 2, 3, 4])))]
        lines.append(f"{chooser.choice(NAMES)}{chooser.choice(['', '', '_sat', '_x2'])} {', '.join(operands)}")
    return "\n".join(lines)


def code(chooser: random.Random, versions: tuple[str, ...]) -> bytes:
    """What can be assembled of random lines, with a few dwords changed."""
    version = chooser.choice(versions)
    found = assemble(version)
    for line in text(chooser, version).splitlines()[1:]:
        try:
            found = np.concatenate([found[:-1], assemble(f"{version}\n{line}")[1:]])
        except ShaderError:
            continue
    for _ in range(chooser.choice([0, 0, 1, 3])):
        found[chooser.randrange(len(found))] ^= 1 << chooser.randrange(32)
    return found.astype("<u4").tobytes()


def declaration(chooser: random.Random) -> bytes:
    """Stream 0 with a few elements, or anything."""
    tokens = [0x20000000]
    tokens += [0x40000000 | chooser.randrange(8) << 16 | chooser.randrange(18) for _ in range(chooser.randrange(1, 7))]
    if chooser.random() < 0.2:
        tokens.append(chooser.getrandbits(32))
    return struct.pack(f"<{len(tokens) + 1}I", *tokens, 0xFFFFFFFF)


def created(chooser: random.Random) -> bytes:
    """Both shaders as tokens, made current."""
    declared, vertex, pixel = declaration(chooser), code(chooser, VERTEX), code(chooser, PIXEL)
    out = struct.pack("<BBH3I", 45, 0, 1, 3, len(declared), len(vertex)) + declared + vertex
    out += struct.pack("<BBH2I", 54, 0, 1, 5, len(pixel)) + pixel
    out += struct.pack("<BBH2I", 48, 0, 1, chooser.choice([0, 90, 95]), 1) + words(chooser, 4)
    return out + struct.pack("<BBHI", 56, 0, 1, chooser.choice([5, 5, 0]))


def drawn(chooser: random.Random) -> DdiCall:
    """Shaders in a stream of their own, then a draw with them."""
    commands = states(chooser) + created(chooser) + struct.pack("<BBHI", 47, 0, 1, 3)
    commands += struct.pack("<BBH3I", 49, 0, 1, 0, VERTICES, chooser.choice([0, 12, 16, 32, 40]))
    commands += struct.pack("<BBH3I", 58, 0, 1, chooser.randrange(1, 7), 0, chooser.choice([1, 7, 300]))
    return DdiCall("DrawPrimitives2", {"context": CONTEXT, "command_length": len(commands)}, {"commands": commands})


def case(chooser: random.Random, folder: Path) -> None:
    """Some shaders, then a stream of anything."""
    made = driver(chooser)
    for _ in range(3):
        made.call(drawn(chooser))
    made.call(stream(chooser))
    made.device.flush()


if __name__ == "__main__":
    main(case)
