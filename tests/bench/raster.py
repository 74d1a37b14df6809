"""Speed of the pixel half: large and small triangles in five states, and a frame of 2,000 draws.

    python tests/bench/raster.py [--rounds 9] [--threads 1] [--log] [--peer] [--only NAME]

Figures are per CPU-second (process clock, median of the rounds): millions of pixels of 8 layers of 1024x768, millions of
10-pixel triangles, milliseconds of the frame.  --peer compiles llvmpipe.c and prints Mesa's figures for the same scenes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "core" / "pipeline")]

from raster_kit import Kit, triangles, vertex  # noqa: E402

from core.pipeline.draw import Watch  # noqa: E402
from core.pipeline.primitives import PRIMITIVE, PROVOKING_SHIFT, VERTEX_FLOATS  # noqa: E402
from core.pipeline.texels import TEXTURE, TextureKind, describe_texture  # noqa: E402
from core.spec.enums import Blend, CmpFunc, FogMode, TextureArg, TextureFilter, TextureOp  # noqa: E402
from core.spec.formats import FORMATS  # noqa: E402

WIDTH, HEIGHT, LAYERS = 1024, 768, 8
SCENES = ("z only", "flat+z", "gouraud+z", "bilinear x diffuse+z", "2 tex+blend+fog")


def large() -> tuple[np.ndarray, np.ndarray]:
    """Eight layers of two triangles, nearer and nearer, in perspective."""
    shape = []
    for layer in range(LAYERS):
        z = (0.9 - 1.6 * layer / LAYERS) * 0.5 + 0.5
        q = [vertex(fx * WIDTH, fy * HEIGHT, z, 1 / (1 + 0.5 * fy), (fx, fy, 1 - fx, 0.3 + 0.5 * fy), fog=0.2 + 0.7 * fy)
             for fy in (0, 1) for fx in (0, 1)]  # fmt: skip
        for i, v in enumerate(q):
            v[16:18], v[20:22] = (i & 1) * 4, (i & 1) * 2 + 0.1
            v[17], v[21] = (i >> 1) * 3, (i >> 1) * 2
        shape += [q[i] for i in (0, 1, 2, 2, 1, 3)]
    return np.stack(shape), triangles(2 * LAYERS)


def indexed(index: np.ndarray) -> np.ndarray:
    """PRIMITIVE records of an indexed triangle list."""
    items = np.zeros(len(index), PRIMITIVE)
    items["vertex"], items["number"] = index, np.arange(len(index))
    items["flags"] = index[:, 0] << PROVOKING_SHIFT
    return items


def small() -> tuple[np.ndarray, np.ndarray]:
    """A grid of triangles of ten pixels."""
    cell = 4.472
    columns, rows = int(WIDTH / cell), int(HEIGHT / cell)
    y, x = np.mgrid[0 : rows + 1, 0 : columns + 1].astype(np.float32)
    v = np.zeros((rows + 1, columns + 1, VERTEX_FLOATS), np.float32)
    v[..., 0], v[..., 1], v[..., 2], v[..., 3] = x * cell, y * cell, 0.5, 1
    fx, fy = x * cell / WIDTH, y * cell / HEIGHT
    v[..., 4], v[..., 5], v[..., 6], v[..., 7], v[..., 12] = fx, fy, 1 - fx, 0.5, fy
    v[..., 16], v[..., 17], v[..., 20], v[..., 21] = fx * 4, fy * 3, fx * 2, fy * 2
    a = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).reshape(-1, 1)
    b, c, d = a + 1, a + columns + 1, a + columns + 2
    return v.reshape(-1, VERTEX_FLOATS), indexed(np.hstack([a, b, c, c, b, d]).reshape(-1, 3))


def kit_for(scene: str) -> Kit:
    """A 1024x768 A8R8G8B8 + D24S8 target with the scene's states."""
    noise = np.arange(65536, dtype=np.uint64)
    heap = ((noise * 2654435761) ^ ((noise >> 3) * 40503)).astype(np.uint32)
    kit = Kit(WIDTH, HEIGHT, depth_format="D24S8", memory=heap, textures=np.zeros(8, TEXTURE))
    kit.set(ZENABLE=1, ZFUNC=CmpFunc.LESSEQUAL, ZWRITEENABLE=1)
    prepare(kit, scene)
    return kit


