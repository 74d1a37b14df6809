"""Random scenes on ours and on Wine's Direct3D 8: `python -m tests.wine.run KIND FIRST COUNT` prints those that differ.

A scene is the first draw of one of tests.reference.kinds.  Left out is what Wine 8.0 is known to do otherwise: see `plain`, and
docs/decisions.md.  Scenes that show what cannot be left out are compared, too, but counted apart: tests.wine.known.  What is
printed is news.  Where filters round otherwise, noise in small textures makes pixels differ: one in twenty-five may; Mesa is
told to filter exactly (EXACT).

It needs Wine with 64-bit programs, a display (xvfb-run will do) and MinGW; a device a scene takes about a second.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.spec.enums import TextureOp
from tests.reference.kinds import KINDS
from tests.reference.play import Player
from tests.reference.scene import Draw, Scene
from tests.wine.known import why
from tests.wine.script import script

COMPILER = ("x86_64-w64-mingw32-gcc", "-O1")
EXACT = {"GALLIVM_PERF": "no_filter_hacks,no_quad_lod,no_aos_sampling"}
"""Mesa's switches (gallivm, lp_bld_init.c) against approximate levels of detail and filters in 8 bits."""
TARGETS = {21: (8, 8, 8, 8), 23: (0, 5, 6, 5)}  # bits of alpha, red, green, blue
ALLOWED = {21: 4, 23: 9}  # of 255: one step of 5 bits, as Wine rounds what it clears to
SHARE_ALLOWED = 0.04  # of the pixels that are drawn
ALPHA_OPERATIONS = {op for op in TextureOp if TextureOp.SELECTARG1 <= op <= TextureOp.BLENDCURRENTALPHA}
ALPHA_OPERATIONS |= {TextureOp.MULTIPLYADD, TextureOp.LERP}
TEMP, CURRENT, CLAMP, BORDER, LINEAR = 5, 1, 3, 4, 2


def scene(kind: str, seed: int) -> Scene:
    """One draw to a target and depth buffer that Wine has."""
    make, size = KINDS[kind]
    whole = make(random.Random(seed).randbytes(size))
    chance = random.Random(seed)
    return replace(whole, format=chance.choice(tuple(TARGETS)), depth_format=chance.choice((75, 80, None)), samples=0,
                   draws=(plain(whole.draws[0]),))  # fmt: skip


def plain(draw: Draw) -> Draw:
    """Without what Wine does otherwise."""
    states = dict(draw.states) | {"ZENABLE": min(int(draw.states["ZENABLE"]), 1), "DITHERENABLE": 0}
    states.pop("COLORKEYENABLE", None)
    states |= {name: 0 for name in ("VERTEXBLEND", "INDEXEDVERTEXBLENDENABLE") if name in states}
    if draw.shader or states["SPECULARENABLE"]:  # it fogs sums beyond 1
        states["FOGENABLE"] = 0
    if draw.vertices[0].transformed and "POINTSCALEENABLE" in states:
        states["POINTSCALEENABLE"] = 0
    x, y, width, height, near, far = draw.world.viewport
    world = replace(draw.world, viewport=(x, y, width, height, min(near, far), max(near, far)))
    textures = tuple(texture and replace(texture, key=None) for texture in draw.textures)
    return replace(draw, states=states, stages=tuple(map(plain_stage, draw.stages)), textures=textures, world=world)


def plain_stage(stage: Mapping[str, Any]) -> dict[str, Any]:
    """Operations that the documents define, TEMP left alone, no borders, no anisotropy."""
    found = {name: value & ~15 | CURRENT if "ARG" in name and value & 15 == TEMP else value for name, value in stage.items()}
    if found.get("COLOROP", TextureOp.DISABLE) != TextureOp.DISABLE:
        if found["COLOROP"] in (TextureOp.PREMODULATE, TextureOp.BUMPENVMAP, TextureOp.BUMPENVMAPLUMINANCE):
            found["COLOROP"] = TextureOp.MODULATE
        if found["ALPHAOP"] not in ALPHA_OPERATIONS:
            found["ALPHAOP"] = TextureOp.SELECTARG1
    for name in ("ADDRESSU", "ADDRESSV", "ADDRESSW"):
        if found.get(name) == BORDER:
            found[name] = CLAMP
    return found | {name: min(int(found[name]), LINEAR) for name in ("MINFILTER",) if name in found}


def channels(words: np.ndarray, format: int) -> np.ndarray:
    """0..255 each, along a last axis."""
    shift, found = 0, []
    for bits in reversed(TARGETS[format]):
        found.append((words.astype(np.int64) >> shift & (1 << bits) - 1) * 255 // max((1 << bits) - 1, 1))
        shift += bits
    return np.stack(found, -1)


def on_wine(scenes: list[Scene]) -> list[np.ndarray | str]:
    """The words of each scene's target, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        program, given, answer = (Path(folder, name) for name in ("player.exe", "script", "pixels"))
        subprocess.run([*COMPILER, str(Path(__file__).with_name("player.c")), "-o", str(program)], check=True)
        given.write_bytes(script(scenes))
        environment = {"WINEDEBUG": "-all", **EXACT, **os.environ}
        subprocess.run(["wine", program.name, given.name, answer.name], cwd=folder, env=environment, check=True)
        data, found = answer.read_bytes(), list[np.ndarray | str]()
    for one in scenes:
        if not int.from_bytes(data[:4], "little"):
            result, command = np.frombuffer(data[4:12], "<u4")
            found.append(f"command {command} failed with {result:#x}")
            data = data[12:]
            continue
        kind = "<u4" if one.format == 21 else "<u2"
        size = one.width * one.height * np.dtype(kind).itemsize
        found.append(np.frombuffer(data[4 : 4 + size], kind).reshape(one.height, one.width))
        data = data[4 + size :]
    return found


def difference(one: Scene, theirs: np.ndarray) -> str:
    """What differs, or nothing."""
    player = Player(one)
    before = player.stored()[0]
    player.draw(*one.draws)
    ours = player.stored()[0]
    apart = np.abs(channels(ours, one.format) - channels(theirs, one.format)).max(-1)
    drawn = np.count_nonzero((ours != before) | (apart > ALLOWED[one.format]))
    wrong = np.count_nonzero(apart > ALLOWED[one.format])
    if wrong <= max(6, SHARE_ALLOWED * drawn):
        return ""
    y, x = np.unravel_index(int(apart.argmax()), apart.shape)
    return f"{wrong} of {drawn} pixels, most at ({x}, {y}): {ours[y, x]:x} here, {theirs[y, x]:x} there"


def main(kind: str, first: int, count: int) -> int:
    scenes = [scene(kind, seed) for seed in range(first, first + count)]
    different = refused = known = 0
    for seed, (one, theirs) in enumerate(zip(scenes, on_wine(scenes), strict=True), first):
        if isinstance(theirs, str):
            refused += 1
        elif text := difference(one, theirs):
            if why(one.draws[0]):
                known += 1
                continue
            different += 1
            print(f"{kind} {seed}: {text}", flush=True)
    print(f"{kind}: {different} of {count - refused} differ, {known} more as known, Wine refused {refused}")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
