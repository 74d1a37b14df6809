"""Draws that go through every stage of the vertex half, for the comparison of compiled code with its plain Python twin.

NUMBA_DISABLE_JIT=1 python -m tests.core.pipeline.twin_vertices FILE.npz
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from core.ddi.stream.shader_assemble import assemble
from core.ddi.stream.shader_code import program as decode
from core.pipeline.vertex.fetch import compile_declaration
from core.pipeline.vertex.vshader import compile_program
from core.spec.enums import Fvf, LightType, VertexBlend
from tests.core.pipeline.vertex_kit import Result, Scene, perspective, random_affine, vertices_of

SHADER = """vs.1.1
m4x4 oPos, v0, c0
mov a0.x, v1.x
lit r0, -v1.wzyx
dst r1, v1, c[a0.x + 5]
expp r2, v1.x
logp r3, v1.y
mad oD0, r0, r1, c8
add oD1, r2, r3
exp r4, v1.y
log r5, v1.z
frc r6.xy, v1
rsq r7, v1.w
slt r8, v0, v1
sge r9, v0, v1
m3x2 r6.xy, v1, c[a0.x + 4]
mov oT0, r4
mov oT1, r5
mul oT2, r6, r7
sub oT3, r8, r9
mov oFog, v1.x
mov oPts, v1.y"""


def _lit(rng: np.random.Generator) -> Result:
    scene = Scene(lighting=True).transform("WORLD0", random_affine(rng)).transform("PROJECTION", perspective(near=0.1))
    scene.set("SPECULARENABLE", 1).set("NORMALIZENORMALS", 1).set("AMBIENT", 0x102030).set("FOGENABLE", 1)
    scene.set("FOGVERTEXMODE", 1)
    scene.set(("MATERIAL", "Diffuse"), 0.7, 0.6, 0.5, 0.4).set(("MATERIAL", "Specular"), 0.3, 0.4, 0.5, 1.0)
    scene.set(("MATERIAL", "Power"), 9.5).set(("CLIPPLANE", 2), 0.3, 0.2, -0.9, 0.4).set("CLIPPLANEENABLE", 4)
    for kind in LightType:
        scene.light(Type=int(kind), Diffuse=rng.uniform(0, 1, 4), Specular=rng.uniform(0, 1, 4), Ambient=rng.uniform(0, 0.2, 4),
                    Position=rng.normal(size=3), Direction=rng.normal(size=3), Range=9.0, Falloff=1.5, Attenuation0=0.5,
                    Attenuation1=0.2, Theta=0.5, Phi=2.0)  # fmt: skip
    for stage, source in enumerate((0x10000, 0x20001, 0x30000)):
        scene.set(("TEXTURESTAGE", stage, "COLOROP"), 4).set(("TEXTURESTAGE", stage, "TEXCOORDINDEX"), source)
    scene.set(("TEXTURESTAGE", 2, "TEXTURETRANSFORMFLAGS"), 3).transform("TEXTURE2", rng.normal(size=(4, 4)))
    return scene.draw(vertices_of(66, position=rng.normal(size=(66, 3)) * 2, normal=rng.normal(size=(66, 3))))


def _blended(rng: np.random.Generator) -> Result:
    scene = Scene().set("VERTEXBLEND", 2).set("INDEXEDVERTEXBLENDENABLE", 1).set(("TEXTURESTAGE", 0, "TEXCOORDINDEX"), 0x10000)
    for i in range(4):
        scene.transform(f"WORLD{i}", random_affine(rng))
    indices = (rng.integers(0, 4, (21, 4)) << [0, 8, 16, 24]).sum(axis=1).astype(np.uint32).view(np.float32)
    vertices = vertices_of(21, position=rng.normal(size=(21, 3)), betas=np.c_[rng.uniform(0, 0.5, (21, 2)), indices],
                           normal=rng.normal(size=(21, 3)))  # fmt: skip
    return scene.draw(vertices, fvf=Fvf.XYZB3 | Fvf.LASTBETA_UBYTE4 | Fvf.NORMAL)


def _tweened(rng: np.random.Generator) -> Result:
    scene = Scene().set("VERTEXBLEND", VertexBlend.TWEENING).set("TWEENFACTOR", 0.3)
    tokens = [1 << 29, *(2 << 29 | 2 << 16 | register for register in (0, 3, 15, 16)), 0xFFFFFFFF]
    stream = rng.normal(size=(12, 12)).astype(np.float32)
    return scene.process(compile_declaration(tokens, False), [stream], [48], kind=5, count=10)


def _screen(rng: np.random.Generator) -> Result:
    points = rng.normal(size=(30, 4)) * [4000, 4000, 1, 1] + [300, 200, 0.5, 1]
    scene = Scene().set("FOGENABLE", 1).set(("TEXTURESTAGE", 1, "COLOROP"), 4)
    return scene.draw(vertices_of(30, rhw=points, diffuse=rng.integers(0, 2**32, 30), specular=rng.integers(0, 2**32, 30),
                                  tex0=rng.normal(size=(30, 2)), tex1=rng.normal(size=(30, 1))))  # fmt: skip


def _shaded(rng: np.random.Generator) -> Result:
    scene = Scene().set("PIXELSHADER", 1).set("FOGENABLE", 1)
    for number in range(12):
        scene.set(("VSCONST", number), *map(float, rng.normal(size=4)))
    tokens = [1 << 29, 2 << 29 | 3 << 16, 2 << 29 | 3 << 16 | 1, 0xFFFFFFFF]
    stream = rng.normal(size=(70, 8)).astype(np.float32) * 2
    program = compile_program(decode(assemble(SHADER)))
    return scene.process(compile_declaration(tokens, True), [stream], [32], kind=6, count=60, program=program)


def _points(rng: np.random.Generator) -> Result:
    scene = Scene().set("POINTSCALEENABLE", 1).set("POINTSCALE_B", 0.5).set("POINTSPRITEENABLE", 1).set("POINTSIZE", 0.05)
    return scene.draw(vertices_of(20, position=rng.normal(size=(20, 3))), kind=1)


def _wireframe(rng: np.random.Generator) -> Result:
    scene = Scene().set("FILLMODE", 2).set("LINEPATTERN", 0xAAAA0001)
    return scene.draw(vertices_of(40, position=rng.normal(size=(40, 3)) * [9, 9, 1]), kind=4, indices=rng.integers(0, 44, 60))


SCENES: tuple[Callable[[np.random.Generator], Result], ...] = (
    _lit, _blended, _tweened, _screen, _shaded, _points, _wireframe,
)  # fmt: skip


def results() -> dict[str, np.ndarray]:
    """Everything that the scenes make, by name."""
    found = {}
    for scene in SCENES:
        out = scene(np.random.default_rng(12))
        found[f"{scene.__name__} vertices"], found[f"{scene.__name__} positions"] = out.vertices, out.positions
        found[f"{scene.__name__} primitives"], found[f"{scene.__name__} fates"] = out.primitives.view(np.int32), out.fates
    return found


if __name__ == "__main__":
    np.savez(sys.argv[1], **results())