def prepare(kit: Kit, scene: str) -> None:
    """The states of a scene."""
    textured = {"bilinear x diffuse+z": 1, "2 tex+blend+fog": 2}.get(scene, 0)
    kit.textures[:] = 0
    argb = next(f for f in FORMATS.values() if f.name == "A8R8G8B8")
    for i in range(8):
        stage = ("TEXTURESTAGE", i)
        kit.put((*stage, "COLOROP"), TextureOp.MODULATE if i < textured else TextureOp.DISABLE)
        kit.put((*stage, "ALPHAOP"), TextureOp.MODULATE if i < textured else TextureOp.DISABLE)
        kit.put((*stage, "COLORARG1"), TextureArg.TEXTURE)
        kit.put((*stage, "COLORARG2"), TextureArg.CURRENT)
        kit.put((*stage, "ALPHAARG1"), TextureArg.TEXTURE)
        kit.put((*stage, "ALPHAARG2"), TextureArg.CURRENT)
        kit.put((*stage, "MAGFILTER"), TextureFilter.LINEAR)
        kit.put((*stage, "MINFILTER"), TextureFilter.LINEAR)
        if i < textured:
            describe_texture(kit.textures[i : i + 1][0], TextureKind.PLANE, argb, (256, 256, 1), np.zeros((1, 1), np.int32))
    if scene == "flat+z":
        kit.put(("TEXTURESTAGE", 0, "COLOROP"), TextureOp.SELECTARG1)
        kit.put(("TEXTURESTAGE", 0, "ALPHAOP"), TextureOp.SELECTARG1)
        kit.put(("TEXTURESTAGE", 0, "COLORARG1"), TextureArg.TFACTOR)
        kit.put(("TEXTURESTAGE", 0, "ALPHAARG1"), TextureArg.TFACTOR)
    last = scene == "2 tex+blend+fog"
    kit.set(COLORWRITEENABLE=0 if scene == "z only" else 15, ALPHABLENDENABLE=last, SRCBLEND=Blend.SRCALPHA,
            DESTBLEND=Blend.INVSRCALPHA, FOGENABLE=last, FOGTABLEMODE=FogMode.NONE, FOGCOLOR=0x8099B2,
            TEXTUREFACTOR=0xFF336699)  # fmt: skip


def measure(kit: Kit, draws: list[tuple], rounds: int, threads: int, log: bool) -> tuple[float, float]:
    """Median CPU and wall seconds of drawing (state, vertices, primitives); clearing is not counted."""
    cpu, wall = [], []
    for number in range(rounds + 1):
        kit.color[:], kit.depth[:] = 0, 0xFFFFFFFF
        c, w = time.process_time(), time.perf_counter()
        for scene, vertices, primitives in draws:
            if scene is not None:
                prepare(kit, scene)
            kit.add(vertices, primitives)
        kit.run(threads, Watch(log=True) if log else None)
        if number:
            cpu.append(time.process_time() - c)
            wall.append(time.perf_counter() - w)
    return statistics.median(cpu), statistics.median(wall)


