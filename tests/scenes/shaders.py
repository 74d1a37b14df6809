"""Vertex and pixel shader instructions, one scene each: the result is a colour that can be worked out from the constants."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

import numpy as np

from core.ddi.stream.shader_assemble import assemble
from tests.scenes.kit import GREEN, SIZE, TEXTURE, Stage, add, argb, picture, scene, stage, t

A, B, C = (0.8, 0.4, 0.2, 0.6), (0.4, 0.6, 1.0, 0.4), (0.2, 0.2, 0.4, 0.2)
POSITION = [0x20000000, 0x40020000, 0xFFFFFFFF]  # stream 0: v0 FLOAT3
ALL = [struct.pack("<3f", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, 0.5) for y in (0, SIZE) for x in (0, SIZE)]
Four = Sequence[float]


def dot(a: Four, b: Four, count: int) -> list[float]:
    return [sum(x * y for x, y in zip(a[:count], b[:count], strict=True))] * 4


def rows(count: int, size: int) -> list[float]:
    """c0 times a matrix in c8 ...: its rows are (0.25 * (i + 1), 0, 0.125, 0.5)."""
    values = [dot(A, (0.25 * (i + 1), 0.0, 0.125, 0.5), size)[0] for i in range(count)]
    return values + [0.0] * (3 - len(values)) + [1.0] if count < 4 else values


VERTEX: dict[str, tuple[str, Callable[[], Four]]] = {
    "mov": ("mov r0, c0", lambda: A), "add": ("add r0, c0, r2", lambda: [a + c for a, c in zip(A, C, strict=True)]),
    "sub": ("sub r0, c0, r2", lambda: [a - c for a, c in zip(A, C, strict=True)]),
    "mul": ("mul r0, c0, r1", lambda: [a * b for a, b in zip(A, B, strict=True)]),
    "mad": ("mad r0, c0, r1, r2", lambda: [a * b + c for a, b, c in zip(A, B, C, strict=True)]),
    "dp3": ("dp3 r0, c0, r1", lambda: dot(A, B, 3)), "dp4": ("dp4 r0, c0, r2", lambda: dot(A, C, 4)),
    "min": ("min r0, c0, r1", lambda: [min(a, b) for a, b in zip(A, B, strict=True)]),
    "max": ("max r0, c0, r1", lambda: [max(a, b) for a, b in zip(A, B, strict=True)]),
    "slt": ("slt r0, c0, r1", lambda: [float(a < b) for a, b in zip(A, B, strict=True)]),
    "sge": ("sge r0, c0, r1", lambda: [float(a >= b) for a, b in zip(A, B, strict=True)]),
    "rcp": ("rcp r0, c3.w\nmul r0, r0, r2", lambda: [c / 2 for c in C]),
    "rsq": ("rsq r0, c3.z\nmul r0, r0, r2", lambda: [c / 2 for c in C]),
    "exp": ("exp r0, -c3.y", lambda: [0.5] * 4), "log": ("log r0, c3.x", lambda: [0.5] * 4),
    "dst": ("dst r0, c0, r1", lambda: (1.0, A[1] * B[1], A[2], B[3])),
    "lit": ("mov r3, c4\nlit r0, r3", lambda: (1.0, 0.8, 0.25, 1.0)),
    "frc": ("mov r3, c3\nfrc r0.xy, r3\nmov r0.zw, c0", lambda: (math.sqrt(2) - 1, 0.0, A[2], A[3])),
    "m4x4": ("mov r4, c0\nm4x4 r0, r4, c8", lambda: rows(4, 4)),
    "m4x3": ("mov r4, c0\nmov r0.w, c4.y\nm4x3 r0.xyz, r4, c8", lambda: [*rows(3, 4)[:3], 0.5]),
    "m3x4": ("mov r4, c0\nm3x4 r0, r4, c8", lambda: rows(4, 3)),
    "m3x3": ("mov r4, c0\nmov r0.w, c4.y\nm3x3 r0.xyz, r4, c8", lambda: [*rows(3, 3)[:3], 0.5]),
    "m3x2": ("mov r4, c0\nmov r0.zw, c4.y\nm3x2 r0.xy, r4, c8", lambda: [*rows(2, 3)[:2], 0.5, 0.5]),
    "a0": ("mov a0.x, c5.x\nmov r0, c[a0.x + 0]", lambda: B), "nop": ("nop\nmov r0, c0", lambda: A),
}  # fmt: skip


def _vertex(name: str) -> None:
    code, formula = VERTEX[name]

    def make(stage: Stage) -> None:
        text = f"vs_1_1\nmov oPos, v0\nmov r1, c1\nmov r2, c2\n{code}\nmov oD0, r0"
        values = [A, B, C, (math.sqrt(2), 1.0, 4.0, 2.0), (0.8, 0.5, 0.0, 2.0), (1.0, 0, 0, 0)]
        matrix = [(0.25 * (i + 1), 0.0, 0.125, 0.5) for i in range(4)]
        stage.tokens(
            t("SETVERTEXSHADERCONST", register=0, values=values), t("SETVERTEXSHADERCONST", register=8, values=matrix),
            t("CREATEVERTEXSHADER", shader=3, declaration=POSITION, code=assemble(text)), t("SETVERTEXSHADER", shader=3),
            t("SETSTREAMSOURCEUM", stride=12), t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2),
            vertices=ALL, stride=12,
        )  # fmt: skip
        stage.sees(picture(ground=argb(formula())), tolerance=1)

    add(f"shaders/vertex {name}", make, f"instruction:vs {name}", "flag:D3DVS_VERSION")


for _name in VERTEX:
    _vertex(_name)

PIXEL: dict[str, tuple[str, Callable[[], Four]]] = {
    "mov": ("mov r0, c0", lambda: A), "add": ("add r0, c0, c2", lambda: [a + c for a, c in zip(A, C, strict=True)]),
    "sub": ("sub r0, c0, c2", lambda: [a - c for a, c in zip(A, C, strict=True)]),
    "mul": ("mul r0, c0, c1", lambda: [a * b for a, b in zip(A, B, strict=True)]),
    "mad": ("mad r0, c0, c1, r1", lambda: [a * b + c for a, b, c in zip(A, B, C, strict=True)]),
    "lrp": ("lrp r0, c0, c1, r1", lambda: [a * b + (1 - a) * c for a, b, c in zip(A, B, C, strict=True)]),
    "dp3": ("dp3 r0, c0, c1", lambda: dot(A, B, 3)), "dp4": ("dp4 r0, c0, c2", lambda: dot(A, C, 4)),
    "cnd": ("mov r0, c0\ncnd r0, r0.a, c1, r1", lambda: B), "cmp": ("cmp r0, c0, c1, r1", lambda: B),
    "x2": ("mul_x2 r0, c0, c1", lambda: [2 * a * b for a, b in zip(A, B, strict=True)]),
    "d2": ("mov_d2 r0, c0", lambda: [a / 2 for a in A]),
    "sat": ("add_sat r0, c0, c1", lambda: [a + b for a, b in zip(A, B, strict=True)]),
    "beyond one": ("add r0, c0, c1\nsub r0, r0, c1", lambda: A),  # 1.2 in between, which a clamp would make 1
    "complement": ("mov r0, 1-v0", lambda: [0.0, 0.0, 1.0, 0.0]), "bias": ("mov r0, v0_bias", lambda: [0.5, 0.5, 0.0, 0.5]),
}  # fmt: skip


def _pixel(name: str) -> None:
    code, formula = PIXEL[name]

    def make(stage: Stage) -> None:
        text = f"ps_1_2\nmov r1, c2\n{code}"
        stage.tokens(
            t("SETPIXELSHADERCONST", register=0, values=[A, B, C]), t("CREATEPIXELSHADER", shader=3, code=assemble(text)),
            t("SETPIXELSHADER", shader=3),
        )  # fmt: skip
        stage.quad(color=0xFFFFFF00)
        stage.sees(picture(ground=argb(formula())), tolerance=1)

    add(f"shaders/pixel {name}", make, f"instruction:ps {name}")


for _name in PIXEL:
    _pixel(_name)


def _sampling(version: str, text: str) -> None:
    """The texture, red in its upper half, through a shader of each version."""

    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, "A8R8G8B8", 1, 2)
        scene.fill(TEXTURE, struct.pack("<2I", 0xFFFF0000, GREEN))
        scene.tokens(
            stage(0, TEXTUREMAP=TEXTURE), t("CREATEPIXELSHADER", shader=5, code=assemble(text)), t("SETPIXELSHADER", shader=5)
        )  # fmt: skip
        scene.quad(textured=True)
        scene.sees(picture(((0, 0, SIZE, 32), 0xFFFF0000), ground=GREEN))

    add(
        f"shaders/{version}",
        make,
        f"version:{version}",
        "flag:D3DPS_VERSION",
        "instruction:ps tex" if version != "ps_1_4" else "instruction:ps texld",
    )


for _version in ("ps_1_0", "ps_1_1", "ps_1_2", "ps_1_3"):
    _sampling(_version, f"{_version}\ntex t0\nmov r0, t0")
_sampling("ps_1_4", "ps_1_4\ntexld r0, t0")


@scene("shaders/texkill", "instruction:ps texkill")
def texkill(scene: Stage) -> None:
    """Pixels with a negative coordinate are gone: u goes from -1 to 1."""
    text = "ps_1_1\ntexkill t0\nmov r0, v0"
    scene.tokens(t("CREATEPIXELSHADER", shader=5, code=assemble(text)), t("SETPIXELSHADER", shader=5))
    quad = [struct.pack("<4fI2f", x - 0.5, y - 0.5, 0.5, 1, GREEN, x / 32 - 1, 0.5) for y in (0, SIZE) for x in (0, SIZE)]
    scene.tokens(
        t("SETVERTEXSHADER", shader=0x144), t("SETSTREAMSOURCEUM", stride=28),
        t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=quad, stride=28,
    )  # fmt: skip
    scene.sees(picture(((32, 0, SIZE, SIZE), GREEN)), mask=np.tile(np.abs(np.arange(SIZE) - 31.5) > 1, (SIZE, 1)))


@scene("shaders/constants of definitions", "instruction:vs def", "instruction:ps def")
def definitions(stage: Stage) -> None:
    """A shader's `def` sets the constant whenever the shader is set."""
    first = assemble("ps_1_1\ndef c0, 1, 0, 0, 1\nmov r0, c0")
    second = assemble("ps_1_1\ndef c0, 0, 1, 0, 1\nmov r0, c0")
    stage.tokens(t("CREATEPIXELSHADER", shader=5, code=first), t("CREATEPIXELSHADER", shader=7, code=second))
    for shader, color in ((5, 0xFFFF0000), (7, GREEN), (5, 0xFFFF0000)):
        stage.quad((0, 0, SIZE, SIZE), 0, 0.5, t("SETPIXELSHADER", shader=shader))
        stage.sees(picture(ground=color))


@scene("shaders/fixed state is kept", "token:SETVERTEXSHADER")
def kept(stage: Stage) -> None:
    """Render states and matrices survive a programmable shader."""
    matrix = np.eye(4, dtype=np.float32)
    matrix[3, 0] = 0.5
    stage.tokens(
        t("SETTRANSFORM", type=256, matrix=matrix.ravel().tolist()),
        t("CREATEVERTEXSHADER", shader=3, declaration=POSITION, code=assemble("vs_1_1\nmov oPos, v0")),
        t("SETVERTEXSHADER", shader=3), t("SETVERTEXSHADER", shader=0x42),
    )  # fmt: skip
    stage.holds(("TRANSFORM", "WORLD0"), matrix, back=3)
    stage.holds("VERTEXSHADER", 0x42)
