"""The texture stage cascade, and the specular add after it (semantics 7 and 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.spec.enums import TextureArg, TextureOp
from tests.reference.formats import Color, clamp, from_argb

Stage = Mapping[str, int | float]
Texel = Callable[[int], Color]  # by stage number
SELECT, COMPLEMENT, ALPHAREPLICATE = (int(TextureArg[name]) for name in ("SELECTMASK", "COMPLEMENT", "ALPHAREPLICATE"))
BUMPS = (TextureOp.BUMPENVMAP, TextureOp.BUMPENVMAPLUMINANCE)  # they act on the coordinates of the next stage: see scene
FIRST_ON_ALPHA = range(TextureOp.MODULATEALPHA_ADDCOLOR, TextureOp.DOTPRODUCT3 + 1)  # on alpha they select ARG1: our decision
ONE_ARGUMENT = (TextureOp.SELECTARG1, TextureOp.PREMODULATE)
UNBOUND: Color = (0.0, 0.0, 0.0, 1.0)  # the texel of a stage without texture, for operations that take its alpha alone
USES_ARG0 = {TextureOp.MULTIPLYADD, TextureOp.LERP}
BLEND_ALPHA: dict[int, int] = {
    TextureOp.BLENDDIFFUSEALPHA: TextureArg.DIFFUSE,
    TextureOp.BLENDTEXTUREALPHA: TextureArg.TEXTURE,
    TextureOp.BLENDFACTORALPHA: TextureArg.TFACTOR,
    TextureOp.BLENDCURRENTALPHA: TextureArg.CURRENT,
}


class Arguments(NamedTuple):
    """a1, a2 and a0 of an operation: all four channels, modifiers applied."""

    first: Color
    second: Color
    third: Color


def modified(color: Color, argument: int) -> Color:
    """COMPLEMENT and ALPHAREPLICATE; they may be applied in either order."""
    red, green, blue, alpha = color
    if argument & ALPHAREPLICATE:
        red = green = blue = alpha
    if argument & COMPLEMENT:
        return 1 - red, 1 - green, 1 - blue, 1 - alpha
    return red, green, blue, alpha


def channel(op: int, a1: float, a2: float, a0: float) -> float:
    """Operations that treat all channels alike, before the clamp."""
    match op:
        case TextureOp.SELECTARG1 | TextureOp.PREMODULATE:
            return a1
        case TextureOp.SELECTARG2:
            return a2
        case TextureOp.MODULATE:
            return a1 * a2
        case TextureOp.MODULATE2X:
            return 2 * a1 * a2
        case TextureOp.MODULATE4X:
            return 4 * a1 * a2
        case TextureOp.ADD:
            return a1 + a2
        case TextureOp.ADDSIGNED:
            return a1 + a2 - 0.5
        case TextureOp.ADDSIGNED2X:
            return 2 * (a1 + a2 - 0.5)
        case TextureOp.SUBTRACT:
            return a1 - a2
        case TextureOp.ADDSMOOTH:
            return a1 + a2 - a1 * a2
        case TextureOp.MULTIPLYADD:
            return a0 + a1 * a2
        case TextureOp.LERP:
            return a0 * a1 + (1 - a0) * a2
    raise AssertionError(f"operation {op} is not one of channels")


def mixed(op: int, a1: float, a2: float, alpha: float) -> float:
    """Operations in which the alpha of the first argument acts on a colour channel (18 to 21: colour only)."""
    match op:
        case TextureOp.MODULATEALPHA_ADDCOLOR:
            return a1 + alpha * a2
        case TextureOp.MODULATECOLOR_ADDALPHA:
            return a1 * a2 + alpha
        case TextureOp.MODULATEINVALPHA_ADDCOLOR:
            return (1 - alpha) * a2 + a1
        case TextureOp.MODULATEINVCOLOR_ADDALPHA:
            return (1 - a1) * a2 + alpha
    raise AssertionError(f"operation {op} mixes no alpha")


def dot_product(a1: Color, a2: Color) -> float:
    return 4 * sum((p - 0.5) * (q - 0.5) for p, q in zip(a1[:3], a2[:3], strict=True))


class Cascade:
    """The registers of one pixel on its way through the stages."""

    def __init__(self, diffuse: Color, specular: Color, factor: int, stages: Sequence[Stage], bound: Sequence[bool],
                 texel: Texel) -> None:  # fmt: skip
        self.stages, self.bound, self.texel = stages, bound, texel
        self.sources: dict[int, Color] = {
            TextureArg.DIFFUSE: diffuse, TextureArg.SPECULAR: specular, TextureArg.TFACTOR: from_argb(factor),
            TextureArg.CURRENT: diffuse, TextureArg.TEMP: (0.0, 0.0, 0.0, 0.0),
        }  # fmt: skip

    def run(self) -> Color:
        """CURRENT after the last stage."""
        for number, stage in enumerate(self.stages):
            if stage["COLOROP"] == TextureOp.DISABLE:
                break
            self.step(number, stage)
        return self.sources[TextureArg.CURRENT]

    def step(self, number: int, stage: Stage) -> None:
        """One stage; both halves read the registers as they were before it."""
        self.sources[TextureArg.TEXTURE] = self.premodulated(number, self.texel(number) if self.bound[number] else UNBOUND)
        rgb = self.evaluate(number, stage, "COLOR")
        if stage["COLOROP"] == TextureOp.DOTPRODUCT3 and not self.reads_nothing(number, stage, "COLOR"):
            alpha = rgb[3]
        elif stage["ALPHAOP"] == TextureOp.DISABLE:
            alpha = self.sources[int(stage["RESULTARG"])][3]
        else:
            alpha = self.evaluate(number, stage, "ALPHA")[3]
        red, green, blue, alpha = (clamp(c) for c in (*rgb[:3], alpha))
        self.sources[int(stage["RESULTARG"])] = red, green, blue, alpha

    def premodulated(self, number: int, texel: Color) -> Color:
        """The texel of a stage, multiplied by the result of the stage before if that is PREMODULATE."""
        before = self.stages[number - 1] if number else {"COLOROP": TextureOp.DISABLE}
        if before["COLOROP"] != TextureOp.PREMODULATE or self.reads_nothing(number - 1, before, "COLOR"):
            return texel
        red, green, blue, alpha = (t * c for t, c in zip(texel, self.sources[int(before["RESULTARG"])], strict=True))
        return red, green, blue, alpha

    def reads_nothing(self, number: int, stage: Stage, half: str) -> bool:
        """Reads the texture where none is bound: then the half passes CURRENT on."""
        op = stage[half + "OP"]
        used = {"ARG1": op != TextureOp.SELECTARG2, "ARG2": op not in ONE_ARGUMENT, "ARG0": op in USES_ARG0}
        reads = any(use and int(stage[half + name]) & SELECT == TextureArg.TEXTURE for name, use in used.items())
        return reads and not self.bound[number]

    def argument(self, argument: int) -> Color:
        return modified(self.sources.get(argument & SELECT, (0.0, 0.0, 0.0, 0.0)), argument)

    def evaluate(self, number: int, stage: Stage, half: str) -> Color:
        """All four channels of one half's operation, not clamped."""
        op = int(stage[half + "OP"])
        bump = half == "COLOR" and op in BUMPS
        if op == TextureOp.DISABLE or bump or self.reads_nothing(number, stage, half):
            return self.sources[TextureArg.CURRENT]
        if half == "ALPHA" and op in FIRST_ON_ALPHA:
            return self.argument(int(stage["ALPHAARG1"]))
        a1, a2, a0 = (self.argument(int(stage[half + name])) for name in ("ARG1", "ARG2", "ARG0"))
        if op in BLEND_ALPHA:
            share = self.sources[BLEND_ALPHA[op]][3]
            results = [p * share + q * (1 - share) for p, q in zip(a1, a2, strict=True)]
        elif op == TextureOp.BLENDTEXTUREALPHAPM:
            results = [p + q * (1 - self.sources[TextureArg.TEXTURE][3]) for p, q in zip(a1, a2, strict=True)]
        elif op == TextureOp.DOTPRODUCT3:
            results = [dot_product(a1, a2)] * 4
        elif TextureOp.MODULATEALPHA_ADDCOLOR <= op <= TextureOp.MODULATEINVCOLOR_ADDALPHA:
            results = [mixed(op, p, q, a1[3]) for p, q in zip(a1, a2, strict=True)]
        else:
            results = [channel(op, p, q, r) for p, q, r in zip(a1, a2, a0, strict=True)]
        red, green, blue, alpha = results
        return red, green, blue, alpha


def add_specular(color: Color, specular: Color) -> Color:
    """SPECULARENABLE: rgb after the last stage; alpha stays."""
    red, green, blue = (clamp(c + s) for c, s in zip(color[:3], specular[:3], strict=True))
    return red, green, blue, color[3]
