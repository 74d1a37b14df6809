"""A scalar ps_1_x machine in double precision, written from the instruction reference: one pixel, registers by name.

It reads the decoded instructions of core.ddi.stream.shader_code, whose own tests compare them with assembler listings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.ddi.stream.shader_code import Instruction, decode
from core.spec.shaders import Sio, Spr

Sample = Callable[[int, np.ndarray], np.ndarray]  # stage, (u, v, w) -> rgba


class Machine:
    def __init__(self, code: np.ndarray, constants: np.ndarray, v: np.ndarray, coordinates: np.ndarray, sample: Sample,
                 bump: np.ndarray) -> None:  # fmt: skip
        """constants[8, 4], v[2, 4], coordinates[8, 4], bump[8, 6]: matrix 00 01 10 11, scale, offset"""
        shader = decode(code)
        self.minor = shader.version & 0xFF
        self.instructions = [one for one in shader.instructions if one.row.kind != "other"]
        self.c, self.v = np.clip(constants, -1, 1), np.clip(v, 0, 1)
        self.coordinates, self.sample, self.bump = coordinates, sample, bump
        self.r, self.t = np.zeros((6, 4)), np.zeros((6, 4))
        self.rows: list[float] = []
        self.killed, self.depth = False, -1.0

    def run(self) -> np.ndarray:
        pending: list[tuple] = []
        for one, following in zip(self.instructions, [*self.instructions[1:], None], strict=True):
            value = self.execute(one)
            if value is not None:
                pending.append((one, value))
            if following is None or not following.coissue:
                for instruction, result in pending:
                    self.write(instruction, result)
                pending = []
        return self.r[0]

    # -- operands --

    def file(self, kind: int) -> np.ndarray:
        if kind == Spr.TEXTURE:
            return self.coordinates if self.minor >= 4 else self.t
        return {Spr.TEMP: self.r, Spr.INPUT: self.v, Spr.CONST: self.c}[Spr(kind)]

    def read(self, one: Instruction, number: int) -> np.ndarray:
        source = one.sources[number]
        value = self.file(source.type)[source.index]
        value = np.array([value[source.swizzle >> 2 * n & 3] for n in range(4)])
        return {0: lambda x: x, 1: lambda x: -x, 2: lambda x: x - 0.5, 3: lambda x: 0.5 - x, 4: lambda x: 2 * (x - 0.5),
                5: lambda x: -2 * (x - 0.5), 6: lambda x: 1 - x, 7: lambda x: 2 * x, 8: lambda x: -2 * x,
                9: lambda x: x, 10: lambda x: x}[source.modifier](value)  # fmt: skip

    def write(self, one: Instruction, value: np.ndarray) -> None:
        dest = one.dest
        value = value * 2.0**dest.shift
        if Sio(one.op) in ARITHMETIC:
            value = np.clip(value, -8, 8)
        if dest.modifier & 1:
            value = np.clip(value, 0, 1)
        target = self.t if dest.type == Spr.TEXTURE else self.r
        for n in range(4):
            if dest.mask >> n & 1:
                target[dest.index, n] = value[n]

    # -- instructions --

    def execute(self, one: Instruction) -> np.ndarray | None:
        op = Sio(one.op)
        if op in ARITHMETIC:
            return self.arithmetic(op, one, [self.read(one, n) for n in range(len(one.sources))])
        return self.texture(op, one, one.dest.index)

    def arithmetic(self, op: Sio, one: Instruction, s: list[np.ndarray]) -> np.ndarray:
        if op == Sio.CND and self.minor < 4 and one.coissue and one.dest.mask != 8:
            return s[1]  # Wine's cnd_test, on Windows drivers
        if op == Sio.CND and self.minor < 4:
            return s[1] if self.r[0, 3] > 0.5 else s[2]
        if op == Sio.BEM:
            m = self.bump[one.dest.index]
            return np.array([s[0][0] + m[0] * s[1][0] + m[2] * s[1][1], s[0][1] + m[1] * s[1][0] + m[3] * s[1][1], 0, 0])
        return {
            Sio.MOV: lambda: s[0], Sio.ADD: lambda: s[0] + s[1], Sio.SUB: lambda: s[0] - s[1], Sio.MUL: lambda: s[0] * s[1],
            Sio.MAD: lambda: s[0] * s[1] + s[2], Sio.LRP: lambda: s[0] * s[1] + (1 - s[0]) * s[2],
            Sio.DP3: lambda: np.full(4, s[0][:3] @ s[1][:3]), Sio.DP4: lambda: np.full(4, s[0] @ s[1]),
            Sio.CND: lambda: np.where(s[0] > 0.5, s[1], s[2]), Sio.CMP: lambda: np.where(s[0] >= 0, s[1], s[2]),
        }[op]()  # fmt: skip

    def new_coordinates(self, one: Instruction) -> np.ndarray:
        """ps_1_4: texld and texcrd operands, .xyz or .xyw, _dz or _dw"""
        source = one.sources[0]
        value = self.file(source.type)[source.index]
        third = value[3] if source.swizzle >> 4 & 3 == 3 else value[2]
        divisor = {9: value[2], 10: value[3]}.get(source.modifier, 1.0)
        return np.array([value[0] / divisor, value[1] / divisor, third, 1.0])

    def texture(self, op: Sio, one: Instruction, m: int) -> np.ndarray | None:
        own = self.coordinates[m]
        if op == Sio.TEXCOORD:
            return self.new_coordinates(one) if one.sources else np.append(np.clip(own[:3], 0, 1), 1)
        if op == Sio.TEX:
            return self.sample(m, self.new_coordinates(one)[:3] if one.sources else own[:3])
        if op == Sio.TEXKILL:
            value = own if self.minor < 4 or one.dest.type == Spr.TEXTURE else self.r[m]
            self.killed |= bool((value[:3] < 0).any())
            return None
        if op == Sio.TEXDEPTH:
            self.depth = quotient(self.r[5, 0], self.r[5, 1])
            return None
        s = self.read(one, 0)
        if op in (Sio.TEXBEM, Sio.TEXBEML):
            b = self.bump[m]
            place = [own[0] + b[0] * s[0] + b[2] * s[1], own[1] + b[1] * s[0] + b[3] * s[1], own[2]]
            factor = np.clip(s[2] * b[4] + b[5], 0, 1) if op == Sio.TEXBEML else 1.0
            return self.sample(m, np.array(place)) * factor
        if op in SWIZZLED_LOOKUP:
            return self.sample(m, np.array([s[n] if n is not None else 0.0 for n in SWIZZLED_LOOKUP[op]]))
        return self.rows_instruction(op, one, m, own[:3] @ s[:3])

    def rows_instruction(self, op: Sio, one: Instruction, m: int, product: float) -> np.ndarray | None:
        if op in (Sio.TEXM3x2PAD, Sio.TEXM3x3PAD):
            self.rows.append(product)
            return None
        if op == Sio.TEXDP3:
            return np.full(4, product)
        if op == Sio.TEXDP3TEX:
            return self.sample(m, np.array([product, 0, 0]))
        vector, self.rows = np.array([*self.rows, product]), []
        if op == Sio.TEXM3x2DEPTH:
            self.depth = quotient(*vector)
            return None
        if op == Sio.TEXM3x3:
            return np.append(vector, 1)
        if op in (Sio.TEXM3x3SPEC, Sio.TEXM3x3VSPEC):
            eye = self.read(one, 1)[:3] if op == Sio.TEXM3x3SPEC else self.coordinates[m - 2 : m + 1, 3]
            vector = 2 * (vector @ eye) / (vector @ vector) * vector - eye
        return self.sample(m, np.append(vector, 0)[:3])


def quotient(a: float, b: float) -> float:
    return 1.0 if b == 0 else float(np.clip(a / b, 0, 1))


ARITHMETIC = {Sio.MOV, Sio.ADD, Sio.SUB, Sio.MAD, Sio.MUL, Sio.DP3, Sio.DP4, Sio.LRP, Sio.CND, Sio.CMP, Sio.BEM}
SWIZZLED_LOOKUP = {Sio.TEXREG2AR: (3, 0, None), Sio.TEXREG2GB: (1, 2, None), Sio.TEXREG2RGB: (0, 1, 2)}
