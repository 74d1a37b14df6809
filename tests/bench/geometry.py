"""Speed of the vertex half: a lit mesh, a strip, a vertex shader, clipping, and the cost of a draw.

    python tests/bench/geometry.py [--rounds 15]

Millions of vertices per CPU-second (process clock, median of the rounds; assembly included), microseconds per draw.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.ddi.stream.shader_assemble import assemble  # noqa: E402
from core.ddi.stream.shader_code import program as decode  # noqa: E402
from core.pipeline.vertex.assemble import IndexForm  # noqa: E402
from core.pipeline.vertex.fetch import VertexLayout, compile_declaration, compile_fvf  # noqa: E402
from core.pipeline.vertex.vshader import compile_program  # noqa: E402
from core.spec.enums import PrimitiveType  # noqa: E402
from tests.core.pipeline.vertex_kit import GEOMETRY, Scene, fvf_of, perspective, vertices_of  # noqa: E402

SIDE = 100
SHADER = """vs.1.1
m4x4 oPos, v0, c0
dp3 r0.w, v3, v3
rsq r0.w, r0.w
mul r0, v3, r0.w
dp3 r1.x, r0, c4
max r1.x, r1.x, c5.x
mad oD0, r1.x, c6, c7
mov oT0.xy, v7"""


def mesh(scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and 16-bit indices of a square of SIDE x SIDE quads."""
    x, y = np.meshgrid(np.linspace(-scale, scale, SIDE + 1), np.linspace(-scale, scale, SIDE + 1))
    points = np.stack([x.ravel(), y.ravel(), np.full(x.size, 3.0)], axis=-1)
    quad = np.arange(SIDE * SIDE)
    corner = quad // SIDE * (SIDE + 1) + quad % SIDE
    below = corner + SIDE + 1
    indices = np.stack([corner, corner + 1, below, corner + 1, below + 1, below], axis=-1)
    normals = np.tile([0.0, 0.0, -1.0], (len(points), 1))
    return vertices_of(len(points), position=points, normal=normals, tex0=points[:, :2]), indices.ravel().astype(np.uint16)


def seconds(run: Callable[[], object], rounds: int, repeat: int = 4) -> float:
    """CPU seconds of one call."""
    run()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(repeat):
            run()
        times.append((time.process_time() - start) / repeat)
    return statistics.median(times)


def draws() -> dict[str, Callable[[], object]]:
    """The draws that are measured, by name."""
    vertices, indices = mesh()
    layout, stream, memory = compile_fvf(fvf_of(vertices.dtype)), vertices.view(np.uint8).reshape(-1), indices.view(np.uint8)
    lit, unlit, shaded = Scene(lighting=True), Scene(), Scene()
    lit.light(Direction=(0.0, 0.0, 1.0))
    for scene in (lit, unlit, shaded):
        scene.transform("PROJECTION", perspective()).set(("STREAM", 0, "stride"), vertices.itemsize)
    for number, row in enumerate(perspective().T):
        shaded.set(("VSCONST", number), *map(float, row))
    tokens = [1 << 29, 2 << 29 | 2 << 16, 2 << 29 | 2 << 16 | 3, 2 << 29 | 1 << 16 | 7, 0xFFFFFFFF]
    declaration, program = compile_declaration(tokens, True), compile_program(decode(assemble(SHADER)))
    whole = {
        "kind": PrimitiveType.TRIANGLELIST, "count": len(indices) // 3, "index_form": IndexForm.WORD, "index_memory": memory,
    }  # fmt: skip
    strip = {"kind": PrimitiveType.TRIANGLESTRIP, "count": len(vertices) - 2}

    def draw(scene: Scene, layout: VertexLayout, **more: Any) -> Callable[[], object]:
        arguments = {"streams": [stream], "light_slots": scene.light_slots, **more}
        return lambda: GEOMETRY.process(scene.vector, layout, **arguments)

    return {
        "transform+light": draw(lit, layout, **whole),
        "1 light, strip": draw(lit, layout, **strip),
        "unlit, indexed mesh": draw(unlit, layout, **whole),
        "unlit, strip": draw(unlit, layout, **strip),
        "vs_1_1": draw(shaded, declaration, program=program, **whole),
        "vs_1_1, strip": draw(shaded, declaration, program=program, **strip),
        "a draw of one triangle": draw(lit, layout, **{**strip, "count": 1}),
    }


def mesh_runs() -> list[tuple[str, Callable[[], object]]]:
    """The draws that llvmpipe.c knows, too."""
    return [(name, run) for name, run in draws().items() if name in ("transform+light", "vs_1_1")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    for name, run in draws().items():
        if name == "a draw of one triangle":
            print(f"{name:32} {seconds(run, rounds, 500) * 1e6:7.1f} us")
        else:
            print(f"{name:32} {(SIDE + 1) ** 2 / seconds(run, rounds) / 1e6:7.1f} Mvertex/s")


if __name__ == "__main__":
    main()
