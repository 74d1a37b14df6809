"""Pixel shaders (semantics 11): the scalar ps_1_x machine at a fragment, with doubts about its decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.ddi.stream.shader_assemble import assemble
from core.ddi.stream.shader_code import Instruction
from core.spec.shaders import Sio, Spr
from tests.reference.formats import Color, clamp
from tests.reference.machine import Machine

if TYPE_CHECKING:
    from tests.reference.scene import Fragment

STAGES = 6
THRESHOLDS = {Sio.CND: 0.5, Sio.CMP: 0.0}


class Careful(Machine):
    """Notes what is nearer to a threshold than float32 can tell."""

    close = killed_nearly = False

    def texture(self, op: Sio, one: Instruction, m: int) -> np.ndarray | None:
        if op == Sio.TEXKILL:
            value = self.coordinates[m] if self.minor < 4 or one.dest.type == Spr.TEXTURE else self.r[m]
            size = np.abs(value[:3])
            self.killed_nearly |= bool(((size > 0) & (size < 1e-5)).any())
        return super().texture(op, one, m)

    def arithmetic(self, op: Sio, one: Instruction, s: list[np.ndarray]) -> np.ndarray:
        if op in THRESHOLDS:
            asked = self.r[0, 3:] if op == Sio.CND and self.minor < 4 else s[0]
            self.close |= bool((np.abs(asked - THRESHOLDS[op]) < 1e-4).any())
        return super().arithmetic(op, one, s)


class Program:
    """An assembled shader."""

    def __init__(self, text: str) -> None:
        self.code = np.asarray(assemble(text))

    def run(self, fragment: Fragment) -> Color | None:
        """r0, clamped; None where texkill says so."""
        draw = fragment.draw
        places = [fragment.coordinates_of(n) for n in range(STAGES)]
        bump = [[float(stage.get(name, 0.0)) for name in BUMP] for stage in draw.stages]

        def sample(number: int, place: np.ndarray) -> np.ndarray:
            if not np.isfinite(place).all():
                fragment.doubt.reasons.add("reflection of nothing")
                return np.zeros(4)
            u, v, w = (float(c) for c in place)
            texel = fragment.look_up(number, (u, v, w), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
            return np.array([c + fragment.nudges.get((number, i), 0.0) for i, c in enumerate(texel)])

        colors = np.array([fragment.color("diffuse"), fragment.color("specular")])
        machine = Careful(self.code, np.array(draw.constants), colors, np.array(places), sample, np.array(bump))
        with np.errstate(divide="ignore", invalid="ignore"):
            red, green, blue, alpha = (clamp(float(c)) for c in machine.run())
        if machine.close:
            fragment.doubt.reasons.add("shader threshold")
        if machine.killed_nearly:
            fragment.doubt.reasons.add("texkill")
        return None if machine.killed else (red, green, blue, alpha)


BUMP = [*("BUMPENVMAT" + place for place in ("00", "01", "10", "11")), "BUMPENVLSCALE", "BUMPENVLOFFSET"]
