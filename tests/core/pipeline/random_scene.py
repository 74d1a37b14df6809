"""A scene of random states and triangles, drawn with any number of threads: prints a digest of what came out.

As a program: `python -m tests.core.pipeline.random_scene SEED TRIANGLES SAMPLES` (with NUMBA_DISABLE_JIT=1: the plain Python
twin).
"""

from __future__ import annotations

import hashlib
import sys

import numpy as np

from core.pipeline.draw import Watch
from core.pipeline.records.primitives import PrimitiveFlag, PrimitiveKind
from tests.core.pipeline.raster_kit import Kit, triangles, vertex


def random_kit(seed: int, count: int, size: int = 100, samples: int = 1, draws: int = 10, at_once: bool = False) -> Kit:
    """Draws queued, not run (at_once: run one by one): depth, stencil, alpha test, blending, fog, flat and Gouraud, lines."""
    random = np.random.default_rng(seed)
    kit = Kit(size, size - 3, depth_format="D24S8", samples=samples)
    kit.color[:] = random.integers(0, 1 << 32, kit.color.size, dtype=np.uint32)
    kit.depth[:] = random.integers(0, 1 << 32, kit.depth.size, dtype=np.uint32)
    for _ in range(draws):
        pick = lambda *values: int(random.choice(values))  # noqa: E731
        kit.set(ZENABLE=pick(0, 1, 1, 2), ZWRITEENABLE=pick(0, 1), ZFUNC=pick(2, 4, 5, 7, 8), ZBIAS=pick(0, 0, 5),
                STENCILENABLE=pick(0, 1), STENCILFUNC=pick(1, 2, 4, 5, 8), STENCILREF=pick(3, 128),
                STENCILPASS=pick(*range(1, 9)), STENCILFAIL=pick(*range(1, 9)), STENCILZFAIL=pick(*range(1, 9)),
                STENCILWRITEMASK=pick(255, 0x3C),
                ALPHATESTENABLE=pick(0, 1), ALPHAFUNC=pick(5, 7), ALPHAREF=pick(40, 128), ALPHABLENDENABLE=pick(0, 1),
                SRCBLEND=pick(*range(1, 12)), DESTBLEND=pick(*range(1, 11)), BLENDOP=pick(*range(1, 6)),
                COLORWRITEENABLE=pick(15, 15, 7, 8), FOGENABLE=pick(0, 1), FOGTABLEMODE=pick(0, 1, 2, 3), FOGCOLOR=0x336699,
                FOGSTART=0.1, FOGEND=0.9, FOGDENSITY=1.2, SPECULARENABLE=pick(0, 1), SHADEMODE=pick(1, 2),
                MULTISAMPLEMASK=pick(0xFFFFFFFF, 5), EDGEANTIALIAS=pick(0, 1))  # fmt: skip
        kit.put(("WINFO", "Far"), 3.0)
        u = random.uniform
        shape = [vertex(*u(-30, size + 30, 2), u(0, 1), u(0.3, 2), u(0, 1, 4), u(0, 1, 4), u(0, 1)) for _ in range(3 * count)]
        kit.add(np.stack(shape), np.concatenate([triangles(count), lines(random, count)]))
        if at_once:
            kit.run()
    return kit


def lines(random: np.random.Generator, most: int) -> np.ndarray:
    """PRIMITIVE records: lines, some of which are edges of polygons."""
    found = triangles(min(3, most))
    found["kind"], found["slope"] = PrimitiveKind.LINE, random.uniform(0, 0.1, len(found))
    found["flags"] |= random.choice([0, int(PrimitiveFlag.LAST_PIXEL), int(PrimitiveFlag.POLYGON)], len(found))
    return found


def digest(kit: Kit) -> str:
    return hashlib.sha256(kit.color.tobytes() + kit.depth.tobytes()).hexdigest()


if __name__ == "__main__":
    watch = Watch(log=True)
    scene = random_kit(int(sys.argv[1]), int(sys.argv[2]), 24, int(sys.argv[3]), 8).run(1, watch)
    print(digest(scene), hashlib.sha256(watch.records.tobytes()).hexdigest())
