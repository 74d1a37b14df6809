"""Scenes as scripts for player.c, in the order in which tests.reference.play sends them."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from core.runtime.d3d8 import D3DRS, D3DTSS
from core.spec.enums import ClearFlag
from tests.reference import dxt
from tests.reference.formats import DEPTHS
from tests.reference.play import MOST_LIGHTS
from tests.reference.scene import Draw, Scene
from tests.reference.texture import Texture
from tests.reference.vertex import World


class Command(IntEnum):
    """As in player.c."""

    (CLEAR, RENDER_STATE, STAGE_STATE, TEXTURE, SET_TEXTURE, TRANSFORM, MATERIAL, LIGHT, LIGHT_ENABLE, VIEWPORT, VERTEX_SHADER,
     PIXEL_SHADER, CONSTANTS, DRAW, PALETTE) = range(1, 16)  # fmt: skip


def packed(*values: Any) -> bytes:
    """Words: floats as they are, integers as 32 bits, sequences one after another, bytes padded."""
    parts = []
    for value in values:
        if isinstance(value, bytes):
            parts.append(value + bytes(-len(value) % 4))
        elif isinstance(value, float):
            parts.append(struct.pack("<f", value))
        elif isinstance(value, Sequence):
            parts.append(packed(*value))
        else:
            parts.append(struct.pack("<I", int(value) & 0xFFFFFFFF))
    return b"".join(parts)


def script(scenes: Sequence[Scene]) -> bytes:
    """What player.c reads."""
    played = [b"".join(commands(scene)) for scene in scenes]
    return packed(len(played), *(part for one in played for part in (len(one), one)))


def commands(scene: Scene) -> Iterator[bytes]:
    flags = int(ClearFlag.TARGET)
    if scene.depth_format is not None:
        flags |= ClearFlag.ZBUFFER | (ClearFlag.STENCIL if DEPTHS[scene.depth_format].stencil else 0)
    yield packed(scene.width, scene.height, scene.format, scene.depth_format or 0, Command.CLEAR, flags, *scene.clear)
    made = 0
    for draw in scene.draws:
        for name, value in draw.states.items():
            yield packed(Command.RENDER_STATE, D3DRS[name], value)
        for number, stage in enumerate(draw.stages):
            for name, value in stage.items():
                yield packed(Command.STAGE_STATE, number, D3DTSS[name], value)
        for number, texture in enumerate(draw.textures):
            if texture is not None:
                yield from texture_commands(texture)
            yield packed(Command.SET_TEXTURE, number, -1 if texture is None else made)
            made += texture is not None
        yield from draw_commands(scene, draw)


def texture_commands(texture: Texture) -> Iterator[bytes]:
    if texture.palette:
        yield packed(Command.PALETTE, bytes(channel for entry in texture.palette for channel in entry))
    kind = 2 if texture.depth else 1 if texture.faces else 0
    yield packed(Command.TEXTURE, kind, texture.width, texture.height, texture.depth, len(texture.levels), texture.format)
    for levels in (texture.levels, *texture.faces):
        for level, data in enumerate(levels):
            _, height, depth = texture.size(level)
            rows, slices = (height + 3) // 4 if texture.format in dxt.BLOCK_BYTES else height, depth if texture.depth else 1
            yield packed(rows, len(data) // (rows * slices), slices, data)


def draw_commands(scene: Scene, draw: Draw) -> Iterator[bytes]:
    code = np.asarray(draw.machine.code if draw.shader else [], np.uint32)
    yield packed(Command.PIXEL_SHADER, len(code), code.tobytes())
    if draw.constants:
        yield packed(Command.CONSTANTS, len(draw.constants), np.array(draw.constants, np.float32).tobytes())
    yield from world_commands(scene, draw.world)
    vertices = [vertex.packed() for vertex in draw.vertices]
    yield packed(Command.VERTEX_SHADER, draw.vertices[0].format())
    yield packed(Command.DRAW, draw.kind, 1, len(vertices[0]), len(vertices) * len(vertices[0]), b"".join(vertices))


def world_commands(scene: Scene, world: World) -> Iterator[bytes]:
    left, top, width, height, near, far = world.viewport
    size = min(width, scene.width - left), min(height, scene.height - top)
    yield packed(Command.VIEWPORT, left, top, *size, float(near), float(far))
    for number, matrix in world.matrices.items():
        yield packed(Command.TRANSFORM, number, np.asarray(matrix, np.float32).tobytes())
    yield packed(Command.MATERIAL, floats(world.material))
    for number in range(MOST_LIGHTS):
        if number < len(world.lights):
            yield packed(Command.LIGHT, number, world.lights[number].type, floats(world.lights[number][1:]))
        yield packed(Command.LIGHT_ENABLE, number, number < len(world.lights))


def floats(values: Any) -> list[float]:
    """The numbers of nested tuples."""
    return [n for value in values for n in (floats(value) if isinstance(value, tuple) else [float(value)])]