def frame(kit: Kit) -> list[tuple]:
    """2,000 patches of 5x5 cells in four states, states bound once."""
    random = np.random.default_rng(1)
    grid = np.stack(np.meshgrid(np.arange(6), np.arange(6)), -1).reshape(-1, 2).astype(np.float32) / 5
    cells = np.array([(b * 6 + a, b * 6 + a + 1, b * 6 + a + 6, b * 6 + a + 6, b * 6 + a + 1, b * 6 + a + 7)
                      for b in range(5) for a in range(5)]).reshape(-1, 3)  # fmt: skip
    items = indexed(cells)
    draws = []
    for _ in range(2000):
        center, size, turn = random.uniform((0, 0), (WIDTH, HEIGHT)), random.uniform(12, 50), random.uniform(0, 6.3)
        around = (grid - 0.5) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * size + center
        v = np.zeros((36, VERTEX_FLOATS), np.float32)
        v[:, :2], v[:, 2], v[:, 3] = around, random.uniform(0.1, 0.9), 1 / random.uniform(1, 2)
        v[:, 4:7], v[:, 7], v[:, 12] = random.uniform(0, 1, (36, 3)), 0.5, 0.7
        v[:, 16:18], v[:, 20:22] = grid * 2, grid
        draws.append((None, v, items))
    return draws


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--log", action="store_true", help="with the undo log")
    parser.add_argument("--only", default="")
    parser.add_argument("--peer", action="store_true", help="Mesa llvmpipe on one thread, too (needs gcc, EGL and GL)")
    options = parser.parse_args()
    peer = peer_rates(options.rounds) if options.peer else {}
    for scene in SCENES:
        if options.only not in scene:
            continue
        kit = kit_for(scene)
        for name, shape, repeat, amount in (
            ("large Mpix/s", large(), 1, LAYERS * WIDTH * HEIGHT), ("small Mtri/s", small(), 2, 2 * len(small()[1])),
        ):  # fmt: skip
            cpu, wall = measure(kit, [(None, *shape)] * repeat, options.rounds, options.threads, options.log)
            rates = f"{amount / cpu / 1e6:8.1f} per CPU second, {amount / wall / 1e6:8.1f} per second"
            other = peer.get((scene, name.split()[0]))
            told = f", llvmpipe {other:.1f}: {amount / cpu / 1e6 / other:.2f} times" if other else ""
            print(f"{scene:22} {name}  {rates}{told}", flush=True)
    if options.only in "frame":
        kit = kit_for("gouraud+z")
        draws = frame(kit)
        states = [("gouraud+z", "bilinear x diffuse+z", "2 tex+blend+fog")[i % 3] for i in range(len(draws))]
        cpu, wall = frame_time(kit, draws, states, options)
        print(f"{'frame of 2000 draws':22} {cpu * 1e3:8.1f} ms CPU, {wall * 1e3:8.1f} ms", flush=True)


def peer_rates(rounds: int) -> dict[tuple[str, str], float]:
    """(scene, large or small) -> millions per CPU second of Mesa's llvmpipe."""
    source = Path(__file__).with_name("llvmpipe.c")
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "llvmpipe")
        subprocess.run(["gcc", "-O2", "-o", program, str(source), "-lEGL", "-lGL", "-lm"], check=True)
        environment = {**os.environ, "LP_NUM_THREADS": "0"}
        done = subprocess.run([program, str(rounds)], env=environment, capture_output=True, text=True, check=True)
    rows = [line.split("|") for line in done.stdout.splitlines()]
    return {(scene, size): float(rate) for scene, size, rate in rows}


def frame_time(kit: Kit, draws: list[tuple], states: list[str], options: argparse.Namespace) -> tuple[float, float]:
    """The frame with its states bound before: setup, binning and raster."""
    cpu, wall = [], []
    for number in range(options.rounds + 1):
        kit.color[:], kit.depth[:] = 0, 0xFFFFFFFF
        bound = {}
        for scene in dict.fromkeys(states):
            prepare(kit, scene)
            kit.add(draws[0][1][:0], draws[0][2][:0])
            bound[scene] = kit.batch.state_count - 1
        c, w = time.process_time(), time.perf_counter()
        for seq, ((_, v, items), scene) in enumerate(zip(draws, states, strict=True)):
            kit.batch.add(v, items, bound[scene], seq)
        kit.run(options.threads, Watch(log=True) if options.log else None)
        if number:
            cpu.append(time.process_time() - c)
            wall.append(time.perf_counter() - w)
    return statistics.median(cpu), statistics.median(wall)


if __name__ == "__main__":
    main()
