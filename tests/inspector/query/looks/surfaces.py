"""A capture with surfaces whose every texel is known: what the tests of looks are held to."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np
import pytest

import inspector
from inspector.tape import TapeWriter
from tests.scenes.kit import BLACK, BLUE, GREEN, RED, TARGET, WHITE, Stage, states

RAMP, CUBE, VOLUME, BUMP, INDEXED, BLOCKS, DEPTH = 10, 20, 60, 70, 71, 72, 2
FACES = (RED, GREEN, BLUE, WHITE, BLACK, 0xFF808080)
LEVELS = 3
SIDES = (4, 3, 2)
"""Width, height, depth of the volume: a texel's red is 10 x, green 20 y, blue 40 z."""
DRAWN_DEPTH = 0.25


def voxel(x: int, y: int, z: int) -> tuple[int, int, int, int]:
    return 10 * x, 20 * y, 40 * z, 255


def _fill(scene: Stage) -> None:
    scene.surface(RAMP, "A8R8G8B8", 256, 2)
    scene.fill(RAMP, np.array([[0xFF000000 | n << 16 for n in range(256)], [n << 24 for n in range(256)]], "<u4").tobytes())
    scene.surface(CUBE, "A8R8G8B8", 4, 4, levels=LEVELS, faces=6)
    for face, color in enumerate(FACES):
        for level in range(LEVELS):
            side = 4 >> level
            scene.fill(CUBE + face * LEVELS + level, struct.pack("<I", color - level) * side * side)
    width, height, depth = SIDES
    scene.surface(VOLUME, "A8R8G8B8", width, height, depth=depth, volume=1)
    words = [
        0xFF000000 | 10 * x << 16 | 20 * y << 8 | 40 * z for z in range(depth) for y in range(height) for x in range(width)
    ]
    scene.fill(VOLUME, struct.pack(f"<{len(words)}I", *words))
    scene.surface(BUMP, "V8U8", 2, 1)
    scene.fill(BUMP, struct.pack("<4b", 127, -127, 0, 64))  # u, v of a texel, then of the next
    scene.surface(INDEXED, "P8", 2, 2)
    scene.fill(INDEXED, bytes([0, 1, 16, 255]))
    scene.surface(BLOCKS, "DXT1", 4, 4)
    scene.fill(BLOCKS, struct.pack("<HHI", 0xF800, 0x001F, 0))  # all of the first colour: red


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[inspector.Capture]:
    """The capture; a red box over the left half of the target is its last draw, at DRAWN_DEPTH."""
    path = tmp_path_factory.mktemp("looks") / "surfaces.ddicap"
    with TapeWriter(path, {"title": "surfaces"}, durable=False) as writer:
        scene = Stage(writer, depth="D24S8")
        _fill(scene)
        scene.tokens(states(ZENABLE=1, ZWRITEENABLE=1, ZFUNC=4))
        scene.quad((0, 0, 32, 64), RED, DRAWN_DEPTH)
        assert TARGET == 1
    with inspector.open(path) as capture:
        yield capture


def last(capture: inspector.Capture) -> int:
    return len(capture.events) - 1
